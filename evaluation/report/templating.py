"""The templates of the report: everything is escaped, and a name that is not given is an error."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mpcbench.evaluation.report.number_text import rate_bounds, rate_text, score_bounds, score_text
from mpcbench.schema.untrusted_text import printable

if TYPE_CHECKING:
    from jinja2 import Environment

_FOLDER: Final = Path(__file__).parent
ASSETS: Final = _FOLDER / "assets"
"""Style sheets and scripts."""


@cache
def templates(folder: Path = _FOLDER / "templates") -> "Environment":
    """The environment that loads `evaluation/report/templates/`, or another folder.

    Text that is put in gets its control and reordering characters shown as escapes, whatever a model wrote.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - only reports need it

    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= {
        function.__name__: function for function in (score_text, score_bounds, rate_text, rate_bounds)
    }
    environment.filters["text"] = _Text.of
    return environment


class _Text(str):
    """The HTML of a text between tags, where quotation marks need no escape."""

    __slots__ = ()

    @classmethod
    def of(cls, text: str) -> "_Text":
        return cls(printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))

    def __html__(self) -> str:
        return str(self)


def _shown(value: Any) -> Any:
    # Exactly str: markup, which is a subclass, has been escaped already.
    return printable(value) if type(value) is str else value
