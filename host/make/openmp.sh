#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# openmp.sh CC: succeeds if CC -fopenmp can build a program; clang needs libomp for it.
printf '#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n' |
    $1 -fopenmp -x c - -o /dev/null 2>/dev/null
