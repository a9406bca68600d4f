"""Pages hold everything once and are never too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.benchmark.environment.level4.pages import MOST_CHARACTERS, Block, packed, text_page
from mpcbench.benchmark.environment.tools.toolbox import ToolError

sizes = st.lists(st.integers(0, 2 * MOST_CHARACTERS), max_size=12)


@given(sizes, st.none() | st.integers(1, 4))
def test_packed_pages_are_complete_in_order_and_bounded(lengths: list[int], most: int | None) -> None:
    """The pages in a row are the items, and a page is too long only if it holds a single item."""
    pages = packed(lengths, lambda length: length, most)

    assert lengths == [length for page in pages for length in page]
    assert all(len(page) == 1 or sum(page) <= MOST_CHARACTERS for page in pages if page)
    assert most is None or all(len(page) <= most for page in pages)


@given(sizes)
def test_texts_are_shown_whole_on_bounded_pages(lengths: list[int]) -> None:
    """All pages together hold every character of every block, and each names the records of its pieces."""
    blocks = [
        Block(f"{chr(97 + number)} " * (length // 2), (f"record:{number}",)) for number, length in enumerate(lengths)
    ]
    first = text_page("Text", blocks, 1)
    count = int(first.text.splitlines()[0].rpartition(" ")[2])
    results = [text_page("Text", blocks, page) for page in range(1, count + 1)]
    bodies = ["".join(result.text.partition("\n")[2].split()) for result in results]

    assert "".join("".join(block.text.split()) for block in blocks) == "".join(bodies)
    assert all(len(result.text) < MOST_CHARACTERS + 1_000 for result in results)
    for body, result in zip(bodies, results, strict=True):
        assert {f"record:{ord(letter) - 97}" for letter in body} <= set(result.records)
    with pytest.raises(ToolError, match=f"the last page is {count}"):
        text_page("Text", blocks, count + 1)
