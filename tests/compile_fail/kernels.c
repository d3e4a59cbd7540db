/* SPDX-License-Identifier: BSD-3-Clause */
/* Definitions of kernels: shapes of blocks, bounds of loops, declarations, CUDA C. */
#include "wrong.h"

#define SHAPE(name, ...)                                                                           \
    KERNEL(name)(unsigned n, unsigned *out)                                                        \
    {                                                                                              \
        FOR_EACH_BLOCK(__VA_ARGS__) {                                                              \
            FOR_EACH_THREAD                                                                        \
                out[threadIdx.x] = n;                                                              \
        }                                                                                          \
    }

// case: block_of_1025_threads
// expect: FOR_EACH_BLOCK: a block has at most 1024 threads
SHAPE(block_of_1025_threads, WRONG(1025) RIGHT(1024))
// case: block_of_33_by_32_threads
// expect: FOR_EACH_BLOCK: a block has at most 1024 threads
SHAPE(block_of_33_by_32_threads, WRONG(33) RIGHT(32), 32)
// case: kernel_bounds_of_1025_threads
// expect: KERNEL_LAUNCH_BOUNDS takes 1 to 1024 threads
KERNEL_LAUNCH_BOUNDS(kernel_bounds_of_1025_threads, WRONG(1025) RIGHT(1024), 1)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}

// case: bound_is_a_float
// expect: the bound of a loop must be an integer
KERNEL(bound_is_a_float)(WRONG(float) RIGHT(int) n, int *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[(int)i] = 1;
}

// case: element_bound_is_a_double
// expect: the bound of a loop must be an integer
KERNEL(element_bound_is_a_double)(WRONG(double) RIGHT(int) n, int *x)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_ELEMENT(i, n)
            x[(int)i] = 1;
    }
}

// case: kernel_child_of_other_types
// expect: conflicting types for 'child'
KERNEL_CHILD(child, WRONG(unsigned) RIGHT(int), float *);
KERNEL(child)(int n, float *out)
{
    GRID_STRIDE_LOOP(i, n)
        out[i] = 0;
}

// case: cuda_global
// expect: CUDA C needs nvcc, or make run TARGET=emulate SOURCES=file.c
// errors: 1
WRONG(__global__ void cuda_global(int n, float *x))
RIGHT(KERNEL(cuda_global)(int n, float *x))
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}

// case: cuda_constant
// expect: CUDA C needs nvcc, or make run TARGET=emulate SOURCES=file.c
// errors: 1
WRONG(__constant__ float factor;)
RIGHT(CONSTANT(float, factor, );)
KERNEL(cuda_constant)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] *= factor;
}

// case: cuda_device
// expect: CUDA C needs nvcc, or make run TARGET=emulate SOURCES=file.c
// errors: 1
WRONG(__device__ static inline float twice(float x))
RIGHT(DEVICE float twice(float x))
{
    return 2 * x;
}
KERNEL(cuda_device)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = twice(x[i]);
}

// case: cuda_shared
// expect: CUDA C needs nvcc, or make run TARGET=emulate SOURCES=file.c
// errors: 1
KERNEL(cuda_shared)(float *x)
{
    FOR_EACH_BLOCK(32) {
        WRONG(__shared__ float tile[32];)
        RIGHT(SHARED(float, tile, [32]);)
        FOR_EACH_THREAD
            tile[threadIdx.x] = x[threadIdx.x];
        SYNC_THREADS();
        FOR_EACH_THREAD
            x[threadIdx.x] = tile[31 - threadIdx.x];
    }
}
