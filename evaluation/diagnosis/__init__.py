"""Why an episode failed: the vocabulary of causes, and the search for those that explain the answer.

`evaluation.diagnosis.cause` holds the vocabulary, which episodes store; `evaluation.diagnosis.diagnose` the search,
which reads episodes.
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
