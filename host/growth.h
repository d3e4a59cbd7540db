/* SPDX-License-Identifier: BSD-3-Clause */
/* How the time of a case grows with its work. */
#ifndef PORTABLE_HOST_GROWTH_H
#define PORTABLE_HOST_GROWTH_H

#ifdef __cplusplus
extern "C" {
#endif

/* One size: the work that the algorithm promises, in bytes or operations, and the times of a
 * launch, of the plain loop, and of copying as many bytes by the target's threads: 0 if unknown.
 * `partial`: a launch that leaves a thread of a CPU's team idle, which neither the cost of
 * a team nor contention slows; it is left out, unless the largest size is one too. */
struct growth_point {
    double work, seconds, plain, memory;
    int partial;
};

struct growth {
    int points;   /* that the slope is of: where a launch takes GROWTH_CLEAR times the least */
    double slope; /* of log time against log work: 1 is as promised; 0 with less than 3 points */
    double end_slope;    /* of the larger half of the points; of the last three of up to six */
    double plain_slope;  /* the plain loop's */
    double memory_slope; /* the memory's, 0 unless it has all of the points */
    double cliff;        /* the largest rise of time per work from one point to the next... */
    int cliff_at;        /* ...and the point that it leads to; 1 and -1 if there is none */
    double spread;       /* decades of work, of all points */
};

/* A size whose launch takes less than this many times the least, the first whole point's, is left
 * out: it shows the cost of a launch. Of the others, the least is taken off before the slope is
 * fitted. */
#define GROWTH_CLEAR 4

/*
 * The points in order of work, by least squares. Where arrays outgrow a cache, or a pattern of
 * branches the memory of the processor's predictor, time per work rises for the plain loop too: a
 * rise of both counts as a cliff only by the excess of the kernel's over the plain loop's.
 */
struct growth growth_of(const struct growth_point *points, int count);

/* A promise is broken by a slope outside of [0.75, 1.4], and by a cliff of more than 4, the cost of
 * leaving the last cache when one word of each line is used. A slope may also be up to 0.15 above
 * the plain loop's, up to 0.15 above the memory's if it is at most 1.85, and up to 0.15 below the
 * plain loop's. Over four decades the caches raise a slope by a quarter; where a team of threads is
 * clear of its own cost only for the largest sizes, that cost and the caches raise it by more, and
 * the memory's too. A low slope does not count where the end slope is as promised: then it shows a
 * cost of each launch that was lower in the smallest, as where blocks contend for atomics, whose
 * time varies tenfold. Nor does one where the smaller sizes do not fill the device, a GPU, or the
 * blocks that emulate simulates: their time hardly grows. */
#define GROWTH_SLOPE_LEAST 0.75
#define GROWTH_SLOPE_MOST 1.4
#define GROWTH_SLOPE_NEAR 0.15
#define GROWTH_SLOPE_MACHINE 1.85 /* below that of quadratic time, about 2 */
#define GROWTH_CLIFF_MOST 4.0
/* NULL, or what is broken: "slope", "cliff". fills: 1 when all sizes fill the device. */
const char *growth_broken(const struct growth *growth, int fills);

#ifdef __cplusplus
}
#endif

#endif
