#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that gdb stops in one chosen thread of a kernel and shows its indices and variables, and
# that each command of host/project/gdb/portable.py works on serial, openmp and emulate.
#
#     tests/gdb/run.sh [CC [DIRECTORY]]     builds programs with CC (cc) in DIRECTORY (a new one)
#
# GDB names the debugger (gdb). A breakpoint on the marked line of the kernel, with a condition on
# blockIdx and threadIdx, must stop exactly there; one whose condition never holds must not stop.
# The sessions below give the output expected of each command; commands.awk compares.
#
# Exit status: 0 if all is well, 1 if not, 77 without a gdb that can run a program.

set -u
LC_ALL=C
export LC_ALL

cc=${1:-cc}
gdb=${GDB:-gdb}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
root=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 1
if [ $# -ge 2 ]; then
    directory=$2
    mkdir -p "$directory" || exit 1
else
    directory=$(mktemp -d) || exit 1
    trap 'rm -rf "$directory"' EXIT
fi
program=$directory/program
failed=0

if ! command -v "$gdb" >/dev/null 2>&1; then
    echo "skipped: there is no $gdb to try breakpoints with"
    exit 77
fi

# $cc is a list of words.
# shellcheck disable=SC2086
$cc -std=c11 -O0 -g3 -I"$root" "$here/program.c" -o "$program" || exit 1
line=$(grep -n 'the breakpoint is here' "$here/program.c" | cut -d: -f1)

# debug CONDITION: runs the program up to a breakpoint with that condition, prints the thread's
# indices and variables, and runs it to its end
debug() {
    timeout 600 "$gdb" -nx -batch \
        -ex 'set confirm off' -ex 'set debuginfod enabled off' -ex 'set disable-randomization off' \
        -ex "break program.c:$line if $1" \
        -ex run \
        -ex 'printf "blockIdx (%d, %d, %d)\n", blockIdx.x, blockIdx.y, blockIdx.z' \
        -ex 'printf "threadIdx (%d, %d, %d)\n", threadIdx.x, threadIdx.y, threadIdx.z' \
        -ex 'printf "blockDim %d gridDim %d\n", blockDim.x, gridDim.x' \
        -ex 'printf "number %d\n", number' \
        -ex 'backtrace 1' \
        -ex continue \
        "$program" </dev/null 2>&1
}

# expect OUTPUT yes|no TEXT: whether the output must or must not have the text
expect() {
    if printf '%s\n' "$1" | grep -qF -- "$3"; then found=yes; else found=no; fi
    if [ "$found" != "$2" ]; then
        if [ "$2" = yes ]; then echo "gdb did not say: $3"; else echo "gdb said: $3"; fi
        failed=1
    fi
}

said=$(debug 'blockIdx.x == 2 && threadIdx.x == 5')
case $said in
*'Could not trace the inferior'* | *'ptrace: Operation not permitted'* | *"Couldn't get registers"*)
    echo "skipped: $gdb may not trace programs here"
    exit 77
    ;;
esac
expect "$said" yes 'Breakpoint 1, '
expect "$said" yes 'blockIdx (2, 0, 0)'
expect "$said" yes 'threadIdx (5, 0, 0)'
expect "$said" yes 'blockDim 8 gridDim 4'
expect "$said" yes 'number 21'
expect "$said" yes 'square (squares='
expect "$said" yes 'all squares are right' # it stopped once, and then ran to its end
expect "$said" yes 'exited normally'
[ $failed -eq 0 ] || printf '%s\n' "$said" | sed 's/^/    /'

control=$(debug 'blockIdx.x == 2 && threadIdx.x == 8')
failed_before=$failed
expect "$control" no 'Breakpoint 1, '
expect "$control" no 'number '
expect "$control" yes 'all squares are right'
expect "$control" yes 'exited normally'
[ $failed -eq $failed_before ] || printf '%s\n' "$control" | sed 's/^/    /'

# ---- the commands of host/project/gdb/portable.py ----

if [ "$("$gdb" -nx -batch -ex 'python print(1)' 2>/dev/null)" != 1 ]; then
    [ $failed -eq 0 ] && echo "gdb stops in one thread; it has no Python: portable.py was not tried"
    exit $failed
fi
sessions=0 lines=0

# LINE(TEXT) in a session is the place of the comment that begins with TEXT; PORTABLE and CORE are
# files.
places() {
    while IFS= read -r text; do
        case $text in
        *PORTABLE*) text="${text%%PORTABLE*}$root/host/project/gdb/portable.py${text#*PORTABLE}" ;;
        *CORE*) text="${text%%CORE*}$directory/core${text#*CORE}" ;;
        *'LINE('*)
            comment=${text#*LINE(}
            comment=${comment%%)*}
            number=$(grep -n "/\* $comment" "$here/threads.c" | cut -d: -f1)
            text="${text%%LINE(*}threads.c:$number${text#*LINE("$comment")}"
            ;;
        esac
        printf '%s\n' "$text"
    done
}

# session TARGET: reads the expected output from stdin
session() {
    places >"$directory/session"
    {
        printf 'set %s\n' 'confirm off' 'debuginfod enabled off' 'disable-randomization off' \
            'width 0' 'style enabled off'
        awk -v list=1 -f "$here/commands.awk" "$directory/session"
    } >"$directory/commands"
    # Commands from stdin: gdb does not stop after one that fails.
    OMP_NUM_THREADS=2 timeout 600 "$gdb" -nx -q -iex 'set prompt' -x "$root/host/project/gdb/portable.py" \
        "$directory/$1" <"$directory/commands" >"$directory/printed" 2>&1
    sed 's/^ *@@/@@/' "$directory/printed" >"$directory/said"
    if awk -v counted="$directory/counted" -f "$here/commands.awk" "$directory/session" \
        "$directory/said"; then
        sessions=$((sessions + 1))
    else
        echo "gdb on $1 did not say what it should"
        failed=1
    fi
    lines=$((lines + $(cat "$directory/counted")))
}

# shellcheck disable=SC2086
build() {
    $cc -std=c11 -O0 -g3 -pthread -I"$root" "$here/threads.c" "$@" -lm || exit 1
}
build -o "$directory/serial"
targets=serial
if "$root/host/make/openmp.sh" "$cc"; then
    build -fopenmp -o "$directory/openmp"
    targets="$targets openmp"
else
    echo "# LEFT OUT openmp: $cc -fopenmp does not work"
fi
# shellcheck disable=SC2086
case $($cc -dumpmachine) in
x86_64-*linux* | aarch64-*linux*)
    for file in emulate objects; do
        $cc -std=c11 -O2 -g -fno-omit-frame-pointer -I"$root" -DPORTABLE_TARGET_EMULATE=1 \
            -c "$root/host/emulate/$file.c" -o "$directory/$file.o" || exit 1
    done
    build -DPORTABLE_TARGET_EMULATE=1 "$directory/emulate.o" "$directory/objects.o" \
        -o "$directory/emulate"
    targets="$targets emulate"
    ;;
esac

# The same on all targets.
for target in $targets; do
    session "$target" <<'END'
> info block
The program is not being run.
> info allocation
The program is not being run.
> print $at(0, 0)
= 0
> break LINE(before) if $at(2, 5)
> run
Breakpoint 1, ...turned
tile[threadIdx.x] = x[i]
> info block
kernel turned, grid (3, 1, 1) of blocks (8, 1, 1)
block 2 (2, 0, 0), thread 5 (5, 0, 0)
> print i
= 21
> print $mine(mine)
= 210
> print $at(2, 5)
= 1
> print $at(2)
= 1
> print $at(2, 4)
= 0
> print $at(1, 5)
= 0
> print $at(1)
= 0
> info allocation x
x: byte 0 of 96 bytes of device memory at 0x
element 0 of 24 of type const int
> info allocation &x[i]
&x[i]: byte 84 of 96 bytes of device memory at 0x
element 21 of 24 of type const int
> info allocation (char *)x + 3
byte 3 of 96 bytes
> info allocation
: 96 bytes of device memory
: 96 bytes of device memory
: 48 bytes of device memory
: 4 bytes of device memory
4 allocations, 244 bytes
> info allocation &i
is in no live allocation.
> info allocation i
It is no pointer.
> print $device(x)
= {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}
> print $device(&x[20])
= {20, 21, 22, 23}
> print $device(x)[7]
= 7
> print $device((char *)&x[22] + 2)
= "\000\000\027\000\000"
> print $device((void *)&x[23])
= "\027\000\000"
> kill
> delete
> break LINE(in a function) if $at(1, 3)
> run
Breakpoint 2, ...plus
> info block
block 1 (1, 0, 0), thread 3 (3, 0, 0)
> up
turned
> print $mine(mine) == 10 * i && i == 11
= 1
> delete
> tbreak LINE(in host code)
> continue
main
> info block
! block 
> print h[4]
= 1
> print $device(h)[23]
= 5.75
> print/x h[4].bits
= 0x3c00
> print b
= -1.5
> print half_from_bits(0xfc00)
= -inf
> continue
all is right
exited normally
END
done

for target in $targets; do
    [ "$target" != emulate ] || continue
    session "$target" <<'END'
> break LINE(after it) if $at(1, 3)
> run
Breakpoint 1, ...turned
> print $mine(mine)
= 110
> print $mine(mine, 5)
= 130
> print $mine(pair)
= {11, -11}
> print $mine(pair, 0)[1]
= -8
> print $mine(mine, 8)
There is no thread 8: the block is (8, 1, 1).
> print $mine(i)
$mine takes a PRIVATE
> block 1 thread 5
Here a block's threads are turns of loops
$at(B, T)
> delete
> tbreak LINE(the barrier) if $at(1)
> run
Temporary breakpoint
> info block
kernel turned
block 1 (1, 0, 0), outside the loops over its threads
> print $at(1, 0)
= 0
> print $mine(mine)
No thread runs here
> print $mine(mine, 2)
= 100
> up
KERNEL_LAUNCH(turned
> info block
The selected frame and its callers are in no FOR_EACH_BLOCK.
> kill
END
done

case $targets in
*emulate*)
    session emulate <<'END'
> break LINE(before) if $at(1, 5)
> run
Breakpoint 1, ...turned
> info block
kernel turned, grid (3, 1, 1) of blocks (8, 1, 1)
block 1 (1, 0, 0), thread 5 (5, 0, 0) runs
5 threads wait at SYNC_THREADS, ...LINE(the barrier): 0-4
2 threads have not started: 6-7
> set $sp_before = $sp
> set $pc_before = $pc
> block 1 thread 2
block 1 (1, 0, 0), thread 2 (2, 0, 0) waits at SYNC_THREADS, ...LINE(the barrier)
turned
SYNC_THREADS
> print threadIdx
= {x = 2, y = 0, z = 0}
> print mine
= 100
> print pair
= {10, -10}
> backtrace
portable_emulate_viewed_
turned
portable_emulate_enter_
> info block
thread 5 (5, 0, 0) runs
0-4
> block 1 thread (4, 0, 0)
thread 4 (4, 0, 0) waits
> print mine
= 120
> print plus(mine, 1)
= 121
> block
thread 5 (5, 0, 0) runs
tile[threadIdx.x] = x[i]
> print $sp == $sp_before && $pc == $pc_before
= 1
> print mine
= 130
> print threadIdx.x
= 5
> block 1 thread 0
> print threadIdx.x
= 0
> next
! SIGILL
> print threadIdx.x
= 5
> print blockIdx.x
= 1
> block 1 thread 6
Block 1, thread 6 has not started. To stop where it does:
tbreak turned if $at(1, 6)
> block 0 thread 6
Block 1 runs, and block 0 does not
tbreak turned if $at(0, 6)
> block 1 thread 8
There is no thread 8: the block is (8, 1, 1).
> block 1 thread (2, 1, 0)
There is no thread (2, 1, 0): the block is (8, 1, 1).
> block 3 thread 0
There is no block 3: the grid is (3, 1, 1).
> block 1
It is: block B thread T
> print $mine(mine, 3)
block 1 thread 3, then print it
> thread 1
Thread
> thread apply all print 6 * 7
= 42
> delete
> tbreak LINE(after it) if $at(1, 3)
> continue
Temporary breakpoint 2, ...turned
> info block
thread 3 (3, 0, 0) runs
3 threads have ended: 0-2
4 threads have passed SYNC_THREADS, ...LINE(the barrier), and wait for their turn: 4-7
> block 1 thread 1
Block 1, thread 1 has ended.
> block 1 thread 7
thread 7 (7, 0, 0) has passed SYNC_THREADS, ...LINE(the barrier), and waits for its turn
> print mine
= 150
> block
> generate-core-file CORE
Saved corefile
> block 1 thread 7
> continue
! SIGILL
all is right
exited normally
> block 1 thread 7
The program is not being run.
> core-file CORE
> info block
thread 3 (3, 0, 0) runs
3 threads have ended: 0-2
> block 1 thread 7
It takes a running program
> info block
thread 3 (3, 0, 0) runs
END
    # Not the pages that are reserved for more stacks, 8 GB.
    if [ "$(wc -c <"$directory/core")" -gt 1000000000 ]; then
        echo "the core file has $(wc -c <"$directory/core") bytes"
        failed=1
    fi
    rm -f "$directory/core"
    session emulate <<'END'
> tbreak turned if $at(1, 6)
> run
Temporary breakpoint 1, ...turned
> info block
block 1 (1, 0, 0), thread 6 (6, 0, 0) runs
6 threads wait at SYNC_THREADS, ...LINE(the barrier): 0-5
1 thread has not started: 7
> block 1 thread 5
> print mine
= 130
> kill
> tbreak LINE(after the grid's)
> run
Temporary breakpoint 2, ...summed
> info block
kernel summed, grid (3, 1, 1) of blocks (8, 1, 1)
block 1 (1, 0, 0), thread 0 (0, 0, 0) runs
7 threads have passed SYNC_GRID, ...LINE(the grid's barrier), and wait for their turn: 1-7
blocks that have ended: 0
blocks that wait for the grid: 2
> block 2 thread 0
block 2 (2, 0, 0), thread 0 (0, 0, 0) waits at SYNC_GRID, ...LINE(the grid's barrier)
shared memory is block 1's, which runs
> print blockIdx.x
= 2
> block 0 thread 0
Block 0, thread 0 has ended.
> block
block 1 (1, 0, 0), thread 0 (0, 0, 0) runs
> print blockIdx.x
= 1
> tbreak LINE(in host code)
> run
main
> block 1 thread 5
No kernel runs.
> info block
No kernel runs.
> continue
all is right
END
    # An OS thread other than the launch's may look at the threads, too.
    session emulate <<'END'
> break LINE(after it) if $at(0, 3)
> run another
Breakpoint 1, ...turned
> thread 1
> info block
block 0 (0, 0, 0), thread 3 (3, 0, 0) runs
> block 0 thread 6
> print mine
= 60
> thread 2
turned
> info block
block 0 (0, 0, 0), thread 3 (3, 0, 0) runs
> block 0 thread 7
> print mine
= 70
> thread 1
> block
thread 3 (3, 0, 0) runs
threads.c:
> print mine
= 30
> thread
Current thread is 2
> block 0 thread 5
> thread 1
> next
! SIGILL
> delete
> continue
all is right
exited normally
END
    # A user's own hook stays, and the view still cannot affect the run.
    session emulate <<'END'
> python gdb.execute("define hook-continue\necho my own hook\\n\nend")
> python gdb.execute("define hook-next\necho my own next\\n\nend")
> source PORTABLE
! No such file
> break LINE(after it) if $at(2, 3)
> run
> block 2 thread 6
thread 6 (6, 0, 0) has passed
> continue
my own hook
SIGILL
The view of a waiting thread has ended; give the command again.
> print threadIdx.x
= 3
> block 2 thread 7
> next
my own next
SIGILL
The view of a waiting thread has ended; give the command again.
> print threadIdx.x
= 3
> next
my own next
! SIG
> print threadIdx.x
= 3
> delete
> continue
my own hook
all is right
exited normally
END
    ;;
esac

[ $failed -eq 0 ] && echo "gdb stops in block 2, thread 5, and not where no thread is;" \
    "portable.py: $lines lines of $sessions sessions on $targets"
exit $failed
