/* SPDX-License-Identifier: 0BSD */
/* Heat in a plate of square cells: explicit steps in time, and the parts of a multigrid V-cycle for
 * the steady state.
 *
 * The plate has width x height cells and a ring of cells around them, the frame, which stays at
 * temperature 0: row by row, `pitch` = width + 2 elements from row to row. Temperatures are those of
 * the cells' centres. The conductance of the face between two cells is 1, that of a face to the
 * frame 2, because the frame is half a cell away, and that of a face of an insulator 0. east[p] is
 * the face between cells p and p + 1, south[p] that between p and p + pitch.
 * In each cell h^2 du/dt = flow_into(u) + heat, where h is the edge of a cell and heat is h^2 times
 * the source: finite volumes, of second order in h. */
#include "portable.h"

DEVICE double flow_into(const double *u, const float *east, const float *south, int p, int pitch)
{
    return (double)east[p - 1] * (u[p - 1] - u[p]) + (double)east[p] * (u[p + 1] - u[p]) +
           (double)south[p - pitch] * (u[p - pitch] - u[p]) +
           (double)south[p] * (u[p + pitch] - u[p]);
}

/* An explicit step of dt = ratio h^2, stable up to a ratio of 1/4.  All arrays: a plate */
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

/* Gauss-Seidel on the cells of one colour of a chessboard, 0 or 1, which read those of the other:
 * each takes the temperature that balances its flows, an insulator 0. */
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

/* The problem on a plate of half as many cells each way: a cell's heat is the surplus of its four
 * cells, and its temperature, the correction of theirs, begins at 0.  width, height: of the fine
 * plate, even; coarse_heat, coarse_u: the coarse plate */
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

/* Adds the coarse plate's correction, interpolated linearly: the centre of a fine cell is a quarter
 * of a coarse cell from that of its own, towards a neighbour each way, and only as much of it
 * counts as conducts.  width, height: of the fine plate */
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

/* The largest surplus of a cell, with either sign: 0 in the steady state. A block takes a row, and
 * then every gridDim.x-th.  largest: 1, 0 at first */
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
