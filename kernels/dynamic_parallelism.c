/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic parallelism. Adaptive quadrature: the integral of a function over an interval by
 * Simpson's rule; a thread whose interval is not smooth enough launches a child grid with a thread
 * for each half. (Lyness: "Notes on the adaptive Simpson quadrature routine", JACM 16(3), 1969.) */
#include "portable.h"

KERNEL_CHILD(quadrature, int, int, int, REAL, REAL, REAL, REAL *);

/* A peak of height 1000 and half width 1 / 1000^(1/2) at 0: 1 / (x^2 + 1 / 1000). */
DEVICE REAL integrand(REAL x)
{
    return 1 / (x * x + (REAL)0.001);
}

/* Simpson's rule on an interval of that width. */
DEVICE REAL simpson(REAL width, REAL left, REAL middle, REAL right)
{
    return width / 6 * (left + 4 * middle + right);
}

/* The integral over n equal parts of [left, right], to n times the tolerance. Part i is node
 * first + i of a tree, in which the halves of node k are nodes 2 k and 2 k + 1. A part that is
 * smooth enough, or whose halves are beyond the tree, stores its share in areas[node]; all others
 * store nothing. So each node is written at most once, in any order of execution.
 * areas: `nodes` elements, zero before; a whole integral begins at node n */
KERNEL_LAUNCH_BOUNDS(quadrature, 1024, 1)(int n, int first, int nodes, REAL left, REAL right,
                                   REAL tolerance, REAL *areas)
{
    GRID_STRIDE_LOOP(i, n) {
        const int node = first + i;
        const REAL width = (right - left) / (REAL)n;
        const REAL a = left + width * (REAL)i, b = a + width, middle = a + width / 2;
        const REAL at_a = integrand(a), at_middle = integrand(middle), at_b = integrand(b);
        const REAL coarse = simpson(width, at_a, at_middle, at_b);
        const REAL fine = simpson(width / 2, at_a, integrand(a + width / 4), at_middle) +
                          simpson(width / 2, at_middle, integrand(middle + width / 4), at_b);
        const REAL error = (fine - coarse) / 15;
        if ((error <= tolerance && -error <= tolerance) || node >= nodes / 2)
            areas[node] = fine + error;
        else
            DEVICE_LAUNCH(quadrature, 1, 2, 0, 2, 2 * node, nodes, a, b, tolerance / 2, areas);
    }
}

/* The sum of the areas, in a fixed order, by one block.  areas: nodes; total: 1 element */
KERNEL(quadrature_total)(int nodes, const REAL *RESTRICT areas, REAL *RESTRICT total)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(REAL, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(node, nodes)
            MINE(sum) += areas[node];
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1)
            total[0] = MINE(sum);
    }
}
