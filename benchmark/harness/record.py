"""How a record travels from the process that ran an episode into the reports: as one string of ASCII JSON.

pytest-xdist sends properties with execnet, which knows no enums, no lone surrogates and no pydantic models, and
loses the whole test report over one of them; a string of ASCII gets through everywhere. The record is the episode's
result; the whole episode is in the run's folder.
"""

import json
from collections.abc import Iterable
from typing import Any

from mpcbench.schema.model import Model
from mpcbench.schema.result import Result
from mpcbench.schema.untrusted_text import plain_json

PROPERTY = "episode"
"""The name of the property of a test report that holds its record."""


def encode(result: Result) -> str:
    """The record as ASCII JSON."""
    return as_json_text(result)


def as_json(model: Model) -> Any:
    """A model as plain JSON values; what JSON cannot say is replaced as `plain_json` says."""
    return plain_json(model.model_dump(mode="json"))


def as_json_text(model: Model) -> str:
    """A model as ASCII JSON on one line."""
    return json.dumps(as_json(model), allow_nan=False)


FIELDS = (
    "instance_id", "level", "model", "trial", "outcome", "f1", "exact_match", "precision", "recall", "answer_status",
    "cause", "proposed", "gold", "turns", "tool_calls", "tool_errors", "input_tokens", "output_tokens", "cost_usd",
    "seconds", "fault",
)  # fmt: skip
"""The properties of a test case in JUnit's report."""


def as_properties(result: Result) -> list[tuple[str, object]]:
    """The fields that are known, for tools that show a property as it is."""
    causes = [] if result.diagnosis is None else [cause.reason for cause in result.diagnosis.causes]
    found = {
        **result.model_dump(mode="json"),
        **({} if result.scores is None else result.scores.model_dump()),
        **({} if result.usage is None else result.usage.model_dump()),
        "cause": ", ".join(dict.fromkeys(causes)) or None,
        "fault": None if result.fault is None else f"{result.fault.kind}: {result.fault.message}",
    }
    return [(name, found[name]) for name in FIELDS if found.get(name) is not None]


def decode(text: str) -> Result:
    """The inverse of `encode`."""
    return Result.model_validate(json.loads(text))


def recorded(properties: Iterable[tuple[str, object]]) -> str | None:
    """The encoded record among the properties of a test report."""
    for name, value in properties:
        if name == PROPERTY and isinstance(value, str):
            return value
    return None
