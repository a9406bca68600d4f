"""What tokens cost."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mpcbench.benchmark.agents.endpoint.prices import Price, cost_usd
from mpcbench.schema.episode import Usage

SOURCE = "https://prices.example/"
FIRST = Price(since=date(2025, 1, 1), input=2.0, cached_input=0.5, output=10.0, source=SOURCE)
SECOND = Price(since=date(2026, 1, 1), input=1.0, cached_input=0.25, output=5.0, source=SOURCE)
PRICES = (FIRST, SECOND)
USAGE = Usage(
    input_tokens=1_000_000, cached_input_tokens=400_000, output_tokens=200_000, reasoning_tokens=150_000
)  # fmt: skip
COUNTS = st.integers(0, 10**9)


class TestCost:
    def test_cached_and_reasoning_tokens_are_parts(self) -> None:
        """Cached tokens are charged at their own price within the input, reasoning tokens as output."""
        cost = cost_usd(USAGE, PRICES, date(2025, 6, 1))

        assert pytest.approx(0.6 * 2.0 + 0.4 * 0.5 + 0.2 * 10.0) == cost

    @pytest.mark.parametrize(
        ("on", "price"),
        [
            (date(2025, 1, 1), FIRST),
            (date(2025, 12, 31), FIRST),
            (date(2026, 1, 1), SECOND),
            (date(2030, 1, 1), SECOND),
        ],
    )
    def test_price_of_the_day(self, on: date, price: Price) -> None:
        """A price holds from its day on, until the next one."""
        assert cost_usd(USAGE, [price], on) == cost_usd(USAGE, PRICES, on)

    @pytest.mark.parametrize(
        ("usage", "prices", "on"),
        [
            (None, PRICES, date(2026, 1, 1)),
            (USAGE, (), date(2026, 1, 1)),
            (USAGE, PRICES, date(2024, 12, 31)),
            (USAGE.model_copy(update={"input_tokens": None}), PRICES, date(2026, 1, 1)),
            (USAGE.model_copy(update={"output_tokens": None}), PRICES, date(2026, 1, 1)),
        ],
    )
    def test_unknown(self, usage: Usage | None, prices: tuple[Price, ...], on: date) -> None:
        """Without a price of the day, or without tokens, there is no cost."""
        assert cost_usd(usage, prices, on) is None

    def test_unknown_number_of_cached_tokens(self) -> None:
        """Where it is not known what was cached, the cost is the most that it can be."""
        usage = USAGE.model_copy(update={"cached_input_tokens": None})

        assert pytest.approx(1.0 * 1.0 + 0.2 * 5.0) == cost_usd(usage, PRICES, date(2026, 1, 1))

    def test_unknown_number_of_reasoning_tokens(self) -> None:
        """They are part of the output, so that their number does not matter."""
        usage = USAGE.model_copy(update={"reasoning_tokens": None})

        assert cost_usd(USAGE, PRICES, date(2026, 1, 1)) == cost_usd(usage, PRICES, date(2026, 1, 1))

    @given(COUNTS, COUNTS, COUNTS)
    def test_lies_between_all_cached_and_none(self, tokens: int, cached: int, output: int) -> None:
        """However many tokens are said to be cached, more than all or none is never charged."""
        usage = Usage(input_tokens=tokens, cached_input_tokens=cached, output_tokens=output)
        cost = cost_usd(usage, PRICES, date(2026, 1, 1))
        least = (tokens * 0.25 + output * 5.0) / 1e6
        most = (tokens * 1.0 + output * 5.0) / 1e6

        assert cost is not None
        assert least - 1e-6 <= cost <= most + 1e-6


class TestPrice:
    @pytest.mark.parametrize(
        "wrong",
        [
            {"input": -0.1},
            {"cached_input": float("nan")},
            {"output": float("inf")},
            {"output": "10"},
            {"output": True},
            {"source": ""},
            {"since": "soon"},
            {"currency": "EUR"},
        ],
    )
    def test_is_checked(self, wrong: dict[str, object]) -> None:
        """Prices are finite numbers from 0 with a date and a source, and nothing else."""
        with pytest.raises(ValidationError):
            Price.model_validate(FIRST.model_dump() | wrong)
