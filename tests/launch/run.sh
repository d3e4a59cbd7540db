#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh NVCC SCRATCH: what KERNEL_LAUNCH costs beside <<<>>>; needs a GPU. overhead.cu explains it.
#
# Exit status: 0 if it is within the bound, and a launch that does more is found out; 1 if not.
set -u

[ $# -eq 2 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
nvcc=$1 scratch=$2
here=$(dirname "$0")
mkdir -p "$scratch"
$nvcc -x cu -std=c++17 -O3 -arch=native -Xcompiler -Wall,-Wextra -I"$here/../.." "$here/overhead.cu" \
    -o "$scratch/overhead" || exit 1
"$scratch/overhead" || exit 1
"$scratch/overhead" careless >"$scratch/careless"
[ $? -eq 1 ] && tail -n 1 "$scratch/careless" | sed 's/^/careless: /'
