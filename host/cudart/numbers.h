/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of the types that CUDA's libraries name by a cudaDataType, as double. They are read and
 * written one by one by volatile accesses: the compiler would make calls of memcpy from loops, and
 * memcheck does not let those touch device memory.
 */
#ifndef PORTABLE_HOST_CUDART_NUMBERS_H
#define PORTABLE_HOST_CUDART_NUMBERS_H

#include "host/cudart/include/library_types.h"

#include <math.h>   /* fabs, frexp, ldexp, rint */
#include <stddef.h> /* size_t */

static inline size_t size_of(cudaDataType type)
{
    switch (type) {
    case CUDA_R_64F: return 8;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_8I: return 1;
    default: return 0; /* not here */
    }
}

/* A format of 16 bits: half has 10 bits of fraction, bfloat16 7. */
static inline double widen(unsigned short bits, int fraction_bits)
{
    const int exponent_bits = 15 - fraction_bits, bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
    const int fraction = bits & ((1 << fraction_bits) - 1);
    double x;
    if (exponent == (1 << exponent_bits) - 1)
        x = fraction ? NAN : INFINITY;
    else
        x = ldexp(fraction | (exponent != 0) << fraction_bits,
                  (exponent ? exponent : 1) - bias - fraction_bits);
    return bits >> 15 ? -x : x;
}
static inline unsigned short narrow(double x, int fraction_bits)
{
    const int exponent_bits = 15 - fraction_bits, bias = (1 << (exponent_bits - 1)) - 1;
    const int infinity = ((1 << exponent_bits) - 1) << fraction_bits;
    const int sign = signbit(x) ? 0x8000 : 0;
    int exponent;
    if (isnan(x))
        return 0x7fff;
    frexp(x, &exponent);
    if (isinf(x) || exponent > bias + 2)
        return (unsigned short)(sign | infinity);
    if (x == 0 || exponent < 2 - bias)
        exponent = 2 - bias;
    /* The last bit of the result is worth 2^(exponent - 1 - fraction_bits). */
    const int kept = (int)rint(ldexp(fabs(x), fraction_bits + 1 - exponent));
    const int bits = ((exponent + bias - 2) << fraction_bits) + kept;
    return (unsigned short)(sign | (bits < infinity ? bits : infinity));
}

static inline double load(cudaDataType type, const void *from, long index)
{
    switch (type) {
    case CUDA_R_64F: return ((const volatile double *)from)[index];
    case CUDA_R_32F: return (double)((const volatile float *)from)[index];
    case CUDA_R_32I: return (double)((const volatile int *)from)[index];
    case CUDA_R_16F: return widen(((const volatile unsigned short *)from)[index], 10);
    case CUDA_R_16BF: return widen(((const volatile unsigned short *)from)[index], 7);
    case CUDA_R_8I: return (double)((const volatile signed char *)from)[index];
    default: return 0;
    }
}
static inline void store(cudaDataType type, void *to, long index, double x)
{
    switch (type) {
    case CUDA_R_64F: ((volatile double *)to)[index] = x; break;
    case CUDA_R_32F: ((volatile float *)to)[index] = (float)x; break;
    case CUDA_R_32I: ((volatile int *)to)[index] = (int)x; break;
    case CUDA_R_16F: ((volatile unsigned short *)to)[index] = narrow(x, 10); break;
    case CUDA_R_16BF: ((volatile unsigned short *)to)[index] = narrow(x, 7); break;
    case CUDA_R_8I: {
        const double y = rint(x);
        ((volatile signed char *)to)[index] = (signed char)(y < -128 ? -128 : y > 127 ? 127 : y);
        break;
    }
    default: break;
    }
}

#endif
