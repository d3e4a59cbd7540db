/* SPDX-License-Identifier: BSD-3-Clause */
/* CUDA's types, by the name that some code includes them by. */
#ifndef PORTABLE_CUDA_BUILTIN_TYPES_H_
#define PORTABLE_CUDA_BUILTIN_TYPES_H_

#include "cuda_runtime_api.h"

#endif
