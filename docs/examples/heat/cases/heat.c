/* SPDX-License-Identifier: 0BSD */
/* Each kernel against plain C, on a plate of random temperatures, sources and conductances of
 * 2 n x 2 n cells; and the steady state of a plate whose temperatures are known. */
#include "solver.c"

#include "host/case.h"
#include "plain.h"

#include <float.h>  /* DBL_EPSILON */
#include <math.h>   /* sin */
#include <string.h> /* memcpy */

static const double ratio = 1.0 / 6;

static double *reals(struct run *run, const char *name, size_t count)
{
    double *const x = (double *)run_input_array(run, name, ARRAY_FLOAT64, count);

    RUN_FILL(x, i, count)
        x[i] = run_random(run, name, i) * 0x1p-31 - 1;
    return x;
}

/* Faces of insulators, of the frame, and between, also such as a coarse plate has. */
static float *faces(struct run *run, const char *name, size_t count)
{
    float *const x = run_input_float(run, name, count);

    RUN_FILL(x, i, count)
        x[i] = (float)(run_random(run, name, i) % 9) / 4;
    return x;
}

/* An output of a plate. */
static void output(struct run *run, const char *name, int width, int height)
{
    run_output_array(run, name, ARRAY_FLOAT64, plate_count(width, height), OWNER_NONE);
}

static void prepare_plate(struct run *run)
{
    run->columns = run->rows = 2 * run->n;
    const size_t count = plate_count(run->columns, run->rows);
    faces(run, "east", count);
    faces(run, "south", count);
    reals(run, "heat", count);
    reals(run, "u", count);
}

#define DEVICE_DOUBLES(name) ((double *)run_device(run, name))
#define HOST_DOUBLES(name) ((double *)run_host(run, name))
#define FACES(where) where##_FLOATS("east"), where##_FLOATS("south")

/* Every element of output `name`: two orders of adding up eight terms of at most 8, rounded. */
static void expect(struct run *run, const char *name, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        run_expect(run, name, i, values[i], 64 * DBL_EPSILON);
}

/* The output's frame, which no kernel writes, comes from `from`; without it all is 0. */
static portable_status fill(struct run *run, const char *name, const char *from, size_t count)
{
    if (from)
        return portable_copy_on_device(run_device(run, name), run_device(run, from),
                                       count * sizeof(double));
    return portable_memset(run_device(run, name), 0, count * sizeof(double));
}

/* A reference: plain C, which writes host memory that starts as the output does on the device. */
#define REFERENCE(stage, name, from, width, height, call)                                          \
    static void reference_##stage(struct run *run)                                                 \
    {                                                                                              \
        const size_t count = plate_count(width, height);                                           \
        double *const result = (double *)calloc(count, sizeof *result);                            \
                                                                                                   \
        if (!result) {                                                                             \
            run_lacks(run, name, count * sizeof *result);                                          \
            return;                                                                                \
        }                                                                                          \
        if (from)                                                                                  \
            memcpy(result, run_host(run, from), count * sizeof *result);                           \
        call;                                                                                      \
        expect(run, name, result, count);                                                          \
        free(result);                                                                              \
    }                                                                                              \
    static void plain_loop_##stage(struct run *run)                                                \
    {                                                                                              \
        double *const result = HOST_DOUBLES(name);                                                 \
        call;                                                                                      \
    }

static int prepare_step(struct run *run, struct io_error *error)
{
    prepare_plate(run);
    output(run, "next", run->columns, run->rows);
    run_cover_plane(run, run->columns, run->rows);
    run->bytes = 32.0 * run->columns * run->rows;
    run->flops = 15.0 * run->columns * run->rows;
    return run_ready(run, error);
}

static portable_status launch_step(struct run *run)
{
    fill(run, "next", "u", plate_count(run->columns, run->rows));
    return KERNEL_LAUNCH(heat_step, run->grid, run->block, 0, 0, run->columns, run->rows, ratio,
                         FACES(DEVICE), DEVICE_DOUBLES("heat"), DEVICE_DOUBLES("u"),
                         DEVICE_DOUBLES("next"));
}

REFERENCE(step, "next", "u", run->columns, run->rows,
          plain_step(run->columns, run->rows, ratio, FACES(HOST), HOST_DOUBLES("heat"),
                     HOST_DOUBLES("u"), result))

static int prepare_relax(struct run *run, struct io_error *error)
{
    prepare_step(run, error);
    run_cover_plane(run, run->columns / 2, run->rows);
    return run_ready(run, error);
}

static portable_status launch_relax(struct run *run)
{
    fill(run, "next", "u", plate_count(run->columns, run->rows));
    return KERNEL_LAUNCH(relax, run->grid, run->block, 0, 0, run->columns, run->rows, run->n % 2,
                         FACES(DEVICE), DEVICE_DOUBLES("heat"), DEVICE_DOUBLES("next"));
}

REFERENCE(relax, "next", "u", run->columns, run->rows,
          plain_relax(run->columns, run->rows, run->n % 2, FACES(HOST), HOST_DOUBLES("heat"),
                      result))

static int prepare_coarsen(struct run *run, struct io_error *error)
{
    prepare_plate(run);
    output(run, "coarse_heat", run->n, run->n);
    output(run, "coarse_u", run->n, run->n);
    run_cover_plane(run, run->n, run->n);
    run->bytes = 28.0 * run->columns * run->rows;
    return run_ready(run, error);
}

static portable_status launch_coarsen(struct run *run)
{
    const size_t count = plate_count(run->n, run->n);

    fill(run, "coarse_heat", "heat", count);
    fill(run, "coarse_u", "heat", count);
    return KERNEL_LAUNCH(coarsen, run->grid, run->block, 0, 0, run->n, run->n, FACES(DEVICE),
                         DEVICE_DOUBLES("heat"), DEVICE_DOUBLES("u"),
                         DEVICE_DOUBLES("coarse_heat"), DEVICE_DOUBLES("coarse_u"));
}

REFERENCE(coarse_heat, "coarse_heat", "heat", run->n, run->n,
          plain_coarsen(run->n, run->n, FACES(HOST), HOST_DOUBLES("heat"), HOST_DOUBLES("u"),
                        result, HOST_DOUBLES("coarse_u")))

#define plain_loop_coarsen plain_loop_coarse_heat

static void reference_coarsen(struct run *run)
{
    const int pitch = run->n + 2;

    reference_coarse_heat(run);
    for (int p = 0; p < pitch * pitch; p++) {
        const int x = p % pitch, y = p / pitch;
        const int inside = x > 0 && x <= run->n && y > 0 && y <= run->n;
        run_expect(run, "coarse_u", (size_t)p, inside ? 0 : HOST_DOUBLES("heat")[p], 0);
    }
}

static int prepare_correct(struct run *run, struct io_error *error)
{
    prepare_plate(run);
    output(run, "next", run->columns, run->rows);
    run_cover_plane(run, run->columns, run->rows);
    run->bytes = 20.0 * run->columns * run->rows;
    return run_ready(run, error);
}

/* The coarse plate is the first part of the arrays of the fine one. */
static portable_status launch_correct(struct run *run)
{
    fill(run, "next", "u", plate_count(run->columns, run->rows));
    return KERNEL_LAUNCH(correct, run->grid, run->block, 0, 0, run->columns, run->rows,
                         FACES(DEVICE), DEVICE_DOUBLES("heat"), DEVICE_DOUBLES("next"));
}

REFERENCE(correct, "next", "u", run->columns, run->rows,
          plain_correct(run->columns, run->rows, FACES(HOST), HOST_DOUBLES("heat"), result))

static int prepare_surplus(struct run *run, struct io_error *error)
{
    prepare_plate(run);
    run_output_array(run, "largest", ARRAY_FLOAT64, 1, OWNER_NONE);
    run_stride(run, run->columns * run->rows);
    run->bytes = 24.0 * run->columns * run->rows;
    return run_ready(run, error);
}

static portable_status launch_surplus(struct run *run)
{
    fill(run, "largest", NULL, 1);
    return KERNEL_LAUNCH(largest_surplus, run->grid, run->block, 0, 0, run->columns, run->rows,
                         FACES(DEVICE), DEVICE_DOUBLES("heat"), DEVICE_DOUBLES("u"),
                         DEVICE_DOUBLES("largest"));
}

static void reference_surplus(struct run *run)
{
    const double largest = plain_largest(run->columns, run->rows, FACES(HOST),
                                         HOST_DOUBLES("heat"), HOST_DOUBLES("u"));
    expect(run, "largest", &largest, 1);
}

static void plain_loop_surplus(struct run *run)
{
    HOST_DOUBLES("largest")[0] = plain_largest(run->columns, run->rows, FACES(HOST),
                                               HOST_DOUBLES("heat"), HOST_DOUBLES("u"));
}

/* A plate of edge 1 with the source 2 pi^2 s, s = sin(pi x) sin(pi y): its temperatures are s. */
static double sine(int x, int y, int n)
{
    const double pi = 3.14159265358979323846;
    return x < 1 || y < 1 || x > n || y > n ? 0
                                            : sin(pi * (x - 0.5) / n) * sin(pi * (y - 0.5) / n);
}

static int prepare_steady(struct run *run, struct io_error *error)
{
    const int n = run->n, pitch = n + 2;
    const size_t count = plate_count(n, n);
    float *const east = run_input_float(run, "east", count);
    float *const south = run_input_float(run, "south", count);
    double *const heat = (double *)run_input_array(run, "heat", ARRAY_FLOAT64, count);

    output(run, "u", n, n);
    RUN_FILL(east && south ? heat : NULL, i, count) {
        const int x = (int)i % pitch, y = (int)i / pitch;
        heat[i] = 2 * 9.8696044010893586 * sine(x, y, n) / n / n;
        east[i] = x == 0 || x == n ? 2 : 1;
        south[i] = y == 0 || y == n ? 2 : 1;
    }
    run_cover_plane(run, n, n);
    run->bytes = 10 * 4 * 36.0 * n * n;
    return run_ready(run, error);
}

static portable_status launch_steady(struct run *run)
{
    const size_t bytes = plate_count(run->n, run->n) * sizeof(double);
    struct solver solver;
    portable_status status =
        solver_make(&solver, run->n, run->n, HOST_FLOATS("east"), HOST_FLOATS("south"));

    if (status == PORTABLE_SUCCESS) {
        portable_copy_on_device(solver.levels[0].heat, run_device(run, "heat"), bytes);
        for (int k = 0; k < 10; k++)
            v_cycle(&solver, 0);
        portable_copy_on_device(run_device(run, "u"), solver.levels[0].u, bytes);
        status = portable_last_error();
    }
    solver_free(&solver);
    return status;
}

/* Its error is 0.82 h^2 at most, which is that of second order, pi^2 / 12, on the sine. */
static void reference_steady(struct run *run)
{
    const int n = run->n, pitch = n + 2;

    for (int p = 0; p < pitch * pitch; p++)
        run_expect(run, "u", (size_t)p, sine(p % pitch, p / pitch, n), 0.9 / n / n);
}

/* clang-format off */
#define KERNEL_CASE(stage, what, ...)                                                              \
    {.family = "heat", .name = #stage, .summary = what, .blocks = {__VA_ARGS__},                   \
     .sizes = {1, 2, 15, 16, 17, 60}, .timing_n = 512, .counts = CASE_EDGE,                        \
     .prepare = prepare_##stage, .launch = launch_##stage, .reference = reference_##stage,         \
     .plain = plain_loop_##stage}
static const struct gallery_case cases[] = {
    KERNEL_CASE(step, "an explicit time step", {32, 8}, {64, 1}),
    KERNEL_CASE(relax, "Gauss-Seidel on one colour of a chessboard", {32, 8}, {64, 1}),
    KERNEL_CASE(coarsen, "the surplus of four cells, for a coarse plate", {32, 8}, {64, 1}),
    KERNEL_CASE(correct, "the correction by a coarse plate", {32, 8}, {64, 1}),
    KERNEL_CASE(surplus, "the largest surplus of a cell", {256}),
    {.family = "heat", .name = "steady", .summary = "ten V-cycles, with the coarse plates made",
     .blocks = {{32, 8}}, .sizes = {4, 8, 64, 96}, .timing_n = 1024, .counts = CASE_EDGE,
     .prepare = prepare_steady, .launch = launch_steady, .reference = reference_steady},
};
/* clang-format on */
GALLERY_CASES(cases)
