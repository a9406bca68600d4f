"""Find the single changes and pairs of changes that lead to an answer, without trying every pair.

A change must touch every condition that the answer breaks. A change that only permits more helps only with broken
conditions: an answer that comes first among more candidates comes first without them, too. A change that only adds
conditions repairs no broken one.
"""

from collections.abc import Iterable, Iterator, Sequence

from mpcbench.evaluation.diagnosis.change import Change
from mpcbench.evaluation.diagnosis.fit import Fit


def leads(fit: Fit, changes: Sequence[Change]) -> bool | None:
    """Whether changes of a frame lead to an answer.

    Returns:
        None if they do not, or if two of them collide; otherwise whether the order is the same, too.
    """
    choices, allowed, touched = fit.frame.choices, -1, frozenset[str]()
    for place, change in enumerate(changes):
        if any(change.collides(other) for other in changes[:place]) or not fit.permitted(change):
            return None
        choices = choices.having(change.fields)
        touched |= change.touched
    for change in changes:
        allowed &= change.allowed
    return fit.leads(fit.frame.without(touched) & allowed, choices)


def singles(fit: Fit, mistakes: Sequence[Change], additions: Sequence[Change]) -> Iterator[tuple[Change, bool]]:
    """The changes that alone lead to the answer, and whether in its order.

    Args:
        fit: The answer in the frame of the problem.
        mistakes: Changes that may touch conditions that the answer breaks.
        additions: Changes that only add conditions.
    """
    missing = _first_missing(fit)
    for change in (*mistakes, *(() if fit.needs else additions)):
        if any(need.isdisjoint(change.touched) for need in fit.needs):
            continue
        if not fit.needs and (change.relaxes(fit.frame) or not _forbids(change, missing)):
            continue
        in_order = leads(fit, (change,))
        if in_order is not None:
            yield change, in_order


def _first_missing(fit: Fit) -> int | None:
    """The start of the first gold candidate that an answer lacks."""
    starts = {start for start, _ in fit.pairs}
    return next((start for start, _ in fit.frame.gold if start not in starts), None)


def _forbids(change: Change, start: int | None) -> bool:
    """Whether a change may keep a feasible start out of the answer: by its masks or by choosing otherwise."""
    return bool(change.fields) or start is None or not change.allows(start)


def pairs(fit: Fit, mistakes: Sequence[Change], additions: Sequence[Change]) -> Iterator[tuple[Change, Change]]:
    """The pairs of changes that lead to the answer in its order; assumes that no single change does."""
    additions = [change for change in additions if fit.permitted(change)]
    if not fit.needs:
        useful = [
            change for change in (*mistakes, *additions) if not change.relaxes(fit.frame) and fit.permitted(change)
        ]
        missing = _first_missing(fit)
        useful.sort(key=lambda change: not _forbids(change, missing))
        for place, change in enumerate(useful):
            if not _forbids(change, missing):
                return
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


def repairs(fit: Fit, mistakes: Sequence[Change]) -> Iterator[tuple[Change, Change]]:
    """The pairs of changes that lead to the answer in its order, each of which repairs a condition that the other does not.

    An answer that breaks several conditions proves much: whatever suggests the two mistakes, they are hardly a coincidence.
    """
    if len(fit.needs) <= 1:
        return
    useful = [one for one in mistakes if any(map(one.touched.intersection, fit.needs)) and fit.permitted(one)]
    first = [one for one in useful if not fit.needs[0].isdisjoint(one.touched)]
    for change in first:
        left = [need for need in fit.needs if need.isdisjoint(change.touched)]
        if left:
            partners = [one for one in useful if not any(map(one.touched.isdisjoint, left))]
            yield from _with(fit, change, [one for one in partners if not _repairs(fit, one)])


def _repairs(fit: Fit, change: Change) -> bool:
    """Whether a change touches every condition that the answer breaks."""
    return not any(map(change.touched.isdisjoint, fit.needs))


def _with(fit: Fit, change: Change, partners: Iterable[Change]) -> Iterator[tuple[Change, Change]]:
    """The pairs of a change and one of its partners."""
    if fit.permitted(change):
        yield from ((change, other) for other in partners if leads(fit, (change, other)))
