"""All flaws by name, and agents with one or several of them."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from mpcbench.benchmark.agents.flawed import final_message as wording
from mpcbench.benchmark.agents.flawed import misuse, omission, retrieval
from mpcbench.benchmark.agents.flawed.flaw import Flaw, FlawedAgent
from mpcbench.schema.dataset import LEVELS

FLAWS: Final[Mapping[str, Flaw]] = MappingProxyType(
    {flaw.name: flaw for flaw in (*retrieval.FLAWS, *omission.FLAWS, *misuse.FLAWS, *wording.FLAWS)}
)
"""Every flaw by its name, in the order of the stages."""

PAIRS: Final = (
    "no-policy+skips-calendar",
    "kick-off-only+omits-busy",
    "half-calendar+latest-first",
    "archived-policy+latest-first",
    "omits-buffer+too-many",
    "omits-busy+latest-first",
    "omits-ban-window+first-duration",
    "omits-ban-dow-time+omits-ban-window",
    "omits-equipment+ignores-tie-break",
    "omits-capacity+omits-work-hours",
    "neighbouring-policy+too-few",
    "omits-after-event+one-room-per-slot",
    "prose-only+no-policy",
)
"""Pairs of flaws by which the diagnosis is validated; any others may be joined too."""

JOINT: Final = "+"


class FlawError(ValueError):
    """A name of a flawed agent is unknown, or its flaws do not go together."""


def flaws_named(name: str) -> tuple[Flaw, ...]:
    """The flaws of `NAME`, or of `NAME+NAME`; raises `FlawError`."""
    names = name.split(JOINT)
    for one in names:
        if one not in FLAWS:
            raise FlawError(f"no flaw is called {one!r}; the flaws are {', '.join(FLAWS)}")
    if len(set(names)) < len(names):
        raise FlawError(f"{name!r} names a flaw twice")
    flaws = tuple(FLAWS[one] for one in names)
    if not set(flaws[0].levels).intersection(*(flaw.levels for flaw in flaws[1:])):
        raise FlawError(f"the flaws of {name!r} share no level")
    return flaws


def flawed_agent(name: str) -> FlawedAgent:
    """The reference agent with the flaws of a name, at the levels that all of them have; raises `FlawError`."""
    agent = FlawedAgent()
    flaws = flaws_named(name)
    for flaw in flaws:
        agent = flaw.defect(agent)
    return replace(agent, levels=tuple(level for level in LEVELS if all(level in flaw.levels for flaw in flaws)))
