"""The command-line options of the benchmark: a pytest plugin made from the table of options."""

import pytest

from mpcbench.evaluation.runs.options import OPTIONS, Option


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add one option group. Values stay strings, so that they reach xdist's workers as they were typed."""
    group = parser.getgroup("mpcbench", "MPCBench (pytest benchmark)")
    for option in OPTIONS:
        if option.flag:
            group.addoption(f"--{option.name}", action="store_const", const="on", help=_help(option))
            continue
        action = "append" if option.repeatable else "store"
        group.addoption(f"--{option.name}", metavar=option.metavar, action=action, help=_help(option))


def options_markdown() -> str:
    """The options as a Markdown table, for the docs; ends with a newline."""
    lines = ["| option | what it does | default |", "|---|---|---|"]
    for option in OPTIONS:
        typed = f"`--{option.name}`" if option.flag else f"`--{option.name} {option.metavar}`"
        cells = (typed, f"{option.text}{_repeatable(option)}", option.shown_default)
        lines.append("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _help(option: Option) -> str:
    return f"{option.text}{_repeatable(option)} (default: {option.shown_default})"


def _repeatable(option: Option) -> str:
    return "; repeatable" if option.repeatable else ""
