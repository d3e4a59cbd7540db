/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the least value and its index are two words: an atomic minimum, then a write by whichever
 *     thread thinks that it holds the minimum
 * found by: ordercheck
 * expect ordercheck: not proven in kernel argmin: an atomic whose result is used
 * expect ordercheck: so that the result is a ticket
 * proven: minima commute
 * reason: no access is invalid: only the order of the threads decides
 */
#include "bug.h"

KERNEL(argmin)(const int *x, unsigned long long *result)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
            const unsigned i = blockIdx.x * 64 + threadIdx.x;
            const unsigned long long value = (unsigned)(x[i] * 37 % 128) / 2;
#if FIXED
            ATOMIC_MIN(&result[0], value << 32 | i);
#else
            if (ATOMIC_MIN(&result[0], value) > value)
                ATOMIC_EXCHANGE(&result[1], (unsigned long long)i);
#endif
        }
    }
}

int main(void)
{
    int in[128], *x;
    unsigned long long out[2], *result;

    count_up(in, 128);
    ALLOCATE(x, 128);
    ALLOCATE(result, 2);
    COPY_IN(x, in);
    PORTABLE_CHECK(portable_memset(result, 0xff, 16));
    LAUNCH(argmin, 2, 64, 0, 0, x, result);
    COPY_OUT(out, result);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
