"""Hypothesis strategies for everything that is said in the office of `unit_tests.builders.ladder_spoken`."""

from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from hypothesis import strategies as st

from mpcbench.generate.wording.vocabulary import EQUIPMENT
from mpcbench.schema import (
    BanDowTime,
    BanWindow,
    BufferMin,
    Deadline,
    Duration,
    Equipment,
    Guests,
    LunchBlock,
    NotBefore,
    OptionCount,
    RequiredWindow,
    RoomTurnaround,
    Site,
    TieBreak,
    TieBreakKey,
    Window,
    WorkHours,
)
from mpcbench.schema.level4.facts import (
    Definition,
    Handover,
    NewManager,
    Notice,
    RoomClosed,
    SiteClosed,
    SiteOpen,
    Swap,
)
from mpcbench.schema.level4.people import (
    AtLeast,
    Holder,
    ManagerOf,
    MembersOf,
    Named,
    OnRoster,
    Optional,
    Required,
    SamePeople,
    StandIn,
)
from mpcbench.schema.level4.policy import (
    BuildingOpen,
    Exemption,
    HolidaysBlock,
    Policy,
    Scope,
    TeamCalendarBlocks,
    TentativeFree,
)
from mpcbench.schema.level4.statements import (
    AfterEntry,
    AfterMeeting,
    Agenda,
    Agreed,
    DailyLimit,
    Declined,
    Delegate,
    DurationOf,
    EquipmentOf,
    Invite,
    Invited,
    Organiser,
    Said,
    Seats,
    SiteOf,
    TentativeEntries,
    Uninvite,
)
from mpcbench.schema.level4.world import LadderMessage, LadderThread
from mpcbench.schema.model import clock
from mpcbench.schema.statements import DailyHours
from unit_tests.builders.ladder_spoken import MEETINGS, PEOPLE, ROLES, ROSTERS, SITES, TEAMS, ZONE

rngs = st.integers(0, 2**32).map(Random)
meetings = st.sampled_from(
    (*MEETINGS, "alias:the Dutch thing", "alias:CPR", "alias:the big week", "alias:DT", "alias:velvet ladder")
)
people = st.sampled_from((*PEOPLE, "alias:AL", "alias:the Captain", "alias:first mate"))
teams = st.sampled_from((*TEAMS, "alias:Growth", "alias:the Ravens"))
sites = st.sampled_from(SITES)
whos = st.one_of(
    st.builds(Named, person=people),
    st.builds(Holder, role=st.sampled_from(tuple(ROLES))),
    st.builds(ManagerOf, person=people),
    st.builds(OnRoster, roster=st.sampled_from(tuple(ROSTERS))),
    st.builds(MembersOf, team=teams, contractors=st.booleans()),
)
invitations = st.one_of(
    st.builds(Required, who=whos),
    st.builds(Optional, who=whos),
    st.builds(StandIn, who=whos, stand_in=whos),
    st.builds(AtLeast, count=st.integers(1, 15), of=st.lists(whos, min_size=1, max_size=4, unique=True).map(tuple)),
    st.builds(SamePeople, meeting=meetings),
)
lists = st.lists(invitations, min_size=1, max_size=5).map(tuple)
days = st.integers(0, 70).map(lambda number: date(2027, 3, 15) + timedelta(days=number))
minutes = st.integers(0, 95).map(lambda quarter: quarter * 15)


def _at(day: date, minute: int) -> datetime:
    return datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=ZONE)


instants = st.builds(_at, days, st.integers(16, 95).map(lambda quarter: quarter * 15))


@st.composite
def spans(draw: st.DrawFn, most_days: int = 3) -> dict[str, datetime]:
    """From a quarter of an hour to another, or whole days."""
    first = draw(days)
    last = first + timedelta(days=draw(st.integers(0, most_days)))
    if draw(st.booleans()):
        return {"start": _at(first, 0), "end": _at(last + timedelta(days=1), 0)}
    low, high = sorted(draw(st.lists(st.integers(16, 95), min_size=2, max_size=2, unique=True)))
    return {"start": _at(first, low * 15), "end": _at(last, high * 15)}


@st.composite
def hours(draw: st.DrawFn) -> dict[str, str]:
    """Hours of a day."""
    low, high = sorted(draw(st.lists(st.integers(0, 96), min_size=2, max_size=2, unique=True)))
    return {"start": clock(low * 15), "end": clock(high * 15)}


@st.composite
def windows(draw: st.DrawFn) -> Window:
    """From a midnight to a midnight."""
    first = draw(days)
    end = first + timedelta(days=draw(st.integers(1, 30)))
    daily = draw(st.none() | hours().map(lambda ends: DailyHours(**ends)))
    return Window(start=_at(first, 0), end=_at(end, 0), daily=daily)


weekdays = st.lists(st.integers(0, 6), min_size=1, max_size=7, unique=True).map(lambda some: tuple(sorted(some)))
statements: st.SearchStrategy[Any] = st.one_of(
    st.builds(Organiser, person=people),
    st.builds(Delegate, person=people),
    st.builds(Duration, minutes=st.integers(1, 32).map(lambda quarter: quarter * 15)),
    st.builds(DurationOf, meeting=meetings),
    st.builds(OptionCount, count=st.integers(1, 20)),
    windows(),
    st.builds(Invited, invitations=lists),
    st.builds(Invite, invitation=invitations),
    st.builds(Uninvite, who=whos),
    st.builds(Guests, count=st.integers(0, 40)),
    st.builds(Seats, count=st.integers(1, 60)),
    st.builds(Deadline, at=instants),
    st.builds(NotBefore, at=instants),
    spans().map(lambda ends: BanWindow(**ends)),
    spans().map(lambda ends: RequiredWindow(**ends)),
    st.builds(AfterEntry, person=people, event_id=st.just("e1")),
    st.builds(AfterEntry, person=people, event_id=st.just("e2"), day=st.just(date(2027, 3, 16))),
    st.builds(TentativeEntries, block=st.booleans()),
    st.builds(TieBreak, keys=st.lists(st.sampled_from(TieBreakKey), min_size=1, max_size=3, unique=True).map(tuple)),
    st.builds(Equipment, items=st.lists(st.sampled_from(EQUIPMENT), min_size=1, max_size=4, unique=True).map(tuple)),
    st.builds(EquipmentOf, meeting=meetings),
    st.builds(Site, site=sites),
    st.builds(SiteOf, meeting=meetings),
    st.builds(Agenda, meetings=st.lists(meetings, min_size=2, max_size=5, unique=True).map(tuple)),
    st.builds(AfterMeeting, meeting=meetings),
    st.builds(DailyLimit, count=st.integers(1, 20)),
)
said = st.builds(Said, about=meetings, statement=statements)


@st.composite
def swaps(draw: st.DrawFn) -> Swap:
    """A swap of some days."""
    first = draw(days)
    return Swap(
        roster=draw(st.sampled_from(tuple(ROSTERS))),
        first=first,
        last=first + timedelta(days=draw(st.integers(0, 9))),
        person_id=draw(st.sampled_from(tuple(PEOPLE))),
    )


def effects() -> st.SearchStrategy[Any]:
    """What a notice does."""
    return st.one_of(
        spans().map(lambda ends: RoomClosed(**ends, room_id="R01")),
        st.builds(lambda ends, site: SiteClosed(**ends, site=site), spans(), sites),
        st.builds(lambda ends, site: SiteOpen(**ends, site=site), spans(), sites),
    )


definitions = st.builds(
    Definition,
    alias=st.sampled_from(("XY-12", "the odd one", "quiet storm")),
    means=st.sampled_from((*MEETINGS, *PEOPLE, *TEAMS, "alias:the Dutch thing", "alias:AL")),
)
plain_facts = st.one_of(
    definitions,
    st.builds(Handover, role=st.sampled_from(tuple(ROLES)), person_id=st.sampled_from(tuple(PEOPLE)), since=days),
    st.builds(
        NewManager,
        person_id=st.sampled_from(tuple(PEOPLE)),
        manager=st.sampled_from(tuple(PEOPLE)),
        since=days,
    ),
    swaps(),
)
notices = st.one_of(
    st.builds(
        Notice,
        notice_id=st.just("N017"),
        effects=st.lists(effects(), min_size=1, max_size=3).map(tuple),
        replaces=st.sampled_from((None, "N004")),
    ),
    st.just(Notice(notice_id="N018", effects=(), replaces="N017")),
)
facts = st.one_of(plain_facts, notices)


@st.composite
def threads(draw: st.DrawFn) -> LadderThread:
    """Some messages, a minute or more apart, that speak of a few meetings and answer one another."""
    spoken_of = draw(st.lists(meetings, min_size=1, max_size=3, unique=True))
    messages: list[LadderMessage] = []
    for place in range(draw(st.integers(1, 5))):
        tags: list[Any] = []
        for _ in range(draw(st.integers(0, 3))):
            about = draw(st.sampled_from(spoken_of))
            kinds = ["said", "said", "said", "fact", *(["agreed", "declined"] if place else [])]
            match draw(st.sampled_from(kinds)):
                case "said":
                    tags.append(Said(about=about, statement=draw(statements)))
                case "agreed":
                    tags.append(Agreed(about=about, message=draw(st.integers(0, place - 1))))
                case "declined":
                    tags.append(Declined(about=about, message=draw(st.integers(0, place - 1))))
                case _:
                    tags.append(draw(plain_facts))
        if draw(st.integers(0, 9)) == 0:
            tags.append(draw(notices))
        sent = datetime(2027, 2, 20, 9, tzinfo=UTC) + timedelta(minutes=17 * place)
        author = draw(st.sampled_from(("p001", "p002", "p003", "p004")))
        messages.append(LadderMessage(sent=sent, author=author, text="", tags=tuple(tags)))
    return LadderThread(thread_id="T0001", channel="general", messages=tuple(messages))


rules: st.SearchStrategy[Any] = st.one_of(
    st.builds(lambda ends, some: WorkHours(**ends, days=some), hours(), weekdays),
    st.builds(lambda ends, some: LunchBlock(**ends, days=some), hours(), weekdays),
    st.builds(lambda ends, day: BanDowTime(**ends, day=day), hours(), st.integers(0, 6)),
    st.builds(BufferMin, minutes=st.integers(1, 120)),
    st.builds(RoomTurnaround, minutes=st.integers(1, 120)),
    st.sampled_from((HolidaysBlock(), TentativeFree(), TeamCalendarBlocks(), BuildingOpen())),
)
scopes = st.builds(
    Scope,
    guests=st.none() | st.booleans(),
    room_sites=st.lists(sites, max_size=3, unique=True).map(tuple),
    organiser_teams=st.lists(st.sampled_from(tuple(TEAMS)), max_size=3, unique=True).map(tuple),
    longer_than=st.none() | st.integers(0, 32).map(lambda quarter: quarter * 15),
    at_most=st.none() | st.integers(1, 32).map(lambda quarter: quarter * 15),
)
policies = st.builds(
    Policy,
    policy_id=st.just("POL-04"),
    edition=st.integers(1, 12),
    first=st.none() | st.just(date(2027, 3, 1)),
    last=st.none() | days,
    scope=scopes,
    people_at=st.lists(sites, max_size=3, unique=True).map(tuple),
    rules=st.lists(rules, max_size=3, unique_by=lambda rule: rule.kind).map(tuple),
    exemptions=st.lists(
        st.builds(Exemption, policy_id=st.sampled_from(("POL-04", "POL-11")), when=scopes), max_size=2
    ).map(tuple),
)
