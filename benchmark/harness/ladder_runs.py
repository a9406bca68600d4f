"""What a run of level 4 cannot do."""

from collections.abc import Collection, Mapping

from mpcbench.benchmark.agents.baselines import BaselineAgent
from mpcbench.benchmark.agents.protocol import Agent
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.schema.model import LADDER, AnyLevel
from mpcbench.schema.untrusted_text import one_line

_LONGEST_NAME = 60


def check_ladder(settings: Settings, agents: Mapping[str, Agent], levels: Collection[AnyLevel]) -> None:
    """Refuse what level 4 does not have, if it is among the levels that run.

    Raises:
        SettingsError: an agent knows levels 1 to 3 only, or an option is one of these levels only.
    """
    if LADDER not in levels:
        return
    for name, agent in agents.items():
        flawed_elsewhere = LADDER not in getattr(agent, "levels", (LADDER,))
        if isinstance(agent, BaselineAgent) or flawed_elsewhere:
            raise SettingsError(
                f"--model: {one_line(name, _LONGEST_NAME)} knows levels 1 to 3 only; choose another agent for level 4"
            )
    for option, given in (
        ("reveal", settings.reveal is not None),
        ("attribute", settings.attribute is not None),
        ("tags shown", settings.tags == "shown"),
    ):
        if given:
            raise SettingsError(f"--{option}: levels 1 to 3 only; choose them with --level")
