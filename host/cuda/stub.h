/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For the functions of the checks and the sanitizers that a runtime lacks: nvcc.mk lists them.
 */
#include "host/cuda/module.h"

#define WEAK __attribute__((weak, visibility("default")))
#define STUB(name)                                                                                 \
    WEAK void name(void);                                                                          \
    void name(void)                                                                                \
    {                                                                                              \
        portable_module_refuse_(0, #name, __builtin_return_address(0));                            \
    }
