#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# versions.sh NVCC SCRATCH [CHECK...]
# portable-nvcc --cuda-version: the numbers that a program, a build system and the runtime see agree,
# and what older versions of CUDA had exists there, clean under each CHECK. Exit status: 0 if all is
# as expected, or 1.
set -u
LC_ALL=C
export LC_ALL
nvcc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
sources=$(cd "$(dirname "$0")" && pwd)/versions
rm -rf "$2" && mkdir -p "$2" && cd "$2" || exit 1
shift 2
unset PORTABLE_CHECK NVCC_CCBIN NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
failed=0

# runs FILE.cu EXPECTED OPTION...: the program prints that file and ends with 0
runs() {
    source=$1 expected=$2
    shift 2
    "$nvcc" "$@" "$sources/$source" -lcuda -o program >said 2>errors &&
        ./program >said 2>errors && diff "$expected" said >>errors && return
    echo "$source $*:"
    head -n 20 errors
    failed=1
}
# refuses SENTENCE FILE.cu OPTION...: it does not compile, and why
refuses() {
    sentence=$1 source=$2
    shift 2
    ! "$nvcc" "$@" -c "$sources/$source" -o program.o >said 2>&1 && grep -qF -- "$sentence" said &&
        return
    echo "$source $*: without \"$sentence\":"
    head -n 20 said
    failed=1
}

for version in 11.0 12.4 13.0; do
    major=${version%.*} minor=${version#*.}
    number=$((major * 1000 + minor * 10))
    capability=520
    [ $number -lt 13000 ] || capability=750
    echo "$number $number $number $major.$minor.0 $major.$minor $capability" >numbers
    echo "runtime $number" >>numbers
    runs numbers.cu numbers --cuda-version=$version
    "$nvcc" --cuda-version=$version --version | grep -qx \
        "Cuda compilation tools, release $version, V$version.0" || {
        echo "--version --cuda-version=$version"
        failed=1
    }
done
runs numbers.cu numbers
runs numbers.cu numbers -x c++ -D__CUDA_ARCH__=750
"$nvcc" --version | grep -q "release 13.0, V13.0.0" || { echo "--version"; failed=1; }

# Shuffles and votes without a mask: until CUDA 12, for GPUs before Volta.
gone='__ballot is not in CUDA any more: use __ballot_sync'
runs legacy_shuffles.cu "$sources/legacy_shuffles.out" --cuda-version=12.4
runs legacy_shuffles.cu "$sources/legacy_shuffles.out" --cuda-version=11.0 -arch=sm_60 -O0
for check; do
    runs legacy_shuffles.cu "$sources/legacy_shuffles.out" --cuda-version=12.9 --check="$check"
done
refuses "$gone" ../fail/intrinsics_ballot.cu --cuda-version=12.4 -arch=sm_70
refuses "$gone" ../fail/intrinsics_ballot.cu --cuda-version=13.0 -arch=sm_60

# Texture and surface references: until CUDA 11; afterwards the names are the program's.
runs references.cu "$sources/references.out" --cuda-version=11.8 -O0
for check; do
    runs references.cu "$sources/references.out" --cuda-version=11.8 --check="$check"
done
cat >mine.cu <<'END'
struct texture { int x; };
struct surface { int x; };
__global__ void k(texture *t, surface *s) { t->x = s->x; }
int main() { return 0; }
END
sources=$PWD
: >nothing
runs mine.cu nothing --cuda-version=12.0
refuses texture mine.cu --cuda-version=11.8
refuses texture mine.cu

for wrong in 10.2 13.1 12 12.10 12.x; do
    refuses "--cuda-version takes a version of CUDA from 11.0 to 13.0, such as 12.4, not $wrong" \
        mine.cu --cuda-version=$wrong
done
exit $failed
