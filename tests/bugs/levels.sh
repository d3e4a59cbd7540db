#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# levels.sh CC... SCRATCH
#
# Whether the checks see accesses that an optimiser would remove. Builds the known bugs whose
# accesses do not affect the program's results, and their corrected twins, with each compiler CC at
# CHECK_CFLAGS=-O0, -O1, -O2 and -O3, or at LEVELS: each bug must be found, and each twin clean, as
# in tests/bugs/run.sh. memcheck needs the compiler's AddressSanitizer, which may be a separate
# package: bugs for memcheck are left out for compilers without. Exit status: 1 on a failure, 77 if
# there is no compiler.
set -eu

here=tests/bugs
[ -r $here/run.sh ] || cd "$(dirname "$0")/../.."
[ $# -ge 2 ] || {
    sed -n '3s/^# /usage: /p' $here/levels.sh >&2
    exit 2
}
compilers=
while [ $# -gt 1 ]; do
    compilers="$compilers $1"
    shift
done
scratch=$1
mkdir -p "$scratch"
status=77
for cc in $compilers; do
    command -v "$cc" >/dev/null || {
        echo "# LEFT OUT $cc: it is not installed"
        continue
    }
    [ $status != 77 ] || status=0
    sets='racecheck:writes_never_read,reads_never_used initcheck:unused_value_not_written
        synccheck:unused_shuffle accesscheck:strided_access,banks_of_a_column,few_lanes
        ordercheck:ticket_order,elected_by_or,float_histogram
        fpcheck:zero_norm,softmax_overflow,cancelled_variance,half_overflow'
    if echo 'int main(void) { return 0; }' |
        "$cc" -fsanitize=address,undefined -x c - -o "$scratch/sanitized" 2>"$scratch/sanitized.log" &&
        echo '#include <sanitizer/asan_interface.h>' | "$cc" -fsyntax-only -x c - 2>/dev/null; then
        sets="$sets memcheck:useless_past_end"
    else
        echo "# LEFT OUT memcheck: $cc has no AddressSanitizer here"
    fi
    for level in ${LEVELS:--O0 -O1 -O2 -O3}; do
        for set in $sets; do
            tool=${set%%:*}
            # The runtimes are the same at every level.
            out=$scratch/$(basename "$cc")
            rm -rf "$out/build/run"
            # shellcheck disable=SC2046 # a list of words
            if ! TOOLS=$tool CHECK_CFLAGS="$level -g" $here/run.sh "$cc" "$out" \
                $(echo "${set#*:}" | tr ',' ' ') >"$out.log" 2>&1; then
                status=1
                echo "$cc $level, $tool:"
                cat "$out.log" "$out/build.log"
            fi
        done
        [ $status = 1 ] || echo "$cc $level: all found, and their twins clean"
    done
done
[ $status != 77 ] || echo "skipped: none of the compilers is installed:$compilers"
exit $status
