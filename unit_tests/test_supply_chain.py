"""What others made is named by its hash: the actions of the workflows and the packages of the locks."""

import re
from pathlib import Path

import pytest

from mpcbench.schema.dataset import COMMITTED

WORKFLOWS = sorted((COMMITTED / ".github" / "workflows").glob("*.yml"))
LOCKS = sorted(COMMITTED.glob("requirements-*.lock"))


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_actions_are_named_by_hash(file: Path) -> None:
    """A tag can be moved to other code; the comment says which release the hash is."""
    used = re.findall(r"uses: (.+)", str(file.read_text(encoding="utf-8")))

    assert used
    assert [] == [one for one in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v[\d.]+", one)]


@pytest.mark.parametrize("file", LOCKS, ids=lambda file: file.name)
def test_packages_have_hashes_and_no_address(file: Path) -> None:
    """Every package of a lock has a hash, and no index is named."""
    text = file.read_text(encoding="utf-8")
    packages = re.findall(r"^[a-z0-9][\w.-]*==", text, re.MULTILINE)

    assert packages
    assert len(packages) == len(
        re.findall(r"^[a-z0-9][\w.-]*==[^\n]*\\\n +--hash=sha256:[0-9a-f]{64}", text, re.MULTILINE)
    )
    assert "://" not in text


def test_only_wheels_are_installed() -> None:
    """An archive of sources would run code of its own while it is installed."""
    makefile = (COMMITTED / "Makefile").read_text(encoding="utf-8")

    assert all(
        "--only-binary :all: --require-hashes" in line
        for line in re.findall(r".*pip install .*", makefile)
        if "uv" not in line
    )
