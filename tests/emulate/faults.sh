#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that the emulate target reports kernel faults, launches that do not end and invalid options,
# and works with a debugger.
#
#     tests/emulate/faults.sh [CC [DIRECTORY]]    builds faults.c with CC (cc) in DIRECTORY (a new
#                                                 one)
#
# GDB names the debugger (gdb); without it, its tests are left out.
#
# Exit status: 0 if all is well, 1 if not.

set -u
LC_ALL=C
export LC_ALL
unset ORDER PORTABLE_BREAK PORTABLE_STACK PORTABLE_NOTICE PORTABLE_LIMIT

cc=${1:-cc}
gdb=${GDB:-gdb}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
root=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 1
if [ $# -ge 2 ]; then
    mkdir -p "$2" || exit 1
    directory=$(CDPATH='' cd -- "$2" && pwd) || exit 1
else
    directory=$(mktemp -d) || exit 1
    trap 'rm -rf "$directory"' EXIT
fi
program=$directory/faults
out=$directory/out
err=$directory/err
failed=0
passed=0
# shellcheck disable=SC3045 # where a shell has it
ulimit -c 0 2>/dev/null

# As the make rules compile: a large array must not jump over the guard page.
probes=
[ "$(uname -m)" != x86_64 ] || probes=-fstack-clash-protection
# $cc is a list of words. Relative paths keep the messages independent of the directory.
# shellcheck disable=SC2086
(cd "$root" && $cc -std=c11 -O0 -g3 $probes -I. -DPORTABLE_TARGET_EMULATE=1 tests/emulate/faults.c \
    host/emulate/emulate.c host/emulate/objects.c -lm -o "$program") || exit 1

# result WHAT STATUS: counts it, and shows the output if the status is not 0
result() {
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1"
        sed -n '1,20s/^/    /p' "$err" "$out"
    fi
}

# says STATUS SENTENCE OPTION... WHAT: the program exits with that status, and its stderr is that
# one sentence, or empty for ""
says() {
    expected=$1 sentence=$2
    shift 2
    # The shell's report of the signal is not part of the program's output.
    exec 3>&2 2>/dev/null
    (exec env "$@" >"$out" 2>"$err" 3>&-)
    status=$?
    exec 2>&3 3>&-
    if [ $status = "$expected" ] && [ "$(cat "$err")" = "$sentence" ]; then
        result "$*" 0
    else
        echo "exit status $status, and expected was $expected with: $sentence"
        result "$*" 1
    fi
}

# Static memory beyond a GPU's limits: the launch fails. Two kernels may have as much shared memory
# each as one.
# limited CONSTANT SHARED SENTENCE: the bytes of memory, and what a launch says, which may be
# nothing
limited() {
    cat >"$directory/limited.c" <<END
#include "portable.h"
CONSTANT(char, first, [$1 - 8]);
CONSTANT(char, second, [8]);
__global__ void reads(int *out)
{
    static __shared__ char tile[$2];
    tile[threadIdx.x] = first[threadIdx.x];
    out[0] = second[0] + tile[threadIdx.x];
}
__global__ void other(int *out)
{
    __shared__ char tile[49152];
    tile[threadIdx.x] = (char)out[0];
    out[0] = tile[threadIdx.x];
}
int main(void)
{
    int *out = NULL;
    PORTABLE_CHECK(portable_malloc((void **)&out, sizeof *out));
    for (int turn = 0; turn < 2; turn++) {
        const portable_status status = KERNEL_LAUNCH(reads, 1, 1, 0, 0, out);
        if (turn > 0) {
            fputs(portable_last_message(), stderr);
            return status != PORTABLE_SUCCESS || KERNEL_LAUNCH(other, 1, 1, 0, 0, out) != status;
        }
        portable_last_error();
    }
}
END
    # shellcheck disable=SC2086
    (cd "$root" && $cc -std=c11 -O0 -I. -DPORTABLE_TARGET_EMULATE=1 "$directory/limited.c" \
        host/emulate/emulate.c host/emulate/objects.c -lm -o "$directory/limited") || exit 1
    says "$([ -z "$3" ] && echo 0 || echo 1)" "$3" "$directory/limited"
}
limited 65536 49152 ''
limited 65537 49152 \
    'kernel reads: 65537 bytes of constant memory in the program, and the limit is 65536'
limited 65536 49153 "kernel reads: the program's shared variable tile has 49153 bytes, and the \
limit is 49152; use dynamic shared memory"

# A fault fails the launch, and PORTABLE_CHECK ends the program.
# faults SENTENCE OPTION... WHAT
faults() {
    sentence="  device error: kernel $1"
    shift
    (exec env "$@" >"$out" 2>"$err")
    status=$?
    if [ $status = 1 ] && [ "$(sed -n 2p "$err")" = "$sentence" ] &&
        [ "$(grep -c '^tests/emulate/faults.c:[0-9]*: KERNEL_LAUNCH' "$err")" = 1 ]; then
        result "$*" 0
    else
        echo "exit status $status, and expected was 1 with: $sentence"
        result "$*" 1
    fi
}
overflow='descends: stack overflow in block (2, 0, 0), thread (33, 0, 0)'
faults "$overflow: over 256 KiB; PORTABLE_STACK=1024 in the environment gives each thread more" \
    "$program" deep
faults "$overflow: over 64 KiB; PORTABLE_STACK=256 in the environment gives each thread more" \
    PORTABLE_STACK=64 "$program" deep
says 0 '' PORTABLE_STACK=1024 "$program" deep
faults "$overflow: over 1024 KiB; PORTABLE_STACK=4096 in the environment gives each thread more" \
    PORTABLE_STACK=1024 "$program" overflow
if [ -n "$probes" ]; then
    faults "has_a_large_array: stack overflow in block (0, 0, 0), thread (0, 0, 0): over 256 KiB; \
PORTABLE_STACK=1024 in the environment gives each thread more" "$program" array
    says 0 '' PORTABLE_STACK=16384 "$program" array
fi
faults 'writes_to_nowhere: invalid access in block (1, 2, 0), thread (3, 4, 0): address 0x1230' \
    "$program" nowhere
faults 'copies_from_nowhere: invalid access in block (0, 0, 0), thread (3, 0, 0): address 0x10' \
    "$program" copy
if [ "$(uname -m)" = x86_64 ]; then # other processors return a quotient
    faults 'divides: division by zero, or a quotient too large, in block (0, 0, 0), thread (7, 0, 0)' \
        "$program" divide
fi
# Not a kernel's: the signal ends the program, with 128 + SIGSEGV.
says 139 '' "$program" host
# The next launch works.
says 0 '' "$program" again
grep -qx 'invalid access, and then all squares are right' "$out"
result again $?

# A barrier that no other thread can reach.
line_of() {
    grep -n -F -- "$1" "$here/faults.c" | head -n 1 | cut -d: -f1
}
# outside WHAT LINE NAME
outside() {
    says 1 "tests/emulate/faults.c:$2: $3 outside of a kernel, or in one that was called like a \
function: start it with KERNEL_LAUNCH" "$program" "$1"
}
outside barrier "$(line_of 'SYNC_THREADS();')" SYNC_THREADS
outside raw-barrier "$(($(line_of '/* a breakpoint is here */') - 1))" __syncthreads
outside vote "$(line_of '__any_sync(')" __any_sync
outside grid-barrier "$(($(line_of '"grid-barrier"') + 1))" SYNC_GRID

# A launch that does not end: where its threads are.
# endless WHAT KERNEL LINE...: at its limit the program says that of KERNEL, and aborts
endless() {
    what=$1 kernel=$2
    shift 2
    says 134 "kernel $kernel did not end within 1 s of processor time:
$(printf '    %s\n' "$@")" PORTABLE_NOTICE=0 PORTABLE_LIMIT=1 "$program" "$what"
}
# here TEXT: the line of faults.c with it
here() {
    echo "tests/emulate/faults.c:$(line_of "$1")"
}
passed_one=$(($(line_of 'while (blockIdx.x == 1 && threadIdx.x == ENDLESS && out[0] == 0) {') - 1))
endless spins spins "block (0, 0, 0), thread (33, 0, 0) runs at $(here 'while (threadIdx.x == ENDLESS && out[0] == 0)')" \
    "block (0, 0, 0), thread (0, 0, 0) and 32 more have ended" \
    "block (0, 0, 0), thread (34, 0, 0) and 5 more have not started" \
    "3 of 4 blocks have not started"
endless spins-between spins_between \
    "block (1, 0, 0), thread (33, 0, 0) runs at tests/emulate/faults.c:$((passed_one + 1))" \
    "block (1, 0, 0), thread (0, 0, 0) and 32 more wait at __syncthreads, tests/emulate/faults.c:$((passed_one + 3))" \
    "block (1, 0, 0), thread (34, 0, 0) and 5 more have passed __syncthreads, tests/emulate/faults.c:$passed_one" \
    "2 of 4 blocks have not started"
grid_barrier=$(line_of 'SYNC_GRID();')
endless spins-in-grid spins_in_grid \
    "block (1, 0, 0), thread (33, 0, 0) runs at tests/emulate/faults.c:$((grid_barrier + 2))" \
    "block (1, 0, 0), thread (0, 0, 0) and 32 more have ended" \
    "block (1, 0, 0), thread (34, 0, 0) and 5 more have passed SYNC_GRID, tests/emulate/faults.c:$grid_barrier" \
    "block (2, 0, 0), thread (0, 0, 0) and 79 more wait at SYNC_GRID, tests/emulate/faults.c:$grid_barrier"
# Its threads take turns, so which of them runs is not told.
exec 3>&2 2>/dev/null
(exec env PORTABLE_NOTICE=1 PORTABLE_LIMIT=2 "$program" meets-again >"$out" 2>"$err" 3>&-)
status=$?
exec 2>&3 3>&-
[ $status = 134 ] && grep -qx 'still running kernel meets_again, after 1 s of processor time:' "$err" &&
    grep -qx 'kernel meets_again did not end within 2 s of processor time:' "$err" &&
    grep -q "^    block (0, 0, 0), thread (.*__syncthreads, $(here 'while (out[0] == 0)' | sed 's/:.*//'):" "$err"
result meets-again $?
# Neither the program's alarm, nor a handler of the signal that tells of the time.
says 0 '' PORTABLE_NOTICE=0 PORTABLE_LIMIT=0 "$program" alarm
says 0 '' PORTABLE_NOTICE=1 PORTABLE_LIMIT=1 "$program" urgent
grep -qx 'alarmed, and urgent 0 times' "$out"
result 'urgent is not disturbed' $?
for name in NOTICE LIMIT; do
    for seconds in x -1 1.5 1000001 '1 '; do
        says 2 "PORTABLE_$name=$seconds: must be a number of seconds, 0 to 1000000" \
            "PORTABLE_$name=$seconds" "$program" squares
    done
done

# Options: each valid one, and each way to get one wrong.
for order in '' forward reverse shuffle:0 shuffle:7 shuffle:18446744073709551615; do
    says 0 '' "ORDER=$order" "$program" squares
    grep -qx 'all squares are right' "$out"
    result "ORDER=$order" $?
done
for order in backward Reverse shuffle shuffle: shuffle:x shuffle:7x shuffle:-7 'shuffle: 7' \
    shuffle:18446744073709551616 forward,reverse; do
    says 2 "ORDER=$order: must be forward, reverse or shuffle:SEED, a number" "ORDER=$order" \
        "$program" squares
done
for stop in 1 '1,' ,1 x 1,x 1,2,3 1,2x -1,2 1,-2 ' 1,2' '1, 2' 1.2 1,1024 18446744073709551616,0; do
    says 2 "PORTABLE_BREAK=$stop: must be BLOCK,THREAD: the linear numbers of a block and of a \
thread in it" "PORTABLE_BREAK=$stop" "$program" squares
done
for stack in x 0 15 1048577 -64 64k ' 64' 64.0 18446744073709551680; do
    says 2 "PORTABLE_STACK=$stack: must be the KiB of a thread's stack, 16 to 1048576" \
        "PORTABLE_STACK=$stack" "$program" squares
done
says 0 '' PORTABLE_STACK=16 "$program" squares
says 0 '' PORTABLE_BREAK=4,0 "$program" squares # no such block
says 133 '' PORTABLE_BREAK=3,39 "$program" squares # 128 + SIGTRAP: no debugger

# A debugger.
gdb_said=
# debug BREAK ARGUMENT COMMAND...: gdb's output, with BREAK as PORTABLE_BREAK
debug() {
    stop=$1 what=$2
    shift 2
    {
        echo 'set confirm off'
        echo 'set debuginfod enabled off'
        echo 'set disable-randomization off'
        for command in "$@"; do
            printf '%s\n' "$command"
        done
    } >"$directory/commands"
    PORTABLE_BREAK=$stop timeout 600 "$gdb" -nx -batch -x "$directory/commands" --args "$program" \
        "$what" </dev/null >"$out" 2>"$err"
    gdb_said=$(cat "$out" "$err")
}
# expect WHAT PATTERN...: gdb's output has a line for each pattern, in this order
expect() {
    what=$1
    shift
    rest=$(cat "$out")
    for pattern in "$@"; do
        number=$(printf '%s\n' "$rest" | grep -n -m 1 -- "$pattern" | cut -d: -f1)
        if [ -z "$number" ]; then
            echo "gdb did not say: $pattern"
            result "$what" 1
            return
        fi
        rest=$(printf '%s\n' "$rest" | sed "1,${number}d")
    done
    result "$what" 0
}
# The complete backtrace of a simulated thread in the kernel squares.
ends_cleanly() {
    [ "$(grep -c '^#' "$out")" = 2 ] && grep -q '^#0 .*squares (out=' "$out" &&
        grep -q '^#1 .*portable_emulate_enter_ ()' "$out" && ! grep -qi 'corrupt' "$out" "$err"
    result "$1" $?
}

missing=
command -v "$gdb" >/dev/null 2>&1 || missing="there is no $gdb"
if [ -z "$missing" ]; then
    debug '' squares run
    case $gdb_said in
    *'Could not trace the inferior'* | *'ptrace: Operation not permitted'* | *"Couldn't get regis"*)
        missing="$gdb may not trace programs here" ;;
    esac
fi
if [ -z "$missing" ]; then
    line=$(line_of '/* a breakpoint is here */')

    # One thread, by a condition, after a barrier; `next` stays in it, across another.
    debug '' squares "break faults.c:$((line - 1)) if blockIdx.x == 2 && threadIdx.x == 5" run next \
        'print blockIdx' 'print threadIdx' 'print number' backtrace next 'print number' continue
    expect 'a conditional breakpoint' '^Breakpoint 1, squares (out=0x' "^$line" \
        ' = {x = 2, y = 0, z = 0}' ' = {x = 5, y = 0, z = 0}' ' = 85' '^#0 .*squares' ' = 85' \
        '^all squares are right' 'exited normally'
    ends_cleanly 'a backtrace at a conditional breakpoint'
    debug '' squares "break faults.c:$line if blockIdx.x == 2 && threadIdx.x == 40" run
    expect 'a breakpoint whose condition never holds' '^all squares are right' 'exited normally'

    # The first instruction of one thread, by its numbers.
    for way in step 'advance squares' 'tbreak squares|continue'; do
        debug 2,5 squares run "$(printf '%s' "$way" | sed 's/|.*//')" \
            "$(printf '%s' "$way" | sed -n 's/.*|//p')" 'print blockIdx' 'print threadIdx' next \
            'print number' backtrace next next 'print number' continue
        expect "PORTABLE_BREAK and $way" 'received signal SIGTRAP' 'portable_emulate_enter_' \
            '.*squares (out=0x' ' = {x = 2, y = 0, z = 0}' ' = {x = 5, y = 0, z = 0}' ' = 85' \
            ' = 85' '^all squares are right' 'exited normally'
        ends_cleanly "a backtrace after PORTABLE_BREAK and $way"
    done
    debug 9,5 squares run
    expect 'PORTABLE_BREAK of no block' '^all squares are right' 'exited normally'

    # The place of a fault.
    debug '' nowhere run backtrace 'print blockIdx' 'print threadIdx'
    expect 'a fault' 'received signal SIGSEGV' '^#0 .*writes_to_nowhere (out=' \
        '^#1 .*portable_emulate_enter_ ()' ' = {x = 1, y = 2, z = 0}' ' = {x = 3, y = 4, z = 0}'
fi

[ -z "$missing" ] || echo "# LEFT OUT the debugger: $missing"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
