/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: threads that are done break out of a loop in which the others wait at a barrier
 * found by: synccheck
 * expect synccheck: divergence in kernel bounded_sums
 */
#include "bug.h"

#define N 128

KERNEL(bounded_sums)(int *y)
{
    SHARED(int, tile, [64]);
    const int t = (int)threadIdx.x;
    int sum = 0;
    for (int turn = 0; turn < 4; turn++) {
        tile[t] = t;
        SYNC_THREADS();
#if FIXED
        if (sum <= 100)
            sum += tile[63 - t];
#else
        sum += tile[63 - t];
        if (sum > 100)
            break;
#endif
        SYNC_THREADS();
    }
    y[(int)(blockIdx.x * blockDim.x) + t] = sum;
}

int main(void)
{
    int out[N], *y;

    ALLOCATE(y, N);
    LAUNCH(bounded_sums, 2, 64, 0, 0, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++) {
        int sum = 0;
        for (int turn = 0; turn < 4 && sum <= 100; turn++)
            sum += 63 - i % 64;
        EXPECT(out[i] == sum);
    }
    RELEASE(y);
    return 0;
}
