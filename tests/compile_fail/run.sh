#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that misuse of portable.h does not compile, and that the diagnostics explain why.
#
#     tests/compile_fail/run.sh CC [CC...]     from any directory, with gcc and clang, by any name
#
# Each *.c beside this script is a case. Its first lines:
#
#     // expect: MESSAGE             in the diagnostics of every compiler
#     // expect-gcc: MESSAGE         of gcc only
#     // expect-clang: MESSAGE       of clang only
#     // flags: FLAGS                compiler flags; -std=c11 unless they name a standard
#     // needs: cuda                 skipped without CUDA's headers
#     // needs: c++                  skipped if the compiler has no C++
#     // errors: NUMBER              exactly that number of errors
#
# A case passes if it fails to compile with that message, and, as its control, compiles without
# diagnostics with -DCORRECTED. CUDA_HOME is the directory of CUDA.
#
# The header is precompiled once for all cases that begin with it and set no flags.
#
# Exit status: 0 if every case passed, 1 if one failed or there was none.

set -u
LC_ALL=C
export LC_ALL

if [ $# -eq 0 ]; then
    echo "usage: $0 CC [CC...]" >&2
    exit 1
fi

cases=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
cd -- "$cases/../.." || exit 1
cuda=${CUDA_HOME:-${CUDA_PATH:-/usr/local/cuda}}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
passed=0
failed=0
skipped=0
without_cpp=0

# report FILE COMPILER WHAT DIAGNOSTICS
report() {
    echo "FAIL $(basename "$1" .c) ($2): $3"
    if [ -n "$4" ]; then
        printf '%s\n' "$4" | sed -n '1,6s/^/    /p'
    fi
    failed=$((failed + 1))
}

# header FILE KEY: the text of a line `// KEY: ...`
header() {
    sed -n "1,6s|^// $2: ||p" "$1"
}

for cc in "$@"; do
    case $($cc --version 2>/dev/null) in
    *clang*) family=clang ;;
    '')
        report "no_such_compiler.c" "$cc" "does not run" ""
        continue
        ;;
    *) family=gcc ;;
    esac
    # gcc finds portable.h.gch where it looks for portable.h; clang needs an option.
    precompiled=
    rm -f "$scratch"/*
    echo '#include "portable.h"' >"$scratch/all.h"
    # shellcheck disable=SC2086 # $cc is a list of words
    if $cc -Wall -Wextra -std=c11 -I. -x c-header "$scratch/all.h" -o "$scratch/portable.h.gch"; then
        precompiled="-I$scratch"
        [ $family = gcc ] || precompiled="-include-pch $scratch/portable.h.gch"
    else
        report "the_header.c" "$cc" "is not compiled alone" ""
    fi
    for file in "$cases"/*.c; do
        [ -e "$file" ] || continue
        expected=$(header "$file" expect)
        [ -n "$expected" ] || expected=$(header "$file" "expect-$family")
        if [ -z "$expected" ]; then
            report "$file" "$cc" "has no '// expect: MESSAGE' for $family" ""
            continue
        fi
        flags=$(header "$file" flags)
        if [ -z "$flags" ] && [ "$(grep -m 1 '^#' "$file")" = '#include "portable.h"' ]; then
            flags=$precompiled
        fi
        case $flags in
        *-std=*) ;;
        *) flags="-std=c11 $flags" ;;
        esac
        case $(header "$file" needs) in
        cuda)
            if [ ! -e "$cuda/include/cuda_runtime_api.h" ]; then
                skipped=$((skipped + 1))
                continue
            fi
            flags="$flags -isystem $cuda/include"
            ;;
        c++)
            if ! $cc -x c++ -fsyntax-only /dev/null 2>/dev/null; then
                without_cpp=$((without_cpp + 1))
                continue
            fi
            ;;
        esac
        # $cc and $flags are lists of words.
        # shellcheck disable=SC2086
        if said=$($cc -Wall -Wextra -fsyntax-only $flags -I. "$file" 2>&1); then
            report "$file" "$cc" "compiles" "$said"
            continue
        fi
        if ! printf '%s\n' "$said" | grep -qF -- "$expected"; then
            report "$file" "$cc" "does not say: $expected" "$said"
            continue
        fi
        errors=$(header "$file" errors)
        if [ -n "$errors" ] && [ "$(printf '%s\n' "$said" | grep -c 'error: ')" -ne "$errors" ]; then
            report "$file" "$cc" "does not give $errors errors" "$said"
            continue
        fi
        # shellcheck disable=SC2086
        if ! said=$($cc -Wall -Wextra -fsyntax-only $flags -I. -DCORRECTED "$file" 2>&1) ||
            [ -n "$said" ]; then
            report "$file" "$cc" "does not compile cleanly with -DCORRECTED" "$said"
            continue
        fi
        passed=$((passed + 1))
    done
done

[ "$skipped" -eq 0 ] || echo "# LEFT OUT $skipped cases of CUDA: there are no CUDA headers in $cuda/include"
[ "$without_cpp" -eq 0 ] || echo "# LEFT OUT $without_cpp cases of C++: the compiler has none"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
