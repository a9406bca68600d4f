"""An episode for MCP clients, without a client: what ends it, and what counts."""

import threading
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.mcp.agent import McpAgent
from mpcbench.benchmark.agents.mcp.episode import SUBMIT, McpEpisode
from mpcbench.benchmark.agents.plugged import calls
from mpcbench.benchmark.agents.plugged.agent import AgentOptions
from mpcbench.benchmark.agents.plugged.spec import AgentSpecError
from mpcbench.benchmark.agents.protocol import Budget, Task, UnusableEndpointError
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Finish, Outcome, Reply
from mpcbench.schema.model import LADDER
from mpcbench.schema.run import Case
from unit_tests.builders import small_ladder

ANSWER: dict[str, Any] = {"candidates": [{"start": "2027-02-01T09:00", "end": "2027-02-01T09:45"}]}


@pytest.fixture
def tools(dataset: Dataset) -> Toolbox:
    return _trial(dataset).toolbox()


@pytest.fixture
def episode(dataset: Dataset, tools: Toolbox) -> McpEpisode:
    return McpEpisode(_trial(dataset).task, tools)


def _trial(dataset: Dataset) -> Trial:
    return Trial(Case("level1-001", 1, "mcp"), dataset.exam("level1-001"), Settings.from_options({}, Path()))


def test_tools_are_the_benchmarks_and_the_answers(episode: McpEpisode, tools: Toolbox) -> None:
    """Schemas are the toolbox's own; the answer's is that of the task."""
    *listed, submit = episode.tools

    assert [(one.name, one.description, one.parameters) for one in tools.tools] == [
        tuple(one.values()) for one in listed
    ]
    assert (SUBMIT, ["candidates"]) == (submit["name"], submit["inputSchema"]["required"])


def test_plan_of_level_4_is_submitted_with_its_meetings() -> None:
    """An option without its meeting is refused; the right plan passes."""
    exam = small_ladder.exam(2)
    trial = Trial(Case(exam.instance.instance_id, LADDER, "mcp"), exam, Settings.from_options({}, Path()))
    refused = []

    def client(task: Task, tools: Toolbox, budget: Budget) -> Reply:  # noqa: ARG001 - every agent's signature
        episode = McpEpisode(task, tools)
        episode.call("get_calendar", {"person_id": "p1", "start_date": "2027-03-01", "end_date": "2027-03-01"})
        gold = [one.model_dump(mode="json") for one in exam.label.gold]
        nameless = [{name: value for name, value in one.items() if name != "meeting"} for one in gold]
        refused.append(episode.call(SUBMIT, {"candidates": nameless}))
        episode.call(SUBMIT, {"candidates": gold})
        return episode.reply(0)

    graded = trial.run(client).episode

    assert [True] == [one.endswith("'meeting' is a required property") for one in refused]
    assert (Outcome.PASSED, ["get_calendar"]) == (graded.outcome, [call.name for call in graded.tool_calls])


def test_calls_are_logged_with_their_turns(episode: McpEpisode, tools: Toolbox) -> None:
    """A client may say the turn; a call without one is a turn of its own, and so is one with nonsense."""
    for turn in (None, 5, 5, "x"):
        episode.call("get_policy", {"keyword": "POL-01"}, turn)
    episode.call(SUBMIT, ANSWER)

    assert [1, 5, 5, 6] == [call.turn for call in tools.log]
    assert 7 == episode.reply(0).turns


def test_first_answer_that_fits_counts(episode: McpEpisode, tools: Toolbox) -> None:
    """What does not fit is refused with the place; after the answer nothing is called and nothing replaced."""
    refused = episode.call(SUBMIT, {"candidates": [{"start": "noon", "end": "2027-02-01T09:45"}]})
    over = episode.is_over
    said = episode.call(SUBMIT, ANSWER)
    late = [episode.call("get_policy", {"keyword": "POL-01"}), episode.call(SUBMIT, {"candidates": []})]
    episode.end("too late")

    assert refused.startswith("error: submit_answer: $.candidates[0].start: 'noon' does not match")
    assert (False, "The answer has been submitted. The episode is over.") == (over, said)
    assert ["error: the episode is over: its answer has been submitted, or its time has run out"] * 2 == late
    assert [] == tools.log
    assert '{"candidates": [{"start": "2027-02-01T09:00", "end": "2027-02-01T09:45"}]}' == episode.reply(0).text


def test_answer_ends_the_wait(episode: McpEpisode) -> None:
    """Who waits for the reply gets it from another thread's submission."""
    threading.Timer(0.05, episode.call, (SUBMIT, ANSWER)).start()

    assert Finish.STOP is episode.reply(30).finish


def test_no_client_is_no_failure(episode: McpEpisode) -> None:
    """If nobody asks for anything the run ends, as no other episode would get a client."""
    with pytest.raises(UnusableEndpointError, match=r"no MCP client asked for anything within 0\.01 s"):
        episode.reply(0.01)

    assert episode.call("get_policy", {"keyword": "POL-01"}).startswith("error: the episode is over")


def test_closed_connection(episode: McpEpisode) -> None:
    """A client that asked for something has failed; where none did, nothing is recorded."""
    episode.end("the client closed the connection")
    with pytest.raises(UnusableEndpointError, match="before the connection was closed"):
        episode.reply(30)


def test_client_that_gives_no_answer_fails(episode: McpEpisode) -> None:
    """The time runs out."""
    episode.begin()
    reply = episode.reply(0.01)

    assert (Finish.FAILURE, "the agent gave no answer within 0.01 s") == (reply.finish, reply.failure)


def test_too_many_calls_end_the_episode(episode: McpEpisode, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits are those of other agents of the user's."""
    monkeypatch.setattr(calls, "MOST_CALLS", 2)
    results = [episode.call("get_policy", {"keyword": "POL-01"}) for _ in range(3)]

    assert "error: the agent made more than 2 tool calls" == results[-1]
    assert "the agent made more than 2 tool calls" == episode.reply(0).failure


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (AgentOptions(("port=x",)), "--agent-arg: port: x is not a port from 0 to 65535"),
        (AgentOptions(("host=x",)), "--agent-arg: --model mcp takes no argument 'host'; it takes port"),
        (AgentOptions(in_process=True), "--in-process: not with --model mcp, whose clients are other processes"),
    ],
)
def test_options_that_make_no_server(options: AgentOptions, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says what is wrong."""
    monkeypatch.setattr("mpcbench.benchmark.agents.mcp.agent.find_spec", lambda _: True)
    with pytest.raises(AgentSpecError) as caught:
        McpAgent(options)

    assert why == str(caught.value)


def test_sdk_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says how to install it."""
    monkeypatch.setattr("mpcbench.benchmark.agents.mcp.agent.find_spec", lambda _: None)
    with pytest.raises(AgentSpecError, match=r"^--model mcp: needs the package mcp: run make mcp, or pip install "):
        McpAgent(AgentOptions())
