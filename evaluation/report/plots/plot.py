"""A plot as values for the template, and the ticks of its axes."""

from collections.abc import Iterator
from math import ceil, floor, log10
from typing import Final, NamedTuple

from mpcbench.evaluation.report.shapes import Group, Text, pixels

WIDTH: Final = 400
"""Of every plot, in pixels at a scale of 1, which is about that of a phone and of two columns on a desk."""

_MOST_STEPS: Final = 4
_BELOW_MIDDLE: Final = 4  # from the middle of a line of text to its base line


class Plot(NamedTuple):
    """A drawing with its text alternative."""

    title: str
    description: str
    """What it shows and where its numbers are."""

    height: str
    groups: tuple[Group, ...]
    """From back to front; looks are classes of report.css."""

    width: int = WIDTH


def label(x: float, middle: float, text: str) -> Text:
    """A text whose letters have their middle at a height."""
    return Text(pixels(x), pixels(middle + _BELOW_MIDDLE), text)


def even_ticks(most: float, *, whole: bool = False) -> Iterator[float]:
    """Ticks from 0 to at most a number above 0: 1, 2 or 5 times a power of ten apart, and at most four steps.

    Args:
        most: The end of the axis.
        whole: Whether only whole numbers have a meaning.
    """
    power = floor(log10(most / _MOST_STEPS))
    steps = (factor * 10.0**exponent for exponent in (power, power + 1) for factor in (1, 2, 5))
    step = next(one for one in steps if one * _MOST_STEPS >= most and (one >= 1 or not whole))
    yield from (place * step for place in range(floor(most / step) + 1))


def decade_ticks(low: float, high: float) -> Iterator[float]:
    """Powers of ten between two numbers above 0: all of them, or each second, third and so on of more than four."""
    exponents = range(ceil(log10(low)), floor(log10(high)) + 1)
    return (10.0**exponent for exponent in exponents[:: ceil(len(exponents) / _MOST_STEPS) or 1])
