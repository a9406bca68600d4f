"""The parts that agents of this kit are made of: a frozen expectation with its rationale, and steps made from changes."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final, TypeVar

from mpcbench.benchmark.agents.reference.desk import minutes
from mpcbench.benchmark.agents.reference.facts import Busy, Facts, Heard, Kind, Request
from mpcbench.benchmark.agents.reference.grammar_policy import Rule
from mpcbench.benchmark.agents.reference.grammar_time import MINUTES_PER_DAY, Moment, instant
from mpcbench.benchmark.agents.reference.integrate import Option, choose
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import FlawedAgent, Mind, Plan, candidate_of

HOUR: Final = 60
DAY: Final = MINUTES_PER_DAY
WITH_THREADS: Final = (2, 3)
WITH_ROOMS: Final = (3,)
_EVERY: Final = 1_000_000
_MOST_TRIES: Final = 150

_Place = TypeVar("_Place")


def agent(
    name: str,
    description: str,
    plan: Plan,
    *right: str,
    also: Sequence[str] = (),
    why: str,
    stage: Stage = Stage.INTEGRATION,
    levels: tuple[int, ...] = (1, 2, 3),
    single: bool = False,
    follows_up: bool = True,
) -> FlawedAgent:
    """An agent; `why` says why a fair reader would give these reasons, or accept those in `also`."""
    return FlawedAgent(
        name=f"k5-{name}",
        description=description,
        stage=stage,
        expected=why,
        reasons=right,
        acceptable=tuple(also),
        plan=plan,
        levels=levels,
        follows_up=follows_up,
        single=single,
    )


def clock(moment: int, facts: Facts) -> datetime:
    """The local time of an instant, which is given in minutes since 1970-01-01 UTC."""
    return datetime.fromtimestamp(moment * 60, facts.zone)


def in_window(busy: Busy, facts: Facts) -> bool:
    """Whether an entry lies in the days of the window."""
    assert facts.request.window is not None
    days = facts.request.window.days
    begin, end = (minutes(instant(moment, facts.zone)) for moment in (Moment(days.first, 0), Moment(days.last, DAY)))
    return begin < busy.end and busy.start < end


def every(facts: Facts) -> list[Option]:
    """All options, best first."""
    return choose(replace(facts, request=replace(facts.request, count=_EVERY)))


def ranked(pick: Callable[[Sequence[Option], int, Facts], list[Option]]) -> Plan:
    """Picking from all options, best first, when so many are asked for."""

    def step(_: Mind, facts: Facts) -> list[Option]:
        assert facts.request.count is not None
        return pick(every(facts), facts.request.count, facts)

    return Plan(choose=step)


def only(fits: Callable[[Option], bool]) -> Plan:
    """The best options of one kind; nothing else is proposed."""
    return ranked(lambda options, count, _: [one for one in options if fits(one)][:count])


def heard(change: Callable[[Request], Request]) -> Plan:
    """Remembering the request otherwise before anything is fetched for it."""
    return Plan(request=lambda mind, request: _noted(mind, request, change(request)))


def recalled(change: Callable[[Request], Request]) -> Plan:
    """Remembering the request otherwise once everything has been fetched."""
    return Plan(
        facts=lambda mind, facts: replace(facts, request=_noted(mind, facts.request, change(facts.request))),
    )


def ruled(change: Callable[[Rule], Sequence[Rule]]) -> Plan:
    """Remembering each rule of the policies otherwise."""

    def step(mind: Mind, facts: Facts) -> Facts:
        rules = [new for rule in facts.rules for new in change(rule)]
        if rules != facts.rules:
            mind.note(rules=[str(rule) for rule in facts.rules], taken_for=[str(rule) for rule in rules] or "none")
        return replace(facts, rules=rules)

    return Plan(facts=step)


def told(change: Callable[[Mind, list[Heard]], list[Heard]]) -> Plan:
    """Taking what was said otherwise."""

    def step(mind: Mind, statements: list[Heard]) -> list[Heard]:
        taken = change(mind, list(statements))
        if taken != statements:
            mind.note(
                lost=[str(one) for one in statements if one not in taken],
                taken=[str(one) for one in taken if one not in statements],
                order=[one.kind.value for one in taken],
            )
        return taken

    return Plan(heard=step)


def first_said(*kinds: Kind) -> Plan:
    """What is said first about a point is kept, whatever is said later."""

    def change(_: Mind, statements: list[Heard]) -> list[Heard]:
        met: set[Kind] = set()
        kept = []
        for one in statements:
            if one.kind not in kinds or one.kind not in met:
                kept.append(one)
            met.add(one.kind)
        return kept

    return told(change)


def _noted(mind: Mind, old: Request, new: Request) -> Request:
    for one in fields(Request):
        if getattr(old, one.name) != getattr(new, one.name):
            mind.note(**{one.name: str(getattr(old, one.name)), f"{one.name}_taken_for": str(getattr(new, one.name))})
    return new


Change = Callable[[Busy, Facts], Busy | None]
"""What an entry is taken for; None if it is not noticed."""


def one_event(change: Change) -> Plan:
    """Taking one event otherwise, where it matters."""
    return Plan(facts=lambda mind, facts: _one_entry(mind, facts, "calendars", change))


def one_booking(change: Change) -> Plan:
    """Taking one booking otherwise, where it matters."""
    return Plan(facts=lambda mind, facts: _one_entry(mind, facts, "bookings", change))


def _one_entry(mind: Mind, facts: Facts, kept_in: str, change: Change) -> Facts:
    right = choose(facts)
    lists: dict[str, list[Busy]] = getattr(facts, kept_in)
    places = [(owner, busy) for owner, entries in lists.items() for busy in entries if in_window(busy, facts)]
    for owner, busy in by_lot(mind, places):
        new = change(busy, facts)
        if new == busy:
            continue
        entries = [one for one in lists[owner] if one != busy] + ([] if new is None else [new])
        values: dict[str, Any] = {kept_in: {**lists, owner: entries}}
        slipped = replace(facts, **values)
        if choose(slipped) != right:
            record = mind.calendar_record(owner) if kept_in == "calendars" else f"room_calendar:{owner}"
            mind.note(record=record, entry=spoken(busy, facts), taken_for=None if new is None else spoken(new, facts))
            return slipped
    return facts


def by_lot(mind: Mind, places: Sequence[_Place]) -> list[_Place]:
    """Some of the places, in an order by lot."""
    return mind.rng.sample(places, min(len(places), _MOST_TRIES))


def spoken(busy: Busy, facts: Facts) -> str:
    """An entry in words."""
    return f"{busy.title}, {clock(busy.start, facts).isoformat()} to {clock(busy.end, facts).isoformat()}"


def one_line(change: Callable[[Mind, Facts, Sequence[Option], int], Option | None]) -> Plan:
    """Writing one option of the answer down otherwise; `change` may have no occasion to."""

    def step(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
        for place in by_lot(mind, range(len(options))):
            new = change(mind, facts, options, place)
            if new is not None and new not in options:
                mind.note(written=candidate_of(new), instead_of=candidate_of(options[place]))
                return [*options[:place], new, *options[place + 1 :]]
        return options

    return Plan(options=step)


def lines(change: Callable[[Option], Option]) -> Plan:
    """Writing all options down otherwise."""

    def step(mind: Mind, _: Facts, options: list[Option]) -> list[Option]:
        written = [change(one) for one in options]
        if written != options:
            mind.note(written=[candidate_of(one) for one in written])
        return written

    return Plan(options=step)
