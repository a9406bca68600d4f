"""The recipes for clusters: their shell runs with the variables that the schedulers set, their manifest is valid."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mpcbench.generate.making import files_of
from mpcbench.schema.dataset import COMMITTED
from unit_tests.generate.samples import SEED, made

RECIPES = COMMITTED / "docs" / "recipes"
SLURM = RECIPES / "slurm-array.sh"
KUBERNETES = RECIPES / "kubernetes-job.yaml"
GENERATE = ("--level", "1", "--count", "3", "--seed", str(SEED))


def run(folder: Path, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder where `mpcbench` is a command."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    program = programs / "mpcbench"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m mpcbench "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    environment = {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(COMMITTED), **variables}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def slurm(folder: Path, number: int, of: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """One task of an array."""
    return run(
        folder,
        "sh",
        str(SLURM),
        *arguments,
        SLURM_ARRAY_TASK_ID=str(number),
        SLURM_ARRAY_TASK_COUNT=str(of),
        SLURM_CPUS_PER_TASK="1",
    )


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def manifests() -> list[dict[str, Any]]:
    yaml = pytest.importorskip("yaml", reason="make cluster installs it")
    return list(yaml.safe_load_all(KUBERNETES.read_text(encoding="utf-8")))


def test_slurm_generates_the_set_of_one_process(tmp_path: Path) -> None:
    """The shards of an array, joined, are the set made at once."""
    for number in (1, 2):
        done = slurm(tmp_path, number, 2, "generate", *GENERATE)
        assert (0, "") == (done.returncode, done.stderr)
    joined = run(tmp_path, "sh", "-c", "exec mpcbench generate join shards/generate-* --out fresh")

    assert (0, "") == (joined.returncode, joined.stderr)
    assert files_of(1, SEED, [made(1, index) for index in range(3)]) == contents(tmp_path / "fresh")


@pytest.mark.slow
def test_slurm_runs_all_cases(tmp_path: Path) -> None:
    """The shards of an array, merged, are the whole run; a task that starts again resumes its shard."""
    options = ("run", "--model", "reference,noop", "--level", "1", "--limit", "3")
    done = [slurm(tmp_path, number, 2, *options) for number in (1, 2, 2)]
    merged = run(tmp_path, "sh", "-c", "exec mpcbench evaluate merge shards/run-* --out whole")

    assert [0, 0, 0] == [one.returncode for one in done]
    assert (0, "") == (merged.returncode, merged.stderr)
    assert "whole: 6 of 6 planned episodes" in merged.stdout


def test_slurm_says_what_is_missing(tmp_path: Path) -> None:
    """Started by hand, or with a command that it does not know, the script says so."""
    alone = run(tmp_path, "sh", str(SLURM), "generate")
    unknown = slurm(tmp_path, 1, 2, "describe")

    assert alone.returncode != 0
    assert "SLURM_ARRAY_TASK_ID: is not set: start this script with sbatch --array=1-N" in alone.stderr
    assert 2 == unknown.returncode
    assert unknown.stderr.endswith(": neither generate nor run: describe\n")


def test_kubernetes_generates_the_set_of_one_process(tmp_path: Path) -> None:
    """The pods of the Indexed Job make the shards, and the second Job joins them."""
    shards, join = (manifest["spec"]["template"]["spec"]["containers"][0] for manifest in manifests())
    given = {one["name"]: one["value"] for one in shards["env"]} | {"COUNT": "3", "SHARDS": "2", "DATA": str(tmp_path)}
    script = shards["args"][0].replace("--level 3", "--level 1").replace("--seed 42", f"--seed {SEED}")
    for index in (0, 1):
        done = run(tmp_path, *shards["command"], script, JOB_COMPLETION_INDEX=str(index), **given)
        assert (0, "") == (done.returncode, done.stderr)
    joined = run(tmp_path, *join["command"], *join["args"], DATA=str(tmp_path))

    assert (0, "") == (joined.returncode, joined.stderr)
    assert files_of(1, SEED, [made(1, index) for index in range(3)]) == contents(tmp_path / "fresh")


def test_kubernetes_makes_as_many_shards_as_pods() -> None:
    """The number of shards is that of completions, and each pod gets an index."""
    spec = manifests()[0]["spec"]
    given = {one["name"]: one["value"] for one in spec["template"]["spec"]["containers"][0]["env"]}

    assert "Indexed" == spec["completionMode"]
    assert str(spec["completions"]) == given["SHARDS"]


def test_the_manifest_is_made_of_known_fields() -> None:
    """Kubernetes' own models of a Job take every field and give it back, and the fields that must be there are."""
    client = pytest.importorskip("kubernetes.client", reason="make cluster installs it")
    api = client.ApiClient()
    for manifest in manifests():
        job = api._ApiClient__deserialize(manifest, "V1Job")

        assert manifest == api.sanitize_for_serialization(job)


def test_the_models_find_an_unknown_field() -> None:
    """A misspelt field is lost in the models, so that the test above would fail."""
    client = pytest.importorskip("kubernetes.client", reason="make cluster installs it")
    api = client.ApiClient()
    (manifest, _) = manifests()
    manifest["spec"]["completionmode"] = manifest["spec"].pop("completionMode")

    assert manifest != api.sanitize_for_serialization(api._ApiClient__deserialize(manifest, "V1Job"))
