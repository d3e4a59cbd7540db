#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh SCRATCH [--score MIN LIST] [NAME|FILE...]
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
#
# Blank lines separate mutants. A text begins after the word and two blanks, and ends with the line.
# --score runs the mutants in LIST, which generate.py writes: some are equivalent, and some do not
# compile, so the result is the percentage that was caught of those that compile.
#
# In SCRATCH, tree/ is the copy, whose build output the next run uses again; table is the result.
# Environment: MUTANT_SECONDS, which end a step that hangs, default 300.
# Exit status: 0 if each mutant was caught, or with --score at least MIN percent; 1 if one survived,
# does not compile or does not match the sources, or its step fails without it; 2 usage.
set -u
LC_ALL=C
export LC_ALL

usage() {
    echo "usage: run.sh SCRATCH [--score MIN LIST] [NAME|FILE...]" >&2
    exit 2
}
[ $# -ge 1 ] || usage
scratch=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
least='' list=''
if [ "${1:-}" = --score ]; then
    [ $# -ge 3 ] || usage
    least=$2 list=$3
    case $least in *[!0-9]* | '') usage ;; esac
    shift 3
fi
mkdir -p "$scratch/tree" && scratch=$(cd "$scratch" && pwd) || exit 2
tree=$scratch/tree
exec 9>"$scratch/lock"
flock -n 9 || { echo "run.sh: another one runs in $scratch" >&2; exit 2; }
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES ONLY EXCEPT FORCE CASES WRONG ORDER BUILD
unset MUTANTS FILES N SEED MIN # of make mutants

# ---- the list: NAME, FILE, and the number of the first line in `all`, one mutant per line ----

if [ -n "$list" ]; then cat "$list"; else cat "$here"/*.mutants; fi >"$scratch/all" || exit 2
"$here/texts.sh" "$scratch/all" >"$scratch/said" || { cat "$scratch/said"; exit 1; }
awk '$1 == "mutant" { name = $2; line = NR } $1 == "file" { print name "\t" $2 "\t" line }' "$scratch/all" >"$scratch/every"
for name; do
    awk -F '\t' -v name="$name" '$1 == name || $2 == name { print; found = 1 } END { exit !found }' "$scratch/every" || {
        echo "run.sh: there is no mutant, and no file with mutants, $name" >&2
        exit 2
    }
done >"$scratch/list" || exit 2
[ $# -gt 0 ] || cp "$scratch/every" "$scratch/list"

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

# step SECONDS STEP [VAR=VALUE]: runs it in the copy; 0 passed, 1 failed, 2 could not be built, 3
# skipped, 4 took longer than SECONDS, where 0 is no limit
step() {
    result=$tree/build/check/steps/$2
    rm -f "$result.failed" "$result.skipped"
    timeout "$1" make -s -C "$tree" check ONLY="$2" ${3+"$3"} >"$scratch/said" 2>&1 </dev/null
    code=$?
    [ $code != 124 ] || return 4
    if [ -e "$result.failed" ]; then
        # Some steps compile the sources themselves.
        log=$tree/build/check/logs/$2.log
        if grep -qs "$compile_error" "$log"; then
            grep -m 1 "$compile_error" "$log" >"$scratch/said"
            return 2
        fi
        return 1
    fi
    if [ -e "$result.skipped" ]; then return 3; fi
    [ $code = 0 ] || return 2
}

# replace FILE BEFORE AFTER
replace() {
    BEFORE=$2 AFTER=$3 awk '
        { all = all $0 "\n" }
        END {
            before = ENVIRON["BEFORE"]
            at = index(all, before)
            printf "%s%s%s", substr(all, 1, at - 1), ENVIRON["AFTER"], substr(all, at + length(before))
        }' "$1"
}

caught=0 survived=0 broken=0 wrong=0 skipped=0
: >"$scratch/table"
# Steps, with their variables, that are known to pass without a mutant: one a line.
: >"$scratch/good"
while IFS='	' read -r name file line <&3; do
    cp "$tree/$file" "$scratch/original"
    replace "$scratch/original" "$(part "$line" before)" "$(part "$line" after)" >"$scratch/mutated"
    part "$line" step | sed 's/^ *//' >"$scratch/steps"
    verdict='' ran=''
    while read -r words <&4; do
        # shellcheck disable=SC2086 # a step, and variables
        set -- $words
        if ! grep -qxF -- "$*" "$scratch/good"; then
            step 0 "$@"
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
        step "${MUTANT_SECONDS:-300}" "$@"
        case $? in
        1) verdict="caught by $1" ;;
        2) verdict="DOES NOT COMPILE: $(grep -m 1 -i 'error\|undefined' "$scratch/said")" ;;
        4) verdict="caught by $1, which does not end" ;;
        esac
        cp "$scratch/original" "$tree/$file"
        [ -z "$verdict" ] || break
    done 4<"$scratch/steps"
    if [ -z "$verdict" ] && [ -z "$ran" ]; then
        verdict="left out: its steps are skipped here: $(tr '\n' ' ' <"$scratch/steps")"
    fi
    case ${verdict:=SURVIVED: $(tr '\n' ' ' <"$scratch/steps")} in
    caught*) caught=$((caught + 1)) ;;
    DOES*) broken=$((broken + 1)) ;;
    WRONG*) wrong=$((wrong + 1)) ;;
    left*) skipped=$((skipped + 1)) ;;
    *) survived=$((survived + 1)) ;;
    esac
    {
        printf '%-36s %-28s %s\n' "$name" "$file" "$verdict"
        case $verdict in SURVIVED*) diff "$scratch/original" "$scratch/mutated" | sed -n 's/^[<>]/    &/p' ;; esac
    } | tee -a "$scratch/table"
done 3<"$scratch/list"

echo
echo "$caught caught, $survived survived, $broken not compiled, $wrong wrong$(
    [ $skipped = 0 ] || echo ", $skipped left out")"
if [ $caught = 0 ]; then
    echo "run.sh: no mutant was caught, so nothing was tested"
    exit 1
fi
if [ -n "$least" ]; then
    score=$((100 * caught / (caught + survived)))
    echo "score: $score% of those that compile were caught; at least $least% must be"
    [ $score -ge "$least" ] && [ $wrong = 0 ]
else
    [ $survived = 0 ] && [ $broken = 0 ] && [ $wrong = 0 ]
fi
