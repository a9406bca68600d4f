"""A policy of the office with all its editions, before it has an ID and a place in a document."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from mpcbench.schema.level4.policy import Exemption, LadderRule, Policy, Scope


class Edition(NamedTuple):
    """One edition of a policy: what it says, and where it is to be found."""

    rules: tuple[LadderRule, ...]
    terms: dict[str, Any]
    """The other fields of its `Policy`."""

    archived: bool = False
    """Whether only the archive holds it."""


class Guideline(NamedTuple):
    """A policy with all its editions, oldest first."""

    key: str
    """What the office's other policies call it here."""

    document: str
    """The title of its document."""

    editions: tuple[Edition, ...]
    exempt: tuple[tuple[str, Scope], ...] = ()
    """What the last edition exempts from which policy."""


def current(*rules: LadderRule, **terms: Any) -> Edition:
    """An edition in a document of today."""
    return Edition(rules, terms)


def archived(*rules: LadderRule, **terms: Any) -> Edition:
    """An edition that only the archive holds, whether or not it is still in force."""
    return Edition(rules, terms, archived=True)


def editions_of(guideline: Guideline, ids: dict[str, str]) -> Iterator[tuple[Policy, bool]]:
    """The editions as policies, each with whether only the archive holds it; exemptions are in the last."""
    for number, edition in enumerate(guideline.editions, start=1):
        exemptions = tuple(
            Exemption(policy_id=ids[key], when=scope)
            for key, scope in (guideline.exempt if number == len(guideline.editions) else ())
        )
        yield (
            Policy(
                policy_id=ids[guideline.key],
                edition=number,
                rules=edition.rules,
                exemptions=exemptions,
                **edition.terms,
            ),
            edition.archived,
        )
