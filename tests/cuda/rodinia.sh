#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# rodinia.sh PORTABLE_NVCC SCRATCH RODINIA [PROGRAM...]
#
# Times Rodinia's CUDA programs beside its OpenMP versions, on all cores: RODINIA is a checkout of
# yuhc/gpu-rodinia. Each version is built from a copy of its sources, the CUDA one by portable-nvcc
# -O3 and the other by gcc -O3 -fopenmp. The sources stay as they are, but for the numbers that they
# define: iterations of cfd, and threads of backprop. Both get the same input, which is made here,
# and run in turns. Programs that take random numbers of the time find the same time in each run.
#
# Builds all first, on all cores. Prints a row as soon as a program is done: the median seconds of the
# whole program, the speed of CUDA in parts of OpenMP's, how many kernels were split, and whether
# CUDA's output and files are those of the first compiler's program on one OS thread, without lines of
# times: yes, or the numbers of OS threads on which they are not. SCRATCH/NAME.COMPILER.reports has
# what the compiler said, with the kernels that were not split, and SCRATCH/NAME.log the same of gcc.
# myocyte's constants must be in RODINIA/data, or it is left out.
#
# Environment: CCBIN (clang++), the host compiler, or several, each with its columns, with an option
# as in "clang++ g++ g++:-O0"; RUNS (3), 0 to only compare; LIMIT (20), the seconds of a run; THREADS
# (all cores); SAME (THREADS), the numbers of OS threads on which outputs are compared; SMALL=1 for
# inputs on which a stack for each thread takes seconds. To compare all ways to run kernels:
# RUNS=0 SMALL=1 SAME="1 2 7" CCBIN="g++:-O0 g++ clang++".
set -u

[ $# -ge 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
portable=$(realpath "$1") rodinia=$(realpath "$3")
mkdir -p "$2" && scratch=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
shift 3
selected=" $* "
ccbins=${CCBIN:-clang++} runs=${RUNS:-3} limit=${LIMIT:-20} threads=${THREADS:-$(nproc)}
same=${SAME-$threads}
export OMP_NUM_THREADS=$threads PORTABLE_REPORT=1 TIMEFORMAT=%R

# The programs: name, size, CUDA's sources and arguments, OpenMP's sources and arguments, input.
# Sources and arguments are those in the program's folder; T is the number of threads. In the place
# of OpenMP's version a program may have none.
programs() {
    if [ "${SMALL:-0}" = 1 ]; then
        sed -E '/^pathfinder/s/400000/20000/g; /^backprop/s/262144/16384/g; /^streamcl/s/16384/2048/g
            /^(nw|lud)/s/4096|2048/512/g; /^gaussian/s/512/128/g; /^srad\/srad_v2/s/2048/256/g
            /^lavaMD/s/8/3/g; /^hotspot3D/s/ 50/ 3/g; /^hotspot\|/s/ 20/ 2/g
            /^srad\/srad_v1/{s/20/2/g; s/1024/128/g}' <<<"$table"
    else echo "$table"; fi
}
table=$(
    cat <<'END'
pathfinder|400000 x 200|pathfinder.cu|400000 200 20|pathfinder.cpp|400000 200|
cfd|97046 elements, 20 iterations|euler3d.cu|../../data/mesh|euler3d_cpu.cpp|../../data/mesh|mesh
lavaMD|8 boxes|main.c kernel/kernel_gpu_cuda_wrapper.cu util/*/*.c util/*/*.cu|-boxes1d 8|main.c kernel/*.c util/num/*.c util/timer/*.c|-cores T -boxes1d 8|
bfs|524288 nodes|bfs.cu|../../data/graph|bfs.cpp|T ../../data/graph|graph
hotspot3D|512 x 512 x 8, 50 steps|3D.cu|512 8 50 ../../data/power ../../data/temperature out|3D.c|512 8 50 ../../data/power ../../data/temperature out|power temperature
b+tree|10^6 keys|main.c kernel/*wrapper*.cu util/*/*.c util/*/*.cu|file ../../data/keys command ../../data/commands|main.c kernel/*.c util/*/*.c|cores T file ../../data/keys command ../../data/commands|keys commands
nn|400000 records|nn_cuda.cu|../../data/records -r 5 -lat 30 -lng 90|nn_openmp.c|../../data/records 5 30 90|records
hotspot|1024 x 1024, 20 steps|hotspot.cu|1024 2 20 ../../data/temperature ../../data/power out|hotspot_openmp.cpp|1024 1024 20 T ../../data/temperature ../../data/power out|power temperature
streamcluster|16384 points|streamcluster_cuda_cpu.cpp streamcluster_cuda.cu streamcluster_header.cu|10 20 256 16384 16384 1000 none out 1|streamcluster_omp.cpp|10 20 256 16384 16384 1000 none out T|
particlefilter|10000 particles|ex_particle_CUDA_float_seq.cu|-x 128 -y 128 -z 10 -np 10000|ex_particle_OPENMP_seq.c|-x 128 -y 128 -z 10 -np 10000|
backprop|262144|backprop.c facetrain.c imagenet.c backprop_cuda.cu|262144|*.c|262144|
myocyte||main.cu|100 1 0|main.c|100 1 0 T|myocyte
nw|4096|needle.cu|4096 10|needle.cpp|4096 10 T|
srad/srad_v1|1024 x 1024, 20 iterations|main.cu|20 0.5 1024 1024|main.c|20 0.5 1024 1024 T|srad
srad/srad_v2|2048 x 2048, 10 iterations|srad.cu|2048 2048 0 127 0 127 0.5 10|srad.cpp|2048 2048 0 127 0 127 T 0.5 10|
lud|2048|cuda/lud.cu cuda/lud_kernel.cu common/common.c|-s 2048|omp/lud.c omp/lud_omp.c common/common.c|-n T -s 2048|
kmeans|100000 points|*.c kmeans_cuda.cu|-o -i ../../data/points|kmeans_openmp/*.c|-n T -i ../../data/points|points
gaussian|512 x 512|gaussian.cu|-q -s 512|none||
dwt2d|1024 x 1024|main.cu dwt.cu components.cu dwt_cuda/*.cu|image -d 1024x1024 -f -5 -l 3|none||dwt2d
END
)

# input NAME: makes it, in the folder data; two programs may make one at the same time
random='function random() { seed = seed * 16807 % 2147483647; return seed } BEGIN { seed = 7'
input() {
    [ ! -e "$1" ] || return 0
    case $1 in
    mesh) # a grid of squares, 311 in a row
        awk 'function side(e, x, y) { printf " %d %d %d 0", (e >= 1 && e <= n ? e : -1), x, y }
            BEGIN { n = 97046; print n; w = 311
            for (i = 1; i <= n; i++) {
                printf "1"; side(i % w == 1 ? 0 : i - 1, -1, 0); side(i % w ? i + 1 : 0, 1, 0)
                side(i - w, 0, -1); side(i + w, 0, 1); print ""
            } }' ;;
    graph) # 6 edges of each node
        awk "$random"'; n = 524288; print n; for (i = 0; i < n; i++) print 6 * i, 6
            print 0; print 6 * n; for (i = 0; i < 6 * n; i++) print random() % n, 1 + random() % 10 }' ;;
    power)
        awk "$random"'; for (i = 0; i < 2097152; i++) printf "%.6f\n", random() / 214748364700 }' ;;
    temperature)
        awk "$random"'; for (i = 0; i < 2097152; i++) printf "%.4f\n", 320 + random() / 1e8 }' ;;
    keys) awk 'BEGIN { print 1000000; for (i = 0; i < 1000000; i++) print i * 7919 % 1000003 }' ;;
    commands) printf 'j 6000 3000\nk 10000\n' ;;
    records)
        awk "$random"'; for (i = 0; i < 400000; i++)
            printf "%4d %2d %2d %2d %2d %-9s %5.1f %5.1f %4d %4d\n", 1950 + random() % 55,
                1 + random() % 12, 1 + random() % 28, random() % 4 * 6, 1 + random() % 28, "ALBERTO",
                7 + random() % 630 / 10, random() % 3580 / 10, 10 + random() % 155, random() % 900 }' >db
        echo ../../data/db ;;
    points) # 34 features
        awk "$random"'; for (i = 0; i < 100000; i++) {
            printf "%d", i; for (j = 0; j < 34; j++) printf " %.4f", random() / 2147483647; print "" } }' ;;
    dwt2d)
        mkdir dwt2d && awk "$random"'; for (i = 0; i < 3145728; i++) printf "%c", 33 + random() % 90
            }' >dwt2d/image
        return ;;
    srad)
        mkdir srad && awk "$random"'; print "P2"; print 502, 458; print 255
            for (i = 0; i < 502 * 458; i++) print 30 + random() % 200 }' >srad/image.pgm
        return ;;
    myocyte)
        cp -r "$rodinia/data/myocyte" . 2>/dev/null
        return ;;
    esac >"$1.$BASHPID" && mv "$1.$BASHPID" "$1"
}
# run FOLDER PROGRAM ARGUMENT...: its seconds, or over, or failed; its output is in FOLDER/said
run() {
    local folder=$1
    shift
    cd "$folder" || exit
    { time timeout "$limit" "$@" >said 2>&1 </dev/null; echo $? >status; } 2>seconds
    cd "$scratch" || exit
    case $(cat "$folder/status") in
    124) echo over ;;
    0) cat "$folder/seconds" ;;
    *) echo failed ;;
    esac
}
is_selected() { [ "$selected" = "  " ] || [[ $selected = *" $1 "* ]]; }
make_input() { # NAME INPUT...
    local one name=$1
    rm -f "$scratch/$name.lacks"
    # shellcheck disable=SC2086 # words
    (cd "$scratch/data" && for one in $2; do input "$one" || exit; done) || : >"$scratch/$name.lacks"
}
build() { # PROGRAM NAME SOURCES OPENMP_SOURCES
    local compiler=gcc
    rm -f "$scratch/$2.openmp"
    case $4 in *.cpp*) compiler=g++ ;; esac
    # shellcheck disable=SC2086 # sources are patterns
    [ "$4" = none ] || [ "$runs" = 0 ] || (cd "$scratch/source/openmp/$1" &&
        $compiler -O3 -fopenmp -w -DOPEN -Dblock_length="$threads" -Icommon $4 "$scratch/time.o" \
            -o "$scratch/$2.openmp" -lm) >"$scratch/$2.log" 2>&1
    for ccbin in $ccbins; do
        rm -f "$scratch/$2.$ccbin"
        # shellcheck disable=SC2046,SC2086 # words
        (cd "$scratch/source/cuda/$1" &&
            "$portable" -ccbin "${ccbin%:*}" -O3 $(option "$ccbin") -rdc=true -w -DGPU_TIMER \
                -I. -Icommon -I../util -I../hybridsort $3 "$scratch/time.o" \
                -o "$scratch/$2.$ccbin" -lm) >"$scratch/$2.$ccbin.reports" 2>&1
    done
}
median() { # SECONDS...
    case $* in
    *over* | *failed*) printf '%s\n' "$@" | grep -m1 -E 'over|failed' ;;
    *) printf '%s\n' "$@" | sort -n | sed -n "$((($# + 1) / 2))p" ;;
    esac
}
option() { case $1 in *:*) echo "${1#*:}" ;; esac }
speed() { # OPENMP CUDA
    awk -v o="$1" -v c="$2" 'BEGIN { if (o + 0 > 0 && c + 0 > 0) printf "%.2f", o / c; else print "-" }'
}
# same FOLDER FOLDER: whether what was printed and the files are the same, but for times
same() {
    cmp -s <(sed -f "$here/untimed.sed" "$1/said") <(sed -f "$here/untimed.sed" "$2/said") &&
        diff -qr -x said -x seconds -x status "$1" "$2" >"$1.diff"
}

# compare PROGRAM BUILT ARGUMENTS: whether it gives on each number of SAME what the first compiler's
# program, in the folder reference, gives on one OS thread: yes; or those numbers on which it does not
compare() {
    local number folder differs='' first=$reference ccbin=${2##*.}
    # shellcheck disable=SC2086
    for number in $([ -n "$first" ] || echo 1) $same; do
        folder=$scratch/runs/$ccbin.$number/$1
        if ! [ -e "$folder/status" ]; then
            mkdir -p "$folder"
            PORTABLE_THREADS=$number run "$folder" "$2" $3 >/dev/null
        fi
        [ -n "$first" ] || first=$folder
        case $(cat "$first/status")-$(cat "$folder/status") in
        0-0) same "$folder" "$first" || differs="$differs $number" ;;
        *124*) echo over && return ;;
        *) echo failed && return ;;
        esac
    done
    [ -z "$same" ] && echo - || echo "${differs:-yes}"
}

rm -rf "$scratch/source" "$scratch/runs"
mkdir -p "$scratch/source" "$scratch/runs" "$scratch/data"
cp -r "$rodinia/cuda" "$rodinia/openmp" "$scratch/source"
ln -s ../data "$scratch/runs/data"
sed -i 's/#define iterations 2000/#define iterations 20/' "$scratch"/source/*/cfd/euler3d*.c*
sed -i "s/#define NUM_THREAD 8/#define NUM_THREAD $threads/" "$scratch/source/openmp/backprop/backprop.h"
# The time of every run.
echo 'long time(long *t) { return t ? *t = 7 : 7; }' >"$scratch/time.c"
gcc -O2 -c "$scratch/time.c" -o "$scratch/time.o" || exit

programs | {
    while IFS='|' read -r program size sources arguments omp_sources omp_arguments inputs; do
        name=$(basename "$program")
        is_selected "$name" || continue
        while [ "$(jobs -rp | wc -l)" -ge "$threads" ]; do wait -n; done
        make_input "$name" "$inputs" &
        build "$program" "$name" "$sources" "$omp_sources" &
    done
    wait
}

printf '| program | OpenMP |'
for ccbin in $ccbins; do printf ' CUDA, %s | speed | split | same |' "$ccbin"; done
printf '\n|---|---|'
for ccbin in $ccbins; do printf -- '---|---|---|---|'; done
echo
programs | while IFS='|' read -r program size sources arguments omp_sources omp_arguments inputs; do
    name=$(basename "$program")
    is_selected "$name" || continue
    [ ! -e "$scratch/$name.lacks" ] || { echo "# LEFT OUT $name: its input is missing"; continue; }
    openmp='' built=''
    [ ! -x "$scratch/$name.openmp" ] || openmp=$scratch/$name.openmp
    for ccbin in $ccbins; do
        [ ! -x "$scratch/$name.$ccbin" ] || built="$built $ccbin"
    done
    folder=$scratch/runs/omp/$program
    mkdir -p "$folder"
    times=
    declare -A cuda=()
    for ((i = 0; i < runs; i++)); do
        # shellcheck disable=SC2086
        [ -z "$openmp" ] || times="$times $(run "$folder" "$openmp" ${omp_arguments//T/$threads})"
        for ccbin in $built; do
            rm -rf "$scratch/runs/$ccbin/$program" && mkdir -p "$scratch/runs/$ccbin/$program"
            # shellcheck disable=SC2086
            cuda[$ccbin]="${cuda[$ccbin]:-} $(PORTABLE_THREADS=$threads run "$scratch/runs/$ccbin/$program" \
                "$scratch/$name.$ccbin" $arguments)"
        done
    done
    # shellcheck disable=SC2086
    seconds=$([ -z "$times" ] && echo - || median $times)
    printf '| %s%s | %s |' "$name" "${size:+ $size}" "$seconds"
    reference=
    for ccbin in $ccbins; do
        # shellcheck disable=SC2086
        own=$([ -z "${cuda[$ccbin]:-}" ] && echo - || median ${cuda[$ccbin]})
        equal=-
        [ -x "$scratch/$name.$ccbin" ] || own=unbuilt
        case $own in
        *[0-9] | -) equal=$(compare "$program" "$scratch/$name.$ccbin" "$arguments") ;;
        esac
        [ -n "$reference" ] || reference=$scratch/runs/$ccbin.1/$program
        printf ' %s | %s | %s | %s |' "$own" "$(speed "$seconds" "$own")" \
            "$(awk '/kernel .*: / { n++ } /: [0-9]+ loops?$/ { s++ } END { print n ? s + 0 " of " n : "-" }' "$scratch/$name.$ccbin.reports")" "$equal"
    done
    echo
done
