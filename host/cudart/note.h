/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The note of a check (System V Application Binary Interface, chapter 5), in each object of CUDA
 * C++ that is compiled with one, and so in each module with such an object. module.c has it too.
 */
#ifndef PORTABLE_HOST_CUDART_NOTE_H
#define PORTABLE_HOST_CUDART_NOTE_H

/* The sizes of the name and of the check, the type, the name, the check; both with a zero byte. */
#define PORTABLE_NOTE(check)                                                                       \
    __asm__(".pushsection .note.portable, \"a\", @note\n"                                          \
            ".balign 4\n"                                                                          \
            ".long 9, 2f - 1f, 1\n"                                                                \
            ".asciz \"portable\"\n"                                                                \
            ".balign 4\n"                                                                          \
            "1: .asciz \"" check "\"\n"                                                            \
            "2: .balign 4\n"                                                                       \
            ".popsection")

#endif
