/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/sparse.c as CUDA written by hand. */
#include "loops.h"

typedef float REAL;

extern "C" __global__ void csr_spmv(int rows, const int *__restrict__ row_offsets,
                                    const int *__restrict__ column_indices,
                                    const REAL *__restrict__ values, const REAL *__restrict__ x,
                                    REAL *__restrict__ y)
{
    FOR_PAIRS(row, rows) {
        REAL sum = 0;
        for (int k = row_offsets[row]; k < row_offsets[row + 1]; k++)
            sum += values[k] * x[column_indices[k]];
        y[row] = sum;
    }
}

extern "C" __global__ void csr_spmv_run(int rows, const int *__restrict__ row_offsets,
                                        const int *__restrict__ column_indices,
                                        const REAL *__restrict__ values, const REAL *__restrict__ x,
                                        REAL *__restrict__ y)
{
    const unsigned threads = gridDim.x * blockDim.x;
    const unsigned run = rows / threads + (rows % threads != 0);
    const unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * run;
    if (first >= rows)
        return;
    const unsigned last = min(first + run, rows);
    const int stop = row_offsets[last];
    unsigned row = first;
    int end = row_offsets[row + 1];
    REAL sum = 0;
    for (int k = row_offsets[row]; k < stop; k++) {
        while (k == end) {
            y[row++] = sum;
            sum = 0;
            end = row_offsets[row + 1];
        }
        sum += values[k] * x[column_indices[k]];
    }
    for (; row < last; row++) {
        y[row] = sum;
        sum = 0;
    }
}

/* The grid covers the rows. */
extern "C" __global__ void csr_spmv_cached(int rows, int columns,
                                           const int *__restrict__ row_offsets,
                                           const int *__restrict__ column_indices,
                                           const REAL *__restrict__ values,
                                           const REAL *__restrict__ x, REAL *__restrict__ y)
{
    __shared__ REAL cache[1024];
    const int first = blockIdx.x * blockDim.x;
    const int row = first + threadIdx.x;
    if (row < columns)
        cache[threadIdx.x] = x[row];
    __syncthreads();
    if (row < rows) {
        REAL sum = 0;
        for (int k = row_offsets[row]; k < row_offsets[row + 1]; k++) {
            const int column = column_indices[k];
            const int own = column - first;
            sum += values[k] * (own >= 0 && own < (int)blockDim.x ? cache[own] : x[column]);
        }
        y[row] = sum;
    }
}

/* The grid covers the rows. */
extern "C" __global__ void __launch_bounds__(128, 8)
    csr_spmv_staged(int rows, const int *__restrict__ row_offsets,
                    const int *__restrict__ column_indices, const REAL *__restrict__ values,
                    const REAL *__restrict__ x, REAL *__restrict__ y)
{
    __shared__ REAL products[640];
    const int first = min(blockIdx.x * 128, rows);
    const int count = min(rows - first, 128), t = threadIdx.x;
    const int begin = row_offsets[first], stop = row_offsets[first + count];
    int next = row_offsets[first + min(t, count)];
    const int end = row_offsets[first + min(t + 1, count)];
    REAL sum = 0;
    for (int left = stop - begin; left > 0; left -= 640) {
        const int chunk = stop - left;
#pragma unroll
        for (int k = t; k < 640; k += 128)
            if (k < left)
                products[k] = values[chunk + k] * x[column_indices[chunk + k]];
        __syncthreads();
        const int last = min(end, left < 640 ? stop : chunk + 640);
        for (; next < last; next++)
            sum += products[next - chunk];
        __syncthreads();
    }
    if (t < count)
        y[first + t] = sum;
}

extern "C" __global__ void vector_subtract(int n, const REAL *__restrict__ a,
                                           const REAL *__restrict__ b, REAL *__restrict__ c)
{
    FOR_PAIRS(i, n)
        c[i] = a[i] - b[i];
}

/* The sum over the first `lanes` lanes of a warp, in lane 0. */
static __device__ REAL warp_sum(REAL value, unsigned lane, unsigned lanes)
{
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        const REAL other = __shfl_xor_sync(0xffffffff, value, delta);
        if ((lane ^ delta) < lanes)
            value += other;
    }
    return value;
}

/* The sum over a block of any size, in all its threads. */
static __device__ REAL block_sum(REAL value)
{
    __shared__ REAL of_warp[32], of_block;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned warps = (blockDim.x + 31) / 32;
    value = warp_sum(value, lane, min(blockDim.x - warp * 32, 32));
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = warp_sum(of_warp[lane < warps ? lane : 0], lane, warps);
        if (lane == 0)
            of_block = value;
    }
    __syncthreads();
    return of_block;
}

extern "C" __global__ void dot(int n, const REAL *__restrict__ a, const REAL *__restrict__ b,
                               REAL *__restrict__ sums)
{
    REAL sum = 0;
    FOR_TURNS(i, n)
        sum += a[i] * b[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

extern "C" __global__ void sum_of_blocks(int n, const REAL *__restrict__ sums,
                                         REAL *__restrict__ total)
{
    REAL sum = 0;
    FOR_TURNS(i, n)
        sum += sums[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        total[0] = sum;
}
