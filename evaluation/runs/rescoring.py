"""Episodes judged again from what the agent did, to be compared with what is stored of them."""

from mpcbench.evaluation.grade import Attempt, grade
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Episode

NOT_JUDGED = ("grading_version", "seconds", "cost_usd", "attribution")
"""The fields of an episode that judging it again does not give."""


def rescored(dataset: Dataset, episode: Episode) -> Episode:
    """The episode as today's grading judges it; what grading does not decide stays as it is. Raises `DataError`."""
    again = grade(dataset.exam(episode.instance_id), Attempt.of(episode))
    kept = {name: getattr(episode, name) for name in NOT_JUDGED if name != "grading_version"}
    return again.model_copy(update=kept)


def changed_fields(stored: Episode, again: Episode) -> list[str]:
    """The names of the judged fields that differ, as they stand in the file."""
    was, now = (one.model_dump(mode="json", exclude=set(NOT_JUDGED)) for one in (stored, again))
    return [name for name in was if was[name] != now[name]]
