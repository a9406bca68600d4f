"""How the world changes while an agent works: an edit after which the gold is another one."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from math import ceil
from random import Random
from typing import Final, Literal

from mpcbench.generate.level4.naming import PAGES, event_id, notice_id, page_id
from mpcbench.generate.level4.sampling.script import Tagged
from mpcbench.generate.level4.sampling.setting import Setting
from mpcbench.generate.level4.sampling.terms import Outline
from mpcbench.generate.level4.world.calendars import ABSENCES
from mpcbench.generate.level4.world.sites import SATURDAY, TODAY, moment
from mpcbench.generate.wording.vocabulary import BOOKING_TITLES, TEAM_EVENT_TITLES
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.level4.solve import Pick
from mpcbench.schema import BanWindow, Duration, Equipment, NotBefore, Site, TieBreak, TieBreakKey
from mpcbench.schema.level4.calendar import Entry, Frequency, Recurrence, Status
from mpcbench.schema.level4.facts import Effect, Notice, RoomClosed, SiteClosed
from mpcbench.schema.level4.instance import BookingChanged, Change, Edit, EntryChanged, MessageSent, PagePosted
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.statements import DailyLimit, LadderStatement, Organiser, Said
from mpcbench.schema.level4.world import LadderCollection, LadderMessage, LadderPage

EditKind = Literal["message_sent", "page_posted", "entry_changed", "booking_changed"]

MESSAGE: Final = "message_sent"
KINDS: Final[tuple[EditKind, ...]] = (MESSAGE, "page_posted", "entry_changed", "booking_changed")
PLAN_KINDS: Final = KINDS[:-1]
"""For plans, in which one room seldom has most of the meetings."""

LAST_MESSAGE: Final = moment(TODAY, 17 * 60)
"""Before this everything has been sent that does not change while the agent works."""

_LONG: Final = (timedelta(hours=2), timedelta(hours=3), timedelta(hours=4))
"""How long somebody is not free each day."""

_LEAST: Final = 0.5
"""At least so much of the gold is to be put off, however much may be found by who knows of no change."""

_WEEK: Final = timedelta(weeks=1)

_NOW: Final = moment(TODAY, 17 * 60 + 45)


class Altering:
    """Proposes edits that put off most of the gold of an instance, all of one kind."""

    def __init__(
        self,
        setting: Setting,
        seed: int,
        place: int,
        mechanisms: frozenset[Mechanism],
        told: Tagged,
        outline: Outline,
        found: float,
        rng: Random,
    ) -> None:
        self.setting = setting
        self.mechanisms = mechanisms
        self.seed = seed
        self.place = place
        self.told = told
        self.outline = outline
        self.share = max(1 - found, _LEAST)
        """How much of the gold is to be put off."""

        self.rng = rng

    def edits(self, kind: EditKind, gold: tuple[Pick, ...]) -> Iterator[Tagged]:
        """What is told, each time with another edit, without end; without any if there is none of the kind."""
        proposals: dict[EditKind, Callable[[tuple[Pick, ...]], Edit | None]] = {
            "message_sent": self._message,
            "page_posted": self._page,
            "entry_changed": self._entry,
            "booking_changed": self._booking,
        }
        while (edit := proposals[kind](gold)) is not None:
            yield replace(self.told, change=Change(when_shown=("site:pending",), edit=edit))

    def _days(self, gold: tuple[Pick, ...]) -> list[date]:
        """The days of the candidates, in order."""
        return sorted({to_datetime(pick.start, self.setting.known.zone).date() for pick in gold})

    def _first_days(self, gold: tuple[Pick, ...]) -> tuple[datetime, datetime]:
        """From the day of the first candidate to that of a later one, among as many as are to be put off."""
        days = sorted(to_datetime(pick.start, self.setting.known.zone).date() for pick in gold)
        last = self.rng.choice(days[: ceil(self.share * len(days))])
        return moment(days[0], self.rng.choice((0, 0, 8 * 60))), moment(last, 20 * 60)

    def _entry(self, gold: tuple[Pick, ...]) -> Edit | None:
        """Somebody who is in as many meetings as anybody else will be away, or busy at one time of every working day."""
        rng = self.rng
        needed = Counter(one for terms in self.outline.meetings for one in terms.plainly_required)
        most = sorted(one for one, count in needed.items() if count == max(needed.values()))
        if not most:
            return None
        person = rng.choice(most)
        site = self.setting.known.people[person].site
        zone = next(one.zone for one in self.setting.office.sites if one.site == site)
        name = event_id(self.seed, self.place)
        if rng.random() < 0.5:
            first, last = (one.date() for one in self._first_days(gold))
            away = moment(first, 0, zone), moment(last + timedelta(days=1), 0, zone)
            entry = Entry(name, rng.choice(ABSENCES), *away, Status.OUT_OF_OFFICE)
        else:
            starts = [to_datetime(pick.start, zone) for pick in gold]
            hour = rng.choice(starts).hour
            day = min(starts).date()
            day += timedelta(days=-day.weekday() % 7 if day.weekday() >= SATURDAY else 0)
            first = moment(day, 60 * hour, zone)
            rule = Recurrence(
                timezone=str(zone),
                frequency=Frequency.WEEKLY,
                weekdays=tuple(range(SATURDAY)),
                until=(first + timedelta(weeks=rng.choice((2, 4, 6)))).date(),
            )
            entry = Entry(name, rng.choice(TEAM_EVENT_TITLES), first, first + rng.choice(_LONG), recurrence=rule)
        return EntryChanged(person_id=person, entry=entry)

    def _booking(self, gold: tuple[Pick, ...]) -> Edit | None:
        """The room of most candidates is taken for all of their days."""
        room, count = Counter(pick.room_id for pick in gold).most_common(1)[0]
        if count < self.share * len(gold):
            return None
        days = self._days(gold)
        start, end = moment(days[0], 8 * 60), moment(days[-1], self.rng.choice((18, 20)) * 60)
        entry = Entry(event_id(self.seed, self.place), self.rng.choice(BOOKING_TITLES), start, end)
        return BookingChanged(room_id=room, entry=entry)

    def _message(self, gold: tuple[Pick, ...]) -> Edit | None:
        """The organiser changes what was asked for, in the first thread about the meeting or plan."""
        name = self.outline.name
        for thread in self.told.threads:
            first = thread.messages[0]
            said = [tag for tag in first.tags if isinstance(tag, Said)]
            if any(isinstance(one.statement, Organiser) for one in said) and said[0].about == name:
                tag = Said(about=name, statement=self.rng.choice(list(self._orders(gold))))
                message = LadderMessage(sent=_NOW, author=first.author, text="", tags=(tag,))
                return MessageSent(thread_id=thread.thread_id, message=message)
        return None

    def _orders(self, gold: tuple[Pick, ...]) -> Iterator[LadderStatement]:
        """What may be asked for besides, or in the place of something else."""
        rng, window = self.rng, self.outline.window
        start, end = self._first_days(gold)
        yield BanWindow(start=start, end=end)
        yield NotBefore(at=moment(end.date(), rng.choice((13, 14, 15)) * 60))
        yield TieBreak(keys=(rng.choice(tuple(TieBreakKey)),))
        yield Equipment(items=(rng.choice(self.setting.items),))
        if Mechanism.ZONES in self.mechanisms:
            yield Site(site=rng.choice(list(self.setting.people_at)))
        off, period = end.date() - start.date() + timedelta(days=1), self.setting.office.period
        later = {"start": moment(window.start.date() + off, 0), "end": moment(window.end.date() + off, 0)}
        if later["end"] <= period.end:
            yield window.model_copy(update=later)
        earlier = moment(window.start.date() - _WEEK, 0)
        if earlier >= period.start:
            yield window.model_copy(update={"start": earlier})
        if self.outline.limit is not None:
            yield DailyLimit(count=self.outline.limit + 1)
        else:
            yield Duration(minutes=self.outline.meetings[0].duration + rng.choice((15, 30)))

    def _page(self, gold: tuple[Pick, ...]) -> Edit | None:
        """News that the site of most candidates is closed on the first days, or that some of their rooms are on all."""
        rng = self.rng
        rooms = Counter(pick.room_id for pick in gold)
        sites = Counter(self.setting.office.room_by_id[pick.room_id].site for pick in gold)
        start, end = self._first_days(gold)
        effects: tuple[Effect, ...] = (SiteClosed(site=sites.most_common(1)[0][0], start=start, end=end),)
        if rng.random() < 0.7:
            end = moment(self._days(gold)[-1], 20 * 60)
            closed = [room for room, _ in rooms.most_common(rng.choice((1, 2, 3)))]
            effects = tuple(RoomClosed(room_id=room, start=start, end=end) for room in closed)
        collection = LadderCollection.SITE_NEWS
        notice = Notice(notice_id=notice_id(self.seed, PAGES * self.place), effects=effects)
        name = page_id(self.seed, collection, PAGES * self.place)
        return PagePosted(
            page=LadderPage(page_id=name, collection=collection, title="", text="", posted=_NOW, facts=(notice,))
        )
