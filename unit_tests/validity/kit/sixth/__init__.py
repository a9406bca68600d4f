"""A sixth kit of flawed agents, written without a look at the diagnosis.

Each agent is the reference agent with one defect, drawn from what is known of the failures of language models that use
tools, read calendars and policies, follow threads and reckon with dates. A single slip is by lot, but where it matters: at
an entry without which the answer would be another one. `expected` gives the reason for each expectation. An agent
without `reasons` fails in a way for which the vocabulary has none; what may be said of it is in `acceptable`.
"""

from typing import Final

from unit_tests.validity.kit.core import FlawedAgent
from unit_tests.validity.kit.sixth import (
    acquiring,
    bookings,
    entries,
    finding,
    limits,
    pauses,
    proposals,
    rooms,
    rules,
    terms,
    writing,
)

AGENTS: Final[tuple[FlawedAgent, ...]] = (
    *acquiring.AGENTS,
    *finding.AGENTS,
    *entries.AGENTS,
    *bookings.AGENTS,
    *rules.AGENTS,
    *pauses.AGENTS,
    *terms.AGENTS,
    *limits.AGENTS,
    *rooms.AGENTS,
    *proposals.AGENTS,
    *writing.AGENTS,
)
"""The agents."""
