/* SPDX-License-Identifier: BSD-3-Clause */
/* launch COUNT [twice | ARRAYS]: launches an empty kernel COUNT times, or twice as often, or beside
 * so many arrays; tests/launch.sh counts the instructions. */
#include "portable.h"

KERNEL(empty)(int n)
{
    (void)n;
}

int main(int count, char **arguments)
{
    const int twice = count > 2 && strcmp(arguments[2], "twice") == 0;
    void *array;

    for (int left = count > 2 && !twice ? atoi(arguments[2]) : 0; left > 0; left--)
        PORTABLE_CHECK(portable_malloc(&array, 4000));
    for (int left = count > 1 ? atoi(arguments[1]) : 0; left > 0; left--) {
        PORTABLE_CHECK(KERNEL_LAUNCH(empty, 64, 64, 0, 0, 1));
        if (twice)
            PORTABLE_CHECK(KERNEL_LAUNCH(empty, 64, 64, 0, 0, 1));
    }
    return 0;
}
