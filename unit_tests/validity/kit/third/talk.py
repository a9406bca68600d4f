"""Threads that were read, of which some statements or people were then taken wrongly."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from mpcbench.benchmark.agents.reference.facts import Facts, Heard, Kind, Message, PersonName, Request, same_person
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.third.steps import remembered, requested
from unit_tests.validity.kit.tools import with_request

_LIMITS = {Kind.DEADLINE, Kind.NOT_BEFORE}


def _without(ignored: Callable[[Mind, list[Heard], int], bool]) -> Plan:
    """The plan that takes no notice of some statements, given by their place."""

    def step(mind: Mind, heard: list[Heard]) -> list[Heard]:
        kept = [one for place, one in enumerate(heard) if not ignored(mind, heard, place)]
        mind.note(ignored=[str(one) for one in heard if one not in kept])
        return kept

    return Plan(heard=step)


def _is_amended(_: Mind, heard: list[Heard], place: int) -> bool:
    """Whether a statement changes what has been said before."""
    one = heard[place]
    return one.kind in {Kind.LENGTH, Kind.GUESTS, Kind.LATEST, Kind.WINDOW} and any(
        earlier.kind is one.kind for earlier in heard[:place]
    )


def _is_later_policy(_: Mind, heard: list[Heard], place: int) -> bool:
    one = heard[place]
    return one.kind is Kind.POLICY and any(earlier.kind is Kind.POLICY for earlier in heard[:place])


def _is_last_ban(_: Mind, heard: list[Heard], place: int) -> bool:
    return heard[place].kind is Kind.BAN and all(later.kind is not Kind.BAN for later in heard[place + 1 :])


def _is_second_limit(_: Mind, heard: list[Heard], place: int) -> bool:
    """Whether a statement is a limit and another condition on the time has come before it."""
    earlier = {one.kind for one in heard[:place]}
    return heard[place].kind in _LIMITS and bool(earlier & {Kind.BAN, Kind.AFTER, Kind.REQUIRED, *_LIMITS})


def _by_organiser(mind: Mind, messages: list[Message]) -> list[Message]:
    """Takes notice of the organiser's messages only."""
    if not mind.about.kickoff:
        return messages
    author = mind.about.kickoff[0].author
    mind.note(ignored=[f"{one.thread_id}/{one.place}" for one in messages if one.author != author])
    return [one for one in messages if one.author == author]


def _first_three(mind: Mind, messages: list[Message]) -> list[Message]:
    """Takes notice of the first three messages of a thread only."""
    mind.note(ignored=[f"{one.thread_id}/{one.place}" for one in messages if one.place > 2])
    return [one for one in messages if one.place <= 2]


def _announced_only(mind: Mind, messages: list[Message]) -> list[Message]:
    """Takes notice of the thread that announces the meeting only, though it has read the others."""
    if not mind.about.kickoff:
        return messages
    thread = mind.about.kickoff[0].thread_id
    mind.note(ignored=sorted({one.thread_id for one in messages} - {thread}))
    return [one for one in messages if one.thread_id == thread]


def _writers_attend(mind: Mind, request: Request) -> Request:
    """Counts whoever writes in the thread that announces the meeting among the participants."""
    people = list(request.people)
    for message in mind.about.kickoff:
        _, _, team = (message.author or "").partition(" (")
        writer = PersonName(message.writer, team.rstrip(")") or None)
        if not any(same_person(writer, person) for person in people):
            people.append(writer)
    mind.note(added=[person.name for person in people[len(request.people) :]])
    return replace(request, people=people)


def _joiner_forgotten(mind: Mind, facts: Facts) -> Facts:
    """Reads the calendars of those who join later, and compares only the others'."""
    joined = [heard.value for heard, _ in mind.said if heard.kind is Kind.JOINS]
    owners = dict(zip(facts.request.people, facts.calendars, strict=False))
    forgotten = [owner for person, owner in owners.items() if any(same_person(person, one) for one in joined)]
    mind.note(forgotten=[mind.calendar_record(owner) for owner in forgotten])
    return replace(facts, calendars={one: kept for one, kept in facts.calendars.items() if one not in forgotten})


def _amended_twice(mind: Mind, facts: Facts) -> Facts:
    """Adds the former length to the amended one, as if the amendment prolonged the meeting."""
    said = [heard.value for heard, _ in mind.said if heard.kind is Kind.LENGTH]
    if len(said) < 2 or said[0] >= said[-1]:
        return facts
    mind.note(record=mind.record_of(Kind.LENGTH), right=said[-1], used=said[0] + said[-1])
    return with_request(facts, length=said[0] + said[-1])


_agent = partial(flawed, lead="The statement or person and what became of it", levels=(2, 3))

_VALUE = "integration.value_wrong"
_OMITTED = "integration.constraint_omitted"
_ADDED = "integration.constraint_added"
_STALE = (
    *(f"{_VALUE}:duration", f"{_VALUE}:guests", f"{_VALUE}:capacity", f"{_VALUE}:order", f"{_VALUE}:window"),
    *("integration.ranking:latest_first", "integration.ranking:earliest_first"),
)
_UNHEARD = (
    *(f"{_OMITTED}:{kind}" for kind in ("not_before", "deadline", "ban_window", "required_window", "after_event")),
    *(f"{_OMITTED}:{kind}" for kind in ("equipment", "site", "guests", "capacity", "participant", "policy")),
    *_STALE,
    *(f"{_VALUE}:option_count", f"{_ADDED}:participant", "integration.ranking:tie_break"),
    *("acquisition.record_never_seen:policy", "acquisition.record_never_seen:calendar"),
)
"""What becomes of statements that are not taken notice of; the records that only they name are not fetched."""

LEAVER = _without(lambda _, heard, place: heard[place].kind is Kind.LEAVES)
WRITERS = requested(_writers_attend)
JOINER = remembered(_joiner_forgotten)
LAST_BAN = _without(_is_last_ban)
SECOND_LIMIT = _without(_is_second_limit)
AMENDMENTS = _without(_is_amended)

AGENTS = (
    _agent(
        "k4-amendments-ignored",
        "Keeps the length, guests and order that were said first.",
        AMENDMENTS,
        _STALE,
        f"{_OMITTED}:guests",
    ),
    _agent(
        "k4-later-policy-ignored",
        "Fetches only the policy that was named first.",
        _without(_is_later_policy),
        (
            "acquisition.record_never_seen:policy",
            *(f"{_OMITTED}:{kind}" for kind in ("policy", "work_hours", "buffer_min", "lunch_block")),
            *(f"{_OMITTED}:{kind}" for kind in ("ban_dow_time", "room_turnaround")),
        ),
        levels=(3,),
    ),
    _agent(
        "k4-last-ban-ignored", "Takes no notice of the ban that was said last.", LAST_BAN, (f"{_OMITTED}:ban_window",)
    ),
    _agent(
        "k4-second-limit-ignored",
        "Takes no notice of a limit where another condition on the time has come before.",
        SECOND_LIMIT,
        (f"{_OMITTED}:not_before", f"{_OMITTED}:deadline"),
    ),
    _agent(
        "k4-leaver-still-there",
        "Still asks those who have left.",
        LEAVER,
        (f"{_ADDED}:participant",),
        f"{_VALUE}:capacity",
        levels=(3,),
    ),
    _agent("k4-joiner-forgotten", _joiner_forgotten.__doc__ or "", JOINER, (f"{_OMITTED}:participant",), levels=(3,)),
    _agent(
        "k4-writers-attend", _writers_attend.__doc__ or "", WRITERS, (f"{_ADDED}:participant",), f"{_VALUE}:capacity"
    ),
    _agent(
        "k4-organisers-word-only",
        _by_organiser.__doc__ or "",
        Plan(messages=_by_organiser),
        _UNHEARD,
    ),
    _agent("k4-thread-tails-ignored", _first_three.__doc__ or "", Plan(messages=_first_three), _UNHEARD),
    _agent("k4-announcement-only", _announced_only.__doc__ or "", Plan(messages=_announced_only), _UNHEARD),
    _agent("k4-lengths-added", _amended_twice.__doc__ or "", remembered(_amended_twice), (f"{_VALUE}:duration",)),
)
"""The agents of this module."""
