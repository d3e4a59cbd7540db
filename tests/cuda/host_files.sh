#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# host_files.sh NVCC SCRATCH
# Host compilers take CUDA's headers from the toolkit's one directory, without a warning, in each
# dialect of C and C++, and compile host files that use the runtime API and declare kernels. Exit
# status: 0 if all is as expected, or 1.
set -u
LC_ALL=C
export LC_ALL
nvcc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
toolkit=$(dirname "$nvcc")/../lib/portable/cuda
rm -rf "$2" && mkdir -p "$2" && cd "$2" || exit 1
unset PORTABLE_CHECK NVCC_CCBIN CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH
status=0
# expect WHAT COMMAND...: succeeds without a word
expect() {
    what=$1
    shift
    "$@" >said 2>&1 && [ ! -s said ] && return
    echo "$what: $*"
    head -n 8 said
    status=1
}
# has COMPILER...: those that are installed
has() {
    for name; do
        command -v "$name" >/dev/null && echo "$name"
    done
}

headers='cuda_runtime.h cuda_runtime_api.h cuda.h vector_types.h vector_functions.h cuda_fp16.h
cuda_bf16.h cuda_fp8.h cuda_fp6.h cuda_fp4.h cuComplex.h cublas_v2.h
cublasLt.h cufft.h cufftXt.h curand.h cusolverDn.h cusparse.h nccl.h nvml.h
device_launch_parameters.h driver_types.h
driver_functions.h device_types.h nvtx3/nvToolsExt.h nvtx3/nvToolsExtCudaRt.h nvToolsExt.h
math_constants.h builtin_types.h host_defines.h crt/host_defines.h library_types.h
channel_descriptor.h cuda_profiler_api.h texture_types.h surface_types.h cooperative_groups.h mma.h
device_functions.h device_atomic_functions.h math_functions.h common_functions.h'
for header in $headers; do
    echo "#include <$header>" | tee alone.c >alone.cpp
    # shellcheck disable=SC2046 # words
    expect "$header" $(has gcc clang | head -n 1) -std=c99 -Wall -Wextra -Werror \
        -I"$toolkit/include" -fsyntax-only alone.c
    # shellcheck disable=SC2046 # words
    expect "$header" $(has g++ clang++ | head -n 1) -std=c++11 -Wall -Wextra -Werror \
        -I"$toolkit/include" -fsyntax-only alone.cpp
done
for header in $headers; do
    echo "#include <$header>"
done >all.h
# brings HEADER CODE: what CUDA's own header includes
brings() {
    printf '#include <%s>\n%s\n' "$1" "$2" >brings.cpp
    # shellcheck disable=SC2046 # words
    expect "$1" $(has g++ clang++ | head -n 1) -std=c++11 -I"$toolkit/include" -fsyntax-only \
        brings.cpp
}
brings cuda.h 'uint64_t widen(uint32_t x) { return x; } void *p = malloc(INT_MAX);'
brings cuda_runtime.h 'std::pair<int, int> p(CHAR_BIT, 1);'
brings cuda_fp16.h 'void copy(void *to, half x) { std::memcpy(to, &x, 2); std::pair<half, half> p; }'
brings cuda_bf16.h 'void copy(void *to, nv_bfloat16 x) { std::memcpy(to, &x, 2); }'

# A header that host files and .cu files share.
cat >shared.cuh <<'END'
#pragma once
#include <cuda_runtime.h>
#ifdef __CUDA_ARCH__
#error "for the host"
#endif
struct __align__(16) pair {
    float a, b;
    __host__ __device__ float sum() const { return a + b; }
};
template <class T> __host__ __device__ __forceinline__ T twice(T x) { return x + x; }
__host__ __device__ inline int thrice(int x) { return 3 * x; }
extern __constant__ float scale;
extern __device__ int *__restrict__ table;
__device__ int of_device(int x);
__global__ void __launch_bounds__(128, 2) fill(int *x, int value);
__global__ void __cluster_dims__(1, 1, 1) clustered(const __grid_constant__ pair p);
template <class T> __global__ void unused(T *x) { *x = T(); }
END
sed '/__CUDA_ARCH__/,/^#endif/d' shared.cuh >kernels.cuh
cat >kernels.cu <<'END'
#include "kernels.cuh"
__global__ void __launch_bounds__(128, 2) fill(int *x, int value) { x[threadIdx.x] = thrice(value); }
END
cat >main.cpp <<'END'
#include "all.h"
#include "shared.cuh"
#include <cstdio>
#if defined(__CUDACC__)
#error "a host file"
#endif
int main()
{
    int *x = nullptr, value = 14, host[4] = {};
    float *managed = nullptr;
    cudaStream_t stream;
    cudaEvent_t event;
    void *arguments[] = {&x, &value};
    dim3 grid, block(4);
    float4 v = make_float4(1, 2, 3, 4);
    const pair p = {v.x, v.y};
    if (cudaMalloc(&x, sizeof host) || cudaMallocManaged(&managed, 4) || cudaStreamCreate(&stream) ||
        cudaEventCreate(&event) || cudaLaunchKernel(fill, grid, block, arguments, 0, stream) ||
        cudaEventRecord(event, stream) || cudaStreamSynchronize(stream) ||
        cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost) || cudaFree(x) || cudaFree(managed))
        return 1;
    const __half half = __float2half(twice(0.75f));
    const __nv_bfloat16 other = __float2bfloat16(p.sum());
    std::printf("%d %d %g %g %g\n", host[0], host[3], double(__half2float(half)),
                double(__bfloat162float(other)), double(cuCrealf(make_cuFloatComplex(5, 6))));
    return 0;
}
END
cat >main.c <<'END'
#include "all.h"
#include <stdio.h>
int main(void)
{
    void *x = NULL;
    int host = 42, back = 0;
    cudaEvent_t event;
    dim3 grid = {1, 2, 3};
    int4 v = make_int4(1, 2, 3, 4);
    if (cudaMalloc(&x, sizeof host) || cudaEventCreate(&event) ||
        cudaMemcpy(x, &host, sizeof host, cudaMemcpyHostToDevice) ||
        cudaMemcpy(&back, x, sizeof back, cudaMemcpyDeviceToHost) || cudaFree(x))
        return 1;
    printf("%d %u %d\n", back, grid.z, v.w);
    return 0;
}
END
expect 'kernels' "$nvcc" -c kernels.cu
# What programs may take from nvcc's own prefix, and the special functions of C++17 by <cmath>.
cat >special.cu <<'END'
std::pair<int, double> p(std::max(1, std::numeric_limits<int>::min()), std::cbrt(8.0));
#include <cmath>
double z = std::riemann_zeta(2.0);
END
expect 'special functions' "$nvcc" -std=c++17 -c special.cu
# runs WHAT OUTPUT
runs() {
    ./program >said 2>&1 && grep -qxF "$2" said && return
    echo "$1: not $2"
    head -n 8 said
    status=1
}
for cc in $(has gcc clang); do
    for std in c99 c11 gnu17; do
        expect "C" "$cc" -std=$std -Wall -Wextra -Werror -I"$toolkit/include" -c main.c -o main.o
    done
    expect "$cc links" "$cc" main.o -o program -L"$toolkit/lib64" -Wl,-rpath,"$toolkit/lib64" \
        -lcudart -lpthread -lm
    runs "$cc" '42 3 4'
done
for cxx in $(has g++ clang++); do
    for std in c++11 c++14 c++17 c++20; do
        expect "C++" "$cxx" -std=$std -Wall -Wextra -Werror -I"$toolkit/include" -c main.cpp \
            -o main.o
    done
    expect "$cxx links" "$cxx" main.o kernels.o -o program -L"$toolkit/lib64" \
        -Wl,-rpath,"$toolkit/lib64" -lcudart "$toolkit/lib64/libcublas.a" \
        "$toolkit/lib64/libcurand.so" -lpthread -lm
    runs "$cxx" '42 42 1.5 3 5'
    expect "portable-nvcc, $cxx" "$nvcc" -ccbin "$cxx" -Xcompiler -Wall,-Wextra,-Werror kernels.o \
        main.cpp -o program
    runs "portable-nvcc, $cxx" '42 42 1.5 3 5'
done
exit $status
