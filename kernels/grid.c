/* SPDX-License-Identifier: BSD-3-Clause */
/* Grid-wide barriers: Jacobi iteration for the 1-D Poisson equation -u'' = f on a uniform mesh,
 * u = 0 at both ends, with all sweeps in one kernel: u_new[i] = (u[i - 1] + u[i + 1] + h^2 f[i]) / 2. */
#include "portable.h"

/* `sweeps` is even, so that the result ends in u. Launch it with KERNEL_LAUNCH_COOPERATIVE.
 * f, u, scratch: n elements, u the initial guess; f is h^2 times the right-hand side */
KERNEL(jacobi)(int n, int sweeps, const REAL *RESTRICT f, REAL *u, REAL *scratch)
{
    for (int sweep = 0; sweep < sweeps; sweep++) {
        FOR_EACH_BLOCK(0) {
            FOR_EACH_ELEMENT(i, n) {
                const REAL left = i > 0 ? u[i - 1] : 0;
                const REAL right = i < n - 1 ? u[i + 1] : 0;
                scratch[i] = (left + right + f[i]) / 2;
            }
        }
        SYNC_GRID();
        REAL *const swept = scratch;
        scratch = u;
        u = swept;
    }
}
