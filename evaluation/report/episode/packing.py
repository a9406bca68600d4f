"""The pages of the episodes, packed so that a report with a thousand of them stays small and opens at once.

The pages of one instance make one block: their distinct lines once, and for each page the numbers of its lines. So what
several episodes share, such as calendars and policies, is stored once, however far apart. A block is JSON, compressed with
gzip, as base64; the report's script unpacks it when one of its pages is opened.
"""

import gzip
import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from itertools import groupby

from mpcbench.evaluation.report.episode.page import episode_page
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.runs.folder import RunError
from mpcbench.schema.result import Result
from mpcbench.schema.run import case_of


def blocks(runs: Sequence[ReportedRun], episodes: Sequence[tuple[int, Result]]) -> Iterator[str]:
    """The blocks in the order in which instances come first; one episode is held at a time.

    Args:
        runs: The runs.
        episodes: All episodes with the place of their run; those of one instance are together.

    Raises:
        RunError: an episode is not there any more, or cannot be read.
    """
    for _, group in groupby(episodes, lambda one: one[1].instance_id):
        yield packed([page(runs[place], result) for place, result in group])


def page(run: ReportedRun, result: Result) -> str:
    """An episode's page, an HTML fragment."""
    case = case_of(result)
    episode = run.episode(case)
    if episode is None:
        raise RunError(f"{run.folder.episode_file(case)}: no such file")
    return episode_page(run.exam(case), episode)


def packed(pages: Sequence[str]) -> str:
    """The pages of one block as base64 text."""
    numbers: dict[str, int] = {}
    content = [[numbers.setdefault(line, len(numbers)) for line in text.split("\n")] for text in pages]
    block = json.dumps({"lines": list(numbers), "pages": content}, ensure_ascii=False, separators=(",", ":"))
    return b64encode(gzip.compress(block.encode("utf-8"), mtime=0)).decode("ascii")


def unpacked(block: str) -> list[str]:
    """The pages of a block, as the report's script unpacks them."""
    content = json.loads(gzip.decompress(b64decode(block)))
    return ["\n".join(content["lines"][number] for number in page) for page in content["pages"]]
