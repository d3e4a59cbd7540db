/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PORTABLE_HOST_TIMER_H
#define PORTABLE_HOST_TIMER_H

#include <stddef.h> /* size_t */

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds since some fixed moment. Never goes back, whatever happens to the time of day. */
double timer_seconds(void);

/* Seconds that this thread has had a core, since some fixed moment; those of timer_seconds where
 * the system does not tell. */
double timer_own_seconds(void);

/* The share of a time in which a thread may wait for a core: it shows in no slope. */
#define TIMER_WAITED 0.02

/* Which threads of this process wait for a core while other programs have them all: the delay in
 * run queues of /proc/self/task/THREAD/schedstat (Linux, Documentation/scheduler/sched-stats). A
 * kernel built without CONFIG_SCHEDSTATS has no such file; then none is seen to wait. */
enum { TIMER_THREADS = 256 };
struct timer_thread {
    int number, file;  /* of schedstat; -1: there is none */
    double delay, own; /* at timer_waits_begin */
};
struct timer_waits {
    int count; /* 0: unknown, or more than TIMER_THREADS threads */
    struct timer_thread threads[TIMER_THREADS];
};
/* The threads that there are now; timer_waits_close closes the files. */
void timer_waits_open(struct timer_waits *waits);
void timer_waits_begin(struct timer_waits *waits);
/* What the threads did since timer_waits_begin. */
struct timer_share {
    double seconds; /* that the work would have taken without waiting */
    int waited;     /* 1: a thread waited for a core for more than TIMER_WAITED of the time */
    int idle;       /* 1: a thread used no time of a core: it had nothing to do */
};
/* Its seconds are the `seconds` since timer_waits_begin unless a thread waited; then, those of the
 * thread that had a core longest. Time in which a thread waits for others counts only if it turns
 * in a loop meanwhile; OpenMP's threads sleep with OMP_WAIT_POLICY=passive. */
struct timer_share timer_waits_end(const struct timer_waits *waits, double seconds);
void timer_waits_close(struct timer_waits *waits);

/* A summary of repeated measurements that, unlike mean and sigma, outliers hardly affect. */
struct timer_summary {
    double minimum;
    double lower; /* the first quartile */
    double median;
    double upper; /* the third quartile */
};

/* Sorts the samples; there must be at least one. Between two samples a quantile is interpolated:
 * type 7 in R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American
 * Statistician 50, 1996, which is also NumPy's. */
struct timer_summary timer_summarise(double *samples, size_t count);

#ifdef __cplusplus
}
#endif

#endif
