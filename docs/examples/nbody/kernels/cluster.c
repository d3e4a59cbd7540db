/* SPDX-License-Identifier: 0BSD */
/* Many bodies, each attracted by all: G is 1, and the square of each distance is softened, larger
 * by `soft`. Arrays have n elements; the grid covers n. */
#include "portable.h"

#include <math.h> /* sqrt, sqrtf */

#define TILE 256

DEVICE REAL square_root(REAL x)
{
    return sizeof(REAL) == sizeof(float) ? (REAL)sqrtf((float)x) : (REAL)sqrt((double)x);
}

/* v += step a: the block loads the bodies tile by tile, and each thread adds up one body's. */
KERNEL(kick)(int n, REAL step, REAL soft, const REAL *RESTRICT mass, const REAL *RESTRICT x,
             const REAL *RESTRICT y, const REAL *RESTRICT z, REAL *RESTRICT vx, REAL *RESTRICT vy,
             REAL *RESTRICT vz)
{
    FOR_EACH_BLOCK(TILE) {
        ALIGNED(32) SHARED(REAL, tile, [TILE][4]); /* x, y, z, mass */
        PRIVATE(REAL, own_x);
        PRIVATE(REAL, own_y);
        PRIVATE(REAL, own_z);
        PRIVATE(REAL, ax);
        PRIVATE(REAL, ay);
        PRIVATE(REAL, az);
        const int begin = (int)blockIdx.x * TILE, count = n - begin < TILE ? n - begin : TILE;
        FOR_EACH_THREAD {
            const int i = begin + ((int)threadIdx.x < count ? (int)threadIdx.x : 0);
            MINE(own_x) = x[i];
            MINE(own_y) = y[i];
            MINE(own_z) = z[i];
            MINE(ax) = MINE(ay) = MINE(az) = 0;
        }
        for (int first = 0; first < n; first += TILE) {
            FOR_EACH_THREAD {
                const int j = first + (int)threadIdx.x;
                tile[threadIdx.x][0] = j < n ? x[j] : 0;
                tile[threadIdx.x][1] = j < n ? y[j] : 0;
                tile[threadIdx.x][2] = j < n ? z[j] : 0;
                tile[threadIdx.x][3] = j < n ? mass[j] : 0;
            }
            SYNC_THREADS(); /* the tile is complete */
            for (int k = 0; k < TILE; k++) {
                FOR_EACH_THREAD {
                    const REAL dx = tile[k][0] - MINE(own_x), dy = tile[k][1] - MINE(own_y);
                    const REAL dz = tile[k][2] - MINE(own_z);
                    const REAL square = soft + dx * dx + dy * dy + dz * dz;
                    const REAL pull = tile[k][3] / (square * square_root(square));
                    MINE(ax) += pull * dx;
                    MINE(ay) += pull * dy;
                    MINE(az) += pull * dz;
                }
            }
            SYNC_THREADS(); /* the tile has been read */
        }
        FOR_THREADS_BELOW(count) {
            const int i = begin + (int)threadIdx.x;
            vx[i] += step * MINE(ax);
            vy[i] += step * MINE(ay);
            vz[i] += step * MINE(az);
        }
    }
}

/* x += step v */
KERNEL(drift)(int n, REAL step, const REAL *RESTRICT vx, const REAL *RESTRICT vy,
              const REAL *RESTRICT vz, REAL *RESTRICT x, REAL *RESTRICT y, REAL *RESTRICT z)
{
    GRID_STRIDE_LOOP(i, n) {
        x[i] += step * vx[i];
        y[i] += step * vy[i];
        z[i] += step * vz[i];
    }
}

/* The energy and the angular momentum around z.  sums: two per block */
KERNEL(measure)(int n, REAL soft, const REAL *RESTRICT mass, const REAL *RESTRICT x,
                const REAL *RESTRICT y, const REAL *RESTRICT z, const REAL *RESTRICT vx,
                const REAL *RESTRICT vy, const REAL *RESTRICT vz, double *RESTRICT sums)
{
    FOR_EACH_BLOCK(TILE) {
        PRIVATE(double, energy);
        PRIVATE(double, momentum);
        FOR_EACH_THREAD {
            const int i = (int)(blockIdx.x * TILE + threadIdx.x);
            double potential = 0;
            MINE(energy) = MINE(momentum) = 0;
            if (i < n) {
                for (int j = 0; j < n; j++) {
                    const REAL dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
                    const REAL square = soft + dx * dx + dy * dy + dz * dz;
                    potential -= j == i ? 0 : (double)(mass[j] / square_root(square));
                }
                MINE(energy) = (double)mass[i] / 2 *
                               (potential + (double)vx[i] * (double)vx[i] +
                                (double)vy[i] * (double)vy[i] + (double)vz[i] * (double)vz[i]);
                MINE(momentum) =
                    (double)mass[i] * ((double)x[i] * (double)vy[i] - (double)y[i] * (double)vx[i]);
            }
        }
        BLOCK_REDUCE_ADD(energy, energy);
        BLOCK_REDUCE_ADD(momentum, momentum);
        FOR_THREADS_BELOW(1) {
            sums[2 * blockIdx.x] = MINE(energy);
            sums[2 * blockIdx.x + 1] = MINE(momentum);
        }
    }
}
