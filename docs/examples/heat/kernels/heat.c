/* SPDX-License-Identifier: 0BSD */
/* Heat in a plate of square cells: explicit time steps, and the parts of a multigrid V-cycle for
 * the steady state.
 *
 * An array has width x height cells, row-major, and a ring of cells around them, the frame, which
 * stays at temperature 0; rows are `pitch` = width + 2 elements apart. u holds the temperatures at
 * the cells' centres. east[p] is the conductance of the face between cells p and p + 1, south[p]
 * between p and p + pitch: 1 between two cells, 2 to the frame, which is only half a cell away, and
 * 0 at an insulator.
 *
 * Finite volumes of second order: h^2 du/dt = flow_into(u) + heat in each cell, where h is the edge
 * of a cell and heat is h^2 times the source. */
#include "portable.h"

DEVICE double flow_into(const double *u, const float *east, const float *south, int p, int pitch)
{
    return (double)east[p - 1] * (u[p - 1] - u[p]) + (double)east[p] * (u[p + 1] - u[p]) +
           (double)south[p - pitch] * (u[p - pitch] - u[p]) +
           (double)south[p] * (u[p + pitch] - u[p]);
}

/* An explicit step of dt = ratio h^2, stable up to a ratio of 1/4. */
KERNEL(heat_step)(int width, int height, double ratio, const float *RESTRICT east,
                  const float *RESTRICT south, const double *RESTRICT heat,
                  const double *RESTRICT u, double *RESTRICT next)
{
    const int pitch = width + 2;
    GRID_STRIDE_LOOP_2D(x, y, width, height) {
        const int p = (y + 1) * pitch + x + 1;
        next[p] = u[p] + ratio * (flow_into(u, east, south, p, pitch) + heat[p]);
    }
}

/* Gauss-Seidel on one colour of a chessboard, 0 or 1: each cell takes the temperature that balances
 * its flows, 0 in an insulator. It only reads cells of the other colour. */
KERNEL(relax)(int width, int height, int colour, const float *RESTRICT east,
              const float *RESTRICT south, const double *RESTRICT heat, double *u)
{
    const int pitch = width + 2;
    GRID_STRIDE_LOOP_2D(pair, y, (width + 1) / 2, height) {
        const int x = 2 * pair + ((y + colour) & 1), p = (y + 1) * pitch + x + 1;
        if (x == width)
            continue;
        const double all = (double)(east[p - 1] + east[p] + south[p - pitch] + south[p]);
        u[p] = all > 0 ? u[p] + (flow_into(u, east, south, p, pitch) + heat[p]) / all : 0;
    }
}

/* The correction's problem on the next coarser plate, which has half as many cells along each axis.
 * The heat of a coarse cell is the surplus of its four fine cells; the correction starts at 0.
 * width, height: of the fine plate, even; coarse_heat, coarse_u: the coarse plate */
KERNEL(coarsen)(int width, int height, const float *RESTRICT east, const float *RESTRICT south,
                const double *RESTRICT heat, const double *RESTRICT u, double *RESTRICT coarse_heat,
                double *RESTRICT coarse_u)
{
    const int pitch = width + 2;
    GRID_STRIDE_LOOP_2D(x, y, width / 2, height / 2) {
        const int coarse = (y + 1) * (width / 2 + 2) + x + 1;
        double surplus = 0;
        for (int k = 0; k < 4; k++) {
            const int p = (2 * y + 1 + k / 2) * pitch + 2 * x + 1 + k % 2;
            surplus += flow_into(u, east, south, p, pitch) + heat[p];
        }
        coarse_heat[coarse] = surplus;
        coarse_u[coarse] = 0;
    }
}

/* Adds the coarse plate's correction, interpolated linearly: the centre of a fine cell lies a
 * quarter of a coarse cell from the coarse centre, along each axis towards one neighbour. Each
 * difference is weighted by the conductance of the face it crosses.  width, height: of the fine
 * plate */
KERNEL(correct)(int width, int height, const float *RESTRICT coarse_east,
                const float *RESTRICT coarse_south, const double *RESTRICT coarse_u,
                double *RESTRICT u)
{
    const int pitch = width / 2 + 2;
    GRID_STRIDE_LOOP_2D(x, y, width, height) {
        const int own = (y / 2 + 1) * pitch + x / 2 + 1;
        const int side = x % 2 ? 1 : -1, other = y % 2 ? pitch : -pitch;
        const float across = coarse_east[x % 2 ? own : own - 1];
        const float along = coarse_south[y % 2 ? own : own - pitch];
        u[(y + 1) * (width + 2) + x + 1] +=
            coarse_u[own] + 0.25 * ((double)across * (coarse_u[own + side] - coarse_u[own]) +
                                    (double)along * (coarse_u[own + other] - coarse_u[own]));
    }
}

/* The largest absolute surplus of a cell, which is 0 in the steady state. Each block takes every
 * gridDim.x-th row.  largest: 1 element, 0 at first */
KERNEL(largest_surplus)(int width, int height, const float *RESTRICT east,
                        const float *RESTRICT south, const double *RESTRICT heat,
                        const double *RESTRICT u, double *RESTRICT largest)
{
    const int pitch = width + 2;
    FOR_EACH_BLOCK(256) {
        PRIVATE(double, most);
        FOR_EACH_THREAD
            MINE(most) = 0;
        for (int y = (int)blockIdx.x; y < height; y += (int)gridDim.x) {
            for (int x = 0; x < width; x += 256) {
                FOR_THREADS_BELOW(width - x) {
                    const int p = (y + 1) * pitch + x + (int)threadIdx.x + 1;
                    const double surplus = flow_into(u, east, south, p, pitch) + heat[p];
                    const double size = surplus < 0 ? -surplus : surplus;
                    MINE(most) = size > MINE(most) ? size : MINE(most);
                }
            }
        }
        BLOCK_REDUCE_MAX(most, most);
        FOR_THREADS_BELOW(1)
            ATOMIC_MAX(largest, MINE(most));
    }
}
