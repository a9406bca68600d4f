"""The certificate: each of its checks can fail."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice

import pytest

from mpcbench.generate.certificate import (
    USUAL_POLICIES,
    archive_agrees,
    certify,
    effects_of_dropping,
    is_record,
    is_total,
    requirements,
    shortcuts_of,
    steps_from_text,
)
from mpcbench.generate.composition import compose
from mpcbench.generate.randomness import stream
from mpcbench.generate.sampling.sample import Check, Rejected, Sample, pick_days, window_statement
from mpcbench.generate.sampling.variants import room_variants
from mpcbench.generate.world.base import with_threads
from mpcbench.oracle import resolve, solve
from mpcbench.schema import (
    Calendar,
    CallPolicy,
    Duration,
    Instance,
    OptionCount,
    Participants,
    Person,
    Room,
    Section,
    Source,
    Statement,
    TieBreakKey,
    Window,
    World,
)
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET
from unit_tests.generate.samples import setting


def certified(level: Level, index: int = 0) -> tuple[World, Instance]:
    """A committed instance and a world with its threads."""
    instance = DATASET.instances(level)[index]
    committed = DATASET.world(level).thread_by_id
    return with_threads(setting(level).world, (committed[name] for name in instance.references.threads)), instance


def changed(world: World, **fields: object) -> World:
    """A doctored world, which no file could hold."""
    return World.model_construct(**{name: getattr(world, name) for name in World.model_fields} | fields)


def saying(instance: Instance, *changes: Statement) -> Instance:
    """The instance whose task says something else."""
    kinds = {type(change) for change in changes}
    kept = tuple(one for one in instance.references.statements if type(one) not in kinds)
    references = instance.references.model_copy(update={"statements": (*kept, *changes)})
    return instance.model_copy(update={"references": references})


def rejection(world: World, instance: Instance) -> Rejected:
    with pytest.raises(Rejected) as caught:
        certify(world, instance, {})
    return caught.value


@pytest.mark.parametrize("level", [1, 2, 3])
def test_label_of_a_certified_instance(level: Level) -> None:
    """It holds the engine's answer, and the given counts of rejected samples."""
    world, instance = certified(level)
    label = certify(world, instance, {"solvable": 3})
    solution = solve(resolve(world, instance))

    assert (solution.gold, solution.counts, solution.digest) == (label.gold, label.counts, label.digest)
    assert (label.instance_id, label.level, label.seed) == (instance.instance_id, level, instance.seed)
    assert label.certificate is not None
    assert label.certificate.rejected == {"solvable": 3}
    stored = DATASET.labels(level)[instance.instance_id]
    assert stored.certificate is not None
    assert stored == label.model_copy(
        update={"certificate": label.certificate.model_copy(update={"rejected": stored.certificate.rejected})}
    )


def test_too_few_candidates_are_not_solvable() -> None:
    """Check 1: N must be feasible."""
    world, instance = certified(1)
    (first, *_) = solve(resolve(world, instance)).gold
    rejected = rejection(world, saying(instance, Window(start=first.start, end=first.end), OptionCount(count=6)))

    assert rejected.check is Check.SOLVABLE
    assert str(rejected) == "solvable: 1 candidates of 6"


def test_two_rooms_of_one_id_are_not_unique() -> None:
    """Check 2: where two rooms share their ID, candidates share their place in the ranking."""
    world, instance = certified(3)
    twice = changed(world, rooms=(*world.rooms, *world.rooms))

    assert is_total(resolve(world, instance))
    assert str(rejection(twice, instance)) == "unique: two candidates rank alike"


def test_an_empty_calendar_bears_no_load() -> None:
    """Check 3: a participant who is always free need not be looked up."""
    world, instance = certified(1)
    idle = Person(person_id="p999", name="Io Idle", team="Rest", site="Home", title="Guest", email="io@example.com")
    world = changed(
        world,
        people=(*world.people, idle),
        calendars=(*world.calendars, Calendar(person_id="p999", events=())),
    )
    people = next(one for one in instance.references.statements if isinstance(one, Participants)).person_ids
    rejected = rejection(world, saying(instance, Participants(person_ids=(*people, "p999"))))

    assert str(rejected) == "load_bearing: without calendar:p999 the gold is the same"


_GUESSES = (
    *(f"after_event guessed to end at {end}" for end in ("9:00", "noon", "16:00", "midnight")),
    "the capacity, for guests alone",
    "the capacity, for participants alone",
    " taken for ",
    "the equipment: ",
)


def test_guesses_are_tried() -> None:
    """The end of an awaited event, a namesake for a participant, one of two pieces of equipment, some seats."""
    certificates = [DATASET.labels(3)[instance.instance_id].certificate for instance in DATASET.instances(3)]
    stored = [() if one is None else one.load_bearing for one in certificates]
    firsts = {
        next(index for index, effects in enumerate(stored) if any(guess in one.dropped for one in effects))
        for guess in _GUESSES
    }
    for index in firsts:
        world, instance = certified(3, index)
        effects = effects_of_dropping(world, instance, resolve(world, instance))
        assert effects == stored[index]
        assert all(effect.ranking_changed for effect in effects)


def test_swapped_keys_are_tried() -> None:
    """No committed tie-break that matters has two keys, so one is given them."""
    world, instance = certified(3)
    keys = (TieBreakKey.CAPACITY_ASCENDING, TieBreakKey.NAME_ASCENDING)
    problem = replace(resolve(world, instance), tie_break=keys)
    tried = {one.dropped for one in effects_of_dropping(world, instance, problem)}

    assert tried >= {"the tie-break, its keys swapped", *(f"the tie-break: {key}" for key in keys)}


def unchecked(section: Section) -> Iterator[Instance]:
    """Instances of level 1 under a policy that no sampler has looked at."""
    found = setting(1)
    for number in range(300):
        rng = stream(11, "unchecked", number)
        days = pick_days(found, rng, (5,))
        people = tuple(rng.sample(sorted(found.busy), 2))
        assert section.policy_id is not None
        task = (
            Participants(person_ids=people),
            Duration(minutes=30),
            OptionCount(count=1),
            window_statement(found, days[0], days[-1], (8 * 60, 18 * 60)),
            CallPolicy(policy_id=section.policy_id),
        )
        yield compose(found, number, Sample(task, (), found.window(days[0], days[-1]), people), rng)[0]


def test_what_a_shortcut_finds_is_rejected() -> None:
    """Check 4: instances whose gold an obvious guess finds turn up and are rejected."""
    found = setting(1)
    usual = {f"no_shortcut: {name} finds the gold" for name in USUAL_POLICIES}
    reasons = set()
    for instance in chain.from_iterable(zip(*map(unchecked, found.slot_policies[:8]), strict=True)):
        try:
            certify(found.world, instance, {})
        except Rejected as rejected:
            reasons.add(str(rejected))
        if "no_shortcut: another policy finds the gold" in reasons and usual & reasons:
            break

    assert "no_shortcut: another policy finds the gold" in reasons
    assert usual & reasons


@pytest.mark.parametrize("level", [1, 2, 3])
def test_shortcuts_are_recorded(level: Level) -> None:
    """Sources alone, what is left without one, usual policies and other policies, each short of the gold."""
    world, instance = certified(level)
    problem = resolve(world, instance)
    found = {one.shortcut: one.shared for one in shortcuts_of(world, problem)}

    assert {"calendar", "policy", "without calendar", "without policy", "every policy", "another policy"} <= set(found)
    assert set(USUAL_POLICIES) < set(found)
    assert ("without policy, any slots in a row" in found) == (level < 3)
    assert max(found.values()) < problem.count


def test_the_archive_must_agree() -> None:
    """Check 5: where the archive is given another calendar it finds another gold."""
    world, instance = certified(1)
    doctored = changed(world)
    people = resolve(world, instance).participants
    vars(doctored)["json_but_threads"] = world.json_but_threads | {
        "calendars": [one for one in world.json_but_threads["calendars"] if one["person_id"] not in people]
    }

    assert archive_agrees(world, instance, solve(resolve(world, instance)))
    assert str(rejection(doctored, instance)) == "twice_labelled: the archive's oracle disagrees"


@pytest.mark.parametrize("differing", ["gold", "counts", "digest", "feasible"])
def test_the_archive_must_agree_on_everything(differing: str) -> None:
    """Gold, counts, the digest and the size of the feasible set: any one that differs is found."""
    world, instance = certified(3)
    solution = solve(resolve(world, instance))
    others = {
        "gold": replace(solution, gold=solution.gold[:-1]),
        "counts": replace(solution, counts=solution.counts.model_copy(update={"policy": 0})),
        "digest": replace(solution, digest="0" * 64),
        "feasible": replace(solution, feasible=solution.feasible + 1),
    }

    assert not archive_agrees(world, instance, others[differing])


@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_paraphrase_must_be_readable(place: int) -> None:
    """Check 6: a text that says nothing, or something else, is found in any of the three places."""
    world, instance = certified(1)
    other = certified(1, 1)[1].task[0]
    for text, why in (
        ("Hello!", r"^readable: ReadingError: "),
        (other, r"^readable: the reading agent finds other candidates$"),
    ):
        task = tuple(text if number == place else one for number, one in enumerate(instance.task))
        with pytest.raises(Rejected, match=why) as caught:
            certify(world, instance.model_copy(update={"task": task}), {})
        assert caught.value.check is Check.READABLE


def test_required_records_must_be_shown() -> None:
    """Check 6: a record that no tool showed to the reading agent could not be reached."""
    world, instance = certified(1)
    with pytest.raises(Rejected, match=r"^readable: policy:POL-99 was not shown$"):
        steps_from_text(world, instance, solve(resolve(world, instance)), ["policy:POL-99"])


def test_everything_is_dropped_in_turn() -> None:
    """Records, requirements, conditions of the room, statements, the rooms of the gold and bookings that matter."""
    for index in range(6):
        world, instance = certified(3, index)
        problem = resolve(world, instance)
        assert problem.rooms is not None
        dropped = [effect.dropped for effect in effects_of_dropping(world, instance, problem)]
        expected = {f"{kind}:{person}" for kind in ("calendar", "person") for person in problem.participants}
        expected |= {f"thread:{thread}" for thread in instance.references.threads}
        expected |= {record for one in problem.constraints for record in one.records}
        expected |= {f"{one.kind} of {one.records[0]}" for one in problem.constraints if one.source != "calendar"}
        expected |= {f"room:{one.room_id}" for one in solve(problem).gold}
        expected |= {"the bookings", *(name for name, _ in room_variants(problem))}
        expected |= {"the site"} if problem.rooms.site else set()
        expected |= {"the room turnaround"} if problem.rooms.turnarounds else set()

        assert len(set(dropped)) == len(dropped)
        assert expected <= set(dropped)
        guessed = {name for name in dropped if " guessed to end at " in name or " taken for " in name}
        rest = set(dropped) - expected - guessed
        assert {name.partition(":")[0].partition(" in message ")[0] for name in rest} <= {
            "room_calendar",
            "policy",
            "person",  # whose event is to be waited for
            *(said.kind for thread in instance.references.threads for said in said_in(world, thread, instance)),
        }
        assert "room_calendar" in {name.partition(":")[0] for name in rest}


def said_in(world: World, thread: str, instance: Instance) -> list[Statement]:
    tags = [tag for message in world.thread_by_id[thread].messages for tag in message.tags]
    return [tag.statement for tag in tags if tag.meeting == instance.meeting]


def test_without_its_thread_a_task_may_have_no_answer() -> None:
    """At level 2 the duration is in a thread; without it there is no answer, and `gold_lost` is null."""
    world, instance = next(
        found
        for found in map(partial(certified, 2), range(100))
        if len(found[1].references.threads) == 1
        and sum(isinstance(one, Duration) for one in said_in(found[0], found[1].references.threads[0], found[1])) == 1
    )
    effects = effects_of_dropping(world, instance, resolve(world, instance))
    lost = {effect.dropped: effect.gold_lost for effect in effects}

    assert None in [count for name, count in lost.items() if name.startswith(("thread:", "duration in message"))]
    assert all(effect.ranking_changed for effect in effects)


def test_superseded_statements_are_not_dropped() -> None:
    """A duration that is corrected later does not count; the correction does."""
    for index in range(30):
        world, instance = certified(2, index)
        said = [one for thread in instance.references.threads for one in said_in(world, thread, instance)]
        if sum(isinstance(one, Duration) for one in said) == 2:
            dropped = [effect.dropped for effect in effects_of_dropping(world, instance, resolve(world, instance))]
            assert sum(name.startswith("duration in message ") for name in dropped) == 1
            return
    pytest.fail("no duration is corrected")


@pytest.mark.parametrize("name", ["calendar:p001", "policy:POL-01", "thread:T00001", "person:p1", "room:R01"])
def test_records(name: str) -> None:
    """Record IDs are distinguished from requirements and conditions."""
    assert is_record(name)
    assert not is_record(f"duration in message 2 of {name}")
    assert not is_record("the tie-break")


def test_requirements_of_level_3() -> None:
    """An event to wait for joins threads and calendar; capacity, equipment and site join threads and rooms."""
    seen: dict[str, set[Source]] = {}
    labels = DATASET.labels(3)
    kinds = [{one.kind for one in labels[instance.instance_id].requirements} for instance in DATASET.instances(3)]
    with_all = {next(place for place, found in enumerate(kinds) if kind in found) for kind in set().union(*kinds)}
    for index in sorted(with_all):
        world, instance = certified(3, index)
        for one in requirements(resolve(world, instance)):
            assert set(one.sources) == seen.setdefault(one.kind, set(one.sources))
            assert any(record.startswith("calendar:") for record in one.records) == (one.kind == "after_event")

    joined = {kind for kind, sources in seen.items() if len(sources) > 1}
    assert {"capacity", "equipment", "site", "after_event"} <= joined
    assert joined <= {"capacity", "equipment", "site", "after_event", "room_turnaround"}
    assert seen["after_event"] == {Source.THREADS, Source.CALENDAR}
    assert seen["bookings"] == {Source.ROOMS}


def test_a_room_without_demands_requires_its_bookings() -> None:
    """With no equipment and no site asked for, these are no requirements."""
    world, instance = certified(3)
    problem = resolve(world, instance)
    assert problem.rooms is not None
    plain = replace(
        problem, constraints=(), rooms=replace(problem.rooms, equipment=frozenset(), site=None, turnarounds=())
    )

    assert ["capacity", "bookings"] == [one.kind for one in requirements(plain)]
    assert list(islice(requirements(replace(plain, rooms=None)), 1)) == []


def test_bookings_of_unsuitable_rooms_are_not_required() -> None:
    """Required room calendars belong to suitable rooms."""
    world, instance = certified(3)
    search = resolve(world, instance).rooms
    assert search is not None
    suitable = {f"room_calendar:{room.room_id}" for room in search.rooms if search.suits(room)}
    required = {
        record for record in DATASET.labels(3)[instance.instance_id].records if record.startswith("room_calendar:")
    }

    assert required
    assert required <= suitable
    assert all(isinstance(room, Room) for room in world.rooms)
