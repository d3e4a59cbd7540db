#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compare.sh: on a machine with a GPU, runs each example and the libraries it replaces, one after
# the other, for the table in README.md. Needs the CUDA Toolkit with cuBLAS, cuRAND, cuSPARSE and
# NPP, and for gpt2 Python with PyTorch.
# Exit status: 0, or 1 if a program failed.
set -u
cd "$(dirname "$0")" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

run() {
    echo "\$ $*"
    "$@" && return
    echo "FAILED"
    failed=1
    return 1 # for a caller in a subshell, which has its own `failed`
}
build() { # EXAMPLE NVCC'S ARGUMENTS...: the program of EXAMPLE, and what it is compared with
    example=$1
    shift
    (cd "$example" && make -s serial cuda >"$out/log" 2>&1) || { cat "$out/log"; failed=1; }
    [ $# -eq 0 ] || (cd "$example" && nvcc -O3 -std=c++17 -arch=native -o "$out/$example" "$@") ||
        failed=1
}
example() { # TARGETS EXAMPLE ARGUMENTS...
    targets=$1 name=$2
    shift 2
    for target in $targets; do
        (cd "$name" && run "$(make -s print-B | sed -n 's/^B = //p')/$target/$name" "$@") || failed=1
    done
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader

for precision in single double; do
    export PRECISION=$precision
    single=-DSINGLE
    [ $precision = single ] || single=
    build cg ${single:+"$single"} compare/cusparse.cu -lcusparse -lcublas
    for n in 101 201; do
        example cuda cg --poisson $n
        run "$out/cg" $n
    done
done
unset PRECISION

prompt="In the beginning"
build gpt2 compare/cublas.cu -lcublas
example "cuda serial" gpt2 --prompt "$prompt" --tokens 100 --temperature 0 --save "$out/weights.npy"
run "$out/gpt2" 6 6
run python3 gpt2/compare/torch_gpt2.py "$out/weights.npy" 6 6 256 "$prompt" 100

build heat
example "cuda serial" heat --steps 600 --frames 3 --out "$out/heat" ../data/camera.pgm

build nbody
example cuda nbody

build options compare/curand.cu -lcurand
for n in 65536 4194304; do
    (cd options && run make -s bench TARGET=cuda CASES="paths_philox paths_sobol" N=$n) || failed=1
    run "$out/options" $n
done

build photo -I. -I../../.. compare/npp.cu -lnppc -lnppicc -lnppif -lnppist -lnppitc
for n in 512 4096; do
    run "$out/photo" $n
done
exit $failed
