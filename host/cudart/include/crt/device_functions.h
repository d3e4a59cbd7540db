/* SPDX-License-Identifier: BSD-3-Clause */
/* Device functions, by the name that some code includes them by. */
#ifndef PORTABLE_CUDA_CRT_DEVICE_FUNCTIONS_H_
#define PORTABLE_CUDA_CRT_DEVICE_FUNCTIONS_H_

#include "../device_functions.h"

#endif
