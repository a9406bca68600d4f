"""Runs to make reports of: real episodes of agents that need no model, some with costs, some with hostile text."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.summary_files import write_summary
from mpcbench.schema.episode import Episode, Fault, Outcome, Usage
from mpcbench.schema.run import case_of
from unit_tests.builders.made_runs import committed, made_run
from unit_tests.hostile_text import CORPUS

MODELS = ("reference", "flawed:too-many", "flawed:prose-only")
INSTANCES = ("level1-003", "level1-042", "level2-017", "level2-050", "level3-004", "level3-082")

Change = Callable[[Episode], Episode]


def changed(folder: RunFolder, path: Path, change: Change, **info: Any) -> RunFolder:
    """A copy of a run with every episode changed, and with other information about it."""
    episodes = [change(episode) for episode in folder.episodes()]
    cases = tuple(map(case_of, episodes))
    copy = RunFolder.create(path, folder.info.model_copy(update={"run_id": path.name, "cases": cases, **info}))
    for episode in episodes:
        copy.write_episode(case_of(episode), episode.model_dump_json())
    write_summary(copy, copy.results())
    return copy


def sample_run(
    path: Path, models: Iterable[str] = MODELS, instances: Iterable[str] = INSTANCES, trials: int = 1
) -> RunFolder:
    """A run whose episodes have tokens and costs, of which one episode is an error."""
    folder = made_run(path.with_name(f"{path.name}-as-made"), models, instances, trials=str(trials))
    return changed(folder, path, _priced)


def _priced(episode: Episode) -> Episode:
    """With invented tokens and costs; the first agent's episode on level1-042 failed at its endpoint."""
    if (episode.instance_id, episode.model) == ("level1-042", "flawed:prose-only"):
        fault = Fault(kind="endpoint", message="HTTP 503 after 5 attempts")
        return error_episode(episode, fault)
    calls = len(episode.tool_calls)
    usage = Usage(input_tokens=1000 + 400 * calls, output_tokens=50 * (calls + 1), reasoning_tokens=None)
    price = {"reference": 0.004, "flawed:too-many": 0.001}.get(episode.model)
    return episode.model_copy(
        update={
            "reply": episode.reply and episode.reply.model_copy(update={"usage": usage, "turns": calls + 1}),
            "cost_usd": price and price * (calls + 1),
            "seconds": 1.5 * (calls + 1),
        }
    )


def error_episode(episode: Episode, fault: Fault) -> Episode:
    """The episode as if it had broken."""
    lost = {"reply": None, "answer": None, "answer_status": None, "scores": None, "diagnosis": None}
    return episode.model_copy(update={**lost, "outcome": Outcome.ERROR, "violations": (), "fault": fault})


def hostile_run(path: Path) -> RunFolder:
    """A run in which everything that others write is an attack: names, arguments, results, messages, answers."""
    folder = made_run(path.with_name(f"{path.name}-as-made"), ("flawed:too-many",), INSTANCES)
    texts = [CORPUS[place :: len(INSTANCES)] for place in range(len(INSTANCES))]
    left = iter(texts)
    settings = {text: text for text in CORPUS}
    return changed(
        folder,
        path,
        lambda episode: _attacking(episode, next(left)),
        run_id=CORPUS[0],
        options=settings,
        settings={**folder.info.settings, **settings},
        agents={text: {text: text} for text in CORPUS},
        versions=settings,
        stopped=CORPUS[1],
    )


def _attacking(episode: Episode, texts: Sequence[str]) -> Episode:
    """Every text of the model is an attack; a room of the answer too, and what it was that broke."""
    all_of_them = "\n".join(texts)
    calls = tuple(
        call.model_copy(
            update={
                "name": texts[place % len(texts)],
                "arguments": {texts[(place + 1) % len(texts)]: all_of_them} if place % 2 else all_of_them,
                "result": f"{all_of_them}\n{call.result}",
                "is_error": place % 3 == 0,
            }
        )
        for place, call in enumerate(episode.tool_calls)
    )
    assert episode.reply is not None
    messages = (
        *({"role": "assistant", "content": text, text: text} for text in texts),
        {"role": texts[0], "content": [{"type": texts[0], "text": texts[0]}]},
        {"role": "tool", "tool_call_id": texts[0], "content": texts[0]},
        {"role": "assistant", "tool_calls": [{"id": texts[0], "function": {"name": texts[0], "arguments": texts[0]}}]},
    )
    broken = episode.instance_id.endswith("4")
    answer = tuple(
        replace(candidate, room_id=text) for candidate, text in zip(episode.answer or (), texts, strict=False)
    )
    changes: dict[str, Any] = {
        "instance_id": texts[0],
        "model": texts[1],
        "task": all_of_them,
        "system_prompt": all_of_them,
        "reply": episode.reply.model_copy(update={"text": all_of_them, "messages": messages}),
        "rationale": all_of_them,
        "tool_calls": calls,
        "answer": answer,
        "answer_error": all_of_them,
        "records_missed": tuple(texts),
    }
    attacking = episode.model_copy(update=changes)
    return error_episode(attacking, Fault(kind=texts[0], message=all_of_them)) if broken else attacking


def reported(folder: RunFolder) -> ReportedRun:
    """The run with the committed data."""
    return ReportedRun.read(folder, committed())
