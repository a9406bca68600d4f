"""The archived oracle of level 4: brute force over every candidate, to be read beside the semantics and believed.

Slow and obvious on purpose. It looks at every minute of every candidate, at every entry and at every choice of people,
and shares nothing with the project: standard library only, plain dicts as `json.loads` gives them for schema version 2.

An instant is a whole number of minutes since 1970-01-01 UTC. All intervals are half-open, [start, end); spans of days
include both ends.

    python archive/v2/ladder_oracle.py WORLD.json INSTANCES.jsonl
"""

import hashlib
import json
import sys
from datetime import UTC, date, datetime, timedelta
from itertools import combinations, product
from typing import Any
from zoneinfo import ZoneInfo

Record = dict[str, Any]
"""A JSON object of the data files."""

Span = tuple[int, int]
"""Start and end."""


def label(world: Record, instance: Record) -> Record:
    """The gold, the counts after each stage and the digest of the feasible candidates of every meeting.

    Raises ValueError where the statements leave no task to solve: a duration, window, organiser, invitation or number
    of options is missing, a reference is circular, or something named is unknown. An empty feasible set is no error.
    """
    world = after_change(world, instance)
    task = Task(world, instance)
    meetings = task.agenda or [task.subject]
    briefs = [task.brief(name) for name in meetings]
    for brief in briefs:
        for needed in ("duration", "window", "organiser", "invitations"):
            if not brief[needed]:
                raise ValueError(f"{brief['name']}: nothing states the {needed}")
        for other in brief["after_meetings"]:
            if other not in task.agenda:
                raise ValueError(f"{brief['name']}: {other!r} is not on the agenda")
    if not task.agenda and briefs[0]["count"] is None:
        raise ValueError(f"{briefs[0]['name']}: nothing states the number of options")
    if len(set(meetings)) < len(meetings):
        raise ValueError("a meeting is on the agenda twice")

    counts = {"generated": 0, "agreed": 0, "available": 0, "rooms": 0}
    feasible: list[list[Record]] = []
    for brief in briefs:
        found = []
        for start in range(*brief["window"]):
            end = start + brief["duration"]
            if not task.is_generated(brief, start, end):
                continue
            counts["generated"] += 1
            if not task.is_agreed(brief, start, end):
                continue
            counts["agreed"] += 1
            sites = [site for site in task.room_sites if task.people_available(brief, start, end, site)]
            counts["available"] += bool(sites)
            for room in world["rooms"]:
                if room["site"] in sites and task.room_usable(brief, start, end, room):
                    found.append({"brief": brief, "start": start, "end": end, "room": room})
        found.sort(key=lambda candidate: rank(candidate))
        feasible.append(found)
        counts["rooms"] += len(found)

    if task.agenda:
        chosen = first_plan(task, feasible, [])
        chosen = [] if chosen is None else chosen
    else:
        chosen = feasible[0][: briefs[0]["count"]]
    zone = ZoneInfo(world["timezone"])
    return {
        "gold": [
            {
                "start": iso(candidate["start"], zone),
                "end": iso(candidate["end"], zone),
                "room_id": candidate["room"]["room_id"],
                "meeting": candidate["brief"]["name"] if task.agenda else None,
            }
            for candidate in chosen
        ],
        "counts": counts,
        "digest": digest(feasible),
    }


def first_plan(task: "Task", feasible: list[list[Record]], placed: list[Record]) -> list[Record] | None:
    """The first plan in the order of the agenda that continues what is placed; None if there is none."""
    if len(placed) == len(feasible):
        return placed
    for candidate in feasible[len(placed)]:
        longer = [*placed, candidate]
        if task.plan_holds(longer):
            plan = first_plan(task, feasible, longer)
            if plan is not None:
                return plan
    return None


def after_change(world: Record, instance: Record) -> Record:
    """The world after the instance's change, if it has one."""
    change = instance.get("change")
    if change is None:
        return world
    edit = change["edit"]
    world = json.loads(json.dumps(world))
    if edit["kind"] == "page_posted":
        world["pages"].append(edit["page"])
        return world
    if edit["kind"] == "message_sent":
        only(world["threads"], "thread_id", edit["thread_id"])["messages"].append(edit["message"])
        return world
    if edit["kind"] == "entry_changed":
        calendar = only(world["calendars"], "person_id", edit["person_id"])
    elif edit["kind"] == "booking_changed":
        calendar = only(world["room_calendars"], "room_id", edit["room_id"])
    else:
        raise ValueError(f"unknown edit {edit['kind']!r}")
    for place, entry in enumerate(calendar["entries"]):
        if entry["event_id"] == edit["entry"]["event_id"]:
            calendar["entries"][place] = edit["entry"]
            return world
    calendar["entries"].append(edit["entry"])
    return world


class Task:
    """One instance in its world: what was said, and the records that it is about."""

    def __init__(self, world: Record, instance: Record) -> None:
        self.world = world
        self.zone = ZoneInfo(world["timezone"])
        self.room_sites = sorted({room["site"] for room in world["rooms"]})
        self.clocks: dict[tuple[str, int], datetime] = {}
        # What was worked out before is kept: a world is large.
        self.spans: dict[str, list[Record]] = {}
        self.applying: dict[tuple[str, date, str], list[Record]] = {}
        self.briefs: dict[str, Record] = {}
        self.facts = self.read_facts()
        self.aliases = {tag["alias"]: tag["means"] for tag in self.tags("definition")}
        self.lines = self.read_lines(instance)
        self.reading: list[str] = []
        self.subject = self.meaning(instance["subject"])
        self.agenda: list[str] = []
        self.agenda = self.brief(self.subject)["agenda"]
        self.briefs = {}

    # Reading what was said.

    def read_lines(self, instance: Record) -> list[Record]:
        """Every statement and agreement about a meeting, in the order in which they are read."""
        lines = []
        for place, tag in enumerate(instance["references"]["statements"]):
            lines.append({"order": (float("-inf"), "", 0, place), "author": None, "tag": tag})
        for thread in self.world["threads"]:
            for number, message in enumerate(thread["messages"]):
                for place, tag in enumerate(message["tags"]):
                    if tag["kind"] in ("said", "agreed"):
                        order = (minute(message["sent"]), thread["thread_id"], number, place)
                        lines.append({"order": order, "author": message["author"], "tag": tag})
        return sorted(lines, key=lambda line: line["order"])

    def read_facts(self) -> list[Record]:
        """What messages and pages state about the organisation, in the order in which it was stated."""
        stated = []
        for thread in self.world["threads"]:
            for message in thread["messages"]:
                stated += [(minute(message["sent"]), f"thread:{thread['thread_id']}", tag) for tag in message["tags"]]
        for page in self.world["pages"]:
            record = f"{page['collection']}:{page['page_id']}"
            stated += [(minute(page["posted"]), record, fact) for fact in page["facts"]]
        stated.sort(key=lambda item: item[:2])  # stable: of one record, in the order of its text
        return [tag for _, _, tag in stated if tag["kind"] not in ("said", "agreed", "declined")]

    def tags(self, kind: str) -> list[Record]:
        """The facts of a kind."""
        return [fact for fact in self.facts if fact["kind"] == kind]

    def meaning(self, reference: str) -> str:
        """What a reference means, aliases resolved."""
        followed = set()
        while reference.startswith("alias:"):
            alias = reference[len("alias:") :]
            if alias not in self.aliases or alias in followed:
                raise ValueError(f"the alias {alias!r} is not defined")
            followed.add(alias)
            reference = self.aliases[alias]
        return reference

    def is_about(self, line: Record, name: str) -> bool:
        """Whether a line is about the meeting; nobody knows what an undefined alias is about."""
        try:
            return self.meaning(line["tag"]["about"]) == name
        except ValueError:
            return False

    def person(self, reference: str) -> str:
        """The ID of a person who is in the directory."""
        person_id = self.meaning(reference)
        only(self.world["people"], "person_id", person_id)
        return person_id

    def own_organiser(self, name: str) -> str | None:
        """Whom the first statement about the organiser names."""
        for line in self.lines:
            if self.is_about(line, name) and line["tag"]["kind"] == "said":
                if line["tag"]["statement"]["kind"] == "organiser":
                    return self.person(line["tag"]["statement"]["person"])
        return None

    def organiser(self, name: str) -> str | None:
        """The meeting's organiser; of a meeting of the plan without one the plan's."""
        own = self.own_organiser(name)
        if own is None and name in self.agenda:
            return self.own_organiser(self.subject)
        return own

    def held(self, name: str) -> list[Record]:
        """The statements about the meeting that hold, in order."""
        names = [name]
        if name in self.agenda and self.own_organiser(name) is None:
            names.append(self.subject)  # whoever may decide about the plan may decide about the meeting
        may_decide = {self.organiser(name)} - {None}
        found = []
        for line in self.lines:
            about = [one for one in names if self.is_about(line, one)]
            if not about or (line["author"] is not None and line["author"] not in may_decide):
                continue
            tag = line["tag"]
            if tag["kind"] == "said":
                statements = [tag["statement"]]
            else:
                statements = [
                    other["tag"]["statement"]
                    for other in self.lines
                    if other["order"][1:3] == (line["order"][1], tag["message"])
                    and other["tag"]["kind"] == "said"
                    and self.is_about(other, about[0])
                ]
            for statement in statements:
                if statement["kind"] == "delegate":
                    may_decide.add(self.person(statement["person"]))
                if about[0] == name:
                    found.append(statement)
        return found

    def brief(self, name: str) -> Record:
        """Everything that holds about a meeting or plan."""
        if name in self.reading:
            raise ValueError(f"{name!r} refers to itself")
        if name in self.briefs:
            return self.briefs[name]
        self.reading.append(name)
        brief: Record = {
            "name": name,
            "organiser": self.organiser(name),
            "duration": None,
            "count": None,
            "window": None,
            "daily": None,
            "invitations": [],
            "guests": 0,
            "seats": None,
            "deadline": None,
            "not_before": None,
            "bans": [],
            "required_windows": [],
            "after_entries": [],
            "after_meetings": [],
            "tentative": None,
            "tie_break": [],
            "equipment": [],
            "site": None,
            "agenda": [],
            "daily_limit": None,
        }
        statements = self.held(name)
        if name in self.agenda:
            statements = self.held(self.subject) + statements
        for statement in statements:
            self.take_in(brief, statement)
        self.reading.pop()
        self.briefs[name] = brief
        return brief

    def take_in(self, brief: Record, statement: Record) -> None:
        """Change the brief by one statement."""
        kind = statement["kind"]
        if kind == "duration":
            brief["duration"] = statement["minutes"]
        elif kind == "duration_of":
            brief["duration"] = self.brief(self.meaning(statement["meeting"]))["duration"]
        elif kind == "option_count":
            brief["count"] = statement["count"]
        elif kind == "window":
            brief["window"] = (minute(statement["start"]), minute(statement["end"]))
            brief["daily"] = statement["daily"]
        elif kind == "invited":
            brief["invitations"] = []
            for invitation in statement["invitations"]:
                self.invite(brief, invitation)
        elif kind == "invite":
            self.invite(brief, statement["invitation"])
        elif kind == "uninvite":
            who = self.without_aliases(statement["who"])
            brief["invitations"] = [one for one in brief["invitations"] if addressee(one) != who]
        elif kind == "guests":
            brief["guests"] = statement["count"]
        elif kind == "seats":
            brief["seats"] = statement["count"]
        elif kind == "deadline":
            brief["deadline"] = minute(statement["at"])
        elif kind == "not_before":
            brief["not_before"] = minute(statement["at"])
        elif kind == "ban_window":
            brief["bans"] = [*brief["bans"], (minute(statement["start"]), minute(statement["end"]))]
        elif kind == "required_window":
            span = (minute(statement["start"]), minute(statement["end"]))
            brief["required_windows"] = [*brief["required_windows"], span]
        elif kind == "after_entry":
            entry = (self.meaning(statement["person"]), statement["event_id"], statement["day"])
            brief["after_entries"] = [*brief["after_entries"], entry]
        elif kind == "after_meeting":
            brief["after_meetings"] = [*brief["after_meetings"], self.meaning(statement["meeting"])]
        elif kind == "tentative_entries":
            brief["tentative"] = statement["block"]
        elif kind == "tie_break":
            brief["tie_break"] = statement["keys"]
        elif kind == "equipment":
            brief["equipment"] = [*brief["equipment"], *statement["items"]]
        elif kind == "equipment_of":
            other = self.brief(self.meaning(statement["meeting"]))
            brief["equipment"] = [*brief["equipment"], *other["equipment"]]
        elif kind == "site":
            brief["site"] = statement["site"]
        elif kind == "site_of":
            brief["site"] = self.brief(self.meaning(statement["meeting"]))["site"]
        elif kind == "agenda":
            brief["agenda"] = [self.meaning(meeting) for meeting in statement["meetings"]]
        elif kind == "daily_limit":
            brief["daily_limit"] = statement["count"]
        elif kind not in ("organiser", "delegate"):
            raise ValueError(f"unknown statement {kind!r}")

    def invite(self, brief: Record, invitation: Record) -> None:
        """Add an invitation; it takes the place of the one to the same people."""
        if invitation["kind"] == "same_people":
            new = self.brief(self.meaning(invitation["meeting"]))["invitations"]
        elif invitation["kind"] == "at_least":
            new = [{**invitation, "of": [self.without_aliases(who) for who in invitation["of"]]}]
        else:
            people = {key: self.without_aliases(invitation[key]) for key in ("who", "stand_in") if key in invitation}
            new = [{**invitation, **people}]
        for one in new:
            others = [other for other in brief["invitations"] if addressee(other) != addressee(one)]
            brief["invitations"] = [*others, one]

    def without_aliases(self, who: Record) -> Record:
        """The same people by ID."""
        if "person" in who:
            return {**who, "person": self.person(who["person"])}
        if "team" in who:
            team_id = self.meaning(who["team"])
            only(self.world["teams"], "team_id", team_id)
            return {**who, "team": team_id}
        return who

    # Who takes part.

    def people_on(self, who: Record, day: date) -> set[str]:
        """The people meant on a day."""
        if who["kind"] == "person":
            return {who["person"]}
        if who["kind"] == "members_of":
            members = set(only(self.world["teams"], "team_id", who["team"])["members"])
            contractors = {one["person_id"] for one in self.world["people"] if one["contractor"]}
            return members if who["contractors"] else members - contractors
        if who["kind"] == "on_roster":
            roster = only(self.world["rosters"], "roster_id", who["roster"])
            duty = [shift for shift in roster["shifts"] if covers(shift, day)]
            duty += [swap for swap in self.tags("swap") if swap["roster"] == who["roster"] and covers(swap, day)]
            return {duty[-1]["person_id"]} if duty else set()
        if who["kind"] == "holder":
            holder = only(self.world["roles"], "role_id", who["role"])["holder"]
            changes = [
                (tag["since"], tag["person_id"]) for tag in self.tags("handover") if tag["role"] == who["role"]
            ]
        else:
            holder = only(self.world["people"], "person_id", who["person"])["manager"]
            changes = [
                (tag["since"], tag["manager"]) for tag in self.tags("new_manager") if tag["person_id"] == who["person"]
            ]
        changes.sort(key=lambda change: change[0])  # stable: of one day the later stated comes last
        for since, person_id in changes:
            if date.fromisoformat(since) <= day:
                holder = person_id
        return set() if holder is None else {holder}

    def needs(self, brief: Record, day: date) -> list[tuple[int, list[set[str]]]] | None:
        """For every invitation that has to be met, how many of which groups must take part; None if one names nobody."""
        needs = []
        for invitation in brief["invitations"]:
            if invitation["kind"] == "required":
                group = self.people_on(invitation["who"], day)
                if not group:
                    return None
                needs.append((1, [group]))
            elif invitation["kind"] == "stand_in":
                groups = [self.people_on(invitation[key], day) for key in ("who", "stand_in")]
                groups = [group for group in groups if group]
                if not groups:
                    return None
                needs.append((1, groups))
            elif invitation["kind"] == "at_least":
                people = set().union(*(self.people_on(who, day) for who in invitation["of"]))
                needs.append((invitation["count"], [{person_id} for person_id in sorted(people)]))
        return needs

    def invited(self, brief: Record, day: date) -> set[str]:
        """Everybody who gets a seat."""
        people: set[str] = set()
        for invitation in brief["invitations"]:
            for who in [*invitation.get("of", []), *(invitation[key] for key in ("who", "stand_in") if key in invitation)]:
                people |= self.people_on(who, day)
        return people

    # Policies.

    def day_of(self, start: int) -> date:
        """The day on which a candidate is judged."""
        return self.clock(self.zone.key, start).date()

    def policies(self, brief: Record, start: int, room_site: str) -> list[Record]:
        """The policies that apply to a candidate in a room of the site."""
        day = self.day_of(start)
        if (brief["name"], day, room_site) not in self.applying:
            self.applying[brief["name"], day, room_site] = self.policies_on(brief, day, room_site)
        return self.applying[brief["name"], day, room_site]

    def policies_on(self, brief: Record, day: date, room_site: str) -> list[Record]:
        """The same for a day."""
        editions: dict[str, list[Record]] = {}
        for document in self.world["documents"]:
            for section in document["sections"]:
                policy = section["policy"]
                if policy is not None and first_day(policy) <= day:
                    editions.setdefault(policy["policy_id"], []).append(policy)
        counting = []
        for some in editions.values():
            newest = max(some, key=lambda policy: (first_day(policy), policy["edition"]))
            if newest["last"] is None or day <= date.fromisoformat(newest["last"]):
                counting.append(newest)
        exempt = {
            exemption["policy_id"]
            for policy in counting
            for exemption in policy["exemptions"]
            if self.is_meant(exemption["when"], brief, room_site)
        }
        return [
            policy
            for policy in counting
            if policy["policy_id"] not in exempt and self.is_meant(policy["scope"], brief, room_site)
        ]

    def is_meant(self, scope: Record, brief: Record, room_site: str) -> bool:
        """Whether every condition of a scope holds."""
        team = only(self.world["people"], "person_id", brief["organiser"])["team"]
        if scope["guests"] is not None and scope["guests"] != (brief["guests"] > 0):
            return False
        if scope["room_sites"] and room_site not in scope["room_sites"]:
            return False
        if scope["organiser_teams"] and team not in scope["organiser_teams"]:
            return False
        if scope["longer_than"] is not None and brief["duration"] <= scope["longer_than"]:
            return False
        return bool(scope["at_most"] is None or brief["duration"] <= scope["at_most"])

    def rules_for(self, policies: list[Record], person_id: str) -> list[Record]:
        """The rules that bind a person."""
        site = only(self.world["people"], "person_id", person_id)["site"]
        return [
            rule
            for policy in policies
            if not policy["people_at"] or site in policy["people_at"]
            for rule in policy["rules"]
        ]

    def buffer_of(self, policies: list[Record], person_id: str) -> int:
        """The longest buffer that binds a person."""
        rules = self.rules_for(policies, person_id)
        return max((rule["minutes"] for rule in rules if rule["kind"] == "buffer_min"), default=0)

    # Candidates.

    def clock(self, zone: str, at: int) -> datetime:
        """What the wall clock of a zone shows at an instant."""
        if (zone, at) not in self.clocks:
            self.clocks[zone, at] = datetime.fromtimestamp(at * 60, ZoneInfo(zone))
        return self.clocks[zone, at]

    def is_generated(self, brief: Record, start: int, end: int) -> bool:
        """On the grid, inside the window and inside its daily hours on one date."""
        if self.clock(self.zone.key, start).minute not in (0, 15, 30, 45) or end > brief["window"][1]:
            return False
        times = [self.clock(self.zone.key, at) for at in range(start, end)]
        return brief["daily"] is None or inside_hours(brief["daily"], times)

    def is_agreed(self, brief: Record, start: int, end: int) -> bool:
        """Keeps the deadline, not-before, bans, required windows and the entries that come first."""
        if brief["deadline"] is not None and end > brief["deadline"]:
            return False
        if brief["not_before"] is not None and start < brief["not_before"]:
            return False
        if any(overlap(start, end, *ban) for ban in brief["bans"]):
            return False
        required = brief["required_windows"]
        if required and not any(first <= start and end <= last for first, last in required):
            return False
        return all(start >= self.end_of(*entry) for entry in brief["after_entries"])

    def end_of(self, person_id: str, event_id: str, day: str | None) -> int:
        """When an entry ends; of a series the occurrence of the day, or the first."""
        ends = [
            (one["start"], one["end"])
            for one in self.occurrences("calendars", "person_id", person_id)
            if one["event_id"] == event_id and (day is None or one["day"] in (None, date.fromisoformat(day)))
        ]
        if not ends:
            raise ValueError(f"no entry {event_id!r} in the calendar of {person_id!r}")
        return int(min(ends)[1])

    def people_available(self, brief: Record, start: int, end: int, room_site: str) -> bool:
        """Whether every invitation can be met, the other meetings of a plan aside."""
        needs = self.needs(brief, self.day_of(start))
        if needs is None:
            return False
        policies = self.policies(brief, start, room_site)
        for count, groups in needs:
            able = [
                group for group in groups if all(self.available(brief, policies, one, start, end) for one in group)
            ]
            if len(able) < count:
                return False
        return True

    def available(self, brief: Record, policies: list[Record], person_id: str, start: int, end: int) -> bool:
        """Whether a person is free and every rule that binds the person holds."""
        rules = self.rules_for(policies, person_id)
        kinds = {rule["kind"] for rule in rules}
        tentative = "tentative_free" not in kinds if brief["tentative"] is None else brief["tentative"]
        blocking = {"busy", "out_of_office", "tentative"} if tentative else {"busy", "out_of_office"}
        entries = list(self.occurrences("calendars", "person_id", person_id))
        if "team_calendar_blocks" in kinds:
            for team in self.world["teams"]:
                if person_id in team["members"]:
                    entries += self.occurrences("team_calendars", "team_id", team["team_id"])
        buffer = self.buffer_of(policies, person_id)
        for entry in entries:
            if entry["status"] in blocking and not far_enough(start, end, entry["start"], entry["end"], buffer):
                return False
        site = self.site(only(self.world["people"], "person_id", person_id)["site"])
        times = [self.clock(site["timezone"], at) for at in range(start, end)]
        if "holidays_block" in kinds and any(time.date() in self.holidays(site["country"]) for time in times):
            return False
        return all(rule_holds(rule, times) for rule in rules)

    def site(self, name: str) -> Record:
        """A site; one without a page is taken to be in the zone of the world."""
        for site in self.world["sites"]:
            if site["site"] == name:
                return dict(site)
        return {"site": name, "timezone": self.zone.key, "country": "", "opening": []}

    def holidays(self, country: str) -> set[date]:
        """The public holidays of a country."""
        return {
            date.fromisoformat(day["day"])
            for calendar in self.world["holidays"]
            if calendar["country"] == country
            for day in calendar["days"]
        }

    def room_usable(self, brief: Record, start: int, end: int, room: Record) -> bool:
        """Whether a room suits the meeting, is free, and is not closed."""
        day = self.day_of(start)
        seats = len(self.invited(brief, day)) + brief["guests"] if brief["seats"] is None else brief["seats"]
        if room["capacity"] < seats or any(item not in room["equipment"] for item in brief["equipment"]):
            return False
        if brief["site"] is not None and room["site"] != brief["site"]:
            return False
        policies = self.policies(brief, start, room["site"])
        for booking in self.occurrences("room_calendars", "room_id", room["room_id"]):
            blocks = booking["status"] in ("busy", "out_of_office", "tentative")
            if blocks and not far_enough(start, end, booking["start"], booking["end"], turnaround_of(policies)):
                return False
        effects = self.effects()
        for effect in effects:
            closes_room = effect["kind"] == "room_closed" and effect["room_id"] == room["room_id"]
            closes_site = effect["kind"] == "site_closed" and effect["site"] == room["site"]
            if (closes_room or closes_site) and overlap(start, end, minute(effect["start"]), minute(effect["end"])):
                return False
        if any(rule["kind"] == "building_open" for policy in policies for rule in policy["rules"]):
            return all(self.is_open(room["site"], at, effects) for at in range(start, end))
        return True

    def is_open(self, name: str, at: int, effects: list[Record]) -> bool:
        """Whether the building of a site is open at an instant."""
        for effect in effects:
            if effect["kind"] == "site_open" and effect["site"] == name:
                if minute(effect["start"]) <= at < minute(effect["end"]):
                    return True
        site = self.site(name)
        time = self.clock(site["timezone"], at)
        return any(time.weekday() in hours["days"] and in_hours(hours, time) for hours in site["opening"])

    def effects(self) -> list[Record]:
        """What the notices say that no other notice replaces."""
        notices = self.tags("notice")
        replaced = {notice["replaces"] for notice in notices}
        return [
            effect for notice in notices if notice["notice_id"] not in replaced for effect in notice["effects"]
        ]

    def occurrences(self, calendars: str, field: str, owner: str) -> list[Record]:
        """When the entries of one calendar take place, whatever their state."""
        key = f"{calendars} {owner}"
        if key not in self.spans:
            entries = [one for calendar in self.world[calendars] if calendar[field] == owner for one in calendar["entries"]]
            self.spans[key] = [one for entry in entries for one in occurrences(entry)]
        return self.spans[key]

    # Plans.

    def plan_holds(self, placed: list[Record]) -> bool:
        """Whether the meetings placed so far agree with one another."""
        starts = {candidate["brief"]["name"]: candidate["start"] for candidate in placed}
        ends = {candidate["brief"]["name"]: candidate["end"] for candidate in placed}
        for candidate in placed:
            for other in candidate["brief"]["after_meetings"]:
                if other in ends and starts[candidate["brief"]["name"]] < ends[other]:
                    return False
        rules = [self.policies(one["brief"], one["start"], one["room"]["site"]) for one in placed]
        for first, second in combinations(range(len(placed)), 2):
            one, other = placed[first], placed[second]
            if one["room"] is other["room"]:
                gap = max(turnaround_of(rules[first]), turnaround_of(rules[second]))
                if not far_enough(one["start"], one["end"], other["start"], other["end"], gap):
                    return False
        return any(self.people_fit(placed, rules, people) for people in product(*map(self.casts, placed)))

    def casts(self, candidate: Record) -> list[set[str]]:
        """The sets of people who can take part in a candidate."""
        brief, start, end = candidate["brief"], candidate["start"], candidate["end"]
        policies = self.policies(brief, start, candidate["room"]["site"])
        needs = self.needs(brief, self.day_of(start)) or []
        found: list[set[str]] = []
        for choice in product(*(combinations(groups, count) for count, groups in needs)):
            people = {person_id for groups in choice for group in groups for person_id in group}
            if people not in found and all(self.available(brief, policies, one, start, end) for one in people):
                found.append(people)
        return found

    def people_fit(self, placed: list[Record], rules: list[list[Record]], people: tuple[set[str], ...]) -> bool:
        """Whether nobody of these people is too close to another meeting, or in too many on one day."""
        for first, second in combinations(range(len(placed)), 2):
            one, other = placed[first], placed[second]
            for person_id in people[first] & people[second]:
                gap = max(self.buffer_of(rules[first], person_id), self.buffer_of(rules[second], person_id))
                if not far_enough(one["start"], one["end"], other["start"], other["end"], gap):
                    return False
        limit = self.brief(self.subject)["daily_limit"]
        if limit is None:
            return True
        days = [self.day_of(one["start"]) for one in placed]
        for person_id in set().union(*people):
            for day in set(days):
                meetings = [place for place in range(len(placed)) if days[place] == day and person_id in people[place]]
                if len(meetings) > limit:
                    return False
        return True


# The rules, one by one. `times` is what a wall clock shows at every minute of the candidate.


def overlap(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether a minute lies in both; touching intervals do not overlap."""
    return start < other_end and other_start < end


def far_enough(start: int, end: int, other_start: int, other_end: int, minutes: int) -> bool:
    """Whether at least so many minutes lie between the two, whichever comes first."""
    return other_end + minutes <= start or end + minutes <= other_start


def in_hours(hours: Record, time: datetime) -> bool:
    """Whether the wall clock is at or after start and before end."""
    return minute_of_day(hours["start"]) <= time.hour * 60 + time.minute < minute_of_day(hours["end"])


def inside_hours(hours: Record, times: list[datetime]) -> bool:
    """Whether all minutes lie inside the hours of one date."""
    return all(time.date() == times[0].date() and in_hours(hours, time) for time in times)


def rule_holds(rule: Record, times: list[datetime]) -> bool:
    """Whether a candidate keeps a rule about times of day, by the wall clock of one person."""
    if rule["kind"] == "work_hours":
        return times[0].weekday() in rule["days"] and inside_hours(rule, times)
    if rule["kind"] == "lunch_block":
        return not any(time.weekday() in rule["days"] and in_hours(rule, time) for time in times)
    if rule["kind"] == "ban_dow_time":
        return not any(time.weekday() == rule["day"] and in_hours(rule, time) for time in times)
    others = ("buffer_min", "room_turnaround", "holidays_block", "tentative_free", "team_calendar_blocks", "building_open")
    if rule["kind"] not in others:
        raise ValueError(f"unknown rule {rule['kind']!r}")
    return True


def turnaround_of(policies: list[Record]) -> int:
    """The longest turnaround of a room."""
    rules = [rule for policy in policies for rule in policy["rules"]]
    return max((rule["minutes"] for rule in rules if rule["kind"] == "room_turnaround"), default=0)


def first_day(policy: Record) -> date:
    """The first day on which an edition is in force."""
    return date.min if policy["first"] is None else date.fromisoformat(policy["first"])


def covers(days: Record, day: date) -> bool:
    """Whether the day lies in the days, both ends included."""
    return date.fromisoformat(days["first"]) <= day <= date.fromisoformat(days["last"])


def addressee(invitation: Record) -> Any:
    """What two invitations to the same people share."""
    if invitation["kind"] == "at_least":
        return {json.dumps(who, sort_keys=True) for who in invitation["of"]}
    return invitation["who"]


def rank(candidate: Record) -> tuple[Any, ...]:
    """The sort key: the start, then the tie-break keys in the order given, then the room ID."""
    room = candidate["room"]
    key: list[Any] = [candidate["start"]]
    for name in candidate["brief"]["tie_break"]:
        if name == "capacity_ascending":
            key.append(room["capacity"])
        elif name == "capacity_descending":
            key.append(-room["capacity"])
        elif name == "floor_ascending":
            key.append(room["floor"])
        elif name == "floor_descending":
            key.append(-room["floor"])
        elif name == "name_ascending":
            key.append(room["name"])
        else:
            raise ValueError(f"unknown tie-break key {name!r}")
    key.append(room["room_id"])
    return tuple(key)


def digest(feasible: list[list[Record]]) -> str:
    """SHA-256 of one line `<place> <start> <end> <room_id>` a candidate, by place, start and room ID."""
    rows = sorted(
        (place, candidate["start"], candidate["end"], candidate["room"]["room_id"])
        for place, candidates in enumerate(feasible)
        for candidate in candidates
    )
    text = "".join(f"{place} {start} {end} {room_id}\n" for place, start, end, room_id in rows)
    return hashlib.sha256(text.encode()).hexdigest()


# Series.


def occurrences(entry: Record) -> list[Record]:
    """When an entry takes place: once, or on the dates of its rule."""
    start, end = minute(entry["start"]), minute(entry["end"])
    once = {"event_id": entry["event_id"], "status": entry["status"], "start": start, "end": end, "day": None}
    rule = entry["recurrence"]
    if rule is None:
        return [once]
    first = datetime.fromtimestamp(start * 60, ZoneInfo(rule["timezone"]))
    found = []
    day = first.date()
    while day <= date.fromisoformat(rule["until"]):
        moves = [move for move in rule["moved"] if move["day"] == day.isoformat()]
        if recurs(rule, first.date(), day):
            if moves:
                status = entry["status"] if moves[0]["status"] is None else moves[0]["status"]
                times = {"start": minute(moves[0]["start"]), "end": minute(moves[0]["end"]), "status": status}
                found.append({**once, **times, "day": day})
            elif day.isoformat() not in rule["excepted"]:
                begins = minute(datetime.combine(day, first.time(), ZoneInfo(rule["timezone"])).isoformat())
                found.append({**once, "start": begins, "end": begins + end - start, "day": day})
        day += timedelta(days=1)
    return found


def recurs(rule: Record, first: date, day: date) -> bool:
    """Whether the rule puts an occurrence on the day."""
    if rule["frequency"] == "daily":
        return bool((day - first).days % rule["interval"] == 0)
    if rule["frequency"] == "weekly":
        weeks = (day - timedelta(days=day.weekday()) - (first - timedelta(days=first.weekday()))).days // 7
        return bool(weeks % rule["interval"] == 0 and day.weekday() in (rule["weekdays"] or [first.weekday()]))
    if rule["frequency"] == "monthly":
        months = (day.year - first.year) * 12 + day.month - first.month
        if months % rule["interval"] != 0 or day.weekday() != rule["weekdays"][0]:
            return False
        if rule["nth"] == -1:
            return (day + timedelta(days=7)).month != day.month
        return bool((day.day - 1) // 7 + 1 == rule["nth"])
    raise ValueError(f"unknown frequency {rule['frequency']!r}")


# Records and times.


def only(records: list[Record], field: str, name: str) -> Record:
    """The record of that ID."""
    for record in records:
        if record[field] == name:
            return record
    raise ValueError(f"no {field} {name!r}")


def minute(text: str) -> int:
    """The minutes from 1970-01-01 UTC to an ISO 8601 datetime with its offset."""
    since_epoch = datetime.fromisoformat(text) - datetime(1970, 1, 1, tzinfo=UTC)
    return since_epoch.days * 24 * 60 + since_epoch.seconds // 60


def iso(at: int, zone: ZoneInfo) -> str:
    """The instant as ISO 8601 with the offset of the zone."""
    return datetime.fromtimestamp(at * 60, zone).isoformat()


def minute_of_day(text: str) -> int:
    """The minutes from midnight to `HH:MM`; `24:00` is the end of the day."""
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def main(world_path: str, instances_path: str) -> None:
    """Print one label as JSON for every line of the instances file."""
    with open(world_path, encoding="utf-8") as file:
        world = json.load(file)
    with open(instances_path, encoding="utf-8") as file:
        for line in file:
            if line.strip():
                instance = json.loads(line)
                print(json.dumps({"instance_id": instance["instance_id"], **label(world, instance)}))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python archive/v2/ladder_oracle.py WORLD.json INSTANCES.jsonl")
    main(sys.argv[1], sys.argv[2])
