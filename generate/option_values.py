"""The values of the generator's options; each raises `argparse.ArgumentTypeError` for what it does not take."""

import argparse
import re

from mpcbench.generate.world.naming import MOST_INSTANCES
from mpcbench.schema.level4.mechanism import Mechanism


def positive(text: str) -> int:
    """A whole number from 1."""
    if not re.fullmatch(r"[1-9]\d*", text):
        raise argparse.ArgumentTypeError(f"not a whole number from 1: {text!r}")
    return int(text)


def mechanisms(text: str) -> frozenset[Mechanism]:
    """Mechanisms of level 4, separated by commas."""
    names = text.split(",")
    for name in names:
        if name not in list(Mechanism):
            raise argparse.ArgumentTypeError(f"no mechanism {name!r}; the mechanisms are {', '.join(Mechanism)}")
        if names.count(name) > 1:
            raise argparse.ArgumentTypeError(f"{name!r} is given twice")
    return frozenset(map(Mechanism, names))


def world_size(text: str) -> int:
    """How many instances a world of levels 1 to 3 has."""
    count = positive(text)
    if count > MOST_INSTANCES:
        raise argparse.ArgumentTypeError(f"at most {MOST_INSTANCES} instances: {text!r}")
    return count


def shard(text: str) -> tuple[int, int]:
    """I of I/K, and K."""
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
    if match is None or int(match[1]) > int(match[2]):
        raise argparse.ArgumentTypeError(f"not of the form I/K with I from 1 to K: {text!r}")
    return int(match[1]), int(match[2])
