/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches of kernels in CUDA C++, on portable.h's own: what portable_cuda/launch.h calls.
 */
#define _GNU_SOURCE /* strdup */
#include "portable.h"

#include "host/cudart/allocations.h"
#include "host/cudart/device.h"
#include "host/cudart/errors.h"
#include "host/cudart/late.h"
#include "host/cudart/launch.h"
#include "host/cudart/module.h"
#include "host/cudart/order.h"
#include "host/emulate/check.h"

#include <signal.h> /* SIGBUS, SIGSEGV */

enum {
    INVALID_VALUE = 1,
    MEMORY_ALLOCATION = 2,
    ILLEGAL_ADDRESS = 700,
    HARDWARE_STACK_ERROR = 714
}; /* cudaError_t */

void portable_module_(const char *check, const void *address)
{
    char module[16];
    if (!emulate_check.name || strcmp(emulate_check.name, check) != 0)
        portable_module_refuse_(check, address);
    emulate_uses.modules++;
    emulate_uses.program |=
        strcmp(emulate_module(address, module, sizeof module), "the program") == 0;
}

/* The bounds of a queued child are read after its parent's end: one variable for each number. */
static unsigned bounds[PORTABLE_BLOCK_LIMIT_ + 1];

static const unsigned *bounds_of(unsigned max_threads)
{
    return &bounds[max_threads <= PORTABLE_BLOCK_LIMIT_ ? max_threads : 0];
}

__attribute__((constructor)) static void begin(void)
{
    emulate_uses.is_library = 1;
    for (unsigned k = 0; k <= PORTABLE_BLOCK_LIMIT_; k++)
        bounds[k] = k;
}

static struct portable_cuda_settings_ *all_settings;

struct portable_cuda_settings_ *portable_cuda_settings_of_(const char *kernel, int make)
{
    portable_cuda_lock_();
    struct portable_cuda_settings_ *found = all_settings;
    while (found && strcmp(found->kernel, kernel) != 0)
        found = found->next;
    if (!found && make)
        found = (struct portable_cuda_settings_ *)calloc(1, sizeof *found);
    if (found && !found->kernel) {
        found->kernel = strdup(kernel); /* a module may be unloaded */
        if (!found->kernel) {
            free(found);
            portable_cuda_unlock_();
            return NULL;
        }
        found->shared_limit = SHARED_BYTES;
        found->carveout = -1;
        found->next = all_settings;
        all_settings = found;
    }
    portable_cuda_unlock_();
    return found;
}

int portable_cuda_raise_shared_(const char *kernel, size_t bytes)
{
    return portable_shared_limit_(kernel, bytes) == PORTABLE_SUCCESS;
}

/* 0 if an earlier kernel failed, or the kernel's own limit on dynamic shared memory is lower. */
static int check_launch(const char *kernel, size_t shared_bytes)
{
    const struct portable_cuda_settings_ *const settings = portable_cuda_settings_of_(kernel, 0);

    if (portable_cuda_has_failed_())
        return 0;
    if (settings && shared_bytes > __atomic_load_n(&settings->shared_limit, __ATOMIC_RELAXED)) {
        portable_cuda_error_(INVALID_VALUE);
        return 0;
    }
    return 1;
}

/* The extents and options of a launch that has not begun. */
struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    struct CUstream_st *stream;
    int cooperative;
    struct CUgraph_st *graph; /* that it becomes a node of, or NULL */
    void **arguments;         /* of cudaLaunchKernel, or NULL */
    const char *kernel;
    unsigned max_threads; /* of __launch_bounds__, or 0 */
    int is_pending;       /* its kernel has not been called */
    const void *caller;   /* for the check of the order of work, or NULL */
};
static __thread struct configuration next, running;

/* Set while a kernel is called for its name alone. */
static __thread int is_query;
static __thread int queried_capability;
static __thread const struct portable_cuda_parameter_ *queried_parameters;

void portable_cuda_configure_(const dim3 *grid, const dim3 *block, size_t shared_bytes,
                              void *stream)
{
    const int is_checked = ORDER && !portable_cuda_is_late_();
    const struct configuration given = {*grid,
                                        *block,
                                        shared_bytes,
                                        (struct CUstream_st *)stream,
                                        0,
                                        NULL,
                                        NULL,
                                        NULL,
                                        0,
                                        1,
                                        is_checked ? emulate_caller(NULL) : NULL};
    next = given;
}

/* Calls a kernel of which only the address is known. A kernel begins by portable_cuda_begin_, which
 * notes its name; then it returns, or takes the arguments of cudaLaunchKernel in place of its
 * parameters. Compilers may load parameters before that: wherever the ABI has those of any
 * signature, in registers or within 4096 bytes of the stack, CUDA's limit, are zeros to load. */
static void portable_cuda_call_(portable_function_ kernel)
{
    struct parameters {
        char bytes[4096];
    } const zeros = {{0}};
    ((void (*)(struct parameters))kernel)(zeros);
}

void portable_cuda_launch_function_(portable_function_ kernel, const dim3 *grid, const dim3 *block,
                                    void **arguments, size_t shared_bytes,
                                    struct CUstream_st *stream, int cooperative,
                                    struct CUgraph_st *graph)
{
    portable_cuda_configure_(grid, block, shared_bytes, stream);
    next.arguments = arguments;
    next.cooperative = cooperative;
    next.graph = graph;
    portable_cuda_call_(kernel);
}

void portable_cuda_query_(portable_function_ kernel, const char **name, unsigned *max_threads,
                          int *capability)
{
    is_query = 1;
    running.kernel = NULL;
    running.max_threads = 0;
    portable_cuda_call_(kernel);
    is_query = 0;
    *name = running.kernel;
    *max_threads = running.max_threads;
    *capability = queried_capability;
}

const struct portable_cuda_parameter_ *portable_cuda_parameters_(portable_function_ kernel)
{
    const char *name;
    unsigned max_threads;
    int capability;
    portable_cuda_query_(kernel, &name, &max_threads, &capability);
    return name ? queried_parameters : NULL;
}

void **portable_cuda_arguments_(const struct portable_cuda_parameter_ *parameters)
{
    if (is_query)
        queried_parameters = parameters;
    return next.arguments;
}

/* 0, with the error noted. */
static int portable_cuda_refuse_launch_(void)
{
    portable_cuda_record_(portable_launch_refused_());
    return 0;
}

/* Whether a launch that runs late may begin then. */
static int portable_cuda_check_configuration_(void)
{
    const struct portable_launch_ before = portable_launch_;
    if (!check_launch(running.kernel, running.shared_bytes))
        return 0;
    const int may = portable_launch_begin_(
        running.kernel, portable_max_threads_(bounds_of(running.max_threads)), running.grid,
        running.block, running.shared_bytes, NULL, running.cooperative);
    portable_launch_ = before;
    return may || portable_cuda_refuse_launch_();
}

static int portable_cuda_open_launch_(void)
{
    if (!check_launch(running.kernel, running.shared_bytes))
        return 0;
    if (portable_launch_open_(running.kernel, bounds_of(running.max_threads), running.grid,
                              running.block, running.shared_bytes, (portable_stream)running.stream,
                              running.cooperative)) {
        portable_cuda_launching_();
        portable_cuda_begin_kernel_(running.stream, running.kernel, running.caller);
        return 1;
    }
    return portable_cuda_refuse_launch_();
}

static void portable_cuda_run_kernel_(const struct portable_cuda_kernel_ *kernel,
                                      struct CUstream_st *stream)
{
    const struct configuration given = {kernel->grid,
                                        kernel->block,
                                        kernel->shared_bytes,
                                        stream,
                                        kernel->cooperative,
                                        NULL,
                                        NULL,
                                        kernel->name,
                                        kernel->max_threads,
                                        0,
                                        NULL};
    running = given;
    if (portable_cuda_open_launch_()) {
        kernel->run(kernel->body);
        portable_cuda_end_();
    }
}

static void portable_cuda_run_kernel_late_(void *data)
{
    const struct portable_cuda_kernel_ *const kernel = (const struct portable_cuda_kernel_ *)data;

    portable_cuda_run_kernel_(kernel, NULL);
    portable_aligned_free_(kernel->body);
}

/* With a copy of its arguments. */
static void portable_cuda_defer_kernel_(const struct portable_cuda_kernel_ *kernel,
                                        struct CUstream_st *stream)
{
    struct portable_cuda_kernel_ late = *kernel;

    late.body = portable_aligned_(16, kernel->bytes + 1);
    if (!late.body) {
        portable_cuda_error_(MEMORY_ALLOCATION);
        return;
    }
    memcpy(late.body, kernel->body, kernel->bytes);
    portable_cuda_defer_(stream, EMULATE_KERNEL, kernel->name, portable_cuda_run_kernel_late_,
                         &late, sizeof late);
}

void portable_cuda_replay_(const struct portable_cuda_kernel_ *kernel, struct CUstream_st *stream)
{
    if (portable_cuda_is_late_())
        portable_cuda_defer_kernel_(kernel, stream);
    else
        portable_cuda_run_kernel_(kernel, stream);
}

enum portable_cuda_action_ portable_cuda_begin_(const char *kernel, unsigned max_threads,
                                                int capability)
{
    if (is_query) {
        running.kernel = kernel;
        running.max_threads = max_threads;
        queried_capability = capability;
        return PORTABLE_CUDA_REFUSED_;
    }
    running = next;
    running.kernel = kernel;
    running.max_threads = max_threads;
    next.is_pending = 0;
    next.arguments = NULL;
    if (!running.is_pending) {
        portable_fail_(PORTABLE_ERROR_INVALID_LAUNCH,
                       "kernel %s: called like a function: start it with <<<>>>", kernel);
        portable_cuda_record_(portable_launch_refused_());
        return PORTABLE_CUDA_REFUSED_;
    }
    if (!emulate_running && !running.graph)
        running.graph = portable_cuda_capture_of_(running.stream);
    if (emulate_running || running.graph)
        return PORTABLE_CUDA_QUEUE_;
    if (portable_cuda_is_late_())
        return portable_cuda_check_configuration_() ? PORTABLE_CUDA_QUEUE_ : PORTABLE_CUDA_REFUSED_;
    return portable_cuda_open_launch_() ? PORTABLE_CUDA_RUN_ : PORTABLE_CUDA_REFUSED_;
}

void portable_cuda_end_(void)
{
    const portable_status status = portable_launch_end_();
    portable_cuda_end_work_();
    if (emulate_fault.overflow)
        portable_cuda_kernel_error_(HARDWARE_STACK_ERROR);
    else if (emulate_fault.number == SIGSEGV || emulate_fault.number == SIGBUS)
        portable_cuda_kernel_error_(ILLEGAL_ADDRESS);
    portable_cuda_record_(status);
}

void portable_cuda_child_(void (*run)(const void *body), const void *body, size_t bytes)
{
    if (!emulate_running) {
        const struct portable_cuda_kernel_ node = {running.kernel,
                                                   running.max_threads,
                                                   run,
                                                   running.grid,
                                                   running.block,
                                                   running.shared_bytes,
                                                   running.cooperative,
                                                   (void *)(size_t)body,
                                                   bytes,
                                                   NULL,
                                                   running.caller};
        if (running.graph)
            portable_cuda_capture_launch_(running.graph, &node);
        else
            portable_cuda_defer_kernel_(&node, running.stream);
        return;
    }
    portable_emulate_order_(NULL);
    portable_child_(running.kernel, bounds_of(running.max_threads), run, running.grid,
                    running.block, running.shared_bytes, body, bytes);
    emulate_collect_children();
}

void *portable_cuda_dynamic_shared_(void)
{
    return portable_launch_.shared;
}

enum portable_cuda_space_ portable_cuda_space_(const void *address)
{
    const char *const at = (const char *)address;
    if (emulate_is_shared(at))
        return PORTABLE_CUDA_SHARED_;
    if (emulate_is_in(EMULATE_CONSTANT, at))
        return PORTABLE_CUDA_CONSTANT_;
    if (emulate_is_on_stack(at))
        return PORTABLE_CUDA_STACK_;
    return PORTABLE_CUDA_GLOBAL_;
}

char *portable_cuda_shared_address_(unsigned low)
{
    const struct emulate_range *ranges,
        dynamic = {(char *)portable_launch_.shared,
                   (char *)portable_launch_.shared + emulate.shared_bytes};
    const size_t count = emulate_shared_ranges(&ranges);
    char *nearest = NULL;
    unsigned least = ~0u;
    for (size_t k = 0; k <= count; k++) {
        const struct emulate_range *const range = k < count ? &ranges[k] : &dynamic;
        const unsigned offset = low - (unsigned)(uintptr_t)range->begin;
        const unsigned bytes = (unsigned)(range->end - range->begin);
        const unsigned after = offset - bytes, before = 0u - offset;
        const unsigned away = offset < bytes ? 0 : after < before ? after + 1 : before;
        if (range->begin && away <= least) {
            least = away;
            nearest = range->begin + (int)offset;
        }
    }
    return nearest ? nearest : (char *)(uintptr_t)low;
}

unsigned portable_cuda_carry_(unsigned carry)
{
    static __thread unsigned flag;
    const unsigned before = flag;
    flag = carry;
    return before;
}

void portable_cuda_fail_(int error, const char *sentence, const char *file, int line)
{
    char text[600];
    portable_emulate_order_(NULL);
    portable_cuda_kernel_error_(error);
    snprintf(text, sizeof text, "%s, %s:%d", sentence, file, line);
    portable_emulate_stop_(PORTABLE_ERROR_DEVICE, text);
}
