#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sample.sh CC SCRATCH
#
# Each kind of finding of each tool, in one known bug and its corrected twin. `make check` runs
# these, because all bugs under all tools (make check-bugs) take minutes; tests/bugs/run.sh explains
# the comparison. BUGS=TOOL:NAME,NAME in the environment selects others. Exit status: 1 if a bug is
# missed or a twin is not clean.
set -eu

here=tests/bugs
[ -r $here/run.sh ] || cd "$(dirname "$0")/../.."
[ $# = 2 ] || {
    sed -n '3s/^# /usage: /p' $here/sample.sh >&2
    exit 2
}
case ${BUGS:-} in
'' | memcheck:?* | racecheck:?* | initcheck:?* | synccheck:?* | accesscheck | ordercheck:?* | fpcheck:?*) ;;
*)
    echo "sample.sh: BUGS=$BUGS: must be TOOL:NAME,NAME" >&2
    exit 2
    ;;
esac
cc=$1
scratch=$2
status=0
mkdir -p "$scratch"

# sample TOOL BUG...
sample()
{
    tool=$1
    shift
    # shellcheck disable=SC2046 # a list of words
    case ${BUGS:-} in
    '') ;;
    "$tool":*) set -- $(echo "${BUGS#*:}" | tr , ' ') ;;
    *) return 0 ;;
    esac
    if ! TOOLS=$tool $here/run.sh "$cc" "$scratch" "$@" >"$scratch/$tool.log" 2>&1; then
        status=1
        echo "$tool:"
        cat "$scratch/$tool.log"
    else
        echo "$tool: $(tail -n 1 "$scratch/$tool.log")"
    fi
}

# Accesses before, after and across the end of an object; memory of the other side, or freed;
# refused calls; undefined behaviour; leaks.
if echo '#include <sanitizer/asan_interface.h>' | "$cc" -fsyntax-only -x c - 2>/dev/null &&
    echo 'int main(void) { return 0; }' |
    "$cc" -fsanitize=address,undefined -x c - -o "$scratch/sanitized" 2>/dev/null; then
    sample memcheck wide_read_at_end pair_read_at_end global_read_before shared_one_short dynamic_shared_past_end \
        local_array_overrun host_heap_in_kernel host_stack_in_kernel device_written_by_host \
        use_after_free double_free copy_too_long null_pointer shift_and_leak leak leak_pinned
else
    echo "# LEFT OUT memcheck: $cc has no AddressSanitizer here"
fi

# Blocks, variables, dynamic shared memory, accesses by library calls and by the calls of functions
# themselves; tests/emulate/races.c has the rest.
sample racecheck missing_sync_grid device_variables dynamic_shared_race memcpy_race struct_by_value

# Copies to the host and on the device, memset, and dynamic shared memory.
sample initcheck struct_partly_written copy_on_device_too_short fill_too_short \
    dynamic_shared_not_written

# Barriers that some threads exit before, at two places, of a warp and of the grid.
sample synccheck early_exit two_barriers shuffle_after_exit sync_grid_skipped_by_block

# Each limit.
sample accesscheck array_of_structures lone_lane banks_of_doubles atomics_on_one_counter few_lanes
# Each reason of a finding and of a proof.
sample ordercheck float_sum_by_atomics float_histogram last_writer flag_of_many argmin_two_words \
    argmin_ties add_and_max lock_by_cas last_block_done inc_limits_differ warp_ticket \
    elected_by_or used_by_one polls_other_block ticket_order missing_barrier
# A NaN, an infinity, an operation of the C library, and a half.
sample fpcheck zero_norm softmax_overflow cancelled_variance half_overflow
exit $status
