/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs without a check that sees accesses: those of warps in lockstep. */
#include "host/emulate/protocol.h"

static inline void on_read(const char *address, size_t bytes, const void *caller)
{
    (void)bytes;
    portable_emulate_step_(address, caller);
}

static inline void on_write(const char *address, size_t bytes, const void *caller)
{
    (void)bytes;
    portable_emulate_step_(address, caller);
}

static inline void on_atomic(const char *address, size_t bytes, int writes, const void *caller)
{
    (void)bytes;
    (void)writes;
    portable_emulate_step_(address, caller);
}

extern __thread int emulate_running;
#include "host/checks/hooks.h"
