"""Tools called wrongly: desks that leave a call out, change its arguments, or stop paging."""

from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any

from mpcbench.benchmark.agents.protocol import Budget
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.lexicon import ReadingError
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from unit_tests.validity.kit.core import Mind

_DAY = timedelta(days=1)
_NOTHING: dict[str, Any] = {"busy": [], "bookings": []}


class FlawedDesk(Desk):
    """A desk that notes its slips."""

    def __init__(self, mind: Mind, tools: Toolbox, budget: Budget) -> None:
        super().__init__(tools, budget)
        self.mind = mind


def is_for_a_day(arguments: dict[str, Any]) -> bool:
    """Whether a call looks for one event to wait for, not for a whole calendar."""
    return "start_date" in arguments and arguments["start_date"] == arguments["end_date"]


def whom(arguments: dict[str, Any]) -> str:
    """Whose calendar a call asks for."""
    return str(next(arguments[name] for name in ("person_id", "person", "keyword") if name in arguments))


class FirstDays(FlawedDesk):
    """Reads every calendar only for the first seven days."""

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        if tool != "get_calendar" or is_for_a_day(arguments):
            return super().call_json(tool, **arguments)
        if "date" in arguments:
            if arguments["keyword"] in self._asked:
                self.mind.note(unread=f"calendars from {arguments['date']}")
                return _NOTHING
            self._asked.add(arguments["keyword"])
            return super().call_json(tool, **arguments)
        last = date.fromisoformat(arguments["start_date"]) + 7 * _DAY
        if last >= date.fromisoformat(arguments["end_date"]):
            return super().call_json(tool, **arguments)
        self.mind.note(unread=f"calendars after {last}")
        return super().call_json(tool, **arguments | {"end_date": str(last)})

    def __init__(self, mind: Mind, tools: Toolbox, budget: Budget) -> None:
        super().__init__(mind, tools, budget)
        self._asked: set[str] = set()


class FirstDaysOfRooms(FlawedDesk):
    """Reads the bookings of rooms only for the first three days."""

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        if tool == "get_room_bookings":
            last = date.fromisoformat(arguments["start_date"]) + 3 * _DAY
            if last < date.fromisoformat(arguments["end_date"]):
                self.mind.note(unread=f"bookings after {last}")
                arguments["end_date"] = str(last)
        return super().call_json(tool, **arguments)


class WrongDates(FlawedDesk):
    """Asks for one person's calendar of the week after; the first person asked for."""

    _first: str | None = None

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        if tool != "get_calendar" or is_for_a_day(arguments):
            return super().call_json(tool, **arguments)
        self._first = self._first or whom(arguments)
        if whom(arguments) != self._first:
            return super().call_json(tool, **arguments)
        later = {
            name: str(date.fromisoformat(arguments[name]) + 7 * _DAY)
            for name in ("date", "start_date", "end_date")
            if name in arguments
        }
        try:
            result = super().call_json(tool, **arguments | later)
        except ReadingError:
            return _NOTHING
        self.mind.note(record=f"calendar:{result['person_id']}", asked=later, unread="the first week")
        return result


class OneCalendarOmitted(FlawedDesk):
    """Never asks for the calendar of one participant: the last whose turn it is."""

    skipped: str | None = None

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        if tool != "get_calendar" or is_for_a_day(arguments) or whom(arguments) != self.skipped:
            return super().call_json(tool, **arguments)
        self.mind.note(person=self.skipped)
        return _NOTHING


class OneRoomOmitted(FlawedDesk):
    """Never asks for the bookings of one suitable room, which is taken for free."""

    def __init__(self, mind: Mind, tools: Toolbox, budget: Budget) -> None:
        super().__init__(mind, tools, budget)
        self._place = mind.rng.randrange(3)
        self._seen: list[str] = []

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        if tool != "get_room_bookings":
            return super().call_json(tool, **arguments)
        if arguments["room_id"] not in self._seen:
            self._seen.append(arguments["room_id"])
        if self._seen.index(arguments["room_id"]) == self._place:
            self.mind.note(record=f"room_calendar:{arguments['room_id']}")
            return _NOTHING
        return super().call_json(tool, **arguments)


class NoBookings(FlawedDesk):
    """Never asks for bookings: every room is taken for free."""

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        if tool != "get_room_bookings":
            return super().call_json(tool, **arguments)
        self.mind.note(record=f"room_calendar:{arguments['room_id']}", what="no bookings read")
        return _NOTHING


class FirstPageOfRooms(FlawedDesk):
    """Takes the first page of the list of rooms for all of it."""

    def call(self, tool: str, /, **arguments: Any) -> str:
        result = super().call(tool, **arguments)
        if tool == "list_rooms" and not result.splitlines()[-1].startswith("page 1 of 1"):
            lines = result.splitlines()
            self.mind.note(unread=lines[-1])
            return "\n".join([*lines[:-1], "page 1 of 1, all"])
        return result


class WrongHomonym(FlawedDesk):
    """Takes the wrong one of two people with the same name."""

    wanted: Mapping[str, str | None] = MappingProxyType({})
    """The teams of the people looked for, by name."""

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        result = super().call_json(tool, **arguments)
        if tool != "search_people" or arguments["name"] not in self.wanted:
            return result
        rows = [row for row in result["people"] if row["name"] == arguments["name"]]
        if len(rows) < 2:
            return result
        first = next((row for row in rows if row["team"] == self.wanted[row["name"]]), rows[0])
        second = next(row for row in rows if row is not first)
        self.mind.note(record=f"calendar:{first['person_id']}", taken=f"calendar:{second['person_id']}")
        first["person_id"], second["person_id"] = second["person_id"], first["person_id"]
        return result


class FewRooms(FlawedDesk):
    """Stops after the bookings of three rooms and leaves the other rooms out."""

    _most = 3
    _read = 0

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        if tool != "get_room_bookings":
            return super().call_json(tool, **arguments)
        self._read += 1
        if self._read > self._most:
            self.mind.note(unread=f"room_calendar:{arguments['room_id']}")
            return {"bookings": [_EVER]}
        return super().call_json(tool, **arguments)


_EVER = {"title": "", "start": "2020-01-01T00:00:00+00:00", "end": "2040-01-01T00:00:00+00:00"}


class NoCalendars(FlawedDesk):
    """Never asks for a calendar: everybody is taken for free."""

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        if tool != "get_calendar":
            return super().call_json(tool, **arguments)
        self.mind.note(what="no calendar read")
        return _NOTHING


class NoRooms(FlawedDesk):
    """Knows nothing of the room system."""

    @property
    def offers(self) -> frozenset[str]:
        """The names of the tools that it thinks of."""
        if "list_rooms" in super().offers:
            self.mind.note(what="room system never used")
        return super().offers - {"list_rooms"}


class NoDirectory(FlawedDesk):
    """Makes person IDs up, one after another, instead of looking them up."""

    def __init__(self, mind: Mind, tools: Toolbox, budget: Budget) -> None:
        super().__init__(mind, tools, budget)
        self._made: dict[str, str] = {}

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        if tool != "search_people":
            return super().call_json(tool, **arguments)
        made = self._made.setdefault(arguments["name"], f"p{len(self._made) + 1:03d}")
        self.mind.note(made_up=dict(self._made))
        row = {"person_id": made, "name": arguments["name"], "team": None}
        return {"page": 1, "pages": 1, "people": [row]}


class TeamCalendar(FlawedDesk):
    """Reads the notice calendar of one participant's team, which binds nobody, instead of the person's own."""

    skipped: str | None = None
    """Whose calendar is not read, by name."""

    def __init__(self, mind: Mind, tools: Toolbox, budget: Budget) -> None:
        super().__init__(mind, tools, budget)
        self._rows: dict[str, dict[str, str]] = {}

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        row = self._rows.get(arguments.get("person_id", ""), {})
        if tool == "get_calendar" and row.get("name") == self.skipped and not is_for_a_day(arguments):
            self.mind.note(record=f"calendar:{row['person_id']}", read=f"team calendar of {row['team']}")
            self.call("get_team_calendar", team=row["team"])
            return _NOTHING
        result = super().call_json(tool, **arguments)
        if tool == "search_people":
            self._rows |= {row["person_id"]: row for row in result["people"]}
        return result
