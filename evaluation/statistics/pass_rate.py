"""How reliably an instance is solved, from its trials."""

from math import comb


def pass_at_k(trials: int, passed: int, k: int) -> float:
    """pass@k of an instance: the probability that at least one of k trials passes.

    The unbiased estimator from n trials of which c passed, `1 - C(n - c, k) / C(n, k)`: Chen et al. 2021,
    "Evaluating Large Language Models Trained on Code", equation 1.

    Raises:
        ValueError: k is not between 1 and the number of trials.
    """
    _check(trials, passed, k)
    return (comb(trials, k) - comb(trials - passed, k)) / comb(trials, k)


def pass_hat_k(trials: int, passed: int, k: int) -> float:
    """pass^k of an instance: the probability that all of k trials pass.

    The unbiased estimator from n trials of which c passed, `C(c, k) / C(n, k)`: Yao et al. 2024, "τ-bench: A
    Benchmark for Tool-Agent-User Interaction in Real-World Domains", section 3.

    Raises:
        ValueError: k is not between 1 and the number of trials.
    """
    _check(trials, passed, k)
    return comb(passed, k) / comb(trials, k)


def _check(trials: int, passed: int, k: int) -> None:
    if not 1 <= k <= trials:
        raise ValueError(f"k: {k} is not between 1 and the {trials} trials")
    if not 0 <= passed <= trials:
        raise ValueError(f"passed: {passed} is not between 0 and the {trials} trials")
