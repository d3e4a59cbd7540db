/* SPDX-License-Identifier: 0BSD */
/* European options in closed form. F. Black and M. Scholes, "The Pricing of Options and Corporate
 * Liabilities", Journal of Political Economy 81, 1973. */
#include "kernels/functions.h"

#include "kernels/option.h"

/* The price of an option and its derivatives: by the spot price, the first (delta) and the second
 * (gamma), by the volatility (vega), by time in years (theta), and by the rate (rho). */
enum { PRICE, DELTA, GAMMA, VEGA, THETA, RHO, GREEKS };

/* Options on one asset, of one kind.  strike, years: n, positive; values: GREEKS rows of n */
KERNEL(black_scholes)(int n, struct option of, const REAL *RESTRICT strike,
                      const REAL *RESTRICT years, REAL *RESTRICT values)
{
    GRID_STRIDE_LOOP(i, n) {
        const REAL sign = of.kind == CALL ? 1 : -1, root = exact_sqrt(years[i]);
        const REAL spread = of.volatility * root,
                   discounted = strike[i] * exact_exp(-of.rate * years[i]);
        const REAL d1 = (exact_log(of.spot / discounted)) / spread + spread / 2, d2 = d1 - spread;
        const REAL below = normal_below(sign * d1),
                   paid = sign * discounted * normal_below(sign * d2);
        const REAL density = normal_density(d1), vega = of.spot * density * root;
        REAL *const value = values + i;
        value[(size_t)n * PRICE] = sign * of.spot * below - paid;
        value[(size_t)n * DELTA] = sign * below;
        value[(size_t)n * GAMMA] = density / (of.spot * spread);
        value[(size_t)n * VEGA] = vega;
        value[(size_t)n * THETA] = -vega * of.volatility / (2 * years[i]) - of.rate * paid;
        value[(size_t)n * RHO] = years[i] * paid;
    }
}
