/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/bench/peers/peer.h"

#include <curand.h>
#include <math.h>   /* sqrt */
#include <stdlib.h> /* malloc, free */

static portable_status from_curand(curandStatus_t status, const char *call)
{
    if (status == CURAND_STATUS_SUCCESS)
        return PORTABLE_SUCCESS;
    return portable_fail_(PORTABLE_ERROR_DEVICE, "%s: status %d", call, (int)status);
}

/* Philox4x32-10, the generator of kernels/random.c. One for the program, which keeps it: NULL after
 * a failure. */
static curandGenerator_t generator(void)
{
    static curandGenerator_t generator;

    if (!generator &&
        from_curand(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10),
                    "curandCreateGenerator") != PORTABLE_SUCCESS)
        generator = NULL;
    return generator;
}

/* The routines by the type of REAL: a build uses one of each. */
[[maybe_unused]] static curandStatus_t uniform(float *x, size_t n)
{
    return curandGenerateUniform(generator(), x, n);
}

[[maybe_unused]] static curandStatus_t uniform(double *x, size_t n)
{
    return curandGenerateUniformDouble(generator(), x, n);
}

/* The library numbers its draws in another way, so that single numbers cannot be compared: to
 * check, the first two moments are. */
static int prepare_uniform(struct run *run, struct io_error *error)
{
    if (peer_prepare("random_uniform", run, error) != 0)
        return IO_BAD;
    if (!run->timing)
        run_output_real(run, "moments", 2, OWNER_NONE);
    return run_ready(run, error);
}

static portable_status moments(struct run *run)
{
    const size_t bytes = (size_t)run->n * sizeof(REAL);
    REAL *x = (REAL *)malloc(bytes);
    double sum = 0, squares = 0;
    portable_status status;

    if (!x)
        return portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY, "moments of %d numbers", run->n);
    status = portable_copy_to_host(x, DEVICE_REALS("x"), bytes);
    for (int i = 0; i < run->n; i++) {
        sum += (double)x[i];
        squares += (double)x[i] * (double)x[i];
    }
    free(x);
    const REAL of_numbers[2] = {(REAL)(sum / run->n), (REAL)(squares / run->n)};
    if (status == PORTABLE_SUCCESS)
        status = portable_copy_to_device(DEVICE_REALS("moments"), of_numbers, sizeof of_numbers);
    return status;
}

static portable_status launch_uniform(struct run *run)
{
    const portable_status status =
        from_curand(uniform(DEVICE_REALS("x"), (size_t)run->n), "curandGenerateUniform");

    return status == PORTABLE_SUCCESS && !run->timing ? moments(run) : status;
}

/* A number is in (0, 1]. Of n of them, the mean has the variance 1 / (12 n), and the mean of the
 * squares (1 / 5 - 1 / 9) / n: within six standard deviations. */
static void reference_uniform(struct run *run)
{
    for (int i = 0; i < run->n; i++)
        run_expect(run, "x", (size_t)i, 0.5, 0.5);
    run_expect(run, "moments", 0, 1.0 / 2, 6 * sqrt(1.0 / 12 / run->n));
    run_expect(run, "moments", 1, 1.0 / 3, 6 * sqrt(4.0 / 45 / run->n));
}

static const struct gallery_case cases[] = {
    {.family = "random",
     .name = "curand:random_uniform",
     .summary = "GenerateUniform by Philox4x32-10",
     .problem = "random_uniform",
     .policy = CASE_ABSREL(1, 0, "the library's order of draws"),
     .blocks = {{256}},
     .sizes = {1, 31, 33, 1000, 65537},
     .timing_n = 1 << 24,
     .prepare = prepare_uniform,
     .launch = launch_uniform,
     .reference = reference_uniform},
};
GALLERY_CASES(cases)
