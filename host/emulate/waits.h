/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: a running thread waits at a barrier, passes a fence, or copies. */
#ifndef PORTABLE_HOST_EMULATE_WAITS_H
#define PORTABLE_HOST_EMULATE_WAITS_H

#include "host/emulate/places.h"
#include "host/emulate/turns.h"

/* Records what the running thread waits for. */
static void begin_wait(enum state state, const char *name, const char *file, int line)
{
    struct thread *const thread = self();
    thread->state = state;
    thread->name = name;
    thread->file = file;
    thread->line = line;
    let_wait(now->thread / WARP_SIZE, 1u << now->thread % WARP_SIZE);
}

/* A barrier outside a kernel has no other thread to wait for. */
static void require_kernel(const char *name, const char *file, int line)
{
    if (emulate_running)
        return;
    fflush(stdout);
    fprintf(stderr,
            "%s:%d: %s outside of a kernel, or in one that was called like a function: "
            "start it with KERNEL_LAUNCH\n",
            shown(file), line, name);
    exit(EXIT_FAILURE);
}

void portable_emulate_sync_threads_(const char *name, const char *file, int line)
{
    portable_emulate_sync_count_(0, name, file, line);
}

int portable_emulate_sync_count_(int predicate, const char *name, const char *file, int line)
{
    require_kernel(name, file, line);
    begin_wait(AT_BLOCK, name, file, line);
    if (now->at_block++ == 0) {
        now->barrier_file = file;
        now->barrier_line = line;
    }
    now->differ |= file != now->barrier_file || line != now->barrier_line;
    now->counting += predicate != 0;
    self()->value = (unsigned long long)(predicate != 0);
    suspend();
    return now->count;
}

void portable_emulate_sync_grid_(const char *name, const char *file, int line)
{
    require_kernel(name, file, line);
    if (!portable_launch_.cooperative) {
        order_thread();
        if (portable_launch_.status == PORTABLE_SUCCESS)
            portable_launch_.status = portable_fail_(
                PORTABLE_ERROR_INVALID_LAUNCH,
                "kernel %s: SYNC_GRID needs KERNEL_LAUNCH_COOPERATIVE", emulate.kernel);
        return;
    }
    begin_wait(AT_GRID, name, file, line);
    now->at_grid++;
    suspend();
}

void portable_emulate_atomic_(int access)
{
    if (access && emulate_running && emulate_lockstep)
        emulate_step(__builtin_return_address(0));
    if (emulate_running && !launch.is_parallel) {
        emulate.access = (enum emulate_access)(access & 3);
        emulate.declares = access >> 2;
    }
}

unsigned portable_emulate_operation_(int does, const volatile void *address, unsigned bytes,
                                     unsigned long long integer, double real, double old_real)
{
    const struct emulate_operation operation = {
        does, (const char *)(uintptr_t)address, bytes, integer, real, old_real};
    unsigned number;
    if (!emulate_running || !emulate_check.operation)
        return 0;
    emulate_running = 0;
    number = emulate_check.operation(&operation, __builtin_return_address(0));
    emulate_running = 1;
    return number;
}

static void use_result(unsigned operation)
{
    if (!emulate_running || !emulate_check.result_used)
        return;
    emulate_running = 0;
    emulate_check.result_used(operation);
    emulate_running = 1;
}
#define RESULT(type, suffix)                                                                       \
    type portable_emulate_result_##suffix##_(type old, unsigned operation)                         \
    {                                                                                              \
        use_result(operation);                                                                     \
        return old;                                                                                \
    }
RESULT(int, int)
RESULT(unsigned, uint)
RESULT(long long, ll)
RESULT(unsigned long long, ull)
RESULT(float, float)
RESULT(double, double)
#undef RESULT

void portable_emulate_fence_(int of_block)
{
    if (!emulate_running)
        return;
    if (launch.is_parallel)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    now->running->communicates |= !of_block;
    if (!emulate_check.fence)
        return;
    emulate_running = 0;
    emulate_check.fence(of_block);
    emulate_running = 1;
}

int portable_emulate_cooperative_(void)
{
    return portable_launch_.cooperative;
}

void portable_emulate_copy_start_(void *to, const void *value, unsigned bytes)
{
    struct thread *const thread = self();
    struct portable_copy_ *copy;
    if (thread->copy_count == thread->copy_capacity) {
        const size_t capacity = thread->copy_capacity ? 2 * thread->copy_capacity : 16;
        void *const grown = realloc(thread->copies, capacity * sizeof *thread->copies);
        if (!grown)
            portable_emulate_stop_(PORTABLE_ERROR_OUT_OF_MEMORY,
                                   "no memory for its asynchronous copies");
        thread->copies = (struct portable_copy_ *)grown;
        thread->copy_capacity = capacity;
    }
    copy = &thread->copies[thread->copy_count++];
    copy->to = to;
    copy->bytes = bytes;
    copy->group = thread->groups;
    memcpy(copy->value, value, sizeof copy->value);
    if (emulate_check.pending) {
        emulate_running = 0;
        emulate_check.pending(to, bytes);
        emulate_running = 1;
    }
}

void portable_emulate_copy_commit_(void)
{
    self()->groups++;
}

int portable_emulate_copy_arrived_(unsigned groups, struct portable_copy_ *copy)
{
    struct thread *const thread = self();
    if (thread->arrived == thread->copy_count) {
        thread->arrived = thread->copy_count = 0;
        return 0;
    }
    *copy = thread->copies[thread->arrived];
    if (copy->group + groups >= thread->groups)
        return 0;
    thread->arrived++;
    return 1;
}

#endif
