"""Agents as users write them: a copy of this file is what the tests name with `--model`. It imports nothing of MPCBench."""

import asyncio
import json
import os
import sys
from types import SimpleNamespace

EMPTY = '{"candidates": []}'


def quiet(task, tools, budget):
    """Answers at once."""
    return EMPTY


def told(task, tools, budget, candidates):
    """Answers what it is told to."""
    return json.dumps({"candidates": candidates})


def caller(task, tools, budget):
    """Uses the tools in all three ways, and says what it was given."""
    functions = {tool.__name__: tool for tool in tools}
    results = [
        functions["get_policy"]("POL-01"),
        functions["get_policy"](keyword="POL-01"),
        tools.call("get_policy", {"keyword": "POL-01"}, turn=7),
        tools.call("get_policy", '{"keyword": "POL-01"}', turn=7),
        tools.call("no_tool"),
    ]
    given = {"task": vars(task), "budget": vars(budget), "results": results, "schemas": tools.schemas}
    return SimpleNamespace(text=EMPTY, messages=[{"role": "user", "content": json.dumps(given)}], usage=None)


class Counter:
    """Counts its episodes, asynchronously."""

    made = 0

    def __init__(self, start: int = 0) -> None:
        Counter.made += 1
        self.count = start

    async def __call__(self, task, tools, budget):
        await asyncio.sleep(0)
        self.count += 1
        return {"text": EMPTY, "turns": self.made + self.count, "usage": {"prompt_tokens": 5, "output_tokens": 7}}


def place(task, tools, budget):
    """Says where it runs."""
    names = ("environment", "folder", "pid", "modules")
    values = (dict(os.environ), os.getcwd(), os.getpid(), [name for name in sys.modules if "mpcbench" in name])
    return {"text": EMPTY, "messages": [dict(zip(names, values, strict=True))]}


def broken(task, tools, budget):
    """Prints, calls a tool and raises."""
    print("before the end")
    tools.call("get_policy", {"keyword": "POL-01"})
    raise ValueError("no luck\nat all")


class RateLimitError(Exception):
    status_code = 429


def limited(task, tools, budget):
    """Meets an endpoint that refuses."""
    try:
        raise RateLimitError("slow down")
    except RateLimitError as error:
        raise RuntimeError("cannot go on") from error


def chatty(task, tools, budget, lines):
    """Prints many lines, and answers."""
    print("line\n" * lines)
    return EMPTY


def one_argument(task):
    """Is no agent."""


NUMBER = 5
