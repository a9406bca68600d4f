"""The command-line options of the benchmark: a pytest plugin made from the table of options."""

import os
import re
import shlex
from pathlib import Path

import pytest

from mpcbench.evaluation.runs.options import OPTIONS, Option
from mpcbench.schema.dataset import COMMITTED
from mpcbench.schema.untrusted_text import printable

_SUITE = COMMITTED / "benchmark"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add one option group. Values stay strings, so that they reach xdist's workers as they were typed."""
    group = parser.getgroup("mpcbench", "MPCBench (pytest benchmark)")
    for option in OPTIONS:
        if option.flag:
            group.addoption(f"--{option.name}", action="store_const", const="on", help=_help(option))
            continue
        action = "append" if option.repeatable else "store"
        group.addoption(f"--{option.name}", metavar=option.metavar, action=action, help=_help(option))


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Refuse the options where only other tests would run, and say what to type."""
    given = [f"--{option.name}" for option in OPTIONS if config.getoption(f"--{option.name}") not in (None, [])]
    if not given or config.option.help or hasattr(config, "workerinput"):
        return
    if any(Path(str(getattr(one, "__file__", ""))).parent == _SUITE for one in config.pluginmanager.get_plugins()):
        return
    here = config.invocation_params
    paths = {*config.option.file_or_dir}
    rest = [argument for argument in map(str, here.args) if argument not in paths]
    typed = re.sub(r"https?://\S+", "URL", shlex.join(["pytest", os.path.relpath(_SUITE, here.dir), *rest]))
    raise pytest.UsageError(f"{given[0]} is an option of the benchmark; type: {printable(typed)}")


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
