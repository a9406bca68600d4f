"""What samplers know of a world."""

from collections import Counter
from datetime import date

import pytest

from mpcbench.generate.sampling.setting import MARGIN, busy_constraint, every_policy, slot_constraints
from mpcbench.oracle.interval import Interval, to_minutes
from mpcbench.oracle.problem import Busy
from mpcbench.schema import RoomTurnaround
from mpcbench.schema.dataset import LEVELS
from mpcbench.schema.model import Level
from unit_tests.generate.samples import setting

each_level = pytest.mark.parametrize("level", LEVELS)


def test_days_are_those_of_the_period() -> None:
    """Local days, from the first to the last."""
    days = setting(1).days

    assert (days[0], days[-1], len(days)) == (date(2027, 1, 18), date(2027, 4, 11), 84)


def test_a_window_is_shorter_where_clocks_go_forward() -> None:
    """Sunday 28 March has 23 hours in Berlin."""
    window = setting(1).window(date(2027, 3, 28), date(2027, 3, 28))

    assert window.end - window.start == 23 * 60
    assert setting(1).instant(date(2027, 3, 28), 12 * 60) - window.start == 11 * 60


@pytest.mark.parametrize("level", [1, 3])
def test_near_holds_the_busy_minutes_around_a_window(level: Level) -> None:
    """A bit is set exactly where an event or a booking takes that minute, from MARGIN before to MARGIN after."""
    found = setting(level)
    window = found.window(found.days[8], found.days[9])
    owners = [(found.busy, found.world.busy, "p003")]
    owners += [(found.booked, found.world.booked, "R04")] if level == 3 else []
    for minutes, timelines, owner in owners:
        reach = window.widened(MARGIN)
        taken = [interval for interval in timelines[owner].intervals if interval.overlaps(reach)]
        expected = {
            minute - reach.start
            for interval in taken
            for minute in range(max(interval.start, reach.start), min(interval.end, reach.end))
        }
        near = found.near(minutes[owner], window)

        assert expected
        assert {bit for bit in range(near.bit_length()) if near >> bit & 1} == expected


def test_near_reaches_over_the_edge_of_the_period() -> None:
    """Windows at the very start and the very end have a margin too, in which nothing is."""
    found = setting(1)
    for day in (found.days[0], found.days[-1]):
        window = found.window(day, day)
        near = found.near(found.busy["p001"], window)
        assert 0 <= near < 1 << (window.end - window.start + 2 * MARGIN)


@each_level
def test_slot_policies_leave_turnarounds_out(level: Level) -> None:
    """Only policies that constrain the slot count, each rule once."""
    found = setting(level)
    rules = [rule for section in found.world.policies for rule in section.rules]

    assert [rule.kind for rule in rules if not isinstance(rule, RoomTurnaround)] == [
        constraint.kind for constraint in found.every_policy
    ]
    assert every_policy(found.world) == found.every_policy
    assert len(found.world.policies) - len(found.slot_policies) == (3 if level == 3 else 0)
    assert all(slot_constraints(section) for section in found.slot_policies)


def test_constraints_name_their_policy() -> None:
    """The record of a constraint is its policy."""
    section = setting(1).world.policies[0]

    assert {(f"policy:{section.policy_id}",)} == {one.records for one in slot_constraints(section)}


def test_busy_constraint() -> None:
    """It names the calendar and holds no events."""
    constraint = busy_constraint("p001")

    assert (constraint.records, constraint.rule) == (("calendar:p001",), Busy("p001", ()))


def test_endings_are_events_that_title_and_day_name() -> None:
    """By end; an event whose title is not unique on its day cannot be named and is left out."""
    found = setting(3)
    everything = {
        (to_minutes(event.end), person, event.event_id): (person, event.title, event.start.date())
        for person, events in found.world.events_by_person.items()
        for event in events
    }
    times = Counter(everything.values())

    assert list(found.endings) == sorted(key for key, name in everything.items() if times[name] == 1)


def test_window_spans_its_last_day() -> None:
    """From midnight to midnight, the last day included."""
    found = setting(1)

    assert found.window(date(2027, 2, 1), date(2027, 2, 5)) == Interval(
        found.instant(date(2027, 2, 1), 0), found.instant(date(2027, 2, 6), 0)
    )
