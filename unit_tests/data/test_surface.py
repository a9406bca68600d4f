"""What threads look like does not tell which of them are needed."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from mpcbench.schema import Thread
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET
from unit_tests.marks import UNTRACED

pytestmark = UNTRACED

MOST = 0.6
"""The bound on the area under the curve of needed against other threads, which is 0.5 where nothing is told."""

FOLDS, GROUPS, PASSES, RIDGE = 5, 5, 15, 1.0


def surface(thread: Thread, place: int) -> tuple[float, ...]:
    """What is seen of a thread without reading its texts, in minutes, days and characters where it has a unit."""
    sent = [message.sent for message in thread.messages]
    gaps = [(later - earlier).total_seconds() / 60 for earlier, later in pairwise(sent)]
    texts = [len(message.text) for message in thread.messages]
    return (
        int(thread.thread_id[1:]),
        place,
        len(texts),
        len({message.author for message in thread.messages}),
        int(thread.messages[0].author[1:]),
        sent[0].timestamp() / 86400,
        sent[0].weekday(),
        sent[0].hour + sent[0].minute / 60,
        (sent[-1] - sent[0]).total_seconds() / 60,
        max(gaps),
        sum(texts),
        texts[0],
        texts[-1],
    )


def grouped(values: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """One column for each group of similar values, so that neither side of a range is hidden by the other."""
    edges = np.unique(np.quantile(values, np.linspace(0, 1, GROUPS + 1)[1:-1]))
    groups = np.searchsorted(edges, values, side="right")
    for group in range(len(edges) + 1):
        yield (groups == group).astype(float)


def fitted(rows: NDArray[np.float64], needed: NDArray[np.float64]) -> NDArray[np.float64]:
    """The coefficients of a logistic regression with a ridge, by Newton's method."""
    weights = np.zeros(rows.shape[1])
    for _ in range(PASSES):
        rate = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (needed - rate) - RIDGE * weights
        weights += np.linalg.solve((rows.T * (rate * (1 - rate))) @ rows + RIDGE * np.eye(len(weights)), slope)
    return weights


def area(scores: NDArray[np.float64], needed: NDArray[np.float64]) -> float:
    """How often a needed thread scores higher than another; a tie counts half."""
    more = scores[needed == 1][:, None] - scores[needed == 0][None, :]
    return float(np.mean((more > 0) + 0.5 * (more == 0)))


@pytest.mark.parametrize("level", [2, 3])
def test_the_surface_does_not_tell_which_threads_are_needed(level: Level) -> None:
    """A regression on four fifths of the threads ranks the others little better than chance."""
    threads = DATASET.world(level).threads
    asked = {thread_id for instance in DATASET.instances(level) for thread_id in instance.references.threads}
    needed = np.array([thread.thread_id in asked for thread in threads], dtype=float)
    features = np.array([surface(thread, place) for place, thread in enumerate(threads)])
    rows = np.array([np.ones(len(threads)), *(column for values in features.T for column in grouped(values))]).T
    fold = np.random.default_rng(0).integers(FOLDS, size=len(threads))

    scores = np.zeros(len(threads))
    for number in range(FOLDS):
        scores[fold == number] = rows[fold == number] @ fitted(rows[fold != number], needed[fold != number])
    areas = [area(scores[fold == number], needed[fold == number]) for number in range(FOLDS)]

    assert needed.sum() > 100
    assert np.mean(areas) <= MOST
    assert area(rows @ fitted(rows, needed), needed) > np.mean(areas)  # it does learn what there is to learn
