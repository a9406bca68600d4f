"""The archive never changes and depends on nothing but the standard library."""

from mpcbench.schema.dataset import COMMITTED
import ast
import sys
from hashlib import sha256
from pathlib import Path

ARCHIVE = COMMITTED / "archive"
SUMS = "SHA256SUMS"
CACHES = {"__pycache__", ".mypy_cache", ".ruff_cache"}


def test_every_file_has_its_recorded_hash() -> None:
    """The hashes of all files of the archive are those of SHA256SUMS, in the format of sha256sum."""
    lines = (ARCHIVE / SUMS).read_text(encoding="ascii").splitlines()
    expected = {name: digest for digest, name in (line.split("  ", maxsplit=1) for line in lines)}
    actual = {
        path.relative_to(ARCHIVE).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in ARCHIVE.rglob("*")
        if path.is_file() and path.name != SUMS and not CACHES & set(path.relative_to(ARCHIVE).parts)
    }

    assert expected == actual


def test_only_the_standard_library_is_imported() -> None:
    """No module of the archive imports the project or an installed package."""
    imported = set()
    for path in ARCHIVE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add("." if node.level else str(node.module).partition(".")[0])

    assert imported
    assert set() == imported - sys.stdlib_module_names
