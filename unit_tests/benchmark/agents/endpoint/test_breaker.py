"""When an endpoint counts as dead."""

import logging
from types import SimpleNamespace

import pytest

from mpcbench.benchmark.agents.endpoint import breaker, transport
from mpcbench.benchmark.agents.endpoint.breaker import FEWEST_TRIES, LONGEST_SILENCE, Breaker
from mpcbench.benchmark.agents.protocol import EndpointError, UnusableEndpointError
from mpcbench.benchmark.practice_endpoint import EndpointServer, Scripted
from unit_tests.benchmark.agents.endpoint.episodes import BUDGET, KEY, KEY_VARIABLE, TASK, toolbox
from unit_tests.benchmark.agents.endpoint.raw_server import RawServer, response
from unit_tests.benchmark.agents.endpoint.test_transport import GOOD, agent_on, ask


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that the test moves."""
    made = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(breaker, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    monkeypatch.setattr(transport, "time", SimpleNamespace(sleep=lambda _: None))


class TestBreaker:
    def test_an_endpoint_that_never_answered(self) -> None:
        """It is dead with the last try of a request, if a few tries got no answer."""
        one = Breaker()
        found = [one.silent(last=number % 3 == 2) for number in range(2 * FEWEST_TRIES)]

        assert [None] * FEWEST_TRIES == found[:FEWEST_TRIES]
        assert "6 tries in a row without an answer, for 0 s" == found[5]

    def test_refused_connections(self) -> None:
        """Three in a row are enough for an endpoint that has never answered, and nothing for one that has."""
        never, lived = Breaker(), Breaker()
        lived.answered()
        found = [(never.silent(last=False, refused=True), lived.silent(last=False, refused=True)) for _ in range(3)]

        assert [(None, None), (None, None), ("3 tries in a row without an answer, for 0 s", None)] == found

    def test_an_endpoint_that_has_answered(self, clock: SimpleNamespace) -> None:
        """It is dead after a long silence only, so that a restart does not end the run."""
        one = Breaker()
        one.answered()
        early = [one.silent(last=True) for _ in range(50)]
        clock.now += LONGEST_SILENCE
        late = one.silent(last=False)

        assert [None] * 50 == early
        assert "51 tries in a row without an answer, for 180 s" == late

    def test_answers_begin_anew(self, clock: SimpleNamespace) -> None:
        """Any answer ends the silence."""
        one = Breaker()
        for _ in range(10):
            one.silent(last=False)
            clock.now += LONGEST_SILENCE / 4
            one.answered()

        assert one.silent(last=True) is None


class TestDeadEndpoint:
    def test_ends_the_run(self) -> None:
        """A port without a server ends the run with its first request, after three tries."""
        with EndpointServer(Scripted([])) as server:
            pass
        with pytest.raises(UnusableEndpointError, match=r"^no answer from 127\.0\.0\.1:\d+: .*\(3 tries in a row"):
            ask(server.base_url, max_retries=8)

    @pytest.mark.parametrize("said", [b"<!DOCTYPE html><html>app</html>", b'data: {"choices": []}\n\ndata: [DONE]\n\n'])
    def test_what_no_api_says(self, said: bytes) -> None:
        """Pages and streams, again and again, are no answers."""
        with RawServer([response(said)]) as server, pytest.raises(UnusableEndpointError, match="9 tries in a row"):
            ask(server.base_url, max_retries=8)

    @pytest.mark.parametrize("said", [b"{", b'{"choices": []}', b'{"error": "busy"}'])
    def test_bad_answers_are_answers(self, said: bytes) -> None:
        """An endpoint whose model may have broken the answer is not dead."""
        with RawServer([response(said)]) as server, pytest.raises(EndpointError) as caught:
            ask(server.base_url, max_retries=8)

        assert EndpointError is type(caught.value)

    def test_errors_are_answers(self) -> None:
        """An endpoint that only reports errors is not dead."""
        with RawServer([response(b"", status="503 Busy")]) as server, pytest.raises(EndpointError) as caught:
            ask(server.base_url, max_retries=8)

        assert EndpointError is type(caught.value)


class TestConnections:
    def test_a_surplus_response_is_nobodys_answer(self) -> None:
        """Bytes after a response are not taken for the answer to the next request."""
        surplus = response(GOOD.replace(b"hello", b"surplus"), last=False)
        with RawServer([response(GOOD, last=False) + surplus, 60.0], [response(GOOD)]) as server:
            agent = agent_on(server.base_url)
            texts = [agent(TASK, toolbox(), BUDGET).text for _ in range(2)]
            requests = len(server.requests)

        assert (["hello", "hello"], 2) == (texts, requests)

    def test_are_used_again(self) -> None:
        """Without such bytes one connection serves for all requests."""
        with RawServer([response(GOOD, last=False), 0.5, response(GOOD), 5.0]) as server:
            agent = agent_on(server.base_url)
            texts = [agent(TASK, toolbox(), BUDGET).text for _ in range(2)]
            connections = len(server.requests)

        assert (["hello", "hello"], 1) == (texts, connections)


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever level pytest asks for, no line of the HTTP client reaches a report."""
    caplog.set_level(logging.DEBUG)
    with RawServer([response(GOOD)]) as server:
        ask(f"{server.base_url}?api-key=of-the-query")
    names = {record.name.partition(".")[0] for record in caplog.records} - {"asyncio"}

    assert (set(), False) == (names, "of-the-query" in caplog.text)
