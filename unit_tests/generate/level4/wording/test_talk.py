"""What people say besides binds nothing, and every way of naming a meeting and of answering is read."""

from datetime import datetime, timedelta

import pytest

from mpcbench.benchmark.agents.reference.level4.grammar_thread import read_thread
from mpcbench.benchmark.agents.reference.level4.resolver import Message
from mpcbench.generate.level4.wording import talk
from mpcbench.generate.wording.choices import capitalised, every
from mpcbench.schema import Duration
from mpcbench.schema.level4.statements import Agreed, Declined, Said
from unit_tests.builders.ladder_spoken import MEETINGS, TODAY, OfficeResolver, office

RESOLVER = OfficeResolver(office())
LENGTH = Said(about=MEETINGS[0], statement=Duration(minutes=30))
LATER: datetime = TODAY + timedelta(minutes=7)


def every_one(*texts: str) -> list[str]:
    return [full for text in texts for full in every(text)]


@pytest.mark.parametrize("text", talk.SMALL_TALK)
def test_small_talk_binds_nothing(text: str) -> None:
    """Small talk in a thread about a meeting states nothing."""
    for full in every(text):
        said = f"The Curlew pricing review takes half an hour. {full}"

        assert ((LENGTH,),) == read_thread([Message("p001", TODAY, said)], RESOLVER)


@pytest.mark.parametrize("text", sorted({*talk.TOPICS, *talk.GREETED_TOPICS, *talk.FIRST_TOPICS}))
def test_topics(text: str) -> None:
    """A sentence that only names a meeting says what the next one is about."""
    for full in every(text):
        said = f"{capitalised(full.format(meeting='the Curlew pricing review'))} It takes half an hour."

        assert ((LENGTH,),) == read_thread([Message("p001", TODAY, said)], RESOLVER)


@pytest.mark.parametrize("text", every_one(*talk.LEADS))
def test_leads(text: str) -> None:
    """A meeting before a colon is what the sentence is about."""
    said = capitalised(f"{text.format(meeting='the Curlew pricing review')}It takes half an hour.")

    assert ((LENGTH,),) == read_thread([Message("p001", TODAY, said)], RESOLVER)


@pytest.mark.parametrize(
    ("text", "kind"),
    [(text, Agreed) for text in (*talk.AGREED, *talk.AGREED_AT, *talk.BACKED, *talk.BACKED_AT)]
    + [(text, Declined) for text in (*talk.DECLINED, *talk.DECLINED_AT)],
)
def test_answers(text: str, kind: type[Agreed | Declined]) -> None:
    """An answer names the message that it answers by its author or by its time."""
    moment = "on Monday 1 March at 9am"
    for full in every(text):
        answer = capitalised(full.format(person="Ines Costa", moment=moment)) + "."
        first = Message("p003", TODAY, "The Curlew pricing review takes half an hour.")

        assert ((LENGTH,), (kind(about=MEETINGS[0], message=0),)) == read_thread(
            [first, Message("p001", LATER, answer)], RESOLVER
        )


@pytest.mark.parametrize(
    ("text", "kind"),
    [(text, Agreed) for text in (*talk.AGREED_QUOTE, *talk.BACKED_QUOTE)]
    + [(text, Declined) for text in talk.DECLINED_QUOTE],
)
def test_answers_to_a_quote(text: str, kind: type[Agreed | Declined]) -> None:
    """An answer below a quote is one to the message that is quoted."""
    line = "The Curlew pricing review takes half an hour."
    answer = f"> {line}\n{capitalised(text)}."
    messages = [Message("p003", TODAY, line), Message("p001", LATER, answer)]

    assert ((LENGTH,), (kind(about=MEETINGS[0], message=0),)) == read_thread(messages, RESOLVER)
