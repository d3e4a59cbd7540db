#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# programs.sh PORTABLE_NVCC SCRATCH DIRECTORY...
#
# Tries whole programs of public code, checked out outside this tree. A program is a folder below
# DIRECTORY with a .cu file, and a main in one of its .cu or .cpp files. It is built by its own
# Makefile, if that names nvcc, with NVCC= and CUDA_DIR= (CUDA_PATH=, CUDA_HOME=) on the command
# line; if a target fails, the others are run. Without such a Makefile it is built by one line,
# portable-nvcc *.cu *.cpp, with -I of the folders include, inc, Common and common above it; if
# several .cu files have a main, each is a program. It runs there, without arguments or by its script
# `run`, and passes if it ends with 0 and prints nothing that looks like a failure.
#
# Prints a table, and SCRATCH/NAME.programs has a line for each: passed, failed, waived (its own
# word, or exit status 2), slow (over LIMIT seconds), or unbuilt with the first error. The folder
# SCRATCH/NAME has what the compilers print, in PROGRAM.built, and the program, with its exit status,
# in PROGRAM.all.said.
#
# Environment: JOBS (2), LIMIT (120), CHECK: a check to build with; its reports count as failures.
# THREADS, such as "1 2 7": each program runs on each of these numbers of OS threads, which stand in
# the place of "all" in the names, until it is over LIMIT. The first run gives the verdict.
# PRELOAD: a library that programs run with.
set -u

[ $# -ge 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
portable=$(realpath "$1") scratch=$2
shift 2
mkdir -p "$scratch" && scratch=$(realpath "$scratch")
jobs=${JOBS:-2} limit=${LIMIT:-120}
[ -z "${CHECK:-}" ] || export PORTABLE_CHECK=$CHECK
toolkit=$(realpath "$(dirname "$portable")/../lib/portable/cuda")
# Makefiles that name neither path, and programs that g++ links.
export PATH=$toolkit/bin:$PATH LD_LIBRARY_PATH=$toolkit/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

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
# OpenMP, if the compiler has it.
echo 'int main() {}' >"$scratch/openmp.cu"
openmp=
"$portable" -Xcompiler -fopenmp "$scratch/openmp.cu" -o "$scratch/openmp" >"$scratch/openmp.log" 2>&1 &&
    openmp='-Xcompiler -fopenmp'
# Its verdict, by its output and its exit status.
judge() { # CODE OUTPUT
    if [ "$1" = 124 ]; then echo slow
    elif [ "$1" = 2 ] || grep -qiE 'waiv(ed|ing)' "$2"; then echo waived
    elif [ "$1" != 0 ] || grep -qE 'FAILED|Test failed|Result = FAIL|mismatch|INCORRECT|NOT OK' "$2"; then
        echo "failed ($1) $(grep -m1 -iE 'kernel [^ ]*:|fail|error|mismatch' "$2" | tr -d '\0\n' | cut -c1-160)"
    else echo passed; fi
}
# runs NAME KIND COMMAND...
runs() {
    local name=$1 kind=$2 numbers=${THREADS:-all} number said code
    local first=$scratch/$collection/$name.${numbers%% *}.said
    shift 2
    mkdir -p "$(dirname "$first")"
    for number in $numbers; do
        said=$scratch/$collection/$name.$number.said
        [ "$number" = all ] || export PORTABLE_THREADS=$number
        timeout "$limit" env ${PRELOAD:+LD_PRELOAD="$PRELOAD"} "$@" >"$said" 2>&1 </dev/null
        code=$?
        [ "$said" != "$first" ] || echo "$name $kind $(judge $code "$said")"
        echo "exit status $code" >>"$said"
        [ $code != 124 ] || break
    done
}
one() { # FOLDER DIRECTORY
    cd "$1" || return
    local name=${1#"$2"/} program said code
    local mains=() sources=() built=()
    [ "$1" != "$2" ] || name=$collection
    mapfile -t mains < <(grep -lE '^[ \t]*(int|void)[ \t\n]+main[ \t]*\(|^main *\(' ./*.cu 2>/dev/null)
    mapfile -t sources < <(ls ./*.cu ./*.cpp ./*.cc 2>/dev/null)
    if grep -qsi nvcc Makefile makefile && ! [ -f CMakeLists.txt ]; then
        said=$scratch/$collection/$name.built
        mkdir -p "$(dirname "$said")"
        make clean >/dev/null 2>&1
        touch "$said.begin"
        # What one target lacks, the others may not need.
        timeout 1200 make -k NVCC="$portable" CUDA_DIR="$toolkit" CUDA_PATH="$toolkit" \
            CUDA_HOME="$toolkit" >"$said" 2>&1
        code=$?
        [ $code = 0 ] || echo "$name make unbuilt $(grep -m1 -E 'error|Error|undefined' "$said")"
        mapfile -t built < <(find . -maxdepth 1 -type f -newer "$said.begin" -perm -u+x ! -name '*.sh')
        rm "$said.begin"
        if [ -f run ]; then
            [ $code != 0 ] && [ ${#built[@]} = 0 ] || runs "$name" make sh ./run
            return
        fi
        for program in "${built[@]}"; do
            runs "$name/$(basename "$program")" make "$program"
        done
        return
    fi
    if [ ${#mains[@]} -gt 1 ]; then
        for program in "${mains[@]}"; do
            build "$name/$(basename "$program")" "$1" "$2" "$program"
        done
    else
        build "$name" "$1" "$2" "${sources[@]}"
    fi
}
build() { # NAME FOLDER DIRECTORY SOURCE...
    local name=$1 folder=$2 directory=$3 base=$scratch/$collection/$1
    shift 3
    mkdir -p "$(dirname "$base")"
    # shellcheck disable=SC2046,SC2086
    timeout 1200 "$portable" -O2 -rdc=true $openmp $(includes "$folder" "$directory") "$@" \
        -o "$base.program" >"$base.built" 2>&1 ||
        { echo "$name line unbuilt $(grep -m1 -E 'error|fatal|undefined' "$base.built" | cut -c1-200)"; return; }
    runs "$name" line "$base.program"
    rm -f "$base.program"
}
export -f includes judge runs one build
export portable scratch limit toolkit openmp

for directory; do
    directory=$(realpath "$directory") || exit 1
    name=$(basename "$directory")
    export collection=$name
    rm -rf "${scratch:?}/$name"
    find "$directory" -name '*.cu' -printf '%h\n' | sort -u | while read -r folder; do
        grep -qsE '(^|[ \t])main *\(' "$folder"/*.cu "$folder"/*.cpp "$folder"/*.cc "$folder"/*.c && echo "$folder"
    done | xargs -d '\n' -P "$jobs" -I{} bash -c 'one "$1" "$2"' _ {} "$directory" \
        >"$scratch/$name.programs"
    awk -v name="$name" '{ n++; c[$3]++ } END {
        printf "%-16s %3d programs: %d pass, %d fail, %d waive, %d over the time limit, %d not built\n",
            name, n, c["passed"], c["failed"], c["waived"], c["slow"], c["unbuilt"] }' "$scratch/$name.programs"
done
