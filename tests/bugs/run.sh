#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh [--table FILE] CC OUT_DIR [NAME...]
# run.sh --sanitizer OUT_DIR [NAME...]
#
# Runs the known bugs of this directory, or the named ones, under memcheck, racecheck, initcheck and
# synccheck. Every tool that a bug's comment names must find it, with the output that the comment
# expects, and its corrected twin must be clean under all four, and within the limits of accesscheck
# if that must find the bug. The lines of the comment:
#
#     bug: TEXT                  what is wrong; continuation lines are indented
#     found by: TOOL...          of the four, or compare (serial and emulate print different
#                                results), or order (emulate does, under ORDER=forward, reverse,
#                                shuffle:1), accesscheck, ordercheck or fpcheck: only such a bug
#                                and its twin run under it, and ordercheck must prove the twin
#     limits: TEXT               those of accesscheck
#     expect TOOL: TEXT          the tool's output contains it; any number for a tool
#     not by clang TOOL: TEXT    why the tool misses it in a program compiled by clang
#     proven: TEXT               what ordercheck prints of the twin; any number
#     reason: TEXT               why this project's tools, or compute-sanitizer, do not find it
#
# OUT_DIR gets NAME.TOOL.bug.txt and NAME.TOOL.fixed.txt, the output and exit status of each run,
# and `verdicts`. --table writes the verdicts as a Markdown table; without it, a bug runs only under
# tools that must find it. --sanitizer, for a machine with a GPU, runs each bug under the four tools
# of compute-sanitizer instead and writes compute-sanitizer.txt: here, or to OUT_DIR if bugs are
# named. Environment: JOBS, how many run at a time; TOOLS, which of the four; BUILT, a
# build directory of make check, whose runtimes are used. Exit status: 1 if a
# bug is missed or a twin is not clean.
set -eu

# A stale address in a register or on a stack must not hide a leak of host memory.
LSAN_OPTIONS=use_registers=0:use_stacks=0
export LSAN_OPTIONS
here=tests/bugs
[ -r $here/run.sh ] || cd "$(dirname "$0")/../.."
record=$here/compute-sanitizer.txt
tools=${TOOLS:-memcheck racecheck initcheck synccheck}
[ "$tools" != accesscheck ] || tools=

# The program of a bug (FIXED 0) or its twin (1) for a configuration, and the command that builds a
# list of them.
program()
{
    echo "$out/build/run/$1.$2.$3"
}
build()
{
    make -k -j "$jobs" -f $here/build.mk CC="$cc" BUILD="$out/build" PRECISION=single \
        ATOMICS=native PROGRAMS_OF_BUGS="$*" bugs
}

# The lines with a key in a source's comment.
key()
{
    sed -n "/^ \*\//q; s|^[/ ]\* $2: *||p" "$here/$1.c"
}
found_by()
{
    key "$1" 'found by'
}
# The text of the bug, with its continuation lines.
text()
{
    sed -n -e '/^ \*\//q' -e 's|^/\* bug: ||p' -e 's|^ \*     ||p' "$here/$1.c" |
        tr '\n' ' ' | sed 's/ *$//'
}
# The tools that the bug and its twin run under.
tools_of()
{
    echo "$tools"
    for own in ordercheck fpcheck; do
        has_word "$tools" $own || ! has_word "$(found_by "$1")" $own || echo $own
    done
}
# Whether cc compiles for a processor that traps floating-point exceptions.
is_x86_64()
{
    case $("$cc" -dumpmachine) in
    x86_64-*) return 0 ;;
    esac
    return 1
}
has_word()
{
    case " $1 " in
    *" $2 "*) return 0 ;;
    esac
    return 1
}

# run_limited FILE PROGRAM TOOL: writes the output to FILE, stderr first, then the exit status;
# prints `quiet` if stderr was only the line of a tool without findings, and ordercheck's reasons.
run_limited()
{
    status=0
    timeout -k 10 600 "$2" >"$1.stdout" 2>"$1" || status=$?
    if [ "$3" = ordercheck ]; then
        sed -n '/^ordercheck: every schedule /,$p' "$1" >"$1.proven"
        sed -i '/^ordercheck: every schedule /,$d' "$1"
    fi
    [ "$(grep -cxE "$(nothing_found "$3")" "$1")$(grep -c '' "$1")" != 11 ] || echo quiet
    { cat "$1.stdout" && echo "exit $status"; } >>"$1"
    rm -f "$1.stdout"
}

# The last line of a program without findings; and whether FILE has any other line of the tool, but those
# that tell what was not checked to its end.
nothing_found()
{
    echo "$1: no (errors|races|divergences|order dependences|exceptions)( in [0-9]+ kernels?|, and no kernel was launched)"
}
has_finding()
{
    grep "^$2: " "$1" | grep -vE ": (no .* found, |kernel .* is not checked to its end: )" |
        grep -qvxE "$(nothing_found "$2")"
}

# run_one NAME TOOL FIXED: writes the verdict to NAME.TOOL.bug or .fixed.
#     found     every expected line, and a status other than 0
#     also      lines of the tool, for a bug that another tool must find
#     missed    neither, and the tool must find it
#     nothing   status 0 and no finding of the tool; for a twin: nothing on stderr but the line of a
#               tool without findings
#     error     anything else: it does not build, crashes, hangs, or ends with another error
run_one()
{
    name=$1 tool=$2 fixed=$3
    variant=$([ "$fixed" = 1 ] && echo fixed || echo bug)
    file=$out/$name.$tool.$variant.txt
    binary=$(program "$name" "$fixed" "$tool")
    verdict=error
    if [ ! -x "$binary" ]; then
        echo "it does not build: $out/build.log" >"$file"
    elif [ "$fixed" = 1 ]; then
        quiet=$(run_limited "$file" "$binary" "$tool")
        if [ -n "$quiet" ] && grep -qx 'exit 0' "$file"; then
            verdict=nothing
        fi
        if [ $verdict = nothing ] && [ "$tool" = ordercheck ]; then
            key "$name" proven >"$file.expect"
            while IFS= read -r expected; do
                grep -qF -e "$expected" "$file.proven" || verdict=unproven
            done <"$file.expect"
            rm -f "$file.expect"
        fi
    else
        run_limited "$file" "$binary" "$tool" >/dev/null
        if grep -qx 'exit 0' "$file"; then
            has_finding "$file" "$tool" || verdict=nothing
        elif has_finding "$file" "$tool"; then
            verdict=also
        fi
        if has_word "$(found_by "$name")" "$tool"; then
            [ $verdict = also ] && verdict=found || verdict=missed
            key "$name" "expect $tool" >"$file.expect"
            while IFS= read -r expected; do
                grep -qF -e "$expected" "$file" || verdict=missed
            done <"$file.expect"
            rm -f "$file.expect"
        fi
    fi
    echo $verdict >"$out/$name.$tool.$variant"
}

# compare_one NAME FIXED, order_one NAME FIXED: whether the stdouts of serial and emulate differ, or
# those of emulate in three orders: `found` if they differ, `nothing` if not, or `error`.
compare_one()
{
    for target in serial emulate; do
        timeout -k 10 600 "$(program "$1" "$2" $target)" >"$out/$1.$2.$target" 2>&1 || {
            echo error
            return
        }
    done
    cmp -s "$out/$1.$2.serial" "$out/$1.$2.emulate" && echo nothing || echo found
}
order_one()
{
    for order in forward reverse shuffle:1; do
        ORDER=$order timeout -k 10 600 "$(program "$1" "$2" emulate)" \
            >"$out/$1.$2.$order" 2>&1 || {
            echo error
            return
        }
    done
    if cmp -s "$out/$1.$2.forward" "$out/$1.$2.reverse" &&
        cmp -s "$out/$1.$2.forward" "$out/$1.$2.shuffle:1"; then
        echo nothing
    else
        echo found
    fi
}

# accesscheck_one NAME FIXED: `found`, with every expected line, `nothing` within the limits, or
# `error`.
accesscheck_one()
{
    file=$out/$1.accesscheck.$2.txt status=0
    PORTABLE_ACCESS_LINES=0 PORTABLE_ACCESS_LIMITS=$(key "$1" limits) \
        timeout -k 10 600 "$(program "$1" "$2" accesscheck)" >"$file" 2>&1 || status=$?
    key "$1" 'expect accesscheck' >"$file.expect"
    while IFS= read -r expected; do
        grep -qF -e "$expected" "$file" || [ $status = 0 ] || status=2
    done <"$file.expect"
    rm -f "$file.expect"
    case $status in
    0) grep -qx 'accesscheck: no exceeded limits in [0-9]* kernels*' "$file" && echo nothing || echo error ;;
    1) echo found ;;
    *) echo error ;;
    esac
}

# sanitize_one NAME TOOL: prints `NAME TOOL found|nothing|error`. Status 9 is a finding. A bug with
# barriers may hang: then the output so far counts.
sanitize_one()
{
    log=$out/$1.$2.txt
    case $2 in
    memcheck) options='--leak-check full' ;;
    racecheck) options='--racecheck-report all' ;;
    # Since 2025.4, initcheck looks at shared memory if it is asked to.
    initcheck)
        options=
        ! compute-sanitizer --help | grep -q initcheck-address-space ||
            options='--initcheck-address-space all'
        ;;
    *) options='' ;;
    esac
    status=0
    # shellcheck disable=SC2086 # several words
    [ ! -x "$out/$1" ] || timeout -k 2 15 compute-sanitizer --tool "$2" $options \
        --error-exitcode 9 "$out/$1" >"$log" 2>&1 || status=$?
    echo "exit $status" >>"$log"
    verdict=error
    if [ ! -x "$out/$1" ]; then
        echo 'it does not build' >>"$log"
    elif [ $status = 9 ] || grep -Eq '^=+ (ERROR|RACECHECK) SUMMARY: [1-9]' "$log"; then
        verdict=found
    elif [ $status -le 2 ]; then
        verdict=nothing # the program's own exit status: a call was refused
    fi
    echo "$1 $2 $verdict"
}

# This script as xargs runs it.
if [ "${1:-}" = --part ]; then
    what=$2 out=$3
    shift 3
    "$what" "$@"
    exit
fi

table=''
sanitizer=0
while :; do
    case ${1:-} in
    --table)
        table=$2
        shift 2
        ;;
    --sanitizer)
        sanitizer=1
        shift
        ;;
    *) break ;;
    esac
done
if [ $# -lt $((2 - sanitizer)) ]; then
    sed -n '3,4s/^# /usage: /p' $here/run.sh >&2
    exit 2
fi
cc=''
if [ $sanitizer = 0 ]; then
    cc=$1
    shift
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
[ $# -gt 0 ] || set -- $here/*.c
[ "$*" = "$(echo $here/*.c)" ] || record=$out/compute-sanitizer.txt
names=
for name in "$@"; do
    name=$(basename "$name" .c)
    [ -r "$here/$name.c" ] || {
        echo "run.sh: there is no $here/$name.c" >&2
        exit 2
    }
    for word in $(found_by "$name"); do
        case $word in
        memcheck | racecheck | initcheck | synccheck | accesscheck | ordercheck | fpcheck | compare | order) ;;
        *)
            echo "run.sh: $here/$name.c: found by: $word is none of the checks, compare or order" >&2
            exit 2
            ;;
        esac
    done
    if has_word "$(found_by "$name")" fpcheck && [ -n "$cc" ] && ! is_x86_64; then
        echo "# LEFT OUT $name: fpcheck needs x86-64"
        continue
    fi
    names="$names $name"
done

if [ $sanitizer = 1 ]; then
    command -v compute-sanitizer >/dev/null || PATH=$PATH:/usr/local/cuda/bin
    echo "building $# programs"
    # shellcheck disable=SC2016,SC2086 # $1 is the inner shell's; names are words
    printf '%s\n' $names | xargs -P "$jobs" -I '{}' sh -c 'nvcc -x cu -std=c++17 -lineinfo \
        -arch=native -I. -DFIXED=0 "$2/$1.c" -o "$3/$1" >"$3/$1.log" 2>&1' sh '{}' $here "$out" ||
        true
    # Each run of the tool listens on one of ten ports.
    [ "$jobs" -le 8 ] || jobs=8
    for name in $names; do
        for tool in $tools; do
            echo "$name $tool"
        done
    done | xargs -P "$jobs" -L 1 sh $here/run.sh --part sanitize_one "$out" >"$out/recorded"
    {
        echo "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)"
        compute-sanitizer --version | sed -n 's/^.*\([Vv]ersion.*\)/# compute-sanitizer, \1/p'
        LC_ALL=C sort "$out/recorded"
    } >"$record"
    echo "$(grep -c ' found$' "$record") findings; see $record"
    exit
fi

# Whether the tool must run on the bug (FIXED 0) or the twin.
is_run()
{
    [ "$3" = 1 ] || [ -n "$table" ] || has_word "$(found_by "$1")" "$2"
}

programs=
runs=
for name in $names; do
    for fixed in 0 1; do
        for tool in $(tools_of "$name"); do
            if is_run "$name" "$tool" $fixed; then
                programs="$programs $name.$fixed.$tool"
                runs="$runs$name $tool $fixed
"
            else
                echo - >"$out/$name.$tool.bug"
            fi
        done
        case " $(found_by "$name") " in
        *' compare '*) programs="$programs $name.$fixed.serial $name.$fixed.emulate" ;;
        *' order '*) programs="$programs $name.$fixed.emulate" ;;
        *' accesscheck '*) programs="$programs $name.$fixed.accesscheck" ;;
        esac
    done
done
# The runtimes of make check, in its build directory: make builds again what has other flags.
if [ -e "${BUILT:-}/CACHEDIR.TAG" ] && [ -e "$BUILT/emulate-runtime/flags" ]; then
    mkdir -p "$out/build"
    (cd "$BUILT" && cp -a CACHEDIR.TAG emulate-runtime "$out/build")
fi
# shellcheck disable=SC2086 # a list of words
build $programs >"$out/build.log" 2>&1 || echo "some programs were not built: see $out/build.log" >&2
[ -z "$runs" ] || printf '%s' "$runs" | xargs -P "$jobs" -L 1 sh $here/run.sh --part run_one "$out"

clang=$("$cc" --version 2>/dev/null | grep -c 'clang version') || clang=0
bugs=0 found=0 clean=0 excused_bugs=0
: >"$out/verdicts"
for name in $names; do
    bugs=$((bugs + 1))
    by=$(found_by "$name")
    missing=''
    excused=''
    dirty=''
    line=$name
    other=-
    for tool in $(tools_of "$name"); do
        bug=$(cat "$out/$name.$tool.bug") twin=$(cat "$out/$name.$tool.fixed")
        case $tool in
        ordercheck | fpcheck) other=$tool ;;
        *) line="$line $bug" ;;
        esac
        if has_word "$by" "$tool" && [ "$bug" != found ]; then
            if [ "$clang" = 1 ] && [ -n "$(key "$name" "not by clang $tool")" ]; then
                excused="$excused $tool"
            else
                missing="$missing $tool"
            fi
        fi
        [ "$twin" = nothing ] || dirty="$dirty $tool"
    done
    for kind in compare order accesscheck; do
        if has_word "$by" $kind; then
            other=$kind
            [ "$(${kind}_one "$name" 0)" = found ] || missing="$missing $kind"
            [ "$(${kind}_one "$name" 1)" = nothing ] || dirty="$dirty $kind"
        fi
    done
    [ -n "$by" ] || missing=' what it is found by'
    echo "$line $other" >>"$out/verdicts"
    if [ -z "$missing$excused" ]; then
        found=$((found + 1))
        result="found by $by"
    elif [ -z "$missing" ]; then
        excused_bugs=$((excused_bugs + 1))
        result="not found by$excused under clang, as its comment says"
    else
        result="MISSED by$missing"
    fi
    if [ -z "$dirty" ]; then
        clean=$((clean + 1))
    else
        result="$result; its twin is NOT CLEAN under$dirty"
    fi
    printf '%-28s %s\n' "$name" "$result"
done

# The table has a tool in parentheses if it reports the bug but the bug does not name it.
if [ -n "$table" ]; then
    {
        echo '| bug | memcheck | racecheck | initcheck | synccheck | other | compute-sanitizer | |'
        echo '|---|---|---|---|---|---|---|---|'
        while read -r name verdicts; do
            cells=
            for verdict in $verdicts; do
                case $verdict in
                also) verdict='(found)' ;;
                nothing) verdict= ;;
                missed) verdict='**missed**' ;;
                error) verdict='(fails)' ;;
                -) verdict= ;;
                esac
                cells="$cells| $verdict "
            done
            theirs='not run'
            if [ -r $here/compute-sanitizer.txt ]; then
                theirs=$(awk -v name="$name" '$1 == name { known = 1 }
                    $1 == name && $3 != "nothing" {
                        printf "%s%s", separator, $3 == "found" ? $2 : "(" $2 " fails)"
                        separator = ", "
                    }
                    END { if (!known) printf "not run" }' $here/compute-sanitizer.txt)
            fi
            echo "| \`$name\`: $(text "$name") $cells| $theirs | $(key "$name" reason) |" |
                sed 's/  *|/ |/g'
        done <"$out/verdicts"
    } >"$table"
fi

missed=$((bugs - found - excused_bugs))
[ $excused_bugs = 0 ] || echo "$excused_bugs of the bugs cannot be found under clang"
echo "$bugs bugs: $found found, $missed missed; $bugs twins: $clean clean"
[ $missed = 0 ] && [ $clean = $bugs ]
