"""What docs/play.md shows of a terminal is what the commands print."""

import re
import shlex
from pathlib import Path

import pytest

from mpcbench.benchmark.play.__main__ import main
from mpcbench.schema.dataset import COMMITTED

PAGE = COMMITTED / "docs" / "play.md"


def commands() -> list[tuple[str, str]]:
    """The commands of the page's session, each with what it is said to print."""
    section = PAGE.read_text(encoding="utf-8").partition("<!-- played -->")[2].partition("<!-- /played -->")[0]
    session = section.partition("```text\n")[2].partition("```")[0]
    return [
        (command, shown)
        for command, shown in re.findall(r"^\$ mpcbench play (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE)
    ]


def test_session_of_the_page_is_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Command by command, where an ellipsis is for any lines."""
    monkeypatch.chdir(tmp_path)
    for command, shown in commands():
        main(shlex.split(command), prog="mpcbench play")
        printed = "".join(capsys.readouterr())

        assert re.fullmatch(re.escape(shown).replace(re.escape("\u2026\n"), "(.*\n)+"), printed), (
            f"{command}\n{printed}"
        )


def test_page_shows_a_session() -> None:
    """There are commands to check, and each prints something."""
    assert len(commands()) > 5
    assert all(shown for _, shown in commands())
