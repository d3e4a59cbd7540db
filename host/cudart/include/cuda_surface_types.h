/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces, by the name that some code includes them by. */
#ifndef PORTABLE_CUDA_CUDA_SURFACE_TYPES_H_
#define PORTABLE_CUDA_CUDA_SURFACE_TYPES_H_

#include "surface_types.h"

#endif
