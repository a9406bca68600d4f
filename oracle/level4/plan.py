"""The first plan: several meetings placed so that people, rooms, order and daily limits agree.

Meetings are fixed in the order of the agenda. A candidate is fixed if the meetings left can still be completed, which a
search decides: it places the meeting with the fewest starts next, removes from the others what the placement rules out,
and remembers states that failed. A completion found serves as an upper bound for the meetings that follow.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import and_
from typing import Final, NamedTuple

from mpcbench.oracle.level4.attending import Attending
from mpcbench.oracle.level4.capacity import DailyCapacity, Taken, is_full, once_more
from mpcbench.oracle.level4.cast import People
from mpcbench.oracle.level4.choices import Attendance
from mpcbench.oracle.level4.layout import Placement
from mpcbench.oracle.level4.stage import Stage

SEARCH_LIMIT: Final = 100_000
"""The number of placements that a search tries before it gives up."""


class SearchLimitError(RuntimeError):
    """A plan was not found, nor shown to be impossible, within the bound."""


class State(NamedTuple):
    """Some meetings placed, and what is left for the others."""

    placed: tuple[Placement, ...]
    attendances: tuple[Attendance, ...]
    """At the meetings placed."""

    open: tuple[int, ...]
    """The meetings not placed."""

    domains: tuple[int, ...]
    """By meeting, the candidates left, as its layout numbers them; 0 of those placed."""

    taken: Mapping[str, Taken]
    """On which days people are required, by person; kept if there is a limit."""


def first_plan(
    stage: Stage,
    *,
    lookahead: bool,
    ordered: bool,
    limited: bool,
    most: int = SEARCH_LIMIT,
    likely: Mapping[str, tuple[int, str]] | None = None,
    least: Mapping[str, tuple[int, str]] | None = None,
    like: Stage | None = None,
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
        like: A stage that shares meetings, whose answers are then taken over.

    Raises:
        SearchLimitError: the search exceeds its bound.
    """
    search = Search(stage, ordered=ordered, limited=limited, most=most, like=like)
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
    like: Stage | None = None,
) -> bool:
    """Whether a plan is what `first_plan` finds with lookahead; known as soon as a candidate before it can be part of one.

    Args:
        stage: The meetings.
        plan: A start and a room for each meeting's name.
        ordered: As of `first_plan`.
        limited: As of `first_plan`.
        most: The number of placements to try.
        rival: Another plan, which may be possible and come before, so that no other one has to be looked for.
        like: As of `first_plan`.

    Raises:
        SearchLimitError: the search exceeds its bound.
    """
    search = Search(stage, ordered=ordered, limited=limited, most=most, like=like)
    return search.is_first(plan, rival or {})


class Search:
    """The search for the first plan of a stage."""

    def __init__(
        self, stage: Stage, *, ordered: bool, limited: bool, most: int = SEARCH_LIMIT, like: Stage | None = None
    ) -> None:
        self.most = most
        self.axis = stage.axis
        self.meetings = stage.meetings
        self.limit = stage.daily_limit if limited else None
        self.tries = 0
        self.hints: Mapping[int, Placement] = {}
        """The candidate of a likely plan, by meeting."""

        self.failed: set[tuple[object, ...]] = set()
        self.attending = stage.memory.attending.setdefault(self.limit, Attending(self.limit))
        self.capacity = None if self.limit is None else DailyCapacity(stage, self.limit)
        self.effects = stage.effects(ordered=ordered, like=like)
        self.layouts = self.effects.layouts
        self.attendances: dict[tuple[int, int, int], Attendance] = {}
        """What `attendance` has found, by meeting, start and the `id` of the situation."""

    def start(self) -> State:
        domains = tuple(layout.candidates for layout in self.layouts)
        return State((), (), tuple(range(len(domains))), domains, {})

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
            following = self.place(state, candidate) if candidate is not None and self.has(state, candidate) else None
            if following is None:
                return None
            state = following
        return {one.meeting: one for one in state.placed}

    def placement(self, place: int, start: int, room_id: str) -> Placement | None:
        """The candidate of a meeting at a start (minutes since 1970-01-01 UTC) in a room; None if there is none."""
        at = self.axis.between(start, start + 1)
        option = self.meetings[place].option_at(at, room_id)
        return None if option is None else Placement(place, option, at.bit_length() - 1)

    def has(self, state: State, candidate: Placement) -> bool:
        """Whether a candidate is left."""
        return bool(
            state.domains[candidate.meeting] & self.layouts[candidate.meeting].bit(candidate.option, candidate.start)
        )

    def candidates(self, state: State, place: int) -> Iterator[Placement]:
        """The candidates left of a meeting, in ranking order."""
        for start, options in self.layouts[place].ranked(state.domains[place]):
            for option in options:
                yield Placement(place, option, start)

    def completion(self, state: State) -> Mapping[int, Placement] | None:
        """Placements of all meetings, those placed included; None if there is none."""
        if not state.open:
            return {one.meeting: one for one in state.placed}
        key = (self.attending.key(state.attendances), state.domains, frozenset(state.taken.items()))
        if key in self.failed:
            return None
        place = min(state.open, key=lambda one: (self.layouts[one].extent(state.domains[one]).number, one))
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
        if hint is not None and self.has(state, hint):
            yield hint
        yield from (one for one in self.promising(state, place) if one != hint)

    def promising(self, state: State, place: int) -> Iterator[Placement]:
        """The candidates of a meeting; of a start whose room matters to no other meeting, one room is enough."""
        meeting = self.meetings[place]
        for start, options in self.layouts[place].ranked(state.domains[place]):
            by_situation: dict[int, list[Placement]] = {}
            for option in options:
                by_situation.setdefault(id(meeting.options[option].situation), []).append(
                    Placement(place, option, start)
                )
            for candidates in by_situation.values():
                alone = (one for one in candidates if not self.contested(state, one))
                unaffecting = next(alone, None)
                yield from candidates if unaffecting is None else (unaffecting,)

    def contested(self, state: State, candidate: Placement) -> bool:
        """Whether the candidate's room takes starts from another meeting."""
        return any(
            state.domains[other] & self.effects.effect(candidate, other).by_room
            for other in state.open
            if other != candidate.meeting
        )

    def place(self, state: State, candidate: Placement, *, demanding: bool = True) -> State | None:
        """The state with one more meeting placed; None if that rules out another one, unless that is not demanded."""
        self.tries += 1
        if self.tries > self.most:
            msg = f"{self.meetings[0].brief.name!r}: no plan found in {self.most} placements"
            raise SearchLimitError(msg)
        new = self.attendance(candidate)
        if not self.attending.fit(state.attendances, new):
            return None
        left = tuple(one for one in state.open if one != candidate.meeting)
        domains = tuple(map(and_, state.domains, self.effects.left_by(candidate)))
        if demanding and not all(domains[one] for one in left):
            return None
        taken = state.taken
        if self.limit is not None:
            taken = dict(taken)
            for person in new.required:
                taken[person] = once_more(taken.get(person), new.day, self.limit)
                if is_full(taken[person], new.day):
                    domains = tuple(map(and_, domains, self.effects.without(person, new.day)))
        following = State((*state.placed, candidate), (*state.attendances, new), left, domains, taken)
        return self.bounded(following) if demanding else following

    def required(self, candidate: Placement) -> People:
        """Who is required at a placement."""
        return self.meetings[candidate.meeting].options[candidate.option].situation.cast.required

    def attendance(self, candidate: Placement) -> Attendance:
        """Who attends; it does not depend on the room."""
        meeting = self.meetings[candidate.meeting]
        situation = meeting.options[candidate.option].situation
        key = (candidate.meeting, candidate.start, id(situation))
        if key not in self.attendances:
            start = self.axis.instants[candidate.start]
            can_attend = frozenset(
                person for person, starts in situation.available.items() if starts >> candidate.start & 1
            )
            self.attendances[key] = self.attending.attendance(
                candidate.meeting,
                start,
                start + meeting.length,
                self.axis.day_of[candidate.start],
                situation.cast,
                can_attend,
                situation.buffers.items(),
            )
        return self.attendances[key]

    def bounded(self, state: State) -> State | None:
        """The state without the starts that the order among meetings not placed rules out; None if that leaves too few."""
        found = self.in_order(state)
        return found if found is not None and self.leaves_days(found) else None

    def leaves_days(self, state: State) -> bool:
        """Whether there are days enough for the meetings not placed."""
        return self.capacity is None or self.capacity.suffices(state.placed, state.domains, state.taken)

    def in_order(self, state: State) -> State | None:
        """The state without the starts that the order among meetings not placed rules out; None if one has none left."""
        domains = state.domains
        if not all(domains[place] for place in state.open):
            return None
        pairs = [(first, second) for first, second in self.effects.order if domains[first] and domains[second]]
        if all(self.agree(domains, first, second) for first, second in pairs):
            return state
        starts = {place: self.layouts[place].extent(domains[place]).starts for pair in pairs for place in pair}
        for _ in pairs:
            before = dict(starts)
            for first, second in pairs:
                one, two = self.layouts[first], self.layouts[second]
                earliest, latest = one.bounds(starts[first])[0], two.bounds(starts[second])[1]
                length = self.meetings[first].length
                starts[second] &= two.between(earliest + length, self.axis.span.end)
                starts[first] &= one.between(self.axis.span.start, latest - length + 1)
                if not starts[first] or not starts[second]:
                    return None
            if starts == before:
                break
        bounded = list(domains)
        for place, left in starts.items():
            bounded[place] &= left * self.layouts[place].options
        return state._replace(domains=tuple(bounded))

    def agree(self, domains: Sequence[int], first: int, second: int) -> bool:
        """Whether the order of two meetings rules out no start of theirs, given what is left of both."""
        one, two = (self.layouts[place].extent(domains[place]) for place in (first, second))
        length = self.meetings[first].length
        return one.first + length <= two.first and one.last + length <= two.last
