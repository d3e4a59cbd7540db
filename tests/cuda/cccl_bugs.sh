#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cccl_bugs.sh NVCC SCRATCH CHECK...
# What each CHECK finds in tests/cuda/cccl/bugs/bugs.cu: mistakes in the use of Thrust and CUB, in
# the user's lines that the comments name, and nothing once they are corrected. A project's own
# directory include/cuda is not taken for CCCL.
# Exit status: 0 if all is as expected; 1 if not; 77 if there is no CCCL; 2 for wrong usage.
set -u
[ $# -ge 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
nvcc=$1 scratch=$2 source=$(dirname "$0")/cccl/bugs/bugs.cu
shift 2
checks=$*
mkdir -p "$scratch"
echo '#include <cub/version.cuh>' >"$scratch/asks.cu"
"$nvcc" -E "$scratch/asks.cu" >"$scratch/asks.log" 2>&1 || {
    echo "skipped: CCCL is not found"
    exit 77
}
status=0
for check; do
    # gcc's tracking of variables, for debuggers, takes much of the time.
    "$nvcc" --check="$check" -Xcompiler -fno-var-tracking "$source" -o "$scratch/$check" || exit 1
    grep -n "// $check\$" "$source" | cut -d : -f 1 >"$scratch/$check.wanted"
    # A divergence ends the kernels of the other checks.
    with=
    [ "$check" != synccheck ] || with=warp
    "$scratch/$check" $with >"$scratch/$check.said" 2>&1
    sed 's/allocated at .*//' "$scratch/$check.said" | grep -o 'bugs.cu:[0-9]*' | cut -d : -f 2 |
        sort -nu >"$scratch/$check.lines"
    cmp -s "$scratch/$check.wanted" "$scratch/$check.lines" || {
        echo "$check: other lines than $(tr '\n' ' ' <"$scratch/$check.wanted"):"
        cat "$scratch/$check.said"
        status=1
    }
    if ! "$scratch/$check" fixed >"$scratch/$check.said" 2>&1 ||
        ! grep -q "^$check: no " "$scratch/$check.said"; then
        echo "$check: findings where there are no mistakes"
        cat "$scratch/$check.said"
        status=1
    fi
done

mkdir -p "$scratch/include/cuda"
cat >"$scratch/include/cuda/count.cuh" <<'END'
__global__ void count(int *sum)
{
    *sum += 1;
}
END
cat >"$scratch/own.cu" <<'END'
#include "include/cuda/count.cuh"
int main()
{
    int *sum;
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    count<<<2, 1>>>(sum);
    cudaDeviceSynchronize();
    cudaFree(sum);
}
END
case " $checks " in
*" racecheck "*)
    "$nvcc" --check=racecheck "$scratch/own.cu" -o "$scratch/own" || exit 1
    "$scratch/own" >"$scratch/own.said" 2>&1
    grep -q 'include/cuda/count.cuh:3' "$scratch/own.said" || {
        echo "racecheck: no race in a project's own include/cuda"
        cat "$scratch/own.said"
        status=1
    }
    ;;
esac
exit $status
