"""Which single changes, and which two together, can lead to an answer: without trying every two.

What the answer breaks has to be touched, and what stands in its way has to be forbidden. A change that only permits
more is of no use unless it permits something that the answer breaks: what stands first among more candidates stands
first without them, too. One that only adds conditions mends nothing that the answer breaks.
"""

from collections.abc import Iterable, Iterator, Sequence

from mpcbench.evaluation.diagnosis.change import Change
from mpcbench.evaluation.diagnosis.choices import Choices
from mpcbench.evaluation.diagnosis.fit import Fit


def leads(fit: Fit, changes: Sequence[Change]) -> bool | None:
    """Whether changes of a frame lead to an answer.

    Returns:
        None if not, or if two of them alter the same thing; otherwise whether they do in the answer's order, too.
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
    """The changes that lead to the answer by themselves, and whether in its order.

    Args:
        fit: The answer in the frame of the problem.
        mistakes: Changes that may touch what the answer breaks.
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
            # One that only adds has to forbid what stands in the way first.
            if not change.fields and (leading is None or first is None or change.allows(first)):
                continue
            in_order = leads(fit, (change,))
            if in_order is not None:
                yield change, in_order


def pairs(fit: Fit, mistakes: Sequence[Change], additions: Sequence[Change]) -> Iterator[tuple[Change, Change]]:
    """The pairs of changes that lead to exactly the answer in its order, where no single change leads to it."""
    additions = [one for one in additions if fit.permitted(one)]
    if not fit.needs:
        useful = [one for one in (*mistakes, *additions) if not one.relaxes(fit.frame) and fit.permitted(one)]
        # Those that only add come last, so that the second of two is one if any is.
        useful.sort(key=lambda one: one.adds(fit.frame))
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
            # What it leads to is known but for the starts that it has to forbid.
            found = in_the_way is not None and fit.permitted(other) and not in_the_way & other.allowed
        else:
            found = bool(leads(fit, (change, other)))
        if found and not change.collides(other):
            yield change, other


def _in_the_way(fit: Fit, change: Change, choices: Choices) -> int | None:
    """The starts that stand in the way of an answer after a change; None where its order is another anyway."""
    leading = fit.leading(choices)
    if leading is None or not leading.in_order:
        return None
    return fit.excess(fit.frame.without(change.touched) & change.allowed, choices)
