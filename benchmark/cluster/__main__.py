"""`mpcbench run --ray ADDRESS --shards N`: run the shards of a run as tasks of a Ray cluster, and merge them."""

import argparse
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from mpcbench.benchmark.cluster.shard import ShardJob, run_shard, unpack
from mpcbench.evaluation.__main__ import main as evaluate
from mpcbench.evaluation.runs.folder import RunError, check_outside_runs
from mpcbench.generate.parallel import Runner
from mpcbench.generate.ray_cluster import ClusterError, RayCluster
from mpcbench.schema.untrusted_text import printable

_EPILOG = """\
Every node needs mpcbench, the same data and, for an endpoint, the key in its environment. The command can be typed
again: it runs only the shards that are missing.

example:
  mpcbench run --ray auto --shards 16 --run-dir whole --model o4-mini --level 2
"""
_PASSED, _FAILED = 0, 1


def main(arguments: Sequence[str] | None = None, prog: str = "python -m benchmark.cluster") -> int:
    """Run the command line; returns 0, 1 if a case failed as pytest does, and 2 if the run could not be made."""
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Run the shards of a run as tasks of a Ray cluster and merge them. All further options are those of "
        "the run.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--ray", metavar="ADDRESS", required=True, help="auto, HOST:PORT or ray://HOST:PORT")
    parser.add_argument("--shards", metavar="N", type=_positive, required=True, help="the number of tasks")
    parser.add_argument(
        "--run-dir", metavar="DIR", type=Path, required=True, help="folder of the merged run; must be new"
    )
    parser.add_argument(
        "--cpus", metavar="N", type=_positive, default=1, help="processors of a task, such as for -n (default: 1)"
    )
    options, more = parser.parse_known_args(arguments)
    for name in ("--shard", "--resume"):
        if any(one == name or one.startswith(f"{name}=") for one in more):
            parser.error(f"{name} is not for --ray, which makes the shards itself")
    if options.run_dir.exists():
        parser.error(f"argument --run-dir: {options.run_dir}: exists; choose another place, or remove it")
    try:
        check_outside_runs(options.run_dir)
        with RayCluster.connected(options.ray, options.cpus) as cluster:
            return _run(options.run_dir, options.shards, more, cluster)
    except KeyboardInterrupt:
        print("error: interrupted; the same command goes on with the missing shards", file=sys.stderr)
        return 130
    except (ClusterError, RunError, OSError) as error:
        print(printable(f"error: {error}"), file=sys.stderr)
        return 2


def _run(run_dir: Path, shards: int, arguments: Sequence[str], runner: Runner) -> int:
    """Run what is missing, then merge; the parts stay beside the run until they are merged."""
    beside = run_dir.with_name(f"{run_dir.name}.shards")
    parts = {number: beside / f"{number}-of-{shards}" for number in range(1, shards + 1)}
    missing = [ShardJob(number, shards, tuple(arguments)) for number, part in parts.items() if not part.exists()]
    failed = []
    statuses = {_PASSED}
    for done in tqdm(runner.map(run_shard, missing), total=len(missing), desc="shards", disable=None):
        statuses.add(done.status)
        if done.status in {_PASSED, _FAILED} and done.packed:
            unpack(done, parts[done.job.number])
        else:
            failed.append(done)
    if failed:
        said = failed[0].output.strip().splitlines() or ["nothing printed"]
        raise RunError(
            f"{len(failed)} of {shards} shards did not end; shard {failed[0].job.name} ended with exit code "
            f"{failed[0].status}: {said[-1]}; the same command goes on with the missing ones"
        )
    status = evaluate(["merge", *map(str, parts.values()), "--out", str(run_dir)])
    if status == _PASSED:
        shutil.rmtree(beside)
    return max(status, *statuses)


def _positive(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]*", text):
        raise argparse.ArgumentTypeError(f"not a whole number from 1: {text!r}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
