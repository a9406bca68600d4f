"""Write task texts: three paraphrases that name the meeting or plan and state what the task itself says."""

from collections.abc import Collection, Sequence
from random import Random
from typing import Final

from mpcbench.generate.level4.wording import talk
from mpcbench.generate.level4.wording.names import Names, names_of
from mpcbench.generate.level4.wording.statements import CALLED, Speech, other_meetings, say, sentence
from mpcbench.generate.wording import values as words
from mpcbench.generate.wording.choices import capitalised, chosen
from mpcbench.schema import OptionCount
from mpcbench.schema.level4.header import MeetingRef
from mpcbench.schema.level4.statements import Agenda, Said
from mpcbench.schema.level4.world import LadderWorld

MEETINGS: Final = (
    "please [propose|work out|put together] the options for {meeting}",
    "[find|work out|propose] the options for {meeting}, please",
    "which options do we have for {meeting}?",
    "[can|could] you [work out|find|put together] the options for {meeting}?",
    "{meeting} [needs to be scheduled|still needs a time and a room], so please work out the options",
    "please [send|give] me the options for {meeting}",
    "[I'd like to see|I need] the options for {meeting}",
)
COUNTED: Final = (
    "please [propose|work out|put together] {options} for {meeting}",
    "[find|work out|propose] {options} for {meeting}, please",
    "which {options} do we have for {meeting}?",
    "[can|could] you [work out|find|put together] {options} for {meeting}?",
    "{meeting} [needs to be scheduled|still needs a time and a room], so please work out {options}",
    "please [send|give] me {options} for {meeting}",
    "[I'd like to see|I need] {options} for {meeting}",
)
PLANS: Final = (
    "please plan {meeting} for us, with a time and a room for each meeting on its agenda",
    "{meeting} still has to be planned, so please find a time and a room for every meeting on its agenda",
    "[can|could] you plan {meeting}, that is, find a time and a room for each of its meetings?",
    "we need a plan for {meeting} that gives each of its meetings a time and a room",
    "please work out when and where all the meetings of {meeting} are to take place",
)


def tasks(
    subject: MeetingRef,
    statements: Sequence[Said],
    office: LadderWorld | Names,
    rng: Random,
    *,
    plan: bool | None = None,
    plans: Collection[str] = (),
) -> tuple[str, str, str]:
    """Three paraphrases of a task text.

    Days have their year, since a task is undated. The statements follow in their order, but for a number of options of
    the subject that comes first: it may be part of the first sentence.

    Args:
        subject: The meeting or plan, by its full name or an alias.
        statements: What the task itself says, in reading order.
        office: Has what the statements refer to.
        rng: Chooses among the phrasings.
        plan: Whether the subject is a plan; if None, whether the task or a thread of the office says so.
        plans: The full names of further plans that the statements are about.

    Raises:
        PhrasingError: something cannot be expressed exactly.
    """
    names = names_of(office)
    agendas = {names.known_meaning(said.about) for said in statements if isinstance(said.statement, Agenda)}
    known = {*plans, *agendas, *names.plans} | ({names.known_meaning(subject)} if plan else set())
    is_plan = names.known_meaning(subject) in known if plan is None else plan
    count = None
    if statements and statements[0].about == subject and isinstance(statements[0].statement, OptionCount):
        count = statements[0].statement
    texts = PLANS if is_plan else (MEETINGS if count is None else COUNTED)
    first, second, third = (
        _task(text, subject, count, statements if count is None or is_plan else statements[1:], names, known, rng)
        for text in rng.sample(texts, 3)
    )
    return first, second, third


def _task(
    text: str,
    subject: MeetingRef,
    count: OptionCount | None,
    statements: Sequence[Said],
    names: Names,
    plans: Collection[str],
    rng: Random,
) -> str:
    fields = {"meeting": names.meeting(subject)}
    if count is not None:
        fields["options"] = words.counted(rng, count.count, "option", "suggestion")
    parts = [sentence(chosen(text, rng).format(**fields))]
    last: MeetingRef | None = subject
    called = rng.choice(CALLED)
    for said in statements:
        others = other_meetings(said.statement)
        named = said.about != last or others or rng.random() < 0.2
        lead = named and rng.random() < 0.3
        speech = Speech(
            names,
            rng,
            names.office.zone,
            is_plan=names.known_meaning(said.about) in plans,
            named=said.about if named and not lead else None,
            called=called,
        )
        body = say(said.statement, speech)
        before = chosen(rng.choice(talk.LEADS), rng).format(meeting=names.meeting(said.about)) if lead else ""
        parts.append(capitalised(before + body))
        last = None if others else said.about
    return " ".join(parts)
