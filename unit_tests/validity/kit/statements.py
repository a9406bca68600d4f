"""Flaws in what is made of the messages: amendments, lengths, numbers, people and demands on the room."""

from collections.abc import Callable, Sequence
from functools import partial

from mpcbench.benchmark.agents.reference.conversation import statements_about
from mpcbench.benchmark.agents.reference.facts import Facts, Heard, Kind, Message
from mpcbench.benchmark.agents.reference.lexicon import ReadingError
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.tools import length_of, shuffled, with_request

_SCALARS = (Kind.LENGTH, Kind.COUNT, Kind.WINDOW, Kind.GUESTS, Kind.DEADLINE, Kind.NOT_BEFORE, Kind.SITE)


def _first_of_kind(kinds: Sequence[Kind]) -> Plan:
    """Of statements of these kinds, the first holds, and later ones are ignored."""

    def slip(mind: Mind, heard: list[Heard]) -> list[Heard]:
        kept: list[Heard] = []
        for statement in heard:
            first = next((one for one in kept if one.kind is statement.kind and one.kind in kinds), None)
            if first is None:
                kept.append(statement)
            elif first.value != statement.value:
                record = mind.record_of(statement.kind, statement.value)
                mind.note(record=record, kind=str(statement.kind), right=str(statement.value), used=str(first.value))
        return kept

    return Plan(heard=slip)


def _threads_by_id(mind: Mind, messages: list[Message]) -> list[Message]:
    """Takes the threads in the order of their IDs instead of by time, so that the wrong message may be the last."""
    place = {message.thread_id: message.sent for message in reversed(messages)}
    times = sorted(place.values())
    starts = dict(zip(sorted(place), times, strict=True))
    shifted = [
        message._replace(sent=starts[message.thread_id] + (message.sent - place[message.thread_id]) / 10**4)
        for message in messages
    ]
    if sorted(place, key=place.__getitem__) != sorted(place):
        mind.note(order=sorted(place), right=sorted(place, key=place.__getitem__))
    return shifted


def _one_message_skipped(mind: Mind, messages: list[Message]) -> list[Message]:
    """Skips one message that says something about the meeting."""
    for message in shuffled(mind, messages):
        rest = [one for one in messages if one is not message]
        lost = _said(mind, messages) - _said(mind, rest)
        if lost and not {kind for kind, _ in lost} & {Kind.PEOPLE, Kind.WINDOW}:
            mind.note(record=f"thread:{message.thread_id}", message=message.place + 1, lost=sorted(map(str, lost)))
            return rest
    return messages


def _said(mind: Mind, messages: list[Message]) -> set[tuple[str, str]]:
    try:
        return {(kind, str(value)) for kind, value in statements_about(mind.about, messages)}
    except ReadingError:
        return set()


def _length(change: Callable[[int], int], mark: str) -> Plan:
    def slip(mind: Mind, facts: Facts) -> Facts:
        right = length_of(facts.request)
        wrong = change(right)
        if wrong != right:
            mind.note(record=mind.record_of(Kind.LENGTH), right=right, used=wrong, what=mark)
        return with_request(facts, length=wrong)

    return Plan(facts=slip)


def _as_clock(minutes: int) -> int:
    """75 minutes, written 1:15, taken for 115 minutes."""
    return minutes // 60 * 100 + minutes % 60


def _count(change: Callable[[int], int]) -> Plan:
    def slip(mind: Mind, facts: Facts) -> Facts:
        right = facts.request.count
        assert right is not None
        if change(right) != right:
            mind.note(record=mind.record_of(Kind.COUNT), right=right, used=change(right))
        return with_request(facts, count=change(right))

    return Plan(facts=slip)


_agent = partial(flawed, lead="The statement or record of the slip", levels=(3,))

_OMITTED = "integration.constraint_omitted"
_VALUE = "integration.value_wrong"

AGENTS = (
    _agent(
        "first-length-kept",
        "Ignores that the length is changed later.",
        _first_of_kind((Kind.LENGTH,)),
        (f"{_VALUE}:duration",),
        "an ignored amendment",
        levels=(2, 3),
    ),
    _agent(
        "first-guests-kept",
        "Ignores that the number of visitors is changed later.",
        _first_of_kind((Kind.GUESTS,)),
        (f"{_VALUE}:guests", f"{_VALUE}:capacity"),
        f"{_OMITTED}:capacity",
        "an ignored amendment",
    ),
    _agent(
        "first-value-kept",
        "Lets the first value of everything hold, whatever is said later.",
        _first_of_kind(_SCALARS),
        (f"{_VALUE}:duration", f"{_VALUE}:guests", f"{_VALUE}:deadline", f"{_VALUE}:not_before"),
        "an ignored amendment",
        levels=(2, 3),
    ),
    _agent(
        "threads-in-wrong-order",
        "Takes the threads by ID instead of by time, so that an older value wins.",
        Plan(messages=_threads_by_id),
        (f"{_VALUE}:duration", f"{_VALUE}:guests"),
        "an older message taken for the newer one",
        levels=(2, 3),
    ),
    _agent(
        "message-skipped",
        "Skips one message of a thread that it read.",
        Plan(messages=_one_message_skipped),
        (),
        "the statements of that message",
        _VALUE,
        _OMITTED,
        levels=(2, 3),
    ),
    _agent(
        "length-step-more",
        "Takes the meeting for a quarter of an hour longer.",
        _length(lambda length: length + 15, "off by one step"),
        (f"{_VALUE}:duration",),
        levels=(1, 2, 3),
    ),
    _agent(
        "length-step-less",
        "Takes the meeting for a quarter of an hour shorter.",
        _length(lambda length: max(15, length - 15), "off by one step"),
        (f"{_VALUE}:duration",),
        levels=(1, 2, 3),
    ),
    _agent(
        "length-full-hour",
        "Rounds the length to a full hour.",
        _length(lambda length: max(1, length // 60) * 60, "rounded"),
        (f"{_VALUE}:duration",),
        levels=(1, 2, 3),
    ),
    _agent(
        "length-as-clock",
        "Confuses units: takes 1:15 for 115 minutes.",
        _length(_as_clock, "units"),
        (f"{_VALUE}:duration",),
        levels=(1, 2, 3),
    ),
    _agent(
        "always-three",
        "Gives three options, however many are asked for.",
        _count(lambda _: 3),
        (f"{_VALUE}:option_count", "integration.count:too_few"),
        levels=(1, 2, 3),
    ),
    _agent(
        "always-five",
        "Gives five options, however many are asked for.",
        _count(lambda _: 5),
        (f"{_VALUE}:option_count", "integration.count:too_many", "integration.count:too_few"),
        levels=(1, 2, 3),
    ),
)
"""The agents of this module."""
