"""The knowledge after a change, which is not worked out anew, against that of the changed world."""

from dataclasses import replace

import pytest

from mpcbench.oracle.level4.changes import UnknownRecordError, changed, knowledge_of
from mpcbench.oracle.level4.knowledge import for_task, known
from mpcbench.schema import BanWindow, Duration
from mpcbench.schema.level4.facts import Definition
from mpcbench.schema.level4.instance import Change, MessageSent
from mpcbench.schema.level4.statements import Agreed
from mpcbench.schema.level4.world import LadderMessage
from unit_tests.builders.ladder import MEETING, message, moment, said, task

THREAD = "T0001"
EARLIER = (
    message("p1", said(Duration(minutes=30))),
    message("p2", said(Duration(minutes=45), "alias:tulip"), Definition(alias="tulip", means=MEETING), minute=10),
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


def test_message_in_an_unknown_thread_is_an_error() -> None:
    """It names the thread."""
    edit = MessageSent(thread_id="T9", message=message("p1", said(Duration(minutes=60)), minute=30))
    world, instance = task(messages=EARLIER, change=Change(when_shown=("thread:T9",), edit=edit))

    with pytest.raises(UnknownRecordError, match="'T9'"):
        knowledge_of(world, instance)
