"""Threads."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

import pytest

from mpcbench.generate.wording import thread_talk as chatter
from mpcbench.generate.wording.phrasing import NamedEvent, Voice
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.generate.wording.vocabulary import SITES
from mpcbench.generate.world.noise import NoisePlan, noise_thread
from mpcbench.generate.world.threads import Aside, ThreadKind, ThreadPlan, smalltalk_thread, write_thread
from mpcbench.schema import (
    AfterEvent,
    BanWindow,
    CallPolicy,
    Duration,
    Guests,
    MeetingStatement,
    OptionCount,
    Participants,
    Thread,
)
from mpcbench.schema.model import Level

ZONE = ZoneInfo("Europe/London")
MEETING, OTHER, MENTIONED = "Heron pricing review", "Falcon pricing workshop", "Raven launch sync"
NAMES = {
    f"p{number:03d}": name
    for number, name in enumerate(["Ana Ruiz", "Li Wei", "Sam Carter", "Bo Dahl", "Uma Rao", "Kofi Osei", "Mei Sato"])
}
EVENT = AfterEvent(person_id="p001", event_id="e1")
VOICE = Voice(ZONE, NAMES, {"e1": NamedEvent("Supplier audit", datetime(2027, 2, 9, 10, tzinfo=ZONE))})
FRIDAY = datetime(2027, 1, 15, 16, 30, tzinfo=ZONE)
SAID = (
    PlannedStatement(Participants(person_ids=("p000", "p001"))),
    PlannedStatement(Duration(minutes=60)),
    PlannedStatement(OptionCount(count=3)),
    PlannedStatement(CallPolicy(policy_id="POL-02")),
    PlannedStatement(BanWindow(start=FRIDAY, end=FRIDAY + timedelta(hours=2))),
    PlannedStatement(Guests(count=2)),
    PlannedStatement(Duration(minutes=45), correcting=True),
)


def thread(seed: int, kind: ThreadKind = ThreadKind.KICKOFF, said: Sequence[PlannedStatement] = SAID) -> Thread:
    plan = ThreadPlan(
        thread_id="T0001",
        channel="planning",
        meeting=MEETING,
        kind=kind,
        first=FRIDAY,
        authors=("p002", "p003", "p004"),
        statements=tuple(said),
        voice=VOICE,
        asides=(
            Aside(OTHER, PlannedStatement(Duration(minutes=30))),
            Aside(OTHER, PlannedStatement(Duration(minutes=15), correcting=True)),
        ),
        others=(MENTIONED,),
    )
    return write_thread(plan, Random(seed))


def noise(seed: int, kind: ThreadKind = ThreadKind.KICKOFF, level: Level = 3) -> Thread:
    plan = NoisePlan(
        thread_id="T0002",
        channel="planning",
        meeting=MEETING,
        kind=kind,
        first=FRIDAY,
        authors=("p002", "p003"),
        voice=VOICE,
        level=level,
        people=tuple(NAMES),
        policies=("POL-01", "POL-02"),
        sites=SITES if level == 3 else (),
        events=(EVENT,) if level == 3 else (),
    )
    return noise_thread(plan, Random(seed))


THREADS = [thread(seed) for seed in range(150)] + [
    thread(seed, ThreadKind.UPDATE, (PlannedStatement(Duration(minutes=45), correcting=True),)) for seed in range(150)
]
NOISE = [noise(seed, kind, level) for seed in range(40) for kind in ThreadKind for level in (2, 3)]
SMALLTALK = [smalltalk_thread("T0003", "general", FRIDAY, ("p002", "p003"), Random(seed)) for seed in range(150)]


@pytest.mark.parametrize("threads", [THREADS, NOISE, SMALLTALK], ids=["meeting", "noise", "smalltalk"])
def test_length_and_times(threads: list[Thread]) -> None:
    """Threads have 3 to 15 messages with increasing times within working hours."""
    sent = [[message.sent for message in thread.messages] for thread in threads]

    assert all(3 <= len(times) <= 15 for times in sent)
    assert all(before < after for times in sent for before, after in pairwise(times))
    assert all(time.weekday() < 5 and 8 <= time.hour < 18 for times in sent for time in times)


@pytest.mark.parametrize("threads", [THREADS, NOISE, SMALLTALK], ids=["meeting", "noise", "smalltalk"])
def test_several_people_write(threads: list[Thread]) -> None:
    """No thread is a monologue."""
    assert all(len({message.author for message in thread.messages}) > 1 for thread in threads)


def test_threads_open_with_the_meeting() -> None:
    """The first message names the meeting in full."""
    assert all(MEETING in thread.messages[0].text for thread in THREADS + NOISE)


def test_every_statement_is_tagged_in_order() -> None:
    """The tags of the thread's own meeting are the planned statements, in their order."""
    expected = [said.statement for said in SAID]

    for thread in THREADS[:150]:
        tags = [tag for message in thread.messages for tag in message.tags]
        assert expected == [tag.statement for tag in tags if tag.meeting == MEETING]


def test_asides_are_tagged_and_keep_their_order() -> None:
    """Statements about another meeting are in separate messages that name it."""
    for thread in THREADS:
        messages = [message for message in thread.messages if any(tag.meeting == OTHER for tag in message.tags)]
        assert [
            (MeetingStatement(meeting=OTHER, statement=Duration(minutes=30)),),
            (MeetingStatement(meeting=OTHER, statement=Duration(minutes=15)),),
        ] == [message.tags for message in messages]
        assert all(OTHER in message.text for message in messages)


def test_corrections_have_messages_after_what_they_correct() -> None:
    """A correction begins a message, so it is sent later than the statement that it replaces."""
    for thread in THREADS[:150]:
        places = [
            (place, index)
            for place, message in enumerate(thread.messages)
            for index, tag in enumerate(message.tags)
            if tag.meeting == MEETING and isinstance(tag.statement, Duration)
        ]
        (first, _), (second, index) = places
        assert first < second
        assert index == 0


def test_texts_are_those_of_the_tags() -> None:
    """A message with a policy tag says the policy's ID, and no other message does."""
    for thread in THREADS[:150]:
        for message in thread.messages:
            tagged = any(isinstance(tag.statement, CallPolicy) for tag in message.tags)
            assert tagged == ("POL-02" in message.text)


def test_meeting_is_named_again_after_other_talk() -> None:
    """A message with statements names the meeting if something else was talked about since it was last named."""
    marks = (*chatter.MARKERS, *(aside.split("{")[0] for aside in chatter.ASIDES))
    for thread in THREADS:
        astray = False
        for message in thread.messages:
            own = any(tag.meeting == MEETING for tag in message.tags)
            assert not (astray and own) or MEETING in message.text
            astray = (astray and MEETING not in message.text) or message.text.startswith(marks)


def test_chatter_is_not_repeated() -> None:
    """Within a thread no acknowledgement or remark is repeated."""
    once = {*chatter.ACKNOWLEDGEMENTS, *(remark for remark, _ in chatter.EXCHANGES)}
    for thread in THREADS:
        texts = [message.text for message in thread.messages if message.text in once]
        assert sorted(set(texts)) == sorted(texts)


def test_remarks_have_their_answers() -> None:
    """What is asked in passing is answered by the next message, by somebody else."""
    answers = dict(chatter.EXCHANGES)
    for thread in THREADS:
        for message, following in pairwise(thread.messages):
            if message.text in answers:
                assert answers[message.text] == following.text
                assert message.author != following.author


def test_long_plans_stay_within_the_limit() -> None:
    """However much there is to say, a thread does not grow beyond 15 messages."""
    said = [PlannedStatement(Guests(count=count)) for count in range(30)]

    threads = [thread(seed, said=said) for seed in range(30)]

    assert all(len(thread.messages) <= 15 for thread in threads)


def test_smalltalk_states_nothing() -> None:
    """Small talk has no tags and varies."""
    assert all(not message.tags for thread in SMALLTALK for message in thread.messages)
    assert len({thread.messages[0].text for thread in SMALLTALK}) > 100


def test_noise_has_every_kind_of_statement() -> None:
    """Noise threads make statements of all kinds, all about their own meeting."""
    tags = [tag for thread in NOISE for message in thread.messages for tag in message.tags]

    assert {MEETING} == {tag.meeting for tag in tags}
    assert {
        "add_participant", "after_event", "ban_window", "call_policy", "deadline", "duration", "equipment", "guests",
        "not_before", "option_count", "participants", "ranking", "remove_participant", "required_window", "site",
        "tie_break", "window",
    } == {tag.statement.kind for tag in tags}  # fmt: skip


def test_same_seed_same_thread() -> None:
    """A thread depends on its plan and seed alone."""
    assert thread(5) == thread(5)
    assert noise(5) == noise(5)
    assert thread(5) != thread(6)


def test_other_talk_says_nothing_about_meetings() -> None:
    """Chatter has neither policy IDs nor moments that could be taken for the meeting's."""
    texts = [*chatter.ACKNOWLEDGEMENTS, *chatter.BACKGROUNDS, *chatter.LEAD_INS, *chatter.CLOSINGS]
    texts += [text for exchange in chatter.EXCHANGES for text in exchange]

    assert [text for text in texts if re.search(r"POL-|\d ?(min|h)|\d:\d\d|options|February", text)] == []
