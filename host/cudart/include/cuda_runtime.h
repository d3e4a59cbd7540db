/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA C++ on the emulate target: the declarations that nvcc gives every .cu file. portable-nvcc
 * includes this header first, and it takes the place of CUDA's own. Where CUDA's does the same,
 * other compilers get the runtime API alone.
 */
#ifndef PORTABLE_CUDA_CUDA_RUNTIME_H
#define PORTABLE_CUDA_CUDA_RUNTIME_H
/* CUDA's own guard, which other code asks for. */
#define __CUDA_RUNTIME_H__

#include <limits.h>
#include <stddef.h>

#if defined(__cplusplus)
#include <utility>
#endif

#if defined(__CUDACC__)
/* <cmath> without the special functions of C++17, but with what libstdc++ includes for them. */
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_BITS_SPECFUN_H) && __has_include(<bits/specfun.h>)
#define _GLIBCXX_BITS_SPECFUN_H 1
#define PORTABLE_CUDA_CMATH_ALONE_ 1
#include <cmath>
#undef _GLIBCXX_BITS_SPECFUN_H
#include <bits/stl_algobase.h>
#include <limits>
#endif
#endif

#include "cuda_runtime_api.h"
#include "driver_types.h"
#include "library_types.h"
#include "texture_types.h"
#include "vector_functions.h"
#include "vector_types.h"

#if defined(__CUDACC__)
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <new>

#include "device_launch_parameters.h"
#include "portable_cuda/launch.h"
#include "portable_cuda/synchronisation.h"
#include "surface_indirect_functions.h"
#include "texture_indirect_functions.h"

#if defined(                                                                                       \
    PORTABLE_MATH_) /* of portable-nvcc --stores: whether to flush subnormal floats, fast math */
extern "C" void portable_emulate_math_(int flushes, int is_fast);
__attribute__((constructor)) static void portable_set_math_()
{
    portable_emulate_math_(PORTABLE_MATH_);
}
#endif
#if defined(PORTABLE_APPROXIMATES_)
#include "portable_cuda/approximate.h"
#endif

#include "portable_cuda/atomic_builtins.h"
#include "portable_cuda/atomics.h"
#include "portable_cuda/device.h"
#include "portable_cuda/integer.h"
#include "portable_cuda/math.h"
#include "portable_cuda/ptx.h"
/* A program that asks for CUDA 12 or newer may use the name `texture`, as there. */
#if !defined(PORTABLE_CUDA_NO_TEXTURE_REFERENCES) &&                                               \
    (!defined(PORTABLE_CUDA_VERSION) || PORTABLE_CUDA_VERSION < 12000)
#include "portable_cuda/texture_references.h"
#endif
#if defined(PORTABLE_CUDA_VERSION) && PORTABLE_CUDA_VERSION < 12000
#include "portable_cuda/surface_references.h"
#endif
#undef PORTABLE_CUDA_CMATH_ALONE_
#endif

#endif
