"""What several flaws share: changed facts, relaxed searches, and the choice of a slip that matters."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from itertools import islice
from typing import Any, TypeVar

from mpcbench.benchmark.agents.reference.desk import document_of, minutes
from mpcbench.benchmark.agents.reference.facts import Busy, Facts, Request
from mpcbench.benchmark.agents.reference.grammar_policy import Rule, read_rules, rule_of_item, section_of
from mpcbench.benchmark.agents.reference.grammar_time import MINUTES_PER_DAY, Moment, instant
from mpcbench.benchmark.agents.reference.integrate import Option, Slot, choose, feasible_slots, room_choices
from unit_tests.validity.kit.core import Mind, Slip

MOST_TRIES = 80
"""How many slips are tried before an episode is left without one."""

T = TypeVar("T")


def with_request(facts: Facts, **changes: Any) -> Facts:
    """The facts with fields of the request changed."""
    return replace(facts, request=replace(facts.request, **changes))


def first_that_matters(mind: Mind, facts: Facts, slips: Sequence[tuple[Slip, Facts]]) -> Facts:
    """The facts after a slip by chance among those that change the answer; unchanged if none of them does."""
    right = choose(facts)
    for slip, changed in islice(shuffled(mind, slips), MOST_TRIES):
        if choose(changed) != right:
            mind.note(**slip)
            return changed
    return facts


def shuffled(mind: Mind, items: Sequence[T]) -> Iterator[T]:
    """The items in an order by chance."""
    return iter(mind.rng.sample(list(items), len(items)))


def with_events(facts: Facts, owner: str, events: Iterable[Busy]) -> Facts:
    """The facts with another list of a person's events."""
    return replace(facts, calendars=facts.calendars | {owner: list(events)})


def with_bookings(facts: Facts, room_id: str, bookings: Iterable[Busy]) -> Facts:
    """The facts with another list of a room's bookings."""
    return replace(facts, bookings=facts.bookings | {room_id: list(bookings)})


def every_event(facts: Facts) -> list[tuple[str, Busy]]:
    """All events of all participants, with their owners."""
    return [(owner, event) for owner, events in facts.calendars.items() for event in events]


def every_booking(facts: Facts) -> list[tuple[str, Busy]]:
    """All bookings of the suitable rooms, with the rooms' IDs."""
    return [(room_id, booking) for room_id, bookings in facts.bookings.items() for booking in bookings]


def event_slip(mind: Mind, owner: str, event: Busy) -> Slip:
    """What is recorded of a slip at an event."""
    return {"record": mind.calendar_record(owner)} | entry(event)


def booking_slip(room_id: str, booking: Busy) -> Slip:
    """What is recorded of a slip at a booking."""
    return {"record": f"room_calendar:{room_id}"} | entry(booking)


def entry(event: Busy) -> Slip:
    """An event or booking as JSON values; times in UTC."""
    return {"title": event.title, "start": iso(event.start), "end": iso(event.end)}


def iso(minute: int) -> str:
    """An instant in UTC as ISO 8601."""
    return datetime.fromtimestamp(minute * 60, UTC).isoformat()


def local(minute: int, zone: tzinfo) -> datetime:
    """An instant as local time."""
    return datetime.fromtimestamp(minute * 60, zone)


def at(moment: Moment, zone: tzinfo) -> int:
    """A wall-clock moment in minutes since 1970-01-01 UTC."""
    return minutes(instant(moment, zone))


def moment_text(moment: Moment) -> str:
    """A moment as JSON holds it."""
    day, minute = divmod(moment.minute, MINUTES_PER_DAY)
    return f"{moment.day}T{minute // 60:02d}:{minute % 60:02d}" + ("+1d" if day else "")


def ordered_slots(facts: Facts, keep: Callable[[Slot], bool] | None = None) -> Iterator[Slot]:
    """The feasible slots, or those of them to keep, in the order of the ranking."""
    slots: Iterable[Slot] = feasible_slots(facts)
    if facts.request.latest:
        slots = reversed(list(slots))
    return (slot for slot in slots if keep is None or keep(slot))


def options_of(facts: Facts, slots: Iterable[Slot]) -> Iterator[Option]:
    """Every option of slots: at level 3 each slot with each free room, preferred room first."""
    places = list(room_choices(facts))
    for slot in slots:
        for room_id, booked in places:
            if booked is None or not booked.overlap(slot.start, slot.end):
                yield Option(local(slot.start, facts.zone), local(slot.end, facts.zone), room_id)


def all_options(facts: Facts) -> Iterator[Option]:
    """Every feasible option in the order of the ranking."""
    return options_of(facts, ordered_slots(facts))


def top(facts: Facts, options: Iterable[Option]) -> list[Option]:
    """The first N."""
    return list(islice(options, wanted(facts.request)))


def wanted(request: Request) -> int:
    """N."""
    assert request.count is not None
    return request.count


def length_of(request: Request) -> int:
    """The length of the meeting in minutes."""
    assert request.length is not None
    return request.length


def rules_by_policy(mind: Mind, request: Request) -> list[tuple[str, Rule]]:
    """The rules that the called policies state, each with its policy's ID; policies that were not read are left out."""
    rules: list[tuple[str, Rule]] = []
    items = {item["policy_id"]: item for item in map(json.loads, mind.results("get_policy"))}
    for policy_id in dict.fromkeys(call.policy_id for call in request.policies):
        if policy_id in items:
            rules += [(policy_id, rule_of_item(item)) for item in items[policy_id]["rules"]]
        section = section_text(mind, policy_id)
        if section is not None:
            rules += [(policy_id, rule) for rule in read_rules(section)]
    return rules


def section_text(mind: Mind, policy_id: str) -> str | None:
    """The prose of a policy, if its document was read."""
    for document in mind.results("read_policy_document"):
        if re.search(rf"^## .*{policy_id}", document, re.MULTILINE):
            return section_of(document_of(document), policy_id)
    return None


def policy_record(mind: Mind, facts: Facts, kind: type | tuple[type, ...]) -> str | None:
    """The record of the first called policy with a rule of a kind."""
    for policy_id, rule in rules_by_policy(mind, facts.request):
        if isinstance(rule, kind):
            return f"policy:{policy_id}"
    return None
