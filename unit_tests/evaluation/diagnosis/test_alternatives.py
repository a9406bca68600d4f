"""Explanations that fit equally well become numbered alternatives, and no record is blamed beside its rival."""

from mpcbench.evaluation.diagnosis.alternatives import MOST_KINDS, UNEXPLAINED, causes
from mpcbench.evaluation.diagnosis.evidence import Fact
from mpcbench.evaluation.diagnosis.explanation import Explanation, Finding
from unit_tests.builders.tiny import ZONE

POLICY = "integration.constraint_added:policy"
COUNT = "integration.count:too_many"
BUSY = "integration.constraint_omitted:busy"


def explanation(*findings: tuple[str, tuple[str, ...]], reproduces: bool = True) -> Explanation:
    facts = tuple(Finding(reason, tuple(Fact(record) for record in records)) for reason, records in findings)
    return Explanation(facts, reproduces=reproduces)


def told(*explanations: Explanation) -> list[tuple[int, str, list[str | None]]]:
    found = causes(explanations, {"policy:POL-01": 4}, ZONE)
    return [(one.alternative, one.reason, [evidence.record for evidence in one.evidence]) for one in found]


def test_rival_records_are_alternatives() -> None:
    """Two policies of which either would do are two explanations, not one with both."""
    rivals = (explanation((POLICY, ("policy:POL-07",))), explanation((POLICY, ("policy:POL-01",))))

    assert [(1, POLICY, ["policy:POL-01"]), (2, POLICY, ["policy:POL-07"])] == told(*rivals)
    assert [4, None] == [
        one.evidence[0].tool_call for one in causes(rivals, {"policy:POL-01": 4, "policy:POL-07": None}, ZONE)
    ]


def test_larger_changes_are_left_out() -> None:
    """A whole document beside one of its policies is the larger change, unless it alone does."""
    document = explanation((POLICY, ("policy:POL-01", "policy:POL-07")))

    assert [(1, POLICY, ["policy:POL-01"])] == told(document, explanation((POLICY, ("policy:POL-01",))))
    assert [(1, POLICY, ["policy:POL-01", "policy:POL-07"])] == told(document)


def test_a_record_may_say_two_things() -> None:
    """Two statements of one record are a larger change than one of them."""
    one, both = explanation((BUSY, ("thread:T1",))), explanation((BUSY, ("thread:T1", "thread:T1")))

    assert [(1, BUSY, ["thread:T1"])] == told(both, one, one)


def test_parts_of_one_explanation_have_one_number() -> None:
    """The parts of a pair are together, whichever comes first."""
    pair = explanation((COUNT, ("task",)), (BUSY, ("calendar:p001",)))
    other = explanation((BUSY, ("calendar:p002",)), (COUNT, ("task",)))

    assert [
        (1, BUSY, ["calendar:p001"]),
        (1, COUNT, ["task"]),
        (2, BUSY, ["calendar:p002"]),
        (2, COUNT, ["task"]),
    ] == told(pair, other)


def test_too_many_kinds_explain_nothing() -> None:
    """More sets of reasons than a few explain nothing, but that candidates are lacking stays plain."""
    kinds = [explanation((f"integration.value_wrong:x{'a' * number}", ("task",))) for number in range(MOST_KINDS + 1)]
    lacking = explanation(("integration.count:too_few", ("task",)), reproduces=False)

    assert UNEXPLAINED == causes(kinds, {}, ZONE)
    assert [(1, "integration.count:too_few", ["task"])] == told(*kinds, lacking)
    assert UNEXPLAINED == causes([], {}, ZONE)


def test_earlier_stages_come_first() -> None:
    """The primary cause, which is first, is of the earliest stage."""
    later = explanation((BUSY, ("calendar:p001",)))
    earlier = explanation(("acquisition.record_seen_in_part:calendar", ("calendar:p001",)))

    assert [2, 1] == [number for number, reason, _ in reversed(told(later, earlier))]
    assert told(later, earlier)[0][1].startswith("acquisition")
