"""The number of a port on this machine, as users type it."""

import re
from argparse import ArgumentTypeError


class PortError(ArgumentTypeError):
    """A text is not the number of a port; the message is one line that names it, which argparse shows."""


def port_number(text: str) -> int:
    """The port, 0 for any free one; raises `PortError`."""
    if not re.fullmatch("[0-9]{1,5}", text) or int(text) >= 2**16:
        raise PortError(f"{text} is not a port from 0 to 65535")
    return int(text)
