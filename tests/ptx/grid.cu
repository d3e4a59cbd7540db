/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/grid.c as CUDA written by hand. */
#include <cooperative_groups.h>

#include "loops.h"

typedef float REAL;

extern "C" __global__ void jacobi(int n, int sweeps, const REAL *__restrict__ f, REAL *u,
                                  REAL *scratch)
{
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int sweep = 0; sweep < sweeps; sweep++) {
        FOR_TURNS(i, n) {
            const REAL left = i > 0 ? u[i - 1] : 0;
            const REAL right = i < n - 1 ? u[i + 1] : 0;
            scratch[i] = (left + right + f[i]) / 2;
        }
        grid.sync();
        REAL *const other = u;
        u = scratch;
        scratch = other;
    }
}

#define TILE 2048
#define DEPTH 10
#define KEPT (TILE - 2 * DEPTH)
#define BLOCK 256

extern "C" __global__ void jacobi_tiled(int n, int sweeps, const REAL *__restrict__ f, REAL *u,
                                        REAL *scratch)
{
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    __shared__ REAL values[2][TILE], f_values[TILE];
    const int tiles = n / KEPT + (n % KEPT != 0), thread = threadIdx.x;
    for (int sweep = 0; sweep < sweeps; sweep += DEPTH) {
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const int first = tile * KEPT - DEPTH;
            const int begin = first < 0 ? -first : 0, end = min(n - first, TILE);
            if (threadIdx.x < 2) {
                if (begin > 0)
                    values[threadIdx.x][begin - 1] = 0;
                if (end < TILE)
                    values[threadIdx.x][end] = 0;
            }
#pragma unroll
            for (int k = 0; k < TILE; k += BLOCK) {
                const int t = begin + k + thread;
                if (thread < end - begin - k) {
                    values[0][t] = u[first + t];
                    f_values[t] = f[first + t];
                }
            }
            __syncthreads();
            for (int done = 0; done < DEPTH; done++) {
                const REAL *before = values[done % 2];
                REAL *after = values[1 - done % 2];
                const int low = max(begin, done + 1), high = min(end, TILE - (done + 1));
#pragma unroll
                for (int k = 0; k < TILE; k += BLOCK) {
                    const int t = low + k + thread;
                    if (thread < high - low - k)
                        after[t] = (before[t - 1] + before[t + 1] + f_values[t]) / 2;
                }
                __syncthreads();
            }
            const int kept = min(end - DEPTH, KEPT);
#pragma unroll
            for (int k = 0; k < TILE; k += BLOCK) {
                const int t = DEPTH + k + thread;
                if (thread < kept - k)
                    scratch[first + t] = values[DEPTH % 2][t];
            }
            __syncthreads();
        }
        grid.sync();
        REAL *const other = u;
        u = scratch;
        scratch = other;
    }
}
