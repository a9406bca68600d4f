"""Messages, policies and sources that are not looked up."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import Any, Final

from mpcbench.benchmark.agents.reference.acquire import acquire
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Facts, PolicyCall, Request, Room
from mpcbench.benchmark.agents.reference.grammar_policy import InsideHours
from mpcbench.benchmark.agents.reference.grammar_time import Hours
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.sixth.step import (
    NEVER,
    OMITTED,
    PART,
    ROOMS,
    THREADS,
    WRONG,
    Call,
    agent,
    calling,
)

_NOTHING: Final = json.dumps({"busy": [], "bookings": [], "threads": [], "messages": [], "page": 1, "pages": 1})


_RULES: Final = tuple(
    f"{OMITTED}:{kind}" for kind in ("policy", "work_hours", "buffer_min", "lunch_block", "ban_dow_time")
)


def _no_channels(_: Mind, call: Call, tool: str, arguments: dict[str, Any]) -> str:
    return _NOTHING if tool == "list_threads" else call(tool, **arguments)


def _next_number(_: Mind, call: Call, tool: str, arguments: dict[str, Any]) -> str:
    """A policy is looked up under the next number."""
    if tool != "get_policy":
        return call(tool, **arguments)
    head, _dash, number = arguments["keyword"].partition("-")
    for near in (int(number) + 1, int(number) - 1):
        try:
            return call(tool, keyword=f"{head}-{near:0{len(number)}d}")
        except RuntimeError:
            continue
    return json.dumps({"rules": []})


def _without_policies(kept: Callable[[list[PolicyCall]], list[PolicyCall]]) -> Plan:
    """Fetch only some of the policies that apply."""

    def step(_: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
        return acquire(desk, replace(request, policies=kept(request.policies)), zone)

    return Plan(acquire=step)


def _with_office_hours(_: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    facts = acquire(desk, replace(request, policies=[]), zone)
    return replace(facts, rules=[InsideHours(Hours(9 * 60, 17 * 60), frozenset(range(5)))])


def _rooms_made_up(_: Mind, call: Call, tool: str, arguments: dict[str, Any]) -> str:
    if tool == "list_rooms":
        heads = ("room_id", "name", "site", "floor", "capacity", "equipment")
        return "\n".join((" | ".join(heads), "-", "page 1 of 1, 0 rooms"))
    return call(tool, **arguments)


def _in_made_up_room(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    facts = acquire(desk, replace(request, equipment=[]), zone)
    room = Room("R01", "", request.site or "", 1, 1000, tuple(request.equipment))
    mind.note(room=room.room_id)
    return replace(facts, request=request, rooms=[room])


def _last_found(_: Mind, _desk: Desk, found: Sequence[str]) -> list[str]:
    return [*found][-1:]


def _first_hit(_: Mind, call: Call, tool: str, arguments: dict[str, Any]) -> str:
    """Of the hits of a search only the first one is taken in."""
    result = call(tool, **arguments)
    if tool != "search_threads":
        return result
    found = json.loads(result)
    return json.dumps(found | {"messages": found["messages"][:1], "pages": found["page"]})


def _people_not_searched(_: Mind, call: Call, tool: str, arguments: dict[str, Any]) -> str:
    """Searches for people along with the subject are left out."""
    keyword = arguments.get("keyword", "")
    by_person = tool == "search_threads" and keyword.endswith('"') and not keyword.startswith('"')
    return _NOTHING if by_person else call(tool, **arguments)


_ACQUISITION: Final = Stage.ACQUISITION

AGENTS = (
    agent(
        "policy-of-next-number",
        "Looks up the policy with the next number in place of the one named",
        calling(_next_number),
        f"{NEVER}:policy",
        also=(*_RULES, f"{WRONG}:work_hours", "integration.constraint_added:policy"),
        why="A policy that applies was never shown.",
        stage=_ACQUISITION,
        levels=(1,),
    ),
    agent(
        "first-policy-only",
        "Looks up the first of several policies and forgets the others",
        _without_policies(lambda calls: calls[:1]),
        *(f"{NEVER}:policy", f"{OMITTED}:policy"),
        also=(*_RULES, f"{OMITTED}:room_turnaround"),
        why="Other policies were never shown, unless they are in the same document.",
        stage=_ACQUISITION,
    ),
    agent(
        "first-search-only",
        "Searches for the meeting by its full name only and looks for nothing else",
        Plan(),
        f"{NEVER}:thread",
        why="Threads that refer to the meeting in another way were never shown.",
        stage=_ACQUISITION,
        levels=THREADS,
        follows_up=False,
    ),
    agent(
        "newest-thread-only",
        "Opens only the last of the threads that it finds by name",
        Plan(threads=_last_found),
        f"{NEVER}:thread",
        also=("decomposition.source_never_queried", NEVER, PART),
        why="Threads that name the meeting were never shown.",
        stage=_ACQUISITION,
        levels=THREADS,
        follows_up=False,
    ),
    agent(
        "top-hit-only",
        "Opens only the first hit of each search",
        calling(_first_hit),
        f"{NEVER}:thread",
        also=("decomposition.source_never_queried", NEVER, PART),
        why="Threads further down in the lists of hits were never shown.",
        stage=_ACQUISITION,
        levels=THREADS,
    ),
    agent(
        "channel-unwatched",
        "Does not look through the channel in which further messages were announced",
        calling(_no_channels),
        f"{NEVER}:thread",
        why="A thread of that channel was never shown.",
        stage=_ACQUISITION,
        levels=THREADS,
    ),
    agent(
        "people-not-searched",
        "Does not search for messages that mention the meeting by its subject and its people",
        calling(_people_not_searched),
        f"{NEVER}:thread",
        why="A thread that names people in place of the meeting was never shown.",
        stage=_ACQUISITION,
        levels=THREADS,
    ),
    agent(
        "policies-imagined",
        "Never opens a policy and assumes office hours from Monday to Friday",
        Plan(acquire=_with_office_hours),
        "decomposition.source_never_queried:policy",
        also=(f"{NEVER}:policy", *_RULES),
        why="No policy was looked up.",
        stage=Stage.DECOMPOSITION,
    ),
    agent(
        "room-imagined",
        "Never asks for rooms and makes one up for all options",
        replace(calling(_rooms_made_up), acquire=_in_made_up_room),
        "decomposition.source_never_queried:rooms",
        also=(NEVER,),
        why="No tool for rooms was called.",
        stage=Stage.DECOMPOSITION,
        levels=ROOMS,
    ),
    agent(
        "threads-imagined",
        "Answers from the task alone and guesses what the messages say",
        Plan(search=lambda _mind, _desk: []),
        "decomposition.source_never_queried:threads",
        also=("decomposition.source_never_queried", NEVER),
        why="No message was looked up.",
        stage=Stage.DECOMPOSITION,
        levels=(2,),
        follows_up=False,
    ),
)
