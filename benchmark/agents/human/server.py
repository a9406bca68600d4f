"""The server of the web page: one person, one machine, one episode at a time.

It listens on 127.0.0.1 only. Every address begins with a secret token, so that other users and other web pages of the
machine find nothing.
"""

import secrets
import sys
import threading
from collections.abc import Callable
from enum import Enum, auto
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs

from mpcbench.benchmark.agents.human.answer_rows import Row, RowError, answer_json
from mpcbench.benchmark.agents.human.episode import HumanEpisode, OverError
from mpcbench.benchmark.agents.human.page import card, ended_page, playing_page, policy, waiting_page
from mpcbench.benchmark.agents.human.typed_argument import typed
from mpcbench.benchmark.environment.tools.toolbox import ToolError
from mpcbench.evaluation.runs.folder import RunError
from mpcbench.evaluation.scoring.answer import AnswerError

HOST: Final = "127.0.0.1"
_LARGEST: Final = 2**20  # bytes of a request's body
_MOST_FIELDS: Final = 10_000
_PATIENCE: Final = 10.0  # seconds that a page waits for what comes next
_IDLE: Final = 30.0  # seconds that a connection may say nothing
_MISTAKES: Final = (AnswerError, OverError, RowError, RunError, ToolError)

Fields = dict[str, list[str]]


class _Screen(Enum):
    """What the page shows."""

    WAITING = auto()
    PLAYING = auto()
    ENDED = auto()
    LEAVING = auto()
    """As `WAITING`; the run goes on once the browser has been told so."""


class PlayServer:
    """Serves the episodes of a session, one after the other.

    Args:
        port: Where; 0 for any free port.

    Raises:
        OSError: the port is taken.
    """

    def __init__(self, port: int) -> None:
        self.token = secrets.token_urlsafe(24)
        self._server = _Server((HOST, port), lambda *args: _Handler(self, *args))
        self._screen = _Screen.WAITING
        self._episode: HumanEpisode | None = None
        self._explanation = ""
        self._changed = threading.Condition()

    @property
    def address(self) -> str:
        """Where the page is; whoever knows it can play."""
        return f"http://{HOST}:{self.port}/{self.token}/"

    @property
    def port(self) -> int:
        """Where the server listens."""
        return int(self._server.server_address[1])

    def start(self) -> None:
        """Begin to serve."""
        threading.Thread(target=self._server.serve_forever, daemon=True, name="play-server").start()

    def close(self) -> None:
        """End."""
        self._server.shutdown()
        self._server.server_close()

    def play(self, episode: HumanEpisode) -> None:
        """Offer an episode; returns when it is over."""
        self._episode = episode
        self._show(_Screen.PLAYING)

    def show(self, explanation: str) -> None:
        """Show the explanation of an episode, a fragment of HTML; returns when the person goes on."""
        self._explanation = explanation
        self._show(_Screen.ENDED)

    def _show(self, screen: _Screen) -> None:
        with self._changed:
            self._screen = screen
            self._changed.notify_all()
            while self._screen in {screen, _Screen.LEAVING}:
                self._changed.wait(0.5)  # so that Ctrl-C is noticed on every system

    def leave(self) -> None:
        """Go on to what comes next."""
        with self._changed:
            self._screen = _Screen.WAITING
            self._changed.notify_all()

    def page(self) -> str:
        """The page as it is; what is about to come is waited for."""
        with self._changed:
            self._changed.wait_for(lambda: self._screen in {_Screen.PLAYING, _Screen.ENDED}, _PATIENCE)
            if self._screen is _Screen.ENDED:
                return ended_page(self._explanation)
            if self._screen is _Screen.PLAYING and self._episode is not None:
                return playing_page(self._episode)
            return waiting_page("The next episode is not there yet.")

    def act(self, what: str, fields: Fields) -> "_Said":
        """Do what a form asks for."""
        with self._changed:
            if what == "next" and self._screen is _Screen.ENDED:
                self._screen = _Screen.LEAVING
                return _Said(waiting_page("The run goes on with the next episode, or has ended."), then=self.leave)
            if self._screen is not _Screen.PLAYING or self._episode is None:
                return _Said()
            try:
                return self._moved(self._episode, what, fields)
            except _MISTAKES as error:
                if _one(fields, "part"):
                    return _Said(str(error), HTTPStatus.UNPROCESSABLE_ENTITY, kind="text/plain")
                page = playing_page(self._episode, problem=str(error), rows=_rows(fields), text=_one(fields, "text"))
                return _Said(page, HTTPStatus.UNPROCESSABLE_ENTITY)

    def _moved(self, episode: HumanEpisode, what: str, fields: Fields) -> "_Said":
        match what:
            case "call":
                arguments = {name[4:]: values[0] for name, values in fields.items() if name.startswith("arg.")}
                call = episode.call(_one(fields, "tool"), _typed(episode, _one(fields, "tool"), arguments))
                return _Said(str(card(call))) if _one(fields, "part") else _Said()
            case "notes":
                episode.write_notes(_one(fields, "notes").replace("\r\n", "\n"))
            case "answer":
                text = _one(fields, "text").strip()
                episode.answer(text or answer_json(_rows(fields)))
                self.leave()
            case "give-up":
                if not _one(fields, "sure"):
                    raise OverError("tick the box beside the button if you want to give up")
                episode.give_up()
                self.leave()
            case _:
                return _Said("There is no such page.", HTTPStatus.NOT_FOUND, kind="text/plain")
        return _Said()


class _Said:
    """A response; without a text, the way back to the page."""

    def __init__(
        self,
        text: str = "",
        status: HTTPStatus = HTTPStatus.OK,
        kind: str = "text/html",
        then: Callable[[], None] | None = None,
    ) -> None:
        self.text = text
        self.status = status if text else HTTPStatus.SEE_OTHER
        self.kind = kind
        self.then = then
        """What happens once it has been sent, or could not be."""


def _one(fields: Fields, name: str) -> str:
    return fields.get(name, [""])[0]


def _typed(episode: HumanEpisode, name: str, arguments: dict[str, str]) -> dict[str, Any]:
    """The arguments as their types; fields that were left empty are not given."""
    properties = episode.tool(name).parameters["properties"]
    return {key: typed(properties.get(key, {}), value) for key, value in arguments.items() if value}


def _rows(fields: Fields) -> tuple[Row, ...]:
    columns = [fields.get(name, []) for name in ("date", "start", "end", "room", "meeting")]
    padded = [column + [""] * (len(columns[0]) - len(column)) for column in columns]
    return tuple(Row(*parts) for parts in zip(*padded, strict=False))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *arguments: Any) -> None:
        """Say nothing of a browser that has gone away."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(*arguments)


class _Handler(BaseHTTPRequestHandler):
    timeout = _IDLE

    def __init__(self, owner: PlayServer, *args: Any) -> None:
        self._owner = owner
        super().__init__(*args)

    def do_GET(self) -> None:
        if self._place() == "":
            self._send(_Said(self._owner.page()))
        else:
            self._refuse()

    def do_POST(self) -> None:
        place, length = self._place(), self.headers.get("Content-Length", "")
        if place is None:
            self._refuse()
        elif not length:
            self._send(_Said("The length is missing.", HTTPStatus.LENGTH_REQUIRED, kind="text/plain"))
        elif not length.isdecimal() or int(length) > _LARGEST:
            self._send(_Said("That is too much.", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, kind="text/plain"))
        else:
            try:
                body = self.rfile.read(int(length)).decode("utf-8")
                fields = parse_qs(body, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
            except ValueError:
                self._send(_Said("That is no form.", HTTPStatus.BAD_REQUEST, kind="text/plain"))
            else:
                self._send(self._owner.act(place, fields))

    def _place(self) -> str | None:
        """What is asked for, below the token; None for whoever does not know it, or comes by another name."""
        known = {f"{HOST}:{self._owner.port}", f"localhost:{self._owner.port}"}
        start, _, rest = self.path.removeprefix("/").partition("/")
        is_known = secrets.compare_digest(start.encode("utf-8", "replace"), self._owner.token.encode())
        return rest.partition("?")[0] if is_known and self.headers.get("Host") in known else None

    def _refuse(self) -> None:
        text = "There is nothing here. Open the address that the terminal shows."
        self._send(_Said(text, HTTPStatus.NOT_FOUND, kind="text/plain"))

    def _send(self, said: _Said) -> None:
        try:
            self._write(said)
        finally:
            if said.then is not None:
                said.then()

    def _write(self, said: _Said) -> None:
        body = said.text.encode("utf-8")
        self.send_response(said.status)
        if said.status is HTTPStatus.SEE_OTHER:
            self.send_header("Location", f"/{self._owner.token}/")
        self.send_header("Content-Type", f"{said.kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", policy())
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, *_: Any) -> None:
        """Say nothing in the terminal, where addresses would hold the token."""


_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
