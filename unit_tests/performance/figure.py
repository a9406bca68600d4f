"""A measured figure and its target."""

from collections.abc import Sequence
from typing import NamedTuple

from mpcbench.evaluation.scoring.text_table import text_table


class Figure(NamedTuple):
    """One line of the table."""

    name: str
    measured: str
    target: str
    reached: bool | None
    """None for a figure without a target, or one that cannot be measured here."""

    @classmethod
    def at_least(cls, name: str, value: float, target: float, unit: str = "", note: str = "") -> "Figure":
        """A figure that should be high."""
        return cls(name, _written(value, unit, note), f">= {target:g}{unit}", value >= target)

    @classmethod
    def at_most(cls, name: str, value: float, target: float, unit: str = "", note: str = "") -> "Figure":
        """A figure that should be low."""
        return cls(name, _written(value, unit, note), f"<= {target:g}{unit}", value <= target)


def _written(value: float, unit: str, note: str) -> str:
    return f"{value:.3g}{unit}" + (f" ({note})" if note else "")


def table(figures: Sequence[Figure]) -> str:
    """The figures as an aligned text table."""
    verdict = {True: "yes", False: "NO", None: "-"}
    rows = [(figure.name, figure.measured, figure.target, verdict[figure.reached]) for figure in figures]
    return "\n".join(text_table([("figure", "measured", "target", "reached"), *rows]))
