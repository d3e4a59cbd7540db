/* SPDX-License-Identifier: 0BSD */
/* The kernels in plain C, for comparison: the same arguments, in host memory. */
#ifndef HEAT_PLAIN_H
#define HEAT_PLAIN_H

#ifdef __cplusplus
extern "C" {
#endif

void plain_step(int width, int height, double ratio, const float *east, const float *south,
                const double *heat, const double *u, double *next);
void plain_relax(int width, int height, int colour, const float *east, const float *south,
                 const double *heat, double *u);
void plain_coarsen(int width, int height, const float *east, const float *south,
                   const double *heat, const double *u, double *coarse_heat,
                   double *coarse_u);
void plain_correct(int width, int height, const float *coarse_east, const float *coarse_south,
                   const double *coarse_u, double *u);
double plain_largest(int width, int height, const float *east, const float *south,
                     const double *heat, const double *u);

#ifdef __cplusplus
}
#endif

#endif
