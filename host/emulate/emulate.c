/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scheduler of the emulate target. A launch runs its blocks one after another. Each thread of a
 * block runs the whole kernel on its own stack until it waits: for the block, for its warp or for
 * the grid. Then it switches to the next one. The scheduler passes over the block again and again,
 * and each pass resumes every thread that can run, warp by warp. When none can, it decides whether
 * all have reached a barrier, or whether some never will.
 *
 * A thread that iterates a loop many times may be waiting for another one's write: it yields. When
 * all threads of a block wait or have yielded without any progress, the block yields to others,
 * which start, or resume; until then a block runs to its end, or up to a barrier of the grid.
 *
 * A thread that ends leaves its stack to the next one, so a kernel without barriers runs on a
 * single stack, in the cache. Optimised CUDA C++ has a loop over the threads in the kernel itself,
 * and the scheduler learns of a thread when it first calls the runtime.
 *
 * The parts are headers, so that a program is linked with this file and objects.c alone, and so
 * that the compiler sees the whole scheduler at once. Each includes the parts that it calls:
 *
 *     launch         the running launch, its blocks and threads
 *     environment    ORDER, PORTABLE_BREAK, PORTABLE_STACK, PORTABLE_WARPS, PORTABLE_NOTICE
 *     stacks         a stack for each thread
 *     places         where threads wait, and the report of a divergence
 *     faults         signals
 *     intervals      the time of the checks
 *     shared_memory  that of a block, while others run
 *     turns          whose turn it is, and switches from thread to thread
 *     waits          a thread waits at a barrier, passes a fence, copies
 *     warps          exchanges between the lanes of a warp
 *     lockstep       lanes that are active together
 *     polls          a thread waits for a part of the block, for a word, or in a loop
 *     deadlock       the proof that threads poll without end
 *     threads        runs the threads of a block
 *     blocks         runs the blocks of a launch
 *     workers        what OS threads that run blocks wait for
 *     watch          reports a launch that does not end
 *     team           deals blocks to them
 *     limits         those of a GPU
 *     host_calls     calls of the host that the checks see
 */
#define _GNU_SOURCE /* dl_iterate_phdr, MAP_ANONYMOUS, sigaltstack, REG_RIP, CPU_COUNT */
#define PORTABLE_EMULATE_SCHEDULER_

#include "host/emulate/check.h"
#include "host/emulate/switch.h"
#include "host/emulate/thread_loop.h"
#include "portable.h"

struct emulate_state emulate;
__thread struct emulate_fault emulate_fault;
__thread int emulate_running, emulate_opens;
__thread const char *emulate_allocated_for;
struct emulate_check emulate_check __attribute__((weak));
PORTABLE_OF_WORKER_(uint3 threadIdx);
PORTABLE_OF_WORKER_(uint3 blockIdx);
dim3 blockDim = {1, 1, 1}, gridDim = {1, 1, 1}; /* never 0: a loop of such strides would not end */
PORTABLE_OF_WORKER_(int portable_emulate_patience_);
PORTABLE_OF_WORKER_(struct portable_thread_loop_ portable_thread_loop_);
int emulate_lockstep;

#include "host/emulate/blocks.h"
#include "host/emulate/deadlock.h"
#include "host/emulate/environment.h"
#include "host/emulate/faults.h"
#include "host/emulate/host_calls.h"
#include "host/emulate/intervals.h"
#include "host/emulate/launch.h"
#include "host/emulate/limits.h"
#include "host/emulate/lockstep.h"
#include "host/emulate/places.h"
#include "host/emulate/polls.h"
#include "host/emulate/shared_memory.h"
#include "host/emulate/stacks.h"
#include "host/emulate/team.h"
#include "host/emulate/threads.h"
#include "host/emulate/turns.h"
#include "host/emulate/waits.h"
#include "host/emulate/warps.h"
#include "host/emulate/watch.h"
#include "host/emulate/workers.h"

portable_function_ portable_emulate_prepare_(portable_function_ kernel, size_t stack_bytes)
{
    launch.kernel = kernel;
    launch.stack_bytes = stack_bytes;
    launch.is_loop = 0;
    return portable_emulate_capture_;
}

portable_function_ portable_emulate_prepare_loop_(portable_function_ kernel, size_t stack_bytes)
{
    portable_emulate_prepare_(kernel, stack_bytes);
    launch.is_loop = 1;
    return portable_emulate_capture_;
}

/* Describes the launch to the checks and to the kernel. */
static void describe_launch(const struct portable_launch_ *given)
{
    gridDim = DIM3(given->grid.x, given->grid.y, given->grid.z);
    blockDim = DIM3(given->block.x, given->block.y, given->block.z);
    emulate.kernel = given->kernel;
    emulate.code = (const void *)(uintptr_t)launch.kernel;
    emulate.grid[0] = gridDim.x;
    emulate.grid[1] = gridDim.y;
    emulate.grid[2] = gridDim.z;
    emulate.block[0] = blockDim.x;
    emulate.block[1] = blockDim.y;
    emulate.block[2] = blockDim.z;
    emulate.threads = blockDim.x * blockDim.y * blockDim.z;
    emulate.shared = now->shared = (char *)given->shared;
    emulate.shared_bytes = given->shared ? given->shared_bytes : 0;
    emulate.access = EMULATE_PLAIN;
    emulate.interleaved = 0;
    memset(&now->fault, 0, sizeof now->fault);
    memset(&emulate_fault, 0, sizeof emulate_fault);
}

/* Runs the captured call of a kernel. */
void portable_emulate_run_(const struct arguments *arguments)
{
    const struct portable_launch_ *const given = &portable_launch_;
    const unsigned long long blocks =
        (unsigned long long)given->grid.x * given->grid.y * given->grid.z;

    read_options();
    catch_faults();
    begin_watch();
    emulate_keep_ranges(1);
    find_variables();
    describe_launch(given);
    if (launch.reserved_until < emulate.interval)
        launch.reserved_until = emulate.interval;
    emulate.launch_start = emulate.block_start = emulate.interval = ++launch.reserved_until;
    began.count = 0;
    launch.blocks = blocks;
    launch.arguments = arguments;
    now->failed = now->stopped = 0;
    launch.launches++;
    emulate.caller = emulate_check.call ? emulate_caller(NULL) : NULL;
    now->in_loop = 0;
    launch.is_cooperative = given->cooperative;
    launch.is_checked = emulate_check.name != NULL;
    launch.is_permuted = portable_order_.kind == 'r' || portable_order_.kind == 's';
    launch.loops = launch.is_loop && (!launch.is_checked || emulate_check.allows_loops) &&
                   !launch.is_permuted && !emulate_lockstep && !options.stop;
    if (emulate_check.launch_begin)
        emulate_check.launch_begin();
    if ((!given->cooperative || stacks_suffice(blocks)) && arguments_fit() && variables_fit() &&
        reserve_threads(given->cooperative ? blocks * emulate.threads : emulate.threads)) {
        launch.max_resident = given->cooperative ? blocks : max_resident_blocks(blocks);
#if PORTABLE_WORKERS_
        launch.is_parallel = launch.loops && !launch.is_checked && !given->cooperative &&
                             blocks > 1 && options.threads > 1;
        if (launch.is_parallel)
            run_team();
        else
#endif
            run_blocks(given->cooperative);
    }
    if (now->fault.number)
        report_fault();
    for (size_t slot = 0; now->failed && emulate_check.abandoned && slot < now->stacks.used; slot++)
        emulate_check.abandoned(stack_bottom((unsigned)slot), options.stack);
    if (emulate_check.launch_end)
        emulate_check.launch_end();
    emulate_keep_ranges(0);
    end_watch();
    emulate.kernel = NULL;
}
