"""Sets of many worlds."""

from pathlib import Path

import pytest

from mpcbench.generate.__main__ import main
from mpcbench.generate.large_set import WorldJob, folder_of, is_made, join_large, make_world, world_jobs
from mpcbench.generate.making import files_of
from mpcbench.schema.dataset import DataError, Dataset, data_sets, write_files
from unit_tests.generate.samples import SEED, made

ONE = WorldJob(1, SEED, 2)
"""A world of two instances whose files are cheap."""


def files() -> dict[str, str]:
    return files_of(1, SEED, [made(1, 0), made(1, 1)])


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_worlds_have_consecutive_seeds() -> None:
    """The last has what remains; a level follows the other, so that data sets are complete early."""
    jobs = list(world_jobs((1, 3), 7, 250, 100))

    assert [(1, 7), (3, 7), (1, 8), (3, 8), (1, 9), (3, 9)] == [(job.level, job.seed) for job in jobs]
    assert [100, 100, 100, 100, 50, 50] == [job.instances for job in jobs]


def test_shards_share_no_world() -> None:
    """Together they have every world once."""
    whole = list(world_jobs((1, 2), 7, 1_000, 100))
    parts = [job for number in (1, 2, 3) for job in world_jobs((1, 2), 7, 1_000, 100, (number, 3))]

    assert sorted(whole) == sorted(parts)


def test_a_world_is_that_of_its_seed() -> None:
    """Its files are those of a data set of this seed and size."""
    assert (ONE, files()) == make_world(ONE)


def test_a_whole_data_set_is_not_made_again(tmp_path: Path) -> None:
    """It needs three files, its seed, this generator and every instance."""
    folder = folder_of(tmp_path, SEED)
    write_files(folder, files())
    instances, labels = folder / "instances/instances_level1.jsonl", folder / "oracles/oracle_level1.jsonl"
    text = instances.read_text(encoding="utf-8")

    assert is_made(tmp_path, ONE)
    assert not is_made(tmp_path, ONE._replace(instances=3))
    assert not is_made(tmp_path, ONE._replace(level=2))
    for wrong in ("", text.splitlines()[0], "no JSON\n\n", text.replace(f'"seed": {SEED}', '"seed": 1')):
        instances.write_text(wrong, encoding="utf-8")
        assert not is_made(tmp_path, ONE)
    instances.write_text(text, encoding="utf-8")
    labels.unlink()
    assert not is_made(tmp_path, ONE)


def test_made_in_shards_or_at_once_or_in_two_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The files are the same, each data set that of its seed, and what is there is kept."""
    given = ["--level", "1", "--count", "3", "--seed", "100123", "--world-size", "2", "--workers", "1", "--out"]
    whole, parts = tmp_path / "whole", [tmp_path / "one", tmp_path / "two"]

    assert 0 == main([*given, str(whole)])
    assert capsys.readouterr().out == f"3 certified instances in {whole}, worlds: 2\n"
    assert ["100123", "100124"] == [folder.name for folder in data_sets(whole)]
    assert [2, 1] == [len(Dataset(folder).instances(1)) for folder in data_sets(whole)]
    for number, part in enumerate(parts, start=1):
        assert 0 == main([*given, str(part), "--shard", f"{number}/2"])
    assert 0 == main(["join", *map(str, parts), "--out", str(tmp_path / "joined")])
    assert capsys.readouterr().out.endswith(f"2 data sets joined in {tmp_path / 'joined'}\n")
    assert contents(whole) == contents(tmp_path / "joined")
    assert 0 == main([*given, str(parts[0])])
    assert capsys.readouterr().out.endswith(", worlds: 2; 2 were there already\n")
    assert contents(whole) == contents(parts[0])


def test_only_one_world_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a world is made, all earlier ones are on disk, so memory does not grow with their number."""
    written = []

    def watched(job: WorldJob) -> tuple[WorldJob, dict[str, str]]:
        written.append(len(data_sets(tmp_path)))
        return job, files()

    monkeypatch.setattr("mpcbench.generate.__main__.make_world", watched)
    arguments = ["--level", "1", "--count", "4", "--world-size", "1", "--workers", "1", "--out", str(tmp_path)]

    assert 0 == main(arguments)
    assert [0, 1, 2, 3] == written


def test_shards_of_one_world_are_no_large_set(tmp_path: Path) -> None:
    """The two kinds are not mixed."""
    write_files(tmp_path / "plain", files())
    write_files(folder_of(tmp_path / "large", SEED), files())

    with pytest.raises(DataError, match=r"plain: not a folder of data sets that are named by their seed"):
        join_large([tmp_path / "large", tmp_path / "plain"], tmp_path / "out")


def test_one_of_many_data_sets_has_to_be_chosen(tmp_path: Path) -> None:
    """Where one is expected, the error names one."""
    write_files(folder_of(tmp_path, SEED), files())

    with pytest.raises(DataError, match=rf"holds 1 data sets; choose one, such as .*{SEED}$"):
        Dataset.open(tmp_path)
