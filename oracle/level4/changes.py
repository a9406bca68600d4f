"""The world after a change, and the knowledge of a task before and after it."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from mpcbench.oracle.level4.knowledge import Knowledge, for_task, known, lines_of, notices_of
from mpcbench.oracle.level4.timeline import Timeline
from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.facts import Notice
from mpcbench.schema.level4.instance import BookingChanged, Edit, EntryChanged, LadderInstance, MessageSent, PagePosted
from mpcbench.schema.level4.statements import Agreed, Declined, Said
from mpcbench.schema.level4.world import Bookings, LadderPage, LadderThread, LadderWorld, PersonalCalendar
from mpcbench.schema.model import to_minutes

_TALK = (Said, Agreed, Declined)
"""What a message says about meetings; all else states facts about the organisation."""

T = TypeVar("T", Bookings, LadderThread, PersonalCalendar)


class UnknownRecordError(ValueError):
    """An edit names a record that the world does not hold."""


def changed(world: LadderWorld, edit: Edit) -> LadderWorld:
    """The world after an edit.

    Raises:
        UnknownRecordError: the edit names a thread, a calendar or a room that the world does not hold.
    """
    match edit:
        case MessageSent(thread_id=thread_id, message=message):
            thread = _only(world.threads, "thread_id", thread_id)
            longer = thread.model_copy(update={"messages": (*thread.messages, message)})
            return _with(world, "threads", _replaced(world.threads, thread, longer))
        case PagePosted(page=page):
            return _with(world, "pages", (*world.pages, page))
        case EntryChanged(person_id=person_id, entry=entry):
            calendar = _only(world.calendars, "person_id", person_id)
            edited = calendar.model_copy(update={"entries": _entered(calendar.entries, entry)})
            return _with(world, "calendars", _replaced(world.calendars, calendar, edited))
        case BookingChanged(room_id=room_id, entry=entry):
            bookings = _only(world.room_calendars, "room_id", room_id)
            booked = bookings.model_copy(update={"entries": _entered(bookings.entries, entry)})
            return _with(world, "room_calendars", _replaced(world.room_calendars, bookings, booked))


def knowledge_of(world: LadderWorld, instance: LadderInstance, indexed: Knowledge | None = None) -> Knowledge:
    """Everything that can decide the gold of an instance: the world after its change, if it has one, and the task.

    Args:
        world: The records.
        instance: The task.
        indexed: What `known` or `indexed` gives for the world, where it is at hand.
    """
    base = known(world) if indexed is None else indexed
    before = for_task(base, instance)
    if instance.change is None:
        return before
    after = for_task(_known_after(base, world, instance.change.edit), instance)
    return after.having(before=before)


def _known_after(base: Knowledge, world: LadderWorld, edit: Edit) -> Knowledge:
    """All that a world holds after an edit.

    Of an entry or a booking, only the calendar is another; of a message that states no facts, only what is said; of a page
    that comes last, with nothing but notices, only these.
    """
    match edit:
        case EntryChanged(person_id=person_id, entry=entry) if person_id in base.calendars:
            return base.having(calendars=_with_entry(base.calendars, person_id, entry))
        case BookingChanged(room_id=room_id, entry=entry) if room_id in base.bookings:
            return base.having(bookings=_with_entry(base.bookings, room_id, entry))
        case MessageSent(thread_id=thread_id, message=message) if all(isinstance(one, _TALK) for one in message.tags):
            thread = _only(world.threads, "thread_id", thread_id)
            sent = to_minutes(message.sent)
            return base.saying(lines_of(thread.thread_id, len(thread.messages), sent, message.author, message.tags))
        case PagePosted(page=page) if _only_adds_notices(base, world, page):
            return base.having(notices=(*base.notices, *notices_of(page)))
        case _:
            return known(changed(world, edit), base)


def _only_adds_notices(base: Knowledge, world: LadderWorld, page: LadderPage) -> bool:
    """Whether a page with new IDs states nothing but notices, and later than all others are stated."""
    new, old = ({posted.notice.notice_id for posted in some} for some in (notices_of(page), base.notices))
    return (
        len(new - old) == len(page.facts)
        and all((one.collection, one.page_id) != (page.collection, page.page_id) for one in world.pages)
        and all(when < page.posted for when, _, fact in world.facts() if isinstance(fact, Notice))
    )


def _with_entry(calendars: Mapping[str, Timeline], owner: str, entry: Entry) -> Mapping[str, Timeline]:
    timeline = calendars[owner]
    return {**calendars, owner: Timeline(_entered(timeline.entries, entry), timeline)}


def _only(items: Iterable[T], field: str, name: str) -> T:
    for item in items:
        if getattr(item, field) == name:
            return item
    msg = f"the edit names {field} {name!r}, which the world does not hold"
    raise UnknownRecordError(msg)


def _replaced(items: tuple[T, ...], old: T, new: T) -> tuple[T, ...]:
    return tuple(new if item is old else item for item in items)


def _entered(entries: tuple[Entry, ...], entry: Entry) -> tuple[Entry, ...]:
    """The entries with one more, which takes the place of one with its ID."""
    if any(one.event_id == entry.event_id for one in entries):
        return tuple(entry if one.event_id == entry.event_id else one for one in entries)
    return (*entries, entry)


def _with(world: LadderWorld, field: str, value: object) -> LadderWorld:
    edited = world.model_copy(update={field: value})
    for name in ("thread_by_id", "person_by_id", "room_by_id"):
        vars(edited).pop(name, None)
    edited.check_ids()
    return edited
