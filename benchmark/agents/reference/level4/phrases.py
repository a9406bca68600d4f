"""Sentences as the grammar of level 4 sees them: values reduced to tokens, and patterns with named slots.

In a pattern, `<day>` matches a token and captures its index under the token's kind, and `{person}` captures some words,
not beyond a colon.
A pattern matches a whole phrase.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, tzinfo
from functools import cache, lru_cache
from itertools import count
from typing import Any, Final

from mpcbench.benchmark.agents.reference.facts import Window
from mpcbench.benchmark.agents.reference.grammar_time import Days, Moment, Span, instant, reduce_lengths, reduce_times
from mpcbench.benchmark.agents.reference.level4.resolver import Resolver
from mpcbench.benchmark.agents.reference.lexicon import ReadingError, Reduced, pattern

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'])")
_TITLE = re.compile(r"(?<!\w)'([A-Z][^']*)'(?!\w)")
_SLOT = re.compile(r"\{(\w+)\}")
_TOKEN = re.compile(r"(?<!P)<(\w+)>")
_GROUP = re.compile(r"\(\?P<(\w+)>")
_WHEN = r"(?:<days>|on <day>)[,;] "
_EACH_DAY = "(?:each day|on each of these days|on any day|always|any time)"
_LOCAL = r" \(local time at ([^)]+)\)"
_ANY_HOUR = "(?:any time of the day|at any hour|around the clock|at whatever hour)"


UNREADABLE: Final = "cannot tell what is meant"


class UnreadableError(ReadingError):
    """A sentence that seems to matter cannot be read."""

    def __init__(self, sentence: str, why: str = UNREADABLE) -> None:
        super().__init__(f"{why}: {sentence!r}")
        self.sentence = sentence


def sentences(text: str) -> list[str]:
    """The sentences of a text, with the marks that end them."""
    return [sentence for sentence in _SENTENCE.split(text.strip()) if sentence]


@cache
def phrase(text: str, *, greedy: bool = False) -> re.Pattern[str]:
    """Compile a pattern of a whole phrase, whose slots take as few words as possible, or as many.

    A slot may occur in several alternatives; so groups are numbered, as in `person__0`.
    """
    text = _SLOT.sub(rf"(?P<\1>(?:(?!: ).)+{'' if greedy else '?'})", text)
    text = _TOKEN.sub("\u00ab\\1:(?P<\\1>\\\\d+)\u00bb", text)
    serial = count()
    return re.compile(_GROUP.sub(lambda group: f"(?P<{group[1]}__{next(serial)}>", text), re.IGNORECASE)


@cache
def _kinds(text: str) -> frozenset[str]:
    """The kinds of the tokens of a pattern."""
    return frozenset(_TOKEN.findall(text))


@lru_cache(maxsize=16_384)
def _reduced(sentence: str, today: date | None) -> tuple[str, tuple[Any, ...]]:
    """A sentence, which is read again and again as more becomes known, with titles, times and lengths as tokens.

    Raises:
        ReadingError: a day does not exist, or not with its weekday, or its year is missing.
    """
    reduced = Reduced(sentence.strip().rstrip(".!?"))
    reduced.reduce("title", _TITLE, lambda title: title)
    reduce_times(reduced, today)
    reduce_lengths(reduced)
    return reduced.text, tuple(reduced.values)


@dataclass(frozen=True)
class Found:
    """A phrase that matches a pattern."""

    words: Mapping[str, str]
    """By slot."""

    values: Mapping[str, Any]
    """By kind of token."""


class Phrases:
    """One sentence without its end mark, reduced.

    Args:
        sentence: The text.
        today: A day without a year is the one nearest to it; None: every day has its year.
        resolver: Knows the zones. Times that are said to be local to a site become times of the world's zone.

    Raises:
        UnreadableError: a day does not exist, or not with its weekday, or its year is missing.
    """

    def __init__(self, sentence: str, today: date | None, resolver: Resolver) -> None:
        self.sentence = sentence
        try:
            text, values = _reduced(sentence, today)
        except ReadingError as error:
            raise UnreadableError(sentence, str(error)) from error
        self._reduced = Reduced(text, list(values))
        self._reduce_windows()
        self._reduce_local_times(resolver)

    @property
    def text(self) -> str:
        """The sentence with tokens."""
        return self._reduced.text

    def value(self, index: str) -> Any:
        """The value of a token."""
        return self._reduced.value(index)

    def find(self, text: str, form: str) -> Iterator[Found]:
        """How a text with tokens of this sentence can be divided by a pattern: at most two ways."""
        kinds = _kinds(form)
        seen = []
        for greedy in (False, True):
            match = phrase(form, greedy=greedy).fullmatch(text)
            if match is None or match.groupdict() in seen:
                return
            seen.append(match.groupdict())
            groups = {name.partition("__")[0]: group for name, group in match.groupdict().items() if group is not None}
            tokens = {name: self.value(group) for name, group in groups.items() if name in kinds}
            yield Found({name: group for name, group in groups.items() if name not in tokens}, tokens)

    def _reduce_windows(self) -> None:
        value = self._reduced.value

        def window(days: str | None, day: str | None, hours: str | None = None) -> Window:
            run = value(days) if days else Days(value(day or ""), value(day or ""))
            return Window(run, value(hours) if hours else None)

        with_hours = pattern(rf"{_WHEN}(?:{_EACH_DAY} )?<hours>(?: every day)?")
        self._reduced.reduce("window", with_hours, window)
        self._reduced.reduce("window", pattern(_WHEN + _ANY_HOUR), window)

    def _reduce_local_times(self, resolver: Resolver) -> None:
        value = self._reduced.value

        def here(moment: Moment, zone: tzinfo) -> Moment:
            local = instant(moment, zone).astimezone(UTC).astimezone(resolver.zone)
            return Moment(local.date(), local.hour * 60 + local.minute)

        def moment(index: str, site: str) -> Moment | None:
            zone = resolver.site_zone(site)
            return None if zone is None else here(value(index), zone)

        def span(index: str, site: str) -> Span | None:
            zone, there = resolver.site_zone(site), value(index)
            return None if zone is None else Span(here(there.start, zone), here(there.end, zone))

        self._reduced.reduce("moment", pattern(f"<moment>{_LOCAL}"), moment)
        self._reduced.reduce("span", pattern(f"<span>{_LOCAL}"), span)
