"""The first plan: several meetings placed so that people, rooms, order and daily limits agree.

Meetings are fixed in the order of the agenda. A candidate is fixed if the meetings left can still be completed, which a
search decides: it places the meeting with the fewest starts next, removes from the others what the placement rules out,
and remembers states that failed. A completion found serves as an upper bound for the meetings that follow.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from mpcbench.oracle.interval import members
from mpcbench.oracle.level4.attending import Attending, Placement
from mpcbench.oracle.level4.capacity import DailyCapacity, Domain, union
from mpcbench.oracle.level4.choices import Attendance
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
    attendances: tuple[Attendance, ...]
    """At the meetings placed."""

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
    least: Mapping[str, tuple[int, str]] | None = None,
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
        least: A plan, possible or not, before which there certainly is none; with lookahead, none is looked for there.

    Raises:
        SearchLimitError: the search exceeds its bound.
    """
    search = Search(stage, ordered=ordered, limited=limited, most=most)
    placed = search.planned(likely or {}, least or {}) if lookahead else search.greedy()
    return tuple(map(search.choice, placed))


def is_first_plan(
    stage: Stage,
    plan: Mapping[str, tuple[int, str]],
    *,
    ordered: bool,
    limited: bool,
    most: int = SEARCH_LIMIT,
    rival: Mapping[str, tuple[int, str]] | None = None,
) -> bool:
    """Whether a plan is what `first_plan` finds with lookahead; known as soon as a candidate before it can be part of one.

    Args:
        stage: The meetings.
        plan: A start and a room for each meeting's name.
        ordered: As of `first_plan`.
        limited: As of `first_plan`.
        most: The number of placements to try.
        rival: Another plan, which may be possible and come before, so that no other one has to be looked for.

    Raises:
        SearchLimitError: the search exceeds its bound.
    """
    return Search(stage, ordered=ordered, limited=limited, most=most).is_first(plan, rival or {})


class Search:
    """The search for the first plan of a stage."""

    def __init__(self, stage: Stage, *, ordered: bool, limited: bool, most: int) -> None:
        self.most = most
        self.axis = stage.axis
        self.meetings = stage.meetings
        self.limit = stage.daily_limit if limited else None
        self.tries = 0
        self.hints: Mapping[int, Placement] = {}
        """The candidate of a likely plan, by meeting."""

        self.failed: set[tuple[object, ...]] = set()
        self.gaps: dict[tuple[int, int], tuple[tuple[int | None, ...], frozenset[int | None]]] = {}
        self.day_of = stage.axis.day_of
        self.attending = Attending(stage, self.day_of, self.limit)
        self.capacity = None if self.limit is None else DailyCapacity(stage, self.limit)
        places = {meeting.brief.name: place for place, meeting in enumerate(stage.meetings)}
        self.order = [
            (places[other], place)
            for place, meeting in enumerate(stage.meetings)
            for other in meeting.brief.after_meetings
            if ordered
        ]
        self.close: dict[tuple[int, int, int, int], int] = {}
        """What `around` has found, by meeting, start, other meeting and gap."""

        self.shared: dict[tuple[int, int], tuple[tuple[int, int, int], ...]] = {}
        """What `sharing` has found, by meeting and option."""

        self.in_room: dict[str, list[tuple[int, int, Situation]]] = {}
        """The meetings, options and their situations in a room, by its ID."""

        for place, meeting in enumerate(stage.meetings):
            for option, one in enumerate(meeting.options):
                self.in_room.setdefault(one.room.room_id, []).append((place, option, one.situation))

    def start(self) -> State:
        domains = {place: tuple(one.starts for one in meeting.options) for place, meeting in enumerate(self.meetings)}
        return State((), (), domains)

    def greedy(self) -> tuple[Placement, ...]:
        state = self.start()
        for place in range(len(self.meetings)):
            candidates = (self.place(state, one, demanding=False) for one in self.candidates(state, place))
            following = next((one for one in candidates if one is not None), None)
            if following is None:
                break
            state = following
        return state.placed

    def planned(
        self, likely: Mapping[str, tuple[int, str]], least: Mapping[str, tuple[int, str]]
    ) -> tuple[Placement, ...]:
        state: State | None = self.bounded(self.start())
        if state is None:
            return ()
        self.hints = {
            place: candidate
            for place, meeting in enumerate(self.meetings)
            if meeting.brief.name in likely
            and (candidate := self.placement(place, *likely[meeting.brief.name])) is not None
        }
        completion = self.followed(state, likely) or self.completion(state)
        if completion is None:
            return ()
        for place, meeting in enumerate(self.meetings):
            bound = self.rank(place, least.get(meeting.brief.name))
            for candidate in self.candidates(state, place):
                if (candidate.start, candidate.option) < bound:
                    continue
                following = self.place(state, candidate)
                if following is None:
                    continue
                if candidate != completion[place]:
                    other = self.completion(following)
                    if other is None:
                        continue
                    completion = other
                state = following
                least = least if self.choice(candidate) == least.get(meeting.brief.name) else {}
                break
        return state.placed

    def choice(self, candidate: Placement) -> tuple[int, str]:
        """The start (minutes since 1970-01-01 UTC) and the room of a candidate."""
        room = self.meetings[candidate.meeting].options[candidate.option].room
        return self.axis.instants[candidate.start], room.room_id

    def rank(self, place: int, choice: tuple[int, str] | None) -> tuple[int, int]:
        """A bound that no candidate of a meeting before a choice reaches; the least one for a room that is not offered."""
        if choice is None:
            return 0, 0
        start, room_id = choice
        options = self.meetings[place].options
        option = next((number for number, one in enumerate(options) if one.room.room_id == room_id), 0)
        return self.axis.between(start, start + 1).bit_length() - 1, option

    def is_first(self, plan: Mapping[str, tuple[int, str]], rival: Mapping[str, tuple[int, str]]) -> bool:
        """Whether a plan is possible and no other one comes before it; a rival, which may be possible, is tried first."""
        state: State | None = self.bounded(self.start())
        placements = None if state is None else self.followed(state, plan)
        if state is None or placements is None:
            return False
        tries = self.tries
        others = self.followed(state, rival)
        self.tries = tries  # so that a plan is found in as many placements as without a rival
        if others is not None and self.ranks(others) < self.ranks(placements):
            return False
        for place in range(len(self.meetings)):
            for candidate in self.candidates(state, place):
                following = self.place(state, candidate)
                if candidate == placements[place]:
                    assert following is not None
                    state = following
                    break
                if following is not None and self.completion(following) is not None:
                    return False
        return True

    def ranks(self, placements: Mapping[int, Placement]) -> list[tuple[int, int]]:
        """By what plans compare: start and option of each meeting, in the order of the agenda."""
        return [(placements[place].start, placements[place].option) for place in range(len(self.meetings))]

    def followed(self, state: State, plan: Mapping[str, tuple[int, str]]) -> Mapping[int, Placement] | None:
        """The placements of a plan; None if it is not possible."""
        for place, meeting in enumerate(self.meetings):
            if meeting.brief.name not in plan:
                return None
            candidate = self.placement(place, *plan[meeting.brief.name])
            possible = candidate is not None and state.domains[place][candidate.option] >> candidate.start & 1
            following = self.place(state, candidate) if candidate is not None and possible else None
            if following is None:
                return None
            state = following
        return {one.meeting: one for one in state.placed}

    def placement(self, place: int, start: int, room_id: str) -> Placement | None:
        """The candidate of a meeting at a start (minutes since 1970-01-01 UTC) in a room; None if there is none."""
        at = self.axis.between(start, start + 1)
        option = self.meetings[place].option_at(at, room_id)
        return None if option is None else Placement(place, option, at.bit_length() - 1)

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
        key = (self.attending.key(state.attendances), tuple(state.domains.items()), tuple(sorted(state.taken.items())))
        if key in self.failed:
            return None
        place = min(state.domains, key=lambda one: (union(state.domains[one]).bit_count(), one))
        for candidate in self.hinted(state, place):
            following = self.place(state, candidate)
            found = None if following is None else self.completion(following)
            if found is not None:
                return found
        self.failed.add(key)
        return None

    def hinted(self, state: State, place: int) -> Iterator[Placement]:
        """The promising candidates of a meeting, first that of the likely plan."""
        hint = self.hints.get(place)
        if hint is not None and state.domains[place][hint.option] >> hint.start & 1:
            yield hint
        yield from (one for one in self.promising(state, place) if one != hint)

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
            state.domains[other][option] & self.around(candidate, other, gap)
            for other, option, gap in self.sharing(candidate.meeting, candidate.option)
            if other in state.domains and state.domains[other][option]
        )

    def place(self, state: State, candidate: Placement, *, demanding: bool = True) -> State | None:
        """The state with one more meeting placed; None if that rules out another one, unless that is not demanded."""
        self.tries += 1
        if self.tries > self.most:
            msg = f"{self.meetings[0].brief.name!r}: no plan found in {self.most} placements"
            raise SearchLimitError(msg)
        new = self.attending.of(candidate)
        if not self.attending.fit(state.attendances, new):
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
        following = State((*state.placed, candidate), (*state.attendances, new), domains, taken)
        return self.bounded(following) if demanding else following

    def left(self, domain: Domain, candidate: Placement, other: int, full: set[str], day: int) -> Domain:
        """What a placement leaves of another meeting's domain."""
        own, options = self.meetings[candidate.meeting].options[candidate.option], self.meetings[other].options
        out_of_order = self.out_of_order(candidate, other)
        gaps, different = self.gaps_to(own.situation, other)
        possible = {
            gap: ~(out_of_order | (0 if gap is None else self.around(candidate, other, gap))) for gap in different
        }
        found = [starts & possible[gap] for starts, gap in zip(domain, gaps, strict=True)]
        if full:
            for option, one in enumerate(options):
                if full & one.situation.cast.required:
                    found[option] &= ~day
        for place, option, gap in self.sharing(candidate.meeting, candidate.option):
            if place == other and found[option]:
                found[option] &= ~self.around(candidate, other, gap)
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
        """The state without the starts that the order among meetings not placed rules out; None if that leaves too few."""
        found = self.in_order(state)
        return found if found is not None and self.leaves_days(found) else None

    def leaves_days(self, state: State) -> bool:
        """Whether there are days enough for the meetings not placed."""
        return self.capacity is None or self.capacity.suffices(state.placed, state.domains, state.taken)

    def in_order(self, state: State) -> State | None:
        """The state without the starts that the order among meetings not placed rules out; None if one has none left."""
        domains = dict(state.domains)
        pairs = [(first, second) for first, second in self.order if first in domains and second in domains]
        starts = {place: union(domains[place]) for pair in pairs for place in pair}
        for _ in pairs:
            before = dict(starts)
            for first, second in pairs:
                earliest, latest = self.extremes(starts[first])[0], self.extremes(starts[second])[1]
                length = self.meetings[first].length
                starts[second] &= self.axis.between(earliest + length, self.axis.span.end)
                starts[first] &= self.axis.between(self.axis.span.start, latest - length + 1)
            if starts == before:
                break
        for place, left in starts.items():
            domains[place] = tuple(one & left for one in domains[place])
        if not all(map(any, domains.values())):
            return None
        return replace(state, domains=domains)

    def extremes(self, starts: int) -> tuple[int, int]:
        """The first and the last start; the end and the beginning of the axis if there is none."""
        if not starts:
            return self.axis.span.end, self.axis.span.start
        return self.axis.instants[(starts & -starts).bit_length() - 1], self.axis.instants[starts.bit_length() - 1]

    def gaps_to(self, own: Situation, other: int) -> tuple[tuple[int | None, ...], frozenset[int | None]]:
        """How far from a placement each option of another meeting must be for the sake of who is required in both.

        None where nobody is; and which different ones there are.
        """
        key = (id(own), other)
        if key not in self.gaps:
            found = []
            for option in self.meetings[other].options:
                theirs = option.situation
                shared = own.cast.required & theirs.cast.required
                found.append(max((max(own.buffers[one], theirs.buffers[one]) for one in shared), default=None))
            self.gaps[key] = tuple(found), frozenset(found)
        return self.gaps[key]

    def sharing(self, place: int, option: int) -> tuple[tuple[int, int, int], ...]:
        """The options of other meetings in the same room, each with the minutes that have to lie between the two."""
        key = (place, option)
        if key not in self.shared:
            own = self.meetings[place].options[option]
            self.shared[key] = tuple(
                (other, one, max(own.situation.room.turnaround, situation.room.turnaround))
                for other, one, situation in self.in_room[own.room.room_id]
                if other != place
            )
        return self.shared[key]

    def around(self, candidate: Placement, other: int, gap: int) -> int:
        """The starts of another meeting that are less than the gap away from the candidate."""
        key = (candidate.meeting, candidate.start, other, gap)
        if key not in self.close:
            start = self.axis.instants[candidate.start]
            end = start + self.meetings[candidate.meeting].length
            self.close[key] = self.axis.between(start - gap - self.meetings[other].length + 1, end + gap)
        return self.close[key]

    def situation(self, candidate: Placement) -> Situation:
        return self.meetings[candidate.meeting].options[candidate.option].situation
