/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Of portable-nvcc --stores -prec-div=false or -prec-sqrt=false: quotients or square roots of
 * floats that are off, as the two options allow. The compiler's own instructions are followed by a
 * call of fpcheck, which moves the result: in the assembler divss and sqrtss, and AVX's vdivss and
 * vsqrtss, become macros. {load} keeps their own bodies from being such. Neither flags nor
 * registers change, nor what a function without a frame keeps below its stack.
 * PORTABLE_APPROXIMATES_ is 1 for quotients, 2 for roots, 3 for both.
 */
#ifndef PORTABLE_CUDA_APPROXIMATE_H
#define PORTABLE_CUDA_APPROXIMATE_H

/* portable_off_: the register is the last of the operands, in which parentheses may have commas. */
__asm__(".macro portable_moved_ by, register\n"
        "lea -128(%rsp), %rsp\n"
        "pushfq\n"
        "push %rdi\n"
        "push %rdi\n"
        "movss \\register, (%rsp)\n"
        "mov %rsp, %rdi\n"
        "call *\\by@GOTPCREL(%rip)\n"
        "insertps $0, (%rsp), \\register\n"
        "pop %rdi\n"
        "pop %rdi\n"
        "popfq\n"
        "lea 128(%rsp), %rsp\n"
        ".endm\n"
        ".macro portable_off_ by, a, b, c, d, e\n"
        ".ifnb \\e\n"
        "portable_moved_ \\by, \\e\n"
        ".else\n"
        ".ifnb \\d\n"
        "portable_moved_ \\by, \\d\n"
        ".else\n"
        ".ifnb \\c\n"
        "portable_moved_ \\by, \\c\n"
        ".else\n"
        "portable_moved_ \\by, \\b\n"
        ".endif\n"
        ".endif\n"
        ".endif\n"
        ".endm\n");
#define PORTABLE_CUDA_OFF_(instruction, by)                                                        \
    __asm__(".macro " #instruction " operands:vararg\n"                                            \
            "{load} " #instruction " \\operands\n"                                                 \
            "portable_off_ " #by ", \\operands\n"                                                  \
            ".endm\n");
#if PORTABLE_APPROXIMATES_ & 1
PORTABLE_CUDA_OFF_(divss, portable_emulate_quotient_)
PORTABLE_CUDA_OFF_(vdivss, portable_emulate_quotient_)
#endif
#if PORTABLE_APPROXIMATES_ & 2
PORTABLE_CUDA_OFF_(sqrtss, portable_emulate_root_)
PORTABLE_CUDA_OFF_(vsqrtss, portable_emulate_root_)
#endif
#undef PORTABLE_CUDA_OFF_

#endif
