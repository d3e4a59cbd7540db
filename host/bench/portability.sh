#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# portability.sh DIRECTORY
# Performance portability from DIRECTORY/TARGET.tsv of two targets or more: for each problem, the
# kernel with the highest.
#
# A kernel's efficiency on a target is the shortest known time for its problem over its own time:
# that of the roofline, of a kernel of the gallery, of a library or of the plain loop. Performance
# portability is the harmonic mean of the efficiencies, 0 if a target lacks the kernel (Pennycook,
# Sewall and Lee, "A Metric for Performance Portability", 2016). Kernels are compared if their
# problem, size, bytes and operations are the same.
set -eu

directory=$1
set --
for target in serial openmp cuda; do
    [ ! -e "$directory/$target.tsv" ] || set -- "$@" "$directory/$target.tsv"
done
[ $# -ge 2 ] || exit 0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
: >"$scratch/rows"
awk -v rows="$scratch/rows" -v limits="$scratch/limits" -f "$(dirname "$0")/results.awk" "$@"

awk '
    # A case is shown at its largest size.
    { key = $1 SUBSEP $2 }
    $6 > 0 && (!(key in size) || $3 > size[key]) {
        size[key] = $3
        seconds[key] = $6
        plain[key] = $7
        share[key] = $9
        problem[key] = $8 " " $3 " " $4 " " $5
        if (!($1 in seen_target)) { seen_target[$1]; target[++targets] = $1 }
        if (!($2 in seen_case)) { seen_case[$2]; name[++names] = $2; of_problem[$2] = $8 }
    }
    # The kernels of a library are named LIBRARY:NAME.
    function library(which) { return which ~ /:/ }
    function shorter(key, problem, time, what) {
        if (time > 0 && (!((key, problem) in best) || time < best[key, problem])) {
            best[key, problem] = time
            who[key, problem] = what
        }
    }
    END {
        if (targets < 2)
            exit
        for (t = 1; t <= targets; t++)
            for (c = 1; c <= names; c++) {
                key = target[t] SUBSEP name[c]
                if (!(key in size))
                    continue
                shorter(target[t], problem[key], seconds[key], name[c])
                shorter(target[t], problem[key], plain[key], "the plain loop")
                shorter(target[t], problem[key], share[key] * seconds[key], "the roofline")
            }
        # A case belongs to the problem that it has on the first target that has it.
        for (c = 1; c <= names; c++) {
            sum = present = 0
            if (library(name[c]))
                continue
            for (t = 1; t <= targets; t++) {
                key = target[t] SUBSEP name[c]
                if (!(key in size))
                    continue
                if (!present++)
                    of[c] = target[t] " " problem[key]
                efficiency[c, t] = best[target[t], problem[key]] / seconds[key]
                sum += 1 / efficiency[c, t]
            }
            mean[c] = present == targets ? targets / sum : 0
            if (!(of[c] in winner)) {
                order[++problems] = of[c]
                winner[of[c]] = c
            } else if (mean[c] > mean[winner[of[c]]])
                winner[of[c]] = c
        }
        printf "\n%-18s %-24s", "problem", "one source"
        for (t = 1; t <= targets; t++)
            printf " %7s  %-24s", target[t], "of the time of"
        printf " %s\n", "portability"
        for (p = 1; p <= problems; p++) {
            c = winner[order[p]]
            if (mean[c] == 0)
                continue
            printf "%-18s %-24s", of_problem[name[c]], name[c]
            for (t = 1; t <= targets; t++) {
                key = target[t] SUBSEP name[c]
                printf " %6.0f%%  %-24s", 100 * efficiency[c, t], who[target[t], problem[key]]
            }
            printf " %10.0f%%\n", 100 * mean[c]
        }
    }' "$scratch/rows"
