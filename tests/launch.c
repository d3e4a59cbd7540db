/* SPDX-License-Identifier: BSD-3-Clause */
/* launch COUNT [twice]: launches an empty kernel COUNT times, or twice as often; tests/launch.sh
 * counts the instructions. */
#include "portable.h"

KERNEL(empty)(int n)
{
    (void)n;
}

int main(int count, char **arguments)
{
    for (int left = count > 1 ? atoi(arguments[1]) : 0; left > 0; left--) {
        PORTABLE_CHECK(KERNEL_LAUNCH(empty, 64, 64, 0, 0, 1));
        if (count > 2)
            PORTABLE_CHECK(KERNEL_LAUNCH(empty, 64, 64, 0, 0, 1));
    }
    return 0;
}
