"""A summary as text: golden tables, wide enough to read, and names that cannot break out of them."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.statistics.summary import Summary, summary_of
from mpcbench.evaluation.statistics.summary_text import code, dollars, markdown, table
from mpcbench.schema.episode import Usage
from mpcbench.schema.result import Result
from unit_tests.builders.results import diagnosis, result

POLICY, CAPACITY, TOO_FEW = (
    "integration.constraint_added:policy",
    "integration.constraint_omitted:capacity",
    "integration.count:too_few",
)
HOSTILE = ["a|b", "`", "``x``", "<script>alert(1)</script>", "[x](http://e)", "\\|", "\x1b[2J", "a\nb", "", "| --- |"]


def test_one_level_is_one_line() -> None:
    """What is unknown is left out, and trials and all levels are not spoken of."""
    expected = """\
level  model   n     exact match            F1 [95%]  errors  turns
    1  m      12  58.3% [32, 81]  0.642 [0.29, 0.91]       0    3.0"""
    actual = table(summary_of([result(f1, number) for number, f1 in enumerate([1.0] * 7 + [0.7] + [0.0] * 4)]))

    assert expected == actual


def test_nothing_scored_shows_dashes() -> None:
    """Where every episode is an error there is nothing to average."""
    expected = """\
level  model  n  exact match  F1 [95%]  errors
    1  m      0            -         -       1"""

    assert expected == table(summary_of([result(None)]))


def test_no_episodes_make_an_empty_table() -> None:
    """Without episodes there is only the heading."""
    assert table(summary_of([])) == "level  model  n  exact match  F1 [95%]  errors"


def test_table_is_aligned_and_sorted() -> None:
    """One line a level and model, levels first, numbers to the right; then a line a model with several levels."""
    expected = """\
level  model            n       exact match            F1 [95%]  errors  turns
    1  a-long-name\\x1b  2     50.0% [9, 91]  0.750 [0.00, 1.00]       0    3.0
    1  b                2  100.0% [34, 100]  1.000 [0.34, 1.00]       1    3.0
    3  b                1      0.0% [0, 79]  0.000 [0.00, 0.79]       0    3.0
  all  b                3    66.7% [23, 93]  0.667 [0.23, 0.93]       1    3.0"""
    actual = table(
        summary_of(
            [
                result(0.0, level=3, model="b"),
                result(None, 2, model="b"),
                result(1.0, 0, model="a-long-name\x1b"),
                result(0.5, 1, model="a-long-name\x1b"),
                result(1.0, 0, model="b"),
                result(1.0, 1, model="b"),
            ]
        )
    )

    assert expected == actual


def costly(f1: float, number: int, cost: float | None = 0.4, **more: Any) -> Result:
    usage = Usage(input_tokens=12_000, output_tokens=340)
    return result(f1, number, usage=usage, cost_usd=cost, **more)


def full() -> Summary:
    """Two models with trials, causes, costs and warnings."""
    given = [
        costly(f1, number, trial=trial, model="strong", diagnosis=diagnosis(f1, 1.0))
        for number in range(40)
        for trial in (1, 2)
        for f1 in [0.0 if number == 3 else 1.0]
    ]
    given += [
        result(1.0, 3, model="weak", diagnosis=diagnosis(1.0, 1.0)),
        result(0.5, 0, model="weak", diagnosis=diagnosis(0.5, 0.5, (POLICY, 1))),
        result(0.0, 1, model="weak", diagnosis=diagnosis(0.0, None, (TOO_FEW, 1), (CAPACITY, 2))),
        costly(0.0, 0, None, model="weak", level=2),
        costly(1.0, 1, 1.5, model="weak", level=2),
    ]
    return summary_of(given)


def test_everything_in_the_terminal() -> None:
    """Trials, tokens, costs, pass@k, capabilities, causes and warnings, where there are any."""
    expected = """\
level  model    n  trials      exact match            F1 [95%]  errors  turns  tokens     cost
    1  strong  40       2  97.5% [87, 100]  0.975 [0.87, 1.00]       0    3.0   12.3k   $32.00
    1  weak     3       1    33.3% [6, 79]  0.500 [0.00, 1.00]       0    3.0       -  unknown
    2  weak     2       1    50.0% [9, 91]  0.500 [0.09, 0.91]       0    3.0   12.3k   $1.50+
  all  weak     5       1   40.0% [17, 72]  0.500 [0.16, 0.84]       0    3.0   12.3k   $1.50+

level  model                       k=1              k=2
    1  strong  pass@k  97.5% [87, 100]  97.5% [87, 100]
    1  strong  pass^k  97.5% [87, 100]  97.5% [87, 100]
    1  weak    pass@k    33.3% [6, 79]                -
    1  weak    pass^k    33.3% [6, 79]                -
    2  weak    pass@k    50.0% [9, 91]                -
    2  weak    pass^k    50.0% [9, 91]                -

level 1, weak: decomposition 1.000, acquisition 0.750, integration 0.500, deduced causes:
    1  Over-filtering by a policy nobody asked for (integration)
  0.5  Ignored the number of seats (integration)
  0.5  Too few options (integration)

warning: level 1: strong never solved what weak did, with a lower F1: level1-003"""
    actual = table(full())

    assert expected == actual


def test_fixes_and_symptoms() -> None:
    """What to fix first stands before the causes, and what is only observed after them."""
    found = summary_of(
        [
            result(0.5, 0, diagnosis=diagnosis(0.5, 0.5, (POLICY, 1), reproduces=True)),
            result(0.5, 1, diagnosis=diagnosis(0.5, 0.5, ("observed.passed_over:slot", 1))),
        ]
    )
    expected = """\
m: what to fix first, of 2 failed episodes
  +1  exact  in 1  Over-filtering by a policy nobody asked for (integration)

level 1, m: decomposition 1.000, acquisition 0.500, integration 0.500, deduced causes:
  1  Over-filtering by a policy nobody asked for (integration)
observed, cause unknown:
  1  Observed: a better slot passed over"""

    assert expected in table(found)
    assert "| what to fix first |" in markdown(found)
    assert "| observed, cause unknown |" in markdown(found)


def test_everything_in_markdown() -> None:
    """The same numbers as in the terminal, as tables of GitHub's Markdown."""
    expected = """\
| level | model | n | trials | exact match | F1 [95%] | errors | turns | tokens | cost |
| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| 1 | `strong` | 40 | 2 | 97.5% [87, 100] | 0.975 [0.87, 1.00] | 0 | 3.0 | 12.3k | $32.00 |
| 1 | `weak` | 3 | 1 | 33.3% [6, 79] | 0.500 [0.00, 1.00] | 0 | 3.0 | - | unknown |
| 2 | `weak` | 2 | 1 | 50.0% [9, 91] | 0.500 [0.09, 0.91] | 0 | 3.0 | 12.3k | $1.50+ |
| all | `weak` | 5 | 1 | 40.0% [17, 72] | 0.500 [0.16, 0.84] | 0 | 3.0 | 12.3k | $1.50+ |

| level | model |  | k=1 | k=2 |
| ---: | --- | --- | ---: | ---: |
| 1 | `strong` | pass@k | 97.5% [87, 100] | 97.5% [87, 100] |
| 1 | `strong` | pass^k | 97.5% [87, 100] | 97.5% [87, 100] |
| 1 | `weak` | pass@k | 33.3% [6, 79] | - |
| 1 | `weak` | pass^k | 33.3% [6, 79] | - |
| 2 | `weak` | pass@k | 50.0% [9, 91] | - |
| 2 | `weak` | pass^k | 50.0% [9, 91] | - |

| level | model | decomposition | acquisition | integration |
| ---: | --- | ---: | ---: | ---: |
| 1 | `strong` | 1.000 [0.91, 1.00] | 1.000 [0.91, 1.00] | 0.975 [0.87, 1.00] |
| 1 | `weak` | 1.000 [0.44, 1.00] | 0.750 [0.00, 1.00] | 0.500 [0.00, 1.00] |

| level | model | episodes | primary cause (deduced) |
| ---: | --- | ---: | --- |
| 1 | `weak` | 1 | Over-filtering by a policy nobody asked for (integration) |
| 1 | `weak` | 0.5 | Ignored the number of seats (integration) |
| 1 | `weak` | 0.5 | Too few options (integration) |

- **Warning:** level 1: `strong` never solved what `weak` did, with a lower F1: `level1-003`

Brackets: 95% intervals over n instances; trials of an instance are averaged first. Episodes with the outcome error are part of no average. A plus: the cost of some episodes is unknown.
"""
    actual = markdown(full())

    assert expected == actual


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_in_their_cells(name: str) -> None:
    """In the terminal they are on one line; in Markdown every table row has as many cells as its heading."""
    summary = summary_of([result(1.0, model=name), result(0.0, model="m"), result(1.0, level=2, model=name)])
    lines = table(summary).splitlines()
    rows = [line for line in markdown(summary).splitlines() if line.startswith("|")]

    assert all(line.isprintable() for line in lines)
    assert len(lines) == 5
    assert {len(cells(row)) for row in rows} == {7}


def cells(row: str) -> list[str]:
    """As GitHub splits a row: at bars that are not escaped."""
    return re.findall(r"((?:\\.|[^|\\])*)\|", row.removeprefix("|"))


@given(st.text(st.sampled_from("`|\\<>a "), max_size=12) | st.text(max_size=80))
def test_code_span_holds_any_name(text: str) -> None:
    """A fence longer than any run of backticks within, and no bar without a backslash before it."""
    span = code(text)
    fence = re.match("`+", span)
    assert fence is not None
    inside = span[len(fence[0]) : -len(fence[0])]

    assert span.endswith(fence[0])
    assert fence[0] not in re.findall("`+", inside)
    assert len(cells(f"|{span}|")) == 1
    assert "\n" not in span


@pytest.mark.parametrize(
    ("amount", "expected"),
    [(0, "$0.00"), (0.00004, "$0.0000"), (0.0123, "$0.0123"), (0.1, "$0.10"), (12.345, "$12.35"), (1000, "$1000.00")],
)
def test_dollars(amount: float, expected: str) -> None:
    """Cents, or four digits where cents are too coarse."""
    assert expected == dollars(amount)


def test_only_the_first_causes_are_listed() -> None:
    """Ten are, and how many others there are is said."""
    kinds = [f"integration.value_wrong:kind_{letter}" for letter in "abcdefghijkl"]
    given = [result(0.5, number, diagnosis=diagnosis(0.5, 1.0, (kind, 1))) for number, kind in enumerate(kinds)]
    lines = table(summary_of(given)).splitlines()

    assert [line.split()[0] for line in lines if "Wrong kind" in line] == ["1"] * 10
    assert lines[-1] == "  and 2 other causes"


@pytest.mark.parametrize(
    ("tokens", "expected"), [(0, "0"), (999, "999"), (1_000, "1.0k"), (23_456, "23.5k"), (1_234_567, "1.2M")]
)
def test_tokens_are_short(tokens: int, expected: str) -> None:
    """Thousands and millions by their letter."""
    (line,) = table(summary_of([result(1.0, usage=Usage(input_tokens=tokens))])).splitlines()[1:]

    assert line.split()[-1] == expected


def test_widest_line_fits() -> None:
    """With usual names and costs the table fits a hundred columns."""
    usage = Usage(input_tokens=1_234_567, output_tokens=98_765)
    given = [
        result(f1, number, model="gpt-4o-mini", level=level, trial=trial, usage=usage, cost_usd=1.5, turns=12)
        for level in (1, 2, 3)
        for number, f1 in enumerate([0.0] * 60 + [0.4] * 40)
        for trial in (1, 2, 3)
    ]

    assert max(map(len, table(summary_of(given)).splitlines())) <= 100
