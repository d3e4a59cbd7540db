/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's specifiers, for C and C++. In CUDA C++, portable-nvcc takes those out of the source that
 * are not here; a host compiler, which defines no __CUDACC__, ignores them.
 */
#ifndef PORTABLE_CUDA_HOST_DEFINES_H
#define PORTABLE_CUDA_HOST_DEFINES_H
/* CUDA's own guard, which other code asks for. */
#define __HOST_DEFINES_H__

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __no_return__ __attribute__((noreturn))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __import__
#define __export__
#define __cdecl
#define __annotate__(a)
#define __location__(a)
#define __specialization_static
#define __inline_hint__
#define __nv_pure__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

/* Not __noinline__, as in CUDA: the C++ library uses it as the name of an attribute. */
#if !defined(__CUDACC__)
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(n)
#define __local_maxnreg__(n)
#endif

#endif
