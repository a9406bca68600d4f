"""The requests of a recording, sent by the openai package alone: `python -m unit_tests.performance.bare_client`.

What this costs is the transport's: serialising a request, sending it, receiving the answer. The bodies are ready
values, the client neither checks nor converts them and returns the answer's JSON, which is the least that the
package can do for a request. Tools are not run.
"""

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from unit_tests.endpoint_server.recording import RecordedEpisode, Recording


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


def main() -> None:
    """Send the requests of some episodes, each as soon as the one before it is answered."""
    parser = argparse.ArgumentParser(prog="python -m unit_tests.performance.bare_client")
    parser.add_argument("recording", type=Path)
    parser.add_argument("base_url")
    parser.add_argument("--limit", type=int, help="so many episodes of each level")
    parser.add_argument("--concurrency", type=int, required=True, help="episodes in flight")
    options = parser.parse_args()
    recording = Recording.read(options.recording)
    episodes = recording.some(options.limit)

    import openai  # noqa: PLC0415 - what it costs to import is a cost of the start

    client = openai.OpenAI(api_key="unused", base_url=options.base_url, max_retries=0)

    def play(episode: RecordedEpisode) -> str:
        for body in bodies(recording, episode):
            answer: Any = client.post("/chat/completions", cast_to=object, body=body)
        return str(answer["choices"][0]["message"]["content"])

    with ThreadPoolExecutor(options.concurrency) as pool:
        answers = list(pool.map(play, episodes))
    right = sum(answer == episode.answer for answer, episode in zip(answers, episodes, strict=True))
    print(json.dumps({"episodes": len(episodes), "right": right}))


if __name__ == "__main__":
    main()
