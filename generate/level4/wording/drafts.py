"""Put everything into words that one instance adds to the office: its threads, its pages, its change and its task."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from random import Random
from typing import NamedTuple, Protocol

from mpcbench.generate.level4.wording.names import Names
from mpcbench.generate.level4.wording.pages import page
from mpcbench.generate.level4.wording.tasks import tasks
from mpcbench.generate.level4.wording.threads import worded
from mpcbench.schema.level4.facts import Definition
from mpcbench.schema.level4.header import MeetingRef
from mpcbench.schema.level4.instance import Change, MessageSent, PagePosted
from mpcbench.schema.level4.statements import Agenda, Delegate, Organiser, Said
from mpcbench.schema.level4.world import LadderPage, LadderThread


class Draft(Protocol):
    """One instance before it is put into words: texts are empty, and so are the titles of pages."""

    @property
    def subject(self) -> MeetingRef:
        """What is to be planned."""

    @property
    def task(self) -> Sequence[Said]:
        """What the task itself says."""

    @property
    def threads(self) -> Sequence[LadderThread]:
        """The threads that are added."""

    @property
    def pages(self) -> Sequence[LadderPage]:
        """The pages that are added."""

    @property
    def change(self) -> Change | None:
        """How the world changes."""


class Worded(NamedTuple):
    """The texts of an instance."""

    task: tuple[str, str, str]
    threads: tuple[LadderThread, ...]
    pages: tuple[LadderPage, ...]
    change: Change | None


def word(draft: Draft, names: Names, rng: Random) -> Worded:
    """Everything that an instance adds, in words.

    Args:
        draft: Its tags.
        names: Those of the office; make them once for all instances.
        rng: Chooses among the phrasings.

    Raises:
        PhrasingError: something cannot be expressed so that it can only mean its tag.
    """
    threads, pages = list(draft.threads), list(draft.pages)
    edit = None if draft.change is None else draft.change.edit
    sent_to, later = None, dict[str, int]()
    if isinstance(edit, MessageSent):
        sent_to = next(place for place, thread in enumerate(threads) if thread.thread_id == edit.thread_id)
        later[edit.thread_id] = len(threads[sent_to].messages)
        messages = (*threads[sent_to].messages, edit.message)
        threads[sent_to] = threads[sent_to].model_copy(update={"messages": messages})
    if isinstance(edit, PagePosted):
        pages.append(edit.page)
    known = names.knowing(_definitions(threads, pages))
    said = [*draft.task, *_said(threads)]
    plans = {known.known_meaning(one.about) for one in said if isinstance(one.statement, Agenda)}
    organisers: dict[str, str] = {}
    for one in said:
        if isinstance(one.statement, Organiser):
            organisers.setdefault(known.known_meaning(one.about), known.known_meaning(one.statement.person))
    for one in said:
        if isinstance(one.statement, Agenda):
            plan = known.known_meaning(one.about)
            for meeting in one.statement.meetings if plan in organisers else ():
                organisers.setdefault(known.known_meaning(meeting), organisers[plan])
    texts = tasks(draft.subject, draft.task, known, rng, plans=plans)
    delegates = _delegates(threads, said, known, organisers)
    written = [
        worded(
            thread,
            known,
            rng,
            organisers=organisers,
            delegates=delegates,
            plans=plans,
            naming=later.get(thread.thread_id),
        )
        for thread in threads
    ]
    shown = [page(one.collection, one.page_id, one.title, one.posted, one.facts, known, rng) for one in pages]
    change = draft.change
    if change is not None and isinstance(edit, MessageSent) and sent_to is not None:
        *before, last = written[sent_to].messages
        written[sent_to] = written[sent_to].model_copy(update={"messages": tuple(before)})
        change = change.model_copy(update={"edit": edit.model_copy(update={"message": last})})
    if change is not None and isinstance(edit, PagePosted):
        change = change.model_copy(update={"edit": edit.model_copy(update={"page": shown.pop()})})
    return Worded(texts, tuple(written), tuple(shown), change)


def _delegates(
    threads: Sequence[LadderThread], said: Sequence[Said], names: Names, organisers: Mapping[str, str]
) -> dict[tuple[str, str], datetime]:
    """Since when people may decide whom the planning was handed over to, by person and meeting.

    Who may decide on a plan may on those of its meetings that have no organiser of their own.
    """
    own = {names.known_meaning(one.about) for one in said if isinstance(one.statement, Organiser)}
    agendas = {
        names.known_meaning(one.about): {names.known_meaning(meeting) for meeting in one.statement.meetings} - own
        for one in said
        if isinstance(one.statement, Agenda)
    }
    since: dict[tuple[str, str], datetime] = {}
    for message in sorted((message for thread in threads for message in thread.messages), key=lambda one: one.sent):
        for tag in message.tags:
            if isinstance(tag, Said) and isinstance(tag.statement, Delegate):
                meeting = names.known_meaning(tag.about)
                if message.author == organisers.get(meeting) or (message.author, meeting) in since:
                    for one in (meeting, *agendas.get(meeting, ())):
                        since.setdefault((names.known_meaning(tag.statement.person), one), message.sent)
    return since


def _definitions(threads: Sequence[LadderThread], pages: Sequence[LadderPage]) -> list[Definition]:
    tags = [tag for thread in threads for message in thread.messages for tag in message.tags]
    facts = [fact for one in pages for fact in one.facts]
    return [fact for fact in (*tags, *facts) if isinstance(fact, Definition)]


def _said(threads: Sequence[LadderThread]) -> list[Said]:
    """What the threads say, by time."""
    messages = sorted((message for thread in threads for message in thread.messages), key=lambda one: one.sent)
    return [tag for message in messages for tag in message.tags if isinstance(tag, Said)]
