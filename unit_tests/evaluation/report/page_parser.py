"""What an HTML text holds, as a browser would see it: every element with its attributes, and the text between."""

from html.parser import HTMLParser
from typing import NamedTuple

VOID = frozenset(["meta", "link", "input", "br", "hr", "img", "source", "wbr"])
"""Elements without an end."""


class Element(NamedTuple):
    tag: str
    attributes: dict[str, str]
    text: str
    """Directly inside, of scripts and styles whole."""


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str], list[str]]] = []
        self.open: list[int] = []
        self.comments: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(len(self.found))
        self.found.append((tag, {name: value or "" for name, value in attrs}, []))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.found[self.open.pop()][0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.open:
            self.found[self.open[-1]][2].append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def elements(html: str) -> list[Element]:
    """All elements in order; there must be no comment."""
    parser = _Parser()
    parser.feed(html)
    parser.close()
    assert not parser.comments
    return [Element(tag, attributes, "".join(text)) for tag, attributes, text in parser.found]
