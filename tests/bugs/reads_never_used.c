/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: elements that other threads write are read without a barrier, but the values are unused: a
 *     compiler may remove such reads, but a tool must still see them
 * found by: racecheck
 * expect racecheck: race in kernel unused
 * expect racecheck: race in kernel empty_loop
 * expect racecheck: race in kernel sum_unused
 * expect racecheck: race in kernel times_zero
 * expect racecheck: race in kernel difference
 * expect racecheck: race in kernel out_of_range
 * expect racecheck: race in kernel empty_branch
 * expect racecheck: race in kernel same_in_both
 * expect racecheck: race in kernel by_function
 * expect racecheck: race in kernel by_parameter
 * expect racecheck: race in kernel half_of_pair
 * expect racecheck: race in kernel local_array
 * expect racecheck: race in kernel low_byte
 * expect racecheck: race in kernel constant_index
 * expect racecheck: race in kernel itself
 */
#include "bug.h"

#if FIXED
#define BARRIER SYNC_THREADS()
#else
#define BARRIER (void)0
#endif

/* Writes this thread's element, and waits for the others in the corrected program. */
#define TILE(type)                                                                                 \
    SHARED(type, tile, [64]);                                                                      \
    const int t = (int)threadIdx.x, other = 63 - t;                                                \
    (void)other;                                                                                   \
    tile[t] = (type)x[t];                                                                          \
    BARRIER

struct pair {
    int a, b;
};

KERNEL(unused)(const int *x)
{
    TILE(int);
    int value = tile[other];
    (void)value;
}

KERNEL(empty_loop)(const int *x)
{
    TILE(int);
    for (int k = 0; k < 64; k++) {
        int value = tile[k];
        (void)value;
    }
}

KERNEL(sum_unused)(const int *x)
{
    TILE(int);
    int sum = 0;
    for (int k = 0; k < 64; k++)
        sum += tile[k];
    (void)sum;
}

KERNEL(times_zero)(const int *x, int *y)
{
    TILE(int);
    int zero = 0;
    y[t] = zero * tile[other];
}

KERNEL(difference)(const int *x, int *y)
{
    TILE(int);
    int value = tile[other];
    y[t] = value - value;
}

KERNEL(out_of_range)(const int *x, int *y)
{
    TILE(unsigned char);
    int value = tile[other];
    y[t] = value > 255;
}

KERNEL(empty_branch)(const int *x)
{
    TILE(int);
    int value = tile[other];
    if (value > 0) {
    }
}

KERNEL(same_in_both)(const int *x, int *y)
{
    TILE(int);
    int value = tile[other], positive = 3, negative = 3;
    y[t] = value > 0 ? positive : negative;
}

DEVICE int element(const int *tile, int k)
{
    return tile[k];
}

DEVICE void ignore(int value)
{
    (void)value;
}

KERNEL(by_function)(const int *x)
{
    TILE(int);
    (void)element(tile, other);
}

KERNEL(by_parameter)(const int *x)
{
    TILE(int);
    ignore(tile[other]);
}

KERNEL(half_of_pair)(const struct pair *pairs, int *y)
{
    SHARED(struct pair, tile, [64]);
    const int t = (int)threadIdx.x;
    tile[t].b = pairs[t / 2].b;
    tile[63 - t].a = pairs[t / 2].a;
    SYNC_THREADS();
#if FIXED
    SYNC_THREADS();
#else
    tile[t].b = 1;
#endif
    struct pair pair = tile[63 - t]; /* all of it */
    y[t] = pair.a;
}

KERNEL(local_array)(const int *x, int *y)
{
    TILE(int);
    int values[2];
    values[0] = tile[t];
    values[1] = tile[other];
    y[t] = values[0];
}

KERNEL(low_byte)(const int *x, unsigned char *y)
{
    TILE(int);
    int value = tile[other];
    int zero = 0;
    y[t] = (unsigned char)(value & zero);
}

KERNEL(constant_index)(const int *x)
{
    TILE(int);
    int value = tile[7];
    (void)value;
}

KERNEL(itself)(const int *x)
{
    SHARED(int, tile, [64]);
    const int t = (int)threadIdx.x;
    tile[t] = x[t];
    BARRIER;
    if (t == 0)
        tile[1] = tile[1];
}

int main(void)
{
    int in[64], out[64], *x, *y;

    count_up(in, 64);
    ALLOCATE(x, 64);
    ALLOCATE(y, 64);
    COPY_IN(x, in);
    LAUNCH(unused, 1, 64, 0, 0, x);
    LAUNCH(empty_loop, 1, 64, 0, 0, x);
    LAUNCH(sum_unused, 1, 64, 0, 0, x);
    LAUNCH(empty_branch, 1, 64, 0, 0, x);
    LAUNCH(by_function, 1, 64, 0, 0, x);
    LAUNCH(by_parameter, 1, 64, 0, 0, x);
    LAUNCH(constant_index, 1, 64, 0, 0, x);
    LAUNCH(itself, 1, 64, 0, 0, x);
    LAUNCH(low_byte, 1, 64, 0, 0, x, (unsigned char *)y);
    LAUNCH(half_of_pair, 1, 64, 0, 0, (const struct pair *)x, y);
    LAUNCH(local_array, 1, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == i);
    LAUNCH(times_zero, 1, 64, 0, 0, x, y);
    LAUNCH(difference, 1, 64, 0, 0, x, y);
    LAUNCH(out_of_range, 1, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == 0);
    LAUNCH(same_in_both, 1, 64, 0, 0, x, y);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
