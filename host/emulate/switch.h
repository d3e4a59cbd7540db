/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the emulate target that C cannot express, for x86-64 (System V) and aarch64
 * (AAPCS64): storing a call's arguments without knowing their types, calling with them again, and
 * switching stacks. Part of emulate.c.
 */
#ifndef PORTABLE_HOST_EMULATE_SWITCH_H
#define PORTABLE_HOST_EMULATE_SWITCH_H

#include <stddef.h> /* size_t */
#include <stdint.h> /* uint64_t */

/* The registers that may pass arguments, and the address of the arguments on the stack. The
 * assembly below depends on the offsets. */
struct arguments {
    uint64_t integer[9]; /* x86-64: rdi rsi rdx rcx r8 r9; aarch64: x0 to x8 */
    const char *stack;
    struct {
        uint64_t low, high;
    } real[8]; /* x86-64: xmm0 to xmm7; aarch64: q0 to q7 */
};

/* The data at the lowest used byte of a suspended stack. */
struct suspended {
#if defined(__x86_64__)
    uint64_t r15, r14, r13, r12, rbx, rbp, rip;
#else
    uint64_t x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29, x30;
    uint64_t d8, d9, d10, d11, d12, d13, d14, d15;
#endif
};

/* Called in place of a kernel: stores the arguments, and runs the launch. */
void portable_emulate_capture_(void);
/* Called by the assembly: runs a launch with the arguments; begins a thread; ends it, and returns
 * if another is to begin on its stack: 1 to stop a debugger before it. */
void portable_emulate_run_(const struct arguments *arguments);
void portable_emulate_begun_(void);
int portable_emulate_ended_(void);

/* Suspends this stack, storing its lowest used byte in *from, and resumes the other one. By a jump:
 * a processor predicts that a return goes back to the caller, and this one seldom does. */
void portable_emulate_switch_(void **from, void *to);
/* The entry point of a new stack. */
void portable_emulate_enter_(void);
/* host/project/gdb/portable.py sets the program counter to this, and the stack pointer to a
 * suspended stack's data, to inspect that stack: the call frame information has the places of its
 * registers. A program that runs from there stops at once: with SIGILL, which no debugger takes for
 * a step. */
void portable_emulate_viewed_(void);

/* Prepares a stack on which portable_emulate_switch_ starts `function` with the arguments,
 * including the first `stack_bytes` of those on the stack; top is its end, a multiple of 16. `stop`
 * is 1 to stop a debugger before the function's first instruction. */
static inline void *switch_prepare(char *top, void (*function)(void),
                                   const struct arguments *arguments, size_t stack_bytes, int stop)
{
    struct suspended *const s = (struct suspended *)(void *)(top - (sizeof *s + 15) / 16 * 16);
#if defined(__x86_64__)
    s->rip = (uint64_t)(uintptr_t)portable_emulate_enter_;
    s->rbp = 0;
    s->rbx = (uint64_t)(uintptr_t)arguments;
    s->r12 = (uint64_t)(uintptr_t)function;
    s->r13 = (uint64_t)(uintptr_t)arguments->stack;
    s->r14 = stack_bytes;
    s->r15 = (uint64_t)stop;
#else
    s->x30 = (uint64_t)(uintptr_t)portable_emulate_enter_;
    s->x29 = 0;
    s->x19 = (uint64_t)(uintptr_t)arguments;
    s->x20 = (uint64_t)(uintptr_t)function;
    s->x21 = (uint64_t)(uintptr_t)arguments->stack;
    s->x22 = stack_bytes;
    s->x23 = (uint64_t)stop;
#endif
    return s;
}

static inline const char *frame_pointer(const struct suspended *s)
{
#if defined(__x86_64__)
    return (const char *)(uintptr_t)s->rbp;
#else
    return (const char *)(uintptr_t)s->x29;
#endif
}

/* clang-format off */
#if defined(__x86_64__)
__asm__(
    ".text\n"
    ".p2align 4\n"
    ".globl portable_emulate_capture_\n"
    ".type portable_emulate_capture_, @function\n"
    "portable_emulate_capture_:\n"
    "    .cfi_startproc\n"
    "    pushq %rbp\n"
    "    .cfi_def_cfa_offset 16\n"
    "    .cfi_offset %rbp, -16\n"
    "    movq %rsp, %rbp\n"
    "    .cfi_def_cfa_register %rbp\n"
    "    subq $208, %rsp\n"
    "    movq %rdi, 0(%rsp)\n"
    "    movq %rsi, 8(%rsp)\n"
    "    movq %rdx, 16(%rsp)\n"
    "    movq %rcx, 24(%rsp)\n"
    "    movq %r8, 32(%rsp)\n"
    "    movq %r9, 40(%rsp)\n"
    "    leaq 16(%rbp), %rax\n"
    "    movq %rax, 72(%rsp)\n"
    "    movups %xmm0, 80(%rsp)\n"
    "    movups %xmm1, 96(%rsp)\n"
    "    movups %xmm2, 112(%rsp)\n"
    "    movups %xmm3, 128(%rsp)\n"
    "    movups %xmm4, 144(%rsp)\n"
    "    movups %xmm5, 160(%rsp)\n"
    "    movups %xmm6, 176(%rsp)\n"
    "    movups %xmm7, 192(%rsp)\n"
    "    movq %rsp, %rdi\n"
    "    call portable_emulate_run_@PLT\n"
    "    leave\n"
    "    .cfi_def_cfa %rsp, 8\n"
    "    ret\n"
    "    .cfi_endproc\n"
    ".size portable_emulate_capture_, . - portable_emulate_capture_\n"
    ".p2align 4\n"
    ".globl portable_emulate_switch_\n"
    ".type portable_emulate_switch_, @function\n"
    "portable_emulate_switch_:\n"
    "    .cfi_startproc\n"
    "    pushq %rbp\n"
    "    .cfi_def_cfa_offset 16\n"
    "    .cfi_offset %rbp, -16\n"
    "    pushq %rbx\n"
    "    .cfi_def_cfa_offset 24\n"
    "    .cfi_offset %rbx, -24\n"
    "    pushq %r12\n"
    "    .cfi_def_cfa_offset 32\n"
    "    .cfi_offset %r12, -32\n"
    "    pushq %r13\n"
    "    .cfi_def_cfa_offset 40\n"
    "    .cfi_offset %r13, -40\n"
    "    pushq %r14\n"
    "    .cfi_def_cfa_offset 48\n"
    "    .cfi_offset %r14, -48\n"
    "    pushq %r15\n"
    "    .cfi_def_cfa_offset 56\n"
    "    .cfi_offset %r15, -56\n"
    "    movq %rsp, (%rdi)\n"
    "    movq %rsi, %rsp\n"
    "    popq %r15\n"
    "    popq %r14\n"
    "    popq %r13\n"
    "    popq %r12\n"
    "    popq %rbx\n"
    "    popq %rbp\n"
    "    popq %rcx\n"
    "    .cfi_def_cfa_offset 0\n"
    "    .cfi_register %rip, %rcx\n"
    "    jmp *%rcx\n"
    "    .cfi_endproc\n"
    ".size portable_emulate_switch_, . - portable_emulate_switch_\n"
    ".p2align 4\n"
    ".globl portable_emulate_enter_\n"
    ".type portable_emulate_enter_, @function\n"
    "portable_emulate_enter_:\n"
    "    .cfi_startproc\n"
    "    .cfi_undefined %rip\n" /* the outermost frame of a backtrace */
    "    .cfi_undefined %rbp\n"
    "    andq $-16, %rsp\n"
    "    call portable_emulate_begun_@PLT\n"
    "    subq %r14, %rsp\n"
    "    andq $-64, %rsp\n" /* an argument may be aligned to more than 16 */
    "0:  movq %r14, %rcx\n"
    "1:  testq %rcx, %rcx\n"
    "    jz 2f\n"
    "    subq $16, %rcx\n"
    "    movups (%r13,%rcx), %xmm0\n"
    "    movups %xmm0, (%rsp,%rcx)\n"
    "    jmp 1b\n"
    "2:  movups 80(%rbx), %xmm0\n"
    "    movups 96(%rbx), %xmm1\n"
    "    movups 112(%rbx), %xmm2\n"
    "    movups 128(%rbx), %xmm3\n"
    "    movups 144(%rbx), %xmm4\n"
    "    movups 160(%rbx), %xmm5\n"
    "    movups 176(%rbx), %xmm6\n"
    "    movups 192(%rbx), %xmm7\n"
    "    movq 0(%rbx), %rdi\n"
    "    movq 8(%rbx), %rsi\n"
    "    movq 16(%rbx), %rdx\n"
    "    movq 24(%rbx), %rcx\n"
    "    movq 32(%rbx), %r8\n"
    "    movq 40(%rbx), %r9\n"
    "    movl $8, %eax\n"
    "    testl %r15d, %r15d\n"
    "    jz 3f\n"
    "    int3\n"
    "3:  call *%r12\n"
    "    call portable_emulate_ended_@PLT\n"
    "    movl %eax, %r15d\n"
    "    jmp 0b\n"
    "    .cfi_endproc\n"
    ".size portable_emulate_enter_, . - portable_emulate_enter_\n"
    ".p2align 4\n"
    ".globl portable_emulate_viewed_\n"
    ".type portable_emulate_viewed_, @function\n"
    "portable_emulate_viewed_:\n"
    "    .cfi_startproc\n"
    "    .cfi_def_cfa_offset 56\n"
    "    .cfi_offset %rbp, -16\n"
    "    .cfi_offset %rbx, -24\n"
    "    .cfi_offset %r12, -32\n"
    "    .cfi_offset %r13, -40\n"
    "    .cfi_offset %r14, -48\n"
    "    .cfi_offset %r15, -56\n"
    "    ud2\n"
    "    .cfi_endproc\n"
    ".size portable_emulate_viewed_, . - portable_emulate_viewed_\n"
);
#elif defined(__aarch64__)
__asm__(
    ".text\n"
    ".p2align 4\n"
    ".globl portable_emulate_capture_\n"
    ".type portable_emulate_capture_, %function\n"
    "portable_emulate_capture_:\n"
    "    .cfi_startproc\n"
    "    stp x29, x30, [sp, #-16]!\n"
    "    .cfi_def_cfa_offset 16\n"
    "    .cfi_offset 29, -16\n"
    "    .cfi_offset 30, -8\n"
    "    mov x29, sp\n"
    "    .cfi_def_cfa_register 29\n"
    "    sub sp, sp, #208\n"
    "    stp x0, x1, [sp]\n"
    "    stp x2, x3, [sp, #16]\n"
    "    stp x4, x5, [sp, #32]\n"
    "    stp x6, x7, [sp, #48]\n"
    "    add x9, x29, #16\n"
    "    stp x8, x9, [sp, #64]\n"
    "    stp q0, q1, [sp, #80]\n"
    "    stp q2, q3, [sp, #112]\n"
    "    stp q4, q5, [sp, #144]\n"
    "    stp q6, q7, [sp, #176]\n"
    "    mov x0, sp\n"
    "    bl portable_emulate_run_\n"
    "    mov sp, x29\n"
    "    ldp x29, x30, [sp], #16\n"
    "    .cfi_def_cfa 31, 0\n"
    "    ret\n"
    "    .cfi_endproc\n"
    ".size portable_emulate_capture_, . - portable_emulate_capture_\n"
    ".p2align 4\n"
    ".globl portable_emulate_switch_\n"
    ".type portable_emulate_switch_, %function\n"
    "portable_emulate_switch_:\n"
    "    .cfi_startproc\n"
    "    sub sp, sp, #160\n"
    "    .cfi_def_cfa_offset 160\n"
    "    stp x19, x20, [sp]\n"
    "    stp x21, x22, [sp, #16]\n"
    "    stp x23, x24, [sp, #32]\n"
    "    stp x25, x26, [sp, #48]\n"
    "    stp x27, x28, [sp, #64]\n"
    "    stp x29, x30, [sp, #80]\n"
    "    .cfi_offset 29, -80\n"
    "    .cfi_offset 30, -72\n"
    "    stp d8, d9, [sp, #96]\n"
    "    stp d10, d11, [sp, #112]\n"
    "    stp d12, d13, [sp, #128]\n"
    "    stp d14, d15, [sp, #144]\n"
    "    mov x9, sp\n"
    "    str x9, [x0]\n"
    "    mov sp, x1\n"
    "    ldp x19, x20, [sp]\n"
    "    ldp x21, x22, [sp, #16]\n"
    "    ldp x23, x24, [sp, #32]\n"
    "    ldp x25, x26, [sp, #48]\n"
    "    ldp x27, x28, [sp, #64]\n"
    "    ldp x29, x30, [sp, #80]\n"
    "    ldp d8, d9, [sp, #96]\n"
    "    ldp d10, d11, [sp, #112]\n"
    "    ldp d12, d13, [sp, #128]\n"
    "    ldp d14, d15, [sp, #144]\n"
    "    add sp, sp, #160\n"
    "    .cfi_def_cfa_offset 0\n"
    "    br x30\n"
    "    .cfi_endproc\n"
    ".size portable_emulate_switch_, . - portable_emulate_switch_\n"
    ".p2align 4\n"
    ".globl portable_emulate_enter_\n"
    ".type portable_emulate_enter_, %function\n"
    "portable_emulate_enter_:\n"
    "    .cfi_startproc\n"
    "    .cfi_undefined 30\n" /* the outermost frame of a backtrace */
    "    bl portable_emulate_begun_\n"
    "    sub sp, sp, x22\n"
    "0:  mov x10, x22\n"
    "1:  cbz x10, 2f\n"
    "    sub x10, x10, #16\n"
    "    ldr q0, [x21, x10]\n"
    "    mov x9, sp\n"
    "    str q0, [x9, x10]\n"
    "    b 1b\n"
    "2:  ldp q0, q1, [x19, #80]\n"
    "    ldp q2, q3, [x19, #112]\n"
    "    ldp q4, q5, [x19, #144]\n"
    "    ldp q6, q7, [x19, #176]\n"
    "    ldp x0, x1, [x19]\n"
    "    ldp x2, x3, [x19, #16]\n"
    "    ldp x4, x5, [x19, #32]\n"
    "    ldp x6, x7, [x19, #48]\n"
    "    ldr x8, [x19, #64]\n"
    "    cbz w23, 3f\n"
    "    brk #0\n"
    "3:  blr x20\n"
    "    bl portable_emulate_ended_\n"
    "    mov w23, w0\n"
    "    b 0b\n"
    "    .cfi_endproc\n"
    ".size portable_emulate_enter_, . - portable_emulate_enter_\n"
    ".p2align 4\n"
    ".globl portable_emulate_viewed_\n"
    ".type portable_emulate_viewed_, %function\n"
    "portable_emulate_viewed_:\n"
    "    .cfi_startproc\n"
    "    .cfi_def_cfa_offset 160\n"
    "    .cfi_offset 19, -160\n"
    "    .cfi_offset 20, -152\n"
    "    .cfi_offset 21, -144\n"
    "    .cfi_offset 22, -136\n"
    "    .cfi_offset 23, -128\n"
    "    .cfi_offset 24, -120\n"
    "    .cfi_offset 25, -112\n"
    "    .cfi_offset 26, -104\n"
    "    .cfi_offset 27, -96\n"
    "    .cfi_offset 28, -88\n"
    "    .cfi_offset 29, -80\n"
    "    .cfi_offset 30, -72\n"
    "    .inst 0\n" /* undefined */
    "    .cfi_endproc\n"
    ".size portable_emulate_viewed_, . - portable_emulate_viewed_\n"
);
#endif
/* clang-format on */

#endif
