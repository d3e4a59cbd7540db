#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh TARGET GALLERY RESULTS RANKS [CASE[:SIZE]...]
# Runs gallery-ranks bench by $MPIEXEC with each number of ranks in RANKS: strong and weak scaling
# of each case, and single messages. Appends to RESULTS, and prints its tables if there is python3.
# By default every case, with the sizes below.
set -eu

[ $# -ge 4 ] || { echo "usage: bench.sh TARGET GALLERY RESULTS RANKS [CASE[:SIZE]...]" >&2; exit 2; }
target=$1 gallery=$2 results=$3 numbers=$4
shift 4
cores=$(nproc)

# Open MPI: also as root and with more ranks than cores. Ranks that need every core or more do not
# keep theirs while they wait.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none

# bench RANKS ARGUMENT...
bench() {
    count=$1
    shift
    # shellcheck disable=SC2086 # MPIEXEC may have options
    set -- ${MPIEXEC:-mpiexec} -n "$count" "$gallery" bench "$@" --repeat "${REPEATS:-3}" --results "$results"
    if [ "$count" -ge "$cores" ]; then
        OMPI_MCA_mpi_yield_when_idle=1 OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive "$@"
    else
        OMP_NUM_THREADS=$((cores / count)) "$@"
    fi
}

# sizes CASE: sets its size, iterations of a measurement, and a size so small that launches and
# latencies are all
sizes() {
    case $target:$1 in
    cuda:jacobi) size=16384 iterations=100 small=128 ;;
    cuda:cg) size=4096 iterations=50 small=64 ;;
    cuda:nbody) size=131072 iterations=3 small=256 ;;
    cuda:scan) size=268435456 iterations=10 small=4096 ;;
    cuda:summa) size=8192 iterations=3 small=96 ;;
    *:jacobi) size=1024 iterations=10 small=32 ;;
    *:cg) size=384 iterations=10 small=8 ;;
    *:nbody) size=2048 iterations=2 small=64 ;;
    *:scan) size=2000000 iterations=3 small=256 ;;
    *:summa) size=384 iterations=1 small=48 ;;
    *) echo "there is no case $1; $gallery --help lists them" >&2; exit 2 ;;
    esac
}

for count in ${numbers:-none}; do
    case $count in
    *[!0-9]* | 0*) echo "RANKS=$numbers: must be numbers of ranks" >&2; exit 2 ;;
    esac
done
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- jacobi $([ "$target" != cuda ] || echo jacobi:4096) cg nbody scan summa pingpong
for which; do
    [ "$which" = pingpong ] || sizes "${which%%:*}"
done

mkdir -p "$(dirname "$results")"
for count in $numbers; do
    [ "$count" -le "$cores" ] || [ "$target" = cuda ] ||
        echo "$count ranks on $cores cores: the ranks take turns, so the times are not those of $count cores"
    for which; do
        if [ "$which" = pingpong ]; then
            bench "$count" pingpong
            continue
        fi
        name=${which%%:*}
        sizes "$name"
        [ "$name" = "$which" ] || size=${which#*:}
        bench "$count" "$name" --n "$size" --iterations "$iterations"
        bench "$count" "$name" --n "$size" --iterations "$iterations" --weak ||
            [ $? = 2 ] # a problem too large for the case, which says so
        [ "$count" != 1 ] || [ "$size" = "$small" ] || bench 1 "$name" --n "$small" --iterations "$iterations"
    done
done

if ! command -v python3 >/dev/null; then
    echo "the results are in $results; its tables and plots need python3"
    exit 0
fi
exec "$(dirname "$0")/../../docs/scaling/scaling.py" "$results"
