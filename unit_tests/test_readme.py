"""The command that writes the tables of README.md."""

import pytest

from unit_tests.readme import MarkError, section, with_section

TEXT = "# Title\n\n<!-- matrix -->\nold\n<!-- /matrix -->\n\nThe end.\n"


def test_a_table_is_put_between_its_marks() -> None:
    """Everything outside the marks stays, and what was put there is found there again."""
    text = with_section(TEXT, "matrix", "| new |")

    assert text == "# Title\n\n<!-- matrix -->\n\n| new |\n\n<!-- /matrix -->\n\nThe end.\n"
    assert section(text, "matrix") == "| new |"
    assert with_section(text, "matrix", "| new |") == text


@pytest.mark.parametrize(("text", "count"), [("no marks", 0), (TEXT * 2, 2)])
def test_marks_stand_once(text: str, count: int) -> None:
    """Without its marks, or with two pairs of them, a table has no place."""
    with pytest.raises(MarkError, match=rf"README\.md: {count} sections .* 1 wanted"):
        section(text, "matrix")
