"""A level as an environment of OpenEnv: `reset`, then `step` with one message of the model after the other.

Served for trainers and other clients by `python -m mpcbench.benchmark.environments.openenv_environment --level 1`.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from openenv.core.env_server import Action, Environment, Observation, State, create_app
from pydantic import Field

from mpcbench.benchmark.environments.instances import Selection, Stored, origin
from mpcbench.benchmark.environments.reward import Weights
from mpcbench.benchmark.environments.stepped_episode import StepError, SteppedEpisode
from mpcbench.benchmark.export.splits import Split
from mpcbench.benchmark.port import port_number
from mpcbench.generate.making import GenerationError
from mpcbench.schema.dataset import LEVELS

_JSON = dict[str, Any]


class MpcbenchAction(Action):
    """One message of the model."""

    text: str = Field("", description="What it says: a JSON object that calls tools, or the final answer.")
    tool_calls: list[_JSON] = Field(default_factory=list, description="Its calls in OpenAI's format, if native.")
    finish_reason: str | None = Field(None, description="Why it stopped, as its API says; stop by default.")


class MpcbenchObservation(Observation):
    """What the model is told next."""

    messages: list[_JSON] = Field(default_factory=list, description="In OpenAI's chat format; new ones only.")
    tools: list[_JSON] = Field(default_factory=list, description="The tools in OpenAI's format, if native.")
    may_call: bool = Field(True, description="Whether the next message may call tools.")
    parts: dict[str, float] = Field(default_factory=dict, description="The parts of the reward, at the end.")
    outcome: str | None = Field(None, description="passed or failed, at the end.")


class MpcbenchState(State):
    """Which instance it is."""

    origin: _JSON = Field(default_factory=dict)


class MpcbenchEnvironment(Environment[MpcbenchAction, MpcbenchObservation, MpcbenchState]):
    """Episodes on the instances of a level.

    Args:
        selection: The instances; `reset` can choose another split.
        weights: What the reward counts.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, selection: Selection, weights: Weights) -> None:
        super().__init__()
        self._selection = selection
        self._weights = weights
        self._episode: SteppedEpisode | None = None
        self._state = MpcbenchState()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        split: str | None = None,
        index: int | None = None,
        native: bool = False,
        **options: Any,
    ) -> MpcbenchObservation:
        """Begin an episode.

        Args:
            seed: Draws the instance where no index is given.
            episode_id: What the client calls the episode.
            split: Whose instances; that of the server by default.
            index: Of the instance in the split, from 0.
            native: Whether actions hold tool calls instead of texts that call tools.
            options: Of the episode, as for `SteppedEpisode`.
        """
        tasks = self._tasks(split)
        if index is not None and not 0 <= index < len(tasks):
            raise StepError(f"index: {index} is none of the {len(tasks)} instances, from 0")
        exam = tasks[Random(seed).randrange(len(tasks)) if index is None else index].exam  # noqa: S311 - no secret
        given = {name: str(value) for name, value in options.items()}
        self._episode = SteppedEpisode(exam, by_text=not native, **given)
        self._state = MpcbenchState(episode_id=episode_id, origin=origin(exam.instance))
        return self._observed(self._episode, self._episode.messages)

    def step(self, action: MpcbenchAction, timeout_s: float | None = None, **_: Any) -> MpcbenchObservation:  # noqa: ARG002
        """Take one message of the model; the reward comes with the last one."""
        if self._episode is None:
            raise StepError("no episode has begun: call reset first")
        message: _JSON = {"role": "assistant", "content": action.text}
        if action.tool_calls:
            message["tool_calls"] = action.tool_calls
        told = self._episode.step(message, action.finish_reason)
        self._state.step_count += 1
        return self._observed(self._episode, told)

    @property
    def state(self) -> MpcbenchState:
        """Which instance it is, and how many messages were taken."""
        return self._state

    def _observed(self, episode: SteppedEpisode, told: Sequence[Mapping[str, Any]]) -> MpcbenchObservation:
        messages = [dict(message) for message in told]
        if not episode.is_over:
            return MpcbenchObservation(
                reward=0.0, messages=messages, tools=list(episode.tools), may_call=episode.may_call
            )
        reward = episode.reward(self._weights)
        return MpcbenchObservation(
            done=True,
            reward=reward.total,
            messages=messages,
            may_call=False,
            parts=dict(reward.parts),
            outcome=episode.graded().outcome.value,
        )

    # OpenEnv's task API: what there is to reset to.

    def list_splits(self) -> list[str]:
        """The splits that `reset` takes."""
        if self._selection.dataset is not None:
            return [self._selection.split.value]
        return [split.value for split in Split if split is not Split.TEST or self._selection.allow_test]

    def list_tasks(self, split: str) -> list[_JSON]:
        """The instances of a split."""
        return [{"id": task.instance_id, "index": index} for index, task in enumerate(self._tasks(split))]

    def num_tasks(self, split: str) -> int:
        """How many instances a split has."""
        return len(self._tasks(split))

    def get_task(self, split: str, index: int) -> _JSON:
        """One instance of a split."""
        return self.list_tasks(split)[index]

    def _tasks(self, split: str | None) -> tuple[Stored, ...]:
        return _instances(self._selection if split is None else replace(self._selection, split=Split(split)))


@cache
def _instances(selection: Selection) -> tuple[Stored, ...]:
    return tuple(selection.instances())


def _weight(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not PART=W, such as acquisition=0.2") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve on 127.0.0.1 until interrupted; returns 2 for invalid input."""
    import uvicorn  # noqa: PLC0415 - comes with OpenEnv

    parser = argparse.ArgumentParser(description="Serve the instances of a level as an environment of OpenEnv.")
    parser.add_argument("--level", type=int, choices=LEVELS, default=1, help="default: %(default)s")
    parser.add_argument("--split", type=Split, choices=list(Split), default=Split.TRAIN, help="default: %(default)s")
    parser.add_argument("--count", type=int, default=100, help="instances of a split (default: %(default)s)")
    parser.add_argument("--seed", type=int, help="seed of the first world (default: the split's first)")
    parser.add_argument("--dataset", type=Path, metavar="DIR", help="stored instances instead of fresh ones")
    parser.add_argument("--allow-test", action="store_true", help="also offer instances for tests, to measure")
    parser.add_argument(
        "--weight", type=_weight, metavar="PART=W", action="append", default=[], help="such as acquisition=0.2"
    )
    parser.add_argument("--port", type=port_number, default=8000, help="default: %(default)s")
    parser.add_argument("--sessions", type=int, default=64, help="episodes at a time (default: %(default)s)")
    given = parser.parse_args(arguments)
    try:
        weights = Weights.of(dict(given.weight))
        selection = Selection(given.level, given.split, given.count, given.seed, given.dataset, given.allow_test)
        _instances(selection)
    except (ValueError, GenerationError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    app = create_app(
        partial(MpcbenchEnvironment, selection, weights),
        MpcbenchAction,
        MpcbenchObservation,
        env_name="mpcbench",
        max_concurrent_envs=given.sessions,
        state_cls=MpcbenchState,
    )
    uvicorn.run(app, host="127.0.0.1", port=given.port, log_level="warning")
    return 0


if __name__ == "__main__":
    sys.exit(main())
