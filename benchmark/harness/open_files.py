"""How many files a run needs to have open at once, and whether the system allows that."""

import resource

from mpcbench.benchmark.harness.option_values import SettingsError

_OWN = 32
"""The interpreter's, pytest's, the data and the files being written."""

_EPISODE = 3
"""Those of an episode in flight: its connection and what it stores."""

_WORKER = 4
"""The pipes to a worker."""


def allow_files(workers: int, concurrency: int) -> None:
    """Raise the limit of this process and its workers to what they need.

    Raises:
        SettingsError: the system allows less.
    """
    needed = _OWN + max(_EPISODE * concurrency, _WORKER * workers)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise SettingsError(
            f"a run with {workers} processes and --concurrency {concurrency} needs {needed} open files, and the limit is "
            f"{hard}: raise it (ulimit -n {needed}), or lower -n or --concurrency"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
