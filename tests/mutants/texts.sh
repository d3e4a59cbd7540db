#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# texts.sh
# Each mutant of *.mutants beside this script (run.sh describes the format) must match the sources:
# the text of `before` occurs once in the file, and that of `after` differs. Runs no mutant. Exit
# status: 1 if one does not match, else 0.
set -u
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
awk '
    function wrong(why) { print FILENAME ": " name ": " why; bad = 1 }
    function check(    line, at) {
        if (name == "") return
        mutants++
        if (!(file in source)) {
            while ((reads = (getline line <file)) > 0) source[file] = source[file] line "\n"
            if (reads < 0) source[file] = ""
            close(file)
        }
        at = before == "" ? 0 : index(source[file], before)
        if (!at || index(substr(source[file], at + 1), before))
            wrong("the text of before does not occur once in " file)
        else if (before == after) wrong("the text of after is that of before")
    }
    function text() { sub(/^[a-z]+/, ""); sub(/^  /, ""); return $0 }
    FNR == 1 || $1 == "mutant" { check(); name = "" }
    $1 == "mutant" { name = $2; file = before = after = ""; befores = afters = 0 }
    $1 == "file" { file = $2 }
    $1 == "before" { before = before (befores++ ? "\n" : "") text() }
    $1 == "after" { after = after (afters++ ? "\n" : "") text() }
    END {
        check()
        print mutants + 0 " mutants"
        exit bad || !mutants
    }' "$here"/*.mutants
