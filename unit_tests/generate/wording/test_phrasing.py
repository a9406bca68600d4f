"""Statements in words."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from random import Random
from zoneinfo import ZoneInfo

import pytest

from mpcbench.generate.wording import values as words
from mpcbench.generate.wording.choices import chosen, every, one_of
from mpcbench.generate.wording.phrasing import NamedEvent, PhrasingError, Voice, forms, say
from mpcbench.generate.wording.statements_room import KEYS, NEXT_KEY
from mpcbench.schema import (
    AddParticipant,
    AfterEvent,
    BanWindow,
    CallPolicy,
    Deadline,
    Duration,
    Equipment,
    Guests,
    NotBefore,
    OptionCount,
    Order,
    Participants,
    Ranking,
    RemoveParticipant,
    RequiredWindow,
    Site,
    Statement,
    TieBreak,
    TieBreakKey,
    Window,
)
from mpcbench.schema.statements import DailyHours

ZONE = ZoneInfo("Europe/London")


def at(month: int, day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(2027, month, day, hour, minute, tzinfo=ZONE)


def days(value: date) -> list[str]:
    """Every way to write a day."""
    return [words.day(value, style) for style in (*words.DAY_STYLES, *words.DATED_STYLES)]


def clocks(minute: int) -> list[str]:
    """Every way to write a time."""
    return [clock.write(minute) for clock in words.CLOCKS]


VOICE = Voice(
    zone=ZONE,
    names={"p001": "Priya Nair", "p002": "Sam Carter (Platform)", "p003": "Li Wei"},
    events={"e1": NamedEvent("Supplier audit", at(2, 9, 14))},
)
FULL_DAY_HOURS = DailyHours(start="08:00", end="19:30")

# A statement, and lists of alternatives; the text must contain one of each list.
CASES: dict[str, tuple[Statement, Sequence[Sequence[str]]]] = {
    "duration": (
        Duration(minutes=90),
        [["90 min", "an hour and a half", "1.5 hours", "1h30", "one hour and 30 minutes"]],
    ),
    "option_count": (OptionCount(count=4), [["four ", "Four ", "4 "], ["options", "proposals", "suggestions"]]),
    "window": (
        Window(start=at(2, 1), end=at(2, 6), daily=FULL_DAY_HOURS),
        [days(date(2027, 2, 1)), days(date(2027, 2, 5)), clocks(480), clocks(1170)],
    ),
    "window_over_a_weekend": (
        Window(start=at(2, 5, 8), end=at(2, 8, 19, 30), daily=FULL_DAY_HOURS),
        [days(date(2027, 2, 5)), days(date(2027, 2, 8)), ["the weekend included", "Saturday and Sunday too"]],
    ),
    "window_of_a_day": (
        Window(start=at(2, 1), end=at(2, 2), daily=FULL_DAY_HOURS),
        [days(date(2027, 2, 1)), clocks(480), clocks(1170)],
    ),
    "window_without_hours": (
        Window(start=at(2, 1), end=at(2, 6)),
        [
            days(date(2027, 2, 1)),
            days(date(2027, 2, 5)),
            ["any time of the day", "around the clock", "hour"],
        ],
    ),
    "participants": (
        Participants(person_ids=("p001", "p002", "p003")),
        [["Priya Nair, Sam Carter (Platform) and Li Wei"]],
    ),
    "add_participant": (AddParticipant(person_id="p003"), [["Li Wei"]]),
    "remove_participant": (RemoveParticipant(person_id="p002"), [["Sam Carter (Platform)"]]),
    "guests": (Guests(count=3), [["three visitors", "three guests", "3 visitors", "3 guests"]]),
    "one_guest": (Guests(count=1), [["one visitor", "one guest", "1 visitor", "1 guest"]]),
    "no_guests": (Guests(count=0), [["no ", "No ", "Nobody", "nobody"]]),
    "call_policy": (CallPolicy(policy_id="POL-04"), [["POL-04"]]),
    "deadline": (
        Deadline(at=at(2, 11, 16, 45)),
        [days(date(2027, 2, 11)), clocks(1005), ["over", "end", "finished", "done", "run past"]],
    ),
    "not_before": (NotBefore(at=at(2, 11, 12)), [days(date(2027, 2, 11)), clocks(720), ["start", "begin"]]),
    "ban_window": (
        BanWindow(start=at(2, 10, 9), end=at(2, 10, 13)),
        [days(date(2027, 2, 10)), clocks(540), clocks(780)],
    ),
    "ban_until_midnight": (
        BanWindow(start=at(2, 10, 15), end=at(2, 11)),
        [days(date(2027, 2, 10)), clocks(900), ["24:00"]],
    ),
    "ban_of_a_day": (
        BanWindow(start=at(2, 10), end=at(2, 11)),
        [days(date(2027, 2, 10)), ["(at any time of the day)", "(at any hour)"]],
    ),
    "ban_of_days": (
        BanWindow(start=at(2, 10), end=at(2, 13)),
        [days(date(2027, 2, 10)), days(date(2027, 2, 12)), ["(at any time of the day)", "(at any hour)"]],
    ),
    "ban_over_a_night": (
        BanWindow(start=at(2, 8, 9), end=at(2, 9, 18)),
        [days(date(2027, 2, 8)), days(date(2027, 2, 9)), clocks(540), clocks(1080), ["the night included"]],
    ),
    "required_window": (
        RequiredWindow(start=at(2, 10, 9, 30), end=at(2, 10, 13)),
        [days(date(2027, 2, 10)), clocks(570), clocks(780)],
    ),
    "required_over_nights": (
        RequiredWindow(start=at(2, 8, 9), end=at(2, 10, 18)),
        [days(date(2027, 2, 8)), days(date(2027, 2, 10)), clocks(540), clocks(1080), ["nights included"]],
    ),
    "after_event": (
        AfterEvent(person_id="p002", event_id="e1"),
        [["'Supplier audit'"], ["Sam Carter (Platform)"], days(date(2027, 2, 9))],
    ),
    "latest": (Ranking(order=Order.LATEST), [["latest"]]),
    "earliest": (Ranking(order=Order.EARLIEST), [["earliest"]]),
    "tie_break": (
        TieBreak(keys=(TieBreakKey.FLOOR_DESCENDING, TieBreakKey.CAPACITY_ASCENDING)),
        [
            [
                second.join((higher, lower))
                for higher in every(KEYS["floor_descending"])
                for second in every(NEXT_KEY)
                for lower in every(KEYS["capacity_ascending"])
            ]
        ],
    ),
    "equipment": (Equipment(items=("projector", "video conferencing")), [["a projector and video conferencing"]]),
    "site": (Site(site="Mill Lane"), [["Mill Lane"]]),
}
cases = pytest.mark.parametrize("case", CASES)
voices = pytest.mark.parametrize("voice", [VOICE, replace(VOICE, correcting=True)], ids=["first", "correcting"])


def samples(statement: Statement, voice: Voice, count: int = 200) -> list[str]:
    return [say(statement, voice, Random(seed)) for seed in range(count)]


@cases
@voices
def test_every_phrasing_says_everything(case: str, voice: Voice) -> None:
    """Whatever the phrasing, the text holds every value of the statement."""
    statement, needed = CASES[case]
    lacking = [
        (text, alternatives)
        for text in samples(statement, voice)
        for alternatives in needed
        if not any(alternative.lower() in text.lower() for alternative in alternatives)
    ]

    assert lacking == []


AUTHORS = (None, "p002", "p003")


@cases
@voices
@pytest.mark.parametrize("author", AUTHORS)
def test_no_phrasing_is_met_often(case: str, voice: Voice, author: str | None) -> None:
    """Of 200 statements of a kind, fewer than a tenth share the commonest phrasing."""
    choices = forms(CASES[case][0], author)
    templates = choices.again if voice.correcting else choices.first
    rng = Random(1)
    phrasings = Counter(one_of(templates, rng) for _ in range(200))

    assert phrasings.most_common(1)[0][1] < 20


@cases
@voices
def test_texts_are_sentences(case: str, voice: Voice) -> None:
    """Every text begins with a capital or a digit, ends as a sentence and has no field left open."""
    statement, _ = CASES[case]
    odd = [text for text in samples(statement, voice) if not re.fullmatch(r"[A-Z\d'][^{}]*[.?!]", text)]

    assert odd == []


@cases
@voices
def test_statements_follow_a_colon(case: str, voice: Voice) -> None:
    """No text has a colon of its own, outside times, or a gap between two words."""
    statement, _ = CASES[case]

    assert [text for text in samples(statement, voice) if re.search(r":(?!\d\d)|  | [,.;]", text)] == []


@pytest.mark.parametrize(
    "case",
    [
        *("call_policy", "deadline", "not_before", "ban_window", "ban_of_days", "ban_over_a_night"),
        *("required_window", "required_over_nights", "after_event"),
    ],
)
@voices
def test_limits_are_about_the_meeting(case: str, voice: Voice) -> None:
    """A limit or a policy says what it is about, whatever comes before it, and which overlap matters."""
    texts = samples(CASES[case][0], voice)

    assert [text for text in texts if not re.search(r"\bmeet(ing)?\b|\bstart after that\b", text, re.IGNORECASE)] == []
    assert [text for text in texts if re.search(r"\btouch|\bavoid|\ball of it\b", text)] == []


@voices
def test_limits_are_not_the_hours_of_the_meeting(voice: Voice) -> None:
    """A time that the meeting has to lie in is not written so that the meeting seems to fill it."""
    texts = samples(CASES["required_window"][0], voice)

    assert [text for text in texts if re.search(r"from \d|from noon|\d-\d\d?:", text)] == []
    assert [text for text in texts if not re.search(r"\b(whole|entire|wholly|end|finish|no part)\b", text)] == []


@pytest.mark.parametrize("order", Order)
@voices
def test_rankings_say_which_options_are_wanted_and_in_which_order(order: Order, voice: Voice) -> None:
    """Both the choice of the options and their order are said."""
    texts = samples(Ranking(order=order), voice)
    choice = rf"\b(the {order} (possible )?(options|ones)|{order} (one|start) that works)\b"
    listing = rf"\b({order} first|{order} start first|next {order}|the {order} of all|{order} start (back|on)wards)\b"

    assert [text for text in texts if not re.search(choice, text) or not re.search(listing, text)] == []


def test_guests_are_counted_besides_the_participants() -> None:
    """The number of guests is never the number of people in the room."""
    texts = samples(Guests(count=3), VOICE)
    besides = r"from (\w+ ?)+|besides|in addition"

    assert [text for text in texts if not re.search(besides, text)] == []


@cases
def test_same_seed_same_text(case: str) -> None:
    """The text depends on the seed alone."""
    statement, _ = CASES[case]

    assert samples(statement, VOICE, 10) == samples(statement, VOICE, 10)


@pytest.mark.parametrize(
    ("statement", "words_of_the_author"),
    [
        (AddParticipant(person_id="p002"), r"\b(I|me)\b"),
        (RemoveParticipant(person_id="p002"), r"\b(I|me)\b"),
        (Participants(person_ids=("p001", "p002")), r"Priya Nair and me\b"),
        (AfterEvent(person_id="p002", event_id="e1"), r"\b[Mm]y '|\bmy calendar\b"),
    ],
)
def test_authors_speak_of_themselves_in_the_first_person(statement: Statement, words_of_the_author: str) -> None:
    """Nobody uses their own name."""
    texts = samples(statement, replace(VOICE, author="p002"))

    assert [text for text in texts if "Sam" in text or not re.search(words_of_the_author, text)] == []


def test_choices_are_made_and_enumerated() -> None:
    """A text with nested choices becomes one of the texts that its enumeration lists."""
    template = "[Please|Do] book it[| for [us|them]]."
    texts = set(every(template))

    assert texts == {f"{verb} book it{rest}." for verb in ("Please", "Do") for rest in ("", " for us", " for them")}
    assert texts == {chosen(template, Random(seed)) for seed in range(200)}


def test_no_statement_speaks_of_one_thing_as_of_several() -> None:
    """One visitor is "a seat" and two people are "both"."""
    one = samples(Guests(count=1), VOICE)
    two = samples(Participants(person_ids=("p001", "p003")), VOICE)

    assert [
        text for text in one if re.search(r"\bseats for (?!the participants)|need seats|visitors|guests", text)
    ] == []
    assert [text for text in two if "all of them" in text] == []


def test_names_the_document_of_a_policy() -> None:
    """A voice that knows the document mentions it with the policy ID."""
    voice = replace(VOICE, documents={"POL-04": "DOC-02"})

    texts = samples(CallPolicy(policy_id="POL-04"), voice)

    assert all(re.search(r"POL-04 (\((in )?DOC-02\)|in DOC-02)", text) for text in texts)


def test_dates_are_those_of_the_zone() -> None:
    """A moment given with another offset is written in local time."""
    moment = datetime.fromisoformat("2027-02-11T23:30:00-05:00")

    texts = samples(Deadline(at=moment), VOICE)

    assert [text for text in texts if not any(day in text for day in days(date(2027, 2, 12)))] == []


@pytest.mark.parametrize(
    ("window", "complaint"),
    [
        (Window(start=at(2, 1, 9), end=at(2, 6), daily=FULL_DAY_HOURS), "window start"),
        (Window(start=at(2, 1), end=at(2, 5, 12), daily=FULL_DAY_HOURS), "window end"),
    ],
)
def test_windows_that_days_do_not_state_are_refused(window: Window, complaint: str) -> None:
    """A window that begins or ends within its hours is an error, not an inexact text."""
    with pytest.raises(PhrasingError, match=complaint):
        say(window, VOICE, Random(1))


@pytest.mark.parametrize("minutes", range(15, 481, 15))
def test_durations_read_back(minutes: int) -> None:
    """Every way to write a length of time means that length."""
    texts = {words.duration(Random(seed), minutes) for seed in range(60)}

    assert {minutes} == {length_of(text) for text in texts}


def length_of(text: str) -> float:
    """The minutes that a text names."""
    special = {
        "a quarter of an hour": 15,
        "half an hour": 30,
        "three quarters of an hour": 45,
        "an hour and a half": 90,
        "an hour": 60,
    }
    if text in special:
        return special[text]
    for number, word in enumerate(words.NUMBERS):
        text = re.sub(rf"\b{word}\b", str(number), text)
    if match := re.fullmatch(r"(\d+)h(\d+)", text):
        return int(match[1]) * 60 + int(match[2])
    if match := re.fullmatch(r"(\d+) and a half hours", text):
        return int(match[1]) * 60 + 30
    parts = re.findall(r"([\d.]+) (hour|min)", text)
    return sum(float(number) * (60 if unit == "hour" else 1) for number, unit in parts)


@pytest.mark.parametrize(
    ("minute", "texts"),
    [
        (0, ["00:00"] * 4),
        (15, ["00:15"] * 4),
        (485, ["08:05", "8:05", "8:05 am", "8:05am"]),
        (720, ["12:00", "12:00", "noon", "noon"]),
        (735, ["12:15", "12:15", "12:15 pm", "12:15pm"]),
        (840, ["14:00", "14:00", "2 pm", "2pm"]),
        (1440, ["24:00"] * 4),
    ],
)
def test_times_of_day(minute: int, texts: list[str]) -> None:
    """Times are written so that midnight and noon leave no doubt."""
    assert texts == clocks(minute)


def test_days() -> None:
    """Days name their month in letters or are ISO dates, and the weekday is right."""
    written = [words.day(date(2027, 2, 22), style) for style in words.DAY_STYLES]

    assert written == [
        "Monday 22 February",
        "Monday, 22 February",
        "Monday, February 22",
        "Mon 22 Feb",
        "Mon, Feb 22",
        "22 February",
        "February 22",
        "Monday the 22nd of February",
        "2027-02-22",
    ]


@pytest.mark.parametrize(
    ("number", "text"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (23, "23rd")]
)
def test_ordinals(number: int, text: str) -> None:
    """Ordinals have the ending that English wants."""
    assert text == words.ordinal(number)


@pytest.mark.parametrize(("number", "texts"), [(0, {"no"}), (7, {"seven", "7"}), (40, {"40"})])
def test_counts(number: int, texts: set[str]) -> None:
    """Counts are words or digits; large ones are digits."""
    assert texts == {words.count(Random(seed), number) for seed in range(30)}
