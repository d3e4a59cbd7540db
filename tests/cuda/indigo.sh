#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# indigo.sh PORTABLE_NVCC SCRATCH INDIGO GRAPH [THREADS BLOCKS]
#
# Scores the checks on the programs of the Indigo suite as they are: INDIGO is the folder with
# indigo_sources and indigo_include (of HiRace's artifact, SC24), GRAPH an input of it. The label is
# in the file's name: boundsBug is an access out of bounds; any other word that ends in Bug, in a
# program without that one, a race. racecheck must report every race and nothing in the programs
# without any bug; memcheck every access out of bounds and nothing in the same programs.
#
# Prints the table and each program that was missed or reported falsely; exit status 1 if there is
# one.
set -u

[ $# -ge 4 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
portable=$1 scratch=$2 indigo=$3 graph=$4 threads=${5:-256} blocks=${6:-1024}
mkdir -p "$scratch"

one() { # SOURCE
    local name label race=none memory=none
    name=$(basename "$1" .cu)
    case $name in
    *boundsBug*) label=bounds ;;
    *Bug*) label=race ;;
    *) label=clean ;;
    esac
    for check in racecheck memcheck; do
        case $check$label in racecheckbounds | memcheckrace) continue ;; esac
        "$portable" --check=$check -I "$indigo/indigo_include" "$1" -o "$scratch/$name.$check" \
            >"$scratch/$name.$check.log" 2>&1 || { echo "$label $check uncompiled $name"; continue; }
        timeout 300 "$scratch/$name.$check" "$graph" "$threads" "$blocks" \
            >"$scratch/$name.$check.log" 2>&1
        # An access out of bounds may end the program after its report.
        if grep -qE "^$check: ([0-9]+|error|race) " "$scratch/$name.$check.log"; then
            echo "$label $check reported $name"
        elif grep -q "^$check: no " "$scratch/$name.$check.log"; then
            echo "$label $check silent $name"
        else
            echo "$label $check broken $name"
        fi
        rm -f "$scratch/$name.$check"
    done
}
export -f one
export portable scratch indigo graph threads blocks

find "$indigo/indigo_sources" -name '*.cu' | sort |
    xargs -d '\n' -P "${JOBS:-2}" -I{} bash -c 'one "$1"' _ {} >"$scratch/results"
awk '
    { n[$2 " " $1 " " $3]++ }
    $3 == "uncompiled" || $3 == "broken" { wrong++; print $3 ": " $4 " (" $2 ")" }
    $1 == "clean" && $3 == "reported" { wrong++; print "false alarm of " $2 ": " $4 }
    $2 == "racecheck" && $1 == "race" { races++; found_races += $3 == "reported"
        if ($3 == "silent") { wrong++; print "missed by racecheck: " $4 } }
    $2 == "memcheck" && $1 == "bounds" { bounds++; found_bounds += $3 == "reported"
        if ($3 == "silent") { wrong++; print "missed by memcheck: " $4 } }
    $1 == "clean" && $2 == "racecheck" { clean++ }
    END {
        printf "racecheck: %d of %d racy programs; memcheck: %d of %d out of bounds; %d clean programs\n",
            found_races, races, found_bounds, bounds, clean
        exit wrong > 0
    }' "$scratch/results"
