"""Kinds of mistakes, named as the diagnosis names causes, and the flawed agents that make exactly one."""

from collections.abc import Iterable, Iterator
from typing import Final

from mpcbench.benchmark.agents.flawed import FLAWS, Flaw
from mpcbench.benchmark.export.sources import ExportError, attempt
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.diagnosis.primary import primary_reasons
from mpcbench.schema.cause import Reason, Stage, stage_of
from mpcbench.schema.episode import Episode, Outcome
from mpcbench.schema.exam import Exam
from mpcbench.schema.model import Level

ALIASES: Final = {"over_filter": Reason.CONSTRAINT_ADDED.value}


def checked(kind: str) -> str:
    """The kind of mistake of a name: a stage, a cause, or a cause with its detail; raises `ExportError`."""
    full = ALIASES.get(kind, kind)
    head, _, detail = full.partition(":")
    for reason in Reason:
        if head in {reason.value, reason.value.partition(".")[2]}:
            return f"{reason.value}:{detail}" if detail else reason.value
    if full in set(Stage):
        return full
    known = ", ".join((*ALIASES, *Stage, *(reason.value for reason in Reason)))
    raise ExportError(
        f"--mistake: no kind {kind!r}; the kinds are {known}, each perhaps with a detail, such as :policy"
    )


def check_made(kind: str, levels: Iterable[Level]) -> None:
    """Raise `ExportError` unless an agent with a single flaw makes mistakes of a kind at one of the levels."""
    chosen = set(levels)
    made = sorted({reason for flaw in FLAWS.values() if chosen & set(flaw.levels) for reason in flaw.expected})
    if not any(is_of_kind(reason, kind) for reason in made):
        cause = kind.partition(":")[0]
        known = [reason for reason in made if is_of_kind(reason, cause)] or made
        raise ExportError(
            f"--mistake: no flawed agent of level {', '.join(map(str, sorted(chosen)))} makes {kind!r}; "
            f"the mistakes are {', '.join(known)}"
        )


def is_of_kind(reason: str, kind: str | None) -> bool:
    """Whether a stored cause is of a kind; of any kind if that is None."""
    return kind is None or kind in {reason, reason.partition(":")[0], stage_of(reason)}


def flawed_attempts(exam: Exam, settings: Settings, kind: str | None) -> Iterator[tuple[Flaw, Episode]]:
    """The failed episodes of agents with a single flaw of a kind, where nothing but that flaw shows.

    An episode is left out if the flaw does not change the answer, or if the diagnosis finds a cause that the flaw should
    not have.
    """
    for flaw in FLAWS.values():
        if exam.instance.level in flaw.levels and any(is_of_kind(reason, kind) for reason in flaw.expected):
            episode = attempt(exam, flaw.agent, f"flawed:{flaw.name}", settings)
            if shows_only(episode, flaw.expected) and any(is_of_kind(cause, kind) for cause in causes_of(episode)):
                yield flaw, episode


def shows_only(episode: Episode, expected: Iterable[str]) -> bool:
    """Whether an episode failed, its causes are all among some, and a wrong answer has a single one."""
    diagnosis = episode.diagnosis
    if episode.outcome is not Outcome.FAILED or diagnosis is None or not diagnosis.causes:
        return False
    if diagnosis.stage is Stage.INTEGRATION and any(len(causes) > 1 for causes in diagnosis.explanations):
        return False
    return set(primary_reasons(diagnosis)) <= set(expected)


def causes_of(episode: Episode) -> tuple[str, ...]:
    """The causes of a failed episode, as stored."""
    return () if episode.diagnosis is None else tuple(primary_reasons(episode.diagnosis))
