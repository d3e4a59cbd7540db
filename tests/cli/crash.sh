#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# crash.sh CC SCRATCH
# A run that crashes or runs out of memory is one failed line, with a command that shows more, and
# the other cases still run. Builds the gallery of crash/cases/crashes.c in SCRATCH, for each CPU
# target.
set -u

cc=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
scratch=$(cd "$scratch" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD GOLDEN CASES SOURCES ORDER LIMIT PORTABLE_LIMIT PORTABLE_NOTICE
# shellcheck disable=SC3045 # where a shell has it
ulimit -c 0 2>/dev/null
PORTABLE=$(cd "$here/../../host" && pwd)
export PORTABLE
project=$scratch/project
cp -R "$here/crash" "$project"

make() {
    env make -s -C "$project" CC="$cc" CPPFLAGS=-O0 CHECK_CFLAGS="-O0 -g" QUICKLY=-g1 "$@"
}
has() { [ "$(make print-"$1")" != "$1 = " ]; }
targets=serial
if has HAVE_OPENMP; then targets="$targets openmp"; fi
if has HAVE_EMULATE; then targets="$targets emulate"; fi
for target in $targets; do
    make "build/$target-exact/gallery" || exit 1
done
serial=$project/build/serial-exact/gallery

# sentence CASE TARGET HOW
sentence() {
    echo "  $1, n = 32, block 64, $2: $3; to see where: make memcheck CASES=$1 ARGS=\"--n 32 --block 64\""
}
if [ "$(uname -m)" = x86_64 ]; then divides="Floating point exception"; else divides=; fi

for target in $targets; do
    gallery=$project/build/$target-exact/gallery
    if [ $target = emulate ]; then # the launch fails, and the case's other runs go on
        expect 2 "$target: 38 runs, NOT ALL AGREE" "$gallery" check
        said "  case nowhere, n = 32, block 64, emulate: device error: kernel writes_to_nowhere: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x1230; to see where: make memcheck CASES=nowhere ARGS=\"--n 32 --block 64\""
    else
        expect 1 "$target: 36 runs, NOT ALL AGREE" "$gallery" check
        said "$(sentence nowhere $target "Segmentation fault")"
    fi
    [ -z "$divides" ] || said "$(sentence divides $target "$divides")"
    said "$(sentence aborts $target Aborted)"
    said "$(sentence overflows $target "Segmentation fault")"
    said "$(sentence exits $target "exited with status 3")"
    said "$(sentence succeeds $target "exited with status 0")"
    [ "$(grep -c ' FAILED' "$scratch/out")" = 6 ] || fail "not six rows fail: $(cat "$scratch/out")"
    for name in before after; do
        grep -q "^$name  *6  $target : reference .* ok" "$scratch/out" || fail "case $name did not go on"
    done
    # One run, a row for each run, one case.
    expect 1 "gallery: $(sentence aborts $target Aborted | sed 's/^  //')" "$gallery" run aborts --n 32 --block 64
    expect 0 "ok" "$gallery" run aborts --n 32 --block 32
    expect 1 "$(sentence aborts $target Aborted)" "$gallery" check aborts after --every
    said "after                      1  $target : reference"
    expect 1 "$target: 1 runs, NOT ALL AGREE" "$gallery" check aborts --n 32 --block 64
    expect 0 "$target: 1 runs, all agree" "$gallery" check aborts --n 33 --block 64
done

# Compared with another target's results, and with a record.
expect 1 "NOT ALL AGREE" "$serial" check --dump "$scratch/dump" --results "$scratch/results"
said "nowhere                    4  serial : reference"
[ "$(grep -c '^case' "$scratch/results")" = 8 ] || fail "the results do not have each case once"
grep -q "^end	36	1" "$scratch/results" || fail "the results do not end well"
for target in $targets; do
    gallery=$project/build/$target-exact/gallery
    expect 1 "$(sentence aborts $target Aborted)" "$gallery" check before aborts after --against serial="$scratch/dump"
    said "after                      6  $target : serial "
    grep -q "^aborts .*$target : serial .*FAILED" "$scratch/out" || fail "the row of another target is ok"
done
record=$scratch/golden/device/single
mkdir -p "$record/after" "$record/nowhere"
{
    "$serial" info
    for name in nowhere after; do
        echo "case: $name exact"
        echo "run: $name n=32 block=64 y[0:32]"
        cp "$scratch/dump/before/32-64/y.npy" "$record/$name/y.npy"
    done
} >"$record/manifest.txt"
expect 1 "$(sentence nowhere serial "Segmentation fault")" "$serial" check --golden "$scratch/golden"
said "serial: 2 runs, NOT ALL AGREE"
grep -q "^nowhere  *1  serial : device .*FAILED" "$scratch/out" || fail "the record's row is not FAILED"

# All targets' results on one page, and in other orders.
cp -R "$project" "$scratch/paged"
page() { "$PORTABLE/report/report.sh" "$scratch/page" "serial=$serial"; }
expect 1 "index.html" page
grep -q "CASES=overflows" "$scratch/page/index.html" || fail "the page does not have the crash"
expect 1 "Aborted; to see where: make memcheck CASES=aborts" env CASES="before aborts" \
    "$PORTABLE/steps/orders.sh" "$project/build" 1 serial-exact

# The command repeats the same run, and shows its line.
if has HAVE_EMULATE; then
    for name in nowhere ${divides:+divides} aborts overflows; do
        command=$("$serial" check $name | sed -n 's/.*where: make \(.*"\) .*/\1/p')
        case $command in
        "memcheck CASES=$name ARGS="*) ;;
        *) fail "no command for $name: $command" ;;
        esac
        eval "make $command" >"$scratch/out" 2>&1 && fail "make $command passes"
        said "memcheck: error in"
        said "at cases/crashes.c:"
        cp "$scratch/out" "$scratch/memcheck-$name"
    done
    grep -q "kernel writes_to_nowhere.*block (0, 0, 0), thread (0, 0, 0)" "$scratch/memcheck-nowhere" ||
        fail "memcheck does not show the kernel: $(cat "$scratch/memcheck-nowhere")"
fi

# A file whose table of cases is not registered is refused, before the gallery is linked without it.
sed '/^GALLERY_CASES/d; s/CRASHES("/CRASHES("other_/' "$project/cases/crashes.c" >"$project/cases/forgotten.c"
expect 2 "cases/forgotten.c has a table of cases and does not register it: add GALLERY_CASES(NAME_OF_THE_TABLE) behind it" \
    make build/serial-exact/gallery
rm "$project/cases/forgotten.c"

# A program of the user's that does not end, on emulate and under a check. Its kernel is found by -I.
if has HAVE_EMULATE; then
    mkdir "$project/kernels"
    cat >"$project/kernels/forever.c" <<'END'
#include "portable.h"
KERNEL(forever)(const volatile int *end, int *y)
{
    FOR_EACH_BLOCK(64) {
        SYNC_THREADS();
        FOR_EACH_THREAD {
            while (threadIdx.x == 5 && *end == 0) {
            }
            y[threadIdx.x] = 1;
        }
        SYNC_THREADS();
    }
}
END
    cat >"$project/forever.c" <<'END'
#include "kernels/forever.c"
int main(void)
{
    int *end, *y;
    PORTABLE_CHECK(portable_malloc(&end, sizeof *end));
    PORTABLE_CHECK(portable_malloc(&y, 64 * sizeof *y));
    PORTABLE_CHECK(portable_memset(end, 0, sizeof *end));
    PORTABLE_CHECK(KERNEL_LAUNCH(forever, 1, 64, 0, 0, end, y));
    PORTABLE_CHECK(portable_free(y));
    return portable_free(end) != PORTABLE_SUCCESS;
}
END
    for way in "run TARGET=emulate" memcheck racecheck; do
        # shellcheck disable=SC2086 # a list of words
        expect 2 "kernel forever did not end within 1 s of processor time:" make $way SOURCES=forever.c LIMIT=1
        said "    block (0, 0, 0), thread (5, 0, 0) runs at kernels/forever.c:7"
        said "    block (0, 0, 0), thread (0, 0, 0) and 4 more wait at SYNC_THREADS, kernels/forever.c:11"
        said "    block (0, 0, 0), thread (6, 0, 0) and 57 more have passed SYNC_THREADS, kernels/forever.c:5"
    done
fi

# All messages have one form of a path: without the ./ that -I. puts before a file.
if has HAVE_EMULATE; then
    cat >"$project/kernels/paths.c" <<'END'
#include "portable.h"
__global__ void diverges(int *y)
{
    if (threadIdx.x < 32)
        __syncthreads();
    y[threadIdx.x] += 2147483647;
}
END
    cat >"$project/paths.c" <<'END'
#include "kernels/paths.c"
int main(void)
{
    int *y;
    PORTABLE_CHECK(portable_malloc(&y, 64 * sizeof *y));
    PORTABLE_CHECK(portable_memset(y, 1, 64 * sizeof *y));
    PORTABLE_CHECK(KERNEL_LAUNCH(diverges, 1, 64, 0, 0, y));
    PORTABLE_CHECK(portable_free(y));
    return 0;
}
END
    expect 2 "wait at __syncthreads, kernels/paths.c:5" make synccheck SOURCES=paths.c
    said_not "./kernels"
    expect 2 "at kernels/paths.c:6" make memcheck SOURCES=paths.c
    said_not "./kernels"
fi

# In a debugger the gallery is one process, and stops at the crash.
if command -v gdb >/dev/null && gdb -nx -batch -ex run --args /bin/true 2>&1 | grep -q 'exited normally'; then
    for words in "check nowhere" "run nowhere --n 32 --block 64"; do
        # shellcheck disable=SC2086 # a list of words
        expect 0 "SIGSEGV" gdb -nx -batch -ex run -ex backtrace --args "$serial" $words
        said "writes_to_nowhere"
    done
else
    echo "# LEFT OUT the debugger: there is no gdb that can run a program here"
fi

# An environment variable that a target does not understand is reported once.
if has HAVE_EMULATE; then
    expect 2 "ORDER=typo: must be" env ORDER=typo "$project/build/emulate-exact/gallery" check
    [ "$(grep -c typo "$scratch/out")" = 1 ] || fail "ORDER=typo is said more than once"
fi

# Out of memory: the line has the case, the size and the bytes; the next case runs.
short_of_memory() { (ulimit -v $1 && shift && "$serial" "$@"); }
expect 2 "case before, n = 20000000, array y: " short_of_memory 300000 check before after --n 20000000
said "case after, n = 20000000, array y: "
said " 80000000 bytes"
said "serial: 2 runs, NOT ALL AGREE"
expect 2 "case before, n = 20000000, array y: no memory for 320000000 bytes" \
    short_of_memory 400000 check before after --n 20000000
said "case after, n = 20000000, array y: no memory for 320000000 bytes"
said "serial: 2 runs, NOT ALL AGREE"
expect 2 "gallery: case after, n = 20000000, array y: no memory for 320000000 bytes" \
    short_of_memory 400000 run after --n 20000000

# An interrupted program ends, and so does its child.
"$serial" run before --n 500000000 >"$scratch/out" 2>&1 &
program=$!
child=
while [ -z "$child" ] && kill -0 $program 2>/dev/null; do child=$(ps -o pid= --ppid $program | tr -d ' '); done
[ -n "$child" ] || fail "the program has no child"
kill -KILL $program
wait $program 2>/dev/null
outlives=6000
while :; do
    case $(ps -o stat= -p "${child:-none}" 2>/dev/null) in "" | Z*) break ;; esac
    outlives=$((outlives - 1))
    [ $outlives -gt 0 ] || { fail "the child outlives the program"; break; }
    sleep 0.1
done

echo "$failed failed"
[ $failed = 0 ]
