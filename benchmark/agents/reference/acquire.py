"""Acquisition: fetch every record that the request needs, and turn them into facts."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple

from mpcbench.benchmark.agents.reference.desk import (
    Desk,
    busy_of,
    day_text,
    document_of,
    messages_of,
    minutes,
    rooms_of,
)
from mpcbench.benchmark.agents.reference.facts import (
    Busy,
    EventName,
    Facts,
    Message,
    PersonName,
    PolicyCall,
    Request,
    Room,
    Window,
)
from mpcbench.benchmark.agents.reference.grammar_policy import Rule, read_rules, rule_of_item, section_of
from mpcbench.benchmark.agents.reference.grammar_time import Moment, instant
from mpcbench.benchmark.agents.reference.lexicon import ReadingError
from mpcbench.benchmark.agents.reference.mentions import Meeting

_DAY = timedelta(days=1)
_WEEK = timedelta(days=7)
_LONGEST = timedelta(days=31)
_PAUSE = timedelta(days=30)
"""What is said about one meeting lies closer together than this."""


class Hit(NamedTuple):
    """A message or the beginning of a thread that a tool has listed."""

    sent: datetime
    thread_id: str


def find_threads(desk: Desk, name: str) -> list[str]:
    """IDs of the threads that contain the meeting's name, sorted; none if the level has no threads.

    Messages before the last long pause are about an earlier meeting of the same name.
    """
    if "search_threads" not in desk.offers:
        return []
    desk.next_turn()
    found = sorted(_search(desk, f'"{name}"'))
    latest = [place for place in range(1, len(found)) if found[place].sent - found[place - 1].sent > _PAUSE]
    return sorted({hit.thread_id for hit in found[max(latest, default=0) :]})


def read_threads(desk: Desk, threads: Iterable[str]) -> list[Message]:
    """The messages of threads."""
    wanted = list(threads)
    if wanted:
        desk.next_turn()
    return [message for thread in wanted for message in messages_of(thread, desk.call("read_thread", thread_id=thread))]


def follow_up(desk: Desk, meeting: Meeting, known: Iterable[Message]) -> list[Message]:
    """The messages of threads beyond the known ones that may refer to a meeting by less than its name.

    They are found by its project and subject, by its people, by quotations of its kick-off, and in the channels that
    the kick-off refers to.
    """
    if not meeting.kickoff:
        return []
    opened = meeting.kickoff[0]
    project, subject, _ = meeting.parts
    keywords = [f"{project} {subject}", *(f'{subject} "{person.name}"' for person in sorted(meeting.people))]
    keywords += [f'"{one.writer}" {one.sent:%H:%M} ">"' for one in meeting.kickoff]
    desk.next_turn()
    hits = [hit for keyword in dict.fromkeys(keywords) for hit in _search(desk, keyword)]
    for channel in meeting.announced_channels:
        desk.next_turn()
        listed = [row for page in desk.pages("list_threads", channel=channel) for row in page["threads"]]
        hits += [
            Hit(datetime.fromisoformat(row["started"]), row["thread_id"])
            for row in listed
            if row["author"] == opened.author
        ]
    found = {hit.thread_id for hit in hits if opened.sent < hit.sent < opened.sent + _PAUSE}
    return read_threads(desk, sorted(found - {message.thread_id for message in known}))


def _search(desk: Desk, keyword: str) -> list[Hit]:
    return [
        Hit(datetime.fromisoformat(message["sent"]), message["thread_id"])
        for page in desk.pages("search_threads", keyword=keyword)
        for message in page["messages"]
    ]


def acquire(desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Fetch every record that the request needs; raises `ReadingError` if the request is incomplete."""
    window = request.window
    if window is None or not request.people or request.length is None or request.count is None:
        missing = [name for name in ("window", "people", "length", "count") if not getattr(request, name)]
        raise ReadingError(f"nobody says the {', the '.join(missing)}")
    facts = Facts(zone, request)
    facts.rules = _rules(desk, request.policies)
    owners = _owners(desk, [*request.people, *(event.person for event in request.after)])
    desk.next_turn()
    for person in request.people:
        facts.calendars[owners[person]] = calendar(desk, owners[person], window)
    facts.after = [_end_of(desk, owners[event.person], event, zone) for event in request.after]
    if "list_rooms" in desk.offers:
        facts.rooms = _rooms(desk, request)
        desk.next_turn()
        for room in suitable_rooms(facts):
            facts.bookings[room.room_id] = _bookings(desk, room, window)
    return facts


def suitable_rooms(facts: Facts) -> list[Room]:
    """The rooms with enough seats, the equipment and the site asked for."""
    request = facts.request
    return [
        room
        for room in facts.rooms or ()
        if room.capacity >= len(request.people) + request.guests
        and set(request.equipment) <= set(room.equipment)
        and request.site in (None, room.site)
    ]


def calendar(desk: Desk, owner: str, window: Window) -> list[Busy]:
    """A person's busy events from the day before the window to the day after it."""
    first, last = window.days.first - _DAY, window.days.last + _DAY
    parameters = desk.parameters("get_calendar")
    events: dict[Busy, None] = {}
    if "keyword" in parameters:
        while first <= last:
            week = desk.call_json("get_calendar", keyword=owner, date=day_text(first))
            events |= dict.fromkeys(busy_of(week["busy"]))
            first += _WEEK
    else:
        whom = {"person_id" if "person_id" in parameters else "person": owner}
        for start, end in _stretches(first, last):
            stretch = desk.call_json("get_calendar", **whom, start_date=day_text(start), end_date=day_text(end))
            events |= dict.fromkeys(busy_of(stretch["busy"]))
    return list(events)


def _stretches(first: date, last: date) -> Iterable[tuple[date, date]]:
    while first <= last:
        yield first, min(last, first + _LONGEST - _DAY)
        first += _LONGEST


def _rules(desk: Desk, calls: list[PolicyCall]) -> list[Rule]:
    rules: list[Rule] = []
    desk.next_turn()
    if "get_policy" in desk.offers:
        for policy_id in dict.fromkeys(call.policy_id for call in calls):
            rules += map(rule_of_item, desk.call_json("get_policy", keyword=policy_id)["rules"])
        return rules
    places = {call.policy_id: call.document_id for call in calls if call.document_id is not None}
    if any(call.policy_id not in places for call in calls):
        for document in desk.call_json("list_policies"):
            places |= dict.fromkeys(document["policy_ids"], document["document_id"])
        desk.next_turn()
    wanted = list(dict.fromkeys(call.policy_id for call in calls))
    missing = [policy_id for policy_id in wanted if policy_id not in places]
    if missing:
        raise ReadingError(f"no document has {missing[0]}")
    documents = {
        document_id: document_of(desk.call("read_policy_document", document_id=document_id))
        for document_id in dict.fromkeys(places[policy_id] for policy_id in wanted)
    }
    for policy_id in wanted:
        rules += read_rules(section_of(documents[places[policy_id]], policy_id))
    return rules


def _owners(desk: Desk, people: Iterable[PersonName]) -> dict[PersonName, str]:
    """The key of each person's calendar: the person ID if there is a directory, otherwise the name."""
    if "search_people" not in desk.offers:
        return {person: person.name for person in people}
    desk.next_turn()
    return {person: _person_id(desk, person) for person in dict.fromkeys(people)}


def _person_id(desk: Desk, person: PersonName) -> str:
    ids = [
        row["person_id"]
        for page in desk.pages("search_people", name=person.name)
        for row in page["people"]
        if row["name"] == person.name and person.team in (None, row["team"])
    ]
    if len(ids) != 1:
        team = f" from {person.team}" if person.team else ""
        raise ReadingError(f"the directory has {len(ids)} people called {person.name}{team}")
    person_id: str = ids[0]
    return person_id


def _end_of(desk: Desk, owner: str, event: EventName, zone: tzinfo) -> int:
    """The end of the event with a title that starts on a day, in minutes since 1970-01-01 UTC."""
    whom = {"person_id" if "person_id" in desk.parameters("get_calendar") else "person": owner}
    day = day_text(event.day)
    events = busy_of(desk.call_json("get_calendar", **whom, start_date=day, end_date=day)["busy"])
    midnights = [minutes(instant(Moment(event.day, minute), zone)) for minute in (0, 24 * 60)]
    ends = [busy.end for busy in events if busy.title == event.title and midnights[0] <= busy.start < midnights[1]]
    if len(ends) != 1:
        raise ReadingError(f"the calendar of {event.person.name} has {len(ends)} events {event.title!r} on {day}")
    return ends[0]


def _rooms(desk: Desk, request: Request) -> list[Room]:
    desk.next_turn()
    where = {} if request.site is None else {"site": request.site}
    rooms, more = rooms_of(desk.call("list_rooms", **where))
    page = 1
    while more:
        page += 1
        desk.next_turn()
        following, more = rooms_of(desk.call("list_rooms", **where, page=page))
        rooms += following
    known = {item for room in rooms for item in room.equipment}
    for item in request.equipment:
        if item not in known:
            raise ReadingError(f"no room has the equipment {item!r}")
    return rooms


def _bookings(desk: Desk, room: Room, window: Window) -> list[Busy]:
    bookings: dict[Busy, None] = {}
    for first, last in _stretches(window.days.first - _DAY, window.days.last + _DAY):
        result = desk.call_json(
            "get_room_bookings", room_id=room.room_id, start_date=day_text(first), end_date=day_text(last)
        )
        bookings |= dict.fromkeys(busy_of(result["bookings"]))
    return list(bookings)
