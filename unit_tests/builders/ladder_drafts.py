"""A small instance of level 4 in words, whose gold can be worked out by hand.

The Curlew pricing review takes an hour on 9 March 2027 between 09:00 and 15:00 in Berlin. Ada is busy until 10:00 and Ines
from 12:00 to 12:30, the only room at Harbour House is booked from 10:00 to 10:30, and a second thread, which calls the
meeting CPR, rules out 11:00 to 12:00. So the three options begin at 12:30, 12:45 and 13:00.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from random import Random
from typing import Any, NamedTuple

from mpcbench.generate.level4.setting import OfficeSetting
from mpcbench.generate.level4.wording.drafts import word
from mpcbench.generate.level4.wording.names import Names
from mpcbench.generate.level4.wording.pages import page
from mpcbench.schema import BanWindow, Duration, OptionCount, Site, Window
from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.instance import Change, LadderInstance, LadderReferences, MessageSent
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.people import Named, Required
from mpcbench.schema.level4.statements import Invited, Organiser, Said
from mpcbench.schema.level4.world import (
    Bookings,
    LadderMessage,
    LadderPage,
    LadderThread,
    LadderWorld,
    PersonalCalendar,
)
from mpcbench.schema.statements import DailyHours
from unit_tests.builders.ladder_spoken import MEETINGS, TODAY, ZONE, office

REVIEW = MEETINGS[0]


def at(time: str) -> datetime:
    """A time of 9 March in Berlin."""
    return datetime.fromisoformat(f"2027-03-09T{time}:00").replace(tzinfo=ZONE)


def _busy(event_id: str, start: str, end: str) -> tuple[Entry, ...]:
    return (Entry(event_id, "Design critique", at(start), at(end)),)


@cache
def setting() -> OfficeSetting:
    """The office without what the instance adds."""
    calendars = {"p001": _busy("e1", "09:00", "10:00"), "p003": _busy("e2", "12:00", "12:30")}
    small = office().model_copy(
        update={
            "today": TODAY + timedelta(days=1),
            "calendars": tuple(PersonalCalendar(person_id=one, entries=some) for one, some in calendars.items()),
            "room_calendars": (Bookings(room_id="R00", entries=_busy("e3", "10:00", "10:30")),),
        }
    )
    pages = tuple(
        page(one.collection, one.page_id, None, one.posted, one.facts, small, Random(place))
        for place, one in enumerate(small.pages)
    )
    return OfficeSetting(LadderWorld.model_validate({**small.model_dump(), "pages": pages}))


@dataclass(frozen=True)
class _Draft:
    subject: str
    task: tuple[Said, ...]
    threads: tuple[LadderThread, ...]
    pages: tuple[LadderPage, ...] = ()
    change: Change | None = None


class SmallInstance(NamedTuple):
    """An instance with the threads and pages that it adds."""

    instance: LadderInstance
    threads: tuple[LadderThread, ...]
    pages: tuple[LadderPage, ...]


def small_instance(number: int = 0, *, later: Any = None) -> SmallInstance:
    """The instance; `later` is a statement of Ada's that is made while the agent works."""

    def message(*statements: Any, about: str = REVIEW, minute: int = 0) -> LadderMessage:
        tags = tuple(Said(about=about, statement=one) for one in statements)
        return LadderMessage(sent=TODAY + timedelta(minutes=minute), author="p001", text="", tags=tags)

    def thread(place: int, one: LadderMessage) -> LadderThread:
        return LadderThread(thread_id=f"T{10 * number + place:04}", channel="general", messages=(one,))

    invited = Invited(invitations=tuple(Required(who=Named(person=one)) for one in ("p001", "p003")))
    threads = (
        thread(1, message(Organiser(person="p001"), Duration(minutes=60), invited, Site(site="Harbour House"))),
        thread(
            2,
            message(BanWindow(start=at("11:00"), end=at("12:00")), about="alias:CPR", minute=5),
        ),
    )
    task = (
        Said(about=REVIEW, statement=OptionCount(count=3)),
        Said(
            about=REVIEW,
            statement=Window(
                start=at("00:00"), end=at("00:00") + timedelta(days=1), daily=DailyHours(start="09:00", end="15:00")
            ),
        ),
    )
    change = None
    if later is not None:
        edit = MessageSent(thread_id=threads[0].thread_id, message=message(later, minute=30))
        records = (f"thread:{threads[0].thread_id}", "calendar:p001")
        change = Change(when_shown=records, edit=edit)
    written = word(_Draft(REVIEW, task, threads, (), change), Names(setting().office), Random(number))
    mechanisms = (Mechanism.ALIAS,) if later is None else (Mechanism.ALIAS, Mechanism.CHANGES)
    instance = LadderInstance(
        generator_version="1",
        seed=1,
        instance_id=f"level4-{number:03}",
        rung=1,
        mechanisms=mechanisms,
        subject=REVIEW,
        task=written.task,
        references=LadderReferences(statements=task),
        change=written.change,
    )
    return SmallInstance(instance, written.threads, written.pages)
