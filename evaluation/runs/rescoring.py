"""Grades stored episodes again, so that the result can be compared with what is stored."""

from mpcbench.evaluation.grade import Attempt, grade
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Episode
from mpcbench.schema.level4.exam import any_exam

NOT_GRADED = ("grading_version", "seconds", "cost_usd", "attribution")
"""The fields of an episode that grading does not decide."""


def rescored(dataset: Dataset, episode: Episode) -> Episode:
    """The episode as this version grades it; fields that grading does not decide are kept. Raises `DataError`."""
    again = grade(any_exam(dataset, episode.instance_id), Attempt.of(episode))
    kept = {name: getattr(episode, name) for name in NOT_GRADED if name != "grading_version"}
    return again.model_copy(update=kept)


def changed_fields(stored: Episode, again: Episode) -> list[str]:
    """The names of the graded fields that differ, as in the file."""
    was, now = (one.model_dump(mode="json", exclude=set(NOT_GRADED)) for one in (stored, again))
    return [name for name in was if was[name] != now[name]]
