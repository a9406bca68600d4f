"""What things of a world are called."""

from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from mpcbench.generate.wording.meeting_names import MEETING_NAMES
from mpcbench.generate.wording.phrasing import NamedEvent
from mpcbench.generate.world.naming import (
    ASIDES,
    MOST_INSTANCES,
    SIBLINGS,
    THREADS_PER_INSTANCE,
    channel_of_meeting,
    instance_thread_ids,
    name_of_meeting,
    sibling_of_meeting,
    thread_id,
    voice_of,
)
from mpcbench.schema.dataset import LEVELS
from mpcbench.schema.model import Level
from unit_tests.generate.samples import SEED, setting


def test_people_can_refer_to_meetings_by_less_than_their_name() -> None:
    """No two meetings of a world share project and subject; near ones of a kind are announced in different channels."""
    world = setting(3).world
    names = [name_of_meeting(world, index) for index in range(MEETING_NAMES)]
    announced = {(names[index].kind, channel_of_meeting(world, index)) for index in range(300)}

    assert len({(name.project, name.subject) for name in names}) == MEETING_NAMES
    assert len(announced) == 300


def test_every_instance_has_a_sibling_of_its_own() -> None:
    """It has the same project, and neither other instances nor other noise has its name."""
    world = setting(2).world
    siblings = [sibling_of_meeting(world, index) for index in range(100)]
    noise = {name_of_meeting(world, index) for index in (*range(SIBLINGS), *range(ASIDES, MEETING_NAMES))}
    found = [sibling for sibling in siblings if sibling is not None]

    assert len(set(found)) == len(found) > 90
    assert noise.isdisjoint(found)
    for index, sibling in enumerate(siblings):
        assert sibling is None or sibling.project == name_of_meeting(world, index).project


def test_thread_ids_are_unique() -> None:
    """Of all the threads that a world may have, no two share an ID."""
    ids = {thread_id(SEED, 2, place) for place in range(MOST_INSTANCES * THREADS_PER_INSTANCE + 2000)}

    assert len(ids) == MOST_INSTANCES * THREADS_PER_INSTANCE + 2000
    assert {len(found) for found in ids} == {6}


def test_thread_ids_follow_no_step() -> None:
    """The differences between the IDs of successive places are all but random."""
    ids = [int(thread_id(SEED, 3, place)[1:]) for place in range(500)]
    steps = Counter((after - before) % 100_000 for before, after in pairwise(ids))

    assert max(steps.values()) <= 2
    assert 40_000 < sum(ids) / len(ids) < 60_000


def test_instances_have_thread_ids_of_their_own() -> None:
    """The places of instances follow each other."""
    world = setting(3).world
    ids = [found for index in range(20) for found in instance_thread_ids(world, index)]

    assert [thread_id(SEED, 3, place) for place in range(20 * THREADS_PER_INSTANCE)] == ids


def test_homonyms_are_named_with_their_team() -> None:
    """A name that two people share is said with the team, any other alone."""
    world = setting(3).world
    count = Counter(person.name for person in world.people)
    names = voice_of(world).names

    assert len(set(names.values())) == len(world.people)
    for person in world.people:
        expected = person.name if count[person.name] == 1 else f"{person.name} ({person.team})"
        assert expected == names[person.person_id]


@pytest.mark.parametrize("level", LEVELS)
def test_documents_are_named_at_level_2_only(level: Level) -> None:
    """There, a policy is called with its document; elsewhere the document is to be found."""
    world = setting(level).world
    documents = voice_of(world).documents

    assert set(documents) == (set(world.policy_by_id) if level == 2 else set())
    for policy_id, document_id in documents.items():
        document = next(found for found in world.documents if found.document_id == document_id)
        assert policy_id in {section.policy_id for section in document.sections}


def test_a_voice_knows_its_events() -> None:
    """Events to wait for are passed on."""
    event = NamedEvent("Supplier audit", datetime(2027, 2, 9, 10, tzinfo=UTC))

    assert {"p001-001": event} == voice_of(setting(3).world, {"p001-001": event}).events
