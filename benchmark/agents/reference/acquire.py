"""Acquisition: fetch every record that the request needs, and turn them into facts."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta, tzinfo

from mpcbench.benchmark.agents.reference.conversation import statements_about
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
    Heard,
    PersonName,
    PolicyCall,
    Request,
    Room,
    Window,
)
from mpcbench.benchmark.agents.reference.grammar_policy import Rule, read_rules, rule_of_item, section_of
from mpcbench.benchmark.agents.reference.grammar_time import Moment, instant
from mpcbench.benchmark.agents.reference.lexicon import ReadingError

_DAY = timedelta(days=1)
_WEEK = timedelta(days=7)
_LONGEST = timedelta(days=31)


def find_threads(desk: Desk, meeting: str) -> list[str]:
    """IDs of the threads that contain the meeting's name, sorted; none if the level has no threads."""
    if "search_threads" not in desk.offers:
        return []
    desk.next_turn()
    pages = desk.pages("search_threads", keyword=f'"{meeting}"')
    return sorted({message["thread_id"] for page in pages for message in page["messages"]})


def read_threads(desk: Desk, meeting: str, threads: Sequence[str]) -> list[Heard]:
    """The statements that threads make about the meeting."""
    if not threads:
        return []
    desk.next_turn()
    messages = [
        message for thread in threads for message in messages_of(thread, desk.call("read_thread", thread_id=thread))
    ]
    return statements_about(meeting, messages)


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
