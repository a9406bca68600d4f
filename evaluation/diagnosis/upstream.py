"""Mistakes by which a needed record seems unneeded: who misreads the seats never looks at the bookings of some rooms."""

from collections.abc import Collection, Iterator
from typing import Final

from mpcbench.evaluation.diagnosis.attempts import Attempts
from mpcbench.evaluation.diagnosis.change import Change, Ground
from mpcbench.evaluation.diagnosis.choices import RoomQuery
from mpcbench.evaluation.diagnosis.explanation import Explanation
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.mistakes.other_rooms import more_seats, other_rooms
from mpcbench.evaluation.diagnosis.mistakes.room_omission import omissions_of_room
from mpcbench.evaluation.diagnosis.odds import kind_of
from mpcbench.evaluation.diagnosis.pairs import leads

_MOST_KINDS: Final = 2


def upstream(attempts: Attempts, unseen: Collection[str]) -> list[Explanation]:
    """The single mistakes on the strongest ground that lead to the answer and leave out every unseen room; few kinds or none.

    If some leave just the rooms suitable whose bookings were looked up, only these count.

    Args:
        attempts: The attempts to explain the answer.
        unseen: The needed records that were never seen; only those of rooms can have seemed unneeded.
    """
    kinds = {record.partition(":")[0] for record in unseen}
    if not kinds or not kinds <= {"room", "room_calendar"}:
        return []
    found = [*_found(attempts, {record.partition(":")[2] for record in unseen})]
    found = [one for one in found if one.rooms == attempts.looked_up] or found
    strongest = min((one.ground for one in found), default=Ground.NOTHING)
    found = [one for one in found if one.ground is strongest]
    return found if len({*map(kind_of, found)}) <= _MOST_KINDS else []


def _found(attempts: Attempts, rooms: Collection[str]) -> Iterator[Explanation]:
    for attempt in attempts.every:
        frame = attempt.fit.frame
        if len(attempt.parts) == 1 and attempt.given:
            if _are_left_out(rooms, frame, frame.choices.rooms):
                yield from attempt.as_it_is()
        elif not attempt.parts and attempt.given:
            for change in (*other_rooms(frame), *omissions_of_room(frame)):
                if _are_left_out(rooms, frame, _query(frame, change)):
                    in_order = leads(attempt.fit, (change,))
                    if in_order is not None:
                        yield attempt.explained((change,), in_order=in_order)
            for change in more_seats(frame):
                in_order = leads(attempt.fit, (change,))
                if in_order is not None and frame.looked_up(frame.choices.having(change.fields)) == attempts.looked_up:
                    yield attempt.explained((change,), in_order=in_order)


def _query(frame: Frame, change: Change) -> RoomQuery | None:
    return frame.choices.having(change.fields).rooms


def _are_left_out(rooms: Collection[str], frame: Frame, query: RoomQuery | None) -> bool:
    """Whether a query rules out every room."""
    if query is None:
        return False
    options = [frame.room(room) for room in rooms]
    return all(option is not None and query.lacks(option) for option in options)
