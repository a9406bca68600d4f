"""One HTTP/1.1 connection on asyncio streams: reads requests, and writes answers or faults."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus

from mpcbench.benchmark.practice_endpoint.fault import Fault

STEPS = 25
"""The number of steps in which slow bytes are sent."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request as received."""

    method: str
    path: str
    """Without the query string."""

    headers: Mapping[str, str]
    """By lower-case name."""

    content: bytes
    at: float
    """When the whole request had arrived, in seconds on the monotonic clock."""


async def serve(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answered: Callable[[Request], Awaitable[Fault]]
) -> None:
    """Answer one request after the other until either side closes the connection."""
    try:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            while await _write(reader, writer, await answered(await _read(reader))):
                pass
    finally:
        writer.close()


async def _read(reader: asyncio.StreamReader) -> Request:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ")
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    content = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(method, target.partition("?")[0], headers, content, time.monotonic())


async def _write(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: Fault) -> bool:
    """Write an answer; returns whether another request may follow."""
    if answer.delay:
        await asyncio.sleep(answer.delay)
    if answer.stall:
        # A waiting client sends nothing, so the read returns when it hangs up.
        await reader.read(1)
    if answer.stall or answer.drop:
        return False
    headers = {"Content-Type": "application/json", **answer.headers, "Content-Length": str(len(answer.body))}
    lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    head = "\r\n".join([*lines, "", ""]).encode("latin-1")
    body = answer.body[: answer.cut_at]
    if answer.head_seconds or answer.body_seconds:
        await _drip(writer, head, answer.head_seconds)
        await _drip(writer, body, answer.body_seconds)
    else:
        writer.write(head + body)
        await writer.drain()
    return answer.cut_at is None


async def _drip(writer: asyncio.StreamWriter, data: bytes, seconds: float) -> None:
    size = max(1, math.ceil(len(data) / STEPS)) if seconds else len(data)
    for start in range(0, len(data), size):
        writer.write(data[start : start + size])
        await writer.drain()
        await asyncio.sleep(seconds / STEPS)
