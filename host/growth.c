/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/growth.h"

#include <math.h>   /* fmax, fmin, log, log10 */
#include <stddef.h> /* NULL */

/* A line through points, by least squares. */
struct line {
    int count;
    double x, y, xx, xy;
};

static void line_add(struct line *line, double x, double y)
{
    line->count++;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
}

static double line_slope(const struct line *line)
{
    const double n = line->count;

    return n < 3 ? 0 : (n * line->xy - line->x * line->y) / (n * line->xx - line->x * line->x);
}

/* How much time per work rises from one point to the other, beyond the plain loop's rise. */
static double rise(const struct growth_point *from, const struct growth_point *to, double least)
{
    const double work = to->work / from->work;
    const double kernel = (to->seconds - least) / (from->seconds - least) / work;
    const double plain = from->plain > 0 && to->plain > 0 ? to->plain / from->plain / work : 1;

    return plain > 1 ? kernel / plain : kernel;
}

/* Whether a launch of the point takes clearly longer than `least`. */
static int is_clear(const struct growth_point *point, double least)
{
    return point->work > 0 && point->seconds > least && point->seconds >= GROWTH_CLEAR * least;
}

/* The slope of the last `count` clear points. */
static double slope_of_last(const struct growth_point *points, int start, int end, int count,
                            double least)
{
    struct line line = {0, 0, 0, 0, 0};

    for (int k = end - 1; k >= start && line.count < count; k--)
        if (is_clear(&points[k], least))
            line_add(&line, log(points[k].work), log(points[k].seconds - least));
    return line_slope(&line);
}

struct growth growth_of(const struct growth_point *points, int count)
{
    struct growth growth = {0, 0, 0, 0, 0, 1, -1, 0};
    struct line kernel = {0, 0, 0, 0, 0}, plain = kernel, memory = kernel;
    const struct growth_point *before = NULL, *first = NULL;
    int start = 0;

    while (start < count && points[start].partial)
        start++;
    if (start == count)
        start = 0;
    const double least = start < count ? points[start].seconds : 0;

    for (int k = 0; k < count; k++) {
        const struct growth_point *const point = &points[k];

        if (!(point->work > 0))
            continue;
        first = first ? first : point;
        growth.spread = log10(point->work / first->work);
        if (k < start || !is_clear(point, least))
            continue;
        line_add(&kernel, log(point->work), log(point->seconds - least));
        if (point->plain > 0)
            line_add(&plain, log(point->work), log(point->plain));
        if (point->memory > 0)
            line_add(&memory, log(point->work), log(point->memory));
        if (before && rise(before, point, least) > growth.cliff) {
            growth.cliff = rise(before, point, least);
            growth.cliff_at = k;
        }
        before = point;
    }
    growth.points = kernel.count;
    growth.slope = line_slope(&kernel);
    growth.end_slope =
        slope_of_last(points, start, count, kernel.count > 6 ? kernel.count / 2 : 3, least);
    growth.plain_slope = line_slope(&plain);
    growth.memory_slope = memory.count == kernel.count ? line_slope(&memory) : 0;
    return growth;
}

const char *growth_broken(const struct growth *growth, int fills)
{
    const double of_plain = growth->plain_slope > 0 ? growth->plain_slope : 1;
    const double of_memory = growth->memory_slope > 0 ? growth->memory_slope : 1;
    const double of_machine = fmin(of_memory + GROWTH_SLOPE_NEAR, GROWTH_SLOPE_MACHINE);
    const double most = fmax(fmax(GROWTH_SLOPE_MOST, of_plain + GROWTH_SLOPE_NEAR), of_machine);
    const double least = fmin(GROWTH_SLOPE_LEAST, of_plain - GROWTH_SLOPE_NEAR);
    /* Not growth, but a cost of each launch, if the slope at the end is as promised. */
    const int low =
        growth->slope < least && (growth->end_slope < least || growth->end_slope > most);

    if (growth->points >= 3 && (growth->slope > most || (low && fills)))
        return "slope";
    return growth->cliff > GROWTH_CLIFF_MOST ? "cliff" : NULL;
}
