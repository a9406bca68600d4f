"""Plans: the engine's search against CP-SAT, its bound, and what a small plan must look like."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count, permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mpcbench.oracle import UnresolvedError
from mpcbench.oracle.level4.capacity import each_has_one
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.knowledge import Knowledge, Line, known
from mpcbench.oracle.level4.plan import Search, SearchLimitError, State, is_first_plan
from mpcbench.oracle.level4.solve import Pick, gives, picks
from mpcbench.oracle.level4.stage import Stage, stage
from mpcbench.oracle.level4.standing import offers_no_more
from mpcbench.oracle.level4.timeline import Timeline
from mpcbench.schema import BufferMin, NotBefore
from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.people import AtLeast, Named, OnRoster, Required, StandIn
from mpcbench.schema.level4.policy import Policy
from mpcbench.schema.level4.statements import Agenda, DailyLimit, Invited, Said
from mpcbench.schema.level4.world import Roster
from unit_tests.builders import ladder
from unit_tests.builders.ladder import entry, required, said
from unit_tests.builders.ladder_office import Office300
from unit_tests.oracle.level4.cp_sat import cp_sat_picks
from unit_tests.oracle.level4.strategies import Theme, ladder_cases

brief = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))


def plan(*statements: object, meetings: tuple[str, ...] = ("First", "Second"), **records: object) -> Knowledge:
    """A plan of meetings of an hour between 09:00 and 12:00; Ada is required in all of them unless said otherwise."""
    return ladder.known(said(Agenda(meetings=meetings)), *statements, **records)  # type: ignore[arg-type]


def placed(knowledge: Knowledge) -> list[str]:
    """The meetings with their starts, in the order of the agenda."""
    return [f"{pick.meeting} {datetime.fromtimestamp(pick.start * 60, UTC):%H:%M}" for pick in picks(knowledge)]


@pytest.mark.parametrize("theme", [Theme.JOINT, Theme.PEOPLE, Theme.ROOMS])
@brief
@given(data=st.data())
def test_engine_agrees_with_constraint_solver(theme: Theme, data: st.DataObject) -> None:
    """The gold of arbitrary small tasks is the lexicographic optimum of a constraint solver."""
    case = data.draw(ladder_cases(theme))
    knowledge = knowledge_of(case.world, case.instance)
    try:
        actual = picks(knowledge)
    except UnresolvedError:
        return
    expected = cp_sat_picks(knowledge)

    assert expected == actual


@pytest.mark.slow
@pytest.mark.parametrize("plans", [4, pytest.param(12, marks=pytest.mark.exhaustive)])
def test_engine_agrees_with_constraint_solver_at_full_size(plans: int) -> None:
    """In an office of 300 people plans of seven to sixteen meetings are those of a constraint solver."""
    office = Office300(seed=1)
    indexed = known(office.world)
    found = 0
    for number in range(plans):
        instance = office.plan(number, meetings=7 + 3 * (number % 4), people=8, weeks=1 + number % 2)
        knowledge = knowledge_of(office.world, instance, indexed)
        expected = cp_sat_picks(knowledge)
        actual = picks(knowledge)
        found += bool(actual)

        assert expected == actual
    assert found


def six_meetings(seed: int) -> Knowledge:
    """A plan of six meetings in an office of 300 people."""
    office = Office300(seed)
    return knowledge_of(office.world, office.plan(0, meetings=6, people=8, weeks=1), known(office.world))


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_plan_is_the_same_whatever_is_thought_likely(seed: int) -> None:
    """A likely plan, possible or not, shortens the search and does not change what is found."""
    knowledge = six_meetings(seed)
    gold = picks(knowledge)
    greedy = picks(replace(knowledge, lookahead=False))
    later = tuple(pick._replace(start=pick.start + 24 * 60, end=pick.end + 24 * 60) for pick in gold)
    assert len(gold) == 6

    for likely in (gold, greedy, later, gold[:2]):
        assert gold == picks(knowledge, likely=likely)


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_plan_is_the_same_from_the_least_one_on(seed: int) -> None:
    """A plan before which there is none shortens the search, whether or not it is possible, and does not change what is found."""
    knowledge = six_meetings(seed)
    gold = picks(knowledge)
    earlier = tuple(pick._replace(start=pick.start - 24 * 60, end=pick.end - 24 * 60) for pick in gold)
    elsewhere = (gold[0]._replace(start=gold[0].start - 15, room_id="R00"), *gold[1:])

    for least in (gold, earlier, elsewhere, gold[:2]):
        assert gold == picks(knowledge, least=least)


def steps(seed: int) -> tuple[Knowledge, Knowledge, Knowledge]:
    """A task, the same with somebody busy at a time of the gold, and that with one more thing said about a meeting of theirs."""
    knowledge = six_meetings(seed)
    first = picks(knowledge)[0]
    meeting = stage(knowledge, counted=False).meetings[0]
    person = min(meeting.options[0].situation.cast.required)
    start = datetime.fromtimestamp(first.start * 60, UTC)
    more = Entry(event_id="e9", title="Surgery", start=start, end=start + timedelta(hours=1))
    calendar = Timeline((*knowledge.calendars[person].entries, more))
    busier = replace(knowledge, calendars={**knowledge.calendars, person: calendar})
    line = Line(-1, "", 0, 99, None, Said(about=str(first.meeting), statement=NotBefore(at=start)))
    return knowledge, busier, busier.saying([line])


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_stages_of_stages(seed: int) -> None:
    """What is taken over from a stage is what holds there, also where that has taken over something else."""
    one, two, three = steps(seed)
    before = stage(one, counted=False)
    after = stage(two, counted=False, like=before)

    assert after.offers_same(stage(two, counted=False))
    assert stage(three, counted=False, like=after).offers_same(stage(three, counted=False))
    assert offers_no_more(before, after)
    assert not offers_no_more(after, before)
    assert picks(two) == picks(two, after, likely=picks(one), least=picks(one)) != picks(one)


def test_equal_knowledge_is_shared() -> None:
    """Values that are equal become the very same ones, each of a mapping for itself; others stay."""
    one, two, _ = steps(2)
    copy = replace(two, calendars=dict(two.calendars), holidays={**two.holidays}, notices=(*two.notices,))
    shared = copy.sharing(one)
    changed = [name for name, value in two.calendars.items() if value is not one.calendars[name]]

    assert copy.sharing(two) is two
    assert shared == two
    assert shared.holidays is one.holidays
    assert changed == [name for name, value in shared.calendars.items() if value is not one.calendars[name]]


def rivals(seed: int) -> tuple[Knowledge, Stage, tuple[Pick, ...], tuple[Pick, ...]]:
    """A task with its stage, its gold, and a plan that is possible and comes after the gold."""
    knowledge = six_meetings(seed)
    whole = stage(knowledge, counted=False)
    gold, first = picks(knowledge, whole), whole.meetings[0]
    taken = whole.axis.between(gold[0].start, gold[0].start + 1)
    fewer = replace(first, options=tuple(replace(one, starts=one.starts & ~taken) for one in first.options))
    second = picks(knowledge, replace(whole, meetings=(fewer, *whole.meetings[1:])))
    assert len(gold) == len(second) == 6
    return knowledge, whole, gold, second


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_a_rival_decides_nothing(seed: int) -> None:
    """A plan is the gold or not whatever it is held against: itself, one that comes after it, before it, or none."""
    knowledge, whole, gold, second = rivals(seed)
    impossible = frozenset(pick._replace(start=gold[0].start, end=gold[0].end) for pick in gold)

    for rival in (frozenset(), frozenset(gold), frozenset(second), frozenset(gold[:2]), impossible):
        assert gives(knowledge, frozenset(gold), whole, rival)
        assert not gives(knowledge, frozenset(second), whole, rival)


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_a_rival_that_comes_before_spares_the_search(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No plan is looked for then."""
    knowledge, whole, gold, second = rivals(seed)
    searched: list[State] = []
    monkeypatch.setattr(Search, "completion", lambda _, state: searched.append(state))

    assert not gives(knowledge, frozenset(second), whole, frozenset(gold))
    assert not searched
    gives(knowledge, frozenset(second), whole)
    assert searched


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_a_rival_takes_nothing_off_the_bound(seed: int) -> None:
    """A plan is told in as few placements as without one."""
    _, whole, gold, second = rivals(seed)
    plan, rival = ({str(one.meeting): (one.start, one.room_id) for one in some} for some in (gold, second))

    def least(**more: Any) -> int:
        for most in count(1):
            with suppress(SearchLimitError):
                is_first_plan(whole, plan, ordered=True, limited=True, most=most, **more)
                break
        return most

    assert least() == least(rival=rival)


def test_people_in_two_meetings_keep_their_buffer() -> None:
    """With a buffer of 20 minutes the second meeting of the same person starts at 10:30, not at 10:00."""
    policy = Policy(policy_id="POL-01", edition=1, rules=(BufferMin(minutes=20),))

    assert ["First 09:00", "Second 10:00"] == placed(plan())
    assert ["First 09:00", "Second 10:30"] == placed(plan(policies=[policy]))


def test_meetings_share_rooms_like_bookings() -> None:
    """Two meetings of different people need the one room one after the other."""
    other = said(Invited(invitations=required("p2")), "Second")

    assert ["First 09:00", "Second 10:00"] == placed(plan(other))


def test_choices_of_people_fit_together() -> None:
    """Ben is free all morning, Cleo from 10:00; two meetings at once need both, one after the other either."""
    either = Invited(invitations=(AtLeast(count=1, of=(Named(person="p2"), Named(person="p3"))),))
    rooms = tuple(ladder.world().rooms[0].model_copy(update={"room_id": f"R0{number}"}) for number in (1, 2))
    statements = [said(either, "First"), said(either, "Second")]
    late = {"p3": [entry("08:00", "10:00")]}

    assert ["First 09:00", "Second 09:00"] == placed(plan(*statements, rooms=rooms))
    assert ["First 09:00", "Second 10:00"] == placed(plan(*statements, rooms=rooms, calendars=late))


def test_whoever_is_chosen_counts_towards_the_limit() -> None:
    """Ben is required in the first meeting, so with one meeting a day his stand-in must come to the second."""
    first = said(Invited(invitations=required("p2")), "First")
    second = said(Invited(invitations=(StandIn(who=Named(person="p2"), stand_in=Named(person="p3")),)), "Second")
    limit = said(DailyLimit(count=1))
    away = {"p3": [entry("08:00", "12:00")]}

    assert ["First 09:00", "Second 10:00"] == placed(plan(first, second, limit))
    assert [] == placed(plan(first, second, limit, calendars=away))


def test_too_few_to_choose_from_are_seen_at_once() -> None:
    """Three meetings on one day cannot be shared by two people of whom each takes part in one a day."""
    either = Invited(invitations=(StandIn(who=Named(person="p2"), stand_in=Named(person="p3")),))
    meetings = ("First", "Second", "Third")
    knowledge = plan(*(said(either, name) for name in meetings), said(DailyLimit(count=1)), meetings=meetings)

    assert () == picks(knowledge, most=0)
    assert ["First 09:00", "Second 10:00"] == placed(
        plan(*(said(either, name) for name in meetings[:2]), said(DailyLimit(count=1)))
    )


def test_search_gives_up_at_its_bound() -> None:
    """Beyond the bound the search says so instead of running on."""
    with pytest.raises(SearchLimitError, match="no plan found in 1 placements"):
        picks(plan(), most=1)


def test_agenda_errors_are_named() -> None:
    """A meeting on the agenda twice is refused, with its name."""
    with pytest.raises(UnresolvedError, match="'First': a meeting is on the agenda twice"):
        picks(plan(meetings=("First", "First")))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ([], True),
        ([{"mon"}, {"mon", "tue"}, {"tue", "wed"}], True),
        ([{"mon"}, {"mon", "tue"}, {"tue"}], False),
        ([{"mon", "mon again"}, {"mon", "mon again", "tue"}, {"tue"}], True),
        ([{"mon", "tue"}, {"mon", "wed"}, {"mon", "wed"}], True),
        ([{"mon", "tue"}, {"mon", "tue"}, {"mon", "tue"}], False),
        ([set()], False),
    ],
)
def test_each_has_one(wanted: list[set[str]], expected: bool) -> None:
    """Meetings find days of their own as long as a matching exists, in whatever order they are tried."""
    bits = {"mon": 1, "mon again": 2, "tue": 4, "wed": 8}

    for some in permutations(wanted):
        assert expected == each_has_one([sum(bits[day] for day in days) for days in some])


def test_required_people_of_nobody_rule_out_the_day() -> None:
    """Whoever is on an empty roster cannot come, so there is no plan."""
    nobody = said(Invited(invitations=(Required(who=OnRoster(roster="RST-01")),)))

    assert [] == placed(plan(nobody, rosters=(Roster(roster_id="RST-01", name="", shifts=()),)))
