/* SPDX-License-Identifier: BSD-3-Clause */
/* CUDA's header of this name is a part of cuda_runtime.h. */
#include "cuda_runtime.h"
