"""The command that writes the measured sections of the documentation, and that what they show is so."""

from collections.abc import Callable

import pytest

from mpcbench.schema.dataset import Dataset
from unit_tests.builders.committed import DATASET
from unit_tests.tables import MarkError, failure, layers, log, options, section, shown, tools, with_section

TEXT = "# Title\n\n<!-- matrix -->\nold\n<!-- /matrix -->\n\nThe end.\n"


def test_a_section_is_put_between_its_marks() -> None:
    """Everything outside the marks stays, and what was put there is found there again."""
    text = with_section(TEXT, "matrix", "| new |")

    assert text == "# Title\n\n<!-- matrix -->\n\n| new |\n\n<!-- /matrix -->\n\nThe end.\n"
    assert section(text, "matrix") == "| new |"
    assert with_section(text, "matrix", "| new |") == text


@pytest.mark.parametrize(("text", "count"), [("no marks", 0), (TEXT * 2, 2)])
def test_marks_are_there_once(text: str, count: int) -> None:
    """Without its marks, or with two pairs of them, a section has no place."""
    with pytest.raises(MarkError, match=rf"{count} sections .* expected 1"):
        section(text, "matrix")


@pytest.mark.parametrize("make", [tools, options, failure, log, layers])
def test_a_page_shows_what_is_so(make: Callable[[Dataset], str]) -> None:
    """The sections that cost little are as the code makes them; `make tables` writes them anew."""
    assert make(DATASET) == shown(make.__name__)
