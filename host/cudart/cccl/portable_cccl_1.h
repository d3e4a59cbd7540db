/* SPDX-License-Identifier: BSD-3-Clause */
/* For Thrust and CUB 1.17, which do not have NV_IF_TARGET: included before a file that uses them.
 * They tell host code from device code when it runs only if nvc++ compiles them. */
#ifndef PORTABLE_CCCL_1_H
#define PORTABLE_CCCL_1_H

#include <cuda_runtime.h>

#define _NVHPC_CUDA 1
#define __NVCOMPILER_CUDA_ARCH__ __CUDA_ARCH__
#define __builtin_is_device_code() (::portable_cuda::in_kernel())
/* Where __CUDA_ARCH__ is defined, only this lets them launch kernels. */
#undef __CUDACC_RDC__
#define __CUDACC_RDC__ 1

/* Launches in a kernel fail. */
inline void *cudaGetParameterBuffer(size_t, size_t)
{
    return nullptr;
}
template <class... T> cudaError_t cudaLaunchDevice(T...)
{
    return cudaErrorNotSupported;
}
inline cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance()
{
    return cudaErrorNotSupported;
}

#endif
