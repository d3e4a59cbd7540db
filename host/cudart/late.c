/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queued work that runs as late as CUDA allows: a queue for each stream, whose items are work, and
 * waits for a place in another queue.
 *
 *     fill<<<1, 32, 0, a>>>(x)          a: fill
 *     cudaEventRecord(event, a)         a: fill, the time               event: 2 items of a
 *     cudaStreamWaitEvent(b, event)     b: wait for 2 items of a
 *     copy<<<1, 32, 0, b>>>(y, x)       b: wait for 2 items of a, copy
 *     cudaStreamSynchronize(b)          runs fill and copy
 *
 * Whoever waits for a place runs what comes before it, on its own OS thread: the latest work first,
 * with what that waits for. With a seed the queue of the highest random rank goes on, whether that
 * has to come before the place or not. An item waits only for earlier ones, so some queue can.
 */
#include "host/cudart/late.h"
#include "host/emulate/check.h"
#include "portable.h"

#include <pthread.h> /* pthread_cond_wait, pthread_mutex_lock */
#include <stdio.h>   /* fprintf */
#include <stdlib.h>  /* abort, calloc, free, getenv, realloc */
#include <string.h>  /* memcpy, strcmp, strncmp */

struct emulate_clock {
    unsigned queue;
    unsigned long long place; /* how many of its items come before */
};

struct item {
    struct item *next;
    unsigned long long number, place; /* among all items; in its queue, from 1 on */
    void (*run)(void *data);          /* NULL: it is a wait */
    struct emulate_clock awaited;
    enum emulate_work kind;
    char call[64]; /* a copy: the module that has it may be unloaded */
    char data[] __attribute__((aligned(16)));
};

struct queue {
    struct item *first, *last;      /* the first may be running */
    struct item *seen;              /* the last item that want has looked at, if it is left */
    unsigned long long goal;        /* the place of the last work that is wanted... */
    unsigned long long goal_number; /* ...and its number */
    unsigned long long items, done; /* so far; of closed streams before, too */
    unsigned long long wanted;      /* the last place that something has waited for */
    unsigned long long asked;       /* the last place of a query */
    unsigned long long of_legacy;  /* the last place in the legacy stream that this one waits for */
    unsigned long long for_legacy; /* the last place here that the legacy stream waits for */
    enum emulate_stream kind;
    int is_open, is_running;
};

static int is_late, is_seeded;
static unsigned long long seed;
/* Under the mutex. Queues may move. */
static struct queue *queues;
static unsigned queue_count;
static unsigned long long item_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t progress = PTHREAD_COND_INITIALIZER;
/* The items that the calling thread is in: a host function may wait for others. */
static __thread int depth;

static void *require_memory(void *memory)
{
    if (!memory) {
        fprintf(stderr, "PORTABLE_STREAMS: out of memory\n");
        abort();
    }
    return memory;
}

/* ---- queues, under the mutex ---- */

static int is_blocking(const struct queue *queue)
{
    return queue->kind == EMULATE_THREAD_STREAM || queue->kind == EMULATE_BLOCKING_STREAM;
}

static struct item *append(unsigned to, size_t bytes)
{
    struct queue *const queue = &queues[to];
    struct item *const item = (struct item *)require_memory(calloc(1, sizeof *item + bytes));

    item->number = ++item_count;
    item->place = ++queue->items;
    if (queue->last)
        queue->last->next = item;
    else
        queue->first = item;
    queue->last = item;
    return item;
}

static void append_wait(unsigned to, struct emulate_clock clock)
{
    if (clock.queue != to && queues[clock.queue].done < clock.place)
        append(to, 0)->awaited = clock;
}

/* Before the host asks for anything of the queue: the legacy stream and the blocking ones wait for
 * each other's work so far. */
static void advance(unsigned number)
{
    struct queue *const queue = &queues[number], *const legacy = &queues[EMULATE_LEGACY_TIMELINE];

    for (unsigned k = 0; queue == legacy && k < queue_count; k++)
        if (is_blocking(&queues[k]) && queues[k].for_legacy < queues[k].items) {
            queues[k].for_legacy = queues[k].items;
            append_wait(number, (struct emulate_clock){k, queues[k].items});
        }
    if (is_blocking(queue) && queue->of_legacy < legacy->items) {
        queue->of_legacy = legacy->items;
        append_wait(number, (struct emulate_clock){EMULATE_LEGACY_TIMELINE, legacy->items});
    }
}

static void remove_first(struct queue *queue)
{
    struct item *const item = queue->first;

    queue->first = item->next;
    if (queue->last == item)
        queue->last = NULL;
    if (queue->seen == item)
        queue->seen = NULL;
    queue->done++;
    free(item);
}

/* Marks what has to come before the place. */
static void want(struct emulate_clock clock)
{
    int more = queues[clock.queue].wanted < clock.place;

    if (more)
        queues[clock.queue].wanted = clock.place;
    while (more) {
        more = 0;
        for (struct queue *queue = queues; queue < queues + queue_count; queue++) {
            struct item *item = queue->seen ? queue->seen->next : queue->first;
            for (; item && item->place <= queue->wanted; item = item->next) {
                struct queue *const of = &queues[item->awaited.queue];
                queue->seen = item;
                if (item->run) {
                    queue->goal = item->place;
                    queue->goal_number = item->number;
                }
                if (!item->run && of->wanted < item->awaited.place) {
                    of->wanted = item->awaited.place;
                    more = 1;
                }
            }
        }
    }
}

/* Ends the waits that are over. */
static void settle(void)
{
    for (int more = 1; more;) {
        more = 0;
        for (struct queue *queue = queues; queue < queues + queue_count; queue++)
            while (queue->first && !queue->first->run &&
                   queues[queue->first->awaited.queue].done >= queue->first->awaited.place) {
                remove_first(queue);
                more = 1;
            }
    }
}

/* The queue whose first item must run next for this one to go on; NULL if that runs already, or is
 * a host function that is not wanted: it may take locks of the program. */
static const struct queue *leads_to(const struct queue *queue)
{
    while (!queue->first->run)
        queue = &queues[queue->first->awaited.queue];
    return queue->is_running ||
                   (queue->first->kind == EMULATE_FUNCTION && queue->done >= queue->wanted)
               ? NULL
               : queue;
}

/* The queue of the highest rank goes on: without a seed that of the latest work that is wanted. */
static unsigned long long rank_of(const struct queue *queue)
{
    return is_seeded ? portable_mixed_(portable_mixed_(seed) + queue->first->number)
                     : queue->goal_number;
}

/* Runs an item; returns 0 if none may run. */
static int portable_cuda_step_(void)
{
    unsigned long long highest = 0;
    const struct queue *found = NULL;

    settle();
    for (const struct queue *queue = queues; queue < queues + queue_count; queue++)
        if (queue->first && (is_seeded || queue->done < queue->goal) && rank_of(queue) >= highest &&
            leads_to(queue)) {
            found = leads_to(queue);
            highest = rank_of(queue);
        }
    if (!found)
        return 0;
    const size_t best = (size_t)(found - queues); /* queues may move */
    struct item *const item = queues[best].first;
    queues[best].is_running = 1;
    depth++;
    pthread_mutex_unlock(&mutex);
    item->run(item->data);
    pthread_mutex_lock(&mutex);
    depth--;
    queues[best].is_running = 0;
    remove_first(&queues[best]);
    settle();
    pthread_cond_broadcast(&progress);
    return 1;
}

/* A host function does not wait for work that comes after itself. */
static void portable_cuda_finish_(struct emulate_clock clock)
{
    want(clock);
    settle();
    while (queues[clock.queue].done < clock.place)
        if (!portable_cuda_step_() && queues[clock.queue].done < clock.place) {
            if (depth > 0)
                return;
            pthread_cond_wait(&progress, &mutex);
        }
}

static struct emulate_clock end_of(unsigned timeline)
{
    advance(timeline);
    return (struct emulate_clock){timeline, queues[timeline].items};
}

static int is_past(struct emulate_clock clock)
{
    settle();
    return queues[clock.queue].done >= clock.place;
}

/* The first query runs nothing; a program that asks again is one that waits. */
static int portable_cuda_query_(struct emulate_clock clock)
{
    struct queue *const queue = &queues[clock.queue];

    if (is_past(clock))
        return 1;
    if (queue->asked < clock.place) {
        queue->asked = clock.place;
        return 0;
    }
    want(clock);
    portable_cuda_step_();
    return is_past(clock);
}

/* ---- calls of the runtime ---- */

int portable_cuda_is_late_(void)
{
    return is_late;
}

void portable_cuda_enqueue_(unsigned timeline, enum emulate_work kind, const char *call,
                            void (*run)(void *data), const void *data, size_t bytes)
{
    pthread_mutex_lock(&mutex);
    advance(timeline);
    struct item *const item = append(timeline, bytes);
    item->run = run;
    item->kind = kind;
    if (call)
        snprintf(item->call, sizeof item->call, "%s", call);
    memcpy(item->data, data, bytes);
    pthread_mutex_unlock(&mutex);
}

int portable_cuda_query_timeline_(unsigned timeline)
{
    pthread_mutex_lock(&mutex);
    const int is_done = portable_cuda_query_(end_of(timeline));
    pthread_mutex_unlock(&mutex);
    return is_done;
}

int portable_cuda_query_clock_(const struct emulate_clock *clock)
{
    pthread_mutex_lock(&mutex);
    const int is_done = !clock || portable_cuda_query_(*clock);
    pthread_mutex_unlock(&mutex);
    return is_done;
}

int portable_cuda_is_past_(const struct emulate_clock *clock)
{
    pthread_mutex_lock(&mutex);
    const int past = !clock || is_past(*clock);
    pthread_mutex_unlock(&mutex);
    return past;
}

static unsigned portable_late_open_(enum emulate_stream kind)
{
    unsigned at = 0;

    pthread_mutex_lock(&mutex);
    settle();
    while (at < queue_count && (queues[at].is_open || queues[at].first))
        at++;
    if (at == queue_count) {
        queues = (struct queue *)require_memory(realloc(queues, ++queue_count * sizeof *queues));
        memset(&queues[at], 0, sizeof *queues);
    }
    queues[at].kind = kind;
    queues[at].is_open = 1;
    queues[at].of_legacy = 0;
    pthread_mutex_unlock(&mutex);
    return at;
}

static void portable_late_close_(unsigned timeline)
{
    pthread_mutex_lock(&mutex);
    queues[timeline].is_open = 0;
    pthread_mutex_unlock(&mutex);
}

static void portable_late_host_waits_(unsigned timeline)
{
    pthread_mutex_lock(&mutex);
    portable_cuda_finish_(end_of(timeline));
    pthread_mutex_unlock(&mutex);
}

static void portable_late_host_waits_for_all_(void)
{
    pthread_mutex_lock(&mutex);
    for (unsigned k = 0; k < queue_count; k++)
        want((struct emulate_clock){k, queues[k].items});
    for (unsigned k = 0; k < queue_count; k++)
        portable_cuda_finish_((struct emulate_clock){k, queues[k].wanted});
    pthread_mutex_unlock(&mutex);
}

static struct emulate_clock *portable_late_record_(struct emulate_clock *clock, unsigned timeline)
{
    if (!clock)
        clock = (struct emulate_clock *)require_memory(malloc(sizeof *clock));
    pthread_mutex_lock(&mutex);
    *clock = end_of(timeline);
    pthread_mutex_unlock(&mutex);
    return clock;
}

static void portable_late_wait_(unsigned timeline, const struct emulate_clock *clock)
{
    pthread_mutex_lock(&mutex);
    advance(timeline);
    append_wait(timeline, *clock);
    pthread_mutex_unlock(&mutex);
}

static void portable_late_host_waits_for_(const struct emulate_clock *clock)
{
    pthread_mutex_lock(&mutex);
    portable_cuda_finish_(*clock);
    pthread_mutex_unlock(&mutex);
}

static void portable_late_forget_(struct emulate_clock *clock)
{
    free(clock);
}

/* The accesses of work do not matter. */
static void begin_work(unsigned timeline, enum emulate_work kind, const char *call,
                       const void *caller)
{
    (void)timeline, (void)kind, (void)call, (void)caller;
}
static void end_work(void)
{
}
static void made_by(const void *caller)
{
    (void)caller;
}
static void access_memory(const void *memory, size_t bytes, int writes)
{
    (void)memory, (void)bytes, (void)writes;
}
static void access_by_host(const char *call, const void *memory, size_t bytes, int writes)
{
    (void)call, (void)memory, (void)bytes, (void)writes;
}
static void allocated(enum emulate_memory kind, const void *memory, size_t bytes)
{
    (void)kind, (void)memory, (void)bytes;
}
static void freed(const char *call, const void *memory, size_t bytes)
{
    (void)call, (void)memory, (void)bytes;
}

static const struct emulate_order late = {
    .open = portable_late_open_,
    .close = portable_late_close_,
    .begin = begin_work,
    .end = end_work,
    .made_by = made_by,
    .access = access_memory,
    .host_access = access_by_host,
    .host_waits = portable_late_host_waits_,
    .host_waits_for_all = portable_late_host_waits_for_all_,
    .record = portable_late_record_,
    .wait = portable_late_wait_,
    .host_waits_for = portable_late_host_waits_for_,
    .forget = portable_late_forget_,
    .allocated = allocated,
    .freed = freed,
};

/* ---- the program's beginning and end ---- */

__attribute__((constructor)) static void begin(void)
{
    const char *const streams = getenv("PORTABLE_STREAMS");

    if (!streams || !streams[0])
        return;
    const char *at = strncmp(streams, "late:", 5) == 0 ? streams + 5 : "";
    is_seeded = portable_number_(&at, ~0ULL, &seed) && !*at;
    if (!is_seeded && strcmp(streams, "late") != 0)
        portable_bad_value_("PORTABLE_STREAMS", streams, "must be late, or late:SEED, a number");
    if (emulate_check.order) /* streamcheck, which finds the same without it */
        return;
    is_late = 1;
    emulate_check.order = &late;
    portable_late_open_(EMULATE_LEGACY_STREAM);
}

__attribute__((destructor)) static void end(void)
{
    const struct item *first = NULL;
    unsigned long long count = 0;

    for (unsigned k = 0; k < queue_count; k++)
        for (const struct item *item = queues[k].first; item; item = item->next)
            if (item->call[0]) {
                count++;
                first = first && first->number < item->number ? first : item;
            }
    if (first) {
        fflush(stdout);
        fprintf(stderr,
                "PORTABLE_STREAMS=%s: the program did not wait for its last work, which has not "
                "run: %s%s\n",
                getenv("PORTABLE_STREAMS"), first->call, count > 1 ? ", the first of several" : "");
    }
}
