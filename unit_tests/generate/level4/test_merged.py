"""Instances share a world in which each keeps its gold, and which can be divided again."""

from typing import Any

import pytest

from mpcbench.generate.level4.certificate import certify
from mpcbench.generate.level4.merged import LadderMade, MergeError, divided, merged_world
from mpcbench.generate.level4.naming import page_id, thread_id
from mpcbench.schema.level4.facts import Definition, Notice
from mpcbench.schema.level4.world import LadderCollection, LadderPage
from unit_tests.builders.ladder_drafts import setting, small_instance
from unit_tests.builders.ladder_spoken import TODAY


def made(number: int = 0, **changes: Any) -> LadderMade:
    """A certified instance with the IDs of its number."""
    one = small_instance(number)
    threads = tuple(
        thread.model_copy(update={"thread_id": thread_id(1, 60 * number + place)})
        for place, thread in enumerate(one.threads)
    )
    label = certify(setting(), one.instance, threads, one.pages, {})
    parts = {"instance": one.instance, "threads": threads, "pages": one.pages, "label": label, **changes}
    return LadderMade(**parts)


def a_page(fact: Definition | Notice) -> LadderPage:
    return LadderPage(
        page_id=page_id(1, LadderCollection.WIKI, 0),
        collection=LadderCollection.WIKI,
        title="Abbreviations",
        text="",
        posted=TODAY,
        facts=(fact,),
    )


def test_one_instance() -> None:
    """The world holds the office and what the instance adds, in the order of IDs."""
    one = made()
    world = merged_world(setting(), [one])

    assert {*setting().office.threads, *one.threads} == {*world.threads}
    assert sorted(world.threads, key=lambda thread: thread.thread_id) == list(world.threads)


def test_a_world_is_divided_again() -> None:
    """The IDs tell what belongs to which instance."""
    one = made()
    office, added = divided(merged_world(setting(), [one]), [0, 1])

    assert setting().office == office
    assert (sorted(one.threads, key=lambda thread: thread.thread_id), ()) == (list(added[0][0]), added[0][1])
    assert ((), ()) == added[1]


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        (lambda: [made(), made(1)], "level4-001: it speaks about 'Curlew pricing review', as level4-000 does"),
        (
            lambda: [made(pages=(a_page(Notice(notice_id="N999", effects=())),))],
            "level4-000: it adds a notice, which concerns other instances, too",
        ),
        (
            lambda: [made(pages=(a_page(Definition(alias="CPR", means="p001")),))],
            "two instances add the same: alias 'CPR' is not unique",
        ),
        (
            lambda: [made(pages=(a_page(Definition(alias="thimble", means="p001")),))],
            "level4-000 among the other instances: wiki:",
        ),
    ],
)
def test_instances_that_cannot_share_a_world(others: Any, expected: str) -> None:
    """What could change another instance's gold, or cannot be read, is refused with the instance's name."""
    with pytest.raises(MergeError) as caught:
        merged_world(setting(), others())

    assert expected in str(caught.value)


def test_a_gold_that_is_another_one() -> None:
    """The label is compared with what the engine finds among the others."""
    one = made()
    label = one.label.model_copy(update={"digest": "0" * 64})

    with pytest.raises(MergeError, match="level4-000: the gold is another one among the other instances"):
        merged_world(setting(), [made(label=label)])
