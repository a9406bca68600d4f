"""Flaws of integration: added conditions, wrong values, wrong ranking, wrong number of options."""

from collections.abc import Callable, Sequence
from datetime import UTC, timedelta, tzinfo

from mpcbench.benchmark.agents.flawed.flaw import (
    Acquire,
    Choose,
    Flaw,
    acquiring,
    all_of,
    asking,
    before_acquiring,
    choosing,
    hearing,
    knowing,
)
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Facts, Heard, Kind, PolicyCall, Request
from mpcbench.benchmark.agents.reference.grammar_policy import Pause
from mpcbench.benchmark.agents.reference.grammar_time import Moment
from mpcbench.benchmark.agents.reference.integrate import Option

_OPPOSITE = {"capacity": "-capacity", "-capacity": "capacity", "floor": "-floor", "-floor": "floor"}
_MOST = 10_000


def _with_neighbour(desk: Desk, request: Request) -> None:
    for called in request.policies[:1]:
        listed = [call.policy_id for call in _documents(desk, [called]) or _numbered(called)]
        place = listed.index(called.policy_id)
        request.policies.append(PolicyCall(listed[place + 1 if place + 1 < len(listed) else place - 1]))


def _with_document(desk: Desk, request: Request) -> None:
    request.policies += _documents(desk, request.policies)


def _documents(desk: Desk, calls: Sequence[PolicyCall]) -> list[PolicyCall]:
    """Every policy of the documents that contain the calls; none at level 1, which has no documents."""
    if "list_policies" not in desk.offers:
        return []
    wanted = {call.policy_id for call in calls}
    return [
        PolicyCall(policy_id, document["document_id"])
        for document in desk.call_json("list_policies")
        if wanted & set(document["policy_ids"])
        for policy_id in document["policy_ids"]
    ]


def _numbered(call: PolicyCall) -> list[PolicyCall]:
    """A policy and the one numbered before it; for the first, the one after it."""
    number = int(call.policy_id.removeprefix("POL-"))
    return [call, PolicyCall(f"POL-{number - 1 if number > 1 else 2:02}")]


def _nobody_leaves(statements: list[Heard]) -> list[Heard]:
    return [statement for statement in statements if statement.kind is not Kind.LEAVES]


def _before_counting_seats(acquire: Acquire, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Fetch the bookings of rooms of any size, so that a wrong number of seats hides none."""
    guests, request.guests = request.guests, -len(request.people)
    facts = acquire(desk, request, zone)
    request.guests = guests
    return facts


def _first_only(kind: Kind) -> Callable[[list[Heard]], list[Heard]]:
    """Keep the first statement of a kind instead of the last."""

    def change(statements: list[Heard]) -> list[Heard]:
        first = next((place for place, statement in enumerate(statements) if statement.kind is kind), None)
        return [statement for place, statement in enumerate(statements) if statement.kind is not kind or place == first]

    return change


def _a_day_late(request: Request) -> None:
    if request.deadline is not None:
        request.deadline = Moment(request.deadline.day + timedelta(days=1), request.deadline.minute)


def _one_sided(*, before: bool) -> Callable[[Facts], None]:
    """Keep a buffer on one side of the meeting only; before the meeting means after every event."""

    def edit(facts: Facts) -> None:
        margin = max((rule.minutes for rule in facts.rules if isinstance(rule, Pause)), default=0)
        facts.rules = [rule for rule in facts.rules if not isinstance(rule, Pause)]
        early, late = (0, margin) if before else (margin, 0)
        _widen(facts, early, late)

    return edit


def _widen(facts: Facts, early: int, late: int) -> None:
    for events in facts.calendars.values():
        events[:] = [event._replace(start=event.start - early, end=event.end + late) for event in events]


def _shifted(by: timedelta) -> Callable[[Choose, Facts], list[Option]]:
    def change(choose: Choose, facts: Facts) -> list[Option]:
        return [option._replace(start=option.start + by, end=option.end + by) for option in choose(facts)]

    return change


def _as_utc(choose: Choose, facts: Facts) -> list[Option]:
    return [
        option._replace(start=option.start.replace(tzinfo=UTC), end=option.end.replace(tzinfo=UTC))
        for option in choose(facts)
    ]


def _first_of(kept: Callable[[Option, Option], bool]) -> Callable[[Choose, Facts], list[Option]]:
    """Skip options that `kept` rejects next to one already chosen."""

    def change(choose: Choose, facts: Facts) -> list[Option]:
        wanted = facts.request.count or 0
        facts.request.count = _MOST
        chosen: list[Option] = []
        for option in choose(facts):
            if len(chosen) < wanted and all(kept(option, other) for other in chosen):
                chosen.append(option)
        facts.request.count = wanted
        return chosen

    return change


def _beside(option: Option, other: Option) -> bool:
    return option.start == other.start or option.start >= other.end or option.end <= other.start


def _without_rooms(choose: Choose, facts: Facts) -> list[Option]:
    return [option._replace(room_id=None) for option in choose(facts)]


def _earliest(request: Request) -> None:
    request.latest = False


def _latest(request: Request) -> None:
    request.latest = True


def _any_room_order(request: Request) -> None:
    request.room_order = ()


def _opposite_room_order(request: Request) -> None:
    request.room_order = tuple(_OPPOSITE.get(key, key) for key in request.room_order)


def _count(by: int) -> Callable[[Request], None]:
    def edit(request: Request) -> None:
        request.count = max(1, (request.count or 1) + by)

    return edit


def _five_minutes(facts: Facts) -> None:
    facts.step = 5


def _wrong(what: str, description: str) -> tuple[str, tuple[str, ...]]:
    return description, (f"integration.{what}",)


FLAWS = (
    Flaw(
        "neighbouring-policy",
        *_wrong("constraint_added:policy", "Also applies the policy next to the one called for."),
        before_acquiring(_with_neighbour),
    ),
    Flaw(
        "whole-document",
        *_wrong("constraint_added:policy", "Applies every policy of the document."),
        before_acquiring(_with_document),
        (2, 3),
    ),
    Flaw(
        "keeps-participant",
        *_wrong("constraint_added:participant", "Overlooks that a participant was taken off the list."),
        all_of(hearing(_nobody_leaves), acquiring(_before_counting_seats)),
        (3,),
    ),
    Flaw(
        "first-duration",
        *_wrong("value_wrong:duration", "Keeps the duration that was corrected later."),
        hearing(_first_only(Kind.LENGTH)),
        (2, 3),
    ),
    Flaw(
        "first-guests",
        *_wrong("value_wrong:guests", "Keeps the number of guests that was corrected later."),
        all_of(hearing(_first_only(Kind.GUESTS)), acquiring(_before_counting_seats)),
        (3,),
    ),
    Flaw(
        "deadline-day-late",
        *_wrong("value_wrong:deadline", "Takes the deadline for a day later than it is."),
        asking(_a_day_late),
        (2,),
    ),
    Flaw(
        "buffer-before-only",
        *_wrong("value_wrong:buffer_side", "Keeps the buffer before the meeting but not after it."),
        knowing(_one_sided(before=True)),
    ),
    Flaw(
        "buffer-after-only",
        *_wrong("value_wrong:buffer_side", "Keeps the buffer after the meeting but not before it."),
        knowing(_one_sided(before=False)),
    ),
    Flaw(
        "touching-overlaps",
        *_wrong("value_wrong:touching", "Takes a busy event that only touches the slot for an overlap."),
        knowing(lambda facts: _widen(facts, 1, 1)),
    ),
    Flaw(
        "local-as-utc",
        *_wrong("value_wrong:offset", "Writes local times as if they were UTC."),
        choosing(_as_utc),
    ),
    Flaw(
        "hour-late",
        *_wrong("value_wrong:offset", "Is an hour late, as with the offset of the wrong season."),
        choosing(_shifted(timedelta(hours=1))),
    ),
    Flaw(
        "wrong-week",
        *_wrong("value_wrong:week", "Names the same times of the following week."),
        choosing(_shifted(timedelta(days=7))),
    ),
    Flaw(
        "ignores-tie-break",
        *_wrong("ranking:tie_break", "Ranks the rooms of a slot by their IDs alone."),
        asking(_any_room_order),
        (3,),
    ),
    Flaw(
        "opposite-tie-break",
        *_wrong("ranking:tie_break", "Ranks the rooms of a slot the wrong way round."),
        asking(_opposite_room_order),
        (3,),
    ),
    Flaw(
        "latest-first",
        *_wrong("ranking:latest_first", "Takes the latest times though the earliest are wanted."),
        asking(_latest),
    ),
    Flaw(
        "earliest-first",
        *_wrong("ranking:earliest_first", "Takes the earliest times though the latest are wanted."),
        asking(_earliest),
        (2,),
    ),
    Flaw(
        "one-room-per-slot",
        *_wrong("ranking:one_room_per_slot", "Proposes one room only for every slot."),
        choosing(_first_of(lambda option, other: option.start != other.start)),
        (3,),
    ),
    Flaw(
        "disjoint-slots",
        *_wrong("ranking:disjoint_slots", "Skips slots that overlap one already proposed."),
        choosing(_first_of(_beside)),
    ),
    Flaw(
        "too-few",
        *_wrong("count:too_few", "Proposes one option fewer than asked for."),
        asking(_count(-1)),
    ),
    Flaw(
        "too-many",
        *_wrong("count:too_many", "Proposes one option more than asked for."),
        asking(_count(1)),
    ),
    Flaw(
        "five-minute-grid",
        *_wrong("off_grid", "Lets options start at every fifth minute."),
        knowing(_five_minutes),
    ),
    Flaw(
        "starts-at-five-past",
        *_wrong("off_grid", "Names every option five minutes too late."),
        choosing(_shifted(timedelta(minutes=5))),
    ),
    Flaw(
        "no-room-named",
        *_wrong("room_missing", "Finds a room for every option and names none."),
        choosing(_without_rooms),
        (3,),
    ),
)
"""In the order: added conditions, wrong values, ranking, number, grid, rooms."""
