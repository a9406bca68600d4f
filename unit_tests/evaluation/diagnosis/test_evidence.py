"""Facts are written as JSON that says what holds and what was used."""

from typing import Any

import pytest

from mpcbench.evaluation.diagnosis.evidence import Fact, as_evidence, as_json, joined
from mpcbench.oracle.interval import Interval, to_minutes
from mpcbench.oracle.problem import Buffer, EndsBy, Inside, InsideHours, Outside, OutsideHours, StartsFrom
from mpcbench.schema import BufferMin, Order, Window
from mpcbench.schema.statements import DailyHours
from unit_tests.builders.tiny import ZONE, at

NINE = to_minutes(at("2027-02-08 09:00"))
SPAN = {"start": "2027-02-08T09:00:00+01:00", "end": "2027-02-08T10:00:00+01:00"}


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        (None, None),
        (True, True),
        ("latest", Order.LATEST),
        ("2027-02-08T09:00:00+01:00", at("2027-02-08 09:00")),
        (SPAN, Interval(NINE, NINE + 60)),
        ({"minutes": 10}, Buffer(10)),
        ({"start": "09:00", "end": "17:30", "days": [0, 4]}, InsideHours(540, 1050, (0, 4))),
        ({"start": "12:00", "end": "24:00", "days": [1]}, OutsideHours(720, 1440, (1,))),
        ({"spans": [SPAN]}, Inside((Interval(NINE, NINE + 60),))),
        (SPAN, Outside(Interval(NINE, NINE + 60))),
        ({"at": "2027-02-08T09:00:00+01:00"}, StartsFrom(NINE)),
        ({"at": "2027-02-08T09:00:00+01:00"}, EndsBy(NINE)),
        ({"minutes": 5}, BufferMin(minutes=5)),
        (
            {**SPAN, "daily": {"start": "09:00", "end": "18:00"}},
            Window(
                start=at("2027-02-08 09:00"),
                end=at("2027-02-08 10:00"),
                daily=DailyHours(start="09:00", end="18:00"),
            ),
        ),
        (["a", "b"], frozenset({"b", "a"})),
        ({"rule": {"minutes": 5}}, {"rule": Buffer(5)}),
        ([1, "x"], (1, "x")),
    ],
)
def test_values(expected: Any, value: object) -> None:
    """Every value of the domain has a plain form; instants are ISO 8601 in the zone."""
    assert expected == as_json(value, ZONE)


def test_evidence() -> None:
    """A fact's record, what holds, what was used and the call appear in the evidence."""
    fact = Fact("policy:POL-01", Buffer(10), None, {"near": 2})
    actual = as_evidence(fact, 3, ZONE).model_dump()

    assert {
        "record": "policy:POL-01",
        "values": {"holds": {"minutes": 10}, "used": None, "near": 2},
        "tool_call": 3,
    } == actual


def test_facts_about_the_same_records_are_joined() -> None:
    """Values on which explanations agree appear once; others as alternatives to one another."""
    one, other = (Fact("policy:POL-01", Buffer(10), Buffer(used)) for used in (20, 25))

    assert (Fact("policy:POL-01", Buffer(10), {"one_of": [Buffer(20), Buffer(25)]}),) == joined([(one,), (other,)])
    assert (one,) == joined([(one,), (one,)])
