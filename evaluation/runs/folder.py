"""The folder of a run: what ran, and one file per episode. Files are written whole or not at all.

```
RUN_ID/run.json            what ran: settings, agents, data, versions, the planned episodes
RUN_ID/episodes/CASE.json  one episode each, durable from its end on
RUN_ID/SHA256SUMS          of all other files, written when a session of the run ended
RUN_ID/LOCK                held while a session of the run lives; says whose it is
```
"""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from stat import S_ISDIR
from typing import Final

from pydantic import ValidationError

from mpcbench.evaluation.runs.durable_file import TEMPORARY, is_half_written, read_file, sweep, write_durably
from mpcbench.evaluation.runs.lock_file import LOCK_FILE, is_lock
from mpcbench.evaluation.runs.run_files import DERIVED_FILES, is_readable
from mpcbench.schema.dataset import DataError, json_path, numbered_lines
from mpcbench.schema.episode import Episode, Outcome
from mpcbench.schema.result import Result, result_of
from mpcbench.schema.run import FORMAT_VERSION, Case, RunInfo, case_of
from mpcbench.schema.untrusted_text import first_halved, one_line

_READ_BY: Final = {"1": "MPCBench 1.0"}
"""Which version of the code reads a folder of an older format."""

_HALF_A_PAIR: Final = re.compile(r"\\u[dD][89a-fA-F]")
"""How JSON escapes half of a surrogate pair; an emoji can be escaped as two halves."""

RUN_FILE: Final = "run.json"
EPISODES: Final = "episodes"
SUMS_FILE: Final = "SHA256SUMS"

_NO_FOLDER: Final = "a link or a file; a run holds the folder itself"


class RunError(ValueError):
    """A run's folder cannot be used; the message is one line that names the file."""


@dataclass(frozen=True)
class RunFolder:
    """A run's folder; files are read on first use."""

    path: Path

    @classmethod
    def open(cls, path: Path) -> "RunFolder":
        """The run in a folder.

        Raises:
            RunError: there is no run, or its `run.json` cannot be read.
        """
        folder = cls(path)
        if not path.is_dir():
            raise RunError(f"{path}: no such folder")
        if not folder.run_file.is_file():
            raise RunError(f"{path}: no run: {RUN_FILE} is missing")
        _ = folder.info
        return folder

    @classmethod
    def create(cls, path: Path, info: RunInfo) -> "RunFolder":
        """A new run in a folder that is empty or does not exist.

        Raises:
            RunError: the folder holds something, or cannot be made.
        """
        folder = cls(path)
        folder.make_room()
        try:
            sweep(path)
            folder.write_info(info)
        except OSError as error:
            raise _failed(path, error) from None
        folder.make_ready()
        return folder

    def make_room(self) -> None:
        """Make the folder, or see that it is empty but for what a run leaves that was killed before it began.

        Raises:
            RunError: the folder holds something, lies in that of a run, or cannot be made.
        """
        check_outside_runs(self.path)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            others = [file for file in self.path.iterdir() if not _is_left_over(file)]
        except OSError as error:
            raise _failed(self.path, error) from None
        if others:
            what = "a run already; --resume continues it" if self.run_file.is_file() else "something else"
            raise RunError(f"{self.path}: holds {what}")

    @property
    def run_file(self) -> Path:
        """What ran."""
        return self.path / RUN_FILE

    @cached_property
    def info(self) -> RunInfo:
        """What ran, as read on first use; raises `RunError`."""
        text = _read(self.run_file)
        version = _field(text, "format_version")
        if version is not None and version != FORMAT_VERSION:
            reader = _READ_BY.get(str(version), "a newer version of MPCBench")
            raise RunError(
                f"{self.run_file}: $.format_version: {version!r}, and this version reads {FORMAT_VERSION!r}; "
                f"use {reader} to read this run"
            )
        try:
            info = RunInfo.model_validate_json(text)
            _loaded(text)
        except ValidationError as error:
            raise _invalid(self.run_file, error) from None
        except (ValueError, RecursionError) as error:
            raise RunError(f"{self.run_file}: not JSON: {one_line(str(error), 200)}") from None
        return info

    def write_info(self, info: RunInfo) -> None:
        """Replace `run.json`."""
        write_durably(self.run_file, info.model_dump_json(indent=1) + "\n")
        self.__dict__.pop("info", None)

    def episode_file(self, case: Case) -> Path:
        """The path of an episode's file, which need not exist yet."""
        return self.path / EPISODES / case.file_name

    def write_episode(self, case: Case, text: str) -> None:
        """Store an episode's JSON; when this returns it outlives a crash of the machine.

        Raises:
            RunError: a scored episode of the case is stored already.
            OSError: it cannot be written.
        """
        stored = self.episode(case)
        if stored is not None and stored.outcome is not Outcome.ERROR:
            raise RunError(f"{self.episode_file(case)}: holds a scored episode already")
        write_durably(self.episode_file(case), text)

    def episode(self, case: Case) -> Episode | None:
        """A stored episode; None if it is not there. Raises `RunError`."""
        file = self.episode_file(case)
        return self.read(file) if os.path.lexists(file) else None

    def episode_files(self) -> list[Path]:
        """The files of the stored episodes, by name; raises `RunError` if their folder cannot be read."""
        folder = self.path / EPISODES
        if not os.path.lexists(folder):
            return []
        try:
            found = list(folder.iterdir()) if S_ISDIR(folder.lstat().st_mode) else None
        except OSError as error:
            raise _failed(folder, error) from None
        if found is None:
            raise RunError(f"{folder}: {_NO_FOLDER}")
        return sorted(file for file in found if file.suffix == ".json" and not file.name.startswith(TEMPORARY))

    def cases(self) -> list[Case]:
        """The stored episodes' names by level, instance, model and trial; raises `RunError`."""
        return [case for case, _ in self._files()]

    def episodes(self) -> Iterator[Episode]:
        """The stored episodes, read one at a time, by level, instance, model and trial; raises `RunError`."""
        for _, file in self._files():
            yield self.read(file)

    def result(self, case: Case) -> Result:
        """The result of a stored episode; raises `RunError`, also where there is none."""
        return result_of(self.read(self.episode_file(case)))

    def results(self) -> list[Result]:
        """The results of the stored episodes, in the same order; raises `RunError`."""
        return [result_of(episode) for episode in self.episodes()]

    def files(self) -> list[Path]:
        """The files of the run, sorted, without the sums; nothing that somebody put beside them, or made too large."""
        found = [*(self.path / name for name in (RUN_FILE, *DERIVED_FILES)), *self.episode_files()]
        return sorted(file for file in found if os.path.lexists(file) and is_readable(file))

    def write_sums(self) -> None:
        """Write the SHA-256 of every file in the format of `sha256sum --check`."""
        self._write_sums({file.relative_to(self.path).as_posix(): _sha256(file) for file in self.files()})

    def renew_sum(self, name: str) -> None:
        """Write the SHA-256 of one file anew, where the sums are written; all others stay. Raises `RunError`."""
        sums = self.sums()
        if sums is not None:
            self._write_sums(dict(sorted((sums | {name: _sha256(self.path / name)}).items())))

    def _write_sums(self, sums: dict[str, str]) -> None:
        write_durably(self.path / SUMS_FILE, "".join(f"{digest}  {name}\n" for name, digest in sums.items()))

    def sums(self) -> dict[str, str] | None:
        """The written sums, by file relative to the folder; None if there are none. Raises `RunError`."""
        file = self.path / SUMS_FILE
        if not file.is_file():
            return None
        sums = {}
        for number, line in numbered_lines(_read(file)):
            match = re.fullmatch(r"([0-9a-f]{64})  (.+)", line)
            if match is None:
                raise RunError(f"{file}:{number}: not a line of a SHA-256 sum and a file")
            sums[match[2]] = match[1]
        return sums

    def make_ready(self) -> None:
        """Make the folder of the episodes if it is missing, and remove files that a killed process left half-written.

        Raises:
            RunError: it is a link or a file, or cannot be made.
        """
        episodes = self.path / EPISODES
        try:
            if not os.path.lexists(episodes):
                episodes.mkdir()
            if not S_ISDIR(episodes.lstat().st_mode):
                raise RunError(f"{episodes}: {_NO_FOLDER}")
            for folder in (self.path, episodes):
                sweep(folder)
        except OSError as error:
            raise _failed(episodes, error) from None

    def _files(self) -> list[tuple[Case, Path]]:
        """By case; a file's content decides its case, and is read only if the plan does not name the file."""
        known = {case.file_name: case for case in self.info.cases}
        found = []
        for file in self.episode_files():
            case = known.get(file.name)
            found.append((case_of(self.read(file)) if case is None else case, file))
        return sorted(found, key=lambda one: one[0].place)

    @staticmethod
    def read(file: Path) -> Episode:
        """One of the episode files; raises `RunError` if it holds no episode, or one with another name."""
        episode = read_episode(file)
        if case_of(episode).file_name != file.name:
            raise RunError(f"{file}: holds the episode {one_line(case_of(episode).text, 200)}")
        return episode


def read_episode(file: Path) -> Episode:
    """The episode in a file of any name; raises `RunError` if it holds none."""
    return parse_episode(_read(file), file)


def parse_episode(text: str, file: Path) -> Episode:
    """The episode in the text of a file; raises `RunError`, which names the file, if there is none."""
    try:
        episode = Episode.model_validate(_loaded(text))
    except ValidationError as error:
        raise _invalid(file, error) from None
    except (ValueError, RecursionError) as error:
        raise RunError(f"{file}: not JSON: {one_line(str(error), 200)}") from None
    # Where a model's text had half of a pair, it has lost it by now.
    halved = first_halved(episode.model_dump()) if _HALF_A_PAIR.search(text) else None
    if halved is not None:
        raise RunError(f"{file}: {json_path(halved)}: holds half of a surrogate pair, which is no character")
    return episode


def check_outside_runs(out: Path) -> None:
    """Raise `RunError` if a file or folder that is to be written would lie in the folder of a run."""
    for folder in Path(os.path.realpath(out)).parents:
        with suppress(PermissionError):
            if not ((folder / RUN_FILE).is_file() and (folder / EPISODES).is_dir()):
                continue
            raise RunError(f"{out}: lies in {folder}, the folder of a run; choose a place outside it")


def _is_left_over(file: Path) -> bool:
    """Whether a run that was killed before it began left the file."""
    return is_lock(file) if file.name == LOCK_FILE else file.name.endswith(f"-{RUN_FILE}") and is_half_written(file)


def _failed(path: Path, error: OSError) -> RunError:
    return RunError(f"{path}: {(error.strerror or str(error)).lower()}")


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _read(file: Path) -> str:
    try:
        return read_file(file)
    except DataError as error:
        raise RunError(str(error)) from None


def _field(text: str, name: str) -> object:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value.get(name) if isinstance(value, dict) else None


def _loaded(text: str) -> object:
    """The value of a JSON text; raises `ValueError`, also for a key that an object has twice."""
    return json.loads(text, parse_constant=_refused, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = next(key for number, (key, _) in enumerate(pairs) if key in dict(pairs[:number]))
        raise ValueError(f"an object has the key {twice!r} twice")
    return value


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON value")


def _invalid(file: Path, error: ValidationError) -> RunError:
    first = error.errors(include_url=False, include_input=False)[0]
    return RunError(f"{file}: {json_path(first['loc'])}: {one_line(first['msg'], 300)}")
