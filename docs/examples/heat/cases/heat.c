/* SPDX-License-Identifier: 0BSD */
/* Time steps and a V-cycle on a plate of n x 2 n cells, with random insulators and sources. */
#include "solver.c"

#include "plain.c"

#include "host/case.h"

#include <math.h>   /* fabs, fmax */
#include <string.h> /* memcpy, memset */

static const double ratio = 1.0 / 6;

/* The arrays that `of`, run_device or run_host, finds. */
static struct plates plates_in(struct run *run, void *(*of)(const struct run *, const char *))
{
    struct plates p = plates_of(run->n, 2 * run->n);

    p.east = (float *)of(run, "east");
    p.south = (float *)of(run, "south");
    p.heat = (double *)of(run, "heat");
    p.u = (double *)of(run, "u");
    p.next = (double *)of(run, "next");
    p.largest = (double *)of(run, "largest");
    return p;
}

static int prepare(struct run *run, struct io_error *error)
{
    struct plates p = plates_of(run->n, 2 * run->n);
    const size_t count = (size_t)(p.width[0] + 2) * (size_t)(p.height[0] + 2);

    p.east = run_input_float(run, "east", p.size);
    p.south = run_input_float(run, "south", p.size);
    p.heat = (double *)run_input_array(run, "source", ARRAY_FLOAT64, p.size);
    RUN_FILL(p.heat, i, count)
        p.heat[i] = run_random(run, "source", i) * 0x1p-31 - 1;
    RUN_FILL(p.south ? p.east : NULL, i, count) {
        const int x = (int)(i % (size_t)(p.width[0] + 2)), y = (int)(i / (size_t)(p.width[0] + 2));
        p.east[i] = run_random(run, "east", i) % 4 == 0 ? 0 : x == 0 || x == p.width[0] ? 2 : 1;
        p.south[i] = run_random(run, "south", i) % 4 == 0 ? 0 : y == 0 || y == p.height[0] ? 2 : 1;
    }
    if (p.east && p.south)
        set_coarse_faces(&p);
    run_output_array(run, "heat", ARRAY_FLOAT64, p.size, OWNER_NONE);
    run_output_array(run, "u", ARRAY_FLOAT64, p.size, OWNER_NONE);
    run_output_array(run, "next", ARRAY_FLOAT64, p.size, OWNER_NONE);
    run_output_array(run, "largest", ARRAY_FLOAT64, 1, OWNER_NONE);
    run_cover_plane(run, p.width[0], p.height[0]);
    return run_ready(run, error);
}

/* A step reads faces, heat and temperatures, and writes temperatures; the surplus only reads. */
static int prepare_steps(struct run *run, struct io_error *error)
{
    const int status = prepare(run, error);

    run->bytes = (4 * 32.0 + 24) * run->n * 2 * run->n;
    return status;
}

/* So does a sweep, for each colour, but writes half; the coarse plates are a third more. */
static int prepare_cycle(struct run *run, struct io_error *error)
{
    const int status = prepare(run, error);

    run->bytes = 4.0 / 3 * (4 * SWEEPS * 28.0 + 2 * 28 + 24) * run->n * 2 * run->n;
    return status;
}

/* From the cold plate. */
static struct plates begin(struct run *run)
{
    const struct plates p = plates_in(run, run_device);

    portable_copy_on_device(p.heat, run_device(run, "source"), p.size * sizeof *p.heat);
    portable_memset(p.u, 0, p.size * sizeof *p.u);
    portable_memset(p.next, 0, p.size * sizeof *p.next);
    return p;
}

static portable_status launch_steps(struct run *run)
{
    struct plates p = begin(run);

    time_steps(&p, 4, ratio);
    return find_surplus(&p);
}

static portable_status launch_cycle(struct run *run)
{
    const struct plates p = begin(run);

    v_cycle(&p, 0);
    return find_surplus(&p);
}

static struct plates begin_plain(struct run *run)
{
    const struct plates p = plates_in(run, run_host);

    memcpy(p.heat, run_host(run, "source"), p.size * sizeof *p.heat);
    memset(p.u, 0, p.size * sizeof *p.u);
    memset(p.next, 0, p.size * sizeof *p.next);
    return p;
}

static void end_plain(const struct plates *p)
{
    *p->largest = plain_surplus(p->width[0], p->height[0], p->east, p->south, p->heat, p->u);
}

static void plain_steps(struct run *run)
{
    const struct plates p = begin_plain(run);

    for (int k = 0; k < 4; k++)
        plain_step(p.width[0], p.height[0], ratio, p.east, p.south, p.heat, k % 2 ? p.next : p.u,
                   k % 2 ? p.u : p.next);
    end_plain(&p);
}

static void plain_cycle(struct run *run)
{
    const struct plates p = begin_plain(run);

    plain_v_cycle(&p, 0);
    end_plain(&p);
}

/* The results of plain C, before those of the kernels replace them. Both round in the same places,
 * but for fused multiplications and additions: 64 roundings of the largest element are allowed. */
static void expect(struct run *run)
{
    static const char *const names[] = {"heat", "u", "next"};
    const struct plates p = plates_in(run, run_host);
    double most = 0;

    for (size_t i = 0; i < p.size; i++)
        most = fmax(most, fmax(fabs(p.u[i]), fabs(p.heat[i])));
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < p.size; i++)
            run_expect(run, names[k], i, ((double *)run_host(run, names[k]))[i], 0x1p-46 * most);
    run_expect(run, "largest", 0, *p.largest, 0x1p-42 * most);
}

static void reference_steps(struct run *run)
{
    plain_steps(run);
    expect(run);
}

static void reference_cycle(struct run *run)
{
    plain_cycle(run);
    expect(run);
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "heat", .name = "steps", .summary = "four explicit time steps",
     .blocks = {{32, 8}}, .sizes = {1, 2, 16, 23, 60}, .timing_n = 512, .counts = CASE_EDGE,
     .prepare = prepare_steps, .launch = launch_steps, .reference = reference_steps,
     .baseline = plain_steps},
    {.family = "heat", .name = "cycle", .summary = "a V-cycle of multigrid",
     .blocks = {{32, 8}}, .sizes = {1, 2, 16, 23, 60}, .timing_n = 512, .counts = CASE_EDGE,
     .prepare = prepare_cycle, .launch = launch_cycle, .reference = reference_cycle,
     .baseline = plain_cycle},
};
/* clang-format on */
GALLERY_CASES(cases)
