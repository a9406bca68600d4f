"""Sample instances of level 4: attempts until one passes every check."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from operator import itemgetter
from random import Random
from typing import Final

from mpcbench.generate.level4.naming import MOST_INSTANCES, NAMES, PAGES, THREADS
from mpcbench.generate.level4.sampling.altering import KINDS, LAST_MESSAGE, MESSAGE, PLAN_KINDS, Altering, EditKind
from mpcbench.generate.level4.sampling.draft import LadderDraft
from mpcbench.generate.level4.sampling.drawing import Drawing
from mpcbench.generate.level4.sampling.rungs import ALWAYS_JOINT, FIRST_JOINT, rung_of
from mpcbench.generate.level4.sampling.script import Script, Tagged, tagged
from mpcbench.generate.level4.sampling.setting import Setting
from mpcbench.generate.level4.sampling.staging import Staging
from mpcbench.generate.level4.sampling.terms import PLACEMENTS, Outline, Rejected, gold_of
from mpcbench.generate.level4.shortcuts import shortcut_to, shortcuts_of
from mpcbench.generate.level4.wording.drafts import word
from mpcbench.generate.level4.world.names import meeting_names
from mpcbench.generate.randomness import stream
from mpcbench.generate.wording.values import PhrasingError
from mpcbench.oracle.level4.knowledge import Knowledge, for_task
from mpcbench.oracle.level4.load import Gold, Load, ignorable, needed_of
from mpcbench.oracle.level4.misreadings import MISREADINGS, misread
from mpcbench.oracle.level4.solve import Pick
from mpcbench.oracle.level4.stage import stage
from mpcbench.oracle.level4.touched import touched
from mpcbench.schema.level4.header import ALIAS
from mpcbench.schema.level4.instance import LadderInstance, LadderReferences
from mpcbench.schema.level4.label import LoadBearing
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.statements import Said
from mpcbench.schema.level4.world import LadderWorld
from mpcbench.schema.versions import LADDER_GENERATOR_VERSION

_ATTEMPTS: Final = 300
"""How many samples are tried with mechanisms that are asked for."""

_DRAWN_ATTEMPTS: Final = 3000
"""How many are tried with drawn mechanisms, some of which fit no instance of a low rung."""

_PATIENCE: Final = 40
"""After so many attempts mechanisms, unless they are asked for, and the size are drawn again."""

_WORDINGS: Final = 8
_EDITS: Final = 60
"""So many changes of a kind are tried."""

_TOO_SMALL: Final = "load too small"
_MOST_TOO_SMALL: Final = 60
"""After so many samples of the largest size that hold too little, the place is given up."""

_OUTLINED: Final = (
    Mechanism.NOTICES,
    Mechanism.ZONES,
    Mechanism.ROLE,
    Mechanism.STATES,
    Mechanism.QUORUM,
    Mechanism.SCOPE,
    Mechanism.JOINT,
)
"""The mechanisms that are at work before the terms are told by detours."""

_ESTIMATE: Final = 1.2
"""By what factor the load may differ from its estimate."""

_STEP: Final = 0.15
"""How much larger or smaller the next sample is drawn if the load of one does not fit the rung."""


def sample(
    office: LadderWorld,
    indexed: Knowledge,
    *,
    seed: int,
    k: int,
    rung: int,
    mechanisms: frozenset[Mechanism] | None = None,
    setting: Setting | None = None,
) -> LadderDraft:
    """The first of `samples`."""
    return next(samples(office, indexed, seed=seed, k=k, rung=rung, mechanisms=mechanisms, setting=setting))


def samples(
    office: LadderWorld,
    indexed: Knowledge,
    *,
    seed: int,
    k: int,
    rung: int,
    mechanisms: frozenset[Mechanism] | None = None,
    setting: Setting | None = None,
) -> Iterator[LadderDraft]:
    """Instances at a place of a world; they depend on the seed, the place, the rung and the mechanisms alone.

    Args:
        office: The world of the seed.
        indexed: `known(office)`.
        seed: The seed of the office.
        k: The place of the instance, from 0.
        rung: Its rung, from 1.
        mechanisms: Those to be load-bearing; drawn for the rung if not given.
        setting: The office as the sampler looks at it, where it is at hand.

    Raises:
        ValueError: the rung is less than 1, or the place does not lie within a world.
        RuntimeError: no further sample passed.
    """
    if not 0 <= k < MOST_INSTANCES:
        msg = f"place {k} is not from 0 to {MOST_INSTANCES - 1}"
        raise ValueError(msg)
    shape = rung_of(rung)
    asked = "drawn" if mechanisms is None else ",".join(sorted(mechanisms))
    rng = stream(seed, 4, "sample", k, rung, asked)
    view = setting or Setting(office, indexed)
    rejected: Counter[str] = Counter()
    small = 0
    for attempt in range(_DRAWN_ATTEMPTS if mechanisms is None else _ATTEMPTS):
        if attempt % _PATIENCE == 0:
            chosen = _drawn(rung, rng) if mechanisms is None else mechanisms
            edit = rng.choice(PLAN_KINDS if Mechanism.JOINT in chosen else KINDS)
            sampler = _Sampler(view, seed, k, rung, chosen, edit, rng.uniform(*shape.sizes))
        is_largest = sampler.size >= 1
        try:
            found = sampler.attempt(stream(seed, 4, "attempt", k, rung, asked, attempt))
        except Rejected as error:
            rejected[error.check] += 1
            small += is_largest and error.check == _TOO_SMALL
        else:
            yield replace(found, rejected=dict(rejected))
        if small > _MOST_TOO_SMALL:
            break
    msg = f"no sample in {rejected.total()} attempts for place {k}, rung {rung}, mechanisms {asked}: {dict(rejected)}"
    raise RuntimeError(msg)


def _drawn(rung: int, rng: Random) -> frozenset[Mechanism]:
    """The mechanisms of an instance."""
    shape = rung_of(rung)
    count = rng.randint(*shape.mechanisms)
    others = sorted(set(Mechanism) - {Mechanism.JOINT})
    if rung < FIRST_JOINT:
        return frozenset(rng.sample(others, count))
    if rung < ALWAYS_JOINT:
        return frozenset(rng.sample(sorted(Mechanism), count))
    return frozenset({Mechanism.JOINT, *rng.sample(others, count - 1)})


class _Sampler:
    def __init__(
        self,
        setting: Setting,
        seed: int,
        k: int,
        rung: int,
        mechanisms: frozenset[Mechanism],
        edit: EditKind,
        size: float,
    ) -> None:
        self.edit = edit
        self.setting = setting
        self.seed = seed
        self.k = k
        self.rung = rung
        self.shape = rung_of(rung)
        self.mechanisms = mechanisms
        self.suspects = list(Mechanism)
        """In the order in which it is tried whether they can be ignored: the last one that could be comes first."""

        self.size = size
        self.names = meeting_names(seed)[NAMES * k : NAMES * (k + 1)]

    def attempt(self, rng: Random) -> LadderDraft:
        """One sample; raises `Rejected` if it fails a check."""
        outline, gold = self._outline(rng)
        staging = Staging(self.setting, self.rung, self.mechanisms, self.names, rng)
        script = staging.script(outline, gold)
        if len({part.talk for part in script.parts}) + len(script.namings) > THREADS:
            raise Rejected("threads")
        if max(Counter(one.collection for one in script.namings).values(), default=0) > PAGES:
            raise Rejected("pages")
        state = rng.getrandbits(64)
        if gold_of(self._knowledge(self._told(script, state))) != gold:
            raise Rejected("consistent")
        self._check_mechanisms(script, state, gold)
        script = self._pruned(script, gold, state)
        told = self._told(script, state)
        if max(one.sent for thread in told.threads for one in thread.messages) >= LAST_MESSAGE:
            raise Rejected("dated")
        if Mechanism.CHANGES in self.mechanisms:
            told, gold = self._changed(told, outline, gold, rng)
        else:
            self._check_told(told, gold)
        knowledge = self._knowledge(told)
        self._check(knowledge, gold)
        if shortcut_to(shortcuts_of(knowledge), len(gold)) is not None:
            raise Rejected("no_shortcut")
        load = Load(Gold(knowledge, gold))
        self._weigh(load.estimate(self.shape.every), _ESTIMATE)
        bearing = load.bearing()
        self._weigh(len(bearing))
        return self._worded(self._timed(told, knowledge.before, bearing), bearing, rng)

    def _outline(self, rng: Random) -> tuple[Outline, tuple[Pick, ...]]:
        drawing = Drawing(self.setting, self.shape, self.mechanisms, self.size, rng)
        name = str(self.names[0].name)
        if Mechanism.JOINT in self.mechanisms:
            outline, gold = drawing.plan(name, [str(one.name) for one in self.names[1:]])
        else:
            outline, gold = drawing.single(name)
        known = self.setting.known
        self._check_ignorance(Gold(outline.knowledge(known), gold, drawing.base), _OUTLINED)
        outline, gold = drawing.demanding(outline, gold, drawing.between(self.shape.demands))
        outline, gold = drawing.shorter(outline, gold)
        self._check_ignorance(Gold(outline.knowledge(known), gold, drawing.base), _OUTLINED)
        return outline, gold

    def _told(self, script: Script, state: int) -> Tagged:
        """The script with times, which are the same for every variant."""
        return tagged(script, self.seed, self.k, Random(state))  # noqa: S311 - the state is drawn from a stream

    def _instance(self, told: Tagged, texts: tuple[str, str, str]) -> LadderInstance:
        return LadderInstance(
            generator_version=LADDER_GENERATOR_VERSION,
            seed=self.seed,
            instance_id=f"level4-{self.k:03}",
            rung=self.rung,
            mechanisms=tuple(one for one in Mechanism if one in self.mechanisms),
            subject=told.subject,
            task=texts,
            references=LadderReferences(statements=told.task),
            change=told.change,
        )

    def _knowledge(self, told: Tagged) -> Knowledge:
        instance = self._instance(told, ("", "", ""))
        before = for_task(told.known(self.setting.known), instance)
        if told.change is None:
            return before
        return replace(for_task(told.known_after(self.setting.known), instance), before=before)

    def _check_mechanisms(self, script: Script, state: int, gold: tuple[Pick, ...]) -> None:
        """Refuse early what cannot pass; the change is not known yet."""
        self._check(self._knowledge(self._told(script, state)), gold, self.mechanisms - {Mechanism.CHANGES})

    def _check(
        self, knowledge: Knowledge, gold: tuple[Pick, ...], mechanisms: frozenset[Mechanism] | None = None
    ) -> None:
        """Refuse a sample in which a mechanism has no obvious wrong way that changes the gold."""
        found, standard = touched(knowledge), Gold(knowledge, gold)
        wanted = set(self.mechanisms if mechanisms is None else mechanisms)
        for misreading in MISREADINGS:
            if misreading.mechanism in wanted:
                believed = misread(knowledge, found, misreading)
                if believed is not None and standard.verdict(believed).changed:
                    wanted.discard(misreading.mechanism)
        if wanted:
            raise Rejected(f"mechanism {min(wanted)}")

    def _check_ignorance(self, standard: Gold, mechanisms: Iterable[Mechanism] = tuple(Mechanism)) -> None:
        """Refuse a sample of whose gold somebody finds much who ignores one of the mechanisms altogether."""
        asked = self.mechanisms.intersection(mechanisms)
        wanted = [one for one in self.suspects if one in asked]
        for mechanism in ignorable(standard, wanted, self.shape.found):
            self.suspects.remove(mechanism)
            self.suspects.insert(0, mechanism)
            raise Rejected(f"ignoring {mechanism}")

    def _pruned(self, script: Script, gold: tuple[Pick, ...], state: int) -> Script:
        """The script without what changes nothing: neither what holds, nor a proposal if it held."""
        standard = Gold(self._knowledge(self._told(script, state)), gold)
        for place in reversed(range(len(script.parts))):
            part = script.parts[place]
            for number in reversed(range(len(part.statements) if not part.fixed else 0)):
                other = script.without(place, number)
                if part.decoy:
                    held = replace(part, author=script.organiser_of(part), answer=None)
                    other = replace(script, parts=(*script.parts[:place], held, *script.parts[place + 1 :]))
                if standard.is_given_by(self._knowledge(self._told(other, state)), PLACEMENTS):
                    script = script.without(place, number)
        return script

    def _changed(
        self, told: Tagged, outline: Outline, gold: tuple[Pick, ...], rng: Random
    ) -> tuple[Tagged, tuple[Pick, ...]]:
        """The same with the change that leaves least of the gold, after which no mechanism can be ignored, and its gold."""
        altering = Altering(self.setting, self.seed, self.k, self.mechanisms, told, outline, self.shape.found, rng)
        base = stage(self._knowledge(told), counted=False)
        others = PLAN_KINDS if Mechanism.JOINT in self.mechanisms else (MESSAGE,)
        for kind in dict.fromkeys((self.edit, *others)):
            found: list[tuple[int, Tagged, tuple[Pick, ...]]] = []
            for other in {one.change: one for one in islice(altering.edits(kind, gold), _EDITS)}.values():
                after = gold_of(self._knowledge(other), base, gold)
                kept = len({*after} & {*gold})
                if len(after) == outline.wanted and kept <= self.shape.found * len(gold):
                    found.append((kept, other, after))
            for _, other, after in sorted(found, key=itemgetter(0)):
                with suppress(Rejected):
                    self._check_told(other, after)
                    return other, after
        raise Rejected("mechanism changes")

    def _check_told(self, told: Tagged, gold: tuple[Pick, ...]) -> None:
        """Refuse a sample of which a mechanism can be ignored, or whose task says what changes nothing."""
        standard = Gold(self._knowledge(told), gold)
        self._check_ignorance(standard)
        for place in range(len(told.task)):
            less = replace(told, task=told.task[:place] + told.task[place + 1 :])
            if not standard.verdict(self._knowledge(less)).changed:
                raise Rejected("task")

    def _weigh(self, load: float, error: float = 1.0) -> None:
        """Refuse a load that is not the rung's, and draw the next sample smaller or larger.

        Args:
            load: The load, or an estimate.
            error: By what factor the load may be larger or smaller.
        """
        low, high = self.shape.load
        if load * error < low:
            self.size = min(1.0, self.size + _STEP)
            raise Rejected(_TOO_SMALL)
        if load / error >= high:
            self.size = max(0.0, self.size - _STEP)
            raise Rejected("load too large")

    def _timed(self, told: Tagged, before: Knowledge | None, bearing: tuple[LoadBearing, ...]) -> Tagged:
        """The same with a change that happens once all threads and calendars have been shown that matter before it, too.

        What matters only after it is no reason to look, so that the change would not happen to a careful reader.
        """
        if told.change is None or before is None:
            return told
        own = {f"thread:{thread.thread_id}" for thread in told.threads}
        records = {one.record for one in bearing if one.record in own or one.record.startswith("calendar:")}
        needed = needed_of(before, sorted(records))
        if not needed:
            raise Rejected("mechanism changes")
        return replace(told, change=told.change.model_copy(update={"when_shown": needed}))

    def _worded(self, told: Tagged, bearing: tuple[LoadBearing, ...], rng: Random) -> LadderDraft:
        said = [
            tag for one in told.threads for message in one.messages for tag in message.tags if isinstance(tag, Said)
        ]
        meetings = {one.about for one in said if not one.about.startswith(ALIAS)} | {
            str(one.name) for one in self.names
        }
        for _ in range(_WORDINGS):
            with suppress(PhrasingError):
                written = word(told, self.setting.names, rng)
                if self.setting.reader.reads(told.subject, told.task, written, meetings):
                    told = replace(told, threads=written.threads, pages=written.pages, change=written.change)
                    instance = self._instance(told, written.task)
                    return LadderDraft(instance, told.threads, told.pages, self.rung, self.mechanisms, bearing, {})
        raise Rejected("readable")
