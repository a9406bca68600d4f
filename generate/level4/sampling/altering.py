"""How the world changes while an agent works: an edit after which the gold is another one."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Final

from mpcbench.generate.level4.naming import PAGES, event_id, notice_id, page_id
from mpcbench.generate.level4.sampling.script import Tagged
from mpcbench.generate.level4.sampling.setting import Setting
from mpcbench.generate.level4.world.sites import TODAY, moment
from mpcbench.generate.wording.vocabulary import BOOKING_TITLES, EVENT_TITLES
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.solve import Pick
from mpcbench.oracle.level4.touched import touched
from mpcbench.schema import BanWindow
from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.facts import Notice, RoomClosed
from mpcbench.schema.level4.instance import BookingChanged, Change, Edit, EntryChanged, MessageSent, PagePosted
from mpcbench.schema.level4.statements import Organiser, Said
from mpcbench.schema.level4.world import LadderCollection, LadderMessage, LadderPage

LAST_MESSAGE: Final = moment(TODAY, 17 * 60)
"""Before this everything has been sent that does not change while the agent works."""

_NOW: Final = moment(TODAY, 17 * 60 + 45)


class Altering:
    """Proposes edits that concern the gold of an instance."""

    def __init__(self, setting: Setting, seed: int, place: int, told: Tagged, rng: Random) -> None:
        self.setting = setting
        self.seed = seed
        self.place = place
        self.told = told
        self.rng = rng

    def edits(self, knowledge: Knowledge, gold: tuple[Pick, ...]) -> Iterator[Tagged]:
        """What is told, each time with another edit, without end."""
        people = sorted(touched(knowledge).people)
        while True:
            pick = self.rng.choice(gold)
            kind = self.rng.choice(("entry", "entry", "booking", "booking", "message", "message", "page"))
            if kind == "entry":
                edit: Edit | None = self._entry(pick, people)
            elif kind == "booking":
                edit = self._booking(pick)
            elif kind == "message":
                edit = self._message(pick)
            else:
                edit = self._page(pick)
            if edit is not None:
                yield replace(self.told, change=Change(when_shown=("site:pending",), edit=edit))

    def _span(self, pick: Pick) -> tuple[datetime, datetime]:
        """About the time of a candidate."""
        first = to_datetime(pick.start, self.setting.known.zone)
        start = moment(first.date(), (first.hour * 60 + first.minute) // 30 * 30)
        return start, start + timedelta(minutes=self.rng.choice((60, 90, 120)))

    def _entry(self, pick: Pick, people: list[str]) -> Edit:
        start, end = self._span(pick)
        entry = Entry(event_id(self.seed, self.place), self.rng.choice(EVENT_TITLES), start, end)
        return EntryChanged(person_id=self.rng.choice(people), entry=entry)

    def _booking(self, pick: Pick) -> Edit:
        start, end = self._span(pick)
        entry = Entry(event_id(self.seed, self.place), self.rng.choice(BOOKING_TITLES), start, end)
        return BookingChanged(room_id=pick.room_id, entry=entry)

    def _message(self, pick: Pick) -> Edit | None:
        """The organiser rules a time out, in a thread about the meeting."""
        for thread in self.told.threads:
            first = thread.messages[0]
            said = [tag for tag in first.tags if isinstance(tag, Said)]
            opens = any(isinstance(one.statement, Organiser) for one in said)
            if said and opens and said[0].about in {pick.meeting, self._name()}:
                start, end = self._span(pick)
                ban = Said(about=said[0].about, statement=BanWindow(start=start, end=end + timedelta(hours=1)))
                message = LadderMessage(sent=_NOW, author=first.author, text="", tags=(ban,))
                return MessageSent(thread_id=thread.thread_id, message=message)
        return None

    def _name(self) -> str:
        """The full name of what is to be planned."""
        means = {fact.alias: fact.means for page in self.told.pages for fact in page.facts if fact.kind == "definition"}
        means |= {
            tag.alias: tag.means
            for thread in self.told.threads
            for message in thread.messages
            for tag in message.tags
            if tag.kind == "definition"
        }
        name = self.told.subject
        while name.startswith("alias:"):
            name = means[name.removeprefix("alias:")]
        return name

    def _page(self, pick: Pick) -> Edit:
        """News that a room is closed on the day."""
        start, end = self._span(pick)
        collection = LadderCollection.SITE_NEWS
        closed = RoomClosed(room_id=pick.room_id, start=start, end=end + timedelta(hours=2))
        notice = Notice(notice_id=notice_id(self.seed, PAGES * self.place), effects=(closed,))
        name = page_id(self.seed, collection, PAGES * self.place)
        return PagePosted(
            page=LadderPage(page_id=name, collection=collection, title="", text="", posted=_NOW, facts=(notice,))
        )
