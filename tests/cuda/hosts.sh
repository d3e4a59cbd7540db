#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hosts.sh NVCC SCRATCH CC CXX FILE.c...
#
# Builds the runtime, which is the FILEs, and tests/cuda/threads/hosts.cu with the thread sanitizer of
# CC and CXX. The program, whose host threads do the same things at once, must be right and without
# a race, also with late streams; with an argument it has one, which must be reported. FLAGS in the
# environment are those of the FILEs.
#
# Simulated threads of one OS thread are one to the sanitizer, on whichever stack they run: without
# a call at the beginning and the end of each function it needs no notice of the switches.
#
# Exit status: 0 if all is as expected; 1 if not; 2 for wrong usage; 77 without a thread sanitizer.
set -u

[ $# -ge 5 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
nvcc=$1 scratch=$2 cc=$3 cxx=$4
source=$(dirname "$0")/threads/hosts.cu
shift 4
mkdir -p "$scratch"
# shellcheck disable=SC2086 # a command with options
echo 'int main(void) { return 0; }' | $cc -fsanitize=thread -x c - -o /dev/null 2>/dev/null ||
    { echo "skipped: $cc has no thread sanitizer"; exit 77; }

case $("$cc" --version) in
*clang*) options="-mllvm -tsan-instrument-func-entry-exit=0" ;;
*) options="--param tsan-instrument-func-entry-exit=0 -Wno-tsan" ;;
esac
forwarded=-Xcompiler=-fsanitize=thread,$(echo "${options% -W*}" | tr ' ' ,)
objects=
for file; do
    object=$scratch/$(basename "$file" .c).o objects="$objects $scratch/$(basename "$file" .c).o"
    # shellcheck disable=SC2086 # options are words
    $cc ${FLAGS:-} -O1 -fsanitize=thread $options -DPORTABLE_WORKERS_=1 -c "$file" -o "$object" || exit 1
done
"$nvcc" -ccbin "$cxx" -std=c++17 -O2 -w "$forwarded" -c "$source" -o "$scratch/hosts.o" || exit 1
# shellcheck disable=SC2086
$cxx -fsanitize=thread "$scratch/hosts.o" $objects -lpthread -lm -ldl -o "$scratch/hosts" || exit 1

# Sanitizers of before 2024 do not find room for themselves with all of Linux's random addresses.
fixed=
setarch "$(uname -m)" -R true 2>/dev/null && fixed="setarch $(uname -m) -R"
# A race shows only when its accesses meet.
for streams in '' '' '' late late:1; do
    # shellcheck disable=SC2086
    PORTABLE_STREAMS=$streams PORTABLE_THREADS=4 timeout 120 $fixed "$scratch/hosts" \
        >"$scratch/printed" 2>"$scratch/said" </dev/null
    status=$?
    [ $status != 0 ] || continue
    echo "hosts $streams: exit status $status"
    grep 'wrong$' "$scratch/printed" | sort | uniq -c
    grep -A 12 '^WARNING: ThreadSanitizer' "$scratch/said" | head -n 60
    grep '^SUMMARY' "$scratch/said" | sort | uniq -c
    exit 1
done
# shellcheck disable=SC2086
if timeout 120 $fixed "$scratch/hosts" race >"$scratch/printed" 2>"$scratch/said" </dev/null ||
    ! grep -q '^SUMMARY: ThreadSanitizer: data race .* in race' "$scratch/said"; then
    echo "hosts race: the sanitizer does not report the race"
    head -n 5 "$scratch/said"
    exit 1
fi
