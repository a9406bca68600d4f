"""A snapshot of a run in words."""

from mpcbench.benchmark.progress.run_progress import ModelProgress, Snapshot
from mpcbench.evaluation.statistics.summary_text import dollars, interval, percent, plain_name


def progress_line(snapshot: Snapshot) -> str:
    """The whole on one line, for a log."""
    models = [model_text(one) for one in snapshot.models]
    return " · ".join([count_text(snapshot), *models, state_text(snapshot)])


def count_text(snapshot: Snapshot) -> str:
    """How much is done: `132/300 (44%)`."""
    share = snapshot.done / snapshot.planned if snapshot.planned else 0.0
    return f"{snapshot.done:,}/{snapshot.planned:,} ({share:.0%})"


def model_text(model: ModelProgress) -> str:
    """What a model has reached so far, with 95 % intervals."""
    return f"{plain_name(model.model)}: exact match {percent(model.exact_match)}, F1 {interval(model.f1)}"


def state_text(snapshot: Snapshot) -> str:
    """Errors, what was spent, how long it will take, and what takes longest."""
    parts = [f"{snapshot.errors} errors"]
    if snapshot.tokens:
        parts.append(f"{snapshot.tokens:,} tokens")
    if snapshot.cost_usd is not None:
        parts.append(dollars(snapshot.cost_usd))
    if snapshot.seconds is None:
        parts.append("no session is alive")
    elif snapshot.seconds_left is not None:
        parts.append(f"ETA {clock(snapshot.seconds_left)}")
    if snapshot.slowest is not None:
        name, seconds = snapshot.slowest
        parts.append(f"slowest in flight {plain_name(name)}, {clock(seconds)}")
    return " · ".join(parts)


def clock(seconds: float) -> str:
    """A duration: `0:42`, `1:02:03`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
