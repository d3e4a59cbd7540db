#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cccl.sh NVCC SCRATCH
# Where portable-nvcc finds Thrust, CUB and libcu++: in made-up toolkits, packages and checkouts,
# whose other headers must not be used. Exit status: 0, or 1 if not.
set -u
nvcc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
rm -rf "$2" && mkdir -p "$2/home" && cd "$2" || exit 1
here=$(pwd -P)
HOME=$here/home
export HOME
unset CUDA_HOME CUDA_PATH VIRTUAL_ENV CONDA_PREFIX XDG_CACHE_HOME NVCC_PREPEND_FLAGS \
    NVCC_APPEND_FLAGS CPATH CPLUS_INCLUDE_PATH
# /usr/local/cuda is after all that is tried here, but not a toolkit on PATH.
PATH=/usr/bin:/bin
status=0

# headers DIRECTORY THRUST CUB CUDA NV: CCCL's directories in that one
headers() {
    mkdir -p "$1/$2" "$1/$3" "$1/$4/std" "$1/$5"
    echo "int thrust_of_$name;" >"$1/$2/version.h"
    echo "int cub_of_$name;" >"$1/$3/version.cuh"
    echo "int std_of_$name;" >"$1/$4/std/version"
    echo "int nv_of_$name;" >"$1/$5/target"
}
# cccl NAME DIRECTORY
cccl() {
    name=$1
    headers "$2" thrust cub cuda nv
}
# toolkit NAME DIRECTORY: with CUDA's other headers beside CCCL's
toolkit() {
    cccl "$1" "$2"
    for header in cuda_runtime.h cuda_runtime_api.h vector_types.h of_toolkit.h; do
        echo "#error $header of a toolkit" >"$2/$header"
    done
}
toolkit cuda12 cuda12/include
cccl cuda13 cuda13/include/cccl
toolkit inner13 cuda13/include
rm -r cuda13/include/thrust cuda13/include/cub cuda13/include/cuda cuda13/include/nv
toolkit conda conda/targets/x86_64-linux/include
cccl venv venv/lib/python3.11/site-packages/nvidia/cu13/include/cccl
cccl wheel12 venv12/lib/python3.11/site-packages/nvidia/cuda_cccl/include
cccl user home/.local/lib/python3.12/site-packages/nvidia/cu13/include/cccl
cccl plain plain
name=checkout
headers checkout thrust/thrust cub/cub libcudacxx/include/cuda libcudacxx/include/nv
mkdir -p bin12 cuda12/bin empty
printf '#!/bin/sh\n' >cuda12/bin/nvcc
chmod +x cuda12/bin/nvcc
ln -s ../cuda12/bin/nvcc bin12/nvcc

printf '#include <%s>\n' thrust/version.h cub/version.cuh cuda/std/version nv/target >uses.cu
printf '%s\n' '#if __has_include(<of_toolkit.h>)' '#error of_toolkit.h is found' '#endif' >>uses.cu
# finds NAME [VARIABLE=VALUE...] [OPTION...]: all parts are those of that one, and no other header
finds() {
    wanted=$1
    shift
    variables=
    while [ $# -gt 0 ]; do
        case $1 in
        [A-Z]*=*) variables="$variables $1" && shift ;;
        *) break ;;
        esac
    done
    # shellcheck disable=SC2086 # words
    env $variables "$nvcc" -E uses.cu "$@" >said 2>errors
    code=$?
    for part in thrust cub std nv; do
        grep -qxF "int ${part}_of_$wanted;" said || code=1
    done
    if [ $code != 0 ] || [ "$(grep -c '^int [a-z]*_of_[a-z0-9]*;$' said)" != 4 ]; then
        echo "$variables $*: not that of $wanted:"
        grep '^int [a-z]*_of_' said
        head -n 5 errors
        status=1
    fi
}
finds cuda13 "CUDA_HOME=$here/cuda13"
finds cuda12 "CUDA_HOME=$here/cuda12"
finds cuda13 "CUDA_PATH=$here/cuda13" "VIRTUAL_ENV=$here/venv"
finds cuda12 "PATH=$here/empty:$here/bin12:$PATH" "VIRTUAL_ENV=$here/venv"
# The directory of portable-nvcc, which is a toolkit, has none.
finds venv "CUDA_HOME=$(dirname "$nvcc")/../lib/portable/cuda" "VIRTUAL_ENV=$here/venv" \
    "PATH=$(dirname "$nvcc")/../lib/portable/cuda/bin:$PATH"
finds wheel12 "VIRTUAL_ENV=$here/venv12"
finds conda "CONDA_PREFIX=$here/conda"
finds user
finds plain "CUDA_HOME=$here/cuda13" --cccl=plain
finds cuda12 --cccl "$here/cuda12"
finds cuda12 --cccl cuda12/include
finds checkout --cccl=checkout
finds cuda12 "HOME=/proc/none" --cccl=cuda12
finds cuda12 "XDG_CACHE_HOME=$here/cache" --cccl=cuda12
[ -e "$here/cache/portable-nvcc" ] || { echo "XDG_CACHE_HOME is not used" && status=1; }
finds plain --cccl=plain -Iempty

# Thrust 1 takes host code for the device's unless it is told apart when it runs; Thrust 2 does not.
cat >device.cu <<'END'
#include <thrust/version.h>
#ifndef _NVHPC_CUDA
#define __builtin_is_device_code() 2
#endif
__global__ void on_device(int *is) { *is = __builtin_is_device_code(); }
int main()
{
    int *is, copy;
    cudaMalloc(&is, sizeof *is);
    on_device<<<1, 1>>>(is);
    cudaMemcpy(&copy, is, sizeof copy, cudaMemcpyDeviceToHost);
    return 10 * copy + __builtin_is_device_code();
}
END
# tells VERSION STATUS: what the program returns with Thrust of that version
tells() {
    echo "#define THRUST_VERSION $1" >plain/thrust/version.h
    "$nvcc" --cccl=plain device.cu -o device && ./device
    code=$?
    [ $code = "$2" ] || { echo "Thrust $1: the program returns $code, not $2" && status=1; }
}
tells 101702 10
tells 200802 22

# A directory that has none is an error, and --cccl=none finds none.
"$nvcc" -E uses.cu --cccl=empty >said 2>errors && { echo "--cccl=empty is accepted" && status=1; }
grep -q "^portable-nvcc: --cccl=empty: neither thrust/version.h nor cub/version.cuh is there$" errors ||
    { cat errors && status=1; }
"$nvcc" -E uses.cu --cccl=none >said 2>errors && { echo "--cccl=none finds one" && status=1; }
# What CCCL does not have is the compiler's affair.
echo '#include <thrust/none.h>' >none.cu
"$nvcc" -E none.cu --cccl=plain >said 2>errors && { echo "thrust/none.h is there" && status=1; }
grep -q 'CCCL' errors && { echo "thrust/none.h: CCCL is not found" && status=1; }
exit $status
