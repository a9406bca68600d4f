"""One request to every endpoint before a run: it proves address, key, model and tool calls, or ends the run at once."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime

from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent
from mpcbench.benchmark.agents.local.agent import LocalAgent
from mpcbench.benchmark.agents.protocol import Agent, EndpointError
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.evaluation.statistics.summary_text import dollars
from mpcbench.schema.episode import Outcome, Usage
from mpcbench.schema.run import Case


def preflight(
    agents: Mapping[str, Agent], cases: Iterable[Case], folder: RunFolder, trial_of: Callable[[Case], Trial]
) -> Iterator[str]:
    """Send the first request of the first case of each model that is missing, and say what came of it.

    The local model is left out, as its server has just answered.

    Raises:
        SettingsError: an endpoint does not answer, or refuses.
    """
    waiting = {name for name, agent in agents.items() if isinstance(agent, EndpointAgent)}
    for case in cases:
        agent = agents[case.model]
        if case.model not in waiting or not isinstance(agent, EndpointAgent) or not _is_missing(case, folder):
            continue
        waiting.remove(case.model)
        if not isinstance(agent, LocalAgent):
            yield f"preflight: {case.model} {_said(agent, case, trial_of(case))}"


def _said(agent: EndpointAgent, case: Case, trial: Trial) -> str:
    before = time.monotonic()
    try:
        move, usage = agent.first_turn(trial.task, trial.toolbox().tools)
    except EndpointError as error:
        raise SettingsError(f"preflight: {case.model}: {error}; nothing was run (--preflight off skips this)") from None
    done = "called a tool" if move.calls else "answered without calling a tool"
    return f"{done} after {time.monotonic() - before:.1f} s ({_price(agent, usage)})"


def _price(agent: EndpointAgent, usage: Usage) -> str:
    cost = agent.cost_usd(usage, datetime.now(UTC).date())
    tokens = [count for count in (usage.input_tokens, usage.output_tokens) if count is not None]
    known = f"{sum(tokens):,} tokens" if tokens else "tokens unknown"
    return f"{known}, {'price unknown' if cost is None else dollars(cost)}; not part of the run"


def _is_missing(case: Case, folder: RunFolder) -> bool:
    try:
        stored = folder.episode(case)
    except RunError:  # the run itself will say what is wrong
        return False
    return stored is None or stored.outcome is Outcome.ERROR
