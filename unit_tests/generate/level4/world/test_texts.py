"""The texts of the level-4 office state what their tags say, and nothing else."""

from functools import cache
from random import Random

import pytest

from mpcbench.benchmark.agents.reference.level4.grammar_fact import read_page
from mpcbench.benchmark.agents.reference.level4.grammar_policy import read_section
from mpcbench.benchmark.agents.reference.level4.grammar_thread import read_thread
from mpcbench.benchmark.agents.reference.level4.resolver import Message
from mpcbench.generate.level4.naming import OFFICE_NAMES
from mpcbench.generate.level4.world.names import meeting_names
from mpcbench.schema.level4.world import LadderThread
from unit_tests.builders.ladder_spoken import OfficeResolver
from unit_tests.builders.made_office import SEED, made_office

THREADS = 24


@cache
def resolver() -> OfficeResolver:
    """It knows the office without what no text of it refers to, so that it is quickly searched."""
    office = made_office()
    threads = tuple(one for one in office.threads if any(message.tags for message in one.messages))
    return OfficeResolver(
        office.model_copy(update={"threads": threads, "calendars": ()}),
        tuple(str(one.name) for one in meeting_names(SEED)[OFFICE_NAMES:]),
    )


@cache
def some_threads() -> list[LadderThread]:
    return Random(SEED).sample(made_office().threads, THREADS)


def test_everything_has_a_text() -> None:
    """No message, section or page is without one, and no page without a title."""
    assert all(message.text for thread in made_office().threads for message in thread.messages)
    assert all(
        section.heading and section.text for document in made_office().documents for section in document.sections
    )
    assert all(page.title and page.text for page in made_office().pages)


@pytest.mark.parametrize("number", range(THREADS))
def test_threads_say_what_their_tags_say(number: int) -> None:
    """Reading a thread gives its tags; one without tags states nothing."""
    thread = some_threads()[number]
    messages = [Message(one.author, one.sent, one.text) for one in thread.messages]

    assert tuple(one.tags for one in thread.messages) == read_thread(messages, resolver())


def test_sections_say_what_their_policies_say() -> None:
    """Reading the section of an edition gives the edition."""
    for section, policy in made_office().policies:
        heading = f"{policy.policy_id}, edition {policy.edition}: {section.heading}"

        assert policy == read_section(heading, section.text, resolver())


def test_pages_state_their_facts() -> None:
    """Reading a page gives its facts; pages without any state none."""
    for page in made_office().pages:
        assert page.facts == read_page(page.title, page.text, resolver()), page.page_id
