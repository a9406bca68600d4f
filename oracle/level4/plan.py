"""The first plan: several meetings placed so that people, rooms, order and daily limits agree.

Meetings are fixed in the order of the agenda. A candidate is fixed if the meetings left can still be completed, which a
search decides: it places the meeting with the fewest starts next, removes from the others what the placement rules out,
and remembers states that failed. A completion found serves as an upper bound for the meetings that follow.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from mpcbench.oracle.interval import members
from mpcbench.oracle.level4.attending import Attending, Placement
from mpcbench.oracle.level4.capacity import DailyCapacity, Domain, union
from mpcbench.oracle.level4.meeting import Situation
from mpcbench.oracle.level4.stage import Stage

SEARCH_LIMIT: Final = 100_000
"""The number of placements that a search tries before it gives up."""


class SearchLimitError(RuntimeError):
    """A plan was not found, nor shown to be impossible, within the bound."""


@dataclass(frozen=True, slots=True)
class State:
    """Some meetings placed, and what is left for the others."""

    placed: tuple[Placement, ...]
    domains: Mapping[int, Domain]
    """By meeting, those not placed."""

    taken: Mapping[tuple[str, int], int] = field(default_factory=dict)
    """In how many meetings a person is required on a day, by person and the day's starts."""


def first_plan(
    stage: Stage,
    *,
    lookahead: bool,
    ordered: bool,
    limited: bool,
    most: int = SEARCH_LIMIT,
    likely: Mapping[str, tuple[int, str]] | None = None,
) -> tuple[tuple[int, str], ...]:
    """The start (minutes since 1970-01-01 UTC) and the room of every meeting; shorter if there is no plan.

    Args:
        stage: The meetings.
        lookahead: Whether a candidate must let the later meetings be placed; otherwise the first that agrees with the
            earlier ones is taken, and the plan ends where there is none.
        ordered: Whether the order of meetings counts.
        limited: Whether the limit per person and day counts.
        most: The number of placements to try.
        likely: A plan that may be possible, as a start and a room for each meeting's name. If it is, the search is
            shorter; the plan found is the same.

    Raises:
        SearchLimitError: the search exceeds its bound.
    """
    search = _Search(stage, ordered=ordered, limited=limited, most=most)
    placed = search.planned(likely or {}) if lookahead else search.greedy()
    return tuple(
        (stage.axis.instants[one.start], stage.meetings[one.meeting].options[one.option].room.room_id) for one in placed
    )


class _Search:
    def __init__(self, stage: Stage, *, ordered: bool, limited: bool, most: int) -> None:
        self.most = most
        self.axis = stage.axis
        self.meetings = stage.meetings
        self.limit = stage.daily_limit if limited else None
        self.tries = 0
        self.failed: set[tuple[object, ...]] = set()
        self.gaps: dict[tuple[int, int], int | None] = {}
        self.day_of = {place: mask for mask in stage.axis.dates.values() for place in members(mask)}
        self.attending = Attending(stage, self.day_of, self.limit)
        self.capacity = None if self.limit is None else DailyCapacity(stage, self.limit)
        places = {meeting.brief.name: place for place, meeting in enumerate(stage.meetings)}
        self.order = [
            (places[other], place)
            for place, meeting in enumerate(stage.meetings)
            for other in meeting.brief.after_meetings
            if ordered
        ]

    def start(self) -> State:
        domains = {place: tuple(one.starts for one in meeting.options) for place, meeting in enumerate(self.meetings)}
        return State((), domains)

    def greedy(self) -> tuple[Placement, ...]:
        state = self.start()
        for place in range(len(self.meetings)):
            candidates = (self.place(state, one, demanding=False) for one in self.candidates(state, place))
            following = next((one for one in candidates if one is not None), None)
            if following is None:
                break
            state = following
        return state.placed

    def planned(self, likely: Mapping[str, tuple[int, str]]) -> tuple[Placement, ...]:
        state: State | None = self.bounded(self.start())
        if state is None:
            return ()
        completion = self.followed(state, likely) or self.completion(state)
        if completion is None:
            return ()
        for place in range(len(self.meetings)):
            for candidate in self.candidates(state, place):
                following = self.place(state, candidate)
                if following is None:
                    continue
                if candidate != completion[place]:
                    other = self.completion(following)
                    if other is None:
                        continue
                    completion = other
                state = following
                break
        return state.placed

    def followed(self, state: State, plan: Mapping[str, tuple[int, str]]) -> Mapping[int, Placement] | None:
        """The placements of a plan; None if it is not possible."""
        for place, meeting in enumerate(self.meetings):
            if meeting.brief.name not in plan:
                return None
            start, room_id = plan[meeting.brief.name]
            at = self.axis.between(start, start + 1)
            possible = (
                Placement(place, option, at.bit_length() - 1)
                for option, (one, starts) in enumerate(zip(meeting.options, state.domains[place], strict=True))
                if one.room.room_id == room_id and starts & at
            )
            candidate = next(possible, None)
            following = None if candidate is None else self.place(state, candidate)
            if following is None:
                return None
            state = following
        return {one.meeting: one for one in state.placed}

    def candidates(self, state: State, place: int) -> Iterator[Placement]:
        """The candidates left of a meeting, in ranking order."""
        domain = state.domains[place]
        for start in members(union(domain)):
            for option, starts in enumerate(domain):
                if starts >> start & 1:
                    yield Placement(place, option, start)

    def completion(self, state: State) -> Mapping[int, Placement] | None:
        """Placements of all meetings, those placed included; None if there is none."""
        if not state.domains:
            return {one.meeting: one for one in state.placed}
        key = (self.attending.key(state.placed), tuple(state.domains.items()), tuple(sorted(state.taken.items())))
        if key in self.failed:
            return None
        place = min(state.domains, key=lambda one: (union(state.domains[one]).bit_count(), one))
        for candidate in self.promising(state, place):
            following = self.place(state, candidate)
            found = None if following is None else self.completion(following)
            if found is not None:
                return found
        self.failed.add(key)
        return None

    def promising(self, state: State, place: int) -> Iterator[Placement]:
        """The candidates of a meeting; of a start whose room matters to no other meeting, one room is enough."""
        domain, meeting = state.domains[place], self.meetings[place]
        for start in members(union(domain)):
            by_situation: dict[int, list[Placement]] = {}
            for option, starts in enumerate(domain):
                if starts >> start & 1:
                    situation = id(meeting.options[option].situation)
                    by_situation.setdefault(situation, []).append(Placement(place, option, start))
            for candidates in by_situation.values():
                alone = (one for one in candidates if not self.contested(state, one))
                unaffecting = next(alone, None)
                yield from candidates if unaffecting is None else (unaffecting,)

    def contested(self, state: State, candidate: Placement) -> bool:
        """Whether the candidate's room takes starts from another meeting."""
        return any(
            self.near_room(candidate, other, option) & domain[option]
            for other, domain in state.domains.items()
            if other != candidate.meeting
            for option in range(len(domain))
            if domain[option]
        )

    def place(self, state: State, candidate: Placement, *, demanding: bool = True) -> State | None:
        """The state with one more meeting placed; None if that rules out another one, unless that is not demanded."""
        self.tries += 1
        if self.tries > self.most:
            msg = f"{self.meetings[0].brief.name!r}: no plan found in {self.most} placements"
            raise SearchLimitError(msg)
        placed = (*state.placed, candidate)
        if not self.attending.fit(placed):
            return None
        taken = dict(state.taken)
        day = self.day_of[candidate.start]
        full = set()
        for person in self.situation(candidate).cast.required if self.limit is not None else ():
            taken[person, day] = taken.get((person, day), 0) + 1
            if taken[person, day] == self.limit:
                full.add(person)
        domains = {
            other: self.left(domain, candidate, other, full, day)
            for other, domain in state.domains.items()
            if other != candidate.meeting
        }
        following = State(placed, domains, taken)
        if not demanding:
            return following
        return self.bounded(following)

    def left(self, domain: Domain, candidate: Placement, other: int, full: set[str], day: int) -> Domain:
        """What a placement leaves of another meeting's domain."""
        options = self.meetings[other].options
        out_of_order = self.out_of_order(candidate, other)
        ruled_out: dict[int, int] = {}
        found = []
        for option, starts in enumerate(domain):
            situation = options[option].situation
            if starts and id(situation) not in ruled_out:
                limited = day if full & situation.cast.required else 0
                ruled_out[id(situation)] = self.near_people(candidate, other, situation) | limited | out_of_order
            remaining = starts and starts & ~ruled_out[id(situation)] & ~self.near_room(candidate, other, option)
            found.append(remaining)
        return tuple(found)

    def out_of_order(self, candidate: Placement, other: int) -> int:
        """The starts of another meeting that the order of meetings rules out, given a placement."""
        start = self.axis.instants[candidate.start]
        found = 0
        if (candidate.meeting, other) in self.order:
            found |= self.axis.between(self.axis.span.start, start + self.meetings[candidate.meeting].length)
        if (other, candidate.meeting) in self.order:
            found |= self.axis.between(start - self.meetings[other].length + 1, self.axis.span.end)
        return found

    def bounded(self, state: State) -> State | None:
        """The state without the starts that the order among meetings not placed rules out; None if one has none left."""
        domains = dict(state.domains)
        pairs = [(first, second) for first, second in self.order if first in domains and second in domains]
        for first, second in pairs * len(pairs):
            earliest, latest = self.extremes(domains[first])[0], self.extremes(domains[second])[1]
            length = self.meetings[first].length
            later = self.axis.between(earliest + length, self.axis.span.end)
            earlier = self.axis.between(self.axis.span.start, latest - length + 1)
            domains[second] = tuple(starts & later for starts in domains[second])
            domains[first] = tuple(starts & earlier for starts in domains[first])
        if not all(map(any, domains.values())):
            return None
        if self.capacity is not None and not self.capacity.suffices(state.placed, domains, state.taken):
            return None
        return State(state.placed, domains, state.taken)

    def extremes(self, domain: Domain) -> tuple[int, int]:
        """The first and the last start; the end and the beginning of the axis if there is none."""
        starts = union(domain)
        if not starts:
            return self.axis.span.end, self.axis.span.start
        return self.axis.instants[(starts & -starts).bit_length() - 1], self.axis.instants[starts.bit_length() - 1]

    def near_people(self, candidate: Placement, other: int, situation: Situation) -> int:
        """The starts of another meeting at which a person required in both would be too close to the candidate."""
        own = self.situation(candidate)
        pair = (id(own), id(situation))
        if pair not in self.gaps:
            shared = own.cast.required & situation.cast.required
            gaps = (max(own.buffers[person], situation.buffers[person]) for person in shared)
            self.gaps[pair] = max(gaps, default=None)
        gap = self.gaps[pair]
        return 0 if gap is None else self.around(candidate, other, gap)

    def near_room(self, candidate: Placement, other: int, option: int) -> int:
        """The starts of another meeting's option at which its room would be too close to the candidate's use of it."""
        own = self.meetings[candidate.meeting].options[candidate.option]
        theirs = self.meetings[other].options[option]
        if own.room.room_id != theirs.room.room_id:
            return 0
        return self.around(candidate, other, max(own.situation.room.turnaround, theirs.situation.room.turnaround))

    def around(self, candidate: Placement, other: int, gap: int) -> int:
        """The starts of another meeting that are less than the gap away from the candidate."""
        start = self.axis.instants[candidate.start]
        end = start + self.meetings[candidate.meeting].length
        return self.axis.between(start - gap - self.meetings[other].length + 1, end + gap)

    def situation(self, candidate: Placement) -> Situation:
        return self.meetings[candidate.meeting].options[candidate.option].situation
