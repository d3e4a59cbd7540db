#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# faults.sh CC DIRECTORY OTHER SCRATCH
# A rank that fails ends all ranks within ten seconds, with a sentence and an exit status that is
# not 0: it is killed, it exits, it has another build or other settings. DIRECTORY has gallery-ranks
# and tests/ranks/test_ranks of one target, OTHER those of another one, or is the same. faults.c is
# compiled with $MPI_CFLAGS.
set -u

cc=$1 build=$2 other=$3 scratch=$4
rm -rf "$scratch"
mkdir -p "$scratch"
here=$(dirname "$0")
. "$here/mpi.sh"
. "$here/../cli/expect.sh"
gallery=$build/gallery-ranks test=$build/tests/ranks/test_ranks data=$here/../data/mtx

. "$here/faulty.sh"

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
quick 2 "info takes no arguments, not it" ranks 2 "$gallery" info it
quick 2 "no option --m" ranks 2 "$gallery" run --m 3
for option in --dump --checkpoint --input; do
    quick 2 "no option $option, or no value for it" ranks 2 "$gallery" run cg $option ""
done
quick 2 "--n takes a number from 1 to 1048576, not nothing" ranks 2 "$gallery" run --n ""
quick 2 "scan takes no --iterations" ranks 2 "$gallery" run --iterations 2
said_not "jacobi "
quick 1 "cannot allocate" ranks 2 "$gallery" bench nbody --n 1073741824
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
quick 1 "stdout: cannot write" sh -c '"$1" info >/dev/full' sh "$gallery"
quick 2 "rank 0 of 1: no option --m" "$gallery" run --m 3

quick 0 "" ranks 3 env RANKS_TRANSPORT=pigeons "$test" refused

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
quick 1 "rank 2 of 3: the program ended before portable_ranks_end" ranks 3 "$test" fail check
said "test_ranks.c:$(sed -n '/PORTABLE_CHECK(portable_copy_to_host(NULL/=' "$here/test_ranks.c"): portable_copy_to_host"
quick 1 "rank 2 of 3: the program ended before portable_ranks_end" ranks 3 "$test" fail exit
quick 3 "rank 2 of 3: stop on purpose" ranks 3 "$test" fail stop
# mpiexec's exit status is 134 or 6. MPICH's may name the signal by which it ends the others.
fails() {
    "$@" || return 1
}
quick 1 "signal " fails ranks 3 "$test" fail crash

# Memory for one rank alone: found by it, and by all in a collective call.
quick 1 "rank 1 of 2: " ranks 1 "$gallery" run jacobi --n 9000 --iterations 0 : \
    -n 1 sh -c 'ulimit -v 500000; exec "$@"' sh "$gallery" run jacobi --n 9000 --iterations 0
said "cannot allocate"
quick 1 "rank 1 of 3: " ranks 3 "$test" agree
said "cannot allocate"
once "of 3: "

# MPI fails on one rank in the middle of a plan, of a save and of a restore.
for fault in 0:MPI_Alltoall 1:MPI_Sendrecv 0:MPI_Bcast 1:MPI_Send 0:MPI_Recv; do
    quick 1 "rank ${fault%:*} of 3: ${fault#*:}" faulty "$scratch" "${fault%:*}" 1 "${fault#*:}" error \
        "$gallery" run cg --every 50 --checkpoint "$scratch/$fault"
done
quick 0 "" ranks 3 "$gallery" run cg --iterations 50 --every 50 --checkpoint "$scratch/saved"
quick 1 "rank 2 of 3: MPI_Recv" \
    faulty "$scratch" 2 1 MPI_Recv error "$gallery" run cg --checkpoint "$scratch/saved"

# A begin that fails between its receives and its sends.
quick 0 "" faulty "$scratch" 0 1 MPI_Isend error "$test" vain

# Rank 1 is killed at five moments of each case: early, in the middle and late in its calls of MPI,
# between a begin and its wait, and as it adds to a collective result. scan exchanges nothing.
# kill_at CASE AT CALL|"": prints a line if something is wrong
kill_at() {
    place=$scratch/kill-$1-$2-$3
    mkdir "$place"
    began=$(date +%s)
    faulty "$place" 1 "$2" "$3" kill "$gallery" run "$1" >"$place/out" 2>&1
    code=$?
    await "$place"
    took=$(($(date +%s) - began))
    [ $code != 0 ] && [ $took -le 10 ] || echo "$1, killed at call $2 $3: status $code, $took s"
    # MPICH's ranks may be the first to miss one.
    grep -q 'signal 9\|KILLED BY SIGNAL: 9\|kill\|No such process' "$place/out" || echo "$1: no sentence in: $(cat "$place/out")"
}
for case in jacobi cg nbody scan summa; do
    faulty "$scratch" 1 0 "" "" "$gallery" run $case >"$scratch/calls" 2>&1
    calls=$(sed -n 's/^calls: //p' "$scratch/calls")
    within="MPI_Waitall MPI_Allgather"
    [ $case != scan ] || within="MPI_Allgatherv MPI_Allreduce"
    for tenths in 2 5 9; do
        echo "$case $((calls * tenths / 10))"
    done
    for call in $within; do
        echo "$case $((($(sed -n "s/^calls of $call: //p" "$scratch/calls") + 1) / 2)) $call"
    done
done >"$scratch/moments"
killed=0
while read -r case at call; do
    [ "$at" -ge 1 ] || fail "$case: rank 1 does not call ${call:-MPI}"
    kill_at "$case" "$at" "$call" >"$scratch/wrong-$case-$at-$call" </dev/null &
    killed=$((killed + 1))
    [ $((killed % 5)) != 0 ] || wait
done <"$scratch/moments"
for file in "$scratch"/wrong-*; do
    [ ! -s "$file" ] || fail "$(cat "$file")"
done

echo "$killed ranks killed, $failed failed"
[ $failed = 0 ] && [ $killed = 25 ]
