/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: runs the blocks of a launch. */
#ifndef PORTABLE_HOST_EMULATE_BLOCKS_H
#define PORTABLE_HOST_EMULATE_BLOCKS_H

#include "host/emulate/threads.h"

/* Makes it the running block. */
static void select_block(struct block *block)
{
    const unsigned long long id = block->id, row = id < gridDim.x ? 0 : id / gridDim.x;
    now->running = block;
    now->block_id = id;
    if (launch.is_checked)
        emulate.block_id = id;
    if (row == 0) /* no division for one-dimensional grids */
        blockIdx = make_uint3((unsigned)id, 0, 0);
    else
        blockIdx = make_uint3((unsigned)(id % gridDim.x), (unsigned)(row % gridDim.y),
                              (unsigned)(row / gridDim.y));
    now->block = block->threads;
#if PORTABLE_WORKERS_
    portable_emulate_unordered_ = 1;
    portable_emulate_own_bytes_ = 0;
#endif
}

/* A block starts, or resumes after a barrier of the grid. */
static void start_block(struct block *block)
{
    select_block(block);
    take_intervals();
    if (launch.is_checked) {
        memset(emulate.warp_syncs, 0, sizeof emulate.warp_syncs);
        emulate.ragged = 0;
    }
    block->communicates = 0;
    now->spins.address = NULL;
    if (emulate_check.block_begin)
        emulate_check.block_begin();
}

static int out_of_memory(const char *what)
{
    portable_launch_.status = portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY,
                                             "kernel %s: no memory for %s", emulate.kernel, what);
    return 0;
}

static void free_threads(struct thread *threads, size_t count)
{
    for (size_t t = 0; threads && t < count; t++) {
        free(threads[t].copies);
        free(threads[t].loops);
    }
    free(threads);
}

static int reserve_threads(size_t threads)
{
    if (threads > now->capacity) {
        free_threads(now->threads, now->capacity);
        now->threads = (struct thread *)calloc(threads, sizeof *now->threads);
        now->capacity = now->threads ? threads : 0;
    }
    if (!now->threads)
        return out_of_memory("its threads");
    if (!stacks_reserve(threads < PORTABLE_BLOCK_LIMIT_ ? PORTABLE_BLOCK_LIMIT_ : threads))
        return out_of_memory("the stacks of its threads");
    return 1;
}

/* Copies what emulate_sync keeps of lanes to `saved_lanes`, or back. */
static void copy_lanes(struct block *block, int restore)
{
    const size_t syncs = emulate.threads * sizeof emulate.lane_syncs[0];
    const size_t knows = emulate.threads * sizeof emulate.lane_knows[0];
    if (block->saved_lanes && restore) {
        memcpy(emulate.lane_syncs, block->saved_lanes, syncs);
        memcpy(emulate.lane_knows, block->saved_lanes + syncs, knows);
    } else if (block->saved_lanes) {
        memcpy(block->saved_lanes, emulate.lane_syncs, syncs);
        memcpy(block->saved_lanes + syncs, emulate.lane_knows, knows);
    }
}

/* The running block waits for the grid, or yields: saves what others will use. */
static void suspend_block(void)
{
    struct block *const block = now->running;
    const size_t bytes = shared_bytes();
    block->state = now->yields ? YIELDED : AT_GRID_BARRIER;
    if (now->yields && !emulate.interleaved) { /* others' intervals come after its own */
        emulate.interleaved = 1;
        launch.reserved_until += RESERVED;
        block->last = launch.reserved_until;
    }
    block->interval = emulate.interval;
    block->ragged = emulate.ragged;
    memcpy(block->warp_syncs, emulate.warp_syncs, sizeof block->warp_syncs);
    if (!block->saved_shared)
        block->saved_shared = (char *)malloc(bytes ? bytes : 1);
    if (!block->saved_lanes && block->ragged)
        block->saved_lanes = (char *)malloc(
            emulate.threads * (sizeof emulate.lane_syncs[0] + sizeof emulate.lane_knows[0]));
    if (!block->saved_shared || (block->ragged && !block->saved_lanes)) {
        now->failed = 1;
        out_of_memory("the shared memory of all blocks");
        return;
    }
    copy_shared(block->saved_shared, 0);
    if (block->ragged)
        copy_lanes(block, 0);
    if (emulate_check.block_leave)
        emulate_check.block_leave(&block->of_check, now->yields);
}

static void resume_block(struct block *block)
{
    if (block->state == AFTER_GRID_BARRIER) {
        start_block(block);
    } else {
        select_block(block);
        emulate.block_start = block->start;
        emulate.interval = block->interval;
        emulate.ragged = block->ragged;
        memcpy(emulate.warp_syncs, block->warp_syncs, sizeof block->warp_syncs);
        if (block->ragged)
            copy_lanes(block, 1);
        if (block->restarts != launch.restarts)
            take_intervals();
    }
    copy_shared(block->saved_shared, 1);
    if (emulate_check.block_resume)
        emulate_check.block_resume(&block->of_check);
    run_block();
}

/* A place for a block that starts, with its threads, or NULL. In a cooperative launch it is that of
 * its number. */
static struct block *new_block(unsigned long long id, int cooperative)
{
    size_t number = cooperative ? (size_t)id : 0;
    while (!cooperative && number < now->block_count && now->blocks[number].state != UNUSED)
        number++;
    const size_t needed = cooperative ? (size_t)launch.blocks : number + 1;
    if (needed > now->block_capacity) {
        const size_t capacity = 2 * needed;
        void *const grown = realloc(now->blocks, capacity * sizeof *now->blocks);
        if (!grown)
            return NULL;
        now->blocks = (struct block *)grown;
        now->block_capacity = capacity;
    }
    if (now->block_count == 0 && cooperative) {
        now->block_count = (size_t)launch.blocks;
        memset(now->blocks, 0, now->block_count * sizeof *now->blocks);
    }
    struct block *const block = &now->blocks[number];
    if (number == now->block_count) {
        memset(block, 0, sizeof *block);
        now->block_count++;
    }
    if (cooperative || number == 0)
        block->threads = now->threads + number * emulate.threads;
    else if (!block->threads)
        block->threads = (struct thread *)calloc(emulate.threads, sizeof *block->threads);
    if (!block->threads)
        return NULL;
    block->id = id;
    return block;
}

/* The running block has stopped: it waits, or has ended. */
static void suspend_or_end_block(void)
{
    if (now->failed)
        return;
    if (now->yields || now->at_grid > 0) {
        suspend_block();
        return;
    }
    now->running->state = UNUSED;
    now->resident--;
}

/* Starts a block, in the order of the launch. */
static void start_next(int cooperative)
{
    int has_ended;
    if (now->resident == 0)
        now->stacks.free_count = now->stacks.used = 0;
    const unsigned long long id =
        portable_in_order_(now->started, launch.blocks, launch.launches << 8 ^ 1);
    struct worker *const remote = worker_of(id, &has_ended);
    if (has_ended) {
        now->started++;
        return;
    }
    struct block *const block = new_block(id, cooperative);
    if (!block ||
        (!cooperative && !stacks_reserve((size_t)(now->resident + 1) * emulate.threads))) {
        now->failed = 1;
        out_of_memory("the threads of several blocks");
        return;
    }
    now->started++;
    now->resident++;
    block->remote = remote;
    if (remote) {
        run_remote(block);
        return;
    }
    start_block(block);
    run_block();
    suspend_or_end_block();
}

int portable_emulate_next_block_(void)
{
    unsigned long long next = now->started;
    if (!now->in_loop || now->prepared || now->failed || now->fault.number ||
        portable_launch_.status != PORTABLE_SUCCESS)
        return 0;
#if PORTABLE_WORKERS_
    if (launch.is_parallel) {
        if (!is_dealt(now->at + 1))
            return 0;
        move_to(next = now->at + 1);
    } else
#endif
        if (launch.is_cooperative || now->resident != 1 || next == launch.blocks)
        return 0;
    now->started = next + 1;
    now->running->id = next;
    start_block(now->running);
    forget_stall();
    threadIdx = make_uint3(0, 0, 0);
    portable_emulate_patience_ = PORTABLE_FIRST_PATIENCE_;
    return 1;
}

/* All blocks wait for the grid, or have ended. */
static void open_grid(void)
{
    if (now->resident < launch.blocks) {
        size_t waits = 0, left = 0;
        while (now->blocks[waits].state == UNUSED)
            waits++;
        while (now->blocks[left].state != UNUSED)
            left++;
        select_block(&now->blocks[waits]);
        report_block(0, emulate.threads,
                     "it waits for the grid, and %llu of %llu blocks have ended, the first of "
                     "them block %zu",
                     launch.blocks - now->resident, launch.blocks, left);
    }
    for (size_t k = 0; k < now->block_count; k++)
        if (now->blocks[k].state == AT_GRID_BARRIER)
            now->blocks[k].state = AFTER_GRID_BARRIER;
    emulate.launch_start = launch.reserved_until + 1;
}

/* Starts blocks as long as there is room, and then resumes those that yielded, or all, when they
 * wait for the grid. */
static void run_remaining(int cooperative)
{
    unsigned long long phase = 0;
    while (!now->failed) {
        int resumed = 0;
        if (now->started < launch.blocks && now->resident < launch.max_resident) {
            start_next(cooperative);
            continue;
        }
        for (size_t k = 0; k < now->block_count && !now->failed; k++) {
            struct block *const block =
                &now->blocks[cooperative
                                 ? portable_in_order_(k, launch.blocks,
                                                      launch.launches << 8 ^ phase << 32 ^ 1)
                                 : k];
            if (block->state != YIELDED && block->state != AFTER_GRID_BARRIER)
                continue;
            if (block->remote) {
                run_remote(block);
            } else {
                resume_block(block);
                suspend_or_end_block();
            }
            resumed = 1;
        }
        now->stall.rounds++;
        if (resumed && !is_deadlock())
            continue;
        if (now->resident == 0 || now->failed)
            break;
        open_grid();
        phase++;
    }
    for (size_t k = 0; k < now->block_count; k++) {
        free(now->blocks[k].saved_shared);
        free(now->blocks[k].saved_lanes);
        free(now->blocks[k].of_check);
        if (k > 0 && !cooperative)
            free_threads(now->blocks[k].threads, emulate.threads);
    }
}

static void run_blocks(int cooperative)
{
    now->started = now->resident = 0;
    now->block_count = 0;
    if (cooperative)
        emulate.launch_start = launch.reserved_until + 1;
    run_remaining(cooperative);
}

#endif
