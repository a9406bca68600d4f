"""Bodies of responses: limits of what is read and kept, and JSON with a model's mistakes in it."""

import asyncio
import gzip
import json
import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.endpoint.bodies import (
    LONGEST_TEXT,
    MOST_PIECES,
    MOST_TEXT,
    MOST_VALUES,
    BodyError,
    TooLargeError,
    decoded,
    read_body,
)
from mpcbench.benchmark.agents.endpoint.secrets import Secrets
from unit_tests.benchmark.agents.endpoint.episodes import KEY, KEY_VARIABLE
from unit_tests.benchmark.agents.endpoint.raw_server import RawServer, Script, response
from unit_tests.benchmark.agents.endpoint.test_transport import script_on

MIB = 2**20
CONTENT = b'{"a": "some content"}' * 50


def read(content: bytes, encoding: str = "", limit: int = MIB, step: int = 7) -> tuple[bytes, bool]:
    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(content), step):
            yield content[start : start + step]

    return asyncio.run(read_body(chunks(), encoding, limit))


def raw_deflate(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush()


class TestReadBody:
    @pytest.mark.parametrize(
        ("encoding", "pack"),
        [
            ("", bytes),
            ("identity", bytes),
            ("gzip", gzip.compress),
            ("X-GZip", gzip.compress),
            ("deflate", zlib.compress),
            ("deflate", raw_deflate),
            ("gzip, deflate", lambda content: zlib.compress(gzip.compress(content))),
        ],
    )
    def test_unpacks(self, encoding: str, pack: Callable[[bytes], bytes]) -> None:
        """A body is unpacked by the methods that requests ask for."""
        assert (CONTENT, False) == read(pack(CONTENT), encoding)

    @pytest.mark.parametrize("encoding", ["", "gzip"])
    def test_ends_at_the_limit(self, encoding: str) -> None:
        """Of a longer body the beginning is given, and that there is more."""
        content = gzip.compress(bytes(10 * MIB)) if encoding else bytes(10 * MIB)

        assert (bytes(1000), True) == read(content, encoding, limit=1000, step=65536)

    def test_too_many_pieces(self) -> None:
        """A body in more pieces than any answer has is not read to its end."""
        with pytest.raises(TooLargeError, match="more than 250,000 pieces"):
            read(b"x" * (MOST_PIECES + 1), step=1)

    @pytest.mark.parametrize(
        ("content", "encoding", "message"),
        [
            (CONTENT, "gzip", "not packed with gzip"),
            (CONTENT, "deflate", "not packed with deflate"),
            (CONTENT, "br", "packed with 'br', which was not asked for"),
            (CONTENT, "gzip, gzip, gzip", "packed 3 times"),
            (gzip.compress(CONTENT, mtime=0)[:-9], "gzip", "breaks off"),
        ],
    )
    def test_other_packing(self, content: bytes, encoding: str, message: str) -> None:
        """What cannot be unpacked up to a limit is an error of one line."""
        with pytest.raises(BodyError, match=message):
            read(content, encoding, step=65536)


class TestDecoded:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            (b"[%s]" % (b"7" * 10_000), ["7" * 10_000]),
            (b"[%s]" % (b"7" * 100), [int("7" * 100)]),
            (b"[NaN, -Infinity]", ["NaN", "-Infinity"]),
            (b'["\\ud83d x \\ud83d\\ude00"]', ["? x \N{GRINNING FACE}"]),
            (b"\xef\xbb\xbf[1]", [1]),
            (b'["a\n\x01\tb"]', ["a\n\x01\tb"]),
            (b'["\xff\xc3"]', ["\N{REPLACEMENT CHARACTER}" * 2]),
            (b'["\xed\xa0\x80 x"]', ["\N{REPLACEMENT CHARACTER}" * 3 + " x"]),
        ],
    )
    def test_what_a_model_may_have_written(self, text: bytes, value: object) -> None:
        """Numbers and characters that JSON or Python cannot hold become texts."""
        assert value == decoded(text)

    def test_endless_nesting(self) -> None:
        """Values nested too deeply become a note, and what is around them stays."""
        text = b'{"before": "]", "deep": %s1%s, "after": [2]}' % (b"[" * 100_000, b"]" * 100_000)
        value = decoded(text)
        deep = value.pop("deep")
        while isinstance(deep, list):
            (deep,) = deep

        assert ({"before": "]", "after": [2]}, "(nested too deeply)") == (value, deep)

    @pytest.mark.parametrize("depth", [50, 150, 300, 497, 700, 986, 5_000])
    def test_nesting_in_a_long_answer(self, depth: int) -> None:
        """However deep a long answer is nested, it can be read and its texts are short."""
        text = b'["%s", %s1%s]' % (b"x" * (LONGEST_TEXT + 1), b"[" * depth, b"]" * depth)
        long, deep = decoded(text)
        while isinstance(deep, list):
            (deep,) = deep

        assert " [... 1 more characters ...] " in long
        assert deep in {1, "(nested too deeply)"}

    @pytest.mark.parametrize("text", [b"", b"{", b"[" * 100_000, b"nan", b"\xff", b'{"a": 1}}'])
    def test_no_json(self, text: bytes) -> None:
        """What is not JSON is an error."""
        with pytest.raises((ValueError, RecursionError)):
            decoded(text)

    def test_too_many_values(self) -> None:
        """More values than any answer has are not made into objects; marks within a text are none."""
        marks = "{},[" * MOST_VALUES
        with pytest.raises(TooLargeError, match="more than 250,000 values"):
            decoded(b"[%s{}]" % (b"{}," * MOST_VALUES))

        assert [marks] == decoded(json.dumps([marks]).encode())

    def test_long_texts(self) -> None:
        """A longer text than an answer may have is cut in its middle, with a note of how much was cut."""
        text = "a" * LONGEST_TEXT + "b" * LONGEST_TEXT
        (cut,) = decoded(json.dumps([text]).encode())

        assert f" [... {LONGEST_TEXT:,} more characters ...] " in cut
        assert (cut[0], cut[-1]) == ("a", "b")
        assert len(cut) < LONGEST_TEXT + 100

    def test_secrets_are_hidden_before_a_text_is_cut(self) -> None:
        """No half of a secret is left where a text is cut; texts that are never cut stay as they are."""
        key = "sk-test-0123456789abcdef"
        before = "x" * (LONGEST_TEXT * 2 // 3 - 10)
        text = before + key + "y" * LONGEST_TEXT
        (cut, short), (plain, _) = (
            decoded(json.dumps([text, key]).encode(), secrets) for secrets in (Secrets([key]), None)
        )

        assert (True, False, key) == ("sk-test" in plain, "sk-test" in cut, short)

    def test_many_long_texts(self) -> None:
        """Texts that are long all together are more than any answer holds."""
        texts = ["a" * (MOST_TEXT // 4)] * 5
        with pytest.raises(TooLargeError, match="characters"):
            decoded(json.dumps(texts).encode())


def endless(piece: bytes, head: bytes = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n") -> Script:
    yield head
    for _ in range(4000):
        yield piece


def chat(content: str) -> bytes:
    body = {"choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}]}
    return json.dumps(body, ensure_ascii=False).encode()


def packed(content: bytes) -> bytes:
    return response(gzip.compress(content, 1), "Content-Encoding: gzip")


HOSTILE: dict[str, Callable[[], Script]] = {
    "gzip bomb": lambda: [
        response(gzip.compress(gzip.compress(bytes(400 * MIB), 1), 1), "Content-Encoding: gzip, gzip")
    ],
    "event stream": lambda: endless(b"data: {}\n\n" * 10_000),
    "endless text": lambda: endless(b"x" * MIB, b'HTTP/1.1 200 OK\r\n\r\n{"choices": [{"message": {"content": "'),
    "endless error": lambda: endless(b"x" * MIB, b"HTTP/1.1 400 No\r\n\r\n"),
    "endless head": lambda: endless(b"a: b\r\n" * 10_000, b"HTTP/1.1 200 OK\r\n"),
    "text": lambda: [packed(chat("x" * (31 * MIB)))],
    "wide text": lambda: [packed(chat("\N{GRINNING FACE}" + "x" * (31 * MIB)))],
    "wide text with the key": lambda: [
        packed(chat("\N{GRINNING FACE}" + "x" * (31 * MIB) + KEY + "y")),
    ],
    "escapes": lambda: [packed(chat("%41" * (10 * MIB)))],
    "entities": lambda: [packed(chat("&#65;" * (6 * MIB)))],
    "tiny chunks": lambda: endless(b"4\r\naaaa\r\n" * 5_000, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
    "objects": lambda: [packed(b"[%s{}]" % (b"{}," * (10 * MIB)))],
    "calls": lambda: [
        packed(b'{"choices": [{"message": {"tool_calls": [%s{}]}}]}' % (b"{}," * (MOST_VALUES // 2 - 10)))
    ],
    "choices": lambda: [packed(b'{"choices": [%s{}]}' % (b'{"message":{}},' * (MOST_VALUES // 3 - 10)))],
    "numbers": lambda: [packed(b"[%s1]" % (b"1e5," * (8 * MIB - 10)))],
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
@pytest.mark.slow  # unpacks and refuses hundreds of MiB
@pytest.mark.parametrize("name", HOSTILE)
def test_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No single response takes the process that gets it to 400 MB."""
    monkeypatch.setenv(KEY_VARIABLE, "sk-test")
    code = (
        "\ntry:\n    ask()\nexcept Exception:\n    pass\n"
        "with open('/proc/self/status') as file:\n    lines = file.readlines()\n"  # getrusage begins with the size of the parent
        "print(*(int(line.split()[1]) // 1000 for line in lines if line.startswith('VmHWM:')))\n"
    )
    with RawServer(HOSTILE[name]()) as server, script_on(server.base_url, code) as process:
        output, errors = process.communicate(timeout=120)

    assert (0, "") == (process.returncode, errors)
    assert int(output) < 400
