/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The red zones before the first SHARED and the first CONSTANT object of a module, for memcheck.c.
 * Linked into each program and library, before all other objects.
 */
enum { GUARD_BYTES = 2048 };

#define GUARD(section_name) static char __attribute__((section(section_name), aligned(64), used))
GUARD(".portable_shared") portable_guard_shared_[GUARD_BYTES] = {0};
GUARD(".portable_constant") portable_guard_constant_[GUARD_BYTES] = {0};
