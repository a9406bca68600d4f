"""What must not be seen: keys, and the parts of a base URL in which keys are passed."""

import html
import json
import os
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from mpcbench.benchmark.agents.endpoint.models import ModelEntry

SHORTEST = 6
"""Shorter values are not hidden: they would be found in harmless texts everywhere."""

_Form: TypeAlias = str | re.Pattern[str]


class Secrets:
    """Values to hide from all texts.

    Values of fewer than `SHORTEST` characters are not hidden, and values of digits alone not within longer numbers.
    Any other is hidden wherever it stands, so that a password that is a common word takes this word out of all texts.
    """

    def __init__(self, values: Iterable[str]) -> None:
        forms = {form for value in values if len(value) >= SHORTEST for form in _forms(value)}
        # The longest first: a form may be part of another.
        self._forms: tuple[_Form, ...] = tuple(
            # Digits amid other digits are a number: JSON would not survive the cut.
            re.compile(rf"(?<![\d.]){form}(?![\d.])") if form.isdecimal() else form
            for form in sorted(forms, key=lambda form: (-len(form), form))
        )

    @classmethod
    def of_run(
        cls,
        entries: Iterable[ModelEntry],
        base_url: str | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> "Secrets":
        """The keys of these models in the environment, and what the base URLs hold: this one and the models' own."""
        values: list[str] = []
        urls = [base_url, environment.get("OPENAI_BASE_URL")]
        for entry in entries:
            if entry.api_key_env is not None:
                values.append(environment.get(entry.api_key_env, "").strip())
            urls.append(entry.base_url)
        return cls([*values, *(value for url in urls if url for value in _parts(url))])

    def __repr__(self) -> str:
        return f"<{len(self._forms)} hidden forms>"

    def hide(self, text: str) -> str:
        """The text with `***` in place of each value: plain, escaped for JSON, URLs or HTML, or in Base64."""
        for form in self._forms:
            if isinstance(form, re.Pattern):
                text = form.sub("***", text)
            elif form in text:  # much faster than replacing what is hardly ever there
                text = text.replace(form, "***")
        return text


def _parts(url: str) -> Iterator[str]:
    """User, password, both, and the values of the query, as they stand in the URL and decoded."""
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
    yield b64encode(binary).decode()
    yield urlsafe_b64encode(binary).decode()
    for offset in range(3):
        yield from _base64(binary, offset)


def _base64(value: bytes, offset: int) -> tuple[str, str]:
    """What of a text's Base64 depends on a value in it alone, after so many bytes (modulo 3) of something else."""
    written = b64encode(bytes(offset) + value).decode()
    inner = written[-(-offset * 4 // 3) : (offset + len(value)) * 4 // 3]
    return inner, inner.translate(str.maketrans("+/", "-_"))
