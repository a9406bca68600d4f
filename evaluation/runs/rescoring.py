"""Episodes judged again from what the agent did, to be compared with what is stored of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mpcbench.evaluation.grade import grade
from mpcbench.schema import Instance
from mpcbench.schema.dataset import DataError, Dataset
from mpcbench.schema.episode import GRADING_VERSION, Episode
from mpcbench.schema.model import Level

NOT_JUDGED = ("grading_version", "seconds", "cost_usd", "attribution")
"""The fields of an episode that judging it again does not give."""


@dataclass(frozen=True)
class Rescorer:
    """Judges episodes of one data set."""

    dataset: Dataset
    _instances: dict[Level, dict[str, Instance]] = field(default_factory=dict)

    def instance(self, episode: Episode) -> Instance:
        """The instance of an episode; raises `DataError`."""
        level = episode.level
        if level not in self._instances:
            self._instances[level] = {one.instance_id: one for one in self.dataset.instances(level)}
        if episode.instance_id not in self._instances[level]:
            raise DataError(f"{self.dataset.folder}: no instance {episode.instance_id!r} at level {level}")
        return self._instances[level][episode.instance_id]

    def rescored(self, episode: Episode) -> Episode:
        """The episode as today's grading judges it; what it cannot judge stays as it is. Raises `DataError`."""
        again = grade(
            self.dataset.world(episode.level),
            self.instance(episode),
            self.dataset.labels(episode.level)[episode.instance_id],
            model=episode.model,
            trial=episode.trial,
            paraphrase=episode.paraphrase,
            tags=episode.tags,
            system_prompt=episode.system_prompt,
            task=episode.task,
            reply=episode.reply,
            tool_calls=episode.tool_calls,
            fault=episode.fault,
            seconds=episode.seconds,
            reveal=episode.reveal,
        )
        kept = {name: getattr(episode, name) for name in NOT_JUDGED if name != "grading_version"}
        return again.model_copy(update={**kept, "grading_version": GRADING_VERSION})


def changed_fields(stored: Episode, again: Episode) -> list[str]:
    """The names of the judged fields that differ, as they stand in the file."""
    was, now = (one.model_dump(mode="json", exclude=set(NOT_JUDGED)) for one in (stored, again))
    return [name for name in was if was[name] != now[name]]


def rescored(dataset: Dataset, episodes: Iterable[Episode]) -> Iterator[tuple[Episode, list[str]]]:
    """Every episode judged again, with the names of the fields that differ from what was stored."""
    rescorer = Rescorer(dataset)
    for episode in episodes:
        again = rescorer.rescored(episode)
        yield again, changed_fields(episode, again)
