"""Which instances environments offer."""

from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.environments import instances
from mpcbench.benchmark.environments.instances import CACHE_VARIABLE, Selection, SelectionError, origin
from mpcbench.benchmark.export.splits import FIRST_SEEDS, Split, SplitError
from mpcbench.schema.dataset import COMMITTED


@pytest.mark.slow  # generates
def test_fresh_instances_are_generated_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They belong to the split's first world, and the second time they are read."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    first = list(Selection(1, Split.VALIDATION, count=2).instances())
    monkeypatch.setattr(instances, "make_instances", None)

    assert first == list(Selection(1, Split.VALIDATION, count=2).instances())
    assert 0 < len(first) <= 2
    assert FIRST_SEEDS[Split.VALIDATION] == first[0].exam.instance.seed
    assert not origin(first[0].exam.instance)["do_not_train"]


@pytest.mark.parametrize("chosen", [{"split": Split.TEST}, {"dataset": COMMITTED}], ids=str)
def test_tests_are_refused(chosen: dict[str, Any]) -> None:
    """Committed instances are offered only to those who ask for them, however they come, and are marked."""
    with pytest.raises(SelectionError, match="level2-000 of seed 2027: it is for tests, and training on it spoils"):
        next(Selection(2, **chosen).instances())
    allowed = list(Selection(2, **chosen, count=3, allow_test=True).instances())

    assert ["level2-000", "level2-001", "level2-002"] == [one.instance_id for one in allowed]
    assert origin(allowed[0].exam.instance)["do_not_train"]


@pytest.mark.parametrize(
    ("chosen", "complaint"),
    [
        ({"level": 9}, "level: 9 is none of 1, 2, 3"),
        ({"level": 4}, "level: 4 is none of 1, 2, 3"),
        ({"count": 0}, "count: 0 is less than 1"),
        ({"seed": 5, "dataset": COMMITTED}, "seed: not together with dataset"),
        ({"seed": 5, "split": Split.TEST}, "seed: not for the split test"),
    ],
)
def test_bad_selections(chosen: dict[str, Any], complaint: str) -> None:
    """What makes no sense is refused before anything is generated."""
    with pytest.raises(SelectionError, match=complaint):
        Selection(**{"level": 1, **chosen})


def test_a_seed_of_another_split() -> None:
    """The seed of a test is no seed for training."""
    with pytest.raises(SplitError, match="seed 2027 belongs to the split test, not to train"):
        next(Selection(1, Split.TRAIN, seed=2027).instances())
