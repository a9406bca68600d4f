"""Wrong answers of mutants, and what a diagnosis should say of each."""

from collections.abc import Iterator
from random import Random
from typing import Final

from mpcbench.schema.episode import Episode, Outcome
from unit_tests.validity.bench import Bench
from unit_tests.validity.judge import Expected
from unit_tests.validity.mutation import Mutation, TooLongError, mutant, mutations, time_limit
from unit_tests.validity.observed import Observed
from unit_tests.validity.places import expected_of

SEED: Final = 20261122
TRIES: Final = 14
"""On so many instances a mutant runs until its answer is wrong."""


def drawn() -> list[Mutation]:
    """All mutations in an order by lot, so that any number of them from the first on are a sample."""
    every = mutations()
    return Random(SEED).sample(every, len(every))


def wrong_answers(bench: Bench, mutation: Mutation, most: int | None) -> Iterator[tuple[Episode, Expected]]:
    """Wrong answers of a mutant, on instances drawn by lot, with what a diagnosis should say.

    A mutant that fails, or that does not come to an end, gives no answer and counts for nothing.
    """
    try:
        with time_limit():
            agent = Observed(mutant(mutation))
    except (Exception, TooLongError):  # noqa: BLE001 - the changed code may raise anything
        return
    found = 0
    for instance in bench.drawn(f"{SEED} {mutation.where} {mutation.number}", (1, 2, 3), TRIES):
        try:
            with time_limit():
                attempt = bench.attempt(agent, instance)
        except (Exception, TooLongError):  # noqa: BLE001 - as above
            continue
        right = bench.right(instance)
        if attempt.reply is None or attempt.reply.text == right.text:
            continue
        episode = bench.graded(instance, attempt)
        if episode.outcome is Outcome.FAILED:
            yield episode, expected_of(mutation.where, mutation.names, right.known, agent.known)
            found += 1
            if found == most:
                return
