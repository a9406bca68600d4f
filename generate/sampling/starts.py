"""Times from which a level 3 meeting may start: the ends of events, or plain times."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta, tzinfo
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from random import Random

from mpcbench.generate.sampling.demands import Demand, thread_demand
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.sampling.variants import guessed_ends
from mpcbench.oracle.interval import members, to_datetime
from mpcbench.oracle.problem import StartsFrom
from mpcbench.schema import AfterEvent, NotBefore

_OWNERS = 40
"""How many people's events are considered besides those of the participants."""


@dataclass(frozen=True, slots=True)
class Start:
    """A time from which the meeting may start."""

    offset: int
    """Minutes after the start of the window."""

    demand: Demand
    guesses: tuple[int, ...] = ()
    """What the time may be mistaken for, as offsets: the obvious guesses at the end of an event."""


def that_matter(starts: Sequence[Start], feasible: int) -> Sequence[Start]:
    """Of some starts, by offset, those that cut feasible starts off, and other ones than any guess at them would."""
    found = []
    for before, after in pairwise(members(feasible)):
        low, high = (bisect_right(starts, place, key=attrgetter("offset")) for place in (before, after))
        found += [start for start in starts[low:high] if not any(before < guess <= after for guess in start.guesses)]
    return found


def starts_after_events(setting: Setting, draft: Draft, rng: Random) -> Sequence[Start]:
    """The ends of the events of the participants and of some others that lie in the window."""
    window = draft.problem.window
    people = [person.person_id for person in setting.world.people]
    owners = {*draft.problem.participants, *rng.sample(people, _OWNERS)}
    low = bisect_left(setting.endings, (window.start + 1,))
    high = bisect_left(setting.endings, (window.end,))
    return [
        Start(
            end - window.start,
            _after_event(end, owner, event),
            tuple(guess - window.start for _, guess in guessed_ends(end, setting.zone)),
        )
        for end, owner, event in setting.endings[low:high]
        if owner in owners
    ]


@lru_cache(maxsize=65536)
def _after_event(end: int, owner: str, event: str) -> Demand:
    return thread_demand(StartsFrom(end), AfterEvent(person_id=owner, event_id=event))


@lru_cache(maxsize=8192)
def _from(at: int, zone: tzinfo) -> Demand:
    return thread_demand(StartsFrom(at), NotBefore(at=to_datetime(at, zone)))


def starts_at_plain_times(setting: Setting, draft: Draft, _: Random) -> Sequence[Start]:
    """Every half hour of the window's daily hours."""
    window, daily = draft.problem.window, draft.problem.daily
    assert daily is not None
    day, last = (to_datetime(moment, setting.zone).date() for moment in (window.start, window.end - 1))
    starts = []
    while day <= last:
        for minute in range(daily[0], daily[1], 30):
            at = setting.instant(day, minute)
            starts.append(Start(at - window.start, _from(at, setting.zone)))
        day += timedelta(days=1)
    return starts
