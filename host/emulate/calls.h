/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of the runtime, which is C, for programs in C and C++. */
#if defined(__cplusplus)
extern "C" {
#endif
#include "host/emulate/protocol.h"
#if defined(__cplusplus)
}
#endif
