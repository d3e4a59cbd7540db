#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh [--planted] PROGRAM CORPUS WORK SECONDS
# Runs a target on its corpus and on libFuzzer's own inputs, which are kept in WORK. A finding is
# exit status 1, with the file that reproduces it. With --planted there must be a finding.
set -u

planted=
if [ "$1" = --planted ]; then
    planted=1
    shift
fi
program=$1 corpus=$2 work=$3 seconds=$4
name=$(basename "$program")
case $seconds in
'' | *[!0-9]* | 0*)
    echo "FUZZ_SECONDS=$seconds: it must be a whole number of seconds, from 1 on" >&2
    exit 2
    ;;
esac
# Inputs learnt from a planted bug would prove nothing the next time.
[ -z "$planted" ] || rm -rf "$work"
rm -rf "$work/found"
mkdir -p "$work/corpus" "$work/found" || exit 1
# Targets write a file for most inputs: up to 15 times as fast in memory.
scratch=$(mktemp -d /dev/shm/fuzz.XXXXXX 2>/dev/null || mktemp -d "$work/tmp.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
dictionary=$(dirname "$corpus")/$(basename "$corpus").dict
TMPDIR=$scratch "$program" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -close_fd_mask=3 \
    -print_final_stats=1 -artifact_prefix="$work/found/" $(test ! -f "$dictionary" || echo "-dict=$dictionary") \
    "$work/corpus" "$corpus" >"$work/log" 2>&1 </dev/null
status=$?
found=$(find "$work/found" -type f | sort | head -n 1)
runs=$(sed -n 's/^stat::number_of_executed_units: //p' "$work/log")

if [ -n "$planted" ]; then
    if [ -n "$found" ] && grep -q 'heap-buffer-overflow' "$work/log"; then
        echo "  fuzz  the planted bug was found, after ${runs:-some} inputs"
        exit 0
    fi
    echo "make fuzz: the planted bug was not found in $seconds s, so no finding proves nothing: see $work/log" >&2
    exit 1
fi
if [ $status = 0 ] && [ -z "$found" ]; then
    echo "  fuzz  $name: $runs inputs in $seconds s, no finding"
    exit 0
fi
grep -E 'ERROR: |runtime error: |not so: |^ *#[0-9]+ .* in .*(host|kernels|tests)/' "$work/log" | head -n 12 >&2
if [ -z "$found" ]; then
    echo "make fuzz: $name ended with exit status $status: see $work/log" >&2
else
    echo "make fuzz: $name: a finding, which this shows again: $program $found" >&2
fi
exit 1
