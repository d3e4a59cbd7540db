/* SPDX-License-Identifier: 0BSD */
/* All stages on a photograph, or on random blocks of colour with some noise; and the components of
 * random marks, denser than those of a photograph: every pattern of a few pixels is among them. */
#include "pipeline.c"

#include "host/case.h"
#include "host/pnm.h"

#include <string.h> /* memcpy */

static void scratch_of_components(struct run *run)
{
    const size_t rows = rows_of(run->columns, run->rows);

    run_scratch_array(run, "ends", ARRAY_INT32, rows);
    run_scratch_array(run, "runs", ARRAY_INT32, rows * ROW_RUNS);
    run_scratch_array(run, "stack", ARRAY_INT32, (size_t)run->rows * (size_t)run->columns);
}

static int prepare(struct run *run, struct io_error *error)
{
    struct array file = {ARRAY_UINT8, 0, {0}, NULL};

    if (run->input && pnm_read(run->input, &file, error) != 0)
        return IO_BAD;
    run->columns = file.data ? (int)file.shape[1] : 2 * run->n - 1;
    run->rows = file.data ? (int)file.shape[0] : run->n;
    run->depth = file.data && file.rank == 2 ? 1 : 3;
    const size_t n = (size_t)run->rows * (size_t)run->columns, bytes = n * (size_t)run->depth;
    const size_t words = (size_t)run->rows * (size_t)words_of(run->columns);
    const int colour = run->depth == 3;
    unsigned char *const image = run_input_bytes(run, colour ? "colour" : "grey", 1, &bytes);

    if (image && file.data)
        memcpy(image, file.data, bytes);
    RUN_FILL(file.data ? NULL : image, i, bytes) {
        const size_t x = i / 3 % (size_t)run->columns, y = i / 3 / (size_t)run->columns;
        image[i] = (unsigned char)(run_random(run, "block", y / 6 * 4096 + x / 6) % 8 * 28 +
                                   run_random(run, "noise", i) % 32);
    }
    array_free(&file);
    if (colour)
        run_output_bytes(run, "grey", 1, &n);
    run_output_bytes(run, "equal", 1, &n);
    run_output_bytes(run, "smooth", 1, &n);
    run_output_array(run, "edges", ARRAY_UINT32, words, OWNER_NONE);
    run_output_array(run, "strong", ARRAY_UINT32, words, OWNER_NONE);
    run_output_array(run, "kept", ARRAY_INT32, n, OWNER_NONE);
    unsigned *const like = (unsigned *)run_input_array(run, "like", ARRAY_UINT32, 256);
    if (set_weights() != PORTABLE_SUCCESS)
        return io_fail(error, "case photo: %s", portable_last_message());
    if (like)
        memcpy(like, like_table, sizeof like_table);
    run_scratch_array(run, "counts", ARRAY_UINT32, 256);
    run_scratch_array(run, "levels", ARRAY_UINT8, 256);
    scratch_of_components(run);
    run_cover_plane(run, run->columns, run->rows);
    run->bytes = (double)(bytes + 6 * n + 8 * words);
    return run_ready(run, error);
}

static int prepare_components(struct run *run, struct io_error *error)
{
    run->columns = 2 * run->n - 1;
    run->rows = run->n;
    const int across = words_of(run->columns);
    const size_t n = (size_t)run->rows * (size_t)run->columns;
    const size_t words = (size_t)run->rows * (size_t)across;
    unsigned *const edges = (unsigned *)run_input_array(run, "edges", ARRAY_UINT32, words);
    unsigned *const strong = (unsigned *)run_input_array(run, "strong", ARRAY_UINT32, words);

    RUN_FILL(strong ? edges : NULL, i, words) {
        const int first = (int)i % across * 32, y = (int)i / across;
        edges[i] = strong[i] = 0;
        for (int bit = 0; bit < 32 && first + bit < run->columns; bit++) {
            const size_t pixel = (size_t)y * (size_t)run->columns + (size_t)(first + bit);
            const unsigned of = run_random(run, "marks", pixel) % 64;
            edges[i] |= (unsigned)(of >= 30) << bit;
            strong[i] |= (unsigned)(of == 63) << bit;
        }
    }
    run_output_array(run, "kept", ARRAY_INT32, n, OWNER_NONE);
    scratch_of_components(run);
    run_cover_plane(run, run->columns, run->rows);
    run->bytes = (double)(4 * n + 8 * words);
    return run_ready(run, error);
}

/* The arrays that `of`, run_device or run_host, finds. */
static struct photo photo_of(struct run *run, void *(*of)(const struct run *, const char *))
{
    const int colour = run->depth == 3;
    const struct photo photo = {run->columns,
                                run->rows,
                                80,
                                200,
                                colour ? (unsigned char *)of(run, "colour") : NULL,
                                (unsigned char *)of(run, "grey"),
                                (unsigned char *)of(run, "equal"),
                                (unsigned char *)of(run, "smooth"),
                                (unsigned *)of(run, "edges"),
                                (unsigned *)of(run, "strong"),
                                (int *)of(run, "kept"),
                                (unsigned *)of(run, "like"),
                                (unsigned *)of(run, "counts"),
                                (unsigned char *)of(run, "levels"),
                                (int *)of(run, "ends"),
                                (int *)of(run, "runs"),
                                (int *)of(run, "stack")};
    return photo;
}

static portable_status launch(struct run *run)
{
    const struct photo photo = photo_of(run, run_device);
    portable_status status = PORTABLE_SUCCESS;

    for (int stage = 0; stage < STAGES && status == PORTABLE_SUCCESS; stage++)
        status = run_kernels(stage, &photo);
    return status;
}

static void baseline(struct run *run)
{
    const struct photo photo = photo_of(run, run_host);

    for (int stage = 0; stage < STAGES; stage++)
        run_plain(stage, &photo);
}

/* Those of the components alone. */
static struct photo components_of(struct run *run, void *(*of)(const struct run *, const char *))
{
    const struct photo photo = {.width = run->columns,
                                .height = run->rows,
                                .edges = (unsigned *)of(run, "edges"),
                                .strong = (unsigned *)of(run, "strong"),
                                .kept = (int *)of(run, "kept"),
                                .ends = (int *)of(run, "ends"),
                                .runs = (int *)of(run, "runs"),
                                .stack = (int *)of(run, "stack")};
    return photo;
}

static portable_status launch_components(struct run *run)
{
    const struct photo photo = components_of(run, run_device);

    return run_kernels(COMPONENTS, &photo);
}

static void components(struct run *run)
{
    const struct photo photo = components_of(run, run_host);

    run_plain(COMPONENTS, &photo);
}

/* The results of plain C, before those of the kernels replace them. */
static void expect_results(struct run *run)
{
    for (int k = 0; k < run->array_count; k++)
        if (run->arrays[k].role == ROLE_OUTPUT)
            for (size_t i = 0; i < array_count(&run->arrays[k].host); i++)
                run_expect(run, run->arrays[k].name, i, array_get(&run->arrays[k].host, i), 0);
}

static void reference(struct run *run)
{
    baseline(run);
    expect_results(run);
}

static void reference_components(struct run *run)
{
    components(run);
    expect_results(run);
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "photo", .name = "photo", .summary = "the outlines in a photograph",
     .blocks = {{32, 8}}, .sizes = {1, 2, 16, 17, 40, 64, 150}, .timing_n = 724, .counts = CASE_EDGE,
     .extension = ".pgm or .ppm",
     .prepare = prepare, .launch = launch, .reference = reference, .baseline = baseline},
    {.family = "photo", .name = "components", .summary = "the components of dense random marks",
     .blocks = {{32, 8}}, .sizes = {1, 2, 31, 32, 33, 64, 200}, .timing_n = 724,
     .counts = CASE_EDGE,
     .prepare = prepare_components, .launch = launch_components,
     .reference = reference_components, .baseline = components},
};
/* clang-format on */
GALLERY_CASES(cases)
