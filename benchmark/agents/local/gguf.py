"""The header of a GGUF file: what the weights say of themselves.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (versions 2 and 3, little-endian).

The package `gguf` reads the same, but makes an array of each token of the vocabulary, which takes 20 times as long, says
of a file that is cut off only where NumPy stumbles over it, and brings five more packages.
"""

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

Scalar: TypeAlias = str | int | float | bool

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING = 8
_ARRAY = 9
_LONGEST_KEPT_ARRAY = 4096
"""Longer ones are vocabularies; figures by layer are much shorter."""

_MOST_DIMENSIONS = 4
_DEFAULT_ALIGNMENT = 32


class GgufError(ValueError):
    """The file is no GGUF file that can be served; the message is one line that names it."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of one file."""

    metadata: dict[str, Scalar | tuple[Scalar, ...]]
    """By key, without long arrays."""

    tensors: int
    file_bytes: int

    @property
    def architecture(self) -> str:
        """The prefix of the keys about the model's shape."""
        return str(self.metadata.get("general.architecture", ""))

    def shape(self, key: str) -> tuple[int, ...] | None:
        """One of the model's own figures, such as `block_count`: one number, or one for each layer."""
        value = self.metadata.get(f"{self.architecture}.{key}")
        values = value if isinstance(value, tuple) else (value,)
        numbers = tuple(number for number in values if type(number) is int)
        return numbers if len(numbers) == len(values) else None

    def number(self, key: str) -> int | None:
        """The same where it has to be a single number."""
        numbers = self.shape(key)
        return numbers[0] if numbers is not None and len(numbers) == 1 else None


def read_header(path: Path) -> Header:
    """Read the header, and check that the file holds the start of every tensor that it announces.

    Raises:
        GgufError: the file cannot be read, is of another format or version, or is cut off.
    """
    try:
        with path.open("rb") as file:
            return _Reader(path, file).header()
    except OSError as error:
        raise GgufError(f"{path}: {error.strerror or error}") from None


class _Reader:
    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self.file = file
        self.size = os.fstat(file.fileno()).st_size

    def header(self) -> Header:
        if self.file.read(4) != _MAGIC:
            raise GgufError(f"{self.path}: not a GGUF file (it does not begin with {_MAGIC.decode()})")
        version = self.unpack("I")
        if version not in _VERSIONS:
            raise GgufError(f"{self.path}: GGUF version {version} is not 2 or 3")
        tensors, pairs = self.unpack("Q"), self.unpack("Q")
        metadata = {}
        for _ in range(pairs):
            key = self.string()
            value = self.value(self.unpack("I"))
            if value is not None:
                metadata[key] = value
        last = max((self.tensor_offset() for _ in range(tensors)), default=0)
        alignment = metadata.get("general.alignment", _DEFAULT_ALIGNMENT)
        if type(alignment) is not int or alignment < 1:
            raise GgufError(f"{self.path}: general.alignment: {alignment!r} is not a number of bytes")
        start = -(-self.file.tell() // alignment) * alignment
        if tensors and start + last >= self.size:
            raise self.cut_off()
        return Header(metadata, tensors, self.size)

    def value(self, kind: int) -> Any:
        """A value; None for an array that is not kept."""
        if kind == _STRING:
            return self.string()
        if kind in _SCALARS:
            return self.unpack(_SCALARS[kind])
        if kind != _ARRAY:
            raise GgufError(f"{self.path}: metadata of the unknown type {kind}")
        element, count = self.unpack("I"), self.unpack("Q")
        if element not in _SCALARS and element != _STRING:
            raise GgufError(f"{self.path}: an array of the unknown type {element}")
        if count <= _LONGEST_KEPT_ARRAY:
            return tuple(self.value(element) for _ in range(count))
        if element == _STRING:
            for _ in range(count):
                self.skip(self.unpack("Q"))
        else:
            self.skip(count * struct.calcsize("<" + _SCALARS[element]))
        return None

    def tensor_offset(self) -> int:
        """Where a tensor begins, from the start of all tensors."""
        self.skip(self.unpack("Q"))
        dimensions = self.unpack("I")
        if dimensions > _MOST_DIMENSIONS:
            raise GgufError(f"{self.path}: a tensor of {dimensions} dimensions")
        self.skip(8 * dimensions + 4)
        return int(self.unpack("Q"))

    def string(self) -> str:
        return self.read(self.unpack("Q")).decode("utf-8", "replace")

    def unpack(self, kind: str) -> Any:
        return struct.unpack("<" + kind, self.read(struct.calcsize("<" + kind)))[0]

    def read(self, count: int) -> bytes:
        if count > self.size:  # before room is made for what cannot be there
            raise self.cut_off()
        data = self.file.read(count)
        if len(data) < count:
            raise self.cut_off()
        return data

    def skip(self, count: int) -> None:
        if count > self.size - self.file.tell():
            raise self.cut_off()
        self.file.seek(count, os.SEEK_CUR)

    def cut_off(self) -> GgufError:
        return GgufError(f"{self.path}: cut off or corrupt: the file ends before its own header says so")
