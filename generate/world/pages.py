"""Decoy pages: wiki, announcements, holidays and the like. None of them affects a meeting."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from random import Random
from types import MappingProxyType
from typing import Final

from mpcbench.generate.wording.meeting_names import KINDS, PROJECTS
from mpcbench.generate.wording.pages import (
    ANNOUNCEMENTS,
    CITIES,
    HOLIDAYS,
    KIND_PAGES,
    LEVEL_2,
    LEVEL_3,
    NEWS,
    PROJECT_PAGES,
    TRADES,
    WIKI,
)
from mpcbench.generate.wording.values import DAY_STYLES, WEEKDAYS, day
from mpcbench.generate.wording.vocabulary import COMPANIES, FIRST_NAMES, LAST_NAMES, SITES, TEAMS
from mpcbench.schema import Collection, Page, Person
from mpcbench.schema.model import Level

_SPRING: Final = date(2027, 1, 4)
_TIMES: Final = ("7:30", "8:00", "9:15", "10:00", "11:30", "13:00", "14:15", "15:30", "16:00", "17:45", "18:30")
_LENGTHS: Final = (15, 30, 45, 60, 75, 90)
_PROJECT_PAGES, _KIND_PAGES = 40, 10


def write_pages(level: Level, people: Sequence[Person], rng: Random) -> tuple[Page, ...]:
    """The decoy pages of a level: none at level 1, three collections at level 2, all but the archive at level 3."""
    collections: Sequence[Collection] = {1: (), 2: LEVEL_2, 3: LEVEL_3}[level]
    return tuple(
        Page(page_id=f"{_PREFIXES[collection]}{number:03d}", collection=collection, title=title, text=text)
        for collection in collections
        for number, (title, text) in enumerate(_WRITERS[collection](people, rng), start=1)
    )


_Writer = Callable[[Sequence[Person], Random], Iterator[tuple[str, str]]]


def _wiki(people: Sequence[Person], rng: Random) -> Iterator[tuple[str, str]]:
    pages = [*WIKI, *_habits(rng)]
    for title, text in rng.sample(pages, len(pages)):
        author = rng.choice(people)
        yield title, f"{_filled(text, rng)}\n\nLast edited by {author.name} ({author.team})."


def _habits(rng: Random) -> Iterator[tuple[str, str]]:
    """Wiki pages that a careless reader would obey."""
    for project in rng.sample(PROJECTS, _PROJECT_PAGES):
        yield f"Project {project}", rng.choice(PROJECT_PAGES).replace("{project}", project)
    for kind in rng.sample(KINDS, _KIND_PAGES):
        named = f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
        text = rng.choice(KIND_PAGES).replace("{kind}", named).replace("{Kind}", named.capitalize())
        yield f"Holding {named}", text


def _announcements(_: Sequence[Person], rng: Random) -> Iterator[tuple[str, str]]:
    for title, text in rng.sample(ANNOUNCEMENTS, len(ANNOUNCEMENTS)):
        # Weekday and length are the same in title and text.
        whole = _filled(f"{title}\n{text}", rng)
        yield whole.partition("\n")[0], whole.partition("\n")[2]


def _newsletters(people: Sequence[Person], rng: Random) -> Iterator[tuple[str, str]]:
    for number in range(1, 15):
        issued = _SPRING + timedelta(days=7 * number)
        items = [_filled(item, rng) for item in rng.sample(NEWS, 4)]
        portrait = rng.choice(people)
        items.append(f"Five questions for {portrait.name}, {portrait.title} in {portrait.team}: see the back page.")
        yield f"Newsletter no. {number} of {day(issued, DAY_STYLES[0])}", "\n\n".join(items)


def _holidays(_: Sequence[Person], rng: Random) -> Iterator[tuple[str, str]]:
    for place, days in HOLIDAYS:
        listed = "\n".join(f"- {day(date(2027, month, number), DAY_STYLES[0])}: {name}" for month, number, name in days)
        note = rng.choice(
            (
                "Offices of ours exist elsewhere only; the list is for planning deliveries.",
                "For information. Nobody in this organisation works there.",
                "Relevant for suppliers based there, not for our own staff.",
            )
        )
        yield f"Public holidays in {place}, spring 2027", f"{listed}\n\n{note}"


def _contacts(people: Sequence[Person], rng: Random) -> Iterator[tuple[str, str]]:
    own = {person.name for person in people}
    for company in COMPANIES:
        # Some external contacts share a name with a colleague, as in life.
        name = rng.choice(people).name if rng.random() < 0.3 else f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}"
        shared = " Shares a name with a colleague of ours but works for another company." if name in own else ""
        hours = f"{rng.choice(_TIMES[:4])} to {rng.choice(_TIMES[-4:])}"
        text = f"External contact. {name}, {rng.choice(TRADES)} at {company}.{shared} Can be reached from {hours}, {rng.choice(CITIES)} time."
        yield f"{name} ({company})", text


def _team_calendars(people: Sequence[Person], rng: Random) -> Iterator[tuple[str, str]]:
    for team in sorted({person.team for person in people}):
        lines = [
            f"- {WEEKDAYS[rng.randrange(5)]} {rng.choice(_TIMES)}: {_filled(entry, rng)}"
            for entry in rng.sample(
                (
                    "open desk",
                    "social hour",
                    "tool hour",
                    "rota handover",
                    "pair programming",
                    "reading hour",
                    "plant watering",
                ),
                4,
            )
        ]
        note = (
            "Optional entries that nobody has to attend. They bind no one and are not part of anybody's own calendar."
        )
        yield f"Team calendar of {team}", "\n".join((note, *lines))


def _desks(_: Sequence[Person], rng: Random) -> Iterator[tuple[str, str]]:
    for number in range(1, 21):
        site, floor = rng.choice(SITES), rng.randint(0, 6)
        text = (
            f"Bookable desk for one person, {site}, floor {floor}. Not a meeting room. Equipment: "
            f"{rng.choice(('one screen', 'two screens', 'standing desk, one screen', 'docking station'))}. "
            f"Reserved on {WEEKDAYS[rng.randrange(5)]}s from {rng.choice(_TIMES[:5])} to {rng.choice(_TIMES[-5:])}."
        )
        yield f"Desk D{number:02d} at {site}", text


def _building_hours(_: Sequence[Person], rng: Random) -> Iterator[tuple[str, str]]:
    for site in SITES:
        for part in ("reception", "garage", "canteen", "gym"):
            opens, closes = rng.choice(_TIMES[:4]), rng.choice(_TIMES[-4:])
            text = (
                f"The {part} is open on working days from {opens} to {closes}. Badge holders can enter the building "
                f"at any time, so meetings are not affected by these hours."
            )
            yield f"Opening hours: {part} at {site}", text


def _filled(text: str, rng: Random) -> str:
    moment = _SPRING + timedelta(days=rng.randint(0, 80))
    return text.format(
        time=rng.choice(_TIMES[:-3]),
        later=rng.choice(_TIMES[-3:]),
        day=day(moment, rng.choice(DAY_STYLES[:4])),
        weekday=WEEKDAYS[rng.randrange(5)],
        number=rng.randint(3, 12),
        length=rng.choice(_LENGTHS),
        project=rng.choice(PROJECTS),
        minutes=rng.randrange(10, 65, 5),
        team=rng.choice(TEAMS),
        company=rng.choice(COMPANIES),
        city=rng.choice(CITIES),
    )


_PREFIXES: Final = MappingProxyType(
    {
        Collection.ANNOUNCEMENT: "A",
        Collection.BUILDING_HOURS: "B",
        Collection.CONTACT: "X",
        Collection.DESK: "D",
        Collection.HOLIDAY: "H",
        Collection.NEWSLETTER: "N",
        Collection.TEAM_CALENDAR: "C",
        Collection.WIKI: "W",
    }
)
_WRITERS: Final[MappingProxyType[Collection, _Writer]] = MappingProxyType(
    {
        Collection.ANNOUNCEMENT: _announcements,
        Collection.BUILDING_HOURS: _building_hours,
        Collection.CONTACT: _contacts,
        Collection.DESK: _desks,
        Collection.HOLIDAY: _holidays,
        Collection.NEWSLETTER: _newsletters,
        Collection.TEAM_CALENDAR: _team_calendars,
        Collection.WIKI: _wiki,
    }
)
