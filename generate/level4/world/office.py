"""The office: everything that the instances of level 4 share."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from mpcbench.generate.level4.naming import OFFICE_NAMES
from mpcbench.generate.level4.world.calendars import personal_calendars, team_calendars
from mpcbench.generate.level4.world.chatter import chatter
from mpcbench.generate.level4.world.documents import documents
from mpcbench.generate.level4.world.names import meeting_names
from mpcbench.generate.level4.world.news import Desk, Posting, aliases, postings
from mpcbench.generate.level4.world.notices import notices
from mpcbench.generate.level4.world.pages import plain_pages
from mpcbench.generate.level4.world.people import staff
from mpcbench.generate.level4.world.policies import guidelines
from mpcbench.generate.level4.world.roles import APPOINTED, Duties, duties
from mpcbench.generate.level4.world.rooms import bookings_of, rooms_of
from mpcbench.generate.level4.world.sites import (
    FIRST_DAY,
    LAST_DAY,
    OFFICES,
    TIMEZONE,
    TODAY,
    holiday_calendars,
    moment,
)
from mpcbench.generate.level4.world.texts import worded
from mpcbench.generate.randomness import stream
from mpcbench.schema import Period
from mpcbench.schema.level4.world import LadderCollection, LadderPage, LadderWorld
from mpcbench.schema.model import MINUTES_PER_DAY
from mpcbench.schema.versions import LADDER_GENERATOR_VERSION

LEVEL: Final = 4


def make_office(seed: int) -> LadderWorld:
    """The world of a seed without the threads and pages of its instances; the same for one seed on every machine."""

    def rng(name: str) -> Random:
        return stream(seed, LEVEL, name)

    people = staff(rng("people"))
    desk = Desk(seed, rng("posting times"))
    appointing = [
        (collection, desk.page_id(collection))
        for collection in (LadderCollection.ANNOUNCEMENT, LadderCollection.WIKI)
        for _ in range(len(APPOINTED) // 2)
    ]
    tasks = duties(people, [f"{collection}:{page_id}" for collection, page_id in appointing], rng("roles"))
    rooms = rooms_of(rng("rooms"))
    office = LadderWorld(
        generator_version=LADDER_GENERATOR_VERSION,
        seed=seed,
        timezone=TIMEZONE,
        today=moment(TODAY, 18 * 60),
        period=Period(start=moment(FIRST_DAY, 0), end=moment(LAST_DAY, MINUTES_PER_DAY)),
        sites=OFFICES,
        holidays=holiday_calendars(),
        people=people.people,
        teams=people.teams,
        roles=tasks.roles,
        rosters=tasks.rosters,
        calendars=personal_calendars(people, rng("calendars")),
        team_calendars=team_calendars(people, rng("team calendars")),
        rooms=rooms,
        room_calendars=bookings_of(rooms, rng("bookings")),
    )
    own = meeting_names(seed)[OFFICE_NAMES:]
    definitions = list(aliases(people, own, rng("aliases")))
    posted = list(postings(definitions, tasks, notices(seed, rooms, rng("notices")), rng("news")))
    pages = [*_pages_with_facts(tasks, appointing, posted, desk), *plain_pages(people, desk, rng("pages"))]
    names = {definition.means: definition.alias for definition in definitions}
    threads = chatter(office, people, names, [one for one in posted if one.collection is None], rng("chatter"))
    return worded(
        office.model_copy(
            update={
                "documents": tuple(documents(guidelines(people, rng("policies")), rng("documents"))),
                "pages": tuple(sorted(pages, key=lambda page: (page.collection, page.page_id))),
                "threads": tuple(sorted(threads, key=lambda thread: thread.thread_id)),
            }
        )
    )


def _pages_with_facts(
    tasks: Duties, appointing: Sequence[tuple[LadderCollection, str]], posted: Sequence[Posting], desk: Desk
) -> Iterator[LadderPage]:
    """The pages that state facts, without text."""
    for collection, name in appointing:
        fact = tasks.appointments[f"{collection}:{name}"]
        yield LadderPage(page_id=name, collection=collection, title="", text="", posted=desk.moment(), facts=(fact,))
    for one in posted:
        if one.collection is not None:
            name = desk.page_id(one.collection)
            yield LadderPage(
                page_id=name, collection=one.collection, title="", text="", posted=one.posted, facts=(one.fact,)
            )
