/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: each thread sets its bit in a word that 32 threads share
 * found by: racecheck
 * expect racecheck: race in kernel odd_bits
 */
#include "bug.h"

#define N 256

KERNEL(odd_bits)(int n, const int *x, unsigned *words)
{
    GRID_STRIDE_LOOP(i, n) {
        if (x[i] % 2 != 0) {
#if FIXED
            ATOMIC_OR(&words[i / 32], 1u << i % 32);
#else
            words[i / 32] |= 1u << i % 32;
#endif
        }
    }
}

int main(void)
{
    int in[N], *x;
    unsigned out[N / 32], *words;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(words, N / 32);
    ZERO(words, N / 32);
    COPY_IN(x, in);
    LAUNCH(odd_bits, 4, 64, 0, 0, N, x, words);
    COPY_OUT(out, words);
    for (int w = 0; w < N / 32; w++)
        EXPECT(out[w] == 0xaaaaaaaau);
    RELEASE(x);
    RELEASE(words);
    return 0;
}
