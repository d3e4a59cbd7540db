/* SPDX-License-Identifier: 0BSD */
/* The same in plain C, on host memory. Included, as kernels are. */

static void plain_kick(int n, REAL step, REAL soft, const REAL *RESTRICT mass,
                       const REAL *RESTRICT x, const REAL *RESTRICT y, const REAL *RESTRICT z,
                       REAL *RESTRICT vx, REAL *RESTRICT vy, REAL *RESTRICT vz)
{
    for (int i = 0; i < n; i++) {
        REAL ax = 0, ay = 0, az = 0;

        for (int j = 0; j < n; j++) {
            const REAL dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            const REAL square = soft + dx * dx + dy * dy + dz * dz;
            const REAL pull = mass[j] / (square * square_root(square));

            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        vx[i] += step * ax;
        vy[i] += step * ay;
        vz[i] += step * az;
    }
}

/* Drift, kick, drift with Newton's forces alone.  x, v: n x 3 */
static void plain_leapfrog(int n, int steps, double step, const double *gm, double *x, double *v)
{
    for (int k = 0; k < steps; k++) {
        for (int i = 0; i < 3 * n; i++)
            x[i] += step / 2 * v[i];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                const double dx = x[3 * j] - x[3 * i], dy = x[3 * j + 1] - x[3 * i + 1];
                const double dz = x[3 * j + 2] - x[3 * i + 2];
                const double square = dx * dx + dy * dy + dz * dz;

                if (j == i)
                    continue;
                v[3 * i] += step * gm[j] / (square * sqrt(square)) * dx;
                v[3 * i + 1] += step * gm[j] / (square * sqrt(square)) * dy;
                v[3 * i + 2] += step * gm[j] / (square * sqrt(square)) * dz;
            }
        for (int i = 0; i < 3 * n; i++)
            x[i] += step / 2 * v[i];
    }
}
