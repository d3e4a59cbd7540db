/* SPDX-License-Identifier: BSD-3-Clause */
/* Single-pass scans: blocks take tiles from a queue and wait for the sums of the tiles before
 * theirs. A tile's sum is published as soon as it is known. A block never waits for one with a
 * later ticket, so any number of blocks, in any order, terminates. D. Merrill and M. Garland,
 * "Single-pass parallel prefix scan with decoupled look-back", 2016; but there a block adds up
 * whatever sums it finds, in an order that varies from run to run, and here the order is fixed:
 * LOOK_BACK_GROUP tiles form a group, and the sum before a tile is that of all groups up to the
 * last but one, plus the tiles since then. */
#ifndef PORTABLE_ALGORITHMS_LOOK_BACK_H
#define PORTABLE_ALGORITHMS_LOOK_BACK_H

#define LOOK_BACK_THREADS 256 /* of a block */
#define LOOK_BACK_GROUP 256
#define LOOK_BACK_POLLING 128 /* threads that poll: more take bandwidth, fewer take longer */

/* 32 bits and their ready flag in one word, so the order of two stores does not matter. */
DEVICE void look_back_publish(unsigned long long *word, unsigned bits)
{
    ATOMIC_STORE(word, 1ull << 32 | bits);
}

DEVICE unsigned look_back_await(const unsigned long long *word)
{
    unsigned long long seen;
    do
        seen = ATOMIC_LOAD(word);
    while (seen >> 32 == 0);
    return (unsigned)seen;
}

/* A value of 32 or 64 bits in as many such words as it needs. */
#define LOOK_BACK_WORDS(type) (sizeof(type) / sizeof(unsigned))
#define LOOK_BACK_VALUE(type, suffix)                                                              \
    DEVICE void look_back_publish_##suffix(unsigned long long *words, size_t index, type value)    \
    {                                                                                              \
        unsigned bits[LOOK_BACK_WORDS(type)];                                                      \
        memcpy(bits, &value, sizeof bits);                                                         \
        for (unsigned k = 0; k < LOOK_BACK_WORDS(type); k++)                                       \
            look_back_publish(&words[index * LOOK_BACK_WORDS(type) + k], bits[k]);                 \
    }                                                                                              \
    DEVICE type look_back_await_##suffix(const unsigned long long *words, size_t index)            \
    {                                                                                              \
        unsigned bits[LOOK_BACK_WORDS(type)];                                                      \
        type value;                                                                                \
        for (unsigned k = 0; k < LOOK_BACK_WORDS(type); k++)                                       \
            bits[k] = look_back_await(&words[index * LOOK_BACK_WORDS(type) + k]);                  \
        memcpy(&value, bits, sizeof bits);                                                         \
        return value;                                                                              \
    }
LOOK_BACK_VALUE(float, float)
LOOK_BACK_VALUE(double, double)
LOOK_BACK_VALUE(unsigned, unsigned)
LOOK_BACK_VALUE(unsigned long long, count)

/* Defines look_back_SUFFIX: the sum of the tiles before t, in each thread's `earlier`. Groups have
 * values of `suffix`, tiles those of `of_tile`, which may be narrower. */
#define LOOK_BACK(type, suffix, of_tile)                                                           \
    BLOCK_FUNCTION(void, look_back_##suffix, (LOOK_BACK_THREADS), size_t t,                        \
                   const unsigned long long *tiles, const unsigned long long *groups,              \
                   PRIVATE_PARAMETER(type, earlier, [1]))                                          \
    {                                                                                              \
        PRIVATE(type, sum);                                                                        \
        const size_t group = t / LOOK_BACK_GROUP;                                                  \
        const size_t window = group > 0 ? (group - 1) * LOOK_BACK_GROUP : 0;                       \
        FOR_EACH_THREAD                                                                            \
            MINE(sum) = 0;                                                                         \
        FOR_THREADS_BELOW(LOOK_BACK_POLLING) {                                                     \
            for (size_t k = window + threadIdx.x; k < t; k += LOOK_BACK_POLLING)                   \
                MINE(sum) += look_back_await_##of_tile(tiles, k);                                  \
            if (threadIdx.x == 0 && group > 1)                                                     \
                MINE(sum) += look_back_await_##suffix(groups, group - 2);                          \
        }                                                                                          \
        BLOCK_REDUCE_ADD(sum, sum);                                                                \
        FOR_EACH_THREAD                                                                            \
            MINE(earlier)[0] = MINE(sum);                                                          \
    }
LOOK_BACK(float, float, float)
LOOK_BACK(double, double, double)
LOOK_BACK(unsigned, unsigned, unsigned)
LOOK_BACK(unsigned long long, count, unsigned)

#endif
