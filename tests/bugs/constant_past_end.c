/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a loop over constant memory reads one weight too many
 * found by: memcheck
 * expect memcheck: error in kernel filter: a read of 4 bytes
 * expect memcheck: 0 bytes after constant array weights
 */
#include "bug.h"

#define N 128
#define WEIGHTS 5

CONSTANT(int, weights, [WEIGHTS]);

KERNEL(filter)(int n, int count, const int *x, int *y)
{
    GRID_STRIDE_LOOP(i, n) {
        const int *weight = weights;
        int sum = 0;
#if FIXED
        for (int k = 0; k < count; k++)
#else
        for (int k = 0; k <= count; k++)
#endif
            sum += weight[k] * x[(i + k) % n];
        y[i] = sum;
    }
}

int main(void)
{
    const int values[WEIGHTS] = {1, 2, 3, 2, 1};
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    PORTABLE_CHECK(portable_copy_to_constant(weights, values, sizeof values));
    LAUNCH(filter, 2, 64, 0, 0, N, WEIGHTS, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i + WEIGHTS <= N; i++)
        EXPECT(out[i] == 9 * (i + 2));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
