/* SPDX-License-Identifier: BSD-3-Clause */
/* Math functions, by the name that some code includes them by. */
#ifndef PORTABLE_CUDA_CRT_MATH_FUNCTIONS_H_
#define PORTABLE_CUDA_CRT_MATH_FUNCTIONS_H_

#include "../math_functions.h"

#endif
