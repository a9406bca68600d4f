"""The practice endpoint serves the reference agent of level 4."""

from collections.abc import Callable
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions
from mpcbench.benchmark.agents.endpoint.models import Api, ToolProtocol
from mpcbench.benchmark.agents.reference.any_level import reference_agent
from mpcbench.benchmark.practice_endpoint import Conversation, EndpointServer, ModelCall, Solver
from mpcbench.benchmark.practice_endpoint.brains import Exchange, OfferedTool
from mpcbench.benchmark.practice_endpoint.json_brain import JsonSpeaking
from mpcbench.schema.level4.instance import Change
from unit_tests.benchmark.agents.endpoint.episodes import KEY, KEY_VARIABLE, OPENAI_APIS, entry
from unit_tests.builders.ladder_episodes import Scene, blocked, changed, own_meetings, plan


@cache
def planned() -> Scene:
    """Two meetings planned together."""
    return plan(Random(2), 2)


def changing() -> Scene:
    """A meeting whose world changes once the agent has seen what it needs."""
    scene = next(islice(own_meetings(Random(11)), 1))
    toolbox = scene.toolbox()
    scene.answer(reference_agent, toolbox)
    shown = [record for call in toolbox.log for record in call.records]
    return changed(scene, Change(when_shown=(shown[0], shown[-1]), edit=next(iter(blocked(scene)))))


def called(call: Any) -> tuple[Any, ...]:
    """A logged call with its turn."""
    return call.turn, call.name, call.arguments, call.result, call.records


@pytest.mark.parametrize(
    ("made", "protocol", "api"),
    [
        *((planned, protocol, api) for protocol in ToolProtocol for api in OPENAI_APIS),
        (changing, ToolProtocol.NATIVE, Api.CHAT),
    ],
)
def test_behind_the_wire_it_does_the_same(
    made: Callable[[], Scene], protocol: ToolProtocol, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It makes the same calls in the same turns, as many at once as it asks for, and finds the gold."""
    scene = made()
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    alone, behind = scene.toolbox(), scene.toolbox()
    scene.answer(reference_agent, alone)
    with EndpointServer(JsonSpeaking(Solver(reference_agent))) as server:
        options = EndpointOptions(base_url=server.base_url, tool_protocol=protocol, max_retries=0)
        found = scene.answer(EndpointAgent(entry(api), options), behind)

    assert scene.gold == found
    assert [called(call) for call in alone.log] == [called(call) for call in behind.log]
    assert alone.log[-1].turn < len(alone.log)


def test_results_that_are_left_out_are_asked_for_again() -> None:
    """A client that has run some of the calls of a turn is asked for the rest, under the names that it offers."""
    names = [f"mpcbench_{name}" for name in ("list_rosters", "list_sites", "list_teams")]
    scene = planned()
    text = scene.instance.task[0]
    asked = Conversation(
        "All times are local times of the time zone Europe/Berlin unless they say otherwise.",
        text,
        tuple(OfferedTool(name, "", {"type": "object"}) for name in names),
        (),
        0,
    )
    first = Solver(reference_agent)(asked).calls
    result = scene.toolbox().call("list_sites", {})
    held = (Exchange(first[0].name, first[0].arguments, 1, result),)
    second = Solver(reference_agent)(Conversation(asked.system, text, asked.tools, held, 1)).calls

    assert (ModelCall("mpcbench_list_sites", "{}"), ModelCall("mpcbench_list_teams", "{}")) == first
    assert first[1:] == second
