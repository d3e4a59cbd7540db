/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/stencil.c"

#include "host/case.h"
#include "host/pnm.h"

#include <math.h>   /* fabs, floor */
#include <string.h> /* memcpy */

static int prepare_neighbours(struct run *run, struct io_error *error)
{
    run_input_real(run, "x", (size_t)run->n);
    run_output_real(run, "y", (size_t)run->n, OWNER_ELEMENT);
    run_stride(run, run->n);
    run->bytes = 2.0 * run->n * sizeof(REAL);
    run->flops = 2.0 * run->n;
    return run_ready(run, error);
}

static int prepare_neighbours_shared(struct run *run, struct io_error *error)
{
    const int status = prepare_neighbours(run, error);

    run_cover(run, run->n);
    return status;
}

static portable_status launch_neighbours(struct run *run)
{
    return KERNEL_LAUNCH(neighbour_sum, run->grid, run->block, 0, 0, run->n, DEVICE_REALS("x"),
                         DEVICE_REALS("y"));
}

static portable_status launch_neighbours_shared(struct run *run)
{
    return KERNEL_LAUNCH(neighbour_sum_shared, run->grid, run->block, 0, 0, run->n,
                         DEVICE_REALS("x"), DEVICE_REALS("y"));
}

static void reference_neighbours(struct run *run)
{
    const REAL *x = HOST_REALS("x");

    for (int i = 0; i < run->n; i++) {
        double sum = 0, magnitude = 0;

        for (int k = i > 0 ? i - 1 : 0; k <= i + 1 && k < run->n; k++) {
            sum += (double)x[k];
            magnitude += fabs((double)x[k]);
        }
        run_expect(run, "y", (size_t)i, sum, run_roundings(2) * magnitude);
    }
}

static void baseline_neighbours(struct run *run)
{
    const int n = run->n;
    const REAL *RESTRICT x = HOST_REALS("x");
    REAL *RESTRICT y = HOST_REALS("y");

    for (int i = 0; i < n; i++) {
        const REAL left = i > 0 ? x[i - 1] : 0;
        const REAL right = i < n - 1 ? x[i + 1] : 0;
        y[i] = left + x[i] + right;
    }
}

/* An image of noise, n wide; or the one in the file. */
static int prepare_blur(struct run *run, struct io_error *error)
{
    float weights[BLUR_WIDTH * BLUR_WIDTH];
    static const float binomial[BLUR_WIDTH] = {1, 4, 6, 4, 1};

    if (run->input) {
        struct array image;
        if (pnm_read(run->input, &image, error) != 0)
            return IO_BAD;
        unsigned char *copy = run_input_bytes(run, "image", image.rank, image.shape);
        run_output_bytes(run, "blurred", image.rank, image.shape);
        if (copy)
            memcpy(copy, image.data, array_count(&image));
        run->rows = (int)image.shape[0];
        run->columns = (int)image.shape[1];
        run->depth = image.rank == 3 ? (int)image.shape[2] : 1;
        run->n = run->columns;
        array_free(&image);
    } else {
        run->columns = run->n;
        run->rows = run->timing ? run->n : run->n - run->n / 3;
        run->depth = run->timing ? 1 : 3;
        const size_t shape[3] = {(size_t)run->rows, (size_t)run->columns, (size_t)run->depth};
        unsigned char *image = run_input_bytes(run, "image", run->depth == 1 ? 2 : 3, shape);
        const size_t count = shape[0] * shape[1] * shape[2];
        RUN_FILL(image, i, count)
            image[i] = (unsigned char)(run_random(run, "image", i) & 255);
        run_output_bytes(run, "blurred", run->depth == 1 ? 2 : 3, shape);
    }
    for (int v = 0; v < BLUR_WIDTH; v++)
        for (int u = 0; u < BLUR_WIDTH; u++)
            weights[v * BLUR_WIDTH + u] = binomial[v] * binomial[u] / 256;
    if (portable_copy_to_constant(blur_weights, weights, sizeof weights) != PORTABLE_SUCCESS)
        return io_fail(error, "case blur: %s", portable_last_message());
    run_cover_plane(run, run->columns, run->rows);
    const double samples = (double)run->rows * run->columns * run->depth;
    run->bytes = 2 * samples;
    run->flops = 2.0 * BLUR_WIDTH * BLUR_WIDTH * samples;
    return run_ready(run, error);
}

static portable_status launch_blur(struct run *run)
{
    return KERNEL_LAUNCH(blur, run->grid, run->block, 0, 0, run->columns, run->rows, run->depth,
                         DEVICE_BYTES("image"), DEVICE_BYTES("blurred"));
}

/* A grey image, whose width is a multiple of 4. */
static int prepare_blur_words(struct run *run, struct io_error *error)
{
    run->columns = run->n - run->n % 4;
    run->rows = run->timing ? run->n : run->n - run->n / 3;
    run->depth = 1;
    const size_t shape[2] = {(size_t)run->rows, (size_t)run->columns};
    unsigned char *image = run_input_bytes(run, "image", 2, shape);
    RUN_FILL(image, i, shape[0] * shape[1])
        image[i] = (unsigned char)(run_random(run, "image", i) & 255);
    run_output_bytes(run, "blurred", 2, shape);
    run_cover_plane(run, run->columns / 4, run->rows / BLUR_ROWS + (run->rows % BLUR_ROWS != 0));
    run->bytes = 2.0 * run->rows * run->columns;
    run->flops = 2.0 * BLUR_WIDTH * BLUR_WIDTH * run->rows * run->columns;
    return run_ready(run, error);
}

static portable_status launch_blur_words(struct run *run)
{
    return KERNEL_LAUNCH(blur_words, run->grid, run->block, 0, 0, run->columns, run->rows,
                         (const unsigned *)run_device(run, "image"),
                         (unsigned *)run_device(run, "blurred"));
}

/* The pixel of a row or column that stands for pixel k. */
static int nearest(int k, int count)
{
    return k < 0 ? 0 : k < count ? k : count - 1;
}

/* The weights are multiples of 1/256 and the greys are integers, so that every sum is exact. */
static void reference_blur(struct run *run)
{
    static const int binomial[BLUR_WIDTH] = {1, 4, 6, 4, 1};
    const unsigned char *image = HOST_BYTES("image");
    const int width = run->columns, height = run->rows, channels = run->depth;

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int channel = 0; channel < channels; channel++) {
                int sum = 0;

                for (int v = 0; v < BLUR_WIDTH; v++)
                    for (int u = 0; u < BLUR_WIDTH; u++)
                        sum += binomial[v] * binomial[u] *
                               image[(nearest(y + v - BLUR_RADIUS, height) * width +
                                      nearest(x + u - BLUR_RADIUS, width)) *
                                         channels +
                                     channel];
                run_expect(run, "blurred", (size_t)((y * width + x) * channels + channel),
                           (sum + 128) / 256, 0);
            }
}

static void baseline_blur(struct run *run)
{
    const int width = run->columns, height = run->rows, channels = run->depth;
    const unsigned char *RESTRICT image = HOST_BYTES("image");
    unsigned char *RESTRICT blurred = HOST_BYTES("blurred");
    static const float binomial[BLUR_WIDTH] = {1, 4, 6, 4, 1};

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int channel = 0; channel < channels; channel++) {
                float sum = 0;

                for (int v = 0; v < BLUR_WIDTH; v++) {
                    const int row = nearest(y + v - BLUR_RADIUS, height);
                    for (int u = 0; u < BLUR_WIDTH; u++) {
                        const int column = nearest(x + u - BLUR_RADIUS, width);
                        sum += binomial[v] * binomial[u] / 256 *
                               (float)image[(row * width + column) * channels + channel];
                    }
                }
                blurred[(y * width + x) * channels + channel] = (unsigned char)(sum + 0.5f);
            }
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "stencil", .name = "neighbour_sum", .summary = "each element with its neighbours",
     .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_neighbours, .launch = launch_neighbours, .reference = reference_neighbours,
     .baseline = baseline_neighbours},
    {.family = "stencil", .name = "neighbour_sum_shared",
     .summary = "the same through shared memory with a halo", .problem = "neighbour_sum",
     .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_neighbours_shared, .launch = launch_neighbours_shared,
     .reference = reference_neighbours, .baseline = baseline_neighbours},
    {.family = "stencil", .name = "blur", .summary = "5 x 5 binomial blur of an image",
     .takes = CASE_PLANES, .sizes = {0, 1, 2, 31, 32, 33, 200}, .timing_n = 2048,
     .counts = CASE_EDGE, .extension = ".pgm or .ppm",
     .prepare = prepare_blur, .launch = launch_blur, .reference = reference_blur,
     .baseline = baseline_blur},
    {.family = "stencil", .name = "blur_words",
     .summary = "the same of a grey image, four pixels a word, in integers", .problem = "blur",
     .takes = CASE_PLANES, .blocks = {{64, 4}, {32, 8}, {16, 1}},
     .sizes = {0, 4, 9, 31, 33, 200}, .timing_n = 2048, .counts = CASE_EDGE,
     .prepare = prepare_blur_words, .launch = launch_blur_words, .reference = reference_blur,
     .baseline = baseline_blur},
};
/* clang-format on */
GALLERY_CASES(cases)
