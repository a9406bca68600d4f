"""The vendors' own packages find the agent's requests and the practice endpoint's answers as they should be."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions
from mpcbench.benchmark.agents.endpoint.models import Api
from mpcbench.benchmark.agents.protocol import Budget
from mpcbench.benchmark.practice_endpoint import EndpointServer, ModelTurn, Scripted, generate_content, messages
from mpcbench.benchmark.practice_endpoint.brains import Conversation
from unit_tests.benchmark.agents.endpoint import vendor_judge
from unit_tests.benchmark.agents.endpoint.episodes import KEY_VARIABLE, TASK, note_call, toolbox
from unit_tests.benchmark.agents.endpoint.test_vendors import ANSWER, entry

PACKAGES = Path(sys.prefix) / "providers"
"""Where `make providers` installs them, away from the packages of the project."""

SCRIPT = [
    ModelTurn(text="I look.", calls=(note_call("colour"), note_call("number")), reasons=True),
    ModelTurn(calls=(note_call("smell"),), reasons=True),
    ANSWER,
]
_OF_THE_VENDOR = {Api.MESSAGES: ("content-type",), Api.GENERATE_CONTENT: ("x-goog-api-key", "content-type")}
"""Headers; the package of Anthropic has moved on to a version of the API without sampling parameters."""


@pytest.mark.slow  # imports the packages
@pytest.mark.skipif(not PACKAGES.is_dir(), reason="make providers installs the vendors' packages")
@pytest.mark.parametrize(("api", "route"), [(Api.MESSAGES, messages), (Api.GENERATE_CONTENT, generate_content)])
def test_requests_and_answers(api: Api, route: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both fit the packages' types; sent by them, the requests have the same path and headers, and the same answers."""
    monkeypatch.setenv(KEY_VARIABLE, "sk-judge")
    answers = []
    write = route.write  # type: ignore[attr-defined]

    def kept(turn: ModelTurn, conversation: Conversation, body: dict[str, object]) -> dict[str, object]:
        answers.append(write(turn, conversation, body))
        return dict(answers[-1])

    monkeypatch.setattr(route, "write", kept)
    settings = {"parallel_tool_calls": True} if api is Api.MESSAGES else {"seed": 3}
    with EndpointServer(Scripted(SCRIPT), key="sk-judge") as server:
        options = EndpointOptions(base_url=server.base_url, temperature=0.5, max_retries=0)
        EndpointAgent(entry(api, top_p=0.9, stop=["END"], **settings), options)(TASK, toolbox(), Budget(3))
        ours = server.requests.copy()
        asked = {
            "api": api.value,
            "root": server.base_url.removesuffix("/v1"),
            "exchanges": [[request.body, answer] for request, answer in zip(ours, answers, strict=True)],
        }
        judge = subprocess.run(
            [sys.executable, "-P", vendor_judge.__file__],
            input=json.dumps(asked),
            env={**os.environ, "PYTHONPATH": str(PACKAGES)},
            capture_output=True,
            text=True,
            check=False,
        )
        theirs = server.requests[len(ours) :]

    assert 0 == judge.returncode, judge.stderr
    assert ["I look.", "", ANSWER.text] == json.loads(judge.stdout)
    assert [request.path for request in ours] == [request.path for request in theirs]
    for name in _OF_THE_VENDOR[api]:
        assert [request.headers[name] for request in ours] == [request.headers[name] for request in theirs]
