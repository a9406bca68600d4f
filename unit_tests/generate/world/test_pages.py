"""Decoy pages."""

import re
from collections import Counter
from random import Random

import pytest

from mpcbench.generate.world.organisation import people_of
from mpcbench.generate.world.pages import write_pages
from mpcbench.schema import Collection

PEOPLE = people_of(3, Random(1))


def test_level_1_has_no_pages() -> None:
    """Level 1 offers no decoys."""
    assert write_pages(1, PEOPLE, Random(1)) == ()


@pytest.mark.parametrize(
    ("level", "collections"),
    [
        (2, {Collection.WIKI, Collection.HOLIDAY, Collection.ANNOUNCEMENT}),
        (3, set(Collection) - {Collection.POLICY_ARCHIVE}),
    ],
)
def test_collections(level: int, collections: set[Collection]) -> None:
    """A level has its collections, with ten or more pages each and unique IDs."""
    pages = write_pages(level, PEOPLE, Random(1))  # type: ignore[arg-type]
    counts = Counter(page.collection for page in pages)

    assert collections == set(counts)
    assert all(10 <= count <= 70 for count in counts.values())
    assert len(pages) == len({(page.collection, page.page_id) for page in pages})


def test_texts_are_filled() -> None:
    """No field is left open, and no page mentions a policy ID."""
    pages = write_pages(3, PEOPLE, Random(2))

    assert [page.text for page in pages if "{" in page.text or "POL-" in page.text or not page.title] == []


def test_no_time_ends_before_it_begins() -> None:
    """Wherever a page says "from" and "to", the first time is the earlier one."""
    texts = [page.text for seed in range(20) for page in write_pages(3, PEOPLE, Random(seed))]
    spans = [match for text in texts for match in re.findall(r"(\d+):(\d\d) to (\d+):(\d\d)", text)]

    assert len(spans) > 100
    assert [span for span in spans if (int(span[0]), int(span[1])) >= (int(span[2]), int(span[3]))] == []


def test_same_seed_same_pages() -> None:
    """Pages depend on the people and the seed alone."""
    assert write_pages(3, PEOPLE, Random(7)) == write_pages(3, PEOPLE, Random(7))


@pytest.mark.parametrize("level", [2, 3])
def test_customs_bind_nobody(level: int) -> None:
    """Pages that give lengths or hours of meetings say that these are no rules."""
    pages = [page for page in write_pages(level, PEOPLE, Random(3)) if page.title.startswith(("Project ", "Holding "))]  # type: ignore[arg-type]
    disclaimers = (
        "binds nobody", "its organiser says", "No rule follows", "cannot know", "settled case by case", "never adopted",
        "Nothing came of it", "counts instead", "not regulations", "voluntary",
    )  # fmt: skip

    assert len(pages) == 50
    assert [page.text for page in pages if not any(words in page.text for words in disclaimers)] == []
