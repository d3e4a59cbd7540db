/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: calls of the host that the checks see. */
#ifndef PORTABLE_HOST_EMULATE_HOST_CALLS_H
#define PORTABLE_HOST_EMULATE_HOST_CALLS_H

#include "host/emulate/launch.h"

static __thread const void *called_from;

void portable_emulate_name_(const char *name)
{
    emulate_allocated_for = name;
}

void portable_emulate_called_from_(const void *caller)
{
    called_from = caller;
}

/* No kernel runs meanwhile: this OS thread holds the launch lock from before a copy until it is
 * done, as it does during its launches. */
void portable_emulate_memory_(enum portable_memory_event_ event, const void *memory, size_t bytes)
{
    static __thread int copies;
    const int launched = portable_launch_.kernel != NULL, running = emulate_running;
    const int has_caller = event != PORTABLE_MEMORY_WRITE_ && event != PORTABLE_MEMORY_DONE_;
    const void *caller = called_from;
    if (!emulate_check.memory) {
        emulate_allocated_for = NULL;
        return;
    }
    if (!launched && copies == 0)
        portable_lock_(&portable_launch_lock_);
    copies += event == PORTABLE_MEMORY_READ_ || event == PORTABLE_MEMORY_WRITE_;
    emulate_running = 0;
    if (event == PORTABLE_MEMORY_NEW_)
        portable_array_name_(emulate.array, sizeof emulate.array, emulate_allocated_for);
    emulate_allocated_for = NULL;
    emulate.through_library = 0;
    if (has_caller && !caller)
        caller = emulate_caller(&emulate.through_library);
    emulate_check.memory(event, memory, bytes, has_caller ? caller : NULL);
    emulate_running = running;
    copies -= event == PORTABLE_MEMORY_DONE_;
    if (!launched && copies == 0)
        portable_unlock_(&portable_launch_lock_);
}

void portable_emulate_failed_(int status, const char *message)
{
    emulate_allocated_for = NULL;
    if (emulate_check.failed)
        emulate_check.failed(status, message, emulate_caller(NULL));
}

#endif
