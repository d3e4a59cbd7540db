#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that gdb stops in one chosen thread of a kernel, and shows its indices and its variables.
#
#     tests/gdb/run.sh [CC [DIRECTORY]]     builds program.c with CC (cc) in DIRECTORY (a new one)
#
# GDB names the debugger (gdb). A breakpoint on the marked line of the kernel, with a condition on
# blockIdx and threadIdx, must stop exactly there; one whose condition never holds must not stop.
#
# Exit status: 0 when both are so, 1 when not, 77 when there is no gdb that can run a program.

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

# debug CONDITION: runs the program up to a breakpoint with that condition, prints what is known in
# the thread, and lets it run to its end
debug() {
    timeout 120 "$gdb" -nx -batch \
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

# expect OUTPUT yes|no TEXT: that the output has the text in it, or has not
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

[ $failed -eq 0 ] && echo "gdb stops in block 2, thread 5, and not where no thread is"
exit $failed
