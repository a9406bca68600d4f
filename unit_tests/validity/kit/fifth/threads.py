"""Threads that were read, of which some messages do not count or others do that should not."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import Final

from mpcbench.benchmark.agents.reference.acquire import acquire
from mpcbench.benchmark.agents.reference.conversation import speaking_of, threads_of
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Facts, Heard, Kind, Message, Request
from mpcbench.benchmark.agents.reference.grammar_meeting import read_statements
from mpcbench.benchmark.agents.reference.lexicon import ReadingError
from mpcbench.benchmark.agents.reference.mentions import Meeting
from unit_tests.validity.kit.core import Mind, Plan, read
from unit_tests.validity.kit.fifth.step import (
    ADDED,
    BROKEN,
    NUMBER,
    OMITTED,
    PASSED,
    TIES,
    TOO_FEW,
    WRONG,
    agent,
    of_each,
)
from unit_tests.validity.kit.fourth.step import WITH_ROOMS, WITH_THREADS, told

_LIMITS: Final = ("not_before", "deadline")
_CONDITIONS: Final = (
    *("participant", "policy", "guests", "capacity", "equipment", "site", *_LIMITS),
    *("ban_window", "required_window", "after_event"),
)
_VALUES: Final = ("duration", "option_count", "window", "guests", "capacity", "order", *_LIMITS)
_LOST: Final = (
    *of_each(OMITTED, _CONDITIONS),
    *of_each(WRONG, _VALUES),
    *(f"{ADDED}:participant", TIES, "integration.ranking:latest_first", "integration.ranking:earliest_first"),
)
"""What becomes of statements of all kinds that do not count."""

_UNSEEN: Final = ("acquisition.record_never_seen", "decomposition.source_never_queried", "observed.*")
"""What only a lost statement leads to is not looked up, either."""


def _without(is_lost: Callable[[Mind, list[Message]], Callable[[Message], bool]]) -> Plan:
    """Taking no notice of some messages of the threads read."""

    def step(mind: Mind, messages: list[Message]) -> list[Message]:
        lost = is_lost(mind, messages)
        mind.note(not_noticed=[f"{one.thread_id}/{one.place}" for one in messages if lost(one)])
        return [one for one in messages if not lost(one)]

    return Plan(messages=step)


def _in_latest_thread(mind: Mind, messages: list[Message]) -> Callable[[Message], bool]:
    about = [one for thread in threads_of(messages) for one in speaking_of(mind.about, thread)]
    latest = max(about, key=lambda one: one.sent, default=None)
    if latest is None or len({one.thread_id for one in about}) < 2:
        return lambda _: False
    return lambda one: one.thread_id == latest.thread_id


def _is_last_of_kickoff(mind: Mind, _: list[Message]) -> Callable[[Message], bool]:
    own = [one for one in mind.about.kickoff if one.author == mind.about.kickoff[0].author]
    last = (own[-1].thread_id, own[-1].place) if len(own) > 1 else None
    return lambda one: (one.thread_id, one.place) == last


def _is_on_later_day(mind: Mind, _: list[Message]) -> Callable[[Message], bool]:
    kickoff = mind.about.kickoff
    if not kickoff:
        return lambda _: False
    return lambda one: one.thread_id == kickoff[0].thread_id and one.sent.date() > kickoff[0].sent.date()


def _is_by_others(mind: Mind, _: list[Message]) -> Callable[[Message], bool]:
    """Whether a message in another thread than the kick-off is not by the organiser."""
    kickoff = mind.about.kickoff
    if not kickoff:
        return lambda _: False
    return lambda one: one.thread_id != kickoff[0].thread_id and one.author != kickoff[0].author


def _of_neighbours(*kinds: Kind) -> Plan:
    """Taking what the threads read say of another meeting as if it were about this one."""

    def change(mind: Mind, statements: list[Heard]) -> list[Heard]:
        more = []
        for thread in threads_of(mind.messages):
            about = {one.place for one in speaking_of(mind.about, thread)}
            more += [heard for one in thread if one.place not in about for heard in _said_in(one)]
        return [*statements, *(one for one in more if one.kind in kinds and one not in statements)]

    return told(change)


def _said_in(message: Message) -> list[Heard]:
    try:
        return read_statements(message.text, message.sent.date(), message.author)
    except ReadingError:  # not said in so many words
        return []


def _policies_of_former(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """The policies that were called for an earlier meeting of the same name apply again."""
    found = desk.pages("search_threads", keyword=f'"{mind.meeting}"')
    known = {one.thread_id for one in mind.messages}
    opened = min((one.sent for one in mind.about.kickoff), default=None)
    former = {
        one["thread_id"]
        for page in found
        for one in page["messages"]
        if opened is not None and datetime.fromisoformat(one["sent"]) < opened and one["thread_id"] not in known
    }
    said = [
        heard.value
        for thread in threads_of(read(desk, sorted(former)))
        for message in speaking_of(Meeting(mind.meeting), thread)
        for heard in _said_in(message)
        if heard.kind is Kind.POLICY
    ]
    more = [call for call in said if call.policy_id not in {one.policy_id for one in request.policies}]
    mind.note(added=[call.policy_id for call in more])
    return acquire(desk, replace(request, policies=[*request.policies, *more]), zone)


AGENTS = (
    agent(
        "latest-thread-unheeded",
        "Reads the latest thread about the meeting and takes no notice of it",
        _without(_in_latest_thread),
        *_LOST,
        also=_UNSEEN,
        why="What is said last is lost; whether that is a condition or a value depends on the thread.",
        levels=WITH_THREADS,
    ),
    agent(
        "last-word-of-kickoff-unheeded",
        "Takes no notice of the organiser's last message in the kick-off",
        _without(_is_last_of_kickoff),
        *_LOST,
        also=_UNSEEN,
        why="What is said in one message is lost; whether that is a condition or a value depends on the message.",
        levels=WITH_THREADS,
    ),
    agent(
        "later-days-unheeded",
        "Takes no notice of what was added to the kick-off on later days",
        _without(_is_on_later_day),
        *_LOST,
        also=_UNSEEN,
        why="What is said on later days is lost; whether that is a condition or a value depends on the thread.",
        levels=WITH_THREADS,
    ),
    agent(
        "follow-ups-by-others-unheeded",
        "Takes notice of follow-ups by the organiser only",
        _without(_is_by_others),
        *_LOST,
        also=_UNSEEN,
        why="Participants set terms, too; what they say is lost.",
        levels=WITH_THREADS,
    ),
    agent(
        "neighbours-limits",
        "Applies limits and blocked times of another meeting that the threads speak of",
        _of_neighbours(Kind.NOT_BEFORE, Kind.DEADLINE, Kind.BAN),
        *(*of_each(WRONG, (*_LIMITS, "ban_window")), *of_each(ADDED, (*_LIMITS, "ban_window"))),
        also=(ADDED, PASSED, NUMBER, *of_each(OMITTED, _LIMITS), *of_each(BROKEN, _LIMITS)),
        why="Two meetings are confused: a limit of the other one is added, or takes the place of the right one.",
        levels=WITH_THREADS,
    ),
    agent(
        "neighbours-equipment",
        "Looks for the equipment of another meeting that the threads speak of, too",
        _of_neighbours(Kind.EQUIPMENT),
        *(f"{WRONG}:equipment", f"{ADDED}:equipment", ADDED),
        also=(PASSED, NUMBER, "acquisition.record_never_seen:room_calendar"),
        why="Two meetings are confused: the rooms have to have what nobody asked for.",
        levels=WITH_ROOMS,
    ),
    agent(
        "former-policies-too",
        "Applies the policies that were called for an earlier meeting of the same name, too",
        Plan(acquire=_policies_of_former),
        f"{ADDED}:policy",
        also=(PASSED, NUMBER, TOO_FEW),
        why="A policy is applied that was called for a meeting that is over.",
        levels=WITH_THREADS,
    ),
)
