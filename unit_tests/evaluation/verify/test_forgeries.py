"""Ways to forge a run, each named by `verify`, and those that no check of a folder can name."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from mpcbench.evaluation.__main__ import main
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.options import DEFAULT_MAX_TURNS
from mpcbench.evaluation.runs.rescoring import rescored
from mpcbench.evaluation.verify.verification import Verification
from mpcbench.schema.dataset import labels_path
from mpcbench.schema.episode import GRADING_VERSION, Episode
from mpcbench.schema.run import case_of
from unit_tests.builders.committed import DATASET
from unit_tests.evaluation.verify.forged_runs import (
    EPISODE,
    FAILED,
    MODEL,
    REFERENCE,
    SOLVED,
    WRONG,
    Forgery,
    edited,
    made_consistent,
    of_episode,
    of_run,
    put,
    real_run,
)

GOLD = json.dumps(
    {"candidates": [one.model_dump(mode="json", exclude_none=True) for one in DATASET.labels(1)[WRONG].gold]}
)
"""The right answer to the instance that the model failed."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return real_run(tmp_path_factory.mktemp("real") / "run")


@pytest.fixture
def run(made: RunFolder, tmp_path: Path) -> RunFolder:
    """The run, to be forged."""
    return RunFolder(Path(shutil.copytree(made.path, tmp_path / "run")))


def findings(run: RunFolder) -> list[str]:
    folder = RunFolder.open(run.path)
    return list(Verification(folder, DATASET).findings())


def file_of(run: RunFolder, name: str, text: str) -> None:
    (run.path / name).write_text(text, encoding="utf-8")


def replaced(name: str, old: str, new: str) -> Any:
    def forge(run: RunFolder) -> None:
        text = (run.path / name).read_text(encoding="utf-8")
        assert old in text
        file_of(run, name, text.replace(old, new))

    return forge


def huge(name: str) -> Any:
    """A file with a hole of a terabyte, which takes no space."""
    return lambda run: os.truncate(run.path / name, 2**40)


def linked(run: RunFolder) -> None:
    shutil.move(run.path / EPISODE, run.path.parent / "elsewhere.json")
    (run.path / EPISODE).symlink_to(run.path.parent / "elsewhere.json")


def unplanned(run: RunFolder) -> None:
    """The failure taken out of the plan, too."""
    (run.path / FAILED).unlink()
    edited("run.json", lambda info: info["cases"].remove([WRONG, 1, MODEL, 1]))(run)


def as_error(text: str) -> Any:
    def edit(episode: Any) -> None:
        empty: dict[str, Any] = {
            "answer": None,
            "answer_status": None,
            "scores": None,
            "diagnosis": None,
            "violations": [],
        }
        episode.update(empty, outcome="error", fault={"kind": "endpoint", "message": "503"}, records_missed=[])
        episode["reply"].update(text=text, finish="turns")

    return edit


def without_a_reply(episode: Any) -> None:
    as_error("")(episode)
    episode.update(reply=None, tool_calls=[])


def moved_call(episode: Any) -> None:
    episode["tool_calls"].insert(0, episode["tool_calls"].pop())


def first_of(role: str) -> Any:
    return lambda episode: next(one for one in episode["reply"]["messages"] if one.get("role") == role)


def said(role: str, text: str) -> Any:
    return lambda episode: first_of(role)(episode).update(content=text)


def other_arguments(episode: Any) -> None:
    message = next(one for one in episode["reply"]["messages"] if one.get("tool_calls"))
    message["tool_calls"][0]["function"]["arguments"] = '{"keyword": "other"}'


def both(name: str, option: str, value: str, setting: object) -> Any:
    """An option of the run and its setting."""

    def edit(info: Any) -> None:
        info["options"][option] = value
        info["settings"][name] = setting

    return edited("run.json", edit)


def as_if_replayed(edit: Any) -> Any:
    """The agent's description says that it replays a run, which it does not; perhaps with an episode changed."""

    def forge(run: RunFolder) -> None:
        edited("run.json", lambda info: info["agents"][MODEL].update(replay="x"))(run)
        if edit is not None:
            edited(EPISODE, edit)(run)

    return forge


def skipped_failure(report: Any) -> None:
    """The failed test skipped, and totals and exit code as if that were so."""
    report["tests"][3] = {"nodeid": report["tests"][3]["nodeid"], "outcome": "skipped"}
    report["summary"].pop("failed")
    report["summary"]["skipped"] = 1
    report["exitcode"] = 0


def selecting(selections: object) -> Any:
    """Something as the selections of later sessions."""
    return edited("run.json", lambda info: info["settings"].update(further_selections=selections))


def own_data(run: RunFolder) -> None:
    """A data set within the run, whose gold is what the model said."""
    data = run.path / "data"
    for name in ("worlds", "instances", "oracles"):
        shutil.copytree(DATASET.folder / name, data / name)
    labels = data / labels_path(1)
    answer = json.loads((run.path / FAILED).read_text())["answer"]
    lines = [json.loads(line) for line in labels.read_text().splitlines()]
    for line in lines:
        if line["instance_id"] == WRONG:
            line["gold"] = answer
    labels.write_text("".join(json.dumps(line) + "\n" for line in lines))


FORGERIES = [
    # Files that are computed from the episodes.
    Forgery("summary", edited("summary.json", put("rows", 0, "passed", value=99)), "summary.json: does not follow"),
    Forgery("summary-gone", lambda run: (run.path / "summary.json").unlink(), "summary.json: missing"),
    Forgery("markdown", lambda run: file_of(run, "summary.md", "All passed.\n"), "summary.md: does not follow"),
    Forgery("markdown-gone", lambda run: (run.path / "summary.md").unlink(), "summary.md: missing"),
    Forgery("page", lambda run: file_of(run, "report.html", "<p>All passed."), "report.html: does not follow"),
    Forgery("page-number", replaced("report.html", f"grading version {GRADING_VERSION}", "grading version 9"), "report.html: does not follow"),
    Forgery("page-end", replaced("report.html", "</html>\n", "</html>\n<p>All passed."), "report.html: does not follow"),
    Forgery("json-outcome", edited("report.json", put("tests", 3, "outcome", value="passed")), "report.json: $.tests[3].outcome: passed"),
    Forgery("json-record", edited("report.json", put("tests", 3, "episode", "scores", "f1", value=1.0)), "report.json: $.tests[3].episode"),
    Forgery("json-rows", edited("report.json", put("mpcbench", "rows", 0, "failed", value=7)), "report.json: $.mpcbench.rows"),
    Forgery("json-warnings", edited("report.json", put("mpcbench", "warnings", value=["x"])), "report.json: $.mpcbench.warnings"),
    Forgery("json-settings", edited("report.json", put("mpcbench", "settings", "tags", value="shown")), "report.json: $.mpcbench.settings"),
    Forgery("json-data", edited("report.json", put("mpcbench", "data", "sha256", value={})), "report.json: $.mpcbench.data"),
    Forgery("json-test-gone", edited("report.json", lambda report: report["tests"].pop(3)), "report.json: $.tests: lacks 1 episodes"),
    Forgery("json-test-twice", edited("report.json", lambda report: report["tests"].append(report["tests"][0])), "report.json: $.tests: an episode has two"),
    Forgery("json-totals", edited("report.json", put("summary", "passed", value=6)), "report.json: $.summary: not the outcomes"),
    Forgery("json-exit", edited("report.json", put("exitcode", value=0)), "report.json: $.exitcode: 0, and tests failed"),
    Forgery("json-stage", edited("report.json", put("tests", 3, "call", "outcome", value="passed")), "report.json: $.tests[3].outcome: does not follow"),
    Forgery("json-skipped", edited("report.json", skipped_failure), "report.json: $.tests[3].outcome: skipped, and the run was not stopped"),
    Forgery("json-field", edited("report.json", lambda report: report["mpcbench"].update(score=1)), "report.json: $.mpcbench: no field score"),
    Forgery("json-stopped", edited("report.json", put("mpcbench", "stopped", value="by hand")), "report.json: $.mpcbench.stopped: by hand, and run.json does not say so"),
    Forgery("json-lost", edited("report.json", put("mpcbench", "lost", value=0)), "report.json: $.mpcbench.lost: 0"),
    Forgery("json-exit-none", edited("report.json", put("exitcode", value=None)), "report.json: $.exitcode: no exit code of a run: None"),
    Forgery("json-exit-true", edited("report.json", put("exitcode", value=7)), "report.json: $.exitcode: no exit code of a run: 7"),
    Forgery("json-exit-stopped", edited("report.json", put("exitcode", value=2)), "report.json: $.exitcode: 2, and run.json does not say"),
    Forgery("json-foreign", edited("report.json", lambda report: report["tests"].append({"nodeid": "x.py::test", "outcome": "passed"})), "report.json: $.tests[6].nodeid: no episode of the run: x.py::test"),
    # What lies in the folder.
    Forgery("added-file", lambda run: file_of(run, "notes.txt", "Trust me."), "notes.txt: no file of a run"),
    Forgery("added-folder", lambda run: (run.path / "more").mkdir(), "more: no folder of a run"),
    Forgery("link", linked, f"{EPISODE}: a link"),
    Forgery("pipe", lambda run: os.mkfifo(run.path / "episodes/pipe.json"), "episodes/pipe.json: neither a file"),
    Forgery("sums-twice", replaced("SHA256SUMS", "  run.json", "  run.json\n" + "0" * 64 + "  run.json"), "SHA256SUMS: names a file twice"),
    Forgery("sums-gone", lambda run: (run.path / "SHA256SUMS").unlink(), "SHA256SUMS: missing"),
    Forgery("sums-other", replaced("SHA256SUMS", "  run.json", "  walk.json"), "walk.json: missing"),
    # Data and gold.
    Forgery("gold", of_episode("gold", value=[], name=FAILED), f"{FAILED}: $.gold: does not follow"),
    Forgery("data-hashes", of_run("data", "sha256", value={}), "run.json: $.data.sha256: lacks"),
    Forgery("data-versions", of_run("data", "versions", "level1", "seed", value=1), "run.json: $.data.versions"),
    # The plan.
    Forgery("failure-removed", lambda run: (run.path / FAILED).unlink(), "run.json: $.cases: 1 of 6 planned episodes are not there"),
    Forgery("failure-unplanned", unplanned, "run.json: $.cases: lacks 1 of 6 episodes"),
    Forgery("planned-twice", edited("run.json", lambda info: info["cases"].append(info["cases"][0])), "run.json: $.cases: an episode is planned twice"),
    Forgery("planned-more", edited("run.json", lambda info: info["cases"].append(["level1-099", 1, MODEL, 1])), "run.json: $.cases: holds 1 episodes that the settings do not ask for"),
    Forgery("instances", of_run("settings", "instances", value=[]), "run.json: $.settings.instances: not what the options make"),
    *(
        Forgery(f"selections-{value}", selecting(value), "run.json: $.settings: no plan follows from them: further_selections: ")
        for value in (None, "x", [], [5], [{"tags": "shown"}], [{"instance": [SOLVED, WRONG, "level2-017"]}])
    ),
    Forgery("prompts-unused", edited("run.json", lambda info: info["prompts_sha256"].update(level3="0" * 64)), "run.json: $.prompts_sha256.level3"),
    Forgery("prompts-unknown", edited("run.json", lambda info: info["prompts_sha256"].update(level5="0" * 64)), "run.json: $.prompts_sha256: names something"),
    Forgery("versions-added", edited("run.json", lambda info: info["data"]["versions"].update(level9={})), "run.json: $.data.versions"),
    # Settings, agents and prompts.
    Forgery("setting", of_run("settings", "max_turns", value=DEFAULT_MAX_TURNS - 1), "run.json: $.settings.max_turns: not what the options make"),
    Forgery("max-turns", both("max_turns", "max-turns", "2", 2), f"{EPISODE}: $.reply.turns: {{turns}}, and the run allows 2"),
    Forgery("tags", both("tags", "tags", "shown", "shown"), f"{EPISODE}: $.tags: hidden, and the run's is shown"),
    Forgery("reveal", of_episode("reveal", value="constraints"), f"{EPISODE}: $.reveal: constraints, and the run's is None"),
    Forgery("reveal-hidden", both("reveal", "reveal", "constraints", "constraints"), f"{EPISODE}: $.reveal: None, and the run's is constraints"),
    Forgery("paraphrase", of_episode("paraphrase", value=2), f"{EPISODE}: $.paraphrase: 2, and the run's is 1"),
    Forgery("option", edited("run.json", lambda info: info["options"].update(luck="good")), "run.json: $.options: no option luck"),
    Forgery("option-type", edited("run.json", lambda info: info["options"].update(limit=7)), "run.json: $.options: "),
    Forgery("prompt-hash", of_run("prompts_sha256", "level1", value="0" * 64), "run.json: $.prompts_sha256.level1"),
    Forgery("agent-added", edited("run.json", lambda info: info["agents"].update({"gpt-9": None})), "run.json: $.agents: gpt-9 has no episode"),
    Forgery("agent-removed", edited("run.json", lambda info: info["agents"].pop(MODEL)), f"run.json: $.agents: nothing is said of {MODEL}"),
    Forgery("agent-undescribed", of_run("agents", MODEL, value=None), f"run.json: $.agents[{MODEL}]: no description"),
    Forgery("agent-described", of_run("agents", "reference", value={"api": "chat"}), "run.json: $.agents[reference]: this agent has no endpoint"),
    Forgery("agent-endpoint", of_run("agents", MODEL, "base_url", value="https://example.org/v1"), f"run.json: $.agents[{MODEL}].base_url"),
    Forgery("agent-temperature", of_run("agents", MODEL, "parameters", value={"temperature": 1.0}), f"run.json: $.agents[{MODEL}].parameters"),
    Forgery("agent-api", of_run("agents", MODEL, "api", value="smoke signals"), f"run.json: $.agents[{MODEL}].api"),
    Forgery("agent-field", edited("run.json", lambda info: info["agents"][MODEL].update(luck="good")), f"run.json: $.agents[{MODEL}].luck: Extra inputs"),
    Forgery("agent-structured", of_run("agents", MODEL, "structured_output", value="yes"), f"run.json: $.agents[{MODEL}].structured_output: Input should be a valid boolean"),
    Forgery("agent-encrypted", of_run("agents", MODEL, "encrypted_reasoning", value=5), f"run.json: $.agents[{MODEL}].encrypted_reasoning: Input should be a valid boolean"),
    Forgery("agent-parameters", of_run("agents", MODEL, "parameters", value=[1]), f"run.json: $.agents[{MODEL}].parameters: "),
    Forgery("agent-limit", of_run("agents", MODEL, "parameters", value={"max_tokens": [1]}), f"run.json: $.agents[{MODEL}].parameters.max_tokens: Input should be a valid integer"),
    Forgery("agent-prices", edited("run.json", lambda info: info["agents"][MODEL]["prices"].append(info["agents"][MODEL]["prices"][0])), f"run.json: $.agents[{MODEL}].prices: "),
    Forgery("agent-replay", as_if_replayed(None), f"run.json: $.agents[{MODEL}].replay: Extra inputs"),
    Forgery("agent-replay-hides", as_if_replayed(said("tool", "{}")), f"{EPISODE}: $.reply.messages: turn 1 is not answered"),
    Forgery("grading-version", of_run("grading_version", value="1"), f"run.json: $.grading_version: 1, and this is {GRADING_VERSION}"),
    # What an episode was told, did and got.
    Forgery("system-prompt", of_episode("system_prompt", value="Be good."), f"{EPISODE}: $.system_prompt"),
    Forgery("task", of_episode("task", value="Guess."), f"{EPISODE}: $.task"),
    Forgery("result", of_episode("tool_calls", 0, "result", value="{}"), f"{EPISODE}: $.tool_calls[0].result"),
    Forgery("records", of_episode("tool_calls", 0, "records", value=["policy:POL-99"]), f"{EPISODE}: $.tool_calls[0].records"),
    Forgery("scores", of_episode("scores", "f1", value=1.0, name=FAILED), f"{FAILED}: $.scores"),
    Forgery("outcome", of_episode("outcome", value="passed", name=FAILED), f"{FAILED}: $.outcome"),
    Forgery("diagnosis", of_episode("diagnosis", value=None, name=FAILED), f"{FAILED}: $.diagnosis"),
    Forgery("violations", of_episode("violations", value=[], name=FAILED), f"{FAILED}: $.violations"),
    Forgery("records-missed", of_episode("records_missed", value=["policy:POL-01"]), f"{EPISODE}: $.records_missed"),
    Forgery("episode-grading", of_episode("grading_version", value="1"), f"{EPISODE}: $.grading_version: 1"),
    Forgery("other-model", of_episode("model", value="gpt-9"), f"{{path}}/{EPISODE}: holds the episode"),
    Forgery("attribution", of_episode("attribution", value={"verdict": "proven", "proven": "acquisition", "trials": []}, name=FAILED), f"{FAILED}: $.attribution: not asked for"),
    # Failures that became errors.
    Forgery("error-with-text", edited(FAILED, as_error("Done.")), f"{FAILED}: $.fault: an error with a final message"),
    Forgery("error-of-failure", edited(FAILED, as_error("")), f"{FAILED}: $.fault: an error, and the transcript ends with"),
    Forgery("error-without-reply", edited(FAILED, without_a_reply), f"{FAILED}: $.reply: missing"),
    Forgery("json-tests-gone", edited("report.json", lambda report: report.pop("tests")), "report.json: $.tests: no list"),
    Forgery("error-of-reference", edited(REFERENCE, without_a_reply), f"{REFERENCE}: $.outcome: an error, and passed when reference is run again"),
    Forgery("fault", of_episode("fault", value={"kind": "weather", "message": "rain"}), f"{EPISODE}: $.fault.kind: weather"),
    # Impossible values.
    Forgery("seconds", of_episode("seconds", value=-1.0), f"{{path}}/{EPISODE}: $.seconds: Input should be greater than or equal to 0"),
    Forgery("no-time", of_episode("seconds", value=0.0), f"{EPISODE}: $.seconds: 0.0"),
    Forgery("infinite", of_episode("seconds", value=float("inf")), f"{{path}}/{EPISODE}: not JSON"),
    Forgery("endless", replaced(EPISODE, '"seconds": ', '"seconds": 1e999, "was": '), f"{{path}}/{EPISODE}: $"),
    Forgery("turns", of_episode("reply", "turns", value=2), f"{EPISODE}: $.reply.turns: 2, and the transcript has {{turns}}"),
    Forgery("no-turns", of_episode("reply", "turns", value=0), f"{EPISODE}: $.reply.turns: 0"),
    Forgery("tokens", of_episode("reply", "usage", "input_tokens", value=-5), f"{{path}}/{EPISODE}: $.reply.usage.input_tokens: Input should be greater than or equal to 0"),
    Forgery("endless-tokens", of_episode("reply", "usage", "output_tokens", value=10**400), f"{{path}}/{EPISODE}: $.reply.usage.output_tokens: Input should be less than or equal to 1000000000000"),
    Forgery("no-tokens", of_episode("reply", "usage", "output_tokens", value=0), f"{EPISODE}: $.reply.usage: zero tokens"),
    Forgery("no-usage", of_episode("reply", "usage", value=None), f"{EPISODE}: $.reply.usage: missing"),
    Forgery("cost", of_episode("cost_usd", value=0.000001), f"{EPISODE}: $.cost_usd: not the cost"),
    Forgery("no-cost", of_episode("cost_usd", value=None), f"{EPISODE}: $.cost_usd: not the cost"),
    Forgery("prices", of_run("agents", MODEL, "prices", 0, "input", value=0.01), f"{EPISODE}: $.cost_usd: not the cost"),
    # What would keep the check busy without end.
    Forgery("trials", edited("run.json", lambda info: info["options"].update(trials="100000000")), "run.json: $.settings: no plan follows from them: --trials: a run of"),
    Forgery("selections", edited("run.json", lambda info: info["settings"].update(further_selections=[{"limit": str(number)} for number in range(1, 2000)])), "run.json: $.settings: no plan follows from them: further_selections: 1,999, and at most"),
    Forgery("selected", edited("run.json", lambda info: info["settings"].update(further_selections=[{"trials": str(number)} for number in range(900, 1000)])), "run.json: $.settings: no plan follows from them: further_selections: more than"),
    *(
        Forgery(f"huge-{name}", huge(name), f"{name}: 1,099,511,627,776 bytes, and at most")
        for name in ("summary.json", "summary.md", "report.html", "report.json", EPISODE)
    ),
    # Files that no run wrote.
    Forgery("lock", lambda run: file_of(run, "LOCK", "notes"), "LOCK: not the lock of a run"),
    Forgery("hidden", lambda run: file_of(run, "episodes/.writing-notes", ""), "episodes/.writing-notes: no file of a run"),
    Forgery("half-written", lambda run: file_of(run, "episodes/.writing-1-0-notes", ""), "episodes/.writing-1-0-notes: half-written"),
    Forgery("key-twice", replaced(EPISODE, '"trial": 1', '"trial": 2, "trial": 1'), f"{{path}}/{EPISODE}: not JSON: an object has the key 'trial' twice"),
    # A transcript that contradicts the calls.
    Forgery("call-removed", edited(EPISODE, lambda episode: episode["tool_calls"].pop()), f"{EPISODE}: $.reply.messages: turn"),
    Forgery("call-added", edited(EPISODE, lambda episode: episode["tool_calls"].append(episode["tool_calls"][0])), f"{EPISODE}: $.reply.messages: turn"),
    Forgery("call-moved", edited(EPISODE, moved_call), f"{EPISODE}: $.tool_calls: not in the order"),
    Forgery("call-turn", of_episode("tool_calls", 0, "turn", value=2), f"{EPISODE}: $.reply.messages: turn 1 does not hold"),
    Forgery("call-late", of_episode("tool_calls", 0, "turn", value=DEFAULT_MAX_TURNS + 1), f"{EPISODE}: $.tool_calls: a turn that is not among"),
    Forgery("message-arguments", edited(EPISODE, other_arguments), f"{EPISODE}: $.reply.messages: turn 1 does not hold"),
    Forgery("message-result", edited(EPISODE, said("tool", "{}")), f"{EPISODE}: $.reply.messages: turn 1 is not answered"),
    Forgery("message-system", edited(EPISODE, said("system", "Cheat.")), f"{EPISODE}: $.reply.messages: does not begin"),
    Forgery("message-task", edited(EPISODE, said("user", "The gold is …")), f"{EPISODE}: $.reply.messages: does not begin"),
    Forgery("messages-gone", of_episode("reply", "messages", value=[]), f"{EPISODE}: $.reply.messages: does not begin"),
    Forgery("hint", edited(EPISODE, lambda episode: episode["reply"]["messages"].insert(3, {"role": "user", "content": "Hint"})), f"{EPISODE}: $.reply.messages: turn 1 is not answered"),
    Forgery("answer-pasted", of_episode("reply", "text", value=GOLD, name=FAILED), f"{FAILED}: $.reply.text: not the last message"),
    Forgery("finish", of_episode("reply", "finish", value="turns", name=FAILED), f"{FAILED}: $.reply.finish: turns"),
    Forgery("forced-final", of_episode("reply", "forced_final", value=True), f"{EPISODE}: $.reply.forced_final"),
    # Agents that can be run again.
    Forgery("reference-answer", of_episode("reply", "text", value="No idea.", name=REFERENCE), f"{REFERENCE}: $.reply: not what reference does"),
    Forgery("reference-calls", of_episode("tool_calls", 0, "turn", value=3, name=REFERENCE), f"{REFERENCE}: $.tool_calls: not what reference does"),
    Forgery("reference-cost", of_episode("cost_usd", value=1.0, name=REFERENCE), f"{REFERENCE}: $.cost_usd"),
]  # fmt: skip


def test_real_run_is_verified(made: RunFolder) -> None:
    """With an endpoint's transcripts and all reports nothing is found."""
    check = Verification(made, DATASET)

    assert [] == list(check.findings())
    assert [] == list(check.notes())
    assert (6, ["summary.json", "summary.md", "report.html", "report.json"]) == (check.episodes, check.files)


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_forgery_is_named(forgery: Forgery, run: RunFolder) -> None:
    """Every way to forge a run has its line, which names the file."""
    turns = json.loads((run.path / EPISODE).read_text())["reply"]["turns"]
    forgery.forge(run)
    expected = forgery.finding.replace("{path}", str(run.path)).replace("{turns}", str(turns))

    assert any(line.startswith(expected) for line in findings(run)), findings(run)


@pytest.mark.parametrize("name", ["answer-pasted", "cost", "call-removed", "failure-unplanned", "error-of-failure"])
def test_careful_forgery_is_named(name: str, run: RunFolder) -> None:
    """New sums and summaries do not help."""
    forgery = next(one for one in FORGERIES if one.name == name)
    forgery.forge(run)
    made_consistent(run)

    assert any(line.startswith(forgery.finding) for line in findings(run))


def test_own_data_are_named(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    """Data in the run's folder, with the model's answer for gold: the first line says so, and the gold is not the oracle's."""
    own_data(run)
    data = run.path / "data"
    with_data = edited("run.json", lambda info: info["settings"].update(dataset=str(data)))
    with_data(run)
    edited("run.json", lambda info: info["options"].update(dataset=str(data)))(run)
    hashes = type(DATASET)(data).hashes([1, 2])
    edited("run.json", lambda info: info["data"].update(sha256=hashes))(run)
    code = main(["verify", str(run.path)])
    lines = capsys.readouterr().out.splitlines()

    assert code == 1
    assert lines[0].startswith("data: NOT THE COMMITTED DATA: SHA-256 ")
    assert lines[0].endswith(f", in {data}")
    assert f"{data}: the data lie in the run's folder; whoever wrote the run could write them" in lines
    assert f"oracles/oracle_level1.jsonl: {WRONG}: the gold is not the oracle's" in lines


def regraded(run: RunFolder, name: str, edit: Any) -> None:
    """An episode changed with all that follows from it."""
    edited(name, edit)(run)
    file = run.path / name
    episode = Episode.model_validate_json(file.read_text())
    file.write_text(rescored(DATASET, episode).model_dump_json())
    assert case_of(episode).file_name == file.name


def replays_calls(episode: Any) -> None:
    """The real calls, and then the right answer."""
    episode["reply"]["text"] = episode["reply"]["messages"][-1]["content"] = GOLD


def knows_the_answer(episode: Any) -> None:
    """No calls at all, and the right answer."""
    messages = episode["reply"]["messages"]
    last = {key: value for key, value in messages[-1].items() if key != "tool_calls"} | {"content": GOLD}
    episode["reply"].update(text=GOLD, turns=1, messages=[*messages[:2], last])
    episode["tool_calls"] = []


def invents_seconds(episode: Any) -> None:
    episode["seconds"] = 0.5


@pytest.mark.parametrize("edit", [replays_calls, knows_the_answer, invents_seconds])
def test_beyond_any_check(run: RunFolder, edit: Any) -> None:
    """A consistent transcript that never took place, and a plausible number, are beyond `verify`; the docs say so."""
    regraded(run, FAILED, edit)
    for name in ("report.html", "report.json"):
        (run.path / name).unlink()
    made_consistent(run)

    assert [] == findings(run)


def test_answer_without_calls_is_counted_as_unearned(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    """It cannot be told from a model that knows the answer, but it is not passed over."""
    regraded(run, FAILED, knows_the_answer)
    made_consistent(run)
    rows = json.loads((run.path / "summary.json").read_text())["rows"]
    main(["verify", str(run.path)])

    assert {("reference", 0), (MODEL, 1)} == {(row["model"], row["unearned"]) for row in rows if row["level"] == 1}
    assert f"note: exact matches without the needed records: 1 of {MODEL}" in capsys.readouterr().out
    assert SOLVED not in (run.path / "summary.md").read_text()
    assert f"`{WRONG}`" in (run.path / "summary.md").read_text()
