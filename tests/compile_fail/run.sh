#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that misuse of portable.h does not compile, and that the diagnostics explain why.
#
#     tests/compile_fail/run.sh CC [CC...]     from any directory, with gcc and clang, by any name
#     tests/compile_fail/run.sh --cases DIRECTORY CC [CC...]      the cases in another directory
#
# Each *.c beside this script is a family of cases. A case begins with its name and what it expects,
# and ends where the next one begins:
#
#     // case: NAME
#     // expect: MESSAGE             in an error of every compiler
#     // expect-gcc: MESSAGE         of gcc only
#     // expect-clang: MESSAGE       of clang only
#     // errors: NUMBER              exactly that number of errors
#
# A family is compiled once with all its mistakes, and the line of an error identifies its case;
# then once with -DCORRECTED, the control, which must give no diagnostics. wrong.h has
# WRONG and RIGHT. gcc reports an undeclared function only once per file, and a name once per
# function or, outside functions, once per file: two such cases need two functions or files.
#
#     // flags: FLAGS                before the first case: compiler flags of the family
#     // again: FLAGS                once more with these flags: each case fails with them, too
#
# With -S among them the compiler generates code, otherwise it stops after its analysis.
#
# The default standard is -std=c11. Where the flags are the mistake, each case has its own and is
# compiled apart:
#
#     // flags: FLAGS
#     // corrected: FLAGS            instead of them for the control; by default none
#
# Cases with "-x c++" are skipped if the compiler has no C++, and with -DPORTABLE_TARGET_CUDA=1 if
# CUDA_HOME has no headers.
#
# Exit status: 0 if every case passed, 1 if one failed or there was none.

set -u
LC_ALL=C
export LC_ALL

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
cases=tests/compile_fail
if [ "${1:-}" = --cases ] && [ $# -gt 1 ]; then
    cases=$2
    shift 2
fi
if [ $# -eq 0 ]; then
    echo "usage: $0 [--cases DIRECTORY] CC [CC...]" >&2
    exit 1
fi
cd -- "$here/../.." || exit 1
cuda=${CUDA_HOME:-${CUDA_PATH:-/usr/local/cuda}}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# judge ARGUMENTS...: of cases.awk
judge() {
    awk -v compiler="$compiler" -f "$here/cases.awk" "$@" || echo "FAIL $file: not understood"
}

# compile FLAGS...: $file by $cc, into $scratch/said
compile() {
    case " $* " in
    *" -std="*) ;;
    *) set -- -std=c11 "$@" ;;
    esac
    case " $* " in
    *" -S "*) set -- "$@" -o /dev/null ;;
    *) set -- -fsyntax-only "$@" ;;
    esac
    # shellcheck disable=SC2086 # a list of words
    $cc -Wall -Wextra $apart "$@" -I. "$file" >"$scratch/said" 2>&1
}

# try CASE FLAGS CORRECTED: one run of $file; an empty CASE is all
try() {
    case "$2 " in
    *-DPORTABLE_TARGET_CUDA=1*)
        if [ ! -e "$cuda/include/cuda_runtime_api.h" ]; then
            echo "# LEFT OUT ${1:-$file}: there are no CUDA headers in $cuda/include"
            return
        fi
        set -- "$1" "$2 -isystem $cuda/include" "$3 -isystem $cuda/include"
        ;;
    *"-x c++ "*)
        if ! $cc -x c++ -fsyntax-only /dev/null 2>/dev/null; then
            echo "# LEFT OUT ${1:-$file}: the compiler has no C++"
            return
        fi
        ;;
    esac
    # shellcheck disable=SC2086 # $2 and $3 are lists of words
    {
        compile $2
        judge -v only="$1" "$file" "$scratch/said"
        if ! compile $3 -DCORRECTED || [ -s "$scratch/said" ]; then
            echo "FAIL ${1:-$file}: does not compile cleanly with -DCORRECTED"
            sed -n '1,6s/^/    /p' "$scratch/said"
        fi
    }
}

for cc in "$@"; do
    echo "# $cc"
    # Every error on one line, at the place where a macro is used.
    case $($cc --version 2>/dev/null) in
    *clang*) compiler=clang apart='-fno-caret-diagnostics -ferror-limit=0' ;;
    '')
        echo "FAIL no such compiler: $cc"
        continue
        ;;
    *) compiler=gcc apart='-fno-diagnostics-show-caret -fmax-errors=0 -ftrack-macro-expansion=0' ;;
    esac
    sed -n 's|^// case: ||p' "$cases"/*.c | sort | uniq -d | sed 's/^/FAIL a case is there twice: /'
    for file in "$cases"/*.c; do
        judge "$file" >"$scratch/runs"
        grep '^FAIL' "$scratch/runs" ||
            while IFS='|' read -r name flags corrected; do
                try "$name" "$flags" "$corrected"
            done <"$scratch/runs"
    done
done >"$scratch/results"

grep -v '^PASS' "$scratch/results"
passed=$(grep -c '^PASS' "$scratch/results")
failed=$(grep -c '^FAIL' "$scratch/results")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
