"""The bodies of requests, and those of responses: read up to a limit, decoded with what a model wrote wrong in them.

A response may be endless, or tiny and unpack to gigabytes. So it is unpacked piece by piece, up to a limit; what it
holds is counted before it is made into objects; and texts that nobody could read are shortened before they are kept.
"""

import json
import re
import zlib
from collections.abc import AsyncIterable, Callable, Mapping, Sequence
from io import BytesIO
from itertools import islice
from typing import Any, Final

from pydantic_core import PydanticSerializationError, from_json, to_json

from mpcbench.benchmark.agents.endpoint.secrets import Secrets
from mpcbench.evaluation.scoring.answer import MAX_CHARACTERS
from mpcbench.schema.untrusted_text import plain_json, shortened

LARGEST_BODY: Final = 32 * 2**20
"""The most bytes of an answer, unpacked."""

LARGEST_ERROR: Final = 64 * 2**10
"""The most bytes of an error's body, unpacked; the rest is not read."""

MOST_VALUES: Final = 250_000
"""The most values that an answer may hold, texts not looked into."""

LONGEST_TEXT: Final = MAX_CHARACTERS
"""A longer text of an answer is cut in its middle, with a note of how many characters were cut."""

MOST_TEXT: Final = 8 * 2**20
"""The most characters of all texts of an answer together, after long ones were cut."""

ENCODINGS: Final = "gzip, deflate"
"""What answers may be packed with; other methods have no limit to what they unpack at once."""

MOST_PIECES: Final = 250_000
"""The most pieces in which a body may come: each takes time, however small it is."""

_LARGEST_ODD: Final = 8 * 2**20
"""The most bytes of an answer that is not quite JSON."""

_NEVER_CUT: Final = 60
"""Nothing quotes less of a text than so many characters. The words of the protocol are shorter."""

_STRING_OR_MARK = re.compile(rb'"(?:[^"\\]|\\.)*+"|[,\[{]', re.DOTALL)
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_DEEPEST = 60
_LONGEST_INTEGER = 4_000


class BodyError(ValueError):
    """A body cannot be used; the message is one line, without its content."""


class TooLargeError(BodyError):
    """A body is larger than any answer of a model."""


def encoded(body: Mapping[str, Any]) -> bytes:
    """The body of a request as JSON."""
    try:
        return to_json(body, inf_nan_mode="null")  # several times faster than json, on every turn's whole transcript
    except PydanticSerializationError:  # such as for more than 255 levels, which a model can have written
        return to_json(plain_json(body))


async def read_body(chunks: AsyncIterable[bytes], encoding: str, limit: int) -> tuple[bytes, bool]:
    """The unpacked body up to a limit, and whether there is more of it.

    Args:
        chunks: As they come over the wire.
        encoding: The header Content-Encoding.
        limit: In bytes.

    Raises:
        BodyError: it is not packed as the header says, or by a method that was not asked for.
        TooLargeError: it comes in more pieces than any answer.
    """
    unpackers = [_Unpacker(name) for name in reversed(_names(encoding))]
    body = BytesIO()  # a list of tiny chunks would be many times as large as what they hold
    pieces = 0
    async for chunk in chunks:
        pieces += 1
        if pieces > MOST_PIECES:
            raise TooLargeError(f"the response comes in more than {MOST_PIECES:,} pieces")
        content = chunk
        for unpacker in unpackers:
            content = unpacker.unpacked(content, limit + 1)
        body.write(content)
        if body.tell() > limit:
            body.truncate(limit)
            return body.getvalue(), True
    if any(not unpacker.ended for unpacker in unpackers):
        raise BodyError("the packed response breaks off")
    return body.getvalue(), False


def decoded(content: bytes, secrets: Secrets | None = None) -> Any:
    """What a JSON text says.

    A model may have written what JSON cannot hold, as arguments of a call. So integers of thousands of digits and NaN
    become texts, and values nested too deeply a note. Control characters may be unescaped; half characters become
    question marks, and bytes that are not UTF-8 U+FFFD.

    Args:
        content: The text.
        secrets: Taken out of texts that may be cut, where half of one would not be found.

    Raises:
        ValueError: it is not JSON.
        TooLargeError: it holds more than any answer of a model.
    """
    content = content.removeprefix(b"\xef\xbb\xbf")
    if len(content) > MOST_VALUES and _values(content) > MOST_VALUES:
        raise TooLargeError(f"the response holds more than {MOST_VALUES:,} values")
    try:
        value = from_json(content, allow_inf_nan=False)
    except ValueError:
        if len(content) > _LARGEST_ODD:
            raise
        value = _odd(content.decode("utf-8", "replace"))
    if len(content) > MOST_TEXT and _characters(value) > MOST_TEXT:
        raise TooLargeError(f"the response holds more than {MOST_TEXT:,} characters")
    if secrets is not None:
        return _rewritten(
            value, lambda text: secrets.hide_and_shorten(text, LONGEST_TEXT) if len(text) > _NEVER_CUT else text
        )
    return _rewritten(value, lambda text: shortened(text, LONGEST_TEXT)) if len(content) > LONGEST_TEXT else value


class _Unpacker:
    """One method of packing, a piece at a time."""

    def __init__(self, name: str) -> None:
        self._name = name
        # 47: with the head of gzip or zlib.
        self._zlib = zlib.decompressobj(47)
        self._began = False

    @property
    def ended(self) -> bool:
        """Whether the packed content is complete; no content at all is."""
        return self._zlib.eof or not self._began

    def unpacked(self, content: bytes, limit: int) -> bytes:
        """The next piece, as far as it is within a limit; `BodyError` if it is packed otherwise."""
        if not content or self._zlib.eof:
            return b""
        try:
            return self._zlib.decompress(content, limit)
        except zlib.error as error:
            if self._began or self._name != "deflate":
                raise BodyError(f"the response is not packed with {self._name}: {error}") from None
            self._zlib = zlib.decompressobj(-zlib.MAX_WBITS)  # deflate without a head, as some servers have it
            try:
                return self._zlib.decompress(content, limit)
            except zlib.error:
                raise BodyError(f"the response is not packed with {self._name}: {error}") from None
        finally:
            self._began = True


def _names(encoding: str) -> Sequence[str]:
    names = [name for part in encoding.lower().split(",") if (name := part.strip()) and name != "identity"]
    for name in names:
        if name.removeprefix("x-") not in {"gzip", "deflate"}:
            raise BodyError(f"the response is packed with {name!r}, which was not asked for")
    if len(names) > 2:
        raise BodyError(f"the response is packed {len(names)} times")
    return names


def _values(content: bytes) -> int:
    """About how many values a JSON text holds; those of its texts do not count."""
    count = sum(map(content.count, (b",", b"[", b"{")))
    if count <= MOST_VALUES:
        return count
    marks = (mark for mark in _STRING_OR_MARK.finditer(content) if mark[0][:1] != b'"')
    return sum(1 for _ in islice(marks, MOST_VALUES + 1))


def _odd(text: str) -> Any:
    """What a text says that is JSON but for numbers, depth or half characters; raises `ValueError`."""
    try:
        value = _read(text)
    except RecursionError:
        value = _read(_flattened(text))
    if _ESCAPED_SURROGATE.search(text):
        # Lone ones are JSON but no text: they could be neither sent back nor stored.
        value = _rewritten(value, lambda one: one.encode("utf-8", "replace").decode())
    return value


def _read(text: str) -> Any:
    # Not strict: some servers do not escape the control characters that a model writes.
    return json.loads(text, strict=False, parse_constant=str, parse_int=_integer)


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) < _LONGEST_INTEGER else digits


def _flattened(text: str) -> str:
    """The text with a note in place of every value that is nested too deeply."""
    kept: list[str] = []
    depth = place = 0
    for found in _BRACKET.finditer(text):
        mark = found[0]
        if mark in "[{":
            depth += 1
            if depth == _DEEPEST + 1:
                kept += [text[place : found.start()], '"(nested too deeply)"']
        elif mark in "]}":
            if depth == _DEEPEST + 1:
                place = found.end()
            depth -= 1
    if depth:
        raise ValueError("the brackets are not balanced")
    return "".join([*kept, text[place:]])


def _rewritten(value: Any, change: Callable[[str], str]) -> Any:
    """The value with all of its texts changed.

    It is changed in place, and without recursion, since a model may have written any depth.
    """
    root: list[Any] = [value]
    pending: list[Any] = [root]
    while pending:
        container = pending.pop()
        items: list[tuple[Any, Any]]
        if isinstance(container, dict):
            items = [(change(key), item) for key, item in container.items()]
            container.clear()
        else:
            items = list(enumerate(container))
        for place, item in items:
            container[place] = change(item) if isinstance(item, str) else item
            if isinstance(item, dict | list):
                pending.append(item)
    return root[0]


def _characters(value: Any) -> int:
    """How many characters all texts have once long ones are cut."""
    characters = 0

    def count(text: str) -> str:
        nonlocal characters
        characters += min(len(text), LONGEST_TEXT)
        return text

    _rewritten(value, count)
    return characters
