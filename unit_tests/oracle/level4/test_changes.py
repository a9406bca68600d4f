"""The knowledge after a change, which is not worked out anew, against that of the changed world."""

from dataclasses import replace

import pytest

from mpcbench.oracle.level4.changes import UnknownRecordError, changed, knowledge_of
from mpcbench.oracle.level4.knowledge import for_task, indexed, known
from mpcbench.schema import BanWindow, Duration
from mpcbench.schema.level4.facts import Definition, Notice, RoomClosed
from mpcbench.schema.level4.instance import Change, Edit, EntryChanged, MessageSent, PagePosted
from mpcbench.schema.level4.statements import Agreed
from mpcbench.schema.level4.world import LadderCollection, LadderMessage, LadderPage
from unit_tests.builders.ladder import MEETING, entry, message, moment, said, task

THREAD = "T0001"
EARLIER = (
    message("p1", said(Duration(minutes=30))),
    message("p2", said(Duration(minutes=45), "alias:tulip"), Definition(alias="tulip", means=MEETING), minute=10),
)


def notice(notice_id: str, until: str, replaces: str | None = None) -> Notice:
    """That the room is closed from 09:00 on."""
    closed = RoomClosed(room_id="R01", start=moment("09:00"), end=moment(until))
    return Notice(notice_id=notice_id, effects=(closed,), replaces=replaces)


def page(page_id: str, posted: str, *facts: Notice) -> LadderPage:
    """News of one site."""
    return LadderPage(
        page_id=page_id, collection=LadderCollection.SITE_NEWS, title="", text="", posted=moment(posted), facts=facts
    )


@pytest.mark.parametrize(
    "sent",
    [
        message("p1", said(BanWindow(start=moment("09:00"), end=moment("10:00"))), minute=30),
        message("p1", said(Duration(minutes=60), "alias:tulip"), said(Duration(minutes=15), "another"), minute=30),
        message("p1", said(Duration(minutes=60)), minute=5),
        message("p1", Agreed(about="alias:tulip", message=1), minute=30),
        message("p1", Definition(alias="rose", means=MEETING), minute=30),
    ],
    ids=["one", "two-meetings", "between-others", "agreed", "fact"],
)
def test_after_a_message_it_is_that_of_the_changed_world(sent: LadderMessage) -> None:
    """Field by field, what is said in the same order."""
    change = Change(when_shown=(f"thread:{THREAD}",), edit=MessageSent(thread_id=THREAD, message=sent))
    world, instance = task(messages=EARLIER, change=change)
    expected = for_task(known(changed(world, change.edit)), instance)
    found = knowledge_of(world, instance)

    assert list(expected.lines) == list(found.lines)
    assert expected == replace(found, before=None)


@pytest.mark.parametrize("posted", ["07:30", "08:00", "08:30"])
@pytest.mark.parametrize(
    "facts",
    [(notice("N008", "10:00"),), (notice("N008", "10:00"), notice("N009", "11:00", replaces="N001")), ()],
    ids=["one", "two", "none"],
)
def test_after_a_page_it_is_that_of_the_changed_world(facts: tuple[Notice, ...], posted: str) -> None:
    """Field by field, with the notices in the order in which they were posted."""
    change = Change(when_shown=(f"thread:{THREAD}",), edit=PagePosted(page=page("S2", posted, *facts)))
    world, instance = task(messages=EARLIER, pages=(page("S3", "08:00", notice("N001", "10:00")),), change=change)
    expected = for_task(known(changed(world, change.edit)), instance)

    assert expected == replace(knowledge_of(world, instance), before=None)
    assert 1 + len(facts) == len(expected.notices)


@pytest.mark.parametrize(("page_id", "notice_id", "named"), [("S3", "N008", "S3"), ("S2", "N001", "N001")])
def test_a_page_with_an_id_of_another_is_an_error(page_id: str, notice_id: str, named: str) -> None:
    """Of a page or of a notice; it is named."""
    change = Change(
        when_shown=(f"thread:{THREAD}",), edit=PagePosted(page=page(page_id, "08:30", notice(notice_id, "10:00")))
    )
    world, instance = task(messages=EARLIER, pages=(page("S3", "08:00", notice("N001", "10:00")),), change=change)

    with pytest.raises(ValueError, match=named):
        knowledge_of(world, instance)


@pytest.mark.parametrize(
    "edit",
    [
        MessageSent(thread_id=THREAD, message=message("p1", said(Duration(minutes=60), "alias:tulip"), minute=30)),
        EntryChanged(person_id="p1", entry=entry("09:00", "10:00")),
    ],
    ids=["message", "entry"],
)
def test_index_of_lines_is_taken_over(edit: Edit) -> None:
    """What each line is about is the same as worked out anew, before and after a change."""
    change = Change(when_shown=(f"thread:{THREAD}",), edit=edit)
    world, instance = task(messages=EARLIER, calendars={"p1": ()}, change=change)
    found, anew = (knowledge_of(world, instance, base(world)) for base in (indexed, known))
    assert found.before is not None
    assert anew.before is not None

    for taken, expected in ((found, anew), (found.before, anew.before)):
        assert "abouts_of" in vars(taken)
        assert expected.abouts_of == taken.abouts_of


def test_message_in_an_unknown_thread_is_an_error() -> None:
    """It names the thread."""
    edit = MessageSent(thread_id="T9", message=message("p1", said(Duration(minutes=60)), minute=30))
    world, instance = task(messages=EARLIER, change=Change(when_shown=("thread:T9",), edit=edit))

    with pytest.raises(UnknownRecordError, match="'T9'"):
        knowledge_of(world, instance)
