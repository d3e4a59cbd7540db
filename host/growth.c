/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/growth.h"

#include <math.h> /* log */

struct growth growth_of(const struct growth_point *points, int count)
{
    struct growth growth = {0, 0, 1, -1, 0};
    const double least = count > 0 ? points[0].seconds : 0;
    double x = 0, y = 0, xx = 0, xy = 0, before = 0;

    for (int k = 1; k < count; k++) {
        if (points[k].seconds < GROWTH_CLEAR * least || !(points[k].work > 0))
            continue;
        const double seconds = points[k].seconds - least, rate = seconds / points[k].work;
        const double log_work = log(points[k].work), log_seconds = log(seconds);

        growth.points++;
        x += log_work;
        y += log_seconds;
        xx += log_work * log_work;
        xy += log_work * log_seconds;
        if (before > 0 && rate / before > growth.cliff) {
            growth.cliff = rate / before;
            growth.cliff_at = k;
        }
        before = rate;
    }
    if (growth.points >= 3)
        growth.slope = (growth.points * xy - x * y) / (growth.points * xx - x * x);
    for (int k = 0; k < count && growth.spread == 0; k++)
        if (points[k].work > 0)
            growth.spread = log10(points[count - 1].work / points[k].work);
    return growth;
}

const char *growth_broken(const struct growth *growth)
{
    if (growth->points >= 3 &&
        !(growth->slope >= GROWTH_SLOPE_LEAST && growth->slope <= GROWTH_SLOPE_MOST))
        return "slope";
    return growth->cliff > GROWTH_CLIFF_MOST ? "cliff" : (const char *)0;
}
