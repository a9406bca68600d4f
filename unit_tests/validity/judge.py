"""Whether a diagnosis is right, judged by what is known of the failure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final

from mpcbench.evaluation.scoring.score import proposal_key
from mpcbench.schema.cause import Cause, Diagnosis, Reason, Stage, is_observed
from mpcbench.schema.episode import Episode

MOST: Final = 2
"""A right diagnosis leaves open at most so many explanations."""


class Verdict(StrEnum):
    """What a diagnosis is worth, best first."""

    RIGHT = "right"
    """One of at most two explanations gives the true reason, and the true record if it names records of that kind."""

    ACCEPTABLE = "acceptable"
    """True and useful, but not the failure itself, or the true one of three explanations."""

    SYMPTOM = "symptom"
    """Claims no cause, or something that is true of the episode whatever its cause, or too many causes to choose from."""

    UNEXPLAINED = "unexplained"
    FALSE = "false"
    """Another cause is claimed."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a diagnosis should say."""

    right: tuple[str, ...]
    """Patterns of reasons, any of which names the failure: `integration.ranking` stands for all its details, and `*`
    for anything."""

    acceptable: tuple[str, ...] = ()
    """Patterns of reasons that are also true and useful."""

    record: str | None = None
    """The record that the failure is about, such as `calendar:p017`."""

    symptoms: tuple[str, ...] = ()
    """Patterns of reasons that are true of the answer, whatever its cause."""


def matches(reason: str, patterns: Iterable[str]) -> bool:
    """Whether a stored reason is one of those that patterns stand for."""
    return any(fnmatchcase(reason, one) or reason.startswith(f"{one}:") for one in patterns)


def judge(diagnosis: Diagnosis, expected: Expected) -> Verdict:
    """The verdict on the diagnosis of a wrong answer."""
    explanations = diagnosis.explanations
    claims = [claimed for causes in explanations if (claimed := [cause for cause in causes if is_claim(cause)])]
    if not claims:
        reasons = [cause.reason for causes in explanations for cause in causes]
        for verdict, patterns in ((Verdict.RIGHT, expected.right), (Verdict.ACCEPTABLE, expected.acceptable)):
            if any(matches(reason, patterns) for reason in reasons):
                return verdict
        return Verdict.SYMPTOM if any(map(is_observed, reasons)) else Verdict.UNEXPLAINED
    number = len({frozenset(cause.reason for cause in causes) for causes in claims})
    right = [causes for causes in claims if _fits(causes, expected.right)]
    useful = [causes for causes in claims if _fits(causes, (*expected.right, *expected.acceptable))]
    if any(_names(causes, expected.record) for causes in right):
        return Verdict.RIGHT if max(number, len(right)) <= MOST else _undecided(number)
    if any(_names(causes, expected.record) for causes in useful):
        return _undecided(number)
    if number <= MOST and any(_fits(causes, expected.symptoms) for causes in claims):
        return Verdict.SYMPTOM
    return Verdict.FALSE


def _undecided(number: int) -> Verdict:
    return Verdict.ACCEPTABLE if number <= MOST + 1 else Verdict.SYMPTOM


def symptoms_of(episode: Episode) -> tuple[str, ...]:
    """Patterns of reasons that are true of an episode whatever its cause.

    The calls show what was never queried and read; the answer shows that it has too few or too many candidates. One that
    is given twice counts once.
    """
    given, wanted = len({*map(proposal_key, episode.answer or ())}), len(episode.gold)
    counted = () if given == wanted else (f"integration.count:too_{'few' if given < wanted else 'many'}",)
    return ("decomposition.*", "acquisition.*", *counted)


def is_claim(cause: Cause) -> bool:
    """Whether a cause is claimed, and not only a symptom described."""
    return cause.reason != Reason.UNEXPLAINED and not is_observed(cause.reason)


def _fits(causes: Sequence[Cause], patterns: Sequence[str]) -> bool:
    """Whether an explanation gives one of the reasons, and no other where the task was changed.

    Earlier stages list everything that was never queried or seen; only changes to the task can be too many.
    """
    fitting = [cause for cause in causes if matches(cause.reason, patterns)]
    return bool(fitting) and not any(cause.stage is Stage.INTEGRATION and cause not in fitting for cause in causes)


def _names(causes: Sequence[Cause], record: str | None) -> bool:
    """Whether causes name a record, or no record of its kind."""
    if record is None:
        return True
    kind = record.partition(":")[0]
    named = [one.record for cause in causes for one in cause.evidence if one.record is not None]
    same_kind = [one for one in named if one.partition(":")[0] == kind]
    return not same_kind or record in same_kind
