#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that one C file with portable.h compiles, links and, where possible, runs on Linux with
# musl, on macOS and on Windows, and that parts that need Linux or glibc are refused with one
# sentence.
#
#     tests/systems/run.sh [DIRECTORY]     from any directory; builds in DIRECTORY (a new one)
#
#     ZIG      the compiler for all these systems ("python3 -m ziglang", or zig)
#     WINE     runs programs for Windows (wine)
#     LLVM_NM  lists the symbols of programs for macOS (llvm-nm)
#
# Missing tools are left out, in one line each; tests/systems/deps.sh installs them. zig builds the
# C library of each system on first use, which takes minutes, and keeps it.
#
# Exit status: 0 if all is well, 1 if not, 77 if there is no compiler.

set -u
LC_ALL=C
export LC_ALL
unset ORDER DISPLAY

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
root=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 1
if [ $# -ge 1 ]; then
    directory=$1
    mkdir -p "$directory" && directory=$(CDPATH='' cd -- "$directory" && pwd) || exit 1
    made=
else
    directory=$(mktemp -d) || exit 1
    made=$directory
fi
WINEPREFIX=$directory/wine
WINEDEBUG=-all
WINEDLLOVERRIDES='mscoree,mshtml='
export WINEPREFIX WINEDEBUG WINEDLLOVERRIDES
trap '[ ! -d "$WINEPREFIX" ] || wineserver -k 2>/dev/null; [ -z "$made" ] || rm -rf "$made"' EXIT

passed=0
failed=0
fail() {
    failed=$((failed + 1))
    echo "FAIL $1"
    printf '%s\n' "$2" | sed -n '1,12s/^/    /p'
}
left_out() {
    echo "# LEFT OUT $1"
}

# quiet WHAT COMMAND...: the command succeeds and prints nothing
quiet() {
    what=$1
    shift
    if said=$("$@" 2>&1) && [ -z "$said" ]; then
        passed=$((passed + 1))
        return 0
    fi
    fail "$what" "$said"
    return 1
}

# says WHAT TEXT COMMAND...: it succeeds, with TEXT in its output
says() {
    what=$1 text=$2
    shift 2
    if said=$("$@" 2>&1) && printf '%s\n' "$said" | grep -qF -- "$text"; then
        passed=$((passed + 1))
        return 0
    fi
    fail "$what: does not say: $text" "$said"
}

# refuses WHAT TEXT COMMAND...: it fails, with TEXT as its only error
refuses() {
    what=$1 text=$2
    shift 2
    if said=$("$@" 2>&1); then
        fail "$what: succeeds" "$said"
    elif printf '%s\n' "$said" | grep -qF -- "$text" &&
        [ "$(printf '%s\n' "$said" | grep -c 'error: ')" -le 1 ]; then
        passed=$((passed + 1))
    else
        fail "$what: does not say, as its one error: $text" "$said"
    fi
}

# The README's first program.
# shellcheck disable=SC2016
sed -n '/^```c file=saxpy.c$/,/^```$/p' "$root/README.md" | sed '1d;$d' >"$directory/saxpy.c"
[ -s "$directory/saxpy.c" ] || fail "README.md has no saxpy.c" ""

# builds NAME COMMAND...: builds the programs of this directory with that compiler
builds() {
    name=$1
    shift
    set -- "$@" -std=c11 -Wall -Wextra -Wshadow -Wundef -Werror -O2 -g0 "-I$root"
    out=$directory/$(printf '%s' "$name" | tr -c 'a-z0-9\n' '-')
    quiet "$name: saxpy.c" "$@" "$directory/saxpy.c" -o "$out-saxpy.exe" &&
        quiet "$name: differs.c" "$@" "$here/differs.c" -o "$out-differs.exe" &&
        quiet "$name: three files, one state" "$@" "$root/tests/header/alone.c" \
            "$root/tests/header/first.c" "$root/tests/header/second.c" \
            "$root/tests/header/host_only.c" -o "$out-files.exe"
}
# runs NAME TARGET [RUNNER...]: runs the programs of `builds`
runs() {
    name=$1 target=$2
    shift 2
    says "$name: saxpy.c" "$target: y[999] = 1998" "$@" "$out-saxpy.exe"
    says "$name: differs.c" "nothing differs" "$@" "$out-differs.exe"
    says "$name: three files" "three files share one state" "$@" "$out-files.exe"
}

# The make rules ask for a compiler's -dumpmachine.
compiler_for() {
    printf '#!/bin/sh\necho %s\n' "$1" >"$directory/cc-$1"
    chmod +x "$directory/cc-$1"
}
makes() {
    MAKEFLAGS='' MAKELEVEL='' "${MAKE:-make}" -s -C "$root" NVCC= CC="$directory/cc-$1" \
        BUILD="$directory/build" "$2" "$3"
}
compiler_for arm64-apple-darwin
compiler_for x86_64-alpine-linux-musl
refuses "make TARGET=emulate for macOS" "it needs Linux on x86-64 or aarch64" \
    makes arm64-apple-darwin emulate V=1
refuses "make racecheck for macOS" "it needs Linux on x86-64 or aarch64" \
    makes arm64-apple-darwin racecheck V=1
refuses "make serial for macOS" "they need Linux" makes arm64-apple-darwin serial V=1
refuses "make racecheck for musl" "they need glibc" makes x86_64-alpine-linux-musl racecheck V=1
rm -rf "$directory/build"

wine=${WINE:-wine}
command -v "$wine" >/dev/null 2>&1 || wine=
found=

# windows NAME TARGET COMMAND...
windows() {
    name=$1 target=$2
    shift 2
    found=1
    builds "$name" "$@" || return
    if [ -n "$wine" ]; then
        runs "$name" "$target" "$wine"
    else
        left_out "running programs of $name: there is no wine"
    fi
}

# macos NAME COMMAND...: one-per-program symbols exist once, and KERNEL_LAUNCH_BOUNDS defines its
# own, in place of the common memory that a prototype leaves
macos() {
    name=$1
    shift
    found=1
    builds "$name" "$@" || return
    refuses "$name: emulate" "the emulate target needs Linux" "$@" -std=c11 "-I$root" \
        -DPORTABLE_TARGET_EMULATE=1 -c "$root/tests/header/alone.c" -o "$out.o"
    if [ -z "$nm" ]; then
        left_out "the symbols of programs of $name: there is no llvm-nm"
        return
    fi
    symbols=$("$nm" -m "$out-files.exe")
    twice=$(printf '%s\n' "$symbols" | sed -n 's/.* external \(_portable_.*\)/\1/p' | sort | uniq -d)
    [ -z "$twice" ] || fail "$name: symbols that are there twice" "$twice"
    for symbol in 'weak external _portable_table_' 'weak external _portable_failure_' \
        '(__DATA,__data) external _portable_bounds_at_most_128_' \
        '(__DATA,__common) external _portable_bounds_add_'; do
        case $symbols in
        *"$symbol"*) passed=$((passed + 1)) ;;
        *) fail "$name: there is no $symbol" "$(printf '%s\n' "$symbols" | grep _portable_)" ;;
        esac
    done
}

# musl NAME RUNNER COMMAND...: the serial and the emulate target
musl() {
    name=$1 runner=$2
    shift 2
    found=1
    builds "$name" "$@" -static || return
    if [ "$runner" != native ] && ! command -v "$runner" >/dev/null 2>&1; then
        left_out "running programs of $name: there is no $runner"
        return
    fi
    [ "$runner" != native ] || runner=
    # $runner is empty or one word.
    # shellcheck disable=SC2086
    runs "$name" serial $runner
    builds "$name emulate" "$@" -static -DPORTABLE_TARGET_EMULATE=1 \
        "$root/host/emulate/emulate.c" "$root/host/emulate/objects.c" || return
    # shellcheck disable=SC2086
    runs "$name emulate" emulate $runner
    refuses "$name: the checks" "need glibc" "$@" -std=c11 "-I$root" -o "$out.o" -c \
        "$root/host/checks/synccheck.c"
}

# runner_for MACHINE: native on that machine, else its qemu
runner_for() {
    if [ "$(uname -s)-$(uname -m)" = "Linux-$1" ]; then echo native; else echo "qemu-$1"; fi
}

nm=${LLVM_NM:-llvm-nm}
command -v "$nm" >/dev/null 2>&1 || nm=
zig=${ZIG:-}
if [ -z "$zig" ]; then
    for candidate in "python3 -m ziglang" zig; do
        [ -n "$zig" ] || ! $candidate version >/dev/null 2>&1 || zig=$candidate
    done
fi
if [ -n "$zig" ] && $zig version >/dev/null 2>&1; then
    # $zig is a list of words.
    # shellcheck disable=SC2086
    {
        macos "macOS on arm64" $zig cc -target aarch64-macos
        macos "macOS on x86-64" $zig cc -target x86_64-macos
        windows "Windows, zig" serial $zig cc -target x86_64-windows-gnu
        musl "musl on x86-64, zig" "$(runner_for x86_64)" $zig cc -target x86_64-linux-musl
        musl "musl on aarch64, zig" "$(runner_for aarch64)" $zig cc -target aarch64-linux-musl
    }
else
    left_out "macOS, and zig's compiler for Windows and musl: there is no zig"
fi
mingw=x86_64-w64-mingw32-gcc
if command -v $mingw >/dev/null 2>&1; then
    windows "Windows, mingw-w64" serial $mingw -static
    if "$root/host/make/openmp.sh" "$mingw"; then
        windows "Windows, mingw-w64 -fopenmp" openmp $mingw -fopenmp -static
    fi
else
    left_out "mingw-w64: there is no $mingw"
fi
if command -v musl-gcc >/dev/null 2>&1; then
    musl "musl, musl-gcc" native musl-gcc
else
    left_out "musl-gcc: there is none"
fi

if [ "$failed" -eq 0 ] && [ -z "$found" ]; then
    echo "skipped: there is no compiler for another system (tests/systems/deps.sh installs some)"
    exit 77
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
