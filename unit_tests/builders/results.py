"""Results made by hand, with a field or two that matter."""

from typing import Any

from hypothesis import strategies as st

from mpcbench.evaluation.scoring.score import GRADING_VERSION
from mpcbench.schema.cause import Capability, Cause, Diagnosis, Stage
from mpcbench.schema.episode import Fault, Finish, Outcome, Scores
from mpcbench.schema.model import AnyLevel
from mpcbench.schema.result import Result

STATUSES = ("parsed", "unparsable", "truncated", "refused", "no_answer")


def scores(f1: float) -> Scores:
    return Scores(precision=f1, recall=f1, f1=f1, exact_match=f1 == 1, ranked_match=False)


def result(
    f1: float | None, number: int = 0, *, level: AnyLevel = 1, model: str = "m", status: str = "parsed", **more: Any
) -> Result:
    """The result of a level's instance with that number; an error without an F1."""
    fields: dict[str, Any] = {
        "instance_id": f"level{level}-{number:03}",
        "level": level,
        "model": model,
        "trial": 1,
        "grading_version": GRADING_VERSION,
        "outcome": Outcome.ERROR if f1 is None else Outcome.PASSED if f1 == 1 else Outcome.FAILED,
        "paraphrase": 1,
        "tags": "hidden",
        "reveal": None,
        "answer_status": None if f1 is None else status,
        "answer_error": None,
        "scores": None if f1 is None else scores(f1),
        "gold": 3,
        "proposed": None if f1 is None else 3,
        "finish": None if f1 is None else Finish.STOP,
        "turns": None if f1 is None else 3,
        "tool_calls": 0,
        "tool_errors": 0,
        "usage": None,
        "cost_usd": None,
        "seconds": 2.0,
        "records_missed": (),
        "diagnosis": None,
        "attribution": None,
        "fault": Fault(kind="endpoint", message="503") if f1 is None else None,
    }
    return Result(**{**fields, **more})


def diagnosis(
    f1: float, acquisition: float | None, *causes: tuple[str, int], reproduces: bool | None = None
) -> Diagnosis:
    """Causes are reasons with the number of the explanation that they belong to."""
    return Diagnosis(
        stage=Stage.INTEGRATION if causes else None,
        causes=tuple(Cause(reason=reason, alternative=number, reproduces=reproduces) for reason, number in causes),
        capability=Capability(decomposition=1, acquisition=acquisition, integration=f1),
    )


results = st.builds(
    result,
    st.none() | st.sampled_from([0.0, 0.5, 2 / 3, 1.0]) | st.floats(0, 1),
    st.integers(0, 5),
    level=st.sampled_from([1, 2, 3]),
    model=st.sampled_from("ab"),
    status=st.sampled_from(STATUSES),
    trial=st.integers(1, 3),
    seconds=st.floats(0, 1e6),
    cost_usd=st.none() | st.floats(0, 10),
)
