/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for the runtime's objects in a profiler: nothing on the CPU. */
#ifndef PORTABLE_CUDA_NVTX3_NVTOOLSEXTCUDART_H
#define PORTABLE_CUDA_NVTX3_NVTOOLSEXTCUDART_H

#include "nvToolsExt.h"

#include "../cuda_runtime_api.h"

static inline void nvtxNameCudaDeviceA(int device, const char *name)
{
    (void)device;
    (void)name;
}
static inline void nvtxNameCudaStreamA(cudaStream_t stream, const char *name)
{
    (void)stream;
    (void)name;
}
static inline void nvtxNameCudaEventA(cudaEvent_t event, const char *name)
{
    (void)event;
    (void)name;
}

#endif
