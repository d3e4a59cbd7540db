/* SPDX-License-Identifier: BSD-3-Clause */
/* A project's program for many ranks: each sums its value and that of the rank before it, which it
 * reads before the exchange is complete unless CORRECTED. All get all sums, for which each has an
 * array with its own sum alone. */
#include "portable_ranks.h"

KERNEL(add_neighbour)(const int *RESTRICT values, int *RESTRICT sum)
{
    GRID_STRIDE_LOOP(i, 1)
        sum[i] = values[0] + values[1];
}

int main(void)
{
    struct portable_ranks me;
    struct portable_exchange *exchange;
    int *values, *sums, result;
    long long starts[65];

    PORTABLE_RANKS_CHECK(portable_ranks_begin(&me));
    const struct portable_message message = {(me.rank + 1) % me.count,
                                             (me.rank + me.count - 1) % me.count,
                                             {0, 1, 1, 0, NULL},
                                             {1, 1, 1, 0, NULL}};
    PORTABLE_RANKS_CHECK(portable_malloc(&values, 2 * sizeof *values));
    PORTABLE_RANKS_CHECK(portable_malloc(&sums, (size_t)me.count * sizeof *sums));
    PORTABLE_RANKS_CHECK(portable_copy_to_device(values, &me.rank, sizeof me.rank));
    PORTABLE_RANKS_CHECK(portable_exchange_create(&exchange, sizeof *values, 1, &message));
    PORTABLE_RANKS_CHECK(portable_exchange_begin(exchange, values, values, 0));
#if defined(CORRECTED)
    PORTABLE_RANKS_CHECK(portable_exchange_wait(exchange, 0));
#endif
    PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(add_neighbour, 1, 32, 0, 0, values, sums + me.rank));
#if !defined(CORRECTED)
    PORTABLE_RANKS_CHECK(portable_exchange_wait(exchange, 0));
#endif
    portable_partition_even(me.count, me.count, starts);
    PORTABLE_RANKS_CHECK(portable_ranks_all_gather(sums, sizeof *sums, starts, 0));
    for (int r = 0; r < me.count; r++) {
        PORTABLE_RANKS_CHECK(portable_copy_to_host(&result, sums + r, sizeof result));
        if (r == me.rank)
            printf("rank %d of %d: %d\n", me.rank, me.count, result);
    }
    PORTABLE_RANKS_CHECK(portable_exchange_destroy(exchange));
    PORTABLE_RANKS_CHECK(portable_free(values));
    PORTABLE_RANKS_CHECK(portable_free(sums));
    PORTABLE_RANKS_CHECK(portable_ranks_end());
    return 0;
}
