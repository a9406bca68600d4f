"""The command-line options of `pytest benchmark`."""

pytest_plugins = ["mpcbench.benchmark.harness.pytest_options"]
