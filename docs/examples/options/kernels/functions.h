/* SPDX-License-Identifier: 0BSD */
/* Elementary functions with the same bits on every target. The last bits of exp and log differ
 * between libraries; these are made of +, -, *, /, square roots and integers alone, which IEEE 754
 * defines to the last bit. With 1 ULP of 1 as the unit, the errors measured are 1 for exact_exp
 * (relative) and normal_below, 1.2 for exact_log (relative from |log x| = 1 on), 16 for
 * normal_quantile. */
#ifndef OPTIONS_FUNCTIONS_H
#define OPTIONS_FUNCTIONS_H

#include "portable.h"

#include <math.h> /* sqrt */

/* How a REAL is stored, and the terms of each series that it needs. */
#if PORTABLE_PRECISION_DOUBLE
typedef long long real_bits;
enum { FRACTION = 52, BIAS = 1023, EXP_TERMS = 13, LOG_TERMS = 10 };
#else
typedef int real_bits;
enum { FRACTION = 23, BIAS = 127, EXP_TERMS = 7, LOG_TERMS = 4 };
#endif

DEVICE REAL exact_sqrt(REAL x)
{
    return sizeof(REAL) == sizeof(float) ? (REAL)sqrtf((float)x) : (REAL)sqrt((double)x);
}

/* e^x = 2^k e^r for x <= 80, below -80 as at -80: k is an integer and |r| at most log(2) / 2, for
 * Taylor's series. The upper part of log(2) has 15 bits, so that its product with k is exact. */
DEVICE REAL exact_exp(REAL any)
{
    const REAL x = any > -80 ? any : -80;
    const int k = (int)(x * (REAL)1.4426950408889634 + (x < 0 ? (REAL)-0.5 : (REAL)0.5));
    const REAL r = x - (REAL)k * (REAL)0x1.62e4p-1 - (REAL)k * (REAL)0x1.7f7d1cf79abcap-20;
    const real_bits bits = (real_bits)(k + BIAS) << FRACTION;
    REAL power, sum = 1;
    UNROLL(EXP_TERMS)
    for (int i = EXP_TERMS; i > 0; i--)
        sum = 1 + r * ((REAL)1 / (REAL)i) * sum;
    memcpy(&power, &bits, sizeof power);
    return power * sum;
}

/* log x = k log(2) + log m for a normal x > 0, with m in [3/4, 3/2): log m = 2 artanh s with
 * s = (m - 1) / (m + 1), by its series. */
DEVICE REAL exact_log(REAL x)
{
    const real_bits one = (real_bits)1 << FRACTION, three_quarters = BIAS * one - one / 2;
    real_bits bits;
    REAL m;
    memcpy(&bits, &x, sizeof bits);
    const int k = (int)((bits - three_quarters) >> FRACTION);
    bits -= k * one;
    memcpy(&m, &bits, sizeof m);
    const REAL s = (m - 1) / (m + 1), z = s * s;
    REAL sum = 0;
    UNROLL(LOG_TERMS)
    for (int i = LOG_TERMS; i > 0; i--)
        sum = z * (sum + (REAL)1 / (REAL)(2 * i + 1));
    return (REAL)k * (REAL)0.6931471805599453 + 2 * (s + s * sum);
}

/* The polynomial c[0] + c[1] x + ... + c[7] x^7. */
#define POLYNOMIAL_7(x, c0, c1, c2, c3, c4, c5, c6, c7)                                            \
    ((REAL)(c0) +                                                                                  \
     (x) * ((REAL)(c1) +                                                                           \
            (x) * ((REAL)(c2) +                                                                    \
                   (x) * ((REAL)(c3) +                                                             \
                          (x) * ((REAL)(c4) +                                                      \
                                 (x) * ((REAL)(c5) + (x) * ((REAL)(c6) + (x) * (REAL)(c7))))))))

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
