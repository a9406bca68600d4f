"""Questions of the agent are asked side by side, a turn for each round of calls."""

import pytest

from mpcbench.benchmark.agents.protocol import Budget
from mpcbench.benchmark.agents.reference import ReadingError
from mpcbench.benchmark.agents.reference.desk import OutOfTurnsError
from mpcbench.benchmark.agents.reference.level4.desk import Inquiry, LadderDesk, call, together
from mpcbench.benchmark.environment.tools.toolbox import Tool, Toolbox, ToolError, ToolResult


def get_calendar(sources: list[str], person_id: str) -> ToolResult:
    """Echo, with the number of the call."""
    if person_id == "nobody":
        raise ToolError("no such person")
    sources.append(person_id)
    return ToolResult(f"{person_id} {len(sources)}")


def get_person(sources: list[str], person_id: str) -> ToolResult:
    """Echo, with the number of the call."""
    return get_calendar(sources, person_id)


def desk(turns: int = 20, max_calls: int | None = None) -> tuple[LadderDesk, Toolbox]:
    toolbox = Toolbox([], [Tool(get_calendar), Tool(get_person)], max_calls=max_calls)
    return LadderDesk(toolbox, Budget(turns)), toolbox


def asking(*people: str, tool: str = "get_calendar") -> Inquiry[list[str]]:
    """One call after the other."""
    found = []
    for person in people:
        (text,) = yield [call(tool, person_id=person)]
        found.append(text)
    return found


def test_side_by_side() -> None:
    """The first calls of all questions are made in one turn, then the second ones."""
    asked, toolbox = desk()
    found = asked.ask([asking("a", "b"), together([asking("c"), asking("a", "d", "e")])])

    assert found == [["a 1", "b 3"], [["c 2"], ["a 1", "d 4", "e 5"]]]
    assert [one.turn for one in toolbox.log] == [1, 1, 2, 2, 3]


def test_nothing_is_asked_twice() -> None:
    """What has been shown is known, until what may have changed is forgotten."""
    asked, toolbox = desk()
    kept = call("get_calendar", person_id="b")
    asked.ask([asking("a", "b"), asking("a", tool="get_person")])
    again = asked.ask([asking("a", "b")])

    assert (again, asked.turn) == ([["a 1", "b 3"]], 2)
    assert asked.forget([kept]) == [call("get_calendar", person_id="a")]
    assert asked.ask([asking("a", "b"), asking("a", tool="get_person")]) == [["a 4", "b 3"], ["a 2"]]
    assert len(toolbox.log) == 4


def test_no_call_is_left() -> None:
    """A budget of calls that is used up ends the questions like one of turns."""
    asked, _ = desk(max_calls=1)
    asked.ask([asking("a")])

    with pytest.raises(OutOfTurnsError):
        asked.ask([asking("b")])


def test_no_turn_is_left() -> None:
    """The last turn is for the answer."""
    asked, toolbox = desk(2)
    asked.ask([asking("a")])
    with pytest.raises(OutOfTurnsError):
        asked.ask([asking("b")])

    assert len(toolbox.log) == 1


def test_errors() -> None:
    """A result that is an error ends the episode rather than being read."""
    with pytest.raises(ReadingError, match="get_calendar: error: no such person"):
        desk()[0].ask([asking("nobody")])
