#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that portable.h compiles alone, without a warning, and that several files that include it
# make one program with one state.
#
#     tests/header/run.sh [DIRECTORY [CC TARGET]]
#
# from any directory; builds in DIRECTORY (a new one). With CC and TARGET (serial, openmp, emulate,
# cuda, or cpp: C++ on the first three) tries only that, by default all targets under each compiler.
#
#     CC         an additional C compiler, beside gcc and clang; missing ones are left out
#     NVCC       nvcc (nvcc); empty: none
#     CUDA_HOME  the directory of CUDA (CUDA_PATH, or /usr/local/cuda)
#
#     alone.c                              the header and nothing else
#     first.c, second.c, host_only.c       one program, which checks what the files share
#     kernels.cpp, kernels.c               one program in C++ and C
#     tests/target/*.c                     as C++, on emulate; PART=0 and PART=1 are every second one
#
# Each compiler compiles every file, under each standard and each configuration flag. In a CUDA
# build nvcc compiles all but host_only.c, which is for cc with -DPORTABLE_TARGET_CUDA=1. Without a
# GPU the
# CUDA program is built but not run.
#
# Exit status: 0 if all is well, 1 if not, or if there is no compiler.

set -u
LC_ALL=C
export LC_ALL

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
root=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 1
if [ $# -ge 1 ]; then
    directory=$1
    mkdir -p "$directory" || exit 1
else
    directory=$(mktemp -d) || exit 1
    trap 'rm -rf "$directory"' EXIT
fi
compiler_given=${2:-} only=${3:-} part=${PART:-}
cuda=${CUDA_HOME:-${CUDA_PATH:-/usr/local/cuda}}
nvcc=${NVCC-nvcc}
passed=0
failed=0

# quiet WHAT COMMAND...: the command succeeds and prints nothing
quiet() {
    what=$1
    shift
    if said=$("$@" 2>&1) && [ -z "$said" ]; then
        passed=$((passed + 1))
        return 0
    fi
    failed=$((failed + 1))
    echo "FAIL $what"
    printf '%s\n' "$said" | sed -n '1,12s/^/    /p'
    return 1
}

# silent_about_the_header WHAT COMMAND...: the command succeeds, without a warning about portable.h
silent_about_the_header() {
    what=$1
    shift
    if said=$("$@" 2>&1); then
        said=$(printf '%s\n' "$said" | grep -E 'portable\.h[:(][0-9].*(warning|error)')
        if [ -z "$said" ]; then
            passed=$((passed + 1))
            return 0
        fi
    fi
    failed=$((failed + 1))
    echo "FAIL $what"
    printf '%s\n' "$said" | sed -n '1,12s/^/    /p'
    return 1
}

# run_program WHAT PROGRAM: it succeeds, or is skipped (77)
run_program() {
    said=$("$2" 2>&1)
    case $? in
    0) passed=$((passed + 1)) ;;
    77) echo "# LEFT OUT running $1: ${said#\# SKIP first: }" ;;
    *)
        failed=$((failed + 1))
        echo "FAIL $1"
        printf '%s\n' "$said" | sed 's/^/    /'
        ;;
    esac
}

# compile_all CC NAME FLAGS...: compiles the four files, links them with the objects in $runtime,
# and runs the program
runtime=
compile_all() {
    cc=$1
    name=$2
    shift 2
    rm -f "$directory"/*.o "$directory/program"
    for file in alone first second host_only; do
        # $cc is a list of words.
        # shellcheck disable=SC2086
        quiet "$name: $file.c" $cc "$@" -O2 "-I$root" -c "$here/$file.c" \
            -o "$directory/$file.o" || return
    done
    # shellcheck disable=SC2086
    quiet "$name: link" $cc "$directory/alone.o" "$directory/first.o" "$directory/second.o" \
        "$directory/host_only.o" $runtime -lm -o "$directory/program" &&
        run_program "$name" "$directory/program"
}

# tried TARGET: whether the target was selected
tried() {
    [ -z "$only" ] || [ "$only" = "$1" ]
}

if [ $# -ge 3 ]; then
    candidates=$2
else
    candidates="gcc
clang
${CC:-gcc}"
fi
newline='
'
IFS=$newline
# shellcheck disable=SC2086 # a line each
set -- $candidates
unset IFS
compilers=$(for candidate; do
    # A compiler found under two names is tried once.
    # shellcheck disable=SC2086
    if path=$(command -v ${candidate%% *} 2>/dev/null); then
        echo "$(readlink -f "$path") $candidate"
    fi
done | sort -u -k 1,1 | cut -d ' ' -f 2-)

if [ -z "$compilers" ]; then
    echo "FAIL there is no C compiler"
    exit 1
fi

warnings='-Wall -Wextra -Wshadow -Wundef -Werror'

# every_flag CC NAME: compile_all under each standard and each configuration flag, each of them once,
# or with WIDE=1 in the environment each with each
every_flag() {
    pairs='c11: gnu11:PORTABLE_CHECKS c17:PORTABLE_ATOMICS_CAS c11:PORTABLE_PRECISION_DOUBLE'
    [ -z "${WIDE:-}" ] || pairs=$(for standard in c11 gnu11 c17; do
        for flag in '' PORTABLE_CHECKS PORTABLE_ATOMICS_CAS PORTABLE_PRECISION_DOUBLE; do
            echo "$standard:$flag"
        done
    done)
    for pair in $pairs; do
        flag=${pair#*:}
        # $warnings is a list of words.
        # shellcheck disable=SC2086
        compile_all "$1" "$2 -std=${pair%:*}${flag:+ -D$flag=1}" -std="${pair%:*}" $warnings ${flag:+-D$flag=1}
    done
    # The header as a user's own file: all warnings but -Wshadow, which the scopes need.
    # shellcheck disable=SC2086
    compile_all "$1" "$2 -DPORTABLE_SHOW_WARNINGS=1" -std=c11 $warnings -Wno-shadow -Wc++-compat \
        -Wconversion -DPORTABLE_SHOW_WARNINGS=1
}

# emulate_runtime CC: compiles the runtime of the emulate target, whose objects are then $runtime
emulate_runtime() {
    mkdir -p "$directory/emulate"
    runtime=
    for file in emulate objects; do
        # $1 and $warnings are lists of words.
        # shellcheck disable=SC2086
        quiet "$1: host/emulate/$file.c" $1 -std=c11 $warnings -Wstrict-prototypes \
            -Wc++-compat -DPORTABLE_TARGET_EMULATE=1 -O2 "-I$root" \
            -c "$root/host/emulate/$file.c" -o "$directory/emulate/$file.o"
        runtime="$runtime $directory/emulate/$file.o"
    done
}

# for_emulate CC: whether it compiles for a machine that the emulate target runs on
for_emulate() {
    case $($1 -dumpmachine) in
    x86_64-*linux* | aarch64-*linux*) ;;
    *) return 1 ;;
    esac
}

# in_cpp CC FLAGS: the header in C++ on the target of the flags, and programs in C++ and C
in_cpp() {
    # The arguments and $warnings are lists of words.
    # shellcheck disable=SC2086
    {
        for file in alone host_only; do
            for more in -std=c++20 "-DPORTABLE_SHOW_WARNINGS=1 -Wno-shadow -Wconversion" \
                "-DPORTABLE_CHECKS=1 -DPORTABLE_PRECISION_DOUBLE=1"; do
                quiet "$1 $2 $more: $file.c as C++" $1 -x c++ -std=c++17 $warnings $2 $more \
                    "-I$root" -fsyntax-only "$here/$file.c"
            done
        done
        rm -f "$directory"/*.o
        quiet "$1 $2: kernels.c" $1 -std=c11 $warnings $2 -O1 "-I$root" -c "$here/kernels.c" \
            -o "$directory/c.o" &&
            quiet "$1 $2: kernels.cpp" $1 -x c++ -std=c++17 $warnings $2 -O1 "-I$root" \
                -c "$here/kernels.cpp" -o "$directory/cpp.o" &&
            quiet "$1 $2: link" $1 $2 "$directory/c.o" "$directory/cpp.o" $runtime -lstdc++ -lm \
                -o "$directory/kernels" &&
            run_program "$1 $2: C++ and C" "$directory/kernels"
    }
}

# targets_in_cpp CC: the files of one program in C++ and C on emulate, and the tests of the language
# as C++
targets_in_cpp() {
    emulate=-DPORTABLE_TARGET_EMULATE=1
    # $1, $warnings and $runtime are lists of words.
    # shellcheck disable=SC2086
    {
        for file in first second host_only; do
            for language in 'c -std=c11' 'c++ -std=c++17'; do
                quiet "$1 emulate: $file.c, $language" $1 -x $language $warnings $emulate -O1 \
                    "-I$root" -c "$here/$file.c" -o "$directory/$file.${language%% *}.o" || return
            done
        done
        for in_c in first second host_only; do
            objects=
            for file in first second host_only; do
                language=c++
                [ $file != $in_c ] || language=c
                objects="$objects $directory/$file.$language.o"
            done
            quiet "$1 emulate: $in_c.c in C, others in C++" $1 $objects $runtime -lstdc++ -lm \
                -o "$directory/program" &&
                run_program "$1 emulate: $in_c.c in C, others in C++" "$directory/program"
        done
        count=0
        if ! echo '#include "test.h"' | $1 -E "-I$root" "-I$root/tests/target" -x c - \
            >/dev/null 2>&1; then
            echo "# LEFT OUT tests/target as C++: there is no cmocka.h"
            return
        fi
        for file in "$root"/tests/target/test_*.c; do
            name=$(basename "$file" .c)
            count=$((count + 1))
            [ -z "$part" ] || [ $((count % 2)) = "$part" ] || continue
            # Without a header of another project, a test is not built in C either.
            $1 $emulate -E "-I$root" "$file" >/dev/null 2>&1 || continue
            quiet "$1 emulate: $name.c as C++" $1 -x c++ -std=c++17 -Wall -Wextra -Werror \
                -Wno-pragmas $emulate -O0 -ffp-contract=off "-I$root" "$file" -x none $runtime \
                -lcmocka -lstdc++ -lm -o "$directory/$name" &&
                run_program "$1 emulate: $name as C++" "$directory/$name"
        done
    }
}
IFS=$newline
for compiler in $compilers; do
    unset IFS
    # $warnings is a list of words.
    # shellcheck disable=SC2086
    {
        tried serial && every_flag "$compiler" "$compiler"
        if ! tried openmp; then
            :
        elif "$root/host/make/openmp.sh" "$compiler"; then
            every_flag "$compiler -fopenmp" "$compiler -fopenmp"
            quiet "$compiler: mixed_kernels.c" $compiler -std=c11 -O2 "-I$root" \
                -c "$here/mixed_kernels.c" -o "$directory/mixed_kernels.o" &&
                quiet "$compiler -fopenmp: mixed_main.c" $compiler -std=c11 -O2 -fopenmp "-I$root" \
                    "$here/mixed_main.c" "$directory/mixed_kernels.o" -o "$directory/mixed" &&
                run_program "$compiler, some files with -fopenmp" "$directory/mixed"
        else
            echo "# LEFT OUT openmp: $compiler -fopenmp does not work"
        fi
        if ! tried cpp; then
            :
        elif ! echo 'int main() { return 0; }' |
            $compiler -std=c++17 -x c++ - -lstdc++ -o "$directory/cpp" >/dev/null 2>&1; then
            echo "# LEFT OUT C++: $compiler has none"
        else
            in_cpp "$compiler" ''
            "$root/host/make/openmp.sh" "$compiler" && in_cpp "$compiler" -fopenmp
            if for_emulate "$compiler"; then
                emulate_runtime "$compiler"
                in_cpp "$compiler" -DPORTABLE_TARGET_EMULATE=1
                targets_in_cpp "$compiler"
                runtime=
            fi
        fi
        tried emulate && for_emulate "$compiler" || continue
        emulate=-DPORTABLE_TARGET_EMULATE=1
        emulate_runtime "$compiler"
        every_flag "$compiler $emulate" "$compiler emulate"
        runtime=
        # A copy of the header alone is not enough for this target, and says so.
        mkdir -p "$directory/copy"
        cp "$root/portable.h" "$directory/copy/"
        said=$(echo '#include <portable.h>' |
            $compiler -std=c11 $emulate "-I$directory/copy" -fsyntax-only -x c - 2>&1)
        case $said in
        *'needs the directory of host/emulate/ after -I'*) passed=$((passed + 1)) ;;
        *)
            failed=$((failed + 1))
            echo "FAIL $compiler: emulate by a copy of portable.h alone: $said"
            ;;
        esac
    }
done
unset IFS

if ! tried cuda; then
    :
elif [ -n "$nvcc" ] && command -v "$nvcc" >/dev/null 2>&1; then
    compiler=$(printf '%s\n' "$compilers" | head -n 1)
    cu="$nvcc -x cu -std=c++17"
    for flag in '' PORTABLE_CHECKS PORTABLE_ATOMICS_CAS PORTABLE_PRECISION_DOUBLE; do
        define=${flag:+-D$flag=1}
        for file in alone first; do
            # $cu and $define are lists of words.
            # shellcheck disable=SC2086
            quiet "nvcc $define: $file.c" $cu -Werror all-warnings -Xcompiler -Wall,-Wextra \
                $define "-I$root" -c "$here/$file.c" -o "$directory/$file.o"
        done
    done
    # CUDA's own headers are not clean under -Wundef.
    # shellcheck disable=SC2086
    silent_about_the_header "nvcc -DPORTABLE_SHOW_WARNINGS=1: first.c" $cu -Xcompiler \
        -Wall,-Wextra,-Wundef -DPORTABLE_SHOW_WARNINGS=1 "-I$root" -c "$here/first.c" \
        -o "$directory/first.o"

    # $compiler and $warnings are lists of words.
    # shellcheck disable=SC2086
    quiet "$compiler -DPORTABLE_TARGET_CUDA=1: host_only.c" $compiler -std=c11 $warnings \
        -DPORTABLE_TARGET_CUDA=1 "-I$root" -isystem "$cuda/include" -c "$here/host_only.c" \
        -o "$directory/host_only.o"
    # shellcheck disable=SC2086
    quiet "$compiler -DPORTABLE_TARGET_CUDA=1: alone.c" $compiler -std=c11 $warnings \
        -DPORTABLE_TARGET_CUDA=1 "-I$root" -isystem "$cuda/include" -c "$here/alone.c" \
        -o "$directory/alone.o"
    # shellcheck disable=SC2086
    quiet "nvcc: first.c" $cu "-I$root" -c "$here/first.c" -o "$directory/first.o" &&
        quiet "nvcc: second.c" $cu "-I$root" -c "$here/second.c" -o "$directory/second.o" &&
        quiet "nvcc: link" "$nvcc" "$directory/alone.o" "$directory/first.o" \
            "$directory/second.o" "$directory/host_only.o" -o "$directory/program_cuda" &&
        run_program "the CUDA program" "$directory/program_cuda"
else
    echo "# LEFT OUT CUDA: there is no nvcc"
fi

echo "$passed passed, $failed failed"
if [ -n "$only" ] && [ "$passed$failed" = 00 ]; then
    echo "skipped: $compiler_given cannot be tried for $only here"
    exit 77
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
