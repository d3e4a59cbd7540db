/* SPDX-License-Identifier: BSD-3-Clause */
/* The indices of the running thread. The emulate target's scheduler sets them whenever a thread
 * starts or resumes. */
#ifndef PORTABLE_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define PORTABLE_CUDA_DEVICE_LAUNCH_PARAMETERS_H
/* CUDA's own guard, which other code asks for. */
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"

#if defined(__cplusplus)
extern "C" {
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
}
constexpr int warpSize = 32;
#endif

#endif
