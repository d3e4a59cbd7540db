#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# paths.sh CC SCRATCH
# The checks on a program whose path has blanks, parentheses, several " at " and portable.h in it:
# each report has the whole path and line, each place is reported once, and no check reads or writes
# outside its own memory.
set -u
unset CCACHE_NOHASHDIR # an object from another directory's build would name that directory

cc=$1 scratch=$2
home=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$scratch"
mkdir -p "$scratch/look at it at once (1) at portable.h: at"
cd "$scratch" || exit 1
scratch=$PWD
. "$home/tests/cli/expect.sh"
source="look at it at once (1) at portable.h: at/my at portable.h"

cat >"$source" <<'SOURCE'
#include "portable.h"

KERNEL(halves)(int *x)
{
    if (threadIdx.x < 32)
        __syncthreads();
    if (threadIdx.x >= 32)
        __syncthreads();
    x[threadIdx.x] = 1;
}

KERNEL(one_warp)(int *x)
{
    if (threadIdx.x < 32)
        __syncthreads();
    if (threadIdx.x < 32)
        __syncthreads();
    x[threadIdx.x] = 2;
}

KERNEL(neighbours)(int *x)
{
    __shared__ int tile[64];

    tile[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = tile[63 - threadIdx.x];
}

KERNEL(too_far)(int *x, int n)
{
    x[n + (int)threadIdx.x] = 1;
}

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* Goes on in a child that this process traces. */
static void be_traced(void)
{
    const pid_t child = fork();
    int status;

    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        return;
    }
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status))
        ptrace(PTRACE_CONT, child, NULL, (void *)(long)WSTOPSIG(status));
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
}

int main(int count, char **words)
{
    int *x;

    (void)words;
    if (count == 4)
        be_traced();
    PORTABLE_CHECK(portable_malloc(&x, 64 * sizeof *x));
    PORTABLE_CHECK(portable_memset(x, 0, 64 * sizeof *x));
    for (int turn = 0; turn < 3 && count == 1; turn++) {
        PORTABLE_CHECK(KERNEL_LAUNCH(halves, 2, 64, 0, 0, x));
        PORTABLE_CHECK(KERNEL_LAUNCH(one_warp, 2, 64, 0, 0, x));
    }
    if (count == 2)
        PORTABLE_CHECK(KERNEL_LAUNCH(neighbours, 1, 64, 0, 0, x));
    if (count == 3)
        PORTABLE_CHECK(KERNEL_LAUNCH(too_far, 1, 1, 0, 0, x, 64));
    if (count < 4)
        PORTABLE_CHECK(portable_free(x));
    return 0;
}
SOURCE

# value NAME: the value of a make variable
value() { env -u MAKEFLAGS -u MAKELEVEL make -s -C "$home" CC="$cc" BUILD="$scratch/build" "print-$1" | sed 's/^[^=]*= //'; }
warnings="-std=c11 -Wall -Wextra -w"

# build CHECK OBJECTS FLAGS: builds the program under a check, with its runtime, both with FLAGS
build() {
    check=$1 parts=$2 flags=$3
    objects=
    for part in $parts; do
        # shellcheck disable=SC2086 # lists of words, here and below
        $cc $warnings -O1 -g -fno-omit-frame-pointer $flags -I"$home" -DPORTABLE_TARGET_EMULATE=1 \
            -c "$home"/host/*/"$part.c" -o "$check-$part.o" || exit 1
        objects="$objects $check-$part.o"
    done
    $cc $(value "cc_$check") -I"$home" $(value "instrument_$check") $flags -x c -c "$source" -o "$check.o" || exit 1
    $cc $(value "cc_$check") $(value "wrap_$check") $flags $objects "$check.o" -lm -o "$check" || exit 1
}

# Three places, each reported once for all blocks and launches, without a byte beyond the heap's
# memory.
build synccheck "synccheck findings finding suppressions reports emulate objects" -fsanitize=address
expect 1 "synccheck: 3 divergences in 2 kernels" env ASAN_OPTIONS=detect_leaks=0 ./synccheck
for line in 6 8 15 17; do
    said "$source:$line"
done
said_not "AddressSanitizer"

build racecheck "racecheck findings finding suppressions reports accesses emulate objects" ""
expect 1 "racecheck: race in kernel neighbours" ./racecheck 1
said "at $source:26"
said "at $source:25"
build memcheck "memcheck findings finding suppressions reports emulate objects" ""
expect 1 "memcheck: error in kernel too_far" ./memcheck 1 2
said " at $source:31,"
said " at $source:60"

# Where LeakSanitizer cannot trace the program, device memory is still checked for leaks.
expect 1 "memcheck: host memory is not checked for leaks: LeakSanitizer cannot trace" ./memcheck 1 2 3
said "memcheck: leak: device array x of 256 bytes, allocated at $source:60"
said "memcheck: 1 error in host code"

echo "$failed failed"
[ $failed = 0 ]
