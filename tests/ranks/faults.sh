#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# faults.sh CC DIRECTORY OTHER SCRATCH
# A rank that fails ends all ranks, with a sentence and an exit status that is not 0: it is killed,
# it exits, it has another build or other settings. DIRECTORY has gallery-ranks and
# tests/ranks/test_ranks of one target, OTHER those of another one, or is the same. faults.c is
# compiled with $MPI_CFLAGS.
set -u

cc=$1 build=$2 other=$3 scratch=$4
rm -rf "$scratch"
mkdir -p "$scratch"
here=$(dirname "$0")
. "$here/mpi.sh"
. "$here/../cli/expect.sh"
. "$here/faulty.sh"
gallery=$build/gallery-ranks test=$build/tests/ranks/test_ranks data=$here/../data/mtx

# once TEXT: the last output has it in one line
once() {
    [ "$(grep -cF -- "$1" "$scratch/out")" = 1 ] || fail "expected once \"$1\" in: $(cat "$scratch/out")"
}

# Settings, arguments and files that are wrong on all ranks: one rank speaks, before any case runs.
expect 1 "RANKS_TRANSPORT=pigeons: must be nccl, peer, mpi or staged" ranks 3 env RANKS_TRANSPORT=pigeons "$gallery" info
once "of 3: "
expect 2 "there is no case waves" ranks 3 "$gallery" run jacobi + waves
once "of 3: "
said_not "jacobi "
expect 1 "nowhere/jacobi.npy: cannot write" ranks 3 "$gallery" run --dump "$scratch/nowhere"
once "of 3: "
expect 0 "" ranks 3 env RANKS_TRANSPORT=pigeons "$test" refused
# The sentences themselves, of one rank.
for transport in nccl peer; do
    expect 1 "RANKS_TRANSPORT=$transport: it needs the cuda target" \
        ranks 1 env RANKS_TRANSPORT=$transport "$gallery" info
done
for size in 15 2147483648 99999999999999999999999 1k ""; do
    expect 1 "RANKS_MESSAGE_LIMIT=$size: must be a number of bytes from 16 to 2147483647" \
        ranks 1 env RANKS_MESSAGE_LIMIT=$size "$gallery" info
done
# refuses STATUS TEXT ARGUMENT...: so does the gallery
refuses() {
    refused=$1 sentence=$2
    shift 2
    expect "$refused" "$sentence" ranks 1 "$gallery" "$@"
}
refuses 2 "unknown command walk" walk
refuses 2 "info takes no it" info it
refuses 2 "rank 0 of 1: run takes no --m" run --m 3
for option in --dump --checkpoint --input; do
    refuses 2 "$option needs a value" run cg $option ""
done
refuses 2 "--n takes an integer from 1 to 1048576, not 0" run --n 0
refuses 2 "--n needs a value" run --n ""
refuses 2 "scan takes no --iterations" run --iterations 2
refuses 2 "summa takes no --iterations" run summa --iterations 3
refuses 2 "jacobi takes no --input" run jacobi --input x
refuses 2 "cannot read" run cg --input "$scratch/none.mtx"
refuses 2 "conjugate gradients need a symmetric matrix; entry 1, 8 differs from 8, 1" run cg --input "$data/west0067.mtx"
refuses 2 "conjugate gradients need a symmetric matrix, this has 223 rows" run cg --input "$data/lp_e226.mtx"
expect 0 "usage: gallery-ranks" "$gallery" --help
expect 1 "stdout: cannot write" ranks 1 sh -c '"$1" info >/dev/full' sh "$gallery"

# Ranks that differ.
if [ "$other" != "$build" ]; then
    expect 1 "all ranks run one build" $MPIEXEC -n 1 "$gallery" info : -n 1 "$other/gallery-ranks" info
    said "but rank 0 is portable.h"
    once "of 2: "
fi
expect 1 "all ranks need the same" $MPIEXEC -n 1 "$gallery" info : -n 1 env RANKS_TRANSPORT=staged "$gallery" info
said "rank 1 has RANKS_TRANSPORT=staged"
expect 1 "all ranks need the same" $MPIEXEC -n 1 "$gallery" info : -n 1 env RANKS_MESSAGE_LIMIT=4000 "$gallery" info
expect 1 "RANKS_TRANSPORT=pigeons" $MPIEXEC -n 1 "$gallery" info : -n 1 env RANKS_TRANSPORT=pigeons "$gallery" info

# The last rank fails while the others wait for its message.
expect 1 "rank 2 of 3: the program ended before portable_ranks_end" ranks 3 "$test" fail check
said "test_ranks.c:$(sed -n '/PORTABLE_CHECK(portable_copy_to_host(NULL/=' "$here/test_ranks.c"): portable_copy_to_host"
expect 1 "rank 2 of 3: the program ended before portable_ranks_end" ranks 3 "$test" fail exit
expect 3 "rank 2 of 3: stop on purpose" ranks 3 "$test" fail stop
# mpiexec's exit status is 134 or 6. MPICH's may name the signal that it ends the others with.
fails() {
    "$@" || return 1
}
expect 1 "signal " fails ranks 3 "$test" fail crash

# Memory for one rank alone: found by it, and by all in a collective call.
# shellcheck disable=SC2016 # for the inner shell
little='ulimit -v 500000; exec "$@"'
expect 1 "rank 1 of 2: " $MPIEXEC -n 1 "$gallery" run jacobi --n 9000 --iterations 0 : \
    -n 1 sh -c "$little" sh "$gallery" run jacobi --n 9000 --iterations 0
said "cannot allocate"
expect 1 "cannot allocate" ranks 1 "$gallery" bench nbody --n 100000000
expect 1 "rank 1 of 3: " ranks 3 "$test" agree
said "cannot allocate"
once "of 3: "

# MPI fails on one rank in the middle of a plan, of a save and of a restore.
for fault in 0:MPI_Alltoall 1:MPI_Sendrecv 0:MPI_Bcast 1:MPI_Send 0:MPI_Recv; do
    expect 1 "rank ${fault%:*} of 3: ${fault#*:}" faulty 3 "${fault%:*}" 1 "${fault#*:}" error \
        "$gallery" run cg --every 50 --checkpoint "$scratch/$fault"
done
expect 0 "" ranks 3 "$gallery" run cg --iterations 50 --every 50 --checkpoint "$scratch/saved"
expect 1 "rank 2 of 3: MPI_Recv" faulty 3 2 1 MPI_Recv error "$gallery" run cg --checkpoint "$scratch/saved"

# A begin that fails between its receives and its sends.
expect 0 "" faulty 3 0 1 MPI_Isend error "$test" vain

# Rank 1 is killed twice in each case, while the others wait for it: between a begin and its wait,
# and in a collective operation. scan exchanges nothing.
killed=0
for moment in 'jacobi 30 MPI_Waitall' 'jacobi 40 MPI_Allgather' 'cg 70 MPI_Waitall' 'cg 90 MPI_Allgather' \
    'nbody 4 MPI_Waitall' 'nbody 2 MPI_Allgather' 'scan 1 MPI_Allreduce' 'scan 1 MPI_Allgatherv' \
    'summa 2 MPI_Waitall' 'summa 5 MPI_Allgather'; do
    # shellcheck disable=SC2086 # three words
    set -- $moment
    # MPICH's ranks may be the first to miss one.
    faulty 3 1 "$2" "$3" kill "$gallery" run "$1" >"$scratch/out" 2>&1 </dev/null &&
        fail "$1 was not killed at its call $2 of $3"
    grep -q 'signal 9\|KILLED BY SIGNAL: 9\|kill\|No such process' "$scratch/out" ||
        fail "$1, killed at its call $2 of $3: no sentence in: $(cat "$scratch/out")"
    killed=$((killed + 1))
done

echo "$killed ranks killed, $failed failed"
[ $failed = 0 ]
