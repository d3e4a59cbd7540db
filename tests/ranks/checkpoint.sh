#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# checkpoint.sh CC DIRECTORY SCRATCH
# Cases that are killed at any moment, also while they write a checkpoint, continue from their last
# one with another number of ranks to the bits of an uninterrupted run; damaged checkpoints are
# refused. DIRECTORY has gallery-ranks.
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
    echo "run $1 --iterations $iterations --every 10 --checkpoint $2"
}
# resume CASE DIRECTORY RANKS: continues to the same bits, leaving one generation of files; the
# iteration that it begins with goes to DIRECTORY/began. Prints a line if something is wrong.
resume() {
    # shellcheck disable=SC2046 # arguments
    ranks "$3" "$gallery" $(saving "$1" "$2") --dump "$2" >"$2/out" 2>&1 </dev/null ||
        echo "$1 does not continue with $3 ranks in $2: $(cat "$2/out")"
    sed -n 's/.* continues after iteration \([0-9]*\) .*/\1/p' "$2/out" >"$2/began"
    cmp "$scratch/whole/$1.npy" "$2/$1.npy" 2>&1
    left=$(ls "$2/$1" | sed 's/\.[0-9]*\.npy$//' | sort | uniq -d)
    # shellcheck disable=SC2010 # names of ours
    other=$(ls "$2/$1" | grep -v '^[a-z]*\.[0-9]*\.npy$' | grep -vx checkpoint.txt)
    [ -z "$left$other" ] || echo "$1: files are left in $2: $left $other"
}
# break_off CASE DIRECTORY RANK AT CALL RANKS: kills the rank, and resumes with RANKS
break_off() {
    mkdir "$2"
    # shellcheck disable=SC2046 # arguments
    faulty "$2" "$3" "$4" "$5" kill "$gallery" $(saving "$1" "$2") >"$2/killed" 2>&1 &&
        echo "$1 was not killed in $2: $(cat "$2/killed")"
    await "$2"
    resume "$1" "$2" "$6"
}
broken=0
# side_by_side COMMAND...: in the background, eight at a time
side_by_side() {
    broken=$((broken + 1))
    "$@" >"$scratch/wrong.$broken" </dev/null &
    [ $((broken % 8)) != 0 ] || wait
}

expect 0 "" ranks 1 "$gallery" run jacobi cg nbody --iterations $iterations --dump "$scratch/whole"

# Rank 1 is killed at its calls of MPI.
for case in jacobi cg nbody; do
    # shellcheck disable=SC2046 # arguments
    faulty "$scratch" 1 0 "" "" "$gallery" $(saving $case "$scratch/count") >"$scratch/calls" 2>&1
    calls=$(sed -n 's/^calls: //p' "$scratch/calls")
    [ "${calls:-0}" -ge 10 ] || fail "$case: rank 1 has ${calls:-no} calls of MPI"
    for moment in 2:4 5:2 7:4 8:1 9:2; do
        side_by_side break_off $case "$scratch/$case-$moment" 1 $((calls * ${moment%:*} / 10)) "" ${moment#*:}
    done
done

# Rank 0 is killed at each call of the file system in its first and its second save. A checkpoint is
# that of iteration 20 from the rename of checkpoint.txt on, and that of 10 before.
file_calls() {
    rm -rf "$scratch/count"
    faulty "$scratch" 0 0 file: "" "$gallery" run jacobi --iterations "$1" --every 10 \
        --checkpoint "$scratch/count" 2>&1 | sed -n 's/^calls: //p'
}
first=$(file_calls 10) second=$(file_calls 20)
[ "${first:-0}" -ge 10 ] && [ "${second:-0}" -ge $((first + 10)) ] || fail "calls of files: $first, $second"
for at in $(seq 1 "$second"); do
    side_by_side break_off jacobi "$scratch/file-$at" 0 "$at" file: $((1 << at % 3))
done
wait
for file in "$scratch"/wrong.*; do
    [ ! -s "$file" ] || fail "$(cat "$file")"
done
for at in $(seq 1 "$second"); do
    echo "$at $(cat "$scratch/file-$at/began")"
done >"$scratch/began"
# Nothing, then 10, then 20, without a way back.
awk '$2 + 0 < last { bad = 1 } { last = $2 + 0; seen[last]++ }
    END { exit bad || !seen[0] || !seen[10] || !seen[20] }' "$scratch/began" ||
    fail "what was found after each call: $(cat "$scratch/began")"
sort -u "$scratch"/*:*/began | tr '\n' ' ' | grep -q '10 20 30' || fail "no run continued from each of 10, 20, 30"

# A save that fails leaves the checkpoint before it.
for at in $((first + 2)) $((second - 4)); do
    rm -rf "$scratch/error"
    expect 1 "cannot write" faulty "$scratch" 0 $at file: error "$gallery" \
        run jacobi --iterations 20 --every 10 --checkpoint "$scratch/error"
    expect 0 "continues after iteration 10" ranks 2 "$gallery" run jacobi --iterations 20 --checkpoint "$scratch/error"
done

# Damage, and other problems. The checkpoint to damage is of iteration 20.
run() {
    ranks 2 "$gallery" run jacobi --iterations 20 --every 10 --checkpoint "$scratch/bad" "$@"
}
bad() {
    expect 1 "$@"
    rm -rf "$scratch/bad"
    cp -r "$scratch/good" "$scratch/bad"
}
expect 0 "60 iterations" ranks 2 "$gallery" run jacobi --every 30 --checkpoint "$scratch/other"
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
expect 1 "cannot" ranks 2 "$gallery" run jacobi --iterations 10 --every 10 --checkpoint "$manifest"
expect 1 "another program is saving" flock "$scratch/good/jacobi" "$gallery" \
    run jacobi --iterations 30 --every 10 --checkpoint "$scratch/good"
expect 0 "continues after iteration 20" "$gallery" run jacobi --iterations 30 --every 10 --checkpoint "$scratch/good"
expect 2 "scan takes no --checkpoint" ranks 2 "$gallery" run scan --checkpoint "$scratch/bad"
expect 2 "--every needs --checkpoint" ranks 2 "$gallery" run jacobi --every 5
expect 2 "--every takes a number from 1" ranks 2 "$gallery" run jacobi --every 0

echo "$broken runs broken off, $failed failed"
[ $failed = 0 ] && [ $broken -gt 40 ]
