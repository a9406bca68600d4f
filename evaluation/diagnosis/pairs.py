"""Find the single changes and pairs of changes that lead to an answer, without trying every pair.

A change must touch every condition that the answer breaks, and forbid every start that would outrank the answer. A
change that only permits more helps only with broken conditions: an answer that comes first among more candidates
comes first without them, too. A change that only adds conditions repairs no broken one.
"""

from collections.abc import Iterable, Iterator, Sequence

from mpcbench.evaluation.diagnosis.change import Change
from mpcbench.evaluation.diagnosis.choices import Choices
from mpcbench.evaluation.diagnosis.fit import Fit


def leads(fit: Fit, changes: Sequence[Change]) -> bool | None:
    """Whether changes of a frame lead to an answer.

    Returns:
        None if they do not, or if two of them collide; otherwise whether the order is the same, too.
    """
    frame, choices, allowed, touched = fit.frame, fit.frame.choices, -1, frozenset[str]()
    for place, change in enumerate(changes):
        if any(change.collides(other) for other in changes[:place]) or not fit.permitted(change):
            return None
        choices = choices.having(change.fields)
        touched |= change.touched
    if fit.leading(choices) is None:
        return None
    for change in changes:
        allowed &= change.allowed
    return fit.leads(frame.without(touched) & allowed, choices)


def singles(fit: Fit, mistakes: Sequence[Change], additions: Sequence[Change]) -> Iterator[tuple[Change, bool]]:
    """The changes that alone lead to the answer, and whether in its order.

    Args:
        fit: The answer in the frame of the problem.
        mistakes: Changes that may touch conditions that the answer breaks.
        additions: Changes that only add conditions.
    """
    for change in mistakes:
        useful = fit.needs or not change.relaxes(fit.frame)
        if useful and not any(need.isdisjoint(change.touched) for need in fit.needs):
            in_order = leads(fit, (change,))
            if in_order is not None:
                yield change, in_order
    if not fit.needs:
        frame, choices = fit.frame, fit.frame.choices
        leading, first = fit.leading(choices), fit.first_excess(frame.without(()), choices)
        for change in additions:
            # An added condition must at least forbid the first start that outranks the answer.
            if not change.fields and (leading is None or first is None or change.allows(first)):
                continue
            in_order = leads(fit, (change,))
            if in_order is not None:
                yield change, in_order


def pairs(fit: Fit, mistakes: Sequence[Change], additions: Sequence[Change]) -> Iterator[tuple[Change, Change]]:
    """The pairs of changes that lead to the answer in its order; assumes that no single change does."""
    additions = [change for change in additions if fit.permitted(change)]
    if not fit.needs:
        useful = [
            change for change in (*mistakes, *additions) if not change.relaxes(fit.frame) and fit.permitted(change)
        ]
        # Changes that only add come last, so that the second of a pair is one if either is: it is quicker to test.
        useful.sort(key=lambda change: change.adds(fit.frame))
        for place, change in enumerate(useful):
            yield from _with(fit, change, useful[place + 1 :])
        return
    first, *others = fit.needs
    for place, change in enumerate(mistakes):
        if first.isdisjoint(change.touched):
            continue
        left = [need for need in others if need.isdisjoint(change.touched)]
        partners = [
            other
            for position, other in enumerate(mistakes)
            if not any(need.isdisjoint(other.touched) for need in left)
            and (left or not other.relaxes(fit.frame))
            and (position > place or first.isdisjoint(other.touched))
        ]
        yield from _with(fit, change, partners if left else [*partners, *additions])


def _with(fit: Fit, change: Change, partners: Iterable[Change]) -> Iterator[tuple[Change, Change]]:
    """The pairs of a change and one of its partners."""
    frame = fit.frame
    if not fit.permitted(change):
        return
    choices = frame.choices.having(change.fields)
    in_the_way = _in_the_way(fit, change, choices)
    for other in partners:
        if other.adds(frame):
            # It only has to forbid the starts that outrank the answer.
            found = in_the_way is not None and fit.permitted(other) and not in_the_way & other.allowed
        else:
            found = bool(leads(fit, (change, other)))
        if found and not change.collides(other):
            yield change, other


def _in_the_way(fit: Fit, change: Change, choices: Choices) -> int | None:
    """The starts that outrank an answer after a change; None if the order differs anyway."""
    leading = fit.leading(choices)
    if leading is None or not leading.in_order:
        return None
    return fit.excess(fit.frame.without(change.touched) & change.allowed, choices)
