#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kernels.sh GENERATOR NVCC SCRATCH SEED KERNELS [WAY...]
#
# Compiles and runs random kernels, of SEED and the seeds after it, in each WAY of the table below:
# all outputs must be those of the first way, and a check must have no findings. Without WAYs, those
# that this machine has. GENERATOR is tests/fuzz/kernels.c, NVCC portable-nvcc; CUDA_NVCC in the
# environment is CUDA's nvcc, for the way cuda; JOBS, the number of compilers at a time; TRIES, the
# most that a reduction makes.
#
# Of each kind of failure the first kernel is reduced to SCRATCH/found/SEED-WAY.cu: nodes of the
# generator's tree are left out as long as the failure stays.
#
# Exit status: 0 if there is no failure; 1 if there is; 2 for wrong usage.
set -u

# A way to run kernels. The first that is chosen is the reference. Those with the same options share
# a compilation. With -DFUZZ_STAY no thread leaves early, so outputs are not compared. Not in the
# default: planted, a mistake for the test of the reducer. With optimisation CUDA 13.0's ptxas makes
# illegal instructions of some functions that call themselves.
#   name             options of portable-nvcc                | environment
ways='
    O0               -O0                                     |
    reverse          -O0                                     | ORDER=reverse
    shuffle          -O0                                     | ORDER=shuffle:1
    O2               -ccbin g++ -O2                          |
    O3               -ccbin g++ -O3                          |
    lockstep         -O0 --warps=lockstep                    |
    clang-lockstep   -ccbin clang++ -O2 --warps=lockstep     |
    cpp20-rdc        -ccbin g++ -O2 -std=c++20 -rdc=true     |
    clang-O0         -ccbin clang++ -O0                      |
    clang-O2         -ccbin clang++ -O2                      | ORDER=shuffle:2
    clang-O3         -ccbin clang++ -O3                      |
    threads-1        -ccbin g++ -O2                          | PORTABLE_THREADS=1
    threads-2        -ccbin g++ -O2                          | PORTABLE_THREADS=2
    threads-7        -ccbin g++ -O2                          | PORTABLE_THREADS=7
    clang-threads-1  -ccbin clang++ -O3                      | PORTABLE_THREADS=1
    clang-threads-2  -ccbin clang++ -O3                      | PORTABLE_THREADS=2
    clang-threads-7  -ccbin clang++ -O3                      | PORTABLE_THREADS=7
    racecheck        --check=racecheck                       |
    race-shuffle     --check=racecheck                       | ORDER=shuffle:3
    memcheck         --check=memcheck                        |
    initcheck        --check=initcheck                       |
    synccheck        --check=synccheck -DFUZZ_STAY           |
    accesscheck      --check=accesscheck                     | PORTABLE_ACCESS_LINES=0
    fpcheck          --check=fpcheck                         |
    clang-fpcheck    -ccbin clang++ --check=fpcheck          |
    clang-racecheck  -ccbin clang++ --check=racecheck        |
    clang-memcheck   -ccbin clang++ --check=memcheck         |
    clang-initcheck  -ccbin clang++ --check=initcheck        |
    cuda             -O2 -std=c++17 -arch=native -Xptxas -O0 |
    planted          -O0 -DFUZZ_PLANTED                      |
'
per_file=50

# way NAME: sets $options and $environment
way() {
    found=$(printf '%s\n' "$ways" | awk -v name="$1" '$1 == name { $1 = ""; print }')
    options=${found%%|*} environment=${found#*|}
    [ -n "$found" ] || { echo "kernels.sh: there is no way $1" >&2; exit 2; }
    [ "$1" != cuda ] || [ -n "${CUDA_NVCC:-}" ] || {
        echo "kernels.sh: the way cuda needs nvcc and a GPU" >&2
        exit 2
    }
}

# judge DIRECTORY WAY REFERENCE: runs DIRECTORY/kernels.cu; sets $verdict, empty if all is well
judge() {
    way "$2"
    compiler=$nvcc verdict=
    [ "$2" != cuda ] || compiler=$CUDA_NVCC
    program=$1/$(echo "$compiler $options" | cksum | cut -d ' ' -f 1)
    # shellcheck disable=SC2086 # options are words
    [ -x "$program" ] ||
        "$compiler" $options -w "$1/kernels.cu" -o "$program" >"$1/$2.errors" 2>&1 || {
        verdict="does not compile"
        return
    }
    # The limit ends what hangs.
    # shellcheck disable=SC2086
    env $environment timeout 600 "$program" >"$1/$2.out" 2>"$1/$2.errors"
    status=$?
    case $options in
    *--check=*)
        check=${options##*--check=}
        grep -q "^${check%% *}: no " "$1/$2.errors" || verdict="finding, exit status $status"
        ;;
    esac
    if [ -z "$verdict" ] && [ $status != 0 ]; then
        verdict="exit status $status"
    elif [ -z "$verdict" ] && [ "${options#*FUZZ_STAY}" = "$options" ]; then
        cmp -s "$1/$3.out" "$1/$2.out" || verdict="differs from $3"
    fi
}

# suspects DIRECTORY WAY REFERENCE FIRST COUNT: the seeds in which it may have failed
suspects() {
    case $verdict in
    differs*) diff "$1/$3.out" "$1/$2.out" | sed -n 's/^[<>] \([0-9]*\)\..*/\1/p' | sort -nu ;;
    *) seq "$4" $(($4 + $5 - 1)) ;;
    esac
}

# batch FIRST COUNT: prints SEED, WAY and the verdict of each failure
batch() {
    directory=$scratch/batch-$1 keep=
    rm -rf "$directory"
    mkdir -p "$directory"
    "$generator" "$1" "$2" >"$directory/kernels.cu"
    for name in $chosen; do
        judge "$directory" "$name" "$reference"
        [ -n "$verdict" ] || continue
        together=$verdict alone=
        for seed in $(suspects "$directory" "$name" "$reference" "$1" "$2"); do
            fails "$directory/one" "$seed" "$name" || continue
            alone=1
            echo "$seed $name $verdict"
        done
        if [ -z "$alone" ]; then
            keep=1
            echo "$1 $name $together, in $directory/kernels.cu as a whole"
        fi
        [ "$name" != "$reference" ] || break
    done
    printf . >&2
    [ -n "$keep" ] || rm -rf "$directory"
}

# fails DIRECTORY SEED WAY [NODE...]: without these nodes, the kernel fails; sets $verdict
fails() {
    fails_in=$1 fails_seed=$2 fails_way=$3
    shift 3
    rm -rf "$fails_in"
    mkdir -p "$fails_in"
    "$generator" "$fails_seed" 1 "$@" >"$fails_in/kernels.cu"
    if [ "$fails_way" != "$reference" ]; then
        judge "$fails_in" "$reference" "$reference"
        [ -z "$verdict" ] || return 1
    fi
    judge "$fails_in" "$fails_way" "$reference"
    [ -n "$verdict" ]
}

# reduce SEED WAY VERDICT: writes SCRATCH/found/SEED-WAY.cu
reduce() {
    directory=$scratch/reduce out="" tries=0
    size=$(($("$generator" --nodes "$1" | wc -l) / 2))
    while [ $size -gt 0 ]; do
        position=1 changed=
        while [ $tries -lt "${TRIES:-100000}" ]; do
            # shellcheck disable=SC2086 # numbers
            part=$("$generator" --nodes "$1" $out | sed -n "$position,$((position + size - 1))p")
            [ -n "$part" ] || break
            tries=$((tries + 1))
            # shellcheck disable=SC2086
            if fails "$directory" "$1" "$2" $out $part && [ "$verdict" = "$3" ]; then
                out="$out $part" changed=1
            else
                position=$((position + size))
            fi
        done
        # What is left out last may have been the last use of something before.
        if [ $size -gt 1 ]; then
            size=$((size / 2))
        elif [ -z "$changed" ]; then
            size=0
        fi
    done
    mkdir -p "$scratch/found"
    {
        # shellcheck disable=SC2086
        echo "// $2: $3. Seed $1, without the nodes" $out | fold -s -w 95 | sed '2,$s,^,// ,'
        # shellcheck disable=SC2086
        "$generator" "$1" 1 $out
    } >"$scratch/found/$1-$2.cu"
    # shellcheck disable=SC2086
    left=$("$generator" --nodes "$1" $out | wc -l)
    echo "$2: $3: reduced to $left nodes in $tries tries: $scratch/found/$1-$2.cu"
}

if [ "${1:-}" = --batch ]; then
    shift
    batch "$@"
    exit 0
fi
[ $# -ge 5 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
generator=$1 nvcc=$2 scratch=$3 first=$4 count=$5
shift 5
for number in "$first" "$count"; do
    case $number in '' | *[!0-9]*) echo "kernels.sh: $number is not a number" >&2; exit 2 ;; esac
done
chosen="$*"
if [ $# = 0 ]; then
    for name in $(printf '%s\n' "$ways" | awk '{ print $1 }'); do
        case $name in
        planted) continue ;;
        cuda) [ -n "${CUDA_NVCC:-}" ] || continue ;;
        clang*) command -v clang++ >/dev/null || continue ;;
        esac
        case $name in
        *fpcheck) [ "$(uname -m)" = x86_64 ] || continue ;;
        esac
        chosen="$chosen $name"
    done
fi
chosen=${chosen# } reference=${chosen%% *}
for name in $chosen; do
    way "$name"
done
rm -rf "$scratch/found" "$scratch/reduce"
mkdir -p "$scratch"
export generator nvcc scratch chosen reference
seq 0 $per_file $((count - 1)) | while read -r k; do
    echo $((first + k)) $((count - k < per_file ? count - k : per_file))
done | xargs -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" -n 2 "$0" --batch >"$scratch/failures"
echo >&2
if [ ! -s "$scratch/failures" ]; then
    echo "$count kernels from seed $first, no difference and no finding: $chosen"
    exit 0
fi
sort -n "$scratch/failures"
echo "$(grep -c . "$scratch/failures") failures of $count kernels"
sort -n "$scratch/failures" | grep -v ' as a whole$' |
    awk '{ kind = $0; sub("^[0-9]+ ", "", kind) } !seen[kind]++' |
    while read -r seed name verdict; do
        reduce "$seed" "$name" "$verdict"
    done
exit 1
