"""A comparison as text: golden, and with names that cannot break out of it."""

from mpcbench.evaluation.statistics.comparison import Comparison, compare
from mpcbench.evaluation.statistics.comparison_text import comparison_markdown, comparison_text
from mpcbench.schema.result import Result
from unit_tests.builders.results import diagnosis, result

POLICY, CAPACITY = "integration.constraint_added:policy", "integration.constraint_omitted:capacity"
CYCLE = (1.0, 0.5, 0.0, 1.0)


def runs(*, trials: int = 1, name: str = "o4-mini") -> Comparison:
    """Level 1 improves clearly, level 2 hardly; an instance of each run is not in the other."""

    def scores(side: int, level: int, number: int, trial: int) -> float:
        base = CYCLE[(number + trial) % 4]
        if level == 1:
            return 1.0 if side else base
        return base if number % 7 or not side else 0.5

    def one(side: int, level: int, number: int, trial: int) -> Result:
        f1 = scores(side, level, number, trial)
        causes = [] if f1 == 1 else [(CAPACITY if number % 2 else POLICY, 1)]
        model = name if side else "gpt-4o"
        return result(
            f1, number, level=2 if level == 2 else 1, model=model, trial=trial, diagnosis=diagnosis(f1, 1.0, *causes)
        )

    a, b = (
        [
            one(side, level, number, trial)
            for level in (1, 2)
            for number in range(30)
            for trial in range(1, trials + 1)
            if number != 7 * side + 3
        ]
        for side in (0, 1)
    )
    hashes = {"worlds/world_level1.json": "1"}
    return compare(a, b, hashes_a=hashes, hashes_b=hashes, names=("runs/one", "runs/two"), target=0.05)


def test_comparison_in_the_terminal() -> None:
    """Differences with their intervals, what would show them, flipped instances and moved causes."""
    expected = """\
A: gpt-4o in runs/one
B: o4-mini in runs/two

level   n  exact match of A    of B              B - A [95%]  gained  lost        p
    1  28             42.9%  100.0%  +0.571 [+0.325, +0.767]      16     0  < 0.001
    2  28             42.9%   35.7%  -0.071 [-0.250, +0.068]       0     2    0.500
  all  56             42.9%   67.9%  +0.250 [+0.098, +0.370]      16     2    0.001

level   n  F1 of A  F1 of B              B - A [95%]        p  detectable  verdict
    1  28    0.571    1.000  +0.429 [+0.264, +0.593]  < 0.001       0.233  B is better
    2  28    0.571    0.554  -0.018 [-0.113, +0.073]    1.000       0.091  inconclusive
  all  56    0.571    0.777  +0.205 [+0.110, +0.299]  < 0.001       0.123  B is better

level  to detect  instances
    1      0.429         10
    1      0.050        567
    2      0.018        678
    2      0.050         89
  all      0.205         22
  all      0.050        328

p of exact match: exact McNemar; p of F1: paired permutation. Detectable: with a power of 80% at a
  level of 5%; a smaller difference is inconclusive.
gained by B: level1-000, level1-001, level1-004, level1-005, level1-008, level1-009, level1-012,
  level1-013, level1-016, level1-017, level1-020, level1-021, level1-024, level1-025, level1-028,
  level1-029
lost by B: level2-007, level2-014
agreement over 56 episodes of both: exact match in both or neither in 67.9%, Cohen's kappa 0.39
left out, scored in A only: 2 (level1-010, level2-010)
left out, scored in B only: 2 (level1-003, level2-003)

 A  B  primary cause (deduced)
16  9  Over-filtering by a policy nobody asked for (integration)
16  9  Ignored the number of seats (integration)"""
    actual = comparison_text(runs())

    assert expected == actual


def test_comparison_in_markdown() -> None:
    """The same as tables of GitHub's Markdown."""
    expected = """\
- A: `gpt-4o` in `runs/one`
- B: `o4-mini` in `runs/two`

| level | n | exact match of A | of B | B - A [95%] | gained | lost | p |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| 1 | 28 | 42.9% | 100.0% | +0.571 [+0.325, +0.767] | 16 | 0 | < 0.001 |
| 2 | 28 | 42.9% | 35.7% | -0.071 [-0.250, +0.068] | 0 | 2 | 0.500 |
| all | 56 | 42.9% | 67.9% | +0.250 [+0.098, +0.370] | 16 | 2 | 0.001 |

| level | n | F1 of A | F1 of B | B - A [95%] | p | detectable | verdict |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
| 1 | 28 | 0.571 | 1.000 | +0.429 [+0.264, +0.593] | < 0.001 | 0.233 | B is better |
| 2 | 28 | 0.571 | 0.554 | -0.018 [-0.113, +0.073] | 1.000 | 0.091 | inconclusive |
| all | 56 | 0.571 | 0.777 | +0.205 [+0.110, +0.299] | < 0.001 | 0.123 | B is better |

| level | to detect | instances |
| ---: | ---: | ---: |
| 1 | 0.429 | 10 |
| 1 | 0.050 | 567 |
| 2 | 0.018 | 678 |
| 2 | 0.050 | 89 |
| all | 0.205 | 22 |
| all | 0.050 | 328 |

- p of exact match: exact McNemar; p of F1: paired permutation. Detectable: with a power of 80% at a level of 5%; a smaller difference is inconclusive.
- gained by B: `level1-000`, `level1-001`, `level1-004`, `level1-005`, `level1-008`, `level1-009`, `level1-012`, `level1-013`, `level1-016`, `level1-017`, `level1-020`, `level1-021`, `level1-024`, `level1-025`, `level1-028`, `level1-029`
- lost by B: `level2-007`, `level2-014`
- agreement over 56 episodes of both: exact match in both or neither in 67.9%, Cohen's kappa 0.39
- left out, scored in A only: 2 (`level1-010`, `level2-010`)
- left out, scored in B only: 2 (`level1-003`, `level2-003`)

| A | B | primary cause (deduced) |
| ---: | ---: | --- |
| 16 | 9 | Over-filtering by a policy nobody asked for (integration) |
| 16 | 9 | Ignored the number of seats (integration) |
"""
    actual = comparison_markdown(runs())

    assert expected == actual


def test_trials_are_spoken_of_where_there_are_several() -> None:
    """How many each run has, and how many would be needed."""
    text = comparison_text(runs(trials=2))

    assert "A: gpt-4o in runs/one, 2 trials an instance\n" in text
    assert "level  to detect  instances  or trials\n" in text
    assert "p of exact match: paired permutation;" in text
    assert "trials" not in comparison_text(runs())


def test_trials_may_never_be_enough() -> None:
    """Where instances differ too much and trials do not, more trials do not help."""
    a, b = (
        [result(f1 if side else 0.5, number, trial=trial) for number, f1 in enumerate(CYCLE * 3) for trial in (1, 2)]
        for side in (0, 1)
    )
    text = comparison_text(compare(a, b, hashes_a={"a": "1"}, hashes_b={"a": "1"}, target=0.01))

    assert [line.split()[-2:] for line in text.splitlines() if "0.010" in line] == [["no", "number"]]


def test_nothing_known_is_unknown() -> None:
    """One instance in both runs: no spread, nothing flipped, no causes."""
    given = [result(0.5)]
    hashes = {"a": "1"}
    expected = """\
A: m in A
B: m in B

level  n  exact match of A  of B              B - A [95%]  gained  lost      p
    1  1              0.0%  0.0%  +0.000 [-0.975, +0.975]       0     0  1.000

level  n  F1 of A  F1 of B              B - A [95%]      p  detectable  verdict
    1  1    0.500    0.500  +0.000 [-0.975, +0.975]  1.000     unknown  inconclusive

p of exact match: exact McNemar; p of F1: paired permutation. Detectable: with a power of 80% at a
  level of 5%; a smaller difference is inconclusive.
agreement over 1 episode of both: exact match in both or neither in 100.0%, Cohen's kappa unknown,
  as all ended alike"""
    actual = comparison_text(compare(given, given, hashes_a=hashes, hashes_b=hashes))

    assert expected == actual


def test_differing_settings_and_moves_are_told() -> None:
    """They may be the reason for the difference."""
    hashes = {"a": "1"}
    a, b = [result(0.5), result(1.0, 1)], [result(0.5, tags="shown"), result(1.0, 1, tags="shown")]
    text = comparison_text(compare(a, b, hashes_a=hashes, hashes_b=hashes))

    assert "differing setting: tags is hidden in A and shown in B" in text


def test_hostile_names_stay_in_their_lines() -> None:
    """In the terminal they are printable, in Markdown code spans."""
    comparison = runs(name="a`|<b>\x1b[2J\n# x")

    assert all(line.isprintable() for line in comparison_text(comparison).splitlines())
    assert "- B: ``a`\\|<b>\\x1b[2J # x`` in `runs/two`\n" in comparison_markdown(comparison)


def test_unearned_exact_matches_are_named() -> None:
    """On either side, with the instances, since the difference may come from them."""
    hashes = {"worlds/world_level1.json": "1"}
    a = [result(0.5, number) for number in range(3)]
    b = [result(1.0, number, records_missed=("policy:POL-01",) if number else ()) for number in range(3)]
    text = comparison_text(compare(a, b, hashes_a=hashes, hashes_b=hashes))

    assert "warning: exact matches of B without the needed records: 2 (level1-001, level1-002)" in text
    assert "exact matches of A" not in text


def test_stages_are_shown_where_they_differ() -> None:
    """A table of its own between F1 and what a difference needs."""
    a = [result(0.0, number, status="unparsable", diagnosis=diagnosis(0.0, 0.0)) for number in range(6)]
    b = [result(0.0, number, diagnosis=diagnosis(0.0, 0.5)) for number in range(6)]
    hashes = {"worlds/world_level1.json": "1"}
    comparison = compare(a, b, hashes_a=hashes, hashes_b=hashes)
    expected = """\
level  stage               n      A      B              B - A [95%]      p
    1  answer can be read  6  0.000  1.000  +1.000 [+0.351, +1.000]  0.031
    1  acquisition         6  0.000  0.500  +0.500 [-0.097, +0.882]  0.031"""

    assert expected in comparison_text(comparison)
    assert "| 1 | acquisition | 6 | 0.000 | 0.500 |" in comparison_markdown(comparison)
