/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/dynamic_parallelism.c as CUDA written by hand. */
#include "loops.h"

typedef float REAL;

static __device__ REAL integrand(REAL x)
{
    return 1 / (x * x + 0.001f);
}

static __device__ REAL simpson(REAL width, REAL left, REAL middle, REAL right)
{
    return width / 6 * (left + 4 * middle + right);
}

extern "C" __global__ void __launch_bounds__(1024, 1)
    quadrature(int n, int first, int nodes, REAL left, REAL right, REAL tolerance, REAL *areas)
{
    const REAL width = (right - left) / n;
    FOR_PAIRS(i, n) {
        const int node = first + i;
        const REAL a = left + width * i, b = a + width, middle = a + width / 2;
        const REAL at_a = integrand(a), at_middle = integrand(middle), at_b = integrand(b);
        const REAL coarse = simpson(width, at_a, at_middle, at_b);
        const REAL fine = simpson(width / 2, at_a, integrand(a + width / 4), at_middle) +
                          simpson(width / 2, at_middle, integrand(middle + width / 4), at_b);
        const REAL error = (fine - coarse) / 15;
        if ((error <= tolerance && -error <= tolerance) || node >= nodes / 2)
            areas[node] = fine + error;
        else {
            quadrature<<<1, 2>>>(2, 2 * node, nodes, a, b, tolerance / 2, areas);
            cudaGetLastError();
        }
    }
}

static __device__ REAL warp_sum(REAL value, unsigned lane, unsigned lanes)
{
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        const REAL other = __shfl_xor_sync(0xffffffff, value, delta);
        if ((lane ^ delta) < lanes)
            value += other;
    }
    return value;
}

extern "C" __global__ void quadrature_total(int nodes, const REAL *__restrict__ areas,
                                            REAL *__restrict__ total)
{
    __shared__ REAL of_warp[32], of_block;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned warps = (blockDim.x + 31) / 32;
    REAL sum = 0;
    FOR_TURNS(node, nodes)
        sum += areas[node];
    sum = warp_sum(sum, lane, min(blockDim.x - warp * 32, 32));
    if (lane == 0)
        of_warp[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(of_warp[lane < warps ? lane : 0], lane, warps);
        if (lane == 0)
            of_block = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        total[0] = of_block;
}
