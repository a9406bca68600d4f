"""Make certified instances of level 4: sample and certify until a sample passes, then merge them into one world."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from mpcbench.generate.level4.certificate import certify
from mpcbench.generate.level4.kept import Kept
from mpcbench.generate.level4.merged import LadderMade, crowded, merged_world
from mpcbench.generate.level4.rung_wish import LadderWish
from mpcbench.generate.level4.sampling.ladder import samples
from mpcbench.generate.level4.setting import OfficeSetting, setting_of
from mpcbench.generate.parallel import Runner
from mpcbench.generate.sampling.sample import Rejected
from mpcbench.schema.level4.dataset import ladder_texts


class LadderGenerationError(RuntimeError):
    """No certified instance could be made."""


def make_instance(setting: OfficeSetting, k: int, wish: LadderWish, passed_over: int = 0) -> LadderMade:
    """Make instance number `k` of an office; it depends on the seed and the arguments alone.

    Args:
        setting: The office.
        k: The number.
        wish: What is asked of it.
        passed_over: So many samples that pass are not taken.

    Raises:
        LadderGenerationError: no sample passed.
    """
    rung = wish.rung_of(k)
    drafts = samples(
        setting.office,
        setting.indexed,
        seed=setting.office.seed,
        k=k,
        rung=rung,
        mechanisms=wish.mechanisms,
        setting=setting.sampling,
    )
    uncertified: Counter[str] = Counter()
    while True:
        try:
            draft = next(drafts)
        except (RuntimeError, ValueError) as error:
            raise LadderGenerationError(f"level 4: {error}") from error
        rejected = draft.rejected | uncertified
        try:
            label = certify(setting, draft.instance, draft.threads, draft.pages, rejected, draft.load_bearing)
        except Rejected as rejection:
            uncertified[f"certificate: {rejection.check}"] += 1
        else:
            if passed_over == 0:
                return LadderMade(draft.instance, draft.threads, draft.pages, label)
            passed_over -= 1
            uncertified["among others: ignorable"] += 1


def make_instances(
    seed: int, numbers: Sequence[int], wish: LadderWish, runner: Runner, kept: Kept | None = None
) -> Iterator[LadderMade]:
    """Make the instances with the given numbers, in that order.

    Args:
        seed: Of the office.
        numbers: Of the instances.
        wish: What is asked of them.
        runner: Makes them.
        kept: Where those made are kept; what is there is not made again.

    Raises:
        LadderGenerationError: some instances could not be made; all others have been, and are kept.
    """
    there = {} if kept is None else {k: one for k in numbers if (one := kept.get(k)) is not None}
    missing = [k for k in numbers if k not in there]
    if missing:
        setting_of(seed)  # so that processes that are forked from this one need not make it
    size = runner.batch
    jobs = ((seed, missing[place : place + size], wish) for place in range(0, len(missing), size))
    new = (one for made in runner.map(_make_batch, jobs) for one in made)
    failures: list[str] = []
    for k in numbers:
        if k in there:
            yield there[k]
            continue
        outcome = next(new)
        if isinstance(outcome, str):
            failures.append(outcome)
            continue
        if kept is not None:
            kept.put(k, outcome)
        yield outcome
    if failures:
        if kept is not None and kept.place.is_dir():
            failures.append(f"all others are kept in {kept.place}, and will not be made again")
        raise LadderGenerationError("; ".join(failures))


def _make_batch(job: tuple[int, Sequence[int], LadderWish]) -> list[LadderMade | str]:
    """The instances, or in place of each that could not be made, why."""
    seed, numbers, wish = job
    found: list[LadderMade | str] = []
    for k in numbers:
        try:
            found.append(make_instance(setting_of(seed), k, wish))
        except LadderGenerationError as error:
            found.append(str(error))
    return found


def apart(seed: int, numbers: Sequence[int], wish: LadderWish, made: Iterable[LadderMade]) -> list[LadderMade]:
    """The instances; those of which a mechanism can be ignored among the others are made again, of their next sample.

    Args:
        seed: Of the office.
        numbers: Of the instances.
        wish: What is asked of them.
        made: The instances.

    Raises:
        LadderGenerationError: no further sample passed.
        MergeError: two instances add the same.
    """
    found = list(made)
    again: Counter[int] = Counter()
    while places := crowded(setting_of(seed), found):
        again.update(places)
        for place in places:
            found[place] = make_instance(setting_of(seed), numbers[place], wish, again[place])
    return found


def files_of(seed: int, made: Iterable[LadderMade]) -> dict[str, str]:
    """The texts of the three files of level 4, by path relative to the data set's folder.

    Raises:
        MergeError: an instance is no longer what it was certified to be among the others.
    """
    made = tuple(made)
    world = merged_world(setting_of(seed), made)
    return ladder_texts(world, tuple(one.instance for one in made), tuple(one.label for one in made))
