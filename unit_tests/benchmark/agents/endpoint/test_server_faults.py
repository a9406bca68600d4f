"""Whose fault it is when a server of some make says that something failed."""

from types import SimpleNamespace

import pytest

from mpcbench.benchmark.agents.endpoint import transport
from mpcbench.benchmark.agents.endpoint.models import Api
from mpcbench.benchmark.agents.protocol import EndpointError, UnusableEndpointError
from mpcbench.benchmark.practice_endpoint import EndpointServer, Fault, ModelTurn, Scripted
from mpcbench.schema.episode import Finish, Reply
from unit_tests.benchmark.agents.endpoint.episodes import KEY, KEY_VARIABLE, note_call, run
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
    faults: list[Fault | None] = [Fault(fault.status, fault.content)] * TRIES
    script = [ModelTurn(text=ANSWER)] * 2
    if fault.outcome in {Outcome.FAILED_TURN, Outcome.ANSWERED}:
        faults = faults[:1]
    if fault.outcome is Outcome.TRUNCATED:  # what no conversation can outgrow before the model has written anything
        faults, script = [None, *faults], [ModelTurn(calls=(note_call("colour"),)), *script]
    with EndpointServer(Scripted(script), faults=faults) as server:
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


BY_REFUSAL = [
    fault for fault in FAULTS if fault.outcome is Outcome.TRUNCATED and not fault.server.startswith("finish ")
]
FILLED = {"llama.cpp while generating", "LM Studio mid-generation"}


@pytest.mark.parametrize("fault", BY_REFUSAL, ids=lambda fault: f"{fault.server} {fault.status}")
def test_the_benchmarks_own_prompt(fault: ServerFault) -> None:
    """Before the model has written anything a limit of the endpoint is an error; a context that it filled is not."""
    with EndpointServer(Scripted([]), faults=[Fault(fault.status, fault.content)]) as server:
        if fault.server in FILLED:
            assert Finish.LENGTH == run(server, Api.CHAT, max_retries=TRIES).finish
        else:
            with pytest.raises(EndpointError, match="as long as the benchmark's own prompt: ") as caught:
                run(server, Api.CHAT, max_retries=TRIES)

            assert EndpointError is type(caught.value)
        assert 1 == len(server.requests)


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
