"""The threads about one meeting."""

import re
from dataclasses import replace
from datetime import date, datetime
from random import Random
from zoneinfo import ZoneInfo

import pytest

from mpcbench.generate.wording.meeting_names import MeetingName
from mpcbench.generate.wording.phrasing import Voice
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.generate.world.meetings import MeetingPlan, Style, reference, spread, write_meeting
from mpcbench.schema import CallPolicy, Duration, NotBefore, OptionCount, Participants, Thread

ZONE = ZoneInfo("Europe/London")
NAME = MeetingName("Falcon", "pricing", "review")
NAMES = {"p001": "Ana Ruiz", "p002": "Li Wei", "p003": "Sam Carter", "p004": "Bo Dahl"}
MOMENT = datetime(2027, 3, 9, 10, tzinfo=ZONE)
TALKS = (
    (
        PlannedStatement(Participants(person_ids=("p001", "p002", "p003"))),
        PlannedStatement(OptionCount(count=3)),
        PlannedStatement(Duration(minutes=60)),
        PlannedStatement(CallPolicy(policy_id="POL-02")),
        PlannedStatement(NotBefore(at=MOMENT)),
    ),
    (PlannedStatement(Duration(minutes=45), correcting=True),),
)
PLAN = MeetingPlan(
    key=str(NAME),
    name=NAME,
    channel="planning",
    thread_ids=("T00001", "T00002", "T00003"),
    talks=TALKS,
    people=("p001", "p002", "p003"),
    first_day=date(2027, 3, 8),
    days=12,
    first=datetime(2027, 2, 22, 10, 30, tzinfo=ZONE),
    voice=Voice(ZONE, NAMES),
    deputy="p004",
)
WRITTEN = [write_meeting(PLAN, Random(seed)) for seed in range(300)]


def opening(thread: Thread) -> str:
    return thread.messages[0].text


def notice(kickoff: Thread) -> re.Match[str] | None:
    """What the kick-off says about where changes will be posted."""
    return re.search(r"#([\w-]+)|this channel", " ".join(message.text for message in kickoff.messages))


def test_plans_vary() -> None:
    """There are two or three threads here, in one channel or in several."""
    assert {2, 3} == {len(threads) for threads in WRITTEN}
    assert {1, 2, 3} == {len({thread.channel for thread in threads}) for threads in WRITTEN}
    assert {"planning"} == {threads[0].channel for threads in WRITTEN}


@pytest.mark.parametrize(
    ("style", "words"),
    [
        (Style.NAME, ("Falcon pricing review",)),
        (Style.PROJECT, ("Falcon", "pricing")),
        (Style.PEOPLE, ("pricing", "review", " and ", "March")),
    ],
)
def test_references(style: Style, words: tuple[str, ...]) -> None:
    """By its name, by its project and subject, or by two people and the first day of the window."""
    texts = {reference(PLAN, style, "p001", Random(seed)) for seed in range(50)}

    assert all(word in text for text in texts for word in words)
    assert (style is Style.NAME) == any(str(NAME) in text for text in texts)
    assert (style is Style.PEOPLE) != any("Falcon" in text for text in texts)
    assert not any(NAMES["p001"] in text for text in texts)


def test_speakers_say_me_of_themselves() -> None:
    """A window in two months is referred to by both, and the speaker is "me" or "I" in any case."""
    plan = replace(PLAN, people=("p001", "p002"), first_day=date(2027, 3, 25))
    texts = {reference(plan, Style.PEOPLE, "p001", Random(seed)) for seed in range(50)}

    assert {
        "the March/April pricing review that Li Wei and I are part of",
        "the pricing review planned for March or April that Li Wei and I are in",
        "the pricing review that includes Li Wei and me, planned for March or April",
        "the pricing review that Li Wei and I have in March or April",
    } == texts


def test_follow_ups_say_something_at_once() -> None:
    """The first message of every thread makes a statement."""
    assert all(thread.messages[0].tags for threads in WRITTEN for thread in threads)


def test_announced_changes_are_posted_where_and_by_whom_it_was_said() -> None:
    """Whatever follows such a notice is said by its author in the channel that it names."""
    announced = 0
    for kickoff, *later in WRITTEN:
        found = notice(kickoff)
        if found is None:
            continue
        announced += len(later)
        author = kickoff.messages[0].author
        assert {found[1] or kickoff.channel} >= {thread.channel for thread in later}
        assert {author} >= {one.author for thread in (kickoff, *later) for one in thread.messages if one.tags}

    assert announced > 60


def test_whoever_said_it_corrects_it() -> None:
    """Or the deputy, who says for whom; so "I got the length wrong" is true."""
    corrections = 0
    for threads in WRITTEN:
        messages = [message for thread in threads for message in thread.messages]
        first, last = (one for one in messages if any(isinstance(tag.statement, Duration) for tag in one.tags))
        corrections += "p004" not in (first.author, last.author)
        assert first.author == last.author or "p004" in (first.author, last.author)

    assert corrections > 200


def test_quotations_are_lines_of_the_kick_off() -> None:
    """They come with author and time, and are quoted by somebody else."""
    quoted = [(threads[0], thread) for threads in WRITTEN for thread in threads[1:] if "\n> " in opening(thread)]

    assert len(quoted) > 30
    for kickoff, thread in quoted:
        head, line, *_ = opening(thread).split("\n")
        (source,) = (
            message
            for message in kickoff.messages
            if line.removeprefix("> ") in message.text.split("\n") and f"{message.sent:%H:%M}" in head
        )
        assert NAMES[source.author] in head
        assert source.author != thread.messages[0].author


def test_whoever_refers_to_an_announcement_has_made_it() -> None:
    """It is the organiser who posts changes without a name, where the kick-off said that they would be posted."""
    references = [
        (threads[0], thread)
        for threads in WRITTEN
        for thread in threads[1:]
        if "the review" in opening(thread) and " I " in opening(thread) and "pricing" not in opening(thread)
    ]

    assert len(references) > 20
    for kickoff, thread in references:
        assert kickoff.messages[0].author == thread.messages[0].author
        found = notice(kickoff)
        assert found is not None
        assert thread.channel == (found[1] or kickoff.channel)


def test_spreading_keeps_everything_in_order() -> None:
    """Nothing is lost, the basics stay at the kick-off, and corrections come after what they correct."""
    for seed in range(100):
        talks = spread(TALKS, Random(seed))
        said = [item.statement for talk in talks for item in talk]
        first = {item.statement.kind for item in talks[0]}

        assert sorted(map(repr, said)) == sorted(repr(item.statement) for talk in TALKS for item in talk)
        assert {"participants", "option_count", "duration"} <= first
        assert 2 <= len(talks) <= 3


def test_one_thread_holds_the_first_talk_alone() -> None:
    """With one ID there is one thread."""
    plan = replace(PLAN, thread_ids=("T00001",))
    (thread,) = write_meeting(plan, Random(1))

    assert [item.statement for item in TALKS[0]] == [tag.statement for one in thread.messages for tag in one.tags]


def test_what_was_announced_on_the_same_day_was_announced_earlier_today() -> None:
    """No follow-up gives the date of its own day for the announcement that it refers to."""
    todays = 0
    for kickoff, *later in WRITTEN:
        for thread in later:
            same_day = thread.messages[0].sent.date() == kickoff.messages[0].sent.date()
            refers = re.search(
                r"the review (?:that )?I [\w ]+ (?:here|in [\w #-]+?) (?:on |earlier today)", opening(thread)
            )
            if refers:
                todays += same_day
                assert refers[0].endswith("earlier today") == same_day

    assert todays > 2
