/* SPDX-License-Identifier: 0BSD */
/* A few bodies for a long time, in double precision: one block does all the steps. */
#include "portable.h"

#include <math.h> /* sqrt */

#define MOST_PLANETS 32

/* The forces: Newton's, and two small corrections, 0 for none. */
struct forces {
    double
        relativity;   /* 1 / c^2: the Sun's gravity by Schwarzschild's metric, to first order: J. D.
                          Anderson et al., The Astrophysical Journal 200, 1975, as in DE421 */
    int ring;         /* a body that is two, on a circular orbit around each other... */
    double ring_size; /* ...which the Sun attracts more strongly, by ring_size / distance^2 */
};

/* The acceleration of body i in a step of h that has reached its middle.  x: positions there; v:
 * velocities at its start, which half of the step brings to its middle; gm: G times the mass; the
 * Sun is body 0 */
DEVICE void accelerate(int n, int i, double h, struct forces forces, const double (*x)[3],
                       const double (*v)[3], const double *gm, double *a)
{
    a[0] = a[1] = a[2] = 0;
    for (int j = 0; j < n; j++) {
        if (j == i)
            continue;
        const double d[3] = {x[j][0] - x[i][0], x[j][1] - x[i][1], x[j][2] - x[i][2]};
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const double more = j == 0 && i == forces.ring ? forces.ring_size / square : 0;
        const double pull = gm[j] * (1 + more) / (square * sqrt(square));
        for (int k = 0; k < 3; k++)
            a[k] += pull * d[k];
    }
    if (i > 0 && forces.relativity > 0) {
        const double d[3] = {x[0][0] - x[i][0], x[0][1] - x[i][1], x[0][2] - x[i][2]};
        double square = 0, speed = 0, along = 0, w[3];
        for (int k = 0; k < 3; k++) {
            w[k] = v[i][k] + h / 2 * a[k] - v[0][k];
            square += d[k] * d[k];
            speed += w[k] * w[k];
            along += d[k] * w[k];
        }
        const double distance = sqrt(square);
        const double pull = forces.relativity * gm[0] / (square * distance);
        for (int k = 0; k < 3; k++)
            a[k] += pull * ((speed - 4 * gm[0] / distance) * d[k] - 4 * along * w[k]);
    }
}

/* Leapfrog, in the form drift, kick, drift; order 4: three such steps, of which the middle one goes
 * back (H. Yoshida, Physics Letters A 150, 1990). One block.
 * position, velocity: n x 3, updated; gm: n; n: at most MOST_PLANETS */
KERNEL(integrate)(int n, int steps, double step, int order, struct forces forces,
                  const double *RESTRICT gm, double *RESTRICT position, double *RESTRICT velocity)
{
    FOR_EACH_BLOCK(MOST_PLANETS) {
        SHARED(double, x, [MOST_PLANETS][3]);
        SHARED(double, v, [MOST_PLANETS][3]);
        PRIVATE(double, a, [3]);
        const double outer = 1 / (2 - 1.2599210498948732); /* the cube root of 2 */
        const int parts = order == 4 ? 3 : 1;
        FOR_THREADS_BELOW(n) {
            for (int k = 0; k < 3; k++) {
                x[threadIdx.x][k] = position[3 * threadIdx.x + k];
                v[threadIdx.x][k] = velocity[3 * threadIdx.x + k];
            }
        }
        for (int part = 0; part < parts * steps; part++) {
            const double weight = order != 4 ? 1 : part % 3 == 1 ? 1 - 2 * outer : outer;
            const double h = weight * step;
            FOR_THREADS_BELOW(n) {
                for (int k = 0; k < 3; k++)
                    x[threadIdx.x][k] += h / 2 * v[threadIdx.x][k];
            }
            SYNC_THREADS(); /* all bodies are in the middle of the step */
            FOR_THREADS_BELOW(n)
                accelerate(n, (int)threadIdx.x, h, forces, x, v, gm, MINE(a));
            SYNC_THREADS(); /* all accelerations are known */
            FOR_THREADS_BELOW(n) {
                for (int k = 0; k < 3; k++) {
                    v[threadIdx.x][k] += h * MINE(a)[k];
                    x[threadIdx.x][k] += h / 2 * v[threadIdx.x][k];
                }
            }
        }
        FOR_THREADS_BELOW(n) {
            for (int k = 0; k < 3; k++) {
                position[3 * threadIdx.x + k] = x[threadIdx.x][k];
                velocity[3 * threadIdx.x + k] = v[threadIdx.x][k];
            }
        }
    }
}
