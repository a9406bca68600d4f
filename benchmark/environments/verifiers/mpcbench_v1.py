"""MPCBench as verifiers finds it: under the ID `mpcbench-v1`."""

from mpcbench.benchmark.environments.verifiers_harness import MpcbenchHarness
from mpcbench.benchmark.environments.verifiers_taskset import MpcbenchEnv, MpcbenchTaskset

__all__ = ["MpcbenchEnv", "MpcbenchHarness", "MpcbenchTaskset"]
