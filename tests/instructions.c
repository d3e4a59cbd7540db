/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instructions CASE N kernel|plain|careless Runs a case's kernel, its plain loop, or a worse kernel
 * of case saxpy. tests/instructions.sh counts the instructions of the function `counted`.
 */
#include "host/case.h"

#include <stdio.h>  /* fprintf */
#include <stdlib.h> /* atoi */
#include <string.h> /* strcmp */

/* A test of each element keeps the compiler from vectorising as it does the plain loop. */
KERNEL(saxpy_careless)(int n, REAL a, const REAL *x, REAL *y)
{
    GRID_STRIDE_LOOP(i, n) {
        if (x[i] > 0 || x[i] <= 0)
            y[i] = a * x[i] + y[i];
    }
}

static portable_status launch_careless(struct run *run)
{
    return KERNEL_LAUNCH(saxpy_careless, run->grid, run->block, 0, 0, run->n, (REAL)1.75,
                         DEVICE_REALS("x"), DEVICE_REALS("y"));
}

static portable_status run_baseline(struct run *run)
{
    run->test_case->baseline(run);
    return PORTABLE_SUCCESS;
}

__attribute__((noinline)) portable_status counted(portable_status (*f)(struct run *),
                                                  struct run *run);
portable_status counted(portable_status (*f)(struct run *), struct run *run)
{
    const portable_status status = f(run);

    return status != PORTABLE_SUCCESS ? status : PORTABLE_SUCCESS;
}

int main(int count, char **arguments)
{
    struct run run;
    struct io_error error;
    portable_status status;

    memset(&run, 0, sizeof run);
    run.test_case = count == 4 ? case_find(arguments[1]) : NULL;
    if (!run.test_case) {
        fprintf(stderr, "usage: instructions CASE N kernel|plain|careless\n");
        return IO_BAD;
    }
    run.n = atoi(arguments[2]);
    run.block = case_block(run.test_case, 0);
    run.seed = 1;
    run.timing = 1;
    if (run_prepare(&run, &error) != 0) {
        fprintf(stderr, "%s\n", error.text);
        return IO_BAD;
    }
    status = counted(strcmp(arguments[3], "kernel") == 0  ? run.test_case->launch
                     : strcmp(arguments[3], "plain") == 0 ? run_baseline
                                                          : launch_careless,
                     &run);
    if (status != PORTABLE_SUCCESS)
        fprintf(stderr, "%s\n", portable_last_message());
    run_release(&run);
    return status != PORTABLE_SUCCESS;
}
