/* SPDX-License-Identifier: 0BSD */
/* The option, and random numbers. */
#ifndef OPTIONS_OPTION_H
#define OPTIONS_OPTION_H

#include "portable.h"

#include <Random123/philox.h>

enum option_kind { CALL = 1, PUT = -1 };

/* The Black-Scholes model: the price of the asset at time t, in years, is
 * spot exp((rate - volatility^2 / 2) t + volatility W(t)) with Brownian motion W. */
struct option {
    REAL spot, strike, years, rate, volatility; /* the last two per year: 0.04 is 4% */
    int kind;                                   /* an option_kind */
};

/* The gain from exercising the option at this price of the asset. */
DEVICE REAL option_payoff(struct option of, REAL price)
{
    const REAL gain = of.kind == CALL ? price - of.strike : of.strike - price;

    return gain > 0 ? gain : 0;
}

/* Four words of 32 random bits by Philox4x32-10: draw `draw` of stream `stream`. J. Salmon,
 * M. Moraes, R. Dror and D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. */
DEVICE philox4x32_ctr_t random_words(unsigned seed, unsigned stream, unsigned draw)
{
    const philox4x32_ctr_t counter = {{stream, draw, 0, 0}};
    const philox4x32_key_t key = {{seed, 0}};

    return philox4x32(counter, key);
}

/* The middle of the word's interval in (0, 1): an odd multiple of 2^-24, or of 2^-33 in double
 * precision, and so exact. */
DEVICE REAL random_unit(unsigned word)
{
#if PORTABLE_PRECISION_DOUBLE
    return ((REAL)word + (REAL)0.5) * (REAL)0x1p-32;
#else
    const unsigned bits = word >> 9 | 0x3f800000;
    REAL x;
    memcpy(&x, &bits, sizeof x);
    return x - (1 - (REAL)0x1p-24);
#endif
}

#endif
