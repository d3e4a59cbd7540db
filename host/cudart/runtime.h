/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How each call of the runtime API begins and ends.
 */
#ifndef PORTABLE_HOST_CUDART_RUNTIME_H
#define PORTABLE_HOST_CUDART_RUNTIME_H

#include "host/cudart/errors.h"
#include "host/cudart/include/cuda_runtime_api.h"

/* The error of a failed kernel ends it. waits: for the device. */
#define ENTER(waits)                                                                               \
    do {                                                                                           \
        const cudaError_t entered_ = portable_cuda_enter_(waits);                                  \
        if (entered_ != cudaSuccess)                                                               \
            return entered_;                                                                       \
    } while (0)
/* Ends the call with the error if the condition does not hold. */
#define REQUIRE(condition, error)                                                                  \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return portable_cuda_error_(error);                                                    \
    } while (0)
#define REQUIRE_DEVICE(device) REQUIRE((device) == 0, cudaErrorInvalidDevice)

#endif
