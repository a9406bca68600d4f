"""Changes that drop a condition on the room: seats, equipment, site, bookings, turnaround."""

from collections.abc import Callable, Iterable, Iterator

from mpcbench.evaluation.diagnosis.change import Change, part_by
from mpcbench.evaluation.diagnosis.choices import RoomQuery, RoomUse
from mpcbench.evaluation.diagnosis.evidence import Fact, Stakes
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.problem import RoomOption
from mpcbench.schema import Equipment, Guests, Site
from mpcbench.schema.cause import Reason


def omissions_of_room(frame: Frame) -> Iterator[Change]:
    """Every way to omit a condition on the room; none if no room is needed."""
    query, search = frame.choices.rooms, frame.problem.rooms
    if query is None or search is None:
        return
    facts = _Facts(frame, query)
    people = len(frame.problem.participants)
    if query.seats != people:
        yield _omitted("guests", facts.guests, seats=people)
    yield _omitted("capacity", facts.too_small, seats=0)
    yield _omitted("bookings", facts.booked, booked=False)
    yield _omitted("bookings", facts.booked, use=RoomUse.UNCHECKED)
    if query.equipment:
        yield _omitted("equipment", facts.lacking(query.equipment), equipment=frozenset())
    for item in sorted(query.equipment) if len(query.equipment) > 1 else ():
        yield _omitted("equipment", facts.lacking(frozenset({item})), equipment=query.equipment - {item})
    if query.site is not None:
        yield _omitted("site", facts.elsewhere, site=None)
    if query.margin:
        asked = [Fact(one.record, {"room_turnaround": {"minutes": one.minutes}}) for one in search.turnarounds]
        yield _omitted("room_turnaround", lambda _: asked, margin=0)


def _omitted(kind: str, facts: Callable[[Stakes], Iterable[Fact]], **fields: object) -> Change:
    return Change(part_by(Reason.CONSTRAINT_OMITTED, kind, facts), fields=fields)


class _Facts:
    """The evidence of an omission: the record of the condition, and the rooms of the answer that break it."""

    def __init__(self, frame: Frame, query: RoomQuery) -> None:
        self.frame = frame
        self.query = query

    def guests(self, _: Stakes) -> Iterator[Fact]:
        record, said = self.frame.provenance.last(Guests)
        yield Fact(record, holds=None if said is None else {"guests": said.count}, used={"guests": 0})

    def too_small(self, stakes: Stakes) -> Iterator[Fact]:
        for room in self._given(stakes):
            if room.capacity < self.query.seats:
                yield Fact(f"room:{room.room_id}", {"capacity": room.capacity, "seats_needed": self.query.seats})

    def booked(self, stakes: Stakes) -> Iterator[Fact]:
        for room in self._given(stakes):
            record = f"room_calendar:{room.room_id}"
            hit = overlapped(self.frame, record, stakes, room.room_id, self.query.margin)
            if hit:
                yield Fact(record, {"bookings": hit})

    def lacking(self, items: frozenset[str]) -> Callable[[Stakes], Iterator[Fact]]:
        def facts(stakes: Stakes) -> Iterator[Fact]:
            rooms = [room.room_id for room in self._given(stakes) if not room.equipment >= items]
            for record, said in self.frame.provenance.every(Equipment):
                asked = sorted(items.intersection(said.items))
                if asked:
                    yield Fact(record, {"items": asked}, more={"rooms_without": rooms})

        return facts

    def elsewhere(self, stakes: Stakes) -> Iterator[Fact]:
        rooms = [room.room_id for room in self._given(stakes) if room.site != self.query.site]
        yield Fact(self.frame.provenance.last(Site)[0], {"site": self.query.site}, more={"rooms_elsewhere": rooms})

    def _given(self, stakes: Stakes) -> list[RoomOption]:
        """The distinct rooms of the answer."""
        rooms = (self.frame.room(room_id) for room_id in dict.fromkeys(slot.room_id for slot in stakes.given))
        return [room for room in rooms if room is not None]


def overlapped(
    frame: Frame, record: str, stakes: Stakes, room_id: str | None = None, margin: int = 0
) -> list[Interval]:
    """The events of a calendar that overlap the answer's candidates, or those in one room, widened by a margin."""
    spans = [slot.span.widened(margin) for slot in stakes.given if room_id in (None, slot.room_id)]
    return frame.overlapped(record, spans)
