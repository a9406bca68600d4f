"""Policy documents: the rules in force, surrounded by purposes, former rules and irrelevant passages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Final

from mpcbench.generate.wording.passages import INTERLUDES, INTRODUCTIONS, PRACTICE, REFERENCES, SCOPES, UPKEEP
from mpcbench.generate.wording.policies import RULES, other_rule, say_past_rule, say_rule
from mpcbench.schema import Collection, Document, Page, PolicyRule, Section
from mpcbench.schema.model import Level

LEAST_WORDS: Final = 1050
"""The minimum number of words of a document at levels 2 and 3."""

_DOCUMENTS: Final = {1: 1, 2: 8, 3: 16}
_TITLES: Final = (
    "Handbook of working together",
    "Rules on time and attention",
    "House rules and premises",
    "Guide to fair collaboration",
    "Compendium of internal agreements",
    "Rules for planning and invitations",
    "Working time and office manual",
    "Collected circulars of the policy office",
)
_MORE_TITLES: Final = (
    "Agreements of the works council",
    "Standing orders for meetings",
    "Rules of the house, second volume",
    "Reader on time and premises",
    "Policies of the head office",
    "Customs and commitments",
    "Planning manual",
    "Notes on calendars and rooms",
)
"""Titles that level 3 needs besides, which has more documents."""

_PAST_YEARS: Final = (2019, 2020, 2021, 2022, 2023, 2024, 2025)


@dataclass(frozen=True, slots=True)
class PolicyPlan:
    """One policy to be written."""

    policy_id: str
    title: str
    rules: tuple[PolicyRule, ...]


def write_documents(policies: Sequence[PolicyPlan], level: Level, rng: Random) -> tuple[Document, ...]:
    """The documents of a level; each policy is in one of them.

    Level 1 has one compact document whose sections are one line of text, the other levels several long ones.
    """
    if level == 1:
        return (_compact(policies, rng),)
    number = _DOCUMENTS[level]
    shuffled = rng.sample(policies, len(policies))
    interludes = rng.sample(INTERLUDES, len(INTERLUDES))
    introductions = [*islice(_endless(INTRODUCTIONS, rng), number)]
    titles = rng.sample(_TITLES if level == 2 else _TITLES + _MORE_TITLES, number)
    return tuple(
        Document(
            document_id=f"DOC-{place + 1:02d}",
            title=titles[place],
            introduction=introductions[place],
            sections=_sections(
                sorted(shuffled[place::number], key=lambda plan: plan.policy_id),
                policies,
                interludes[place::number],
                introductions[place],
                rng,
            ),
        )
        for place in range(number)
    )


def archived_pages(policies: Sequence[PolicyPlan], rng: Random) -> tuple[Page, ...]:
    """Superseded editions of policies, with numbers that differ from those in force."""
    pages = []
    for plan in policies:
        for year in sorted(rng.sample(_PAST_YEARS, rng.randint(1, 2))):
            body = [
                f"Status: superseded. This is the edition of {year}, kept for auditors; it no longer applies to anything.",
                rng.choice(RULES[plan.rules[0].kind].purpose),
                *(say_rule(other_rule(rule, rng), rng) for rule in plan.rules),
                rng.choice(UPKEEP),
            ]
            pages.append(
                Page(
                    page_id=f"{plan.policy_id}-{year}",
                    collection=Collection.POLICY_ARCHIVE,
                    title=f"{plan.policy_id} {plan.title}, edition of {year} (superseded)",
                    text="\n\n".join(body),
                )
            )
    return tuple(pages)


def _compact(policies: Sequence[PolicyPlan], rng: Random) -> Document:
    return Document(
        document_id="DOC-01",
        title="Meeting policies",
        introduction="A policy applies to a meeting if it is called for by its ID.",
        sections=tuple(
            Section(
                policy_id=plan.policy_id,
                heading=f"{plan.policy_id} {plan.title}",
                text=" ".join(say_rule(rule, rng) for rule in plan.rules),
                rules=plan.rules,
            )
            for plan in policies
        ),
    )


def _sections(
    own: Sequence[PolicyPlan],
    everything: Sequence[PolicyPlan],
    interludes: Sequence[tuple[str, str]],
    introduction: str,
    rng: Random,
) -> tuple[Section, ...]:
    """The sections of one document, with enough interludes to reach `LEAST_WORDS`."""
    style = rng.choice(("{id}: {title}", "{id} {title}", "{title} ({id})", "{id} - {title}"))
    scopes, practice, upkeep = _endless(SCOPES, rng), _endless(PRACTICE, rng), _endless(UPKEEP, rng)
    sections = [
        Section(
            policy_id=plan.policy_id,
            heading=style.format(id=plan.policy_id, title=plan.title),
            text=_prose(plan, everything, next(scopes), [next(practice), next(upkeep)], rng),
            rules=plan.rules,
        )
        for plan in own
    ]
    length = len(introduction.split()) + sum(len(section.text.split()) for section in sections)
    for heading, text in interludes:
        if length >= LEAST_WORDS and len(sections) > len(own) + 1:
            break
        sections.insert(rng.randint(0, len(sections)), Section(policy_id=None, heading=heading, text=text))
        length += len(text.split())
    return tuple(sections)


def _prose(plan: PolicyPlan, everything: Sequence[PolicyPlan], scope: str, after: list[str], rng: Random) -> str:
    """The text of one section: a purpose and the rules, among passages that distract from them."""
    others = [other for other in everything if other is not plan]
    before = [rng.choice(RULES[plan.rules[0].kind].purpose)]
    if rng.random() < 0.5:
        before.append(scope)
    else:
        after.insert(0, scope)
    rules = []
    for rule in plan.rules:
        paragraph = [say_rule(rule, rng)]
        if rng.random() < 0.8:
            past = say_past_rule(other_rule(rule, rng), rng.choice(_PAST_YEARS), rng)
            paragraph.insert(rng.randint(0, 1), past)
        if rng.random() < 0.6:
            paragraph.append(rng.choice(RULES[rule.kind].exception))
        rules.append(" ".join(paragraph))
    if others and rng.random() < 0.7:
        other = rng.choice(others)
        after.insert(
            rng.randint(0, len(after)), rng.choice(REFERENCES).format(other=f"{other.policy_id} ({other.title})")
        )
    return "\n\n".join((*before, *rules, *after))


def _endless(texts: Sequence[str], rng: Random) -> Iterator[str]:
    """The texts in random order, reshuffled and repeated without end."""
    while True:
        yield from rng.sample(texts, len(texts))
