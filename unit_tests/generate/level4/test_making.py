"""Making instances of level 4: samples until the certificate passes, in any number of processes, by command."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mpcbench.generate.__main__ import main
from mpcbench.generate.level4 import making, merged
from mpcbench.generate.level4.certificate import certify
from mpcbench.generate.level4.kept import Kept
from mpcbench.generate.level4.making import LadderGenerationError, apart, files_of, make_instance, make_instances
from mpcbench.generate.level4.merged import LadderMade
from mpcbench.generate.level4.naming import thread_id
from mpcbench.generate.level4.rung_wish import LadderWish
from mpcbench.generate.level4.sampling.draft import LadderDraft
from mpcbench.generate.level4.sampling.rungs import rung_of
from mpcbench.generate.parallel import Processes
from mpcbench.generate.sampling.sample import Check, Rejected
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.load import load_bearing
from mpcbench.schema.dataset import Dataset, instances_path, labels_path, world_path
from mpcbench.schema.level4.mechanism import Mechanism
from unit_tests.builders.ladder_drafts import setting, small_instance

ALIAS = frozenset({Mechanism.ALIAS})


def draft(k: int, rung: int, *, attempt: int, rejected: dict[str, int] | None = None) -> LadderDraft:
    """The small instance on a rung, whose paraphrases differ from attempt to attempt."""
    one = small_instance(100 * k + attempt)
    threads = tuple(
        thread.model_copy(update={"thread_id": thread_id(1, 60 * k + place)})
        for place, thread in enumerate(one.threads)
    )
    instance = one.instance.model_copy(update={"rung": rung, "instance_id": f"level4-{k:03}"})
    knowledge = knowledge_of(setting().world_with(threads, one.pages), instance)
    return LadderDraft(instance, threads, one.pages, rung, ALIAS, load_bearing(knowledge), rejected or {})


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the sampler was asked for; instances are drawn from the small office."""
    calls: list[dict[str, Any]] = []

    def samples(*_: object, k: int, rung: int, **more: object) -> Iterator[LadderDraft]:
        calls.append({"k": k, "rung": rung, "mechanisms": more["mechanisms"]})
        for attempt in range(5):
            yield draft(k, rung, attempt=attempt, rejected={"consistent": 2 * (attempt + 1)})
        msg = "no sample in 5 attempts"
        raise RuntimeError(msg)

    monkeypatch.setattr(making, "samples", samples)
    monkeypatch.setattr(making, "setting_of", lambda _: setting())
    return calls


def failing(times: int) -> Callable[..., Any]:
    """A certificate that refuses the first samples."""
    left = [times]

    def check(*arguments: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise Rejected(Check.READABLE, "a joke")
        return certify(*arguments)

    return check


def test_a_sample_that_passes() -> None:
    """It is kept with its label, which counts what the sampler discarded."""
    made = make_instance(setting(), 0, LadderWish())
    expected = draft(0, 1, attempt=0)
    assert made.label.certificate is not None

    assert (expected.instance, expected.threads, expected.pages) == (made.instance, made.threads, made.pages)
    assert {"consistent": 2} == made.label.certificate.rejected


def test_samples_that_fail_the_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sampler goes on after them, and the label counts them, too."""
    monkeypatch.setattr(making, "certify", failing(2))
    made = make_instance(setting(), 0, LadderWish())
    assert made.label.certificate is not None

    assert draft(0, 1, attempt=2).instance == made.instance
    assert {"consistent": 6, "certificate: readable": 2} == made.label.certificate.rejected


def test_crowded_instances_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """An instance of which a mechanism can be ignored among the others is made of its next sample, until none can be."""
    rounds = iter([[1], [1], []])
    monkeypatch.setattr(making, "crowded", lambda *_: next(rounds))
    found = apart(1, [4, 7], LadderWish(), [alone(4), alone(7)])
    assert found[1].label.certificate is not None

    assert alone(4) == found[0]
    assert draft(7, 8, attempt=2).instance == found[1].instance
    assert {"consistent": 6, "among others: ignorable": 2} == found[1].label.certificate.rejected


def test_who_is_crowded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of which somebody who ignores a mechanism finds more of the gold than the rung allows."""
    made = [alone(0), alone(1)]

    assert [] == merged.crowded(setting(), made)
    monkeypatch.setattr(merged, "rung_of", lambda rung: rung_of(rung)._replace(found=-1 if rung == 2 else 1))
    assert [1] == merged.crowded(setting(), made)


def test_no_sample_that_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sampler that gives up is an error that says so."""
    monkeypatch.setattr(making, "certify", failing(10**6))
    with pytest.raises(LadderGenerationError, match="level 4: no sample in 5 attempts"):
        make_instance(setting(), 5, LadderWish())


def test_rungs_take_turns() -> None:
    """So that every beginning of a set has all rungs alike; or all instances are on one."""
    assert [*range(1, 9), 1, 2] == [LadderWish().rung_of(k) for k in range(10)]
    assert [11, 11] == [LadderWish(rung=11).rung_of(k) for k in (0, 7)]


def test_what_is_asked_for(asked: list[dict[str, Any]]) -> None:
    """Rung and mechanisms go to the sampler."""
    list(make_instances(1, [3], LadderWish(9, ALIAS), Processes(1)))

    assert [{"k": 3, "rung": 9, "mechanisms": ALIAS}] == asked


def alone(k: int) -> LadderMade:
    return make_instance(setting(), k, LadderWish())


def test_workers_change_nothing() -> None:
    """Two processes make the same in the order of the numbers."""
    assert [alone(2), alone(0), alone(1)] == list(make_instances(1, [2, 0, 1], LadderWish(), Processes(2)))


def test_stopped_command_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has been made is kept, is not made again, and is the same; broken files and other wishes' are of no use."""
    kept = Kept(tmp_path, 1, LadderWish())
    making_some = make_instances(1, [0, 1, 2], LadderWish(), Processes(1), kept)
    first = [next(making_some), next(making_some)]
    after = {2: alone(2)}
    monkeypatch.setattr(making, "make_instance", lambda _, k, __: after[k])

    assert [*first, alone(2)] == list(make_instances(1, [0, 1, 2], LadderWish(), Processes(1), kept))
    assert first[0] == kept.get(0)
    assert None is Kept(tmp_path, 1, LadderWish(rung=1)).get(0)
    (broken,) = kept.place.glob("*/000.json")
    broken.write_text("{", encoding="utf-8")
    assert None is kept.get(0)
    kept.clear()
    assert [] == [*tmp_path.iterdir()]


def test_other_levels_leave_what_is_kept(tmp_path: Path) -> None:
    """Making level 1 in the same folder does not cost a stopped command its instances; writing level 4 uses them up."""
    kept = Kept(tmp_path, 1, LadderWish())
    kept.put(1, alone(1))

    assert 0 == main(["--level", "1", "--count", "1", "--workers", "1", "--seed", "1", "--out", str(tmp_path)])
    assert alone(1) == kept.get(1)
    assert 0 == main(small(tmp_path))
    assert not kept.place.exists()


def test_others_are_made_when_one_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error comes last, names the instance and says where the others are."""
    one = alone(0)

    def only_even(_: object, k: int, __: object) -> LadderMade:
        if k % 2:
            raise LadderGenerationError(f"level 4: place {k}")
        return one

    monkeypatch.setattr(making, "make_instance", only_even)
    kept = Kept(tmp_path, 1, LadderWish())
    with pytest.raises(
        LadderGenerationError, match=r"^level 4: place 1; level 4: place 3; all others are kept in .+ again$"
    ):
        list(make_instances(1, range(5), LadderWish(), Processes(1), kept))

    assert [one, None, one, None, one] == [kept.get(k) for k in range(5)]


def test_files() -> None:
    """World, instances and labels."""
    assert [world_path(4), instances_path(4), labels_path(4)] == list(files_of(1, [alone(0)]))


def small(folder: Path, *more: str) -> list[str]:
    return ["--level", "4", "--count", "1", "--workers", "1", "--seed", "1", "--out", str(folder), *more]


def test_command(tmp_path: Path, asked: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    """`--level 4` writes a data set of level 4, with the rung and the mechanisms that are asked for."""
    assert main(small(tmp_path, "--rung", "3", "--mechanisms", "alias,quorum")) == 0
    assert f"1 certified instances written to {tmp_path}\n" == capsys.readouterr().out
    assert {"level4-000": 3} == Dataset.open(tmp_path).ladder.rungs
    assert frozenset({Mechanism.ALIAS, Mechanism.QUORUM}) == asked[0]["mechanisms"]


def test_command_describes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table for the rungs, one for what instances need, and one for the world."""
    main(small(tmp_path))
    capsys.readouterr()

    assert main(["describe", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert ["The rungs of level 4", "The mechanisms and sources of level 4", "The world of level 4"] == [
        line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")
    ]
    assert "| 1 | 1 | 14 | 1 | 9 | 1 | 9 | " in text
    assert "| `alias` | 1 |" in text
    assert "| records of rooms | 1 |" in text
    assert "| people | 7 |" in text


def test_shards_join_to_the_whole(tmp_path: Path) -> None:
    """Two shards made apart and joined hold the instances, the labels, the threads and the pages of both."""
    folders = [tmp_path / "one", tmp_path / "two"]
    for number, folder in enumerate(folders, start=1):
        assert main(small(folder, "--count", "2", "--shard", f"{number}/2")) == 0
    assert main(["join", *map(str, folders), "--out", str(tmp_path / "whole")]) == 0
    first, second, whole = (Dataset.open(folder).ladder for folder in (*folders, tmp_path / "whole"))

    assert (*first.instances, *second.instances) == whole.instances
    assert first.labels | second.labels == whole.labels
    assert {*first.world.threads, *second.world.threads} == {*whole.world.threads}
    assert sorted(thread.thread_id for thread in whole.world.threads) == [one.thread_id for one in whole.world.threads]


def test_shards_that_do_not_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An instance that is in both, or another office, is named."""
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        main(small(folder))
    capsys.readouterr()
    command = ["join", *map(str, folders), "--out", str(tmp_path / "whole")]

    assert main(command) == 2
    assert f"error: {folders[1]}: 'level4-000' is also in another shard\n" == capsys.readouterr().err
    for path in (world_path(4), instances_path(4), labels_path(4)):
        text = (folders[1] / path).read_text(encoding="utf-8").replace("level4-000", "level4-001")
        (folders[1] / path).write_text(text.replace("Mill Lane", "Pond Lane"), encoding="utf-8")

    assert main(command) == 2
    expected = f"error: {folders[1] / world_path(4)}: $.sites: not as in {folders[0]}: other seed or generator\n"
    assert expected == capsys.readouterr().err


def test_an_instance_that_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says so, and nothing is written."""
    monkeypatch.setattr(making, "certify", failing(10**6))

    assert main(small(tmp_path / "none")) == 2
    assert "error: level 4: no sample in 5 attempts\n" == capsys.readouterr().err
    assert not (tmp_path / "none").exists()
