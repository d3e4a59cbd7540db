/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: threads that wait for a part of the block, for a word, or in a loop. */
#ifndef PORTABLE_HOST_EMULATE_POLLS_H
#define PORTABLE_HOST_EMULATE_POLLS_H

#include "host/emulate/intervals.h"
#include "host/emulate/waits.h"

/* Iterations of loops that may wait for others before a thread yields again. */
enum { LATER_PATIENCE = 1 << 10 };

void portable_emulate_sync_part_(unsigned first, unsigned count, const void *passed,
                                 const char *name, const char *file, int line)
{
    require_kernel(name, file, line);
    struct thread *const thread = self();
    thread->operand = first;
    thread->mask = count;
    thread->result = (uintptr_t)passed;
    begin_wait(AT_PART, name, file, line);
    now->elsewhere++;
    suspend();
}

const void *portable_emulate_passed_(unsigned thread)
{
    return thread < emulate.threads ? (const void *)(uintptr_t)now->block[thread].result : NULL;
}

static void yield(int iterations, const char *name, const char *file, int line)
{
    self()->iterations = iterations;
    begin_wait(AT_POLL, name, file, line);
    now->elsewhere++;
    suspend();
}

void portable_emulate_wait_(const unsigned long long *word, unsigned long long value,
                            const char *name, const char *file, int line)
{
    require_kernel(name, file, line);
    struct thread *const thread = self();
    now->running->communicates = 1;
    if (!word) {
        yield(1, name, file, line);
        return;
    }
    if (*word != value)
        return;
    thread->result = (uintptr_t)word;
    thread->value = value;
    begin_wait(AT_WORD, name, file, line);
    now->elsewhere++;
    suspend();
}

void portable_emulate_sync_named_(unsigned number, unsigned threads, int waits, const char *name,
                                  const char *file, int line)
{
    require_kernel(name, file, line);
    self();
    if (number >= 16 || threads == 0 || threads % WARP_SIZE != 0 || number >= emulate.threads)
        portable_emulate_stop_(PORTABLE_ERROR_DEVICE,
                               "a barrier has a number below 16, and a multiple of 32 threads");
    struct thread *const barrier = &now->block[number];
    if (++barrier->came >= threads) {
        portable_emulate_phase_();
        barrier->came = 0;
        barrier->passed++;
    } else if (waits) {
        portable_emulate_wait_(&barrier->passed, barrier->passed, name, file, line);
    }
}

void portable_emulate_poll_(const char *file, int line)
{
    if (!emulate_running) { /* a function of the host and the device */
        portable_emulate_patience_ = PORTABLE_FIRST_PATIENCE_;
        return;
    }
    self();
    /* Not always after the same number, in case another thread's work has that period. */
    portable_emulate_patience_ =
        LATER_PATIENCE - (int)((now->running->passes * 37 + now->thread * 11) % 128);
    yield(LATER_PATIENCE, "a loop", file, line);
}

void portable_emulate_spin_(const void *address)
{
    if (!emulate_running || portable_thread_loop_.is_split)
        return;
    self();
    if (now->spins.address != address || now->spins.thread != now->thread) {
        now->spins.address = address;
        now->spins.thread = now->thread;
        now->spins.times = 0;
    }
    /* Code that is not translated has no loops that count. */
    if (++now->spins.times % PORTABLE_SPINS_ == 0 && portable_emulate_patience_ == 0)
        yield(PORTABLE_SPINS_, "an atomic", "", 0);
    else if (now->spins.times % PORTABLE_SPINS_ == 0)
        portable_emulate_patience_ = 0;
}

void portable_emulate_clock_(void)
{
    if (!emulate_running)
        return;
    self()->reads_clock = 1;
    emulate.reads_clock = 1;
}

static void make_ready(struct thread *thread)
{
    const unsigned t = (unsigned)(thread - now->block);
    thread->state = READY;
    now->elsewhere--;
    let_run(t / WARP_SIZE, 1u << t % WARP_SIZE);
}

/* Resumes the threads of a part if it is complete, as thread t sees it. */
static int release_part(unsigned t)
{
    const unsigned begin = now->block[t].operand, count = now->block[t].mask;
    const unsigned end = count < emulate.threads - begin ? begin + count : emulate.threads;
    for (unsigned other = begin; other < end; other++)
        if (now->block[other].state != ENDED &&
            (now->block[other].state != AT_PART || now->block[other].mask != count))
            return 0;
    for (unsigned other = begin; other < end; other++)
        if (now->block[other].state == AT_PART)
            make_ready(&now->block[other]);
    return 1;
}

/* Resumes the threads of complete parts, and those whose word has changed. Returns 0 if there are
 * none. */
static int release_complete(void)
{
    int parts = 0, words = 0;
    for (unsigned t = 0; t < emulate.threads; t++) {
        struct thread *const thread = &now->block[t];
        if (thread->state == AT_PART && (t == 0 || now->block[t - 1].state != AT_PART ||
                                         now->block[t - 1].operand != thread->operand)) {
            parts += release_part(t);
        } else if (thread->state == AT_WORD &&
                   *(const volatile unsigned long long *)(uintptr_t)thread->result !=
                       thread->value) {
            make_ready(thread);
            words++;
        }
    }
    if (parts > 0)
        portable_emulate_phase_();
    return parts + words > 0;
}

/* Resumes the threads that yielded. Returns 0 if there are none. */
static int release_polls(void)
{
    int released = 0;
    for (unsigned t = 0; t < emulate.threads; t++)
        if (now->block[t].state == AT_POLL) {
            make_ready(&now->block[t]);
            released = 1;
        }
    return released;
}

/* Whether another block could run: one that yielded, or that has not started. */
static int others_could_run(void)
{
    const struct worker *const of = lead();
    for (size_t k = 0; k < of->block_count; k++)
        if (of->blocks[k].state == YIELDED || of->blocks[k].state == AFTER_GRID_BARRIER)
            return 1;
    return of->started < launch.blocks && of->resident < launch.max_resident;
}

#endif
