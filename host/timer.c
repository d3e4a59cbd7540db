/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L

#include "host/timer.h"

#include <dirent.h> /* opendir */
#include <fcntl.h>  /* open */
#include <stdio.h>  /* snprintf */
#include <stdlib.h> /* atoi, qsort, strtod */
#include <time.h>   /* clock_gettime */
#include <unistd.h> /* pread, close */

double timer_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double seconds_of(clockid_t clock)
{
    struct timespec time;

    return clock_gettime(clock, &time) == 0 ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec
                                            : -1;
}

double timer_own_seconds(void)
{
    const double had = seconds_of(CLOCK_THREAD_CPUTIME_ID);

    return had >= 0 ? had : timer_seconds();
}

/* The seconds of a core that a thread has had: its clock, as pthread_getcpuclockid of Linux numbers
 * it. */
static double own_seconds_of(int thread)
{
    return seconds_of((clockid_t)(~(unsigned)thread << 3 | 6));
}

/* The second number of schedstat, nanoseconds in a run queue, in seconds; 0 without the file. */
static double delay_of(int file)
{
    char text[128], *delay;
    const ssize_t length = file < 0 ? 0 : pread(file, text, sizeof text - 1, 0);

    if (length <= 0)
        return 0;
    text[length] = '\0';
    strtod(text, &delay);
    return 1e-9 * strtod(delay, NULL);
}

void timer_waits_open(struct timer_waits *waits)
{
    DIR *const threads = opendir("/proc/self/task");
    const struct dirent *entry;

    waits->count = 0;
    while (threads && (entry = readdir(threads)) != NULL) {
        struct timer_thread *const thread = &waits->threads[waits->count];
        char path[320];

        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/self/task/%.255s/schedstat", entry->d_name);
        if (waits->count == TIMER_THREADS) {
            timer_waits_close(waits);
            break;
        }
        thread->file = open(path, O_RDONLY);
        thread->number = atoi(entry->d_name);
        waits->count++;
    }
    if (threads)
        closedir(threads);
}

void timer_waits_begin(struct timer_waits *waits)
{
    for (int k = 0; k < waits->count; k++) {
        waits->threads[k].delay = delay_of(waits->threads[k].file);
        waits->threads[k].own = own_seconds_of(waits->threads[k].number);
    }
}

struct timer_share timer_waits_end(const struct timer_waits *waits, double seconds)
{
    struct timer_share share = {seconds, 0, 0};
    double longest = 0;

    for (int k = 0; k < waits->count; k++) {
        const struct timer_thread *const thread = &waits->threads[k];
        const double own = own_seconds_of(thread->number) - thread->own;

        longest = own > longest ? own : longest;
        share.waited |= delay_of(thread->file) - thread->delay > TIMER_WAITED * seconds;
        share.idle |= own == 0 && thread->own >= 0; /* -1: it has ended */
    }
    if (share.waited && longest < seconds)
        share.seconds = longest;
    return share;
}

void timer_waits_close(struct timer_waits *waits)
{
    for (int k = 0; k < waits->count; k++)
        if (waits->threads[k].file >= 0)
            close(waits->threads[k].file);
    waits->count = 0;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

static double quantile(const double *sorted, size_t count, double share)
{
    const double place = share * (double)(count - 1);
    const size_t below = (size_t)place;
    const size_t above = below + 1 < count ? below + 1 : below;

    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

struct timer_summary timer_summarise(double *samples, size_t count)
{
    struct timer_summary summary;

    qsort(samples, count, sizeof *samples, compare_doubles);
    summary.minimum = samples[0];
    summary.lower = quantile(samples, count, 0.25);
    summary.median = quantile(samples, count, 0.5);
    summary.upper = quantile(samples, count, 0.75);
    return summary;
}
