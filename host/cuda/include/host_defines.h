/* SPDX-License-Identifier: BSD-3-Clause */
/* CUDA's specifiers that are attributes of the host's compiler. portable-nvcc takes the others out
 * of the source: __global__, __device__, __host__, __shared__, __constant__, __managed__ and
 * __noinline__, which the C++ library uses as the name of an attribute. */
#ifndef PORTABLE_CUDA_HOST_DEFINES_H
#define PORTABLE_CUDA_HOST_DEFINES_H
/* CUDA's own guard, which other code asks for. */
#define __HOST_DEFINES_H__

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB

#endif
