#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# verdicts.sh NVCC SCRATCH [PROGRAM...]
#
# ordercheck's verdict on each program of tests/cuda, at -O0 and -O2, or at LEVELS, must be that of
# orders/verdicts, whose lines have been read beside the sources:
#
#     memory_spaces: proven
#     fences: not proven in add_under_lock sum_by_last_block
#
# PROGRAMs are names without .cu; without any, all are tried. NVCC_CCBIN in the environment is the
# compiler; JOBS: how many programs are built and run at a time.
#
# Exit status: 0 if all verdicts are as listed; 1 if not; 2 for wrong usage.
set -u
LC_ALL=C
export LC_ALL

# verdict_in FILE: of what a program prints to stderr
verdict_in() {
    if grep -q '^ordercheck: every schedule gives the same bits' "$1"; then
        echo proven
    elif grep -q '^ordercheck: no order dependences, and no kernel was launched' "$1"; then
        echo no kernel
    else
        for what in 'not proven' 'order decides'; do
            kernels=$(sed -n "s/^ordercheck: $what in kernel \([^:]*\):.*/\1/p" "$1" | sort -u | tr '\n' ' ')
            [ -z "$kernels" ] || printf '%s ' "$what in ${kernels% }"
        done | sed 's/ $//'
        echo
    fi
}

# one NVCC SCRATCH SOURCE: prints what is not as listed
one() {
    name=$(basename "$3" .cu)
    libraries=$(sed -n 's,^// link: ,,p' "$3")
    for level in ${LEVELS:--O0 -O2}; do
        program=$2/$name$level
        # shellcheck disable=SC2086 # libraries are words
        if ! "$1" --check=ordercheck -Xcompiler $level -Xcompiler -fno-var-tracking -w "$3" -o "$program" \
            $libraries >"$program.log" 2>&1; then
            if grep -q '^portable-nvcc: .*needs' "$program.log"; then
                echo "# LEFT OUT $name: $(sed -n 's/^portable-nvcc: //p' "$program.log")" >&2
                return
            fi
            cat "$program.log"
            continue
        fi
        "$program" >"$program.said" 2>"$program.errors"
        echo "$name: $(verdict_in "$program.errors")" >"$program.verdict"
        grep -qxF -f "$program.verdict" "$listed" || {
            echo "$level: $(cat "$program.verdict")"
            echo "    and not: $(grep "^$name:" "$listed")"
        }
        rm -f "$program"
    done
}

here=$(cd "$(dirname "$0")" && pwd) || exit 2
listed=$here/orders/verdicts
if [ "${1:-}" = --one ]; then
    one "$2" "$3" "$4"
    exit
fi
[ $# -ge 2 ] || { sed -n '3s/^# /usage: /p' "$0" >&2; exit 2; }
nvcc=$1 scratch=$2
shift 2
mkdir -p "$scratch" || exit 2
if [ $# = 0 ]; then
    for source in "$here"/*.cu; do
        set -- "$@" "$(basename "$source" .cu)"
    done
    sed '/^#/d; s/:.*//' "$listed" | sort >"$scratch/listed"
    printf '%s\n' "$@" | sort | cmp -s - "$scratch/listed" || {
        echo "orders/verdicts does not have a line for each program of tests/cuda"
        exit 1
    }
fi
for name; do
    echo "$here/$name.cu"
done | xargs -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" -n 1 "$0" --one "$nvcc" "$scratch" >"$scratch/log"
cat "$scratch/log"
[ ! -s "$scratch/log" ] || exit 1
echo "$# programs have the verdicts that are listed"
