#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cmake.sh NVCC SCRATCH
# CMake takes portable-nvcc for nvcc, as a language with sources of C++ and CUDA in one program, and
# by FindCUDA, which is older. Exit status: 0 if the programs print what they must, 1, or 77 without
# cmake.
set -u
LC_ALL=C
export LC_ALL
command -v cmake >/dev/null || { echo "skipped: there is no cmake"; exit 77; }
nvcc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
toolkit=$(cd "$(dirname "$nvcc")/../lib/portable/cuda" && pwd)
rm -rf "$2" && mkdir -p "$2/language" "$2/module" && cd "$2" || exit 1
unset PORTABLE_CHECK NVCC_CCBIN NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS CUDACXX CUDAHOSTCXX CUDAFLAGS
unset CUDA_PATH CUDA_HOME CUDA_BIN_PATH CUDA_TOOLKIT_ROOT
status=0

cat >main.cu <<'END'
#include "header.h"
#include <cassert>
#include <cstdio>
int library(), host();
__global__ void kernel(int *x) { assert(x); *x = VALUE; }
int main()
{
    int *x;
    cudaMallocManaged(&x, sizeof *x);
    kernel<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    printf("%d %d %d %s\n", *x, library(), host(), NAME);
}
END
printf '%s\n' '#include <cuda_runtime.h>' \
    'int host() { int n = 0; return cudaGetDeviceCount(&n) ? -1 : 5 + n; }' >host.cpp
printf '%s\n' '__device__ int far(int x) { return x + 1; }' >far.cu
printf '%s\n' 'extern __device__ int far(int);' '__global__ void near(int *x) { *x = far(4); }' \
    'int library() { int *x; cudaMallocManaged(&x, 4); near<<<1, 1>>>(x); cudaDeviceSynchronize(); return *x; }' >near.cu
echo '#define HEADER' >header.h
cp main.cu host.cpp far.cu near.cu header.h language
cp main.cu host.cpp far.cu near.cu header.h module

cat >language/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(language LANGUAGES CXX CUDA)
add_executable(program main.cu host.cpp far.cu near.cu)
set_target_properties(program PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_include_directories(program PRIVATE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
target_compile_definitions(program PRIVATE VALUE=3 "NAME=\"two words\"")
target_compile_options(program PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda;-Xcompiler=-Wall,-Wextra>")
END
cat >module/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
if(POLICY CMP0146)
  cmake_policy(SET CMP0146 OLD)
endif()
project(module C CXX)
find_package(CUDA REQUIRED)
set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -fPIC -Wall")
cuda_select_nvcc_arch_flags(architectures Auto)
message(STATUS "detected: ${CUDA_VERSION} ${architectures}")
list(APPEND CUDA_NVCC_FLAGS ${architectures} -std=c++14)
add_definitions(-DVALUE=3 "-DNAME=\"two words\"")
set(CUDA_SEPARABLE_COMPILATION ON)
cuda_add_executable(program main.cu host.cpp far.cu near.cu)
END
# CUDA's libraries by the targets of FindCUDAToolkit, for a program of both languages and one of C++.
mkdir libraries
cat >libraries/main.cpp <<'END'
#include <cstdio>
#include <cublas_v2.h>
#include <curand.h>
#include <cusparse.h>
#include <nvml.h>
int main()
{
    unsigned bits[3], devices = 0;
    curandGenerator_t generator;
    cusparseHandle_t sparse;
    cublasHandle_t blas;
    int failed = curandCreateGeneratorHost(&generator, CURAND_RNG_QUASI_SOBOL32);
    failed |= curandGenerate(generator, bits, 3) | curandDestroyGenerator(generator);
    failed |= cusparseCreate(&sparse) | cusparseDestroy(sparse);
    failed |= cublasCreate(&blas) | cublasDestroy(blas);
    failed |= nvmlInit() | nvmlDeviceGetCount(&devices) | nvmlShutdown();
    printf("%d %u %x\n", failed, devices, bits[2]);
}
END
cp libraries/main.cpp libraries/main.cu
cat >libraries/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(libraries LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
foreach(language cpp cu)
  add_executable(${language} main.${language})
  target_link_libraries(${language} PRIVATE CUDA::cudart CUDA::cublas CUDA::curand CUDA::cusparse
    CUDA::nvml)
endforeach()
add_executable(static main.cpp)
target_link_libraries(static PRIVATE CUDA::cudart_static CUDA::cublas CUDA::curand_static
  CUDA::cusparse_static CUDA::nvml)
END
{ cmake -S libraries -B build -DCMAKE_CUDA_COMPILER="$nvcc" && cmake --build build; } >log 2>&1
for program in cpp cu static; do
    [ "$("build/$program" 2>&1)" = '0 1 c0000000' ] && continue
    echo "FAILED: libraries, $program: $("build/$program" 2>&1)"
    grep -i -A 3 error log | head -n 20
    status=1
done

# builds PROJECT OPTION...: and runs the program
builds() {
    project=$1
    shift
    rm -rf build
    { cmake -S "$project" -B build "$@" && cmake --build build && build/program >out; } >log 2>&1
    [ $? = 0 ] && [ "$(cat out)" = '3 5 6 two words' ] && return
    echo "FAILED: $project $*"
    grep -i -A 3 error log | head -n 20
    status=1
}
builds language -DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CUDA_ARCHITECTURES='75;80-real;90-virtual' -DCMAKE_CUDA_STANDARD=20
builds language -DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_ARCHITECTURES=OFF
# An environment module may set it; CMake must not take the linker that g++ calls for nvcc's.
LIBRARY_PATH=$toolkit/lib64 builds language -DCMAKE_CUDA_COMPILER="$nvcc" \
    -DCMAKE_CUDA_ARCHITECTURES=all-major
if cmake --help-module-list | grep -qx FindCUDA; then
    builds module -DCUDA_TOOLKIT_ROOT_DIR="$toolkit" -DCMAKE_BUILD_TYPE=Release
    grep -q 'detected: 13.0 .*arch=compute_75,code=sm_75' log || { grep detected: log; status=1; }
    grep -q '/module/header.h"' build/CMakeFiles/program.dir/*main.cu.o*.depend ||
        { echo "FAILED: FindCUDA finds no dependencies"; status=1; }
else
    echo "# LEFT OUT FindCUDA: this CMake no longer has it"
fi
exit $status
