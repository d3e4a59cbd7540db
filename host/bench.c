/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/bench.h"

#include <stdlib.h> /* malloc, free */
#include <string.h> /* memcpy, memset, strcmp */

enum { WARM_UP = 3 };

/* Updated arrays on both sides start again from their initial values. */
static portable_status reset(struct run *run)
{
    portable_status status = PORTABLE_SUCCESS;

    for (int k = 0; k < run->array_count && status == PORTABLE_SUCCESS; k++) {
        struct run_array *array = &run->arrays[k];
        const size_t bytes = array_count(&array->host) * array_type_size(array->host.type);

        if (array->role != ROLE_UPDATED)
            continue;
        memcpy(array->host.data, array->initial, bytes);
        status = portable_copy_to_device(array->device, array->initial, bytes);
    }
    return status;
}

/* One launch, timed by events on the GPU, and by the clock on a CPU, where it is synchronous. */
static portable_status time_launch(struct run *run, portable_event from, portable_event to,
                                   double *seconds)
{
    float milliseconds = 0;
    portable_status status;

    if (!PORTABLE_TARGET_CUDA) {
        const double start = timer_seconds();

        status = run->which->launch(run);
        *seconds = timer_seconds() - start;
        return status;
    }
    status = portable_event_record(from, 0);
    if (status == PORTABLE_SUCCESS)
        status = run->which->launch(run);
    if (status == PORTABLE_SUCCESS)
        status = portable_event_record(to, 0);
    if (status == PORTABLE_SUCCESS)
        status = portable_event_synchronize(to);
    if (status == PORTABLE_SUCCESS)
        status = portable_event_elapsed(&milliseconds, from, to);
    *seconds = 1e-3 * (double)milliseconds;
    return status;
}

int bench_run(struct run *run, int repeats, struct bench_result *result, struct io_error *error)
{
    const int compared = run->which->plain != NULL && !PORTABLE_TARGET_CUDA;
    double *const samples = (double *)malloc(3 * (size_t)repeats * sizeof(double));
    double *const kernel = samples, *const plain = samples ? samples + repeats : NULL;
    double *const ratio = samples ? samples + 2 * (size_t)repeats : NULL;
    portable_event from = 0, to = 0;
    portable_status status = PORTABLE_SUCCESS;
    int prepared;

    memset(result, 0, sizeof *result);
    run->timing = 1;
    prepared =
        samples ? run_prepare(run, error) : io_fail(error, "no memory for %d samples", repeats);
    if (prepared == 0) {
        status = portable_event_create(&from);
        if (status == PORTABLE_SUCCESS)
            status = portable_event_create(&to);
        for (int k = -WARM_UP; k < repeats && status == PORTABLE_SUCCESS; k++) {
            double seconds = 0, plain_seconds = 0;

            status = reset(run);
            if (status == PORTABLE_SUCCESS)
                status = time_launch(run, from, to, &seconds);
            if (compared) {
                const double start = timer_seconds();

                run->which->plain(run);
                plain_seconds = timer_seconds() - start;
            }
            if (k >= 0) {
                kernel[k] = seconds;
                plain[k] = plain_seconds;
                ratio[k] = plain_seconds > 0 ? seconds / plain_seconds : 0;
            }
        }
        portable_event_destroy(from);
        portable_event_destroy(to);
    }
    if (prepared == 0 && status == PORTABLE_SUCCESS) {
        result->bytes = run->bytes;
        result->flops = run->flops;
        result->n = run->n;
        result->compared = compared;
        result->kernel = timer_summarise(kernel, (size_t)repeats);
        if (compared) {
            result->plain = timer_summarise(plain, (size_t)repeats);
            result->ratio = timer_summarise(ratio, (size_t)repeats);
        }
    } else if (prepared == 0) {
        prepared = io_fail(error, "case %s: %s", run->which->name, portable_last_message());
        portable_last_error();
    }
    free(samples);
    run_release(run);
    return prepared;
}
