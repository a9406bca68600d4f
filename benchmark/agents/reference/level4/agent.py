"""The reference agent of level 4: it reads what its questions lead it to, until its answer rests on nothing unread.

What has not been looked at is taken to stand in nobody's way, so the answer that would follow is looked for first and
then whatever it rests on is checked. When an answer has passed, everything that may have changed is looked at again.
"""

import json
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from zoneinfo import ZoneInfo

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference.desk import OutOfTurnsError
from mpcbench.benchmark.agents.reference.grammar_task import read_zone
from mpcbench.benchmark.agents.reference.level4 import agenda, availability, footing, questions
from mpcbench.benchmark.agents.reference.level4.agenda import Question
from mpcbench.benchmark.agents.reference.level4.casefile import CaseFile, empty, replace_changing
from mpcbench.benchmark.agents.reference.level4.desk import Call, Inquiry, LadderDesk, call
from mpcbench.benchmark.agents.reference.level4.footing import Findings
from mpcbench.benchmark.agents.reference.level4.grammar_task import read_task
from mpcbench.benchmark.agents.reference.lexicon import ReadingError
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.level4.knowledge import Knowledge, Posted
from mpcbench.oracle.level4.meeting import Meeting
from mpcbench.oracle.level4.plan import SearchLimitError
from mpcbench.oracle.level4.solve import Pick, picks
from mpcbench.oracle.level4.stage import Stage, stage
from mpcbench.oracle.level4.standing import offers_no_more
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema.episode import Finish, Reply
from mpcbench.schema.level4.facts import RoomClosed, SiteOpen
from mpcbench.schema.level4.world import OpeningHours

_LASTING = frozenset({"documents", "rosters", "person", "team", "rooms", "holidays"})
"""The questions whose answers stay as they are while one works."""

_ALWAYS_OPEN = (OpeningHours(start="00:00", end="24:00", days=tuple(range(7))),)


def _as_read(knowledge: Knowledge) -> Knowledge:
    return knowledge


@dataclass(frozen=True, slots=True)
class LadderAgent:
    """An agent of level 4; raises `ReadingError` for text that it cannot parse."""

    habit: Callable[[Knowledge], Knowledge] = _as_read
    """What it makes of what it has read."""

    looks_again: bool = True
    reads_all: bool = False
    """Whether it also reads about meetings that are called alike."""

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode.

        Raises:
            ReadingError: a text cannot be read, or something needed is said nowhere.
        """
        desk = LadderDesk(tools, budget)
        try:
            case = empty(ZoneInfo(read_zone(task.system_prompt)))
            case.reads_all = self.reads_all
            _begin(case, task, desk)
            found = self._solved(case, desk)
            if self.looks_again:
                found = self._solved(_seen_again(case, desk), desk, found)
        except OutOfTurnsError:
            return Reply(text="", finish=Finish.TURNS, turns=min(desk.turn + 1, budget.max_turns))
        except UnresolvedError as error:
            raise ReadingError(str(error)) from error
        return Reply(text=found.text, turns=desk.turn + 1)

    def _solved(self, case: CaseFile, desk: LadderDesk, before: "_Answer | None" = None) -> "_Answer":
        scene, chosen = (None, ()) if before is None else (before.scene, before.chosen)
        while True:
            knowledge = self._clear(case, desk)
            found = Findings(case, knowledge, footing.briefs_of(knowledge))
            if _pursue(case, desk, footing.about_terms(found)):
                continue
            hopeful = _hopeful(case, knowledge)
            earlier, scene = scene, _staged(hopeful, scene)
            narrow = _narrow(scene, case, knowledge.notices)
            least = chosen if earlier is not None and offers_no_more(earlier, scene) else ()
            chosen = _picks(hopeful, narrow, chosen, least)
            if (
                _pursue(case, desk, footing.about_people(found, chosen))
                or _pursue(case, desk, footing.about_rooms(found, narrow, chosen))
                or _pursue(case, desk, footing.about_notices(found, chosen))
            ):
                continue
            strict = _picks(knowledge, _narrow(_staged(knowledge, scene), case, knowledge.notices), chosen, ())
            if _pursue(case, desk, footing.about_openings(found, chosen, strict)):
                continue
            return _Answer(answer_text(found, strict), scene, chosen)

    def _clear(self, case: CaseFile, desk: LadderDesk) -> Knowledge:
        """The knowledge once it is clear what is asked for; raises `ReadingError` for what cannot be read."""
        while True:
            knowledge = self.habit(case.knowledge())
            if _pursue(case, desk, agenda.about_texts(case, knowledge)):
                continue
            if case.unreadable and not self.reads_all:
                raise next(iter(case.unreadable.values()))
            return knowledge


@dataclass(frozen=True, slots=True)
class _Answer:
    text: str
    scene: Stage
    """That of what is hoped for."""

    chosen: tuple[Pick, ...]
    """What would be answered if that held."""


def _begin(case: CaseFile, task: Task, desk: LadderDesk) -> None:
    """Look up what every task needs, and read the task."""
    desk.ask([questions.sites(case), questions.teams(case)])
    case.task = read_task(task.text, case.register)
    if case.register.needs_rosters or case.register.needed_entries:
        desk.ask([questions.rosters(case), *(availability.entry(case, need) for need in case.register.needed_entries)])
        case.task = read_task(task.text, case.register)


def _pursue(case: CaseFile, desk: LadderDesk, asked: Iterable[Question]) -> bool:
    """Pursue the questions that are new; whether there were any."""
    new = {what: how for what, how in asked if what not in case.asked}
    case.asked |= new
    desk.ask(how(case) for how in new.values())
    return bool(new)


def _seen_again(case: CaseFile, desk: LadderDesk) -> CaseFile:
    """Everything that has been read, with what may have changed as it is now.

    Threads about something else are read again only if a search shows a message of theirs that was not there before.
    """
    concerned = set(case.concerned())
    others = [
        call("read_direct_messages" if thread in case.direct else "read_thread", thread_id=thread)
        for thread in case.threads
        if thread not in concerned
    ]
    desk.ask([_made(desk.forget(others))])
    again = replace_changing(case)
    for what, how in case.asked.items():
        if what[0] not in _LASTING:
            desk.ask([how(again)])
    again.asked |= case.asked
    return again


def _made(calls: Sequence[Call]) -> Inquiry[None]:
    yield calls


def _narrow(scene: Stage, case: CaseFile, notices: Iterable[Posted]) -> Stage:
    """Fewer of the rooms of which nothing is known yet: those that come last can only be needed once others are taken."""
    most = len(scene.meetings) if scene.count is None else scene.count
    known = {one.owner for one in case.seen if one.kind == "bookings"}
    known |= {
        effect.room_id for posted in notices for effect in posted.notice.effects if isinstance(effect, RoomClosed)
    }
    return replace(scene, meetings=tuple(_narrower(meeting, known, most) for meeting in scene.meetings))


def _narrower(meeting: Meeting, known: Container[str], most: int) -> Meeting:
    unknown: Counter[int] = Counter()
    options = []
    for option in meeting.options:
        if option.room.room_id not in known:
            unknown[id(option.situation)] += 1
        if unknown[id(option.situation)] <= most or option.room.room_id in known:
            options.append(option)
    return replace(meeting, options=tuple(options))


def _hopeful(case: CaseFile, knowledge: Knowledge) -> Knowledge:
    """The knowledge in which whatever is not known for certain stands in nobody's way.

    Buildings are always open of which it is not known when they are exceptionally open, and nothing is closed by a
    notice that may have been replaced.
    """
    unknown = knowledge.sites.keys() - case.openings
    sites = {
        name: place._replace(opening=_ALWAYS_OPEN) if name in unknown else place
        for name, place in knowledge.sites.items()
    }
    return replace(knowledge, sites=sites, notices=tuple(map(partial(_hoped, case), knowledge.notices)))


def _hoped(case: CaseFile, posted: Posted) -> Posted:
    notice = posted.notice
    if notice.notice_id in case.confirmed:
        return posted
    effects = tuple(effect for effect in notice.effects if isinstance(effect, SiteOpen))
    return posted._replace(notice=notice.model_copy(update={"effects": effects}))


def _staged(knowledge: Knowledge, like: Stage | None) -> Stage:
    """The stage of the knowledge, much of which may be known from another one."""
    if like is None:
        return stage(knowledge, counted=False)
    return stage(knowledge.sharing(like.memory.knowledge), counted=False, like=like)


def _picks(knowledge: Knowledge, scene: Stage, likely: Sequence[Pick], least: Sequence[Pick]) -> tuple[Pick, ...]:
    try:
        return picks(knowledge, scene, likely=likely, least=least)
    except SearchLimitError as error:
        raise ReadingError(f"no plan is found: {error}") from error


def answer_text(found: Findings, chosen: Sequence[Pick]) -> str:
    """The final message: one JSON object."""
    zone = found.knowledge.zone
    candidates = [
        ({} if pick.meeting is None else {"meeting": pick.meeting})
        | {
            "start": to_datetime(pick.start, zone).isoformat(),
            "end": to_datetime(pick.end, zone).isoformat(),
            "room_id": pick.room_id,
        }
        for pick in chosen
    ]
    rationale = f"The earliest times for {', '.join(brief.name for brief in found.briefs)} that meet every condition."
    return json.dumps({"candidates": candidates, "rationale": rationale}, ensure_ascii=False)
