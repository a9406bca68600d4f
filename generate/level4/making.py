"""Make certified instances of level 4: sample and certify until a sample passes, then merge them into one world."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from mpcbench.generate.level4.certificate import certify
from mpcbench.generate.level4.merged import LadderMade, merged_world
from mpcbench.generate.level4.sampling.ladder import samples
from mpcbench.generate.level4.setting import OfficeSetting, setting_of
from mpcbench.generate.parallel import Runner
from mpcbench.generate.sampling.sample import Rejected
from mpcbench.schema.level4.dataset import ladder_texts
from mpcbench.schema.level4.mechanism import Mechanism

RUNGS: Final = 8
"""The rungs of a data set; single ones can be higher."""


class LadderGenerationError(RuntimeError):
    """No certified instance could be made."""


class LadderWish(NamedTuple):
    """What is asked of the instances of a set."""

    rung: int | None = None
    """All instances are on this rung; None: one after another on each."""

    mechanisms: frozenset[Mechanism] | None = None
    """All instances have these mechanisms; None: they are drawn."""

    def rung_of(self, k: int) -> int:
        """The rung of an instance, by its number alone, so that a set is the beginning of any larger one."""
        return 1 + k % RUNGS if self.rung is None else self.rung


def make_instance(setting: OfficeSetting, k: int, wish: LadderWish) -> LadderMade:
    """Make instance number `k` of an office; it depends on the seed, the number and the wish alone.

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
            return LadderMade(draft.instance, draft.threads, draft.pages, label)


def make_instances(seed: int, numbers: Sequence[int], wish: LadderWish, runner: Runner) -> Iterator[LadderMade]:
    """Make the instances with the given numbers, in that order."""
    setting_of(seed)  # so that processes that are forked from this one need not make it
    size = runner.batch
    jobs = ((seed, numbers[place : place + size], wish) for place in range(0, len(numbers), size))
    for made in runner.map(_make_batch, jobs):
        yield from made


def _make_batch(job: tuple[int, Sequence[int], LadderWish]) -> list[LadderMade]:
    seed, numbers, wish = job
    return [make_instance(setting_of(seed), k, wish) for k in numbers]


def files_of(seed: int, made: Iterable[LadderMade]) -> dict[str, str]:
    """The texts of the three files of level 4, by path relative to the data set's folder.

    Raises:
        MergeError: an instance is no longer what it was certified to be among the others.
    """
    made = tuple(made)
    world = merged_world(setting_of(seed), made)
    return ladder_texts(world, tuple(one.instance for one in made), tuple(one.label for one in made))
