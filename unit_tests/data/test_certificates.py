"""The certificate of every committed instance holds when it is made again; in CI that of every fourth."""

import pytest

from mpcbench.generate.certificate import SOURCES, certify
from mpcbench.oracle import resolve
from mpcbench.oracle.solve import gold_choices
from mpcbench.schema.dataset import LEVELS
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET, INSTANCES
from unit_tests.generate.sampling.drafts import check
from unit_tests.marks import EXHAUSTIVE, UNTRACED

pytestmark = [UNTRACED, pytest.mark.slow]  # certifies all committed instances again

IN_CI = 4
"""Making a certificate again takes most of the time, so CI does it for one instance in so many."""

EVERY: list[tuple[Level, int]] = [(level, number) for level in LEVELS for number in range(INSTANCES)]


def named(level: Level, number: int) -> str:
    return f"level{level}-{number:03d}"


each_instance = pytest.mark.parametrize(("level", "number"), [pytest.param(*one, id=named(*one)) for one in EVERY])


@pytest.mark.parametrize(
    ("level", "number"),
    [pytest.param(*one, id=named(*one), marks=() if one[1] % IN_CI == 0 else EXHAUSTIVE) for one in EVERY],
)
def test_certificate_is_made_again(level: Level, number: int) -> None:
    """Solved, with everything dropped in turn, by shortcuts, by the archive and by the reading agent: all as stored.

    Other than at generation, the world holds the threads of all instances.
    """
    instance = DATASET.instances(level)[number]
    label = DATASET.labels(level)[instance.instance_id]
    assert label.certificate is not None

    assert label == certify(DATASET.world(level), instance, label.certificate.rejected)


@each_instance
def test_certificate_says_that_all_points_hold(level: Level, number: int) -> None:
    """What is stored is a pass at all six points, with all that the gold depends on dropped in turn."""
    instance = DATASET.instances(level)[number]
    label = DATASET.labels(level)[instance.instance_id]
    certificate = label.certificate
    assert certificate is not None
    dropped = {effect.dropped for effect in certificate.load_bearing}
    problem = resolve(DATASET.world(level), instance)

    assert certificate.solvable
    assert certificate.unique
    assert certificate.archive_agrees
    assert certificate.readable
    assert all(effect.ranking_changed and effect.gold_lost != 0 for effect in certificate.load_bearing)
    assert {f"calendar:{person}" for person in problem.participants} <= dropped
    assert {f"thread:{thread}" for thread in instance.references.threads} <= dropped
    assert {record for requirement in label.requirements for record in requirement.records} <= dropped
    assert set(label.records) <= dropped
    assert {source.value for source in SOURCES[level]} < {found.shortcut for found in certificate.shortcuts}
    assert all(found.shared < problem.count for found in certificate.shortcuts)


@each_instance
def test_sampler_would_take_it_again(level: Level, number: int) -> None:
    """The sampler's own quick check of points 1, 3 and 4 passes what the certificate passes."""
    instance = DATASET.instances(level)[number]

    problem = resolve(DATASET.world(level), instance)

    assert gold_choices(problem) == check(problem)
