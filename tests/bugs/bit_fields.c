/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: two threads write two bit-fields of one byte, each by read-modify-write
 * found by: racecheck
 * expect racecheck: race in kernel set_flags
 * expect racecheck: device array flags of 64 bytes
 */
#include "bug.h"

#define N 16

struct flags {
#if FIXED
    unsigned char low, high;
#else
    unsigned char low : 4, high : 4;
#endif
};

KERNEL(set_flags)(struct flags *flags)
{
    FOR_EACH_BLOCK(2 * N) {
        FOR_EACH_THREAD {
            if (threadIdx.x % 2 == 0)
                flags[threadIdx.x / 2].low = 1;
            else
                flags[threadIdx.x / 2].high = 2;
        }
    }
}

int main(void)
{
    struct flags out[64], *flags;

    ALLOCATE(flags, 64 / sizeof *out);
    ZERO(flags, 64 / sizeof *out);
    LAUNCH(set_flags, 1, 2 * N, 0, 0, flags);
    PORTABLE_CHECK(portable_copy_to_host(out, flags, 64));
    for (int i = 0; i < N; i++)
        EXPECT(out[i].low == 1 && out[i].high == 2);
    RELEASE(flags);
    return 0;
}
