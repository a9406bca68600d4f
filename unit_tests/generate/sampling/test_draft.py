"""The sampler's quick arithmetic says what the engine says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.generate.certificate import problem_without
from mpcbench.generate.sampling.draft import Draft
from mpcbench.oracle.interval import Interval, members
from mpcbench.oracle.problem import (
    Problem,
)
from mpcbench.oracle.solve import filtered_slots
from mpcbench.schema import Order, Source
from mpcbench.schema.model import Level
from unit_tests.examples import examples
from unit_tests.generate.samples import setting
from unit_tests.generate.sampling.drafts import draft_of, engine_problem, problems

each_level = pytest.mark.parametrize("level", [1, 2])
some = examples(40)


@each_level
@some
@given(data=st.data())
def test_feasible_starts(level: Level, data: st.DataObject) -> None:
    """All constraints together give the engine's starts."""
    found = setting(level)
    draft = draft_of(found, data.draw(problems(level)))
    problem = engine_problem(found, draft.problem)

    assert filtered_slots(problem)[0] == draft.feasible()


@each_level
@some
@given(data=st.data())
def test_each_constraint_left_out(level: Level, data: st.DataObject) -> None:
    """Without any one constraint the starts are the engine's; without a calendar its buffer is gone too."""
    found = setting(level)
    draft = draft_of(found, data.draw(problems(level)))
    problem = engine_problem(found, draft.problem)
    for (constraint, _), engines in zip(draft.masks, problem.constraints, strict=True):
        assert filtered_slots(problem.without(engines))[0] == draft.feasible(besides=constraint)


@each_level
@some
@given(data=st.data())
def test_starts_without_a_source(level: Level, data: st.DataObject) -> None:
    """The starts of the engine without what is unknown without a source."""
    found = setting(level)
    draft = draft_of(found, data.draw(problems(level)))
    problem = engine_problem(found, draft.problem)
    for source in (Source.CALENDAR, Source.POLICY, Source.THREADS):
        other = problem_without(problem, source)

        assert filtered_slots(other)[0] == draft.feasible_without(source)


def test_a_draft_starts_with_its_calendars() -> None:
    """One calendar is one constraint; its starts are free."""
    found = setting(1)
    window = found.window(found.days[14], found.days[14])
    problem = Problem(1, found.zone, ("p001",), window, (540, 1050), 30, 3, (), None, Order.EARLIEST, ())
    draft = Draft.of(found, problem)

    assert [("calendar:p001",)] == [constraint.records for constraint, _ in draft.masks]
    busy = found.world.busy["p001"].intervals
    for start in members(draft.feasible()):
        slot = Interval(window.start + start, window.start + start + 30)
        assert not any(slot.overlaps(event) for event in busy)
