/* SPDX-License-Identifier: BSD-3-Clause */
/* Modes of rounding, and CUDA's types, which some code includes by this name. */
#ifndef PORTABLE_CUDA_DEVICE_TYPES_H_
#define PORTABLE_CUDA_DEVICE_TYPES_H_
/* CUDA's own guard, which other code asks for. */
#define __DEVICE_TYPES_H__

#include "driver_types.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
