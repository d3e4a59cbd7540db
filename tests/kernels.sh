#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kernels.sh [FILE...]
# Kernels must not depend on the target: fails if a source uses a macro that reveals it. FILE:
# additional sources, for tests/must_fail.sh. Exit status: 0, or 1 with the lines that ask.
set -eu
cd "$(dirname "$0")/.."

# order.h defines forms for each target, as portable.h does; algorithms.c is host code.
for file in "$@"; do
    [ -r "$file" ] || { echo "$file: cannot read" >&2; exit 2; }
done
for file in kernels/*.[ch] host/algorithms/*.h docs/examples/*/kernels/*.[ch] "$@"; do
    [ "$file" = host/algorithms/order.h ] || echo "$file"
done | {
    xargs grep -nE '__CUDA|__NVCC__|__clang__|__GNUC__|_OPENMP|PORTABLE_(TARGET|KERNELS|CUDA|LOOPS|EMULATE|CPU|OPENMP)_' && exit 1
    exit 0
}
