#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compare.sh [--missing "TARGET: WHY"]... DIRECTORY TARGET=PROGRAM... [-- ARGUMENT...]
#
# Runs one program, built for several targets, and compares its exit status, what it prints to
# stdout, and the files that it writes. The first target that ends by itself is the one that the
# others are compared with.
#
# All run in this directory, one after the other, without input. Of the files below it, a run has
# written those that are newer than its start; hidden ones, and those in DIRECTORY or $SKIP, do not
# count. DIRECTORY/TARGET gets stdout, stderr and files/. New files are moved there, so that the next
# target starts as the first one did; a file that was there before is copied.
#
# The names of targets count as equal, in lines and in names of files, with the blanks around them.
# Environment:
#
#   IGNORE            an extended regular expression: lines and names of files that match are left out
#   LIMIT             the seconds after which a run is ended; the default is 600, and 0 is no limit
#   SKIP              directories, separated by blanks
#   PORTABLE_COMPARE  the program for .npy files, or empty
#
# Exit status: 0 all are the same; 1 something differs, or a run crashed or was ended; 2 bad input;
# 77 fewer than two targets were given.
set -u

bad() {
    echo "compare: $1" >&2
    exit 2
}
IGNORE=${IGNORE:-} LIMIT=${LIMIT:-600} SKIP=${SKIP:-}
[ -z "$IGNORE" ] || printf '' | grep -E -e "$IGNORE" 2>/dev/null
[ $? -lt 2 ] || bad "IGNORE=$IGNORE: must be an extended regular expression"
limited="timeout $LIMIT"
unset PORTABLE_LIMIT # one limit is enough, the same for all targets
[ "$LIMIT" != 0 ] || limited=
missing=''
while [ "${1:-}" = --missing ] && [ $# -gt 1 ]; do
    missing="$missing${missing:+; }$2"
    shift 2
done
[ $# -gt 0 ] || bad "expected a directory"
directory=$1 targets='' count=0
shift
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
    [a-z]*=?*) targets="$targets $1" count=$((count + 1)) ;;
    *) bad "expected TARGET=PROGRAM, found $1" ;;
    esac
    shift
done
[ $# -eq 0 ] || shift # the arguments remain
not_run=${missing:+compare: not run: $missing}
if [ $count -lt 2 ]; then
    only=${targets# }
    echo "compare: nothing to compare${only:+: this program runs only on ${only%%=*} here}" >&2
    [ -z "$not_run" ] || echo "$not_run" >&2
    exit 77
fi
rm -rf "$directory"
mkdir -p "$directory" || exit 2
running=''
trap 'trap "" TERM; [ -z "$running" ] || kill "$running" 2>/dev/null; exit 1' HUP INT TERM

# ------------------------------------------------------------------------------------------------
# The runs
# ------------------------------------------------------------------------------------------------

# below EXPRESSION...: find, on the files and directories that count
skip=''
for path in "$directory" $SKIP; do
    skip="$skip -path ./$path -prune -o"
done
below() {
    # shellcheck disable=SC2086 # a list of words
    find . -name '.?*' -prune -o $skip "$@" -print
}

# Waits until the clock of files has moved, so that what is written from now on is newer.
stamp() {
    : >"$directory/stamp"
    until [ -n "$(find "$directory/now" -newer "$directory/stamp" 2>/dev/null)" ]; do
        : >"$directory/now"
    done
}

# keep DIRECTORY: moves what the last run wrote
keep() {
    below -type f -newer "$directory/stamp" >"$directory/written"
    while IFS= read -r file; do
        mkdir -p "$1/${file%/*}"
        if grep -qxF -e "$file" "$directory/before"; then
            cp "$file" "$1/$file"
        else
            mv "$file" "$1/$file"
        fi
    done <"$directory/written"
    below -type d | LC_ALL=C sort -r | while IFS= read -r made; do
        grep -qxF -e "$made" "$directory/before" || rmdir "$made" 2>/dev/null
    done
}

# run TARGET PROGRAM ARGUMENT...
run() {
    of=$directory/$1 program=$2
    shift 2
    mkdir -p "$of/files"
    cp "$program" "$directory/program" # one name for all, which they may print
    below >"$directory/before"
    stamp
    # shellcheck disable=SC2086 # words, or nothing
    $limited "$directory/program" "$@" </dev/null >"$of/stdout" 2>"$of/stderr" &
    running=$!
    wait $running 2>/dev/null
    echo $? >"$of/status"
    running=''
    keep "$of/files"
}

status_of() {
    cat "$directory/$1/status"
}
is_ended() { # by a signal, or by the limit
    [ "$(status_of "$1")" = 124 ] || [ "$(status_of "$1")" -gt 128 ]
}
last_words() {
    tail -n 8 "$directory/$1/stderr" | sed "s/^/    $1: /"
}

# ------------------------------------------------------------------------------------------------
# The comparisons
# ------------------------------------------------------------------------------------------------

# The names of targets, as whole words, become one.
names='(serial|openmp|emulate|cuda)' edge='[^A-Za-z0-9_]'
same_names() {
    LC_ALL=C sed -E -e :a -e "s/(^|$edge) *$names *($edge|\$)/\1 TARGET \3/" -e ta
}
# lines FILE: "NUMBER:LINE" of each that counts
lines() {
    if [ -n "$IGNORE" ]; then
        LC_ALL=C grep -anvE -e "$IGNORE" "$1"
    else
        LC_ALL=C grep -an '' "$1"
    fi | same_names
}
# show TARGET FILE NUMBER: a line as it was printed; 0 is the end
show() {
    if [ "$3" = 0 ]; then
        printf '    %-8s  ends after line %d\n' "$1:" "$(LC_ALL=C grep -ac '' "$2")"
    else
        printf '    %-8s  line %d: %s\n' "$1:" "$3" \
            "$(sed -n "$3{p;q;}" "$2" | LC_ALL=C tr -d '\000-\010\013-\037' | cut -c 1-200)"
    fi
}
# same_text SENTENCE TARGET FILE TARGET FILE: prints the first line that differs
same_text() {
    lines "$3" >"$directory/a"
    lines "$5" >"$directory/b"
    at=$(awk -v a="$directory/a" -v b="$directory/b" '
        function text(line) { return substr(line, index(line, ":") + 1) "" }
        function number(line) { return substr(line, 1, index(line, ":") - 1) }
        BEGIN {
            do {
                x = y = ""
                more_a = (getline x < a) > 0
                more_b = (getline y < b) > 0
            } while (more_a && more_b && text(x) == text(y))
            if (more_a || more_b)
                print more_a ? number(x) : 0, more_b ? number(y) : 0
        }')
    [ -n "$at" ] || return 0
    echo "$1"
    show "$2" "$3" "${at% *}"
    show "$4" "$5" "${at#* }"
    return 1
}
# same_array SENTENCE FILE FILE: two .npy files whose bytes differ
same_array() {
    "$PORTABLE_COMPARE" "$2" "$3" >"$directory/arrays" 2>&1 && return 0
    echo "$1: $(sed -n 's/.* DIFFER: //p; s/.* BAD INPUT$/not both are arrays/p' "$directory/arrays")"
    sed -n '/^    /p' "$directory/arrays"
    return 1
}
# same_file NAME TARGET FILE TARGET FILE
same_file() {
    cmp -s "$3" "$5" && return 0
    sentence="compare: $2 and $4 write a different $1"
    case $1 in
    *.npy) [ -z "${PORTABLE_COMPARE:-}" ] || { same_array "$sentence" "$3" "$5"; return; } ;;
    esac
    if [ "$(cat "$3" "$5" | LC_ALL=C tr -dc '\000' | head -c 1 | wc -c)" = 0 ]; then
        same_text "$sentence" "$2" "$3" "$4" "$5"
    else
        size_a=$(($(wc -c <"$3"))) size_b=$(($(wc -c <"$5")))
        if [ $size_a != $size_b ]; then
            echo "$sentence: of $size_a and $size_b bytes"
        else
            echo "$sentence: from byte $(cmp -l "$3" "$5" | awk '{ print $1; exit }') on"
        fi
        return 1
    fi
}
# files TARGET: "NAME:FILE" of each that counts; a target's name in NAME is TARGET
files() {
    (cd "$directory/$1/files" && find . -type f -print) | sed 's|^\./||' |
        if [ -n "$IGNORE" ]; then LC_ALL=C grep -vE -e "$IGNORE"; else cat; fi |
        while IFS= read -r file; do
            printf '%s:%s\n' "$(printf '%s\n' "$file" | same_names | tr -d ' ')" "$file"
        done | LC_ALL=C sort
}
# same_files TARGET TARGET
same_files() {
    files "$1" >"$directory/files_a"
    files "$2" >"$directory/files_b"
    same=0
    while IFS= read -r line; do
        other=$(awk -v name="${line%%:*}:" 'index($0, name) == 1 { print substr($0, length(name) + 1); exit }' "$directory/files_b")
        if [ -z "$other" ]; then
            echo "compare: $1 writes ${line#*:}, and $2 does not"
            same=1
        else
            same_file "${line#*:}" "$1" "$directory/$1/files/${line#*:}" "$2" "$directory/$2/files/$other" || same=1
        fi
    done <"$directory/files_a"
    while IFS= read -r line; do
        grep -qF -e "${line%%:*}:" "$directory/files_a" || {
            echo "compare: $2 writes ${line#*:}, and $1 does not"
            same=1
        }
    done <"$directory/files_b"
    return $same
}
# same_runs TARGET TARGET
same_runs() {
    same_run=0
    if [ "$(status_of "$1")" != "$(status_of "$2")" ]; then
        echo "compare: $1 exits with status $(status_of "$1"), $2 with $(status_of "$2")"
        last_words "$1"
        last_words "$2"
        same_run=1
    fi
    same_text "compare: $1 and $2 print different lines" "$1" "$directory/$1/stdout" "$2" "$directory/$2/stdout" || same_run=1
    same_files "$1" "$2" || same_run=1
    return $same_run
}

# Of a difference between a target whose threads are loops and one that has threads.
hint() {
    case $1-$2 in
    serial-emulate | serial-cuda | openmp-emulate | openmp-cuda)
        echo "compare: if no check finds the cause, look for a variable at block scope that should be a PRIVATE, or
    for a result that depends on the order of the threads (make ordercheck)"
        ;;
    esac
}

first='' ran='' hints='' differ=0
for pair in $targets; do
    target=${pair%%=*}
    run "$target" "${pair#*=}" "$@"
    ran="$ran${ran:+, }$target"
    if is_ended "$target"; then
        differ=1
        case $(status_of "$target") in
        124) echo "compare: $target was ended after $LIMIT s (LIMIT=SECONDS allows more)" ;;
        *) echo "compare: $target crashes: SIG$(kill -l "$(status_of "$target")")" ;;
        esac
        last_words "$target"
    elif [ -z "$first" ]; then
        first=$target
    else
        same_runs "$first" "$target" || {
            differ=1
            hints=${hints:-$(hint "$first" "$target")}
        }
    fi
done
rm -f "$directory/program" "$directory/stamp" "$directory/now" "$directory/before" "$directory/written" "$directory/arrays" \
    "$directory/a" "$directory/b" "$directory/files_a" "$directory/files_b"
if [ $differ = 1 ]; then
    [ -z "$hints" ] || echo "$hints"
    echo "compare: not the same on all targets; $directory has what each of them printed and wrote"
else
    status=$(status_of "$first")
    if [ -n "$(lines "$directory/$first/stdout")$(files "$first")" ]; then
        same="all targets print the same"
        [ "$status" = 0 ] || same="$same, and exit with status $status"
    else
        same="nothing printed or written; all targets exit with status $status"
    fi
    echo "compare: $same: $ran"
fi
[ -z "$not_run" ] || echo "$not_run"
exit $differ
