#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# texts.sh [LIST...]
# Each mutant of LIST, by default of *.mutants beside this script (run.sh describes the format),
# must match the sources: the text of `before` occurs once in the file, and that of `after` differs.
# Runs no mutant. Exit status: 1 if one does not match, or is not written as it must be, else 0.
set -u
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here"/*.mutants
awk -v root="$here/../.." '
    function wrong(why) { print why; bad = 1 }
    function check(    line, path, at) {
        if (name == "") return
        if (names[name]++) wrong("two mutants are named " name)
        mutants++
        if (!(file in source)) {
            path = root "/" file
            while ((reads = (getline line <path)) > 0) source[file] = source[file] line "\n"
            if (reads < 0) source[file] = ""
            close(path)
        }
        at = before == "" ? 0 : index(source[file], before)
        if (!at || index(substr(source[file], at + 1), before))
            wrong(name ": the text of before does not occur once in " file)
        else if (before == after) wrong(name ": the text of after is that of before")
        if (!steps) wrong(name ": it has no step")
    }
    function text() { sub(/^[a-z]+/, ""); sub(/^  /, ""); return $0 }
    FNR == 1 || $1 == "mutant" { check(); name = "" }
    /^#/ || !NF { next }
    $1 == "mutant" { name = $2; file = before = after = ""; befores = afters = steps = 0; next }
    $1 == "file" { file = $2; next }
    $1 == "before" { before = before (befores++ ? "\n" : "") text(); next }
    $1 == "after" { after = after (afters++ ? "\n" : "") text(); next }
    $1 == "step" { steps++; next }
    { wrong(FILENAME ": line " FNR " is no part of a mutant: " $0) }
    END {
        check()
        print mutants + 0 " mutants"
        exit bad || !mutants
    }' "$@"
