/* SPDX-License-Identifier: BSD-3-Clause */
/* The emulate target's scheduler informs a check of intervals, warp syncs, blocks, divergences and
 * device memory. This program is its own check: it defines emulate_check, as racecheck.c and the
 * others do. */
#include "host/emulate/check.h"
#include "tests/target/test.h"

enum { MOST_THREADS = 1024 };

/* ---- the check: it records every callback ---- */

static struct {
    int launches, ends, blocks, begins, finishes, abandoned;
    uint32_t block_starts[256], launch_starts[256];
    char diverged[4096];
    int divergences;
    struct {
        enum portable_memory_event_ event;
        const void *memory;
        size_t bytes;
        char name[64];
        int running;
    } memory[64];
    int events;
    int failed;
    char message[256];
} told;

static void on_launch_begin(void)
{
    assert_non_null(emulate.kernel);
    told.launches++;
}
static void on_launch_end(void)
{
    assert_non_null(emulate.kernel);
    told.ends++;
}
static void on_block_begin(void)
{
    assert_true(told.blocks < (int)COUNT_OF(told.block_starts));
    told.block_starts[told.blocks] = emulate.block_start;
    told.launch_starts[told.blocks++] = emulate.launch_start;
}
static void on_switch_begin(void **fake_stack, const void *to, size_t bytes)
{
    (void)fake_stack;
    assert_true((to != NULL) == (bytes > 0));
    told.begins++;
}
static void on_switch_end(void *fake_stack, const void **from, size_t *bytes)
{
    (void)fake_stack;
    (void)from;
    (void)bytes;
    told.finishes++;
}
static void on_abandoned(const void *stack, size_t bytes)
{
    assert_true((const char *)stack >= emulate.stacks);
    assert_true((const char *)stack + bytes <= emulate.stacks + emulate.stacks_bytes);
    told.abandoned++;
}
static void on_memory(enum portable_memory_event_ event, const void *memory, size_t bytes,
                      const void *caller)
{
    assert_true(told.events < (int)COUNT_OF(told.memory));
    told.memory[told.events].event = event;
    told.memory[told.events].memory = memory;
    told.memory[told.events].bytes = bytes;
    told.memory[told.events].running = emulate_running;
    strcpy(told.memory[told.events].name, emulate.array);
    /* Writes and ends of copies have no caller: an earlier callback had it. */
    assert_true((caller != NULL) ==
                (event != PORTABLE_MEMORY_WRITE_ && event != PORTABLE_MEMORY_DONE_));
    told.events++;
}
static void on_failed(int status, const char *message, const void *caller)
{
    assert_non_null(caller);
    told.failed = status;
    snprintf(told.message, sizeof told.message, "%s", message);
}
static void on_diverged(const char *message)
{
    told.divergences++;
    snprintf(told.diverged, sizeof told.diverged, "%s", message);
}

struct emulate_check emulate_check = {.name = "scheduler",
                                      .launch_begin = on_launch_begin,
                                      .launch_end = on_launch_end,
                                      .block_begin = on_block_begin,
                                      .switch_begin = on_switch_begin,
                                      .switch_end = on_switch_end,
                                      .abandoned = on_abandoned,
                                      .memory = on_memory,
                                      .failed = on_failed,
                                      .diverged = on_diverged};

static int forget(void **state)
{
    memset(&told, 0, sizeof told);
    emulate_check.goes_on = 0;
    return test_setup(state);
}

/* ---- intervals ---- */

/* The state that a thread saw at one of its points. In host memory, which kernels of this target
 * can write. */
static struct seen {
    uint32_t interval, block_start, launch_start, syncs;
    uint64_t moment;
} seen[4][MOST_THREADS];

static void look(int point)
{
    const unsigned t = emulate.thread;

    assert_int_equal(t, threadIdx.x);
    assert_int_equal(emulate_running, 1);
    seen[point][t].interval = emulate.interval;
    seen[point][t].block_start = emulate.block_start;
    seen[point][t].launch_start = emulate.launch_start;
    seen[point][t].syncs = emulate.warp_syncs[t / 32];
    seen[point][t].moment = emulate.moment;
}

/* The first `first` threads stay for a barrier, and the first `second` of them for the next. */
__global__ void leave_before_barriers(unsigned first, unsigned second)
{
    look(0);
    if (threadIdx.x >= first)
        return;
    __syncthreads();
    look(1);
    if (threadIdx.x >= second)
        return;
    __syncthreads();
    look(2);
}

static void a_barrier_starts_an_interval_whoever_has_left(void **state)
{
    static const unsigned cases[][3] = {{64, 64, 64}, {64, 40, 40}, {64, 64, 1},
                                        {64, 33, 32}, {33, 1, 1},   {1024, 1000, 31}};

    (void)state;
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const unsigned threads = cases[k][0], first = cases[k][1], second = cases[k][2];

        memset(seen, 0, sizeof seen);
        assert_ok(KERNEL_LAUNCH(leave_before_barriers, 1, threads, 0, 0, first, second));
        for (unsigned t = 0; t < threads; t++)
            for (uint32_t point = 0; point < 3; point++) {
                const struct seen *const mine = &seen[point][t];

                if (t >= (point == 0 ? threads : point == 1 ? first : second)) {
                    assert_int_equal(mine->interval, 0);
                    continue;
                }
                assert_int_equal(mine->interval, mine->block_start + point);
                assert_int_equal(mine->block_start, mine->launch_start + 1);
                assert_int_equal(mine->block_start, seen[0][0].block_start);
                assert_int_equal(mine->moment, (uint64_t)mine->interval << 32 | t);
            }
    }
    assert_int_equal(told.divergences, 0);
}

__global__ void look_in_blocks(unsigned blocks)
{
    if (threadIdx.x == 0)
        seen[0][blockIdx.x].interval = emulate.interval;
    __syncthreads();
    __syncthreads();
    if (threadIdx.x == 0)
        seen[1][blockIdx.x].interval = emulate.interval;
    for (unsigned b = 0; b <= blockIdx.x && blockIdx.x < blocks; b++) {
        assert_int_equal(emulate_block_of(seen[0][b].interval), b);
        if (b < blockIdx.x)
            assert_int_equal(emulate_block_of(seen[1][b].interval), b);
    }
}

static void intervals_tell_blocks(void **state)
{
    enum { BLOCKS = 100 };

    (void)state;
    for (int launch = 0; launch < 2; launch++) {
        memset(&told, 0, sizeof told);
        assert_ok(KERNEL_LAUNCH(look_in_blocks, BLOCKS, 40, 0, 0, BLOCKS));
        assert_int_equal(told.launches, 1);
        assert_int_equal(told.ends, 1);
        assert_int_equal(told.blocks, BLOCKS);
        assert_int_equal(told.begins, told.finishes);
        for (int b = 0; b < BLOCKS; b++) {
            assert_int_equal(told.launch_starts[b], told.launch_starts[0]);
            assert_int_equal(told.block_starts[b], told.launch_starts[0] + 1 + 3 * (unsigned)b);
            assert_int_equal(seen[0][b].interval, told.block_starts[b]);
            assert_int_equal(seen[1][b].interval, told.block_starts[b] + 2);
        }
    }
    assert_null(emulate.kernel);
    assert_int_equal(emulate_running, 0);
}

__global__ void rounds_of_the_grid(int rounds)
{
    for (int round = 0; round < rounds; round++)
        SYNC_GRID();
}

/* After a barrier of the grid all earlier accesses are over: launch_start is above them. */
static void a_barrier_of_the_grid_starts_as_a_launch_does(void **state)
{
    enum { BLOCKS = 5, ROUNDS = 3 };

    (void)state;
    assert_ok(KERNEL_LAUNCH_COOPERATIVE(rounds_of_the_grid, BLOCKS, 33, 0, 0, ROUNDS));
    assert_int_equal(told.blocks, BLOCKS * (ROUNDS + 1));
    for (int b = 0; b < told.blocks; b++) {
        assert_int_equal(told.launch_starts[b], told.block_starts[b - b % BLOCKS]);
        if (b > 0)
            assert_true(told.block_starts[b] > told.block_starts[b - 1]);
    }
}

/* ---- warps whose lanes have ended ---- */

/* Lanes [begin, end) of each warp stay, with all 32 in their masks. */
__global__ void lanes_stay(unsigned begin, unsigned end, unsigned *ballots, int *sums)
{
    const unsigned t = threadIdx.x, lane = t % 32;
    int sum = (int)t;

    if (lane < begin || lane >= end)
        return;
    look(0);
    __syncwarp();
    look(1);
    ballots[t] = __ballot_sync(0xffffffffu, t % 3 == 0);
    sum += 1000 * __shfl_sync(0xffffffffu, (int)t, (int)begin);
    sums[t] = sum;
    __syncwarp();
    look(2);
    if (lane > begin)
        return;
    sums[t] += 1000000 * __any_sync(0xffffffffu, 1); /* only the last lane */
    __syncthreads();
}

/* Lanes exit before a barrier of the grid; the others have warp operations after it. */
__global__ void lanes_stay_for_the_grid(unsigned *ballots)
{
    const unsigned t = threadIdx.x;

    if (t % 32 >= 11)
        return;
    SYNC_GRID();
    ballots[blockIdx.x * blockDim.x + t] = __ballot_sync(0xffffffffu, t % 3 == 0);
    __syncthreads();
}

static void lanes_that_ended_stay_ended_across_the_grid(void **state)
{
    enum { THREADS = 64 };
    unsigned ballots[3 * THREADS], *const device = (unsigned *)device_from(NULL, sizeof ballots);

    (void)state;
    assert_ok(KERNEL_LAUNCH_COOPERATIVE(lanes_stay_for_the_grid, 3, THREADS, 0, 0, device));
    assert_ok(portable_copy_to_host(ballots, device, sizeof ballots));
    for (unsigned t = 0; t < 3 * THREADS; t++)
        assert_int_equal(ballots[t], t % 32 >= 11 ? 0 : t % 64 < 32 ? 0x249 : 0x492);
    assert_int_equal(told.divergences, 0);
}

static void warp_operations_do_not_wait_for_lanes_that_ended(void **state)
{
    enum { THREADS = 96 };
    static const unsigned ranges[][2] = {{0, 32}, {0, 20}, {12, 32}, {31, 32}, {0, 1}, {7, 9}};
    unsigned ballots[THREADS], *const device = (unsigned *)device_from(NULL, sizeof ballots);
    int sums[THREADS], *const device_sums = (int *)device_from(NULL, sizeof sums);

    (void)state;
    for (size_t k = 0; k < COUNT_OF(ranges); k++) {
        const unsigned begin = ranges[k][0], end = ranges[k][1];

        assert_ok(KERNEL_LAUNCH(lanes_stay, 1, THREADS, 0, 0, begin, end, device, device_sums));
        assert_ok(portable_copy_to_host(ballots, device, sizeof ballots));
        assert_ok(portable_copy_to_host(sums, device_sums, sizeof sums));
        for (unsigned t = 0; t < THREADS; t++) {
            const unsigned lane = t % 32, warp = t - lane;
            unsigned votes = 0;

            if (lane < begin || lane >= end)
                continue;
            for (unsigned other = begin; other < end; other++)
                votes |= (unsigned)((warp + other) % 3 == 0) << other;
            assert_int_equal(ballots[t], votes);
            assert_int_equal(sums[t],
                             (int)(t + 1000 * (warp + begin)) + (lane == begin ? 1000000 : 0));
            for (uint32_t point = 0; point < 3; point++) {
                assert_int_equal(seen[point][t].syncs, point);
                assert_int_equal(seen[point][t].moment,
                                 (uint64_t)seen[point][t].interval << 32 | point << 10 | t);
                assert_int_equal(seen[point][t].interval, seen[point][t].block_start);
            }
        }
    }
    assert_int_equal(told.divergences, 0);
}

/* ---- order ---- */

enum { NOTES = 4, NOTED = 96, PART = 8 };
static int notes, noted[NOTES][NOTED];

/* Lanes from `stay` on leave; the first PART of each warp have an operation of their own. */
__global__ void note_turns(unsigned stay)
{
    const unsigned t = threadIdx.x, lane = t % 32;

    noted[0][t] = notes++;
    if (lane >= stay)
        return;
    __ballot_sync(0xffffffffu, 1);
    noted[1][t] = notes++;
    if (lane < PART)
        __syncwarp((1u << PART) - 1);
    noted[2][t] = notes++;
    __syncthreads();
    noted[3][t] = notes++;
}

/* A warp runs to the barrier before the next does, and its lanes from operation to operation. */
static void lanes_run_in_order_from_operation_to_operation(void **state)
{
    (void)state;
    for (unsigned stay = PART; stay <= 32; stay += 12) {
        int expected = 0;

        notes = 0;
        assert_ok(KERNEL_LAUNCH(note_turns, 1, NOTED, 0, 0, stay));
        for (unsigned first = 0; first < NOTED; first += 32) {
            for (unsigned lane = 0; lane < 32; lane++)
                assert_int_equal(noted[0][first + lane], expected++);
            for (unsigned lane = 0; lane < PART; lane++)
                assert_int_equal(noted[1][first + lane], expected++);
            for (unsigned lane = 0; lane < PART; lane++)
                assert_int_equal(noted[2][first + lane], expected++);
            for (unsigned lane = PART; lane < stay; lane++) {
                assert_int_equal(noted[1][first + lane], expected++);
                assert_int_equal(noted[2][first + lane], expected++);
            }
        }
        for (unsigned t = 0; t < NOTED; t++)
            if (t % 32 < stay)
                assert_int_equal(noted[3][t], expected++);
        assert_int_equal(notes, expected);
    }
}

/* ---- divergence ---- */

__global__ void some_leave(int *out, unsigned stay)
{
    if (threadIdx.x >= stay)
        return;
    __syncthreads();
    out[threadIdx.x] = 1;
}

__global__ void half_a_warp_votes(unsigned *out)
{
    if (threadIdx.x < 16)
        out[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
    __syncthreads();
    out[threadIdx.x] += 100;
}

/* The source lane has exited, or stays away; each thread counts as one at the barrier, whatever its
 * predicate is. */
__global__ void absent_lanes(int *out, unsigned present)
{
    int value = (int)threadIdx.x;

    if (threadIdx.x < present)
        value = __shfl_sync((1u << present) - 1, value, 20);
    out[threadIdx.x] = value + 1000 * __syncthreads_count((int)threadIdx.x);
}

__global__ void some_leave_the_grid(int *out)
{
    if (threadIdx.x == 3)
        return;
    SYNC_GRID();
    out[threadIdx.x] = 1;
}

__global__ void barriers_of_two_kinds(int *out)
{
    if (threadIdx.x == 1) {
        __syncthreads();
        out[threadIdx.x] = 2;
    } else {
        __syncthreads();
        out[threadIdx.x] = 3;
    }
}

#define assert_told(part)                                                                          \
    do {                                                                                           \
        if (!strstr(told.diverged, part))                                                          \
            fail_msg("\"%s\" lacks \"%s\"", told.diverged, part);                                  \
    } while (0)

/* An operation that a launch refuses ends it, and the check is told once; a barrier that ended
 * threads miss is no such operation. */
static void a_divergence_ends_the_launch(void **state)
{
    int *const device = (int *)device_from(NULL, 64 * sizeof(int));

    (void)state;
    assert_ok(KERNEL_LAUNCH(some_leave, 1, 64, 0, 0, device, 40u));
    assert_ok(KERNEL_LAUNCH_COOPERATIVE(some_leave_the_grid, 1, 8, 0, 0, device));
    assert_int_equal(told.divergences, 0);
    assert_refused(KERNEL_LAUNCH(half_a_warp_votes, 1, 32, 0, 0, (unsigned *)device),
                   PORTABLE_ERROR_DIVERGED, "__ballot_sync");
    assert_int_equal(told.divergences, 1);
    assert_int_equal(told.abandoned, 32); /* every thread still had its stack */
    assert_int_equal(told.failed, PORTABLE_ERROR_DIVERGED);
    assert_refused(KERNEL_LAUNCH(barriers_of_two_kinds, 3, 32, 0, 0, device),
                   PORTABLE_ERROR_DIVERGED, "its threads wait at different barriers");
    assert_int_equal(told.divergences, 2);
    assert_int_equal(told.launches, 4);
    assert_int_equal(told.ends, 4);
}

/* synccheck's way: it is told of each, and the launch continues with the threads that arrived. */
static void a_check_may_go_on_after_a_divergence(void **state)
{
    int out[64], *const device = (int *)device_from(NULL, sizeof out);

    (void)state;
    emulate_check.goes_on = 1;
    assert_ok(KERNEL_LAUNCH(some_leave, 1, 64, 0, 0, device, 64u));
    assert_int_equal(told.divergences, 0);
    assert_ok(KERNEL_LAUNCH(some_leave, 2, 64, 0, 0, device, 63u));
    assert_int_equal(told.divergences, 2);
    assert_told("block (1, 0, 0): some threads never reach a barrier\n"
                "    block (1, 0, 0), thread (0, 0, 0) and 62 more wait at __syncthreads, ");
    assert_told("\n    block (1, 0, 0), thread (63, 0, 0) has ended");
    assert_ok(KERNEL_LAUNCH(some_leave, 1, 64, 0, 0, device, 62u));
    assert_told("\n    block (0, 0, 0), thread (62, 0, 0) and 1 more have ended");
    assert_int_equal(told.divergences, 3);
    assert_ok(KERNEL_LAUNCH_COOPERATIVE(some_leave_the_grid, 1, 8, 0, 0, device));
    assert_int_equal(told.divergences, 4);
    assert_told("block (0, 0, 0): some threads never reach a barrier of the grid\n");

    assert_ok(portable_memset(device, 0, sizeof out));
    assert_ok(KERNEL_LAUNCH(half_a_warp_votes, 1, 64, 0, 0, (unsigned *)device));
    assert_int_equal(told.divergences, 5);
    assert_told(
        "block (0, 0, 0): not all lanes named by __ballot_sync reach it with the same mask\n"
        "    block (0, 0, 0), thread (0, 0, 0) and 15 more wait at __ballot_sync, ");
    assert_told("\n    block (0, 0, 0), thread (16, 0, 0) and 15 more wait at __syncthreads, ");
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int t = 0; t < 64; t++)
        assert_int_equal(out[t], t < 16 ? 0xffff + 100 : 100);

    memset(&told, 0, sizeof told);
    assert_ok(KERNEL_LAUNCH(absent_lanes, 1, 32, 0, 0, device, 21u));
    assert_int_equal(told.divergences, 0);
    assert_ok(KERNEL_LAUNCH(absent_lanes, 1, 32, 0, 0, device, 20u));
    assert_int_equal(told.divergences, 20);
    assert_told(
        "block (0, 0, 0), thread (19, 0, 0): __shfl_sync reads lane 20, which does not take "
        "part");
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int t = 0; t < 32; t++)
        assert_int_equal(out[t], (t < 20 ? -1 : t) + 31000);

    memset(&told, 0, sizeof told);
    assert_ok(KERNEL_LAUNCH(barriers_of_two_kinds, 1, 32, 0, 0, device));
    assert_int_equal(told.divergences, 1);
    assert_told("its threads wait at different barriers");
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int t = 0; t < 32; t++)
        assert_int_equal(out[t], t == 1 ? 2 : 3);
    assert_int_equal(told.abandoned, 0);
}

/* ---- device memory ---- */

static void assert_event(int index, enum portable_memory_event_ event, const void *memory,
                         size_t bytes)
{
    assert_int_equal(told.memory[index].event, event);
    assert_ptr_equal(told.memory[index].memory, memory);
    assert_int_equal(told.memory[index].bytes, bytes);
    assert_int_equal(told.memory[index].running, 0);
}

/* A pointer whose target gcc does not know. */
static void *hidden(void *pointer)
{
    void *volatile same = pointer;
    return same;
}

static void the_check_hears_of_device_memory(void **state)
{
    char host[64] = {0}, *first, *second;
    struct {
        char *member;
    } holder;

    (void)state;
    assert_ok(portable_malloc(&first, 64));
    assert_ok(portable_malloc((void **)&(second), 32));
    assert_ok(portable_malloc(&holder.member, 16));
    assert_ok(portable_copy_to_device(first, host, 40));
    assert_ok(portable_copy_on_device(second, first + 8, 32));
    assert_ok(portable_copy_to_host(host, second, 16));
    assert_ok(portable_memset(first, 1, 2));
    assert_ok(portable_free(second));
    assert_int_equal(told.events, 14);
    assert_event(0, PORTABLE_MEMORY_NEW_, first, 64);
    assert_string_equal(told.memory[0].name, "first");
    assert_event(1, PORTABLE_MEMORY_NEW_, second, 32);
    assert_string_equal(told.memory[1].name, "second");
    assert_event(2, PORTABLE_MEMORY_NEW_, holder.member, 16);
    assert_string_equal(told.memory[2].name, "holder.member");
    assert_event(3, PORTABLE_MEMORY_WRITE_, first, 40);
    assert_event(4, PORTABLE_MEMORY_DONE_, first, 40);
    assert_event(5, PORTABLE_MEMORY_READ_, first + 8, 32);
    assert_event(6, PORTABLE_MEMORY_WRITE_, second, 32);
    assert_event(7, PORTABLE_MEMORY_DONE_, first + 8, 32);
    assert_event(8, PORTABLE_MEMORY_DONE_, second, 32);
    assert_event(9, PORTABLE_MEMORY_READ_, second, 16);
    assert_event(10, PORTABLE_MEMORY_DONE_, second, 16);
    assert_event(11, PORTABLE_MEMORY_WRITE_, first, 2);
    assert_event(12, PORTABLE_MEMORY_DONE_, first, 2);
    assert_event(13, PORTABLE_MEMORY_FREE_, second, 0);
    assert_ok(portable_free(first));
    assert_ok(portable_free(holder.member));
    assert_int_equal(told.failed, PORTABLE_SUCCESS);
    assert_refused(portable_free(hidden(host)), PORTABLE_ERROR_INVALID_FREE, "not the start");
    assert_int_equal(told.failed, PORTABLE_ERROR_INVALID_FREE);
    if (!strstr(told.message, "not the start"))
        fail_msg("%s", told.message);
}

/* ---- the count of intervals restarts ---- */

/* Between blocks, not within one: within a block the numbers grow. */
static void the_count_begins_again_between_blocks(void **state)
{
    int began_again = 0;

    (void)state;
    for (uint32_t before = 0; before < 24; before++) {
        memset(&told, 0, sizeof told);
        emulate.interval = UINT32_MAX - (1u << 28) - before; /* during the launch, or before it */
        assert_ok(KERNEL_LAUNCH(look_in_blocks, 4, 2, 0, 0, 0));
        for (int b = 0; b < 4; b++) {
            assert_int_equal(seen[0][b].interval, told.block_starts[b]);
            assert_int_equal(seen[1][b].interval, told.block_starts[b] + 2);
            assert_true(seen[1][b].interval > told.block_starts[b]);
            assert_true(told.launch_starts[b] > 0 && told.launch_starts[b] <= told.block_starts[b]);
            if (b > 0 && told.block_starts[b] < told.block_starts[b - 1]) {
                assert_int_equal(told.block_starts[b], 1);
                assert_int_equal(told.launch_starts[b], 1);
            }
        }
        /* The blocks of all intervals since the restart are known. */
        for (int b = 0; b < 4; b++)
            if (told.launch_starts[b] == told.launch_starts[3])
                assert_int_equal(emulate_block_of(seen[1][b].interval), b);
        began_again += emulate.interval < 1000;
    }
    assert_in_range(began_again, 5, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CHECKED(function) cmocka_unit_test_setup_teardown(function, forget, test_teardown)
        CHECKED(a_barrier_starts_an_interval_whoever_has_left),
        CHECKED(intervals_tell_blocks),
        CHECKED(a_barrier_of_the_grid_starts_as_a_launch_does),
        CHECKED(warp_operations_do_not_wait_for_lanes_that_ended),
        CHECKED(lanes_that_ended_stay_ended_across_the_grid),
        CHECKED(lanes_run_in_order_from_operation_to_operation),
        CHECKED(a_divergence_ends_the_launch),
        CHECKED(a_check_may_go_on_after_a_divergence),
        CHECKED(the_check_hears_of_device_memory),
        CHECKED(the_count_begins_again_between_blocks),
    };

    return cmocka_run_group_tests_name("scheduler", tests, NULL, NULL);
}
