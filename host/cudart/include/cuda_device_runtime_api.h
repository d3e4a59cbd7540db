/* SPDX-License-Identifier: BSD-3-Clause */
/* The runtime API that kernels may call. */
#ifndef PORTABLE_CUDA_CUDA_DEVICE_RUNTIME_API_H_
#define PORTABLE_CUDA_CUDA_DEVICE_RUNTIME_API_H_

#include "cuda_runtime_api.h"

#endif
