"""`python -m unit_tests.fuzz` feeds every reader 100,000 inputs. It takes a few minutes on one core."""

import argparse
from collections.abc import Sequence

from hypothesis import HealthCheck, Phase, given, seed, settings

from unit_tests.fuzz.targets import TARGETS, timed


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each reader; an uncaught exception or a hang ends with the input that caused it."""
    parser = argparse.ArgumentParser(prog="python -m unit_tests.fuzz", description=__doc__)
    parser.add_argument(
        "--inputs", type=int, default=100_000, metavar="N", help="for each reader (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the inputs (default: %(default)s)")
    parser.add_argument("--only", choices=TARGETS, action="append", help="a reader (repeatable); all if not given")
    options = parser.parse_args(arguments)
    for name in options.only or TARGETS:
        target, inputs = TARGETS[name]
        times: list[float] = []

        @seed(options.seed)
        @settings(
            max_examples=options.inputs,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate, Phase.shrink],
        )
        @given(inputs)
        def fuzz(text: str) -> None:
            times.append(timed(target, text))  # noqa: B023 - called at once

        fuzz()
        print(f"{name}: {len(times):,} inputs, no uncaught exception; the slowest took {1e3 * max(times):.0f} ms")


if __name__ == "__main__":
    main()
