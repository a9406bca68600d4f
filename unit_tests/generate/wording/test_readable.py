"""The reference agent's grammar reads every phrasing of every statement."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from random import Random
from zoneinfo import ZoneInfo

import pytest

from mpcbench.benchmark.agents.reference.facts import EventName, Heard, Kind, PersonName, PolicyCall, Window
from mpcbench.benchmark.agents.reference.grammar_meeting import read_statements
from mpcbench.benchmark.agents.reference.grammar_policy import (
    InsideHours,
    OutsideHours,
    Pause,
    RoomPause,
    Rule,
    read_rules,
)
from mpcbench.benchmark.agents.reference.grammar_task import read_task
from mpcbench.benchmark.agents.reference.grammar_time import Days, Hours, Moment, Span
from mpcbench.generate.wording.choices import every
from mpcbench.generate.wording.phrasing import NamedEvent, Voice, fill, forms
from mpcbench.generate.wording.policies import RULES, fill_rule, other_rule, say_past_rule
from mpcbench.generate.wording.tasks import TEMPLATES, fill_task
from mpcbench.schema import (
    AddParticipant,
    AfterEvent,
    BanDowTime,
    BanWindow,
    BufferMin,
    CallPolicy,
    Deadline,
    Duration,
    Equipment,
    Guests,
    LunchBlock,
    NotBefore,
    OptionCount,
    Order,
    Participants,
    PolicyRule,
    Ranking,
    RemoveParticipant,
    RequiredWindow,
    RoomTurnaround,
    Site,
    Statement,
    TieBreak,
    TieBreakKey,
    WorkHours,
)
from mpcbench.schema import Window as StatedWindow
from mpcbench.schema.model import Level
from mpcbench.schema.statements import DailyHours

ZONE = ZoneInfo("Europe/London")
TODAY = date(2027, 1, 20)
VOICE = Voice(
    zone=ZONE,
    names={"p001": "Priya Nair", "p002": "Sam Carter (Platform)", "p003": "Li Wei"},
    events={"e1": NamedEvent("Supplier audit", datetime(2027, 2, 9, 14, tzinfo=ZONE))},
    documents={"POL-07": "DOC-02"},
)
PRIYA, SAM, LI = PersonName("Priya Nair"), PersonName("Sam Carter", "Platform"), PersonName("Li Wei")
SAM_AS_AUTHOR = "Sam Carter (Platform)"


def at(day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(2027, 2, day, hour, minute, tzinfo=ZONE)


def on(day: int, minute: int) -> Moment:
    return Moment(date(2027, 2, day), minute)


def span(first: int, start: int, last: int, end: int) -> Span:
    return Span(on(first, start), on(last, end))


def window(first: int, last: int, hours: Hours | None) -> Heard:
    return Heard(Kind.WINDOW, Window(Days(date(2027, 2, first), date(2027, 2, last)), hours))


DAILY = DailyHours(start="08:30", end="19:00")
CASES: dict[str, tuple[Statement, Heard]] = {
    **{f"{minutes} minutes": (Duration(minutes=minutes), Heard(Kind.LENGTH, minutes)) for minutes in (30, 60, 75, 90)},
    "count": (OptionCount(count=4), Heard(Kind.COUNT, 4)),
    "window": (StatedWindow(start=at(1), end=at(6), daily=DAILY), window(1, 5, Hours(510, 1140))),
    "window over a weekend": (StatedWindow(start=at(5), end=at(9), daily=DAILY), window(5, 8, Hours(510, 1140))),
    "window over weekends": (StatedWindow(start=at(1), end=at(16), daily=DAILY), window(1, 15, Hours(510, 1140))),
    "window until Saturday": (StatedWindow(start=at(3), end=at(7), daily=DAILY), window(3, 6, Hours(510, 1140))),
    "window of a day": (StatedWindow(start=at(1), end=at(2), daily=DAILY), window(1, 1, Hours(510, 1140))),
    "window at any hour": (StatedWindow(start=at(1), end=at(6)), window(1, 5, None)),
    "day at any hour": (StatedWindow(start=at(1), end=at(2)), window(1, 1, None)),
    "two people": (Participants(person_ids=("p001", "p002")), Heard(Kind.PEOPLE, [PRIYA, SAM])),
    "three people": (Participants(person_ids=("p001", "p002", "p003")), Heard(Kind.PEOPLE, [PRIYA, SAM, LI])),
    "joins": (AddParticipant(person_id="p003"), Heard(Kind.JOINS, LI)),
    "namesake joins": (AddParticipant(person_id="p002"), Heard(Kind.JOINS, SAM)),
    "leaves": (RemoveParticipant(person_id="p003"), Heard(Kind.LEAVES, LI)),
    "namesake leaves": (RemoveParticipant(person_id="p002"), Heard(Kind.LEAVES, SAM)),
    "guest": (Guests(count=1), Heard(Kind.GUESTS, 1)),
    "guests": (Guests(count=7), Heard(Kind.GUESTS, 7)),
    "no guests": (Guests(count=0), Heard(Kind.GUESTS, 0)),
    "policy": (CallPolicy(policy_id="POL-04"), Heard(Kind.POLICY, PolicyCall("POL-04"))),
    "policy with document": (CallPolicy(policy_id="POL-07"), Heard(Kind.POLICY, PolicyCall("POL-07", "DOC-02"))),
    "deadline": (Deadline(at=at(11, 16, 45)), Heard(Kind.DEADLINE, on(11, 1005))),
    "not before": (NotBefore(at=at(11, 12)), Heard(Kind.NOT_BEFORE, on(11, 720))),
    **{
        f"{kind} {name}": (stated(start=start, end=end), Heard(kind, read))
        for kind, stated in ((Kind.BAN, BanWindow), (Kind.REQUIRED, RequiredWindow))
        for name, start, end, read in (
            ("hours", at(10, 9), at(10, 13), span(10, 540, 10, 780)),
            ("until midnight", at(10, 15), at(11), span(10, 900, 10, 1440)),
            ("day", at(10), at(11), span(10, 0, 10, 1440)),
            ("days", at(10), at(13), span(10, 0, 12, 1440)),
            ("over a night", at(8, 9), at(9, 18), span(8, 540, 9, 1080)),
            ("over nights", at(8, 9), at(11, 18, 30), span(8, 540, 11, 1110)),
        )
    },
    "event": (AfterEvent(person_id="p001", event_id="e1"), Heard(Kind.AFTER, EventName(PRIYA, "Supplier audit", date(2027, 2, 9)))),
    "namesake's event": (AfterEvent(person_id="p002", event_id="e1"), Heard(Kind.AFTER, EventName(SAM, "Supplier audit", date(2027, 2, 9)))),
    "latest": (Ranking(order=Order.LATEST), Heard(Kind.LATEST, True)),
    "earliest": (Ranking(order=Order.EARLIEST), Heard(Kind.LATEST, False)),
    **{
        f"{first}, {second}": (
            TieBreak(keys=(TieBreakKey(first), TieBreakKey(second))),
            Heard(Kind.ROOM_ORDER, tuple(("-" if key.endswith("descending") else "") + key.partition("_")[0] for key in (first, second))),
        )
        for first, second in (
            ("capacity_ascending", "floor_descending"),
            ("floor_ascending", "capacity_descending"),
            ("name_ascending", "floor_ascending"),
        )
    },
    "equipment": (Equipment(items=("projector",)), Heard(Kind.EQUIPMENT, ["projector"])),
    "two items": (Equipment(items=("projector", "video conferencing")), Heard(Kind.EQUIPMENT, ["projector", "video conferencing"])),
    "site": (Site(site="Mill Lane"), Heard(Kind.SITE, "Mill Lane")),
}  # fmt: skip


def texts(statement: Statement, voice: Voice) -> Iterator[str]:
    """Every phrasing of a statement, each with several ways to write its values."""
    choices = forms(statement, voice.author)
    for number, template in enumerate(choices.again if voice.correcting else choices.first):
        for full in every(template):
            for seed in range(5):
                yield fill(full, statement, voice, Random(100 * seed + number))


def read(text: str, author: str | None = None) -> list[Heard]:
    """What the grammar reads, each statement once."""
    said: list[Heard] = []
    for heard in read_statements(text, TODAY, author):
        if heard not in said:
            said.append(heard)
    return said


@pytest.mark.parametrize("correcting", [False, True], ids=["first", "again"])
@pytest.mark.parametrize("case", CASES)
def test_every_phrasing_is_read(case: str, correcting: bool) -> None:
    """Whatever the phrasing and the way to write values, the text gives the statement and nothing else."""
    statement, heard = CASES[case]
    misread = {text for text in texts(statement, replace(VOICE, correcting=correcting)) if read(text) != [heard]}

    assert set() == misread


@pytest.mark.parametrize("correcting", [False, True], ids=["first", "again"])
@pytest.mark.parametrize(
    ("statement", "heard"),
    [
        (AddParticipant(person_id="p002"), Heard(Kind.JOINS, SAM)),
        (RemoveParticipant(person_id="p002"), Heard(Kind.LEAVES, SAM)),
        (Participants(person_ids=("p002", "p001", "p003")), Heard(Kind.PEOPLE, [PRIYA, LI, SAM])),
        (
            AfterEvent(person_id="p002", event_id="e1"),
            Heard(Kind.AFTER, EventName(SAM, "Supplier audit", date(2027, 2, 9))),
        ),
    ],
    ids=["joins", "leaves", "people", "event"],
)
def test_the_first_person_is_the_author(statement: Statement, heard: Heard, correcting: bool) -> None:
    """Authors say "I", "me" and "my" of themselves, which is read as their name."""
    voice = replace(VOICE, correcting=correcting, author="p002")
    said = set(texts(statement, voice))

    assert not any("Sam" in text for text in said)
    assert set() == {text for text in said if read(text, SAM_AS_AUTHOR) != [heard]}


RULES_READ: tuple[tuple[PolicyRule, Rule], ...] = (
    (WorkHours(start="09:30", end="16:30", days=(0, 1, 2, 3, 4)), InsideHours(Hours(570, 990), frozenset(range(5)))),
    (WorkHours(start="10:00", end="17:00", days=(0, 4)), InsideHours(Hours(600, 1020), frozenset({0, 4}))),
    (LunchBlock(start="12:00", end="13:30", days=(0, 1, 2, 3, 4)), OutsideHours(Hours(720, 810), frozenset(range(5)))),
    (BanDowTime(day=2, start="08:00", end="12:00"), OutsideHours(Hours(480, 720), frozenset({2}))),
    (BufferMin(minutes=30), Pause(30)),
    (RoomTurnaround(minutes=15), RoomPause(15)),
)


@pytest.mark.parametrize(
    ("rule", "expected"), RULES_READ, ids=[f"{rule.kind}-{n}" for n, (rule, _) in enumerate(RULES_READ)]
)
def test_every_phrasing_of_a_rule_is_read(rule: PolicyRule, expected: Rule) -> None:
    """A rule reads the same in every phrasing, with a former rule before it and an exception after it."""
    around = RULES[rule.kind]
    misread = set()
    for template in around.rule:
        for full in every(template):
            for seed in range(20):
                rng = Random(seed)
                past = say_past_rule(other_rule(rule, rng), 2023, rng)
                text = f"{rng.choice(around.purpose)}\n\n{past} {fill_rule(full, rule, rng)} {rng.choice(around.exception)}"
                if read_rules(text) != [expected]:
                    misread.add(text)

    assert set() == misread


def test_lengths_in_rules_agree_in_number() -> None:
    """No verb is in the plural because of a length that may be "half an hour"."""
    rule = BufferMin(minutes=30)
    texts = {
        fill_rule(full, rule, Random(seed)) for t in RULES["buffer_min"].rule for full in every(t) for seed in range(20)
    }

    assert [
        text
        for text in texts
        if re.search(r"half an hour[\w ,]* (?:separate|have|are|lie)\b", text) and "must" not in text
    ] == []


TASK_VOICE = Voice(ZONE, {"p001": "Ana Ruiz", "p002": "Li Wei"})
PEOPLE = Participants(person_ids=("p001", "p002"))
STATED: dict[Level, tuple[Statement, ...]] = {
    1: (PEOPLE, Duration(minutes=45), OptionCount(count=3), CallPolicy(policy_id="POL-04")),
    2: (PEOPLE, OptionCount(count=3)),
    3: (),
}


@pytest.mark.parametrize("level", STATED)
@pytest.mark.parametrize("case", ["window", "window over a weekend", "window of a day", "window at any hour"])
def test_every_task_is_read(level: Level, case: str) -> None:
    """Whatever the paraphrase, a task gives its meeting and its statements."""
    stated, window_read = CASES[case]
    statements = STATED[level] + ((stated,) if level < 3 else ())
    expected = {
        1: [
            Heard(Kind.PEOPLE, [PersonName("Ana Ruiz"), PersonName("Li Wei")]),
            window_read,
            Heard(Kind.LENGTH, 45),
            Heard(Kind.COUNT, 3),
            Heard(Kind.POLICY, PolicyCall("POL-04")),
        ],
        2: [Heard(Kind.PEOPLE, [PersonName("Ana Ruiz"), PersonName("Li Wei")]), window_read, Heard(Kind.COUNT, 3)],
        3: [],
    }[level]
    for template in TEMPLATES[level]:
        for full in every(template):
            for seed in range(20):
                text = fill_task(full, "Heron pricing deep dive", statements, TASK_VOICE, Random(seed))

                assert ("Heron pricing deep dive", expected) == (
                    read_task(text).meeting,
                    list(read_task(text).statements),
                )
