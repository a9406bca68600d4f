"""Instances of level 4 on a made office: its own meetings, plans of new ones, and changes; and episodes on them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache
from random import Random

from mpcbench.benchmark.agents.protocol import Agent, Budget, Task
from mpcbench.benchmark.environment.level4.prompts import is_plan, ladder_prompt
from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.session import LadderToolbox
from mpcbench.evaluation.scoring.ladder_answer import parse_ladder_answer
from mpcbench.generate.level4.naming import thread_id
from mpcbench.generate.level4.wording.drafts import word
from mpcbench.generate.level4.wording.names import Names
from mpcbench.generate.level4.world.names import meeting_names
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.knowledge import Knowledge, known
from mpcbench.oracle.level4.solve import solve
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema import BanWindow, Duration, Window
from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.facts import Notice, RoomClosed
from mpcbench.schema.level4.instance import (
    BookingChanged,
    Change,
    Edit,
    EntryChanged,
    LadderInstance,
    LadderReferences,
    MessageSent,
    PagePosted,
)
from mpcbench.schema.level4.label import LadderCandidate
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.people import Named, Required
from mpcbench.schema.level4.statements import (
    AfterMeeting,
    Agenda,
    DailyLimit,
    Invited,
    LadderStatement,
    Organiser,
    Said,
)
from mpcbench.schema.level4.world import LadderCollection, LadderMessage, LadderPage, LadderThread, LadderWorld
from mpcbench.schema.statements import DailyHours
from unit_tests.builders.made_office import SEED, made_knowledge, made_office

MANY_TURNS = 200


@dataclass(frozen=True)
class Scene:
    """An instance with its world and the gold."""

    records: LadderRecords
    instance: LadderInstance
    knowledge: Knowledge

    @property
    def world(self) -> LadderWorld:
        return self.records.world

    @property
    def gold(self) -> tuple[LadderCandidate, ...]:
        return solve(self.knowledge).gold

    def toolbox(self) -> LadderToolbox:
        return LadderToolbox(self.records, self.instance.change)

    def answer(self, agent: Agent, toolbox: LadderToolbox | None = None) -> tuple[LadderCandidate, ...]:
        """What an agent answers, in the form of the gold."""
        plan = is_plan(self.instance)
        prompt = ladder_prompt(self.world.timezone, plan=plan)
        task = Task(self.instance.instance_id, prompt, self.instance.task[0])
        reply = agent(task, toolbox or self.toolbox(), Budget(MANY_TURNS))
        agenda = [one.meeting or "" for one in self.gold] if plan else ()
        found = parse_ladder_answer(reply.text, self.world.zone, self.world.rooms, agenda)
        return tuple(
            LadderCandidate(start=one.start, end=one.end, room_id=one.room_id or "", meeting=one.meeting)
            for one in found.candidates
        )


@cache
def indexed() -> tuple[LadderRecords, Knowledge]:
    """The made office's records and what is known of it."""
    office = made_office()
    return LadderRecords(office), made_knowledge()


def _instance(name: str, task: tuple[str, str, str], mechanisms: tuple[Mechanism, ...] = ()) -> LadderInstance:
    return LadderInstance(
        generator_version="1",
        seed=SEED,
        instance_id="level4-001",
        rung=1,
        mechanisms=mechanisms,
        subject=name,
        task=task,
        references=LadderReferences(statements=()),
    )


def own_meetings(rng: Random) -> Iterator[Scene]:
    """The office's own meetings that can be placed, in some order."""
    records, base = indexed()
    names = sorted(name for name in base.lines if not name.startswith("alias:"))
    rng.shuffle(names)
    for name in names:
        instance = _instance(name, (f"Please propose the options for the {name}.",) * 3)
        scene = Scene(records, instance, knowledge_of(records.world, instance, base))
        if _is_solved(scene):
            yield scene


def _is_solved(scene: Scene) -> bool:
    try:
        solution = solve(scene.knowledge)
    except UnresolvedError:
        return False
    return len(solution.gold) == solution.wanted


def changed(scene: Scene, change: Change) -> Scene:
    """The scene with a change."""
    instance = scene.instance.model_copy(update={"change": change})
    return replace(scene, instance=instance, knowledge=knowledge_of(scene.world, instance, indexed()[1]))


def plan(rng: Random, meetings: int = 3) -> Scene:
    """A plan of new meetings of people from one site, said in several threads."""
    while True:
        scene = _plan(rng, meetings)
        if _is_solved(scene):
            return scene


def _plan(rng: Random, meetings: int) -> Scene:
    office = made_office()
    names = [str(one.name) for one in meeting_names(SEED)[: meetings + 1]]
    site = rng.choice(office.sites).site
    people = [one.person_id for one in rng.sample([one for one in office.people if one.site == site], 6)]
    subject, *agenda = names
    monday = date(2027, 3, 8) + timedelta(days=7 * rng.randrange(8))
    common: list[LadderStatement] = [
        Organiser(person=people[0]),
        Agenda(meetings=tuple(agenda)),
        DailyLimit(count=1),
        Window(
            start=_moment(office, monday),
            end=_moment(office, monday + timedelta(days=7)),
            daily=DailyHours(start="08:00", end="18:00"),
        ),
    ]
    talks = [[Said(about=subject, statement=one) for one in common]]
    for place, name in enumerate(agenda):
        some = tuple(Required(who=Named(person=one)) for one in rng.sample(people, 3))
        own: list[LadderStatement] = [Duration(minutes=rng.choice((30, 60))), Invited(invitations=some)]
        if place == 0:
            own.append(AfterMeeting(meeting=agenda[-1]))
        talks.append([Said(about=name, statement=one) for one in own])
    sent = datetime(2027, 2, 8, 9, tzinfo=office.zone)
    threads = tuple(
        LadderThread(
            thread_id=thread_id(SEED, place),
            channel="planning",
            messages=(LadderMessage(sent=sent + timedelta(hours=place), author=people[0], text="", tags=tuple(tags)),),
        )
        for place, tags in enumerate(talks)
    )
    draft = _Draft(subject, (), threads, (), None)
    written = word(draft, Names(office), rng)
    update = {"threads": (*office.threads, *written.threads)}
    world = office.model_copy(update=update)
    vars(world).pop("thread_by_id", None)
    instance = _instance(subject, written.task, (Mechanism.JOINT,))
    return Scene(LadderRecords(world), instance, knowledge_of(world, instance, known(world, indexed()[1])))


def _moment(office: LadderWorld, day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=office.zone)


@dataclass(frozen=True)
class _Draft:
    subject: str
    task: tuple[Said, ...]
    threads: tuple[LadderThread, ...]
    pages: tuple[()]
    change: None


def blocked(scene: Scene) -> Iterator[Edit]:
    """Edits of every kind that take the first option away: a duty, a booking, a decision and a notice."""
    gold, world = scene.gold[0], scene.world
    lines = scene.knowledge.said_about(scene.instance.subject)
    said = [line.tag for line in lines if isinstance(line.tag, Said)]
    organiser = next(one.statement.person for one in said if isinstance(one.statement, Organiser))
    invited = next(one.statement for one in said if isinstance(one.statement, Invited))
    who = invited.invitations[0]
    assert isinstance(who, Required)
    assert isinstance(who.who, Named)
    yield EntryChanged(person_id=who.who.person, entry=Entry("e999999", "Dentist", gold.start, gold.end))
    yield BookingChanged(room_id=gold.room_id, entry=Entry("e999999", "Talk", gold.start, gold.end))
    ban = BanWindow(start=gold.start, end=gold.end)
    text = (
        f"The {scene.instance.subject}: no part of it may fall between {gold.start:%H:%M} and {gold.end:%H:%M}"
        f" on {gold.start:%Y-%m-%d}."
    )
    tag = Said(about=scene.instance.subject, statement=ban)
    message = LadderMessage(sent=world.today, author=organiser, text=text, tags=(tag,))
    yield MessageSent(thread_id=lines[0].thread, message=message)
    room = f"{world.room_by_id[gold.room_id].name} ({gold.room_id})"
    text = f"Notice N99999: room {room} is closed between {gold.start:%H:%M} and {gold.end:%H:%M} on {gold.start:%Y-%m-%d}."
    closed = RoomClosed(room_id=gold.room_id, start=gold.start, end=gold.end)
    yield PagePosted(
        page=LadderPage(
            page_id="S999",
            collection=LadderCollection.SITE_NEWS,
            title="Please note",
            text=text,
            posted=world.today,
            facts=(Notice(notice_id="N99999", effects=(closed,)),),
        )
    )
