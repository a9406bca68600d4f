"""Instances of level 4 that are kept while the others of their set are made, so that a stopped command can go on.

Making the instances of the highest rungs takes minutes each. They are kept in the folder that the set is written to, and
are gone once it is.
"""

import hashlib
import os
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from mpcbench.generate.level4.merged import LadderMade
from mpcbench.generate.level4.rung_wish import LadderWish

_CODE: Final = Path(__file__).resolve().parents[2]
_FOLDERS: Final = ("schema", "oracle", "generate", "benchmark", "archive")
_MADE: Final = TypeAdapter(LadderMade)


@dataclass(frozen=True, slots=True)
class Kept:
    """The instances kept in a folder that were made of a seed, as wished, by the code as it is."""

    folder: Path
    seed: int
    wish: LadderWish

    @property
    def place(self) -> Path:
        """The folder of all that is kept."""
        return self.folder / ".made-level4"

    def get(self, k: int) -> LadderMade | None:
        """An instance by its number; None if it has not been kept, or not whole."""
        try:
            return _MADE.validate_json(self._path(k).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None

    def put(self, k: int, made: LadderMade) -> None:
        """Keep an instance; raises `OSError`."""
        path = self._path(k)
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(_MADE.dump_json(made))
        unfinished.replace(path)

    def clear(self) -> None:
        """Remove all that is kept in the folder."""
        shutil.rmtree(self.place, ignore_errors=True)

    def _path(self, k: int) -> Path:
        wished = repr((self.seed, self.wish.rung, sorted(self.wish.mechanisms or ()), self.wish.mechanisms is None))
        key = hashlib.sha256(f"{code_digest()} {wished}".encode()).hexdigest()[:16]
        return self.place / key / f"{k:03}.json"


@cache
def code_digest() -> str:
    """The SHA-256 of the code that instances depend on: other code makes others."""
    digest = hashlib.sha256()
    for folder in _FOLDERS:
        for path in sorted((_CODE / folder).rglob("*.py")):
            digest.update(f"{path.relative_to(_CODE)}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
