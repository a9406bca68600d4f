"""Kits of flawed agents: each fails in one realistic way and says after every episode what went wrong.

The agents were written from published lists of failures without a look at the diagnosis, and are frozen: neither what an
agent does nor the reasons that it expects may change. A lot (`random.Random(20261122)`) split those of the first kit into
`first.txt` and `second.txt`. The diagnosis was first made with the first half alone; the second was held out until it had
been run. `unseen/` is a second kit, written in the same way by others, while the diagnosis was made with both halves of
the first; it was held out until it had been run, too, and so were `third/`, `fourth/` and `fifth/`. `sixth/` is held out: nobody
who works on the diagnosis runs its agents or reads what they expect, and it is measured once, when the diagnosis is
finished.

An agent acts through the toolbox like any other; after an episode its `slip` holds what really went wrong (None if the
flaw had no occasion to show), which is why an agent object is for one thread at a time. Chance is seeded by the agent's
name and the instance's ID.
"""

from pathlib import Path
from typing import Final

from unit_tests.validity.kit import (
    answers,
    buffers,
    candidates,
    conversations,
    demands,
    entries,
    fifth,
    fourth,
    limits,
    lookups,
    people,
    policies,
    proposals,
    sixth,
    sources,
    statements,
    third,
    unseen,
    waiting,
)
from unit_tests.validity.kit.core import FlawedAgent

_MODULES = (
    *(entries, candidates, answers, proposals),
    *(limits, waiting, policies, buffers, statements, people, demands),
    *(lookups, sources, conversations),
    unseen,
)

_THIRD: Final = third.AGENTS
"""The agents of the third kit."""

_FOURTH: Final = fourth.AGENTS
"""The agents of the fourth kit."""

_FIFTH: Final = fifth.AGENTS
"""The agents of the fifth kit."""

_SIXTH: Final = sixth.AGENTS
"""The agents of the sixth kit."""

_AGENTS: Final = (*(agent for module in _MODULES for agent in module.AGENTS), *_THIRD, *_FOURTH, *_FIFTH, *_SIXTH)

KIT: Final[dict[str, FlawedAgent]] = {agent.name: agent for agent in _AGENTS}
"""The agents by name."""

assert len(KIT) == len(_AGENTS), "two agents have one name"

_FOLDER = Path(__file__).parent

FIRST: Final = tuple((_FOLDER / "first.txt").read_text(encoding="utf-8").split())
"""The names of the half of the first kit that the diagnosis was first made with."""

SECOND: Final = tuple((_FOLDER / "second.txt").read_text(encoding="utf-8").split())
"""The names of the half that was held out at first, and that the diagnosis has been made with since."""

UNSEEN: Final = tuple(agent.name for agent in unseen.AGENTS)
"""The names of the second kit, which was held out after that, and that the diagnosis has been made with since."""

THIRD: Final = tuple(agent.name for agent in _THIRD)
"""The names of the third kit, which was held out after the second, and that the diagnosis has been made with since."""

FOURTH: Final = tuple(agent.name for agent in _FOURTH)
"""The names of the fourth kit, which was held out after the third."""

FIFTH: Final = tuple(agent.name for agent in _FIFTH)
"""The names of the fifth kit, which was held out after the fourth, and that the diagnosis has been made with since."""

HELD_OUT: Final = tuple(agent.name for agent in _SIXTH)
"""The names of the sixth kit, which is measured once and never looked at before."""

__all__ = ["FIFTH", "FIRST", "FOURTH", "HELD_OUT", "KIT", "SECOND", "THIRD", "UNSEEN", "FlawedAgent"]
