#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh GALLERY RESULTS RANKS [CASE[:SIZE]...]
# Runs gallery-ranks bench by $MPIEXEC with each number of ranks in RANKS: strong and weak scaling
# of each case, and single messages. Its lines of JSON replace those of the same target, transport
# and cases in RESULTS. Without cases: all of them, with the sizes below.
set -eu

. "$(dirname "$0")/fields.sh"
[ $# -ge 3 ] || { echo "usage: bench.sh GALLERY RESULTS RANKS [CASE[:SIZE]...]" >&2; exit 2; }
gallery=$1 results=$2 numbers=$3
shift 3
MPIEXEC=${MPIEXEC:-mpiexec}
REPEATS=${REPEATS:-3}
cores=$(nproc)

# Open MPI: also as root and with more ranks than cores. Ranks that need every core or more do not
# keep theirs while they wait.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none

# ranks N ARGUMENT...
ranks() {
    count=$1
    shift
    if [ "$count" -ge "$cores" ]; then
        OMPI_MCA_mpi_yield_when_idle=1 OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive $MPIEXEC -n "$count" "$gallery" "$@"
    else
        OMP_NUM_THREADS=$((cores / count)) $MPIEXEC -n "$count" "$gallery" "$@"
    fi
}

for count in ${numbers:-none}; do
    case $count in
    *[!0-9]* | 0*) echo "RANKS=$numbers: must be numbers of ranks" >&2; exit 2 ;;
    esac
done
target=$(ranks 1 info | awk '/^target:/ { print $2 }')
case $target in
cuda)
    # Size, iterations of a measurement, and a size so small that launches and latencies are all.
    size_of() {
        case $1 in
        jacobi) echo 16384 100 128 ;; cg) echo 4096 50 64 ;; nbody) echo 131072 3 256 ;;
        scan) echo 268435456 10 4096 ;; summa) echo 8192 3 96 ;; *) echo 0 0 0 ;;
        esac
    }
    all='jacobi jacobi:4096 cg nbody scan summa'
    ;;
*)
    size_of() {
        case $1 in
        jacobi) echo 1024 10 32 ;; cg) echo 384 10 8 ;; nbody) echo 2048 2 64 ;;
        scan) echo 2000000 3 256 ;; summa) echo 384 1 48 ;; *) echo 0 0 0 ;;
        esac
    }
    all='jacobi cg nbody scan summa'
    ;;
esac
[ $# -gt 0 ] || set -- $all pingpong
for which; do
    # shellcheck disable=SC2046
    [ "$which" = pingpong ] || [ "$(size_of "${which%%:*}")" != "0 0 0" ] ||
        { echo "there is no case ${which%%:*}; $gallery --help lists them" >&2; exit 2; }
done

mkdir -p "$(dirname "$results")"
touch "$results"
one=$results.one
trap 'rm -f "$one" "$results.kept"' EXIT
trap 'exit 1' HUP INT TERM
# The lines of $one replace those of the same case, size, ranks, target and transport.
keep() {
    awk "$fields"'
        { key = text("case") FS text("scaling") FS text("target") FS text("transport") FS number("base_n") FS number("ranks") }
        FILENAME == ARGV[1] { is_new[key] = 1; next }
        !(key in is_new)' "$one" "$results" >"$results.kept"
    cat "$one" >>"$results.kept"
    mv "$results.kept" "$results"
    rm -f "$one"
}

for count in $numbers; do
    [ "$count" -le "$cores" ] || [ "$target" = cuda ] ||
        echo "$count ranks on $cores cores: the ranks take turns, so the times are not those of $count cores"
    for which; do
        if [ "$which" = pingpong ]; then
            ranks "$count" bench pingpong --repeat "$REPEATS" --json "$one"
            keep
            continue
        fi
        # shellcheck disable=SC2046
        name=${which%%:*} sizes=$(size_of "${which%%:*}")
        # shellcheck disable=SC2086
        iterations=$(set -- $sizes && echo $2) small=$(set -- $sizes && echo $3) size=${sizes%% *}
        [ "$name" = "$which" ] || size=${which#*:}
        ranks "$count" bench "$name" --n "$size" --iterations "$iterations" --repeat "$REPEATS" --json "$one"
        ranks "$count" bench "$name" --n "$size" --iterations "$iterations" --repeat "$REPEATS" --json "$one" --weak ||
            [ $? = 2 ] # a problem too large for the case, which says so
        [ "$count" != 1 ] || [ "$size" = "$small" ] ||
            ranks 1 bench "$name" --n "$small" --iterations "$iterations" --repeat "$REPEATS" --json "$one"
        keep
    done
done
