/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scheduler of the emulate target. A launch runs its blocks one after another. Each thread of a
 * block runs the whole kernel on its own stack until it waits: for the block, for its warp or for
 * the grid. The scheduler passes over the block again and again, and each pass resumes every thread
 * that can run. When none can, it decides whether all have reached a barrier, or whether some never
 * will.
 *
 * A thread that goes around a loop many times may wait for another one's write: it gives way. When
 * all threads of a block wait or have given way to no avail, the block gives way to others, which
 * start, or resume; until then a block runs to its end, or up to a barrier of the grid.
 *
 * A thread that ends without having waited leaves its stack to the next one, so a kernel without
 * barriers runs on a single stack, in the cache.
 */
#define _GNU_SOURCE /* dl_iterate_phdr, MAP_ANONYMOUS, sigaltstack */
#define PORTABLE_EMULATE_SCHEDULER_

#include "host/emulate/allocations.h"
#include "host/emulate/emulate.h"
#include "host/emulate/switch.h"
#include "portable.h"

#include <dirent.h>   /* opendir */
#include <link.h>     /* dl_iterate_phdr */
#include <signal.h>   /* sigaction, sigaltstack */
#include <stdarg.h>   /* va_list */
#include <sys/mman.h> /* mmap, mprotect */
#include <ucontext.h> /* ucontext_t */
#include <unistd.h>   /* sysconf, write */

struct emulate_uses emulate_uses;
struct emulate_state emulate;
__thread int emulate_running;
struct emulate_check emulate_check __attribute__((weak));
uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;
int portable_emulate_patience_;
int emulate_lockstep;

/* Times that a thread goes around loops that may wait for others before it first gives way, and
 * later: a kernel that does not wait mostly ends before, and leaves its stack to the next one. */
enum { FIRST_PATIENCE = 1 << 14, LATER_PATIENCE = 1 << 10 };

enum state {
    FRESH,
    READY,
    AT_BLOCK,
    AT_WARP,
    AT_GRID,
    ENDED,
    AT_ACTIVE,
    AT_PART,
    AT_WORD,
    AT_POLL
};

/* The loops that a thread is in, from the outermost, for lockstep. Those beyond the most are not
 * told apart. */
enum { MOST_LOOPS = 32 };
struct loops {
    unsigned count;
    struct {
        int line;
        unsigned iterations;
    } of[MOST_LOOPS];
};

struct thread {
    void *stopped; /* while suspended: the lowest used byte of its stack */
    unsigned slot; /* of its stack */
    enum state state;
    /* Where it waits. */
    const char *name, *file;
    int line;
    /* Its operand of a warp operation, and the result. */
    enum portable_exchange_ kind;
    unsigned mask, width, operand;
    unsigned long long value, result;
    /* AT_ACTIVE: value identifies the place, operand is its depth in the stack, result its address.
     * AT_PART: mask threads from operand; result: the address that this one passes. AT_WORD:
     * result: the word's address, and the value. AT_POLL: it gave way. */
    int patience;        /* while suspended: portable_emulate_patience_ */
    int turns;           /* around the loop before it gave way */
    int reads_clock;     /* it has read a clock since it last gave way */
    int idle;            /* its state when it gave way was one of `states` */
    uint64_t states[4];  /* its private state, the latest times that it gave way */
    struct loops *loops; /* owned, or NULL */
    void *fake_stack;    /* the address sanitizer's */
    /* Asynchronous copies that have not arrived, in the order of their starts, from `arrived` on;
     * `groups` have been committed. */
    struct portable_copy_ *copies;
    size_t copy_count, copy_capacity, arrived;
    unsigned groups;
};

/* A block that has started and not ended: a cooperative launch has one for each block, others for
 * the running block and those that gave way. */
enum block_state { UNUSED, RUNS, GAVE_WAY, AT_GRID_BARRIER, AFTER_GRID_BARRIER };
struct block {
    unsigned long long id;
    struct thread *threads; /* owned, except in a cooperative launch and the first */
    enum block_state state;
    unsigned long long passes; /* over it, since it started or passed a barrier of the grid */
    uint32_t restarts;         /* of the count of intervals, before it last got new ones */
    char *aside;               /* its shared memory, while others run; owned */
    char *lanes;               /* of its ragged warps: emulate.lane_syncs and lane_knows; owned */
    void *of_check; /* what the check keeps of it: emulate_check.block_leave; owned by the check */
    uint32_t start, interval, last; /* the first interval, the present one, the last reserved */
    uint32_t ragged, warp_syncs[32];
};

/* The running launch: one at a time, whichever host thread launches it. */
static struct {
    portable_function_ kernel;
    size_t stack_bytes; /* of the arguments */
    const struct arguments *arguments;
    void *scheduler; /* the host's stack, while a thread runs */
    void *scheduler_fake_stack;
    struct thread *threads; /* of the first block; of all blocks of a cooperative launch */
    size_t capacity;
    struct block *blocks;
    size_t block_count, block_capacity; /* used so far in this launch */
    struct block *running;
    unsigned long long resident, started, of_launch; /* blocks; of_launch: all */
    unsigned long long most_resident;
    uint32_t restarts;                                 /* of the count of intervals */
    int gives_way;                                     /* the running block */
    unsigned vain_passes;                              /* over it, since it last resumed */
    struct thread *block;                              /* of the running block */
    unsigned ready, ended, at_block, at_warp, at_grid; /* their numbers in the running block */
    /* For each warp, a bit for each lane that waits at a warp operation, or that has ended. */
    unsigned warp_waits[PORTABLE_BLOCK_LIMIT_ / WARP_SIZE];
    unsigned warp_ended[PORTABLE_BLOCK_LIMIT_ / WARP_SIZE];
    unsigned elsewhere;          /* threads AT_ACTIVE, AT_PART, AT_WORD or AT_POLL */
    unsigned long long releases; /* of lanes AT_ACTIVE */
    int count;                   /* of nonzero predicates, at the block's last barrier */
    int failed;
    int stopped; /* by portable_emulate_stop_ */
    unsigned long long launches;
    uint32_t reserved_until; /* the last interval that any block has, or has reserved */
} now;

/* The latest atomics in vain: of one thread, at one address, in a row. */
static struct {
    const void *address;
    unsigned thread, times;
} spins;

/* Counts since a thread last made progress: did anything but wait, or give way in the same
 * state. */
static struct {
    unsigned long long turns, rounds; /* around loops; over all blocks that can run */
    unsigned long long next_look, step;
    uint64_t memory; /* at the last look */
    int same_looks;  /* in a row with that memory */
} vain;

/* ---- options from the environment ---- */

static struct {
    int read;
    int stop; /* PORTABLE_BREAK is set */
    unsigned long long stop_block;
    unsigned stop_thread;
    size_t stack; /* bytes of a thread's stack */
} options;

static void read_options(void)
{
    const char *const stop = getenv("PORTABLE_BREAK"), *const stack = getenv("PORTABLE_STACK");
    const char *const warps = getenv("PORTABLE_WARPS");
    const char *at;
    unsigned long long number = 0;

    if (options.read)
        return;
    options.read = 1;
    portable_order_read_();
    if (stop && stop[0]) {
        at = stop;
        options.stop = portable_number_(&at, ~0ULL, &options.stop_block) && *at++ == ',' &&
                       portable_number_(&at, PORTABLE_BLOCK_LIMIT_ - 1, &number) && !*at;
        if (!options.stop)
            portable_bad_value_(
                "PORTABLE_BREAK", stop,
                "must be BLOCK,THREAD: the linear numbers of a block and of a thread in it");
        options.stop_thread = (unsigned)number;
    }
    if (warps && strcmp(warps, "independent") == 0)
        emulate_lockstep = 0;
    else if (warps && warps[0] && strcmp(warps, "lockstep") != 0)
        portable_bad_value_("PORTABLE_WARPS", warps, "must be lockstep or independent");
    else if (warps && warps[0] && !emulate_lockstep)
        portable_bad_value_("PORTABLE_WARPS", warps,
                            "must be independent in a program built without portable-nvcc "
                            "--warps=lockstep");
    options.stack = 256 << 10;
    if (stack && stack[0]) {
        at = stack;
        if (!portable_number_(&at, 1 << 20, &number) || *at || number < 16)
            portable_bad_value_("PORTABLE_STACK", stack,
                                "must be the KiB of a thread's stack, 16 to 1048576");
        options.stack = (size_t)number << 10;
    }
}

/* ---- stacks ---- */

/* Linux limits a process to about 65530 mappings, and each stack takes two: itself and its guard
 * page. */
enum { MOST_STACKS = 30000 };
static struct {
    char *base;
    size_t most;    /* as many as there is address space for */
    size_t slots;   /* that may be used */
    size_t guarded; /* the first of them, with a guard page */
    size_t stride;
    unsigned *free; /* unused slots, the latest freed at the end */
    size_t free_count, used;
} stacks;

/* Kept, because each simulated thread asks for it. */
static size_t guard_bytes(void)
{
    static size_t page;
    if (page == 0)
        page = (size_t)sysconf(_SC_PAGESIZE);
    return page;
}

/* Makes room for that number of stacks; those in use stay where they are. Pages take memory when
 * they are first written. */
static int stacks_reserve(size_t slots)
{
    const size_t stride = options.stack + guard_bytes();
    if (slots <= stacks.slots)
        return 1;
    if (!stacks.base) {
        /* A process may have less address space than for the most. */
        for (stacks.most = MOST_STACKS; stacks.most >= slots; stacks.most = slots) {
            void *const base = mmap(NULL, stacks.most * stride, PROT_NONE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            stacks.base = base == MAP_FAILED ? NULL : (char *)base;
            if (stacks.base || stacks.most == slots)
                break;
        }
        stacks.free = (unsigned *)malloc(stacks.most * sizeof *stacks.free);
        if (!stacks.base || !stacks.free)
            return 0;
        stacks.stride = stride;
    }
    if (slots > stacks.most ||
        mprotect(stacks.base + stacks.slots * stride, (slots - stacks.slots) * stride,
                 PROT_READ | PROT_WRITE) != 0)
        return 0;
    stacks.slots = slots;
    emulate.stacks = stacks.base;
    emulate.stacks_bytes = slots * stride;
    return 1;
}

/* Returns a slot, or the number of slots if the system gives no more guard pages. */
static size_t stack_take(void)
{
    if (stacks.free_count > 0)
        return stacks.free[--stacks.free_count];
    const size_t slot = stacks.used;
    if (slot >= stacks.guarded) {
        if (mprotect(stacks.base + slot * stacks.stride, guard_bytes(), PROT_NONE) != 0)
            return stacks.slots;
        stacks.guarded = slot + 1;
    }
    stacks.used++;
    return slot;
}
static void stack_give(unsigned slot)
{
    stacks.free[stacks.free_count++] = slot;
}
static char *stack_bottom(unsigned slot)
{
    return stacks.base + slot * stacks.stride + guard_bytes();
}

/* Where the stack of a slot begins, at its upper end: staggered, so that the tops of the stacks do
 * not share one cache set. */
static char *stack_top(unsigned slot)
{
    return stack_bottom(slot) + options.stack - slot % 32 * 128;
}

/* ---- faults ---- */

enum { FAULTS = 3 };
static struct sigaction previous_fault[FAULTS];
static const int faults[FAULTS] = {SIGSEGV, SIGBUS, SIGFPE};

char *emulate_where(char *text, size_t size, unsigned long long block_id, unsigned thread)
{
    const unsigned long long row = block_id / (emulate.grid[0] ? emulate.grid[0] : 1);
    const unsigned *const grid = emulate.grid, *const block = emulate.block;
    const unsigned line = thread / (block[0] ? block[0] : 1);
    snprintf(text, size, "block (%llu, %llu, %llu), thread (%u, %u, %u)",
             grid[0] ? block_id % grid[0] : 0, grid[1] ? row % grid[1] : 0,
             grid[1] ? row / grid[1] : 0, block[0] ? thread % block[0] : 0,
             block[1] ? line % block[1] : 0, block[1] ? line / block[1] : 0);
    return text;
}

/* The registers of an interrupted thread. */
#if defined(__x86_64__)
#define REGISTERS_PC(context) (context)->uc_mcontext.gregs[REG_RIP]
#define REGISTERS_SP(context) (context)->uc_mcontext.gregs[REG_RSP]
#define REGISTERS_FP(context) (context)->uc_mcontext.gregs[REG_RBP]
enum { CALL_BYTES = 8 }; /* what a call leaves on the stack */
#else
#define REGISTERS_PC(context) (context)->uc_mcontext.pc
#define REGISTERS_SP(context) (context)->uc_mcontext.sp
#define REGISTERS_FP(context) (context)->uc_mcontext.regs[29]
enum { CALL_BYTES = 0 };
#endif

/* Whether it is in the program or a library that calls the runtime, or in the runtime. */
static int is_code(const void *address)
{
    return emulate_is_in(EMULATE_CODE, address);
}

/* The stack of the running thread. */
static int on_its_stack(const char *address, size_t bytes)
{
    const char *const bottom = stack_bottom(now.block[emulate.thread].slot);
    return address >= bottom && address + bytes <= bottom + options.stack;
}

/* Notes the return addresses at a fault. Returns 1 if the launch can be ended there: in code of the
 * program's kind, or in a function that was called from there and has saved nothing yet, such as
 * memcpy. Any other function of a library may hold a lock. */
static int note_frames(const ucontext_t *context)
{
    struct emulate_fault *const fault = &emulate.fault;
    const int capacity = (int)(sizeof fault->frames / sizeof fault->frames[0]);
    const char *const pc = (const char *)REGISTERS_PC(context);
    const void *caller = NULL;
    fault->frame_count = 0;
    if (is_code(pc)) {
        fault->frames[fault->frame_count++] = pc + 1;
    } else {
#if defined(__x86_64__)
        const char *const sp = (const char *)REGISTERS_SP(context);
        if (on_its_stack(sp, sizeof caller))
            caller = *(const void *const *)(const void *)sp;
#else
        caller = (const void *)context->uc_mcontext.regs[30];
#endif
        if (!is_code(caller))
            return 0;
        fault->frames[fault->frame_count++] = caller;
    }
    const char *frame = (const char *)REGISTERS_FP(context);
    while (fault->frame_count < capacity && (uintptr_t)frame % sizeof caller == 0 &&
           on_its_stack(frame, 2 * sizeof caller)) {
        const void *const *const words = (const void *const *)(const void *)frame;
        if (!is_code(words[1]))
            break;
        fault->frames[fault->frame_count++] = words[1];
        if ((const char *)words[0] <= frame)
            break;
        frame = (const char *)words[0];
    }
    return 1;
}

static void note_fault(int number, const siginfo_t *info, const ucontext_t *context)
{
    struct emulate_fault *const fault = &emulate.fault;
    const char *const at = (const char *)info->si_addr;
    const int on_guard = at >= stacks.base && at < stacks.base + stacks.slots * stacks.stride &&
                         (size_t)(at - stacks.base) % stacks.stride < guard_bytes();
    /* A large array may have jumped over the guard page. */
    const int below =
        (const char *)REGISTERS_SP(context) < stack_bottom(now.block[emulate.thread].slot);
    fault->number = number;
    fault->overflow = on_guard || (number != SIGFPE && below);
    fault->known = info->si_code != SI_KERNEL;
    fault->address = fault->known ? (char *)info->si_addr : NULL;
    fault->thread = emulate.thread;
    fault->writes = -1;
#if defined(__x86_64__)
    fault->writes = (context->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#endif
}

static char *fault_text(char *text, size_t size)
{
    const struct emulate_fault *const fault = &emulate.fault;
    char where[128], address[48] = "an address that no memory has";
    emulate_where(where, sizeof where, emulate.block_id, fault->thread);
    if (fault->known)
        snprintf(address, sizeof address, "address 0x%zx", (size_t)(uintptr_t)fault->address);
    if (fault->overflow)
        snprintf(text, size,
                 "stack overflow in %s: over %zu KiB; PORTABLE_STACK=%zu in the environment gives "
                 "each thread more",
                 where, options.stack >> 10, options.stack >> 8);
    else if (fault->number == SIGFPE)
        snprintf(text, size, "division by zero, or a quotient too large, in %s", where);
    else
        snprintf(text, size, "%s in %s: %s",
                 fault->number == SIGBUS ? "bus error" : "invalid access", where, address);
    return text;
}
/* A thread resumes here after a fault, at the top of its stack. */
static void end_by_fault(void)
{
    now.failed = !emulate_check.outlives;
    portable_emulate_ended_();
}

/* A fault of a kernel ends its launch. Any other is left to the previous handler, the kernel's too
 * if a library's function may hold a lock. */
static void on_fault(int number, siginfo_t *info, void *registers)
{
    ucontext_t *const context = (ucontext_t *)registers;
    const struct emulate_fault first = emulate.fault;
    const int is_kernels = emulate_running && now.block && info->si_code > 0;
    char text[500], line[700];
    int which = 0;
    if (is_kernels) {
        note_fault(number, info, context);
        if (note_frames(context)) {
            const unsigned slot = now.block[emulate.thread].slot;
            const uintptr_t top = (uintptr_t)stack_top(slot);
            if (first.number)
                emulate.fault = first;
            REGISTERS_PC(context) = (long long)(uintptr_t)end_by_fault;
            REGISTERS_SP(context) = (long long)(top - CALL_BYTES);
            return;
        }
        snprintf(line, sizeof line, "kernel %s: %s, in a function of a library\n", emulate.kernel,
                 fault_text(text, sizeof text));
        const ssize_t written = write(STDERR_FILENO, line, strlen(line));
        (void)written;
    }
    while (which < FAULTS - 1 && faults[which] != number)
        which++;
    sigaction(number, &previous_fault[which], NULL);
}

/* Fails the launch that a fault has ended. */
static void report_fault(void)
{
    char text[500], message[700];
    snprintf(message, sizeof message, "kernel %s: %s", emulate.kernel,
             fault_text(text, sizeof text));
    if (emulate_check.faulted)
        emulate_check.faulted(text);
    if (portable_launch_.status == PORTABLE_SUCCESS)
        portable_launch_.status = portable_fail_(PORTABLE_ERROR_DEVICE, "%s", message);
}

static void catch_faults(void)
{
    static char alternate[64 << 10];
    static int caught;
    struct sigaction action;
    stack_t stack;
    if (caught)
        return;
    caught = 1;
    memset(&stack, 0, sizeof stack);
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE)) {
        stack.ss_flags = 0;
        stack.ss_sp = alternate;
        stack.ss_size = sizeof alternate;
        sigaltstack(&stack, NULL);
    }
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int k = 0; k < FAULTS; k++)
        sigaction(faults[k], &action, &previous_fault[k]);
}

/* ---- divergence ---- */

static int same_place(const struct thread *a, const struct thread *b)
{
    if (a->state == ENDED || b->state == ENDED)
        return a->state == b->state;
    return a->state == b->state && a->line == b->line && strcmp(a->name, b->name) == 0 &&
           strcmp(a->file, b->file) == 0;
}

/* Appends to the text as much as fits. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size,
                                                         const char *format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

/* Appends where the threads [first, last) of the blocks are, one line for all at one place; those
 * that have ended are told too, if wanted. */
static void append_places(char *text, size_t size, const struct block *blocks, size_t block_count,
                          unsigned first, unsigned last, int with_ended)
{
    const struct thread *told[8];
    unsigned count = 0;
    char where[128];
    for (size_t b = 0; b < block_count; b++) {
        if (blocks[b].state == UNUSED)
            continue;
        for (unsigned t = first; t < last; t++) {
            const struct thread *const thread = &blocks[b].threads[t];
            unsigned known = 0, like = 0;
            while (known < count && !same_place(told[known], thread))
                known++;
            if (known < count || count == sizeof told / sizeof told[0] ||
                (thread->state == ENDED && !with_ended))
                continue;
            told[count++] = thread;
            for (size_t c = b; c < block_count; c++)
                for (unsigned other = c == b ? t + 1 : first; other < last; other++)
                    like +=
                        blocks[c].state != UNUSED && same_place(thread, &blocks[c].threads[other]);
            append(text, size, "\n    %s", emulate_where(where, sizeof where, blocks[b].id, t));
            if (like > 0)
                append(text, size, " and %u more", like);
            if (thread->state == ENDED)
                append(text, size, like > 0 ? " have ended" : " has ended");
            else if (thread->state == AT_POLL && thread->line > 0)
                append(text, size, " poll%s in %s at %s:%d", like > 0 ? "" : "s", thread->name,
                       thread->file, thread->line);
            else
                append(text, size, " wait%s at %s, %s:%d", like > 0 ? "" : "s", thread->name,
                       thread->file, thread->line);
        }
    }
}

static void tell_diverged(const char *text, int fails)
{
    if (emulate_check.diverged)
        emulate_check.diverged(text);
    if (!fails)
        return;
    now.failed = 1;
    if (portable_launch_.status == PORTABLE_SUCCESS)
        portable_launch_.status =
            portable_fail_(PORTABLE_ERROR_DIVERGED, "kernel %s: %s", emulate.kernel, text);
}

/* Reports a divergence in the running block: the sentence, then the places of threads [first,
 * last). A check gets the report; without one, the launch fails. */
static void diverged(const char *sentence, unsigned first, unsigned last)
{
    char text[1500];
    if (now.failed) /* reported already */
        return;
    snprintf(text, sizeof text, "%s", sentence);
    append_places(text, sizeof text, now.running, 1, first, last, 1);
    tell_diverged(text, !emulate_check.goes_on);
}

/* ---- the running thread ---- */

static struct thread *self(void)
{
    return &now.block[emulate.thread];
}

/* Suspends the running thread, which has recorded what it waits for, until the scheduler resumes
 * it. */
static void wait_there(void)
{
    struct thread *const thread = self();
    if (emulate_check.switch_begin)
        emulate_check.switch_begin(&thread->fake_stack, NULL, 0);
    thread->patience = portable_emulate_patience_;
    portable_emulate_switch_(&thread->stopped, now.scheduler);
    portable_emulate_patience_ = thread->patience;
    if (emulate_check.switch_end)
        emulate_check.switch_end(thread->fake_stack, NULL, NULL);
}

/* Called on a new stack, before the kernel. */
void portable_emulate_begun_(void)
{
    if (emulate_check.switch_end)
        emulate_check.switch_end(NULL, NULL, NULL);
}

static void note(enum state state, const char *name, const char *file, int line)
{
    struct thread *const thread = self();
    thread->state = state;
    thread->name = name;
    thread->file = file;
    thread->line = line;
    now.ready--;
}

/* A barrier outside a kernel has no other thread to wait for. */
static void needs_thread(const char *name, const char *file, int line)
{
    if (emulate_running)
        return;
    fflush(stdout);
    fprintf(stderr,
            "%s:%d: %s outside of a kernel, or in one that was called like a function: "
            "start it with KERNEL_LAUNCH\n",
            file, line, name);
    exit(EXIT_FAILURE);
}

void portable_emulate_sync_threads_(const char *name, const char *file, int line)
{
    portable_emulate_sync_count_(0, name, file, line);
}

int portable_emulate_sync_count_(int predicate, const char *name, const char *file, int line)
{
    needs_thread(name, file, line);
    note(AT_BLOCK, name, file, line);
    now.at_block++;
    self()->value = (unsigned long long)(predicate != 0);
    wait_there();
    return now.count;
}

void portable_emulate_sync_grid_(const char *name, const char *file, int line)
{
    needs_thread(name, file, line);
    if (!portable_launch_.cooperative) {
        if (portable_launch_.status == PORTABLE_SUCCESS)
            portable_launch_.status = portable_fail_(
                PORTABLE_ERROR_INVALID_LAUNCH,
                "kernel %s: SYNC_GRID needs KERNEL_LAUNCH_COOPERATIVE", emulate.kernel);
        return;
    }
    note(AT_GRID, name, file, line);
    now.at_grid++;
    wait_there();
}

void portable_emulate_atomic_(int access)
{
    if (access && emulate_running && emulate_lockstep)
        emulate_step(__builtin_return_address(0));
    if (emulate_running)
        emulate.access = (enum emulate_access)access;
}

void portable_emulate_fence_(int of_block)
{
    if (!emulate_running || !emulate_check.fence)
        return;
    emulate_running = 0;
    emulate_check.fence(of_block);
    emulate_running = 1;
}

/* ---- asynchronous copies ---- */

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

/* ---- warps ---- */

/* The lanes of a warp that exist and have not ended. */
static unsigned lanes_alive(unsigned warp)
{
    const unsigned beyond = emulate.threads - warp * WARP_SIZE;
    const unsigned exist = beyond < WARP_SIZE ? (1u << beyond) - 1 : ~0u;
    return exist & ~now.warp_ended[warp];
}

/* Those that thread t's warp operation waits for. */
static unsigned lanes_wanted(unsigned t)
{
    return now.block[t].mask & lanes_alive(t / WARP_SIZE);
}

/* The lane that a shuffle reads, or its own if the source is out of range. */
static unsigned lane_read(const struct thread *thread, unsigned lane)
{
    const unsigned width = thread->width, by = thread->operand % WARP_SIZE;
    const unsigned segment = lane / width * width, within = lane % width;
    switch (thread->kind) {
    case PORTABLE_EXCHANGE_SHUFFLE_: return segment + thread->operand % width;
    case PORTABLE_EXCHANGE_UP_: return within >= by ? lane - by : lane;
    case PORTABLE_EXCHANGE_DOWN_: return within + by < width ? lane + by : lane;
    case PORTABLE_EXCHANGE_XOR_: return (lane ^ by) < segment + width ? lane ^ by : lane;
    default: return lane;
    }
}

/* Gives each lane that arrived its result. */
static void exchange(unsigned first, unsigned came)
{
    unsigned votes = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        if (came >> lane & 1)
            votes |= (unsigned)(now.block[first + lane].value & 1) << lane;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        if (!(came >> lane & 1))
            continue;
        struct thread *const thread = &now.block[first + lane];
        const unsigned from = lane_read(thread, lane);
        switch (thread->kind) {
        case PORTABLE_EXCHANGE_SYNC_: break;
        case PORTABLE_EXCHANGE_BALLOT_:
            thread->result = (unsigned long long)came << 32 | votes;
            break;
        default:
            thread->result = came >> from & 1 ? now.block[first + from].value : ~0ULL;
            if (!(came >> from & 1) && first + from < emulate.threads) {
                char sentence[200], where[128];
                emulate_where(where, sizeof where, emulate.block_id, first + lane);
                snprintf(sentence, sizeof sentence,
                         "%s: %s reads lane %u, which does not take part", where, thread->name,
                         from);
                diverged(sentence, first + lane, first + lane + 1);
            }
        }
    }
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        if (came >> lane & 1)
            now.block[first + lane].state = READY;
    const unsigned count = (unsigned)__builtin_popcount(came);
    now.at_warp -= count;
    now.ready += count;
    now.warp_waits[first / WARP_SIZE] &= ~came;
}

/* Lanes pass a sync of a mask. Plain emulate keeps no account of accesses. */
static void pass_sync(unsigned warp, unsigned came, unsigned mask)
{
    emulate_sync(warp, came, mask, !emulate_check.name || came == lanes_alive(warp));
}

/* Completes the operation that thread t waits for, if all lanes have arrived. */
static int try_exchange(unsigned t)
{
    const unsigned first = t / WARP_SIZE * WARP_SIZE, wanted = lanes_wanted(t);
    const struct thread *const thread = &now.block[t];
    if ((wanted & ~now.warp_waits[first / WARP_SIZE]) ||
        !(wanted >> (t - first) & 1)) /* a lane outside its own mask waits forever */
        return 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        const struct thread *const other = &now.block[first + lane];
        if ((wanted >> lane & 1) && (other->kind != thread->kind || other->mask != thread->mask))
            return 0;
    }
    if (thread->kind == PORTABLE_EXCHANGE_SYNC_)
        pass_sync(first / WARP_SIZE, wanted, thread->mask);
    emulate_tick();
    exchange(first, wanted);
    return 1;
}

unsigned long long portable_emulate_exchange_(enum portable_exchange_ kind, unsigned mask,
                                              unsigned width, unsigned long long value,
                                              unsigned operand, const char *name, const char *file,
                                              int line)
{
    needs_thread(name, file, line);
    struct thread *const thread = self();
    thread->kind = kind;
    thread->mask = mask;
    thread->width = width == 0 || width > WARP_SIZE ? WARP_SIZE : width;
    thread->value = value;
    thread->operand = operand;
    note(AT_WARP, name, file, line);
    now.at_warp++;
    now.warp_waits[emulate.thread / WARP_SIZE] |= 1u << emulate.thread % WARP_SIZE;
    if (!try_exchange(emulate.thread) || now.failed)
        wait_there();
    return thread->result;
}

void portable_emulate_sync_warp_(unsigned mask, const char *name, const char *file, int line)
{
    portable_emulate_exchange_(PORTABLE_EXCHANGE_SYNC_, mask, WARP_SIZE, 0, 0, name, file, line);
}

/* ---- lanes that are active together ---- */

/* A hash of the chain of calls from a frame outwards, to the last linked frame. */
static unsigned long long chain_of(const void *frame, const char *end)
{
    const uintptr_t *at = (const uintptr_t *)frame;
    const struct emulate_range *code;
    const size_t count = emulate_ranges(EMULATE_CODE, &code);
    unsigned long long chain = 0;
    for (;;) {
        chain = (chain ^ at[1]) * 0x9e3779b97f4a7c15ULL;
        chain ^= chain >> 32;
        const char *const next = (const char *)at[0];
        if (next <= (const char *)at || next + 2 * sizeof *at > end ||
            (uintptr_t)next % sizeof *at != 0)
            return chain;
        at = (const uintptr_t *)(const void *)next;
        if (!emulate_in_ranges(code, count, (const void *)at[1]))
            return chain; /* not a frame: this code keeps no frame pointers */
    }
}

/* The lanes of a warp that wait where thread t does. */
static unsigned lanes_with(unsigned t)
{
    const unsigned first = t / WARP_SIZE * WARP_SIZE;
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < WARP_SIZE && first + lane < emulate.threads; lane++)
        if (now.block[first + lane].state == AT_ACTIVE &&
            now.block[first + lane].value == now.block[t].value)
            lanes |= 1u << lane;
    return lanes;
}

static void go_on_together(unsigned first, unsigned lanes)
{
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        if (lanes >> lane & 1) {
            now.block[first + lane].result = lanes;
            now.block[first + lane].state = READY;
        }
    now.elsewhere -= (unsigned)__builtin_popcount(lanes);
    now.ready += (unsigned)__builtin_popcount(lanes);
}

/* Waits for the other lanes at the place: the code's address, or the line, in the chain of calls
 * that leads to the frame. Returns those that go on. */
static unsigned wait_together(const char *frame, const void *code, const char *name,
                              const char *file, int line)
{
    struct thread *const thread = self();
    const char *const end = stack_top(thread->slot);
    const unsigned first = emulate.thread / WARP_SIZE * WARP_SIZE;
    thread->result = (uintptr_t)code;
    thread->value = chain_of(frame, end) ^ (line > 0 ? (uintptr_t)line : (uintptr_t)code);
    for (unsigned k = 0; thread->loops && k < MOST_LOOPS && k < thread->loops->count; k++)
        thread->value = (thread->value ^ thread->loops->of[k].iterations) * 0x9e3779b97f4a7c15ULL;
    thread->operand = (unsigned)(end - frame);
    thread->mask = ~0u;
    note(AT_ACTIVE, name, file, line);
    now.elsewhere++;
    const unsigned lanes = lanes_with(emulate.thread);
    if (lanes == lanes_wanted(emulate.thread))
        go_on_together(first, lanes);
    else
        wait_there();
    return (unsigned)thread->result;
}

unsigned portable_emulate_active_(const char *name, const char *file, int line)
{
    needs_thread(name, file, line);
    return wait_together((const char *)__builtin_frame_address(0), __builtin_return_address(0),
                         name, file, line);
}

void portable_emulate_loop_(enum portable_loop_ event, int line)
{
    if (!emulate_running || !emulate_lockstep)
        return;
    struct thread *const thread = self();
    if (!thread->loops && !(thread->loops = (struct loops *)calloc(1, sizeof *thread->loops)))
        portable_emulate_stop_(PORTABLE_ERROR_OUT_OF_MEMORY, "no memory for its loops");
    struct loops *const loops = thread->loops;
    const unsigned last = event == PORTABLE_LOOP_ENTER_ ? loops->count++ : loops->count - 1;
    if (event == PORTABLE_LOOP_LEAVE_)
        loops->count = last;
    if (last >= MOST_LOOPS)
        return;
    loops->of[last].iterations += event == PORTABLE_LOOP_NEXT_;
    if (event == PORTABLE_LOOP_ENTER_) {
        loops->of[last].line = line;
        loops->of[last].iterations = 0;
    }
}

void portable_emulate_lockstep_(void)
{
    emulate_lockstep = 1;
}

void portable_emulate_step_(const void *address, const void *code)
{
    emulate_in_step((const char *)address, code);
}

void emulate_step(const void *caller)
{
    wait_together((const char *)__builtin_frame_address(0), caller, "an access", "", 0);
}

/* Compares two places where lanes of a warp wait. The one to run first is in the earlier iteration
 * of a common loop; else deeper in calls; else earlier in the code, because the other lanes may
 * have left a branch or a loop that these are still in. */
static int goes_first(const struct thread *a, const struct thread *b)
{
    for (unsigned k = 0; a->loops && b->loops && k < MOST_LOOPS && k < a->loops->count &&
                         k < b->loops->count && a->loops->of[k].line == b->loops->of[k].line;
         k++)
        if (a->loops->of[k].iterations != b->loops->of[k].iterations)
            return a->loops->of[k].iterations < b->loops->of[k].iterations;
    return a->operand > b->operand || (a->operand == b->operand && a->result < b->result);
}

/* Lets the lanes at one place of each warp go on. Every so often, at all places, in case one waits
 * for the other; not in lockstep, where they might never meet again. Returns 0 if there are
 * none. */
static int release_active(void)
{
    enum { OFTEN = 1024 };
    int released = 0;
    for (unsigned first = 0; first < emulate.threads; first += WARP_SIZE) {
        const unsigned end = first + WARP_SIZE;
        const struct thread *best = NULL;
        for (unsigned t = first; t < end && t < emulate.threads; t++) {
            const struct thread *const thread = &now.block[t];
            if (thread->state == AT_ACTIVE && (!best || goes_first(thread, best)))
                best = thread;
        }
        if (!best)
            continue;
        released = 1;
        go_on_together(first, lanes_with((unsigned)(best - now.block)));
        if (++now.releases % OFTEN == 0 && !emulate_lockstep)
            for (unsigned t = first; t < end && t < emulate.threads; t++)
                if (now.block[t].state == AT_ACTIVE)
                    go_on_together(first, lanes_with(t));
    }
    return released;
}

/* ---- parts of the block, and words ---- */

void portable_emulate_sync_part_(unsigned first, unsigned count, const void *passed,
                                 const char *name, const char *file, int line)
{
    needs_thread(name, file, line);
    struct thread *const thread = self();
    thread->operand = first;
    thread->mask = count;
    thread->result = (uintptr_t)passed;
    note(AT_PART, name, file, line);
    now.elsewhere++;
    wait_there();
}

const void *portable_emulate_passed_(unsigned thread)
{
    return thread < emulate.threads ? (const void *)(uintptr_t)now.block[thread].result : NULL;
}

static void give_way(int turns, const char *name, const char *file, int line)
{
    self()->turns = turns;
    note(AT_POLL, name, file, line);
    now.elsewhere++;
    wait_there();
}

void portable_emulate_wait_(const unsigned long long *word, unsigned long long value,
                            const char *name, const char *file, int line)
{
    needs_thread(name, file, line);
    struct thread *const thread = self();
    if (!word) {
        give_way(1, name, file, line);
        return;
    }
    if (*word != value)
        return;
    thread->result = (uintptr_t)word;
    thread->value = value;
    note(AT_WORD, name, file, line);
    now.elsewhere++;
    wait_there();
}

void portable_emulate_poll_(const char *file, int line)
{
    if (!emulate_running) { /* a function of the host and the device */
        portable_emulate_patience_ = FIRST_PATIENCE;
        return;
    }
    /* Not always after the same number, in case another thread's work has that period. */
    portable_emulate_patience_ =
        LATER_PATIENCE - (int)((now.running->passes * 37 + emulate.thread * 11) % 128);
    give_way(LATER_PATIENCE, "a loop", file, line);
}

void portable_emulate_spin_(const void *address)
{
    enum { MANY = 64 };
    if (!emulate_running)
        return;
    if (spins.address != address || spins.thread != emulate.thread) {
        spins.address = address;
        spins.thread = emulate.thread;
        spins.times = 0;
    }
    /* Code that is not translated has no loops that count. */
    if (++spins.times % MANY == 0 && portable_emulate_patience_ == 0)
        give_way(MANY, "an atomic", "", 0);
    else if (spins.times % MANY == 0)
        portable_emulate_patience_ = 0;
}

void portable_emulate_clock_(void)
{
    if (emulate_running)
        self()->reads_clock = 1;
}

static void next_interval(void);
static size_t shared_bytes(void);

void portable_emulate_phase_(void)
{
    next_interval();
    emulate.ragged = 0;
    emulate_tick();
}

int portable_emulate_cooperative_(void)
{
    return portable_launch_.cooperative;
}

static void go_on(struct thread *thread)
{
    thread->state = READY;
    now.elsewhere--;
    now.ready++;
}

/* Lets the threads of a part go on if it is complete, as thread t sees it. */
static int release_part(unsigned t)
{
    const unsigned begin = now.block[t].operand, count = now.block[t].mask;
    const unsigned end = count < emulate.threads - begin ? begin + count : emulate.threads;
    for (unsigned other = begin; other < end; other++)
        if (now.block[other].state != ENDED &&
            (now.block[other].state != AT_PART || now.block[other].mask != count))
            return 0;
    for (unsigned other = begin; other < end; other++)
        if (now.block[other].state == AT_PART)
            go_on(&now.block[other]);
    return 1;
}

/* Lets the threads of complete parts go on, and those whose word has changed. Returns 0 if there
 * are none. */
static int release_complete(void)
{
    int parts = 0, words = 0;
    for (unsigned t = 0; t < emulate.threads; t++) {
        struct thread *const thread = &now.block[t];
        if (thread->state == AT_PART && (t == 0 || now.block[t - 1].state != AT_PART ||
                                         now.block[t - 1].operand != thread->operand)) {
            parts += release_part(t);
        } else if (thread->state == AT_WORD &&
                   *(const volatile unsigned long long *)(uintptr_t)thread->result !=
                       thread->value) {
            go_on(thread);
            words++;
        }
    }
    if (parts > 0)
        portable_emulate_phase_();
    return parts + words > 0;
}

/* Lets the threads go on that gave way. */
static int release_polls(void)
{
    int released = 0;
    for (unsigned t = 0; t < emulate.threads; t++)
        if (now.block[t].state == AT_POLL) {
            go_on(&now.block[t]);
            released = 1;
        }
    return released;
}

/* Whether another block could run: one that gave way, or that has not started. */
static int others_could_run(void)
{
    for (size_t k = 0; k < now.block_count; k++)
        if (now.blocks[k].state == GAVE_WAY || now.blocks[k].state == AFTER_GRID_BARRIER)
            return 1;
    return now.started < now.of_launch && now.resident < now.most_resident;
}

/* ---- deadlocks ---- */

/* Adds the bytes to a number for what memory holds. */
static uint64_t add_memory(uint64_t sum, const char *begin, const char *end)
{
    typedef uint64_t word __attribute__((may_alias, aligned(1)));
    for (; end - begin >= (ptrdiff_t)sizeof(word); begin += sizeof(word))
        sum = (sum ^ *(const word *)(const void *)begin) * 0x9e3779b97f4a7c15ULL + (sum >> 29);
    for (; begin < end; begin++)
        sum = (sum ^ (unsigned char)*begin) * 0x9e3779b97f4a7c15ULL + (sum >> 29);
    return sum;
}

/* The static variables of the program and its libraries, except those that the runtime changes
 * while no thread makes progress. */
static int add_statics(struct dl_phdr_info *module, size_t size, void *sum)
{
    const struct emulate_range own[] = {
        {(char *)&now, (char *)(&now + 1)},
        {(char *)&vain, (char *)(&vain + 1)},
        {(char *)&emulate, (char *)(&emulate + 1)},
        {(char *)&spins, (char *)(&spins + 1)},
        {(char *)&threadIdx, (char *)(&threadIdx + 1)},
        {(char *)&blockIdx, (char *)(&blockIdx + 1)},
        {(char *)&portable_emulate_patience_, (char *)(&portable_emulate_patience_ + 1)},
        emulate_check.varies[0],
        emulate_check.varies[1]};
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
            *(uint64_t *)sum = add_memory(*(uint64_t *)sum, at, stop);
            at = next;
        }
    }
    return 0;
}

/* A hash of the memory that a kernel may read: allocated memory, static variables, shared memory.
 * The rest of the heap is left out. */
static uint64_t memory_state(void)
{
    const size_t bytes = shared_bytes();
    uint64_t sum = 1;
    EMULATE_EACH_ALLOCATION(allocation)
    if (allocation->kind != PORTABLE_TEXTURE_)
        sum = add_memory(sum, allocation->base, allocation->base + allocation->bytes);
    dl_iterate_phdr(add_statics, &sum);
    sum = add_memory(sum, emulate.shared, emulate.shared + emulate.shared_bytes);
    for (size_t b = 0; b < now.block_count; b++)
        if (now.blocks[b].state == GAVE_WAY)
            sum = add_memory(sum, now.blocks[b].aside, now.blocks[b].aside + bytes);
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
    return count > 1;
}

/* After a round over all blocks that can run: whether none of their threads will ever do anything
 * else. In this round and the last, each gave way in a state that it had before. They are stuck if
 * memory does not change either, or if a 32-bit counter that they increment would have wrapped
 * around. */
static int is_deadlock(void)
{
    enum { FIRST_LOOK = 1 << 18, STEP = 1 << 16, LOOKS = 3 };
    const unsigned long long enough = 1ULL << 33;
    char text[1500];
    if (vain.next_look == 0) {
        vain.next_look = FIRST_LOOK;
        vain.step = STEP;
    }
    if (vain.turns < vain.next_look || vain.rounds < 2 || now.failed)
        return 0;
    const uint64_t memory = memory_state();
    vain.same_looks = vain.same_looks > 0 && memory == vain.memory ? vain.same_looks + 1 : 1;
    vain.memory = memory;
    if (vain.same_looks == 1 && vain.turns > FIRST_LOOK)
        vain.step *= 2;
    vain.next_look = vain.turns + vain.step;
    vain.rounds = 0;
    if ((vain.same_looks < LOOKS && vain.turns < enough) || has_other_threads())
        return 0;
    snprintf(text, sizeof text, "deadlock: its threads wait for what none of them will do:");
    append_places(text, sizeof text, now.blocks, now.block_count, 0, emulate.threads, 0);
    if (now.started < now.of_launch)
        append(text, sizeof text,
               "\n    %llu of %llu blocks have not started: there is room for %llu at a time",
               now.of_launch - now.started, now.of_launch, now.most_resident);
    tell_diverged(text, 1);
    return 1;
}

/* All threads that could run gave way: lets them go on, or the block give way. */
static int poll_again(void)
{
    enum { MANY = 16 };
    int polls = 0, idle = 1;
    for (unsigned t = 0; t < emulate.threads; t++)
        if (now.block[t].state == AT_POLL) {
            polls = 1;
            idle &= now.block[t].idle;
        }
    if (!polls)
        return 0;
    now.vain_passes++;
    /* Those that do not wait for others change their own state, for long perhaps. */
    const int others = others_could_run();
    now.gives_way = (idle || now.vain_passes >= MANY) && others;
    if (!others) {
        vain.rounds++;
        if (is_deadlock())
            return 0;
    }
    return now.gives_way || release_polls();
}

/* ---- the scheduler ---- */

/* Called on the thread's stack when its kernel has returned. */
void portable_emulate_ended_(void)
{
    struct thread *const thread = self();
    thread->state = ENDED;
    now.ended++;
    now.warp_ended[emulate.thread / WARP_SIZE] |= 1u << emulate.thread % WARP_SIZE;
    now.ready--;
    stack_give(thread->slot);
    if (emulate_check.switch_begin)
        emulate_check.switch_begin(NULL, NULL, 0);
    portable_emulate_switch_(&thread->stopped, now.scheduler);
}

/* Ends the launch from within a thread: all its threads stay where they are. */
void portable_emulate_stop_(int status, const char *sentence)
{
    char where[128];
    if (!emulate_running) {
        fflush(stdout);
        fprintf(stderr, "%s, outside of a kernel\n", sentence);
        exit(EXIT_FAILURE);
    }
    if (portable_launch_.status == PORTABLE_SUCCESS)
        portable_launch_.status = portable_fail_(
            (portable_status)status, "kernel %s: %s: %s", emulate.kernel,
            emulate_where(where, sizeof where, emulate.block_id, emulate.thread), sentence);
    now.failed = now.stopped = 1;
    for (;;)
        wait_there();
}

/* A hash of a suspended thread's private state: its stack, with its registers. */
static uint64_t private_state_of(const struct thread *thread)
{
    const uint64_t *const end = (const uint64_t *)(const void *)stack_top(thread->slot);
    uint64_t state = 1;
    for (const uint64_t *at = (const uint64_t *)thread->stopped; at < end; at++)
        state = (state ^ *at) * 0x9e3779b97f4a7c15ULL + (state >> 29);
    return state;
}

static void resume(unsigned t)
{
    struct thread *const thread = &now.block[t];
    emulate.thread = t;
    emulate_tick();
    if (t < blockDim.x)
        threadIdx = make_uint3(t, 0, 0); /* no division for one-dimensional blocks */
    else
        threadIdx =
            make_uint3(t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y);
    if (thread->state == FRESH) {
        const size_t slot = stack_take();
        if (slot == stacks.slots) {
            now.failed = 1;
            portable_launch_.status = portable_fail_(
                PORTABLE_ERROR_OUT_OF_MEMORY,
                "kernel %s: the system gives no guard page for the stack of thread %u: too many "
                "mappings (vm.max_map_count)",
                emulate.kernel, t);
            return;
        }
        thread->slot = (unsigned)slot;
        const int stop =
            options.stop && options.stop_block == emulate.block_id && options.stop_thread == t;
        thread->stopped = switch_prepare(stack_top(thread->slot), now.kernel, now.arguments,
                                         now.stack_bytes, stop);
        thread->fake_stack = NULL;
        thread->idle = thread->reads_clock = 0;
        if (thread->loops)
            thread->loops->count = 0;
        memset(thread->states, 0, sizeof thread->states);
        portable_emulate_patience_ = FIRST_PATIENCE;
    }
    thread->state = READY;
    emulate_running = 1;
    if (emulate_check.switch_begin)
        emulate_check.switch_begin(&now.scheduler_fake_stack, stack_bottom(thread->slot),
                                   options.stack);
    portable_emulate_switch_(&now.scheduler, thread->stopped);
    if (emulate_check.switch_end)
        emulate_check.switch_end(now.scheduler_fake_stack, NULL, NULL);
    emulate_running = 0;
    if (thread->state == AT_POLL) {
        /* A loop may give way in several places. */
        enum { STATES = sizeof thread->states / sizeof thread->states[0] };
        const uint64_t state = private_state_of(thread);
        int k = 0;
        while (k < STATES && thread->states[k] != state)
            k++;
        thread->idle = k < STATES && !thread->reads_clock;
        if (k == STATES) {
            memmove(thread->states + 1, thread->states, (STATES - 1) * sizeof thread->states[0]);
            thread->states[0] = state;
        }
        thread->reads_clock = 0;
        vain.turns += (unsigned)thread->turns;
    }
    if (!thread->idle || thread->state == ENDED)
        memset(&vain, 0, sizeof vain);
}

/* All threads that have not ended wait at the block's barrier: opens it. */
static void open_block(void)
{
    unsigned count = 0;
    for (unsigned t = 0; t < emulate.threads; t++)
        if (now.block[t].state == AT_BLOCK) {
            count += (unsigned)now.block[t].value;
            now.block[t].state = READY;
        }
    now.count = (int)count;
    now.ready += now.at_block;
    now.at_block = 0;
    portable_emulate_phase_();
}

/* Whether all threads that wait at a barrier of the block wait at the same one. */
static int at_one_barrier(void)
{
    const struct thread *first = NULL;
    for (unsigned t = 0; t < emulate.threads; t++) {
        const struct thread *const thread = &now.block[t];
        if (thread->state != AT_BLOCK)
            continue;
        if (!first)
            first = thread;
        else if (thread->line != first->line ||
                 (thread->file != first->file && strcmp(thread->file, first->file) != 0))
            return 0;
    }
    return 1;
}

/* Appends "block (1, 0, 0): " and the rest. */
__attribute__((format(printf, 3, 4))) static void block_diverged(unsigned first, unsigned last,
                                                                 const char *format, ...)
{
    char sentence[450], rest[300], where[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rest, sizeof rest, format, arguments);
    va_end(arguments);
    emulate_where(where, sizeof where, emulate.block_id, 0);
    char *const comma = strstr(where, "), ");
    if (comma)
        comma[1] = '\0';
    snprintf(sentence, sizeof sentence, "%s: %s", where, rest);
    diverged(sentence, first, last);
}

/* No thread of the block can run. Resumes the threads whose barrier or warp operation is complete;
 * returns 0 if the block has ended or waits at a barrier of the grid, or if the launch has
 * failed. */
static int unblock(void)
{
    if (now.at_warp > 0) {
        /* The others may have waited only for a thread that has ended since. */
        for (unsigned t = 0; t < emulate.threads; t++)
            if (now.block[t].state == AT_WARP && try_exchange(t))
                return !now.failed;
    }
    /* Before a divergence is reported: the lanes or the barrier may wait for these. */
    if (now.elsewhere > 0 && (release_complete() || release_active() || poll_again()))
        return !now.gives_way;
    if (now.at_warp > 0) {
        for (unsigned t = 0; t < emulate.threads; t++)
            if (now.block[t].state == AT_WARP) {
                const unsigned first = t / WARP_SIZE * WARP_SIZE;
                const unsigned end = first + WARP_SIZE;
                unsigned came = 0;
                block_diverged(first, end < emulate.threads ? end : emulate.threads,
                               "not all lanes named by %s reach it with the same mask",
                               now.block[t].name);
                if (now.failed)
                    return 0;
                for (unsigned lane = 0; lane < WARP_SIZE; lane++)
                    if (first + lane < emulate.threads &&
                        now.block[first + lane].state == AT_WARP &&
                        now.block[first + lane].kind == now.block[t].kind)
                        came |= 1u << lane;
                exchange(first, came);
                return !now.failed;
            }
    }
    if (now.elsewhere > 0) {
        block_diverged(0, emulate.threads, "some threads wait for others that never come");
        for (unsigned t = 0; t < emulate.threads && !now.failed; t++)
            if (now.block[t].state == AT_PART || now.block[t].state == AT_WORD)
                go_on(&now.block[t]);
        return !now.failed;
    }
    if (now.at_block > 0) {
        if (now.at_grid > 0)
            block_diverged(0, emulate.threads,
                           "some threads wait for the block, some for the grid");
        else if (!at_one_barrier())
            block_diverged(0, emulate.threads, "its threads wait at different barriers");
        else if (now.ended > 0 && emulate_check.goes_on)
            block_diverged(0, emulate.threads, "some threads never reach a barrier");
        if (now.failed)
            return 0;
        open_block();
        return 1;
    }
    if (now.at_grid > 0 && now.ended > 0 && emulate_check.goes_on)
        block_diverged(0, emulate.threads, "some threads never reach a barrier of the grid");
    return 0;
}

/* Counts the threads of the running block by state, when it starts or resumes. */
static void count_threads(void)
{
    now.ready = now.ended = now.at_block = now.at_warp = now.at_grid = now.elsewhere = 0;
    memset(now.warp_waits, 0, sizeof now.warp_waits);
    memset(now.warp_ended, 0, sizeof now.warp_ended);
    for (unsigned t = 0; t < emulate.threads; t++) {
        struct thread *const thread = &now.block[t];
        const unsigned lane = 1u << t % WARP_SIZE;
        switch (thread->state) {
        case AT_GRID:
            if (now.running->state == AFTER_GRID_BARRIER) {
                thread->state = READY;
                now.ready++;
            } else {
                now.at_grid++;
            }
            break;
        case AT_POLL:
            thread->state = READY;
            now.ready++;
            break;
        case FRESH:
        case READY: now.ready++; break;
        case ENDED:
            now.ended++;
            now.warp_ended[t / WARP_SIZE] |= lane;
            break;
        case AT_BLOCK: now.at_block++; break;
        case AT_WARP:
            now.at_warp++;
            now.warp_waits[t / WARP_SIZE] |= lane;
            break;
        case AT_ACTIVE:
        case AT_PART:
        case AT_WORD: now.elsewhere++; break;
        }
    }
}

/* Thread t has stopped the launch, by an assertion for example: so may the others of its warp,
 * which on a GPU are at the same place. They run until they wait. */
static void finish_warp(unsigned t)
{
    const unsigned first = t / WARP_SIZE * WARP_SIZE;
    for (unsigned other = first; other < first + WARP_SIZE && other < emulate.threads; other++)
        if (other != t && now.block[other].state <= READY)
            resume(other);
}

/* Runs the block until all its threads have ended or wait at a barrier of the grid, or until it
 * gives way. */
static void run_block(void)
{
    struct block *const block = now.running;
    now.gives_way = 0;
    now.vain_passes = 0;
    if (block->state != GAVE_WAY)
        block->passes = 0;
    count_threads();
    block->state = RUNS;
    do {
        block->passes++;
        for (unsigned k = 0; k < emulate.threads; k++) {
            const unsigned t = (unsigned)portable_in_order_(
                k, emulate.threads, emulate.block_id << 20 ^ block->passes << 4 ^ 2);
            if (now.block[t].state <= READY)
                resume(t);
            if (now.failed) {
                if (now.stopped)
                    finish_warp(t);
                return;
            }
        }
        if (emulate.fault.number) {
            now.failed = 1;
            return;
        }
    } while (now.ready > 0 || unblock());
}

/* ---- intervals and blocks ---- */

/* The first interval of each block of this launch, in ascending order. */
struct began {
    uint32_t interval;
    unsigned long long block_id;
};
static struct {
    struct began *list;
    size_t count, capacity;
} began;

static void note_block(void)
{
    if (began.count == began.capacity) {
        const size_t capacity = began.capacity ? 2 * began.capacity : 1024;
        void *const grown = realloc(began.list, capacity * sizeof *began.list);
        if (!grown)
            return; /* reports may then name an earlier block */
        began.list = (struct began *)grown;
        began.capacity = capacity;
    }
    began.list[began.count].interval = emulate.interval;
    began.list[began.count++].block_id = emulate.block_id;
}

unsigned long long emulate_block_of(uint32_t interval)
{
    size_t low = 0, high = began.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (began.list[middle].interval <= interval)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? began.list[low - 1].block_id : 0;
}

/* Between blocks the count restarts when less than this is left. While blocks give way to each
 * other, each reserves as many intervals as it may need, so that the intervals of each are a range.
 * When the count restarts, or a range is used up, all earlier accesses are ordered, as after a
 * barrier of the grid: every block that is resident then gets a new range. */
enum { BLOCK_INTERVALS = 1 << 28, RESERVED = 1 << 16 };

static void restart_intervals(void)
{
    if (now.reserved_until > UINT32_MAX - BLOCK_INTERVALS) {
        now.reserved_until = 0;
        began.count = 0;
    }
    now.restarts++;
    emulate.launch_start = now.reserved_until + 1;
}

/* Gives the running block new intervals. */
static void take_intervals(void)
{
    const unsigned long long blocks = now.of_launch + 1, left = UINT32_MAX - BLOCK_INTERVALS;
    const unsigned reserve = left / blocks < RESERVED ? (unsigned)(left / blocks) : RESERVED;
    if (now.reserved_until > UINT32_MAX - BLOCK_INTERVALS)
        restart_intervals();
    emulate.block_start = emulate.interval = ++now.reserved_until;
    if (emulate.interleaved)
        now.reserved_until += reserve;
    now.running->start = emulate.block_start;
    now.running->last = now.reserved_until;
    now.running->restarts = now.restarts;
    if (emulate_check.name)
        note_block();
}

static void next_interval(void)
{
    if (!emulate.interleaved) {
        now.reserved_until = ++emulate.interval;
    } else if (++emulate.interval > now.running->last) {
        restart_intervals();
        take_intervals();
    }
}

static void name_block(const struct block *block)
{
    const unsigned long long row = block->id / gridDim.x;
    emulate.block_id = block->id;
    blockIdx = make_uint3((unsigned)(block->id % gridDim.x), (unsigned)(row % gridDim.y),
                          (unsigned)(row / gridDim.y));
    now.block = block->threads;
}

/* A block starts, or resumes after a barrier of the grid. */
static void start_block(struct block *block)
{
    now.running = block;
    name_block(block);
    take_intervals();
    memset(emulate.warp_syncs, 0, sizeof emulate.warp_syncs);
    emulate.ragged = 0;
    if (emulate_check.block_begin)
        emulate_check.block_begin();
}

/* ---- launches ---- */

portable_function_ portable_emulate_prepare_(portable_function_ kernel, size_t stack_bytes)
{
    now.kernel = kernel;
    now.stack_bytes = stack_bytes;
    return portable_emulate_capture_;
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
    if (threads > now.capacity) {
        free_threads(now.threads, now.capacity);
        now.threads = (struct thread *)calloc(threads, sizeof *now.threads);
        now.capacity = now.threads ? threads : 0;
    }
    if (!now.threads)
        return out_of_memory("its threads");
    if (!stacks_reserve(threads < PORTABLE_BLOCK_LIMIT_ ? PORTABLE_BLOCK_LIMIT_ : threads))
        return out_of_memory("the stacks of its threads");
    return 1;
}

static void make_fresh(struct thread *threads)
{
    for (unsigned t = 0; t < emulate.threads; t++) {
        threads[t].state = FRESH;
        threads[t].copy_count = threads[t].arrived = threads[t].groups = 0;
    }
}

/* Copies by hand: under the sanitizers, memcpy is theirs, and checks the gaps between the objects
 * of a section. The assembly keeps the compiler from emitting a memcpy. */
static void copy_bytes(char *to, const char *from, size_t bytes)
{
    typedef uint64_t aligned_words __attribute__((vector_size(32)));
    typedef aligned_words words __attribute__((may_alias, aligned(1)));
    size_t k = 0;
    for (; k + 2 * sizeof(words) <= bytes; k += 2 * sizeof(words)) {
        const words first = *(const words *)(from + k);
        const words second = *(const words *)(from + k + sizeof(words));
        *(words *)(to + k) = first;
        *(words *)(to + k + sizeof(words)) = second;
        __asm__ volatile("" : : : "memory");
    }
    for (; k < bytes; k++) {
        to[k] = from[k];
        __asm__ volatile("" : : : "memory");
    }
}

/* Copies the shared memory of the running block to `aside`, or back. */
static void copy_shared(char *aside, int back)
{
    const struct emulate_range *ranges;
    const size_t count = emulate_ranges(EMULATE_SHARED, &ranges);
    for (size_t k = 0; k <= count; k++) {
        char *const at = k < count ? ranges[k].begin : emulate.shared;
        const size_t bytes =
            k < count ? (size_t)(ranges[k].end - ranges[k].begin) : emulate.shared_bytes;
        copy_bytes(back ? at : aside, back ? aside : at, bytes);
        aside += bytes;
    }
}

static size_t shared_bytes(void)
{
    const struct emulate_range *ranges;
    const size_t count = emulate_ranges(EMULATE_SHARED, &ranges);
    size_t bytes = emulate.shared_bytes;
    for (size_t k = 0; k < count; k++)
        bytes += (size_t)(ranges[k].end - ranges[k].begin);
    return bytes;
}

/* Copies what emulate_sync keeps of lanes, from the block or to it. */
static void copy_lanes(struct block *block, int restore)
{
    const size_t syncs = emulate.threads * sizeof emulate.lane_syncs[0];
    const size_t knows = emulate.threads * sizeof emulate.lane_knows[0];
    if (block->lanes && restore) {
        memcpy(emulate.lane_syncs, block->lanes, syncs);
        memcpy(emulate.lane_knows, block->lanes + syncs, knows);
    } else if (block->lanes) {
        memcpy(block->lanes, emulate.lane_syncs, syncs);
        memcpy(block->lanes + syncs, emulate.lane_knows, knows);
    }
}

/* The running block waits for the grid, or gave way. Returns 0 if there is no memory. */
static int leave_block(void)
{
    struct block *const block = now.running;
    const size_t bytes = shared_bytes();
    block->state = now.gives_way ? GAVE_WAY : AT_GRID_BARRIER;
    if (now.gives_way && !emulate.interleaved) { /* others' intervals come after its own */
        emulate.interleaved = 1;
        now.reserved_until += RESERVED;
        block->last = now.reserved_until;
    }
    block->interval = emulate.interval;
    block->ragged = emulate.ragged;
    memcpy(block->warp_syncs, emulate.warp_syncs, sizeof block->warp_syncs);
    if (!block->aside)
        block->aside = (char *)malloc(bytes ? bytes : 1);
    if (!block->lanes && block->ragged)
        block->lanes = (char *)malloc(
            emulate.threads * (sizeof emulate.lane_syncs[0] + sizeof emulate.lane_knows[0]));
    if (!block->aside || (block->ragged && !block->lanes)) {
        now.failed = 1;
        return out_of_memory("the shared memory of all blocks");
    }
    copy_shared(block->aside, 0);
    if (block->ragged)
        copy_lanes(block, 0);
    if (emulate_check.block_leave)
        emulate_check.block_leave(&block->of_check, now.gives_way);
    return 1;
}

/* Resumes the block. */
static void resume_block(struct block *block)
{
    if (block->state == AFTER_GRID_BARRIER) {
        start_block(block);
    } else {
        now.running = block;
        name_block(block);
        emulate.block_start = block->start;
        emulate.interval = block->interval;
        emulate.ragged = block->ragged;
        memcpy(emulate.warp_syncs, block->warp_syncs, sizeof block->warp_syncs);
        if (block->ragged)
            copy_lanes(block, 1);
        if (block->restarts != now.restarts)
            take_intervals();
    }
    copy_shared(block->aside, 1);
    if (emulate_check.block_resume)
        emulate_check.block_resume(&block->of_check);
    run_block();
}

/* A place for a block that starts, with its threads, or NULL. In a cooperative launch it is that of
 * its number. */
static struct block *new_block(unsigned long long id, int cooperative)
{
    size_t number = cooperative ? (size_t)id : 0;
    while (!cooperative && number < now.block_count && now.blocks[number].state != UNUSED)
        number++;
    const size_t needed = cooperative ? (size_t)now.of_launch : number + 1;
    if (needed > now.block_capacity) {
        const size_t capacity = 2 * needed;
        void *const grown = realloc(now.blocks, capacity * sizeof *now.blocks);
        if (!grown)
            return NULL;
        now.blocks = (struct block *)grown;
        now.block_capacity = capacity;
    }
    if (now.block_count == 0 && cooperative) {
        now.block_count = (size_t)now.of_launch;
        memset(now.blocks, 0, now.block_count * sizeof *now.blocks);
    }
    struct block *const block = &now.blocks[number];
    if (number == now.block_count) {
        memset(block, 0, sizeof *block);
        now.block_count++;
    }
    if (cooperative || number == 0)
        block->threads = now.threads + number * emulate.threads;
    else if (!block->threads)
        block->threads = (struct thread *)calloc(emulate.threads, sizeof *block->threads);
    if (!block->threads)
        return NULL;
    block->id = id;
    make_fresh(block->threads);
    return block;
}

/* Starts a block, in the order of the launch. */
static void start_next(int cooperative)
{
    if (now.resident == 0)
        stacks.free_count = stacks.used = 0;
    const unsigned long long id =
        portable_in_order_(now.started, now.of_launch, now.launches << 8 ^ 1);
    struct block *const block = new_block(id, cooperative);
    if (!block || (!cooperative && !stacks_reserve((size_t)(now.resident + 1) * emulate.threads))) {
        now.failed = 1;
        out_of_memory("the threads of several blocks");
        return;
    }
    now.started++;
    now.resident++;
    start_block(block);
    run_block();
}

/* The running block has stopped. */
static void stop_block(void)
{
    if (now.failed)
        return;
    if (now.gives_way || now.at_grid > 0) {
        leave_block();
        return;
    }
    now.running->state = UNUSED;
    now.resident--;
}

/* All blocks wait for the grid, or have ended. */
static void open_grid(void)
{
    if (now.resident < now.of_launch) {
        size_t waits = 0, left = 0;
        while (now.blocks[waits].state == UNUSED)
            waits++;
        while (now.blocks[left].state != UNUSED)
            left++;
        now.running = &now.blocks[waits];
        name_block(now.running);
        block_diverged(0, emulate.threads,
                       "it waits for the grid, and %llu of %llu blocks have ended, the first of "
                       "them block %zu",
                       now.of_launch - now.resident, now.of_launch, left);
    }
    for (size_t k = 0; k < now.block_count; k++)
        if (now.blocks[k].state == AT_GRID_BARRIER)
            now.blocks[k].state = AFTER_GRID_BARRIER;
    emulate.launch_start = now.reserved_until + 1;
}

/* Starts blocks as long as there is room, and then lets those that gave way go on, or all, when
 * they wait for the grid. */
static void run_blocks(int cooperative)
{
    unsigned long long phase = 0;
    now.started = now.resident = 0;
    now.block_count = 0;
    if (cooperative)
        emulate.launch_start = now.reserved_until + 1;
    while (!now.failed) {
        int resumed = 0;
        if (now.started < now.of_launch && now.resident < now.most_resident) {
            start_next(cooperative);
            stop_block();
            continue;
        }
        for (size_t k = 0; k < now.block_count && !now.failed; k++) {
            struct block *const block =
                &now.blocks[cooperative ? portable_in_order_(k, now.of_launch,
                                                             now.launches << 8 ^ phase << 32 ^ 1)
                                        : k];
            if (block->state != GAVE_WAY && block->state != AFTER_GRID_BARRIER)
                continue;
            resume_block(block);
            stop_block();
            resumed = 1;
        }
        vain.rounds++;
        if (resumed && !is_deadlock())
            continue;
        if (now.resident == 0 || now.failed)
            break;
        open_grid();
        phase++;
    }
    for (size_t k = 0; k < now.block_count; k++) {
        free(now.blocks[k].aside);
        free(now.blocks[k].lanes);
        free(now.blocks[k].of_check);
        if (k > 0 && !cooperative)
            free_threads(now.blocks[k].threads, emulate.threads);
    }
}

/* How many blocks of the launch a large GPU, an H100, runs at a time, and no more than there are
 * stacks for. */
static unsigned long long most_resident(unsigned long long blocks)
{
    enum {
        PROCESSORS = 132,
        BLOCKS = 32,
        THREADS = 2048,
        SHARED_BYTES = 228 << 10,
        OF_SYSTEM = 1 << 10
    };
    const unsigned threads = (emulate.threads + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
    const size_t by_shared = SHARED_BYTES / (emulate.shared_bytes + OF_SYSTEM);
    unsigned long long most = THREADS / threads < BLOCKS ? THREADS / threads : BLOCKS;
    if (by_shared < most)
        most = by_shared > 0 ? by_shared : 1;
    most *= PROCESSORS;
    if (most > stacks.most / emulate.threads)
        most = stacks.most / emulate.threads;
    return most < blocks ? most : blocks;
}

/* Returns 1 if the arguments are within the limit of the newest GPUs, and leave room on the
 * stacks. */
static int arguments_fit(void)
{
    enum { MOST_BYTES = 32 << 10 };
    const size_t most = options.stack / 2 < MOST_BYTES ? options.stack / 2 : MOST_BYTES;
    if (now.stack_bytes <= most)
        return 1;
    portable_launch_.status = portable_fail_(PORTABLE_ERROR_INVALID_LAUNCH,
                                             "kernel %s: arguments of %zu bytes, and the limit is "
                                             "%zu",
                                             emulate.kernel, now.stack_bytes, most);
    return 0;
}

/* The bytes of the SHARED or CONSTANT objects in a range, and the largest of them. */
static size_t bytes_within(enum emulate_section which, const struct emulate_range *range,
                           struct emulate_object *largest)
{
    struct emulate_object object;
    size_t bytes = 0;
    largest->bytes = 0;
    for (size_t k = 0; emulate_object(which, k, &object); k++)
        if (emulate_in_ranges(range, 1, object.address)) {
            bytes += object.bytes;
            if (object.bytes > largest->bytes)
                *largest = object;
        }
    return bytes;
}

/* The sizes of the modules' objects, the same for every launch. */
static struct {
    unsigned reads;                /* of the modules, when this was found */
    size_t constant;               /* the most bytes of constant memory in a module */
    struct emulate_object largest; /* SHARED one */
} statics;

/* Called before a launch. Without names and sizes of its objects, a check would mistake one object
 * for another. */
static void find_statics(void)
{
    const struct emulate_range *ranges;
    struct emulate_object largest;
    char module[300];
    size_t count = emulate_ranges(EMULATE_SHARED, &ranges);
    if (statics.reads == emulate_reads)
        return;
    statics.reads = emulate_reads;
    statics.constant = statics.largest.bytes = 0;
    for (int which = EMULATE_SHARED; which <= EMULATE_CONSTANT; which++) {
        count = emulate_ranges((enum emulate_section)which, &ranges);
        for (size_t k = 0; k < count; k++) {
            const size_t bytes = bytes_within((enum emulate_section)which, &ranges[k], &largest);
            if (bytes == 0 && ranges[k].begin < ranges[k].end && emulate_check.name) {
                fflush(stdout);
                fprintf(stderr,
                        "%s: %s has no symbol table, and its SHARED and CONSTANT objects no "
                        "names: link it without -s, and do not strip it\n",
                        emulate_check.name, emulate_module(ranges[k].begin, module, sizeof module));
                exit(2);
            }
            if (which == EMULATE_CONSTANT && bytes > statics.constant)
                statics.constant = bytes;
            if (which == EMULATE_SHARED && largest.bytes > statics.largest.bytes)
                statics.largest = largest;
        }
    }
}

/* Returns 1 if the CONSTANT objects of each module together, and each SHARED one, are within a
 * GPU's limits. Which of several SHARED objects one kernel uses is not known, so their sum is not
 * limited. */
static int statics_fit(void)
{
    enum { MOST_CONSTANT = 64 << 10 };
    if (emulate_check.pads)
        return 1;
    if (statics.constant > MOST_CONSTANT)
        portable_launch_.status = portable_fail_(
            PORTABLE_ERROR_INVALID_LAUNCH,
            "kernel %s: %zu bytes of constant memory in the program, and the limit is %d",
            emulate.kernel, statics.constant, MOST_CONSTANT);
    else if (statics.largest.bytes > PORTABLE_SHARED_LIMIT_)
        portable_launch_.status = portable_fail_(
            PORTABLE_ERROR_INVALID_LAUNCH,
            "kernel %s: the program's shared variable %s has %zu bytes, and the limit is %d; use "
            "dynamic shared memory",
            emulate.kernel, statics.largest.name, statics.largest.bytes, PORTABLE_SHARED_LIMIT_);
    else
        return 1;
    return 0;
}

/* Runs the captured call of a kernel. */
void portable_emulate_run_(const struct arguments *arguments)
{
    const struct portable_launch_ *const launch = &portable_launch_;
    const unsigned long long blocks =
        (unsigned long long)launch->grid.x * launch->grid.y * launch->grid.z;

    read_options();
    catch_faults();
    find_statics();
    gridDim = DIM3(launch->grid.x, launch->grid.y, launch->grid.z);
    blockDim = DIM3(launch->block.x, launch->block.y, launch->block.z);
    emulate.kernel = launch->kernel;
    emulate.code = (const void *)(uintptr_t)now.kernel;
    emulate.grid[0] = gridDim.x;
    emulate.grid[1] = gridDim.y;
    emulate.grid[2] = gridDim.z;
    emulate.block[0] = blockDim.x;
    emulate.block[1] = blockDim.y;
    emulate.block[2] = blockDim.z;
    emulate.threads = blockDim.x * blockDim.y * blockDim.z;
    emulate.shared = (char *)launch->shared;
    emulate.shared_bytes = launch->shared ? launch->shared_bytes : 0;
    emulate.access = EMULATE_PLAIN;
    if (now.reserved_until < emulate.interval)
        now.reserved_until = emulate.interval;
    emulate.launch_start = emulate.block_start = emulate.interval = ++now.reserved_until;
    emulate.interleaved = 0;
    began.count = 0;
    now.of_launch = blocks;
    now.arguments = arguments;
    now.failed = now.stopped = 0;
    memset(&emulate.fault, 0, sizeof emulate.fault);
    now.launches++;
    if (emulate_check.launch_begin)
        emulate_check.launch_begin();
    if (launch->cooperative && blocks > MOST_STACKS / emulate.threads)
        portable_launch_.status =
            portable_fail_(PORTABLE_ERROR_INVALID_LAUNCH,
                           "kernel %s: %llu blocks of %u threads at once, and the emulate target "
                           "has stacks for %d",
                           emulate.kernel, blocks, emulate.threads, MOST_STACKS);
    else if (arguments_fit() && statics_fit() &&
             reserve_threads(launch->cooperative ? blocks * emulate.threads : emulate.threads)) {
        now.most_resident = launch->cooperative ? blocks : most_resident(blocks);
        run_blocks(launch->cooperative);
    }
    if (emulate.fault.number)
        report_fault();
    for (size_t slot = 0; now.failed && emulate_check.abandoned && slot < stacks.used; slot++)
        emulate_check.abandoned(stack_bottom((unsigned)slot), options.stack);
    if (emulate_check.launch_end)
        emulate_check.launch_end();
    emulate.kernel = NULL;
}

/* ---- calls of the host that the checks see ---- */

static __thread const char *allocated_for;

void portable_emulate_name_(const char *name)
{
    allocated_for = name;
}

/* Finds `array` in "&array", "&(array)" or "(void **)&array", the argument of portable_malloc; a
 * name without & is the array's own. Any longer expression gives no name. */
static void name_array(char *name, size_t size, const char *expression)
{
    const char *const at = expression != NULL ? strrchr(expression, '&') : NULL;
    const char *begin = at != NULL ? at + 1 : expression;
    size_t length;

    name[0] = '\0';
    if (begin == NULL)
        return;
    begin += strspn(begin, " (");
    length = strlen(begin);
    while (length > 0 && (begin[length - 1] == ')' || begin[length - 1] == ' '))
        length--;
    if (length < size) {
        memcpy(name, begin, length);
        name[length] = '\0';
    }
}

/* No kernel runs meanwhile: this OS thread holds the launch lock from before a copy until it is
 * done, as it does during its launches. */
void portable_emulate_memory_(enum portable_memory_event_ event, const void *memory, size_t bytes)
{
    static __thread int copies;
    const int launched = portable_launch_.kernel != NULL, running = emulate_running;
    const int told = event != PORTABLE_MEMORY_WRITE_ && event != PORTABLE_MEMORY_DONE_;
    if (!emulate_check.memory)
        return;
    if (!launched && copies == 0)
        portable_lock_(&portable_launch_lock_);
    copies += event == PORTABLE_MEMORY_READ_ || event == PORTABLE_MEMORY_WRITE_;
    emulate_running = 0;
    if (event == PORTABLE_MEMORY_NEW_)
        name_array(emulate.array, sizeof emulate.array, allocated_for);
    allocated_for = NULL;
    emulate_check.memory(event, memory, bytes, told ? emulate_caller() : NULL);
    emulate_running = running;
    copies -= event == PORTABLE_MEMORY_DONE_;
    if (!launched && copies == 0)
        portable_unlock_(&portable_launch_lock_);
}

void portable_emulate_failed_(int status, const char *message)
{
    allocated_for = NULL;
    if (emulate_check.failed)
        emulate_check.failed(status, message, emulate_caller());
}
