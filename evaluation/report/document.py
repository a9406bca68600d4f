"""`report.html`: one file with everything in it, which a browser opens without a network.

Only the report's own script and style run: a Content-Security-Policy names their hashes and forbids everything else.
The pages of episodes are inert text until one is opened.
"""

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from mpcbench.evaluation.report.episode.packing import blocks
from mpcbench.evaluation.report.overview.comparison_view import comparison_view
from mpcbench.evaluation.report.overview.episode_list import index, ordered
from mpcbench.evaluation.report.overview.overview import overview
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.report.templating import ASSETS, templates
from mpcbench.evaluation.runs.durable_file import write_durably

_STYLES: Final = ("report.css", "episode.css")
_SCRIPT: Final = "report.js"


@dataclass(frozen=True, slots=True)
class Live:
    """What the page says of a run that has not ended."""

    note: str
    reload_seconds: float | None = None
    """After how many seconds the page loads itself again; None if it stays as it is."""


def write_report(runs: Sequence[ReportedRun], out: Path, live: Live | None = None) -> None:
    """Write the report of one or more runs; the file is there whole or, until then, as it was.

    Raises:
        RunError: an episode cannot be read.
        OSError: the file cannot be written.
    """
    if not out.parent.is_dir():
        raise NotADirectoryError(f"{out}: {out.parent} is no folder")
    write_durably(out, report(runs, live))


def report(runs: Sequence[ReportedRun], live: Live | None = None) -> Iterator[str]:
    """The parts of the report in order: the page, then a block for each instance.

    Args:
        runs: The runs.
        live: What the page says of one that has not ended; None if all have.
    """
    from markupsafe import Markup  # noqa: PLC0415 - only reports need it

    episodes = ordered(runs)
    style = "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in _STYLES)
    script = (ASSETS / _SCRIPT).read_text(encoding="utf-8")
    values = overview(runs) | {
        "policy": content_security_policy(style, script),
        "style": Markup(style),  # noqa: S704 - the project's own file
        "script": Markup(script),  # noqa: S704 - the project's own file
        "index": Markup(inert_json(index(runs, episodes))),  # noqa: S704 - inert_json() made it safe
        "comparison": comparison_view(runs),
        "live": live,
    }
    yield templates().get_template("page.html.j2").render(values)
    for number, block in enumerate(blocks(runs, episodes)):
        yield f'<script type="text/plain" id="block-{number}">{block}</script>\n'
    yield "</body>\n</html>\n"


def content_security_policy(style: str, script: str) -> str:
    """The policy under which just this style and this script run, and nothing is loaded."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_source(script)}",
            f"style-src {_source(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types pages",
        )
    )


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def inert_json(value: Any) -> str:
    """JSON that cannot end the script element that holds it."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
