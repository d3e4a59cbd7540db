#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh DIRECTORY SCRATCH [SERIAL] [RANKS]
# The layer and the cases for many ranks, with each number of ranks in RANKS: results have the bits
# of one rank of the programs in directory SERIAL. DIRECTORY has gallery-ranks and
# tests/ranks/test_ranks.
set -u

build=$1 scratch=$2 serial=${3:-$1} numbers=${4:-1 2 3 4}
rm -rf "$scratch"
mkdir -p "$scratch"
here=$(dirname "$0")
. "$here/mpi.sh"
. "$here/../cli/expect.sh"
gallery=$build/gallery-ranks data=$here/../data/mtx
compared=0

# same WHAT A B: two directories hold the same files
same() {
    for file in "$2"/*.npy; do
        compared=$((compared + 1))
        cmp "$file" "$3/${file##*/}" || fail "$1: ${file##*/} differs"
    done
}
# run_all COUNT PROGRAM DIRECTORY: at the usual size, with fewer rows than ranks, and of files
run_all() {
    mkdir -p "$3/usual" "$3/few" "$3/bcsstk13" "$3/karate"
    expect 0 "" ranks "$1" "$2" run --dump "$3/usual" + --n 2 --dump "$3/few" \
        + cg --iterations 25 --input "$data/bcsstk13.mtx" --dump "$3/bcsstk13" \
        + cg --iterations 5 --input "$data/karate.mtx" --dump "$3/karate"
}

run_all 1 "$serial/gallery-ranks" "$scratch/one"
most=1
for count in $numbers; do
    expect 0 "passed" ranks "$count" "$build/tests/ranks/test_ranks" "$scratch"
    cat "$scratch/out"
    run_all "$count" "$gallery" "$scratch/$count"
    for directory in usual few bcsstk13 karate; do
        same "$count ranks, $directory" "$scratch/one/$directory" "$scratch/$count/$directory"
    done
    most=$count
done

# Each transport, and messages in pieces; the same bits. Only cuda may lack one.
expect 0 "ranks:      $most, $most on this machine" ranks "$most" "$gallery" info
transports="mpi staged"
! grep -q 'target: *cuda' "$scratch/out" || transports="mpi staged nccl peer"
for transport in $transports; do
    setting=RANKS_TRANSPORT=$transport
    if [ "$transports" != "mpi staged" ] && [ $transport != staged ] &&
        ! ranks "$most" env $setting "$gallery" info >"$scratch/out" 2>&1; then
        echo "# LEFT OUT the transport $transport: $(sed -n "s/.*$setting: \(.*\)\. Check.*/\1/p" "$scratch/out")"
        continue
    fi
    expect 0 "passed" ranks "$most" env $setting RANKS_MESSAGE_LIMIT=48 "$build/tests/ranks/test_ranks" "$scratch"
    said "by $transport"
    mkdir -p "$scratch/$setting"
    expect 0 "by $transport" ranks "$most" env $setting RANKS_MESSAGE_LIMIT=1000 \
        "$gallery" run --dump "$scratch/$setting"
    same "$setting" "$scratch/one/usual" "$scratch/$setting"
done

echo "$compared files compared, $failed failed"
[ $failed = 0 ] && [ $compared -gt 8 ]
