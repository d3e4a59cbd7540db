/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accesscheck's parts without the runtime: which accesses are joined, against random programs whose
 * warps run as on a GPU, and what an access costs, against the sets of its sectors and words.
 */
#include "host/checks/convergence.h"

#include <setjmp.h> /* cmocka.h needs these four */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

static void *grown(void *old, size_t bytes)
{
    void *const memory = realloc(old, bytes);

    assert_non_null(memory);
    return memory;
}

static uint64_t state;
static unsigned random_below(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % n);
}

/* ---- programs ---- */

/* A statement is an access, a branch or a loop; the head of a loop is an access. Those of a list
 * follow each other. */
enum statement_kind { ACCESS, BRANCH, LOOP };
struct statement {
    enum statement_kind kind;
    unsigned site;
    int next, inner, other; /* statements, or -1 */
};
enum { STATEMENTS = 64, END = 1000 };
static struct statement statements[STATEMENTS];
static int statement_count;
static unsigned site_count;

static int make_list(unsigned depth)
{
    int first = -1;

    for (unsigned length = 1 + random_below(3); length > 0 && statement_count < STATEMENTS;
         length--) {
        struct statement *const s = &statements[statement_count];
        const int number = statement_count++;

        s->kind = depth == 0 ? ACCESS : (enum statement_kind)random_below(LOOP + 1);
        s->site = ++site_count;
        s->next = first;
        s->inner = s->kind != ACCESS ? make_list(depth - 1) : -1;
        s->other = s->kind == BRANCH && random_below(2) ? make_list(depth - 1) : -1;
        first = number;
    }
    return first;
}

/* ---- as a GPU runs them ---- */

enum { MOST = 1 << 14 };
static event traces[LANES][MOST];
static unsigned lengths[LANES];
static unsigned
    groups; /* accesses of the warp; the address of an access is the number of its group */

static void make_access(unsigned site, uint32_t mask)
{
    if (mask == 0)
        return;
    groups++;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (mask >> lane & 1) {
            assert_true(lengths[lane] < MOST);
            traces[lane][lengths[lane]++] = event_of(site, groups);
        }
}

static uint32_t some_of(uint32_t mask)
{
    switch (random_below(4)) {
    case 0: return mask;
    case 1: return 0;
    default: return mask & (random_below(1u << 16) | (uint32_t)random_below(1u << 16) << 16);
    }
}

static void run(int statement, uint32_t mask)
{
    for (; statement >= 0 && mask != 0; statement = statements[statement].next) {
        const struct statement *const s = &statements[statement];

        if (s->kind == ACCESS) {
            make_access(s->site, mask);
        } else if (s->kind == BRANCH) {
            const uint32_t taken = some_of(mask);

            run(s->inner, taken);
            run(s->other, mask & ~taken);
        } else {
            for (uint32_t left = mask; left != 0 && groups < 1000;
                 left = random_below(3) ? some_of(left) : 0) {
                make_access(s->site, left);
                run(s->inner, left);
            }
        }
    }
}

/* ---- joined ---- */

static unsigned joined;
static uint64_t split; /* accesses that are joined with others, or not with theirs */
static uint32_t joined_lanes[MOST];

static void take(unsigned site, uintptr_t *addresses, const unsigned char *lanes, unsigned count)
{
    assert_true(site > 0 && site <= site_count && count > 0);
    joined++;
    for (unsigned k = 0; k < count; k++) {
        assert_true(k == 0 || lanes[k] > lanes[k - 1]);
        split += addresses[k] != addresses[0];
        joined_lanes[addresses[k]] |= 1u << lanes[k];
    }
}

static void run_warp(int program, uint32_t mask)
{
    struct lane_trace lanes[LANES];
    unsigned count = 0;
    size_t accesses = 0, taken = 0;

    groups = joined = 0;
    memset(lengths, 0, sizeof lengths);
    memset(joined_lanes, 0, sizeof joined_lanes);
    run(program, mask);
    for (unsigned lane = 0; lane < LANES; lane++) {
        accesses += lengths[lane];
        if (lengths[lane] > 0)
            lanes[count++] = (struct lane_trace){traces[lane], traces[lane] + lengths[lane], lane};
    }
    join_lanes(lanes, count, END, take);
    for (unsigned group = 1; group <= groups; group++)
        taken += (size_t)__builtin_popcount(joined_lanes[group]);
    assert_int_equal(taken, accesses);
    split += joined > groups ? joined - groups : 0;
}

/* Forgets the graph. */
static void new_kernel(void)
{
    memset(nodes, 0, sizeof nodes[0] * (END + 1));
    edge_count = 1;
}

static void joins_what_a_gpu_joins(void **unused)
{
    unsigned long long all = 0;
    unsigned wrong = 0;

    (void)unused;
    for (unsigned seed = 0; seed < 2000; seed++) {
        state = seed;
        statement_count = 0;
        site_count = 0;
        new_kernel();
        const int program = make_list(3);
        for (int warp = 0; warp < 20; warp++) {
            split = 0;
            run_warp(program, warp % 3 == 0 ? ~0u : some_of(~0u));
            all += groups;
            wrong += split > 0;
        }
    }
    printf("%u of 40000 warps differ, %llu accesses\n", wrong, all);
    assert_true(wrong * 100 < 40000);
}

/* ---- costs ---- */

static void costs_are_those_of_sets(void **unused)
{
    (void)unused;
    state = 1;
    for (int round = 0; round < 20000; round++) {
        enum { SPAN = 4096 };
        static unsigned char used[SPAN + 16];
        uintptr_t addresses[LANES], given[LANES];
        unsigned char lanes[LANES];
        const unsigned bytes = 1u << random_below(5), count_most = 1 + random_below(LANES);
        const unsigned apart = random_below(4) ? bytes * random_below(40) : 0;
        const int is_shared = (int)random_below(2);
        unsigned count = 0, turns = 0, least = 0, in_all = 0;
        struct cost cost = {0, 0, 0, 0, 0, 0};

        for (unsigned lane = 0; lane < LANES && count < count_most; lane++)
            if (random_below(8)) {
                given[count] = addresses[count] = apart ? lane * apart % (SPAN - 16) / bytes * bytes
                                                        : random_below(SPAN / bytes) * bytes;
                lanes[count++] = (unsigned char)lane;
            }
        if (count == 0)
            continue;
        add_request(&cost, ACCESS_LOAD, is_shared, bytes, addresses, lanes, count);
        const unsigned at_once = is_shared && bytes > 4 ? 128 / bytes : LANES;
        for (unsigned part = 0; part < LANES; part += at_once) {
            unsigned words_of[BANKS] = {0}, most = 0, words = 0, sectors = 0, bytes_used = 0;

            memset(used, 0, sizeof used);
            for (unsigned k = 0; k < count; k++)
                if (lanes[k] >= part && lanes[k] < part + at_once)
                    memset(&used[given[k]], 1, bytes);
            for (unsigned at = 0; at < SPAN; at += 4) {
                const int any = memchr(&used[at], 1, 4) != NULL;

                words += (unsigned)any;
                if (any && ++words_of[at / 4 % BANKS] > most)
                    most = words_of[at / 4 % BANKS];
            }
            for (unsigned at = 0; at < SPAN; at += SECTOR)
                sectors += memchr(&used[at], 1, SECTOR) != NULL;
            for (unsigned at = 0; at < SPAN; at++)
                bytes_used += used[at];
            turns += is_shared ? most : sectors;
            least += is_shared ? (words + BANKS - 1) / BANKS : (bytes_used + SECTOR - 1) / SECTOR;
            in_all += bytes_used;
        }
        assert_int_equal(cost.requests, 1);
        assert_int_equal(cost.threads, count);
        assert_int_equal(cost.turns, turns);
        assert_int_equal(cost.least, least);
        assert_int_equal(cost.used, is_shared ? 0 : in_all);
    }
}

static void atomics_take_turns(void **unused)
{
    uintptr_t addresses[] = {8, 4, 8, 12, 8, 4};
    const unsigned char lanes[] = {0, 1, 2, 16, 17, 31};
    struct cost cost = {0, 0, 0, 0, 0, 0};

    (void)unused;
    add_request(&cost, ACCESS_ATOMIC, 1, 8, addresses, lanes, 6);
    assert_int_equal(cost.turns, 3);
    assert_int_equal(cost.least, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_what_a_gpu_joins),
        cmocka_unit_test(costs_are_those_of_sets),
        cmocka_unit_test(atomics_take_turns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
