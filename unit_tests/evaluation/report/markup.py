"""What a page of HTML holds, read with the standard library's parser."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"br", "hr", "img", "input", "link", "meta"}
DRAWN_ONLY = {"path"}
"""Elements of drawings that may close themselves."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element with the text directly in it."""

    tag: str
    attributes: dict[str, str | None]
    path: tuple[str, ...]
    """The tags around it, the outermost first."""

    text: list[str] = field(default_factory=list)

    @property
    def classes(self) -> set[str]:
        return set((self.attributes.get("class") or "").split())


class Markup(HTMLParser):
    """The elements of a fragment in order; raises AssertionError where tags do not match."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(text)
        self.close()
        assert not self._open, f"not closed: {[one.tag for one in self._open]}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, dict(attrs), tuple(one.tag for one in self._open)))
        assert len(attrs) == len(dict(attrs)), f"{tag}: an attribute stands twice"
        if tag not in VOID:
            self._open.append(self.elements[-1])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in DRAWN_ONLY
        self.elements.append(Element(tag, dict(attrs), tuple(one.tag for one in self._open)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open
        assert tag == self._open[-1].tag
        self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open:
            for one in self._open:
                one.text.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"comment {data!r}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"declaration {decl!r}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"instruction {data!r}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"declaration {data!r}")

    def texts(self, tag: str, *classes: str) -> list[str]:
        """The texts of all elements of a tag that have the classes, white space made single."""
        return [
            " ".join(" ".join(one.text).split())
            for one in self.elements
            if one.tag == tag and one.classes.issuperset(classes)
        ]
