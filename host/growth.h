/* SPDX-License-Identifier: BSD-3-Clause */
/* How the time of a case grows with its work. */
#ifndef PORTABLE_HOST_GROWTH_H
#define PORTABLE_HOST_GROWTH_H

#ifdef __cplusplus
extern "C" {
#endif

/* One size: the work that the algorithm promises, in bytes or operations, and a launch's time. */
struct growth_point {
    double work, seconds;
};

struct growth {
    int points;    /* that the slope is of: where a launch takes GROWTH_CLEAR times the least */
    double slope;  /* of log time against log work: 1 is as promised; 0 with less than 3 points */
    double cliff;  /* the largest rise of time per work from one point to the next; 1 if none */
    int cliff_at;  /* the point that it leads to, -1 if none */
    double spread; /* decades of work, of all points */
};

/* A size whose launch takes less than this many times the least, the first point's, is left out: it
 * says what a launch costs. Of the others, the least is taken off before the slope is fitted. */
#define GROWTH_CLEAR 4

/* The points in order of work, by least squares. */
struct growth growth_of(const struct growth_point *points, int count);

/* What is said about a case that keeps its promise, and about one that does not: the slope outside
 * of [0.75, 1.3], or time per work rising by more than 2.5 from one size to the next. A cache that
 * the arrays outgrow raises it by less, and over four decades the slope by a quarter at the most. */
#define GROWTH_SLOPE_LEAST 0.75
#define GROWTH_SLOPE_MOST 1.3
#define GROWTH_CLIFF_MOST 2.5
/* NULL, or what is broken: "slope", "cliff". */
const char *growth_broken(const struct growth *growth);

#ifdef __cplusplus
}
#endif

#endif
