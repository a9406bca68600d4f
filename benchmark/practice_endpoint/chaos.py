"""Inject faults into requests at a rate, chosen by seed rather than by chance or timing."""

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from email.utils import formatdate
from typing import Any

from mpcbench.benchmark.practice_endpoint.fault import BY_THE_MODEL, ON_THE_WIRE, PASSING, Fault, FaultKind

_PAGE = b"<!DOCTYPE html>\n<html><head><title>Gateway</title></head><body><h1>Please wait</h1></body></html>\n"


@dataclass(frozen=True)
class Chaos:
    """Faults injected at a rate.

    A fault on the wire depends on the seed, the request's bytes and how often these were sent before. A mistake of the
    model depends on the seed, the task and the number of the turn. So a repeated run meets the same faults, in
    whatever order its requests arrive.
    """

    rate: float
    """The share of requests that meet a fault, from 0 to 1; all kinds are equally likely."""

    seed: int = 0
    kinds: Sequence[FaultKind] = PASSING
    most_hits: int | None = None
    """How many tries of one request may meet a fault, so that none fails for good; None for no limit."""

    retry_after: float = 0.0
    """The seconds in the Retry-After of rate limits that have one."""

    drip_seconds: float = 0.2
    """The duration of an answer that is sent in tiny steps, in seconds."""

    def __post_init__(self) -> None:
        if not 0 <= self.rate <= 1:
            raise ValueError(f"rate: {self.rate} is not between 0 and 1")
        if not self.kinds:
            raise ValueError("kinds: empty")

    def on_the_wire(self, path: str, content: bytes, tries: int) -> FaultKind | None:
        """The fault of a request that was sent `tries` times before; None if there is none."""
        if self.most_hits is not None and tries >= self.most_hits:
            return None
        return self._drawn(ON_THE_WIRE, "wire", path, tries, content)

    def by_the_model(self, system: str, user: str, turn: int) -> FaultKind | None:
        """The model's mistake in a turn of a task, counted from 1; None if there is none."""
        return self._drawn(BY_THE_MODEL, "model", turn, f"{system}\0{user}".encode(errors="surrogatepass"))

    def _drawn(self, among: Sequence[FaultKind], *parts: object) -> FaultKind | None:
        digest = hashlib.sha256(str(self.seed).encode())
        for part in parts:
            digest.update(b"\0" + (part if isinstance(part, bytes) else str(part).encode()))
        drawn = int.from_bytes(digest.digest()[:8]) / 2**64
        if drawn >= self.rate:
            return None
        kind = self.kinds[int(drawn / self.rate * len(self.kinds))]
        return kind if kind in among else None

    def spoiled(self, kind: FaultKind, answer: Fault) -> Fault:
        """What is sent in place of an answer."""
        return _SPOILED[kind](self, answer)


def _error(status: int, message: str, headers: Mapping[str, str] | None = None) -> Fault:
    body = {"error": {"message": message, "type": "server_error", "param": None, "code": None}}
    return Fault(status, json.dumps(body).encode(), headers or {})


def _limited(headers: Mapping[str, str] | None = None) -> Fault:
    return _error(429, "Rate limit reached. Please try again later.", headers)


def _edited(answer: Fault, edit: Callable[[dict[str, Any]], object]) -> Fault:
    if answer.status != 200:
        return answer
    body = json.loads(answer.body)
    edit(body)
    return replace(answer, body=json.dumps(body).encode())


def _emptied(body: dict[str, Any]) -> None:
    for name in ("choices", "candidates"):
        if name in body:
            body[name] = []
    for name in ("output", "content"):  # an empty one would be an answer
        if name in body:
            body[name] = None


def _uncounted(body: dict[str, Any]) -> None:
    body.pop("usage", None)
    body.pop("usageMetadata", None)


_SPOILED: dict[FaultKind, Callable[[Chaos, Fault], Fault]] = {
    FaultKind.RATE_LIMIT: lambda _, __: _limited(),
    FaultKind.RATE_LIMIT_SECONDS: lambda chaos, _: _limited({"Retry-After": f"{chaos.retry_after:g}"}),
    FaultKind.RATE_LIMIT_DATE: lambda chaos, _: _limited(
        {"Retry-After": formatdate(time.time() + chaos.retry_after, usegmt=True)}
    ),
    FaultKind.SERVER_ERROR: lambda _, __: _error(500, "The server had an error while processing your request."),
    FaultKind.UNAVAILABLE: lambda _, __: _error(503, "The engine is currently overloaded."),
    FaultKind.DROP: lambda _, __: Fault(drop=True),
    FaultKind.TRUNCATE: lambda _, answer: replace(answer, cut_at=len(answer.body) // 2),
    FaultKind.STALL: lambda _, __: Fault(stall=True),
    FaultKind.DRIP_HEAD: lambda chaos, answer: replace(answer, head_seconds=chaos.drip_seconds),
    FaultKind.DRIP_BODY: lambda chaos, answer: replace(answer, body_seconds=chaos.drip_seconds),
    FaultKind.MALFORMED_JSON: lambda _, answer: replace(answer, body=answer.body[:-1] + b",]"),
    FaultKind.HTML_PAGE: lambda _, __: Fault(200, _PAGE, {"Content-Type": "text/html; charset=utf-8"}),
    FaultKind.EMPTY_ANSWER: lambda _, answer: _edited(answer, _emptied),
    FaultKind.MISSING_USAGE: lambda _, answer: _edited(answer, _uncounted),
}
