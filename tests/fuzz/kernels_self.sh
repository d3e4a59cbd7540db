#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kernels_self.sh GENERATOR NVCC SCRATCH
#
# In the way `planted` of kernels.sh, __shfl_xor_sync gives a wrong value. kernels.sh must find this
# in a kernel that uses it, and leave out most of the kernel; the reduced kernel shows it again.
#
# Exit status: 0 if it does; 1 if not; 2 for wrong usage.
set -u

[ $# = 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
generator=$1 nvcc=$2 scratch=$3
mkdir -p "$scratch"

# wrong SENTENCE: it ends here
wrong() {
    cat "$scratch/log"
    echo "$1"
    exit 1
}

# The first small kernel with a shuffle that is reached.
seed=0 status=0
while [ $status = 0 ]; do
    seed=$((seed + 1))
    [ $seed -lt 1000 ] || wrong "no kernel shows the planted mistake"
    all=$("$generator" --nodes $seed | grep -c .)
    [ "$all" -lt 120 ] || continue
    "$generator" $seed 1 | sed '1,/^namespace/d' | grep -q __shfl_xor_sync || continue
    JOBS=1 TRIES=16 "$(dirname "$0")/kernels.sh" "$generator" "$nvcc" "$scratch/run" $seed 1 \
        O0 planted >"$scratch/log" 2>&1
    status=$?
done
reduced=$scratch/run/found/$seed-planted.cu
[ $status = 1 ] || wrong "exit status $status, and not 1"
grep -q "^$seed planted differs from O0$" "$scratch/log" || wrong "the mistake is not reported"
[ -f "$reduced" ] || wrong "there is no $reduced"
nodes=$(sed -n 's/.*: reduced to \([0-9]*\) nodes.*/\1/p' "$scratch/log")
[ "${nodes:-1000}" -lt $((all * 2 / 3)) ] || wrong "$nodes nodes of $all are left"
for option in -DFUZZ_RIGHT -DFUZZ_PLANTED; do
    "$nvcc" -O0 $option -w "$reduced" -o "$scratch/again" || wrong "$reduced does not compile"
    "$scratch/again" >"$scratch/again$option" || wrong "$reduced fails"
done
cmp -s "$scratch/again-DFUZZ_RIGHT" "$scratch/again-DFUZZ_PLANTED" &&
    wrong "$reduced does not show the mistake"
echo "$nodes nodes of $all are left of seed $seed"
