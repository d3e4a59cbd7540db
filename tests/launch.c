/* SPDX-License-Identifier: BSD-3-Clause */
/* launch COUNT BLOCKS [twice]: launches an empty kernel COUNT times, or twice as often, in batches;
 * prints the time of a launch in the quickest batch, in nanoseconds. tests/launch.sh also counts
 * the instructions. */
#include "portable.h"

enum { BATCH = 50 };

KERNEL(empty)(int n)
{
    (void)n;
}

int main(int count, char **arguments)
{
    const int launches = count > 2 ? atoi(arguments[1]) : 0;
    const unsigned blocks = count > 2 ? (unsigned)atoi(arguments[2]) : 1;
    double least = 1e9;

    for (int left = launches; left > 0; left -= BATCH) {
        struct timespec begin, end;

        timespec_get(&begin, TIME_UTC);
        for (int i = 0; i < BATCH; i++) {
            PORTABLE_CHECK(KERNEL_LAUNCH(empty, blocks, 64, 0, 0, 1));
            if (count > 3)
                PORTABLE_CHECK(KERNEL_LAUNCH(empty, blocks, 64, 0, 0, 1));
        }
        timespec_get(&end, TIME_UTC);
        const double each =
            (1e9 * difftime(end.tv_sec, begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec)) /
            BATCH;
        if (each >= 0 && each < least)
            least = each;
    }
    printf("%.0f\n", least);
    return 0;
}
