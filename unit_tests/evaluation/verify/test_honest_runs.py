"""Honest runs of all kinds are verified without a finding: no check is so sharp that it cuts them."""

import json
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.endpoint import exchange
from mpcbench.benchmark.agents.flawed import flawed_agent
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import error_episode
from mpcbench.benchmark.practice_endpoint import BY_THE_MODEL, PASSING, Chaos, EndpointServer, Solver
from mpcbench.benchmark.practice_endpoint.json_brain import JsonSpeaking
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.merging import merge
from mpcbench.evaluation.runs.summary_files import write_summary
from mpcbench.evaluation.verify.verification import Verification
from mpcbench.schema.episode import Fault
from unit_tests.benchmark.harness.test_harness import run
from unit_tests.builders.committed import DATASET
from unit_tests.builders.made_runs import made_run

INSTANCES = ("level1-003", "level2-017", "level3-004")


def findings(path: Path) -> list[str]:
    return list(Verification(RunFolder.open(path), DATASET).findings())


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-practice-endpoint")


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("protocol", ["native", "json"])
@pytest.mark.parametrize(
    "options",
    [{}, {"max-turns": "3"}, {"max-turns": "3", "final-turn": "off"}, {"max-turns": "1"}, {"reveal": "records"}],
    ids=lambda options: "-".join(options.values()) or "plain",
)
def test_transcripts_of_both_apis_and_protocols(
    api: str, protocol: str, options: dict[str, str], tmp_path: Path
) -> None:
    """Also those whose last turn is forced, or that end without an answer."""
    with EndpointServer(JsonSpeaking(Solver(reference))) as server:
        wanted = {"api": api, "tool-protocol": protocol, "base-url": server.base_url, **options}
        made = made_run(tmp_path / "run", ["gpt-4o"], INSTANCES, **wanted)

    assert [] == findings(made.path)


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("protocol", ["native", "json"])
def test_transcripts_of_failing_endpoints_and_models(api: str, protocol: str, tmp_path: Path) -> None:
    """Errors, refusals, cut messages and malformed calls are what they are."""
    for seed in range(2):
        chaos = Chaos(rate=0.3, seed=seed, kinds=(*PASSING, *BY_THE_MODEL))
        with EndpointServer(JsonSpeaking(Solver(reference)), chaos=chaos) as server:
            wanted = {"api": api, "tool-protocol": protocol, "base-url": server.base_url, "max-retries": "0"}
            made = made_run(tmp_path / f"run{seed}", ["gpt-4o"], INSTANCES, **wanted)

        assert [] == findings(made.path)


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("protocol", ["native", "json"])
@pytest.mark.parametrize("size", [6_000, 20_000])
def test_transcripts_that_are_full(
    api: str, protocol: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An episode that ends since its transcript is full is what it is, in whichever turn that is."""
    monkeypatch.setattr(exchange, "LARGEST_TRANSCRIPT", size)
    with EndpointServer(JsonSpeaking(Solver(reference))) as server:
        wanted = {"api": api, "tool-protocol": protocol, "base-url": server.base_url}
        made = made_run(tmp_path / "run", ["gpt-4o"], INSTANCES, **wanted)

    assert [] == findings(made.path)
    assert "truncated" in {result.answer_status for result in made.results()}


@pytest.mark.parametrize("trials", ["1", "2"])
def test_attributed_run(trials: str, tmp_path: Path) -> None:
    """The repairs are made as the settings say, and cost what their tokens cost."""
    with EndpointServer(Solver(flawed_agent("too-many"))) as server:
        wanted = {"base-url": server.base_url, "attribute": "causal", "trials": trials}
        made = made_run(tmp_path / "run", ["gpt-4o", "flawed:too-many"], INSTANCES[:2], **wanted)

    assert [] == findings(made.path)


@pytest.fixture
def replay(tmp_path: Path) -> RunFolder:
    """A replay of a run in which a flawed agent failed."""
    made = made_run(tmp_path / "made", ["flawed:too-many"], INSTANCES)
    return made_run(tmp_path / "again", [f"replay:{made.path}"], INSTANCES)


def test_replayed_run(tmp_path: Path) -> None:
    """Its transcripts are those of the run that it replays; what that does not hold is not planned."""
    with EndpointServer(Solver(reference)) as server:
        made = made_run(tmp_path / "run", ["gpt-4o"], INSTANCES, **{"base-url": server.base_url})
    again = made_run(tmp_path / "again", [f"replay:{made.path}"], INSTANCES)

    assert [] == findings(again.path)


def test_replay_is_compared_with_its_source(replay: RunFolder) -> None:
    """Episodes that were taken out, and other answers, are named as long as the source is there."""
    first, second, _ = replay.episode_files()
    first.unlink()
    episode = json.loads(second.read_text())
    episode["reply"]["text"] = "No idea."
    second.write_text(json.dumps(episode))
    info = replay.info
    replay.write_info(info.model_copy(update={"cases": info.cases[1:]}))
    found = findings(replay.path)

    assert any(line.startswith("run.json: $.cases: lacks 1 of 3 episodes") for line in found)
    assert any(line.startswith(f"episodes/{second.name}: $.reply: not what replay:") for line in found)


def test_replay_without_its_source_has_a_note(replay: RunFolder) -> None:
    """It cannot be compared, and the check says so."""
    (replay.path.parent / "made").rename(replay.path.parent / "moved")
    check = Verification(replay, DATASET)

    assert [] == list(check.findings())
    assert any(
        note.endswith("that run is not here, so neither plan nor episodes are compared with it")
        for note in check.notes()
    )


def test_error_of_a_worker_that_died_has_a_note(tmp_path: Path) -> None:
    """Nothing is known of the episode, and the agent would not have failed."""
    made = made_run(tmp_path / "run", ["reference"], INSTANCES)
    settings = Settings.from_options(made.info.options, Path())
    case = made.cases()[0]
    fault = Fault(kind="worker", message="worker 'gw0' crashed")
    made.episode_file(case).write_text(error_episode(case, settings, fault).model_dump_json())
    write_summary(made, made.results())
    check = Verification(made, DATASET)

    assert [] == list(check.findings())
    assert "errors of workers that died, and nothing else would have been one: 1 of reference" in list(check.notes())


def test_merged_levels_and_shards(tmp_path: Path) -> None:
    """The plan of a merged run is that of its parts; a shard that is not among them is named."""
    parts = [made_run(tmp_path / f"part{number}", instances=INSTANCES[number : number + 1]) for number in range(3)]
    merge(parts, tmp_path / "levels")
    shards = [made_run(tmp_path / f"shard{number}", instances=INSTANCES, shard=f"{number}/3") for number in (1, 2, 3)]
    merge(shards, tmp_path / "whole")
    merge(shards[:2], tmp_path / "some")

    assert [] == findings(tmp_path / "levels")
    assert [] == findings(tmp_path / "whole")
    (named,) = findings(tmp_path / "some")
    assert named.startswith("run.json: $.cases: lacks 3 of 9 episodes that the settings ask for, such as level")


def test_stopped_and_resumed_run(tmp_path: Path) -> None:
    """A stopped run says so, and a session with another selection makes the plan longer."""
    arguments = ("--model=flawed:too-many", "--level=1", "--limit=3", f"--run-dir={tmp_path / 'run'}", "-x")
    run(tmp_path, *arguments, reports=False)
    stopped = Verification(RunFolder.open(tmp_path / "run"), DATASET)
    found = list(stopped.findings())
    run(tmp_path, f"--resume={tmp_path / 'run'}", "--report=on", reports=False)
    resumed = findings(tmp_path / "run")
    run(tmp_path, f"--resume={tmp_path / 'run'}", "--model=reference", "--level=2", "--limit=1", reports=False)

    assert [] == found
    assert ["planned and not run: 2 episodes: stopping after 1 failures"] == list(stopped.notes())
    assert [] == resumed
    assert [] == findings(tmp_path / "run")


def test_deselected_episodes_are_named(tmp_path: Path) -> None:
    """A plan that is less than the settings ask for could have been cut afterwards."""
    run(tmp_path, "--model=noop", "--level=1", "--limit=3", "-k", "level1-000", reports=False)

    what = "lacks 2 of 3 episodes that the settings ask for, such as level1-033-noop: deselected (-k), or taken out"
    assert [f"run.json: $.cases: {what}"] == findings(tmp_path / "run")


@pytest.mark.slow
def test_reference_agent_has_no_unearned_answer(tmp_path: Path) -> None:
    """On all instances every needed record is shown to it before it answers."""
    everything = [name for level in DATASET.levels for name in DATASET.instance_ids(level)]
    made = made_run(tmp_path / "run", ["reference"], everything)

    assert 300 == len(made.results())
    assert [] == [one.instance_id for one in made.results() if one.unearned]
    assert [] == findings(made.path)


def test_run_with_instructions(tmp_path: Path) -> None:
    """What the system prompt says besides is part of the run, whose file is no longer needed."""
    told = tmp_path / "told.txt"
    told.write_text("Look it up.")
    with EndpointServer(JsonSpeaking(Solver(reference))) as server:
        wanted = {"base-url": server.base_url, "instructions": str(told)}
        made = made_run(tmp_path / "run", ["gpt-4o"], INSTANCES, **wanted)
    told.unlink()

    assert "text:Look it up." == made.info.options["instructions"]
    assert [] == findings(made.path)


def test_instructions_that_the_run_does_not_record_are_found(tmp_path: Path) -> None:
    """An episode was told what the run's settings do not say."""
    with EndpointServer(JsonSpeaking(Solver(reference))) as server:
        made = made_run(
            tmp_path / "run", ["gpt-4o"], INSTANCES[:1], **{"base-url": server.base_url, "instructions": "text:No."}
        )
    stored = json.loads(made.run_file.read_text())
    del stored["options"]["instructions"], stored["settings"]["instructions"]
    made.run_file.write_text(json.dumps(stored))

    assert any("$.system_prompt: not the system prompt of this benchmark" in one for one in findings(made.path))
