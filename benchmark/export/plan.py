"""The reference agent's plan in words: before each turn, which records it needs next and why.

The reasons come from the tags of what it has been shown so far, and from its own calls. The gold is never used.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from mpcbench.benchmark.agents.conversation import Message
from mpcbench.benchmark.environment.reveal_constraints import suitable_rooms
from mpcbench.oracle import resolve
from mpcbench.oracle.resolve import Located, statements
from mpcbench.schema import AddParticipant, AfterEvent, CallPolicy, Order, Participants
from mpcbench.schema.episode import Episode, ToolCall
from mpcbench.schema.exam import Exam


def with_plan(exam: Exam, episode: Episode, messages: Iterable[Message]) -> list[Message]:
    """The messages of the reference agent's episode, with the plan as the text of its turns."""
    planner = _Planner(exam)
    planned = []
    for message in messages:
        if message["role"] == "assistant":
            calls = [logged(episode, call) for call in message.get("tool_calls", ())]
            reasons = planner.reasons(calls) if calls else planner.conclusion()
            content = f"{reasons}\n\n{message['content']}".strip()
            planned.append({**message, "content": content})
            planner.see(calls)
        else:
            planned.append(message)
    return planned


def logged(episode: Episode, call: Message) -> ToolCall:
    """The call in the log that a call in a conversation stands for."""
    return episode.tool_calls[int(call["id"].removeprefix("call")) - 1]


class _Planner:
    def __init__(self, exam: Exam) -> None:
        self._world = exam.world
        self._meeting = exam.instance.meeting
        self._label = exam.label
        self._stated = statements(exam.world, exam.instance)
        self._problem = resolve(exam.world, exam.instance)
        self._threads: set[str] = set()
        """The threads that have been read."""

    def see(self, calls: Iterable[ToolCall]) -> None:
        """Take in what calls have shown."""
        self._threads |= {str(_argument(call, "thread_id")) for call in calls if call.name == "read_thread"}

    def reasons(self, calls: Sequence[ToolCall]) -> str:
        """Why the agent makes the calls of a turn."""
        by_tool: dict[str, list[ToolCall]] = {}
        for call in calls:
            by_tool.setdefault(call.name, []).append(call)
        return " ".join(_REASONS[tool](self, same) for tool, same in by_tool.items())

    def search(self, calls: Sequence[ToolCall]) -> str:  # noqa: ARG002 - all of them have one reason
        """Why threads are searched."""
        if not self._threads:
            return f"I look for the threads that name the {self._meeting}: they say what its terms are."
        return "Later messages may mean it without its name, so I look for its project, subject and people, too."

    def calendars(self, calls: Sequence[ToolCall]) -> str:
        """Whose calendars are needed for what."""
        people = self._attending()
        awaited = {one.statement.person_id for one in self._heard() if isinstance(one.statement, AfterEvent)}
        owners = dict.fromkeys(self._owner(call) for call in calls)
        busy = [owner for owner in owners if owner in people]
        reasons = []
        if busy:
            verb = "takes" if len(busy) == 1 else "take"
            reasons.append(f"{_listed(busy)} {verb} part, so I need all busy events around the window.")
        ending = [owner for owner in owners if owner in {self._world.person_by_id[one].name for one in awaited}]
        if ending:
            reasons.append(f"It has to come after an event of {_listed(ending)}, so I need its end.")
        return " ".join(reasons)

    def conclusion(self) -> str:
        """What the answer is computed from."""
        problem = self._problem
        order = "latest" if problem.order is Order.LATEST else "earliest"
        conditions = dict.fromkeys(
            " ".join([one.kind.replace("_", " "), *(f"({record.partition(':')[2]})" for record in one.records)])
            for one in self._label.requirements
        )
        return (
            f"Now I know what decides: {problem.duration} minutes, {problem.count} options, {order} first, "
            f"nobody busy, and {_listed(conditions)}."
        )

    def room(self) -> str:
        """What the room must have."""
        search = self._problem.rooms
        if search is None:
            return ""
        wanted = [f"{search.seats} seats", *sorted(search.equipment)]
        return _listed(wanted) + (f" at {search.site}" if search.site else "")

    def _heard(self) -> list[Located]:
        """What the task and the threads read so far say about the meeting."""
        return [one for one in self._stated if one.key.thread is None or one.key.thread in self._threads]

    def called_for(self) -> str:
        """Which policies apply, and who says so."""
        found = [
            f"{one.statement.policy_id} applies, as {one.key.thread or 'the task'} says"
            for one in self._heard()
            if isinstance(one.statement, CallPolicy)
        ]
        return _listed(dict.fromkeys(found)) if found else "A policy may apply"

    def _attending(self) -> set[str]:
        """The names of those who have been named as attending."""
        named: set[str] = set()
        for one in self._heard():
            if isinstance(one.statement, Participants):
                named |= set(one.statement.person_ids)
            elif isinstance(one.statement, AddParticipant):
                named.add(one.statement.person_id)
        return {self._world.person_by_id[person].name for person in named}

    def _owner(self, call: ToolCall) -> str:
        """The name of the person whose calendar is asked for."""
        key = next(str(_argument(call, name)) for name in ("person_id", "person", "keyword") if _argument(call, name))
        person = self._world.person_by_id.get(key)
        return key if person is None else person.name

    def bookings(self, calls: Sequence[ToolCall]) -> str:  # noqa: ARG002
        """Which rooms' bookings are needed."""
        rooms = _listed(room.room_id for room in suitable_rooms(self._problem))
        return f"The rooms that suit are {rooms}, so I need their bookings."


_REASONS: Final[dict[str, Callable[[_Planner, Sequence[ToolCall]], str]]] = {
    "search_threads": _Planner.search,
    "list_threads": lambda _, calls: (
        f"Changes may be posted in {_arguments(calls, 'channel', '#')}, so I list its threads."
    ),
    "read_thread": lambda _, calls: f"I read {_arguments(calls, 'thread_id')} for what they say about it.",
    "list_policies": lambda planner, _: f"{planner.called_for()}, so I look for the document that holds it.",
    "get_policy": lambda planner, _: f"{planner.called_for()}, so I need its rules.",
    "read_policy_document": lambda planner, calls: (
        f"{planner.called_for()}, so I need its rules, which {_arguments(calls, 'document_id')} holds."
    ),
    "search_people": lambda _, calls: f"Calendars go by person ID, so I look up {_arguments(calls, 'name')}.",
    "get_calendar": _Planner.calendars,
    "list_rooms": lambda planner, _: f"I need a room with {planner.room()}.",
    "get_room_bookings": _Planner.bookings,
}
"""By tool, why the reference agent calls it; it calls no others."""


def _arguments(calls: Iterable[ToolCall], name: str, sign: str = "") -> str:
    return _listed(dict.fromkeys(f"{sign}{_argument(call, name)}" for call in calls))


def _argument(call: ToolCall, name: str) -> object:
    return call.arguments.get(name) if isinstance(call.arguments, dict) else None


def _listed(items: Iterable[str]) -> str:
    """`a`, `a and b` or `a, b and c`."""
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last
