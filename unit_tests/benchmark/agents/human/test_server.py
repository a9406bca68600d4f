"""The web page serves one person, who needs no script, and nobody else."""

import re
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from mpcbench.benchmark.agents.human import server as server_module
from mpcbench.benchmark.agents.human.server import PlayServer
from mpcbench.benchmark.play.__main__ import main
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.verify.verification import Verification
from mpcbench.schema.dataset import Dataset
from unit_tests.benchmark.agents.human.web_play import WebPlay
from unit_tests.builders import small_dataset

INSTANCE = "level3-001"


class Session(NamedTuple):
    """`mpcbench play --web` on another thread."""

    web: WebPlay
    ended: "Future[int]"
    run: Path
    data: Dataset


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return small_dataset.write(tmp_path_factory.mktemp("data"))


@pytest.fixture
def session(data: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Session]:
    """A session that is over at the end of the test, whatever it did."""
    run = tmp_path / "run"
    with ThreadPoolExecutor(1) as pool:
        ended = pool.submit(main, [INSTANCE, "--web", "--run-dir", str(run), "--dataset", str(data.folder)])
        said = ""
        while (match := re.search(r"http://\S+", said)) is None:
            assert not ended.done()
            time.sleep(0.01)
            said += capsys.readouterr().out
        web = WebPlay(match[0])
        web.look()  # until the episode is there
        try:
            yield Session(web, ended, run, data)
        finally:
            if not ended.done():
                web.send("give-up", sure="yes")
                web.look()
                web.send("next")


def test_episode_is_played_without_a_script(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    """Forms alone do: calls, notebook, an answer with a slip, the answer, the explanation; then the run is whole."""
    web = session.web
    gold = session.data.exam(INSTANCE).label.gold
    begun = web.look()
    called = web.send(
        "call", tool="get_calendar", arg_person_id="p001", arg_start_date="2027-02-01", arg_end_date="2027-02-03"
    )
    web.send("call", tool="list_rooms", arg_site="", arg_page="1")
    web.send("notes", notes="one\r\ntwo")
    rows: dict[str, list[str]] = {
        "date": [f"{one.start:%Y-%m-%d}" for one in gold],
        "start": [f"{one.start:%H:%M}" for one in gold],
        "end": [f"{one.end:%H:%M}" for one in gold],
        "room": [str(one.room_id) for one in gold],
    }
    slip = web.send("answer", **rows | {"end": [""] * len(gold)})
    played = web.look()
    answered = web.send("answer", **rows, text="")
    explained = web.look()
    left = web.send("next")
    code = session.ended.result(timeout=30)

    assert "Find two slots for the Heron review on 1 February 2027." in begun
    assert 20 <= begun.count('action="call"')
    assert (303, web.path) == (called.status, called.headers["Location"])
    assert (422, True) == (slip.status, "row 1: the end is missing" in slip.text)
    assert f'value="{rows["start"][0]}"' in slip.text
    assert '<svg class="week"' in played
    assert "one\ntwo</textarea>" in played
    assert 'turn <span id="turn">3</span> of 200' in played
    assert (303, 200) == (answered.status, left.status)
    assert '<strong class="outcome passed">' in explained
    assert (0, True) == (code, "passed: exact match" in capsys.readouterr().out)
    assert [] == list(Verification(RunFolder.open(session.run), session.data).findings())


def test_script_gets_a_card_or_one_line(session: Session) -> None:
    """With `part` a call answers with its card alone, and a slip with its line."""
    web = session.web
    card = web.send("call", tool="get_person", arg_person_id="p001", part="1")
    slip = web.send("call", tool="get_person", part="1")
    unknown = web.send("call", tool="get_persona", part="1")

    assert card.text.startswith('<details class="card" id="call-1" data-turn="1" open>')
    assert (422, "get_person: person_id: Field required") == (slip.status, slip.text)
    assert (422, True) == (unknown.status, unknown.text.startswith("no tool 'get_persona'; the tools are "))
    assert 'id="turn">2<' in web.look()


def test_giving_up_needs_a_tick(session: Session) -> None:
    """The button alone does not end the episode."""
    refused = session.web.send("give-up")

    assert (422, True) == (refused.status, "tick the box" in refused.text)
    assert "Submit the answer" in session.web.look()


def test_nobody_else_gets_in(session: Session) -> None:
    """Without the token, or under another name as after DNS rebinding, there is nothing; nothing is done, either."""
    web = session.web
    own = f"127.0.0.1:{web.port}"
    refused = [
        web.ask("GET", "/"),
        web.ask("GET", "/wrong/"),
        web.ask("GET", web.path.rstrip("/")[:-1] + "/"),
        web.ask("GET", web.path, Host="evil.example"),
        web.ask("GET", f"{web.path}etc/passwd"),
        web.ask("POST", "/wrong/call", "tool=list_rooms", Host=own),
        web.ask("POST", f"{web.path}call", "tool=list_rooms", Host=f"evil.example:{web.port}"),
        web.ask("POST", f"{web.path}unknown", ""),
    ]
    huge = web.ask("POST", f"{web.path}notes", "x", Content_Length="99999999")
    garbled = web.ask("POST", f"{web.path}notes", b"\xff\xfe".decode("latin-1"), Content_Length="2")

    assert [404] * len(refused) == [one.status for one in refused]
    assert not any(web.path.strip("/") in one.text for one in refused)
    assert 413 == huge.status
    assert 400 == garbled.status
    assert 'id="turn">1<' in web.look()


def test_every_response_forbids_what_it_does_not_need(session: Session) -> None:
    """Nothing is loaded from elsewhere, kept, framed, or told to others; scripts and styles are named by their hashes."""
    for response in (session.web.ask("GET", session.web.path), session.web.ask("GET", "/")):
        policy = dict(part.strip().split(" ", 1) for part in response.headers["Content-Security-Policy"].split(";"))

        assert "'none'" == policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"]
        assert "'self'" == policy["connect-src"] == policy["form-action"]
        assert all(
            policy[name].startswith("'sha256-") and " " not in policy[name] for name in ("script-src", "style-src")
        )
        assert "no-store" == response.headers["Cache-Control"]
        assert "no-referrer" == response.headers["Referrer-Policy"]


def test_explanation_is_gone_once_the_person_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even while the response is under way, which the run waits for, no other request shows it again."""
    monkeypatch.setattr(server_module, "_PATIENCE", 0.01)
    server = PlayServer(0)
    server.start()
    with ThreadPoolExecutor(1) as pool:
        shown = pool.submit(server.show, "<p>You were right.</p>")
        while "You were right." not in (before := server.page()):
            time.sleep(0.01)
        said = server.act("next", {})
        meanwhile, is_waiting = server.page(), not shown.done()
        assert said.then is not None
        said.then()
        shown.result(timeout=10)
    server.close()

    assert "You were right." in before
    assert "You were right." not in meanwhile
    assert is_waiting
