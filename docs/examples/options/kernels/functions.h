/* SPDX-License-Identifier: 0BSD */
/* Elementary functions with the same bits on every target. The last bits of exp and log differ
 * between libraries; these are made of +, -, *, /, square roots and integers alone, which IEEE 754
 * defines to the last bit. With 1 ULP of 1 as the unit, the errors measured are 1 for exact_exp
 * (relative), exact_log (relative from |log x| = 1 on) and normal_below, and 7 for normal_quantile,
 * 16 in double precision. */
#ifndef OPTIONS_FUNCTIONS_H
#define OPTIONS_FUNCTIONS_H

#include "portable.h"

#include <math.h> /* sqrt */

/* How a REAL is stored. */
#if PORTABLE_PRECISION_DOUBLE
typedef long long real_bits;
enum { FRACTION = 52, BIAS = 1023 };
#else
typedef int real_bits;
enum { FRACTION = 23, BIAS = 127 };
#endif

DEVICE REAL exact_sqrt(REAL x)
{
    return sizeof(REAL) == sizeof(float) ? (REAL)sqrtf((float)x) : (REAL)sqrt((double)x);
}

/* The polynomials c[0] + c[1] x + ... + c[n] x^n. */
#define POLYNOMIAL_5(x, c0, c1, c2, c3, c4, c5)                                                    \
    ((REAL)(c0) +                                                                                  \
     (x) * ((REAL)(c1) +                                                                           \
            (x) * ((REAL)(c2) + (x) * ((REAL)(c3) + (x) * ((REAL)(c4) + (x) * (REAL)(c5))))))
#define POLYNOMIAL_7(x, c0, c1, c2, c3, c4, c5, c6, c7)                                            \
    ((REAL)(c0) + (x) * ((REAL)(c1) + (x)*POLYNOMIAL_5(x, c2, c3, c4, c5, c6, c7)))

/* e^x = 2^k e^r for x <= 80, below -80 as at -80: k is an integer and |r| at most log(2) / 2, for a
 * polynomial. The upper part of log(2) has 15 bits, so that its product with k is exact. */
DEVICE REAL exact_exp(REAL any)
{
    const real_bits one = (real_bits)1 << FRACTION;
    /* A sum with 3/2 2^FRACTION has no bits for a fraction: it is rounded to an integer, which its
     * lowest bits hold. */
    const real_bits shifter_bits = (BIAS + FRACTION) * one + one / 2;
    const REAL shifter = (REAL)(one + one / 2);
    const REAL x = any > -80 ? any : -80, shifted = x * (REAL)1.4426950408889634 + shifter;
    const REAL k = shifted - shifter;
    const REAL r = x - k * (REAL)0x1.62e4p-1 - k * (REAL)0x1.7f7d1cf79abcap-20;
    real_bits shifted_bits, bits;
#if PORTABLE_PRECISION_DOUBLE
    REAL sum = 1;
    UNROLL(13)
    for (int i = 13; i > 0; i--)
        sum = 1 + r * ((REAL)1 / (REAL)i) * sum;
#else
    REAL sum = 1 + r * POLYNOMIAL_5(r, 1.00000003, 0.499999942, 0.166664313, 0.041668002,
                                    0.00837415533, 0.00138436535);
#endif
    memcpy(&shifted_bits, &shifted, sizeof shifted_bits);
    memcpy(&bits, &sum, sizeof bits);
    bits += (shifted_bits - shifter_bits) * one;
    memcpy(&sum, &bits, sizeof sum);
    return sum;
}

/* c + log x for a normal x > 0: log x = k log(2) + log m with m in [3/4, 3/2). */
DEVICE REAL exact_log_plus(REAL c, REAL x)
{
    const real_bits one = (real_bits)1 << FRACTION, three_quarters = BIAS * one - one / 2;
    real_bits bits;
    REAL m;
    memcpy(&bits, &x, sizeof bits);
#if PORTABLE_PRECISION_DOUBLE
    const int k = (int)((bits - three_quarters) >> FRACTION);
    bits -= k * one;
    memcpy(&m, &bits, sizeof m);
    /* 2 artanh s, by its series. */
    const REAL s = (m - 1) / (m + 1), z = s * s;
    REAL sum = 0;
    UNROLL(10)
    for (int i = 10; i > 0; i--)
        sum = z * (sum + (REAL)1 / (REAL)(2 * i + 1));
    return c + (REAL)k * (REAL)0.6931471805599453 + 2 * (s + s * sum);
#else
    const real_bits k_ones = (bits - three_quarters) & -one;
    bits -= k_ones;
    memcpy(&m, &bits, sizeof m);
    const REAL r = m - 1;
    return c + (REAL)k_ones * (REAL)(0.6931471805599453 * 0x1p-23) +
           r * POLYNOMIAL_7(r, 1.0000006, -0.500003188, 0.333266505, -0.249713925, 0.201571511,
                            -0.174632925, 0.139517084, -0.062992543);
#endif
}

DEVICE REAL exact_log(REAL x)
{
    return exact_log_plus(0, x);
}

#if PORTABLE_PRECISION_DOUBLE
/* The x below which a standard normal number is with probability p, 2^-33 <= p <= 1 - 2^-33.
 * M. J. Wichura: Algorithm AS 241, Applied Statistics 37, 1988: PPND16 without its third range.
 * Both ranges are computed, so that neither a warp nor a vector register diverges. */
DEVICE REAL normal_quantile(REAL p)
{
    const REAL q = p - (REAL)0.5, r = (REAL)0.180625 - q * q;
    const REAL tail = exact_sqrt(-exact_log(q < 0 ? p : 1 - p)) - (REAL)1.6;
    const REAL middle =
        q * POLYNOMIAL_7(r, 3.3871328727963666080e0, 1.3314166789178437745e2,
                         1.9715909503065514427e3, 1.3731693765509461125e4, 4.5921953931549871457e4,
                         6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3);
    const REAL outer = POLYNOMIAL_7(tail, 1.42343711074968357734e0, 4.63033784615654529590e0,
                                    5.76949722146069140550e0, 3.64784832476320460504e0,
                                    1.27045825245236838258e0, 2.41780725177450611770e-1,
                                    2.27238449892691845833e-2, 7.74545014278341407640e-4);
    const REAL over = r >= 0 ? POLYNOMIAL_7(r, 1, 4.2313330701600911252e1, 6.8718700749205790830e2,
                                            5.3941960214247511077e3, 2.1213794301586595867e4,
                                            3.9307895800092710610e4, 2.8729085735721942674e4,
                                            5.2264952788528545610e3)
                             : POLYNOMIAL_7(tail, 1, 2.05319162663775882187e0,
                                            1.67638483018380384940e0, 6.89767334985100004550e-1,
                                            1.48103976427480074590e-1, 1.51986665636164571966e-2,
                                            5.47593808499534494600e-4, 1.05075007164441684324e-9);
    return (r >= 0 ? middle : q < 0 ? -outer : outer) / over;
}
#else
/* The x below which a standard normal number is with probability p, 2^-24 <= p <= 1 - 2^-24:
 * p - 1/2 times an even function of it, which is smooth in the logarithm of p (1 - p), or in its
 * root: M. Giles, "Approximating the erfinv function", GPU Computing Gems 2, 2011. The coefficients
 * have the smallest worst error. Of a warp's 32 numbers one is in the second range with probability
 * 0.09. */
DEVICE REAL normal_quantile(REAL p)
{
    const REAL w = -exact_log_plus(4, p * (1 - p));
    REAL even =
        POLYNOMIAL_7(w, 4.32579058, 0.694783827, -0.0129762631, -0.00326563186, 0.000607594247,
                     -1.97068307e-05, -8.67737075e-06,
                     (REAL)1.22860159e-06 + w * ((REAL)3.644687e-08 + w * (REAL)-1.5079214e-08));
    if (w > (REAL)3.25) {
        const REAL root = exact_sqrt(w + 4) - (REAL)3.5;
        even = POLYNOMIAL_7(root, 8.85340733, 3.02068614, -0.0394850333, 0.00590638989,
                            0.00250669671, -0.00434601886, 0.0038764101, -0.00181362555);
    }
    return (p - (REAL)0.5) * even;
}
#endif

/* The density of a standard normal number. */
DEVICE REAL normal_density(REAL x)
{
    return (REAL)0.3989422804014327 * exact_exp((REAL)-0.5 * x * x);
}

/* The probability of a standard normal number below x. J. F. Hart et al.: Computer
 * Approximations, 1968, algorithm 5666, as G. West gives it in "Better approximations to cumulative
 * normal functions", Wilmott Magazine, 2005. */
DEVICE REAL normal_below(REAL x)
{
    const REAL a = x < 0 ? -x : x;
    const REAL above =
        exact_exp((REAL)-0.5 * a * a) *
        POLYNOMIAL_7(a, 220.206867912376, 221.213596169931, 112.079291497871, 33.912866078383,
                     6.37396220353165, 0.700383064443688, 3.52624965998911e-2, 0) /
        POLYNOMIAL_7(a, 440.413735824752, 793.826512519948, 637.333633378831, 296.564248779674,
                     86.7807322029461, 16.064177579207, 1.75566716318264, 8.83883476483184e-2);
    return x < 0 ? above : 1 - above;
}

#endif
