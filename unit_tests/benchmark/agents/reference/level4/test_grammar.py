"""The grammar of level 4 reads texts that were written by hand, and refuses what it cannot tell."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from mpcbench.benchmark.agents.reference.level4.grammar_fact import read_page
from mpcbench.benchmark.agents.reference.level4.grammar_policy import read_section
from mpcbench.benchmark.agents.reference.level4.grammar_task import read_task
from mpcbench.benchmark.agents.reference.level4.grammar_thread import read_thread
from mpcbench.benchmark.agents.reference.level4.phrases import UnreadableError
from mpcbench.benchmark.agents.reference.level4.resolver import Message
from mpcbench.schema import BufferMin, Deadline, Duration, Guests, LunchBlock, OptionCount
from mpcbench.schema.level4.facts import Definition, Handover, Notice, RoomClosed, SiteClosed, Swap
from mpcbench.schema.level4.people import AtLeast, Holder, MembersOf, Named, Optional, Required, StandIn
from mpcbench.schema.level4.policy import Exemption, HolidaysBlock, Policy, Scope
from mpcbench.schema.level4.statements import Agreed, Declined, DurationOf, Invited, Organiser, Said
from mpcbench.schema.level4.world import Tag
from unit_tests.builders.ladder_spoken import ALIASES, MEETINGS, TODAY, OfficeResolver, office

RESOLVER = OfficeResolver(office())
REVIEW, HERON = MEETINGS[0], MEETINGS[1]
ADA, BEN, INES = "p001", "p002", "p003"


def read(*texts: str | tuple[str, str]) -> tuple[tuple[Tag, ...], ...]:
    """The tags of messages a minute apart from 09:00 (Berlin) on 1 March, by Ada unless the author is given."""
    messages = []
    for place, one in enumerate(texts):
        author, text = (ADA, one) if isinstance(one, str) else one
        messages.append(Message(author, datetime(2027, 3, 1, 8, tzinfo=UTC) + timedelta(minutes=place), text))
    return read_thread(messages, RESOLVER)


def length(minutes: int, about: str = REVIEW) -> Said:
    return Said(about=about, statement=Duration(minutes=minutes))


def test_a_thread_of_a_meeting() -> None:
    """What is said in turn is about the meeting last named, by its name, by an alias, or by a quote."""
    tags = read(
        "I'm organising the Curlew pricing review. What a week. Let's plan 45 minutes for it.",
        (BEN, "Could we make it an hour long?"),
        (INES, "CPR: I'd suggest that we make it half an hour long."),
        "> Could we make it an hour long?\nAgreed, let's do that.",
        "CPR: I'd rather not, Ines Costa.",
        "About the Dutch thing: it lasts as long as the Curlew pricing review.",
    )

    assert tags == (
        (Said(about=REVIEW, statement=Organiser(person=ADA)), length(45)),
        (length(60),),
        (length(30, "alias:CPR"),),
        (Agreed(about=REVIEW, message=1),),
        (Declined(about="alias:CPR", message=2),),
        (Said(about="alias:the Dutch thing", statement=DurationOf(meeting=REVIEW)),),
    )


def test_the_message_that_is_meant() -> None:
    """Of several messages by one person, the time tells which one is meant."""
    first, second = "The Curlew pricing review takes an hour.", "Could we make it 2 hours long?"
    tags = read((BEN, first), (BEN, second), "Let's do what Ben Okafor proposed on Monday 1 March at 9:01.")

    assert tags[2] == (Agreed(about=REVIEW, message=1),)


def test_who_is_invited() -> None:
    """People come by name, by role and in numbers."""
    (tags,) = read(
        "The participants of the Curlew pricing review are me; the head of Finance (optional); either Ines Costa or the"
        " Captain; Sam Carter (Finance) or, failing that, everybody in the Growth team except contractors."
    )
    team = MembersOf(team="alias:Growth", contractors=False)
    expected = Invited(
        invitations=(
            Required(who=Named(person=ADA)),
            Optional(who=Holder(role="ROLE-01")),
            AtLeast(count=1, of=(Named(person=INES), Named(person="alias:the Captain"))),
            StandIn(who=Named(person="p004"), stand_in=team),
        )
    )

    assert tags == (Said(about=REVIEW, statement=expected),)


def test_local_times() -> None:
    """A time that is local to a site is not one of the world's zone."""
    (tags,) = read("The Curlew pricing review must be over by noon on Friday 12 March (local time at North Campus).")

    assert tags == (Said(about=REVIEW, statement=Deadline(at=datetime(2027, 3, 12, 17, tzinfo=UTC))),)


def test_threads_about_no_meeting() -> None:
    """What is said where no meeting is named states nothing, unless it is a fact."""
    tags = read(
        "The canteen has lentils today, I'm going at 12:15. We need 20 seats!",
        "On 15 March 2027, Ben Okafor is on duty on the Support desk roster.",
    )
    day = date(2027, 3, 15)

    assert tags == ((), (Swap(roster="RST-01", first=day, last=day, person_id=BEN),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("The Curlew pricing review takes a while.", "cannot tell what is meant: 'The Curlew pricing review takes"),
        ("Curlew pricing review: the room must smell nice.", "'Curlew pricing review: the room must smell nice.'"),
        ("The Curlew pricing review takes 50 minutes.", "not a valid statement"),
        ("I'm organising CPR. Also invite Nobody Known to it.", "'Also invite Nobody Known to it.'"),
        ("I'm organising CPR. The room for it must be at Atlantis.", "be at Atlantis"),
        ("I'm organising CPR. It must be over by Friday 11 March at noon.", "is not a Fri"),
        ("I'm organising CPR. It can only start once the 'Lunch' of Ada Larsen on 9 March is over.", "'Lunch'"),
        (
            "The room for CPR needs the same equipment as the one for the Albatross sync.",
            "as the one for the Albatross",
        ),
        ("I'm organising CPR. Agreed.", "cannot tell which message is meant"),
        ("I'm organising CPR. Agreed, Ines Costa.", "0 earlier messages can be meant"),
        ("> Nobody said this.\nAgreed.", "0 earlier messages hold what is quoted"),
        ("Let's plan 45 minutes for it.", "cannot tell which meeting is meant"),
        (
            "This is about the Albatross budget sync. Let's plan 45 minutes for it.",
            "cannot tell which meeting is meant",
        ),
    ],
)
def test_unreadable_messages(text: str, message: str) -> None:
    """A sentence that cannot be read is quoted in the error."""
    with pytest.raises(UnreadableError, match=message):
        read(text)


def test_a_doubt_about_the_meeting() -> None:
    """After a sentence that names two meetings, the next one has to name its own."""
    with pytest.raises(UnreadableError, match=r"cannot tell which meeting is meant: .Let's plan"):
        read("The Curlew pricing review lasts as long as the Dutch thing. Let's plan 45 minutes for it.")


def test_a_section() -> None:
    """A section states its days, its scope, its rules and its exceptions; prose besides states nothing."""
    text = (
        "In force from 15 March 2027 on. This section applies to meetings with guests from outside and whose room is at"
        " Mill Lane or Harbour House and that last longer than 45 minutes. Too many people used to eat at their desks between"
        " two calls; this section gives the middle of the day back to them. Lunch is protected: on Mondays, no meeting"
        " takes place from 12:00 to 13:00, not even in part. Meetings keep off the public holidays of every participant's"
        " country. POL-09 does not apply to meetings whose organiser is in the Finance team or the Platform team."
    )
    expected = Policy(
        policy_id="POL-04",
        edition=2,
        first=date(2027, 3, 15),
        scope=Scope(guests=True, room_sites=("Mill Lane", "Harbour House"), longer_than=45),
        rules=(LunchBlock(start="12:00", end="13:00", days=(0,)), HolidaysBlock()),
        exemptions=(Exemption(policy_id="POL-09", when=Scope(organiser_teams=("TEAM-02", "TEAM-01"))),),
    )

    assert expected == read_section("POL-04, edition 2: Midday break", text, RESOLVER)


def test_a_section_with_what_it_does_not_concern() -> None:
    """Times that do not concern meetings are no rule."""
    text = (
        "It applies to all meetings. Laboratory shifts have a handover of 40 minutes, which is regulated elsewhere and does"
        " not concern meetings. Leave no less than 15 minutes on either side between the meeting and everything else in"
        " the participants' calendars."
    )
    read_policy = read_section("POL-04, edition 1: Pauses", text, RESOLVER)

    assert (BufferMin(minutes=15),) == read_policy.rules


@pytest.mark.parametrize(
    ("heading", "text", "message"),
    [
        ("Lunch", "It applies to all meetings.", "the heading names no policy and edition: 'Lunch'"),
        ("POL-04, edition 1: X", "It applies to meetings on rainy days.", "which meetings are meant"),
        ("POL-04, edition 1: X", "It applies to meetings that take place at Atlantis.", "what 'Atlantis' means"),
        ("POL-04, edition 1: X", "POL-05 does not apply on Sundays.", "'POL-05 does not apply on Sundays.'"),
        ("POL-04, edition 1: X", "It applies to all meetings. It applies to all meetings.", "states its scope twice"),
        ("POL-04, edition 1: X", "Meetings end at 12:30 on a whim.", "'Meetings end at 12:30 on a whim.'"),
    ],
)
def test_unreadable_sections(heading: str, text: str, message: str) -> None:
    """What cannot be read in a section is quoted in the error."""
    with pytest.raises(UnreadableError, match=message):
        read_section(heading, text, RESOLVER)


def test_a_page() -> None:
    """A page states facts; the parts of a notice belong together."""
    text = (
        "Dear colleagues, a short piece of news. Notice N017: room Elm (R01) is closed on Tuesday 9 March 2027 between 9:00"
        " and 12:00. From 15 March 2027 on, Ines Costa is head of Finance. Under notice N017, all rooms at North Campus are"
        " closed on Sunday 7 March 2027 (at any time of the day) (local time at North Campus). Notice N017 replaces notice"
        ' N004. "Tulip" means the Heron supplier deep dive. "TLP" stands for "Tulip".'
    )
    expected: tuple[Any, ...] = (
        Notice(
            notice_id="N017",
            effects=(
                RoomClosed(
                    start=datetime(2027, 3, 9, 8, tzinfo=UTC), end=datetime(2027, 3, 9, 11, tzinfo=UTC), room_id="R01"
                ),
                SiteClosed(
                    start=datetime(2027, 3, 7, 5, tzinfo=UTC),
                    end=datetime(2027, 3, 8, 5, tzinfo=UTC),
                    site="North Campus",
                ),
            ),
            replaces="N004",
        ),
        Handover(role="ROLE-01", person_id=INES, since=date(2027, 3, 15)),
        Definition(alias="Tulip", means=HERON),
        Definition(alias="TLP", means="alias:Tulip"),
    )

    assert expected == read_page("News", text, RESOLVER)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Notice N017: the sky is closed on 9 March 2027 (at any hour).",
            "the page 'News' cannot be read: 'Notice N017",
        ),
        ("Ines Costa takes over as king on 9 March 2027.", "takes over as king"),
        ("From 9 March on, Ines Costa reports to Ada Larsen.", "'From 9 March on, Ines"),
    ],
)
def test_unreadable_pages(text: str, message: str) -> None:
    """What cannot be read on a page is quoted in the error."""
    with pytest.raises(UnreadableError, match=message):
        read_page("News", text, RESOLVER)


def test_a_task() -> None:
    """A task names its subject and may say more; added paragraphs are ignored."""
    text = (
        "Please find three options for the Dutch thing. Please note that it has no guests from outside.\n\nHint: look."
    )
    about = "alias:the Dutch thing"

    assert read_task(text, RESOLVER) == (
        about,
        (Said(about=about, statement=OptionCount(count=3)), Said(about=about, statement=Guests(count=0))),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Please find three options for lunch.", "cannot tell what is to be scheduled: 'Please find three options for"),
        ("Please find the options for CPR. Be quick.", "cannot tell what is meant: 'Be quick.'"),
        ("Please find the options for CPR. It must be over by 9 March at noon.", "no year"),
    ],
)
def test_unreadable_tasks(text: str, message: str) -> None:
    """What cannot be read in a task is quoted in the error."""
    with pytest.raises(UnreadableError, match=message):
        read_task(text, RESOLVER)


def test_news_besides() -> None:
    """Pages and threads that state nothing may name days without their year, and days that do not exist."""
    text = "The lift is repaired from 12 December on. The choir sings on Friday 13 December."

    assert () == read_page("News", text, RESOLVER)
    assert ((),) == read(text)


def test_aliases_of_the_office_are_known() -> None:
    """The resolver of these tests finds aliases, with a capital at the beginning of a sentence, too."""
    assert {f"alias:{alias}" for alias, means in ALIASES.items() if means == HERON} == {
        RESOLVER.meeting("The Dutch thing")
    }
    assert TODAY.date() == date(2027, 3, 1)
