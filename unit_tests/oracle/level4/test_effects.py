"""What placements rule out, as taken over from another stage."""

import pytest

from mpcbench.oracle.level4.effects import Effects
from mpcbench.oracle.level4.layout import Placement
from mpcbench.oracle.level4.stage import Stage, stage
from unit_tests.oracle.level4.test_plan import steps


def placements(found: Stage) -> list[Placement]:
    """The first and the last candidate of each option."""
    return [
        Placement(place, option, start)
        for place, meeting in enumerate(found.meetings)
        for option, one in enumerate(meeting.options)
        for start in {(one.starts & -one.starts).bit_length() - 1, one.starts.bit_length() - 1}
    ]


@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("ordered", [True, False])
def test_effects_are_the_same_if_taken_over(seed: int, ordered: bool) -> None:
    """A stage of which some meetings are another's gets the answers that it would find by itself."""
    one, two, _ = steps(seed)
    before = stage(one, counted=False)
    after = stage(two, counted=False, like=before)
    taken = after.effects(ordered=ordered, like=before)
    alone = Effects(after.meetings, after.axis, ordered=ordered)
    shared = [mine is theirs for mine, theirs in zip(before.meetings, after.meetings, strict=True)]
    people = {person for meeting in after.meetings for one in meeting.options for person in one.situation.people}

    assert any(shared)
    assert not all(shared)
    for candidate in placements(after):
        assert alone.left_by(candidate) == taken.left_by(candidate)
        for other in {*range(len(after.meetings))} - {candidate.meeting}:
            assert alone.effect(candidate, other) == taken.effect(candidate, other)
    for person in people:
        for day in range(len(after.axis.dates)):
            assert alone.without(person, day) == taken.without(person, day)


def test_effects_of_other_meetings_are_not_taken_over() -> None:
    """Nothing is taken from a stage with meetings in another order."""
    knowledge, _, _ = steps(2)
    found = stage(knowledge, counted=False)
    effects = Effects(found.meetings, found.axis, ordered=True)
    turned = Effects(found.meetings[::-1], found.axis, ordered=True, like=effects)
    alone = Effects(found.meetings[::-1], found.axis, ordered=True)
    last = len(found.meetings) - 1

    for candidate in placements(found):
        other = candidate._replace(meeting=last - candidate.meeting)
        assert alone.left_by(other) == turned.left_by(other) == effects.left_by(candidate)[::-1]
