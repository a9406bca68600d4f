"""The code of docs/library.md runs, and prints what the page says."""

import contextlib
import io
import re
from typing import Any

from mpcbench.schema.dataset import COMMITTED


def test_the_page_as_a_program() -> None:
    """The blocks of code run one after the other; each prints the block of text below it."""
    page = (COMMITTED / "docs" / "library.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(python|text)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    printed, shown = "", []
    for kind, block in blocks:
        if kind == "text":
            shown.append((block, printed))
            printed = ""
            continue
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(block, "docs/library.md", "exec"), names)
        printed += output.getvalue()

    assert printed == ""
    assert [says for says, _ in shown] == [does for _, does in shown]
    assert len(shown) == 5
