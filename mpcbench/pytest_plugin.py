"""What an installed MPCBench tells pytest: where the suite is, whose conftest then brings its options.

Pytest loads the conftest of a folder before it reads the options, and that of a package named with `--pyargs` after it.
So the name is made the folder here. Other test suites see nothing of MPCBench.
"""

import pytest

SUITE = "mpcbench.benchmark"


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Take `pytest --pyargs mpcbench.benchmark` as `pytest FOLDER`, also with the name of a test behind it."""
    early = early_config.known_args_namespace.file_or_dir
    if any(argument.partition("::")[0] == SUITE for argument in early):
        from mpcbench.schema.dataset import COMMITTED  # noqa: PLC0415 - only where it is asked for

        folder = str(COMMITTED / "benchmark")
        for arguments in (args, early):
            arguments[:] = [
                folder + argument.removeprefix(SUITE) if argument.partition("::")[0] == SUITE else argument
                for argument in arguments
            ]
