"""The requests of a recording, sent by the openai package alone: `python -m unit_tests.performance.bare_client`.

What this costs is the transport's: serialising a request, sending it, receiving the answer. It is the package's
asynchronous client, which the harness and Inspect AI use too. The bodies are ready values, the client neither checks
nor converts them and returns the answer's JSON, which is the least that it can do for a request. Tools are not run.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mpcbench.benchmark.practice_endpoint.recording import RecordedEpisode, Recording


def bodies(recording: Recording, episode: RecordedEpisode) -> Iterator[dict[str, Any]]:
    """The requests of an episode in chat completions, one a turn."""
    level = str(episode.level)
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": recording.systems[level]},
        {"role": "user", "content": episode.text},
    ]
    tools = [{"type": "function", "function": tool} for tool in recording.tools[level]]
    for number, turn in enumerate(episode.turns, start=1):
        yield {"model": "stand-in", "messages": messages, "tools": tools}
        ids = [f"call_{number}_{index}" for index in range(len(turn))]
        calls = [
            {"id": one, "type": "function", "function": {"name": step.name, "arguments": step.arguments}}
            for one, step in zip(ids, turn, strict=True)
        ]
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages += [
            {"role": "tool", "tool_call_id": one, "content": step.result} for one, step in zip(ids, turn, strict=True)
        ]
    yield {"model": "stand-in", "messages": messages, "tools": tools}


async def play(recording: Recording, episodes: Sequence[RecordedEpisode], base_url: str, in_flight: int) -> list[str]:
    """The last message of each episode; every request follows as soon as the one before it is answered.

    Episodes begin in their order, as many at a time as are allowed.
    """
    import openai  # noqa: PLC0415 - what it costs to import is a cost of the start

    unlimited = type(openai.DEFAULT_CONNECTION_LIMITS)(max_connections=None, max_keepalive_connections=None)
    http = openai.DefaultAsyncHttpxClient(limits=unlimited)
    client = openai.AsyncOpenAI(api_key="unused", base_url=base_url, max_retries=0, http_client=http)
    gate = asyncio.Semaphore(in_flight)

    async def played(episode: RecordedEpisode) -> str:
        async with gate:
            for body in bodies(recording, episode):
                answer: Any = await client.post("/chat/completions", cast_to=object, body=body)
        return str(answer["choices"][0]["message"]["content"])

    async with client:
        return await asyncio.gather(*map(played, episodes))


def main() -> None:
    """Print how many episodes there were, and how many ended with the recorded answer."""
    parser = argparse.ArgumentParser(prog="python -m unit_tests.performance.bare_client")
    parser.add_argument("recording", type=Path)
    parser.add_argument("base_url")
    parser.add_argument("--limit", type=int, help="so many episodes of each level")
    parser.add_argument("--concurrency", type=int, required=True, help="episodes in flight")
    options = parser.parse_args()
    recording = Recording.read(options.recording)
    # As the harness does: many at a time end soonest if the longest begin first.
    episodes = sorted(recording.some(options.limit), key=lambda episode: -episode.level)
    answers = asyncio.run(play(recording, episodes, options.base_url, options.concurrency))
    right = sum(answer == episode.answer for answer, episode in zip(answers, episodes, strict=True))
    print(json.dumps({"episodes": len(episodes), "right": right}))


if __name__ == "__main__":
    main()
