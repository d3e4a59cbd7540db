#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# parts.sh [HEADER]
# parts.sh --self-test
#
# Reads Part I of portable.h, which is the language: each public macro has a contract, then its
# definition on each target, in the order cuda, loops, emulate, none of them longer than three
# lines; each public function is declared once there, with a contract, and defined once in Part II;
# no public name is defined twice, or in Part II alone. Part I stays within its length.
# --self-test breaks each rule in a copy, and passes when each is noticed.
set -u
LC_ALL=C
export LC_ALL

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 1
part_limit=1800

check() {
    awk -v part_limit=$part_limit '
    function bad(text) { print FILENAME ":" FNR ": " text; wrong++ }
    function is_public(name) { return name ~ /^[A-Za-z][A-Za-z0-9_]*$/ && name !~ /_$/ && name !~ /^PORTABLE_H$/ }
    # The end of a macro of Part I: its lines are body[1..n], without the backslashes.
    function end_of_macro(    k, at, contract, target, part, lines, text, open, i, c) {
        k = 1
        text = body[1]
        sub(/^#define [A-Za-z0-9_]+(\([^)]*\))? */, "", text)
        if (text == "") { k = 2; text = body[2] }
        if (text !~ /^ *\/\*/) { bad(name " has no contract at its start"); return }
        while (text !~ /\*\//) { if (++k > n) { bad(name ": its contract does not end"); return } text = body[k] }
        sub(/^.*\*\/ */, "", text)
        if (text == "") { k++; text = body[k] }
        sub(/^ +/, "", text)
        lines = 0
        at = 0
        if (text !~ /^PORTABLE_(CUDA|CPU|LOOPS|EMULATE)_\(/) {
            # one definition for all targets, which may hold parts
            if (n - k + 1 > 3) bad(name " is defined in more than three lines")
            macros++
            return
        }
        while (k <= n) {
            if (!match(text, /^PORTABLE_(CUDA|CPU|LOOPS|EMULATE)_\(/)) { bad(name ": no part of a target: " text); return }
            target = substr(text, 10, RLENGTH - 11)
            part = target == "CUDA" ? 1 : target == "LOOPS" ? 2 : target == "EMULATE" ? 3 : 2
            if (part <= at) bad(name ": its targets are not in the order cuda, loops, emulate")
            at = target == "CPU" ? 3 : part
            open = 0
            lines = 0
            do {
                lines++
                gsub(/"[^"]*"/, "", text)
                for (i = 1; i <= length(text); i++) {
                    c = substr(text, i, 1)
                    open += (c == "(") - (c == ")")
                }
                k++
                text = body[k]
                sub(/^ +/, "", text)
            } while (open > 0 && k <= n)
            if (lines > 3) bad(name ": more than three lines for one target")
        }
        if (at != 3) bad(name ": not all targets are there")
        macros++
    }
    # Names that a program may have as macros: they are looked for before they are defined.
    inside && /defined\(/ {
        rest = $0
        while (match(rest, /defined\([A-Za-z_0-9]+\)/)) {
            guarded[substr(rest, RSTART + 8, RLENGTH - 9)]
            rest = substr(rest, RSTART + RLENGTH)
        }
    }
    / \* Part I: / { part1 = FNR; inside = 1; next }
    / \* Part II: / { part2 = FNR; inside = 0; next }
    collecting {
        before = body[++n] = $0
        collecting = sub(/ *\\$/, "", body[n])
        if (!collecting && inside) end_of_macro()
        next
    }
    /^#define [A-Za-z]/ {
        name = $2
        sub(/\(.*/, "", name)
        if (!is_public(name)) next
        if (name == "double4" || name == "make_double4" || name == "CUDA_NO_HALF" || name == "PORTABLE_LIST_void" || name ~ /^PORTABLE_VERSION_(MAJOR|MINOR|PATCH)$/ || (part2 && name ~ /^portable_/)) next
        if (!inside) { bad(name " is public, and defined outside Part I"); next }
        if (name ~ /^KERNEL(_LAUNCH_BOUNDS)?$/ && name in defined) next # of host files, without kernels
        if (name in defined) bad(name " is defined twice")
        defined[name]
        if (name !~ /^(PORTABLE_|portable_|atomic|warpSize)/ && !(name in guarded)) bad(name " is not looked for before it is defined: add it to the reserved names in Configuration")
        n = 1
        body[1] = $0
        collecting = sub(/ *\\$/, "", body[1])
        if (!collecting) end_of_macro()
        next
    }
    /^(static inline|DEVICE) / && match($0, /[A-Za-z_0-9]+\(/) {
        name = substr($0, RSTART, RLENGTH - 1)
        if (!is_public(name) || name ~ /^make_/) { before = $0; next }
        if (inside) {
            if (name in declared) bad(name " is declared twice")
            if (before !~ /\*\/$/) bad(name " has no contract before it")
            declared[name]
            awaits = name # a body, here or in Part II
        } else {
            if (!(name in declared)) bad(name " is public, and not declared in Part I")
            if (name in defined_there && !(name ~ /^(half|bfloat16|float)_/) && name != "real_vector") bad(name " is defined twice in Part II")
            defined_there[name]
        }
    }
    # A macro of Part II that defines the public function it names, or the four copies of a
    # direction.
    /^PORTABLE_[A-Z_]+_\(portable_/ {
        name = $1
        sub(/^.*\(/, "", name)
        sub(/,$/, "", name)
        defined_there[name]
        if (/^PORTABLE_COPIES_/) { defined_there[name "_async"]; defined_there[name "_2d"]; defined_there[name "_2d_async"] }
    }
    inside && awaits && /^{/ { defined_there[awaits]; awaits = "" }
    inside && /;$/ && /^[^ ]/ { awaits = "" }
    NF { before = $0 }
    END {
        for (name in declared) if (!(name in defined_there)) { bad(name " has no definition in Part II") }
        if (!part1 || !part2) bad("there are no two parts")
        if (part2 - part1 > part_limit) bad("Part I has " part2 - part1 " lines, and may have " part_limit)
        for (name in declared) functions++
        printf "%d macros, %d functions; Part I has %d lines, the header %d\n", macros, functions, part2 - part1, FNR
        exit wrong > 0 || macros < 90 || functions < 50
    }' "$1"
}

if [ "${1:-}" != --self-test ]; then
    check "${1:-$root/portable.h}"
    exit
fi

copy=$(mktemp) || exit 1
trap 'rm -f "$copy"' EXIT
missed=0
# notices RULE SED: the broken copy differs, and fails with the rule in its output
notices() {
    sed "$2" "$root/portable.h" >"$copy"
    if cmp -s "$root/portable.h" "$copy"; then
        echo "the copy is not broken: $1"
        missed=$((missed + 1))
    elif said=$(check "$copy") || ! printf '%s\n' "$said" | grep -q "$1"; then
        echo "not noticed: $1"
        missed=$((missed + 1))
    fi
}
notices 'SYNC_WARP has no contract' '/^#define SYNC_WARP/,/\*\//{ /\/\*/d; /^     \*/d; }'
notices 'SYNC_WARP: its targets are not in the order' '/^#define SYNC_WARP/,/EMULATE/s/PORTABLE_LOOPS_(/PORTABLE_EMULATE_(/'
notices 'SYNC_WARP: not all targets' '/^#define SYNC_WARP/,/EMULATE/s/PORTABLE_EMULATE_(.*/PORTABLE_CUDA_(0)/'
notices 'MINE: more than three lines' '/^#define MINE/,/EMULATE/s/PORTABLE_CUDA_(name).*/PORTABLE_CUDA_((\\\n \\\n \\\n name)) \\/'
notices 'MINE is defined twice' '/^#define MINE/{ h; s/.*/#define MINE(name) \/* A copy. *\/ name/; p; g; }'
notices 'portable_free has no contract' '/^\/\*\* Frees memory from portable_malloc or/d'
notices 'portable_free has no definition' '/ \* Part II: /,$s/portable_free(/portable_free_(/'
notices 'portable_array_read_host has no definition' '/^PORTABLE_ARRAY_SIDE_(portable_array_read_host,/d'
notices 'portable_copy_on_device_2d_async has no definition' '/^PORTABLE_COPIES_(portable_copy_on_device,/d'
notices 'MINE is not looked for' 's/ defined(MINE)/ defined(YOURS)/'
notices 'PORTABLE_NEW is public, and defined outside' '$s/^/#define PORTABLE_NEW 1\n/'
notices 'portable_new is public, and not declared' '$s/^/static inline int portable_new(void);\n/'
part_limit=100 && notices 'Part I has .* lines, and may have 100' '1s/^/ /'
[ $missed = 0 ] && echo "each rule is noticed"
