"""Numbers as the report writes them: with as many digits as the tables in the terminal and in Markdown."""

from mpcbench.evaluation.statistics import Estimate

UNKNOWN = "unknown"


def score_text(value: float | None) -> str:
    """A score from 0 to 1: `0.853`."""
    return UNKNOWN if value is None else f"{value:.3f}"


def rate_text(value: float | None) -> str:
    """A rate as per cent: `83.7%`."""
    return UNKNOWN if value is None else f"{value:.1%}"


def score_bounds(estimate: Estimate) -> str:
    """The interval of a score: `[0.79, 0.91]`; empty without one."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"[{estimate.low:.2f}, {estimate.high:.2f}]"


def rate_bounds(estimate: Estimate) -> str:
    """The interval of a rate as per cent: `[75, 90]`; empty without one."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"[{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"


def cost_text(value: float | None) -> str:
    """US dollars, with two digits that count: `$0.012`."""
    if value is None:
        return "cost unknown"
    return f"${value:,.2f}" if value >= 1 else f"${value:.2g}"


def count_text(value: float | None) -> str:
    """The average of some numbers of things: `1,234` or `5.4`."""
    if value is None:
        return UNKNOWN
    return f"{value:,.0f}" if value >= 100 else f"{value:,.1f}"


def duration_text(seconds: float) -> str:
    """How long something took: `7.3 s`, `12 min 34 s` or `1 h 05 min`."""
    if round(seconds, 1) < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def signed_text(estimate: Estimate) -> tuple[str, str]:
    """A difference and its interval: `+0.147` and `[+0.080, +0.214]`."""
    bounds = "" if estimate.low is None or estimate.high is None else f"[{estimate.low:+.3f}, {estimate.high:+.3f}]"
    return f"{estimate.mean:+.3f}", bounds


def p_text(value: float) -> str:
    """A p-value: `0.032`, or `< 0.001`."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
