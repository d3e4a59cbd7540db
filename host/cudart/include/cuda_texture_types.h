/* SPDX-License-Identifier: BSD-3-Clause */
/* Textures, by the name that some code includes them by. */
#ifndef PORTABLE_CUDA_CUDA_TEXTURE_TYPES_H_
#define PORTABLE_CUDA_CUDA_TEXTURE_TYPES_H_

#include "texture_types.h"

#endif
