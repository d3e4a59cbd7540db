#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# layers.sh [OBJECTS...]
# host/ has no circular dependencies. host/X.c and host/X.h are one module, and a folder is a room.
# Modules depend on each other by #include, and by calls: in each argument, which lists the objects
# of one program or library, an object needs the symbols that another alone defines. A weak
# definition, such as emulate_check or _Exit, is a hook and no dependency.
# PLANT_INCLUDES and PLANT_CALLS are one more dependency each, "module module reason", for
# tests/must_fail.sh. Exit status: 0, or 1 with each circle and the includes or symbols of it.
set -eu
cd "$(dirname "$0")/.."

# The lines "module module reason" of $dependencies have no circle, between modules or rooms.
# $1: what they are
acyclic() {
    awk 'function room(module) { sub("/[^/]*$", "", module); return module }
        $1 != $2 && NF > 0 {
            print "module", $0
            if (room($1) != room($2)) print "room", room($1), room($2), $1 ": " $3
        }' "$dependencies" | sort -u >"$edges"
    for level in module room; do
        awk -v level="$level" '$1 == level { print $2, $3 }' "$edges" |
            tsort >/dev/null 2>"$loop" && continue
        echo "circular $1 between ${level}s:"
        sed -n 's/^tsort: //p' "$loop" | awk -v level="$level" '
            FILENAME == "-" { in_loop[$1]; next }
            $1 == level && $2 in in_loop && $3 in in_loop {
                sub("^[a-z]* ", ""); sub(" ", " -> "); print "    " $0
            }' - "$edges"
        failed=1
    done
}

# The module of an object: host/... in the object's path, or that of its source.
module_of() {
    case $1 in
    */host/*) module=host/${1#*/host/} ;;
    */emulate-runtime/cudart/*) module=host/cudart/${1##*/} ;;
    */nvcc/*) module=host/nvcc/${1##*/} ;;
    *)
        module=host/emulate/${1##*/}
        test -e "${module%.o}.c" || module=host/checks/${1##*/} ;;
    esac
    module=${module%.*}
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
dependencies=$scratch/dependencies edges=$scratch/edges loop=$scratch/loop failed=0

# CUDA's own headers are as CUDA has them.
find host -name '*.[ch]' ! -path 'host/cudart/include/*' | sort | while read -r file; do
    sed -n 's/^ *# *include "\([^"]*\)".*/\1/p' "$file" | while read -r name; do
        here=${file%/*}/$name
        if [ -e "$here" ]; then to=$(realpath --relative-to=. "$here"); else to=$name; fi
        case $to in host/cudart/include/*) ;; host/*) echo "${file%.*} ${to%.*} $name" ;; esac
    done
done >"$dependencies"
test -s "$dependencies" || { echo "found no include"; exit 1; }
echo "${PLANT_INCLUDES:-}" >>"$dependencies"
acyclic includes

for objects; do
    # nm -A begins each line with the object's name.
    # shellcheck disable=SC2086 # objects are words
    {
        for object in $objects; do
            module_of "$object"
            echo "$object: $module"
        done
        nm -gA $objects
    } | awk 'NF == 2 && sub(":$", "", $1) { module[$1] = $2; next }
        { object = $1; sub(":[0-9a-f]*$", "", object); print module[object], $(NF - 1), $NF }' >"$scratch/symbols"
    grep -q ' U ' "$scratch/symbols" || { echo "no symbols in $objects"; exit 1; }
    awk '$2 == "U" { user[++uses] = $1; used[uses] = $3; next }
        $2 !~ /^[wv]$/ { definitions[$3] += $2 ~ /[WV]/ ? 2 : 1; of[$3] = $1 }
        END {
            for (k = 1; k <= uses; k++)
                if (definitions[used[k]] == 1) print user[k], of[used[k]], used[k]
        }' "$scratch/symbols" >"$dependencies"
    echo "${PLANT_CALLS:-}" >>"$dependencies"
    acyclic calls
done
exit $failed
