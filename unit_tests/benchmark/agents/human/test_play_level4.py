"""People play level 4: its tools by hand, a world that changes, and plans whose options name their meeting."""

import re
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from mpcbench.benchmark.play.__main__ import main
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.verify.verification import Verification
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.level4.label import LadderLabel
from unit_tests.benchmark.agents.human.web_play import WebPlay
from unit_tests.builders import small_ladder

SINGLE, PLAN, CHANGING = "level4-000", "level4-001", "level4-002"
CALENDAR = ("get_calendar", "p1", "2027-03-01", "2027-03-01")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return small_ladder.write(tmp_path_factory.mktemp("data"))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return tmp_path / "run"


@pytest.fixture
def where(data: Dataset, run: Path) -> tuple[str, ...]:
    return "--run-dir", str(run), "--dataset", str(data.folder)


def typed(label: LadderLabel) -> list[str]:
    """The gold as people type it."""
    return [
        f"{one.start:%Y-%m-%d %H:%M}-{one.end:%H:%M} {one.room_id} {one.meeting or ''}".strip() for one in label.gold
    ]


def findings(data: Dataset, run: Path) -> list[str]:
    return list(Verification(RunFolder.open(run), data).findings())


@pytest.mark.parametrize("instance", [SINGLE, PLAN])
def test_right_answer_passes(
    instance: str, data: Dataset, run: Path, where: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Typed row by row, in a plan with the meeting behind the room; the run verifies."""
    main([instance, *CALENDAR, *where])
    code = main([instance, "answer", *typed(data.ladder.labels[instance]), *where])

    assert (0, True) == (code, f"{instance}, human: passed: exact match" in capsys.readouterr().out)
    assert [] == findings(data, run)


def test_world_changes_while_a_person_plays(
    data: Dataset, run: Path, where: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """The change shows in the next call, though each command is a process of its own."""
    said = []
    for _ in range(2):
        main([CHANGING, *CALENDAR, *where])
        said.append(capsys.readouterr().out)
    main([CHANGING, "answer", *typed(data.ladder.labels[CHANGING]), *where])

    assert [False, True] == ["2027-03-01T10:00" in one for one in said]
    assert "passed: exact match" in capsys.readouterr().out
    assert [] == findings(data, run)


@pytest.mark.parametrize(
    ("instance", "words", "message"),
    [
        (PLAN, ["answer", "2027-03-01 9:45-10:45 R01"], "is not DATE START-END ROOM MEETING, such as"),
        (PLAN, ["answer", "2027-03-01 9:45-10:45"], "is not DATE START-END ROOM MEETING, such as"),
        (PLAN, ["answer", '{"candidates": [{"start": "9"}]}'], "$.candidates[0].start: not an ISO 8601 date"),
        (
            SINGLE,
            ["get_room_bookings"],
            "room_ids is missing; type: get_room_bookings room_ids,... start_date end_date",
        ),
        (SINGLE, ["search_rooms", "min_capacity=many"], "search_rooms: min_capacity: Input should be a valid integer"),
    ],
)
def test_slip_of_the_hand_is_one_line(
    instance: str, words: list[str], message: str, where: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """And no call."""
    code, said = main([instance, *words, *where]), capsys.readouterr()

    assert (2, "", 1) == (code, said.out, said.err.count("\n"))
    assert message in said.err


def test_lists_are_typed_with_commas(where: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """Numbers that may be left out are numbers, too."""
    codes = [
        main([SINGLE, "get_room_bookings", "R01,R02", "2027-03-01", "2027-03-01", *where]),
        main([SINGLE, "search_rooms", "min_capacity=2", "equipment=projector, whiteboard", *where]),
        main([SINGLE, "status", *where]),
    ]
    said = capsys.readouterr().out

    assert [0, 0, 0] == codes
    assert "call 1: get_room_bookings room_ids=['R01', 'R02'] start_date=2027-03-01" in said
    assert "call 2: search_rooms min_capacity=2 equipment=['projector', 'whiteboard']" in said


@pytest.fixture
def session(where: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> Iterator["tuple[WebPlay, Future[int]]"]:
    """The page of a plan; the session is over at the end of the test."""
    with ThreadPoolExecutor(1) as pool:
        ended = pool.submit(main, [PLAN, "--web", *where])
        said = ""
        while (match := re.search(r"http://\S+", said)) is None:
            assert not ended.done()
            time.sleep(0.01)
            said += capsys.readouterr().out
        page = WebPlay(match[0])
        page.look()  # until the episode is there
        try:
            yield page, ended
        finally:
            if not ended.done():
                page.send("give-up", sure="yes")
                page.look()
                page.send("next")


def test_plan_is_played_in_the_web_page(session: "tuple[WebPlay, Future[int]]", data: Dataset, run: Path) -> None:
    """The form has a column for meetings, lists are typed with commas, and the explanation follows."""
    web, ended = session
    begun = web.look()
    called = web.send(
        "call", tool="get_room_bookings", arg_room_ids="R01", arg_start_date="2027-03-01",
        arg_end_date="2027-03-01",
    )  # fmt: skip
    gold = data.ladder.labels[PLAN].gold
    rows = {
        "date": [f"{one.start:%Y-%m-%d}" for one in gold],
        "start": [f"{one.start:%H:%M}" for one in gold],
        "end": [f"{one.end:%H:%M}" for one in gold],
        "room": [one.room_id for one in gold],
        "meeting": [str(one.meeting) for one in gold],
    }
    slip = web.send("answer", **rows | {"start": ["", ""]})
    answered = web.send("answer", **rows)
    explained = web.look()
    web.send("next")

    assert 0 == ended.result(timeout=30)
    assert 'aria-label="Meeting of option 1"' in begun
    assert "(with commas in between)" in begun
    assert (303, 422, 303) == (called.status, slip.status, answered.status)
    assert 'value="First"' in slip.text
    assert '<strong class="outcome passed">' in explained
    assert [] == findings(data, run)
