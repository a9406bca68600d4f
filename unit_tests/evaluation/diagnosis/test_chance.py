"""What a random answer of feasible candidates would have as often is not claimed."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import combinations, islice
from math import comb, factorial
from random import Random

import pytest

from mpcbench.evaluation.diagnosis.chance import MOST_LIKELY, Lottery, runs
from mpcbench.evaluation.diagnosis.diagnose import diagnose
from mpcbench.evaluation.diagnosis.explanation import Explanation, Finding, likelier, smaller
from mpcbench.evaluation.diagnosis.fit import Fit
from mpcbench.evaluation.diagnosis.frame import Pair
from mpcbench.oracle import Problem, resolve
from mpcbench.oracle.resolve import policy_constraint
from mpcbench.oracle.solve import Choice, gold_choices
from mpcbench.schema import Instance, Order, RoomTurnaround, Window
from mpcbench.schema.cause import Diagnosis
from mpcbench.schema.exam import Exam
from mpcbench.schema.model import Level
from unit_tests.evaluation.diagnosis.planted import (
    alternatives,
    dataset,
    diagnosed,
    episode,
    feasible,
    frame,
    instances,
    problem_of,
)

UNEXPLAINED = [{"unexplained"}]
SLIP = "integration.candidate_slip"


def lottery(instance: Instance, choices: list[Choice], *, in_order: bool = True) -> Lottery:
    whole = frame(instance)
    fit = Fit.of(whole, [(one.start, one.room_id) for one in choices])
    assert fit is not None
    return Lottery(fit, whole.top(whole.without(()), whole.choices), in_order)


def pairs_of(instance: Instance, choices: list[Choice]) -> tuple[Pair, ...]:
    return lottery(instance, choices).fit.pairs


def with_more_feasible(level: Level, most: int) -> list[Instance]:
    """The instances with few more feasible candidates than asked for."""
    return [one for one in instances(level, 1) if 0 < len(feasible(problem_of(one))) - problem_of(one).count <= most]


@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_choice_where_one_must_be_left_out_is_unexplained(level: Level) -> None:
    """Of one feasible candidate more than asked for, no wrong choice, sorted, is explained."""
    found = with_more_feasible(level, 1)[:8]
    for instance in found:
        gold, every = {*gold_choices(problem_of(instance))}, feasible(problem_of(instance))
        for some in combinations(every, len(gold)):
            if {*some} != gold:
                assert UNEXPLAINED == alternatives(diagnosed(instance, [*some]).causes)
    assert found


@pytest.mark.parametrize("level", [1, 2, 3])
def test_no_instance_has_more_claims_than_tolerated(level: Level) -> None:
    """Of all wrong choices among a few feasible candidates at most the tolerated share has any one reason."""
    few = [one for one in with_more_feasible(level, 4) if len(feasible(problem_of(one))) <= 8][:4]
    for instance in few:
        gold, every = {*gold_choices(problem_of(instance))}, feasible(problem_of(instance))
        wrong = [some for some in combinations(every, len(gold)) if {*some} != gold]
        claims = Counter(
            frozenset(reasons) for some in wrong for reasons in alternatives(diagnosed(instance, [*some]).causes)
        )
        del claims[frozenset({"unexplained"})]

        assert max(claims.values(), default=0) <= MOST_LIKELY * len(wrong)
    assert few


def test_order_that_nobody_would_choose_is_telling() -> None:
    """The latest candidates in falling order, where the earliest were asked for, are explained among few, too."""
    falling = rising = 0
    for instance in with_more_feasible(3, 4):
        problem = problem_of(instance)
        choices = gold_choices(replace(problem, order=Order.LATEST))
        if len({one.start for one in choices}) < 3:
            continue
        falling += {"integration.ranking:latest_first"} in alternatives(diagnosed(instance, choices).causes)
        if comb(len(feasible(problem)), problem.count) <= 1 / MOST_LIKELY:
            rising += {"integration.ranking:latest_first"} in alternatives(diagnosed(instance, sorted(choices)).causes)

    assert falling > 5
    assert rising == 0


def test_who_takes_part() -> None:
    """Only answers of feasible candidates are compared with a draw; not those that only lack or add candidates."""
    instance = next(one for one in instances(1) if len(feasible(problem_of(one))) > 20)
    problem, every = problem_of(instance), feasible(problem_of(instance))
    gold = gold_choices(problem)
    outside = Choice(problem.window.start, problem.window.start + problem.duration, None)

    assert [True, False, False, False, False] == [
        lottery(instance, choices).has_answer
        for choices in (every[-problem.count :], gold, gold[1:], [*gold, every[-1]], [outside, *gold[1:]])
    ]


def test_tolerated_and_hits() -> None:
    """Draws are sets without the gold, and orders where the answer's is unusual; other answers are no hits."""
    instance = next(one for one in instances(1) if len(feasible(problem_of(one))) > 20)
    problem, every = problem_of(instance), feasible(problem_of(instance))
    number = problem.count
    last, gold = every[-number:], gold_choices(problem)
    draws = comb(len(every), number) - 1
    outcomes = [pairs_of(instance, some) for some in (last, last[::-1], gold, gold[1:], every[2 : 2 + number])]

    assert MOST_LIKELY * draws == lottery(instance, last).tolerated
    assert MOST_LIKELY * draws == lottery(instance, last[::-1], in_order=False).tolerated
    assert MOST_LIKELY * draws * (factorial(number) - 1) == lottery(instance, last[::-1]).tolerated
    assert 2 == lottery(instance, last).hits(outcomes)
    assert 1 == lottery(instance, last[::-1]).hits(outcomes)
    assert comb(len(every), number - 1) * MOST_LIKELY == lottery(instance, every[5 : 4 + number]).tolerated


def test_runs_of_starts() -> None:
    """A run ends where the next start is missing."""
    assert [0b1001001, 0b10010000000000] == runs(0b10010001001001, 3)


def test_answer_that_passes_over_a_gap() -> None:
    """The gold without one gap, filled up, is one of the answers that pass over a gap; the gold itself is none."""
    seen = 0
    for instance in instances(1):
        problem, every = problem_of(instance), feasible(problem_of(instance))
        gold = gold_choices(problem)
        gaps = runs(sum(1 << one.start - problem.window.start for one in every), 15)
        if len(gaps) < 3 or problem.order is not Order.EARLIEST:
            continue
        first = {problem.window.start + minute for minute in range(gaps[0].bit_length()) if gaps[0] >> minute & 1}
        without = [one for one in every if one.start not in first][: problem.count]
        family = lottery(instance, without).of_gaps
        seen += 1

        assert frozenset(pairs_of(instance, without)) in family
        assert frozenset(pairs_of(instance, gold)) not in family
        assert frozenset() == lottery(instance, gold).of_gaps
    assert seen > 2


@pytest.mark.parametrize("level", [1, 2, 3])
def test_one_other_choice_is_little_evidence(level: Level) -> None:
    """The gold with one candidate replaced by any other feasible one is hardly ever explained by another mistake."""
    rng, told, near = Random(level), 0, 0
    for instance in instances(level, 1):
        gold = gold_choices(problem_of(instance))
        others = sorted({*feasible(problem_of(instance))} - {*gold})
        if len(gold) > 1 and others:
            place = rng.randrange(len(gold))
            choices = sorted([*gold[:place], *gold[place + 1 :], rng.choice(others)])
            found = alternatives(diagnosed(instance, choices).causes)
            told += any(not reason.startswith((SLIP, "unexplained")) for reasons in found for reason in reasons)
            near += 1

    assert near > 50
    assert told <= 0.15 * near  # one in ten is what the search tolerates, the rest is the error of the sample


def test_unknown_mistake_has_many_ways() -> None:
    """Each way to go wrong counts a sixth: the next to the last candidate is one that is replaced, or skipped."""
    instance = next(one for one in instances(1) if len(feasible(problem_of(one))) > 20)
    problem = problem_of(instance)
    number, every = problem.count, gold_choices(replace(problem_of(instance), count=10**6))
    choices = [*every[: number - 1], every[number]]
    beyond, family = len(every) - number, lottery(instance, choices).of_gaps
    ways = [1 / comb(len(every), number), 1 / (number * beyond), 1 / number, 1 / len(family) if family else 0]

    assert pytest.approx(sum(ways) / 6) == lottery(instance, choices).unknown


def test_smaller_and_likelier_explanations() -> None:
    """An ignored buffer is smaller than an ignored calendar, also in a pair; compared starts give way to two others."""
    buffer, busy, event, starts, few = (
        Finding(f"integration.{reason}", ())
        for reason in (
            "constraint_omitted:buffer_min",
            "constraint_omitted:busy",
            "record_overlooked:event",
            "starts_only:busy",
            "count:too_few",
        )
    )
    pairs = [Explanation((one, few)) for one in (buffer, busy)]
    single = [Explanation((one,)) for one in (busy, event, starts)]

    assert pairs[:1] == smaller(pairs)
    assert single[:2] == likelier(single)
    assert single[1:] == likelier(single[1:])


def test_pairs_need_more_room_than_single_changes() -> None:
    """Two mistakes that lead to feasible candidates only are claimed where many answers could be drawn, not few."""
    told: dict[str, list[bool]] = {"few": [], "some": [], "many": []}
    for weeks, every in ((0, 3), (8, 12)):
        for instance in instances(1, every):
            exam = widened(instance, weeks)
            problem = resolve(exam.world, exam.instance)
            draws = comb(len(feasible(problem)), problem.count)
            for other in islice(with_two_more_policies(problem), 7, None, 150):
                choices = gold_choices(other)
                found = _diagnosis(exam, choices).causes if len(choices) == problem.count else ()
                if found and not any(one.changes == 1 for one in found):
                    size = "few" if draws < 1000 else "many" if draws > 10**6 else "some"
                    told[size].append(any(one.changes == 2 for one in found))

    assert told["few"]
    assert not any(told["few"])
    assert sum(told["many"]) > 0.9 * len(told["many"]) > 0


def widened(instance: Instance, weeks: int) -> Exam:
    """The exam of an instance whose window ends some weeks later."""
    more = timedelta(weeks=weeks)
    said = instance.references.statements
    said = tuple(one.model_copy(update={"end": one.end + more}) if isinstance(one, Window) else one for one in said)
    references = instance.references.model_copy(update={"statements": said})
    return replace(
        dataset().exam(instance.instance_id), instance=instance.model_copy(update={"references": references})
    )


def _diagnosis(exam: Exam, choices: list[Choice]) -> Diagnosis:
    found = diagnose(exam, episode(exam.instance, choices))
    assert found is not None
    return found


def with_two_more_policies(problem: Problem) -> Iterator[Problem]:
    """The problem with every two more policies."""
    called = {record for constraint in problem.constraints for record in constraint.records}
    others = [
        [policy_constraint(record, one) for one in section.rules if not isinstance(one, RoomTurnaround)]
        for section in dataset().world(problem.level).policies
        if (record := f"policy:{section.policy_id}") not in called
    ]
    for some, more in combinations(others, 2):
        yield replace(problem, constraints=(*problem.constraints, *some, *more))
