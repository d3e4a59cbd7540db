/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modules, that is the program and its libraries, and the runtime, one for each check: which of
 * them go together.
 */
#ifndef PORTABLE_HOST_CUDART_MODULE_H
#define PORTABLE_HOST_CUDART_MODULE_H

#include <stddef.h> /* size_t */

/* Ends the process with a sentence if the module that contains the address was built with another
 * check than the runtime's. */
void portable_module_(const char *check, const void *address);

/* Ends the process with the sentence: what to set so that it gets the runtime of the check. Without
 * a check, that of the module's note. */
__attribute__((noreturn)) void portable_module_refuse_(const char *check, const void *address);

/* memcheck's part of the sanitizers' options, reports and memory. Weak: another runtime does not
 * have them. */
__attribute__((weak)) const char *portable_asan_options_(void);
__attribute__((weak)) const char *portable_ubsan_options_(void);
__attribute__((weak)) void portable_ubsan_reported_(void);
__attribute__((weak)) void *portable_aligned_alloc_(size_t alignment, size_t bytes);
__attribute__((weak)) void *portable_memalign_(size_t alignment, size_t bytes);

#endif
