/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of kernels.cu compute, as loops of C: plain.c compiled as it is, and for OpenMP. */
#ifndef PLAIN_H
#define PLAIN_H

#if defined(__cplusplus)
extern "C" {
#endif

/* n elements; matrices of n x n. Each adds to or overwrites `out` as its kernel does. */
#define DECLARE_LOOPS(PREFIX)                                                                      \
    void PREFIX##_saxpy(int n, float a, const float *x, float *out);                               \
    void PREFIX##_stencil(int n, const float *x, float *out);                                      \
    void PREFIX##_sum(int n, const float *x, float *out);                                          \
    void PREFIX##_product(int n, const float *a, const float *b, float *out);                      \
    void PREFIX##_early(int n, const float *x, float *out);                                        \
    void PREFIX##_histogram(int n, const unsigned *x, unsigned *out);

DECLARE_LOOPS(plain)
DECLARE_LOOPS(openmp)

#if defined(__cplusplus)
}
#endif

#endif
