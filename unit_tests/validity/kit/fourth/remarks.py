"""Misread remarks: hearsay that is trusted, another meeting, values that were corrected."""

from collections.abc import Callable
from typing import Final

from mpcbench.benchmark.agents.reference.conversation import speaking_of, threads_of
from mpcbench.benchmark.agents.reference.facts import Heard, Kind, Message
from mpcbench.benchmark.agents.reference.grammar_meeting import read_statements
from mpcbench.benchmark.agents.reference.grammar_time import reduce_lengths
from mpcbench.benchmark.agents.reference.lexicon import ReadingError, Reduced
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fourth.step import WITH_THREADS, agent, first_said, told

_WRONG: Final = "integration.value_wrong"
_OMITTED: Final = "integration.constraint_omitted"
_ADDED: Final = "integration.constraint_added"
_RANKING: Final = "integration.ranking"
_PASSED: Final = "observed.passed_over"
_LIMITS: Final = ("not_before", "deadline")
_CONDITIONS: Final = (
    *("participant", "policy", "guests", "capacity", "equipment", "site"),
    *("ban_window", "required_window", "after_event", *_LIMITS),
)
_UNSURE: Final = ("no idea", "not part of", "may be wrong", "be outdated", "quote me", "not sure", "better ask")


def _unheeded(mind: Mind) -> list[Message]:
    """The messages of the threads read that a careful reader does not take to concern the meeting."""
    return [
        message
        for thread in threads_of(mind.messages)
        for message in thread
        if message.place not in {one.place for one in speaking_of(mind.about, thread)}
    ]


def _is_unsure(message: Message) -> bool:
    return any(words in message.text.lower() for words in _UNSURE)


def _is_sure(message: Message) -> bool:
    return not _is_unsure(message)


def _also(fits: Callable[[Message], bool], *kinds: Kind) -> Plan:
    """Trusting what such messages say of these kinds, as if it were said last about the meeting."""

    def change(mind: Mind, statements: list[Heard]) -> list[Heard]:
        more = [one for message in _unheeded(mind) if fits(message) for one in _said_in(message) if one.kind in kinds]
        return [*statements, *(one for one in more if one not in statements)]

    return told(change)


def _said_in(message: Message) -> list[Heard]:
    try:
        return read_statements(message.text, message.sent.date(), message.author)
    except ReadingError:  # not said in so many words
        return [Heard(Kind.LENGTH, minutes) for minutes in _lengths_in(message.text)]


def _lengths_in(text: str) -> list[int]:
    reduced = Reduced(text)
    reduce_lengths(reduced)
    return [int(minutes) for minutes in reduced.values]


def _beginnings(mind: Mind, messages: list[Message]) -> list[Message]:
    """The first two messages of each thread."""
    kept = [message for message in messages if message.place < 2]
    lost = {message.thread_id for message in messages} if len(kept) < len(messages) else set()
    mind.note(threads_read_in_part=sorted(lost))
    return kept


AGENTS = (
    agent(
        "hearsay-length",
        "Trusts what somebody has only heard of the length",
        _also(_is_unsure, Kind.LENGTH),
        f"{_WRONG}:duration",
        why="An aside of somebody who does not know is taken for the length of the meeting.",
        levels=WITH_THREADS,
    ),
    agent(
        "hearsay-policy",
        "Trusts what somebody has only heard of a policy",
        _also(_is_unsure, Kind.POLICY),
        f"{_ADDED}:policy",
        also=(_PASSED,),
        why="A policy is applied that nobody called for who could.",
        levels=WITH_THREADS,
    ),
    agent(
        "neighbour-length",
        "Takes the length of another meeting that is discussed in the same threads",
        _also(_is_sure, Kind.LENGTH),
        f"{_WRONG}:duration",
        why="Two meetings are confused.",
        levels=WITH_THREADS,
    ),
    agent(
        "neighbour-policy",
        "Applies the policy of another meeting that is discussed in the same threads, too",
        _also(_is_sure, Kind.POLICY),
        f"{_ADDED}:policy",
        also=(_PASSED,),
        why="Two meetings are confused: a policy is applied that was called for the other one.",
        levels=WITH_THREADS,
    ),
    agent(
        "first-number-of-guests",
        "Keeps the number of guests that was said first",
        first_said(Kind.GUESTS),
        *(f"{_WRONG}:guests", f"{_WRONG}:capacity"),
        also=(f"{_OMITTED}:capacity", "observed.condition_broken:capacity"),
        why="A value that was corrected later is used.",
        levels=(3,),
    ),
    agent(
        "corrections-missed",
        "Keeps of every point what was said first",
        first_said(Kind.LENGTH, Kind.COUNT, Kind.WINDOW, Kind.GUESTS, Kind.DEADLINE, Kind.NOT_BEFORE, Kind.LATEST),
        *(f"{_WRONG}:{one}" for one in ("duration", "option_count", "window", "guests", "capacity", *_LIMITS, "order")),
        *(f"{_RANKING}:latest_first", f"{_RANKING}:earliest_first"),
        also=tuple(f"{_OMITTED}:{one}" for one in ("capacity", *_LIMITS)),
        why="Values that were corrected later are used; which ones depends on what was corrected.",
        levels=WITH_THREADS,
    ),
    agent(
        "two-messages-a-thread",
        "Remembers only the first two messages of each thread",
        Plan(messages=_beginnings),
        *(f"{_OMITTED}:{one}" for one in _CONDITIONS),
        *(f"{_WRONG}:{one}" for one in ("duration", "option_count", "window", "guests", "capacity", *_LIMITS)),
        *(f"{_ADDED}:participant", f"{_RANKING}:tie_break"),
        also=("acquisition.record_never_seen", "decomposition.source_never_queried", "observed.*"),
        why="What is said later in a thread is lost; whether that is a condition or a value depends on the thread.",
        levels=WITH_THREADS,
    ),
)
