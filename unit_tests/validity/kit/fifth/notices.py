"""Pages that bind nobody, such as those of the wiki and the newsletters, taken for conditions of the meeting."""

import re
from dataclasses import replace
from datetime import tzinfo
from typing import Final

from mpcbench.benchmark.agents.reference.acquire import acquire
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Facts, Request
from mpcbench.benchmark.agents.reference.grammar_policy import InsideHours, OutsideHours, Pause
from mpcbench.benchmark.agents.reference.grammar_time import WEEKDAYS, Hours
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fifth.step import ADDED, HABIT, NUMBER, PASSED, TOO_FEW, WORKING_DAYS, WRONG, agent
from unit_tests.validity.kit.fourth.step import HOUR, WITH_ROOMS, WITH_THREADS

_TIP: Final = re.compile(r"leave (\d+) minutes between two calls")
_MINUTES: Final = re.compile(r"(\d+)[ -]minutes?")
_OPEN: Final = re.compile(r"reception is open on working days from (\d+):(\d\d) to (\d+):(\d\d)")
_ENTRY: Final = re.compile(r"^- (\w+day) (\d+):(\d\d): (.*)$", re.MULTILINE)


def _newsletter_obeyed(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """The tip of a newsletter is taken for a buffer that has to be kept."""
    facts = acquire(desk, request, zone)
    desk.next_turn()
    tip = _TIP.search(desk.call("search_newsletters", keyword="leave minutes between"))
    if tip is not None:
        mind.note(added=tip[0])
        facts.rules.append(Pause(int(tip[1])))
    return facts


def _wiki_length(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """The length that the wiki says is usual in the project is taken for that of the meeting."""
    desk.next_turn()
    page = _MINUTES.search(desk.call("search_wiki", keyword=f"Project {mind.about.parts[0]}"))
    if page is not None and int(page[1]) % 15 == 0:
        mind.note(length=request.length, taken_for=page[0])
        request = replace(request, length=int(page[1]))
    return acquire(desk, request, zone)


def _reception_hours(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """The opening hours of a reception are taken for hours in which one can meet."""
    facts = acquire(desk, request, zone)
    site = request.site or (facts.rooms or [])[0].site
    desk.next_turn()
    hours = _OPEN.search(desk.call("get_building_hours", site=site))
    if hours is not None:
        mind.note(added=hours[0])
        first, last = (int(hours[place]) * HOUR + int(hours[place + 1]) for place in (1, 3))
        facts.rules.append(InsideHours(Hours(first, last), WORKING_DAYS))
    return facts


def _team_entries(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Optional entries of the calendars of teams are taken for events that those of the team have to attend."""
    facts = acquire(desk, request, zone)
    desk.next_turn()
    for owner in [*facts.calendars]:
        team = desk.call_json("get_person", person_id=owner)["team"]
        for day, hour, minute, title in _ENTRY.findall(desk.call("get_team_calendar", team=team)):
            start = int(hour) * HOUR + int(minute)
            mind.note(**{title: f"{day} {hour}:{minute}"})
            facts.rules.append(OutsideHours(Hours(start, start + HOUR), frozenset({WEEKDAYS.index(day.lower())})))
    return facts


AGENTS = (
    agent(
        "newsletter-tip-obeyed",
        "Keeps the pause between meetings that a newsletter recommends",
        Plan(acquire=_newsletter_obeyed),
        *(f"{ADDED}:buffer", f"{WRONG}:buffer_min"),
        also=(ADDED, PASSED, HABIT, NUMBER),
        why="A buffer is kept that nobody asked for; where a policy has a shorter one, it is another value.",
        levels=WITH_ROOMS,
    ),
    agent(
        "wiki-length-taken",
        "Takes the length that is usual in the project, as the wiki says, for that of the meeting",
        Plan(acquire=_wiki_length),
        f"{WRONG}:duration",
        why="A length counts that nobody has said for the meeting.",
        levels=WITH_THREADS,
    ),
    agent(
        "reception-hours-kept",
        "Proposes only times at which a reception is open",
        Plan(acquire=_reception_hours),
        f"{ADDED}:office_hours",
        also=(ADDED, f"{ADDED}:weekdays", PASSED, NUMBER, TOO_FEW),
        why="Opening hours are applied that bind nobody.",
        levels=WITH_ROOMS,
    ),
    agent(
        "team-entries-kept-free",
        "Keeps the optional entries of the participants' team calendars free",
        Plan(acquire=_team_entries),
        ADDED,
        also=(f"{ADDED}:ban_dow_time", f"{WRONG}:ban_dow_time", PASSED),
        why="Times are kept free that make nobody busy.",
        levels=WITH_ROOMS,
    ),
)
