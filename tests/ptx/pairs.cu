/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/pairs.c as CUDA written by hand. */
typedef float REAL;

static __device__ REAL pair_value(REAL a, REAL b)
{
    const REAL d = a - b;
    return 1 / (1 + d * d);
}

extern "C" __global__ void pairs_loop(int na, int nb, const REAL *__restrict__ a,
                                      const REAL *__restrict__ b, REAL *__restrict__ total)
{
    for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < na; i += gridDim.y * blockDim.y)
        for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < nb; j += gridDim.x * blockDim.x)
            atomicAdd(total, pair_value(a[i], b[j]));
}

extern "C" __global__ void pairs_strip(int na, int nb, const REAL *__restrict__ a,
                                       const REAL *__restrict__ b, REAL *__restrict__ total)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= na)
        return;
    const int strip = (nb + (int)gridDim.y - 1) / (int)gridDim.y;
    const int first = blockIdx.y * strip, end = min(first + strip, nb);
    const REAL mine = a[i];
    REAL sum = 0;
    for (int j = first; j < end; j++)
        sum += pair_value(mine, b[j]);
    atomicAdd(total, sum);
}

extern "C" __global__ void pairs_tiled(int na, int nb, const REAL *__restrict__ a,
                                       const REAL *__restrict__ b, REAL *__restrict__ total)
{
    __shared__ REAL tile[1024];
    const int strip = (nb + (int)gridDim.y - 1) / (int)gridDim.y;
    const int first = blockIdx.y * strip, end = min(first + strip, nb);
    const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    REAL sum = 0;
    for (int base = first; base < end; base += blockDim.x) {
        const int count = min(end - base, (int)blockDim.x);
        if (t < count)
            tile[t] = b[base + t];
        __syncthreads();
        if (i < na) {
            int k = t % count;
            for (int step = 0; step < count; step++) {
                sum += pair_value(a[i], tile[k]);
                k = k + 1 < count ? k + 1 : 0;
            }
        }
        __syncthreads();
    }
    atomicAdd(total, sum);
}

/* The sum over the first `lanes` lanes of a warp, in lane 0. */
static __device__ REAL warp_sum_of(REAL value, unsigned lane, unsigned lanes)
{
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        const REAL other = __shfl_xor_sync(0xffffffff, value, delta);
        if ((lane ^ delta) < lanes)
            value += other;
    }
    return value;
}

/* The sum over the lanes of a warp of a block of any size, in all of them. */
static __device__ REAL warp_sum(REAL value, unsigned lane, unsigned lanes)
{
    return __shfl_sync(0xffffffff, warp_sum_of(value, lane, lanes), 0);
}

extern "C" __global__ void pairs_warp(int na, int nb, const REAL *__restrict__ a,
                                      const REAL *__restrict__ b, REAL *__restrict__ total)
{
    __shared__ REAL tile[1024];
    const int strip = (nb + (int)gridDim.y - 1) / (int)gridDim.y;
    const int first = blockIdx.y * strip, end = min(first + strip, nb);
    const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    REAL sum = 0;
    for (int base = first; base < end; base += blockDim.x) {
        const int count = min(end - base, (int)blockDim.x);
        if (t < count)
            tile[t] = b[base + t];
        __syncthreads();
        if (i < na) {
            int k = t % count;
            for (int step = 0; step < count; step++) {
                sum += pair_value(a[i], tile[k]);
                k = k + 1 < count ? k + 1 : 0;
            }
        }
        __syncthreads();
    }
    const unsigned lane = threadIdx.x % 32;
    sum = warp_sum(sum, lane, min(blockDim.x - (threadIdx.x - lane), 32));
    if (lane == 0)
        atomicAdd(total, sum);
}

extern "C" __global__ void pairs_broadcast(int na, int nb, const REAL *__restrict__ a,
                                           const REAL *__restrict__ b, REAL *__restrict__ total)
{
    __shared__ REAL tile[1024];
    const int strip = (nb + (int)gridDim.y - 1) / (int)gridDim.y;
    const int first = blockIdx.y * strip, end = min(first + strip, nb);
    const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    const REAL value = i < na ? a[i] : 0;
    REAL sum = 0;
    for (int base = first; base < end; base += blockDim.x) {
        const int count = min(end - base, (int)blockDim.x);
        if (t < count)
            tile[t] = b[base + t];
        __syncthreads();
        for (int k = 0; k < count; k++)
            sum += pair_value(value, tile[k]);
        __syncthreads();
    }
    if (i >= na)
        sum = 0;
    const unsigned lane = threadIdx.x % 32;
    sum = warp_sum(sum, lane, min(blockDim.x - (threadIdx.x - lane), 32));
    if (lane == 0)
        atomicAdd(total, sum);
}

/* The sum of a block of any size, in all its threads. */
static __device__ REAL block_sum(REAL value)
{
    __shared__ REAL of_warp[32], of_block;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned warps = (blockDim.x + 31) / 32;
    value = warp_sum_of(value, lane, min(blockDim.x - warp * 32, 32));
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = warp_sum_of(of_warp[lane < warps ? lane : 0], lane, warps);
        if (lane == 0)
            of_block = value;
    }
    __syncthreads();
    return of_block;
}

#define AT_ONCE 4

static __device__ REAL pair_values(REAL a, const REAL *b)
{
    const REAL d = a - b[0];
    REAL over = 1, under = 1 + d * d, reciprocal;
#pragma unroll
    for (int k = 1; k < AT_ONCE; k++) {
        const REAL e = a - b[k], x = 1 + e * e;
        over = over * x + under;
        under = under * x;
    }
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(under));
    return over * reciprocal;
}

extern "C" __global__ void pairs_fractions(int na, int nb, const REAL *__restrict__ a,
                                           const REAL *__restrict__ b, REAL *__restrict__ total)
{
    __shared__ __align__(16) REAL tile[1024];
    const int strip = (nb + (int)gridDim.y - 1) / (int)gridDim.y;
    const int first = blockIdx.y * strip, end = min(first + strip, nb);
    const int row = blockIdx.x * blockDim.x, rows = na - row, t = threadIdx.x;
    const REAL value = t < rows ? a[row + t] : 0;
    REAL sum = 0;
    for (int base = first; base < end; base += blockDim.x) {
        const int count = min(end - base, (int)blockDim.x);
        const int together = count / AT_ONCE * AT_ONCE;
        if (t < count)
            tile[t] = b[base + t];
        __syncthreads();
        for (int k = 0; k < together; k += AT_ONCE)
            sum += pair_values(value, &tile[k]);
        for (int k = together; k < count; k++)
            sum += pair_value(value, tile[k]);
        __syncthreads();
    }
    if (t >= rows)
        sum = 0;
    sum = block_sum(sum);
    if (t == 0)
        atomicAdd(total, sum);
}
