/* SPDX-License-Identifier: 0BSD */
#include "plain.h"

#include <math.h> /* fabs */

/* What a cell gains, from its four neighbours and from the source. */
static double gain(int p, int pitch, const float *east, const float *south, const double *heat,
                   const double *u)
{
    const float west_face = east[p - 1], east_face = east[p];
    const float north_face = south[p - pitch], south_face = south[p];

    return (double)west_face * (u[p - 1] - u[p]) + (double)east_face * (u[p + 1] - u[p]) +
           (double)north_face * (u[p - pitch] - u[p]) + (double)south_face * (u[p + pitch] - u[p]) +
           heat[p];
}

void plain_step(int width, int height, double ratio, const float *restrict east,
                const float *restrict south, const double *restrict heat, const double *restrict u,
                double *restrict next)
{
    const int pitch = width + 2;

    for (int y = 1; y <= height; y++)
        for (int p = y * pitch + 1; p <= y * pitch + width; p++)
            next[p] = u[p] + ratio * gain(p, pitch, east, south, heat, u);
}

void plain_relax(int width, int height, int colour, const float *restrict east,
                 const float *restrict south, const double *restrict heat, double *u)
{
    const int pitch = width + 2;

    for (int y = 1; y <= height; y++)
        for (int p = y * pitch + 1 + (y - 1 + colour) % 2; p <= y * pitch + width; p += 2) {
            const double all = (double)(east[p - 1] + east[p] + south[p - pitch] + south[p]);
            u[p] = all > 0 ? u[p] + gain(p, pitch, east, south, heat, u) / all : 0;
        }
}

void plain_coarsen(int width, int height, const float *restrict east, const float *restrict south,
                   const double *restrict heat, const double *restrict u,
                   double *restrict coarse_heat, double *restrict coarse_u)
{
    const int pitch = 2 * width + 2;

    for (int y = 1; y <= height; y++)
        for (int x = 1; x <= width; x++) {
            const int p = (2 * y - 1) * pitch + 2 * x - 1;
            coarse_u[y * (width + 2) + x] = 0;
            coarse_heat[y * (width + 2) + x] = gain(p, pitch, east, south, heat, u) +
                                               gain(p + 1, pitch, east, south, heat, u) +
                                               gain(p + pitch, pitch, east, south, heat, u) +
                                               gain(p + pitch + 1, pitch, east, south, heat, u);
        }
}

void plain_correct(int width, int height, const float *restrict coarse_east,
                   const float *restrict coarse_south, const double *restrict coarse_u,
                   double *restrict u)
{
    const int pitch = width + 2, coarse = width / 2 + 2;

    for (int y = 1; y <= height / 2; y++)
        for (int x = 1; x <= width / 2; x++) {
            const int c = y * coarse + x, p = (2 * y - 1) * pitch + 2 * x - 1;
            const double own = coarse_u[c];
            const double west = (double)coarse_east[c - 1] * (coarse_u[c - 1] - own) / 4;
            const double east = (double)coarse_east[c] * (coarse_u[c + 1] - own) / 4;
            const double north = (double)coarse_south[c - coarse] * (coarse_u[c - coarse] - own) / 4;
            const double south = (double)coarse_south[c] * (coarse_u[c + coarse] - own) / 4;

            u[p] += own + west + north;
            u[p + 1] += own + east + north;
            u[p + pitch] += own + west + south;
            u[p + pitch + 1] += own + east + south;
        }
}

double plain_largest(int width, int height, const float *restrict east, const float *restrict south,
                     const double *restrict heat, const double *restrict u)
{
    const int pitch = width + 2;
    double largest = 0;

    for (int y = 1; y <= height; y++)
        for (int p = y * pitch + 1; p <= y * pitch + width; p++)
            largest = fmax(largest, fabs(gain(p, pitch, east, south, heat, u)));
    return largest;
}
