/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: the proof that threads poll without end. */
#ifndef PORTABLE_HOST_EMULATE_DEADLOCK_H
#define PORTABLE_HOST_EMULATE_DEADLOCK_H

#include "host/emulate/allocations.h"
#include "host/emulate/places.h"
#include "host/emulate/polls.h"
#include "host/emulate/shared_memory.h"

#include <dirent.h> /* opendir */
#include <link.h>   /* dl_iterate_phdr */

/* Adds the bytes to a hash. */
static uint64_t hash_bytes(uint64_t sum, const char *begin, const char *end)
{
    typedef uint64_t word __attribute__((may_alias, aligned(1)));
    for (; end - begin >= (ptrdiff_t)sizeof(word); begin += sizeof(word))
        sum = (sum ^ *(const word *)(const void *)begin) * 0x9e3779b97f4a7c15ULL + (sum >> 29);
    for (; begin < end; begin++)
        sum = (sum ^ (unsigned char)*begin) * 0x9e3779b97f4a7c15ULL + (sum >> 29);
    return sum;
}

/* Adds the static variables of the program and its libraries, except those that the runtime changes
 * while no thread makes progress. */
static int hash_variables(struct dl_phdr_info *module, size_t size, void *sum)
{
    const struct emulate_range own[] = {
        {(char *)&launch, (char *)(&launch + 1)},
        {(char *)&first_worker, (char *)(&first_worker + 1)},
        {(char *)&emulate, (char *)(&emulate + 1)},
#if PORTABLE_WORKERS_
        {(char *)&team, (char *)(&team + 1)},
#endif
        {(char *)&threadIdx, (char *)(&threadIdx + 1)},
        {(char *)&blockIdx, (char *)(&blockIdx + 1)},
        {(char *)&portable_emulate_patience_, (char *)(&portable_emulate_patience_ + 1)},
        {(char *)&portable_thread_loop_, (char *)(&portable_thread_loop_ + 1)},
        emulate_check.varies[0],
        emulate_check.varies[1]
    };
    (void)size;
    if (strncmp(module->dlpi_name, "/lib", 4) == 0 ||
        strncmp(module->dlpi_name, "/usr/lib", 8) == 0)
        return 0;
    for (int k = 0; k < module->dlpi_phnum; k++) {
        const char *at = (const char *)(module->dlpi_addr + module->dlpi_phdr[k].p_vaddr);
        const char *const end = at + module->dlpi_phdr[k].p_memsz;
        if (module->dlpi_phdr[k].p_type != PT_LOAD || !(module->dlpi_phdr[k].p_flags & PF_W))
            continue;
        while (at < end) {
            const char *stop = end, *next = end;
            for (size_t r = 0; r < sizeof own / sizeof own[0]; r++)
                if (own[r].end > at && own[r].begin < stop) {
                    stop = own[r].begin > at ? own[r].begin : at;
                    next = own[r].end < end ? own[r].end : end;
                }
            *(uint64_t *)sum = hash_bytes(*(uint64_t *)sum, at, stop);
            at = next;
        }
    }
    return 0;
}

/* Adds the shared memory of the block that the worker runs. */
static uint64_t hash_shared(uint64_t sum, const struct worker *worker)
{
    for (size_t k = 0; k < worker->shared_count; k++)
        sum = hash_bytes(sum, worker->shared_ranges[k].begin, worker->shared_ranges[k].end);
    return hash_bytes(sum, worker->shared, worker->shared + emulate.shared_bytes);
}

/* A hash of the memory that a kernel may read: allocated memory, static variables, shared memory.
 * The rest of the heap is left out. */
static uint64_t memory_hash(void)
{
    const size_t bytes = shared_bytes();
    uint64_t sum = 1;
    EMULATE_EACH_ALLOCATION(allocation)
    if (allocation->kind != PORTABLE_TEXTURE_)
        sum = hash_bytes(sum, allocation->base, allocation->base + allocation->bytes);
    dl_iterate_phdr(hash_variables, &sum);
    sum = hash_shared(sum, now);
    const struct worker *const of = lead();
    for (size_t b = 0; b < of->block_count; b++)
        if (of->blocks[b].state == YIELDED && of->blocks[b].remote)
            sum = hash_shared(sum, of->blocks[b].remote);
        else if (of->blocks[b].state == YIELDED)
            sum = hash_bytes(sum, of->blocks[b].saved_shared, of->blocks[b].saved_shared + bytes);
    return sum;
}

/* Whether the process has other OS threads, which may write what this one polls. */
static int has_other_threads(void)
{
    DIR *const tasks = opendir("/proc/self/task");
    const struct dirent *entry;
    int count = 0;
    while (tasks && (entry = readdir(tasks)) != NULL)
        count += entry->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return count > 1 + (int)other_workers();
}

/* After a round over all blocks that can run: whether their threads will poll without end. In this
 * round and the last all of them yielded in states that were not new. That cannot change if memory
 * does not change either, or if a counter of 32 bits in it would have wrapped
 * around. */
static int is_deadlock(void)
{
    enum { FIRST_CHECK = 1 << 18, STEP = 1 << 16, CHECKS = 3 };
    const unsigned long long max_iterations = 1ULL << 33;
    const struct worker *const of = lead();
    char text[1500];
    if (now->stall.next_check == 0) {
        now->stall.next_check = FIRST_CHECK;
        now->stall.step = STEP;
    }
    if (now->stall.iterations < now->stall.next_check || now->stall.rounds < 2 || now->failed)
        return 0;
    const uint64_t memory = memory_hash();
    now->stall.same_checks =
        now->stall.same_checks > 0 && memory == now->stall.memory ? now->stall.same_checks + 1 : 1;
    now->stall.memory = memory;
    if (now->stall.same_checks == 1 && now->stall.iterations > FIRST_CHECK)
        now->stall.step *= 2;
    now->stall.next_check = now->stall.iterations + now->stall.step;
    now->stall.rounds = 0;
    if ((now->stall.same_checks < CHECKS && now->stall.iterations < max_iterations) ||
        has_other_threads())
        return 0;
    snprintf(text, sizeof text, "deadlock: its threads wait for what none of them will do:");
    append_places(text, sizeof text, of->blocks, of->block_count, 0, emulate.threads, 0);
    if (of->started < launch.blocks)
        append(text, sizeof text,
               "\n    %llu of %llu blocks have not started: there is room for %llu at a time",
               launch.blocks - of->started, launch.blocks, launch.max_resident);
    report_divergence(text, 1);
    return 1;
}

/* All threads that could run yielded: resumes them, or has the block yield. Returns 0 if nothing
 * polls, or if that is a deadlock. */
static int poll_again(void)
{
    enum { MANY = 16, VERY_MANY = 1 << 12 };
    int polls = 0, idle = 1;
    if (is_abandoned()) {
        now->failed = 1;
        return 0;
    }
    for (unsigned t = 0; t < emulate.threads; t++)
        if (now->block[t].state == AT_POLL) {
            polls = 1;
            idle &= now->block[t].idle;
        }
    if (!polls)
        return 0;
    now->stalled_passes++;
    /* Threads that do not wait for others change their own state, perhaps for long. */
    const int is_long =
        now->stalled_passes >= MANY &&
        (!launch.loops || now->running->communicates || now->stalled_passes >= VERY_MANY);
    if (idle || is_long) {
        const int was_head = is_head();
        if (!wait_for_head()) {
            now->failed = 1;
            return 0;
        }
        if (!was_head) /* earlier blocks may have changed what they poll */
            return release_polls();
    }
    const int others = others_could_run();
    now->yields = (idle || is_long) && others;
    if (!others) {
        now->stall.rounds++;
        if (is_deadlock())
            return 0;
    }
    return now->yields || release_polls();
}

#endif
