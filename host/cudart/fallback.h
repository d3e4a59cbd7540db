/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For the functions of the checks and the sanitizers that a runtime lacks: nvcc.mk lists them. A
 * library that comes later may have one, such as that of a user's own -fsanitize=undefined. None
 * takes more arguments than the registers hold, or any other than integers and pointers.
 */
#define _GNU_SOURCE /* RTLD_NEXT */

#include "host/cudart/module.h"

#include <dlfcn.h>

#define WEAK __attribute__((weak, visibility("default")))
#define FALLBACK(name)                                                                             \
    WEAK void *name(void *a, void *b, void *c, void *d, void *e, void *f);                         \
    void *name(void *a, void *b, void *c, void *d, void *e, void *f)                               \
    {                                                                                              \
        void *(*const next)(void *, void *, void *, void *, void *, void *) =                      \
            (void *(*)(void *, void *, void *, void *, void *, void *))dlsym(RTLD_NEXT, #name);    \
        if (!next)                                                                                 \
            portable_module_refuse_(0, __builtin_return_address(0));                               \
        return next(a, b, c, d, e, f);                                                             \
    }
