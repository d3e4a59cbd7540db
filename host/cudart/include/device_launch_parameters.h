/* SPDX-License-Identifier: BSD-3-Clause */
/* The indices of the running thread. The emulate target's scheduler sets them whenever a thread
 * starts or resumes, except that run_block sets threadIdx: each OS thread that runs blocks has its
 * own. A kernel's own body has them as parameters: launch.h. */
#ifndef PORTABLE_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define PORTABLE_CUDA_DEVICE_LAUNCH_PARAMETERS_H
/* CUDA's own guard, which other code asks for. */
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"

#if defined(__cplusplus)
extern "C" {
#define PORTABLE_CUDA_OF_WORKER_ __attribute__((tls_model("initial-exec")))
#if defined(PORTABLE_LOOPS_)
extern __thread uint3 threadIdx PORTABLE_CUDA_OF_WORKER_;
#else
extern const __thread uint3 threadIdx PORTABLE_CUDA_OF_WORKER_;
#endif
extern const __thread uint3 blockIdx PORTABLE_CUDA_OF_WORKER_;
#undef PORTABLE_CUDA_OF_WORKER_
extern const dim3 blockDim, gridDim;
}
constexpr int warpSize = 32;
#endif

#endif
