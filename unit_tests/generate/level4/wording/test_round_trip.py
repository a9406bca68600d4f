"""What is written is read back: tags become text, and the reference agent's grammar finds the same tags in the text alone."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.benchmark.agents.reference.level4.grammar_fact import read_page
from mpcbench.benchmark.agents.reference.level4.grammar_policy import read_section
from mpcbench.benchmark.agents.reference.level4.grammar_task import read_task
from mpcbench.benchmark.agents.reference.level4.grammar_thread import read_thread
from mpcbench.benchmark.agents.reference.level4.resolver import Message
from mpcbench.generate.level4.wording.names import Names
from mpcbench.generate.level4.wording.pages import page
from mpcbench.generate.level4.wording.policies import section
from mpcbench.generate.level4.wording.tasks import tasks
from mpcbench.generate.level4.wording.threads import worded
from mpcbench.schema.level4.facts import Fact
from mpcbench.schema.level4.policy import Policy
from mpcbench.schema.level4.statements import Said
from mpcbench.schema.level4.world import LadderCollection, LadderMessage, LadderThread
from unit_tests.builders.ladder_spoken import PLAN, TODAY, OfficeResolver, office
from unit_tests.generate.level4.wording import tags

OFFICE = office()
NAMES = Names(OFFICE)
RESOLVER = OfficeResolver(OFFICE)


def heard(thread: LadderThread) -> Iterator[Message]:
    """The messages as they are shown."""
    return (Message(message.author, message.sent, message.text) for message in thread.messages)


@given(tags.threads(), tags.rngs)
def test_threads(thread: LadderThread, rng: Random) -> None:
    """A thread of several messages about several meetings gives its tags."""
    written = worded(thread, NAMES, rng, plans=[PLAN])

    assert tuple(message.tags for message in thread.messages) == read_thread(list(heard(written)), RESOLVER)


@given(tags.said, tags.rngs)
def test_statements(said: Said, rng: Random) -> None:
    """A message with one statement gives it."""
    message = LadderMessage(sent=TODAY, author="p001", text="", tags=(said,))
    thread = LadderThread(thread_id="T0001", channel="general", messages=(message,))
    written = worded(thread, NAMES, rng, plans=[PLAN])

    assert ((said,),) == read_thread(list(heard(written)), RESOLVER)


@given(tags.policies, tags.rngs)
def test_policies(policy: Policy, rng: Random) -> None:
    """A section gives the edition of its policy."""
    written = section(policy, NAMES, rng)
    heading = f"{policy.policy_id}, edition {policy.edition}: {written.heading}"

    assert policy == read_section(heading, written.text, RESOLVER)


@given(st.lists(tags.facts, min_size=1, max_size=3, unique_by=repr), st.sampled_from(LadderCollection), tags.rngs)
def test_pages(facts: list[Fact], collection: LadderCollection, rng: Random) -> None:
    """A page gives its facts."""
    distinct = tuple({getattr(fact, "notice_id", repr(fact)): fact for fact in facts}.values())
    written = page(collection, "X1", "", TODAY, distinct, NAMES, rng)

    assert distinct == read_page(written.title, written.text, RESOLVER)


@given(tags.meetings, st.lists(tags.said, max_size=4), tags.rngs)
def test_tasks(subject: str, statements: list[Said], rng: Random) -> None:
    """Each of the three paraphrases of a task gives its subject and its statements."""
    texts = tasks(subject, statements, NAMES, rng, plans=[PLAN])

    assert [(subject, tuple(statements))] * 3 == [read_task(text, RESOLVER) for text in texts]


@pytest.mark.parametrize("seed", range(3))
def test_the_same_seed_gives_the_same_texts(seed: int) -> None:
    """Texts depend on the tags and the stream of random numbers alone."""
    thread = LadderThread(
        thread_id="T0001",
        channel="general",
        messages=(LadderMessage(sent=TODAY, author="p001", text="", tags=()),),
    )

    assert worded(thread, OFFICE, Random(seed)) == worded(thread, OFFICE, Random(seed))
