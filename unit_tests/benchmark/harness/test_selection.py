from pathlib import Path

import pytest

from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.selection import case_id, select, spread
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.schema.dataset import DataError, Dataset, instances_path
from mpcbench.schema.run import Case
from unit_tests.builders import small_dataset


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return small_dataset.write(tmp_path)


def names(dataset: Dataset, **options: object) -> list[str]:
    return [case.text for case in select(dataset, Settings.from_options(options, Path()))]


def test_cases_are_in_order_of_number(tmp_path: Path) -> None:
    """Instances are sorted by number, wherever they are in the file, and models as given."""
    file = tmp_path / instances_path(2)
    file.parent.mkdir()
    file.write_text("".join(f'{{"instance_id": "level2-{number}"}}\n' for number in ("1000", "002", "999")))

    assert [f"level2-{number}-{model}" for number in ("002", "999", "1000") for model in "ba"] == names(
        Dataset.open(tmp_path), model=["b", "a"]
    )


def test_limit_counts_by_level(dataset: Dataset) -> None:
    """Each level keeps as many."""
    expected = ["level1-001-reference", "level1-004-reference", "level3-001-reference", "level3-004-reference"]

    assert expected == names(dataset, limit="2")


def test_chosen_instances(dataset: Dataset) -> None:
    """Only the named instances run, in the data set's order."""
    assert names(dataset, instance=["level3-001", "level1-002"]) == ["level1-002-reference", "level3-001-reference"]


def test_too_many_cases_are_refused(dataset: Dataset) -> None:
    """Before they are made."""
    with pytest.raises(SettingsError) as caught:
        names(dataset, instance=["level1-001"], trials="100000000")

    assert "--trials: a run of 100,000,000 episodes; at most 1,000,000 are possible" == str(caught.value)


def test_unknown_instance(dataset: Dataset) -> None:
    """The message names the instance and the folder."""
    with pytest.raises(SettingsError) as caught:
        names(dataset, instance=["level1-999", "level1-001"])

    assert f"--instance: no 'level1-999' in {dataset.folder}" == str(caught.value)


def test_instance_of_a_level_that_is_not_chosen(dataset: Dataset) -> None:
    """The message says that the levels matter."""
    with pytest.raises(SettingsError) as caught:
        names(dataset, instance=["level3-001"], level=["1"])

    assert f"--instance: no 'level3-001' in the chosen levels of {dataset.folder}" == str(caught.value)


def test_level_that_the_data_set_lacks(dataset: Dataset) -> None:
    """The message names level and folder."""
    with pytest.raises(SettingsError) as caught:
        names(dataset, level=["2"])

    assert f"--level: {dataset.folder} has no level 2" == str(caught.value)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (("level1-001", "level1-001"), "instance 'level1-001' appears twice"),
        (("level2-001",), "'level2-001' is no ID of an instance of level 1"),
        (("first",), "'first' is no ID of an instance of level 1"),
    ],
)
def test_bad_ids(tmp_path: Path, ids: tuple[str, ...], message: str) -> None:
    """IDs that would make cases ambiguous are an error of the data."""
    file = tmp_path / instances_path(1)
    file.parent.mkdir()
    file.write_text("".join(f'{{"instance_id": "{one}"}}\n' for one in ids))
    with pytest.raises(DataError) as caught:
        names(Dataset.open(tmp_path))

    assert f"{tmp_path}: {message}" == str(caught.value)


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("llama3:8b", "llama3:8b"),
        ('vendor/model [x] "y"', "vendor/model [x] %22y%22"),
        ("mod\u00e8le", "mod%C3%A8le"),
        ("a\\b", "a%5Cb"),
    ],
)
def test_name_needs_no_escaping(model: str, name: str) -> None:
    """Names of models may hold any printable character; pytest would escape some of them in a node ID."""
    assert f"level1-001-{name}" == case_id(Case("level1-001", 1, model))


def test_trials_stand_together(dataset: Dataset) -> None:
    """Every trial of an instance and model is a case of its own; the first has the plain name."""
    expected = [f"level1-001-{model}{trial}" for model in "ba" for trial in ("", "-trial2")]

    assert expected == names(dataset, instance=["level1-001"], model=["b", "a"], trials="2")


def test_cases_of_one_name_are_refused(dataset: Dataset) -> None:
    """A model that is called as another one's second trial would be mixed up with it."""
    with pytest.raises(SettingsError) as caught:
        names(dataset, model=["a", "a-trial2"], trials="2")

    assert "--model: two cases would be called 'level1-001-a-trial2'" == str(caught.value)


def test_shards_part_the_cases(dataset: Dataset) -> None:
    """Each case is in exactly one shard, and the shards are as large as one another, up to one case."""
    whole = names(dataset, trials="3")
    shards = [names(dataset, trials="3", shard=f"{number}/4") for number in range(1, 5)]

    assert sorted(whole) == sorted(case for shard in shards for case in shard)
    assert max(map(len, shards)) - min(map(len, shards)) <= 1


@pytest.mark.parametrize(
    ("limit", "expected"),
    [(1, [0]), (2, [0, 5]), (3, [0, 3, 6]), (10, [*range(10)]), (11, [*range(10)]), (None, [*range(10)])],
)
def test_spread(limit: int | None, expected: list[int]) -> None:
    """The items kept lie evenly over all of them, and no more are kept than there are."""
    assert expected == spread(range(10), limit)
