"""Flawed agents: each has one defect that shows, and everything else is the reference agent's."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.flawed import FLAWS, PAIRS, Flaw, FlawedAgent, FlawError, flawed_agent, flaws_named
from mpcbench.benchmark.agents.protocol import Agent, Budget, Task
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environment.prompts import system_prompt
from mpcbench.benchmark.environment.tools.catalogue import SOURCE_OF_TOOL, tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.registry import agents_of
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.scoring.answer import AnswerError, parse_answer
from mpcbench.evaluation.scoring.score import score
from mpcbench.schema import Instance
from mpcbench.schema.cause import Reason, Stage, stage_of
from mpcbench.schema.episode import Finish, Reply
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET

LEVELS: tuple[Level, ...] = (1, 2, 3)


def run(agent: Agent, instance: Instance) -> tuple[Reply, Toolbox]:
    world = DATASET.world(instance.level)
    toolbox = Toolbox(Sources(world), tools_of_level(instance.level))
    task = Task(instance.instance_id, system_prompt(instance.level, world.timezone), instance.task[0])
    return agent(task, toolbox, Budget(max_turns=100)), toolbox


def is_right(agent: Agent, instance: Instance) -> bool:
    zone = DATASET.world(instance.level).zone
    try:
        answer = parse_answer(run(agent, instance)[0].text, instance.level, zone)
    except AnswerError:
        return False
    return score(answer.candidates, DATASET.labels(instance.level)[instance.instance_id].gold).exact_match


def instances(flaw: Flaw) -> Iterator[Instance]:
    return (instance for level in flaw.levels for instance in DATASET.instances(level))


@pytest.mark.parametrize("flaw", FLAWS.values(), ids=FLAWS)
def test_flaw_shows(flaw: Flaw) -> None:
    """Every flaw makes some answer wrong, and no flawed agent raises on the way there."""
    assert any(not is_right(flaw.agent, instance) for instance in instances(flaw))


@pytest.mark.parametrize("flaw", FLAWS.values(), ids=FLAWS)
def test_flaw_repeats(flaw: Flaw) -> None:
    """A flawed agent says and does the same again, at every level of its own."""
    for level in flaw.levels:
        (reply, toolbox), (again, other) = (run(flaw.agent, DATASET.instances(level)[0]) for _ in range(2))

        assert (reply, toolbox.log) == (again, other.log)


def test_flaws_cover_the_stages() -> None:
    """There are at least 25 flaws, over all stages, and pairs of them."""
    assert len(FLAWS) >= 25
    assert set(Stage) == {stage_of(flaw.expected[0]) for flaw in FLAWS.values()}
    assert len(PAIRS) >= 5


def test_expected_reasons_are_of_the_vocabulary() -> None:
    """Every expected reason is one that a diagnosis can give, and those of a flaw are of one stage."""
    for flaw in FLAWS.values():
        assert {reason.partition(":")[0] for reason in flaw.expected} <= set(Reason)
        assert len({stage_of(reason) for reason in flaw.expected}) == 1


def test_without_a_flaw() -> None:
    """The frame into which defects are put is the reference agent, call for call."""
    for level in LEVELS:
        (reply, toolbox), (expected, other) = (
            run(agent, DATASET.instances(level)[0]) for agent in (FlawedAgent(), reference)
        )

        assert (expected, other.log) == (reply, toolbox.log)


@pytest.mark.parametrize("source", ["calendar", "policy", "threads", "directory", "rooms"])
def test_one_source_is_never_queried(source: str) -> None:
    """An agent without a source queries all others of the level, at every level that has the source."""
    flaw = FLAWS[f"no-{source}"]
    for level in flaw.levels:
        for instance in DATASET.instances(level)[::20]:
            label = DATASET.labels(level)[instance.instance_id]
            queried = {SOURCE_OF_TOOL.get(call.name) for call in run(flaw.agent, instance)[1].log}

            assert {source} == {needed.value for needed in label.sources if needed not in queried}


@pytest.mark.parametrize("flaw", FLAWS.values(), ids=FLAWS)
def test_what_is_seen(flaw: Flaw) -> None:
    """Integration flaws see every needed record; acquisition flaws whose answer is wrong query every source."""
    stage = stage_of(flaw.expected[0])
    for level in flaw.levels:
        for instance in DATASET.instances(level)[:3]:
            label = DATASET.labels(level)[instance.instance_id]
            log = run(flaw.agent, instance)[1].log
            if stage in {Stage.INTEGRATION, Stage.FORMAT}:
                assert set(label.records) <= {record for call in log for record in call.records}
            elif stage is Stage.ACQUISITION:
                assert set(label.sources) <= {SOURCE_OF_TOOL.get(call.name) for call in log}


@pytest.mark.parametrize("pair", PAIRS)
def test_pairs_go_together(pair: str) -> None:
    """A pair's agent has both defects: on some instance its answer is neither flaw's alone."""
    flaws = flaws_named(pair)
    levels = set(flaws[0].levels) & set(flaws[1].levels)
    agents = [flawed_agent(pair), *(flaw.agent for flaw in flaws)]

    assert any(
        len({run(agent, instance)[0].text for agent in agents}) == 3
        for level in levels
        for instance in DATASET.instances(level)
    )


def test_any_two_can_be_joined() -> None:
    """Two flaws that share a level make an agent that does not raise; sampled."""
    for one, other in [*combinations(FLAWS.values(), 2)][::37]:
        for level in sorted({*one.levels} & {*other.levels}):
            reply, toolbox = run(flawed_agent(f"{one.name}+{other.name}"), DATASET.instances(level)[0])

            assert reply.turns >= 1
            assert toolbox.log or reply.text or reply.finish is not Finish.STOP


def test_levels_without_the_flaw() -> None:
    """At a level that its defect does not belong to, an agent answers as the reference agent does."""
    cases: tuple[tuple[str, Level], ...] = (("no-rooms", 1), ("no-rooms", 2), ("earliest-first", 1), ("no-threads", 1))
    for name, level in cases:
        instance = DATASET.instances(level)[0]

        assert run(reference, instance)[0] == run(flawed_agent(name), instance)[0]


def test_unknown_flaw() -> None:
    """An unknown name is an error that lists the names."""
    with pytest.raises(
        FlawError, match=r"^no flaw is called 'lazy'; the flaws are no-calendar, no-policy, .*refuses, .*level3-plan$"
    ):
        flawed_agent("too-few+lazy")


def test_flaws_that_cannot_be_joined() -> None:
    """The same flaw twice, and flaws of different levels."""
    with pytest.raises(FlawError, match=r"^'too-few\+too-few' names a flaw twice$"):
        flawed_agent("too-few+too-few")
    with pytest.raises(FlawError, match=r"^the flaws of 'omits-site\+earliest-first' share no level$"):
        flawed_agent("omits-site+earliest-first")


def test_flawed_agents_are_named_with_model() -> None:
    """`--model flawed:A+B` is the agent with both flaws."""
    agents = agents_of(Settings.from_options({"model": ["flawed:too-few+latest-first"]}, Path()), DATASET)

    assert [("flawed:too-few+latest-first", FlawedAgent)] == [(name, type(agent)) for name, agent in agents.items()]


def test_unknown_flaw_on_the_command_line() -> None:
    """An unknown flaw ends the run before it begins, in one line."""
    with pytest.raises(SettingsError, match=r"^--model: no flaw is called 'lazy'; the flaws are [^\n]*$"):
        agents_of(Settings.from_options({"model": ["flawed:lazy"]}, Path()), DATASET)
