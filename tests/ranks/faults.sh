#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# faults.sh DIRECTORY OTHER SCRATCH
# A rank that fails ends all ranks within ten seconds, with a sentence and an exit status that is not
# 0: it is killed, it exits, it has another build or other settings. DIRECTORY has gallery-ranks and
# tests/ranks/test_ranks of one target, OTHER those of another one, or is the same.
set -u

build=$1 other=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
here=$(dirname "$0")
. "$here/mpi.sh"
. "$here/../cli/expect.sh"
gallery=$build/gallery-ranks test=$build/tests/ranks/test_ranks data=$here/../data/mtx

# quick STATUS TEXT COMMAND...: expect, in ten seconds
quick() {
    began=$(date +%s)
    expect "$@"
    [ $(($(date +%s) - began)) -le 10 ] || fail "$*: took more than ten seconds"
}
# once TEXT: the last output has it in one line
once() {
    [ "$(grep -cF -- "$1" "$scratch/out")" = 1 ] || fail "expected once \"$1\" in: $(cat "$scratch/out")"
}

# The settings and arguments of all ranks: one rank speaks.
quick 1 "RANKS_TRANSPORT=pigeons: must be nccl, peer, mpi or staged" ranks 3 env RANKS_TRANSPORT=pigeons "$gallery" info
once "of 3: "
for transport in nccl peer; do
    quick 1 "RANKS_TRANSPORT=$transport: it needs the cuda target" \
        ranks 2 env RANKS_TRANSPORT=$transport "$gallery" info
done
for limit in 15 2147483648 99999999999999999999999 1k ""; do
    quick 1 "RANKS_MESSAGE_LIMIT=$limit: must be a number of bytes from 16 to 2147483647" \
        ranks 2 env RANKS_MESSAGE_LIMIT=$limit "$gallery" info
done
quick 2 "there is no case waves" ranks 3 "$gallery" run waves
once "of 3: "
quick 2 "unknown command walk" ranks 2 "$gallery" walk
quick 2 "--n takes a number from 1 to 1048576, not 0" ranks 2 "$gallery" run --n 0
quick 2 "no option --m" ranks 2 "$gallery" run --m 3
quick 2 "summa takes no --iterations" ranks 2 "$gallery" run summa --iterations 3
quick 2 "jacobi takes no --input" ranks 2 "$gallery" run jacobi --input x
quick 2 "cannot read" ranks 2 "$gallery" run cg --input "$scratch/none.mtx"
quick 2 "conjugate gradients need a symmetric matrix; entry 1, 8 differs from 8, 1" \
    ranks 2 "$gallery" run cg --input "$data/west0067.mtx"
quick 2 "conjugate gradients need a symmetric matrix, this has 223 rows" \
    ranks 2 "$gallery" run cg --input "$data/lp_e226.mtx"
quick 1 "nowhere/jacobi.npy: cannot write" ranks 3 "$gallery" run --dump "$scratch/nowhere"
once "of 3: "
quick 0 "usage: gallery-ranks" "$gallery" --help
quick 2 "rank 0 of 1: no option --m" "$gallery" run --m 3

# Ranks that differ.
if [ "$other" != "$build" ]; then
    quick 1 "all ranks run one build" ranks 1 "$gallery" info : -n 1 "$other/gallery-ranks" info
    said "but rank 0 is portable.h"
    once "of 2: "
fi
quick 1 "all ranks need the same" ranks 1 "$gallery" info : -n 1 env RANKS_TRANSPORT=staged "$gallery" info
said "rank 1 has RANKS_TRANSPORT=staged"
quick 1 "all ranks need the same" ranks 1 "$gallery" info : -n 1 env RANKS_MESSAGE_LIMIT=4000 "$gallery" info
quick 1 "RANKS_TRANSPORT=pigeons" ranks 1 "$gallery" info : -n 1 env RANKS_TRANSPORT=pigeons "$gallery" info

# The last rank fails while the others wait for its message.
quick 1 "rank 2 of 3: the program ended before portable_ranks_end: portable_copy_to_host" ranks 3 "$test" fail check
quick 1 "rank 2 of 3: the program ended before portable_ranks_end" ranks 3 "$test" fail exit
quick 3 "rank 2 of 3: stop on purpose" ranks 3 "$test" fail stop
quick 134 "signal 6" ranks 3 "$test" fail crash

# Memory for one rank alone.
quick 1 "rank 1 of 2: " ranks 1 "$gallery" run jacobi --n 9000 --iterations 0 : \
    -n 1 sh -c 'ulimit -v 500000; exec "$@"' sh "$gallery" run jacobi --n 9000 --iterations 0
said "cannot allocate"

# A rank killed at some moments of each case.
for case in jacobi cg nbody; do
    for moment in 0.1 0.5; do
        rm -f "$scratch"/pid.*
        ranks 3 sh -c 'echo $$ >"$0/pid.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"; exec "$@"' "$scratch" \
            "$gallery" run $case --n 300 --iterations 1000000000 >"$scratch/out" 2>&1 &
        waited=0
        while [ ! -s "$scratch/pid.0" ] || [ ! -s "$scratch/pid.1" ] || [ ! -s "$scratch/pid.2" ]; do
            sleep 0.1
            waited=$((waited + 1))
            [ $waited -lt 100 ] || break
        done
        sleep $moment
        kill -9 "$(cat "$scratch/pid.1")"
        began=$(date +%s)
        wait $!
        code=$?
        # mpiexec may end before the ranks that it has killed.
        alive() {
            for rank in 0 2; do
                ! kill -0 "$(cat "$scratch/pid.$rank")" 2>/dev/null || return 0
            done
            return 1
        }
        while alive && [ $(($(date +%s) - began)) -le 10 ]; do
            sleep 0.1
        done
        took=$(($(date +%s) - began))
        [ $code != 0 ] && [ $took -le 10 ] || fail "$case, killed after $moment s: status $code, $took s"
        grep -q 'signal 9\|KILLED BY SIGNAL: 9\|kill' "$scratch/out" || fail "no sentence in: $(cat "$scratch/out")"
    done
done

echo "$failed failed"
[ $failed = 0 ]
