#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh SCRATCH [--changed COMMIT] [--seconds S] [NAME|FILE...]
# Mutants: small deliberate mistakes, made one at a time in a copy of the sources, which the steps
# of make check must notice. Runs those of *.mutants beside this script, or of these the ones with a
# NAME, or in a FILE:
#
#     mutant  NAME              unique
#     file    PATH              of the source, from the root
#     before  TEXT              the original text, which must occur once: lines, each with its own
#                               before, or a part of one
#     after   TEXT              its replacement, likewise; empty removes the text
#     step    STEP [VAR=VALUE]  a step of make check that must fail, with variables for make; if
#                               there are several, one that fails is enough, so the cheapest comes
#                               first
#     equivalent  WHY           in place of steps: why no test can notice
#
# Blank lines separate mutants. A text begins after the word and two blanks, and ends with the line.
# --changed selects those in files that differ from COMMIT, and after them those with a NAME or in a
# FILE; all if there are none. --seconds runs as many as that time allows, and begins elsewhere in
# each of the two lists on each commit.
#
# In SCRATCH, tree/ is the copy, whose build output the next run uses again; table is the result.
# Environment: MUTANT_SECONDS, the limit of a step, default 300.
# Exit status: 0 if each mutant was caught or is equivalent, and at least one was caught; 1 if one
# survived, does not compile, or does not match the sources; 2 usage.
set -u
LC_ALL=C
export LC_ALL

usage() {
    echo "usage: run.sh SCRATCH [--changed COMMIT] [--seconds S] [NAME|FILE...]" >&2
    exit 2
}
[ $# -ge 1 ] || usage
scratch=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$scratch/tree" && scratch=$(cd "$scratch" && pwd) || exit 2
tree=$scratch/tree
exec 9>"$scratch/lock"
flock -n 9 || { echo "run.sh: another one runs in $scratch" >&2; exit 2; }
changed='' seconds='' names=''
while [ $# -gt 0 ]; do
    case $1 in
    --changed | --seconds)
        [ $# -ge 2 ] || usage
        if [ "$1" = --changed ]; then changed=$2; else seconds=$2; fi
        shift
        ;;
    -*) usage ;;
    *) names="$names $1" ;;
    esac
    shift
done
case $seconds in *[!0-9]*) usage ;; esac
began=$(date +%s)
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES ONLY EXCEPT FORCE CASES WRONG ORDER BUILD

# ---- the list: NAME, FILE, and the number of the first line in `all`, one mutant per line ----

cat "$here"/*.mutants >"$scratch/all"
awk '
    function text() { sub(/^[a-z]+ */, ""); return $0 }
    !/^(mutant|file|before|after|step|equivalent)( |$)/ && !/^#/ && NF { print "line " NR " is no part of a mutant: " $0 >"/dev/stderr"; bad = 1 }
    /^mutant / {
        line = NR
        name = text()
        if (name in seen) { print "two mutants are named " name >"/dev/stderr"; bad = 1 }
        seen[name]
        next
    }
    /^file / { print name "\t" text() "\t" line }
    END { exit bad }
' "$scratch/all" >"$scratch/every" || exit 1
for name in $names; do
    awk -F '\t' -v name="$name" '$1 == name || $2 == name { print; found = 1 } END { exit !found }' "$scratch/every" || {
        echo "run.sh: there is no mutant, and no file with mutants, $name" >&2
        exit 2
    }
done >"$scratch/named" || exit 2
: >"$scratch/touched"
if [ -n "$changed" ]; then
    git -C "$root" diff --name-only "$changed" -- >"$scratch/changed" || exit 2
    awk -F '\t' 'FNR == NR { changed[$1]; next } $2 in changed' "$scratch/changed" "$scratch/every" >"$scratch/touched"
fi
[ -n "$names" ] || [ -s "$scratch/touched" ] || cp "$scratch/every" "$scratch/named"
# in_turns LIST: one mutant of each file in turn, from a place that depends on the commit
in_turns() {
    start=$(git -C "$root" rev-parse HEAD 2>/dev/null | cut -c 1-6)
    awk -F '\t' '{ print ++turn[$2] "\t" $0 }' "$1" | sort -n | cut -f 2- |
        awk -v start="$(printf '%d' "0x${start:-0}")" '{ line[NR] = $0 }
            END { for (i = 0; i < NR; i++) print line[(start + i) % NR + 1] }'
}
for list in touched named; do
    if [ -n "$seconds" ]; then in_turns "$scratch/$list"; else cat "$scratch/$list"; fi
done | awk '!seen[$0]++' >"$scratch/list"
[ -s "$scratch/list" ] || { echo "run.sh: there are no mutants" >&2; exit 2; }

# ---- the copy: differing files are copied, surplus files removed ----

(cd "$root" && if [ -e .git ]; then git ls-files --cached --others --exclude-standard; else
    find . -path ./build -prune -o -type f -print | sed 's,^\./,,'
fi) | while read -r file; do [ -f "$root/$file" ] && echo "$file"; done | sort >"$scratch/files"
(cd "$tree" && find . -path ./build -prune -o -type f -print | sed 's,^\./,,' | sort) | comm -13 "$scratch/files" - |
    while read -r file; do rm "$tree/$file"; done
while read -r file; do
    cmp -s "$root/$file" "$tree/$file" || { mkdir -p "$tree/$(dirname "$file")" && cp -p "$root/$file" "$tree/$file" && touch "$tree/$file"; }
done <"$scratch/files"

# A compiler's or linker's, of a source or an object.
compile_error='^[^ ]*:[0-9][0-9]*:[0-9][0-9]*: \(fatal \)\{0,1\}error: \|: undefined reference to '

# part MUTANT WORD: the text of its lines with that word
part() {
    awk -v line="$1" -v word="$2" '
        NR > line && /^mutant / { exit }
        NR >= line && $1 == word { sub(/^[a-z]+/, ""); sub(/^  /, ""); print }' "$scratch/all"
}

# step STEP [VAR=VALUE]: runs it in the copy; 0 passed, 1 failed, 2 could not be built, 3 skipped, 4
# took too long
step() {
    result=$tree/build/check/steps/$1
    rm -f "$result.failed" "$result.skipped"
    timeout "${MUTANT_SECONDS:-300}" make -s -C "$tree" check ONLY="$1" ${2+"$2"} >"$scratch/said" 2>&1 </dev/null
    code=$?
    [ $code != 124 ] || return 4
    if [ -e "$result.failed" ]; then
        # Some steps compile the sources themselves.
        log=$tree/build/check/logs/$1.log
        if grep -qs "$compile_error" "$log"; then
            grep -m 1 "$compile_error" "$log" >"$scratch/said"
            return 2
        fi
        return 1
    fi
    if [ -e "$result.skipped" ]; then return 3; fi
    [ $code = 0 ] || return 2
}

# Replaces the text, which must occur once.
mutate() {
    BEFORE=$2 AFTER=$3 awk '
        { all = all $0 "\n" }
        END {
            before = ENVIRON["BEFORE"]
            at = index(all, before)
            if (at == 0 || index(substr(all, at + 1), before)) exit 1
            printf "%s%s%s", substr(all, 1, at - 1), ENVIRON["AFTER"], substr(all, at + length(before))
        }' "$1"
}

caught=0 survived=0 equivalent=0 wrong=0 left=0 skipped=0
: >"$scratch/table"
# row NAME FILE VERDICT
row() {
    printf '%-36s %-28s %s\n' "$1" "$2" "$3" | tee -a "$scratch/table"
}
# Steps, with their variables, that are known to pass without a mutant: one a line.
: >"$scratch/good"
while IFS='	' read -r name file line <&3; do
    if [ -n "$seconds" ] && [ $(($(date +%s) - began)) -ge "$seconds" ]; then
        left=$((left + 1))
        continue
    fi
    before=$(part "$line" before) after=$(part "$line" after) why=$(part "$line" equivalent | sed 's/^ *//')
    cp "$tree/$file" "$scratch/original"
    if ! mutate "$scratch/original" "$before" "$after" >"$scratch/mutated" || cmp -s "$scratch/original" "$scratch/mutated"; then
        row "$name" "$file" "WRONG: the text of before does not stand there once"
        wrong=$((wrong + 1))
        continue
    fi
    if [ -n "$why" ]; then
        row "$name" "$file" "equivalent: $why"
        equivalent=$((equivalent + 1))
        continue
    fi
    verdict='' ran=''
    part "$line" step | sed 's/^ *//' >"$scratch/steps"
    while read -r words <&4; do
        # shellcheck disable=SC2086 # a step, and variables
        set -- $words
        if ! grep -qxF -- "$*" "$scratch/good"; then
            step "$@"
            case $? in
            0) echo "$*" >>"$scratch/good" ;;
            3) continue ;;
            *)
                verdict="WRONG: step $* does not pass without a mutant"
                break
                ;;
            esac
        fi
        cp "$scratch/mutated" "$tree/$file"
        ran=1
        step "$@"
        case $? in
        1) verdict="caught by $1" ;;
        2) verdict="WRONG: it does not compile: $(grep -m 1 -i 'error\|undefined' "$scratch/said")" ;;
        4) verdict="caught by $1, which does not end" ;;
        esac
        cp "$scratch/original" "$tree/$file"
        [ -z "$verdict" ] || break
    done 4<"$scratch/steps"
    case $verdict in
    caught*) caught=$((caught + 1)) ;;
    WRONG*) wrong=$((wrong + 1)) ;;
    *)
        if [ -n "$ran" ]; then
            verdict="SURVIVED: $(tr '\n' ' ' <"$scratch/steps")"
            survived=$((survived + 1))
        else
            verdict="left out: its steps are skipped here: $(tr '\n' ' ' <"$scratch/steps")"
            skipped=$((skipped + 1))
        fi
        ;;
    esac
    row "$name" "$file" "$verdict"
done 3<"$scratch/list"

echo
echo "$caught caught, $survived survived, $equivalent equivalent, $wrong wrong$(
    [ $skipped = 0 ] || echo ", $skipped left out")$([ $left = 0 ] || echo "; no time for $left more")"
[ $caught -gt 0 ] || echo "run.sh: no mutant was caught, so nothing was tested"
[ $survived = 0 ] && [ $wrong = 0 ] && [ $caught -gt 0 ]
