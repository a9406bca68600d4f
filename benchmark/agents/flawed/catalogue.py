"""All flaws by name, and agents with one or several of them."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from mpcbench.benchmark.agents.flawed import final_message as wording
from mpcbench.benchmark.agents.flawed import misuse, omission, retrieval
from mpcbench.benchmark.agents.flawed.flaw import Flaw, FlawedAgent
from mpcbench.benchmark.agents.flawed.level4.habits import LADDER_FLAWS, LadderFlawedAgent
from mpcbench.schema.dataset import LEVELS

FLAWS: Final[Mapping[str, Flaw]] = MappingProxyType(
    {flaw.name: flaw for flaw in (*retrieval.FLAWS, *omission.FLAWS, *misuse.FLAWS, *wording.FLAWS)}
)
"""Every flaw by name, in the order of the stages."""

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
"""The pairs of flaws that validate the diagnosis; any other flaws can be combined, too."""

JOINT: Final = "+"


class FlawError(ValueError):
    """A flawed agent's name is unknown, or its flaws cannot be combined."""


def flaws_named(name: str) -> tuple[Flaw, ...]:
    """The flaws named by `NAME` or `NAME+NAME`; raises `FlawError`."""
    names = name.split(JOINT)
    for part in names:
        if part in LADDER_FLAWS:
            raise FlawError(f"{part!r} is a flaw of level 4, which comes alone")
        if part not in FLAWS:
            raise FlawError(f"no flaw is called {part!r}; the flaws are {', '.join((*FLAWS, *LADDER_FLAWS))}")
    if len(set(names)) < len(names):
        raise FlawError(f"{name!r} names a flaw twice")
    flaws = tuple(FLAWS[part] for part in names)
    if not set(flaws[0].levels).intersection(*(flaw.levels for flaw in flaws[1:])):
        raise FlawError(f"the flaws of {name!r} share no level")
    return flaws


def any_flawed_agent(name: str) -> FlawedAgent | LadderFlawedAgent:
    """The agent of a name for any level; raises `FlawError`. A flaw of level 4 comes alone."""
    return LADDER_FLAWS[name].agent if name in LADDER_FLAWS else flawed_agent(name)


def flawed_agent(name: str) -> FlawedAgent:
    """The reference agent with the named flaws, active at the levels that they share; raises `FlawError`."""
    agent = FlawedAgent()
    flaws = flaws_named(name)
    for flaw in flaws:
        agent = flaw.defect(agent)
    return replace(agent, levels=tuple(level for level in LEVELS if all(level in flaw.levels for flaw in flaws)))
