import pytest

from mpcbench.benchmark.agents.baselines import (
    BASELINES,
    BaselineAgent,
    BaselineInput,
    BaselineRow,
    baseline_input,
    baseline_markdown,
    baseline_table,
    proposals,
)
from mpcbench.benchmark.agents.baselines.trivial import TRIVIAL
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.evaluation.scoring.answer import parse_answer
from mpcbench.schema import BanWindow, MeetingStatement
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.model import Level
from unit_tests.builders import small_dataset
from unit_tests.builders.small_worlds import at


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return small_dataset.write(tmp_path_factory.mktemp("data"))


def known(dataset: Dataset, level: Level, number: int = 1) -> BaselineInput:
    return baseline_input(dataset, dataset.instances(level)[number - 1])


def times(baseline: str, found: BaselineInput) -> list[str]:
    return [
        f"{candidate.start:%d %H:%M}" + (f" {candidate.room_id}" if candidate.room_id else "")
        for candidate in proposals(baseline, found)
    ]


@pytest.mark.parametrize(
    ("baseline", "level", "expected"),
    [
        ("noop", 1, []),
        ("first-slots", 1, ["01 09:00", "01 09:15"]),
        ("first-slots", 3, ["01 09:00 R01", "01 09:15 R01"]),
        ("most-common", 1, ["02 09:00", "02 09:15"]),
        ("only-calendar", 1, ["01 09:30", "01 09:45"]),  # the stand-up ends at 09:20
        ("only-policy", 1, ["01 09:00", "01 09:15"]),
        ("only-directory", 3, ["01 09:00 R01", "01 09:00 R02"]),
        ("only-rooms", 3, ["01 09:00 R03", "01 09:00 R05"]),  # R01 is painted and too small
        ("tag-grep", 1, ["01 09:00", "01 09:15"]),
        ("without-calendar", 1, ["01 09:00", "01 09:15"]),
        ("without-calendar-skip", 1, ["01 09:30", "01 09:45"]),
        ("without-calendar-2n", 1, ["01 09:00", "01 09:15", "01 09:30", "01 09:45"]),
        ("without-policy", 1, ["01 09:30", "01 09:45"]),
        ("without-threads", 1, []),  # level 1 needs none
        ("without-rooms", 3, ["01 09:30 R01", "01 09:30 R02"]),
    ],
)
def test_proposals(dataset: Dataset, baseline: str, level: Level, expected: list[str]) -> None:
    """Each baseline proposes what its description says for the first of February."""
    assert expected == times(baseline, known(dataset, level))


def test_everything_is_every_slot_in_every_room(dataset: Dataset) -> None:
    """09:00 to 17:00 has 30 starts for 45 minutes, and there are 13 rooms."""
    assert [len(proposals("everything", known(dataset, level))) for level in (1, 3)] == [30, 30 * 13]


def test_random_depends_on_the_instance_alone(dataset: Dataset) -> None:
    """Twice the same, another for another instance, and always in the window."""
    first, again, other = (times("random", known(dataset, 3, number)) for number in (1, 1, 2))
    everything = set(times("everything", known(dataset, 3, 1)))

    assert first == again
    assert [text[3:] for text in first] != [text[3:] for text in other]
    assert set(first) < everything


def test_tag_grep_obeys_what_was_said_of_other_meetings(dataset: Dataset) -> None:
    """A ban for another meeting in a thread that mentions the word, and a policy that nobody called, both count."""
    plain = known(dataset, 3)
    ban = BanWindow(start=at("02-01 00:00"), end=at("02-01 13:30"))
    thread = plain.world.threads[0]
    message = thread.messages[0].model_copy(
        update={"tags": (MeetingStatement(meeting="Heron workshop", statement=ban),)}
    )
    threads = (thread.model_copy(update={"messages": (message,)}),)
    world = type(plain.world).model_validate(plain.world.model_dump() | {"threads": [t.model_dump() for t in threads]})
    found = BaselineInput(world, plain.instance, plain.problem, plain.labels)

    assert times("tag-grep", found) == ["01 13:30 R01", "01 13:30 R02"]


@pytest.mark.parametrize("name", BASELINES)
def test_agent_says_what_the_table_scores(dataset: Dataset, name: str) -> None:
    """The answer of the agent, parsed, is the list of candidates behind the table."""
    found = known(dataset, 3, 2)
    tools = Toolbox(Sources(found.world), ())
    reply = BaselineAgent(name, dataset)(Task("level3-002", "", ""), tools, Budget(max_turns=1))
    expected = tuple(proposals(name, found))

    assert expected == (parse_answer(reply.text, 3, found.world.zone).candidates if name != "noop" else ())


def test_table_has_a_row_for_every_level_and_shortcut(dataset: Dataset) -> None:
    """Rows are means over the level's instances; on this tiny data set single sources do find the gold."""
    rows = {(row.level, row.baseline): row for row in baseline_table(dataset)}

    assert [(level, name) for level in (1, 3) for name in TRIVIAL] == list(rows)
    assert rows[1, "noop"][2:] == (0.0, 0.0)
    assert rows[1, "only-calendar"][2:] == (1.0, 1.0)
    assert pytest.approx(2 * 2 / (30 + 2)) == rows[1, "everything"].f1


def test_markdown_has_a_line_for_each_shortcut() -> None:
    """Levels are side by side, each with its exact-match rate in per cent and its F1."""
    rows = [
        BaselineRow(1, "noop", 0.0, 0.0),
        BaselineRow(1, "random", 0.0, 0.0123),
        BaselineRow(3, "noop", 0.0, 0.0),
        BaselineRow(3, "random", 0.25, 0.5),
    ]

    assert baseline_markdown(rows).splitlines() == [
        "| baseline | level 1: exact match | F1 | level 3: exact match | F1 |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| `noop` | 0% | 0.000 | 0% | 0.000 |",
        "| `random` | 0% | 0.012 | 25% | 0.500 |",
    ]
