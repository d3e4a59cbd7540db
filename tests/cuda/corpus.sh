#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# corpus.sh PORTABLE_NVCC SCRATCH DIRECTORY...
#
# Tries portable-nvcc on public code, checked out in the directories outside this tree. For each .cu
# file it counts the kernels, and compiles it once by nvcc, if there is one, and once by
# portable-nvcc, with the include directories that the files' own folders suggest: -I of the folder,
# and of any folder named include, inc, Common or common in it or its parents up to DIRECTORY.
# Prints a table per directory: the files and kernels that nvcc accepts, and how many of them
# portable-nvcc compiles; SCRATCH/NAME.failed has the rest, with the first error of each.
#
# Environment: JOBS (2), NVCC (nvcc). nvcc's verdicts are kept in SCRATCH/NAME.nvcc for later runs.
set -u

[ $# -ge 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
portable=$1 scratch=$2
shift 2
mkdir -p "$scratch"
jobs=${JOBS:-2} nvcc=${NVCC:-nvcc}

# includes FILE DIRECTORY: the -I options
includes() {
    local folder
    folder=$(dirname "$1")
    printf -- '-I%s ' "$folder"
    while :; do
        for sub in include inc Common common; do
            [ -d "$folder/$sub" ] && printf -- '-I%s ' "$folder/$sub"
        done
        [ "$folder" = "$2" ] || [ "$folder" = / ] && break
        folder=$(dirname "$folder")
    done
}
# kernels FILE: the number of definitions of kernels in it
kernels() {
    sed 's,//.*,,' "$1" | tr '\n' ' ' | grep -o '__global__[^;{]*[{;]' | grep -c '{$'
}
compile_one() { # COMPILER FILE DIRECTORY LOG
    local extra=
    # shellcheck disable=SC2046,SC2086
    timeout 120 $1 $(includes "$2" "$3") $extra -c "$2" -o "$4.o" >"$4.log" 2>&1
    local code=$?
    rm -f "$4.o"
    return $code
}
one() { # FILE DIRECTORY NAME
    local key status=- count
    key=$(printf '%s' "$1" | cksum | cut -d' ' -f1)
    count=$(kernels "$1")
    [ "$count" -gt 0 ] || return 0
    if command -v "$nvcc" >/dev/null; then
        status=$(awk -v f="$1" '$2 == f { print $1 }' "$scratch/$3.nvcc" 2>/dev/null)
        if [ -z "$status" ]; then
            compile_one "$nvcc -std=c++17 -arch=sm_90 -w" "$1" "$2" "$scratch/$key.nvcc" &&
                status=yes || status=no
            echo "$status $1" >>"$scratch/$3.nvcc"
        fi
    fi
    [ "$status" = no ] && { echo "refused $count $1"; return 0; }
    if compile_one "$portable -arch=sm_75" "$1" "$2" "$scratch/$key.portable"; then
        echo "compiled $count $1"
    else
        echo "failed $count $1 : $(grep -m1 -E 'error|fatal' "$scratch/$key.portable.log" | tr -d '\n')"
    fi
}
export -f includes kernels compile_one one
export portable nvcc scratch

for directory; do
    directory=$(cd "$directory" && pwd) || exit 1
    name=$(basename "$directory")
    find "$directory" -name '*.cu' -type f | sort |
        xargs -d '\n' -P "$jobs" -I{} bash -c 'one "$1" "$2" "$3"' _ {} "$directory" "$name" \
            >"$scratch/$name.results"
    grep '^failed' "$scratch/$name.results" >"$scratch/$name.failed"
    awk -v name="$name" '
        { files[$1]++; kernels[$1] += $2 }
        END {
            all = kernels["compiled"] + kernels["failed"]
            printf "%-20s %4d files, %4d kernels that nvcc accepts; compiled: %4d kernels (%.1f%%); nvcc refuses %d kernels\n",
                name, files["compiled"] + files["failed"], all, kernels["compiled"],
                all ? 100 * kernels["compiled"] / all : 0, kernels["refused"]
        }' "$scratch/$name.results"
done
