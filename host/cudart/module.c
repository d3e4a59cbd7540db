/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linked first into each program and library that portable-nvcc builds with a check: its name is
 * PORTABLE_CHECK.
 */
#include "host/cudart/module.h"
#include "host/cudart/note.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"
#endif

PORTABLE_NOTE(PORTABLE_CHECK);

/* Before the constructors of instrumented objects, which call functions that the runtime of another
 * check does not have. */
__attribute__((constructor(0))) static void begin(void)
{
    static const char here = 0;
    portable_module_(PORTABLE_CHECK, &here);
}

#if PORTABLE_MEMCHECK
#include "host/checks/guards.c"

/* The sanitizers' libraries have these too, before the runtime's, but behind the program's. Their
 * library may ask for its options before begin can refuse the process. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return portable_asan_options_ ? portable_asan_options_() : "verify_asan_link_order=0";
}
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return portable_ubsan_options_ ? portable_ubsan_options_() : "";
}
void __ubsan_on_report(void);
void __ubsan_on_report(void)
{
    portable_ubsan_reported_();
}
void *aligned_alloc(size_t alignment, size_t bytes);
void *aligned_alloc(size_t alignment, size_t bytes)
{
    if (!portable_aligned_alloc_)
        begin();
    return portable_aligned_alloc_(alignment, bytes);
}
void *memalign(size_t alignment, size_t bytes);
void *memalign(size_t alignment, size_t bytes)
{
    if (!portable_memalign_)
        begin();
    return portable_memalign_(alignment, bytes);
}
#endif
