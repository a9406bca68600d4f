"""What a flawed agent is: the steps of the reference agent, of which one is replaced, and a record of the slip."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from functools import cached_property
from random import Random
from typing import Any, TypeAlias, cast
from zoneinfo import ZoneInfo

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference import ReadingError
from mpcbench.benchmark.agents.reference.acquire import acquire, find_threads, follow_up
from mpcbench.benchmark.agents.reference.conversation import announced, statements_about
from mpcbench.benchmark.agents.reference.desk import Desk, OutOfTurnsError, messages_of
from mpcbench.benchmark.agents.reference.facts import Facts, Heard, Kind, Message, Request, request_of, same_person
from mpcbench.benchmark.agents.reference.grammar_task import read_task, read_zone
from mpcbench.benchmark.agents.reference.integrate import Option, choose
from mpcbench.benchmark.agents.reference.mentions import Meeting
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.cause import Stage
from mpcbench.schema.episode import Finish, Reply
from unit_tests.validity.kit.guess import guesses

Slip: TypeAlias = dict[str, Any]
"""What really went wrong in an episode, as JSON values; the record concerned under `record`."""


@dataclass
class Mind:
    """What a flawed agent keeps in mind during one episode."""

    rng: Random
    """Seeded by the agent's name and the instance."""

    tools: Toolbox
    meeting: str = ""
    about: Meeting = field(default_factory=lambda: Meeting(""))
    """The meeting as its kick-off announces it."""

    asked: list[Heard] = field(default_factory=list)
    """What the task text says."""

    messages: list[Message] = field(default_factory=list)
    """Every message of the threads that were opened."""

    slip: Slip | None = None
    """The slip, once it has happened."""

    @property
    def level(self) -> int:
        """The level of the task, told by the tools on offer."""
        names = {tool.name for tool in self.tools.tools}
        return 3 if "list_rooms" in names else 2 if "read_thread" in names else 1

    def note(self, **slip: Any) -> None:
        """Record the slip, or more about it; an empty list says nothing."""
        said = {name: value for name, value in slip.items() if value != []}
        if said:
            self.slip = (self.slip or {}) | said

    def results(self, tool: str) -> list[str]:
        """The results of all calls of a tool so far that succeeded."""
        return [call.result for call in self.tools.log if call.name == tool and not call.is_error]

    @cached_property
    def said(self) -> list[tuple[Heard, str]]:
        """Every statement with the record that makes it, `task` for the task text, oldest first."""
        threads = list(dict.fromkeys(message.thread_id for message in self.messages))
        sent = {one: max(m.sent for m in self.messages if m.thread_id == one) for one in threads}
        pairs = [(heard, "task") for heard in self.asked]
        for thread in sorted(threads, key=lambda one: (sent[one], one)):
            own = [message for message in self.messages if message.thread_id == thread]
            pairs += [(heard, f"thread:{thread}") for heard in statements_about(self.about, own)]
        return pairs

    def record_of(self, kind: Kind, value: Any = None) -> str | None:
        """The record that last says something of a kind, or, if a value is given, exactly that."""
        found = [record for heard, record in self.said if heard.kind is kind and value in (None, heard.value)]
        return found[-1] if found else None

    def calendar_record(self, owner: str) -> str:
        """The record of a person's calendar, by person ID or full name."""
        ids = {
            row["person_id"]
            for result in self.results("search_people")
            for row in json.loads(result)["people"]
            if owner.startswith(row["name"])
        }
        for result in self.results("get_calendar"):
            shown = json.loads(result)
            if owner in (shown["person_id"], shown.get("name")) or shown["person_id"] in ids:
                return f"calendar:{shown['person_id']}"
        return f"calendar:{owner}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The steps of an episode; a flaw replaces one or two, the others are the reference agent's."""

    desk: Callable[[Mind, Toolbox, Budget], Desk] | None = None
    """How tools are called."""

    threads: Callable[[Mind, Desk, list[str]], Sequence[str]] | None = None
    """Which of the threads found are opened."""

    search: Callable[[Mind, Desk], Sequence[str]] | None = None
    """How threads are found."""

    messages: Callable[[Mind, list[Message]], list[Message]] | None = None
    """Which messages are taken notice of."""

    heard: Callable[[Mind, list[Heard]], list[Heard]] | None = None
    """What the statements, oldest first, are taken to say."""

    request: Callable[[Mind, Request], Request] | None = None
    """What is remembered of the request before the calendars are fetched."""

    acquire: Callable[[Mind, Desk, Request, tzinfo], Facts] | None = None
    """How the records are fetched."""

    facts: Callable[[Mind, Facts], Facts] | None = None
    """What is remembered of everything read."""

    choose: Callable[[Mind, Facts], list[Option]] | None = None
    """How options are computed."""

    options: Callable[[Mind, Facts, list[Option]], list[Option]] | None = None
    """What is written down of the options."""

    text: Callable[[Mind, Sequence[Option]], str] | None = None
    """The final message."""


@dataclass(kw_only=True)
class FlawedAgent:
    """An agent that fails in one way; `slip` says after each episode what went wrong in it."""

    name: str
    description: str
    stage: Stage
    expected: str
    """What a right diagnosis names, in words."""

    reasons: tuple[str, ...]
    """The stored reasons that say so, without or with detail; empty where the vocabulary has none."""

    acceptable: tuple[str, ...] = ()
    """Other answers that are true and useful: stored reasons, or words."""

    plan: Plan
    levels: tuple[int, ...] = (1, 2, 3)
    """The levels at which the flaw can show; at others the agent may be right."""

    follows_up: bool = True
    """Whether it looks for threads that do not repeat the meeting's name."""

    single: bool = False
    """Whether it slips once in an episode: at one event, one booking or one candidate."""

    slip: Slip | None = None

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode."""
        mind = Mind(Random(f"{self.name}:{task.instance_id}"), tools)
        self.slip = None
        desk = Desk(tools, budget) if self.plan.desk is None else self.plan.desk(mind, tools, budget)
        try:
            text = self._answer(mind, desk, task)
        except OutOfTurnsError:
            mind.note(out_of_turns=True)
            return Reply(text="", finish=Finish.TURNS, turns=budget.max_turns)
        except ReadingError as error:  # a flaw can make the rest impossible: a model would then answer with nothing
            mind.note(gave_up=str(error))
            text = answer_text(mind, ())
        finally:
            self.slip = mind.slip
        return Reply(text=text, turns=desk.turn + 1)

    def _answer(self, mind: Mind, desk: Desk, task: Task) -> str:
        plan, zone = self.plan, ZoneInfo(read_zone(task.system_prompt))
        mind.meeting, asked = read_task(task.text)
        mind.asked = list(asked)
        threads = find_threads(desk, mind.meeting) if plan.search is None else plan.search(mind, desk)
        opened = list(threads) if plan.threads is None else plan.threads(mind, desk, list(threads))
        mind.messages = messages = read(desk, opened)
        mind.about = announced(mind.meeting, asked, messages)
        if self.follows_up and "search_threads" in desk.offers:
            closed = {*threads} - {*opened}
            found = follow_up(cast("Desk", _Closing(desk, closed)), mind.about, messages)
            more = [one for one in found if one.thread_id not in closed]
            mind.messages = messages = [*messages, *more]
        if plan.messages is not None:
            messages = plan.messages(mind, messages)
        heard = [*asked, *statements_about(mind.about, messages)]
        if plan.heard is not None:
            heard = plan.heard(mind, heard)
        request = completed(mind, understood(heard))
        if plan.request is not None:
            request = plan.request(mind, request)
        facts = acquire(desk, request, zone) if plan.acquire is None else plan.acquire(mind, desk, request, zone)
        if plan.facts is not None:
            facts = plan.facts(mind, facts)
        options = choose(facts)
        if plan.choose is not None:
            right, options = options, plan.choose(mind, facts)
            mind.note(**picked(right, options))
        if plan.options is not None:
            options = plan.options(mind, facts, list(options))
        return answer_text(mind, options) if plan.text is None else plan.text(mind, options)


class _Closing:
    """A desk at which some threads are not opened."""

    def __init__(self, desk: Desk, closed: set[str]) -> None:
        self._desk, self._closed = desk, closed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._desk, name)

    def call(self, name: str, **arguments: Any) -> str:
        """Call a tool; a closed thread is shown as one without content."""
        if name == "read_thread" and arguments["thread_id"] in self._closed:
            return f"Thread {arguments['thread_id']} in #closed, \n[Mon 2000-01-01T00:00:00+00:00] Nobody: -"
        return self._desk.call(name, **arguments)


def flawed(
    name: str,
    description: str,
    plan: Plan,
    reasons: tuple[str, ...] = (),
    *acceptable: str,
    lead: str,
    stage: Stage = Stage.INTEGRATION,
    levels: tuple[int, ...] = (1, 2, 3),
    single: bool = False,
    follows_up: bool = True,
) -> FlawedAgent:
    """An agent whose diagnosis is expected to say what its description says; `lead` says of what."""
    return FlawedAgent(
        name=name,
        description=description,
        stage=stage,
        expected=f"{lead}: {description[0].lower()}{description[1:]}",
        reasons=reasons,
        acceptable=acceptable,
        plan=plan,
        levels=levels,
        single=single,
        follows_up=follows_up,
    )


def read(desk: Desk, threads: Sequence[str]) -> list[Message]:
    """The messages of threads."""
    if not threads:
        return []
    desk.next_turn()
    return [message for one in threads for message in messages_of(one, desk.call("read_thread", thread_id=one))]


def understood(heard: Sequence[Heard]) -> Request:
    """The request; whoever leaves without having been named is ignored, as a thread may not have been read."""
    usable: list[Heard] = []
    for statement in heard:
        if statement.kind is Kind.LEAVES:
            people = request_of(usable).people
            if sum(same_person(one, statement.value) for one in people) != 1:
                continue
        usable.append(statement)
    return request_of(usable)


def completed(mind: Mind, request: Request) -> Request:
    """The request with guesses in place of what nobody told; notes them."""
    if request.people and request.window and request.length and request.count:
        return request
    made = guesses(request, mind.messages, mind.results("read_thread") or mind.results("search_threads"))
    mind.note(guessed={name: str(value) for name, value in made.items()})
    return replace(request, **made)


def picked(right: Sequence[Option], options: Sequence[Option]) -> Slip:
    """Which options of the right answer were not picked, and which others were, as a part of a slip."""
    return {"not_picked": candidates_of(set(right) - set(options)), "picked": candidates_of(set(options) - set(right))}


def candidates_of(options: Iterable[Option]) -> list[dict[str, str]]:
    """Options as a slip lists them, by start."""
    return [candidate_of(option) for option in sorted(options, key=lambda one: (one.start, one.room_id or ""))]


def candidate_of(option: Option) -> dict[str, str]:
    """An option as an answer gives it."""
    room = {} if option.room_id is None else {"room_id": option.room_id}
    return {"start": option.start.isoformat(), "end": option.end.isoformat()} | room


def answer_text(mind: Mind, options: Sequence[Option]) -> str:
    """The final message: one JSON object."""
    candidates = [candidate_of(option) for option in options]
    rationale = f"{len(candidates)} times for the {mind.meeting}."
    return json.dumps({"candidates": candidates, "rationale": rationale}, ensure_ascii=False)
