"""Pages of the intranet that state nothing that a meeting depends on, though careless readers may obey some of them."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from random import Random
from typing import Final

from mpcbench.generate.level4.world.news import Desk
from mpcbench.generate.level4.world.people import Staff
from mpcbench.generate.level4.world.sites import OFFICES, TODAY
from mpcbench.generate.wording.meeting_names import KINDS, PROJECTS
from mpcbench.generate.wording.pages import ANNOUNCEMENTS, CITIES, KIND_PAGES, NEWS, PROJECT_PAGES, TRADES, WIKI
from mpcbench.generate.wording.values import DATED_STYLES, WEEKDAYS, day
from mpcbench.generate.wording.vocabulary import COMPANIES, FIRST_NAMES, LAST_NAMES
from mpcbench.schema.level4.world import LadderCollection, LadderPage

_TIMES: Final = ("7:30", "8:00", "9:15", "10:00", "11:30", "13:00", "14:15", "15:30", "16:00", "17:45", "18:30")
_LENGTHS: Final = (15, 30, 45, 60, 75, 90)
_PROJECT_PAGES, _KIND_PAGES, _DESKS, _NEWSLETTERS = 40, 12, 30, 10
_LEFT_OUT: Final = ("Trial of", "Standard length", "Old rumours", "Emergency numbers")
"""How texts begin that would speak against rules of this level, or be taken for news about a duty."""

_TERMS: Final = (
    ("Agenda", "What a meeting is about, sent round before it takes place."),
    ("Buffer", "A pause between two appointments. How long it has to be, this glossary does not say."),
    ("Core team", "Those who work on a project for most of their time; the word has no meaning in any rule."),
    ("Dry run", "A rehearsal before an audience of colleagues."),
    ("Focus time", "Hours without calls. Which ones they are is ruled elsewhere."),
    ("Guest", "Somebody from outside the organisation who is invited to a meeting."),
    ("Hot desk", "A desk that nobody owns; it can be reserved for a day."),
    ("Huddle", "A short meeting, traditionally held standing."),
    ("Kick-off", "The first meeting of a project, and the first message about a meeting."),
    ("Minutes", "What was decided in a meeting, in writing; and sixty of them are an hour."),
    ("Retrospective", "A look back at how the work was done rather than at what was done."),
    ("Round table", "A meeting without a chair. The tables are in fact rectangular."),
    ("Stand-in", "Somebody who takes part if somebody else cannot."),
    ("Time boxing", "Setting an end before the start."),
    ("Walkthrough", "Reading something together, page by page."),
)


def plain_pages(people: Staff, desk: Desk, rng: Random) -> Iterator[LadderPage]:
    """The pages of every collection that state no fact."""
    for collection, write in _WRITERS.items():
        for title, text in write(people, rng):
            yield LadderPage(
                page_id=desk.page_id(collection),
                collection=collection,
                title=title,
                text=text,
                posted=desk.moment(),
            )


_Writer = Callable[[Staff, Random], Iterator[tuple[str, str]]]


def _wiki(people: Staff, rng: Random) -> Iterator[tuple[str, str]]:
    for title, text in (*(one for one in WIKI if not one[0].startswith(_LEFT_OUT)), *_habits(rng)):
        author = rng.choice(people.people)
        yield title, f"{_filled(text, people, rng)}\n\nLast edited by {author.name}."


def _habits(rng: Random) -> Iterator[tuple[str, str]]:
    for project in rng.sample(PROJECTS, _PROJECT_PAGES):
        yield f"Project {project}", rng.choice(PROJECT_PAGES).replace("{project}", project)
    for kind in rng.sample(KINDS, _KIND_PAGES):
        named = f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
        text = rng.choice(KIND_PAGES).replace("{kind}", named).replace("{Kind}", named.capitalize())
        yield f"Holding {named}", text


def _announcements(people: Staff, rng: Random) -> Iterator[tuple[str, str]]:
    for title, text in (one for one in ANNOUNCEMENTS if not one[0].startswith(_LEFT_OUT)):
        whole = _filled(f"{title}\n{text}", people, rng)  # weekday and length are the same in title and text
        yield whole.partition("\n")[0], whole.partition("\n")[2]


def _newsletters(people: Staff, rng: Random) -> Iterator[tuple[str, str]]:
    news = [item for item in NEWS if not item.startswith(_LEFT_OUT)]
    for number in range(_NEWSLETTERS, 0, -1):
        issued = TODAY - timedelta(days=7 * number)
        items = [_filled(item, people, rng) for item in rng.sample(news, 4)]
        portrait = rng.choice(people.people)
        items.append(f"Five questions for {portrait.name}, {portrait.title} at {portrait.site}: see the back page.")
        yield f"Newsletter of {day(issued, DATED_STYLES[0])}", "\n\n".join(items)


def _contacts(people: Staff, rng: Random) -> Iterator[tuple[str, str]]:
    own = {person.name for person in people.people}
    for company in COMPANIES:
        name = rng.choice(people.people).name
        if rng.random() < 0.7:
            name = f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}"
        shared = " Shares a name with a colleague of ours but works for another company." if name in own else ""
        hours = f"{rng.choice(_TIMES[:4])} to {rng.choice(_TIMES[-4:])}"
        text = f"{name}, {rng.choice(TRADES)} at {company}.{shared} Can be reached from {hours}, {rng.choice(CITIES)} time."
        yield f"{name} ({company})", text


def _desks(_: Staff, rng: Random) -> Iterator[tuple[str, str]]:
    for number in range(1, _DESKS + 1):
        site, floor = rng.choice(OFFICES).site, rng.randint(0, 4)
        text = (
            f"Desk for one person, {site}, floor {floor}. Not a meeting room. Equipment: "
            f"{rng.choice(('one screen', 'two screens', 'standing desk, one screen', 'docking station'))}. "
            f"Taken on {WEEKDAYS[rng.randrange(5)]}s from {rng.choice(_TIMES[:5])} to {rng.choice(_TIMES[-5:])}."
        )
        yield f"Desk D{number:02} at {site}", text


def _glossary(_: Staff, __: Random) -> Iterator[tuple[str, str]]:
    yield from _TERMS


def _filled(text: str, people: Staff, rng: Random) -> str:
    moments = TODAY - timedelta(days=rng.randint(0, 80))
    return text.format(
        time=rng.choice(_TIMES[:-3]),
        later=rng.choice(_TIMES[-3:]),
        day=day(moments, rng.choice(DATED_STYLES)),
        weekday=WEEKDAYS[rng.randrange(5)],
        number=rng.randint(3, 12),
        length=rng.choice(_LENGTHS),
        project=rng.choice(PROJECTS),
        minutes=rng.randrange(10, 65, 5),
        team=rng.choice(people.line_teams).name,
        company=rng.choice(COMPANIES),
        city=rng.choice(CITIES),
    )


_WRITERS: Final[dict[LadderCollection, _Writer]] = {
    LadderCollection.ANNOUNCEMENT: _announcements,
    LadderCollection.CONTACT: _contacts,
    LadderCollection.DESK: _desks,
    LadderCollection.GLOSSARY: _glossary,
    LadderCollection.NEWSLETTER: _newsletters,
    LadderCollection.WIKI: _wiki,
}
