"""What is to hold about several meetings that are planned together."""

from datetime import timedelta

from mpcbench.generate.level4.sampling.terms import Outline, Terms
from mpcbench.generate.level4.world.sites import TODAY, moment
from mpcbench.schema import Window


def plan(after: dict[str, tuple[str, ...]]) -> Outline:
    """A plan whose meetings wait for others."""
    meetings = tuple(Terms(name, "p001", 30, (), after=waits) for name, waits in after.items())
    return Outline("Plan", "p001", Window(start=moment(TODAY, 0), end=moment(TODAY + timedelta(7), 0)), meetings, None)


def test_meetings_wait_for_those_that_others_wait_for() -> None:
    """Directly or not, in whatever order the agenda has them; a meeting does not wait for itself."""
    outline = plan({"d": ("b", "c"), "a": (), "c": ("a",), "b": ("a",), "e": ()})
    waiting = {terms.name: outline.waiting_for(terms) for terms in outline.meetings}

    assert {"a": {"b", "c", "d"}, "b": {"d"}, "c": {"d"}, "d": set(), "e": set()} == waiting
