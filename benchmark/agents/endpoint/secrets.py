"""What must not be seen: keys, and the parts of a base URL in which keys are passed."""

import html
import json
import os
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from mpcbench.benchmark.agents.endpoint.models import ModelEntry
from mpcbench.schema.untrusted_text import shortened

SHORTEST = 6
"""Shorter values are not hidden: they would be found in harmless texts everywhere."""

_Form: TypeAlias = tuple[bytes, re.Pattern[str]]
"""What a written form looks like in small letters, and what finds it."""

_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_ESCAPED = re.compile(
    # Where a run of backslashes begins: to look at it anew from each of them takes forever.
    rb"%([0-9a-f]{2})|(?<!\\)\\+(?:u00|x)([0-9a-f]{2})|&#x0*([0-9a-f]{2});|&#0*(\d{2,3});"
)
_LONGEST_ESCAPE = 12
"""Characters that one may take when it is escaped, such as `\\\\\\\\u002d`."""

_WINDOW = 2**16
"""Bytes that are unescaped at a time: there may be an object for every third of them."""

_MARKS = (b"%", b"\\u00", b"\\x", b"&#")
_SEPARATORS = ("", ":", " ", "-", ",", ", 0x")


class Secrets:
    """Values to hide from all texts.

    Values of fewer than `SHORTEST` characters are not hidden, and values of digits alone not within longer numbers.
    All others are hidden everywhere: if a password is a common word, that word disappears from all texts.
    """

    def __init__(self, values: Iterable[str]) -> None:
        values = {value for value in values if len(value) >= SHORTEST}
        forms = {form for value in values for form in _forms(value)}
        numbers = {form for value in values if value.isdecimal() for form in (value, value[::-1])}
        # The longest first: a form may be part of another.
        self._forms: tuple[_Form, ...] = tuple(
            (form.encode("utf-8", "surrogatepass").lower(), _pattern(form, number=form in numbers))
            for form in sorted(forms, key=lambda form: (-len(form), form))
        )
        plain = {form for value in values if value.isascii() for form in (value, value[::-1])}
        self._longest = max(
            [_LONGEST_ESCAPE * len(value) for value in values] + [len(form) for form in forms], default=0
        )
        self._plain: tuple[_Form, ...] = tuple(
            (form.lower().encode(), _pattern_of_any_escape(form)) for form in sorted(plain, key=lambda form: -len(form))
        )

    @classmethod
    def of_run(
        cls,
        entries: Iterable[ModelEntry],
        base_url: str | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> "Secrets":
        """What the environment and the base URLs hold: this one, the models' own, and those of proxies.

        From the environment: the keys of these models, the values of their `headers_env` and of OPENAI_CUSTOM_HEADERS.
        """
        values: list[str] = []
        urls = [base_url, environment.get("OPENAI_BASE_URL")]
        for entry in entries:
            if entry.api_key_env is not None:
                values.append(environment.get(entry.api_key_env, "").strip())
            values += [environment.get(variable, "").strip() for variable in entry.headers_env.values()]
            urls.append(entry.base_url)
        urls += [environment.get(name) for proxy in _PROXIES for name in (proxy, proxy.lower())]
        values += _header_values(environment.get("OPENAI_CUSTOM_HEADERS", ""))
        return cls([*values, *(value for url in urls if url for value in _parts(url))])

    def __repr__(self) -> str:
        return f"<{len(self._forms)} hidden forms>"

    def hide(self, text: str) -> str:
        """The text with `***` in place of each value, in large or small letters, forwards or backwards.

        Plain; escaped for JSON, URLs or HTML, every character or any of them; as hexadecimal digits; or in Base64.
        """
        # Much faster than replacing what is hardly ever there.
        small = text.encode("utf-8", "surrogatepass").lower()
        for form, pattern in self._forms:
            if form in small:
                text = pattern.sub("***", text)
        if any(mark in small for mark in _MARKS):
            found = self._escaped_in(small)
            for form, pattern in self._plain:
                if form in found:
                    text = pattern.sub("***", text)
        return text

    def hide_cut(self, text: str) -> str:
        """The same for a text that was cut: without its end, which may be a part of a value."""
        return self.hide(text)[: -self._longest or None]

    def hide_and_shorten(self, text: str, length: int) -> str:
        """The text without values, cut in its middle as by `shortened`; what is cut is not looked at."""
        spare = 2 * self._longest
        if len(text) <= length + 2 * spare:
            return shortened(self.hide(text), length)
        head = length * 2 // 3
        tail = length - head
        before, after = self.hide_cut(text[: head + spare]), self.hide(text[-tail - spare :])[self._longest :]
        return f"{before[:head]} [... {len(text) - length:,} more characters ...] {after[-tail:]}"

    def _escaped_in(self, small: bytes) -> set[bytes]:
        """Those of the plain forms that are in a text in small letters, whichever of their characters are escaped."""
        found: set[bytes] = set()
        for start in range(0, len(small), _WINDOW):
            read = _ESCAPED.sub(lambda one: _unescaped(one[0]), small[start : start + _WINDOW + self._longest])
            found.update(form for form, _ in self._plain if form in read)
        return found


def _pattern(form: str, *, number: bool) -> re.Pattern[str]:
    # Digits within a longer number stay: without them JSON would be broken.
    written = rf"(?<![\d.]){form}(?![\d.])" if number else re.escape(form)
    return re.compile(written, re.IGNORECASE)


def _pattern_of_any_escape(form: str) -> re.Pattern[str]:
    escapes = r"%{0:02x}|(?<!\\)\\+(?:u00|x){0:02x}|&#x0*{0:02x};|&#0*{0};"
    either = [
        "(?:" + "|".join([re.escape(one), *(escapes.format(ord(case)) for case in {one.lower(), one.upper()})]) + ")"
        for one in form
    ]
    edges = (r"(?<![\d.])", r"(?![\d.])") if form.isdecimal() else ("", "")
    return re.compile("".join([edges[0], *either, edges[1]]), re.IGNORECASE)


@lru_cache(4096)  # there may be millions
def _unescaped(escape: bytes) -> bytes:
    digits = escape.lstrip(b"%\\ux&#").rstrip(b";")
    code = int(digits, 10 if escape[:2] == b"&#" and escape[2:3] != b"x" else 16)
    return bytes([code]).lower() if code < 128 else b"?"


def _header_values(lines: str) -> Iterator[str]:
    """The values of headers, whole and without their scheme, as in `Authorization: Bearer KEY`."""
    for line in lines.splitlines():
        value = line.partition(":")[2].strip()
        yield value
        yield value.rpartition(" ")[2]


def _parts(url: str) -> Iterator[str]:
    """User, password, both, and the values of the query, as written in the URL and decoded."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    for value in (user, password, f"{user}:{password}"):
        yield value
        yield unquote(value)
    for _, value in parse_qsl(parts.query):
        yield value


def _forms(value: str) -> Iterator[str]:
    for one in (value, value[::-1]):
        yield from _written(one)
    # Bytes see no large letters beyond ASCII.
    yield from {value.upper(), value.lower(), value.swapcase()}


def _written(value: str) -> Iterator[str]:
    yield value
    for escaped in (json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]):
        yield escaped
        yield escaped.replace("/", r"\/")
        yield json.dumps(escaped)[1:-1]  # a JSON text within a JSON text
    # Bytes of the environment that are no text are lone surrogates.
    for encoded in (
        quote(value, errors="replace"),
        quote(value, "", errors="replace"),
        quote_plus(value, errors="replace"),
    ):
        yield encoded
        yield re.sub("%..", lambda found: found[0].lower(), encoded)
    yield html.escape(value)
    binary = value.encode("utf-8", "replace")
    digits = [f"{byte:02x}" for byte in binary]
    for separator in _SEPARATORS:
        yield separator.join(digits)
    yield b64encode(binary).decode()
    yield urlsafe_b64encode(binary).decode()
    for offset in range(3):
        yield from _base64(binary, offset)


def _base64(value: bytes, offset: int) -> tuple[str, str]:
    """What of a text's Base64 depends on a value in it alone, after so many bytes (modulo 3) of something else."""
    written = b64encode(bytes(offset) + value).decode()
    inner = written[-(-offset * 4 // 3) : (offset + len(value)) * 4 // 3]
    return inner, inner.translate(str.maketrans("+/", "-_"))
