"""The journal of a person's episode: every move with its time, in a file, so that the episode can go on later."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from pydantic import AwareDatetime, Field, ValidationError

from mpcbench.evaluation.runs.durable_file import read_file, write_durably
from mpcbench.evaluation.runs.folder import RunError
from mpcbench.evaluation.runs.run_files import IN_PLAY
from mpcbench.schema.dataset import numbered_lines
from mpcbench.schema.episode import MOST
from mpcbench.schema.model import Model
from mpcbench.schema.run import Case
from mpcbench.schema.untrusted_text import ModelJson, ModelText

LONGEST_BREAK: Final = 15 * 60.0
"""Seconds: a longer time without a move counts as this long."""


class Kind(StrEnum):
    """What a move is."""

    BEGIN = "begin"
    CALL = "call"
    NOTES = "notes"
    """The notebook was written anew."""

    ANSWER = "answer"
    GIVE_UP = "give_up"


class Move(Model):
    """One move of a person."""

    at: AwareDatetime
    kind: Kind
    name: ModelText = ""
    """Of the tool that is called."""

    arguments: dict[str, ModelJson] = Field(default_factory=dict)
    text: ModelText = ""
    """The notebook, or the answer."""


class Journal:
    """The moves of one episode. The file is written whole at every move.

    Args:
        run: The folder of the run.
        case: Which episode.

    Raises:
        RunError: the file is damaged.
    """

    def __init__(self, run: Path, case: Case) -> None:
        self.file = run / IN_PLAY / f"{case.file_name}l"
        self._moves = tuple(self._read()) if os.path.lexists(self.file) else ()

    @property
    def moves(self) -> Sequence[Move]:
        """All moves so far; the first is the beginning."""
        return self._moves

    @property
    def seconds(self) -> float:
        """How long the person has been at it: from the first move to the last, without long breaks."""
        gaps = ((later.at - earlier.at).total_seconds() for earlier, later in pairwise(self._moves))
        return min(sum(min(max(gap, 0.0), LONGEST_BREAK) for gap in gaps), float(MOST))

    def add(self, kind: Kind, **fields: Any) -> None:
        """Add a move; when this returns it is on the disk. Raises `RunError`."""
        moves = (*self._moves, Move(at=datetime.now(UTC), kind=kind, **fields))
        try:
            self.file.parent.mkdir(exist_ok=True)
            write_durably(self.file, (move.model_dump_json() + "\n" for move in moves))
        except OSError as error:
            raise RunError(f"{self.file}: could not be written: {(error.strerror or str(error)).lower()}") from None
        self._moves = moves

    def remove(self) -> None:
        """Remove the file, as the episode is stored, and the folder with the last of them."""
        self.file.unlink(missing_ok=True)
        if self.file.parent.is_dir() and not any(self.file.parent.iterdir()):
            self.file.parent.rmdir()

    def _read(self) -> list[Move]:
        moves = []
        for number, line in numbered_lines(read_file(self.file)):
            try:
                moves.append(Move.model_validate_json(line))
            except ValidationError as error:
                first = error.errors(include_url=False, include_input=False)[0]
                raise RunError(f"{self.file}:{number}: {first['msg']}; remove the file to begin anew") from None
        return moves
