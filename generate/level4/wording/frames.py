"""The parts of sentences about a meeting: bodies, and the words that make a decision or a proposal of them.

A body is a clause or an action. A clause is a sentence of its own: "the meeting takes an hour". An action follows "let's"
and "could we": "plan an hour for the meeting". `{it}` is what is to be scheduled, `{this}` the same or, for a plan, the
plan itself, and `{other}` another meeting. `generate.wording.choices` resolves the choices in brackets.
"""

from typing import Final, NamedTuple


class Bodies(NamedTuple):
    """The phrasings of one kind."""

    clauses: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()


DECIDED_CLAUSES: Final = (
    "{body}",
    "{body}",
    "{body}",
    "[please note that|it's settled that|I've decided that|for the record,] {body}",
    "[to be clear|just so everybody knows|just to let you know], {body}",
)
DECIDED_ACTIONS: Final = (
    "let's {body}",
    "let's {body}",
    "please {body}",
    "we'll {body}",
    "[I've decided that we|we're going to] {body}",
)
CHANGED_CLAUSES: Final = ("[change of plan|on second thoughts|correction], {body}", "we've had to change this, {body}")
CHANGED_ACTIONS: Final = (
    "[change of plan|on second thoughts], [let's|we'll] {body}",
    "we've had to change this, let's {body}",
)
PROPOSED_CLAUSES: Final = (
    "[I'd suggest that|my suggestion would be that|my proposal is that|I'd propose that] {body}",
    "[could we say that|can we agree that|would it be fine to say that|what about saying that] {body}?",
    "[just an idea|a suggestion|a thought], maybe {body}?",
)
PROPOSED_ACTIONS: Final = (
    "[could we|shall we|can't we|why don't we] {body}?",
    "[I'd suggest that we|I'd propose that we|maybe we could|perhaps we could] {body}",
    "[would it make sense to|would it be all right to] {body}?",
)
