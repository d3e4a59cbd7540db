/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches of kernels in CUDA C++, on portable.h's own: what portable_cuda/launch.h calls.
 */
#include "host/cudart/launch.h"
#include "host/cudart/module.h"
#include "host/cudart/protocol.h"
#include "host/emulate/emulate.h"

#include <signal.h> /* SIGBUS, SIGSEGV */

void portable_module_(const char *check, const void *address)
{
    char module[16];
    if (!emulate_check.name || strcmp(emulate_check.name, check) != 0)
        portable_module_refuse_(check, "", address);
    emulate_uses.modules++;
    emulate_uses.program |=
        strcmp(emulate_module(address, module, sizeof module), "the program") == 0;
}

__attribute__((constructor)) static void begin(void)
{
    emulate_uses.is_library = 1;
}

/* The extents and options of a launch that has not begun. */
struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    portable_stream stream;
    int cooperative;
    void **arguments; /* of cudaLaunchKernel, or NULL */
    const char *kernel;
    unsigned max_threads; /* of __launch_bounds__, or 0 */
    int waits;            /* it has been given, and not yet taken */
};
static __thread struct configuration next, running;

/* Set while a kernel is called for its name alone. */
static __thread int asks;

void portable_cuda_configure_(const dim3 *grid, const dim3 *block, size_t shared_bytes,
                              void *stream)
{
    const struct configuration given = {
        *grid, *block, shared_bytes, (portable_stream)stream, 0, NULL, NULL, 0, 1};
    next = given;
}

void portable_cuda_launch_function_(portable_function_ kernel, const dim3 *grid, const dim3 *block,
                                    void **arguments, size_t shared_bytes, void *stream,
                                    int cooperative)
{
    /* The kernel reads its parameters from where a call of any signature would put them, and then
     * takes the arguments instead. */
    struct room {
        char bytes[4096];
    } const room = {{0}};
    portable_cuda_configure_(grid, block, shared_bytes, stream);
    next.arguments = arguments;
    next.cooperative = cooperative;
    ((void (*)(struct room))kernel)(room);
}

void portable_cuda_ask_(portable_function_ kernel, const char **name, unsigned *max_threads)
{
    struct room {
        char bytes[4096];
    } const room = {{0}};
    asks = 1;
    running.kernel = NULL;
    ((void (*)(struct room))kernel)(room);
    asks = 0;
    *name = running.kernel;
    *max_threads = running.max_threads;
}

void **portable_cuda_arguments_(void)
{
    return next.arguments;
}

/* The bounds of a queued child are read after its parent's end: one variable for each number. */
static const unsigned *bounds_of(unsigned max_threads)
{
    static unsigned bounds[PORTABLE_BLOCK_LIMIT_ + 1];
    const unsigned index = max_threads <= PORTABLE_BLOCK_LIMIT_ ? max_threads : 0;
    bounds[index] = index;
    return &bounds[index];
}

static int open_launch(void)
{
    if (!portable_cuda_may_launch_(running.kernel, running.shared_bytes))
        return 0;
    if (portable_launch_open_(running.kernel, bounds_of(running.max_threads), running.grid,
                              running.block, running.shared_bytes, running.stream,
                              running.cooperative))
        return 1;
    portable_cuda_record_(portable_launch_refused_());
    return 0;
}

void portable_cuda_replay_(const char *kernel, unsigned max_threads, void (*run)(const void *body),
                           const dim3 *grid, const dim3 *block, size_t shared_bytes,
                           int cooperative, const void *body)
{
    const struct configuration given = {*grid, *block, shared_bytes, NULL, cooperative,
                                        NULL,  kernel, max_threads,  0};
    running = given;
    if (open_launch()) {
        run(body);
        portable_cuda_end_();
    }
}

enum portable_cuda_do_ portable_cuda_begin_(const char *kernel, unsigned max_threads)
{
    if (asks) {
        running.kernel = kernel;
        running.max_threads = max_threads;
        return PORTABLE_CUDA_REFUSED_;
    }
    running = next;
    running.kernel = kernel;
    running.max_threads = max_threads;
    next.waits = 0;
    next.arguments = NULL;
    if (!running.waits) {
        portable_fail_(PORTABLE_ERROR_INVALID_LAUNCH,
                       "kernel %s: called like a function: start it with <<<>>>", kernel);
        portable_cuda_record_(portable_launch_refused_());
        return PORTABLE_CUDA_REFUSED_;
    }
    if (emulate_running || portable_cuda_captures_(running.stream))
        return PORTABLE_CUDA_QUEUE_;
    return open_launch() ? PORTABLE_CUDA_RUN_ : PORTABLE_CUDA_REFUSED_;
}

void portable_cuda_end_(void)
{
    enum { ILLEGAL_ADDRESS = 700, HARDWARE_STACK_ERROR = 714 };
    const portable_status status = portable_launch_end_();
    if (emulate.fault.overflow)
        portable_cuda_reason_(HARDWARE_STACK_ERROR);
    else if (emulate.fault.number == SIGSEGV || emulate.fault.number == SIGBUS)
        portable_cuda_reason_(ILLEGAL_ADDRESS);
    portable_cuda_record_(status);
}

void portable_cuda_child_(void (*run)(const void *body), const void *body, size_t bytes)
{
    if (!emulate_running) { /* a graph's */
        portable_cuda_capture_launch_(running.stream, running.kernel, running.max_threads, run,
                                      &running.grid, &running.block, running.shared_bytes,
                                      running.cooperative, body, bytes);
        return;
    }
    portable_child_(running.kernel, bounds_of(running.max_threads), run, running.grid,
                    running.block, running.shared_bytes, body, bytes);
}

void *portable_cuda_dynamic_shared_(void)
{
    return portable_launch_.shared;
}

enum portable_cuda_space_ portable_cuda_space_(const void *address)
{
    const char *const at = (const char *)address;
    if (emulate.shared && at >= emulate.shared && at < emulate.shared + emulate.shared_bytes)
        return PORTABLE_CUDA_SHARED_;
    if (emulate_is_in(EMULATE_SHARED, at))
        return PORTABLE_CUDA_SHARED_;
    if (emulate_is_in(EMULATE_CONSTANT, at))
        return PORTABLE_CUDA_CONSTANT_;
    return at >= emulate.stacks && at < emulate.stacks + emulate.stacks_bytes
               ? PORTABLE_CUDA_STACK_
               : PORTABLE_CUDA_GLOBAL_;
}

void portable_cuda_fail_(int error, const char *sentence, const char *file, int line)
{
    char text[600];
    portable_cuda_reason_(error);
    snprintf(text, sizeof text, "%s, %s:%d", sentence, file, line);
    portable_emulate_stop_(PORTABLE_ERROR_DEVICE, text);
}
