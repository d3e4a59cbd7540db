/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/bench.h"

#include "host/devices.h"
#include "host/isolate.h"

#include <math.h>   /* log2, pow */
#include <stdio.h>  /* fopen, fscanf */
#include <stdlib.h> /* malloc, calloc, free */
#include <string.h> /* memset, strcmp */

enum { WARM_UP = 3, FEWEST = 5, FEWEST_LATE = 3, MOST = 4096 };

/* Seconds after which one size of a case, or its warm-up, is repeated no further. */
static const double patience = 0.5, warm_up_patience = 0.25;

/* Host memory of the arrays of a run, in bytes. */
static double host_bytes(const struct run *run)
{
    double sum = 0;

    for (int k = 0; k < run->array_count; k++) {
        const struct run_array *array = &run->arrays[k];
        const double bytes =
            (double)array_count(&array->host) * (double)array_type_size(array->host.type);

        sum += bytes * (PORTABLE_TARGET_CUDA ? 1 : 2 + (array->initial != NULL));
    }
    return sum + (double)run->own_bytes;
}

/* The field of /proc/self/status in bytes, or -1 where there is none. */
static double process_bytes(const char *field)
{
    FILE *stream = fopen("/proc/self/status", "r");
    const size_t length = strlen(field);
    char line[256];
    double bytes = -1;

    while (stream && fgets(line, sizeof line, stream))
        if (strncmp(line, field, length) == 0)
            bytes = 1024 * strtod(line + length, NULL);
    if (stream)
        fclose(stream);
    return bytes;
}

/* Resets VmHWM, the peak of the resident set: proc(5), clear_refs. */
static int forget_peak(void)
{
    FILE *stream = fopen("/proc/self/clear_refs", "w");
    int status;

    if (!stream)
        return 0;
    status = fputs("5", stream) >= 0;
    return fclose(stream) == 0 && status;
}

/* Updated arrays start again from their initial values. */
static portable_status reset(struct run *run)
{
    portable_status status = PORTABLE_SUCCESS;

    for (int k = 0; k < run->array_count && status == PORTABLE_SUCCESS; k++) {
        const struct run_array *array = &run->arrays[k];

        if (array->role == ROLE_UPDATED)
            status = portable_copy_on_device(array->device, array->initial,
                                             array_count(&array->host) *
                                                 array_type_size(array->host.type));
    }
    return status;
}

/* Swaps each array's host and device pointers: on a CPU both are ordinary memory. */
static void swap_sides(struct run *run)
{
    for (int k = 0; k < run->array_count; k++) {
        struct run_array *array = &run->arrays[k];
        void *const host = array->host.data;

        array->host.data = array->device;
        array->device = host;
    }
}

/* What launches are timed with. */
struct watch {
    portable_event from, to; /* on CUDA */
    int own;                 /* 1: also a thread's own time */
    struct timer_waits waits;
};

static void watch_begin(struct watch *watch, int team, struct bench_sample *sample)
{
    if (watch->own && team)
        timer_waits_begin(&watch->waits);
    sample->own = watch->own ? timer_own_seconds() : 0;
    sample->seconds = timer_seconds();
}

static void watch_end(const struct watch *watch, int team, struct bench_sample *sample)
{
    sample->seconds = timer_seconds() - sample->seconds;
    if (!watch->own)
        return;
    if (team) {
        const struct timer_share share = timer_waits_end(&watch->waits, sample->seconds);

        sample->own = share.seconds;
        sample->waited = share.waited;
        sample->idle = share.idle;
    } else {
        sample->own = timer_own_seconds() - sample->own;
        sample->waited = sample->own < (1 - TIMER_WAITED) * sample->seconds;
    }
}

/* Timed by events on the GPU, and by the clock on a CPU, where a launch is synchronous. */
static portable_status time_launch(struct run *run, struct watch *watch,
                                   struct bench_sample *sample)
{
    float milliseconds = 0;
    portable_status status = reset(run);

    if (status != PORTABLE_SUCCESS)
        return status;
    if (!PORTABLE_TARGET_CUDA) {
        watch_begin(watch, PORTABLE_TARGET_OPENMP, sample);
        status = run->which->launch(run);
        watch_end(watch, PORTABLE_TARGET_OPENMP, sample);
        return status;
    }
    status = portable_event_record(watch->from, 0);
    if (status == PORTABLE_SUCCESS)
        status = run->which->launch(run);
    if (status == PORTABLE_SUCCESS)
        status = portable_event_record(watch->to, 0);
    if (status == PORTABLE_SUCCESS)
        status = portable_event_synchronize(watch->to);
    if (status == PORTABLE_SUCCESS)
        status = portable_event_elapsed(&milliseconds, watch->from, watch->to);
    sample->seconds = sample->own = 1e-3 * (double)milliseconds;
    return status;
}

static portable_status time_plain(struct run *run, int itself, struct watch *watch,
                                  struct bench_sample *sample)
{
    if (itself)
        return time_launch(run, watch, sample);
    const portable_status status = reset(run);

    swap_sides(run); /* so that the plain loop works on the kernel's arrays */
    watch_begin(watch, 0, sample);
    run->which->plain(run);
    watch_end(watch, 0, sample);
    swap_sides(run);
    return status;
}

/* One launch and, if `plain` is not NULL, one run of the plain loop, first in odd turns. */
static portable_status time_both(struct run *run, int turn, int itself, struct watch *watch,
                                 struct bench_sample *kernel, struct bench_sample *plain)
{
    portable_status status = PORTABLE_SUCCESS;

    if (plain && turn % 2 != 0)
        status = time_plain(run, itself, watch, plain);
    if (status == PORTABLE_SUCCESS)
        status = time_launch(run, watch, kernel);
    if (status == PORTABLE_SUCCESS && plain && turn % 2 == 0)
        status = time_plain(run, itself, watch, plain);
    return status;
}

static int is_late(const struct bench_options *options)
{
    return options->until > 0 && timer_seconds() > options->until;
}

static int most_samples(const struct bench_options *options)
{
    return options->lasting > 0 && options->repeats < MOST ? MOST : options->repeats;
}

/* So many samples without a thread that waited need no estimate. */
enum { UNDISTURBED = 3 };

/* Whether `count` samples, `clean` of them without a thread that waited, are enough after `lasted`
 * seconds. */
static int is_enough(const struct bench_options *options, int count, int clean, double lasted)
{
    if (count >= FEWEST_LATE && is_late(options))
        return 1;
    if (options->lasting > 0 && clean < UNDISTURBED && lasted <= patience)
        return 0;
    return (count >= FEWEST && lasted > patience) ||
           (count >= options->repeats && lasted > options->lasting);
}

/* Whether a launch has fewer blocks than a CPU has threads. */
static int has_few_blocks(const struct run *run)
{
    const double blocks = (double)run->grid.x * run->grid.y * run->grid.z;

    return blocks > 0 && blocks < device_blocks(1);
}

/* The number of samples, or -1 after a failure. */
static int sample(struct run *run, const struct bench_options *options, int compared,
                  struct bench_sample *kernel, struct bench_sample *plain)
{
    struct watch watch = {0, 0, options->lasting > 0, {0, {{0, 0, 0, 0}}}};
    portable_status status = portable_event_create(&watch.from);
    const double start = timer_seconds();
    int count = 0, clean = 0, plain_clean = 0;

    if (status == PORTABLE_SUCCESS)
        status = portable_event_create(&watch.to);
    for (int k = 0; k < WARM_UP && status == PORTABLE_SUCCESS; k++) {
        if (k > 0 && (timer_seconds() - start > warm_up_patience || is_late(options)))
            break;
        status = time_both(run, k, options->itself, &watch, kernel, compared ? plain : NULL);
    }
    if (PORTABLE_TARGET_OPENMP && watch.own)
        timer_waits_open(&watch.waits); /* the team has its threads since the first launch */
    while (status == PORTABLE_SUCCESS && count < most_samples(options) &&
           !is_enough(options, count, clean < plain_clean ? clean : plain_clean,
                      timer_seconds() - start)) {
        status = time_both(run, count, options->itself, &watch, &kernel[count],
                           compared ? &plain[count] : NULL);
        if (PORTABLE_TARGET_OPENMP && watch.own && watch.waits.count == 0)
            kernel[count].idle = has_few_blocks(run); /* the threads' clocks are unknown */
        clean += !kernel[count].waited;
        plain_clean += !plain[count++].waited; /* where there is none, it has not */
    }
    timer_waits_close(&watch.waits);
    portable_event_destroy(watch.from);
    portable_event_destroy(watch.to);
    return status == PORTABLE_SUCCESS ? count : -1;
}

struct bench_least_time bench_least_of(const struct bench_sample *samples, double *numbers,
                                       int count)
{
    struct bench_least_time least = {0, 0};
    int clean = 0;

    for (int k = 0; k < count; k++) {
        const struct bench_sample *const one = &samples[k];

        numbers[k] = one->own;
        if (!one->waited && (clean++ == 0 || one->own < least.seconds))
            least.seconds = one->own;
    }
    least.estimated = clean < UNDISTURBED && count > 0;
    if (least.estimated)
        least.seconds = timer_summarise(numbers, (size_t)count).median;
    return least;
}

static struct timer_summary summary_of(const struct bench_sample *samples, double *seconds,
                                       int count)
{
    for (int k = 0; k < count; k++)
        seconds[k] = samples[k].seconds;
    return timer_summarise(seconds, (size_t)count);
}

/* Whether most launches left a thread idle. */
static int is_partial(const struct bench_sample *samples, int count)
{
    int idle = 0;

    for (int k = 0; k < count; k++)
        idle += samples[k].idle;
    return 2 * idle > count;
}

static void summarise(const struct bench_options *options, struct bench_sample *kernel,
                      struct bench_sample *plain, int count, double *numbers,
                      struct bench_result *result)
{
    result->kernel = summary_of(kernel, numbers, count);
    if (result->compared) {
        result->plain = summary_of(plain, numbers, count);
        for (int k = 0; k < count; k++)
            numbers[k] = plain[k].seconds > 0 ? kernel[k].seconds / plain[k].seconds : 1;
        result->ratio = timer_summarise(numbers, (size_t)count);
    }
    if (options->lasting > 0) {
        result->least = bench_least_of(kernel, numbers, count);
        if (result->compared)
            result->plain_least = bench_least_of(plain, numbers, count);
    }
}

int bench_run(struct run *run, const struct bench_options *options, struct bench_result *result,
              struct io_error *error)
{
    const size_t most = (size_t)most_samples(options);
    struct bench_sample *const kernel = (struct bench_sample *)calloc(most, sizeof *kernel);
    struct bench_sample *const plain = (struct bench_sample *)calloc(most, sizeof *plain);
    double *const numbers = (double *)malloc(most * sizeof *numbers);
    const int compared = (run->which->plain || options->itself) && !PORTABLE_TARGET_CUDA;
    const int watched = forget_peak();
    const double before = process_bytes("VmRSS:"), start = timer_seconds();
    int status;

    memset(result, 0, sizeof *result);
    run->timing = 1;
    isolate_note(run);
    status = kernel && plain && numbers ? run_prepare(run, error)
                                        : io_fail(error, "no memory for %zu samples", most);
    result->prepared = timer_seconds() - start;
    if (status == 0) {
        const int count = sample(run, options, compared, kernel, plain);

        if (count < 0) {
            status = io_fail(error, "case %s: %s", run->which->name, portable_last_message());
            portable_last_error();
        }
        result->n = run->n;
        result->repeats = count;
        result->bytes = run->bytes;
        result->flops = run->flops;
        result->partial = is_partial(kernel, count);
        result->arrays = host_bytes(run);
        result->resident = watched && before >= 0 ? process_bytes("VmHWM:") - before : -1;
        result->compared = compared;
        if (count > 0)
            summarise(options, kernel, plain, count, numbers, result);
    }
    free(kernel);
    free(plain);
    free(numbers);
    run_release(run);
    isolate_note(NULL);
    return status;
}

double bench_share(double now, double end, int cases)
{
    if (end <= 0)
        return 0;
    return end > now ? now + (end - now) / cases : now;
}

double bench_seconds_left(double used, int done, int cases, double budget)
{
    const double by_budget = budget <= 0 ? -1 : budget > used ? budget - used : 0;
    const double by_cases = done > 0 ? used / done * (cases - done) : -1;

    if (by_cases < 0 || (by_budget >= 0 && by_budget < by_cases))
        return by_budget;
    return by_cases;
}

int bench_next_size(const struct gallery_case *which, const struct bench_result *largest,
                    const struct bench_result *last, double spent, double left)
{
    const int enough = 1e4 * last->bytes < largest->bytes || 1e4 * last->flops < largest->flops ||
                       1e4 * last->n < largest->n;
    int least = largest->n, next = last->n / 2;

    for (int s = 0; s < case_size_count(which); s++)
        if (case_size(which, s) > 0 && case_size(which, s) < least)
            least = case_size(which, s);
    if (last->n <= least)
        return -1;
    for (spent /= 2; left >= 0 && spent > left && next >= least && next > 0; spent /= 2)
        next /= 2;
    return enough || next < least ? least : next;
}

/* ------------------------------------------------------------------------------------------------
 * The machine
 * --------------------------------------------------------------------------------------------- */

enum { COPIES = 21 };

static portable_status time_copies(void *to, const void *from, size_t bytes, double *samples)
{
    portable_event begin = 0, end = 0;
    portable_status status = portable_event_create(&begin);

    if (status == PORTABLE_SUCCESS)
        status = portable_event_create(&end);
    for (int k = -1; k < COPIES && status == PORTABLE_SUCCESS; k++) {
        float milliseconds = 0;

        status = portable_event_record(begin, 0);
        if (status == PORTABLE_SUCCESS)
            status = portable_copy_on_device(to, from, bytes);
        if (status == PORTABLE_SUCCESS)
            status = portable_event_record(end, 0);
        if (status == PORTABLE_SUCCESS)
            status = portable_event_synchronize(end);
        if (status == PORTABLE_SUCCESS)
            status = portable_event_elapsed(&milliseconds, begin, end);
        samples[k < 0 ? 0 : k] = 1e-3 * (double)milliseconds;
    }
    portable_event_destroy(begin);
    portable_event_destroy(end);
    return status;
}

/* Bytes per second that all cores of the target read and write: a copy or an update in place,
 * whichever is faster. The stores of a copy fetch their cache lines first. */
static double cpu_memory(float *to, const float *from, int count)
{
    double copies[COPIES], updates[COPIES];

    for (int k = -1; k < COPIES; k++) {
        double start = timer_seconds();

#if defined(_OPENMP)
#pragma omp parallel for
#endif
        for (int i = 0; i < count; i++)
            to[i] = from[i];
        copies[k < 0 ? 0 : k] = timer_seconds() - start;
        start = timer_seconds();
#if defined(_OPENMP)
#pragma omp parallel for
#endif
        for (int i = 0; i < count; i++)
            to[i] = -to[i];
        updates[k < 0 ? 0 : k] = timer_seconds() - start;
    }
    const double copy = timer_summarise(copies, COPIES).median;
    const double update = timer_summarise(updates, COPIES).median;
    return 2.0 * count * sizeof(float) / (copy < update ? copy : update);
}

/* The least seconds in which all threads copy `count` floats: of launches as bench_run times them
 * for growth. */
static double copy_seconds(float *to, const float *from, int count, double lasting)
{
    const struct bench_options options = {FEWEST, 0, 0, lasting};
    struct bench_sample samples[MOST];
    struct watch watch = {0, 0, 1, {0, {{0, 0, 0, 0}}}};
    double numbers[MOST], start = 0;
    int clean = 0, k = -WARM_UP;

    while (k < MOST && (k < 0 || !is_enough(&options, k, clean, timer_seconds() - start))) {
        struct bench_sample *const one = &samples[k < 0 ? 0 : k];

        if (k == 0 && PORTABLE_TARGET_OPENMP)
            timer_waits_open(&watch.waits); /* the team has its threads since the first copy */
        if (k == 0)
            start = timer_seconds();
        watch_begin(&watch, PORTABLE_TARGET_OPENMP, one);
#if defined(_OPENMP)
#pragma omp parallel for
#endif
        for (int i = 0; i < count; i++)
            to[i] = from[i];
        watch_end(&watch, PORTABLE_TARGET_OPENMP, one);
        clean += k >= 0 && !one->waited;
        k++;
    }
    timer_waits_close(&watch.waits);
    return bench_least_of(samples, numbers, k).seconds;
}

enum { LEAST_COPY = 11 }; /* the logarithm of its bytes */

double bench_moving(const struct bench_machine *machine, double bytes)
{
    /* A copy reads half of the bytes that it moves, and writes the other half. */
    const double place = log2(bytes / 2) - LEAST_COPY;
    const int k = place < 0 ? 0 : place < BENCH_COPIES - 2 ? (int)place : BENCH_COPIES - 2;
    const double least = machine->copies[0];
    const double low = machine->copies[k] - least, high = machine->copies[k + 1] - least;

    if (place < 1 || low <= 0 || high <= 0)
        return 0;
    return place > BENCH_COPIES - 1 ? high * pow(2, place - (BENCH_COPIES - 1))
                                    : low * pow(high / low, place - k);
}

enum { CHAINS = 128, TURNS = 1 << 20 };

/* Chains of multiplications and additions that do not depend on one another, as wide and as many
 * as hide the latency of either. Each run starts from other values and its sum is used, so that
 * the compiler removes none. Compiled as a kernel is, for the instruction sets of this machine. */
PORTABLE_KERNEL_CODE_ static double turn_chains(int start)
{
    REAL chains[CHAINS];
    double sum = 0;

    for (int c = 0; c < CHAINS; c++)
        chains[c] = (REAL)(c + start);
    for (int turn = 0; turn < TURNS; turn++) {
        __asm__ volatile(""); /* or gcc 13 makes this the inner loop, which waits for each result */
        for (int c = 0; c < CHAINS; c++)
            chains[c] = chains[c] * (REAL)0.999 + (REAL)0.001;
    }
    for (int c = 0; c < CHAINS; c++)
        sum += (double)chains[c];
    return sum;
}

/* Operations per second that this compiler reaches, on all cores that the target uses. */
static double cpu_peak(void)
{
    enum { RUNS = 7 };
    double samples[RUNS], sum = 0;
    int threads = 0;

    for (int k = 0; k < RUNS; k++) {
        const double start = timer_seconds();

        threads = 0;
#if defined(_OPENMP)
#pragma omp parallel reduction(+ : sum, threads)
#endif
        {
            sum += turn_chains(k);
            threads++;
        }
        samples[k] = timer_seconds() - start;
    }
    const double seconds = timer_summarise(samples, RUNS).median;
    return sum > 0 ? 2.0 * CHAINS * TURNS * threads / seconds : 0;
}

static int measure_gpu(struct bench_machine *machine, struct io_error *error)
{
    const size_t bytes = DEVICE_UNCACHED_BYTES;
    struct portable_device device;
    struct device_rates rates;
    double samples[COPIES];
    char *from = NULL, *to = NULL;
    portable_status status = portable_device_properties(&device);

    if (status == PORTABLE_SUCCESS)
        status = portable_malloc(&from, bytes);
    if (status == PORTABLE_SUCCESS)
        status = portable_malloc(&to, bytes);
    if (status == PORTABLE_SUCCESS)
        status = portable_memset(from, 0, bytes);
    if (status == PORTABLE_SUCCESS)
        status = time_copies(to, from, bytes, samples);
    portable_free(from);
    portable_free(to);
    if (status != PORTABLE_SUCCESS) {
        io_fail(error, "the speed of a copy: %s", portable_last_message());
        portable_last_error();
        return IO_BAD;
    }
    machine->memory = 2.0 * (double)bytes / timer_summarise(samples, COPIES).median;
    rates = device_rates(&device);
    machine->peak = rates.real;
    machine->tensor = rates.tensor;
    return 0;
}

static int measure_cpu(struct bench_machine *machine, double lasting, struct io_error *error)
{
    const int count = (int)(DEVICE_UNCACHED_BYTES / sizeof(float));
    float *const from = (float *)calloc((size_t)count, sizeof(float));
    float *const to = (float *)calloc((size_t)count, sizeof(float));
    int status = 0;

    if (from && to) {
        memset(from, 1, (size_t)count * sizeof(float)); /* fresh zeros share one page */
        machine->memory = cpu_memory(to, from, count);
        machine->peak = cpu_peak();
        for (int k = 0; k < BENCH_COPIES && lasting > 0; k++)
            machine->copies[k] =
                copy_seconds(to, from, (int)((1u << (k + LEAST_COPY)) / sizeof(float)), lasting);
    } else
        status = io_fail(error, "no memory to measure the speed of a copy");
    free(from);
    free(to);
    return status;
}

int bench_machine_measure(struct bench_machine *machine, double lasting, struct io_error *error)
{
    memset(machine, 0, sizeof *machine);
    return PORTABLE_TARGET_CUDA ? measure_gpu(machine, error)
                                : measure_cpu(machine, lasting, error);
}

double bench_least(const struct bench_machine *machine, const struct gallery_case *which,
                   const struct bench_result *result, const char **limit)
{
    const int tensor = PORTABLE_TARGET_CUDA && strcmp(which->family, "tensor") == 0;
    const double peak = tensor ? machine->tensor : machine->peak;
    const double moving = machine->memory > 0 ? result->bytes / machine->memory : 0;
    const double computing = peak > 0 ? result->flops / peak : 0;

    *limit = moving == 0 && computing == 0 ? "" : moving >= computing ? "memory" : "compute";
    return moving >= computing ? moving : computing;
}
