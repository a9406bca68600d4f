"""The committed data of level 4 are whole and marked, keep what the ladder promises, and come out of the generator again."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import Any

import pytest

from mpcbench.benchmark.agents.reference.any_level import reference_agent
from mpcbench.benchmark.harness.trial import run_episode
from mpcbench.evaluation.runs.options import DEFAULT_MAX_TURNS
from mpcbench.generate.level4.making import make_instance
from mpcbench.generate.level4.merged import divided
from mpcbench.generate.level4.rung_wish import RUNGS, LadderWish
from mpcbench.generate.level4.sampling.rungs import FIRST_JOINT, rung_of
from mpcbench.generate.level4.setting import setting_of
from mpcbench.oracle.level4.brief import Reader
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.knowledge import TASK, Knowledge, known
from mpcbench.oracle.level4.load import Gold, ignorable
from mpcbench.schema import BanWindow, Deadline
from mpcbench.schema.data_file import to_json_text, to_jsonl_text
from mpcbench.schema.dataset import Dataset, instances_path, labels_path, read_json, world_path
from mpcbench.schema.episode import Outcome
from mpcbench.schema.level4.header import ALIAS
from mpcbench.schema.level4.instance import MessageSent
from mpcbench.schema.level4.label import LadderCertificate
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.statements import Said
from mpcbench.schema.level4.world import LadderWorld
from mpcbench.schema.model import LADDER
from mpcbench.schema.versions import CANARY, LADDER_GENERATOR_VERSION
from unit_tests.builders.committed import DATASET, INSTANCES
from unit_tests.generate.samples import SEED
from unit_tests.marks import EXHAUSTIVE, UNTRACED
from unit_tests.tables import ignored, ladder, shown

pytestmark = UNTRACED

REMADE = (24, 67, pytest.param(25, marks=EXHAUSTIVE), pytest.param(34, marks=EXHAUSTIVE))
"""The instances that are made again: one of each of the lower rungs, as those of the upper ones take minutes."""

FEW, MANY = INSTANCES // 10, 3 * INSTANCES // 10


@cache
def indexed() -> Knowledge:
    return known(DATASET.ladder.world)


def documents() -> list[tuple[str, dict[str, Any]]]:
    """The kind that a document must have, and the document."""
    world = read_json(DATASET.folder / world_path(LADDER))
    assert isinstance(world, dict)
    found = [("world", world)]
    for kind, path in (("instance", instances_path(LADDER)), ("label", labels_path(LADDER))):
        text = (DATASET.folder / path).read_text(encoding="utf-8")
        found += [(kind, json.loads(line)) for line in text.splitlines()]
    return found


def certificate_of(instance_id: str) -> LadderCertificate:
    certificate = DATASET.ladder.labels[instance_id].certificate
    assert certificate is not None
    return certificate


def test_every_document_carries_the_header() -> None:
    """Canary, versions, seed, kind and level are in the world and in every line."""
    found = documents()

    assert 1 + 2 * INSTANCES == len(found)
    for kind, document in found:
        names = ("canary", "schema_version", "generator_version", "seed", "kind", "level")
        assert (CANARY, "2", LADDER_GENERATOR_VERSION, SEED, kind, LADDER) == tuple(document[name] for name in names)


def test_instances_take_the_rungs_in_turn() -> None:
    """They count from zero, and each rung has twelve or thirteen of them."""
    assert {f"level4-{k:03}": 1 + k % RUNGS for k in range(INSTANCES)} == DATASET.ladder.rungs
    assert list(DATASET.ladder.rungs) == list(DATASET.ladder.labels)


def test_files_are_what_their_values_are_written_as() -> None:
    """Reading and writing again changes no byte."""
    texts = {
        world_path(LADDER): to_json_text(DATASET.ladder.world, spaced=False),
        instances_path(LADDER): to_jsonl_text(DATASET.ladder.instances),
        labels_path(LADDER): to_jsonl_text(DATASET.ladder.labels.values()),
    }

    for path, text in texts.items():
        assert text.encode() == (DATASET.folder / path).read_bytes(), path


def test_subjects_are_unique() -> None:
    """No two instances ask about the same meeting, and no paraphrase occurs twice within a task."""
    assert INSTANCES == len({instance.subject for instance in DATASET.ladder.instances})
    assert all(len(set(instance.task)) == 3 for instance in DATASET.ladder.instances)


def test_loads_and_mechanisms_are_those_of_the_rungs() -> None:
    """The load is the number of facts in the certificate, and it and the number of mechanisms are the rung's."""
    for instance in DATASET.ladder.instances:
        shape, label = rung_of(instance.rung), DATASET.ladder.labels[instance.instance_id]

        assert shape.load[0] <= label.load < shape.load[1]
        assert shape.mechanisms[0] <= len(instance.mechanisms) <= shape.mechanisms[1]
        assert label.load == len(certificate_of(instance.instance_id).load_bearing)


def test_everything_that_a_task_says_is_load_bearing() -> None:
    """Without any of its statements the gold is another one."""
    for instance in DATASET.ladder.instances:
        facts = [one.fact for one in certificate_of(instance.instance_id).load_bearing if one.record == TASK]
        said = [fact for fact in facts if fact.startswith("said:")]

        assert len(said) == len(instance.references.statements), instance.instance_id


def test_every_mechanism_changes_the_gold() -> None:
    """Somebody who always misreads a mechanism of an instance in some obvious way does not find its gold."""
    for instance in DATASET.ladder.instances:
        changing = {one.mechanism for one in certificate_of(instance.instance_id).misreadings if one.changed}

        assert {*instance.mechanisms} <= changing


@pytest.mark.slow  # solves each instance once for each of its mechanisms
@pytest.mark.parametrize("rung", range(1, RUNGS + 1))
def test_no_mechanism_can_be_ignored(rung: int) -> None:
    """Somebody who misreads a mechanism of an instance in every way at once finds no more of its gold than the rung allows."""
    ignored = {
        instance.instance_id: [
            *ignorable(
                Gold(knowledge_of(DATASET.ladder.world, instance, indexed())),
                instance.mechanisms,
                rung_of(rung).found,
            )
        ]
        for instance in DATASET.ladder.instances
        if instance.rung == rung
    }

    assert {name: [] for name in ignored} == ignored


def test_messages_of_changes_name_their_meeting() -> None:
    """So that a search shows them: by the full name of a meeting or plan, or by an alias of it."""
    for instance in DATASET.ladder.instances:
        edit = None if instance.change is None else instance.change.edit
        if isinstance(edit, MessageSent):
            knowledge = knowledge_of(DATASET.ladder.world, instance, indexed())
            tag = edit.message.tags[0]
            assert isinstance(tag, Said)
            meeting = knowledge.meaning(tag.about)
            names = [meeting, *(one for one in knowledge.aliases if knowledge.meaning(ALIAS + one) == meeting)]

            assert any(name and name.lower() in edit.message.text.lower() for name in names), instance.instance_id


def test_proposals_that_do_not_hold_tell_no_times() -> None:
    """No candidate of the gold begins just when somebody asked in vain to keep time free, or for the meeting to be over."""
    near = []
    for instance in DATASET.ladder.instances:
        knowledge = knowledge_of(DATASET.ladder.world, instance, indexed())
        reader = Reader(knowledge)
        for candidate in DATASET.ladder.labels[instance.instance_id].gold:
            meeting = candidate.meeting or reader.subject
            held = [statement for _, statement in reader.held(meeting)]
            said = [line.tag.statement for line in knowledge.said_about(meeting) if isinstance(line.tag, Said)]
            vain = [one for one in said if isinstance(one, BanWindow | Deadline) and one not in held]
            times = [one.start if isinstance(one, BanWindow) else one.at for one in vain]
            near += [instance.instance_id for at in times if abs(at - candidate.start) < timedelta(minutes=45)]

    assert len(near) <= 5, near


def test_every_point_of_the_certificate_holds() -> None:
    """What is stored is a pass at all points, and no guess shares the whole gold."""
    for instance_id, label in DATASET.ladder.labels.items():
        certificate = certificate_of(instance_id)

        assert certificate.solvable
        assert certificate.unique
        assert certificate.archive_agrees
        assert certificate.readable
        assert certificate.steps
        assert all(found.shared < len(label.gold) for found in certificate.shortcuts)


@pytest.mark.parametrize("mechanism", sorted(set(Mechanism) - {Mechanism.JOINT}))
def test_mechanisms_are_in_many_instances_and_missing_from_many(mechanism: Mechanism) -> None:
    """So that the profile can compare instances with and without one."""
    having = sum(mechanism in instance.mechanisms for instance in DATASET.ladder.instances)

    assert FEW < having < INSTANCES - FEW


def test_plans_begin_at_their_rung() -> None:
    """A single meeting of the lowest rung is never a plan."""
    joint = {instance.rung for instance in DATASET.ladder.instances if Mechanism.JOINT in instance.mechanisms}

    assert joint == set(range(FIRST_JOINT, RUNGS + 1))


def test_changes_happen_to_who_reads_what_is_needed() -> None:
    """What a change waits for is required, and the gold before it is another one."""
    for instance in DATASET.ladder.instances:
        label = DATASET.ladder.labels[instance.instance_id]

        assert (Mechanism.CHANGES in instance.mechanisms) is (instance.change is not None) is bool(label.gold_before)
        assert label.gold != label.gold_before


@cache
def office() -> LadderWorld:
    """The committed world without what its instances add."""
    return divided(DATASET.ladder.world, range(INSTANCES))[0]


@pytest.mark.slow
def test_office_is_made_again() -> None:
    """The world without what its instances add is the office of the seed, to the last byte."""
    assert to_json_text(setting_of(SEED).office) == to_json_text(office())


@pytest.mark.slow
@pytest.mark.parametrize("k", REMADE)
def test_instance_is_made_and_certified_again(k: int) -> None:
    """Task, label, certificate, threads and pages are the same, to the last byte."""
    made = make_instance(setting_of(SEED), k, LadderWish())
    threads, pages = divided(DATASET.ladder.world, range(INSTANCES))[1][k]
    exam = DATASET.ladder.exam(f"level4-{k:03}")

    assert to_jsonl_text([exam.instance]) == to_jsonl_text([made.instance])
    assert to_jsonl_text([exam.label]) == to_jsonl_text([made.label])
    assert {*threads} == {*made.threads}
    assert {*pages} == {*made.pages}


@pytest.mark.slow
def test_default_budget_is_enough_for_the_longest_episode() -> None:
    """Of all instances this one takes the reference agent the most turns, and it may take half of the budget."""
    episode = run_episode(reference_agent, DATASET.ladder.exam("level4-079"), max_turns=str(DEFAULT_MAX_TURNS // 2))

    assert episode.outcome is Outcome.PASSED


@pytest.mark.slow  # works out the chains of all instances, and solves each once for each of its mechanisms
@pytest.mark.parametrize("make", [ladder, pytest.param(ignored, marks=EXHAUSTIVE)])
def test_page_shows_what_is_so(make: Callable[[Dataset], str]) -> None:
    """The tables of docs/level4.md are measured; `make tables` writes them anew."""
    assert make(DATASET) == shown(make.__name__)


def test_systems_are_needed_by_some_and_useless_to_others() -> None:
    """Records of each kind are needed by a tenth at least, and only those of seven by more than seventy."""
    needed = Counter(
        kind
        for label in DATASET.ladder.labels.values()
        for kind in {record.partition(":")[0] for record in label.records}
    )

    assert {kind for kind, count in needed.items() if count > INSTANCES - MANY} == {
        "calendar",
        "person",
        "policy",
        "room",
        "room_calendar",
        "site",
        "thread",
    }
    assert {"announcement", "glossary", "holidays", "newsletter", "site_news", "team_calendar", "wiki"} <= {*needed}
    assert min(needed.values()) >= FEW, needed


def test_plans_take_different_tools() -> None:
    """No set of tools is that of the minimal plan of more than thirty instances."""
    plans = Counter(frozenset(certificate_of(instance_id).steps) for instance_id in DATASET.ladder.labels)

    assert max(plans.values()) <= MANY
