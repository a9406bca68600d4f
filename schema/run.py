"""A run: which episodes it plans, what ran, and on which data."""

import re
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from itertools import chain, count
from typing import Final, NamedTuple
from urllib.parse import quote

from pydantic import AwareDatetime, Field, JsonValue

from mpcbench.schema.episode import Episode, TrialNumber
from mpcbench.schema.model import AnyLevel, Model
from mpcbench.schema.result import Result

FORMAT_VERSION: Final = "2"
"""Of a run's folder: raised when its files could not be read by the other version of the code."""

_LONGEST_NAME = 180  # file systems take 255 bytes


class Case(NamedTuple):
    """Which episode: an instance, a model, and the number of the trial from 1."""

    instance_id: str
    level: AnyLevel
    model: str
    trial: TrialNumber = 1

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
        number = re.search(r"(\d{1,18})\Z", self.instance_id)  # Python refuses numbers of thousands of digits
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
    agents: dict[str, dict[str, JsonValue] | None]
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


def new_run_id(now: datetime, models: Iterable[str], taken: Iterable[str]) -> str:
    """A name for a run's folder: the time in UTC and the models, such as `20270109-142501-o4-mini`."""
    names = "+".join(models)
    plain = re.sub(r"[^A-Za-z0-9.+_-]+", "-", names).strip("-.")[:60] or "run"
    first = f"{now:%Y%m%d-%H%M%S}-{plain}"
    used = set(taken)
    numbered = (f"{first}-{number}" for number in count(2))
    return next(name for name in chain([first], numbered) if name not in used)
