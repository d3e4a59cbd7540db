/* SPDX-License-Identifier: 0BSD */
/* Every stage against plain C, byte for byte, on random images about 2 n wide and n high. */
#include "kernels/bilateral.c"
#include "kernels/components.c"
#include "kernels/edges.c"
#include "kernels/equalise.c"
#include "kernels/grey.c"

#include "host/case.h"
#include "plain.h"

#include <stdlib.h> /* calloc, free */

enum { LOW = 100, HIGH = 300 };

/* An image of `levels` levels, and a result of the same size. */
static int prepare_image(struct run *run, int levels, size_t channels)
{
    run->columns = 2 * run->n - 1;
    run->rows = run->n;
    const size_t pixels = (size_t)run->rows * (size_t)run->columns, bytes = channels * pixels;
    unsigned char *image = run_input_bytes(run, "image", 1, &bytes);

    RUN_FILL(image, i, bytes)
        image[i] = (unsigned char)(run_random(run, "image", i) % (unsigned)levels);
    run_output_bytes(run, "result", 1, &pixels);
    run_cover_plane(run, run->columns, run->rows);
    run->bytes = (double)(bytes + pixels);
    return (int)pixels;
}

/* Expects the results of plain C, computed by `plain` into `kept` elements of the size of `name`'s. */
#define EXPECT_PLAIN(name, type, call)                                                             \
    do {                                                                                           \
        const int pixels = run->rows * run->columns;                                               \
        type *const plain = (type *)calloc((size_t)pixels, sizeof *plain);                         \
                                                                                                   \
        if (!plain) {                                                                              \
            run_lacks(run, name, (size_t)pixels * sizeof *plain);                                  \
            return;                                                                                \
        }                                                                                          \
        call;                                                                                      \
        for (int i = 0; i < pixels; i++)                                                           \
            run_expect(run, name, (size_t)i, plain[i], 0);                                         \
        free(plain);                                                                               \
    } while (0)

static int prepare_grey(struct run *run, struct io_error *error)
{
    run_stride(run, prepare_image(run, 256, 3));
    return run_ready(run, error);
}

static portable_status launch_grey(struct run *run)
{
    return KERNEL_LAUNCH(grey_levels, run->grid, run->block, 0, 0, run->rows * run->columns,
                         DEVICE_BYTES("image"), DEVICE_BYTES("result"));
}

static void reference_grey(struct run *run)
{
    EXPECT_PLAIN("result", unsigned char, plain_grey(pixels, HOST_BYTES("image"), plain));
}

static void plain_loop_grey(struct run *run)
{
    plain_grey(run->rows * run->columns, HOST_BYTES("image"), HOST_BYTES("result"));
}

static int prepare_equalise(struct run *run, struct io_error *error)
{
    run_stride(run, prepare_image(run, 40, 1));
    run_scratch_array(run, "counts", ARRAY_UINT32, 256);
    run_scratch_array(run, "levels", ARRAY_UINT8, 256);
    return run_ready(run, error);
}

static portable_status launch_equalise(struct run *run)
{
    const int n = run->rows * run->columns;

    portable_memset(run_device(run, "counts"), 0, 256 * sizeof(unsigned));
    KERNEL_LAUNCH(count_levels, run->grid, run->block, 0, 0, n, DEVICE_BYTES("image"),
                  DEVICE_WORDS("counts"));
    KERNEL_LAUNCH(spread_levels, 1, 256, 0, 0, n, DEVICE_WORDS("counts"), DEVICE_BYTES("levels"));
    KERNEL_LAUNCH(look_up, run->grid, run->block, 0, 0, n, DEVICE_BYTES("levels"),
                  DEVICE_BYTES("image"), DEVICE_BYTES("result"));
    return portable_last_error();
}

static void reference_equalise(struct run *run)
{
    EXPECT_PLAIN("result", unsigned char, plain_equalise(pixels, HOST_BYTES("image"), plain));
}

static void plain_loop_equalise(struct run *run)
{
    plain_equalise(run->rows * run->columns, HOST_BYTES("image"), HOST_BYTES("result"));
}

static unsigned near_table[DIAMETER * DIAMETER], like_table[256];

static int prepare_bilateral(struct run *run, struct io_error *error)
{
    unsigned *like = (unsigned *)run_input_array(run, "like", ARRAY_UINT32, 256);

    prepare_image(run, 64, 1);
    bilateral_weights(near_table, like_table);
    for (int k = 0; like && k < 256; k++)
        like[k] = like_table[k];
    if (portable_copy_to_constant(near_weights, near_table, sizeof near_table) != PORTABLE_SUCCESS)
        return io_fail(error, "case bilateral: %s", portable_last_message());
    return run_ready(run, error);
}

static portable_status launch_bilateral(struct run *run)
{
    return KERNEL_LAUNCH(bilateral, run->grid, run->block, 0, 0, run->columns, run->rows,
                         DEVICE_WORDS("like"), DEVICE_BYTES("image"), DEVICE_BYTES("result"));
}

static void reference_bilateral(struct run *run)
{
    EXPECT_PLAIN("result", unsigned char,
                 plain_bilateral(run->columns, run->rows, near_table, like_table,
                                 HOST_BYTES("image"), plain));
}

static void plain_loop_bilateral(struct run *run)
{
    plain_bilateral(run->columns, run->rows, near_table, like_table, HOST_BYTES("image"),
                    HOST_BYTES("result"));
}

static int prepare_edges(struct run *run, struct io_error *error)
{
    prepare_image(run, 64, 1);
    return run_ready(run, error);
}

static portable_status launch_edges(struct run *run)
{
    return KERNEL_LAUNCH(mark_edges, run->grid, run->block, 0, 0, run->columns, run->rows, LOW,
                         HIGH, DEVICE_BYTES("image"), DEVICE_BYTES("result"));
}

static void reference_edges(struct run *run)
{
    EXPECT_PLAIN(
        "result", unsigned char,
        plain_mark_edges(run->columns, run->rows, LOW, HIGH, HOST_BYTES("image"), plain));
}

static void plain_loop_edges(struct run *run)
{
    plain_mark_edges(run->columns, run->rows, LOW, HIGH, HOST_BYTES("image"),
                     HOST_BYTES("result"));
}

/* Two pixels of five are weak, so that components wind through the image; few are strong. */
static int prepare_components(struct run *run, struct io_error *error)
{
    run->columns = 2 * run->n - 1;
    run->rows = run->n;
    const size_t pixels = (size_t)run->rows * (size_t)run->columns;
    unsigned char *marks = run_input_bytes(run, "marks", 1, &pixels);

    RUN_FILL(marks, i, pixels) {
        const unsigned random = run_random(run, "marks", i) % 1000;
        marks[i] = random < 10 ? STRONG_EDGE : random < 400 ? WEAK_EDGE : NO_EDGE;
    }
    run_scratch_array(run, "labels", ARRAY_INT32, pixels);
    run_scratch_array(run, "next", ARRAY_INT32, pixels);
    run_scratch_array(run, "changed", ARRAY_INT32, 1);
    run_output_array(run, "kept", ARRAY_INT32, pixels, OWNER_ELEMENT);
    run_cover_plane(run, run->columns, run->rows);
    run->bytes = 5.0 * (double)pixels;
    return run_ready(run, error);
}

static portable_status launch_components(struct run *run)
{
    return label_components(run->columns, run->rows, DEVICE_BYTES("marks"), DEVICE_INTS("labels"),
                            DEVICE_INTS("next"), DEVICE_INTS("changed"), DEVICE_INTS("kept"));
}

static void reference_components(struct run *run)
{
    EXPECT_PLAIN("kept", int,
                 plain_components(run->columns, run->rows, HOST_BYTES("marks"), HOST_INTS("next"),
                                  plain));
}

static void plain_loop_components(struct run *run)
{
    plain_components(run->columns, run->rows, HOST_BYTES("marks"), HOST_INTS("next"),
                     HOST_INTS("kept"));
}

/* clang-format off */
#define STAGE(stage, what, ...)                                                                    \
    {.family = "photo", .name = #stage, .summary = what, .blocks = {__VA_ARGS__},                  \
     .sizes = {1, 2, 16, 17, 40, 150}, .timing_n = 724, .counts = CASE_EDGE,                       \
     .prepare = prepare_##stage, .launch = launch_##stage, .reference = reference_##stage,         \
     .plain = plain_loop_##stage}
static const struct gallery_case cases[] = {
    STAGE(grey, "grey levels of a colour image", {256}, {96}),
    STAGE(equalise, "histogram equalisation", {256}),
    STAGE(bilateral, "the bilateral filter", {32, 8}),
    STAGE(edges, "candidates for Canny's edges", {32, 8}),
    STAGE(components, "connected components and hysteresis", {32, 8}),
};
/* clang-format on */
GALLERY_CASES(cases)
