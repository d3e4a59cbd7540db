/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: eight weights are copied into constant memory for five
 * found by: memcheck
 * expect memcheck: error in host code
 * expect memcheck: portable_copy_to_constant: 32 bytes into weights, which has 20
 */
#include "bug.h"

#define N 128

CONSTANT(int, weights, [5]);

KERNEL(weigh)(int n, int *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = weights[i % 5];
}

int main(void)
{
    const int values[8] = {1, 2, 3, 2, 1, 0, 0, 0};
    int out[N], *y;

    ALLOCATE(y, N);
#if FIXED
    PORTABLE_CHECK(portable_copy_to_constant(weights, values, 5 * sizeof(int)));
#else
    PORTABLE_CHECK(portable_copy_to_constant(weights, values, sizeof values));
#endif
    LAUNCH(weigh, 2, 64, 0, 0, N, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == values[i % 5]);
    RELEASE(y);
    return 0;
}
