"""Texts are read back with the names of their world, and what they do not state is an error."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from mpcbench.generate.level4.readable import UnreadableTextError, check_page, check_section, check_thread
from mpcbench.generate.level4.resolver import WorldResolver, meetings_in
from mpcbench.generate.level4.wording.policies import section
from mpcbench.generate.randomness import stream
from mpcbench.schema import BufferMin
from mpcbench.schema.level4.people import SamePeople
from mpcbench.schema.level4.policy import Policy
from mpcbench.schema.level4.statements import AfterMeeting, Agenda, Agreed, Invited, Said
from unit_tests.builders.ladder_drafts import REVIEW, setting, small_instance
from unit_tests.builders.ladder_spoken import MEETINGS, PLAN, OfficeResolver, office

RESOLVER = WorldResolver(office())
POLICY = Policy(policy_id="POL-07", edition=2, rules=(BufferMin(minutes=15),))


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("person", ("Ada Larsen",)),
        ("person", ("Sam Carter",)),
        ("person", ("Sam Carter", "Finance")),
        ("person", ("AL",)),
        ("person", ("the first mate",)),
        ("person", ("The first mate",)),
        ("person", ("CPR",)),
        ("person", ("Nobody",)),
        ("team", ("Platform",)),
        ("team", ("Growth",)),
        ("team", ("AL",)),
        ("role", ("head of Finance",)),
        ("role", ("clown",)),
        ("roster", ("Support desk",)),
        ("roster", ("none",)),
        ("site_zone", ("Mill Lane",)),
        ("site_zone", ("Moon",)),
        ("entry", ("p001", "Design critique", date(2027, 3, 9))),
        ("entry", ("alias:AL", "Design critique", date(2027, 3, 9))),
        ("entry", ("p001", "Team weekly", date(2027, 3, 16))),
        ("entry", ("p001", "Team weekly", date(2027, 3, 17))),
        ("entry", ("p001", "Nothing", date(2027, 3, 9))),
    ],
)
def test_names(method: str, arguments: tuple[Any, ...]) -> None:
    """They mean what the slow resolver of the tests says."""
    expected = getattr(OfficeResolver(office()), method)(*arguments)

    assert expected == getattr(RESOLVER, method)(*arguments)


def test_meetings_are_learned() -> None:
    """A name is known from the threads that speak of its meeting on, or from the definition of an alias."""
    one = small_instance()
    bare = WorldResolver(office().model_copy(update={"pages": ()}))
    resolver = bare.knowing(one.threads, ())

    assert None is bare.meeting(REVIEW)
    assert REVIEW == resolver.meeting(f"the {REVIEW}")
    assert REVIEW == RESOLVER.meeting(f"the {REVIEW}")
    assert "alias:CPR" == RESOLVER.meeting("CPR")
    assert not bare.names_meeting(f"About the {REVIEW}: all is well.")
    assert resolver.names_meeting(f"About the {REVIEW.upper()}: all is well.")
    assert RESOLVER.names_meeting("The cpr is near.")


def test_meetings_in_a_tag() -> None:
    """What a tag is about, and every meeting that its statement refers to; aliases are no names."""
    tags = (
        Said(about=PLAN, statement=Agenda(meetings=MEETINGS[:2])),
        Said(about="alias:CPR", statement=AfterMeeting(meeting=MEETINGS[2])),
        Said(about=PLAN, statement=Invited(invitations=(SamePeople(meeting=MEETINGS[3]),))),
        Agreed(about=MEETINGS[4], message=0),
    )

    assert [{PLAN, *MEETINGS[:2]}, {MEETINGS[2]}, {PLAN, MEETINGS[3]}, {MEETINGS[4]}] == [
        set(meetings_in(tag)) for tag in tags
    ]


def test_honest_texts() -> None:
    """A thread, a page and a section that say what their tags say are read without an error."""
    one = small_instance()
    resolver = setting().resolver.knowing(one.threads, ())
    for thread in one.threads:
        check_thread(thread, resolver)
    for page in setting().office.pages:
        check_page(page, resolver)
    check_section(section(POLICY, setting().office, stream(1, "section")), resolver)


def forged_thread() -> None:
    thread = small_instance().threads[0]
    message = thread.messages[0].model_copy(update={"tags": ()})
    check_thread(thread.model_copy(update={"messages": (message,)}), setting().resolver.knowing((thread,), ()))


def vague_thread() -> None:
    thread = small_instance().threads[0]
    message = thread.messages[0].model_copy(update={"text": f"About the {REVIEW}: it must somehow be shorter."})
    check_thread(thread.model_copy(update={"messages": (message,)}), setting().resolver.knowing((thread,), ()))


def forged_page() -> None:
    page = setting().office.pages[0]
    check_page(page.model_copy(update={"facts": ()}), setting().resolver)


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (forged_thread, "thread:T0001: a message states something else: "),
        (vague_thread, "thread:T0001: "),
        (forged_page, "glossary:G0: it states something else: "),
    ],
)
def test_forged_texts(read: Callable[[], None], expected: str) -> None:
    """The record is named."""
    with pytest.raises(UnreadableTextError) as caught:
        read()

    assert str(caught.value).startswith(expected)


def test_a_section_of_another_edition() -> None:
    """The heading that a reader sees gives the edition, so that only the rules can differ."""
    written = section(POLICY, setting().office, stream(1, "section"))
    other = POLICY.model_copy(update={"rules": (BufferMin(minutes=20),)})

    with pytest.raises(UnreadableTextError, match="policy:POL-07@2: its section states something else"):
        check_section(written.model_copy(update={"policy": other}), setting().resolver)
