"""Slips at finding and fetching records."""

import re
from dataclasses import replace
from datetime import date, timedelta, tzinfo
from typing import Any

from mpcbench.benchmark.agents.reference.acquire import acquire
from mpcbench.benchmark.agents.reference.desk import Desk, document_of
from mpcbench.benchmark.agents.reference.facts import Facts, PersonName, Request
from mpcbench.benchmark.agents.reference.grammar_policy import read_rules, section_of
from mpcbench.benchmark.agents.reference.lexicon import ReadingError
from unit_tests.validity.kit.unseen.acting import (
    ADDED,
    BROKEN,
    IN_PART,
    NEVER_SEEN,
    NUMBER,
    OMITTED,
    PASSED,
    VALUE,
    Mind,
    Stage,
    agent,
    owner_record,
)

_WEEK = timedelta(days=7)
_DAY = timedelta(days=1)


class _Clerk(Desk):
    """A desk that handles some calls in another way; subclasses override `handled`."""

    def __init__(self, mind: Mind, tools: Any, budget: Any) -> None:
        super().__init__(tools, budget)
        self.mind = mind
        self.seen: dict[str, int] = {}

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        changed = self.handled(tool, arguments)
        if changed is not None:
            return changed
        return super().call_json(tool, **arguments)

    def handled(self, tool: str, arguments: dict[str, Any]) -> Any:
        """A result to use instead of calling the tool; may change the arguments."""
        raise NotImplementedError

    def number_of(self, key: str) -> int:
        """The place of a key among those seen so far, from 0."""
        return self.seen.setdefault(key, len(self.seen))


def _owner(arguments: dict[str, Any]) -> str:
    return arguments.get("keyword") or arguments.get("person") or arguments.get("person_id") or ""


class _OthersOneWeek(_Clerk):
    """Reads the first participant's calendar to the end, and of the others only the first eight days."""

    def handled(self, tool: str, arguments: dict[str, Any]) -> Any:
        if tool != "get_calendar" or self.number_of(_owner(arguments)) == 0:
            return None
        if "keyword" in arguments:
            first = self.__dict__.setdefault("first", {}).setdefault(arguments["keyword"], arguments["date"])
            if date.fromisoformat(arguments["date"]) - date.fromisoformat(first) >= _WEEK:
                self.mind.note(**owner_record(self.mind, _owner(arguments)), right="all days", used="a week")
                return {"busy": []}
            return None
        first_day = date.fromisoformat(arguments["start_date"])
        first = self.__dict__.setdefault("first", {}).setdefault(_owner(arguments), first_day)
        last = min(date.fromisoformat(arguments["end_date"]), first + 8 * _DAY)
        if last < date.fromisoformat(arguments["end_date"]):
            self.mind.note(**owner_record(self.mind, _owner(arguments)), right="all days", used=str(last))
        if last < first_day:
            return {"busy": []}
        arguments["end_date"] = last.isoformat()
        return None


class _LastParticipantForgotten(_Clerk):
    """Never fetches the calendar of the third participant and of later ones."""

    def handled(self, tool: str, arguments: dict[str, Any]) -> Any:
        if (
            tool == "get_calendar"
            and arguments.get("start_date") != arguments.get("end_date", "-")
            and self.number_of(_owner(arguments)) >= 2
        ):
            self.mind.note(**owner_record(self.mind, _owner(arguments)), right="fetched", used="never fetched")
            return {"busy": []}
        return None


class _FirstRoomsBookings(_Clerk):
    """Fetches the bookings of the first two suitable rooms, and takes the others for free."""

    def handled(self, tool: str, arguments: dict[str, Any]) -> Any:
        if tool == "get_room_bookings" and self.number_of(arguments["room_id"]) >= 2:
            self.mind.note(record=f"room_calendar:{arguments['room_id']}", right="fetched", used="taken for free")
            return {"bookings": []}
        return None


class _BookingsOfThreeDays(_Clerk):
    """Fetches the bookings of the first days of the window only."""

    def handled(self, tool: str, arguments: dict[str, Any]) -> Any:
        if tool != "get_room_bookings":
            return None
        first = self.__dict__.setdefault("first", date.fromisoformat(arguments["start_date"]))
        last = min(date.fromisoformat(arguments["end_date"]), first + 3 * _DAY)
        if last < date.fromisoformat(arguments["end_date"]):
            self.mind.note(record=f"room_calendar:{arguments['room_id']}", right="all days", used=str(last))
        if last < date.fromisoformat(arguments["start_date"]):
            return {"bookings": []}
        arguments["end_date"] = last.isoformat()
        return None


class _NoticeCalendar(_Clerk):
    """Looks the second participant up in the calendar of the team, which says nothing about anybody."""

    def __init__(self, mind: Mind, tools: Any, budget: Any) -> None:
        super().__init__(mind, tools, budget)
        self.teams: dict[str, str] = {}

    def pages(self, tool: str, /, **arguments: Any) -> list[Any]:
        results = super().pages(tool, **arguments)
        if tool == "search_people":
            self.teams |= {row["person_id"]: row["team"] for page in results for row in page["people"]}
        return results

    def handled(self, tool: str, arguments: dict[str, Any]) -> Any:
        if tool != "get_calendar" or arguments["start_date"] == arguments["end_date"]:
            return None
        if self.number_of(_owner(arguments)) == 1:
            self.call("get_team_calendar", team=self.teams[_owner(arguments)])
            self.mind.note(record=f"calendar:{_owner(arguments)}", right="own calendar", used="the team's")
            return {"busy": []}
        return None


class _NoQuotes(_Clerk):
    """Does not search for messages that quote the kick-off."""

    def pages(self, tool: str, /, **arguments: Any) -> list[Any]:
        if tool == "search_threads" and '">"' in arguments.get("keyword", ""):
            return []
        return super().pages(tool, **arguments)

    def handled(self, tool: str, arguments: dict[str, Any]) -> Any:
        return None


class _NameOnly(_NoQuotes):
    """Searches threads with the first keyword and in no other way; lists no channel."""

    def pages(self, tool: str, /, **arguments: Any) -> list[Any]:
        if tool in ("search_threads", "list_threads"):
            if self.seen:
                return []
            self.number_of(tool)
        return super().pages(tool, **arguments)


class _NewestHits(_NoQuotes):
    """Sees of each search the newest hit only."""

    def pages(self, tool: str, /, **arguments: Any) -> list[Any]:
        if tool != "search_threads" or not self.seen:
            self.number_of(tool)
            return super().pages(tool, **arguments)
        page = self.call_json(tool, **arguments)
        page["messages"] = page["messages"][:1]
        return [page]


def _missed_threads(mind: Mind, facts: Facts) -> Facts:
    """Notes the shortened search as the slip; which threads it misses nobody knows."""
    mind.note(right="all searches", used="fewer")
    return facts


class _FirstTable(_NoQuotes):
    """Takes the first page of the table of rooms for the whole."""

    def call(self, tool: str, /, **arguments: Any) -> str:
        text = super().call(tool, **arguments)
        if tool == "list_rooms":
            found = re.search(r"page 1 of (\d+)", text)
            if found and int(found[1]) > 1:
                self.mind.note(right=found[0], used="page 1")
                text = text.replace(found[0], "page 1 of 1")
        return text


def _last_homonym(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Takes the last person of a name in the directory, whatever the team."""
    people = []
    for person in request.people:
        other = person
        if person.team is not None:
            rows = [
                row
                for page in desk.pages("search_people", name=person.name)
                for row in page["people"]
                if row["name"] == person.name
            ]
            right = [row for row in rows if row["team"] == person.team]
            teams = {one.team for one in request.people if one.name == person.name}
            if rows and right and rows[-1]["team"] != person.team and rows[-1]["team"] not in teams:
                other = PersonName(person.name, rows[-1]["team"])
                mind.note(record=f"calendar:{right[0]['person_id']}", right=person.team, used=rows[-1]["team"])
        people.append(other)
    after = [event._replace(person=event.person) for event in request.after]
    return acquire(desk, replace(request, people=people, after=after), zone)


def _sections(mind: Mind, policy_id: str) -> tuple[str, list[str]] | None:
    """The document that has a policy, and the IDs of its sections in order."""
    for text in mind.results("read_policy_document"):
        document = document_of(text)
        ids = [
            found[0]
            for head in re.findall(r"^## .*$", document, re.MULTILINE)
            if (found := re.search(r"POL-\d+", head))
        ]
        if policy_id in ids:
            return document, ids
    return None


def _next_section(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Reads the section below the heading that comes after the right one."""
    facts = acquire(desk, request, zone)
    rules = []
    for policy_id in dict.fromkeys(call.policy_id for call in request.policies):
        found = _sections(mind, policy_id)
        if found is None:
            return facts
        document, ids = found
        place = ids.index(policy_id)
        other = ids[place + 1] if place + 1 < len(ids) else ids[place - 1]
        try:
            rules += read_rules(section_of(document, other))
            mind.note(record=f"policy:{policy_id}", right=policy_id, used=other)
        except ReadingError:
            rules += read_rules(section_of(document, policy_id))
    return replace(facts, rules=rules)


def _see_also(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Obeys the policies that the right one's text mentions, too."""
    facts = acquire(desk, request, zone)
    called = {call.policy_id for call in request.policies}
    rules = list(facts.rules)
    for policy_id in sorted(called):
        found = _sections(mind, policy_id)
        if found is None:
            continue
        for other in sorted(set(re.findall(r"POL-\d+", section_of(found[0], policy_id))) - called):
            place = _sections(mind, other)
            if place is None:
                for row in desk.call_json("list_policies"):
                    if other in row["policy_ids"]:
                        desk.call("read_policy_document", document_id=row["document_id"])
                place = _sections(mind, other)
            if place is None:
                continue
            try:
                rules += read_rules(section_of(place[0], other))
            except ReadingError:
                continue
            mind.note(record=f"policy:{other}", right="not called for", used=other)
    return replace(facts, rules=rules)


def _first_call_only(mind: Mind, request: Request) -> Request:
    """Looks up the first policy that is called for, and no other."""
    ids = list(dict.fromkeys(call.policy_id for call in request.policies))
    if len(ids) < 2:
        return request
    mind.note(record=f"policy:{ids[1]}", right=ids, used=ids[:1])
    return replace(request, policies=[call for call in request.policies if call.policy_id == ids[0]])


def _holidays(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Takes the days of the week before the window's end for public holidays of other countries, and leaves them out."""
    from mpcbench.benchmark.agents.reference.grammar_time import Moment, Span

    facts = acquire(desk, request, zone)
    text = desk.call("list_public_holidays")
    days = {date.fromisoformat(found) for found in re.findall(r"\d{4}-\d\d-\d\d", text)}
    months = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
    for day, month in re.findall(r"(\d{1,2}) (" + "|".join(months) + ")", text):
        days.add(date(2027, months.index(month) + 1, int(day)))
    for month, day in re.findall("(" + "|".join(months) + r") (\d{1,2})\b", text):
        days.add(date(2027, months.index(month) + 1, int(day)))
    window = request.window
    assert window is not None
    inside = sorted(day for day in days if window.days.first <= day <= window.days.last)
    if inside:
        mind.note(right="open", used=str(inside))
    bans = [*request.bans, *(Span(Moment(day, 0), Moment(day, 1440)) for day in inside)]
    return replace(facts, request=replace(facts.request, bans=bans))


_ACQUISITION = Stage.ACQUISITION

AGENTS = (
    agent(
        "others-one-week",
        "Reads the calendars of all but the first participant for one week only.",
        (f"{IN_PART}:calendar",),
        (f"{BROKEN}:busy",),
        stage=_ACQUISITION,
        desk=_OthersOneWeek,
    ),
    agent(
        "third-calendar-forgotten",
        "Fetches two calendars and thinks that these are all.",
        (f"{NEVER_SEEN}:calendar",),
        (f"{IN_PART}:calendar",),
        stage=_ACQUISITION,
        desk=_LastParticipantForgotten,
    ),
    agent(
        "two-rooms-checked",
        "Fetches the bookings of two rooms and takes the other suitable ones for free.",
        (f"{NEVER_SEEN}:room_calendar",),
        (),
        levels=(3,),
        stage=_ACQUISITION,
        desk=_FirstRoomsBookings,
    ),
    agent(
        "bookings-of-three-days",
        "Fetches the bookings of the first three days only.",
        (f"{IN_PART}:room_calendar",),
        (),
        levels=(3,),
        stage=_ACQUISITION,
        desk=_BookingsOfThreeDays,
    ),
    agent(
        "notice-calendar",
        "Looks up one participant in the team's notice calendar instead of the own one.",
        (f"{NEVER_SEEN}:calendar",),
        (f"{IN_PART}:calendar",),
        levels=(3,),
        stage=_ACQUISITION,
        desk=_NoticeCalendar,
    ),
    agent(
        "quotes-not-searched",
        "Does not search for messages that quote the kick-off.",
        (f"{NEVER_SEEN}:thread",),
        (),
        levels=(3,),
        stage=_ACQUISITION,
        desk=_NoQuotes,
        facts=_missed_threads,
    ),
    agent(
        "searched-once",
        "Searches the threads once, by the meeting's name, and looks for no follow-ups.",
        (f"{NEVER_SEEN}:thread",),
        (),
        levels=(2, 3),
        stage=_ACQUISITION,
        desk=_NameOnly,
        facts=_missed_threads,
    ),
    agent(
        "newest-hit-only",
        "Looks at the newest hit of every search for follow-ups.",
        (f"{NEVER_SEEN}:thread",),
        (),
        levels=(2, 3),
        stage=_ACQUISITION,
        desk=_NewestHits,
        facts=_missed_threads,
    ),
    agent(
        "first-table-of-rooms",
        "Takes the first page of the rooms for all of them.",
        (f"{NEVER_SEEN}:room", f"{NEVER_SEEN}:room_calendar"),
        (f"{NUMBER}:none",),
        levels=(3,),
        stage=_ACQUISITION,
        desk=_FirstTable,
    ),
    agent(
        "last-namesake",
        "Takes the last person of a name in the directory, whatever the team.",
        (f"{NEVER_SEEN}:calendar",),
        (f"{ADDED}:participant",),
        levels=(3,),
        stage=_ACQUISITION,
        acquire=_last_homonym,
    ),
    agent(
        "next-section",
        "Reads the section of the policy below the right one.",
        (
            f"{OMITTED}:work_hours",
            f"{OMITTED}:buffer_min",
            f"{OMITTED}:lunch_block",
            f"{OMITTED}:ban_dow_time",
            f"{OMITTED}:room_turnaround",
            f"{ADDED}:policy",
        ),
        (
            f"{VALUE}:work_hours",
            f"{VALUE}:buffer_min",
            f"{VALUE}:lunch_block",
            f"{VALUE}:ban_dow_time",
            f"{VALUE}:room_turnaround",
            BROKEN,
            PASSED,
        ),
        levels=(2, 3),
        acquire=_next_section,
    ),
    agent(
        "see-also-obeyed",
        "Obeys the policies that the right one mentions, too.",
        (f"{ADDED}:policy",),
        (PASSED, "observed.wrong_number"),
        levels=(2, 3),
        acquire=_see_also,
    ),
    agent(
        "first-policy-only",
        "Looks up the first of two policies that are called for.",
        (
            f"{NEVER_SEEN}:policy",
            f"{OMITTED}:room_turnaround",
            f"{OMITTED}:work_hours",
            f"{OMITTED}:buffer_min",
            f"{OMITTED}:lunch_block",
            f"{OMITTED}:ban_dow_time",
        ),
        (BROKEN,),
        levels=(3,),
        request=_first_call_only,
    ),
    agent(
        "foreign-holidays",
        "Leaves out the public holidays of other countries, which close no office.",
        (f"{ADDED}:ban_window", f"{ADDED}:holidays"),
        (f"{ADDED}:weekdays", PASSED),
        levels=(2, 3),
        acquire=_holidays,
    ),
)
