"""Which program `--model 'command:…'` names."""

import shlex
import shutil
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from mpcbench.benchmark.agents.plugged.spec import AgentSpecError

COMMAND: Final = "command:"
"""What such a name begins with; the command line follows."""


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A program and its arguments."""

    name: str
    """As it was typed."""

    words: tuple[str, ...]
    """The program's path, and its arguments."""

    files: tuple[Path, ...]
    """The files of the user's among the words."""

    @classmethod
    def of(cls, name: str, here: Path) -> "CommandSpec":
        """The program that a name names.

        No shell reads the command line, but quotes group words as in one. A word that names a file relative to the
        folder of the call is made absolute, as the program runs elsewhere.

        Raises:
            AgentSpecError: there is no such program, or the quotes do not match.
        """
        try:
            typed = shlex.split(name.removeprefix(COMMAND))
        except ValueError as error:
            raise AgentSpecError(f"--model {name}: {str(error).lower()}") from None
        if not typed:
            raise AgentSpecError(f"--model {name}: no program is named")
        found = [_file(word, here) for word in typed]
        program = found[0] if found[0] is not None and "/" in typed[0] else shutil.which(typed[0])
        if program is None:
            raise AgentSpecError(
                f"--model {name}: there is no program {typed[0]!r} in PATH, nor a file in {here.absolute()}"
            )
        if shutil.which(program) is None:
            raise AgentSpecError(f"--model {name}: {program} is not executable")
        words = (str(program), *(str(file or word) for file, word in zip(found[1:], typed[1:], strict=True)))
        return cls(name, words, tuple(file for file in (found[0] if "/" in typed[0] else None, *found[1:]) if file))

    def described(self) -> dict[str, JsonValue]:
        """What identifies it in a run's record."""
        sums = [sha256(file.read_bytes()).hexdigest() for file in self.files]
        return {"agent": self.name, "file_sha256": ",".join(sums) or None}


def _file(word: str, here: Path) -> Path | None:
    try:
        file = (here / Path(word).expanduser()).absolute()
        return file if word and file.is_file() else None
    except (OSError, RuntimeError, ValueError):  # too long, no such user, a null character
        return None
