"""What the HTTP client below the openai package would do beside sending requests."""

import logging
from typing import Any

_SILENT = logging.CRITICAL + 1


def silence_loggers(package: str) -> None:
    """Let the client log nothing: its lines hold URLs with passwords, and headers with keys.

    Args:
        package: The name of the client's package, httpx or a successor; its transport's is named alike.
    """
    for name in (package, package.replace("httpx", "httpcore"), "httpx", "httpcore", "openai"):
        logging.getLogger(name).setLevel(_SILENT)


def has_surplus(client: Any) -> bool:
    """Whether an idle connection has already received more than the response, which the next request would get.

    The client itself looks only for bytes that are still in the socket. Where its parts are not the known ones a
    connection is taken to have some, so that none is used twice.
    """
    try:
        transports = [client._transport, *client._mounts.values()]  # noqa: SLF001
        pools = [transport._pool for transport in transports if transport is not None]  # noqa: SLF001
        return any(_trails(connection._connection) for pool in pools for connection in pool.connections)  # noqa: SLF001
    except AttributeError:
        return True


def _trails(connection: Any) -> bool:
    if connection is None:  # not yet open
        return False
    while not hasattr(connection, "_h11_state"):
        connection = connection._connection  # noqa: SLF001 - of a tunnel through a proxy
    return bool(connection._h11_state.trailing_data[0])  # noqa: SLF001
