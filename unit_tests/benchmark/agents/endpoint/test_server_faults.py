"""Whose fault it is when a server of some make says that something failed."""

from types import SimpleNamespace

import pytest

from mpcbench.benchmark.agents.endpoint import transport
from mpcbench.benchmark.agents.endpoint.models import Api
from mpcbench.benchmark.agents.protocol import EndpointError, UnusableEndpointError
from mpcbench.benchmark.practice_endpoint import EndpointServer, Fault, ModelTurn, Scripted
from mpcbench.schema.episode import Finish, Reply
from unit_tests.benchmark.agents.endpoint.episodes import KEY, KEY_VARIABLE, run
from unit_tests.benchmark.agents.endpoint.server_faults import FAULTS, Outcome, ServerFault

ANSWER = '{"candidates": []}'
TRIES = 3


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    monkeypatch.setattr(transport, "time", SimpleNamespace(sleep=lambda _: None))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.server} {fault.status}")
def test_whose_fault_it_is(fault: ServerFault) -> None:
    """A fault of the model is scored or told to it, and is not sent again; one of the endpoint is never scored."""
    faults = [Fault(fault.status, fault.content)] * TRIES
    if fault.outcome in {Outcome.FAILED_TURN, Outcome.ANSWERED}:
        faults = faults[:1]
    with EndpointServer(Scripted([ModelTurn(text=ANSWER)] * 2), faults=faults) as server:
        try:
            reply = run(server, Api.CHAT, max_retries=TRIES - 1)
        except EndpointError as error:
            requests, found = 1, Outcome.RUN_ENDS if isinstance(error, UnusableEndpointError) else Outcome.ERROR
            if f"(tried {TRIES} times)" in str(error):
                requests, found = TRIES, Outcome.RETRIED
        else:
            requests, found = reply.turns, _outcome(reply)
        made = len(server.requests)

    assert (fault.outcome, requests) == (found, made)


def _outcome(reply: Reply) -> Outcome:
    if any("could not be read" in str(item.get("content")) for item in reply.messages):
        assert reply.text == ANSWER
        return Outcome.FAILED_TURN
    outcomes = {Finish.LENGTH: Outcome.TRUNCATED, Finish.REFUSAL: Outcome.REFUSED}
    return outcomes.get(reply.finish, Outcome.ANSWERED if reply.text == ANSWER else Outcome.EMPTY)


def test_are_many() -> None:
    """The table holds at least a hundred faults, each with a name of its own and the address of its source."""
    names = {(fault.server, fault.status) for fault in FAULTS}

    assert len(FAULTS) == len(names) >= 100
    assert all(fault.source.startswith("https://") for fault in FAULTS)
