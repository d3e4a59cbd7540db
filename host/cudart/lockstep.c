/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked into what portable-nvcc --warps=lockstep builds. */
#include "host/emulate/protocol.h"

__attribute__((constructor)) static void begin(void)
{
    portable_emulate_lockstep_();
}
