/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/bench/bench.h"

#include "host/devices.h"
#include "host/isolate.h"

#include <stdlib.h> /* malloc, calloc, free */
#include <string.h> /* memset, strcmp */

enum { WARM_UP = 3, FEWEST = 5, FEWEST_LATE = 3 };

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

/* What times a launch on CUDA. */
struct events {
    portable_event from, to;
};

/* Timed by events on the GPU, and by the clock on a CPU, where a launch is synchronous. */
static portable_status time_launch(struct run *run, const struct events *events, double *seconds)
{
    float milliseconds = 0;
    portable_status status = reset(run);

    if (status == PORTABLE_SUCCESS && !PORTABLE_TARGET_CUDA) {
        const double start = timer_seconds();

        status = run->test_case->launch(run);
        *seconds = timer_seconds() - start;
        return status;
    }
    if (status == PORTABLE_SUCCESS)
        status = portable_event_record(events->from, 0);
    if (status == PORTABLE_SUCCESS)
        status = run->test_case->launch(run);
    if (status == PORTABLE_SUCCESS)
        status = portable_event_record(events->to, 0);
    if (status == PORTABLE_SUCCESS)
        status = portable_event_synchronize(events->to);
    if (status == PORTABLE_SUCCESS)
        status = portable_event_elapsed(&milliseconds, events->from, events->to);
    *seconds = 1e-3 * (double)milliseconds;
    return status;
}

static portable_status time_baseline(struct run *run, double *seconds)
{
    const portable_status status = reset(run);

    swap_sides(run); /* so that the baseline works on the kernel's arrays */
    const double start = timer_seconds();
    run->test_case->baseline(run);
    *seconds = timer_seconds() - start;
    swap_sides(run);
    return status;
}

/* One launch and, if `baseline` is not NULL, one run of the baseline, first in odd turns. */
static portable_status time_both(struct run *run, int turn, int itself, const struct events *events,
                                 double *kernel, double *baseline)
{
    portable_status status = PORTABLE_SUCCESS;

    for (int k = 0; k < 2 && status == PORTABLE_SUCCESS; k++) {
        const int is_baseline = (turn + k) % 2;

        if (!is_baseline || (baseline && itself))
            status = time_launch(run, events, is_baseline ? baseline : kernel);
        else if (baseline)
            status = time_baseline(run, baseline);
    }
    return status;
}

static int is_late(const struct bench_options *options)
{
    return options->until > 0 && timer_seconds() > options->until;
}

static int is_enough(const struct bench_options *options, int count, double lasted)
{
    return count >= options->repeats || (count >= FEWEST && lasted > patience) ||
           (count >= FEWEST_LATE && is_late(options));
}

/* The number of samples, or -1 after a failure. */
static int sample(struct run *run, const struct bench_options *options, double *kernel,
                  double *baseline)
{
    struct events events = {0, 0};
    portable_status status = portable_event_create(&events.from);
    const double start = timer_seconds();
    int count = 0;

    if (status == PORTABLE_SUCCESS)
        status = portable_event_create(&events.to);
    for (int k = 0; k < WARM_UP && status == PORTABLE_SUCCESS; k++) {
        if (k > 0 && (timer_seconds() - start > warm_up_patience || is_late(options)))
            break;
        status = time_both(run, k, options->itself, &events, kernel, baseline);
        isolate_note_launch();
    }
    while (status == PORTABLE_SUCCESS && !is_enough(options, count, timer_seconds() - start)) {
        status = time_both(run, count, options->itself, &events, &kernel[count],
                           baseline ? &baseline[count] : NULL);
        isolate_note_launch();
        count++;
    }
    portable_event_destroy(events.from);
    portable_event_destroy(events.to);
    return status == PORTABLE_SUCCESS ? count : -1;
}

/* Sorts the times. */
static void summarise(double *kernel, double *baseline, double *ratios, int count,
                      struct bench_result *result)
{
    if (result->compared) {
        for (int k = 0; k < count; k++)
            ratios[k] = baseline[k] > 0 ? kernel[k] / baseline[k] : 1;
        result->ratio = timer_summarise(ratios, (size_t)count);
        result->baseline = timer_summarise(baseline, (size_t)count);
    }
    result->kernel = timer_summarise(kernel, (size_t)count);
}

int bench_run(struct run *run, const struct bench_options *options, struct bench_result *result,
              struct io_error *error)
{
    const size_t samples = (size_t)options->repeats;
    double *const times = (double *)calloc(3 * samples, sizeof *times);
    double *const baseline = times ? times + samples : NULL;
    double *const ratios = times ? baseline + samples : NULL;
    const int compared = (run->test_case->baseline || options->itself) && !PORTABLE_TARGET_CUDA;
    const double start = timer_seconds();
    int status;

    memset(result, 0, sizeof *result);
    run->timing = 1;
    isolate_note(run);
    status = times ? run_prepare(run, error) : io_fail(error, "no memory for %zu samples", samples);
    result->prepared = timer_seconds() - start;
    if (status == 0) {
        const int count = sample(run, options, times, compared ? baseline : NULL);

        if (count < 0) {
            status = io_fail(error, "case %s: %s", run->test_case->name, portable_last_message());
            portable_last_error();
        }
        result->n = run->n;
        result->repeats = count;
        result->bytes = run->bytes;
        result->flops = run->flops;
        result->arrays = host_bytes(run);
        result->compared = compared;
        if (count > 0)
            summarise(times, baseline, ratios, count, result);
    }
    free(times);
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

int bench_next_size(const struct gallery_case *test_case, const struct bench_result *largest,
                    const struct bench_result *last, double spent, double left)
{
    const int enough = 1e4 * last->bytes < largest->bytes || 1e4 * last->flops < largest->flops ||
                       1e4 * last->n < largest->n;
    int least = largest->n, next = last->n / 2;

    for (int s = 0; s < case_size_count(test_case); s++)
        if (case_size(test_case, s) > 0 && case_size(test_case, s) < least)
            least = case_size(test_case, s);
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

static int measure_cpu(struct bench_machine *machine, struct io_error *error)
{
    const int count = (int)(DEVICE_UNCACHED_BYTES / sizeof(float));
    float *const from = (float *)calloc((size_t)count, sizeof(float));
    float *const to = (float *)calloc((size_t)count, sizeof(float));
    int status = 0;

    if (from && to) {
        memset(from, 1, (size_t)count * sizeof(float)); /* fresh zeros share one page */
        machine->memory = cpu_memory(to, from, count);
        machine->peak = cpu_peak();
    } else
        status = io_fail(error, "no memory to measure the speed of a copy");
    free(from);
    free(to);
    return status;
}

int bench_machine_measure(struct bench_machine *machine, struct io_error *error)
{
    memset(machine, 0, sizeof *machine);
    return PORTABLE_TARGET_CUDA ? measure_gpu(machine, error) : measure_cpu(machine, error);
}

double bench_least(const struct bench_machine *machine, const struct gallery_case *test_case,
                   const struct bench_result *result, const char **limit)
{
    const int tensor = PORTABLE_TARGET_CUDA && strcmp(test_case->family, "tensor") == 0;
    const double peak = tensor ? machine->tensor : machine->peak;
    const double moving = machine->memory > 0 ? result->bytes / machine->memory : 0;
    const double computing = peak > 0 ? result->flops / peak : 0;

    *limit = "";
    if (computing > moving)
        *limit = "compute";
    else if (moving > 0)
        *limit = "memory";
    return moving >= computing ? moving : computing;
}
