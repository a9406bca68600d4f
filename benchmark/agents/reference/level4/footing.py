"""The agenda, second part: what the candidates rest on that would be chosen by what is known."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from itertools import islice
from typing import Any, Final

from mpcbench.benchmark.agents.reference.level4 import availability, questions
from mpcbench.benchmark.agents.reference.level4.agenda import Question
from mpcbench.benchmark.agents.reference.level4.casefile import CaseFile, Stretch
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.level4.brief import Brief, Reader
from mpcbench.oracle.level4.cast import cast
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.policies import Meant, counting_on, terms
from mpcbench.oracle.level4.solve import Pick
from mpcbench.oracle.level4.stage import Stage
from mpcbench.schema.level4.facts import RoomClosed, SiteClosed, SiteOpen
from mpcbench.schema.model import to_minutes

_DAY = timedelta(days=1)
_MARGIN: Final = 60
"""Minutes around a candidate in which other entries can matter: more than any pause that a rule asks for."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What the case amounts to by now."""

    case: CaseFile
    knowledge: Knowledge
    """What the agent believes."""

    briefs: tuple[Brief, ...] = ()
    """What holds about the meetings that are to be placed."""


def briefs_of(knowledge: Knowledge) -> tuple[Brief, ...]:
    """What holds about the meetings to be placed; raises `UnresolvedError`."""
    reader = Reader(knowledge)
    return tuple(reader.brief(name) for name in reader.agenda) or (reader.brief(reader.subject),)


def about_terms(findings: Findings) -> list[Question]:
    """What has to be known before anything can be placed: the organisers, and the rooms that fit."""
    knowledge = findings.knowledge
    asked: list[Question] = []
    for brief in findings.briefs:
        if brief.organiser is not None:
            asked.append((("person", brief.organiser), partial(questions.directory, person=brief.organiser)))
        filters: dict[str, Any] = {}
        if brief.site is not None:
            filters["site"] = brief.site
        seats = brief.seats if brief.seats is not None else _fewest(knowledge, brief) + brief.guests
        if seats > 0:
            filters["min_capacity"] = seats
        if brief.equipment:
            filters["equipment"] = tuple(sorted(brief.equipment))
        asked.append((("rooms", *filters.items()), partial(availability.rooms, filters=filters)))
    return asked


def _fewest(knowledge: Knowledge, brief: Brief) -> int:
    """The fewest people who are invited on a day of the window."""
    if brief.window is None:
        return 0
    first, last = (to_datetime(moment, knowledge.zone).date() for moment in brief.window)
    days = [first, *(day for day in knowledge.turning_days if first < day <= last)]
    return min(len(cast(knowledge, brief.invitations, day).invited) for day in days)


def about_people(findings: Findings, picks: Sequence[Pick]) -> list[Question]:
    """What the candidates rest on as far as people are concerned."""
    case, knowledge = findings.case, findings.knowledge
    asked: list[Question] = []
    for pick, brief, day in _dated(findings, picks):
        found = cast(knowledge, brief.invitations, day)
        policies = _applying(knowledge, brief, pick, day)
        for person in sorted(found.required | found.choosable):
            asked.append((("person", person), partial(questions.directory, person=person)))
            if person not in case.register.directory:
                continue
            asked += _stretches(findings, "calendars", person, pick)
            demand = terms(brief, policies, knowledge.people[person].site)
            teams = knowledge.teams_of.get(person, ()) if demand.by_team else ()
            site = knowledge.sites.get(knowledge.people[person].site)
            if demand.holidays and site is not None:
                asked.append((("holidays", site.country), partial(availability.public_holidays, country=site.country)))
            if demand.by_team:
                own = {knowledge.people[person].team, *teams}
                for name, team in case.register.teams.items():
                    if team in own or questions.is_project(name):
                        asked.append((("team", team), partial(questions.team_page, team_id=team)))
                for team in teams:
                    asked += _stretches(findings, "team_calendars", team, pick)
    return asked


def about_rooms(findings: Findings, found: Stage, picks: Sequence[Pick]) -> list[Question]:
    """The bookings that the candidates rest on, together with those of rooms that come next, ever more of them."""
    case = findings.case
    missing: dict[date, dict[str, None]] = {}
    for pick in picks:
        for stretch in _needed(findings, "bookings", pick.room_id, pick):
            if stretch not in case.seen:
                missing.setdefault(stretch.first, {})[pick.room_id] = None
    asked: list[Question] = []
    for start, rooms in missing.items():
        others = (option.room.room_id for meeting in found.meetings for option in meeting.options)
        more = (room for room in dict.fromkeys(others) if Stretch("bookings", room, start) not in case.seen)
        before = sum(one.kind == "bookings" and one.first == start for one in case.seen)
        spare = (
            max(before, -len(rooms) % availability.MOST_ROOMS) // availability.MOST_ROOMS * availability.MOST_ROOMS
            or -len(rooms) % availability.MOST_ROOMS
        )
        wanted = [*rooms, *islice((room for room in more if room not in rooms), spare)]
        for place in range(0, len(wanted), availability.MOST_ROOMS):
            some = wanted[place : place + availability.MOST_ROOMS]
            asked.append((("bookings", start, *some), partial(availability.bookings, rooms=some, first=start)))
    return asked


def about_notices(findings: Findings, picks: Sequence[Pick]) -> list[Question]:
    """The notices that could close the rooms of the candidates."""
    case, knowledge = findings.case, findings.knowledge
    room_ids = dict.fromkeys(pick.room_id for pick in picks)
    named = [room for room in room_ids if room not in case.confirmed]
    # What closes a room or opens a building may itself have been replaced.
    named += [
        posted.notice.notice_id
        for posted in knowledge.notices
        if posted.notice.notice_id not in case.confirmed
        and any(_concerns(case, effect, pick) for effect in posted.notice.effects for pick in picks)
    ]
    case.look_for(*named)
    asked: list[Question] = []
    if named:
        asked.append((("notices", *named), partial(availability.room_notices, names=named)))
    for room in room_ids:
        site = case.rooms[room].site
        case.look_for(site)
        asked.append((("closed", site), partial(availability.site_notices, site=site, opening=False)))
    return asked


def _concerns(case: CaseFile, effect: RoomClosed | SiteClosed | SiteOpen, pick: Pick) -> bool:
    """Whether an effect closes the room of a candidate, or opens its building, at the candidate's time."""
    where = pick.room_id if isinstance(effect, RoomClosed) else case.rooms[pick.room_id].site
    here = where == (effect.room_id if isinstance(effect, RoomClosed) else effect.site)
    return here and to_minutes(effect.start) < pick.end and pick.start < to_minutes(effect.end)


def about_openings(findings: Findings, picks: Sequence[Pick], strict: Sequence[Pick]) -> list[Question]:
    """When the buildings of candidates are open that lie outside the usual hours."""
    case = findings.case
    asked: list[Question] = []
    for pick in (one for one in picks if one not in strict):
        site = case.rooms[pick.room_id].site
        case.look_for(site)
        asked.append((("open", site), partial(availability.site_notices, site=site, opening=True)))
    return asked


def _dated(findings: Findings, picks: Iterable[Pick]) -> Iterator[tuple[Pick, Brief, date]]:
    briefs: Mapping[str | None, Brief] = {brief.name: brief for brief in findings.briefs}
    for pick in picks:
        brief = findings.briefs[0] if pick.meeting is None else briefs[pick.meeting]
        yield pick, brief, to_datetime(pick.start, findings.knowledge.zone).date()


def _applying(knowledge: Knowledge, brief: Brief, pick: Pick, day: date) -> tuple[Any, ...]:
    assert brief.organiser is not None
    site = next(room.site for room in knowledge.rooms if room.room_id == pick.room_id)
    meant = Meant(knowledge.policies, brief, knowledge.people[brief.organiser].team, site)
    return meant.applying(counting_on(knowledge.policies, day))


def _needed(findings: Findings, kind: str, owner: str, pick: Pick) -> list[Stretch]:
    """The stretches of a calendar that a candidate and the pauses around it touch."""
    case, knowledge = findings.case, findings.knowledge
    zone = knowledge.zone
    if kind == "calendars":
        zone = case.register.sites[case.register.directory[owner].site]
    if kind == "bookings":
        zone = case.register.sites[case.rooms[owner].site]
    starts = [brief.window.start for brief in findings.briefs if brief.window is not None]
    first = to_datetime(min(starts), knowledge.zone).date()
    length = availability.LENGTHS[kind]
    ends = (pick.start - _MARGIN, pick.end + _MARGIN)
    blocks = dict.fromkeys((to_datetime(end, zone).date() - first).days // length for end in ends)
    return [Stretch(kind, owner, first + block * length * _DAY) for block in blocks]


def _stretches(findings: Findings, kind: str, owner: str, pick: Pick) -> Iterator[Question]:
    for stretch in _needed(findings, kind, owner, pick):
        yield stretch, partial(availability.calendar, stretch=stretch)
