"""Why an episode failed: the search for causes that explain the answer.

`schema.cause` defines the vocabulary, which episodes store. `diagnose` runs the search.
"""

from mpcbench.evaluation.diagnosis.primary import primary_reasons
from mpcbench.schema.cause import Capability, Cause, Diagnosis, Evidence, Reason, Stage, in_words, reason_text, stage_of

__all__ = [
    "Capability",
    "Cause",
    "Diagnosis",
    "Evidence",
    "Reason",
    "Stage",
    "in_words",
    "primary_reasons",
    "reason_text",
    "stage_of",
]
