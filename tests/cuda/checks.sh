#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# checks.sh NVCC SCRATCH CONFIGURATION...
#
# Runs every program of tests/cuda in each CONFIGURATION of run.sh: emulate, memcheck, racecheck,
# initcheck, synccheck, streamcheck. NVCC_CCBIN in the environment is the compiler; PROGRAMS, the
# programs in the place of these; JOBS, how many are built and run at a time.
#
# Exit status: 0 if every program prints the expected output, without findings; 1 if not; 77 if the
# compiler is not installed; 2 for wrong usage.
set -u

here=$(dirname "$0")
[ $# -ge 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
nvcc=$1 scratch=$2
shift 2
if [ -n "${NVCC_CCBIN:-}" ] && ! command -v "$NVCC_CCBIN" >/dev/null; then
    echo "skipped: there is no compiler $NVCC_CCBIN"
    exit 77
fi
mkdir -p "$scratch"
export here nvcc scratch configurations="$*"
# shellcheck disable=SC2016,SC2086 # the inner shell's; words
printf '%s\n' ${PROGRAMS:-"$here"/*.cu "$here"/cpu/*.cu} | tee "$scratch/programs" |
    xargs -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" -I '{}' sh -c \
        '"$here/run.sh" "$nvcc" "$scratch/$(basename "$1" .cu)" "$1" $configurations' sh '{}' \
        >"$scratch/log" 2>&1
status=$?
awk '!/^# LEFT OUT/ || !seen[$0]++' "$scratch/log"
[ $status = 0 ] || exit 1
echo "$(grep -c . "$scratch/programs") CUDA programs${NVCC_CCBIN:+, compiled by $NVCC_CCBIN,} under $*: no findings"
