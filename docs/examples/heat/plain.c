/* SPDX-License-Identifier: 0BSD */
/* The time steps and the V-cycle in plain C, on plates in host memory. Included, as kernels are. */
#include <math.h> /* fabs */

/* The heat gained by a cell from its four neighbours and from the source. */
static double gain(int p, int pitch, const float *RESTRICT east, const float *RESTRICT south,
                   const double *RESTRICT heat, const double *u)
{
    return (double)east[p - 1] * (u[p - 1] - u[p]) + (double)east[p] * (u[p + 1] - u[p]) +
           (double)south[p - pitch] * (u[p - pitch] - u[p]) +
           (double)south[p] * (u[p + pitch] - u[p]) + heat[p];
}

static void plain_step(int width, int height, double ratio, const float *RESTRICT east,
                       const float *RESTRICT south, const double *RESTRICT heat,
                       const double *RESTRICT u, double *RESTRICT next)
{
    const int pitch = width + 2;

    for (int y = 1; y <= height; y++)
        for (int p = y * pitch + 1; p <= y * pitch + width; p++)
            next[p] = u[p] + ratio * gain(p, pitch, east, south, heat, u);
}

static double plain_surplus(int width, int height, const float *RESTRICT east,
                            const float *RESTRICT south, const double *RESTRICT heat,
                            const double *RESTRICT u)
{
    const int pitch = width + 2;
    double largest = 0;

    for (int y = 1; y <= height; y++)
        for (int p = y * pitch + 1; p <= y * pitch + width; p++) {
            const double size = fabs(gain(p, pitch, east, south, heat, u));
            largest = size > largest ? size : largest;
        }
    return largest;
}

static void plain_smooth(int width, int height, int sweeps, const float *RESTRICT east,
                         const float *RESTRICT south, const double *RESTRICT heat, double *u)
{
    const int pitch = width + 2;

    for (int half = 0; half < 2 * sweeps; half++)
        for (int y = 1; y <= height; y++)
            for (int p = y * pitch + 1 + (y + half + 1) % 2; p <= y * pitch + width; p += 2) {
                const double all = (double)(east[p - 1] + east[p] + south[p - pitch] + south[p]);
                u[p] = all > 0 ? u[p] + gain(p, pitch, east, south, heat, u) / all : 0;
            }
}

static void plain_v_cycle(const struct plates *p, int k)
{
    const int width = p->width[k], height = p->height[k], pitch = width + 2, coarse = width / 2 + 2;
    const float *const east = p->east + p->start[k], *const south = p->south + p->start[k];
    double *const heat = p->heat + p->start[k], *const u = p->u + p->start[k];

    plain_smooth(width, height, k + 1 < p->count ? SWEEPS : COARSEST_SWEEPS, east, south, heat, u);
    if (k + 1 == p->count)
        return;
    double *const coarse_u = p->u + p->start[k + 1], *const coarse_heat = p->heat + p->start[k + 1];
    for (int y = 1; y <= height / 2; y++)
        for (int x = 1; x <= width / 2; x++) {
            const int c = y * coarse + x, first = (2 * y - 1) * pitch + 2 * x - 1;

            coarse_u[c] = 0;
            coarse_heat[c] = gain(first, pitch, east, south, heat, u) +
                             gain(first + 1, pitch, east, south, heat, u) +
                             gain(first + pitch, pitch, east, south, heat, u) +
                             gain(first + pitch + 1, pitch, east, south, heat, u);
        }
    plain_v_cycle(p, k + 1);
    const float *const wide = p->east + p->start[k + 1], *const deep = p->south + p->start[k + 1];
    for (int y = 1; y <= height / 2; y++)
        for (int x = 1; x <= width / 2; x++) {
            const int c = y * coarse + x, first = (2 * y - 1) * pitch + 2 * x - 1;
            const double own = coarse_u[c];
            const double left = (double)wide[c - 1] * (coarse_u[c - 1] - own) / 4;
            const double right = (double)wide[c] * (coarse_u[c + 1] - own) / 4;
            const double above = (double)deep[c - coarse] * (coarse_u[c - coarse] - own) / 4;
            const double below = (double)deep[c] * (coarse_u[c + coarse] - own) / 4;

            u[first] += own + left + above;
            u[first + 1] += own + right + above;
            u[first + pitch] += own + left + below;
            u[first + pitch + 1] += own + right + below;
        }
    plain_smooth(width, height, SWEEPS, east, south, heat, u);
}
