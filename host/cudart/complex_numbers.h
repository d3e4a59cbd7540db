/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Real and complex numbers of the types that CUDA's libraries name by a cudaDataType.
 */
#ifndef PORTABLE_HOST_CUDART_COMPLEX_NUMBERS_H
#define PORTABLE_HOST_CUDART_COMPLEX_NUMBERS_H

#include "host/cudart/numbers.h"

#include <stdint.h> /* int64_t */

struct number {
    double re, im;
};

/* The type of the parts, and whether there are two. */
static inline cudaDataType part_of(cudaDataType type, int *is_complex)
{
    *is_complex = type == CUDA_C_32F || type == CUDA_C_64F;
    return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}
static inline size_t bytes_of(cudaDataType type)
{
    int is_complex;
    const cudaDataType part = part_of(type, &is_complex);
    return size_of(part) * (is_complex ? 2 : 1);
}
static inline struct number get(cudaDataType type, const void *from, int64_t index)
{
    int is_complex;
    const cudaDataType part = part_of(type, &is_complex);
    const struct number real = {load(part, from, index), 0};
    if (!is_complex)
        return real;
    const struct number both = {load(part, from, 2 * index), load(part, from, 2 * index + 1)};
    return both;
}
static inline void put(cudaDataType type, void *to, int64_t index, struct number x)
{
    int is_complex;
    const cudaDataType part = part_of(type, &is_complex);
    store(part, to, is_complex ? 2 * index : index, x.re);
    if (is_complex)
        store(part, to, 2 * index + 1, x.im);
}
static inline struct number times(struct number x, struct number y)
{
    const struct number product = {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
    return product;
}
static inline struct number plus(struct number x, struct number y)
{
    const struct number sum = {x.re + y.re, x.im + y.im};
    return sum;
}
static inline struct number minus(struct number x, struct number y)
{
    const struct number difference = {x.re - y.re, x.im - y.im};
    return difference;
}
static inline struct number over(struct number x, struct number y)
{
    const double size = y.re * y.re + y.im * y.im;
    const struct number real = {x.re / y.re, x.im / y.re};
    const struct number quotient = {(x.re * y.re + x.im * y.im) / size,
                                    (x.im * y.re - x.re * y.im) / size};
    return y.im == 0 ? real : quotient;
}
static inline struct number conjugate(struct number x, int is_wanted)
{
    const struct number result = {x.re, is_wanted ? -x.im : x.im};
    return result;
}
static inline int is_zero(struct number x)
{
    return x.re == 0 && x.im == 0;
}

#endif
