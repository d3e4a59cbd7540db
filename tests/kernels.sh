#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kernels.sh [FILE...]
# A kernel never asks which target it is on: its source names no macro that tells. FILE: additional
# sources, for tests/must_fail.sh. Exit status: 0, or 1 with the lines that ask.
set -eu
cd "$(dirname "$0")/.."

# order.h defines forms for each target, as portable.h does; algorithms.c is host code.
for file in kernels/*.[ch] host/algorithms/*.h docs/examples/*/kernels/*.[ch] "$@"; do
    [ "$file" = host/algorithms/order.h ] || echo "$file"
done | {
    xargs grep -nE '__CUDA|_OPENMP|PORTABLE_(TARGET|KERNELS|CUDA|LOOPS|EMULATE|CPU|OPENMP)_' && exit 1
    exit 0
}
