"""A third kit of flawed agents, written by others than the first two.

These, too, were written from published lists of failures without a look at the diagnosis, and are frozen. Many keep most
of the gold. An agent without `reasons` fails in a way for which the vocabulary of docs/scoring.md has no cause; what may
be said of it is in `acceptable`. Of a combination, each of its `reasons` names one of the two slips.
"""

from typing import Final

from unit_tests.validity.kit.core import FlawedAgent
from unit_tests.validity.kit.third import (
    calendars,
    fetching,
    pairs,
    picking,
    policies,
    rooms,
    talk,
    timing,
    writing,
)

_MODULES = (timing, calendars, policies, rooms, talk, fetching, picking, writing, pairs)

AGENTS: Final[tuple[FlawedAgent, ...]] = tuple(one for module in _MODULES for one in module.AGENTS)
"""The agents."""
