"""A person at the web page, by requests alone: no browser, no script."""

import http.client
import re
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit


class Response(NamedTuple):
    """What the server said."""

    status: int
    headers: dict[str, str]
    text: str


class WebPlay:
    """Asks the server at an address."""

    def __init__(self, address: str) -> None:
        split = urlsplit(address)
        assert split.port is not None
        self.port, self.path = split.port, split.path

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> Response:
        """One request of any path."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            response = connection.getresponse()
            return Response(response.status, dict(response.getheaders()), response.read().decode())
        finally:
            connection.close()

    def look(self) -> str:
        """The page."""
        return self.ask("GET", self.path).text

    def send(self, form: str, **fields: str | list[str]) -> Response:
        """A form; `arg_` begins the name of a tool's argument."""
        named = {re.sub("^arg_", "arg.", name): value for name, value in fields.items()}
        return self.ask("POST", f"{self.path}{form}", urlencode(named, doseq=True))
