"""What `--reveal` adds to a task's text: the result of planning, retrieval or resolving constraints."""

from collections.abc import Collection, Iterable, Iterator
from datetime import date, timedelta

from mpcbench.benchmark.environment.reveal_constraints import constraints_json, suitable_rooms
from mpcbench.benchmark.environment.tools.calendars import (
    DAYS_OF_A_WEEK,
    LONGEST_SPAN_DAYS,
    get_calendar_by_id,
    get_calendar_by_name,
    get_week_calendar,
)
from mpcbench.benchmark.environment.tools.directory import get_person
from mpcbench.benchmark.environment.tools.policies import get_policy, read_policy_document
from mpcbench.benchmark.environment.tools.results import as_json
from mpcbench.benchmark.environment.tools.rooms import LIST_SIZE, get_room_bookings, list_rooms
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.threads import read_thread
from mpcbench.benchmark.environment.tools.toolbox import ToolResult
from mpcbench.oracle import Problem, resolve
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.resolve import statements
from mpcbench.schema import (
    AddParticipant,
    AfterEvent,
    CallPolicy,
    Document,
    Event,
    Instance,
    Label,
    Participants,
    RemoveParticipant,
    Source,
    World,
)
from mpcbench.schema.episode import Reveal
from mpcbench.schema.exam import Exam

TITLES: dict[Reveal, str] = {
    "plan": "Which records are needed, and where they are (their content is still to be looked up):",
    "records": "The content of every record that is needed, as the tools show it; nothing else has to be looked up:",
    "constraints": "Everything that decides the answer, as one JSON object; only the computing is left:",
}
"""The first line of each stage's text."""

NAMED_TITLE = "The content of records that matter, as the tools show it:"
"""The first line of the text that hands over some records only."""

_SOURCES = {
    Source.CALENDAR: "people's calendars",
    Source.POLICY: "the policies",
    Source.THREADS: "the chat threads",
    Source.DIRECTORY: "the people directory",
    Source.ROOMS: "the room system (the rooms' table and their bookings)",
}


def revealed_text(stage: Reveal, exam: Exam, *, show_tags: bool = False) -> str:
    """The text to add to a task so that the agent need not do a stage or those before it; it never has the gold.

    Times are local to the world's zone, with their offset.

    Args:
        stage: What to reveal: which records are needed (without their content), their content, or the
            constraints resolved from them.
        exam: The task, its records and the sources that it needs.
        show_tags: Whether records include their tags, as in tool results under `--tags shown`.

    Raises:
        UnresolvedError: the instance does not fit the world.
    """
    needs = _Needs(exam.world, exam.instance, show_tags=show_tags)
    match stage:
        case "plan":
            blocks = [f"- {line}" for line in _plan(needs, exam.label)]
        case "records":
            blocks = [_block(title, shown) for title, shown in _records(needs)]
        case "constraints":
            blocks = [as_json(constraints_json(needs.problem, exam.world))]
    return "\n".join([TITLES[stage], *blocks])


def named_text(records: Collection[str], exam: Exam, *, show_tags: bool = False) -> str | None:
    """The text to add to a task that hands over the content of some records, and of no others.

    None if the task needs none of them.

    Raises:
        UnresolvedError: the instance does not fit the world.
    """
    needs = _Needs(exam.world, exam.instance, show_tags=show_tags)
    blocks = [_block(title, shown) for title, shown in _records(needs) if not {*records}.isdisjoint(shown.records)]
    return "\n".join([NAMED_TITLE, *blocks]) if blocks else None


def _block(title: str, shown: ToolResult) -> str:
    return f"\n=== {title} ===\n{shown.text}"


def revealed_records(stage: Reveal | None, world: World, instance: Instance) -> tuple[str, ...]:
    """The records whose content a stage hands over, so that the agent has seen them without a tool call.

    A plan only names records. The constraints hold what matters of the same records as the records themselves, but
    for the rooms that do not suit.

    Raises:
        UnresolvedError: the instance does not fit the world.
    """
    if stage is None or stage == "plan":
        return ()
    needs = _Needs(world, instance, show_tags=False)
    shown = dict.fromkeys(record for _, result in _records(needs) for record in result.records)
    if stage == "constraints":
        suitable = {f"room:{room.room_id}" for room in suitable_rooms(needs.problem)}
        return tuple(record for record in shown if not record.startswith("room:") or record in suitable)
    return tuple(shown)


class _Needs:
    """The records that an instance needs."""

    def __init__(self, world: World, instance: Instance, *, show_tags: bool) -> None:
        self.world = world
        self.sources = Sources(world, show_tags=show_tags)
        self.level = instance.level
        self.problem: Problem = resolve(world, instance)
        self.threads = instance.references.threads
        stated = [item.statement for item in statements(world, instance)]
        self.policies = tuple(dict.fromkeys(call.policy_id for call in stated if isinstance(call, CallPolicy)))
        self.awaited = tuple(dict.fromkeys(event for event in stated if isinstance(event, AfterEvent)))
        self.people = tuple(
            dict.fromkeys(
                person
                for statement in stated
                for person in (
                    statement.person_ids
                    if isinstance(statement, Participants)
                    else (statement.person_id,)
                    if isinstance(statement, AddParticipant | RemoveParticipant | AfterEvent)
                    else ()
                )
            )
        )
        """Everybody named in a statement about the meeting, in order of mention."""

        self.others = tuple(
            dict.fromkeys(event.person_id for event in self.awaited if event.person_id not in self.problem.participants)
        )
        """Non-participants whose calendars hold an event that the meeting must come after."""

    def name(self, person_id: str) -> str:
        return f"{self.world.person_by_id[person_id].name} ({person_id})"

    def document(self, policy_id: str) -> Document:
        return next(
            document
            for document in self.world.documents
            if any(section.policy_id == policy_id for section in document.sections)
        )

    def days(self) -> tuple[date, date]:
        """The first and last local day that can matter: those of the window, and one more on each side."""
        zone, window, period = self.world.zone, self.problem.window, self.world.period
        first = to_datetime(window.start, zone).date() - timedelta(days=1)
        last = to_datetime(window.end - 1, zone).date() + timedelta(days=1)
        return (
            max(first, period.start.astimezone(zone).date()),
            min(last, (period.end - timedelta(minutes=1)).astimezone(zone).date()),
        )

    def awaited_days(self, person_id: str) -> list[tuple[date, date]]:
        """The first and last local day of each of a person's events that the meeting must come after."""
        wanted = {event.event_id for event in self.awaited if event.person_id == person_id}
        events: Iterable[Event] = self.world.events_by_person.get(person_id, ())
        zone = self.world.zone
        return [
            (event.start.astimezone(zone).date(), event.end.astimezone(zone).date())
            for event in events
            if event.event_id in wanted
        ]


def _plan(needs: _Needs, label: Label) -> Iterator[str]:
    yield f"Sources: {', '.join(_SOURCES[source] for source in label.sources)}."
    if needs.threads:
        threads = [f"{thread} (in {needs.world.thread_by_id[thread].channel})" for thread in needs.threads]
        yield f"Chat threads that speak of this meeting: {', '.join(threads)}."
    if Source.DIRECTORY in label.sources:
        yield f"Directory entries: {', '.join(map(needs.name, needs.people))}."
    yield (
        "Calendars of the participants, over the whole window and a day more on both sides: "
        f"{', '.join(map(needs.name, needs.problem.participants))}."
    )
    if needs.awaited:
        owners = dict.fromkeys(needs.name(event.person_id) for event in needs.awaited)
        yield f"Calendars with an event that the meeting has to come after: {', '.join(owners)}."
    if needs.policies:
        named = [
            policy if needs.level == 1 else f"{policy} (in document {needs.document(policy).document_id})"
            for policy in needs.policies
        ]
        yield f"Policies, and no others: {', '.join(named)}."
    if needs.problem.rooms is not None:
        yield "The table of meeting rooms, all pages, and the bookings over the window of every room that suits."


def _records(needs: _Needs) -> Iterator[tuple[str, ToolResult]]:
    sources = needs.sources
    for thread_id in needs.threads:
        yield f"Chat thread {thread_id}", read_thread(sources, thread_id)
    if needs.level == 3:
        for person_id in needs.people:
            yield f"Directory entry of {needs.name(person_id)}", get_person(sources, person_id)
    for person_id in (*needs.problem.participants, *needs.others):
        spans = dict.fromkeys([needs.days(), *needs.awaited_days(person_id)])
        for result in (result for first, last in spans for result in _calendar(needs, person_id, first, last)):
            yield f"Calendar of {needs.name(person_id)}", result
    for policy_id in needs.policies:
        yield f"Policy {policy_id}", _policy(needs, policy_id)
    if needs.problem.rooms is not None:
        yield from _room_records(needs)


def _room_records(needs: _Needs) -> Iterator[tuple[str, ToolResult]]:
    for page in range(1, -(-len(needs.world.rooms) // LIST_SIZE) + 1):
        yield f"Meeting rooms, page {page}", list_rooms(needs.sources, page=page)
    for room in suitable_rooms(needs.problem):
        for first, last in _chunks(*needs.days(), LONGEST_SPAN_DAYS):
            yield f"Bookings of {room.room_id}", get_room_bookings(needs.sources, room.room_id, first, last)


def _calendar(needs: _Needs, person_id: str, first: date, last: date) -> Iterator[ToolResult]:
    if needs.level == 1:
        for day, _ in _chunks(first, last, DAYS_OF_A_WEEK):
            yield get_week_calendar(needs.sources, person_id, day)
    else:
        tool = get_calendar_by_name if needs.level == 2 else get_calendar_by_id
        for start, end in _chunks(first, last, LONGEST_SPAN_DAYS):
            yield tool(needs.sources, person_id, start, end)


def _chunks(first: date, last: date, days: int) -> Iterator[tuple[date, date]]:
    while first <= last:
        end = min(first + timedelta(days=days - 1), last)
        yield first, end
        first = end + timedelta(days=1)


def _policy(needs: _Needs, policy_id: str) -> ToolResult:
    """The policy without the other sections of its document."""
    if needs.level == 1:
        return get_policy(needs.sources, policy_id)
    document = needs.document(policy_id)
    sections = tuple(section for section in document.sections if section.policy_id == policy_id)
    alone = document.model_copy(update={"introduction": "", "sections": sections})
    world = needs.world.model_copy(update={"documents": (alone,)})
    return read_policy_document(Sources(world, show_tags=needs.sources.show_tags), document.document_id)
