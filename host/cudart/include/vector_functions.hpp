/* SPDX-License-Identifier: BSD-3-Clause */
/* make_float4 and its kin, by the name that some code includes them by. */
#ifndef PORTABLE_CUDA_VECTOR_FUNCTIONS_HPP_
#define PORTABLE_CUDA_VECTOR_FUNCTIONS_HPP_

#include "vector_functions.h"

#endif
