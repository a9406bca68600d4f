"""The checks that texts state what their tags say and nothing else, and that an agent finds the gold from them alone."""

from collections.abc import Container

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference.level4.agent import LadderAgent
from mpcbench.benchmark.agents.reference.level4.grammar_fact import read_page
from mpcbench.benchmark.agents.reference.level4.grammar_policy import read_section
from mpcbench.benchmark.agents.reference.level4.grammar_task import read_task
from mpcbench.benchmark.agents.reference.level4.grammar_thread import read_thread
from mpcbench.benchmark.agents.reference.level4.resolver import Message
from mpcbench.benchmark.agents.reference.lexicon import ReadingError
from mpcbench.benchmark.environment.level4.prompts import ladder_prompt
from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.session import LadderToolbox
from mpcbench.evaluation.scoring.ladder_answer import agenda_of, parse_ladder_answer
from mpcbench.evaluation.scoring.score import score
from mpcbench.generate.level4.resolver import WorldResolver
from mpcbench.schema.level4.instance import LadderInstance
from mpcbench.schema.level4.label import LadderLabel
from mpcbench.schema.level4.world import LadderPage, LadderSection, LadderThread, LadderWorld, policy_record

_TURNS = 200


class UnreadableTextError(ValueError):
    """A text does not state its tags; the message names the record."""


def check_agent(reading: LadderRecords, instance: LadderInstance, label: LadderLabel) -> None:
    """Let the reference agent do the task with the tools alone.

    One paraphrase is enough, since all of them are read as the same statements.

    Raises:
        UnreadableTextError: it does not find the gold in order.
    """
    agenda = agenda_of(label)
    prompt = ladder_prompt(reading.world.timezone, plan=bool(agenda))
    task = Task(instance.instance_id, prompt, instance.task[0])
    try:
        reply = LadderAgent()(task, LadderToolbox(reading, instance.change), Budget(_TURNS))
        answer = parse_ladder_answer(reply.text, reading.world.zone, reading.world.rooms, agenda)
    except (ReadingError, ValueError) as error:
        raise UnreadableTextError(f"the reference agent fails: {type(error).__name__}: {error}") from error
    if not score(answer.candidates, label.gold).ranked_match:
        raise UnreadableTextError("the reference agent finds other candidates")


def check_records(world: LadderWorld, records: Container[str], resolver: WorldResolver) -> None:
    """Read the threads, pages and sections of policies among the records of a world.

    Raises:
        UnreadableTextError: one of them does not state its tags.
    """
    for thread in world.threads:
        if f"thread:{thread.thread_id}" in records:
            check_thread(thread, resolver)
    for page in world.pages:
        if f"{page.collection}:{page.page_id}" in records:
            check_page(page, resolver)
    for section, policy in world.policies:
        if policy_record(policy) in records:
            check_section(section, resolver)


def check_task(instance: LadderInstance, resolver: WorldResolver) -> None:
    """Read every paraphrase of the task; raises `UnreadableTextError`."""
    expected = (instance.subject, instance.references.statements)
    for number, text in enumerate(instance.task):
        try:
            found = read_task(text, resolver)
        except ReadingError as error:
            raise UnreadableTextError(f"paraphrase {number} of the task: {error}") from error
        if tuple(found) != expected:
            raise UnreadableTextError(f"paraphrase {number} of the task states something else: {text!r}")


def check_thread(thread: LadderThread, resolver: WorldResolver) -> None:
    """Read a thread; raises `UnreadableTextError`."""
    record = f"thread:{thread.thread_id}"
    try:
        found = read_thread([Message(one.author, one.sent, one.text) for one in thread.messages], resolver)
    except ReadingError as error:
        raise UnreadableTextError(f"{record}: {error}") from error
    for message, tags in zip(thread.messages, found, strict=True):
        if message.tags != tags:
            raise UnreadableTextError(f"{record}: a message states something else: {message.text!r}")


def check_page(page: LadderPage, resolver: WorldResolver) -> None:
    """Read a page; raises `UnreadableTextError`."""
    record = f"{page.collection}:{page.page_id}"
    try:
        found = read_page(page.title, page.text, resolver)
    except ReadingError as error:
        raise UnreadableTextError(f"{record}: {error}") from error
    if found != page.facts:
        raise UnreadableTextError(f"{record}: it states something else: {page.text!r}")


def check_section(section: LadderSection, resolver: WorldResolver) -> None:
    """Read the section of a policy; raises `UnreadableTextError`."""
    policy = section.policy
    if policy is None:
        return
    try:
        found = read_section(f"{policy.policy_id}, edition {policy.edition}: {section.heading}", section.text, resolver)
    except ReadingError as error:
        raise UnreadableTextError(f"{policy_record(policy)}: {error}") from error
    if found != policy:
        raise UnreadableTextError(f"{policy_record(policy)}: its section states something else: {section.text!r}")
