/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies beside kernels: chunks alternate between two streams, each copied in from pinned
 * memory, computed, and copied out, so that one stream's copies run while the other computes. */
#include "kernels/pipeline.c"

#include "host/case.h"

#include <math.h> /* fabs */

#define A ((REAL)1.75)

enum { CHUNKS = 8, STREAMS = 2 };

/* The host's side of the pipeline, in pinned memory: run->pinned[...] */
enum { HOST_X, HOST_Y, HOST_RESULT };

static int prepare_pipeline(struct run *run, struct io_error *error)
{
    const size_t n = (size_t)run->n;
    const REAL *x = run_input_real(run, "x", n), *y = run_input_real(run, "y", n);
    REAL *pinned_x = run_pinned_real(run, HOST_X, n), *pinned_y = run_pinned_real(run, HOST_Y, n);

    run_pinned_real(run, HOST_RESULT, n);
    run_output_real(run, "result", n, OWNER_NONE);
    run_output_real(run, "returned", n, OWNER_NONE);
    run_output_real(run, "z", n, OWNER_ELEMENT);
    for (size_t i = 0; pinned_x && pinned_y && i < n; i++) {
        pinned_x[i] = x[i];
        pinned_y[i] = y[i];
    }
    run_stride(run, run->n / CHUNKS);
    run->bytes = 8.0 * run->n * sizeof(REAL); /* to and from the host: 3; by the kernels: 5 */
    run->flops = 3.0 * run->n;
    return run_ready(run, error);
}

/* Elements [begin, begin + n), by the stream: in, through, out. */
static portable_status chunk(struct run *run, size_t begin, int n, portable_stream stream)
{
    const size_t bytes = (size_t)n * sizeof(REAL);
    const REAL *const pinned_x = (const REAL *)run->pinned[HOST_X] + begin;
    const REAL *const pinned_y = (const REAL *)run->pinned[HOST_Y] + begin;
    REAL *const x = DEVICE_REALS("x") + begin, *const y = DEVICE_REALS("result") + begin;
    portable_status status = portable_copy_to_device_async(x, pinned_x, bytes, stream);

    if (status == PORTABLE_SUCCESS)
        status = portable_copy_to_device_async(y, pinned_y, bytes, stream);
    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(saxpy_chunk, run->grid, run->block, 0, stream, n, A, x, y);
    if (status == PORTABLE_SUCCESS)
        status =
            portable_copy_to_host_async((REAL *)run->pinned[HOST_RESULT] + begin, y, bytes, stream);
    return status;
}

static portable_status chunks(struct run *run, portable_stream *streams, portable_event *done)
{
    const int size = run->n / CHUNKS + (run->n % CHUNKS != 0);
    portable_status status = PORTABLE_SUCCESS;

    for (int k = 0; k < CHUNKS && k * size < run->n && status == PORTABLE_SUCCESS; k++) {
        const int left = run->n - k * size;

        status =
            chunk(run, (size_t)k * (size_t)size, left < size ? left : size, streams[k % STREAMS]);
    }
    /* Stream 0 waits for the other streams. */
    for (int s = 1; s < STREAMS && status == PORTABLE_SUCCESS; s++) {
        status = portable_event_record(done[s], streams[s]);
        if (status == PORTABLE_SUCCESS)
            status = portable_stream_wait_event(streams[0], done[s]);
    }
    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(mirror_difference, run->grid, run->block, 0, streams[0], run->n,
                               DEVICE_REALS("result"), DEVICE_REALS("z"));
    if (status == PORTABLE_SUCCESS)
        status = portable_stream_synchronize(streams[0]);
    return status;
}

static portable_status launch_pipeline(struct run *run)
{
    const size_t bytes = (size_t)run->n * sizeof(REAL);
    portable_stream streams[STREAMS] = {0, 0};
    portable_event done[STREAMS] = {0, 0};
    portable_status status = PORTABLE_SUCCESS;

    /* Poison shows a missing copy, in or out. */
    if (!run->timing) {
        status = portable_memset(DEVICE_REALS("x"), 0xff, bytes);
        if (bytes > 0)
            memset(run->pinned[HOST_RESULT], 0xff, bytes);
        if (status == PORTABLE_SUCCESS)
            status = portable_synchronize();
    }
    for (int s = 0; s < STREAMS && status == PORTABLE_SUCCESS; s++) {
        status = portable_stream_create(&streams[s]);
        if (status == PORTABLE_SUCCESS)
            status = portable_event_create(&done[s]);
    }
    if (status == PORTABLE_SUCCESS)
        status = chunks(run, streams, done);
    for (int s = 0; s < STREAMS; s++) {
        portable_stream_synchronize(streams[s]);
        portable_event_destroy(done[s]);
        portable_stream_destroy(streams[s]);
    }
    if (!run->timing && status == PORTABLE_SUCCESS)
        status = portable_copy_to_device(DEVICE_REALS("returned"), run->pinned[HOST_RESULT], bytes);
    return status;
}

static void reference_pipeline(struct run *run)
{
    const REAL *x = HOST_REALS("x"), *y = HOST_REALS("y");
    const int n = run->n;

    for (int i = 0; i < n; i++) {
        const int j = n - 1 - i;
        const double here = (double)A * (double)x[i] + (double)y[i];
        const double there = (double)A * (double)x[j] + (double)y[j];
        const double size = fabs((double)A * (double)x[i]) + fabs((double)y[i]);
        const double other = fabs((double)A * (double)x[j]) + fabs((double)y[j]);

        run_expect(run, "result", (size_t)i, here, run_roundings(2) * size);
        run_expect(run, "returned", (size_t)i, here, run_roundings(2) * size);
        run_expect(run, "z", (size_t)i, here - there, run_roundings(3) * (size + other));
    }
}

static void baseline_pipeline(struct run *run)
{
    const int n = run->n;
    const REAL *RESTRICT x = HOST_REALS("x"), *RESTRICT y = HOST_REALS("y");
    REAL *RESTRICT result = HOST_REALS("result"), *RESTRICT z = HOST_REALS("z");

    for (int i = 0; i < n; i++)
        result[i] = A * x[i] + y[i];
    for (int i = 0; i < n; i++)
        z[i] = result[i] - result[n - 1 - i];
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "pipeline", .name = "pipeline", .summary = "saxpy in chunks on two streams",
     .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_pipeline, .launch = launch_pipeline, .reference = reference_pipeline,
     .baseline = baseline_pipeline},
};
/* clang-format on */
GALLERY_CASES(cases)
