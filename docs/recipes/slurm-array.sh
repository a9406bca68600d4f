#!/bin/sh
# One shard in each task of a Slurm array: of a data set, or of a run.
#
#   sbatch --array=1-8 docs/recipes/slurm-array.sh generate --level 3 --count 500 --seed 42
#   sbatch --array=1-8 docs/recipes/slurm-array.sh run --model o4-mini --level 2
#
# and, when all tasks have ended:
#
#   mpcbench generate join shards/generate-* --out fresh
#   mpcbench evaluate merge shards/run-* --out whole
#
#SBATCH --job-name=mpcbench
#SBATCH --array=1-8
#SBATCH --cpus-per-task=2
#SBATCH --mem-per-cpu=1G
#SBATCH --output=%x-%A-%a.log
set -eu
: "${SLURM_ARRAY_TASK_ID:?is not set: start this script with sbatch --array=1-N}"
shard="$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
part="${SHARDS:-shards}/$1-$SLURM_ARRAY_TASK_ID"
command=$1
shift

case $command in
generate)
    exec mpcbench generate "$@" --shard "$shard" --workers "${SLURM_CPUS_PER_TASK:-1}" --out "$part"
    ;;
run)
    # A task that was stopped goes on where it was. Wrong answers are no failure of the task.
    if test -e "$part/run.json"; then
        mpcbench run "$@" --shard "$shard" --resume "$part" -n "${SLURM_CPUS_PER_TASK:-1}" || test $? = 1
    else
        mpcbench run "$@" --shard "$shard" --run-dir "$part" -n "${SLURM_CPUS_PER_TASK:-1}" || test $? = 1
    fi
    ;;
*)
    echo "$0: neither generate nor run: $command" >&2
    exit 2
    ;;
esac
