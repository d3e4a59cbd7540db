#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# programs.sh PORTABLE_NVCC SCRATCH DIRECTORY...
#
# Tries whole programs of public code, checked out outside this tree. A program is a folder below
# DIRECTORY with a .cu file, and a main in one of its .cu or .cpp files. It is built by its own
# Makefile, if that names nvcc, with NVCC= and CUDA_DIR= (CUDA_PATH=, CUDA_HOME=) on the command
# line; or else by one line, portable-nvcc *.cu *.cpp, with -I of the folders include, inc, Common
# and common above it; if several .cu files have a main, each is a program. It runs there, without
# arguments or by its script `run`, and passes if it ends with 0 and prints nothing that looks like
# a failure.
#
# Prints a table, and SCRATCH/NAME.programs has a line for each: passed, failed, waived (its own
# word, or exit status 2), slow (over LIMIT seconds), or unbuilt with the first error.
#
# Environment: JOBS (2), LIMIT (120), CHECK: a check to build with; its reports count as failures.
set -u

[ $# -ge 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
portable=$(realpath "$1") scratch=$2
shift 2
mkdir -p "$scratch" && scratch=$(realpath "$scratch")
jobs=${JOBS:-2} limit=${LIMIT:-120}
[ -z "${CHECK:-}" ] || export PORTABLE_CHECK=$CHECK
toolkit=$(dirname "$portable")/../lib/portable/cuda

includes() { # FOLDER DIRECTORY
    local folder=$1
    printf -- '-I%s ' "$folder"
    while :; do
        for sub in include inc Common common; do
            [ -d "$folder/$sub" ] && printf -- '-I%s ' "$folder/$sub"
        done
        [ "$folder" = "$2" ] || [ "$folder" = / ] && break
        folder=$(dirname "$folder")
    done
}
# Its verdict, by its output and its exit status.
judge() { # CODE OUTPUT
    if [ "$1" = 124 ]; then echo slow
    elif [ "$1" = 2 ] || grep -qiE 'waiv(ed|ing)' "$2"; then echo waived
    elif [ "$1" != 0 ] || grep -qE 'FAILED|Test failed|Result = FAIL|mismatch|INCORRECT|NOT OK' "$2"; then
        echo "failed ($1) $(grep -m1 -iE 'kernel [^ ]*:|fail|error|mismatch' "$2" | tr -d '\0\n' | cut -c1-160)"
    else echo passed; fi
}
one() { # FOLDER DIRECTORY
    cd "$1" || return
    local name=${1#"$2"/} key program
    key=$(printf '%s' "$1" | cksum | cut -d' ' -f1)
    local mains=() sources=() built=()
    mapfile -t mains < <(grep -lE '^[ \t]*(int|void)[ \t\n]+main[ \t]*\(|^main *\(' ./*.cu 2>/dev/null)
    mapfile -t sources < <(ls ./*.cu ./*.cpp ./*.cc 2>/dev/null)
    if grep -qs nvcc Makefile makefile && ! [ -f CMakeLists.txt ]; then
        make clean >/dev/null 2>&1
        timeout 300 make NVCC="$portable" CC="$portable" CUDA_DIR="$toolkit" CUDA_PATH="$toolkit" \
            CUDA_HOME="$toolkit" >"$scratch/$key.log" 2>&1 ||
            { echo "$name make unbuilt $(grep -m1 -E 'error|Error' "$scratch/$key.log")"; return; }
        if [ -f run ]; then
            timeout "$limit" sh ./run >"$scratch/$key.log" 2>&1 </dev/null
            echo "$name make $(judge $? "$scratch/$key.log")"
            return
        fi
        mapfile -t built < <(find . -maxdepth 1 -type f -newer Makefile -perm -u+x ! -name '*.sh')
        for program in "${built[@]}"; do
            timeout "$limit" "$program" >"$scratch/$key.log" 2>&1 </dev/null
            echo "$name make $(judge $? "$scratch/$key.log")"
        done
        return
    fi
    if [ ${#mains[@]} -gt 1 ]; then
        for program in "${mains[@]}"; do
            build "$name/$(basename "$program")" "$1" "$2" "$key.$(basename "$program")" "$program"
        done
    else
        build "$name" "$1" "$2" "$key" "${sources[@]}"
    fi
}
build() { # NAME FOLDER DIRECTORY KEY SOURCE...
    local name=$1 folder=$2 directory=$3 key=$4
    shift 4
    # shellcheck disable=SC2046
    timeout 300 "$portable" -O2 -rdc=true -Xcompiler -fopenmp $(includes "$folder" "$directory") "$@" \
        -o "$scratch/$key.program" >"$scratch/$key.log" 2>&1 ||
        { echo "$name line unbuilt $(grep -m1 -E 'error|fatal|undefined' "$scratch/$key.log" | cut -c1-200)"; return; }
    timeout "$limit" "$scratch/$key.program" >"$scratch/$key.log" 2>&1 </dev/null
    echo "$name line $(judge $? "$scratch/$key.log")"
    rm -f "$scratch/$key.program"
}
export -f includes judge one build
export portable scratch limit toolkit

for directory; do
    directory=$(realpath "$directory") || exit 1
    name=$(basename "$directory")
    find "$directory" -name '*.cu' -printf '%h\n' | sort -u | while read -r folder; do
        grep -qsE '(^|[ \t])main *\(' "$folder"/*.cu "$folder"/*.cpp "$folder"/*.cc "$folder"/*.c && echo "$folder"
    done | xargs -d '\n' -P "$jobs" -I{} bash -c 'one "$1" "$2"' _ {} "$directory" \
        >"$scratch/$name.programs"
    awk -v name="$name" '{ n++; c[$3]++ } END {
        printf "%-16s %3d programs: %d pass, %d fail, %d waive, %d over the time limit, %d not built\n",
            name, n, c["passed"], c["failed"], c["waived"], c["slow"], c["unbuilt"] }' "$scratch/$name.programs"
done
