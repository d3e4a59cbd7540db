#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that with `make compile_commands.json` and .clangd, clangd understands every kind of file,
# as the serial, emulate and cuda targets see it, and a user's own project.
#
#     tests/editors/run.sh [CC [DIRECTORY [PART]]]     works in DIRECTORY (a new one), for CC (cc)
#
# PART is serial, cuda or own: a view of the sources, or a user's project; default all. CLANGD names
# clangd (clangd), PYTHON a Python 3 (python3). The CUDA view is left out without a CUDA Toolkit.
# Exit status: 0 if clangd does, 1 if not, 77 if there is no clangd.

set -u
LC_ALL=C
export LC_ALL

cc=${1:-cc}
clangd=${CLANGD:-clangd}
python=${PYTHON:-python3}
make=${MAKE:-make}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
root=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 1
if ! command -v "$clangd" >/dev/null 2>&1; then
    echo "skipped: there is no $clangd (Debian: clangd)"
    exit 77
fi
if [ $# -ge 2 ]; then
    directory=$2
    mkdir -p "$directory" && directory=$(CDPATH='' cd -- "$directory" && pwd) || exit 1
else
    directory=$(mktemp -d) || exit 1
    trap 'rm -rf "$directory"' EXIT
fi
part=${3:-}
failed=0
checked=0
fail() {
    echo "$*"
    failed=1
}

# In a copy of the checkout, so that none of the user's files is replaced.
tree=$directory/tree
rm -rf "$tree" "$directory/own"
mkdir -p "$tree" "$directory/own" || exit 1
for name in Makefile .clangd portable.h kernels host tests; do
    cp -R "$root/$name" "$tree" || exit 1
done

# database DIRECTORY ARGUMENT...: makes that directory's compile_commands.json
database() {
    in=$1
    shift
    rm -f "$in/compile_commands.json"
    MAKEFLAGS='' MAKELEVEL='' "$make" -s -C "$in" compile_commands.json BUILD=build CC="$cc" \
        PRECISION=single ATOMICS=native MATH=fast "$@" >"$directory/made" 2>&1 ||
        fail "make compile_commands.json $*: $(cat "$directory/made")"
}

# clean VIEW TEXT FILE...: clangd finds no error in the files, and each one's command contains TEXT
clean() {
    view=$1 text=$2
    shift 2
    for file in "$@"; do
        timeout 600 "$clangd" --clang-tidy=0 --check="$file" --check-lines=1-2 >"$directory/said" 2>&1
        grep -q 'All checks completed, 0 errors' "$directory/said" ||
            fail "$view: clangd does not understand $file:" \
                "$(grep '^E' "$directory/said" | head -n 3)"
        grep 'cc1. args are' "$directory/said" | grep -qF -e "$text" ||
            fail "$view: clangd does not see $file with $text"
        checked=$((checked + 1))
    done
}

cd "$tree" || exit 1
plain="portable.h kernels/reduce.c host/cases/reduce.c host/case.c host/case.h
    host/programs/gallery.c"
tests="tests/target/test_launch.c tests/gdb/program.c"

cuda=$("$make" -s print-CUDA_HOME 2>/dev/null | sed 's/.* = //')

view_serial() {
    # shellcheck disable=SC2086
    clean 'no database' ' -x c ' $plain $tests

    database . TARGET=serial
    clean serial '-D PORTABLE_ATOMICS_CAS=0' kernels/[${WIDE:+r-z}a-q]*.c host/cases/[p-q]*.c
    # shellcheck disable=SC2086
    clean serial ' -x c ' $plain $tests
    clean serial build/harness host/report/page.c
    clean serial '-D PORTABLE_TARGET_EMULATE=1' host/emulate/emulate.c tests/bugs/early_exit.c

    # The test can fail: a mistake is an error.
    printf '%s\n' '#include "portable.h"' 'KERNEL(wrong)(int *x)' '{' '    *x = threadIdx.x;' '}' \
        >kernels/wrong.c
    "$clangd" --check=kernels/wrong.c --check-lines=1-2 >"$directory/said" 2>&1
    grep -q 'threadIdx_exists_only_inside_FOR_EACH_THREAD' "$directory/said" ||
        fail "clangd sees no mistake in a kernel that has one"
    rm kernels/wrong.c

    database . TARGET=emulate
    clean emulate '-D PORTABLE_TARGET_EMULATE=1' kernels/reduce.c host/cases/reduce.c
}

view_cuda() {
    if [ -n "$cuda" ]; then
        database . TARGET=cuda
        clean cuda ' -x cuda ' kernels/[${WIDE:+g-q}r-t]*.c host/cases/reduce.c tests/target/test_launch.c
        clean cuda '-D PORTABLE_TARGET_CUDA=1' host/case.c host/programs/gallery.c
        clean cuda ' -x cuda ' tests/ptx/[n-r]*.cu tests/ptx/texture.cu host/bench/peers/cub.cu
    else
        echo "# LEFT OUT the CUDA view: there is no CUDA Toolkit"
    fi
}

view_own() {
    # Every source once, and flags with quotes.
    if command -v "$python" >/dev/null 2>&1; then
        # shellcheck disable=SC1003
        database . TARGET=serial CFLAGS='-O1 -DTEXT="\"a \\ b\"" '"'"'-DOTHER=x	y'"'"
        "$python" - kernels/*.c host/*.c host/bench/*.c host/report/*.c host/cases/*.c host/programs/*.c tests/unit/*.c \
            tests/target/*.c <<'END' || fail "compile_commands.json is wrong"
import json, os, sys
entries = json.load(open("compile_commands.json"))
files = [e["file"] for e in entries]
wrong = [f for f in sys.argv[1:] if files.count(f) != 1 and not f.endswith("random.c")]
for e in entries:
    a = e["arguments"]
    if e["directory"] != os.getcwd() or a[-2:] != ["-c", e["file"]]:
        wrong.append(e["file"])
    if e["file"] == "kernels/reduce.c" and not ('-DTEXT="a \\ b"' in a and "-DOTHER=x\ty" in a):
        wrong.append("the quotes of CFLAGS: %s" % a)
if wrong or len(set(files)) != len(files):
    print(wrong)
    sys.exit(1)
END
    else
        echo "# LEFT OUT the JSON of compile_commands.json: there is no $python"
    fi

    # A user's own project.
    cd "$directory/own" || exit 1
    cp "$root/tests/gdb/program.c" mine.c
    printf '%s\n' 'KERNEL_SOURCES := mine.c' 'PROGRAMS := mine.c' "include $root/host/portable.mk" \
        >Makefile
    database . TARGET=serial
    clean 'own project' "-I $root" mine.c
    if [ -n "$cuda" ]; then
        database . TARGET=cuda
        clean 'own project' ' -x cuda ' mine.c
    fi
}

for part in ${part:-serial cuda own}; do
    view_$part
done
[ $failed -eq 0 ] && echo "clangd understands $checked of $checked files"
exit $failed
