"""Parses the values of options."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from mpcbench.benchmark.agents.endpoint.models import without_secrets
from mpcbench.evaluation.runs.folder import RUN_FILE
from mpcbench.evaluation.runs.options import Kind, Option
from mpcbench.schema.dataset import COMMITTED, DataError
from mpcbench.schema.episode import Scores
from mpcbench.schema.exam import Exam
from mpcbench.schema.level4.exam import AnyExam
from mpcbench.schema.untrusted_text import well_formed

RUNS = "runs"
"""Where runs have their folders, relative to the folder of the call."""


TEXT = "text:"
"""Begins a value that is a text itself and not the name of the file that holds it."""

_LONGEST_TEXT = 1_000_000

_LIST = re.compile(r"(?:replay:|command:).+|[^,]+")
"""The names in a list; what follows `replay:` or `command:` is one, as paths and commands may hold commas."""


class SettingsError(ValueError):
    """An option has a value that makes no run; the message is one line that names both."""


@dataclass(frozen=True, slots=True)
class FailOn:
    """Which scores make a case fail: `exact`, `never` or `f1:X`."""

    text: str
    lowest_f1: float | None

    @classmethod
    def parse(cls, text: str) -> "FailOn":
        """The rule of an option's value; raises `SettingsError`."""
        if text == "exact":
            return cls(text, None)
        if text == "never":
            return cls(text, 0.0)
        if re.fullmatch(r"f1:(0(\.\d+)?|1(\.0+)?)", text):
            return cls(text, float(text[3:]))
        raise SettingsError(f"--fail-on: {text!r} is not exact, never or f1:X with X from 0 to 1")

    def __str__(self) -> str:
        return self.text

    def fails(self, scores: Scores) -> bool:
        """Whether a case with these scores fails."""
        return not scores.exact_match if self.lowest_f1 is None else scores.f1 < self.lowest_f1


class Shard(NamedTuple):
    """A part of the cases, for one machine of several: every one whose place leaves the remainder number - 1."""

    number: int
    """From 1."""

    shards: int

    @classmethod
    def parse(cls, option: str, text: str) -> "Shard":
        """The shard that `K/N` names; raises `SettingsError`."""
        match = re.fullmatch(r"0*([1-9][0-9]{0,5})/0*([1-9][0-9]{0,5})", text)
        if match is None or int(match[1]) > int(match[2]):
            raise SettingsError(f"{option}: {text!r} is not K/N with K from 1 to N")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.shards}"


@dataclass(frozen=True, slots=True)
class CallBudget:
    """How many tool calls an episode may make: `N`, or `Kx`, which is K times as many as the minimal plan."""

    text: str
    number: int | None
    times: float | None

    @classmethod
    def parse(cls, option: str, text: str) -> "CallBudget":
        """The budget of an option's value; raises `SettingsError`."""
        if re.fullmatch(r"[1-9][0-9]{0,8}", text):
            return cls(text, int(text), None)
        if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?x", text) and float(text[:-1]) > 0:
            return cls(text, None, float(text[:-1]))
        raise SettingsError(f"{option}: {text!r} is not a whole number from 1 or Kx with K above 0, such as 40 or 1.5x")

    def __str__(self) -> str:
        return self.text

    def calls(self, exam: AnyExam) -> int:
        """How many calls it allows in an exam, at least one; parts of a call are rounded up.

        Raises:
            DataError: the budget is K times a plan, and the label of level 4 has no certificate, which holds it.
        """
        if self.number is not None:
            return self.number
        return max(1, math.ceil((self.times or 1) * _plan_calls(exam)))


def _plan_calls(exam: AnyExam) -> int:
    """How many calls the minimal plan takes; at levels 1 to 3 one for each required record."""
    if isinstance(exam, Exam):
        return len(exam.label.records)
    if exam.label.certificate is None:
        raise DataError(f"{exam.label.instance_id}: --max-calls: the label has no certificate, which holds the plan")
    return len(exam.label.certificate.steps)


def value_of(option: Option, given: Any, folder: Path) -> Any:
    """The value of an option; relative paths are relative to the folder.

    Args:
        option: The option.
        given: What was typed: a text, or several if the option is repeatable; None if it was not given.
        folder: The folder of the call.

    Returns:
        The value, or a tuple of them without repetitions if the option is repeatable; None without a value.

    Raises:
        SettingsError: the text is not allowed.
    """
    name, read = f"--{option.name}", _reader(option, folder)
    if option.repeatable:
        default = [] if option.default is None else [option.default]
        texts = given or default
        if option.kind is Kind.NAME:
            texts = [part for text in texts for part in _names(text)]
        return tuple(dict.fromkeys(read(name, text) for text in texts))
    text = option.default if given is None else given
    return None if text is None else read(name, text)


def resumed(options: Mapping[str, Any], folder: Path) -> Path | None:
    """The run's folder that `--resume` names, by its path or by its name below `runs/`; None without the option.

    Raises:
        SettingsError: there is no run.
    """
    text = options.get("resume")
    return None if text is None else _run(folder)("--resume", text)


def _reader(option: Option, folder: Path) -> Callable[[str, str], Any]:
    choice = _one_of(option.metavar.split("|"))
    readers: dict[Kind, Callable[[str, str], Any]] = {
        Kind.NAME: _name,
        Kind.TEXT: lambda _, text: text,
        Kind.CHOICE: choice,
        Kind.DIGIT: lambda name, text: int(choice(name, text)),
        Kind.SWITCH: lambda name, text: choice(name, text) == "on",
        Kind.POSITIVE: _positive,
        Kind.COUNT: _count,
        Kind.NUMBER: _number,
        Kind.AMOUNT: _above_zero,
        Kind.SECONDS: _seconds,
        Kind.ARGUMENT: _argument,
        Kind.WORD: _word,
        Kind.URL: _url,
        Kind.FOLDER: _path(folder, "folder"),
        Kind.FILE: _path(folder, "file"),
        Kind.FILE_TEXT: _file_text(folder),
        Kind.DATASET: lambda _, text: folder / Path(text).expanduser() if text else COMMITTED,
        Kind.RUN: _run(folder),
        Kind.RUNGS: _rungs,
        Kind.CALLS: CallBudget.parse,
        Kind.SHARD: Shard.parse,
        Kind.FAIL_ON: lambda _, text: FailOn.parse(text or "exact"),
    }
    return readers[option.kind]


def _names(text: str) -> list[str]:
    return [part.strip() for part in _LIST.findall(text)] if "," in text else [text]


def _name(option: str, text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise SettingsError(f"{option}: {text!r} is not a name")
    return text


def _one_of(allowed: Sequence[str]) -> Callable[[str, str], str]:
    def read(option: str, text: str) -> str:
        if text not in allowed:
            choices = " or ".join(filter(None, [", ".join(allowed[:-1]), allowed[-1]]))
            raise SettingsError(f"{option}: {text!r} is not {choices}")
        return text

    return read


def _path(base: Path, what: str) -> Callable[[str, str], Path]:
    def read(option: str, text: str) -> Path:
        if not text.strip() or "\0" in text:
            raise SettingsError(f"{option}: {text!r} is no {what}")
        return base / Path(text).expanduser()

    return read


def _file_text(base: Path) -> Callable[[str, str], str]:
    def read(option: str, text: str) -> str:
        said, where = text.removeprefix(TEXT), "its text"
        if not text.startswith(TEXT):
            path = _path(base, "file")(option, text)
            where = repr(text)
            try:
                said = path.read_text(encoding="utf-8")
            except OSError as error:
                raise SettingsError(f"{option}: {where} cannot be read: {error.strerror or error}") from None
            except UnicodeDecodeError:
                raise SettingsError(f"{option}: {where} is not UTF-8 text") from None
        said = said.strip()
        if not said or len(said) > _LONGEST_TEXT or said != well_formed(said):
            raise SettingsError(
                f"{option}: {where} is empty, or more than {_LONGEST_TEXT:,} characters, or not Unicode"
            )
        return said

    return read


def _run(base: Path) -> Callable[[str, str], Path]:
    def read(option: str, text: str) -> Path:
        for path in (_path(base, "folder")(option, text), base / RUNS / text):
            if (path / RUN_FILE).is_file():
                return path
        raise SettingsError(f"{option}: {text!r} is no folder of a run, nor the name of one in {RUNS}/")

    return read


def _rungs(option: str, text: str) -> tuple[int, ...]:
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"([1-9][0-9]?)(?:(?:\.\.|-)([1-9][0-9]?))?", part.strip())
        if match is None or int(match[2] or match[1]) < int(match[1]):
            raise SettingsError(f"{option}: {text!r} is not a list of rungs such as 3, 1..4 or 1,5..8")
        found |= {*range(int(match[1]), int(match[2] or match[1]) + 1)}
    return tuple(sorted(found))


def _count(option: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise SettingsError(f"{option}: {text!r} is not a whole number from 0")
    return int(text)


def _positive(option: str, text: str) -> int:
    if not re.fullmatch(r"0*[1-9][0-9]{0,8}", text):
        raise SettingsError(f"{option}: {text!r} is not a whole number from 1")
    return int(text)


def _number(option: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise SettingsError(f"{option}: {text!r} is not a number from 0")
    return value


def _above_zero(option: str, text: str) -> float:
    value = _number(option, text)
    if value == 0:
        raise SettingsError(f"{option}: {text!r} is not a number above 0")
    return value


def _seconds(option: str, text: str) -> float:
    value = _number(option, text)
    if value == 0:
        raise SettingsError(f"{option}: {text!r} is not a number of seconds above 0")
    return value


def _argument(option: str, text: str) -> str:
    name, equals, _ = text.partition("=")
    if not (equals and name.isidentifier()):
        raise SettingsError(f"{option}: {text!r} is not KEY=VALUE with the name of an argument as its key")
    return text


def _word(option: str, text: str) -> str:
    if not re.fullmatch(r"[a-z_-]+", text):
        raise SettingsError(f"{option}: {text!r} is not a word such as low, medium or high")
    return text


def _url(option: str, text: str) -> str:
    if not re.fullmatch(r"https?://\S+", text):
        raise SettingsError(f"{option}: {without_secrets(text)!r} is not an http:// or https:// URL")
    return text
