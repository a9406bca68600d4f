"""An agent without one source sees nothing of it and all of the others; its guesses are fitted to other data."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from mpcbench.benchmark.agents.baselines.battery import BatteryRow, bounds, excesses, measured
from mpcbench.benchmark.agents.baselines.known import BaselineInput, baseline_input
from mpcbench.benchmark.agents.baselines.options import Case, hit
from mpcbench.benchmark.agents.baselines.prior import learned, most_likely, most_likely_run
from mpcbench.benchmark.agents.baselines.variants import variants
from mpcbench.benchmark.agents.baselines.without import (
    MISSING,
    Missing,
    seen_without,
    two_that_look_certified,
    with_rules,
)
from mpcbench.evaluation.statistics import share
from mpcbench.oracle import resolve
from mpcbench.oracle.solve import gold_choices
from mpcbench.schema import BufferMin, Source, World
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.model import Level
from unit_tests.builders import small_dataset, tiny
from unit_tests.builders.committed import DATASET

LEVELS: tuple[Level, ...] = (1, 2, 3)


def known(level: Level, world: World | None = None, number: int = 0) -> BaselineInput:
    found = tiny.world(level) if world is None else world
    instance = tiny.instance(level, number)
    return BaselineInput(found, instance, resolve(found, instance), {})


def other(world: World, missing: Missing) -> World:
    """The world with another content of the missing source, as far as an agent without it can know."""
    match missing:
        case Missing.CALENDAR:
            event = tiny.event("e9", "Trip", "2027-02-08 08:00", "2027-02-08 12:00")
            changed = [
                one.model_copy(update={"events": (*one.events, event)} if one.person_id == "p002" else {})
                for one in world.calendars
            ]
            return world.model_copy(update={"calendars": tuple(changed)})
        case Missing.POLICY | Missing.POLICY_ID:
            documents = [
                document.model_copy(
                    update={
                        "sections": tuple(
                            section.model_copy(update={"rules": (BufferMin(minutes=5),)})
                            for section in document.sections
                        )
                    }
                )
                for document in world.documents
            ]
            return world.model_copy(update={"documents": tuple(documents)})
        case Missing.ROOMS:
            rooms = [room.model_copy(update={"capacity": 1, "equipment": ()}) for room in world.rooms]
            return world.model_copy(update={"rooms": tuple(rooms), "room_calendars": ()})
        case Missing.THREADS:
            threads = [
                thread.model_copy(
                    update={"messages": tuple(one.model_copy(update={"tags": ()}) for one in thread.messages)}
                )
                for thread in world.threads
            ]
            return world.model_copy(update={"threads": tuple(threads)})
        case Missing.EVERYTHING:
            for source in (Missing.CALENDAR, Missing.POLICY, Missing.ROOMS):
                world = other(world, source)
            return world


def fresh(world: World) -> World:
    """The world without what it has computed of itself."""
    return type(world).model_validate(world.model_dump())


@pytest.mark.parametrize(("level", "missing"), [(level, missing) for level in LEVELS for missing in MISSING[level]])
def test_missing_source_is_unseen(level: Level, missing: Missing) -> None:
    """Whatever the source says, an agent without it proposes the same."""
    given = known(level)
    changed = known(level, fresh(other(given.world, missing)))
    expected, actual = (gold_choices(seen_without(one, missing)) for one in (given, changed))

    assert given.problem != changed.problem
    assert expected == actual


@pytest.mark.parametrize("level", LEVELS)
def test_other_sources_are_composed(level: Level) -> None:
    """Without calendars all policies and threads count; without policies all the rest does; rooms stay as they are."""
    given = known(level)
    for missing, source in ((Missing.CALENDAR, Source.CALENDAR), (Missing.POLICY, Source.POLICY)):
        seen = seen_without(given, missing)
        expected = [one for one in given.problem.constraints if one.source is not source and len(one.records) == 1]
        actual = [one for one in seen.constraints if one.source is not source and len(one.records) == 1]

        assert expected == actual
        assert (seen.rooms is None) == (level < 3)
        assert seen.rooms is None or given.problem.rooms is None or seen.rooms.seats == given.problem.rooms.seats


def test_rules_can_be_put_back() -> None:
    """The problem without policies, under the rules of the policies called for, has the gold."""
    given = known(3)
    rules = [rule for _, rules in tiny.POLICIES for rule in rules]
    called = [rule for section in given.world.policies for rule in section.rules]

    assert rules == called
    assert gold_choices(given.problem) == gold_choices(with_rules(seen_without(given, Missing.POLICY), rules))


def test_options_are_what_the_agent_would_rank() -> None:
    """The first N options are the top N that it sees, numbered from 0, and gold is what the oracle finds."""
    for level in LEVELS:
        for missing in MISSING[level]:
            given = known(level)
            case = Case.of(given, missing, 60)

            assert gold_choices(case.seen) == [option.choice for option in case.options[: case.count]]
            assert list(range(len(case.options))) == [option.rank for option in case.options]
            assert case.gold == frozenset(gold_choices(given.problem))
            for one, following in pairwise(case.options):
                touches = following.choice.start - one.choice.start == 15
                assert (one.after > 0) == touches or one.choice.start == following.choice.start
                assert not touches or following.before == one.before + 1


def test_hit_is_that_of_the_score() -> None:
    """Exact match and F1 over sets."""
    case = planted(3, 2)[0]
    gold = sorted(case.gold)

    assert (True, 1.0) == hit(gold, case)
    assert (False, 2 / 3) == hit(gold[:1], case)
    assert (False, 0.0) == hit([], case)


def planted(place: int, size: int) -> list[Case]:
    """Cases whose gold is always at the same places of the options."""
    base = Case.of(known(1), Missing.EVERYTHING, 60)
    seen = replace(base.seen, count=size)
    gold = frozenset(option.choice for option in base.options[place : place + size])
    return [replace(base, seen=seen, gold=gold)] * 20


@pytest.mark.parametrize(("place", "size"), [(0, 2), (3, 2), (7, 3)])
def test_prior_learns_where_gold_is(place: int, size: int) -> None:
    """What is gold in all cases is found, one by one and as a run."""
    cases = planted(place, size)
    weights = learned(cases)

    assert cases[0].gold == set(most_likely(cases[0], weights, size))
    assert cases[0].gold == set(most_likely_run(cases[0], weights))
    assert weights == learned(cases)


def test_variants_are_fitted_to_the_cases() -> None:
    """Parameters are those of the highest scores."""
    cases = planted(5, 2)
    found = {variant.name: variant.pick(cases[0]) for variant in variants(Missing.EVERYTHING, cases)}

    assert [option.choice for option in cases[0].options[5:7]] == found["skip 5"]
    assert {"first N", "skip N", "last N", "learned", "learned run", "learned 2N", "random"} <= found.keys()
    assert any(name.startswith("from 0") for name in found)


def test_variants_without_a_policy_try_those_that_they_know() -> None:
    """A fixed policy is one of the other data, any policy one of the task's own world."""
    cases = [Case.of(known(2), Missing.THREADS, 60)]
    names = [variant.name for variant in variants(Missing.THREADS, cases)]

    assert any(name.startswith("policy ") for name in names)
    others = [variant.name for variant in variants(Missing.POLICY_ID, cases)]
    assert {"the most unlike policy", "a random policy", "most policies", "all policies"} < {*others}
    assert others == names[-len(others) :]


def test_a_pair_of_policies_is_guessed() -> None:
    """Pairs are only guessed where a policy is light; what is guessed is the top N under some pair that looks certified."""
    instance = next(
        one
        for one in DATASET.instances(3)
        if sum(reference.startswith("policy:") for reference in DATASET.labels(3)[one.instance_id].records) == 2
    )
    level_3 = baseline_input(DATASET, instance)
    level_1 = baseline_input(DATASET, DATASET.instances(1)[0])
    guessed = two_that_look_certified(seen_without(level_3, Missing.POLICY_ID), level_3, Random(1))

    assert [] == two_that_look_certified(seen_without(level_1, Missing.POLICY_ID), level_1, Random(1))
    assert level_3.problem.count == len(guessed)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return small_dataset.write(tmp_path_factory.mktemp("data"))


@pytest.mark.parametrize(("level", "missing"), [(level, missing) for level in (1, 3) for missing in MISSING[level]])
def test_every_variant_is_measured_on_every_data_set(dataset: Dataset, level: Level, missing: Missing) -> None:
    """Rows name the data set and have a rate over its instances."""
    rows = measured(level, missing, dataset, {"a": dataset, "b": dataset})
    of_a, of_b = ([row for row in rows if row.data == data] for data in "ab")

    assert [row[3:] for row in of_a if row.data == "a"] != []
    assert [row.variant for row in of_a] == [row.variant for row in of_b]
    assert {small_dataset.COUNT} == {row.exact_match.n for row in rows}
    assert all(row.exact_match.mean <= row.f1.mean for row in rows)


def test_bounds_are_checked_on_the_named_data() -> None:
    """One line says what exceeds which bound; what has no bound exceeds none."""
    low, high = share([0.0] * 100), share([0.0] * 70 + [1.0] * 30)
    assert low is not None
    assert high is not None
    rows = [
        BatteryRow(1, Missing.CALENDAR, "skip N", "held-out", low, high),
        BatteryRow(1, Missing.CALENDAR, "skip N", "committed", high, high),
        BatteryRow(1, Missing.POLICY_ID, "all policies", "held-out", high, high),
        BatteryRow(3, Missing.ROOMS, "first 1 rooms", "held-out", high, high),
    ]

    assert ["level 1 without calendar: F1 0.300 of 'skip N', more than 0.2"] == list(excesses(rows[:3], "held-out"))
    assert ["level 3 without rooms: exact match 0.300 of 'first 1 rooms', more than 0.02"] == list(
        excesses(rows[3:], "held-out")
    )
    assert (0.01, 0.06) == bounds(2, Missing.EVERYTHING)
    assert (0.02, 0.15) == bounds(2, Missing.THREADS)
