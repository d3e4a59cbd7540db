/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: the signals of a faulty access, which end the launch and not the process. */
#ifndef PORTABLE_HOST_EMULATE_FAULTS_H
#define PORTABLE_HOST_EMULATE_FAULTS_H

#include "host/emulate/places.h"
#include "host/emulate/turns.h"

#include <signal.h>   /* sigaction, sigaltstack */
#include <ucontext.h> /* ucontext_t */

enum { FAULTS = 3 };
static struct sigaction previous_fault[FAULTS];
static const int faults[FAULTS] = {SIGSEGV, SIGBUS, SIGFPE};

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

/* Records the return addresses at a fault. Returns 1 if the launch can be ended there: in code of
 * the program's kind, or in a function that was called from there and has saved nothing yet, such
 * as memcpy. Any other function of a library may hold a lock. */
static int record_frames(const ucontext_t *context)
{
    struct emulate_fault *const fault = &now->fault;
    const int capacity = (int)(sizeof fault->frames / sizeof fault->frames[0]);
    const char *const pc = (const char *)REGISTERS_PC(context);
    const void *caller = NULL;
    fault->frame_count = 0;
    if (is_code(pc)) {
        fault->frames[fault->frame_count++] = pc + 1;
    } else {
#if defined(__x86_64__)
        const char *const sp = (const char *)REGISTERS_SP(context);
        if (stack_has(self()->slot, sp, sizeof caller))
            caller = *(const void *const *)(const void *)sp;
#else
        caller = (const void *)context->uc_mcontext.regs[30];
#endif
        if (!is_code(caller))
            return 0;
        fault->frames[fault->frame_count++] = caller;
    }
    fault->frame_count +=
        stack_unwind(self()->slot, (const char *)REGISTERS_FP(context),
                     &fault->frames[fault->frame_count], capacity - fault->frame_count);
    return 1;
}

static void record_fault(int number, const siginfo_t *info, const ucontext_t *context)
{
    struct emulate_fault *const fault = &now->fault;
    const char *const at = (const char *)info->si_addr;
    const int on_guard = at >= now->stacks.base &&
                         at < now->stacks.base + now->stacks.slots * now->stacks.stride &&
                         (size_t)(at - now->stacks.base) % now->stacks.stride < now->stacks.guard;
    /* A large array may have jumped over the guard page. */
    const int below = (const char *)REGISTERS_SP(context) < stack_bottom(self()->slot);
    fault->number = number;
    fault->overflow = on_guard || (number != SIGFPE && below);
    fault->known = info->si_code != SI_KERNEL;
    fault->address = fault->known ? (char *)info->si_addr : NULL;
    fault->thread = (unsigned)(self() - now->block);
    fault->of_block = portable_thread_loop_.is_split;
    fault->writes = -1;
#if defined(__x86_64__)
    fault->writes = (context->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#endif
}

static char *fault_text(char *text, size_t size)
{
    const struct emulate_fault *const fault = &now->fault;
    char where[200], address[48] = "an address that no memory has";
    if (fault->of_block)
        append(where_block(where, sizeof where), sizeof where,
               " (PORTABLE_SPLIT=0 in the environment has the thread named)");
    else
        emulate_where(where, sizeof where, now->block_id, fault->thread);
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
    order_thread();
    now->failed = !emulate_check.outlives;
    end_here();
}

/* A fault of a kernel ends its launch. Any other is left to the previous handler, the kernel's too
 * if a library's function may hold a lock. */
static void on_fault(int number, siginfo_t *info, void *registers)
{
    ucontext_t *const context = (ucontext_t *)registers;
    const struct emulate_fault first = now->fault;
    const int is_kernels = emulate_running && now->block && info->si_code > 0;
    char text[500], line[700];
    int which = 0;
    if (is_kernels) {
        record_fault(number, info, context);
        if (record_frames(context)) {
            const unsigned slot = self()->slot;
            const uintptr_t top = (uintptr_t)stack_top(slot);
            if (first.number)
                now->fault = first;
            if (launch.is_checked)
                emulate_fault = now->fault;
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
    emulate_fault = now->fault;
    snprintf(message, sizeof message, "kernel %s: %s", emulate.kernel,
             fault_text(text, sizeof text));
    if (emulate_check.faulted)
        emulate_check.faulted(text);
    if (portable_launch_.status == PORTABLE_SUCCESS)
        portable_launch_.status = portable_fail_(PORTABLE_ERROR_DEVICE, "%s", message);
}

/* This OS thread handles its faults there, if it has no other place. */
enum { ALTERNATE_STACK = 64 << 10 };
static void take_alternate_stack(char *alternate)
{
    stack_t stack;
    memset(&stack, 0, sizeof stack);
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE)) {
        stack.ss_flags = 0;
        stack.ss_sp = alternate;
        stack.ss_size = ALTERNATE_STACK;
        sigaltstack(&stack, NULL);
    }
}

static void catch_faults(void)
{
    static char alternate[ALTERNATE_STACK];
    static int caught;
    struct sigaction action;
    if (caught)
        return;
    caught = 1;
    take_alternate_stack(alternate);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int k = 0; k < FAULTS; k++)
        sigaction(faults[k], &action, &previous_fault[k]);
}

#endif
