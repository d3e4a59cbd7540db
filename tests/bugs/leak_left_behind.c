/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: host memory is never freed, and at the end vector registers and the unused stack still hold
 *     its address
 * found by: memcheck
 * expect memcheck: leak: host memory of 512 bytes
 * reason: host memory is not checked
 */
#include "bug.h"

#define N 128

KERNEL(numbers)(int n, int *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = i;
}

/* The upper vector registers, which short copies leave alone. */
static void keep_in_registers(const void *address)
{
#if defined(__x86_64__)
    __asm__ volatile("movq %0, %%xmm12\n\tmovq %0, %%xmm13\n\tmovq %0, %%xmm14\n\tmovq %0, %%xmm15"
                     :
                     : "r"(address)
                     : "xmm12", "xmm13", "xmm14", "xmm15");
#else
    (void)address;
#endif
}

/* Below the frames of exit, which is outside of this project's reach. */
__attribute__((noinline)) static void keep_on_the_stack(const void *address)
{
    enum { ALL = 1024, ABOVE = 32 };
    const void *volatile area[ALL];

    for (int k = 0; k < ALL - ABOVE; k++)
        area[k] = address;
}

int main(void)
{
    int *out = (int *)malloc(N * sizeof *out), *y;

    ALLOCATE(y, N);
    LAUNCH(numbers, 2, 64, 0, 0, N, y);
    PORTABLE_CHECK(portable_copy_to_host(out, y, N * sizeof *out));
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i);
    RELEASE(y);
    keep_on_the_stack(out);
    keep_in_registers(out);
#if FIXED
    free(out);
#endif
    out = NULL;
    return 0;
}
