"""The committed data show the level matrix that the benchmark promises, and the documentation shows it as measured."""

import pytest

from mpcbench.generate.describe import describe, matrix
from mpcbench.generate.profile import SOURCE_WORDS, format_of, sources_named
from mpcbench.oracle import resolve
from mpcbench.oracle.resolve import statements
from mpcbench.schema import Deadline, Duration, NotBefore, Order, Ranking, Source
from mpcbench.schema.dataset import LEVELS
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET, INSTANCES, profile_of
from unit_tests.marks import UNTRACED
from unit_tests.tables import shown

pytestmark = UNTRACED

each_level = pytest.mark.parametrize("level", LEVELS)
SLOT_POLICIES = {"buffer_min", "ban_dow_time", "lunch_block", "work_hours"}
THREAD_DEMANDS = {"ban_window", "deadline", "not_before"}


@pytest.mark.parametrize(
    ("level", "sources"),
    [
        (1, {Source.CALENDAR, Source.POLICY}),
        (2, {Source.CALENDAR, Source.POLICY, Source.THREADS}),
        (3, set(Source)),
    ],
)
def test_needed_sources(level: Level, sources: set[Source]) -> None:
    """Two, three and five sources are needed, and each of them holds a required record or requirement."""
    for label in DATASET.labels(level).values():
        held = {source for requirement in label.requirements for source in requirement.sources}
        held |= {Source.CALENDAR for record in label.records if record.startswith("calendar:")}
        held |= {Source.THREADS for record in label.records if record.startswith("thread:")}
        held |= {Source.DIRECTORY for record in label.records if record.startswith("person:")}

        assert sources == set(label.sources)
        assert sources == held


@pytest.mark.parametrize(("level", "named"), [(1, 2), (2, 0), (3, 0)])
def test_sources_named_by_the_task(level: Level, named: int) -> None:
    """Level 1 names both sources in every paraphrase, the others none; level 2 says that there are three."""
    found = profile_of(level)

    assert (named, named) == (found.sources_named.least, found.sources_named.greatest)
    assert found.tasks_with_source_count == (INSTANCES if level == 2 else 0)


def test_level_3_tells_the_meeting_only() -> None:
    """No word of any source is in a task of level 3, and the task states nothing."""
    for instance in DATASET.instances(3):
        assert instance.references.statements == ()
        assert all(sources_named(text, SOURCE_WORDS) == set() for text in instance.task)
        assert all(instance.meeting in text for text in instance.task)


def test_duration_of_level_2_stands_in_the_threads_only() -> None:
    """The task does not say how long the meeting lasts; level 1's does."""
    assert not any(isinstance(said, Duration) for one in DATASET.instances(2) for said in one.references.statements)
    assert all(any(isinstance(said, Duration) for said in one.references.statements) for one in DATASET.instances(1))


@pytest.mark.parametrize(("level", "least", "greatest"), [(1, 1, 2), (2, 1, 2), (3, 3, 99)])
def test_number_of_requirements(level: Level, least: int, greatest: int) -> None:
    """One or two requirements are to be looked up at levels 1 and 2, three or more at level 3."""
    spread = profile_of(level).requirements

    assert least <= spread.least
    assert spread.greatest <= greatest


def test_kinds_of_requirement() -> None:
    """Level 1 looks up a policy; level 2 one of two rules, or one of one rule and a demand; level 3 the room's, too."""
    for label in DATASET.labels(1).values():
        assert {requirement.kind for requirement in label.requirements} <= SLOT_POLICIES
    plans = set()
    for label in DATASET.labels(2).values():
        kinds = [requirement.kind for requirement in label.requirements]
        plans.add(tuple(sum(kind in family for kind in kinds) for family in (SLOT_POLICIES, THREAD_DEMANDS)))
    assert {(1, 1), (2, 0)} == plans
    for label in DATASET.labels(3).values():
        kinds = [requirement.kind for requirement in label.requirements]
        assert {"capacity", "equipment", "bookings"} <= set(kinds)
        assert set(kinds) & SLOT_POLICIES
    assert set(profile_of(1).kinds) == SLOT_POLICIES
    assert set(profile_of(2).kinds) == SLOT_POLICIES | THREAD_DEMANDS
    assert {"after_event", "site", "room_turnaround", "ban_window", "required_window", "not_before"} <= set(
        profile_of(3).kinds
    )


def test_joins_and_dependence() -> None:
    """Only level 3 has requirements from several sources and dependent ones, and each of its instances has both."""
    for level in (1, 2):
        found = profile_of(level)
        assert (found.joined_requirements.greatest, found.dependent_instances) == (0, 0)
    found = profile_of(3)
    assert found.joined_requirements.least >= 1
    assert found.dependent_instances == INSTANCES


@pytest.mark.parametrize(("level", "least", "greatest"), [(1, 1, 2), (2, 3, 4), (3, 5, 99)])
def test_retrieval_steps(level: Level, least: int, greatest: int) -> None:
    """The plan takes one or two steps, three or four, five or more."""
    spread = profile_of(level).steps

    assert least <= spread.least
    assert spread.greatest <= greatest


def test_tools() -> None:
    """Two or three tools with keyword and date only; some unneeded ones; many look-alikes."""
    first, second, third = (profile_of(level) for level in LEVELS)

    assert 2 <= first.tools <= 3
    assert set(first.parameters) == {"keyword", "date"}
    assert second.tools > second.needed_tools >= 4
    assert third.tools - third.needed_tools > second.tools - second.needed_tools
    assert "page" in third.parameters


def test_formats() -> None:
    """JSON; JSON and text; JSON, text and a table."""
    assert [("JSON",), ("JSON", "text"), ("JSON", "table", "text")] == [profile_of(level).formats for level in LEVELS]


@pytest.mark.parametrize(
    ("result", "expected"), [('{"a": 1}', "JSON"), ("a | b\n--+--\n1 | 2", "table"), ("line", "text"), ("a\nb", "text")]
)
def test_format_of(result: str, expected: str) -> None:
    """What parses is JSON, a ruled second line makes a table, the rest is text."""
    assert expected == format_of(result)


def test_results() -> None:
    """A result of level 1 shows exactly one record, the others several; instances of higher levels show more text."""
    assert (profile_of(1).items_per_result.least, profile_of(1).items_per_result.greatest) == (1, 1)
    assert profile_of(2).items_per_result.greatest > 1
    assert profile_of(3).items_per_result.greatest > 1
    first, second, third = (profile_of(level).characters_per_instance.mean for level in LEVELS)
    assert first < second < third


def test_sizes() -> None:
    """The worlds are as rich as promised."""
    first, second, third = (profile_of(level) for level in LEVELS)

    assert [12, 24, 60] == [first.people, second.people, third.people]
    assert [96, 96, 267] == [first.policies, second.policies, third.policies]
    assert second.threads >= 200
    assert third.threads >= 350
    assert third.rooms == 30
    assert second.messages_per_thread is not None
    assert third.messages_per_thread is not None
    assert 2 == second.messages_per_thread.least == third.messages_per_thread.least
    assert 5 <= second.messages_per_thread.greatest < third.messages_per_thread.greatest <= 15


@each_level
def test_busy_share(level: Level) -> None:
    """Every calendar is busy for 40 to 60 % of the working hours."""
    spread = profile_of(level).busy_share

    assert 0.4 <= spread.least
    assert spread.greatest <= 0.6


@each_level
def test_a_deadline_comes_with_latest_first_alone(level: Level) -> None:
    """Under earliest first a deadline cuts the tail only, and `not_before` is its mirror: neither is stated where it is idle."""
    for instance in DATASET.instances(level):
        said = [item.statement for item in statements(DATASET.world(level), instance)]
        order = resolve(DATASET.world(level), instance).order
        useless = NotBefore if order is Order.LATEST else Deadline

        assert not any(isinstance(statement, useless) for statement in said)
        assert level == 2 or not any(isinstance(statement, Ranking) for statement in said)


def test_corrections_and_amendments_stand_in_later_messages() -> None:
    """Some durations of level 2 are corrected, and every meeting of level 3 is amended in a second thread."""
    corrected = 0
    for instance in DATASET.instances(2):
        said = [item.statement for item in statements(DATASET.world(2), instance)]
        corrected += sum(isinstance(statement, Duration) for statement in said) > 1

    assert 10 <= corrected <= 60
    assert all(2 <= len(instance.references.threads) <= 3 for instance in DATASET.instances(3))


def test_the_documentation_shows_the_matrix() -> None:
    """The table of docs/tasks.md is the one measured; `make tables` writes it anew."""
    assert matrix([profile_of(level) for level in LEVELS]) == shown("matrix")


def test_description_has_three_tables() -> None:
    """The matrix, sizes, and for every check of the certificate the samples that failed it."""
    text = describe(DATASET, (1,))
    rows = {cells[1].strip(): cells[2].strip() for line in text.splitlines() if len(cells := line.split("|")) == 4}

    assert ["The level matrix, measured", "The worlds and instances", "Rejected samples"] == [
        line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")
    ]
    assert rows["threads"] == rows["messages of a thread"].replace("\N{EN DASH}", "0") == "0"
    assert rows["instances kept"] == "100"
    assert int(rows["no_shortcut"].replace(",", "")) > 0
    assert int(rows["all rejected samples"].replace(",", "")) == sum(
        sum(label.certificate.rejected.values()) for label in DATASET.labels(1).values() if label.certificate
    )
