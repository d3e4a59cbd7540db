#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# checkpoint.sh CC DIRECTORY SCRATCH
# Cases that are killed at any moment of a save continue from their last checkpoint with another
# number of ranks to the bits of an uninterrupted run; damaged checkpoints are refused. DIRECTORY
# has gallery-ranks.
set -u

cc=$1 build=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch/whole"
here=$(dirname "$0")
. "$here/mpi.sh"
. "$here/../cli/expect.sh"
. "$here/faulty.sh"
gallery=$build/gallery-ranks
iterations=40

# saving CASE DIRECTORY: the arguments of a run with checkpoints
saving() {
    echo "$1 --iterations $iterations --every 10 --checkpoint $2"
}
# was_killed WHAT COMMAND...: the command's rank was
was_killed() {
    what=$1
    shift
    "$@" >"$scratch/killed" 2>&1 </dev/null && fail "$what was not killed: $(cat "$scratch/killed")"
}
# resume RANKS CASE DIRECTORY [CASE DIRECTORY...]: by one start of this many ranks, each continues
# to the bits of an uninterrupted run, and leaves one generation of files. The iteration that it
# begins with goes to DIRECTORY/began.
resume() {
    resuming=$1 plus=
    shift
    echo "$@" | xargs -n 2 >"$scratch/places"
    set -- ranks "$resuming" "$gallery" run
    while read -r case place; do
        # shellcheck disable=SC2046 # arguments
        set -- "$@" $plus $(saving "$case" "$place") --dump "$place"
        plus=+
    done <"$scratch/places"
    expect 0 "" "$@"
    while read -r case place; do
        sed -n "s|.* continues after iteration \([0-9]*\) of $place/.*|\1|p" "$scratch/out" >"$place/began"
        cmp "$scratch/whole/$case.npy" "$place/$case.npy" || fail "$place, continued by $resuming ranks: other bits"
        left=$(ls "$place/$case" | sed 's/\.[0-9]*\.npy$//' | sort | uniq -d)
        # shellcheck disable=SC2010 # names of ours
        other=$(ls "$place/$case" | grep -v '^[a-z]*\.[0-9]*\.npy$' | grep -vx checkpoint.txt)
        [ -z "$left$other" ] || fail "$case: files are left in $place: $left $other"
    done <"$scratch/places"
}

expect 0 "" ranks 1 "$gallery" run jacobi cg nbody --iterations $iterations --dump "$scratch/whole"

# Rank 1 of 3 is killed as it sends its part of an array in the second, third and fourth save:
# CASE:CALL:ITERATION, where calls of MPI_Send include two of MPI_Sendrecv in cg.
moments='jacobi:3:10 cg:10:20 nbody:7:30'
mkdir "$scratch/2"
for moment in $moments; do
    case=${moment%%:*} at=${moment#*:}
    # shellcheck disable=SC2046 # arguments
    was_killed "$moment" faulty 3 1 "${at%:*}" MPI_Send kill "$gallery" run $(saving "$case" "$scratch/2/$case")
done
cp -r "$scratch/2" "$scratch/4"
for count in 2 4; do
    resume $count jacobi "$scratch/$count/jacobi" cg "$scratch/$count/cg" nbody "$scratch/$count/nbody"
    for moment in $moments; do
        began=$(cat "$scratch/$count/${moment%%:*}/began")
        [ "$began" = "${moment##*:}" ] || fail "$moment: $count ranks continue after iteration ${began:-0}"
    done
done

# One rank alone is killed at each call of the file system in its first and its second save. A
# checkpoint is that of iteration 20 from the rename of checkpoint.txt on, and that of 10 before.
file_calls() {
    faulty 1 0 0 file: "" "$gallery" run jacobi --iterations "$1" --every 10 \
        --checkpoint "$scratch/count-$1" 2>&1 | sed -n 's/^calls: //p'
}
first=$(file_calls 10) second=$(file_calls 20)
[ "${first:-0}" -ge 10 ] && [ "${second:-0}" -ge $((first + 10)) ] || fail "calls of files: $first, $second"
places=
for at in $(seq 1 "$second"); do
    place=$scratch/file-$at
    # shellcheck disable=SC2046 # arguments
    was_killed "call $at" faulty 1 0 "$at" file: kill "$gallery" run $(saving jacobi "$place")
    places="$places jacobi $place"
done
# shellcheck disable=SC2086 # words
resume 2 $places
for at in $(seq 1 "$second"); do
    echo "$at $(cat "$scratch/file-$at/began")"
done >"$scratch/began"
# Nothing, then 10, then 20, without a way back.
awk '$2 + 0 < last { bad = 1 } { last = $2 + 0; seen[last]++ }
    END { exit bad || !seen[0] || !seen[10] || !seen[20] }' "$scratch/began" ||
    fail "what was found after each call: $(cat "$scratch/began")"

# A save that fails leaves the checkpoint before it.
for at in $((first + 2)) $((second - 4)); do
    rm -rf "$scratch/error"
    expect 1 "cannot write" faulty 1 0 $at file: error "$gallery" \
        run jacobi --iterations 20 --every 10 --checkpoint "$scratch/error"
    expect 0 "continues after iteration 10" ranks 1 "$gallery" run jacobi --iterations 20 --checkpoint "$scratch/error"
done

# Damage, and other problems. The checkpoint to damage is of iteration 20.
run() {
    ranks 1 "$gallery" run jacobi --iterations 20 --every 10 --checkpoint "$scratch/bad" "$@"
}
bad() {
    expect 1 "$@"
    rm -rf "$scratch/bad"
    cp -r "$scratch/good" "$scratch/bad"
}
expect 0 "60 iterations" ranks 1 "$gallery" run jacobi --every 30 --checkpoint "$scratch/other"
said_not "continues"
expect 0 "" run
cp -r "$scratch/bad" "$scratch/good"
u=$scratch/bad/jacobi/u.1.npy manifest=$scratch/bad/jacobi/checkpoint.txt
[ -s "$u" ] || fail "no $u"
bad 'expected "problem jacobi, n = 30"' run --n 30
truncate -s -1 "$u"
bad "u.1.npy" run
rm "$u"
bad "u.1.npy: cannot read" run
cp "$scratch/bad/jacobi/changes.1.npy" "$u"
bad "u.1.npy: the shape is (203,), expected 203 rows of 203" run
sed -i 's/<f\([48]\)/<i\1/' "$u"
bad "u.1.npy: the type is int" run
sed -i 's/^precision .*/precision half/' "$manifest"
bad 'checkpoint.txt:4: the checkpoint has "precision half", expected "precision ' run
sed -i '/^end/d' "$manifest"
bad 'expected "end"' run
truncate -s 20 "$manifest"
bad "or damaged" run
: >"$manifest"
bad "or damaged" run
sed -i 's/^step .*/step -20/' "$manifest"
bad "or damaged" run
expect 2 "the checkpoint is of iteration 20, beyond the 10 to do" ranks 1 "$gallery" run jacobi --iterations 10 --checkpoint "$scratch/bad"
# Rank 0 alone finds a file in place of the directory, and ends both.
expect 1 "rank 0 of 2: " ranks 2 "$gallery" run jacobi --iterations 10 --every 10 --checkpoint "$manifest"
expect 1 "another program is saving" flock "$scratch/good/jacobi" $limit "$gallery" \
    run jacobi --iterations 30 --every 10 --checkpoint "$scratch/good"
expect 0 "continues after iteration 20" ranks 1 "$gallery" run jacobi --iterations 30 --every 10 --checkpoint "$scratch/good"
expect 2 "scan takes no --checkpoint" ranks 1 "$gallery" run scan --checkpoint "$scratch/bad"
expect 2 "--every needs --checkpoint" ranks 1 "$gallery" run jacobi --every 5
expect 2 "--every takes an integer from 1" ranks 1 "$gallery" run jacobi --every 0

echo "$second moments of a save, $failed failed"
[ $failed = 0 ]
