#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# findings.sh NVCC SCRATCH COMPILER...
#
# Compiles each program in tests/cuda/findings/ with a COMPILER as -ccbin, the next one for the next
# program, or with WIDE=1 in the environment with each, and compares what it prints, to stdout and
# stderr together, and its exit status with the comments at its end:
#
#     // memcheck exits with 1:
#     //     memcheck: error in host code: ...
#
# The first word is a check, or emulate for none; VARIABLE=VALUE after it goes into the environment.
# Addresses are compared as 0x.... `// link: -lcurand` names CUDA's libraries that it needs.
# FINDINGS: a pattern of programs, without .cu; JOBS: how many are built and run at a time.
#
# Exit status: 0 if all is as expected; 1 if not; 77 if no compiler can be used; 2 for wrong usage.
set -u
LC_ALL=C
# On stacks, where the thread of a fault is known: tests/cuda/split.sh has the other way.
PORTABLE_SPLIT=0
export LC_ALL PORTABLE_SPLIT

# one PROGRAM.cu COMPILER: in a new directory
one() {
    name=$(basename "$1" .cu) status=0
    directory=$scratch/$name-$2
    rm -rf "$directory"
    mkdir -p "$directory"
    cp "$1" "$directory"
    cd "$directory" || exit 1
    libraries=$(sed -n 's,^// link: ,,p' "$name.cu")
    sed -n 's,^// \(.*\) exits with \([0-9]*\):$,\2 \1,p' "$name.cu" >wanted
    while read -r code check settings; do
        said="// $check${settings:+ $settings} exits with $code:"
        awk -v head="$said" '
            $0 == head { on = 1; next }
            on && /^\/\/     / { print substr($0, 8); next }
            { on = 0 }' "$name.cu" >expected
        if [ "$check" = fpcheck ] && [ "$(uname -m)" != x86_64 ]; then
            echo "# LEFT OUT $name, $check: it needs x86-64"
            continue
        fi
        option=--check=$check
        [ "$check" != emulate ] || option=
        # shellcheck disable=SC2086 # options and settings are words
        [ -e "$check" ] || "$nvcc" -ccbin "$2" -w $option "$name.cu" -o "$check" \
            $libraries >log 2>&1 || {
            echo "$name, $2, $check: does not compile"
            cat log
            exit 1
        }
        # Not the shell's own report of a signal.
        exec 3>&2 2>/dev/null
        # shellcheck disable=SC2086
        (exec env $settings ./"$check" >raw 2>&1 3>&-)
        got=$?
        exec 2>&3 3>&-
        sed 's/0x[0-9a-f]*/0x.../g' raw >said
        if [ $got != "$code" ] || ! cmp -s expected said; then
            echo "$name, $2, $check $settings: exit status $got, and expected was $code"
            diff -u expected said
            status=1
        fi
    done <wanted
    [ -s wanted ] || { echo "$name: expects nothing"; status=1; }
    exit $status
}

if [ "${1:-}" = --one ]; then
    one "$2" "$3"
fi
[ $# -ge 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) || exit 2
nvcc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2" && scratch=$(cd "$2" && pwd) || exit 2
shift 2
export nvcc scratch
usable=
for compiler; do
    # Some packages of clang have the sanitizer's library apart.
    echo 'int main() { return 0; }' | "$compiler" -fsanitize=address,undefined -x c++ - \
        -o "$scratch/sanitized" 2>"$scratch/sanitized.log" || {
        echo "# LEFT OUT $compiler: it is not here, or has no AddressSanitizer"
        continue
    }
    usable="$usable $compiler"
done
if [ -z "$usable" ]; then
    echo "skipped: there is none of $*"
    exit 77
fi
# shellcheck disable=SC2086 # a list of words
set -- $usable
for program in "$here"/findings/${FINDINGS:-*}.cu; do
    for compiler; do
        echo "$program $compiler"
        [ -n "${WIDE:-}" ] || break
    done
    set -- "$@" "$1" && shift
done >"$scratch/pairs"
xargs -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" -L 1 "$0" --one <"$scratch/pairs" \
    >"$scratch/log" 2>&1
status=$?
cat "$scratch/log"
[ $status = 0 ] || exit 1
echo "$(grep -c . "$scratch/pairs") programs report what they should"
