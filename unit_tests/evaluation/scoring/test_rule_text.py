"""Every kind of rule as text and as JSON."""

from zoneinfo import ZoneInfo

import pytest
from pydantic import JsonValue

from mpcbench.evaluation.scoring.rule_text import limit_text, rule_values
from mpcbench.oracle.interval import Interval, to_minutes
from mpcbench.oracle.problem import Buffer, Busy, EndsBy, Inside, InsideHours, Outside, OutsideHours, Rule, StartsFrom
from unit_tests.builders import tiny

ZONE = ZoneInfo("Europe/Berlin")
NINE, TEN = (to_minutes(tiny.at(f"2027-02-08 {hour}:00")) for hour in ("09", "10"))
SPAN = Interval(NINE, TEN)
SPAN_TEXT = "Mon 2027-02-08 09:00-10:00"
SPAN_VALUES = {"start": "2027-02-08T09:00:00+01:00", "end": "2027-02-08T10:00:00+01:00"}
HOURS = {"start": "09:00", "end": "24:00", "days": [0, 4]}


@pytest.mark.parametrize(
    ("rule", "text", "values"),
    [
        (InsideHours(540, 1440, (0, 4)), "09:00-24:00 on Mon, Fri", HOURS),
        (OutsideHours(540, 1440, (0, 4)), "09:00-24:00 on Mon, Fri", HOURS),
        (Inside((SPAN, SPAN)), f"{SPAN_TEXT} or {SPAN_TEXT}", {"spans": [SPAN_VALUES, SPAN_VALUES]}),
        (Outside(SPAN), SPAN_TEXT, SPAN_VALUES),
        (StartsFrom(NINE), "Mon 2027-02-08 09:00", {"at": SPAN_VALUES["start"]}),
        (EndsBy(TEN), "Mon 2027-02-08 10:00", {"at": SPAN_VALUES["end"]}),
    ],
)
def test_limits(rule: Rule, text: str, values: dict[str, JsonValue]) -> None:
    """A limit reads the same wherever it is shown and has the same values wherever it is stored."""
    assert text == limit_text(rule, ZONE)
    assert values == rule_values(rule, ZONE)


@pytest.mark.parametrize(
    ("rule", "values"), [(Busy("p001", (SPAN,)), {"events": [SPAN_VALUES]}), (Buffer(10), {"minutes": 10})]
)
def test_rules_without_a_limit(rule: Rule, values: dict[str, JsonValue]) -> None:
    """Busy events and a buffer have values, and no limit to be named."""
    assert values == rule_values(rule, ZONE)
    with pytest.raises(TypeError):
        limit_text(rule, ZONE)


def test_instants_to_the_minute() -> None:
    """Where people and models read them, instants have no seconds."""
    assert {"at": "2027-02-08T09:00+01:00"} == rule_values(StartsFrom(NINE), ZONE, "minutes")
