"""Which agent `--model module:attribute` names, and where its code is; nothing of it is imported here."""

import keyword
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

from pydantic import JsonValue


class AgentSpecError(ValueError):
    """`--model` names an agent that is not there, or that cannot be loaded; the message is one line."""


class NoModuleError(AgentSpecError):
    """There is no such module; the name may be that of a model."""


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An attribute of a module or of a file, and the arguments for it."""

    name: str
    """As it was typed."""

    folder: Path
    """What comes first when modules are looked for: the folder of the call, or that of the file."""

    module: str
    attribute: str
    file: Path | None
    """The file of the module; None for one that has none of its own."""

    by_file: bool
    """Whether the file was named, and not the module."""

    args: Mapping[str, JsonValue] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, here: Path, args: Mapping[str, JsonValue]) -> "AgentSpec | None":
        """The agent that `module:attribute` or `path/to/file.py:attribute` names; None for a name of neither form.

        Args:
            name: What `--model` names.
            here: The folder of the call.
            args: What the user hands to the agent.

        Raises:
            NoModuleError: there is no such module.
            AgentSpecError: there is no such file.
        """
        where, _, attribute = name.rpartition(":")
        if not _dotted(attribute):
            return None
        if where.endswith(".py"):
            named = (here / Path(where).expanduser()).absolute()
            if not named.is_file():
                raise AgentSpecError(f"--model {name}: there is no file {named}")
            return cls(name, named.parent, named.stem, attribute, named, by_file=True, args=args)
        if not _dotted(where):
            return None
        found = _found(where, here)
        if found is None:
            raise NoModuleError(
                f"--model {name}: there is no module {where} in {here.absolute()} or among the installed packages; if it "
                "is the name of a model, give its endpoint with --base-url or in models.toml"
            )
        file = Path(found.origin) if found.has_location and found.origin else None
        return cls(name, here.absolute(), where, attribute, file, by_file=False, args=args)

    def order(self) -> dict[str, Any]:
        """What the agent's process is told of it, as JSON."""
        return {
            "folder": str(self.folder),
            "module": self.module,
            "file": str(self.file) if self.by_file else None,
            "attribute": self.attribute,
            "args": dict(self.args),
        }

    def described(self) -> dict[str, JsonValue]:
        """What identifies it in a run's record."""
        return {
            "agent": f"{self.module}:{self.attribute}",
            "args": dict(self.args),
            "file_sha256": None if self.file is None else sha256(self.file.read_bytes()).hexdigest(),
        }


def _dotted(text: str) -> bool:
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in text.split("."))


def _found(module: str, here: Path) -> ModuleSpec | None:
    """Where a module is, looked up without importing the packages around it."""
    path: list[str] | None = [str(here.absolute()), *sys.path]
    found = None
    name = ""
    for part in module.split("."):
        name = f"{name}.{part}".lstrip(".")
        found = None if path is None else PathFinder.find_spec(name, path)
        if found is None:
            return None
        path = None if found.submodule_search_locations is None else list(found.submodule_search_locations)
    return found
