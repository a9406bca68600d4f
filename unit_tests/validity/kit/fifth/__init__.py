"""A fifth kit of flawed agents, written without a look at the diagnosis.

Slips at one entry, one day or one line, habits, misread values and conditions, calls with wrong arguments, pages that bind
nobody, and pairs of these. The flaws are from what is known of language models that use tools, read calendars and policies
and follow threads. A single slip is by lot, but where it matters: at an entry without which the answer would be another
one. `expected` gives the reason for each expectation. An agent without `reasons` fails in a way for which the vocabulary
has none; what may be said of it is in `acceptable`. Of a pair, each of its `reasons` names one of the two flaws.
"""

from typing import Final

from unit_tests.validity.kit.core import FlawedAgent
from unit_tests.validity.kit.fifth.pairs import AGENTS as _PAIRS
from unit_tests.validity.kit.fifth.pairs import SINGLE as _SINGLE

AGENTS: Final[tuple[FlawedAgent, ...]] = (*_SINGLE.values(), *_PAIRS)
"""The agents."""
