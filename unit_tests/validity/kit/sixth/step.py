"""The mechanism of this kit: an expectation, and a change to one step of the reference agent."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, Final

from mpcbench.benchmark.agents.protocol import Budget
from mpcbench.benchmark.agents.reference.desk import Desk, minutes
from mpcbench.benchmark.agents.reference.facts import Busy, Facts, Heard, Kind, Request, Window
from mpcbench.benchmark.agents.reference.grammar_policy import Rule
from mpcbench.benchmark.agents.reference.integrate import Option, choose
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.cause import Stage
from mpcbench.schema.model import Level
from unit_tests.validity.kit.core import FlawedAgent, Mind, Plan

ALL: Final[tuple[Level, ...]] = (1, 2, 3)
THREADS: Final[tuple[Level, ...]] = (2, 3)
ROOMS: Final[tuple[Level, ...]] = (3,)
SECOND: Final[tuple[Level, ...]] = (2,)
"""The only level at which the latest options may be asked for."""

OMITTED: Final = "integration.constraint_omitted"
ADDED: Final = "integration.constraint_added"
WRONG: Final = "integration.value_wrong"
LOST: Final = "integration.record_overlooked:event"
MISREAD: Final = "integration.record_misread:event"
UNBOOKED: Final = "integration.record_overlooked:booking"
MISBOOKED: Final = "integration.record_misread:booking"
STARTS: Final = "integration.starts_only"
SLIP: Final = "integration.candidate_slip"
HABIT: Final = "integration.habit"
RANKING: Final = "integration.ranking"
TIES: Final = f"{RANKING}:tie_break"
TOO_FEW: Final = "integration.count:too_few"
TOO_MANY: Final = "integration.count:too_many"
NEVER: Final = "acquisition.record_never_seen"
PART: Final = "acquisition.record_seen_in_part"
BROKEN: Final = "observed.condition_broken"
PASSED: Final = "observed.passed_over"
ONE: Final = "observed.one_wrong"
NUMBER: Final = "observed.wrong_number"
BUSY: Final = (f"{OMITTED}:busy", f"{BROKEN}:busy")
BOOKED: Final = (f"{OMITTED}:bookings", f"{BROKEN}:bookings")

Call = Callable[..., str]
"""The tools as the desk calls them: the tool and its arguments give the text of the result."""

Entry = Callable[[Busy, Facts], Busy | None]
"""What an event or a booking is taken for; None if it is lost."""


def agent(
    name: str,
    description: str,
    plan: Plan,
    *right: str,
    why: str,
    also: Sequence[str] = (),
    stage: Stage = Stage.INTEGRATION,
    levels: tuple[Level, ...] = ALL,
    follows_up: bool = True,
) -> FlawedAgent:
    """An agent; `why` says why a fair reader would give these reasons, or accept those in `also`."""
    return FlawedAgent(
        name=f"k7-{name}",
        description=description,
        stage=stage,
        expected=why,
        reasons=right,
        acceptable=tuple(also),
        plan=plan,
        levels=levels,
        follows_up=follows_up,
    )


class _AlteredDesk(Desk):
    """A desk of which the calls go through a change."""

    def __init__(self, tools: Toolbox, budget: Budget, change: Callable[[Call, str, dict[str, Any]], str]) -> None:
        super().__init__(tools, budget)
        self._change = change

    def call(self, tool: str, /, **arguments: Any) -> str:
        return self._change(super().call, tool, arguments)


def calling(change: Callable[[Mind, Call, str, dict[str, Any]], str]) -> Plan:
    """Change how tools are called, or what is taken from their results."""

    def desk(mind: Mind, tools: Toolbox, budget: Budget) -> Desk:
        return _AlteredDesk(tools, budget, lambda call, tool, arguments: change(mind, call, tool, arguments))

    return Plan(desk=desk)


def hearing(change: Callable[[list[Heard]], Iterable[Heard]]) -> Plan:
    """Change the statements that were read."""
    return Plan(heard=lambda _, heard: list(change(heard)))


def asking(change: Callable[[Request], Mapping[str, Any]]) -> Plan:
    """Take fields of the request for others before anything is fetched for it."""
    return Plan(request=lambda _, request: replace(request, **change(request)))


def terms(change: Callable[[Request], Mapping[str, Any]]) -> Plan:
    """Take fields of the request for others once everything is fetched."""
    return knowing(lambda _, facts: replace(facts, request=replace(facts.request, **change(facts.request))))


def knowing(change: Callable[[Mind, Facts], Facts]) -> Plan:
    """Change the facts once everything is fetched."""
    return Plan(facts=change)


def ruling(change: Callable[[Rule], Iterable[Rule]]) -> Plan:
    """Take each rule for others."""
    return knowing(lambda _, facts: replace(facts, rules=[new for rule in facts.rules for new in change(rule)]))


def by_lot(variants: Callable[[Mind, Facts], Iterable[tuple[dict[str, Any], Facts]]]) -> Plan:
    """Slip once, by lot among the slips without which the answer would be another one; the slip is noted."""

    def step(mind: Mind, facts: Facts) -> Facts:
        right, every = choose(facts), list(variants(mind, facts))
        for slip, changed in mind.rng.sample(every, len(every)):
            if choose(changed) != right:
                mind.note(**slip)
                return changed
        return facts

    return knowing(step)


def giving(change: Callable[[Mind, Facts, list[Option]], list[Option]]) -> Plan:
    """Change the options that were chosen."""
    return Plan(options=change)


def picking(change: Callable[[Facts, list[Option]], Iterable[Option]]) -> Plan:
    """Choose otherwise among all options, which `change` gets in the order of the ranking; as many as asked for."""
    return Plan(choose=lambda _, facts: list(change(facts, ranked(facts)))[: facts.request.count])


def ranked(facts: Facts) -> list[Option]:
    """All feasible options in the order of the ranking."""
    return choose(replace(facts, request=replace(facts.request, count=1_000_000)))


def of_events(change: Entry) -> Plan:
    """Take every event for another, or for none."""
    return knowing(
        lambda _, facts: replace(
            facts, calendars={one: changed(facts, facts.calendars[one], change) for one in facts.calendars}
        )
    )


def of_bookings(change: Entry) -> Plan:
    """Take every booking for another, or for none."""
    return knowing(
        lambda _, facts: replace(
            facts, bookings={one: changed(facts, facts.bookings[one], change) for one in facts.bookings}
        )
    )


def changed(facts: Facts, entries: Iterable[Busy], change: Entry) -> list[Busy]:
    """What entries are taken for."""
    return [new for one in entries if (new := change(one, facts)) is not None and new.start < new.end]


def one_event(change: Entry) -> Plan:
    """Take one event for another, or overlook it."""
    return by_lot(
        lambda mind, facts: (
            ({"record": mind.calendar_record(owner), "event": one._asdict()}, with_events(facts, owner, entries))
            for owner, listed in facts.calendars.items()
            for one, entries in _once(facts, listed, change)
        )
    )


def one_booking(change: Entry) -> Plan:
    """Take one booking for another, or overlook it."""
    return by_lot(
        lambda _, facts: (
            ({"record": f"room_calendar:{room}", "booking": one._asdict()}, with_bookings(facts, room, entries))
            for room, listed in facts.bookings.items()
            for one, entries in _once(facts, listed, change)
        )
    )


def _once(facts: Facts, listed: Sequence[Busy], change: Entry) -> Iterator[tuple[Busy, list[Busy]]]:
    for place, one in enumerate(listed):
        new = changed(facts, [one], change)
        if new != [one] and day_of(one.end, facts) >= days_of(facts)[0]:
            yield one, [*listed[:place], *new, *listed[place + 1 :]]


def with_events(facts: Facts, owner: str, entries: Iterable[Busy]) -> Facts:
    """The facts with other events of one participant."""
    return replace(facts, calendars=facts.calendars | {owner: list(entries)})


def with_bookings(facts: Facts, room: str, entries: Iterable[Busy]) -> Facts:
    """The facts with other bookings of one room."""
    return replace(facts, bookings=facts.bookings | {room: list(entries)})


def days_of(facts: Facts) -> tuple[date, date]:
    """The first and the last day of the window."""
    assert facts.request.window is not None
    return facts.request.window.days


def local(moment: int, facts: Facts) -> datetime:
    """The time on the wall clock."""
    return datetime.fromtimestamp(moment * 60, facts.zone)


def day_of(moment: int, facts: Facts) -> date:
    """The local day."""
    return local(moment, facts).date()


def later(moment: int, facts: Facts, by: timedelta) -> int:
    """A moment moved on the wall clock."""
    return minutes(local(moment, facts) + by)


def moved(busy: Busy, facts: Facts, **by: float) -> Busy:
    """An entry at another time of the wall clock."""
    start, end = (later(moment, facts, timedelta(**by)) for moment in (busy.start, busy.end))
    return busy._replace(start=start, end=end)


def first_holds(*kinds: Kind) -> Plan:
    """Of statements of a kind the first holds, not the last."""

    def change(heard: list[Heard]) -> Iterable[Heard]:
        seen = set()
        for one in heard:
            if one.kind not in kinds or one.kind not in seen:
                yield one
            seen.add(one.kind)

    return hearing(change)


def window_of(request: Request) -> Window:
    assert request.window is not None
    return request.window
