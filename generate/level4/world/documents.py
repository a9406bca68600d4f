"""The policy documents of the office: those in force, and the archive with editions that nothing else holds."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from mpcbench.generate.level4.world.guideline import Guideline, editions_of
from mpcbench.schema.level4.world import LadderDocument, LadderSection

_INTRODUCTIONS: Final = (
    "This document holds the rules on the subject. Each section says what it is about and when it is in force.",
    "Rules that hold for everybody who plans a meeting, wherever they sit.",
    "What is said here binds; questions go to the team that keeps the document.",
    "Kept up to date by those who have to live with it. Older copies are in the archive.",
)
_ARCHIVED: Final = "An older copy of this document. Newer editions of its sections may have come into force since."
_ASIDES: Final = (
    ("How to read this document", "Sections are independent of one another unless one of them names another."),
    ("Who keeps this document", "The office of the works council keeps it, and answers questions by e-mail."),
    ("Why there are rules", "They are to save time, not to spend it; proposals for better ones are welcome."),
    ("Translations", "The English text counts. Translations exist for convenience and may be behind it."),
)


def documents(guidelines: Sequence[Guideline], rng: Random) -> Iterator[LadderDocument]:
    """The documents; the sections of policies have no text yet.

    IDs tell nothing of what is in a document, or of whether it is archived.
    """
    numbers = rng.sample(range(1, len(guidelines) + 1), len(guidelines))
    ids = {guideline.key: f"POL-{number:02}" for guideline, number in zip(guidelines, numbers, strict=True)}
    stated = defaultdict(list)
    for guideline in rng.sample(guidelines, len(guidelines)):
        for policy, archived in editions_of(guideline, ids):
            stated[guideline.document, archived].append(policy)
    places = rng.sample(range(1, len(stated) + 1), len(stated))
    for number, ((title, archived), policies) in sorted(zip(places, stated.items(), strict=True)):
        aside, text = rng.choice(_ASIDES)
        sections = [LadderSection(heading="", text="", policy=policy) for policy in policies]
        sections.insert(rng.choice((0, len(sections))), LadderSection(heading=aside, text=text))
        yield LadderDocument(
            document_id=f"DOC-{number:02}",
            title=f"{title}, older copy" if archived else title,
            introduction=_ARCHIVED if archived else rng.choice(_INTRODUCTIONS),
            archived=archived,
            sections=tuple(sections),
        )
