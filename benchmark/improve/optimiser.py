"""GEPA over what the system prompt says besides: run, read the diagnosis, write better instructions, keep the best.

GEPA: https://arxiv.org/abs/2507.19457, package `gepa`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Final

from mpcbench.benchmark.improve.conversations import ImproveError
from mpcbench.benchmark.improve.rollouts import Rollouts
from mpcbench.evaluation.scoring.explain import explain
from mpcbench.schema.episode import Episode
from mpcbench.schema.untrusted_text import shortened

_PART: Final = "instructions"
"""GEPA's name for what it rewrites."""

_LONGEST: Final = 4_000
"""Characters of an explanation that the writer of instructions gets to read."""

PROMPT: Final = """\
An assistant schedules meetings by calling tools. A fixed system prompt tells it the rules and the format of its answer. \
The following instructions are added at its end:
```
<curr_param>
```

Here is what it did with these instructions on some tasks, and what was wrong with it:
```
<side_info>
```

Write better instructions. Say in general words how to find out what a task needs, how to combine it, and how to avoid \
these mistakes. Do not name the people, policies, times or candidates of these tasks, since others will follow. Give the \
new instructions within ``` blocks."""


@dataclass(frozen=True, slots=True)
class Optimised:
    """What an optimisation found."""

    instructions: str
    score: float
    """Of the best instructions, the mean over the training instances."""

    first_score: float
    """The same of those that it began with."""

    candidates: int
    """How many instructions were tried on all training instances."""

    episodes: int


class Adapter:
    """What GEPA calls; an instance is named by its ID."""

    propose_new_texts = None

    def __init__(self, rollouts: Rollouts) -> None:
        self._rollouts = rollouts

    def evaluate(self, batch: list[str], candidate: dict[str, str], capture_traces: bool = False) -> Any:
        """Run the suite with the candidate's instructions."""
        from gepa import EvaluationBatch  # noqa: PLC0415 - an optional package

        episodes = self._rollouts.run(batch, candidate[_PART])
        return EvaluationBatch(
            outputs=episodes,
            scores=[stage_score(episode) for episode in episodes],
            trajectories=episodes if capture_traces else None,
        )

    def make_reflective_dataset(
        self,
        candidate: dict[str, str],  # noqa: ARG002 - GEPA's interface
        eval_batch: Any,
        components_to_update: list[str],
    ) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """What the writer of instructions reads of each episode: the task, the calls and the explanation."""
        told = [self._told(episode) for episode in eval_batch.trajectories]
        return dict.fromkeys(components_to_update, told)

    def _told(self, episode: Episode) -> dict[str, Any]:
        exam = self._rollouts.dataset.exam(episode.instance_id)
        calls = [f"{call.name} {call.arguments}" for call in episode.tool_calls]
        return {
            "Inputs": {"task": episode.task},
            "Generated Outputs": {
                "calls": shortened("\n".join(calls) or "none", _LONGEST),
                "answer": shortened(episode.reply.text if episode.reply else "", _LONGEST),
            },
            "Feedback": shortened(explain(episode, exam), _LONGEST),
        }


def stage_score(episode: Episode) -> float:
    """The mean of decomposition, acquisition and F1, so that a step forward counts before the first exact match."""
    assert episode.scores is not None
    capability = None if episode.diagnosis is None else episode.diagnosis.capability
    parts = [episode.scores.f1]
    if capability is not None:
        parts += [one for one in (capability.decomposition, capability.acquisition) if one is not None]
    return fsum(parts) / len(parts)


def optimise(
    rollouts: Rollouts, instances: Sequence[str], start: str, writer: Callable[[str], str], episodes: int, seed: int
) -> Optimised:
    """Optimise the instructions on training instances.

    Args:
        rollouts: Runs the model.
        instances: The training instances, by ID.
        start: The instructions to begin with.
        writer: The model that writes instructions: an answer to a prompt.
        episodes: About how many episodes to spend.
        seed: Of GEPA's choices.

    Raises:
        ImproveError: `gepa` is missing, or a run or the writer failed.
    """
    try:
        import gepa  # noqa: PLC0415 - an optional package
    except ImportError:
        raise ImproveError("prompt: the package gepa is missing: pip install gepa") from None
    asked = _Asked(writer)
    found = gepa.optimize(
        seed_candidate={_PART: start},
        trainset=list(instances),
        valset=list(instances),
        adapter=Adapter(rollouts),
        reflection_lm=asked,
        reflection_prompt_template=PROMPT,
        max_metric_calls=episodes,
        stop_callbacks=[asked.failed],
        skip_perfect_score=True,
        seed=seed,
        logger=_Silent(),
        raise_on_exception=True,
    )
    if asked.error is not None:
        raise asked.error
    scores = found.val_aggregate_scores
    return Optimised(
        instructions=str(found.best_candidate[_PART]).strip(),
        score=scores[found.best_idx],
        first_score=scores[0],
        candidates=len(scores),
        episodes=found.total_metric_calls or 0,
    )


class _Asked:
    """The writer. GEPA would go on without it, and spend all episodes, so its first failure stops the optimisation."""

    def __init__(self, writer: Callable[[str], str]) -> None:
        self._writer = writer
        self.error: ImproveError | None = None

    def __call__(self, prompt: str) -> str:
        if self.error is not None:
            raise self.error
        try:
            return self._writer(prompt)
        except ImproveError as error:
            self.error = error
            raise

    def failed(self, _state: object) -> bool:
        """Whether to stop, as GEPA asks."""
        return self.error is not None


class _Silent:
    """GEPA's log, which the runs' own folders replace."""

    def log(self, message: str) -> None:
        pass
