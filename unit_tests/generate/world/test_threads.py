"""Threads."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mpcbench.generate.wording import thread_talk as chatter
from mpcbench.generate.wording.choices import every
from mpcbench.generate.wording.phrasing import Voice
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.generate.wording.smalltalk import OWN_REPLIES
from mpcbench.generate.world.threads import Hearsay, Part, ThreadPlan, smalltalk_thread, write_thread
from mpcbench.schema import (
    AddParticipant,
    BanWindow,
    CallPolicy,
    Duration,
    Guests,
    OptionCount,
    Participants,
    RemoveParticipant,
    Thread,
)

ZONE = ZoneInfo("Europe/London")
MEETING, OTHER, MENTIONED = "Heron pricing review", "Falcon pricing workshop", "Raven launch sync"
NAMES = {
    f"p{number:03d}": name
    for number, name in enumerate(["Ana Ruiz", "Li Wei", "Sam Carter", "Bo Dahl", "Uma Rao", "Kofi Osei", "Mei Sato"])
}
VOICE = Voice(ZONE, NAMES)
FRIDAY = datetime(2027, 1, 15, 16, 30, tzinfo=ZONE)
SPEAKERS = ("p002", "p003", "p004")
DEPUTY = "p006"
SAID = (
    PlannedStatement(Participants(person_ids=("p002", "p003"))),
    PlannedStatement(Duration(minutes=60)),
    PlannedStatement(OptionCount(count=3)),
    PlannedStatement(CallPolicy(policy_id="POL-02")),
    PlannedStatement(BanWindow(start=FRIDAY, end=FRIDAY + timedelta(hours=2))),
    PlannedStatement(Guests(count=2)),
    PlannedStatement(AddParticipant(person_id="p004"), correcting=True),
    PlannedStatement(RemoveParticipant(person_id="p003"), correcting=True),
    PlannedStatement(Duration(minutes=45), correcting=True),
)
ASIDE = Part(OTHER, f"the {OTHER}", (PlannedStatement(Duration(minutes=30)), PlannedStatement(Guests(count=5))))
HEARSAY = Hearsay("p003", f"Is the {MENTIONED} still planned for an hour? Li Wei would know.", Duration(minutes=90))


def thread(seed: int, said: Sequence[PlannedStatement] = SAID, **changes: Any) -> Thread:
    plan = ThreadPlan(
        thread_id="T0001",
        channel="planning",
        first=FRIDAY,
        opening=f"Kicking off the {MEETING}.",
        parts=(Part(MEETING, f"the {MEETING}", tuple(said)), ASIDE),
        speakers=SPEAKERS,
        organiser="p002",
        voice=VOICE,
        subject="pricing",
        is_kickoff=True,
        notices=("Watch #office for changes.",),
        hearsay=(HEARSAY,),
        others=(MENTIONED,),
    )
    return write_thread(replace(plan, **changes), Random(seed))


THREADS = [thread(seed) for seed in range(150)]
DEPUTISED = [thread(seed, deputy=DEPUTY) for seed in range(100)]
ALONE = [thread(seed, is_announced=True) for seed in range(50)]
QUESTIONS = {text for questions in chatter.QUESTIONS.values() for one in questions for text in every(one)}
ASKED, REMARKED = (
    {
        question.format(subject="pricing"): {text.format(subject="pricing") for text in every(answer)}
        for remark, answer in exchanges
        for question in every(remark)
    }
    for exchanges in (chatter.ASKED, chatter.REMARKED)
)
SMALLTALK = [smalltalk_thread("T0003", "general", FRIDAY, ("p002", "p003"), Random(seed)) for seed in range(150)]


@pytest.mark.parametrize("threads", [THREADS, DEPUTISED, SMALLTALK], ids=["meeting", "deputised", "smalltalk"])
def test_length_and_times(threads: list[Thread]) -> None:
    """Threads have 2 to 15 messages with increasing times within working hours."""
    sent = [[message.sent for message in thread.messages] for thread in threads]

    assert all(2 <= len(times) <= 15 for times in sent)
    assert all(before < after for times in sent for before, after in pairwise(times))
    assert all(time.weekday() < 5 and 8 <= time.hour < 18 for times in sent for time in times)


@pytest.mark.parametrize("threads", [THREADS, SMALLTALK], ids=["meeting", "smalltalk"])
def test_several_people_write(threads: list[Thread]) -> None:
    """No thread is a monologue."""
    assert all(len({message.author for message in thread.messages}) > 1 for thread in threads)


def test_threads_open_with_the_meeting() -> None:
    """The first message, by the first speaker, has the opening and a statement; the last statement has the notice."""
    for thread in THREADS:
        first = thread.messages[0]
        assert first.author == SPEAKERS[0]
        assert first.tags
        assert first.text.startswith(f"Kicking off the {MEETING}")
        stated = [one for one in thread.messages if any(tag.meeting == MEETING for tag in one.tags)]
        assert [one for one in stated if one.text.endswith("Watch #office for changes.")] == stated[-1:]


def test_every_statement_is_tagged_in_order() -> None:
    """The tags of each part are its planned statements, in their order."""
    for meeting, said in ((MEETING, SAID), (OTHER, ASIDE.statements)):
        for thread in THREADS:
            tags = [tag for message in thread.messages for tag in message.tags if tag.meeting == meeting]
            assert [one.statement for one in said] == [tag.statement for tag in tags]


def test_corrections_have_messages_after_what_they_correct() -> None:
    """A correction is sent later than the statement that it replaces."""
    for thread in THREADS:
        first, second = (
            place
            for place, message in enumerate(thread.messages)
            for tag in message.tags
            if tag.meeting == MEETING and isinstance(tag.statement, Duration)
        )
        assert first < second


def test_whoever_announces_changes_makes_them() -> None:
    """After such a notice its author makes all statements about the meeting."""
    for thread in ALONE:
        authors = {one.author for one in thread.messages if any(tag.meeting == MEETING for tag in one.tags)}
        assert authors == {"p002"}


def test_no_colon_follows_another() -> None:
    """An opening may end with a colon, since no statement has one."""
    threads = [thread(seed, opening=f"Update on the {MEETING}:") for seed in range(100)]
    lines = [line for one in threads for message in one.messages for line in message.text.split("\n")]

    assert [line for line in lines if re.search(r": [^.!?]*: ", line)] == []


def test_texts_are_those_of_the_tags() -> None:
    """A message with a policy tag says the policy's ID, and no other message does."""
    for thread in THREADS:
        for message in thread.messages:
            tagged = any(isinstance(tag.statement, CallPolicy) for tag in message.tags)
            assert tagged == ("POL-02" in message.text)


def test_a_statement_is_about_the_meeting_last_named() -> None:
    """A message with statements names its meeting if the thread has named another, or strayed, since."""
    names = (MEETING, OTHER, MENTIONED)
    for thread in THREADS:
        last = ""
        for message in thread.messages:
            named = [name for name in names if name in message.text]
            last = named[-1] if named else last
            assert all(tag.meeting == last for tag in message.tags)


def test_nobody_announces_their_own_coming_or_going() -> None:
    """Somebody else says who is added or removed."""
    for thread in THREADS:
        for message in thread.messages:
            for tag in message.tags:
                if isinstance(tag.statement, AddParticipant | RemoveParticipant):
                    assert message.author != tag.statement.person_id


def test_outsiders_say_for_whom_they_speak() -> None:
    """Whoever is no speaker of the thread names the organiser, and makes one message of statements at most."""
    messages = [message for thread in DEPUTISED for message in thread.messages if message.author == DEPUTY]

    assert len(messages) > 40
    assert all(message.tags and NAMES["p002"] in message.text for message in messages)
    assert all(sum(one.author == DEPUTY for one in thread.messages) <= 1 for thread in DEPUTISED)


def test_questions_are_answered_by_others() -> None:
    """Nobody answers a question of their own, and what the organiser is asked the organiser answers."""
    asked = 0
    for thread in THREADS + DEPUTISED:
        for message, following in pairwise(thread.messages):
            if message.text in ASKED or message.text in QUESTIONS:
                asked += 1
                assert (message.author != "p002", following.author) == (True, "p002")
                assert following.tags or following.text in {text[0].upper() + text[1:] for text in ASKED[message.text]}
            if message.text in REMARKED and not following.tags:
                assert message.author != following.author

    assert asked > 50


def test_other_meetings_are_mentioned_last() -> None:
    """After a meeting without statements here nobody makes statements; hearsay is an untagged message of its own."""
    for thread in THREADS:
        place = next(place for place, one in enumerate(thread.messages) if MENTIONED in one.text)
        assert place == len(thread.messages) - 1
        assert (HEARSAY.author, HEARSAY.text, ()) == (
            thread.messages[place].author,
            thread.messages[place].text,
            thread.messages[place].tags,
        )


def test_hearsay_never_repeats_what_the_thread_states() -> None:
    """It is left out then."""
    repeating = HEARSAY._replace(claim=Duration(minutes=60))
    threads = [thread(seed, hearsay=(repeating,), others=()) for seed in range(20)]

    assert not any(MENTIONED in message.text for one in threads for message in one.messages)


def test_talk_is_rare_and_varied() -> None:
    """No thread has more than four messages of it, none is empty talk by one person twice, and few are alike."""
    threads = [
        thread(seed, parts=(Part(MEETING, f"the {MEETING}", SAID[:4]),), hearsay=(), others=()) for seed in range(300)
    ]
    talk = [[one for one in thread.messages if not one.tags] for thread in threads]
    texts = Counter(text for messages in talk for text in {one.text for one in messages})

    assert max(map(len, talk)) <= 4
    assert max(texts.values()) <= 0.15 * len(threads)


def test_long_plans_stay_within_the_limit() -> None:
    """However much there is to say, a thread does not grow beyond 15 messages."""
    said = [PlannedStatement(Guests(count=count)) for count in range(30)]

    assert all(len(thread(seed, said=said).messages) <= 15 for seed in range(30))


def test_smalltalk_states_nothing() -> None:
    """Small talk has no tags and varies."""
    assert all(not message.tags for thread in SMALLTALK for message in thread.messages)
    assert len({thread.messages[0].text for thread in SMALLTALK}) > 100


def test_whoever_opens_small_talk_does_not_answer_it() -> None:
    """The opener only thanks or laughs."""
    for one in SMALLTALK:
        opener, *others = one.messages
        assert {message.text for message in others if message.author == opener.author} <= {*OWN_REPLIES}


def test_afterthoughts_fit_what_is_said() -> None:
    """Nobody forgot earlier what they change now, or is sorry for a change where there is none."""
    texts = {}
    for correcting in (False, True):
        said = [replace(item, correcting=correcting) for item in SAID[1:2]]
        openers = [thread(seed, said=said, is_kickoff=False).messages[0].text for seed in range(400)]
        texts[correcting] = " ".join(openers)

    for correcting, fitting, other in (
        (False, chatter.FORGOTTEN, chatter.REVISED),
        (True, chatter.REVISED, chatter.FORGOTTEN),
    ):
        own, foreign = ({text for one in some for text in every(one)} for some in (fitting, other))
        assert any(text in texts[correcting] for text in own - foreign)
        assert not any(text in texts[correcting] for text in foreign - own)


def test_same_seed_same_thread() -> None:
    """A thread depends on its plan and seed alone."""
    assert thread(5) == thread(5)
    assert thread(5) != thread(6)


def test_other_talk_says_nothing_about_meetings() -> None:
    """Chatter has neither policy IDs nor moments that could be taken for the meeting's."""
    texts = [
        *chatter.ACKNOWLEDGEMENTS,
        *chatter.WELCOMES,
        *chatter.BACKGROUNDS,
        *chatter.FORGOTTEN,
        *chatter.REVISED,
        *chatter.CLOSINGS,
    ]
    texts += [text for exchange in (*chatter.ASKED, *chatter.REMARKED) for text in exchange]

    assert [text for text in texts if re.search(r"POL-|\d ?(min|h)|\d:\d\d|options|February", text)] == []
