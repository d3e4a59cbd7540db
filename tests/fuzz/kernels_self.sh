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
generator=$1 nvcc=$2 scratch=$3 seed=473
JOBS=1 TRIES=40 "$(dirname "$0")/kernels.sh" "$generator" "$nvcc" "$scratch" $seed 1 O0 planted \
    >"$scratch.log" 2>&1
status=$?
reduced=$scratch/found/$seed-planted.cu

# wrong SENTENCE: it ends here
wrong() {
    cat "$scratch.log"
    echo "$1"
    exit 1
}

[ $status = 1 ] || wrong "exit status $status, and not 1"
grep -q "^$seed planted differs from O0$" "$scratch.log" ||
    wrong "the planted mistake is not reported"
[ -f "$reduced" ] || wrong "there is no $reduced"
nodes=$(sed -n 's/.*: reduced to \([0-9]*\) nodes.*/\1/p' "$scratch.log")
[ "${nodes:-1000}" -le 40 ] || wrong "$nodes nodes are left"
for option in -DFUZZ_RIGHT -DFUZZ_PLANTED; do
    "$nvcc" -O0 $option -w "$reduced" -o "$scratch/again" || wrong "$reduced does not compile"
    "$scratch/again" >"$scratch/again$option" || wrong "$reduced fails"
done
cmp -s "$scratch/again-DFUZZ_RIGHT" "$scratch/again-DFUZZ_PLANTED" &&
    wrong "$reduced does not show the mistake"
echo "$nodes nodes of $("$generator" --nodes $seed | grep -c .) are left"
