"""What an instance adds is put into words as a whole: who decides in one thread is known in all of them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from mpcbench.benchmark.agents.reference.level4.grammar_fact import read_page
from mpcbench.benchmark.agents.reference.level4.grammar_task import read_task
from mpcbench.benchmark.agents.reference.level4.grammar_thread import read_thread
from mpcbench.benchmark.agents.reference.level4.resolver import Message
from mpcbench.generate.level4.wording.drafts import word
from mpcbench.generate.level4.wording.names import Names
from mpcbench.schema import Duration, OptionCount, Site
from mpcbench.schema.level4.facts import Definition, Notice, SiteClosed
from mpcbench.schema.level4.instance import Change, MessageSent, PagePosted
from mpcbench.schema.level4.statements import AfterMeeting, Agenda, Agreed, Delegate, Organiser, Said
from mpcbench.schema.level4.world import LadderCollection, LadderMessage, LadderPage, LadderThread
from unit_tests.builders.ladder_spoken import MEETINGS, PLAN, TODAY, ZONE, OfficeResolver, office

REVIEW, HERON = MEETINGS[:2]
OFFICE = office()
NAMES = Names(OFFICE)
LENGTH = Duration(minutes=30)
PROPOSALS = (
    "could",
    "suggest",
    "propos",
    "shall",
    "can't we",
    "why don't",
    "perhaps",
    "maybe",
    "would",
    "what about",
    "can we",
)


@dataclass(frozen=True)
class SmallDraft:
    """What an instance adds."""

    subject: str
    task: tuple[Said, ...]
    threads: tuple[LadderThread, ...] = ()
    pages: tuple[LadderPage, ...] = ()
    change: Change | None = None


def message(author: str, *tags: Any, minute: int = 0) -> LadderMessage:
    return LadderMessage(sent=TODAY + timedelta(minutes=minute), author=author, text="", tags=tags)


def thread(number: int, *messages: LadderMessage) -> LadderThread:
    return LadderThread(thread_id=f"T{number:04}", channel="general", messages=messages)


def page(fact: Any) -> LadderPage:
    return LadderPage(
        page_id="P1", collection=LadderCollection.ANNOUNCEMENT, title="", text="", posted=TODAY, facts=(fact,)
    )


def heard(messages: tuple[LadderMessage, ...]) -> list[Message]:
    return [Message(one.author, one.sent, one.text) for one in messages]


def is_proposal(text: str) -> bool:
    """Whether a message, apart from what it quotes, reads as a proposal."""
    return any(word in text.splitlines()[-1].lower() for word in PROPOSALS)


def test_a_draft() -> None:
    """Task, threads and pages give their tags; an alias that a page of the draft defines can be used."""
    alias = Said(about="alias:tulip", statement=LENGTH)
    draft = SmallDraft(
        REVIEW,
        (Said(about=REVIEW, statement=OptionCount(count=3)),),
        (thread(1, message("p001", alias)),),
        (page(Definition(alias="tulip", means=REVIEW)),),
    )
    written = word(draft, NAMES, Random(1))
    resolver = OfficeResolver(NAMES.office.model_copy(update={"pages": (*OFFICE.pages, *written.pages)}))

    assert [(REVIEW, draft.task)] * 3 == [read_task(text, resolver) for text in written.task]
    assert ((alias,),) == read_thread(heard(written.threads[0].messages), resolver)
    assert draft.pages[0].facts == read_page(written.pages[0].title, written.pages[0].text, resolver)


def test_who_decides_is_known_in_all_threads() -> None:
    """What the organiser says reads as a decision, what others say as a proposal, in a thread that names no organiser."""
    said = Said(about=REVIEW, statement=LENGTH)
    draft = SmallDraft(
        REVIEW,
        (Said(about=REVIEW, statement=Organiser(person="p003")),),
        (thread(1, message("p001", said), message("p003", said, minute=1)),),
    )
    for seed in range(20):
        texts = [one.text for one in word(draft, NAMES, Random(seed)).threads[0].messages]

        assert [True, False] == [is_proposal(text) for text in texts], texts


def test_it_never_follows_a_quote_that_names_two_meetings() -> None:
    """After such a quote "it" could be either meeting; other quotes stand for the name."""
    length = Said(about=REVIEW, statement=LENGTH)
    after = Said(about=REVIEW, statement=AfterMeeting(meeting=HERON))
    site = Said(about=REVIEW, statement=Site(site=OFFICE.sites[0].site))
    quotes = {after: 0, site: 0}
    for first in quotes:
        draft = SmallDraft(REVIEW, (), (thread(1, message("p001", first), message("p001", length, minute=1)),))
        for seed in range(60):
            _, last = word(draft, NAMES, Random(seed)).threads[0].messages
            quotes[first] += last.text.startswith("> ")

    assert 0 == quotes[after]
    assert quotes[site]


def test_the_organiser_of_a_plan_decides_about_its_meetings() -> None:
    """A meeting on the agenda has the plan's organiser unless it has one of its own."""
    draft = SmallDraft(
        PLAN,
        (
            Said(about=PLAN, statement=Organiser(person="p003")),
            Said(about=PLAN, statement=Agenda(meetings=(REVIEW, HERON))),
        ),
        (thread(1, message("p001", Said(about=HERON, statement=LENGTH))),),
    )
    for seed in range(10):
        (text,) = (one.text for one in word(draft, NAMES, Random(seed)).threads[0].messages)

        assert is_proposal(text), text


def test_a_message_that_is_sent_later() -> None:
    """A message of a change has words, is read as the last of its thread, and is not in the thread."""
    first, later = Said(about=REVIEW, statement=LENGTH), Said(about=REVIEW, statement=Duration(minutes=45))
    edit = MessageSent(thread_id="T0001", message=message("p001", later, minute=1))
    change = Change(when_shown=("thread:T0001",), edit=edit)
    written = word(SmallDraft(REVIEW, (), (thread(1, message("p001", first)),), (), change), NAMES, Random(1))

    assert written.change is not None
    assert isinstance(written.change.edit, MessageSent)
    messages = (*written.threads[0].messages, written.change.edit.message)
    assert ((first,), (later,)) == read_thread(heard(messages), OfficeResolver(OFFICE))


def test_a_message_that_is_sent_later_names_its_meeting() -> None:
    """A search for the name shows it, whatever has been said in its thread before."""
    first, later = Said(about=REVIEW, statement=LENGTH), Said(about=REVIEW, statement=Duration(minutes=45))
    edit = MessageSent(thread_id="T0001", message=message("p001", later, minute=1))
    draft = SmallDraft(REVIEW, (), (thread(1, message("p001", first)),), (), Change(when_shown=("x:1",), edit=edit))
    for seed in range(20):
        change = word(draft, NAMES, Random(seed)).change
        assert change is not None
        assert isinstance(change.edit, MessageSent)

        assert REVIEW in change.edit.message.text


def test_a_page_that_is_posted_later() -> None:
    """A page of a change has words and is not among the pages."""
    start, end = datetime(2027, 3, 9, tzinfo=ZONE), datetime(2027, 3, 10, tzinfo=ZONE)
    fact = Notice(notice_id="N017", effects=(SiteClosed(start=start, end=end, site="Mill Lane"),))
    change = Change(when_shown=("room:R01",), edit=PagePosted(page=page(fact)))
    written = word(SmallDraft(REVIEW, (), (), (), change), NAMES, Random(1))

    assert () == written.pages
    assert written.change is not None
    assert isinstance(written.change.edit, PagePosted)
    posted = written.change.edit.page
    assert (fact,) == read_page(posted.title, posted.text, OfficeResolver(OFFICE))


def test_who_takes_over_decides_in_all_threads_from_then_on() -> None:
    """What the deputy says before the planning is handed over reads as a proposal, what it says and answers then does not."""
    said = Said(about=REVIEW, statement=LENGTH)
    draft = SmallDraft(
        REVIEW,
        (Said(about=REVIEW, statement=Organiser(person="p003")),),
        (
            thread(1, message("p001", said), message("p001", said, minute=9)),
            thread(2, message("p003", Said(about=REVIEW, statement=Delegate(person="p001")), minute=5)),
            thread(3, message("p002", said, minute=7), message("p001", Agreed(about=REVIEW, message=0), minute=8)),
        ),
    )
    answers = set()
    for seed in range(20):
        first, _, third = word(draft, NAMES, Random(seed)).threads

        assert [True, False] == [is_proposal(one.text) for one in first.messages], first
        answers.add(third.messages[1].text.splitlines()[-1])
    assert not any("suit me" in text or "be happy with" in text for text in answers), answers


def test_who_takes_over_a_plan_decides_about_its_meetings() -> None:
    """But not about a meeting that has an organiser of its own."""
    handed_over = Said(about=PLAN, statement=Delegate(person="p001"))
    draft = SmallDraft(
        PLAN,
        (
            Said(about=PLAN, statement=Organiser(person="p003")),
            Said(about=PLAN, statement=Agenda(meetings=(REVIEW, HERON))),
            Said(about=REVIEW, statement=Organiser(person="p002")),
        ),
        (
            thread(1, message("p003", handed_over)),
            thread(2, *(message("p001", Said(about=one, statement=LENGTH), minute=9) for one in (REVIEW, HERON))),
        ),
    )
    for seed in range(10):
        texts = [one.text for one in word(draft, NAMES, Random(seed)).threads[1].messages]

        assert [True, False] == [is_proposal(text) for text in texts], texts
