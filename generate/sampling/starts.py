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

    at: int
    """The time, an instant."""

    demand: Demand
    guesses: tuple[int, ...] = ()
    """What the time may be mistaken for: the obvious guesses at the end of an event."""


def that_matter(starts: Sequence[Start], feasible: int, origin: int) -> Sequence[Start]:
    """Of some starts, by time, those that cut feasible starts off, and other ones than any guess at them would.

    Args:
        starts: The starts, by time.
        feasible: The feasible starts of the meeting, as a set of minutes.
        origin: The instant of the set's minute 0.
    """
    found = []
    for before, after in pairwise(origin + place for place in members(feasible)):
        low, high = (bisect_right(starts, instant, key=attrgetter("at")) for instant in (before, after))
        found += [start for start in starts[low:high] if not any(before < guess <= after for guess in start.guesses)]
    return found


def starts_after_events(setting: Setting, draft: Draft, rng: Random) -> Sequence[Start]:
    """The ends of the events of the participants and of some others that lie in the window."""
    window = draft.problem.window
    people = [person.person_id for person in setting.world.people]
    owners = {*draft.problem.participants, *rng.sample(people, _OWNERS)}
    low = bisect_left(setting.endings, (window.start + 1,))
    high = bisect_left(setting.endings, (window.end,))
    return [_after_event(*ending, setting.zone) for ending in setting.endings[low:high] if ending[1] in owners]


@lru_cache(maxsize=65536)
def _after_event(end: int, owner: str, event: str, zone: tzinfo) -> Start:
    demand = thread_demand(StartsFrom(end), AfterEvent(person_id=owner, event_id=event))
    return Start(end, demand, tuple(guess for _, guess in guessed_ends(end, zone)))


@lru_cache(maxsize=8192)
def _from(at: int, zone: tzinfo) -> Start:
    return Start(at, thread_demand(StartsFrom(at), NotBefore(at=to_datetime(at, zone))))


def starts_at_plain_times(setting: Setting, draft: Draft, _: Random) -> Sequence[Start]:
    """Every half hour of the window's daily hours."""
    window, daily = draft.problem.window, draft.problem.daily
    assert daily is not None
    day, last = (to_datetime(moment, setting.zone).date() for moment in (window.start, window.end - 1))
    starts = []
    while day <= last:
        instants = (setting.instant(day, minute) for minute in range(*daily, 30))
        starts += [_from(at, setting.zone) for at in instants]
        day += timedelta(days=1)
    return starts
