"""Searches find whole words, the best first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.benchmark.environment.level4.search import SearchIndex, first_place, wanted_words, words
from mpcbench.benchmark.environment.tools.toolbox import ToolError

TEXTS = ("the Heron review", "the Heron", "a review of the roof", "the roof", "herons")


def found(keyword: str, texts: tuple[str, ...] = TEXTS) -> list[str]:
    return SearchIndex((text, text) for text in texts).find(wanted_words(keyword))


def test_more_words_come_first() -> None:
    """Texts with both words lead; words inside longer ones are not found."""
    assert ["the Heron review", "the Heron", "a review of the roof"] == found("heron REVIEW")


def test_rare_words_count_more() -> None:
    """Of texts with one of the words, the one with the rarer word comes first."""
    assert "roofs" == found("the roofs", ("the", "the the", "the end", "the day", "the", "the", "the", "roofs"))[0]


def test_equal_texts_keep_their_order() -> None:
    """Of equally good texts the one that is earlier in the index comes first."""
    assert ["a b", "b a"] == found("a b", ("a b", "b a"))
    assert ["b a", "a b"] == found("a b", ("b a", "a b"))


def test_case_accents_and_punctuation_do_not_matter() -> None:
    """Words are compared as people type them."""
    assert ["jose", "s", "q1", "plan"] == words("José's Q1-plan")


def test_a_query_without_words_is_a_mistake() -> None:
    """Nothing to look for is an error."""
    with pytest.raises(ToolError, match="holds no word"):
        wanted_words("?! _")


def test_a_snippet_begins_at_a_word_that_is_wanted() -> None:
    """The place is that of the first such word in the text as it is written."""
    assert 4 == first_place("the Héron review", ["review", "heron"])
    assert 0 == first_place("the review", ["heron"])


@given(st.lists(st.text("ab c", max_size=6), max_size=8), st.text("ab c", min_size=1, max_size=4))
def test_exactly_the_texts_with_a_word_are_found(texts: list[str], keyword: str) -> None:
    """Whatever the order, each text that shares a word with the query is found once, and no other."""
    wanted = set(keyword.split())
    index = SearchIndex((text, place) for place, text in enumerate(texts))
    expected = {place for place, text in enumerate(texts) if wanted & set(text.split())}
    actual = index.find(sorted(wanted))

    assert expected == set(actual)
    assert len(actual) == len(expected)
    counts = [len(wanted & set(texts[place].split())) for place in actual]
    assert sorted(counts, reverse=True) == counts
