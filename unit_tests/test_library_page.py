"""The code of docs/library.md runs, and prints what the page says."""

from unit_tests.tables import DOCS, LIBRARY, as_program

PAGE = """
```python
one = 1
print(one)
```

```python
print(one + 1)
```

```text
0
```
"""


def test_the_page_as_a_program() -> None:
    """The blocks of code run one after the other; each prints the block of text below it."""
    page = (DOCS / LIBRARY).read_text(encoding="utf-8")

    assert page == as_program(page)
    assert page.count("```text") == 5


def test_what_is_printed_replaces_the_text() -> None:
    """A block of text becomes what all code since the block before prints; everything else stays."""
    assert PAGE.replace("\n0\n", "\n1\n2\n") == as_program(PAGE)
