"""What tokens cost: dated prices, and the cost of an episode."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, TypeAlias

from pydantic import Field

from mpcbench.schema.episode import Usage
from mpcbench.schema.model import Model

_PER = 1_000_000

UsdPerMillion: TypeAlias = Annotated[float, Field(strict=True, ge=0, le=10**6, allow_inf_nan=False)]


class Price(Model):
    """What a model's tokens cost from one day on, in US dollars per million."""

    since: date
    input: UsdPerMillion
    """Of input tokens that do not come from the endpoint's cache."""

    cached_input: UsdPerMillion
    output: UsdPerMillion
    """Of output tokens, those of reasoning among them."""

    source: Annotated[str, Field(min_length=1)]
    """The page that states it."""


def cost_usd(usage: Usage | None, prices: Sequence[Price], on: date) -> float | None:
    """What the tokens cost in US dollars at the price of that day; None where tokens or price are not known.

    Cached tokens are part of the input tokens and reasoning tokens part of the output tokens. Where it is not known
    how many were cached, none count as cached, so that the cost is the most that it can have been.

    Args:
        usage: The tokens.
        prices: By date, ascending.
        on: The day of the episode.
    """
    price = next((price for price in reversed(prices) if price.since <= on), None)
    if price is None or usage is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    cached = min(usage.cached_input_tokens or 0, usage.input_tokens)
    return (
        (usage.input_tokens - cached) * price.input + cached * price.cached_input + usage.output_tokens * price.output
    ) / _PER
