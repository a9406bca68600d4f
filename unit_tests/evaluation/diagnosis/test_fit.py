"""A fit tells without solving what solving would tell."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.diagnosis.choices import Choices, Form
from mpcbench.evaluation.diagnosis.fit import Fit
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.oracle.interval import members
from mpcbench.schema import Instance, Order
from mpcbench.schema.model import Level
from unit_tests.evaluation.diagnosis.planted import frame, instances
from unit_tests.examples import examples

levels: st.SearchStrategy[Level] = st.sampled_from([1, 2, 3])
forms = st.sampled_from(Form)
orders = st.sampled_from(Order)
randoms = st.randoms(use_true_random=False)


def instance(level: Level) -> Instance:
    return instances(level, 25)[1]


def solved(frame: Frame, slots: int, choices: Choices) -> list[tuple[int, str | None]]:
    """The first N of the ranking, candidate by candidate: the plain meaning of the choices."""
    latest = choices.order is Order.LATEST
    found: list[tuple[int, str | None]] = []
    for start in sorted(members(slots), reverse=latest):
        here = [(start, room) for room, mask in frame.rooms(choices) if mask >> start & 1]
        if choices.form is Form.DISJOINT and any(0 < abs(start - other) < frame.duration for other, _ in found):
            continue
        found += here[:1] if choices.form is Form.ONE_ROOM else here
    return found[: choices.options]


@given(levels, forms, orders, st.integers(1, 6), st.sampled_from([0, 1, 1, 5, 200]), randoms)
@examples(60)
def test_fit_agrees_with_the_solution(
    level: Level, form: Form, order: Order, options: int, left: int, rng: Random
) -> None:
    """An answer fits if and only if the changed task has it as its solution, and in order if in the same order."""
    whole = frame(instance(level))
    choices = whole.choices.having({"form": form, "order": order, "options": options})
    starts = [*members(whole.without(()))]
    slots = sum(1 << start for start in rng.sample(starts, min(left, len(starts))))
    solution = solved(whole, slots, choices)
    other = [*reversed(solution)]
    lacking, moved = solution[:-1], [*solution[:-1], (starts[0], solution[-1][1])] if solution else []
    for answer in (solution, other, lacking, moved):
        fit = Fit(whole, tuple(answer))
        expected = None if {*answer} != {*solution} else answer == solution
        actual = fit.leads(slots, choices)

        assert expected == actual
    assert solution == whole.top(slots, choices)
