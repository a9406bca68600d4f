"""GGUF files for tests: right headers, and no weights worth the name."""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

TINY: Mapping[str, Any] = {
    "general.architecture": "llama",
    "general.name": "Tiny",
    "llama.block_count": 2,
    "llama.context_length": 4096,
    "llama.embedding_length": 64,
    "llama.attention.head_count": 8,
    "llama.attention.head_count_kv": 2,
}
"""A token of context takes 2 layers x 2 heads x (8 + 8) numbers of 2 bytes: 128 bytes."""

TOKEN_BYTES = 128
ALIGNMENT = 32


def gguf(
    metadata: Mapping[str, Any] = TINY, tensors: Sequence[str] = ("a", "b"), *, version: int = 3, data: int = 64
) -> bytes:
    """The bytes of a file whose tensors of 32 bytes each begin in the last `data` bytes."""
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(metadata))
    head += b"".join(_string(key) + _typed(value) for key, value in metadata.items())
    for number, name in enumerate(tensors):
        head += _string(name) + struct.pack("<IQIQ", 1, 8, 0, ALIGNMENT * number)
    return head + b"\0" * (-len(head) % ALIGNMENT) + b"\1" * data


def write_gguf(file: Path, metadata: Mapping[str, Any] = TINY) -> Path:
    """A file of this kind."""
    file.write_bytes(gguf(metadata))
    return file


def _string(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _typed(value: Any) -> bytes:
    kind, data = _value(value)
    return struct.pack("<I", kind) + data


def _value(value: Any) -> tuple[int, bytes]:
    match value:
        case bool():
            return 7, struct.pack("<?", value)
        case int():
            return 4, struct.pack("<I", value)
        case float():
            return 6, struct.pack("<f", value)
        case str():
            return 8, _string(value)
        case _:
            values = [_value(one) for one in value]
            kind = values[0][0] if values else 4
            return 9, struct.pack("<IQ", kind, len(values)) + b"".join(data for _, data in values)
