/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams, events and captures, as the other calls see them.
 */
#ifndef PORTABLE_HOST_CUDART_STREAMS_H
#define PORTABLE_HOST_CUDART_STREAMS_H

#include "host/cudart/include/cuda_runtime_api.h"

#include "host/cudart/capture.h"
#include "host/cudart/order.h"

/* Whether the stream exists. */
int portable_cuda_is_stream_(cudaStream_t stream);
#define REQUIRE_STREAM(stream)                                                                     \
    REQUIRE(portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle)

/* For the check of the order of work, when a graph runs: a stream for nodes that come one after
 * another, which cudaStreamDestroy ends; NULL without memory. */
cudaStream_t portable_cuda_open_branch_(void);
/* The clock of the stream's work so far, for ORDER->forget; has the stream wait for a clock. */
struct emulate_clock *portable_cuda_clock_of_(cudaStream_t stream);
void portable_cuda_wait_for_clock_(cudaStream_t stream, const struct emulate_clock *clock);

/* For a call that must not be made during a capture, on the stream or at all: an error, and the
 * capture is invalid. */
cudaError_t portable_cuda_check_no_capture_(void);
#define REQUIRE_NO_CAPTURE()                                                                       \
    do {                                                                                           \
        const cudaError_t unsafe_ = portable_cuda_check_no_capture_();                             \
        if (unsafe_ != cudaSuccess)                                                                \
            return portable_cuda_error_(unsafe_);                                                  \
    } while (0)

#endif
