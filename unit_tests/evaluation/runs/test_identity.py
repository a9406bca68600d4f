"""Which runs may share a folder, and which settings a comparison names."""

from pathlib import Path

from mpcbench.evaluation.runs.identity import differences, differing_settings
from mpcbench.schema.run import RunInfo
from unit_tests.builders.made_runs import made_run

ONE = ("level1-003",)


def info(path: Path, model: str = "reference", **options: str) -> RunInfo:
    return made_run(path, [model], ONE, **options).info


def test_other_instructions_are_another_run(tmp_path: Path) -> None:
    """A run cannot be resumed with them."""
    plain, told = info(tmp_path / "plain"), info(tmp_path / "told", instructions="text:Look it up.")

    assert [] == list(differences(told, told))
    assert ["instructions none, not Look it up."] == list(differences(plain, told))


def test_settings_that_differ_are_named(tmp_path: Path) -> None:
    """Those of the run and those of the agent; what results themselves say is left to them."""
    a = info(tmp_path / "a", paraphrase="2")
    b = info(tmp_path / "b", instructions="text:Look it up.", **{"max-turns": "7"})
    local = b.model_copy(
        update={"agents": {"reference": {"model": "x", "weights_sha256": "0f", "placement": {"slots": 1}}}}
    )

    assert {"instructions": ("none", "Look it up."), "max turns": ("200", "7")} == differing_settings(
        (a, "reference"), (b, "reference")
    )
    assert {"weights sha256": ("none", "0f")} == differing_settings((b, "reference"), (local, "reference"))
