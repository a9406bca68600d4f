"""What `--model local` runs: weights, chat template and the size of the server, checked before anything starts."""

import os
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from mpcbench.benchmark.agents.local.memory import available_bytes
from mpcbench.benchmark.agents.local.weights import INSTALL, LocalModelError, MissingPackageError, Weights, file_sha256
from mpcbench.schema.untrusted_text import printable

SERVER_PACKAGE = "xllamacpp"

_LONGEST_CONTEXT = 32768
"""Enough for every level; a model trained for more would only take memory."""

_SHORTEST_CONTEXT = 512
_UNKNOWN_CONTEXT = 8192
"""Used if the weights do not state their training context."""

_MESSAGE_SHARE = 8
"""One message may take this part of the context: small models repeat themselves until something stops them."""

_OVERHEAD_BYTES = 256 * 2**20
"""What the server needs beside weights and context; at rest it was 45 MB."""

_MOST_SLOTS = 8
_GB = 1e9


@dataclass(frozen=True, slots=True)
class LocalOptions:
    """What a user may choose; None for the default weights, their own template, and what they were trained for."""

    gguf: Path | None = None
    chat_template: Path | None = None
    context_tokens: int | None = None
    """Of one episode."""


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """A Jinja template that takes the place of the one in the weights."""

    path: Path
    text: str
    sha256: str


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model that can be served here, as far as that can be known before it is."""

    weights: Weights
    template: ChatTemplate | None
    context_tokens: int
    """Of one episode: prompt, results and answers together."""

    message_tokens: int | None
    """The most tokens of one message; None where the requests themselves say so."""

    slots: int
    """Episodes that the server works on at a time; further ones wait."""

    threads: int
    server: str
    """The package that serves, with its version."""

    @classmethod
    def prepare(cls, options: LocalOptions, *, in_flight: int, message_limited: bool = False) -> "LocalModel":
        """Find everything that the run needs.

        Args:
            options: What the user chose.
            in_flight: How many episodes run at a time, from 1.
            message_limited: Whether every request will name a limit of its own.

        Raises:
            LocalModelError: a package or a file is missing or broken, or the memory does not suffice.
        """
        server = _server()
        weights = Weights.of_package() if options.gguf is None else Weights.of_file(options.gguf, "--gguf")
        context = _context(options, weights)
        threads = _cores()
        return cls(
            weights=weights,
            template=None if options.chat_template is None else _template(options.chat_template),
            context_tokens=context,
            message_tokens=None if message_limited else max(1, context // _MESSAGE_SHARE),
            slots=_slots(weights, context, min(in_flight, threads, _MOST_SLOTS)),
            threads=threads,
            server=server,
        )

    def described(self) -> dict[str, Any]:
        """The model as JSON; all but `placement` decides what it answers."""
        weights = self.weights
        return {
            "weights": weights.name,
            "weights_bytes": weights.header.file_bytes,
            "weights_sha256": weights.sha256,
            "chat_template_sha256": self.template and self.template.sha256,
            "context_tokens": self.context_tokens,
            "message_tokens": self.message_tokens,
            "server": self.server,
            "placement": {
                "weights_file": weights.path.name,
                "weights_source": weights.source,
                "chat_template_file": self.template and self.template.path.name,
                "slots": self.slots,
                "threads": self.threads,
            },
        }

    def lines(self) -> list[str]:
        """The model for people."""
        weights = self.weights
        template = "its own chat template"
        if self.template is not None:
            template = f"chat template {self.template.path.name} (SHA-256 {self.template.sha256[:12]}…)"
        limit = "as --max-tokens says" if self.message_tokens is None else f"{self.message_tokens:,} tokens"
        lines = [
            f"{weights.name} from {weights.source}: {weights.path.name}, {weights.header.file_bytes:,} bytes",
            f"SHA-256 {weights.sha256}",
            f"{self.server}, {template}, context {self.context_tokens:,} tokens, message at most {limit}",
            f"{self.slots} at a time, {self.threads} threads",
        ]
        return [printable(line) for line in lines]


def _server() -> str:
    try:
        return f"{SERVER_PACKAGE} {metadata.version(SERVER_PACKAGE)}"
    except metadata.PackageNotFoundError:
        raise MissingPackageError(
            f"--model local: the package {SERVER_PACKAGE} is not installed: run {INSTALL}, or pip install -e '.[local]'"
        ) from None


def _context(options: LocalOptions, weights: Weights) -> int:
    trained = weights.trained_context
    if options.context_tokens is None:
        return min(trained or _UNKNOWN_CONTEXT, _LONGEST_CONTEXT)
    if options.context_tokens < _SHORTEST_CONTEXT:
        raise LocalModelError(f"--context: {options.context_tokens} is less than {_SHORTEST_CONTEXT} tokens")
    if trained is not None and options.context_tokens > trained:
        raise LocalModelError(
            f"--context: {options.context_tokens} is more than the {trained} tokens that {weights.path.name} was trained for"
        )
    return options.context_tokens


def _template(path: Path) -> ChatTemplate:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise LocalModelError(f"--chat-template: {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise LocalModelError(f"--chat-template: {path}: not UTF-8 text") from None
    if not text.strip():
        raise LocalModelError(f"--chat-template: {path}: empty")
    return ChatTemplate(path, text, file_sha256(path))


def _slots(weights: Weights, context: int, wanted: int) -> int:
    """As many slots as wanted or, if fewer fit into memory, as many as do; more of them change no answer."""
    available = available_bytes()
    if available is None:
        return wanted
    fixed = weights.header.file_bytes + _OVERHEAD_BYTES
    each = weights.context_token_bytes * context
    if fixed + each > available:
        raise LocalModelError(
            f"--model local: too little memory: {weights.path.name} needs about {(fixed + each) / _GB:.1f} GB "
            f"({each / _GB:.1f} GB of it for {context} tokens of context), {available / _GB:.1f} GB are free; "
            "a smaller --context or smaller weights help"
        )
    return min(wanted, (available - fixed) // each) if each else wanted


def _cores() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not everywhere
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
