"""A second kit of flawed agents, written when the first had become known to those who make the diagnosis.

These, too, were written from published lists of failures without a look at the diagnosis, and are frozen. An agent without
`reasons` fails in a way for which the vocabulary of docs/scoring.md has no cause; what may be said of it is in
`acceptable`. Of a combination, each of its `reasons` names one of the two slips.
"""

from typing import Final

from unit_tests.validity.kit.core import FlawedAgent
from unit_tests.validity.kit.unseen import answers, combinations, readings, records, retrieval

_MODULES = (readings, records, retrieval, answers, combinations)

AGENTS: Final[tuple[FlawedAgent, ...]] = tuple(one for module in _MODULES for one in module.AGENTS)
"""The agents."""
