"""A benchmark of the benchmark: `python -m unit_tests.performance` prints each figure beside its target."""
