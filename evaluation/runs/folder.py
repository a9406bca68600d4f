"""The folder of a run: what ran, and one file per episode. Files are written whole or not at all.

```
RUN_ID/run.json            what ran: settings, agents, data, versions, the planned episodes
RUN_ID/episodes/CASE.json  one episode each, durable from its end on
RUN_ID/SHA256SUMS          of all other files, written when a session of the run ended
```
"""

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

from pydantic import AwareDatetime, Field, JsonValue, ValidationError

from mpcbench.schema.dataset import DataError, json_path, read_text
from mpcbench.schema.episode import Episode
from mpcbench.schema.model import Level, Model
from mpcbench.schema.model_output import one_line
from mpcbench.schema.result import Result, result_of

FORMAT_VERSION: Final = "2"
"""Of the folder: raised when its files could not be read by the other version of the code."""

_READ_BY: Final = {"1": "MPCBench 1.0"}
"""Which version of the code reads a folder of an older format."""

RUN_FILE: Final = "run.json"
EPISODES: Final = "episodes"
SUMS_FILE: Final = "SHA256SUMS"
_LONGEST_NAME = 180  # file systems take 255 bytes
_TEMPORARY = ".writing-"


class RunError(ValueError):
    """A run's folder cannot be used; the message is one line that names the file."""


class Case(NamedTuple):
    """Which episode: an instance, a model, and the number of the trial from 1."""

    instance_id: str
    level: Level
    model: str
    trial: int = 1

    @property
    def text(self) -> str:
        """For people, such as `level2-017-o4-mini` or `level2-017-o4-mini-trial2`."""
        return f"{self.instance_id}-{self.model}" + (f"-trial{self.trial}" if self.trial > 1 else "")

    @property
    def file_name(self) -> str:
        """The name of its file; every file system accepts its characters."""
        name = quote(self.text, safe=" !#$&'()+,;=@[]^`{}", errors="surrogatepass")
        if len(name) > _LONGEST_NAME or not name.isascii():
            name = f"{name[: _LONGEST_NAME - 20]}-{sha256(self.text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
        return f"{name}.json"

    @property
    def place(self) -> tuple[int, int, str, str, int]:
        """The sort key of cases: level, number of the instance, model, trial."""
        number = re.search(r"(\d+)\Z", self.instance_id)
        return self.level, int(number[1]) if number else 0, self.instance_id, self.model, self.trial


def case_of(episode: Episode | Result) -> Case:
    """Which episode it is."""
    return Case(episode.instance_id, episode.level, episode.model, episode.trial)


class DataInfo(Model):
    """Which data ran."""

    versions: dict[str, JsonValue] = Field(default_factory=dict)
    """By level (`level1`), the versions that the files record."""

    sha256: dict[str, str] = Field(default_factory=dict)
    """By file of the data set, relative to its folder."""


class RunInfo(Model):
    """What `run.json` says."""

    format_version: str = FORMAT_VERSION
    run_id: str
    created: AwareDatetime
    """In UTC."""

    options: dict[str, JsonValue]
    """The command line's options as they were given, without secrets; what `--resume` starts from."""

    settings: dict[str, JsonValue]
    agents: dict[str, JsonValue]
    """By model: what was sent where; None for an agent without an endpoint."""

    prompts_sha256: dict[str, str]
    """By level (`level1`), the system prompt and the tools' definitions."""

    data: DataInfo
    grading_version: str
    versions: dict[str, str]
    """Of Python, the project and the packages that results may depend on."""

    cases: tuple[Case, ...] = ()
    """The planned episodes."""

    stopped: str | None = None
    """Why the last session of the run ended early, if it did."""


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
        try:
            path.mkdir(parents=True, exist_ok=True)
            folder.sweep()  # of a run that was killed before it had begun
            if any(path.iterdir()):
                what = "a run already; --resume continues it" if folder.run_file.is_file() else "something else"
                raise RunError(f"{path}: holds {what}")
            folder.write_info(info)
            (path / EPISODES).mkdir()
        except OSError as error:
            raise RunError(f"{path}: {(error.strerror or str(error)).lower()}") from None
        return folder

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
            return RunInfo.model_validate_json(text)
        except ValidationError as error:
            raise _invalid(self.run_file, error) from None

    def write_info(self, info: RunInfo) -> None:
        """Replace `run.json`."""
        write_durably(self.run_file, info.model_dump_json(indent=1) + "\n")
        self.__dict__.pop("info", None)

    def episode_file(self, case: Case) -> Path:
        """The path of an episode's file, which need not exist yet."""
        return self.path / EPISODES / case.file_name

    def write_episode(self, case: Case, text: str) -> None:
        """Store an episode's JSON; when this returns it outlives a crash of the machine."""
        write_durably(self.episode_file(case), text)

    def episode(self, case: Case) -> Episode | None:
        """A stored episode; None if it is not there. Raises `RunError`."""
        file = self.episode_file(case)
        return self.read(file) if file.is_file() else None

    def episode_files(self) -> list[Path]:
        """The files of the stored episodes, by name."""
        folder = self.path / EPISODES
        return sorted(file for file in folder.glob("*.json") if not file.name.startswith(_TEMPORARY))

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
        """Every file of the run, sorted, except the sums and files that a killed process left half-written."""
        return sorted(
            file
            for file in self.path.rglob("*")
            if file.is_file() and file != self.path / SUMS_FILE and not file.name.startswith(_TEMPORARY)
        )

    def write_sums(self) -> None:
        """Write the SHA-256 of every file in the format of `sha256sum --check`."""
        lines = [
            f"{sha256(file.read_bytes()).hexdigest()}  {file.relative_to(self.path).as_posix()}\n"
            for file in self.files()
        ]
        write_durably(self.path / SUMS_FILE, "".join(lines))

    def sums(self) -> dict[str, str] | None:
        """The written sums, by file relative to the folder; None if there are none. Raises `RunError`."""
        file = self.path / SUMS_FILE
        if not file.is_file():
            return None
        sums = {}
        for number, line in enumerate(_read(file).splitlines(), start=1):
            match = re.fullmatch(r"([0-9a-f]{64})  (.+)", line)
            if match is None:
                raise RunError(f"{file}:{number}: not a line of a SHA-256 sum and a file")
            sums[match[2]] = match[1]
        return sums

    def sweep(self) -> None:
        """Remove files that a killed process left half-written."""
        for file in self.path.rglob(f"{_TEMPORARY}*"):
            file.unlink(missing_ok=True)

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
        return Episode.model_validate(json.loads(text, parse_constant=_refused))
    except ValidationError as error:
        raise _invalid(file, error) from None
    except (ValueError, RecursionError) as error:
        raise RunError(f"{file}: not JSON: {one_line(str(error), 200)}") from None


def write_durably(file: Path, text: str) -> None:
    """Write or replace a file atomically; on return it is on the disk.

    Raises:
        OSError: it cannot be written; nothing is left behind.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    staged = _unused(file)
    try:
        with staged.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        staged.replace(file)
    except BaseException:
        with suppress(OSError):
            staged.unlink(missing_ok=True)
        raise
    _sync_folder(file.parent)


def _unused(file: Path) -> Path:
    for number in count():
        staged = file.with_name(f"{_TEMPORARY}{os.getpid()}-{number}-{file.name[-60:]}")
        if not staged.exists():
            return staged
    raise AssertionError("unreachable")


def _sync_folder(folder: Path) -> None:
    """Make a rename durable, if the system supports that."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _read(file: Path) -> str:
    try:
        return read_text(file)
    except DataError as error:
        raise RunError(str(error)) from None


def _field(text: str, name: str) -> object:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value.get(name) if isinstance(value, dict) else None


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON value")


def _invalid(file: Path, error: ValidationError) -> RunError:
    first = error.errors(include_url=False, include_input=False)[0]
    return RunError(f"{file}: {json_path(first['loc'])}: {one_line(first['msg'], 300)}")


def new_run_id(now: datetime, models: Iterable[str], taken: Iterable[str]) -> str:
    """A name for a run's folder: the time in UTC and the models, such as `20270109-142501-o4-mini`."""
    names = "+".join(models)
    plain = re.sub(r"[^A-Za-z0-9.+_-]+", "-", names).strip("-.")[:60] or "run"
    first = f"{now:%Y%m%d-%H%M%S}-{plain}"
    used = set(taken)
    numbered = (f"{first}-{number}" for number in count(2))
    return next(name for name in chain([first], numbered) if name not in used)
