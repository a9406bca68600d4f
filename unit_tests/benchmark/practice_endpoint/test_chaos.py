"""Which requests meet a fault: by rate and seed alone."""

import http.client
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.benchmark.agents.endpoint.models import Api
from mpcbench.benchmark.practice_endpoint import (
    BY_THE_MODEL,
    ON_THE_WIRE,
    PASSING,
    Chaos,
    EndpointServer,
    FaultKind,
    Scripted,
)
from mpcbench.benchmark.practice_endpoint.fault import kinds_named
from unit_tests.benchmark.agents.endpoint.episodes import KEY, KEY_VARIABLE, run
from unit_tests.benchmark.practice_endpoint.requests import ANSWER, CALLS, asked, body, bomb
from unit_tests.examples import examples


class TestChance:
    TEXTS = tuple(f"Task {number}" for number in range(40))

    def hits(self, chaos: Chaos, texts: tuple[str, ...] = TEXTS) -> Counter[tuple[str, FaultKind | None]]:
        """What the requests of a server met, which are sent eight at a time."""
        with EndpointServer(Scripted([ANSWER]), chaos=chaos) as server:

            def send(name: str) -> None:
                try:
                    with asked(server, content=body(Api.CHAT, name)) as response:
                        response.read()
                except http.client.HTTPException:
                    pass

            with ThreadPoolExecutor(8) as pool:
                list(pool.map(send, texts))
        return Counter((one.body["messages"][0]["content"], one.fault) for one in server.requests)

    def test_same_faults_whatever_the_order(self) -> None:
        """Requests at once and in another order meet the same faults, tries of one request included."""
        chaos = Chaos(0.4, 7)
        first = self.hits(chaos, self.TEXTS * 2)

        assert first == self.hits(chaos, (self.TEXTS * 2)[::-1])
        assert {(name, fault) for name, fault in first if fault}
        assert {name for name, fault in first if not fault}

    def test_another_seed(self) -> None:
        """Another seed makes other requests fail."""
        assert self.hits(Chaos(0.4, 7)) != self.hits(Chaos(0.4, 8))

    @given(st.integers(), st.floats(0.05, 1), st.sets(st.sampled_from(ON_THE_WIRE), min_size=1))
    @examples(10)
    def test_rate(self, seed: int, rate: float, kinds: set[FaultKind]) -> None:
        """As many requests fail as the rate says, and every kind has its even share."""
        many = 2000
        chaos = Chaos(rate, seed, sorted(kinds))
        met = Counter(chaos.on_the_wire("/v1/responses", str(number).encode(), 0) for number in range(many))

        share = rate / len(kinds)
        for kind in kinds:
            assert abs(met[kind] - many * share) < 6 * (many * share * (1 - share)) ** 0.5 + 1
        assert many == sum(met[kind] for kind in kinds) + met[None]

    @given(st.integers(), st.integers(0, 5))
    def test_no_request_fails_for_good(self, seed: int, most: int) -> None:
        """With a limit the tries after it get through."""
        chaos = Chaos(1.0, seed, most_hits=most)
        met = [chaos.on_the_wire("/v1/responses", b"{}", tries) for tries in range(8)]

        assert [True] * most + [False] * (8 - most) == [kind is not None for kind in met]

    def test_retries_get_through_in_the_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A client that sends failed requests again gets the answer of a server without faults."""
        monkeypatch.setenv(KEY_VARIABLE, KEY)
        chaos = bomb(FaultKind.RATE_LIMIT_SECONDS, most_hits=1, retry_after=0.01)
        with EndpointServer(Scripted([CALLS, ANSWER]), chaos=chaos) as server:
            reply = run(server, Api.CHAT, max_retries=1)

        assert (ANSWER.text, 2) == (reply.text, reply.turns)
        assert [True, False, True, False] == [request.fault is not None for request in server.requests]

    @pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
    def test_wrong_rate(self, rate: float) -> None:
        """A rate is a share."""
        with pytest.raises(ValueError, match=r"^rate: .* is not between 0 and 1$"):
            Chaos(rate)

    def test_no_kinds(self) -> None:
        """Nothing can be drawn from no kinds."""
        with pytest.raises(ValueError, match=r"^kinds: empty$"):
            Chaos(0.5, kinds=())

    def test_names(self) -> None:
        """Every kind belongs to one side, and a list may name kinds and groups."""
        assert [*FaultKind] == [*ON_THE_WIRE, *BY_THE_MODEL]
        assert (*PASSING, FaultKind.STALL) == kinds_named("passing,stall,drop")
        with pytest.raises(ValueError, match=r"^'dorp' is not a fault; the faults"):
            kinds_named("drop,dorp")
