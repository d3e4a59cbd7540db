/* SPDX-License-Identifier: BSD-3-Clause */
/* The C library's <assert.h>, with an assert that also works in kernels. Like it, this header may
 * be included again, with or without NDEBUG. */
#include_next <assert.h>
#if !defined(NDEBUG) && defined(__cplusplus) && defined(__CUDACC__)
#include "portable_cuda/device.h"
#undef assert
#define assert(condition)                                                                          \
    (static_cast<bool>(condition)                                                                  \
         ? void(0)                                                                                 \
         : (portable_cuda::assertion_failed(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__),  \
            __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__)))
#endif
