/* SPDX-License-Identifier: BSD-3-Clause */
/* The indices of the running thread. The emulate target's scheduler sets them whenever a thread
 * starts or resumes, except that run_block sets threadIdx. A kernel's own body has them as
 * parameters: launch.h. */
#ifndef PORTABLE_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define PORTABLE_CUDA_DEVICE_LAUNCH_PARAMETERS_H
/* CUDA's own guard, which other code asks for. */
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"

#if defined(__cplusplus)
extern "C" {
#if defined(PORTABLE_LOOPS_)
extern uint3 threadIdx;
#else
extern const uint3 threadIdx;
#endif
extern const uint3 blockIdx;
extern const dim3 blockDim, gridDim;
}
constexpr int warpSize = 32;
#endif

#endif
