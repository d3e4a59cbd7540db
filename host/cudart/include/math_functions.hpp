/* SPDX-License-Identifier: BSD-3-Clause */
/* Math functions, by the name that some code includes them by. */
#ifndef PORTABLE_CUDA_MATH_FUNCTIONS_HPP_
#define PORTABLE_CUDA_MATH_FUNCTIONS_HPP_

#include "math_functions.h"

#endif
