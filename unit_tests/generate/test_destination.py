"""What a folder holds that a set is written to."""

from pathlib import Path

import pytest

from mpcbench.generate.__main__ import main
from mpcbench.generate.destination import OccupiedError, check_for_one_world, check_for_worlds
from mpcbench.generate.large_set import WorldJob, folder_of
from mpcbench.generate.level4.rung_wish import LadderWish
from mpcbench.generate.making import files_of
from mpcbench.schema.dataset import instances_path, write_files
from mpcbench.schema.level4.mechanism import Mechanism
from unit_tests.builders import small_ladder
from unit_tests.generate.samples import SEED, made

ANY = LadderWish()


def hold(folder: Path, *numbers: int) -> None:
    """Write instances of level 1."""
    write_files(folder, files_of(1, SEED, [made(1, number) for number in numbers]))


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--count", "2"], f"level1-002 of seed {SEED}"),
        (["--count", "9", "--shard", "1/2"], f"level1-001 of seed {SEED}"),
        (["--count", "3", "--seed", "9"], f"level1-000 of seed {SEED}"),
        (["--count", "3", "--world-size", "3"], f"level1-000 of seed {SEED}"),
    ],
)
def test_another_set_is_refused(
    options: list[str],
    named: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line names what is there, nothing is made, and the files stay."""
    monkeypatch.setattr("mpcbench.generate.__main__.Processes", lambda _: pytest.fail("works"))
    hold(tmp_path, 0, 1, 2)
    before = contents(tmp_path)

    assert 2 == main(["--level", "1", *options, "--workers", "1", "--out", str(tmp_path)])
    assert capsys.readouterr().err == (
        f"error: {tmp_path}: holds {named}, which this command would not write there; "
        "choose another --out, or remove that folder\n"
    )
    assert before == contents(tmp_path)


def test_a_beginning_may_be_there(tmp_path: Path) -> None:
    """The same set or fewer of its instances are replaced, and other levels of the seed stay."""
    check_for_one_world(tmp_path / "new", (1,), SEED, range(3), ANY)
    hold(tmp_path, 0, 2)

    check_for_one_world(tmp_path, (1,), SEED, range(3), ANY)
    check_for_one_world(tmp_path, (1,), SEED, range(0, 4, 2), ANY)
    check_for_one_world(tmp_path, (2, 3), SEED, range(1), ANY)
    with pytest.raises(OccupiedError, match=rf"holds level1-000 of seed {SEED}"):
        check_for_one_world(tmp_path, (2, 3), SEED + 1, range(1), ANY)


def test_what_is_not_legible_is_made_again(tmp_path: Path) -> None:
    """As a file that a crash left empty, or in which a line is broken."""
    hold(tmp_path, 0, 1)
    with pytest.raises(OccupiedError, match="holds level1-001"):
        check_for_one_world(tmp_path, (1,), SEED, range(1), ANY)
    path = tmp_path / instances_path(1)
    path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + '\n{"seed": 1}\n', encoding="utf-8")

    check_for_one_world(tmp_path, (1,), SEED, range(1), ANY)
    path.write_text("", encoding="utf-8")
    check_for_one_world(tmp_path, (1,), SEED, range(1), ANY)


def test_worlds_that_are_not_asked_for_are_refused(tmp_path: Path) -> None:
    """Others than those of the jobs, larger ones, and a data set that is not named by its seed."""
    hold(folder_of(tmp_path, SEED), 0, 1)

    check_for_worlds(tmp_path, [WorldJob(1, SEED, 2), WorldJob(1, SEED + 1, 2)])
    check_for_worlds(tmp_path, [WorldJob(2, SEED + 1, 2)])
    for job in (WorldJob(1, SEED, 1), WorldJob(1, SEED + 1, 2)):
        with pytest.raises(OccupiedError, match=rf"/{SEED}: holds level1-00[01] of seed {SEED}, which"):
            check_for_worlds(tmp_path, [job])
    with pytest.raises(OccupiedError, match=rf"/{SEED}: holds level1-000 of seed {SEED}, which"):
        check_for_one_world(tmp_path, (1,), SEED, range(2), ANY)
    folder_of(tmp_path, SEED).rename(tmp_path / "7")
    with pytest.raises(OccupiedError, match=rf"/7: holds level1-000 of seed {SEED}, which"):
        check_for_worlds(tmp_path, [WorldJob(1, SEED, 2)])


def test_level_4_with_other_wishes_is_refused(tmp_path: Path) -> None:
    """Another rung, or other mechanisms than those that are asked for."""
    dataset = small_ladder.write(tmp_path)
    first = dataset.ladder.instances[0]
    numbers = range(len(dataset.ladder.instances))

    check_for_one_world(tmp_path, (4,), first.seed, numbers, ANY)
    for wish in (LadderWish(rung=9), LadderWish(mechanisms=frozenset({*Mechanism} - {*first.mechanisms}))):
        with pytest.raises(OccupiedError, match=r"holds level4-000 of seed .* on rung 1 with "):
            check_for_one_world(tmp_path, (4,), first.seed, numbers, wish)
