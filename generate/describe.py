"""Describe a data set in Markdown: the measured level matrix, sizes, and rejected samples."""

from collections.abc import Callable, Sequence

from mpcbench.generate.profile import Profile, Spread, profile
from mpcbench.generate.sampling.sample import Check
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.model import Level

DASH = "\N{EN DASH}"

Row = tuple[str, Callable[[Profile], str]]


def describe(dataset: Dataset, levels: Sequence[Level]) -> str:
    """Three tables: the level matrix, the worlds, and the samples rejected by each check of the certificate."""
    profiles = [profile(dataset, level) for level in levels]
    return "\n\n".join(
        (
            f"## The level matrix, measured\n\n{matrix(profiles)}",
            f"## The worlds and instances\n\n{table(_SIZES, profiles)}",
            f"## Rejected samples\n\n{table(_REJECTIONS, profiles)}",
        )
    )


def matrix(profiles: Sequence[Profile]) -> str:
    """The level matrix in Markdown, every figure measured."""
    return table(_MATRIX, profiles)


def table(rows: Sequence[Row], profiles: Sequence[Profile]) -> str:
    """A Markdown table with one column per level."""
    lines = [["", *(f"level {item.level}" for item in profiles)], ["---"] * (len(profiles) + 1)]
    lines += [[name, *(value(item) for item in profiles)] for name, value in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def span(spread: Spread | None) -> str:
    """Minimum to maximum, as whole numbers; a dash for None."""
    if spread is None:
        return DASH
    least, greatest = round(spread.least), round(spread.greatest)
    return f"{least:,}" if least == greatest else f"{least:,}{DASH}{greatest:,}"


def _mean(spread: Spread | None) -> str:
    return DASH if spread is None else f"{span(spread)} (mean {spread.mean:,.1f})"


def _kinds(one: Profile) -> str:
    return ", ".join(
        f"{kind} {count}" for kind, count in sorted(one.kinds.items(), key=lambda item: (-item[1], item[0]))
    )


def _hint(one: Profile) -> str:
    if one.tasks_with_source_count == one.instances:
        return "their number only"
    return "all" if one.sources_named.least == one.sources_needed.greatest else "none"


def _rejected(check: Check) -> Callable[[Profile], str]:
    return lambda one: f"{one.rejected[check.value]:,}"


def _percent(spread: Spread) -> str:
    return f"{spread.least:.0%}{DASH}{spread.greatest:.0%} (mean {spread.mean:.0%})"


_MATRIX: Sequence[Row] = (
    ("**Decomposition**", lambda one: ""),  # noqa: ARG005 - a heading
    ("needed sources", lambda one: span(one.sources_needed)),
    ("needed sources that the task names", lambda one: span(one.sources_named)),
    ("what the task tells of the sources", _hint),
    ("requirements to look up", lambda one: _mean(one.requirements)),
    ("of these from several sources", lambda one: span(one.joined_requirements)),
    (
        "instances with dependent requirements",
        lambda one: f"{one.dependent_instances} of {one.instances}",
    ),
    ("**Acquisition**", lambda one: ""),  # noqa: ARG005
    ("retrieval steps of the plan", lambda one: span(one.steps)),
    ("tools offered", lambda one: f"{one.tools}, of which {one.tools - one.needed_tools} read decoys only"),
    ("tool parameters", lambda one: ", ".join(one.parameters)),
    ("records that a result shows", lambda one: span(one.items_per_result)),
    ("characters of a result", lambda one: _mean(one.characters_per_result)),
    ("characters of all results for an instance", lambda one: _mean(one.characters_per_instance)),
    ("**Integration**", lambda one: ""),  # noqa: ARG005
    ("formats of results", lambda one: " + ".join(one.formats)),
    ("instances whose gold needs the weekend", lambda one: f"{one.weekend_instances} of {one.instances}"),
    ("kinds of requirement, by number of instances", _kinds),
)

_SIZES: Sequence[Row] = (
    ("instances", lambda one: f"{one.instances}"),
    ("people", lambda one: f"{one.people}"),
    ("busy share of 8:00 to 18:30, by person", lambda one: _percent(one.busy_share)),
    ("policies", lambda one: f"{one.policies}"),
    ("words of a policy document", lambda one: span(one.words_per_document)),
    ("threads", lambda one: f"{one.threads}"),
    ("messages of a thread", lambda one: _mean(one.messages_per_thread)),
    ("rooms", lambda one: f"{one.rooms}"),
    ("decoy records", lambda one: f"{one.decoy_records}"),
    ("participants", lambda one: _mean(one.participants)),
    ("options asked for", lambda one: _mean(one.options)),
    ("slots in the window", lambda one: _mean(one.slots)),
    ("feasible candidates", lambda one: _mean(one.feasible)),
)

_REJECTIONS: Sequence[Row] = (
    *((check.value, _rejected(check)) for check in Check),
    ("all rejected samples", lambda one: f"{one.rejected.total():,}"),
    ("instances kept", lambda one: f"{one.instances:,}"),
)
