/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the portable.h contributors
 *
 * portable.h: one kernel source, compiled by nvcc as CUDA or by cc as plain C loops.
 *
 *     #include "portable.h"
 *
 *     KERNEL(saxpy)(int n, float a, const float *x, float *y)
 *     {
 *         GRID_STRIDE_LOOP(i, n)
 *             y[i] = a * x[i] + y[i];
 *     }
 *     ...
 *     PORTABLE_CHECK(KERNEL_LAUNCH(saxpy, 64, 256, 0, 0, n, 2.0f, x, y));
 *
 *     cc -std=c11 -I. saxpy.c               plain C: gdb, valgrind, sanitizers
 *     cc -std=c11 -fopenmp -O3 -I. saxpy.c  the same on all cores
 *     nvcc -x cu -std=c++17 -I. saxpy.c     CUDA
 *     make run TARGET=emulate SOURCES=saxpy.c   C with one thread of control per CUDA thread
 *
 * A kernel is a nest of loops that states which iterations are independent. cc runs the loops; CUDA
 * gives each iteration to a thread. Every name belongs to one of four scopes:
 *
 *     kernel scope   the body of KERNEL: one thread, outside any block scope
 *     block scope    inside FOR_EACH_BLOCK: loops, barriers and declarations of a whole block
 *     thread scope   inside FOR_EACH_THREAD and similar loops: one thread, between two barriers
 *     warp scope     inside FOR_EACH_WARP: one warp as a unit, for tensor cores
 *
 * In plain C a name outside its scope does not compile, and the error names the right scope.
 *
 * Part I is the whole language: each public name once, by topic, with its contract and then its
 * definition on each target: PORTABLE_CUDA_(...), PORTABLE_LOOPS_(...) for serial and openmp, and
 * PORTABLE_EMULATE_(...); PORTABLE_CPU_(...) serves both of the last two, and what stands alone
 * serves all three. A contract comes first in the definition, because editors show a macro's
 * definition. Functions are declared here and defined under the same name in Part II.
 *
 *     1 version, 2 configuration, 3 target, 4 kernels and qualifiers, 5 scopes and indices,
 *     6 memory of a block and of a thread, 7 synchronisation, 8 atomics, 9 launch, 10 status,
 *     11 device memory, 12 streams and events, 13 the device, 14 mirrored arrays,
 *     15 warps, collectives and fragments, 16 types, 17 vectors, 18 16-bit numbers, 19 textures,
 *     20 CUDA's own spelling
 *
 * Part II is the machinery: common to all targets, CPU, loops, openmp, cuda, the host runtime. That
 * of the emulate target is in host/emulate/target.h, beside the runtime it calls.
 *
 * Names that end in an underscore are internal. Everything here is a macro or a static inline
 * function; anything that must exist once per program is a weak symbol, so any number of files can
 * include this header.
 */
#ifndef PORTABLE_H
#define PORTABLE_H

/* The scopes redeclare the same names, which is shadowing by design. */
#if !defined(PORTABLE_SHOW_WARNINGS) || !PORTABLE_SHOW_WARNINGS
#pragma GCC system_header
#endif

/* Part I keeps each macro's contract and targets on lines of their own; clang-format would nest
 * them. */
/* clang-format off */

/* ###############################################################################################
 * Part I: the language
 * ############################################################################################ */

/* ===============================================================================================
 * 1  Version
 * ============================================================================================== */

#define PORTABLE_VERSION_MAJOR 0
#define PORTABLE_VERSION_MINOR 1
#define PORTABLE_VERSION_PATCH 0

#define PORTABLE_VERSION_GE(a, b, c)                                                               \
    /* 1 when this header is version a.b.c or newer, else 0; for #if. */                           \
    (PORTABLE_VERSION_MAJOR * 1000000LL + PORTABLE_VERSION_MINOR * 1000 + PORTABLE_VERSION_PATCH   \
     >= (a) * 1000000LL + (b) * 1000 + (c))

/* ===============================================================================================
 * 2  Configuration: each flag is 0 or 1, from the command line, the same in every file
 * ============================================================================================== */

#ifndef PORTABLE_PRECISION_DOUBLE
#define PORTABLE_PRECISION_DOUBLE /* 1: REAL is double; 0: float (make PRECISION=single|double) */ 0
#endif
#ifndef PORTABLE_ATOMICS_CAS
#define PORTABLE_ATOMICS_CAS                                                                       \
    /* 1: every atomic of the CUDA target is a compare-and-swap loop, so that this path can be     \
     * tested on any GPU; 0: native atomics where the GPU has them. (make ATOMICS=native|cas) */   \
    0
#endif
#ifndef PORTABLE_CHECKS
#define PORTABLE_CHECKS                                                                            \
    /* 1: CUDA checks the block shape on the device and fills new device memory with all-ones      \
     * bytes, as the CPU always does, and serial reads ORDER from the environment; 0: no cost. */  \
    0
#endif
#ifndef PORTABLE_CLONES
#define PORTABLE_CLONES                                                                            \
    /* 1: serial and openmp compile each kernel for AVX2 and, with gcc, AVX-512 too, where the     \
     * compiler and the system can choose among such clones when the program starts; the results   \
     * have the same bits. 0: only for the instructions that the compiler's flags allow. */        \
    1
#endif
#if (PORTABLE_PRECISION_DOUBLE | PORTABLE_ATOMICS_CAS | PORTABLE_CHECKS | PORTABLE_CLONES) & ~1
#error "portable.h: PORTABLE_PRECISION_DOUBLE, _ATOMICS_CAS, _CHECKS and _CLONES are 0 or 1"
#endif

/* A program's macro with one of these names would change the language. This comes before the
 * definitions: after them it could not be told whose macro it is. */
#if defined(KERNEL) || defined(KERNEL_LAUNCH_BOUNDS) || defined(DEVICE) || defined(CONSTANT) ||    \
    defined(UNROLL) || defined(RESTRICT) || defined(ALIGNED)
#include "portable.h: a name of 'Kernels and qualifiers', above this line, is a macro before this header: #undef it or rename it"
#elif defined(FOR_EACH_BLOCK) || defined(FOR_EACH_THREAD) || defined(FOR_THREADS_BELOW) ||         \
    defined(FOR_EACH_WARP) || defined(WARP_INDEX) || defined(FOR_EACH_ELEMENT) ||                  \
    defined(GRID_STRIDE_LOOP) || defined(GRID_STRIDE_LOOP_2D) || defined(GRID_STRIDE_LOOP_3D) ||   \
    defined(ELEMENT_OFFSET) || defined(ELEMENT_STRIDE) || defined(BLOCK_FUNCTION) ||               \
    defined(BLOCK_CALL)
#include "portable.h: a name of 'Scopes and indices', above this line, is a macro before this header: #undef it or rename it"
#elif defined(SHARED) || defined(SHARED_DYNAMIC) || defined(PRIVATE) || defined(MINE) ||           \
    defined(PRIVATE_PARAMETER)
#include "portable.h: a name of 'Memory of a block and of a thread', above this line, is a macro before this header: #undef it or rename it"
#elif defined(SYNC_THREADS) || defined(SYNC_WARP) || defined(SYNC_GRID) ||                         \
    defined(COPY_ASYNC) || defined(COPY_ASYNC_IF) || defined(COPY_COMMIT) || defined(COPY_WAIT)
#include "portable.h: a name of 'Synchronisation', above this line, is a macro before this header: #undef it or rename it"
#elif defined(ATOMIC_ADD) || defined(ATOMIC_SUB) || defined(ATOMIC_MIN) ||                         \
    defined(ATOMIC_MAX) || defined(ATOMIC_EXCHANGE) || defined(ATOMIC_AND) ||                      \
    defined(ATOMIC_OR) || defined(ATOMIC_XOR) || defined(ATOMIC_INC) || defined(ATOMIC_DEC) ||     \
    defined(ATOMIC_CAS) || defined(ATOMIC_LOAD) || defined(ATOMIC_STORE) ||                        \
    defined(ATOMIC_ADD_BLOCK) || defined(ATOMIC_SUB_BLOCK) || defined(ATOMIC_MIN_BLOCK) ||         \
    defined(ATOMIC_MAX_BLOCK) || defined(ATOMIC_EXCHANGE_BLOCK) || defined(ATOMIC_AND_BLOCK) ||    \
    defined(ATOMIC_OR_BLOCK) || defined(ATOMIC_XOR_BLOCK) || defined(ATOMIC_INC_BLOCK) ||          \
    defined(ATOMIC_DEC_BLOCK) || defined(ATOMIC_CAS_BLOCK)
#include "portable.h: a name of 'Atomics', above this line, is a macro before this header: #undef it or rename it"
#elif defined(KERNEL_LAUNCH) || defined(KERNEL_LAUNCH_AUTO) ||                                     \
    defined(KERNEL_LAUNCH_COOPERATIVE) || defined(KERNEL_SHARED_LIMIT) ||                          \
    defined(KERNEL_CHILD) || defined(DEVICE_LAUNCH)
#include "portable.h: a name of 'Launch', above this line, is a macro before this header: #undef it or rename it"
#elif defined(POPCOUNT) || defined(SHUFFLE) || defined(SHUFFLE_UP) || defined(SHUFFLE_DOWN) ||     \
    defined(SHUFFLE_XOR) || defined(BALLOT) || defined(ANY) || defined(ALL) ||                     \
    defined(WARP_REDUCE_ADD) || defined(WARP_REDUCE_MIN) || defined(WARP_REDUCE_MAX) ||            \
    defined(BLOCK_REDUCE_ADD) || defined(BLOCK_REDUCE_MIN) || defined(BLOCK_REDUCE_MAX) ||         \
    defined(BLOCK_SCAN_ADD_INCLUSIVE) || defined(BLOCK_SCAN_ADD_EXCLUSIVE) ||                      \
    defined(FRAGMENT_SIZE) || defined(FRAGMENT_A) || defined(FRAGMENT_B) ||                        \
    defined(FRAGMENT_C) || defined(FRAGMENT_FILL) || defined(FRAGMENT_LOAD) ||                     \
    defined(FRAGMENT_MULTIPLY_ADD) || defined(FRAGMENT_STORE)
#include "portable.h: a name of 'Warps, collectives and fragments', above this line, is a macro before this header: #undef it or rename it"
#elif defined(DIM3) || defined(dim3) || defined(REAL) || defined(REAL_EPSILON) || defined(REAL_TINY) ||             \
    defined(WARP_SIZE) || defined(REAL_VECTOR) || defined(REAL_LANES) || defined(TEXTURE_1D) ||    \
    defined(TEXTURE_2D)
#include "portable.h: a name of 'Types, vectors and textures', above this line, is a macro before this header: #undef it or rename it"
#endif

/* ===============================================================================================
 * 3  Target
 *
 * nvcc is the CUDA target. cc with -DPORTABLE_TARGET_CUDA=1 is a host file of a CUDA build: host
 * calls only, no kernels. cc with -DPORTABLE_TARGET_EMULATE=1 is the emulate target, whose programs
 * are linked with host/emulate/: each thread of a block runs the whole kernel, on its own stack.
 * cc -fopenmp is the openmp target: the serial one, its blocks spread over the cores. Any other C11
 * compiler is the serial target.
 *
 * C++17 files have kernels on cuda and emulate. On serial and openmp they make host calls, and
 * launch kernels defined in C files, declared by KERNEL(name)(parameters);.
 *
 * The serial target runs on Linux, macOS and Windows (mingw-w64, or clang for windows-gnu). The
 * emulate target needs Linux on x86-64 or aarch64; the checks also need glibc.
 * ============================================================================================== */

/* Unsupported compilers and flags end here, by a header that does not exist: gcc and clang stop at
 * once. After #error they would go on, and one sentence would become twenty. */
#if !defined(PORTABLE_TARGET_EMULATE)
#define PORTABLE_TARGET_EMULATE /* 1 on the emulate target, else 0. */ 0
#endif
#if !defined(__GNUC__)
#include "portable.h: the compiler must be gcc, clang, or nvcc on top of one of them"
#elif defined(__cplusplus) && __cplusplus < 201703L
#include "portable.h: this is C++ older than C++17; use -std=c++17"
#elif !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L)
#include "portable.h: this is C older than C11; use cc -std=c11"
#elif PORTABLE_TARGET_EMULATE != 0 && PORTABLE_TARGET_EMULATE != 1
#include "portable.h: PORTABLE_TARGET_EMULATE is 0 or 1"
#elif defined(PORTABLE_TARGET_CUDA) && PORTABLE_TARGET_CUDA != 0 && PORTABLE_TARGET_CUDA != 1
#include "portable.h: PORTABLE_TARGET_CUDA is 0 or 1"
#elif PORTABLE_TARGET_EMULATE &&                                                                   \
    (defined(__CUDACC__) || (defined(PORTABLE_TARGET_CUDA) && PORTABLE_TARGET_CUDA))
#include "portable.h: PORTABLE_TARGET_EMULATE is a CPU target: compile it by cc, without CUDA"
#elif PORTABLE_TARGET_EMULATE && !defined(__linux__)
#include "portable.h: the emulate target needs Linux; use the serial target on this system"
#elif PORTABLE_TARGET_EMULATE && !defined(__x86_64__) && !defined(__aarch64__)
#include "portable.h: the emulate target needs x86-64 or aarch64; use the serial target here"
#elif PORTABLE_TARGET_EMULATE && !__has_include("host/emulate/protocol.h")
#include "portable.h: the emulate target needs the directory of host/emulate/ after -I"
#elif defined(__CUDACC__) && defined(PORTABLE_TARGET_CUDA) && !PORTABLE_TARGET_CUDA
#include "portable.h: nvcc compiles for the CUDA target; use cc for a CPU target"
#endif

#if defined(__CUDACC__)
#define PORTABLE_KERNELS_CUDA_ 1
#define PORTABLE_HOST_FILE_ 0
#elif defined(PORTABLE_TARGET_CUDA) && PORTABLE_TARGET_CUDA
#define PORTABLE_KERNELS_CUDA_ 0
#define PORTABLE_HOST_FILE_ 1 /* of a CUDA build */
#else
#define PORTABLE_KERNELS_CUDA_ 0
#define PORTABLE_HOST_FILE_ 0
#endif
#undef PORTABLE_TARGET_CUDA
#define PORTABLE_TARGET_CUDA                                                                       \
    /* 1 on the cuda target, also in its host files, else 0. */                                    \
    (PORTABLE_KERNELS_CUDA_ || PORTABLE_HOST_FILE_)
#define PORTABLE_KERNELS_EMULATE_ PORTABLE_TARGET_EMULATE
#if defined(__cplusplus)
#define PORTABLE_CPP_ 1
#else
#define PORTABLE_CPP_ 0
#endif
#define PORTABLE_LOOPS_TARGET_ (!PORTABLE_TARGET_CUDA && !PORTABLE_TARGET_EMULATE)
#define PORTABLE_KERNELS_LOOPS_ (PORTABLE_LOOPS_TARGET_ && !PORTABLE_CPP_)
#define PORTABLE_KERNELS_CPU_ (!PORTABLE_TARGET_CUDA)
#define PORTABLE_KERNELS_ (!PORTABLE_HOST_FILE_)
#if defined(_OPENMP)
#define PORTABLE_OPENMP_ 1
#else
#define PORTABLE_OPENMP_ 0
#endif
#define PORTABLE_TARGET_OPENMP                                                                     \
    /* 1 on the openmp target, else 0. */                                                          \
    (PORTABLE_LOOPS_TARGET_ && PORTABLE_OPENMP_)

/* A name of the CUDA runtime, and its CPU counterpart. */
#if PORTABLE_TARGET_CUDA
#define PORTABLE_HANDLE_(cuda, cpu) cuda
#else
#define PORTABLE_HANDLE_(cuda, cpu) cpu
#endif

#if PORTABLE_TARGET_EMULATE
#define PORTABLE_CPU_NAME_ "emulate"
#elif PORTABLE_TARGET_OPENMP
#define PORTABLE_CPU_NAME_ "openmp"
#else
#define PORTABLE_CPU_NAME_ "serial"
#endif
#define PORTABLE_TARGET_NAME                                                                       \
    /* "serial", "openmp", "emulate" or "cuda". */                                                 \
    PORTABLE_HANDLE_("cuda", PORTABLE_CPU_NAME_)

/* The parts of a definition: what stands in the parentheses, on that target alone. */
#if PORTABLE_KERNELS_CUDA_
#define PORTABLE_CUDA_(...) __VA_ARGS__
#else
#define PORTABLE_CUDA_(...)
#endif
#if PORTABLE_KERNELS_LOOPS_
#define PORTABLE_LOOPS_(...) __VA_ARGS__
#elif PORTABLE_LOOPS_TARGET_
#define PORTABLE_LOOPS_(...)                                                                       \
    PORTABLE_PRAGMA_(GCC error "a kernel of the serial and openmp targets must be in a C file")
#else
#define PORTABLE_LOOPS_(...)
#endif
#if PORTABLE_KERNELS_EMULATE_
#define PORTABLE_EMULATE_(...) __VA_ARGS__
#else
#define PORTABLE_EMULATE_(...)
#endif
#if PORTABLE_KERNELS_CPU_
#define PORTABLE_CPU_(...) __VA_ARGS__
#else
#define PORTABLE_CPU_(...)
#endif

#include <float.h>  /* FLT_EPSILON, FLT_MIN, DBL_EPSILON, DBL_MIN */
#include <stdarg.h> /* va_list */
#include <stddef.h> /* size_t, NULL */
#include <stdio.h>  /* snprintf, fprintf */
#include <stdlib.h> /* malloc, calloc, realloc, free, exit */
#include <string.h> /* memcpy, memmove, memset, memcmp, strcmp */
#include <time.h>   /* struct timespec, timespec_get */
#if defined(_WIN32)
#include <malloc.h> /* _aligned_malloc, _aligned_free */
#else
#include <sched.h> /* sched_yield */
#endif
#if PORTABLE_KERNELS_CUDA_
/* Not cooperative_groups.h, mma.h, cuda_fp16.h and cuda_bf16.h: nvcc would take four times as long
 * for a small file. Sections 7, 15 and 18 do without them. */
#include <assert.h>       /* __assert_fail on the device */
#include <cuda_runtime.h> /* the CUDA runtime, its C++ launch templates */
#include <type_traits>    /* conditional_t, is_same_v */
#elif PORTABLE_TARGET_CUDA
#include <cuda_runtime_api.h> /* the CUDA runtime, its C interface */
#include <vector_functions.h> /* make_float4 and similar functions */
#elif PORTABLE_TARGET_OPENMP
#include <omp.h> /* omp_get_max_threads, omp_get_thread_num, omp_get_num_threads */
#endif

/* ===============================================================================================
 * 4  Kernels and qualifiers
 *
 * A kernel is an ordinary global C symbol on every target, so that gdb, ncu and perf find it by
 * name. On the CPU it is a function that only a launch may call.
 * ============================================================================================== */

#if PORTABLE_KERNELS_
#define KERNEL(name)                                                                               \
    /* A kernel: KERNEL(name)(parameters) { ... }. With ; instead of a body, a prototype, also of  \
     * KERNEL_LAUNCH_BOUNDS. Start it with KERNEL_LAUNCH; never call it directly. */               \
    PORTABLE_CUDA_(extern "C" __global__ void name)                                                \
    PORTABLE_CPU_(PORTABLE_BOUNDS_OF_(name); PORTABLE_KERNEL_(name))
#define KERNEL_LAUNCH_BOUNDS(name, max_threads, min_blocks)                                        \
    /* A kernel for blocks of at most max_threads threads, with at least min_blocks resident on a  \
     * multiprocessor. CUDA: __launch_bounds__. On the CPU a launch of larger blocks fails. */     \
    PORTABLE_CUDA_(extern "C" __global__ void __launch_bounds__(max_threads, min_blocks) name)     \
    PORTABLE_CPU_(PORTABLE_BOUNDS_ARE_(name, max_threads, min_blocks) PORTABLE_KERNEL_(name))
#define CONSTANT(type, name, dims)                                                                 \
    /* At file scope: an array in constant memory, as                                              \
     * CONSTANT(float, weights, [16]). portable_copy_to_constant fills it. */                      \
    PORTABLE_CUDA_(static __constant__ type name dims)                                             \
    PORTABLE_LOOPS_(static PORTABLE_UNUSED_ type name dims)                                        \
    PORTABLE_EMULATE_(PORTABLE_EMULATE_CONSTANT_ PORTABLE_UNUSED_ type name dims)
#define UNROLL(n)                                                                                  \
    /* Before a for loop: unroll it n times. */                                                    \
    PORTABLE_UNROLL_(n)
#else
#define KERNEL(name) PORTABLE_NO_KERNEL_(name)
#define KERNEL_LAUNCH_BOUNDS(name, max_threads, min_blocks) PORTABLE_NO_KERNEL_(name)
#endif
#define DEVICE                                                                                     \
    /* Begins a function for kernels and host code: DEVICE float square(float x) { ... } */        \
    static inline PORTABLE_CUDA_(__host__ __device__)
#define RESTRICT                                                                                   \
    /* After a pointer's *: promises that an object modified through this                          \
     * pointer is accessed through no other pointer during its lifetime. */                        \
    __restrict__
#define ALIGNED(n)                                                                                 \
    /* Aligns a type or a variable to n bytes, a power of two. */                                  \
    __attribute__((aligned(n)))

/* ===============================================================================================
 * 5  Scopes and indices
 *
 * Each index has the type of its bound (after integer promotion) and never overflows, and a bound
 * of zero or less gives no iterations. Bounds are evaluated once. threadIdx, blockIdx, blockDim
 * and gridDim are CUDA's; on the CPU each exists only in the scopes where it is meaningful.
 * continue ends an iteration; return and break out of a scope are errors, which the CPU reports
 * with the kernel, the block and the thread.
 * ============================================================================================== */

#if PORTABLE_KERNELS_
#define FOR_EACH_BLOCK(...)                                                                        \
    /* At kernel scope: opens block scope, once per block. FOR_EACH_BLOCK(x, y, z) { } fixes the   \
     * block shape with constants, which lets cc vectorise. 0 leaves an extent to the launch; an   \
     * omitted extent is 1: (256) is 256 x 1 x 1, (0) any one-dimensional block, (32, 0) 32 wide   \
     * and any height, () any shape. A launch with another shape fails. */                         \
    PORTABLE_CUDA_(PORTABLE_WITH_SHAPE_(PORTABLE_CUDA_BLOCKS_, __VA_ARGS__))                       \
    PORTABLE_LOOPS_(PORTABLE_WITH_SHAPE_(PORTABLE_LOOPS_BLOCKS_, __VA_ARGS__))                     \
    PORTABLE_EMULATE_(PORTABLE_WITH_SHAPE_(PORTABLE_EMULATE_BLOCKS_, __VA_ARGS__))
#define FOR_EACH_THREAD                                                                            \
    /* At block scope: opens thread scope, once per thread of the block. On                        \
     * CUDA there is no barrier between two such loops: use SYNC_THREADS. */                       \
    PORTABLE_CUDA_(PORTABLE_ONCE_IF_(1))                                                           \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_THREADS_("FOR_EACH_THREAD", portable_dim_.x))                        \
    PORTABLE_EMULATE_(PORTABLE_ONCE_IF_(1))
#define FOR_THREADS_BELOW(count)                                                                   \
    /* At block scope: opens thread scope for the first count threads of the block, x fastest. */  \
    PORTABLE_CUDA_(PORTABLE_ONCE_IF_(portable_below_(portable_scope_.rank(), (count) + 0)))        \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_THREADS_BELOW_(count))                                          \
    PORTABLE_EMULATE_(PORTABLE_ONCE_IF_(portable_rank_() < PORTABLE_COUNT_(count)))
#define FOR_EACH_WARP                                                                              \
    /* At block scope: opens warp scope, once per warp of the block: see FRAGMENT_A. */            \
    PORTABLE_CUDA_(PORTABLE_ONCE_IF_(1))                                                           \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_WARPS_)                                                         \
    PORTABLE_EMULATE_(PORTABLE_ONCE_IF_(1))
#define WARP_INDEX()                                                                               \
    /* At warp scope: the warp's number in its block, unsigned. */                                 \
    PORTABLE_CUDA_((portable_scope_.rank() / PORTABLE_WARP_))                                      \
    PORTABLE_LOOPS_(((unsigned)PORTABLE_AT_WARP_SCOPE_("WARP_INDEX") + portable_warp_))            \
    PORTABLE_EMULATE_((portable_rank_() / PORTABLE_WARP_))
#define FOR_EACH_ELEMENT(i, n)                                                                     \
    /* At block scope, with a one-dimensional grid and block: opens thread scope for the block's   \
     * share of i in [0, n), in grid-sized strides. i has the type of n, evaluated once. */        \
    PORTABLE_CUDA_(PORTABLE_CUDA_ELEMENTS_(i, n))                                                  \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_ELEMENTS_(i, n))                                                \
    PORTABLE_EMULATE_(PORTABLE_EMULATE_LOOP_(i, n, x))
#define GRID_STRIDE_LOOP(i, n)                                                                     \
    /* At kernel or thread scope: visits each i in [0, n) once across the whole grid, in any       \
     * order. i has the type of n, which is evaluated once; the launch must be one-dimensional. */ \
    PORTABLE_CUDA_(PORTABLE_CUDA_GRID_(i, n))                                                      \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_GRID_(i, n))                                                    \
    PORTABLE_EMULATE_(PORTABLE_EMULATE_LOOP_(i, n, x))
#define GRID_STRIDE_LOOP_2D(i, j, ni, nj)                                                          \
    /* At kernel or thread scope: visits each pair of i in [0, ni) and j in [0, nj) once across    \
     * the whole grid, i along x. The launch must have at most two dimensions. */                  \
    PORTABLE_CUDA_(PORTABLE_CUDA_GRID_2D_(i, j, ni, nj))                                           \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_GRID_2D_(i, j, ni, nj))                                         \
    PORTABLE_EMULATE_(PORTABLE_EMULATE_GRID_2D_(i, j, ni, nj))
#define GRID_STRIDE_LOOP_3D(i, j, k, ni, nj, nk)                                                   \
    /* At kernel or thread scope: visits each triple of i in [0, ni), j in [0,                     \
     * nj) and k in [0, nk) once across the whole grid, i along x. */                              \
    PORTABLE_CUDA_(PORTABLE_CUDA_GRID_3D_(i, j, k, ni, nj, nk))                                    \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_GRID_3D_(i, j, k, ni, nj, nk))                                  \
    PORTABLE_EMULATE_(PORTABLE_EMULATE_GRID_3D_(i, j, k, ni, nj, nk))
#define ELEMENT_OFFSET()                                                                           \
    /* At kernel or thread scope: the first index of a hand-written grid-stride                    \
     * loop, for (unsigned i = ELEMENT_OFFSET(); i < n; i += ELEMENT_STRIDE()). */                 \
    PORTABLE_CUDA_(PORTABLE_OFFSET_(x))                                                            \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_OFFSET_())                                                      \
    PORTABLE_EMULATE_((portable_launched_(PORTABLE_GRID_LOOP_), PORTABLE_OFFSET_(x)))
#define ELEMENT_STRIDE()                                                                           \
    /* At kernel or thread scope: the step of a loop that starts at ELEMENT_OFFSET(). */           \
    PORTABLE_CUDA_(PORTABLE_STRIDE_(x))                                                            \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_STRIDE_())                                                      \
    PORTABLE_EMULATE_(PORTABLE_STRIDE_(x))
#define BLOCK_FUNCTION(type, name, shape, ...)                                                     \
    /* Begins a function whose body is at block scope, with one parameter or more:                 \
     *     BLOCK_FUNCTION(void, load, (256), float *tile, const float *from) { ... }               \
     * The shape, in parentheses, is as after FOR_EACH_BLOCK. A returned value must be the same    \
     * in all threads. Not recursive. With ; instead of a body it is a prototype. On CUDA all its  \
     * calls use the same SHARED memory: put a barrier between the last read and the next call. */ \
    PORTABLE_CUDA_(PORTABLE_CUDA_FUNCTION_(type, name, __VA_ARGS__))                               \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_FUNCTION_(type, name, shape, __VA_ARGS__))                      \
    PORTABLE_EMULATE_(PORTABLE_EMULATE_FUNCTION_(type, name, __VA_ARGS__))
#define BLOCK_CALL(name, ...)                                                                      \
    /* At block scope: calls a BLOCK_FUNCTION: BLOCK_CALL(load, tile, x + first). FOR_EACH_BLOCK   \
     * must fix each extent that the function fixes. */                                            \
    PORTABLE_CUDA_(name(portable_scope_, PORTABLE_OUTSIDE_(name), __VA_ARGS__))                    \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_CALL_(name, __VA_ARGS__))                                       \
    PORTABLE_EMULATE_(name(PORTABLE_OUTSIDE_(name), __VA_ARGS__))
#endif

/* ===============================================================================================
 * 6  Memory of a block and of a thread: declarations at block scope, and MINE at thread scope
 * ============================================================================================== */

#if PORTABLE_KERNELS_
#define SHARED(type, ...)                                                                          \
    /* At block scope: a variable that the threads of a block share, SHARED(int, count), or an     \
     * array, SHARED(float, tile, [16][17]). Its initial contents are undefined. The limit is      \
     * 48 KiB: the CPU checks each array, nvcc the total. ALIGNED(32) before it aligns it. */      \
    PORTABLE_CUDA_(__shared__ PORTABLE_VARIABLE_(type, __VA_ARGS__, , ))                           \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_SHARED_(type, __VA_ARGS__, , ))                                 \
    PORTABLE_EMULATE_(PORTABLE_EMULATE_SHARED_OF_(type, __VA_ARGS__, , ))
#define SHARED_DYNAMIC(type, name)                                                                 \
    /* At block scope: name points to the launch's dynamic shared memory, aligned to 16 bytes. */  \
    PORTABLE_CUDA_(PORTABLE_CUDA_SHARED_DYNAMIC_(type, name))                                      \
    PORTABLE_LOOPS_(type *const name = (type *)portable_dynamic_(                                  \
                        PORTABLE_AT_BLOCK_SCOPE_("SHARED_DYNAMIC")))                               \
    PORTABLE_EMULATE_(type *const name = (type *)portable_dynamic_(0))
#define PRIVATE(type, ...)                                                                         \
    /* At block scope: a thread's own variable, which keeps its value across barriers:             \
     * PRIVATE(float, sum), or an array: PRIVATE(float, sums, [4]). At thread scope MINE(sum) is   \
     * this thread's. No initialiser. CUDA: a plain variable. CPU: one for each thread. */         \
    PORTABLE_CUDA_(PORTABLE_UNINITIALISED_(PORTABLE_VARIABLE_, type, __VA_ARGS__, , ))             \
    PORTABLE_LOOPS_(PORTABLE_UNINITIALISED_(PORTABLE_LOOPS_PRIVATE_, type, __VA_ARGS__, , ))       \
    PORTABLE_EMULATE_(PORTABLE_UNINITIALISED_(PORTABLE_VARIABLE_, type, __VA_ARGS__, , ))
#define MINE(name)                                                                                 \
    /* At thread scope: this thread's value of a PRIVATE. */                                       \
    PORTABLE_CUDA_(name)                                                                           \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_MINE_(name))                                                    \
    PORTABLE_EMULATE_(name)
#define PRIVATE_PARAMETER(type, name, ...)                                                         \
    /* A parameter of a BLOCK_FUNCTION that takes a PRIVATE: PRIVATE_PARAMETER(float, x) may only  \
     * be read; an array, PRIVATE_PARAMETER(float, sums, [4]), also written. */                    \
    PORTABLE_CUDA_(type PORTABLE_CONST_UNLESS_(__VA_ARGS__) name __VA_ARGS__)                      \
    PORTABLE_LOOPS_(type PORTABLE_CONST_UNLESS_(__VA_ARGS__) name[] __VA_ARGS__)                   \
    PORTABLE_EMULATE_(type PORTABLE_CONST_UNLESS_(__VA_ARGS__) name __VA_ARGS__)
#endif

/* ===============================================================================================
 * 7  Synchronisation
 *
 * On serial and openmp each thread loop finishes before the next begins, so barriers do nothing,
 * except that the OS threads of openmp wait for each other in SYNC_GRID.
 * ============================================================================================== */

#if PORTABLE_KERNELS_
#define SYNC_THREADS()                                                                             \
    /* At block scope: a block barrier. Each thread waits until all have                           \
     * arrived; their earlier writes are then visible to it. */                                    \
    PORTABLE_CUDA_(__syncthreads())                                                                \
    PORTABLE_LOOPS_(((void)PORTABLE_AT_BLOCK_SCOPE_("SYNC_THREADS")))                              \
    PORTABLE_EMULATE_(portable_emulate_sync_threads_("SYNC_THREADS", __FILE__, __LINE__))
#define SYNC_WARP()                                                                                \
    /* At block scope: a warp barrier. Each lane waits until all of its warp have arrived. */      \
    PORTABLE_CUDA_(__syncwarp())                                                                   \
    PORTABLE_LOOPS_(((void)PORTABLE_AT_BLOCK_SCOPE_("SYNC_WARP")))                                 \
    PORTABLE_EMULATE_(portable_emulate_sync_warp_(~0u, "SYNC_WARP", __FILE__, __LINE__))
#define SYNC_GRID()                                                                                \
    /* At kernel scope, between two FOR_EACH_BLOCK loops: a grid barrier.                          \
     * Launch the kernel with KERNEL_LAUNCH_COOPERATIVE. */                                        \
    PORTABLE_CUDA_(portable_cuda_sync_grid_())                                                     \
    PORTABLE_LOOPS_(portable_loops_sync_grid_(PORTABLE_BETWEEN_BLOCKS_("SYNC_GRID")))              \
    PORTABLE_EMULATE_(portable_emulate_sync_grid_("SYNC_GRID", __FILE__, __LINE__))

/* Asynchronous copies: from global to shared memory while the threads go on, so that the next tile
 * is on its way while they work on this one.
 *
 * CUDA: cp.async on compute capability 8.0 and later, a load and a store on earlier GPUs. Loops: an
 * immediate copy. emulate: all-ones bytes until COPY_WAIT, which initcheck calls uninitialised. The
 * CPU rejects misaligned addresses.
 *
 *     FOR_EACH_THREAD
 *         COPY_ASYNC(&tile[threadIdx.x], &x[threadIdx.x], sizeof *x);
 *     COPY_COMMIT();
 *     COPY_WAIT(0);
 *     SYNC_THREADS();
 */
#define COPY_ASYNC(to, from, bytes)                                                                \
    /* At thread scope: starts a copy from global to shared memory. `bytes` is a constant 4, 8 or  \
     * 16 that divides both addresses. COPY_COMMIT and COPY_WAIT complete the copy. */             \
    COPY_ASYNC_IF(1, to, from, bytes)
#define COPY_ASYNC_IF(condition, to, from, bytes)                                                  \
    /* At thread scope: COPY_ASYNC if the condition is true; otherwise writes                      \
     * zeros and does not read `from`, which may be out of bounds. */                              \
    PORTABLE_CUDA_(portable_cuda_copy_async_<(bytes)>((condition), (to), (from)))                  \
    PORTABLE_CPU_(PORTABLE_CPU_COPY_ASYNC_(condition, to, from, bytes))
#define COPY_COMMIT()                                                                              \
    /* At block scope: commits as one group each thread's copies since its last                    \
     * COPY_COMMIT; a group may be empty. */                                                       \
    PORTABLE_CUDA_(portable_cuda_copy_commit_())                                                   \
    PORTABLE_LOOPS_(((void)PORTABLE_AT_BLOCK_SCOPE_("COPY_COMMIT")))                               \
    PORTABLE_EMULATE_(portable_emulate_copy_commit_())
#define COPY_WAIT(n)                                                                               \
    /* At block scope: waits until all but each thread's last n groups, a constant 0 to 8, are     \
     * complete. The thread that copied them may then read them; others need a barrier first. */   \
    PORTABLE_CUDA_(portable_cuda_copy_wait_<(n)>())                                                \
    PORTABLE_LOOPS_(((void)(PORTABLE_AT_BLOCK_SCOPE_("COPY_WAIT") + PORTABLE_COPY_GROUPS_(n))))    \
    PORTABLE_EMULATE_(portable_copy_wait_((n) + PORTABLE_COPY_GROUPS_(n)))
#endif

/* ===============================================================================================
 * 8  Atomics
 *
 * Use atomics at thread scope and in grid-stride loops at kernel scope. Elsewhere at kernel scope
 * the code runs once on the CPU but in every thread on CUDA. All but ATOMIC_LOAD and ATOMIC_STORE
 * return the old value. Ordering is relaxed, as in CUDA. Call a DEVICE function that uses an
 * atomic only where the atomic itself is allowed. Names that end in _BLOCK are atomic among the
 * threads of one block, for shared memory.
 *
 * Types other than those listed are compile errors. Floating-point minimum and maximum follow
 * section 15. Native float ATOMIC_ADD and ATOMIC_SUB in GPU global memory flush subnormals to 0;
 * no other atomic does.
 * ============================================================================================== */

#if PORTABLE_KERNELS_
#define ATOMIC_ADD(p, v)                                                                           \
    /* At thread scope, or in a grid-stride loop: atomically, *p += v. Returns                     \
     * the old value. For int, unsigned, unsigned long long, float and double. */                  \
    PORTABLE_CUDA_(portable_atomic_add_((p), v))                                                   \
    PORTABLE_CPU_(PORTABLE_ATOMIC_NUMBER_("ATOMIC_ADD", PORTABLE_OF_DEVICE_, add, p, v))
#define ATOMIC_SUB(p, v)                                                                           \
    /* As ATOMIC_ADD: atomically, *p -= v. Returns the old value. */                               \
    PORTABLE_CUDA_(portable_atomic_sub_((p), v))                                                   \
    PORTABLE_CPU_(PORTABLE_ATOMIC_NUMBER_("ATOMIC_SUB", PORTABLE_OF_DEVICE_, sub, p, v))
#define ATOMIC_MIN(p, v)                                                                           \
    /* As ATOMIC_ADD: *p = the smaller of *p and v. */                                             \
    PORTABLE_CUDA_(portable_atomic_min_((p), v))                                                   \
    PORTABLE_CPU_(PORTABLE_ATOMIC_NUMBER_("ATOMIC_MIN", PORTABLE_OF_DEVICE_, min, p, v))
#define ATOMIC_MAX(p, v)                                                                           \
    /* As ATOMIC_ADD: *p = the larger of *p and v. */                                              \
    PORTABLE_CUDA_(portable_atomic_max_((p), v))                                                   \
    PORTABLE_CPU_(PORTABLE_ATOMIC_NUMBER_("ATOMIC_MAX", PORTABLE_OF_DEVICE_, max, p, v))
#define ATOMIC_EXCHANGE(p, v)                                                                      \
    /* As ATOMIC_ADD: atomically, *p = v. Returns the old value. */                                \
    PORTABLE_CUDA_(portable_atomic_exchange_((p), v))                                              \
    PORTABLE_CPU_(PORTABLE_ATOMIC_NUMBER_("ATOMIC_EXCHANGE", PORTABLE_OF_DEVICE_, exchange, p, v))
#define ATOMIC_AND(p, v)                                                                           \
    /* At thread scope, or in a grid-stride loop: atomically, *p &= v. Returns                     \
     * the old value. For int, unsigned and unsigned long long. */                                 \
    PORTABLE_CUDA_(portable_atomic_bit_and_((p), v))                                               \
    PORTABLE_CPU_(PORTABLE_ATOMIC_INTEGER_("ATOMIC_AND", PORTABLE_OF_DEVICE_, bit_and, p, v))
#define ATOMIC_OR(p, v)                                                                            \
    /* As ATOMIC_AND: atomically, *p |= v. Returns the old value. */                               \
    PORTABLE_CUDA_(portable_atomic_bit_or_((p), v))                                                \
    PORTABLE_CPU_(PORTABLE_ATOMIC_INTEGER_("ATOMIC_OR", PORTABLE_OF_DEVICE_, bit_or, p, v))
#define ATOMIC_XOR(p, v)                                                                           \
    /* As ATOMIC_AND: atomically, *p ^= v. Returns the old value. */                               \
    PORTABLE_CUDA_(portable_atomic_bit_xor_((p), v))                                               \
    PORTABLE_CPU_(PORTABLE_ATOMIC_INTEGER_("ATOMIC_XOR", PORTABLE_OF_DEVICE_, bit_xor, p, v))
#define ATOMIC_INC(p, limit)                                                                       \
    /* At thread scope, or in a grid-stride loop: atomically, *p = old >= limit ? 0 : old + 1.     \
     * Returns the old value. For unsigned and unsigned long long. */                              \
    PORTABLE_CUDA_(portable_atomic_inc_((p), limit))                                               \
    PORTABLE_CPU_(PORTABLE_ATOMIC_UNSIGNED_("ATOMIC_INC", PORTABLE_OF_DEVICE_, inc, p, limit))
#define ATOMIC_DEC(p, limit)                                                                       \
    /* At thread scope, or in a grid-stride loop: atomically, *p = old == 0 || old > limit ? limit \
     * : old - 1. Returns the old value. For unsigned and unsigned long long. */                   \
    PORTABLE_CUDA_(portable_atomic_dec_((p), limit))                                               \
    PORTABLE_CPU_(PORTABLE_ATOMIC_UNSIGNED_("ATOMIC_DEC", PORTABLE_OF_DEVICE_, dec, p, limit))
#define ATOMIC_CAS(p, compare, v)                                                                  \
    /* At thread scope, or in a grid-stride loop: atomically, stores v if *p equals compare bit    \
     * for bit. Returns the old value. For int, unsigned, unsigned long long, float and double. */ \
    PORTABLE_CUDA_(portable_atomic_cas_((p), compare, v))                                          \
    PORTABLE_CPU_(PORTABLE_ATOMIC_NUMBER_("ATOMIC_CAS", PORTABLE_OF_DEVICE_, cas, p, compare, v))
#define ATOMIC_LOAD(p)                                                                             \
    /* At thread scope, or in a grid-stride loop: a relaxed atomic load of *p.                     \
     * For int, unsigned, unsigned long long, float and double. */                                 \
    PORTABLE_CUDA_(portable_atomic_load_((p)))                                                     \
    PORTABLE_CPU_(PORTABLE_LOAD_OR_STORE_("ATOMIC_LOAD", load, p))
#define ATOMIC_STORE(p, v)                                                                         \
    /* At thread scope, or in a grid-stride loop: a relaxed atomic store of v to *p; returns       \
     * nothing. For int, unsigned, unsigned long long, float and double. */                        \
    PORTABLE_CUDA_(portable_atomic_store_((p), (v)))                                               \
    PORTABLE_CPU_(PORTABLE_LOAD_OR_STORE_("ATOMIC_STORE", store, p, v))
#define ATOMIC_ADD_BLOCK(p, v)                                                                     \
    /* At thread scope: ATOMIC_ADD for shared memory, atomic only within the block. */             \
    PORTABLE_CUDA_(portable_atomic_add_block_((p), v))                                             \
    PORTABLE_CPU_(PORTABLE_ATOMIC_NUMBER_("ATOMIC_ADD_BLOCK", PORTABLE_OF_BLOCK_, add, p, v))
#define ATOMIC_SUB_BLOCK(p, v)                                                                     \
    /* At thread scope: ATOMIC_SUB for shared memory, atomic only within the block. */             \
    PORTABLE_CUDA_(portable_atomic_sub_block_((p), v))                                             \
    PORTABLE_CPU_(PORTABLE_ATOMIC_NUMBER_("ATOMIC_SUB_BLOCK", PORTABLE_OF_BLOCK_, sub, p, v))
#define ATOMIC_MIN_BLOCK(p, v)                                                                     \
    /* At thread scope: ATOMIC_MIN for shared memory, atomic only within the block. */             \
    PORTABLE_CUDA_(portable_atomic_min_block_((p), v))                                             \
    PORTABLE_CPU_(PORTABLE_ATOMIC_NUMBER_("ATOMIC_MIN_BLOCK", PORTABLE_OF_BLOCK_, min, p, v))
#define ATOMIC_MAX_BLOCK(p, v)                                                                     \
    /* At thread scope: ATOMIC_MAX for shared memory, atomic only within the block. */             \
    PORTABLE_CUDA_(portable_atomic_max_block_((p), v))                                             \
    PORTABLE_CPU_(PORTABLE_ATOMIC_NUMBER_("ATOMIC_MAX_BLOCK", PORTABLE_OF_BLOCK_, max, p, v))
#define ATOMIC_EXCHANGE_BLOCK(p, v)                                                                \
    /* At thread scope: ATOMIC_EXCHANGE for shared memory, atomic only within the block. */        \
    PORTABLE_CUDA_(portable_atomic_exchange_block_((p), v))                                        \
    PORTABLE_CPU_(PORTABLE_ATOMIC_NUMBER_("ATOMIC_EXCHANGE_BLOCK", PORTABLE_OF_BLOCK_,             \
                                          exchange, p, v))
#define ATOMIC_AND_BLOCK(p, v)                                                                     \
    /* At thread scope: ATOMIC_AND for shared memory, atomic only within the block. */             \
    PORTABLE_CUDA_(portable_atomic_bit_and_block_((p), v))                                         \
    PORTABLE_CPU_(PORTABLE_ATOMIC_INTEGER_("ATOMIC_AND_BLOCK", PORTABLE_OF_BLOCK_, bit_and, p, v))
#define ATOMIC_OR_BLOCK(p, v)                                                                      \
    /* At thread scope: ATOMIC_OR for shared memory, atomic only within the block. */              \
    PORTABLE_CUDA_(portable_atomic_bit_or_block_((p), v))                                          \
    PORTABLE_CPU_(PORTABLE_ATOMIC_INTEGER_("ATOMIC_OR_BLOCK", PORTABLE_OF_BLOCK_, bit_or, p, v))
#define ATOMIC_XOR_BLOCK(p, v)                                                                     \
    /* At thread scope: ATOMIC_XOR for shared memory, atomic only within the block. */             \
    PORTABLE_CUDA_(portable_atomic_bit_xor_block_((p), v))                                         \
    PORTABLE_CPU_(PORTABLE_ATOMIC_INTEGER_("ATOMIC_XOR_BLOCK", PORTABLE_OF_BLOCK_, bit_xor, p, v))
#define ATOMIC_INC_BLOCK(p, limit)                                                                 \
    /* At thread scope: ATOMIC_INC for shared memory, atomic only within the block. */             \
    PORTABLE_CUDA_(portable_atomic_inc_block_((p), limit))                                         \
    PORTABLE_CPU_(PORTABLE_ATOMIC_UNSIGNED_("ATOMIC_INC_BLOCK", PORTABLE_OF_BLOCK_, inc, p, limit))
#define ATOMIC_DEC_BLOCK(p, limit)                                                                 \
    /* At thread scope: ATOMIC_DEC for shared memory, atomic only within the block. */             \
    PORTABLE_CUDA_(portable_atomic_dec_block_((p), limit))                                         \
    PORTABLE_CPU_(PORTABLE_ATOMIC_UNSIGNED_("ATOMIC_DEC_BLOCK", PORTABLE_OF_BLOCK_, dec, p, limit))
#define ATOMIC_CAS_BLOCK(p, compare, v)                                                            \
    /* At thread scope: ATOMIC_CAS for shared memory, atomic only within the block. */             \
    PORTABLE_CUDA_(portable_atomic_cas_block_((p), compare, v))                                    \
    PORTABLE_CPU_(PORTABLE_ATOMIC_NUMBER_("ATOMIC_CAS_BLOCK", PORTABLE_OF_BLOCK_,                  \
                                          cas, p, compare, v))
#endif

/* ===============================================================================================
 * 9  Launch
 *
 * All but KERNEL_CHILD are expressions of type portable_status.
 *
 * Every target rejects any launch that a GPU rejects, with PORTABLE_ERROR_INVALID_LAUNCH and a
 * sentence that names the kernel: an extent of 0, a block of more than 1024 threads or beyond 1024
 * x 1024 x 64, a grid beyond 2^31 - 1 x 65535 x 65535, too much shared memory, more threads than
 * KERNEL_LAUNCH_BOUNDS allows; and also more than 2^31 threads along an axis, which would overflow
 * 32-bit loop indices. On CUDA a launch is asynchronous; on the CPU the kernel has finished when
 * the launch returns, and launches from different host threads run one at a time. An argument of a
 * launch must not itself launch a kernel.
 *
 * CUDA rejects a cooperative launch of more blocks than can be resident at once; the error gives
 * that number. The CPU accepts any number, because it runs them one after another between two
 * SYNC_GRIDs.
 *
 * PORTABLE_SYNC=1 in the environment makes each CUDA launch wait for its kernel and return the
 * kernel's error, by name; otherwise a later call returns it. It is for debugging, is read once,
 * and has no effect on the CPU.
 *
 * Dynamic parallelism: a child grid gets its arguments by value at the DEVICE_LAUNCH and sees the
 * launching thread's earlier writes. Child grids of one block run in launch order, one after
 * another. A parent grid completes only when all its descendants have, and does not see their
 * writes. CUDA guarantees no more: there a child may start immediately. The CPU starts it as late
 * as possible: after its parent's last block, in launch order. If a child launch is invalid, the
 * CPU fails the host's launch; CUDA returns an error only to the launching thread, and stops the
 * kernel under PORTABLE_CHECKS. nvcc needs -rdc=true for files that contain a DEVICE_LAUNCH; the
 * make rules pass it for every source that contains the word.
 *
 *     KERNEL_CHILD(halve, int, REAL *);
 *     KERNEL(halve)(int n, REAL *x)
 *     {
 *         GRID_STRIDE_LOOP(i, n)
 *             if (x[i] > 1 && (x[i] /= 2) > 1)
 *                 DEVICE_LAUNCH(halve, 1, 1, 0, 1, x + i);
 *     }
 * ============================================================================================== */

/** A stream of work on the device; 0 is the default one. */
typedef PORTABLE_HANDLE_(cudaStream_t, struct portable_stream_ *) portable_stream;

#if PORTABLE_KERNELS_
/* The compilers take a macro with too few arguments for a variable: with these that is one error,
 * whose note shows the macro's parameters. */
extern const int KERNEL_LAUNCH, KERNEL_LAUNCH_AUTO, KERNEL_LAUNCH_COOPERATIVE, DEVICE_LAUNCH;
#define KERNEL_LAUNCH(name, grid, block, shared_bytes, stream, ...)                                \
    /* A portable_status: starts the kernel with the arguments that follow. grid and block: an     \
     * integer or a dim3; shared_bytes: for SHARED_DYNAMIC; stream: 0 or a portable_stream. CUDA:  \
     * it may return before the kernel has ended. */                                               \
    PORTABLE_CUDA_(PORTABLE_CUDA_LAUNCH_(name, grid, block, shared_bytes, stream, ##__VA_ARGS__))  \
    PORTABLE_CPU_(PORTABLE_CPU_LAUNCH_(name, grid, block, shared_bytes, stream, 0, ##__VA_ARGS__))
#define KERNEL_LAUNCH_AUTO(name, n, ...)                                                           \
    /* A portable_status: starts a kernel whose loops accept any grid and block, chosen for n      \
     * elements, the kernel's occupancy (queried once per kernel) and the multiprocessors. */      \
    PORTABLE_CUDA_(PORTABLE_CUDA_LAUNCH_AUTO_(name, n, ##__VA_ARGS__))                             \
    PORTABLE_CPU_(PORTABLE_CPU_LAUNCH_AUTO_(name, n, ##__VA_ARGS__))
#define KERNEL_LAUNCH_COOPERATIVE(name, grid, block, shared_bytes, stream, ...)                    \
    /* A portable_status: KERNEL_LAUNCH with all blocks resident at once, for                      \
     * SYNC_GRID. CUDA refuses more blocks than fit. */                                            \
    PORTABLE_CUDA_(PORTABLE_CUDA_LAUNCH_COOPERATIVE_(name, grid, block, shared_bytes, stream,      \
                                                     ##__VA_ARGS__))                               \
    PORTABLE_CPU_(PORTABLE_CPU_LAUNCH_(name, grid, block, shared_bytes, stream, 1, ##__VA_ARGS__))
#define KERNEL_SHARED_LIMIT(name, bytes)                                                           \
    /* A portable_status: raises the kernel's limit on dynamic shared memory to `bytes`, from the  \
     * default 48 KiB up to the GPU's limit (at most 227 KiB). */                                  \
    PORTABLE_CUDA_(portable_shared_limit_(#name, name, (bytes)))                                   \
    PORTABLE_CPU_(portable_shared_limit_(#name, (bytes) + 0 * sizeof(&(name))))
#define KERNEL_CHILD(name, ...)                                                                    \
    /* At file scope, before the child's KERNEL and every DEVICE_LAUNCH of it: declares the child  \
     * by the types of its parameters, at least one: KERNEL_CHILD(halve, int, REAL *); */          \
    PORTABLE_CUDA_(extern "C" __global__ void name(__VA_ARGS__))                                   \
    PORTABLE_CPU_(PORTABLE_CPU_CHILD_(name, __VA_ARGS__))
#define DEVICE_LAUNCH(name, grid, block, shared_bytes, ...)                                        \
    /* At kernel or thread scope, a portable_status: starts a grid of a KERNEL_CHILD, which sees   \
     * the thread's earlier writes; the parent completes only when its children have. */           \
    PORTABLE_CUDA_((name<<<(grid), (block), (shared_bytes)>>>(__VA_ARGS__),                        \
                    portable_cuda_device_launched_()))                                             \
    PORTABLE_CPU_(PORTABLE_CPU_DEVICE_LAUNCH_(name, grid, block, shared_bytes, __VA_ARGS__))
#define portable_occupancy(name, block, shared_bytes, blocks)                                      \
    /* A portable_status: sets *blocks, an int, to the number of blocks with shared_bytes of       \
     * dynamic shared memory that fit on a multiprocessor. Times the multiprocessors of struct     \
     * portable_device it is the grid that fills the device, and the largest cooperative launch.   \
     * CUDA: from registers and shared memory; 0 when none fits. CPU: 1. An invalid block returns  \
     * PORTABLE_ERROR_INVALID_LAUNCH on every target; on failure *blocks is 0. */                  \
    PORTABLE_CUDA_(PORTABLE_CUDA_OCCUPANCY_(name, block, shared_bytes, blocks))                    \
    PORTABLE_CPU_(PORTABLE_CPU_OCCUPANCY_(name, block, shared_bytes, blocks))
#endif

/* ===============================================================================================
 * 10  Status
 * ============================================================================================== */

/** What a host call returns. */
typedef enum portable_status {
    PORTABLE_SUCCESS = 0,             /**< nothing went wrong */
    PORTABLE_ERROR_INVALID_VALUE,     /**< an argument that no call could accept */
    PORTABLE_ERROR_OUT_OF_MEMORY,     /**< host or device memory ran out */
    PORTABLE_ERROR_NOT_DEVICE_MEMORY, /**< a host pointer where a device pointer belongs */
    PORTABLE_ERROR_NOT_HOST_MEMORY,   /**< a device pointer where a host pointer belongs */
    PORTABLE_ERROR_OUT_OF_RANGE,      /**< a copy, or a kernel on the CPU, left its allocation */
    PORTABLE_ERROR_INVALID_FREE,      /**< not the start of a live allocation */
    PORTABLE_ERROR_INVALID_LAUNCH,    /**< a launch that a GPU would refuse */
    PORTABLE_ERROR_LEFT_SCOPE,        /**< return or break out of a scope of a kernel */
    PORTABLE_ERROR_NO_DEVICE,         /**< no GPU, or no driver for it */
    PORTABLE_ERROR_STALE_ARRAY,       /**< a mirrored array read before it was written */
    PORTABLE_ERROR_DIVERGED,          /**< barrier divergence in a block */
    PORTABLE_ERROR_DEVICE             /**< any other error that the CUDA runtime reports */
} portable_status;

/** The meaning of a status in a few words; never NULL. */
static inline const char *portable_status_string(portable_status status);
/** What to do about a status, as one sentence; "" for PORTABLE_SUCCESS. */
static inline const char *portable_status_hint(portable_status status);
/** This host thread's last error message; "" if there was none. Valid until the next failure. */
static inline const char *portable_last_message(void);
/** Returns and clears this host thread's last failure. A failed launch is also reported by
 *  portable_synchronize and by every copy to the host until this call clears it. */
static inline portable_status portable_last_error(void);
#define PORTABLE_CHECK(call)                                                                       \
    /* When the status that the call returns is not PORTABLE_SUCCESS: prints file, line,           \
     * expression, message and a hint to stderr, and stops the program with EXIT_FAILURE. */       \
    PORTABLE_CHECK_(call, #call)

/* ===============================================================================================
 * 11  Device memory
 *
 * On the CPU, device memory is a separate allocation, filled with all-ones bytes (a NaN in every
 * floating-point type), so that a forgotten copy shows. Every target keeps a table of the live
 * allocations and checks copies and frees against it. A copy fails without copying anything when an
 * argument is on the wrong side, or runs over the end of its allocation. On the CPU the launch of a
 * kernel that wrote closely before or behind an allocation fails; a write farther off is found by
 * the next copy or free of it, or by portable_synchronize.
 * ============================================================================================== */

#define portable_malloc(pointer, bytes)                                                            \
    /* portable_malloc(&pointer, bytes): device memory, aligned to 256 bytes, for a pointer of any \
     * type; the caller frees it with portable_free. Zero bytes give NULL, as does a failure. */   \
    PORTABLE_MALLOC_(#pointer, (pointer), (bytes))
#define portable_malloc_host(pointer, bytes)                                                       \
    /* portable_malloc_host(&pointer, bytes): page-locked host memory, so that asynchronous copies \
     * overlap with kernels; for a pointer of any type; the caller frees it with                   \
     * portable_free_host. Zero bytes give NULL, and so does a failure. CUDA: cudaMallocHost. CPU: \
     * aligned memory. Copies are checked against its size. */                                     \
    PORTABLE_MALLOC_HOST_((pointer), (bytes))
#define portable_malloc_pitch(pointer, pitch, width, height)                                       \
    /* portable_malloc_pitch(&pointer, &pitch, width, height): device memory for `height` rows of  \
     * `width` bytes, `pitch` bytes apart, each aligned; pass that pitch to the _2d copies. The    \
     * caller frees it with portable_free. No rows or no width give NULL and a pitch of 0, as does \
     * a failure. CUDA: cudaMallocPitch. CPU: the width rounded up to 512 bytes. */                \
    PORTABLE_MALLOC_PITCH_(#pointer, (pointer), (pitch), (width), (height))
/** Frees memory from portable_malloc or portable_malloc_pitch; does nothing for NULL. */
static inline portable_status portable_free(void *pointer);
/** Frees memory from portable_malloc_host; does nothing for NULL. */
static inline portable_status portable_free_host(void *pointer);
/** The bytes of device memory and the number of allocations that this program holds. Either
 *  pointer may be NULL. */
static inline void portable_memory_in_use(size_t *bytes, size_t *allocations);

/** Copies `bytes` bytes from the host to the device. */
static inline portable_status portable_copy_to_device(void *device, const void *host, size_t bytes);
/** Copies `bytes` bytes from the device to the host. */
static inline portable_status portable_copy_to_host(void *host, const void *device, size_t bytes);
/** Copies `bytes` bytes of device memory. */
static inline portable_status portable_copy_on_device(void *to, const void *from, size_t bytes);
/** portable_copy_to_device, queued on a stream. On CUDA the host memory must not change until the
 *  copy has completed, and only copies of memory from portable_malloc_host overlap with kernels
 *  in other streams. On the CPU the copy has completed when the call returns. */
static inline portable_status portable_copy_to_device_async(void *device, const void *host,
    size_t bytes, portable_stream stream);
/** portable_copy_to_host, queued on a stream, as portable_copy_to_device_async. */
static inline portable_status portable_copy_to_host_async(void *host, const void *device,
    size_t bytes, portable_stream stream);
/** portable_copy_on_device, queued on a stream. */
static inline portable_status portable_copy_on_device_async(void *to, const void *from,
    size_t bytes, portable_stream stream);
/** Copies `height` rows of `width` bytes from the host to the device, each `pitch` bytes after the
 *  one before on its side; a pitch is at least the width. */
static inline portable_status portable_copy_to_device_2d(void *device, size_t device_pitch,
    const void *host, size_t host_pitch, size_t width, size_t height);
/** Copies rows from the device to the host, as portable_copy_to_device_2d. */
static inline portable_status portable_copy_to_host_2d(void *host, size_t host_pitch,
    const void *device, size_t device_pitch, size_t width, size_t height);
/** Copies rows of device memory, as portable_copy_to_device_2d. */
static inline portable_status portable_copy_on_device_2d(void *to, size_t to_pitch,
    const void *from, size_t from_pitch, size_t width, size_t height);
/** portable_copy_to_device_2d, queued on a stream, as portable_copy_to_device_async. */
static inline portable_status portable_copy_to_device_2d_async(void *device, size_t device_pitch,
    const void *host, size_t host_pitch, size_t width, size_t height, portable_stream stream);
/** portable_copy_to_host_2d, queued on a stream, as portable_copy_to_device_async. */
static inline portable_status portable_copy_to_host_2d_async(void *host, size_t host_pitch,
    const void *device, size_t device_pitch, size_t width, size_t height, portable_stream stream);
/** portable_copy_on_device_2d, queued on a stream. */
static inline portable_status portable_copy_on_device_2d_async(void *to, size_t to_pitch,
    const void *from, size_t from_pitch, size_t width, size_t height, portable_stream stream);
/** portable_memset, queued on a stream. */
static inline portable_status portable_memset_async(void *device, int value, size_t bytes,
                                                    portable_stream stream);
/** Sets each of `bytes` bytes of device memory to the low byte of `value`, as memset does. */
static inline portable_status portable_memset(void *device, int value, size_t bytes)
{
    return portable_memset_async(device, value, bytes, 0);
}
#if PORTABLE_KERNELS_
#define portable_copy_to_constant(name, source, bytes)                                             \
    /* A portable_status: fills a CONSTANT of this file from host memory. More                     \
     * bytes than it has is PORTABLE_ERROR_OUT_OF_RANGE. */                                        \
    portable_constant_(#name, &(name), sizeof(name), (source), (bytes))
#endif

/* ===============================================================================================
 * 12  Streams and events
 * ============================================================================================== */

/** A point in a stream's work that can be waited for and timed. */
typedef PORTABLE_HANDLE_(cudaEvent_t, struct portable_event_ *) portable_event;

/** Waits for all the work of the device. Returns the device's error, or that of a failed launch
 *  not yet cleared by portable_last_error. */
static inline portable_status portable_synchronize(void);
/** Makes a stream, whose work runs in order and concurrently with other streams. The caller
 *  destroys it. */
static inline portable_status portable_stream_create(portable_stream *stream);
/** Destroys a stream after its work; does nothing for 0. */
static inline portable_status portable_stream_destroy(portable_stream stream);
/** Waits for the work of one stream; returns as portable_synchronize does. */
static inline portable_status portable_stream_synchronize(portable_stream stream);
/** Makes the stream's later work wait for the event. */
static inline portable_status portable_stream_wait_event(portable_stream stream,
                                                         portable_event event);
/** Makes an event. The caller destroys it. */
static inline portable_status portable_event_create(portable_event *event);
/** Destroys an event; does nothing for 0. */
static inline portable_status portable_event_destroy(portable_event event);
/** Records the event after the work that the stream has been given so far. */
static inline portable_status portable_event_record(portable_event event, portable_stream stream);
/** Waits until the event's work is done. */
static inline portable_status portable_event_synchronize(portable_event event);
/** The milliseconds from one recorded event to a later one, both done. */
static inline portable_status portable_event_elapsed(float *milliseconds, portable_event from,
                                                     portable_event to);

/* ===============================================================================================
 * 13  The device
 * ============================================================================================== */

/** What a kernel runs on. Sizes are in bytes; 0 where it is not known. */
struct portable_device {
    char name[256];
    int multiprocessors; /* the CPU is one; on openmp, as many as OpenMP would start threads */
    int warp_size;
    int max_threads_per_block;
    size_t shared_bytes; /* shared memory that a block has without asking */
    size_t memory_bytes; /* the device's memory */
    int major, minor;    /* compute capability; 0.0 for the CPU */
    int driver, runtime; /* CUDA versions as 1000 * major + 10 * minor; 0 for the CPU */
    int index;           /* what portable_device_select takes */
    int max_threads_per_multiprocessor; /* resident at once; on the CPU, those of one block */
    int registers_per_multiprocessor;   /* of 32 bits; 0 for the CPU */
    int copy_engines;                   /* copies that run beside kernels; 0 for the CPU */
    size_t shared_raised_bytes;         /* the most that KERNEL_SHARED_LIMIT gives a block */
    size_t shared_multiprocessor_bytes; /* shared memory of the blocks resident at once */
    size_t l2_bytes;                    /* the last cache before the memory; 0 for the CPU */
    int clock_mhz; /* the highest clock, which a device under load may not reach; 0 for the CPU */
};

/** The number of devices, 1 on the CPU. Without a GPU or its driver, sets *count to 0 and returns
 *  PORTABLE_ERROR_NO_DEVICE. */
static inline portable_status portable_device_count(int *count);
/** Selects device `index`, from 0, for this host thread. Memory, streams, events and raised
 *  shared limits belong to the device that was selected when they were created. An invalid index
 *  returns PORTABLE_ERROR_INVALID_VALUE and changes nothing. */
static inline portable_status portable_device_select(int index);
/** The properties of the device in use. */
static inline portable_status portable_device_properties(struct portable_device *device);

/* ===============================================================================================
 * 14  Mirrored arrays
 *
 * One array with a host side and a device side. Asking for a side copies to it what the other
 * side wrote last, if need be, and nothing else ever copies:
 *     read     the values are current, and are not changed
 *     write    every value will be written: nothing is copied
 *     update   the values are current, and may change
 * ============================================================================================== */

/** A mirrored array; set up by portable_array_create, released by portable_array_destroy. */
struct portable_array {
    size_t bytes;
    void *host, *device; /* allocated when first asked for; device is portable_malloc's */
    int host_current, device_current;
};
typedef struct portable_array portable_array;

/** An array of `count` elements of `size` bytes. Allocates nothing yet. */
static inline portable_status portable_array_create(portable_array *array, size_t count,
                                                    size_t size);
/** Frees both sides; the array is then empty. */
static inline portable_status portable_array_destroy(portable_array *array);
/** The array on the host, to read. The array owns the memory, whose address does not change until
 *  portable_array_destroy. NULL on failure: portable_last_error gives the reason, which is
 *  PORTABLE_ERROR_STALE_ARRAY when the array has never been written. */
static inline const void *portable_array_read_host(portable_array *array);
/** The array on the host, for writing every element; its old values are lost. Otherwise as
 *  portable_array_read_host. */
static inline void *portable_array_write_host(portable_array *array);
/** The array on the host, to read and write. Otherwise as portable_array_read_host. */
static inline void *portable_array_update_host(portable_array *array);
/** The array on the device, to read. Otherwise as portable_array_read_host. */
static inline const void *portable_array_read_device(portable_array *array);
/** The array on the device, for writing every element; its old values are lost. Otherwise as
 *  portable_array_read_host. */
static inline void *portable_array_write_device(portable_array *array);
/** The array on the device, to read and write. Otherwise as portable_array_read_host. */
static inline void *portable_array_update_device(portable_array *array);

/* ===============================================================================================
 * 15  Warps, collectives and fragments
 *
 * Warp operations and collectives are used at block scope, on PRIVATE variables of type int,
 * unsigned, long long, unsigned long long, float or double, SHUFFLE also on other integers; lane,
 * delta, mask and predicate are evaluated at thread scope, the first three modulo 32.
 *
 * Every target combines values in the same order, a butterfly (reductions) or Kogge-Stone network
 * (scans) within each warp and then another over the warp results, so floating-point results agree
 * bit for bit. Minimum and maximum prefer a number to a NaN and order -0 below +0, as IEEE
 * 754-2019's minimumNumber does. A last warp may have fewer than 32 lanes; a SHUFFLE from a
 * nonexistent lane gives an undefined value on CUDA and all-ones bits (a NaN, if floating-point)
 * on the CPU.
 * ============================================================================================== */

#define POPCOUNT(word)                                                                             \
    /* An int: how many bits of an unsigned are set. In any scope and on the host. */              \
    portable_popcount_(word)
#if PORTABLE_KERNELS_
#define SHUFFLE(dst, src, lane)                                                                    \
    /* At block scope: each lane's dst = src of lane `lane`, modulo 32, of its warp. dst and src   \
     * are PRIVATE, of one type; lane is evaluated at thread scope. */                             \
    PORTABLE_CUDA_(((void)(dst = __shfl_sync(PORTABLE_ALL_LANES_, src, (int)(lane)))))             \
    PORTABLE_CPU_(PORTABLE_CPU_SHUFFLE_("SHUFFLE", SHUFFLE, dst, src, lane))
#define SHUFFLE_UP(dst, src, delta)                                                                \
    /* At block scope: SHUFFLE from lane - delta; the lowest delta lanes get their own src. */     \
    PORTABLE_CUDA_(((void)(dst = __shfl_up_sync(PORTABLE_ALL_LANES_, src, (unsigned)(delta)))))    \
    PORTABLE_CPU_(PORTABLE_CPU_SHUFFLE_("SHUFFLE_UP", UP, dst, src, delta))
#define SHUFFLE_DOWN(dst, src, delta)                                                              \
    /* At block scope: SHUFFLE from lane + delta; the highest delta lanes get their own src. */    \
    PORTABLE_CUDA_(((void)(dst = __shfl_down_sync(PORTABLE_ALL_LANES_, src, (unsigned)(delta)))))  \
    PORTABLE_CPU_(PORTABLE_CPU_SHUFFLE_("SHUFFLE_DOWN", DOWN, dst, src, delta))
#define SHUFFLE_XOR(dst, src, mask)                                                                \
    /* At block scope: SHUFFLE from lane ^ mask. */                                                \
    PORTABLE_CUDA_(((void)(dst = __shfl_xor_sync(PORTABLE_ALL_LANES_, src, (int)(mask)))))         \
    PORTABLE_CPU_(PORTABLE_CPU_SHUFFLE_("SHUFFLE_XOR", XOR, dst, src, mask))
#define BALLOT(dst, predicate)                                                                     \
    /* At block scope: dst, a PRIVATE unsigned: bit k is set when lane k's predicate is true. */   \
    PORTABLE_CUDA_(((void)(dst = __ballot_sync(PORTABLE_ALL_LANES_, (predicate) != 0))))           \
    PORTABLE_CPU_(PORTABLE_CPU_VOTE_("BALLOT", unsigned, dst, predicate, portable_vote_))
#define ANY(dst, predicate)                                                                        \
    /* At block scope: dst, a PRIVATE int: 1 when a predicate in the warp is true, else 0. */      \
    PORTABLE_CUDA_(((void)(dst = __any_sync(PORTABLE_ALL_LANES_, (predicate) != 0))))              \
    PORTABLE_CPU_(PORTABLE_CPU_VOTE_("ANY", int, dst, predicate, portable_vote_ != 0))
#define ALL(dst, predicate)                                                                        \
    /* At block scope: dst, a PRIVATE int: 1 when all predicates in the warp are true, else 0. */  \
    PORTABLE_CUDA_(((void)(dst = __all_sync(PORTABLE_ALL_LANES_, (predicate) != 0))))              \
    PORTABLE_CPU_(PORTABLE_CPU_VOTE_("ALL", int, dst, !(predicate), portable_vote_ == 0))
#define WARP_REDUCE_ADD(dst, src)                                                                  \
    /* At block scope: dst = the sum of src over the warp, in all its lanes.                       \
     * Both are PRIVATE, of one type; dst may be src. */                                           \
    PORTABLE_CUDA_(PORTABLE_CUDA_COLLECT_(portable_warp_reduce_, portable_op_add_, dst, src))      \
    PORTABLE_CPU_(PORTABLE_CPU_COLLECT_("WARP_REDUCE", reduce_add, dst, src, 0))
#define WARP_REDUCE_MIN(dst, src)                                                                  \
    /* At block scope: the same as WARP_REDUCE_ADD for the minimum. */                             \
    PORTABLE_CUDA_(PORTABLE_CUDA_COLLECT_(portable_warp_reduce_, portable_op_min_, dst, src))      \
    PORTABLE_CPU_(PORTABLE_CPU_COLLECT_("WARP_REDUCE", reduce_min, dst, src, 0))
#define WARP_REDUCE_MAX(dst, src)                                                                  \
    /* At block scope: the same as WARP_REDUCE_ADD for the maximum. */                             \
    PORTABLE_CUDA_(PORTABLE_CUDA_COLLECT_(portable_warp_reduce_, portable_op_max_, dst, src))      \
    PORTABLE_CPU_(PORTABLE_CPU_COLLECT_("WARP_REDUCE", reduce_max, dst, src, 0))
#define BLOCK_REDUCE_ADD(dst, src)                                                                 \
    /* At block scope: dst = the sum of src over the block, in all its threads.                    \
     * Both are PRIVATE, of one type; dst may be src. */                                           \
    PORTABLE_CUDA_(PORTABLE_CUDA_COLLECT_(portable_block_reduce_, portable_op_add_, dst, src))     \
    PORTABLE_CPU_(PORTABLE_CPU_COLLECT_("BLOCK_REDUCE", reduce_add, dst, src, 1))
#define BLOCK_REDUCE_MIN(dst, src)                                                                 \
    /* At block scope: the same as BLOCK_REDUCE_ADD for the minimum. */                            \
    PORTABLE_CUDA_(PORTABLE_CUDA_COLLECT_(portable_block_reduce_, portable_op_min_, dst, src))     \
    PORTABLE_CPU_(PORTABLE_CPU_COLLECT_("BLOCK_REDUCE", reduce_min, dst, src, 1))
#define BLOCK_REDUCE_MAX(dst, src)                                                                 \
    /* At block scope: the same as BLOCK_REDUCE_ADD for the maximum. */                            \
    PORTABLE_CUDA_(PORTABLE_CUDA_COLLECT_(portable_block_reduce_, portable_op_max_, dst, src))     \
    PORTABLE_CPU_(PORTABLE_CPU_COLLECT_("BLOCK_REDUCE", reduce_max, dst, src, 1))
#define BLOCK_SCAN_ADD_INCLUSIVE(dst, src)                                                         \
    /* At block scope: dst of each thread = the sum of src over the threads up                     \
     * to itself, in linear order. Both are PRIVATE, of one type. */                               \
    PORTABLE_CUDA_(PORTABLE_CUDA_COLLECT_(portable_block_scan_, true, dst, src))                   \
    PORTABLE_CPU_(PORTABLE_CPU_COLLECT_("BLOCK_SCAN", scan, dst, src, 1))
#define BLOCK_SCAN_ADD_EXCLUSIVE(dst, src)                                                         \
    /* At block scope: dst of each thread = the sum of src over the threads before it, in linear   \
     * order; 0 for the first. Both are PRIVATE, of one type. */                                   \
    PORTABLE_CUDA_(PORTABLE_CUDA_COLLECT_(portable_block_scan_, false, dst, src))                  \
    PORTABLE_CPU_(PORTABLE_CPU_COLLECT_("BLOCK_SCAN", scan, dst, src, 0))
#endif

/* Fragments (WMMA): the matrix product of tensor cores, C = A B + C, of 16 x 16 halves into 16 x 16
 * floats. A fragment belongs to a warp as a whole; which lane holds which element is unspecified.
 *
 * Arguments are the same for all lanes of a warp. The block size must be a multiple of 32,
 * addresses multiples of 32 bytes, and strides multiples of 16 bytes; the CPU rejects anything
 * else. CUDA: PTX wmma. CPU: loops that sum in float, in ascending order. Tensor cores also
 * multiply exactly, but add in a different order and with different rounding, so the last bits may
 * differ: see section 5 of Fasi, Higham, Mikaitis, Pranesh: "Numerical behavior of NVIDIA tensor
 * cores", PeerJ CS 7:e330, 2021.
 *
 *     FOR_EACH_WARP {
 *         FRAGMENT_A(a); FRAGMENT_B(b); FRAGMENT_C(c);
 *         FRAGMENT_FILL(c, 0.0f);
 *         FRAGMENT_LOAD(a, x, 16); FRAGMENT_LOAD(b, y, 16);
 *         FRAGMENT_MULTIPLY_ADD(c, a, b, c);
 *         FRAGMENT_STORE(z, c, 16);
 *     }
 */
#define FRAGMENT_SIZE /* The edge of a fragment: FRAGMENT_SIZE x FRAGMENT_SIZE elements. */ 16
#if PORTABLE_KERNELS_
#define FRAGMENT_A(...)                                                                            \
    /* At warp or block scope: declares a left factor, 16 x 16 halves per warp: FRAGMENT_A(name),  \
     * or FRAGMENT_A(name, [4]), an array. At block scope it persists across barriers. CUDA:       \
     * registers; an array only if its indices are constants after unrolling. */                   \
    PORTABLE_CUDA_(PORTABLE_VARIABLE_(portable_fragment_a_, __VA_ARGS__, , ))                      \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_FRAGMENT_("FRAGMENT_A", portable_fragment_a_, __VA_ARGS__, , )) \
    PORTABLE_EMULATE_(PORTABLE_VARIABLE_(portable_fragment_a_, __VA_ARGS__, , ))
#define FRAGMENT_B(...)                                                                            \
    /* At warp or block scope: the same as FRAGMENT_A for a right factor. */                       \
    PORTABLE_CUDA_(PORTABLE_VARIABLE_(portable_fragment_b_, __VA_ARGS__, , ))                      \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_FRAGMENT_("FRAGMENT_B", portable_fragment_b_, __VA_ARGS__, , )) \
    PORTABLE_EMULATE_(PORTABLE_VARIABLE_(portable_fragment_b_, __VA_ARGS__, , ))
#define FRAGMENT_C(...)                                                                            \
    /* At warp or block scope: the same as FRAGMENT_A for a sum: 16 x 16 floats per warp. */       \
    PORTABLE_CUDA_(PORTABLE_VARIABLE_(portable_fragment_c_, __VA_ARGS__, , ))                      \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_FRAGMENT_("FRAGMENT_C", portable_fragment_c_, __VA_ARGS__, , )) \
    PORTABLE_EMULATE_(PORTABLE_VARIABLE_(portable_fragment_c_, __VA_ARGS__, , ))
#define FRAGMENT_FILL(fragment, value)                                                             \
    /* At warp scope: every element of the fragment = value. */                                    \
    PORTABLE_CUDA_(portable_fragment_fill_((fragment), (value)))                                   \
    PORTABLE_CPU_(PORTABLE_CPU_FRAGMENT_FILL_(fragment, value))
#define FRAGMENT_LOAD(fragment, from, stride)                                                      \
    /* At warp scope: loads 16 rows of 16 elements, `stride` elements apart. `from` has the        \
     * fragment's element type; it is aligned to 32 bytes, the rows to 16. */                      \
    PORTABLE_CUDA_(portable_fragment_load_((fragment), (from), (unsigned)(stride)))                \
    PORTABLE_CPU_(PORTABLE_CPU_FRAGMENT_LOAD_(fragment, from, stride))
#define FRAGMENT_MULTIPLY_ADD(d, a, b, c)                                                          \
    /* At warp scope: d = a b + c, of a FRAGMENT_A, a FRAGMENT_B and a FRAGMENT_C; d may be c. */  \
    PORTABLE_CUDA_(portable_fragment_multiply_add_((d), (a), (b), (c)))                            \
    PORTABLE_CPU_(PORTABLE_CPU_FRAGMENT_MULTIPLY_ADD_(d, a, b, c))
#define FRAGMENT_STORE(to, fragment, stride)                                                       \
    /* At warp scope: writes a FRAGMENT_C to 16 rows of 16 floats, `stride`                        \
     * floats apart, aligned as for FRAGMENT_LOAD. */                                              \
    PORTABLE_CUDA_(portable_fragment_store_((to), (fragment), (unsigned)(stride)))                 \
    PORTABLE_CPU_(PORTABLE_CPU_FRAGMENT_STORE_(to, fragment, stride))
#endif

/* ===============================================================================================
 * 16  Types
 * ============================================================================================== */

#if !PORTABLE_TARGET_CUDA
/* CUDA's vector types: same members, same size, same alignment. */
#define PORTABLE_VECTORS_(type, name, align2, align4)                                              \
    typedef struct name##2 {                                                                       \
        type x, y;                                                                                 \
    } __attribute__((aligned(align2))) name##2;                                                    \
    typedef struct name##3 {                                                                       \
        type x, y, z;                                                                              \
    } name##3;                                                                                     \
    typedef struct name##4 {                                                                       \
        type x, y, z, w;                                                                           \
    } __attribute__((aligned(align4))) name##4;                                                    \
    static inline name##2 make_##name##2(type x, type y)                                           \
    {                                                                                              \
        return (name##2){x, y};                                                                    \
    }                                                                                              \
    static inline name##3 make_##name##3(type x, type y, type z)                                   \
    {                                                                                              \
        return (name##3){x, y, z};                                                                 \
    }                                                                                              \
    static inline name##4 make_##name##4(type x, type y, type z, type w)                           \
    {                                                                                              \
        return (name##4){x, y, z, w};                                                              \
    }
PORTABLE_VECTORS_(float, float, 8, 16)
PORTABLE_VECTORS_(double, double, 16, 16)
PORTABLE_VECTORS_(int, int, 8, 16)
PORTABLE_VECTORS_(unsigned, uint, 8, 16)
#undef PORTABLE_VECTORS_
/** The extents of a grid or of a block. */
typedef struct dim3 {
    unsigned x, y, z;
#if PORTABLE_CPP_
    constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
#endif
} dim3;
#elif CUDART_VERSION >= 13000
/* CUDA 13 deprecates the name; double4_16a is what it always meant. In C++ it is a separate type,
 * because CUDA headers that are included later overload functions for both names. */
#if defined(__cplusplus)
struct portable_double4_ : double4_16a {};
static inline __host__ __device__ portable_double4_ portable_make_double4_(double x, double y,
                                                                           double z, double w)
{
    return {{x, y, z, w}};
}
#define double4 portable_double4_
#define make_double4 portable_make_double4_
#else
#define double4 double4_16a
#define make_double4 make_double4_16a
#endif
#endif

#if PORTABLE_PRECISION_DOUBLE
#define PORTABLE_BY_PRECISION_(of_double, of_float) of_double
#else
#define PORTABLE_BY_PRECISION_(of_double, of_float) of_float
#endif
/** double where PORTABLE_PRECISION_DOUBLE is 1, else float. */
typedef PORTABLE_BY_PRECISION_(double, float) REAL;
#define REAL_EPSILON                                                                               \
    /* Machine epsilon of REAL, one ULP at 1: twice the largest relative rounding error. */        \
    PORTABLE_BY_PRECISION_(DBL_EPSILON, FLT_EPSILON)
#define REAL_TINY                                                                                  \
    /* The smallest normal number of type REAL. */                                                 \
    PORTABLE_BY_PRECISION_(DBL_MIN, FLT_MIN)
#define DIM3(x, y, z)                                                                              \
    /* A dim3 of these extents: the grid or the block of a launch. */                              \
    portable_dim3_((x), (y), (z))
#if !PORTABLE_CPP_
#define dim3(...)                                                                                  \
    /* CUDA's spelling of DIM3, whose last extents may be left out: dim3(64) is 64 x 1 x 1. */     \
    PORTABLE_DIM3_(__VA_ARGS__ __VA_OPT__(, ) 1, 1, 1, )
#define PORTABLE_DIM3_(x, y, z, ...) portable_dim3_((x), (y), (z))
#endif
#define WARP_SIZE /* The number of lanes of a warp, on every target. */ 32
#define PORTABLE_WARP_ 32 /* for macros: a program may define WARP_SIZE again */

/* ===============================================================================================
 * 17  Vectors: a few REALs that a thread multiplies and adds at once, for sums in registers
 *
 * In any scope, and in DEVICE functions. CUDA: 16 bytes, loaded at once where the compiler sees
 * that they are aligned. CPU: a vector register of the machine that the compiler was told of, 32
 * bytes with AVX and 16 without.
 *
 *     REAL_VECTOR sum = {0};
 *     for (int i = 0; i < n; i++)
 *         sum += a[i] * real_vector(b + i * REAL_LANES);
 * ============================================================================================== */

#if PORTABLE_KERNELS_CPU_ && defined(__AVX__)
#define PORTABLE_VECTOR_BYTES_ 32
#else
#define PORTABLE_VECTOR_BYTES_ 16
#endif
#if PORTABLE_KERNELS_
/** A few REALs, REAL_LANES of them, that a thread adds and multiplies at once: v + w, v - w, v * w
 *  element by element, a * v with a REAL a, v += w; v[i] is an element. */
typedef PORTABLE_CUDA_(struct portable_real_vector_) PORTABLE_CPU_(REAL) REAL_VECTOR
    PORTABLE_CPU_(__attribute__((vector_size(PORTABLE_VECTOR_BYTES_))));
enum {
    REAL_LANES = PORTABLE_VECTOR_BYTES_ / sizeof(REAL) /**< elements of a REAL_VECTOR: tuning */
};
/** Loads REAL_LANES elements starting at `from`, aligned or not. */
DEVICE REAL_VECTOR real_vector(const REAL *from);
#endif
/** x / y, within 2 units in the last place if 2^-126 <= |y| <= 2^126: the targets differ in the
 *  last bits. CUDA: two instructions for floats, for which / takes ten. Otherwise x / y. */
DEVICE REAL fast_divide(REAL x, REAL y);

/* ===============================================================================================
 * 18  16-bit numbers
 *
 * half is IEEE 754's binary16: 11 bits of precision, up to 65504. bfloat16 is the upper half of a
 * float: 8 bits of precision, the range of float. Both are for storage: a kernel converts to float,
 * computes, and rounds the result.
 *
 *     KERNEL(half_saxpy)(int n, float a, const half *RESTRICT x, half *RESTRICT y)
 *     {
 *         GRID_STRIDE_LOOP(i, n)
 *             y[i] = float_to_half(a * half_to_float(x[i]) + half_to_float(y[i]));
 *     }
 *
 * The conversions are DEVICE functions and agree bit for bit on every target. To float they are
 * exact; from float they round to nearest, ties to even: overflow becomes an infinity, subnormal
 * numbers are kept, zeros keep their sign. A NaN becomes NVIDIA's canonical one, positive and all
 * ones: 0x7fff in 16 bits, 0x7fffffff in 32. Only bfloat16_to_float, which moves bits, preserves a
 * NaN.
 *
 * On CUDA, half is __half and bfloat16 is __nv_bfloat16 in a file that includes cuda_fp16.h and
 * cuda_bf16.h before this header. In a file that includes them later they are structures whose
 * values convert to CUDA's types and back implicitly, so functions of those headers take and return
 * them; pointers do not convert. In memory and as kernel arguments both forms are the same.
 * ============================================================================================== */

#if PORTABLE_KERNELS_CUDA_
#if !defined(__CUDA_FP16_TYPES_EXIST__)
struct half;
#elif defined(CUDA_NO_HALF)
typedef __half half;
#endif
#if !defined(__CUDA_BF16_TYPES_EXIST__)
struct bfloat16;
#else
typedef __nv_bfloat16 bfloat16;
#endif
#else
/** IEEE 754's binary16, for storage: see half_to_float and float_to_half. */
typedef struct half {
    unsigned short bits;
} half;
/** The upper half of a float, for storage: see bfloat16_to_float and float_to_bfloat16. */
typedef struct bfloat16 {
    unsigned short bits;
} bfloat16;
#endif

/** The half with these bits. */
DEVICE half half_from_bits(unsigned short bits);
/** The bits of a half. */
DEVICE unsigned short half_to_bits(half h);
/** The bfloat16 with these bits. */
DEVICE bfloat16 bfloat16_from_bits(unsigned short bits);
/** The bits of a bfloat16. */
DEVICE unsigned short bfloat16_to_bits(bfloat16 b);
/** The value of a half, exactly. */
DEVICE float half_to_float(half h);
/** The half nearest to f, ties to even. */
DEVICE half float_to_half(float f);
/** The value of a bfloat16, exactly. */
DEVICE float bfloat16_to_float(bfloat16 b);
/** The bfloat16 nearest to f, ties to even. */
DEVICE bfloat16 float_to_bfloat16(float f);

/* ===============================================================================================
 * 19  Textures
 *
 * A read-only array of one or two dimensions that a kernel reads at coordinates between its
 * elements, the texels, and outside of it. The host makes it from its own data, passes it to a
 * kernel by value, and destroys it after the kernel.
 *
 *     KERNEL(zoom)(int width, int height, portable_texture image, float scale, float *out)
 *     {
 *         GRID_STRIDE_LOOP_2D(x, y, width, height)
 *             out[y * width + x] = TEXTURE_2D(image, scale * (x + 0.5f), scale * (y + 0.5f));
 *     }
 *     ...
 *     const portable_texture_settings settings = {
 *         PORTABLE_TEXTURE_LINEAR, PORTABLE_TEXTURE_CLAMP, 0, PORTABLE_TEXTURE_FLOAT};
 *     PORTABLE_CHECK(portable_texture_create_2d(&image, pixels, columns, rows, &settings));
 *
 * On CUDA it is a texture object over a CUDA array. The CPU computes what the appendix "Texture
 * Fetching" of the CUDA C++ Programming Guide says. Texel i of N spans the coordinates i to i + 1,
 * or i / N to (i + 1) / N when coordinates are normalised. At x, as a number of texels:
 *
 *     point    T[floor(x)]
 *     linear   (1 - a) T[i] + a T[i + 1], where i = floor(x - 0.5) and a = x - 0.5 - i, in units of
 *              1/256; in two dimensions so along both. The guide leaves the rounding of a open; the
 *              CPU rounds to nearest, so that targets may differ by 1/256 of the difference
 *              between the texels around x (twice that in two dimensions).
 *
 * A NaN coordinate is 0 on the CPU and undefined on CUDA. A coordinate within 1/256
 * of the line between two texels may be on either side of it on a GPU.
 * ============================================================================================== */

/** What a fetch makes of a coordinate between the centres of two texels. */
typedef enum portable_texture_filter {
    PORTABLE_TEXTURE_POINT = 0, /**< the texel that contains the coordinate */
    PORTABLE_TEXTURE_LINEAR     /**< linear between the texels around it */
} portable_texture_filter;

/** What there is outside of a texture, along every dimension. */
typedef enum portable_texture_address {
    PORTABLE_TEXTURE_CLAMP = 0, /**< the nearest texel */
    PORTABLE_TEXTURE_WRAP,      /**< it repeats: x - floor(x), if normalised; clamp otherwise */
    PORTABLE_TEXTURE_MIRROR,    /**< that, every other time reversed; clamp otherwise */
    PORTABLE_TEXTURE_BORDER     /**< 0 */
} portable_texture_address;

/** What the host data holds: a fetch gives a float either way. */
typedef enum portable_texture_texel {
    PORTABLE_TEXTURE_FLOAT = 0, /**< a float, fetched as it is */
    PORTABLE_TEXTURE_BYTE       /**< unsigned char k, fetched as k / 255 */
} portable_texture_texel;

/** How a texture is read. All zeros: float texels, the texel that contains x, clamped, coordinates
 *  in texels. */
typedef struct portable_texture_settings {
    portable_texture_filter filter;
    portable_texture_address address;
    int normalised; /**< 1: coordinates run from 0 to 1; 0: to the number of texels */
    portable_texture_texel texel;
} portable_texture_settings;

/** A texture, made by portable_texture_create_1d or _2d; 0 is none. */
typedef PORTABLE_HANDLE_(cudaTextureObject_t, const struct portable_texture_ *) portable_texture;

static inline portable_status portable_texture_create_(
    const char *call, int rank, portable_texture *texture, const void *host, size_t width,
    size_t height, const portable_texture_settings *settings);
/** Makes a texture of `width` texels, or of `height` rows of `width`, from host memory, which it
 *  copies before the call returns. NULL for the settings is all zeros. The caller destroys the
 *  texture; on failure it is 0. A texture has at most 131072 by 65536 texels. */
static inline portable_status portable_texture_create_1d(
    portable_texture *texture, const void *host, size_t width,
    const portable_texture_settings *settings)
{
    return portable_texture_create_(__func__, 1, texture, host, width, 1, settings);
}
/** Makes a texture of `height` rows of `width` texels, as portable_texture_create_1d. */
static inline portable_status portable_texture_create_2d(
    portable_texture *texture, const void *host, size_t width, size_t height,
    const portable_texture_settings *settings)
{
    return portable_texture_create_(__func__, 2, texture, host, width, height, settings);
}
/** Destroys a texture that no kernel reads any more; does nothing for 0. */
static inline portable_status portable_texture_destroy(portable_texture texture);

#if PORTABLE_KERNELS_
#define TEXTURE_1D(texture, x)                                                                     \
    /* At kernel and thread scope, and in DEVICE functions that kernels call, a                    \
     * float: a one-dimensional texture, read at x. CUDA: tex1D. The CPU fails                     \
     * the launch if the texture is 0 or two-dimensional. */                                       \
    portable_texture_fetch_((texture), 1, (x), 0)
#define TEXTURE_2D(texture, x, y)                                                                  \
    /* As TEXTURE_1D, a float: a two-dimensional texture, read at (x, y). CUDA: tex2D. */          \
    portable_texture_fetch_((texture), 2, (x), (y))
#endif

/* ===============================================================================================
 * 20  CUDA's own spelling
 *
 * On the emulate target kernels in CUDA C compile unchanged, so that they can be tested first and
 * ported later: host/emulate/target.h defines nvcc's built-in names, as far as C can express them.
 * C has no <<<>>>: KERNEL_LAUNCH launches. It has no references, overloads or templates either, and
 * extern __shared__ is SHARED_DYNAMIC.
 *
 *     __global__ void saxpy(int n, float a, const float *x, float *y)
 *     {
 *         int i = blockIdx.x * blockDim.x + threadIdx.x;
 *         if (i < n) y[i] = a * x[i] + y[i];
 *     }
 * ============================================================================================== */

/* clang-format on */

/* ###############################################################################################
 * Part II: the machinery, by target
 * ############################################################################################ */

/* ==== Common: what C, C++ and the systems name differently ==================================== */

/* Spellings that differ between C and C++. A macro's argument that points to a result has exactly
 * that type. */
#if PORTABLE_CPP_
#define PORTABLE_EXTERN_ extern "C"
#define PORTABLE_ASSERT_ static_assert
#define PORTABLE_RESULT_(type, pointer) (pointer)
#else
#define PORTABLE_EXTERN_ extern
#define PORTABLE_ASSERT_ _Static_assert
#define PORTABLE_RESULT_(type, pointer) _Generic((pointer), type * : (pointer))
#endif
/* The integer 0, or a compile error with the sentence. */
#define PORTABLE_RULE_(condition, sentence)                                                        \
    (__extension__(0 * (int)sizeof(struct {                                                        \
                       _Static_assert(condition, sentence);                                        \
                       int portable_unused_;                                                       \
                   })))
/* The instruction sets that a kernel is compiled for; the dynamic linker chooses among the clones
 * (docs/decisions/030-kernels-are-cloned.md). Not where the flags name AVX2, nor with tools whose
 * code in that choice crashes. clang before 18 gives the clones no symbol of the kernel's name.
 * AVX-512 is for gcc in a mode of ISO C only. It includes FMA, and in other modes gcc contracts,
 * which would change results; clang 19 gathers with AVX-512, slower than element by element. */
#if PORTABLE_CLONES && PORTABLE_KERNELS_LOOPS_ && defined(__x86_64__) && defined(__ELF__) &&       \
    defined(__GLIBC__) && !defined(__UCLIBC__) && defined(__OPTIMIZE__) &&                         \
    !defined(__OPTIMIZE_SIZE__) && !defined(__AVX2__) && !defined(__FMA__) &&                      \
    !defined(__SSP_ALL__) && !defined(__SANITIZE_THREAD__)
#if !defined(__clang__)
#define PORTABLE_CLONES_(...) __attribute__((noinline, target_clones("default", __VA_ARGS__)))
#elif __clang_major__ >= 18 && !__has_feature(thread_sanitizer)
#define PORTABLE_CLONES_(...) __attribute__((target_clones("default", __VA_ARGS__)))
#endif
#endif
/* Has the compiler warn of a call that is not made. clang must know of a kernel's clones before its
 * first use, and gives the same warnings without one; gcc fewer. */
#if defined(__clang__)
#define PORTABLE_CHECK_CALL_(call) ((void)sizeof(__typeof__(call) *))
#else
#define PORTABLE_CHECK_CALL_(call)                                                                 \
    if (0)                                                                                         \
    call
#endif
/* Whether accesses are those of a program with the address sanitizer. */
#if defined(__SANITIZE_ADDRESS__)
#define PORTABLE_ADDRESS_SANITIZER_ 1
#elif defined(__clang__)
#define PORTABLE_ADDRESS_SANITIZER_ __has_feature(address_sanitizer)
#else
#define PORTABLE_ADDRESS_SANITIZER_ 0
#endif
/* How functions are declared. */
#define PORTABLE_UNUSED_ __attribute__((unused))
#define PORTABLE_INLINE_ static inline __attribute__((always_inline))
#define PORTABLE_DEVICE_ static __device__ __forceinline__
#define PORTABLE_COLD_ __attribute__((cold, noinline, unused))
#if defined(PORTABLE_FLATTEN_) && PORTABLE_FLATTEN_ /* with all functions that it calls */
#define PORTABLE_KERNEL_CODE_ __attribute__((noinline, flatten))
#elif defined(PORTABLE_CLONES_) && !defined(__clang__) && defined(__STRICT_ANSI__)
#define PORTABLE_KERNEL_CODE_ PORTABLE_CLONES_("avx2", "avx512f")
#elif defined(PORTABLE_CLONES_)
#define PORTABLE_KERNEL_CODE_ PORTABLE_CLONES_("avx2")
#else
#define PORTABLE_KERNEL_CODE_ __attribute__((noinline))
#endif
#define PORTABLE_PRAGMA_(text) _Pragma(#text)

#if PORTABLE_TARGET_EMULATE
#include "host/emulate/calls.h" /* the calls of the runtime that programs are linked with */
#endif

/* A variable that many files define, with one symbol in C and CUDA: the linker keeps one. */
#if defined(_WIN32)
#define PORTABLE_WEAK_ __attribute__((selectany))
#define PORTABLE_PRINTF_(text, first) __attribute__((format(__MINGW_PRINTF_FORMAT, text, first)))
#else
#define PORTABLE_WEAK_ __attribute__((weak, visibility("default")))
#define PORTABLE_PRINTF_(text, first) __attribute__((format(printf, text, first)))
#endif
/* For functions so long that a call costs nothing, and copies would slow the compiler. */
#define PORTABLE_OUT_OF_LINE_ static __attribute__((noinline, unused))

/* Functions with other names on Windows. portable_yield_ lets another OS thread run.
 * portable_aligned_ gives memory of exactly that size, so that a memory checker sees the first byte
 * beyond, or NULL; ISO C's aligned_alloc wants a multiple of the alignment. portable_now_ returns 1
 * when it has the time. The functions declared here are in a header too, but not under -std=c11, or
 * beside many more names. */
#if defined(_WIN32)
union _LARGE_INTEGER;
__declspec(dllimport) int __stdcall SwitchToThread(void);
__declspec(dllimport) int __stdcall QueryPerformanceCounter(union _LARGE_INTEGER *count);
__declspec(dllimport) int __stdcall QueryPerformanceFrequency(union _LARGE_INTEGER *each_second);
PORTABLE_INLINE_ void portable_yield_(void)
{
    SwitchToThread();
}
static inline void *portable_aligned_(size_t to, size_t size)
{
    return _aligned_malloc(size, to);
}
static inline void portable_aligned_free_(void *memory)
{
    _aligned_free(memory);
}
static inline int portable_now_(struct timespec *time)
{
    long long count, each_second;
    QueryPerformanceCounter((union _LARGE_INTEGER *)&count); /* neither ever fails */
    QueryPerformanceFrequency((union _LARGE_INTEGER *)&each_second);
    time->tv_sec = (time_t)(count / each_second);
    time->tv_nsec = (long)(1e9 * (double)(count % each_second) / (double)each_second);
    return 1;
}
#else
PORTABLE_INLINE_ void portable_yield_(void)
{
    sched_yield();
}
#if !PORTABLE_TARGET_CUDA
#if !PORTABLE_CPP_
extern int posix_memalign(void **memory, size_t alignment, size_t size);
#endif
static inline void *portable_aligned_(size_t alignment, size_t bytes)
{
    void *memory = NULL;
    return posix_memalign(&memory, alignment, bytes) == 0 ? memory : NULL;
}
static inline void portable_aligned_free_(void *memory)
{
    free(memory);
}
static inline int portable_now_(struct timespec *t)
{
    return timespec_get(t, TIME_UTC) != 0;
}
#endif
#endif

/* Spin lock; the launch lock is held for a whole kernel. */
PORTABLE_INLINE_ void portable_lock_(char *lock)
{
    while (__atomic_test_and_set(lock, __ATOMIC_ACQUIRE))
        portable_yield_();
}
PORTABLE_INLINE_ void portable_unlock_(char *lock)
{
    __atomic_clear(lock, __ATOMIC_RELEASE);
}

/* Code that runs on the device, and what DEVICE functions do when the host calls them. */
#if defined(__CUDA_ARCH__)
#define PORTABLE_ON_DEVICE_(device, host) device
#else
#define PORTABLE_ON_DEVICE_(device, host) host
#endif

#if PORTABLE_KERNELS_CUDA_
#define portable_dim3_ dim3
#else
PORTABLE_INLINE_ dim3 portable_dim3_(unsigned x, unsigned y, unsigned z)
{
    return (dim3){x, y, z};
}
#endif

/* A grid or a block given as an integer: negative becomes 0 and what does not fit becomes the
 * largest unsigned, so that the launch limits refuse both. */
PORTABLE_INLINE_ dim3 portable_extents_unsigned_(unsigned long long x)
{
    return DIM3(x > 0xffffffffULL ? 0xffffffffu : (unsigned)x, 1, 1);
}
PORTABLE_INLINE_ dim3 portable_extents_signed_(long long x)
{
    return portable_extents_unsigned_(x < 0 ? 0 : (unsigned long long)x);
}
/* clang-format off */
#define PORTABLE_FOR_EXTENT_TYPES_(X)                                                              \
    X(char, signed) X(signed char, signed) X(short, signed) X(int, signed) X(long, signed)         \
    X(long long, signed) X(unsigned char, unsigned) X(unsigned short, unsigned)                    \
    X(unsigned, unsigned) X(unsigned long, unsigned) X(unsigned long long, unsigned)
/* clang-format on */
#if PORTABLE_CPP_
#define PORTABLE_EXTENTS_(type, kind)                                                              \
    static inline dim3 portable_extents_(type v)                                                   \
    {                                                                                              \
        return portable_extents_##kind##_(v);                                                      \
    }
static inline dim3 portable_extents_(dim3 v)
{
    return v;
}
PORTABLE_FOR_EXTENT_TYPES_(PORTABLE_EXTENTS_)
#else
PORTABLE_INLINE_ dim3 portable_extents_same_(dim3 extents)
{
    return extents;
}
/* What a _Generic chooses for a type that it has nothing for, and whether it chose it. It is never
 * called: a rule names the types. */
PORTABLE_PRAGMA_(GCC diagnostic push)
PORTABLE_PRAGMA_(GCC diagnostic ignored "-Wstrict-prototypes")
extern short portable_of_no_type_();
extern dim3 portable_extents_none_();
PORTABLE_PRAGMA_(GCC diagnostic pop)
#define PORTABLE_HAS_TYPE_(function)                                                               \
    _Generic(&function, __typeof__(&portable_of_no_type_) : 0, default : 1)
/* clang-format off */
#define PORTABLE_EXTENTS_(type, kind) type: portable_extents_##kind##_,
#define PORTABLE_IS_EXTENT_(type, kind) type: 1,
#define portable_extents_(value)                                                                   \
    ((void)PORTABLE_RULE_(_Generic((value), PORTABLE_FOR_EXTENT_TYPES_(PORTABLE_IS_EXTENT_)        \
                                   _Bool: 1, dim3: 1, default: 0),                                 \
                          "a grid and a block are integers or dim3s: KERNEL_LAUNCH(kernel, grid, " \
                          "block, shared_bytes, stream, arguments...)"),                           \
     _Generic((value), PORTABLE_FOR_EXTENT_TYPES_(PORTABLE_EXTENTS_)                               \
              _Bool: portable_extents_unsigned_, dim3: portable_extents_same_,                     \
              default: portable_extents_none_)(value))
/* clang-format on */
#endif

#define PORTABLE_BLOCK_LIMIT_ 1024 /* the most threads that a block can have, on every target */
#define PORTABLE_SHARED_LIMIT_ (48 * 1024)         /* bytes a block has without asking */
#define PORTABLE_SHARED_RAISED_LIMIT_ (227 * 1024) /* the most that any GPU gives a block */

/* X with the three arguments of FOR_EACH_BLOCK: an absent list means (0, 0, 0). */
#define PORTABLE_WITH_SHAPE_(X, ...) PORTABLE_SHAPE_(X, __VA_OPT__(__VA_ARGS__, 1, 1, ) 0, 0, 0)
#define PORTABLE_SHAPE_(X, x, y, z, ...) X((x + 0), (y + 0), (z + 0))
#define PORTABLE_VARIABLE_(type, name, dims, ...) type name dims
/* The declaration, and then another that takes no initialiser either: its name is the message. */
#if defined(__clang__) && !PORTABLE_KERNELS_CUDA_
struct PRIVATE_has_no_initialiser_assign_MINE_at_thread_scope {
    char none;
};
#define PORTABLE_UNINITIALISED_(X, type, name, ...)                                                \
    X(type, name, __VA_ARGS__);                                                                    \
    PORTABLE_UNUSED_ struct PRIVATE_has_no_initialiser_assign_MINE_at_thread_scope                 \
        portable_after_##name##_
#else
#define PORTABLE_UNINITIALISED_(X, ...)                                                            \
    X(__VA_ARGS__);                                                                                \
    PORTABLE_UNUSED_ typedef int PRIVATE_has_no_initialiser_assign_MINE_at_thread_scope
#endif
/* Whether an expression is an integer constant, and the expression or, if it is not, another: for
 * messages, as each is a constant. (M. Uecker's test, in the Linux kernel's __is_constexpr) */
#if PORTABLE_CPP_
#define PORTABLE_IS_CONSTANT_(x) true
#define PORTABLE_CONSTANT_OR_(x, otherwise) (x)
#else
#define PORTABLE_IS_CONSTANT_(x)                                                                   \
    _Generic(1 ? (void *)((size_t)(x)*0) : (int *)0, int * : 1, default : 0)
#define PORTABLE_CONSTANT_OR_(x, otherwise)                                                        \
    __builtin_choose_expr(PORTABLE_IS_CONSTANT_(x), (x), (otherwise))
#endif
#define PORTABLE_CONST_UNLESS_(...) PORTABLE_LEFT_(__VA_OPT__(, ) const, )
#define PORTABLE_LEFT_(left, ...) left
#define PORTABLE_OFFSET_(axis) (blockIdx.axis * blockDim.axis + threadIdx.axis)
#define PORTABLE_STRIDE_(axis) (gridDim.axis * blockDim.axis)
/* A scope that every thread enters, once. */
#define PORTABLE_ONCE_IF_(condition)                                                               \
    for (int portable_once_ = (condition); portable_once_; portable_once_ = 0)
/* The type of a bound without its qualifiers, after integer promotion. */
#define PORTABLE_INDEX_(n) __typeof__((n) + 0)
/* Holds a bound that an outer loop would otherwise evaluate in each iteration. */
#define PORTABLE_HOLD_(name, n)                                                                    \
    for (PORTABLE_INDEX_(n) name = (n), portable_held_ = 1; portable_held_; portable_held_ = 0)
#define PORTABLE_ALL_LANES_ 0xffffffffu
/* A block function has a first parameter of no use, of another type than the variable of that
 * name outside: so a call knows whether it is in that function. */
struct called_by_BLOCK_CALL;
#define PORTABLE_NOT_RECURSIVE_(name) extern char portable_caller_of_##name##_
#define PORTABLE_INSIDE_(name)                                                                     \
    PORTABLE_UNUSED_ const struct called_by_BLOCK_CALL *portable_caller_of_##name##_
#define PORTABLE_IS_OUTSIDE_(name) (sizeof portable_caller_of_##name##_ == 1)
#define PORTABLE_RECURSION_SENTENCE_ "a BLOCK_FUNCTION cannot call itself"
#define PORTABLE_COPY_SENTENCE_ "COPY_ASYNC copies 4, 8 or 16 bytes, a constant"
#define PORTABLE_WAIT_SENTENCE_ "COPY_WAIT takes 0 to 8 groups, a constant"
#define PORTABLE_NO_KERNEL_(name)                                                                  \
    PORTABLE_ASSERT_(0, "in a CUDA build a file with a kernel must be compiled by nvcc -x cu, "    \
                        "not cc");                                                                 \
    void name

/* ==== Common: 16-bit numbers ================================================================== */

/* The type whose bits are those of the variable `from`: no access to memory, also where memcpy is
 * watched for those. */
#define PORTABLE_AS_(type, from)                                                                   \
    __extension__({                                                                                \
        type portable_as_;                                                                         \
        PORTABLE_HANDLE_(memcpy, __builtin_memcpy)(&portable_as_, &(from), sizeof portable_as_);   \
        portable_as_;                                                                              \
    })

#if PORTABLE_KERNELS_CUDA_

/* It has an `is` where A is B. */
template <typename A, typename B> struct portable_same_ {
};
template <typename A> struct portable_same_<A, A> {
    typedef int is;
};

/* A number of 16 bits that converts to CUDA's type and back. The templates are instantiated only
 * where they are used, so that type may be incomplete here. The structure is trivial, as shared
 * memory requires. */
#define PORTABLE_NUMBER_16_(name, cuda_type)                                                       \
    struct name {                                                                                  \
        unsigned short bits;                                                                       \
        name() = default;                                                                          \
        template <typename Type, typename portable_same_<Type, cuda_type>::is = 0>                 \
        __host__ __device__ __forceinline__ name(const Type &number)                               \
            : bits(PORTABLE_AS_(unsigned short, number))                                           \
        {                                                                                          \
        }                                                                                          \
        template <typename Type, typename portable_same_<Type, cuda_type>::is = 0>                 \
        __host__ __device__ __forceinline__ operator Type() const                                  \
        {                                                                                          \
            return PORTABLE_AS_(Type, bits);                                                       \
        }                                                                                          \
    };

#if !defined(__CUDA_FP16_TYPES_EXIST__)
/* Keeps cuda_fp16.h, if it comes later, from declaring half; it then omits other aliases too. */
#undef CUDA_NO_HALF
#define CUDA_NO_HALF
struct __half;
struct __half2;
typedef __half2 half2, nv_half2, __nv_half2;
typedef __half nv_half, __nv_half;
PORTABLE_NUMBER_16_(half, __half)
#endif

#if !defined(__CUDA_BF16_TYPES_EXIST__)
struct __nv_bfloat16;
PORTABLE_NUMBER_16_(bfloat16, __nv_bfloat16)
#endif
#endif

DEVICE half half_from_bits(unsigned short bits)
{
    return PORTABLE_AS_(half, bits);
}
DEVICE unsigned short half_to_bits(half h)
{
    return PORTABLE_AS_(unsigned short, h);
}
DEVICE bfloat16 bfloat16_from_bits(unsigned short bits)
{
    return PORTABLE_AS_(bfloat16, bits);
}
DEVICE unsigned short bfloat16_to_bits(bfloat16 b)
{
    return PORTABLE_AS_(unsigned short, b);
}
DEVICE float portable_float_(unsigned bits)
{
    return PORTABLE_AS_(float, bits);
}
DEVICE unsigned portable_float_bits_(float f)
{
    return PORTABLE_AS_(unsigned, f);
}

/* condition ? a : b, on the CPU without the branch that gcc would make of it. */
DEVICE __attribute__((always_inline)) unsigned portable_pick_(int condition, unsigned a, unsigned b)
{
    return PORTABLE_ON_DEVICE_(condition ? a : b, b ^ ((a ^ b) & (0u - (unsigned)condition)));
}

DEVICE float half_to_float(half h)
{
#if defined(__CUDA_ARCH__)
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(half_to_bits(h)));
    return f;
#else
    /* The exponent moves from bias 15 to 127. A subnormal number is one with the least exponent,
     * less that exponent's leading bit, which float subtracts exactly. */
    const unsigned bits = half_to_bits(h), sign = (bits & 0x8000u) << 16, size = bits & 0x7fffu;
    const unsigned normal = (size << 13) + 0x38000000u;
    const unsigned small = portable_float_bits_(portable_float_((size << 13) + 0x38800000u) -
                                                portable_float_(0x38800000u));
    const unsigned finite = portable_pick_(size < 0x400u, small, normal);
    const unsigned number = portable_pick_(size < 0x7c00u, finite, 0x7f800000u) | sign;
    return portable_float_(portable_pick_(size > 0x7c00u, 0x7fffffffu, number));
#endif
}

/* fpcheck sees a number that is too large. */
#if PORTABLE_KERNELS_EMULATE_ && defined(PORTABLE_FPCHECK_)
#include "host/emulate/overflow.h"
#define PORTABLE_OVERFLOWS_IF_(condition, type, f)                                                 \
    if (condition)                                                                                 \
        portable_overflows_##type##_(f);
#else
#define PORTABLE_OVERFLOWS_IF_(condition, type, f)
#endif

DEVICE half float_to_half(float f)
{
#if defined(__CUDA_ARCH__)
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(f));
    return half_from_bits(bits);
#else
    /* Below 2^-14 a half is a multiple of 2^-24, which is the last place of a float in [0.5, 1):
     * adding 0.5 rounds to it. Above, half of the last place that stays is added, less a bit when
     * that place is even; a carry into the exponent is what rounding up means. */
    const unsigned bits = portable_float_bits_(f), sign = bits >> 16 & 0x8000u;
    const unsigned size = bits & 0x7fffffffu;
    const unsigned small = portable_float_bits_(portable_float_(size) + 0.5f) - 0x3f000000u;
    const unsigned normal = (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13;
    const unsigned finite = portable_pick_(size < 0x38800000u, small, normal);
    const unsigned number = portable_pick_(size < 0x47800000u, finite, 0x7c00u) | sign;
    PORTABLE_OVERFLOWS_IF_(size < 0x7f800000u && (number & 0x7fffu) == 0x7c00u, half, f)
    return half_from_bits((unsigned short)portable_pick_(size > 0x7f800000u, 0x7fffu, number));
#endif
}

DEVICE float bfloat16_to_float(bfloat16 b)
{
#if defined(__CUDA_ARCH__)
    float f;
    asm("mov.b32 %0, {0, %1};" : "=f"(f) : "h"(bfloat16_to_bits(b)));
    return f;
#else
    return portable_float_((unsigned)bfloat16_to_bits(b) << 16);
#endif
}

DEVICE bfloat16 float_to_bfloat16(float f)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned short bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(f));
    return bfloat16_from_bits(bits);
#else
    const unsigned bits = portable_float_bits_(f);
    const unsigned number = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const int nan = (bits & 0x7fffffffu) > 0x7f800000u;
    PORTABLE_OVERFLOWS_IF_((bits & 0x7fffffffu) < 0x7f800000u && (number & 0x7fffu) == 0x7f80u,
                           bf16, f)
    return bfloat16_from_bits((unsigned short)portable_pick_(nan, 0x7fffu, number));
#endif
}

/* ==== Common: status ========================================================================== */

/* The last failure of this host thread. */
PORTABLE_WEAK_ __thread struct portable_failure_ {
    portable_status status;
    portable_status launch; /* the last failed launch's, until portable_last_error is asked */
    char message[512];
} portable_failure_;

/* Records the failure and its message; returns the status. */
PORTABLE_COLD_ PORTABLE_PRINTF_(2, 3) static portable_status
    portable_fail_(portable_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(portable_failure_.message, sizeof portable_failure_.message, format, arguments);
    va_end(arguments);
    portable_failure_.status = status;
    PORTABLE_EMULATE_(portable_emulate_failed_((int)status, portable_failure_.message);)
    return status;
}

#define PORTABLE_INVALID_(...) portable_fail_(PORTABLE_ERROR_INVALID_VALUE, __VA_ARGS__)
#define PORTABLE_NO_MEMORY_(...) portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY, __VA_ARGS__)

/* For each status, its meaning and what to do about it. */
static inline const char *const *portable_status_texts_(portable_status status)
{
    static const char *const texts[][2] = {
        {"success", ""},
        {"invalid value", "Check the arguments of the call."},
        {"out of memory", "Free what is no longer used, or ask for less."},
        {"not device memory",
         "Device pointers come from portable_malloc; are source and destination swapped?"},
        {"not host memory", "Host pointers come from malloc; are source and destination swapped?"},
        {"out of range",
         "Sizes are in bytes: count * sizeof(element). make memcheck SOURCES=FILE.c shows where."},
        {"invalid free",
         "It was freed before, or never came from portable_malloc (or portable_malloc_host)."},
        {"invalid launch", "Check the launch's grid, block and shared bytes."},
        {"left a scope", "Use continue to end the iteration of a thread or a block."},
        {"no device", "Run a CPU target, or check the driver with nvidia-smi."},
        {"stale array", "Write the array on one side before reading it."},
        {"diverged", "Run make synccheck to see which threads wait where."},
        {"device error", "Run the serial target under gdb or valgrind."},
        {"unknown status", ""}};
    return texts[(unsigned)status <= PORTABLE_ERROR_DEVICE ? (unsigned)status
                                                           : PORTABLE_ERROR_DEVICE + 1u];
}
static inline const char *portable_status_string(portable_status status)
{
    return portable_status_texts_(status)[0];
}
static inline const char *portable_status_hint(portable_status status)
{
    return portable_status_texts_(status)[1];
}

static inline const char *portable_last_message(void)
{
    return portable_failure_.message;
}

#if PORTABLE_TARGET_CUDA
/* A CUDA runtime error as a status. */
static inline portable_status portable_from_cuda_(cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return PORTABLE_SUCCESS;
    portable_status status = PORTABLE_ERROR_DEVICE;
    switch ((int)error) {
    case cudaErrorMemoryAllocation: status = PORTABLE_ERROR_OUT_OF_MEMORY; break;
    case cudaErrorInvalidValue: status = PORTABLE_ERROR_INVALID_VALUE; break;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver: status = PORTABLE_ERROR_NO_DEVICE; break;
    case cudaErrorInvalidConfiguration:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorCooperativeLaunchTooLarge: status = PORTABLE_ERROR_INVALID_LAUNCH; break;
    }
    return portable_fail_(status, "%s: %s (%s)", call, cudaGetErrorString(error),
                          cudaGetErrorName(error));
}
#endif

static inline portable_status portable_last_error(void)
{
#if PORTABLE_TARGET_CUDA
    cudaError_t error = cudaGetLastError();
    if (portable_failure_.status == PORTABLE_SUCCESS)
        portable_from_cuda_(error, "an earlier CUDA call");
#endif
    portable_status status = portable_failure_.status;
    portable_failure_.status = portable_failure_.launch = PORTABLE_SUCCESS;
    return status;
}

PORTABLE_COLD_ static void portable_stop_(portable_status status, const char *expression,
                                          const char *file, int line)
{
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s\n  %s: %s\n  %s\n", file, line, expression,
            portable_status_string(status), portable_last_message(), portable_status_hint(status));
    exit(EXIT_FAILURE);
}

#define PORTABLE_CHECK_(call, text)                                                                \
    do {                                                                                           \
        portable_status portable_checked_ = (call);                                                \
        if (portable_checked_ != PORTABLE_SUCCESS)                                                 \
            portable_stop_(portable_checked_, text, __FILE__, __LINE__);                           \
    } while (0)

/* ==== Common: guards around memory on the CPU ================================================= */

#if !PORTABLE_TARGET_CUDA

/* Memory on the CPU has a guard on either side, whose bytes are verified after each launch: they
 * tell that a kernel wrote outside of its memory. They are a NaN of every floating-point type, so
 * that a read there shows, too, and not the poison of new memory. Behind the second guard there is
 * room for a row or a block of threads too many, which then damages nothing. */
#define PORTABLE_FILLED_                                                                           \
    "\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff"                             \
    "\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff"                             \
    "\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff"                             \
    "\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff\xf5\xff"
enum { PORTABLE_GUARD_ = 192, PORTABLE_ROOM_ = 1024, PORTABLE_NEAR_ = 16 };
/* Ahead of the memory. */
struct portable_head_ {
    char name[64]; /* the array's, or "" */
    char guard[PORTABLE_GUARD_];
};
/* Whether memory has guards: 1, or -1; 0 until the first allocation asks. */
PORTABLE_WEAK_ int portable_guards_;

/* Not where a memory checker sees the first access outside of an allocation, which then has exactly
 * its size: under the address sanitizer, and under valgrind, which is in LD_PRELOAD. */
static inline int portable_has_guards_(void)
{
    int guards = __atomic_load_n(&portable_guards_, __ATOMIC_RELAXED);
    if (guards == 0) {
        const char *const preloaded = PORTABLE_ADDRESS_SANITIZER_ ? NULL : getenv("LD_PRELOAD");
        guards =
            PORTABLE_ADDRESS_SANITIZER_ || (preloaded && strstr(preloaded, "vgpreload_memcheck"))
                ? -1
                : 1;
        __atomic_store_n(&portable_guards_, guards, __ATOMIC_RELAXED);
    }
    return guards > 0;
}

/* What a guard has at that address. */
static inline const char *portable_guard_at_(const char *at)
{
    static const char filled[] = PORTABLE_FILLED_ PORTABLE_FILLED_ PORTABLE_FILLED_ "\xf5";
    return filled + (size_t)at % 2;
}
static inline void portable_guards_fill_(char *memory, size_t bytes)
{
    char *const before = memory - PORTABLE_GUARD_, *const behind = memory + bytes;
    memcpy(before, portable_guard_at_(before), PORTABLE_GUARD_);
    memcpy(behind, portable_guard_at_(behind), PORTABLE_GUARD_);
}
/* Whether nobody wrote there, by so many bytes of each guard. */
PORTABLE_INLINE_ int portable_guards_hold_(const char *memory, size_t bytes, size_t width)
{
    const char *const before = memory - width, *const behind = memory + bytes;
    return memcmp(before, portable_guard_at_(before), width) == 0 &&
           memcmp(behind, portable_guard_at_(behind), width) == 0;
}
/* The offset of the first byte of a guard that is another; PORTABLE_GUARD_ if there is none. */
static inline size_t portable_guard_change_(const char *guard)
{
    size_t k = 0;
    while (k < PORTABLE_GUARD_ && guard[k] == portable_guard_at_(guard)[k])
        k++;
    return k;
}

/* The array of "&array", "&(array)" or "(void **)&array", the argument of portable_malloc; a name
 * without & is the array's own. A name that is longer than the text is none. */
static inline void portable_array_name_(char *text, size_t size, const char *expression)
{
    const char *const at = expression ? strrchr(expression, '&') : NULL;
    const char *begin = at ? at + 1 : expression;
    text[0] = '\0';
    if (!begin)
        return;
    begin += strspn(begin, " (");
    size_t length = strlen(begin);
    while (length > 0 && (begin[length - 1] == ')' || begin[length - 1] == ' '))
        length--;
    if (length < size) {
        memcpy(text, begin, length);
        text[length] = '\0';
    }
}

/* Aligned memory between its guards, for the array that the expression names; NULL without
 * memory. */
static inline void *portable_guarded_(size_t alignment, size_t bytes, const char *expression)
{
    if (!portable_has_guards_())
        return portable_aligned_(alignment, bytes);
    const size_t more = bytes / 8 < 64 * PORTABLE_ROOM_ ? bytes / 8 : 64 * (size_t)PORTABLE_ROOM_;
    struct portable_head_ *const head = (struct portable_head_ *)portable_aligned_(
        alignment, sizeof *head + bytes + PORTABLE_GUARD_ + PORTABLE_ROOM_ + more);
    if (!head)
        return NULL;
    portable_array_name_(head->name, sizeof head->name, expression);
    portable_guards_fill_((char *)(head + 1), bytes);
    return head + 1;
}
static inline void portable_guarded_free_(void *memory)
{
    portable_aligned_free_(memory && portable_has_guards_() ? (struct portable_head_ *)memory - 1
                                                            : memory);
}

/* The failure of a kernel that wrote outside of the memory: a device array, or what else it is. */
PORTABLE_COLD_ static portable_status portable_guard_broken_(const char *kernel, const char *what,
                                                             const char *memory, size_t bytes)
{
    const struct portable_head_ *const head =
        (const struct portable_head_ *)(const void *)memory - 1;
    const size_t before = portable_guard_change_(head->guard);
    const size_t behind = portable_guard_change_(memory + bytes);
    const int is_before = behind == PORTABLE_GUARD_;
    size_t length = 0;
    while (length < sizeof head->name && head->name[length] > ' ' && head->name[length] <= '~')
        length++;
    const int is_named = length > 0 && length < sizeof head->name && head->name[length] == '\0';
    return portable_fail_(
        PORTABLE_ERROR_OUT_OF_RANGE, "%s%s wrote %s %s%s, at byte %lld of %zu",
        kernel ? "kernel " : "a kernel", kernel ? kernel : "", is_before ? "before" : "beyond",
        what       ? what
        : is_named ? "device array "
                   : "a device array",
        is_named ? head->name : "",
        is_before ? (long long)before - PORTABLE_GUARD_ : (long long)(bytes + behind), bytes);
}

/* Whether there are arrays to verify. */
static inline int portable_has_arrays_(void);
/* Verifies the guards of arrays: near the arrays after a launch of that kernel, and in whole for
 * NULL, when the host waits. */
PORTABLE_OUT_OF_LINE_ portable_status portable_verify_(const char *kernel);

#else
#define portable_has_guards_() 0
#define portable_verify_one_(found, kernel, width) ((void)(found), PORTABLE_SUCCESS)
#endif

/* ==== Common: launches ======================================================================== */

/* This host thread's launch: KERNEL_LAUNCH records it here, and a kernel's scopes read it. What the
 * compiler sees of KERNEL_LAUNCH(saxpy, 4, 256, 0, 0, n, x, y), in short:
 *
 *     cuda       portable_launch_begin_("saxpy", 1024, {4, 1, 1}, {256, 1, 1}, 0, 0, 0)
 *                    ? (saxpy<<<portable_launch_.grid, portable_launch_.block, 0, 0>>>(n, x, y),
 *                       portable_launch_end_(cudaSuccess))
 *                    : portable_launch_refused_()
 *     serial     portable_launch_open_("saxpy", &portable_bounds_saxpy_, {4, 1, 1}, ...)
 *                    ? (saxpy(n, x, y), portable_launch_end_())
 *                    : portable_launch_refused_()
 *     openmp     as serial, but each OS thread of a parallel region calls saxpy(n, x, y)
 *     emulate    as serial, but the scheduler calls it, once for each thread of the grid
 *
 * begin and open check the grid and the block and fill in the record; end clears it. */
PORTABLE_WEAK_ __thread struct portable_launch_ {
    const char *kernel; /* NULL outside a launch */
    uint3 grid, block;  /* not dim3, whose C++ constructor a thread-local may not have */
    void *shared;       /* dynamic shared memory, one block's worth: blocks run one after another */
    size_t shared_bytes;
    portable_stream stream;
    int cooperative;
    int automatic; /* the block came from KERNEL_LAUNCH_AUTO */
    int in_blocks; /* inside FOR_EACH_BLOCK */
    int depth;     /* 0 for a host launch, the parent's plus 1 for a child grid */
    /* Of openmp: this OS thread's number among those that share the launch, and how many they are,
     * 0 outside a launch. */
    unsigned member, members;
    unsigned steps;  /* the FOR_EACH_BLOCKs begun and ended so far... */
    unsigned failed; /* ...and at the first failure */
    int schedule;    /* of openmp: what the last loop was over, a PORTABLE_OVER_ */
    portable_status status;
} portable_launch_;

/* The first of n iterations in chunk k of `parts` contiguous chunks, whose sizes differ by at most
 * one. Chunk k - 1 ends there. */
static inline unsigned long long portable_chunk_(unsigned long long n, unsigned k, unsigned parts)
{
    if (parts <= 1)
        return k == 0 ? 0 : n;
    const unsigned long long quotient = n / parts, remainder = n % parts;
    return k * quotient + (k < remainder ? k : remainder);
}

/* A kernel's limits and occupancy, by its name. */
struct portable_kernel_record_ {
    const char *name;
    size_t shared_limit; /* 0: not raised */
    unsigned auto_block; /* 0: not asked for yet */
    unsigned auto_grid;  /* the blocks that fill the device... */
    int auto_device;     /* ...of this number */
};
PORTABLE_WEAK_ struct portable_kernels_ {
    struct portable_kernel_record_ *records;
    size_t count;
    char lock;
} portable_kernels_;

/* The kernel's record, or NULL. The caller holds the lock. */
static inline struct portable_kernel_record_ *portable_kernel_find_(const char *name)
{
    for (size_t k = 0; k < portable_kernels_.count; k++)
        if (strcmp(portable_kernels_.records[k].name, name) == 0)
            return &portable_kernels_.records[k];
    return NULL;
}

/* A copy of the kernel's record, zeros when there is none. */
static inline struct portable_kernel_record_ portable_kernel_record_(const char *name)
{
    struct portable_kernel_record_ record = {name, 0, 0, 0, 0};
    portable_lock_(&portable_kernels_.lock);
    const struct portable_kernel_record_ *const found = portable_kernel_find_(name);
    if (found)
        record = *found;
    portable_unlock_(&portable_kernels_.lock);
    return record;
}

/* Stores the record in place of the one of its name. */
static inline portable_status portable_kernel_store_(const struct portable_kernel_record_ *record)
{
    portable_lock_(&portable_kernels_.lock);
    struct portable_kernel_record_ *place = portable_kernel_find_(record->name);
    if (!place) {
        void *const grown =
            realloc(portable_kernels_.records, (portable_kernels_.count + 1) * sizeof *record);
        if (grown) {
            portable_kernels_.records = (struct portable_kernel_record_ *)grown;
            place = &portable_kernels_.records[portable_kernels_.count++];
        }
    }
    if (place)
        *place = *record;
    portable_unlock_(&portable_kernels_.lock);
    return place ? PORTABLE_SUCCESS
                 : PORTABLE_NO_MEMORY_("no memory to note kernel %s", record->name);
}

/* Fails the launch with a sentence, or with one about its grid or block; returns 0. */
#define portable_refuse_(format, ...)                                                              \
    portable_refused_(portable_fail_(PORTABLE_ERROR_INVALID_LAUNCH, "kernel %s: " format,          \
                                     portable_launch_.kernel, __VA_ARGS__))
static inline int portable_refused_(portable_status status PORTABLE_UNUSED_)
{
    portable_launch_.kernel = NULL;
    return 0;
}
#define PORTABLE_REFUSE_(shape, format, ...)                                                       \
    portable_refuse_(#shape " (%u, %u, %u) " format, shape.x, shape.y, shape.z, ##__VA_ARGS__)

/* Checks a launch and notes it in portable_launch_; returns 1 when the kernel may start. */
static inline int portable_launch_begin_(const char *kernel, unsigned max_threads, dim3 grid,
                                         dim3 block, size_t shared_bytes, portable_stream stream,
                                         int cooperative)
{
    struct portable_launch_ *const launch = &portable_launch_;
    memset(launch, 0, sizeof *launch);
    launch->kernel = kernel;
    launch->grid = make_uint3(grid.x, grid.y, grid.z);
    launch->block = make_uint3(block.x, block.y, block.z);
    launch->shared_bytes = shared_bytes;
    launch->stream = stream;
    launch->cooperative = cooperative;

    const unsigned long long threads = (unsigned long long)block.x * block.y * block.z;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0)
        return PORTABLE_REFUSE_(grid, "has an extent of 0 or less");
    if (block.x == 0 || block.y == 0 || block.z == 0)
        return PORTABLE_REFUSE_(block, "has an extent of 0 or less");
    if (block.x > 1024 || block.y > 1024 || block.z > 64)
        return PORTABLE_REFUSE_(block, "exceeds (1024, 1024, 64)");
    if (threads > PORTABLE_BLOCK_LIMIT_)
        return PORTABLE_REFUSE_(block, "has %llu threads; a block has at most 1024", threads);
    if (threads > max_threads)
        return PORTABLE_REFUSE_(block, "has %llu threads; its KERNEL_LAUNCH_BOUNDS allow %u",
                                threads, max_threads);
    if (grid.x > 2147483647u || grid.y > 65535 || grid.z > 65535)
        return PORTABLE_REFUSE_(grid, "exceeds (2147483647, 65535, 65535)");
    if ((unsigned long long)grid.x * block.x > 2147483648ULL)
        return portable_refuse_("%u blocks of %u threads are over 2^31 threads along x; use "
                                "fewer blocks and a grid-stride loop",
                                grid.x, block.x);
    if (shared_bytes > PORTABLE_SHARED_LIMIT_) {
        const size_t limit = portable_kernel_record_(kernel).shared_limit;
        if (shared_bytes > limit)
            return portable_refuse_("%zu bytes of dynamic shared memory, and the limit is %zu; "
                                    "KERNEL_SHARED_LIMIT raises it, up to %d",
                                    shared_bytes, limit ? limit : (size_t)PORTABLE_SHARED_LIMIT_,
                                    PORTABLE_SHARED_RAISED_LIMIT_);
    }
    return 1;
}

/* How many blocks fit on a multiprocessor; on the CPU, 1. Whether a launch could have such a block
 * is checked as far as can be told without its grid. */
PORTABLE_CUDA_(template <class Kernel>)
static inline portable_status
portable_occupancy_(const char *name, PORTABLE_CUDA_(Kernel *kernel, ) unsigned max_threads,
                    dim3 block, size_t shared_bytes, int *blocks)
{
    const struct portable_launch_ outer = portable_launch_;
    *blocks = portable_launch_begin_(name, max_threads, DIM3(1, 1, 1), block, shared_bytes, 0, 0);
    portable_launch_ = outer;
    if (*blocks == 0)
        return portable_failure_.status;
#if PORTABLE_KERNELS_CUDA_
    const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks, kernel, (int)(block.x * block.y * block.z), shared_bytes);
    if (error != cudaSuccess) {
        *blocks = 0;
        cudaGetLastError();
        return portable_from_cuda_(error, name);
    }
#endif
    return PORTABLE_SUCCESS;
}

/* The launch's status; a failure is kept until portable_last_error is called. */
static inline portable_status portable_launch_result_(portable_status status)
{
    if (status != PORTABLE_SUCCESS)
        portable_failure_.launch = status;
    return status;
}
static inline portable_status portable_launch_refused_(void)
{
    return portable_launch_result_(portable_failure_.status);
}

PORTABLE_CUDA_(template <class Kernel>)
static inline portable_status portable_shared_limit_(const char *name,
                                                     PORTABLE_CUDA_(Kernel *kernel, ) size_t bytes)
{
    if (bytes > (size_t)PORTABLE_SHARED_RAISED_LIMIT_)
        return PORTABLE_INVALID_("kernel %s: a shared limit of %zu bytes exceeds the maximum, %d",
                                 name, bytes, PORTABLE_SHARED_RAISED_LIMIT_);
#if PORTABLE_KERNELS_CUDA_
    const cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return portable_from_cuda_(error, name);
    }
#endif
    struct portable_kernel_record_ record = portable_kernel_record_(name);
    record.shared_limit = bytes;
    return portable_kernel_store_(&record);
}

/* The grid for n elements: enough blocks for one element a thread, but no more than fill the
 * device, and one at least. */
static inline dim3 portable_auto_grid_(unsigned long long n,
                                       const struct portable_kernel_record_ *record)
{
    const unsigned most = record->auto_grid;
    const unsigned long long blocks = n / record->auto_block + (n % record->auto_block != 0);
    return DIM3(blocks == 0 ? 1 : blocks < most ? (unsigned)blocks : most, 1, 1);
}
/* How many elements n are, an integer: none when it is negative. */
#define portable_elements_(n)                                                                      \
    __extension__({                                                                                \
        const __typeof__(n) portable_n_ = (n);                                                     \
        portable_n_ > 0 ? (unsigned long long)portable_n_ : 0;                                     \
    })

/* ==== Common: operations and atomics ========================================================== */

/* clang-format off */
/* X(type, suffix) for each type that warps exchange. */
#define PORTABLE_FOR_WARP_TYPES_(X)                                                                \
    X(int, int) X(unsigned, uint) X(long long, ll) X(unsigned long long, ull)                      \
    X(float, float) X(double, double)
/* Of these, the function for the type of a value, or portable_of_no_type_. */
#define PORTABLE_WARP_SUFFIX_(name, value)                                                         \
    _Generic((value), PORTABLE_WARP_CASES_(name))
#define PORTABLE_WARP_CASES_(name)                                                                 \
    int: portable_##name##_int_, unsigned: portable_##name##_uint_,                                \
        long long: portable_##name##_ll_, unsigned long long: portable_##name##_ull_,              \
        float: portable_##name##_float_, double: portable_##name##_double_,                        \
        default: portable_of_no_type_
#define PORTABLE_WARP_NAMES_ "int, unsigned, long long, unsigned long long, float or double"
#define PORTABLE_SHUFFLE_NAMES_ "an integer type of up to 64 bits, float or double"
#define PORTABLE_ASSERT_HAS_TYPE_(name, function, names)                                           \
    _Static_assert(PORTABLE_HAS_TYPE_(function), name " takes a PRIVATE of " names)
/* For a shuffle, which also takes the types that convert to one of them without loss. */
#define PORTABLE_SHUFFLE_SUFFIX_(name, value)                                                      \
    _Generic((value), PORTABLE_WARP_CASES_(name), long: portable_##name##_ll_,                     \
             unsigned long: portable_##name##_ull_, char: portable_##name##_int_,                  \
             signed char: portable_##name##_int_, unsigned char: portable_##name##_int_,           \
             short: portable_##name##_int_, unsigned short: portable_##name##_int_)
#define PORTABLE_SAME_TYPE_(a, b) _Generic((b), __typeof__(a) : 1, default : 0)
/* clang-format on */

/* The set bits of an unsigned: of a ballot, how many lanes. For kernels and for the host. */
DEVICE int portable_popcount_(unsigned word)
{
    return PORTABLE_ON_DEVICE_(__popc(word), __builtin_popcount(word));
}

DEVICE REAL fast_divide(REAL x, REAL y)
{
#if defined(__CUDA_ARCH__) && !PORTABLE_PRECISION_DOUBLE
    float reciprocal;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(y));
    return x * reciprocal;
#else
    return x / y;
#endif
}

/* clang-format off */
/* X(op, type, suffix) for each type that an operation exists for; what follows op stays there. */
#define PORTABLE_FOR_INTEGERS_(X, ...)                                                             \
    X(__VA_ARGS__, int, int) X(__VA_ARGS__, unsigned, uint) X(__VA_ARGS__, unsigned long long, ull)
#define PORTABLE_FOR_UNSIGNED_(X, op) X(op, unsigned, uint) X(op, unsigned long long, ull)
#define PORTABLE_FOR_REALS_(X, ...) X(__VA_ARGS__, float, float) X(__VA_ARGS__, double, double)
#define PORTABLE_FOR_NUMBERS_(X, ...)                                                              \
    PORTABLE_FOR_INTEGERS_(X, __VA_ARGS__) PORTABLE_FOR_REALS_(X, __VA_ARGS__)
#define PORTABLE_FOR_ATOMICS_(X)                                                                   \
    PORTABLE_FOR_NUMBERS_(X, add) PORTABLE_FOR_NUMBERS_(X, sub) PORTABLE_FOR_NUMBERS_(X, min)      \
    PORTABLE_FOR_NUMBERS_(X, max) PORTABLE_FOR_NUMBERS_(X, exchange)                               \
    PORTABLE_FOR_INTEGERS_(X, bit_and) PORTABLE_FOR_INTEGERS_(X, bit_or)                           \
    PORTABLE_FOR_INTEGERS_(X, bit_xor) PORTABLE_FOR_UNSIGNED_(X, inc) PORTABLE_FOR_UNSIGNED_(X, dec)

/* The operations: what each makes of the old value a and the operand b, with one meaning on every
 * target. Sums of signed integers wrap, as on the GPU. */
#define PORTABLE_MAKES_(name, type, suffix, result)                                                \
    DEVICE type portable_##name##_##suffix##_(type a, type b) { return result; }
#define PORTABLE_NUMBERS_(type, suffix, wide)                                                      \
    PORTABLE_MAKES_(add, type, suffix, (type)((wide)a + (wide)b))                                  \
    PORTABLE_MAKES_(sub, type, suffix, (type)((wide)a - (wide)b))                                  \
    PORTABLE_MAKES_(exchange, type, suffix, ((void)a, b))
#define PORTABLE_INTEGERS_(type, suffix, wide)                                                     \
    PORTABLE_NUMBERS_(type, suffix, wide)                                                          \
    PORTABLE_MAKES_(min, type, suffix, a < b ? a : b)                                              \
    PORTABLE_MAKES_(max, type, suffix, a > b ? a : b)                                              \
    PORTABLE_MAKES_(bit_and, type, suffix, a & b)                                                  \
    PORTABLE_MAKES_(bit_or, type, suffix, a | b)                                                   \
    PORTABLE_MAKES_(bit_xor, type, suffix, a ^ b)
#define PORTABLE_COUNTERS_(op, type, suffix)                                                       \
    PORTABLE_MAKES_(inc, type, suffix, a >= b ? 0 : a + 1)                                         \
    PORTABLE_MAKES_(dec, type, suffix, a == 0 || a > b ? b : a - 1)
/* What comes `before` the other: of -0 and 0 the sign tells; a number comes before NaN. */
#define PORTABLE_MIN_MAX_(name, type, suffix, before, device_function)                             \
    PORTABLE_MAKES_(name, type, suffix, PORTABLE_ON_DEVICE_(device_function(a, b),                 \
        a before b ? a : b before a ? b :                                                          \
        a == b ? ((__builtin_signbit(a) ? -1 : 1) before 0 ? a : b) : (a != a ? b : a)))
#define PORTABLE_REALS_(type, suffix, device_min, device_max)                                      \
    PORTABLE_NUMBERS_(type, suffix, type)                                                          \
    PORTABLE_MIN_MAX_(min, type, suffix, <, device_min)                                            \
    PORTABLE_MIN_MAX_(max, type, suffix, >, device_max)
/* clang-format on */
PORTABLE_INTEGERS_(int, int, unsigned)
PORTABLE_INTEGERS_(unsigned, uint, unsigned)
PORTABLE_INTEGERS_(long long, ll, unsigned long long)
PORTABLE_INTEGERS_(unsigned long long, ull, unsigned long long)
PORTABLE_FOR_UNSIGNED_(PORTABLE_COUNTERS_, counters)
PORTABLE_REALS_(float, float, fminf, fmaxf)
PORTABLE_REALS_(double, double, fmin, fmax)

/* With one OS thread an atomic is a plain operation: on the CPU, and when host code calls a DEVICE
 * function; openmp has real atomics besides. emulate tells its checks whose it is (1 the device's,
 * 2 the block's, 0 at its end), and inlines it, so that its line is the caller's. */
#define PORTABLE_ATOMIC_FUNCTION_ PORTABLE_EMULATE_(__attribute__((always_inline))) DEVICE
#define PORTABLE_ATOMIC_ACCESS_(access) PORTABLE_EMULATE_(portable_emulate_atomic_(access);)
#if PORTABLE_KERNELS_EMULATE_ && defined(PORTABLE_ORDERCHECK_) /* it tells what it does, too */
#define PORTABLE_BEGINS_(access) portable_emulate_atomic_((access) | 4);
#define PORTABLE_TELLS_(op, suffix, value, old)                                                    \
    const unsigned number =                                                                        \
        portable_tell_##suffix##_(portable_operation_##op##_, pointer, value, old);
#define PORTABLE_OLD_(suffix, old) portable_emulate_result_##suffix##_(old, number)
#else
#define PORTABLE_BEGINS_(access) PORTABLE_ATOMIC_ACCESS_(access)
#define PORTABLE_TELLS_(op, suffix, value, old)
#define PORTABLE_OLD_(suffix, old) (old)
#endif
#define PORTABLE_PLAIN_AS_(name, access, op, type, suffix, parameters, change)                     \
    PORTABLE_ATOMIC_FUNCTION_ type portable_##name##_ parameters                                   \
    {                                                                                              \
        PORTABLE_BEGINS_(access)                                                                   \
        const type old = *pointer;                                                                 \
        PORTABLE_TELLS_(op, suffix, value, old)                                                    \
        change;                                                                                    \
        PORTABLE_ATOMIC_ACCESS_(0)                                                                 \
        return PORTABLE_OLD_(suffix, old);                                                         \
    }
#define PORTABLE_PLAIN_OF_(family, access, op, type, suffix)                                       \
    PORTABLE_PLAIN_AS_(family##_##op##_##suffix, access, op, type, suffix,                         \
                       (type * pointer, type value),                                               \
                       *pointer = portable_##op##_##suffix##_(old, value))
#define PORTABLE_PLAIN_CAS_OF_(family, access, type, suffix)                                       \
    PORTABLE_PLAIN_AS_(family##_cas_##suffix, access, cas, type, suffix,                           \
                       (type * pointer, type compare, type value),                                 \
                       if (memcmp(&old, &compare, sizeof old) == 0) *pointer = value)
#define PORTABLE_PLAIN_(op, type, suffix) PORTABLE_PLAIN_OF_(plain, 1, op, type, suffix)
#define PORTABLE_PLAIN_CAS_(op, type, suffix) PORTABLE_PLAIN_CAS_OF_(plain, 1, type, suffix)
PORTABLE_FOR_ATOMICS_(PORTABLE_PLAIN_)
PORTABLE_FOR_NUMBERS_(PORTABLE_PLAIN_CAS_, cas)

/* A spinning loop must read the value each time. On emulate, which has one OS thread, a volatile
 * access is enough, and its checks see it. On openmp a spinning loop yields now and then, because
 * the OS thread that it waits for may need this core. */
#if PORTABLE_KERNELS_EMULATE_
#define PORTABLE_LOAD_AS_IS_(type, from, to) (*(to) = *(const volatile type *)(from))
#define PORTABLE_STORE_AS_IS_(type, from, to) (*(volatile type *)(to) = *(from))
#else
#define PORTABLE_LOAD_AS_IS_(type, from, to) __atomic_load((type *)(from), to, __ATOMIC_RELAXED)
#define PORTABLE_STORE_AS_IS_(type, from, to) __atomic_store(to, from, __ATOMIC_RELAXED)
#endif
DEVICE void portable_yield_sometimes_(void)
{
#if PORTABLE_TARGET_OPENMP
    static __thread unsigned loads;
    if (++loads % 256 == 0)
        portable_yield_();
#endif
}
#define PORTABLE_PLAIN_LOAD_STORE_(op, type, suffix)                                               \
    PORTABLE_ATOMIC_FUNCTION_ type portable_load_##suffix##_(const type *pointer)                  \
    {                                                                                              \
        PORTABLE_ATOMIC_ACCESS_(1)                                                                 \
        type value;                                                                                \
        PORTABLE_LOAD_AS_IS_(type, pointer, &value);                                               \
        PORTABLE_ATOMIC_ACCESS_(0)                                                                 \
        portable_yield_sometimes_();                                                               \
        return value;                                                                              \
    }                                                                                              \
    PORTABLE_ATOMIC_FUNCTION_ void portable_store_##suffix##_(type *pointer, type value)           \
    {                                                                                              \
        PORTABLE_BEGINS_(1)                                                                        \
        PORTABLE_TELLS_(exchange, suffix, value, value)                                            \
        PORTABLE_STORE_AS_IS_(type, &value, pointer);                                              \
        PORTABLE_ATOMIC_ACCESS_(0)                                                                 \
        (void)PORTABLE_OLD_(suffix, value);                                                        \
    }
PORTABLE_FOR_NUMBERS_(PORTABLE_PLAIN_LOAD_STORE_, load_store)

#if PORTABLE_KERNELS_CPU_

/* ==== CPU: the order of blocks and threads ==================================================== */

/* A value that is not understood ends the program: a check that was not run must not pass. */
PORTABLE_COLD_ static void portable_bad_value_(const char *name, const char *value, const char *why)
{
    fflush(NULL);
    fprintf(stderr, "%s=%s: %s\n", name, value, why);
    _Exit(2);
}

#if PORTABLE_KERNELS_EMULATE_ || PORTABLE_CHECKS

/* ORDER in the environment: forward, reverse, or shuffle:SEED, the order of the blocks, and that of
 * the threads of a block between two barriers. A program without races, and without atomics whose
 * old value matters, gives the same results in all of them. It is read once. */
PORTABLE_WEAK_ struct portable_order_ {
    char kind; /* the first letter of its name; 0: not read yet */
    unsigned long long seed;
} portable_order_;

/* Reads a number of digits alone, 9 <= `most` at most, and moves past it; returns 0 without one. */
PORTABLE_COLD_ static int portable_number_(const char **text, unsigned long long most,
                                           unsigned long long *number)
{
    const char *const begin = *text;
    for (*number = 0; **text >= '0' && **text <= '9'; ++*text) {
        const unsigned digit = (unsigned)(**text - '0');
        if (*number > (most - digit) / 10)
            return 0;
        *number = *number * 10 + digit;
    }
    return *text > begin;
}
PORTABLE_COLD_ static void portable_order_read_(void)
{
    const char *const given = getenv("ORDER"), *const order = given && *given ? given : "forward";
    const char *seed = strncmp(order, "shuffle:", 8) == 0 ? order + 8 : "";
    if (strcmp(order, "forward") != 0 && strcmp(order, "reverse") != 0 &&
        (!portable_number_(&seed, ~0ULL, &portable_order_.seed) || *seed))
        portable_bad_value_("ORDER", order, "must be forward, reverse or shuffle:SEED, a number");
    portable_order_.kind = order[0];
}

/* A well-mixed function of x: the finalizer of SplitMix64. (G. L. Steele, D. Lea and C. H. Flood,
 * "Fast splittable pseudorandom number generators", OOPSLA 2014) */
static inline unsigned long long portable_mixed_(unsigned long long x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/* The i-th of `count` things in a random order: a Feistel network permutes the numbers below a
 * power of 4, and is walked until it falls below count. (J. Black and P. Rogaway, "Ciphers with
 * arbitrary finite domains", CT-RSA 2002) */
static inline unsigned long long portable_shuffled_(unsigned long long i, unsigned long long count,
                                                    unsigned long long key)
{
    unsigned half = 1;
    while (half < 32 && count > 1ULL << 2 * half)
        half++;
    const unsigned long long low = (1ULL << half) - 1;
    do {
        for (unsigned round = 0; round < 4; round++) {
            const unsigned long long left = i >> half, right = i & low;
            const unsigned long long mixed = portable_mixed_(right + portable_mixed_(key + round));
            i = right << half | ((left ^ mixed) & low);
        }
    } while (i >= count);
    return i;
}

/* The i-th of `count` in the order that was asked for; another key is another shuffle. */
static inline unsigned long long portable_in_order_(unsigned long long i, unsigned long long count,
                                                    unsigned long long key)
{
    if (!portable_order_.kind)
        portable_order_read_();
    if (portable_order_.kind == 'r')
        return count - 1 - i;
    if (portable_order_.kind == 's')
        return portable_shuffled_(i, count,
                                  portable_mixed_(portable_order_.seed) + portable_mixed_(key));
    return i;
}

#endif

/* ==== CPU: rules of kernels, and what loops and emulate share ================================= */

/* PORTABLE_TEAM_ keeps its argument on openmp alone. PORTABLE_OF_DEVICE_ is the family of
 * device-wide atomics. */
#if PORTABLE_TARGET_OPENMP
#define PORTABLE_TEAM_(...) __VA_ARGS__
#define PORTABLE_OF_DEVICE_ together
#else
#define PORTABLE_TEAM_(...)
#define PORTABLE_OF_DEVICE_ plain
#endif
#define PORTABLE_OF_BLOCK_ PORTABLE_LOOPS_(plain) PORTABLE_EMULATE_(in_block)

/* A kernel broke a rule: its launch returns the first such failure. */
#define PORTABLE_FIRST_FAILURE_(failure)                                                           \
    do {                                                                                           \
        if (portable_launch_.status == PORTABLE_SUCCESS) {                                         \
            portable_launch_.status = (failure);                                                   \
            portable_launch_.failed = portable_launch_.steps;                                      \
        }                                                                                          \
    } while (0)
#define PORTABLE_KERNEL_FAIL_(code, ...)                                                           \
    PORTABLE_FIRST_FAILURE_(portable_fail_((code), __VA_ARGS__))

/* The same, as a sentence about the kernel; returns 0. Outside a launch, in a kernel that was
 * called by a pointer, it is the failure of a launch. */
PORTABLE_COLD_ PORTABLE_PRINTF_(2, 3) static int portable_broken_(portable_status status,
                                                                  const char *format, ...)
{
    char sentence[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (!portable_launch_.kernel)
        portable_launch_result_(portable_fail_(status, "%s", sentence));
    else
        PORTABLE_KERNEL_FAIL_(status, "kernel %s: %s", portable_launch_.kernel, sentence);
    return 0;
}
/* Whether a kernel is running; if not, what was entered fails as a launch. */
#define PORTABLE_GRID_LOOP_ "a grid-stride loop"
PORTABLE_INLINE_ int portable_launched_(const char *entered)
{
    return portable_launch_.kernel ||
           portable_broken_(PORTABLE_ERROR_INVALID_LAUNCH,
                            "%s outside of a kernel, or in one that was called like a function: "
                            "start it with KERNEL_LAUNCH",
                            entered);
}

#define PORTABLE_XYZ_(v) (v).x, (v).y, (v).z
/* Whether the launch has the shape of FOR_EACH_BLOCK; otherwise it fails. */
PORTABLE_OUT_OF_LINE_ int portable_shape_fits_(unsigned x, unsigned y, unsigned z)
{
    const struct portable_launch_ *const launch = &portable_launch_;
    const uint3 block = launch->block;
    const int fits = (!x || x == block.x) && (!y || y == block.y) && (!z || z == block.z);
    if (!portable_launched_("FOR_EACH_BLOCK"))
        return 0;
    if (launch->automatic && (x || !fits))
        portable_broken_(PORTABLE_ERROR_INVALID_LAUNCH,
                         "FOR_EACH_BLOCK fixes the block to (%u, %u, %u), which "
                         "KERNEL_LAUNCH_AUTO chooses; use KERNEL_LAUNCH",
                         x, y, z);
    else if (!fits)
        portable_broken_(PORTABLE_ERROR_INVALID_LAUNCH,
                         "block (%u, %u, %u) does not match FOR_EACH_BLOCK(%u, %u, %u), where 0 "
                         "stands for any extent",
                         PORTABLE_XYZ_(block), x, y, z);
    else
        return 1;
    return 0;
}
#define PORTABLE_SHAPE_RULE_(X, Y, Z)                                                              \
    (PORTABLE_RULE_(PORTABLE_IS_CONSTANT_((X) * (Y) * (Z)),                                        \
                    "FOR_EACH_BLOCK takes constants; 0 leaves an extent to the launch") +          \
     PORTABLE_RULE_(PORTABLE_CONSTANT_OR_((X) * (Y) * (Z), 0) <= PORTABLE_BLOCK_LIMIT_,            \
                    "FOR_EACH_BLOCK: a block has at most 1024 threads"))

/* A count of threads, clamped to 0 and to the most that a block can have. */
#define PORTABLE_COUNT_(count) portable_count_(portable_elements_(count))
PORTABLE_INLINE_ unsigned portable_count_(unsigned long long count)
{
    return count > PORTABLE_BLOCK_LIMIT_ ? PORTABLE_BLOCK_LIMIT_ : (unsigned)count;
}

#define PORTABLE_OUTSIDE_(name)                                                                    \
    ((const struct called_by_BLOCK_CALL *)(size_t)PORTABLE_RULE_(PORTABLE_IS_OUTSIDE_(name),       \
                                                                 PORTABLE_RECURSION_SENTENCE_))
#define PORTABLE_INTEGER_(n)                                                                       \
    PORTABLE_RULE_(_Generic((n) + 0, float : 0, double : 0, long double : 0, default : 1),         \
                   "the bound of a loop must be an integer")

/* Where a loop's index starts, and what follows i; n, if that is less. Compared before the index
 * moves, so that it cannot overflow. */
#define PORTABLE_START_(n, offset)                                                                 \
    ((n) > 0 && (unsigned long long)(n) > (offset) ? (__typeof__(n))(offset) : (n))
#define PORTABLE_ADVANCED_(i, n, stride)                                                           \
    ((unsigned long long)((n) - (i)) > (stride) ? (i) + (__typeof__(n))(stride) : (n))

/* A kernel, which cannot be called like a function: its launch calls it by a pointer of which the
 * compiler does not know where it points. gcc and clang lose the attribute of a function with
 * clones; their first parameter, of no bytes, is one that only a launch has. */
#if __has_attribute(error)
#define PORTABLE_LAUNCHED_(name)                                                                   \
    __attribute__((error("a kernel is started by KERNEL_LAUNCH(" #name                             \
                         ", grid, block, shared_bytes, stream, arguments...)")))
#else
#define PORTABLE_LAUNCHED_(name)
#endif
#if defined(PORTABLE_CLONES_)
struct kernel_started_by_KERNEL_LAUNCH {
    __extension__ char none[0];
};
#define PORTABLE_KERNEL_(name) PORTABLE_KERNEL_CODE_ void name PORTABLE_PARAMETERS_
#define PORTABLE_PARAMETERS_(...)                                                                  \
    (PORTABLE_UNUSED_ struct kernel_started_by_KERNEL_LAUNCH portable_launched_                    \
         PORTABLE_UNLESS_VOID_(PORTABLE_LIST_##__VA_ARGS__)(__VA_ARGS__))
#define PORTABLE_LIST_
#define PORTABLE_LIST_void
#define PORTABLE_UNLESS_VOID_(...)                                                                 \
    PORTABLE_LEFT_(__VA_OPT__(PORTABLE_APPEND_, ) PORTABLE_WITH_NOTHING_, )
#define PORTABLE_APPEND_(...) , __VA_ARGS__
#define PORTABLE_ARGUMENTS_(...)                                                                   \
    ((struct kernel_started_by_KERNEL_LAUNCH) {} __VA_OPT__(, ) __VA_ARGS__)
#else
#define PORTABLE_KERNEL_(name)                                                                     \
    PORTABLE_EXTERN_ PORTABLE_KERNEL_CODE_ PORTABLE_LAUNCHED_(name) void name
#define PORTABLE_ARGUMENTS_(...) (__VA_ARGS__)
#endif

/* A kernel's bounds are a variable beside it, so that a launch in another file, which has seen only
 * its prototype, has them too. Without bounds ELF's weak reference is NULL. Mach-O and PE/COFF have
 * none; there each file has common memory, a 0 that yields to the definition of
 * KERNEL_LAUNCH_BOUNDS. On ELF that would not find a definition in a shared library. */
#if defined(__ELF__)
#define PORTABLE_BOUNDS_OF_(name) PORTABLE_EXTERN_ PORTABLE_WEAK_ unsigned portable_bounds_##name##_
#elif PORTABLE_CPP_
#define PORTABLE_BOUNDS_OF_(name) struct portable_no_bounds_
#else
#define PORTABLE_BOUNDS_OF_(name) __attribute__((common)) unsigned portable_bounds_##name##_
#endif
#define PORTABLE_BOUNDS_ARE_(name, max_threads, min_blocks)                                        \
    PORTABLE_ASSERT_((max_threads) > 0 && (max_threads) <= PORTABLE_BLOCK_LIMIT_ &&                \
                         (min_blocks) >= 0,                                                        \
                     "KERNEL_LAUNCH_BOUNDS takes 1 to 1024 threads and a number of blocks");       \
    PORTABLE_BOUNDS_OF_(name);                                                                     \
    unsigned portable_bounds_##name##_ = (max_threads);
#if defined(__clang__)
#define PORTABLE_UNROLL_(n) PORTABLE_PRAGMA_(clang loop unroll_count(n))
#else
#define PORTABLE_UNROLL_(n) PORTABLE_PRAGMA_(GCC unroll n)
#endif

#define PORTABLE_SHARED_RULE_(type, dims)                                                          \
    PORTABLE_ASSERT_(PORTABLE_IS_CONSTANT_(sizeof(type dims)),                                     \
                     "SHARED takes constant extents; a launch gives the size of SHARED_DYNAMIC");  \
    PORTABLE_ASSERT_(PORTABLE_CONSTANT_OR_(sizeof(type dims), 0) <= PORTABLE_SHARED_LIMIT_,        \
                     "SHARED exceeds 48 KiB per block; use SHARED_DYNAMIC")
/* The launch's shared memory; where it gave none, a stand-in until the failure is reported. */
static inline void *portable_dynamic_(PORTABLE_UNUSED_ int rule)
{
    if (!portable_launch_.shared) {
        portable_broken_(PORTABLE_ERROR_INVALID_LAUNCH,
                         "uses SHARED_DYNAMIC, but the launch passes 0 bytes");
        portable_launch_.shared = portable_guarded_(128, PORTABLE_SHARED_RAISED_LIMIT_, NULL);
        if (portable_launch_.shared)
            memset(portable_launch_.shared, 0, PORTABLE_SHARED_RAISED_LIMIT_);
    }
    return portable_launch_.shared;
}

DEVICE REAL_VECTOR real_vector(const REAL *from)
{
    typedef REAL_VECTOR unaligned __attribute__((aligned(sizeof(REAL)), may_alias));
    return *(const unaligned *)from;
}

#define PORTABLE_COPY_GROUPS_(n) PORTABLE_RULE_((n) >= 0 && (n) <= 8, PORTABLE_WAIT_SENTENCE_)
/* A pointer to a type of that alignment is aligned. */
#define PORTABLE_CPU_COPY_ASYNC_(condition, to, from, bytes)                                       \
    portable_copy_async_((condition), (to), (from), (bytes),                                       \
                         PORTABLE_NOT_AT_BLOCK_SCOPE_("COPY_ASYNC") +                              \
                             PORTABLE_RULE_((bytes) == 4 || (bytes) == 8 || (bytes) == 16,         \
                                            PORTABLE_COPY_SENTENCE_) +                             \
                             (__alignof__(__typeof__(*(to))) >= (size_t)(bytes) &&                 \
                              __alignof__(__typeof__(*(from))) >= (size_t)(bytes)))
PORTABLE_INLINE_ void portable_copy_async_(int condition, void *to, const void *from, size_t bytes,
                                           int aligned)
{
    if (!aligned && (((size_t)to | (condition ? (size_t)from : 0)) & (bytes - 1)) != 0)
        portable_broken_(PORTABLE_ERROR_INVALID_VALUE,
                         "COPY_ASYNC of %zu bytes from %p to %p; both must be multiples of %zu",
                         bytes, from, to, bytes);
#if PORTABLE_KERNELS_EMULATE_
    else
        portable_copy_later_(condition, to, from, bytes);
#else
    else if (condition)
        memcpy(to, from, bytes);
    else
        memset(to, 0, bytes);
#endif
}

/* Whether a GPU would take the rows; if not, the launch fails. */
PORTABLE_INLINE_ int portable_fragment_rows_(const char *name, const void *rows,
                                             size_t stride_bytes, unsigned threads)
{
    if (threads % WARP_SIZE != 0)
        return portable_broken_(PORTABLE_ERROR_INVALID_LAUNCH,
                                "%s in a block of %u threads, and fragments take whole warps of %d",
                                name, threads, WARP_SIZE);
    if ((size_t)rows % 32 != 0)
        return portable_broken_(PORTABLE_ERROR_INVALID_VALUE,
                                "%s at address %p, which is no multiple of 32", name, rows);
    if (stride_bytes % 16 != 0)
        return portable_broken_(PORTABLE_ERROR_INVALID_VALUE,
                                "%s with rows %zu bytes apart, which is no multiple of 16", name,
                                stride_bytes);
    return 1;
}

/* The function of a family, for the type that the pointer points to; a type that is not listed does
 * not compile. The first macros expand the family, which PORTABLE_ATOMIC_ pastes. */
#define PORTABLE_ATOMIC_NUMBER_(...) PORTABLE_ATOMIC_(NUMBER, __VA_ARGS__)
#define PORTABLE_ATOMIC_INTEGER_(...) PORTABLE_ATOMIC_(INTEGER, __VA_ARGS__)
#define PORTABLE_ATOMIC_UNSIGNED_(...) PORTABLE_ATOMIC_(UNSIGNED, __VA_ARGS__)
#define PORTABLE_ATOMIC_(types, name, family, op, pointer, ...)                                    \
    PORTABLE_ATOMIC_OF_(types, name, PORTABLE_##types##_CASES_(family##_##op), pointer, __VA_ARGS__)
#define PORTABLE_LOAD_OR_STORE_(name, op, ...)                                                     \
    PORTABLE_ATOMIC_OF_(NUMBER, name, PORTABLE_NUMBER_CASES_(op), __VA_ARGS__)
/* clang-format off */
#define PORTABLE_ATOMIC_OF_(types, name, cases, pointer, ...)                                      \
    _Generic(*(pointer), cases)(                                                                   \
        (pointer) + PORTABLE_NOT_AT_BLOCK_SCOPE_(name) +                                           \
            PORTABLE_RULE_(PORTABLE_HAS_TYPE_(_Generic(*(pointer), cases)),                        \
                           name " takes a pointer to " PORTABLE_##types##_NAMES_)                  \
        __VA_OPT__(, ) __VA_ARGS__)
#define PORTABLE_UNSIGNED_NAMES_ "unsigned or unsigned long long"
#define PORTABLE_INTEGER_NAMES_ "int, unsigned or unsigned long long"
#define PORTABLE_NUMBER_NAMES_ "int, unsigned, unsigned long long, float or double"
#define PORTABLE_UNSIGNED_CASES_(name)                                                             \
    unsigned: portable_##name##_uint_, unsigned long long: portable_##name##_ull_,                 \
        default: portable_of_no_type_
#define PORTABLE_INTEGER_CASES_(name) int: portable_##name##_int_, PORTABLE_UNSIGNED_CASES_(name)
#define PORTABLE_NUMBER_CASES_(name)                                                               \
    float: portable_##name##_float_, double: portable_##name##_double_,                            \
        PORTABLE_INTEGER_CASES_(name)
/* clang-format on */

/* The collectives of one type, of the target's PORTABLE_REDUCE_ and PORTABLE_SCAN_. */
#define PORTABLE_COLLECTIVES_(type, suffix)                                                        \
    PORTABLE_REDUCE_(add, type, suffix)                                                            \
    PORTABLE_REDUCE_(min, type, suffix)                                                            \
    PORTABLE_REDUCE_(max, type, suffix)                                                            \
    PORTABLE_SCAN_(type, suffix)

/* A type for each kind of fragment; `dims` are the extents of what the target keeps in one. */
#define PORTABLE_FRAGMENT_TYPES_(dims)                                                             \
    typedef struct portable_fragment_a_ {                                                          \
        float value dims;                                                                          \
    } portable_fragment_a_;                                                                        \
    typedef struct portable_fragment_b_ {                                                          \
        float value dims;                                                                          \
    } portable_fragment_b_;                                                                        \
    typedef struct portable_fragment_c_ {                                                          \
        float value dims;                                                                          \
    } portable_fragment_c_;
/* clang-format off */
/* The function that loads a fragment: a sum's or a factor's. */
#define PORTABLE_FRAGMENT_LOADER_(fragment)                                                        \
    _Generic((fragment), portable_fragment_c_: portable_fragment_load_float_,                      \
             portable_fragment_a_: portable_fragment_load_half_,                                   \
             portable_fragment_b_: portable_fragment_load_half_)
/* clang-format on */

/* ==== CPU: launches =========================================================================== */

/* CUDA's limit on the depth of child grids. */
#define PORTABLE_DEPTH_LIMIT_ 24

/* Child grids of the running kernel. */
struct portable_children_ {
    struct portable_child_ *first, *last;
};
/* A child grid that waits for its parent's end; its arguments follow. */
struct portable_child_ {
    struct portable_child_ *next;
    void (*run)(const void *arguments);
    struct portable_launch_ launch;
    unsigned member; /* who launched it */
} __attribute__((aligned(16)));
PORTABLE_WEAK_ __thread struct portable_children_ portable_children_;

/* One kernel runs at a time, whichever host thread launches it: atomics are plain operations here,
 * or those of one team. */
PORTABLE_WEAK_ char portable_launch_lock_;

/* The launch's dynamic shared memory: of the OS thread that calls, whose blocks run one after
 * another. 1, or 0 after a failure. */
static inline int portable_launch_shared_(void)
{
    struct portable_launch_ *const launch = &portable_launch_;
    launch->shared = NULL;
    if (launch->shared_bytes == 0)
        return 1;
    launch->shared = portable_guarded_(128, launch->shared_bytes, NULL);
    if (!launch->shared) {
        PORTABLE_NO_MEMORY_("kernel %s: no memory for %zu bytes of dynamic shared memory",
                            launch->kernel, launch->shared_bytes);
        return 0;
    }
    memset(launch->shared, 0xff, launch->shared_bytes);
    return 1;
}
/* Frees it; the launch fails if its kernel wrote outside of it. */
static inline void portable_launch_unshare_(void)
{
    struct portable_launch_ *const launch = &portable_launch_;
    const char *const shared = (const char *)launch->shared;
    if (!shared)
        return;
    if (launch->status == PORTABLE_SUCCESS && portable_has_guards_() &&
        !portable_guards_hold_(shared, launch->shared_bytes, PORTABLE_GUARD_))
        PORTABLE_FIRST_FAILURE_(portable_guard_broken_(launch->kernel, "its dynamic shared memory",
                                                       shared, launch->shared_bytes));
    portable_guarded_free_(launch->shared);
    launch->shared = NULL;
}

#if PORTABLE_TARGET_OPENMP
/* The OS threads that share the running launch: its members. In the order of their numbers they
 * leave the same failure and children as one of them alone would. */
struct portable_team_ {
    char lock;               /* of all below */
    unsigned members;        /* asked for */
    unsigned waiting, ended; /* at a barrier; at the end of the kernel */
    unsigned generation;     /* the number of barriers passed */
    portable_status status;  /* the failure after the fewest steps, of the first member */
    unsigned steps, member;
    struct portable_failure_ failure;
    struct portable_child_ *first; /* the kernels that members beyond the first want to launch */
};
PORTABLE_WEAK_ struct portable_team_ portable_team_;
static inline void portable_team_open_(void);
static inline void portable_team_close_(void);
static inline void portable_team_schedule_(int over);
static inline void portable_team_wait_(void);
enum { PORTABLE_OVER_BLOCKS_ = 1, PORTABLE_OVER_ELEMENTS_ };
#endif

/* The most threads that a block of the kernel may have. */
static inline unsigned portable_max_threads_(const unsigned *bounds)
{
    return bounds && *bounds ? *bounds : PORTABLE_BLOCK_LIMIT_;
}

/* Allocates a launch's shared memory and takes the launch lock; 0 on failure. */
static inline int portable_launch_ready_(void)
{
    if (!portable_launch_shared_()) {
        portable_launch_.kernel = NULL;
        return 0;
    }
    portable_lock_(&portable_launch_lock_);
    PORTABLE_TEAM_(portable_team_open_();)
    return 1;
}
static inline int portable_launch_open_(const char *kernel, const unsigned *bounds, dim3 grid,
                                        dim3 block, size_t shared_bytes, portable_stream stream,
                                        int cooperative)
{
    if (portable_launch_.kernel)
        return portable_broken_(PORTABLE_ERROR_INVALID_LAUNCH,
                                "KERNEL_LAUNCH of %s inside a kernel; use DEVICE_LAUNCH", kernel);
    return portable_launch_begin_(kernel, portable_max_threads_(bounds), grid, block, shared_bytes,
                                  stream, cooperative) &&
           portable_launch_ready_();
}
/* A failed launch may have overwritten guards, too, for which the next one is not to blame. */
PORTABLE_COLD_ static void portable_launch_repair_(void)
{
    const struct portable_failure_ first = portable_failure_;
    portable_verify_(portable_launch_.kernel);
    portable_failure_ = first;
}
/* A copy, because gcc clears a structure of that size by `rep stos`, which takes longer than all
 * else that a launch does. */
static inline portable_status portable_launch_close_(void)
{
    static const struct portable_launch_ none = {
        NULL, {0, 0, 0}, {0, 0, 0}, NULL, 0, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, PORTABLE_SUCCESS};
    PORTABLE_TEAM_(portable_team_close_();)
    portable_launch_unshare_();
    portable_status status = portable_launch_.status;
    if (status != PORTABLE_SUCCESS)
        portable_launch_repair_();
    else if (portable_has_arrays_())
        status = portable_verify_(portable_launch_.kernel);
    portable_unlock_(&portable_launch_lock_);
    portable_launch_ = none;
    return status;
}
/* Ends the launch, and runs its child grids in launch order, their own children last; after a
 * failure only discards them. Returns the first failure. */
PORTABLE_OUT_OF_LINE_ portable_status portable_launch_end_(void)
{
    portable_status status = portable_launch_close_();
    while (portable_children_.first) {
        struct portable_child_ *const child = portable_children_.first;
        portable_children_.first = child->next;
        if (status == PORTABLE_SUCCESS) {
            portable_launch_ = child->launch;
            if (portable_launch_ready_()) {
                child->run(child + 1);
                status = portable_launch_close_();
            } else
                status = portable_failure_.status;
        }
        free(child);
    }
    portable_children_.last = NULL;
    return portable_launch_result_(status);
}

/* Queues a child grid for the end of its parent, unless a GPU would refuse it. The list is the
 * launch's, not of the threads that add to it: emulate's checks do not watch them do so. */
PORTABLE_EMULATE_(__attribute__((no_sanitize("thread"))))
PORTABLE_OUT_OF_LINE_ portable_status portable_child_(const char *kernel, const unsigned *bounds,
                                                      void (*run)(const void *), dim3 grid,
                                                      dim3 block, size_t shared_bytes,
                                                      const void *arguments, size_t bytes)
{
    const struct portable_launch_ parent = portable_launch_;
    if (!parent.kernel) {
        PORTABLE_KERNEL_FAIL_(PORTABLE_ERROR_INVALID_LAUNCH,
                              "DEVICE_LAUNCH of %s outside a kernel: the host's is KERNEL_LAUNCH",
                              kernel);
        return PORTABLE_ERROR_INVALID_LAUNCH;
    }
    const int may = portable_launch_begin_(kernel, portable_max_threads_(bounds), grid, block,
                                           shared_bytes, NULL, 0) &&
                    (parent.depth < PORTABLE_DEPTH_LIMIT_ ||
                     portable_refuse_("DEVICE_LAUNCH more than %d deep", PORTABLE_DEPTH_LIMIT_));
    const struct portable_launch_ launch = portable_launch_;
    portable_launch_ = parent;
    if (!may) {
        PORTABLE_FIRST_FAILURE_(portable_failure_.status);
        return PORTABLE_ERROR_INVALID_LAUNCH;
    }
    struct portable_child_ *const child = (struct portable_child_ *)malloc(sizeof *child + bytes);
    if (!child) {
        PORTABLE_KERNEL_FAIL_(PORTABLE_ERROR_OUT_OF_MEMORY, "no memory to launch %s from %s",
                              kernel, parent.kernel);
        return PORTABLE_ERROR_OUT_OF_MEMORY;
    }
    child->next = NULL;
    child->run = run;
    child->launch = launch;
    child->launch.depth = parent.depth + 1;
    child->member = parent.member;
    memcpy(child + 1, arguments, bytes);
    if (portable_children_.first)
        portable_children_.last->next = child;
    else
        portable_children_.first = child;
    portable_children_.last = child;
    return PORTABLE_SUCCESS;
}

/* X(number, argument) for each argument, separated by separator(); the numbers are i, ii, iii and
 * so on. Each step leaves the name of the next for another scan. (P. Mensonides' technique, with
 * __VA_OPT__: D. Mazieres, "Recursive macros with C++20 __VA_OPT__", 2021) */
#define PORTABLE_EACH_(X, separator, ...)                                                          \
    __VA_OPT__(PORTABLE_64_(PORTABLE_STEP_(X, separator, i, __VA_ARGS__)))
#define PORTABLE_STEP_(X, separator, number, argument, ...)                                        \
    X(number, argument)                                                                            \
    __VA_OPT__(separator() PORTABLE_NEXT_ PORTABLE_NOTHING_()(X, separator, number##i, __VA_ARGS__))
#define PORTABLE_NEXT_() PORTABLE_STEP_
#define PORTABLE_NOTHING_
/* So many scans. */
#define PORTABLE_64_(...) PORTABLE_16_(PORTABLE_16_(PORTABLE_16_(PORTABLE_16_(__VA_ARGS__))))
#define PORTABLE_16_(...) PORTABLE_4_(PORTABLE_4_(PORTABLE_4_(PORTABLE_4_(__VA_ARGS__))))
#define PORTABLE_4_(...) PORTABLE_1_(PORTABLE_1_(PORTABLE_1_(PORTABLE_1_(__VA_ARGS__))))
#define PORTABLE_1_(...) __VA_ARGS__
#define PORTABLE_WITH_COMMA_() ,
#define PORTABLE_WITH_NOTHING_()
#define PORTABLE_MEMBER_(number, type) type portable_##number##_;
#define PORTABLE_OF_CHILD_(number, type) portable_given_->portable_##number##_
#define PORTABLE_CALL_LISTED_(name, ...) PORTABLE_CALL_(name, __VA_ARGS__) /* one macro: a list */

/* The prototype; the arguments as a structure, whose name is the message where there is none; and
 * what starts the kernel from one. A DEVICE_LAUNCH has the compiler check its arguments as those of
 * a call. */
#define PORTABLE_CPU_CHILD_(name, ...)                                                             \
    PORTABLE_BOUNDS_OF_(name);                                                                     \
    PORTABLE_KERNEL_(name)(__VA_ARGS__);                                                           \
    struct name##_declared_by_KERNEL_CHILD {                                                       \
        PORTABLE_EACH_(PORTABLE_MEMBER_, PORTABLE_WITH_NOTHING_, __VA_ARGS__)                      \
    };                                                                                             \
    PORTABLE_UNUSED_ static inline void portable_run_##name##_(const void *portable_arguments_)    \
    {                                                                                              \
        const struct name##_declared_by_KERNEL_CHILD *const portable_given_ =                      \
            (const struct name##_declared_by_KERNEL_CHILD *)portable_arguments_;                   \
        PORTABLE_CALL_LISTED_(                                                                     \
            name, PORTABLE_EACH_(PORTABLE_OF_CHILD_, PORTABLE_WITH_COMMA_, __VA_ARGS__));          \
    }                                                                                              \
    PORTABLE_KERNEL_(name)(__VA_ARGS__)
#define PORTABLE_CPU_DEVICE_LAUNCH_(name, grid, block, shared_bytes, ...)                          \
    portable_child_(#name, &portable_bounds_##name##_, portable_run_##name##_,                     \
                    portable_extents_(grid), portable_extents_(block),                             \
                    (size_t)(shared_bytes) +                                                       \
                        0 * sizeof(__typeof__((name)PORTABLE_ARGUMENTS_(__VA_ARGS__)) *) +         \
                        (size_t)PORTABLE_NOT_AT_BLOCK_SCOPE_("DEVICE_LAUNCH"),                     \
                    &(const struct name##_declared_by_KERNEL_CHILD){__VA_ARGS__},                  \
                    sizeof(struct name##_declared_by_KERNEL_CHILD))
/* The stream of a launch; a rule, 0, against an argument of the kernel in its place. */
#if PORTABLE_CPP_
#define PORTABLE_STREAM_(stream) (stream)
#define PORTABLE_STREAM_RULE_(stream) 0
#else
#define PORTABLE_IS_STREAM_(stream)                                                                \
    _Generic((stream), portable_stream : 1, void * : 1, int                                        \
             : PORTABLE_IS_CONSTANT_(stream), default : 0)
#define PORTABLE_STREAM_(stream) __builtin_choose_expr(PORTABLE_IS_STREAM_(stream), (stream), NULL)
#define PORTABLE_STREAM_RULE_(stream)                                                              \
    PORTABLE_RULE_(PORTABLE_IS_STREAM_(stream),                                                    \
                   "the stream of a launch is a portable_stream or 0: KERNEL_LAUNCH(kernel, "      \
                   "grid, block, shared_bytes, stream, arguments...)")
#endif
#define PORTABLE_CPU_LAUNCH_(name, grid, block, shared_bytes, stream, cooperative, ...)            \
    (portable_launch_open_(                                                                        \
         #name, PORTABLE_BOUNDS_(name), portable_extents_(grid), portable_extents_(block),         \
         (shared_bytes) + PORTABLE_STREAM_RULE_(stream), PORTABLE_STREAM_(stream), cooperative)    \
         ? (PORTABLE_CALL_(name, ##__VA_ARGS__), portable_launch_end_())                           \
         : portable_launch_refused_())

/* One block fills a core and reads memory in order; emulate has several, as a GPU does. */
static inline int portable_launch_auto_(const char *name, const unsigned *bounds,
                                        unsigned long long n)
{
    struct portable_kernel_record_ record = {name, 0, 0, PORTABLE_KERNELS_EMULATE_ ? 4 : 1, 0};
    PORTABLE_TEAM_(record.auto_grid = (unsigned)omp_get_max_threads();)
    record.auto_block = portable_max_threads_(bounds) < 256 ? *bounds : 256;
    const int begun = portable_launch_open_(name, bounds, portable_auto_grid_(n, &record),
                                            DIM3(record.auto_block, 1, 1), 0, NULL, 0);
    if (begun)
        portable_launch_.automatic = 1;
    return begun;
}
#define PORTABLE_CPU_LAUNCH_AUTO_(name, n, ...)                                                    \
    (portable_launch_auto_(#name, PORTABLE_BOUNDS_(name), portable_elements_(n))                   \
         ? (PORTABLE_CALL_(name, ##__VA_ARGS__), portable_launch_end_())                           \
         : portable_launch_refused_())

#define PORTABLE_CPU_OCCUPANCY_(name, block, shared_bytes, blocks)                                 \
    portable_occupancy_(#name, portable_max_threads_(PORTABLE_BOUNDS_(name)),                      \
                        portable_extents_(block), (shared_bytes) + 0 * sizeof(&(name)),            \
                        PORTABLE_RESULT_(int, blocks))

#endif

#if PORTABLE_KERNELS_EMULATE_
#include "host/emulate/target.h"
#endif

#if PORTABLE_KERNELS_LOOPS_

/* ==== Loops: scopes and indices =============================================================== */

/* This OS thread's share of the `count` iterations of a loop over all blocks or all elements: where
 * it begins (k = 0) and ends (k = 1). On openmp, where every OS thread runs the kernel, it is a
 * contiguous part; on serial all of them. */
PORTABLE_INLINE_ unsigned long long portable_share_(unsigned long long count, unsigned k)
{
    if (!PORTABLE_TARGET_OPENMP)
        return k == 0 ? 0 : count;
    return portable_chunk_(count, portable_launch_.member + k, portable_launch_.members);
}

/* The current scope is the type of the variable portable_scope_, which each scope redeclares.
 * portable_entered_ is 1 for one iteration of the loops that make up the scope; `open` is 1 until
 * the innermost of them has come to its end. An iteration that return or break cuts short leaves it
 * 1, and the cleanup function reports it. The compiler sees the constants and drops them. */
/* clang-format off */
#define PORTABLE_SCOPE_(kind, members, ...)                                                        \
    struct portable_##kind##_scope {                                                               \
        members                                                                                    \
        int open;                                                                              \
    };                                                                                             \
    PORTABLE_INLINE_ void portable_##kind##_end_(struct portable_##kind##_scope *scope)            \
    {                                                                                              \
        if (scope->open)                                                                           \
            portable_broken_(PORTABLE_ERROR_LEFT_SCOPE, "return or break left " __VA_ARGS__);      \
    }
PORTABLE_SCOPE_(block, uint3 block;, "FOR_EACH_BLOCK in block (%u, %u, %u)",
                PORTABLE_XYZ_(scope->block))
PORTABLE_SCOPE_(warp, uint3 block;, "FOR_EACH_WARP in block (%u, %u, %u)",
                PORTABLE_XYZ_(scope->block))
PORTABLE_SCOPE_(thread, uint3 block; uint3 thread;,
                "FOR_EACH_THREAD in block (%u, %u, %u), thread (%u, %u, %u)",
                PORTABLE_XYZ_(scope->block), PORTABLE_XYZ_(scope->thread))
PORTABLE_SCOPE_(loop, , "GRID_STRIDE_LOOP")
#undef PORTABLE_SCOPE_
/* clang-format on */
extern struct portable_kernel_scope {
    int open;
} portable_scope_;

/* The loops of a scope: one that opens it, with the first members of its variable, one for each of
 * its names but the last, and one for the last. */
#define PORTABLE_OPEN_(scope, ...)                                                                 \
    for (int portable_entered_ = 1; portable_entered_; portable_entered_ = 0)                      \
        for (struct portable_##scope##_scope portable_scope_                                       \
             __attribute__((cleanup(portable_##scope##_end_))) = {__VA_ARGS__, 1};                 \
             portable_entered_; portable_entered_ = 0)
#define PORTABLE_WITH_(...)                                                                        \
    for (PORTABLE_UNUSED_ const __VA_ARGS__; portable_entered_; portable_entered_ = 0)
#define PORTABLE_WITH_LAST_(...)                                                                   \
    for (PORTABLE_UNUSED_ const __VA_ARGS__; portable_entered_;                                    \
         portable_entered_ = portable_scope_.open = 0)

/* 1 or 0, a constant. */
#define PORTABLE_IN_(scope)                                                                        \
    _Generic(&portable_scope_, struct portable_##scope##_scope * : 1, default : 0)
#define PORTABLE_BLOCK_SENTENCE_(name)                                                             \
    name " belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD (a ; right "     \
         "after either ends it)"
#define PORTABLE_AT_BLOCK_SCOPE_(name)                                                             \
    PORTABLE_RULE_(PORTABLE_IN_(block), PORTABLE_BLOCK_SENTENCE_(name))
/* The same as a declaration, which stands where an expression cannot. */
#define PORTABLE_ASSERT_BLOCK_SCOPE_(name)                                                         \
    _Static_assert(PORTABLE_IN_(block), PORTABLE_BLOCK_SENTENCE_(name))
#define PORTABLE_NOT_AT_BLOCK_SCOPE_(name)                                                         \
    (PORTABLE_NOT_AT_(block, name) + PORTABLE_NOT_AT_(warp, name))
#define PORTABLE_NOT_AT_(scope, name)                                                              \
    PORTABLE_RULE_(!PORTABLE_IN_(scope),                                                           \
                   name " at " #scope " scope would run once per " #scope " on the CPU and once "  \
                        "per thread on the GPU: put it in FOR_EACH_THREAD")
#define PORTABLE_AT_WARP_SCOPE_(name)                                                              \
    PORTABLE_RULE_(PORTABLE_IN_(warp), name " belongs at warp scope: inside FOR_EACH_WARP")

/* Outside the scopes where they mean something, the indices have a type without a definition, whose
 * name is the message. */
extern const struct threadIdx_exists_only_inside_FOR_EACH_THREAD_pass_it_to_functions threadIdx;
extern const struct blockIdx_exists_only_inside_FOR_EACH_BLOCK_pass_it_to_functions blockIdx;
extern const struct blockDim_exists_only_inside_FOR_EACH_BLOCK_pass_it_to_functions blockDim;
extern const struct gridDim_exists_only_inside_FOR_EACH_BLOCK_pass_it_to_functions gridDim;
/* The same for the macros, which refuse to be outside with one sentence, not one for each index. */
extern const dim3 portable_grid_, portable_dim_;
extern const uint3 portable_block_;
#define PORTABLE_LOOPS_AT_(axis) (portable_block_.axis * portable_dim_.axis + threadIdx.axis)
#define PORTABLE_LOOPS_STEP_(axis) (portable_grid_.axis * portable_dim_.axis)

/* Where a grid-stride loop starts and how far it steps: at kernel scope the one pass takes every
 * element; thread scope declares its own. */
struct portable_grid_stride_ {
    uint3 offset, stride;
};
PORTABLE_UNUSED_ static const struct portable_grid_stride_ portable_grid_stride_ = {{0, 0, 0},
                                                                                    {1, 1, 1}};

/* Whether this function may loop over the grid; if not, the launch fails. A launch by a file that
 * is compiled with -fopenmp has several OS threads run the kernel; the loops of one compiled
 * without do not know of them. */
PORTABLE_INLINE_ int portable_may_loop_(void)
{
    if (!PORTABLE_TARGET_OPENMP && portable_launch_.members > 1)
        return portable_broken_(PORTABLE_ERROR_INVALID_LAUNCH,
                                "compiled without -fopenmp, and launched by a file that is "
                                "compiled with it");
    if (portable_launch_.in_blocks)
        return portable_broken_(PORTABLE_ERROR_INVALID_LAUNCH,
                                "a DEVICE function called inside FOR_EACH_BLOCK loops over the "
                                "grid; pass it the offset and the stride");
    return 1;
}

/* The dimensions of *portable_shape_ are the most threads that the block may have, a constant for
 * PRIVATE, and its extents, each plus 1; the extent 0 is one that the launch decides. */
#define PORTABLE_DIMS_(X, Y, Z)                                                                    \
    PORTABLE_DIMS_ARE_(PORTABLE_CONSTANT_OR_(X, 0), PORTABLE_CONSTANT_OR_(Y, 0),                   \
                       PORTABLE_CONSTANT_OR_(Z, 0))
#define PORTABLE_DIMS_ARE_(X, Y, Z)                                                                \
    [(X) && (Y) && (Z) ? (X) * (Y) * (Z) : PORTABLE_BLOCK_LIMIT_][(X) + 1][(Y) + 1][(Z) + 1]
#define PORTABLE_DIMS_OF_(...) PORTABLE_WITH_SHAPE_(PORTABLE_DIMS_, __VA_ARGS__)
#define PORTABLE_THREADS_ (sizeof *portable_shape_ / sizeof **portable_shape_)
extern const char (*portable_shape_)[1][1][1][1];

/* The number of blocks to run: none when the launch does not fit the shape. */
PORTABLE_INLINE_ unsigned long long portable_block_count_(unsigned x, unsigned y, unsigned z)
{
    const struct portable_launch_ *launch = &portable_launch_;
    if (!portable_shape_fits_(x, y, z) || !portable_may_loop_())
        return 0;
    PORTABLE_TEAM_(portable_team_schedule_(PORTABLE_OVER_BLOCKS_);)
    portable_launch_.in_blocks = 1;
    portable_launch_.steps++;
    return (unsigned long long)launch->grid.x * launch->grid.y * launch->grid.z;
}
PORTABLE_INLINE_ int portable_blocks_end_(void)
{
    portable_launch_.in_blocks = 0;
    portable_launch_.steps++;
    return 0;
}

/* The number of threads of the block, in its scope. */
#define PORTABLE_BLOCK_SIZE_ (portable_dim_.x * portable_dim_.y * portable_dim_.z)

/* An extent of a block is never 0; the compiler, which cannot know, would warn of loops without a
 * iteration that leave their results unset. */
PORTABLE_INLINE_ unsigned portable_positive_(unsigned extent)
{
    return extent ? extent : 1;
}

/* The block of linear number b, x fastest. */
PORTABLE_INLINE_ uint3 portable_block_index_(unsigned long long b)
{
    const uint3 grid = portable_launch_.grid;
    if (b < grid.x)
        return make_uint3((unsigned)b, 0, 0);
    const unsigned long long row = b / grid.x;
    return make_uint3((unsigned)(b % grid.x), (unsigned)(row % grid.y), (unsigned)(row / grid.y));
}

/* k, from first to before end, or what takes its place in the order that was asked for. */
#if PORTABLE_CHECKS
#define PORTABLE_ORDERED_(k, first, end, key)                                                      \
    ((first) + (__typeof__(k))portable_in_order_((unsigned long long)((k) - (first)),              \
                                                 (unsigned long long)((end) - (first)), (key)))
#else
#define PORTABLE_ORDERED_(k, first, end, key) (k)
#endif
/* FOR_EACH_BLOCK(256) S, as the compiler sees it:
 *
 *     cuda       for (portable_block_<256, 1, 1> portable_scope_; portable_scope_.once;
 *                     portable_scope_.once = false)
 *                    S
 *     serial     for (b = 0; b < gridDim.x * gridDim.y * gridDim.z; b++) {
 *                    const uint3 blockIdx = {b % gridDim.x, ...};
 *                    const dim3 blockDim = {256, 1, 1};
 *                    S
 *                }
 *     openmp     as serial, from the first to the last block of this OS thread's chunk
 *     emulate    if (the launch has blocks of 256 threads) S, in each thread of the grid
 *
 * On serial the launch is checked first, and each loop of one iteration below declares a name. */
#define PORTABLE_BLOCK_RULES_(X, Y, Z)                                                             \
    (PORTABLE_SHAPE_RULE_(X, Y, Z) +                                                               \
     PORTABLE_RULE_(PORTABLE_IN_(kernel),                                                          \
                    "FOR_EACH_BLOCK belongs at kernel scope: outside every other scope and "       \
                    "GRID_STRIDE_LOOP"))
#define PORTABLE_LOOPS_BLOCKS_(X, Y, Z)                                                            \
    for (unsigned long long portable_blocks_ = portable_block_count_(X, Y, Z) +                    \
                                               (unsigned)PORTABLE_BLOCK_RULES_(X, Y, Z),           \
                            portable_b_ = portable_share_(portable_blocks_, 0),                    \
                            portable_last_ = portable_share_(portable_blocks_, 1);                 \
         portable_b_ < portable_last_ || portable_blocks_end_(); portable_b_++)                    \
        PORTABLE_OPEN_(                                                                            \
            block, portable_block_index_(PORTABLE_ORDERED_(portable_b_, 0, portable_blocks_, 0)))  \
            PORTABLE_WITH_(char(*portable_shape_) PORTABLE_DIMS_(X, Y, Z) = NULL)                  \
                PORTABLE_WITH_(                                                                    \
                    dim3 portable_grid_ = {PORTABLE_XYZ_(portable_launch_.grid)},                  \
                    portable_dim_ = {(X) ? (X) : portable_positive_(portable_launch_.block.x),     \
                                     (Y) ? (Y) : portable_positive_(portable_launch_.block.y),     \
                                     (Z) ? (Z) : portable_positive_(portable_launch_.block.z)},    \
                    gridDim = portable_grid_, blockDim = portable_dim_)                            \
                    PORTABLE_WITH_LAST_(uint3 portable_block_ = portable_scope_.block,             \
                                        blockIdx = portable_block_)

/* A block function: block scope as hidden parameters. */
#define PORTABLE_LOOPS_FUNCTION_(type, name, shape, ...)                                           \
    typedef char portable_extents_of_##name PORTABLE_DIMS_OF_ shape;                               \
    PORTABLE_NOT_RECURSIVE_(name);                                                                 \
    PORTABLE_UNUSED_ PORTABLE_INLINE_ type name(                                                   \
        PORTABLE_INSIDE_(name), PORTABLE_UNUSED_ struct portable_block_scope portable_scope_,      \
        PORTABLE_UNUSED_ const portable_extents_of_##name *portable_shape_,                        \
        PORTABLE_UNUSED_ const uint3 portable_block_, PORTABLE_UNUSED_ const uint3 blockIdx,       \
        PORTABLE_UNUSED_ const dim3 portable_dim_, PORTABLE_UNUSED_ const dim3 blockDim,           \
        PORTABLE_UNUSED_ const dim3 portable_grid_, PORTABLE_UNUSED_ const dim3 gridDim,           \
        __VA_ARGS__)
#define PORTABLE_LOOPS_CALL_(name, ...)                                                            \
    name(PORTABLE_OUTSIDE_(name),                                                                  \
         (struct portable_block_scope){                                                            \
             .open = PORTABLE_AT_BLOCK_SCOPE_("BLOCK_CALL") +                                      \
                     PORTABLE_RULE_(PORTABLE_FITS_(**(portable_extents_of_##name *)NULL),          \
                                    "BLOCK_CALL of " #name                                         \
                                    ": FOR_EACH_BLOCK must fix the extents that it fixes")},       \
         NULL, portable_block_, portable_block_, portable_dim_, portable_dim_, portable_grid_,     \
         portable_grid_, __VA_ARGS__)
/* 1 or 0, as a type: clang would spell out the expression. */
#define PORTABLE_FITS_(dims)                                                                       \
    _Generic((char(*)[1 + (!PORTABLE_IN_(block) || (PORTABLE_FIT_(dims, **portable_shape_) &&      \
                                                    PORTABLE_FIT_(*dims, ***portable_shape_) &&    \
                                                    PORTABLE_FIT_(**dims, ****portable_shape_)))]) \
                 NULL,                                                                             \
             char(*)[2] : 1, default : 0)
#define PORTABLE_FIT_(a, b) (PORTABLE_EXTENT_(a) == 0 || PORTABLE_EXTENT_(a) == PORTABLE_EXTENT_(b))
#define PORTABLE_EXTENT_(a) (sizeof(a) / sizeof(a)[0] - 1)

#if PORTABLE_CHECKS
/* Each phase of threads has a separate order. */
PORTABLE_WEAK_ __thread unsigned portable_phase_;
#define PORTABLE_LOOPS_THREADS_(name, end)                                                         \
    for (unsigned portable_k_ = 0u + PORTABLE_AT_BLOCK_SCOPE_(name),                               \
                  portable_of_ = PORTABLE_BLOCK_SIZE_, portable_key_ = ++portable_phase_;          \
         portable_k_ < portable_of_; portable_k_++)                                                \
        for (unsigned portable_t_ =                                                                \
                          (unsigned)portable_in_order_(portable_k_, portable_of_, portable_key_),  \
                      portable_x_ = portable_t_ % portable_dim_.x,                                 \
                      portable_y_ = portable_t_ / portable_dim_.x % portable_dim_.y,               \
                      portable_z_ = portable_t_ / portable_dim_.x / portable_dim_.y,               \
                      portable_entering_ = portable_x_ < (end);                                    \
             portable_entering_; portable_entering_ = 0)                                           \
            PORTABLE_THREAD_SCOPE_(portable_x_, portable_y_, portable_z_)
#else
/* One row of threads after the other; x is the loop that vectorises. */
#define PORTABLE_LOOPS_THREADS_(name, end)                                                         \
    for (unsigned portable_z_ = 0u + PORTABLE_AT_BLOCK_SCOPE_(name);                               \
         portable_z_ < portable_dim_.z; portable_z_++)                                             \
        for (unsigned portable_y_ = 0; portable_y_ < portable_dim_.y; portable_y_++)               \
            for (unsigned portable_x_ = 0, portable_end_ = (end); portable_x_ < portable_end_;     \
                 portable_x_++)                                                                    \
                PORTABLE_THREAD_SCOPE_(portable_x_, portable_y_, portable_z_)
#endif

/* Thread scope for one thread: its names, and the guard that a complete iteration closes. */
#define PORTABLE_THREAD_SCOPE_(tx, ty, tz)                                                         \
    PORTABLE_OPEN_(thread, portable_block_, {(tx), (ty), (tz)})                                    \
        PORTABLE_WITH_(uint3 threadIdx = {(tx), (ty), (tz)})                                       \
            PORTABLE_WITH_(unsigned portable_rank_ =                                               \
                               ((tz)*portable_dim_.y + (ty)) * portable_dim_.x + (tx))             \
                PORTABLE_WITH_LAST_(                                                               \
                    struct portable_grid_stride_ portable_grid_stride_ = {                         \
                        {PORTABLE_LOOPS_AT_(x), PORTABLE_LOOPS_AT_(y), PORTABLE_LOOPS_AT_(z)},     \
                        {PORTABLE_LOOPS_STEP_(x), PORTABLE_LOOPS_STEP_(y),                         \
                         PORTABLE_LOOPS_STEP_(z)}})

/* Warp scope: one warp after the other. portable_warp_ stands for the warp's number where there is
 * none; what needs it refuses to be there. */
enum { portable_warp_ = 0 };
#define PORTABLE_LOOPS_WARPS_                                                                      \
    for (unsigned portable_w_ = 0u + PORTABLE_AT_BLOCK_SCOPE_("FOR_EACH_WARP"),                    \
                  portable_warps_ = (PORTABLE_BLOCK_SIZE_ + PORTABLE_WARP_ - 1) / PORTABLE_WARP_;  \
         portable_w_ < portable_warps_; portable_w_++)                                             \
        PORTABLE_OPEN_(warp, portable_block_)                                                      \
            PORTABLE_WITH_LAST_(unsigned portable_warp_ = portable_w_)

/* Of a row that `before` threads precede, how many are among the first count. */
PORTABLE_INLINE_ unsigned portable_row_(unsigned count, unsigned before, unsigned width)
{
    return count <= before ? 0 : count - before < width ? count - before : width;
}
#define PORTABLE_LOOPS_THREADS_BELOW_(count)                                                       \
    for (unsigned portable_below_ = PORTABLE_COUNT_(count), portable_running_ = 1;                 \
         portable_running_; portable_running_ = 0)                                                 \
        PORTABLE_LOOPS_THREADS_(                                                                   \
            "FOR_THREADS_BELOW",                                                                   \
            portable_row_(portable_below_,                                                         \
                          (portable_z_ * portable_dim_.y + portable_y_) * portable_dim_.x,         \
                          portable_dim_.x))

PORTABLE_COLD_ static int portable_wrong_rank_(int rank)
{
    return portable_broken_(PORTABLE_ERROR_INVALID_LAUNCH,
                            "a loop over %d dimension%s of the grid would repeat its elements "
                            "under grid (%u, %u, %u) and block (%u, %u, %u)",
                            rank, rank == 1 ? "" : "s", PORTABLE_XYZ_(portable_launch_.grid),
                            PORTABLE_XYZ_(portable_launch_.block));
}
/* 0; and a failure where the launch has more than one thread along y or z beyond the first `rank`
 * axes: the loop would repeat its elements. */
PORTABLE_INLINE_ int portable_rank_only_(int rank, unsigned threads_y, unsigned threads_z)
{
    return (rank < 3 && threads_z != 1) || (rank < 2 && threads_y != 1) ? portable_wrong_rank_(rank)
                                                                        : 0;
}

/* The strides of the grid are the outer loop; the inner one is the block's threads, the index
 * itself its counter, its end clamped to n: a vector loop. Its rank is checked against the scope's
 * own copies: reading the launch here would keep gcc from vectorising it. */
#define PORTABLE_LOOPS_ELEMENTS_(i, n)                                                             \
    for (unsigned long long                                                                        \
             portable_top_ = portable_elements_((n) + 0),                                          \
             portable_step_ = (unsigned long long)portable_grid_.x * portable_dim_.x,              \
             portable_base_ =                                                                      \
                 (unsigned long long)portable_block_.x * portable_dim_.x +                         \
                 (unsigned)(PORTABLE_AT_BLOCK_SCOPE_("FOR_EACH_ELEMENT") + PORTABLE_INTEGER_(n) +  \
                            portable_rank_only_(1, PORTABLE_LOOPS_STEP_(y),                        \
                                                PORTABLE_LOOPS_STEP_(z)));                         \
         portable_base_ < portable_top_;                                                           \
         portable_base_ = PORTABLE_ADVANCED_(portable_base_, portable_top_, portable_step_))       \
        for (PORTABLE_INDEX_(n) portable_k_ = (PORTABLE_INDEX_(n))portable_base_,                  \
                                portable_first_ = portable_k_,                                     \
                                portable_end_ = (PORTABLE_INDEX_(n))PORTABLE_ADVANCED_(            \
                                    portable_base_, portable_top_, portable_dim_.x);               \
             portable_k_ < portable_end_; portable_k_++)                                           \
            for (PORTABLE_INDEX_(n) portable_running_ = 1,                                         \
                                    i = PORTABLE_ORDERED_(portable_k_, portable_first_,            \
                                                          portable_end_, portable_base_);          \
                 portable_running_; portable_running_ = 0)                                         \
                PORTABLE_THREAD_SCOPE_((unsigned)(i - portable_first_), 0u, 0u)

/* A loop at kernel scope stands for all threads of the launch, unless it has more axes than the
 * loop, or each thread of a block calls the function that it is in. The OS threads of openmp share
 * the iterations of one axis, which this returns: the slowest that has enough for all, or else the
 * longest. On serial 0. */
PORTABLE_INLINE_ int portable_schedule_(int rank, unsigned long long nx, unsigned long long ny,
                                        unsigned long long nz)
{
    const struct portable_launch_ *const launch = &portable_launch_;
    if (portable_may_loop_() && portable_launched_(PORTABLE_GRID_LOOP_))
        portable_rank_only_(rank, launch->grid.y * launch->block.y,
                            launch->grid.z * launch->block.z);
    PORTABLE_TEAM_(portable_team_schedule_(PORTABLE_OVER_ELEMENTS_);)
    if (!PORTABLE_TARGET_OPENMP)
        return 0;
    if (nz >= launch->members || (nz >= ny && nz >= nx))
        return 'z';
    return ny >= launch->members || ny >= nx ? 'y' : 'x';
}

/* GRID_STRIDE_LOOP(i, n) S with an int n, as the compiler sees it, without its checks:
 *
 *     cuda       at kernel scope two loops, see portable_loop_; at thread scope, and
 *     emulate    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
 *                     i += gridDim.x * blockDim.x)
 *                    S
 *     serial     at kernel scope       for (int i = 0; i < n; i++) S
 *                at thread scope       as emulate, but the last step goes to n and not beyond
 *     openmp     at kernel scope       for (int i = n * member / members;
 *                                           i < n * (member + 1) / members; i++)
 *                                          S
 *                at thread scope       as serial
 *
 * Below, portable_grid_stride_ holds the offset and the stride, which are constants at kernel
 * scope, and a scope reports break and return. */

/* The loop around all axes of a grid-stride loop. The guard reports break and return at kernel
 * scope, where they would cut short the elements of every thread; at thread scope they are the
 * thread's own, and portable_axis_ is 0. */
#define PORTABLE_GUARD_(name, rank, nx, ny, nz)                                                    \
    for (int portable_guarded_ = PORTABLE_IN_(kernel),                                             \
             portable_axis_ = portable_guarded_ ? portable_schedule_(rank, portable_elements_(nx), \
                                                                     portable_elements_(ny),       \
                                                                     portable_elements_(nz))       \
                                                : 0,                                               \
             portable_once_ = 1 + PORTABLE_NOT_AT_BLOCK_SCOPE_(name) +                             \
                              PORTABLE_RULE_(!PORTABLE_IN_(loop),                                  \
                                             name " inside another grid-stride loop: use the 2D "  \
                                                  "or 3D form");                                   \
         portable_once_; portable_once_ = 0)
/* One axis. */
#define PORTABLE_LOOP_(i, n, axis)                                                                 \
    for (PORTABLE_INDEX_(n)                                                                        \
             portable_all_ = (n),                                                                  \
             portable_n_ = PORTABLE_CHUNK_ALONG_(n, axis, 1, portable_all_),                       \
             portable_running_ = (PORTABLE_INDEX_(n))(1 + PORTABLE_INTEGER_(n)),                   \
             i = portable_grid_stride_.offset.axis == 0                                            \
                     ? PORTABLE_CHUNK_ALONG_(n, axis, 0, 0)                                        \
                     : PORTABLE_START_(portable_n_, portable_grid_stride_.offset.axis);            \
         portable_running_;)                                                                       \
        for (struct portable_loop_scope portable_scope_                                            \
             __attribute__((cleanup(portable_loop_end_))) = {portable_guarded_};                   \
             portable_running_;                                                                    \
             portable_running_ = 0, portable_scope_.open = portable_guarded_ && i < portable_n_)   \
            for (; i < portable_n_;                                                                \
                 i = portable_grid_stride_.stride.axis == 1                                        \
                         ? i + 1                                                                   \
                         : PORTABLE_ADVANCED_(i, portable_n_, portable_grid_stride_.stride.axis))
#define PORTABLE_CHUNK_ALONG_(n, axis, k, otherwise)                                               \
    (portable_axis_ == #axis[0]                                                                    \
         ? (PORTABLE_INDEX_(n))portable_share_(portable_elements_(portable_all_), k)               \
         : (otherwise))

#define PORTABLE_LOOPS_GRID_(i, n)                                                                 \
    PORTABLE_GUARD_("GRID_STRIDE_LOOP", 1, 1, 0, 0)                                                \
        PORTABLE_LOOP_(i, n, x)
#define PORTABLE_LOOPS_GRID_2D_(i, j, ni, nj)                                                      \
    PORTABLE_HOLD_(portable_ni_, ni)                                                               \
        PORTABLE_HOLD_(portable_nj_, nj)                                                           \
            PORTABLE_GUARD_("GRID_STRIDE_LOOP_2D", 2, portable_ni_, portable_nj_, 0)               \
                PORTABLE_LOOP_(j, portable_nj_, y)                                                 \
                    PORTABLE_LOOP_(i, portable_ni_, x)
#define PORTABLE_LOOPS_GRID_3D_(i, j, k, ni, nj, nk)                                               \
    PORTABLE_HOLD_(portable_ni_, ni)                                                               \
        PORTABLE_HOLD_(portable_nj_, nj)                                                           \
            PORTABLE_HOLD_(portable_nk_, nk)                                                       \
                PORTABLE_GUARD_("GRID_STRIDE_LOOP_3D", 3, portable_ni_, portable_nj_,              \
                                portable_nk_)                                                      \
                    PORTABLE_LOOP_(k, portable_nk_, z)                                             \
                        PORTABLE_LOOP_(j, portable_nj_, y)                                         \
                            PORTABLE_LOOP_(i, portable_ni_, x)

/* A loop written by hand: iterations go to the OS threads of openmp round robin. */
#define PORTABLE_LOOPS_OFFSET_()                                                                   \
    ((unsigned)PORTABLE_NOT_AT_BLOCK_SCOPE_("ELEMENT_OFFSET") +                                    \
     (!PORTABLE_IN_(kernel)            ? portable_grid_stride_.offset.x                            \
      : portable_schedule_(1, 1, 0, 0) ? portable_launch_.member                                   \
                                       : 0))
#define PORTABLE_LOOPS_STRIDE_()                                                                   \
    ((unsigned)PORTABLE_NOT_AT_BLOCK_SCOPE_("ELEMENT_STRIDE") +                                    \
     (PORTABLE_TARGET_OPENMP && PORTABLE_IN_(kernel) && portable_launch_.members > 1               \
          ? portable_launch_.members                                                               \
          : portable_grid_stride_.stride.x))

/* ==== Loops: memory of a block and of a thread, barriers ====================================== */

#define PORTABLE_LOOPS_SHARED_(type, name, dims, ...)                                              \
    type name dims;                                                                                \
    PORTABLE_ASSERT_BLOCK_SCOPE_("SHARED");                                                        \
    PORTABLE_SHARED_RULE_(type, dims)
/* The type's name is for the messages about a PRIVATE without MINE. */
#define PORTABLE_LOOPS_PRIVATE_(type, name, dims, ...)                                             \
    PORTABLE_ASSERT_BLOCK_SCOPE_("PRIVATE");                                                       \
    _Static_assert(PORTABLE_IS_CONSTANT_(sizeof(type dims)), "PRIVATE takes constant extents");    \
    _Static_assert(PORTABLE_CONSTANT_OR_(sizeof(type[PORTABLE_THREADS_] dims), 0) <= 1 << 20,      \
                   "PRIVATE: over 1 MiB for the block; name its shape in FOR_EACH_BLOCK, or use "  \
                   "less");                                                                        \
    typedef __typeof__(type) PRIVATE_##name##_is_used_as_MINE_##name;                              \
    PRIVATE_##name##_is_used_as_MINE_##name name[PORTABLE_THREADS_] dims
/* Stands for the linear number of the thread where there is none; MINE refuses to use it there. */
enum { portable_rank_ = 0 };
#define PORTABLE_LOOPS_MINE_(name)                                                                 \
    name[portable_rank_ +                                                                          \
         PORTABLE_RULE_(!PORTABLE_IN_(block) && !PORTABLE_IN_(warp) && !PORTABLE_IN_(kernel),      \
                        "MINE belongs at thread scope: inside FOR_EACH_THREAD")]

#define PORTABLE_BETWEEN_BLOCKS_(name)                                                             \
    PORTABLE_RULE_(PORTABLE_IN_(kernel),                                                           \
                   name " belongs at kernel scope: between two FOR_EACH_BLOCK loops")
static inline void portable_loops_sync_grid_(PORTABLE_UNUSED_ int rule)
{
    if (!portable_launch_.cooperative)
        portable_broken_(PORTABLE_ERROR_INVALID_LAUNCH,
                         "SYNC_GRID needs KERNEL_LAUNCH_COOPERATIVE");
    PORTABLE_TEAM_(else portable_team_wait_();)
}

/* ==== Loops: warps, collectives and fragments ================================================= */

#define PORTABLE_CPU_SHUFFLE_(name, kind, dst, src, operand)                                       \
    do {                                                                                           \
        PORTABLE_ASSERT_BLOCK_SCOPE_(name);                                                        \
        _Static_assert(PORTABLE_SAME_TYPE_((dst)[0], (src)[0]),                                    \
                       name ": source and destination must be PRIVATE and of one type");           \
        PORTABLE_ASSERT_HAS_TYPE_(name, PORTABLE_SHUFFLE_SUFFIX_(add, (src)[0]),                   \
                                  PORTABLE_SHUFFLE_NAMES_);                                        \
        const unsigned portable_threads_ = PORTABLE_BLOCK_SIZE_;                                   \
        __typeof__((dst)[0]) portable_sent_[PORTABLE_THREADS_];                                    \
        memcpy(portable_sent_, (src), portable_threads_ * sizeof portable_sent_[0]);               \
        FOR_EACH_THREAD {                                                                          \
            const unsigned portable_by_ = (unsigned)(operand) % PORTABLE_WARP_;                    \
            const unsigned portable_lane_ = portable_rank_ % PORTABLE_WARP_;                       \
            const unsigned portable_from_ = portable_rank_ - portable_lane_ +                      \
                                            PORTABLE_FROM_##kind##_(portable_lane_, portable_by_); \
            if (portable_from_ < portable_threads_)                                                \
                (dst)[portable_rank_] = portable_sent_[portable_from_];                            \
            else                                                                                   \
                memset(&(dst)[portable_rank_], 0xff, sizeof(dst)[0]);                              \
        }                                                                                          \
    } while (0)
/* The lane that a lane reads. */
#define PORTABLE_FROM_SHUFFLE_(lane, by) (by)
#define PORTABLE_FROM_UP_(lane, by) ((lane) - ((lane) < (by) ? 0 : (by)))
#define PORTABLE_FROM_DOWN_(lane, by) ((lane) + ((by) < PORTABLE_WARP_ - (lane) ? (by) : 0))
#define PORTABLE_FROM_XOR_(lane, by) ((lane) ^ (by))

/* Each warp's predicates as a word, then what each thread gets of its warp's word. */
#define PORTABLE_CPU_VOTE_(name, type, dst, predicate, result)                                     \
    do {                                                                                           \
        PORTABLE_ASSERT_BLOCK_SCOPE_(name);                                                        \
        _Static_assert(PORTABLE_SAME_TYPE_((dst)[0], (type){0}),                                   \
                       name ": the destination must be a PRIVATE of type " #type);                 \
        unsigned portable_votes_[PORTABLE_BLOCK_LIMIT_ / PORTABLE_WARP_] = {0};                    \
        FOR_EACH_THREAD                                                                            \
            if (predicate)                                                                         \
                portable_votes_[portable_rank_ / PORTABLE_WARP_] |= 1u << (portable_rank_ & 31);   \
        FOR_EACH_THREAD {                                                                          \
            const unsigned portable_vote_ = portable_votes_[portable_rank_ / PORTABLE_WARP_];      \
            (dst)[portable_rank_] = (result);                                                      \
        }                                                                                          \
    } while (0)

/* In place, on the values of a block's threads, in the order of operations of CUDA. A tree combines
 * n values that are a stride apart into the first: of the butterfly, what lane 0 needs. It
 * vectorises where both are constants. */
#define PORTABLE_REDUCE_(op, type, suffix)                                                         \
    PORTABLE_INLINE_ void portable_tree_##op##_##suffix##_(type *value, unsigned n,                \
                                                           unsigned stride)                        \
    {                                                                                              \
        PORTABLE_UNROLL_(5)                                                                        \
        for (unsigned delta = WARP_SIZE / 2; delta > 0; delta /= 2)                                \
            for (unsigned k = 0; k < delta && k + delta < n; k++)                                  \
                value[k * stride] =                                                                \
                    portable_##op##_##suffix##_(value[k * stride], value[(k + delta) * stride]);   \
    }                                                                                              \
    static inline void portable_reduce_##op##_##suffix##_(type *values, unsigned n, int of_block)  \
    {                                                                                              \
        for (unsigned base = 0; base < n; base += WARP_SIZE) {                                     \
            const unsigned lanes = n - base < WARP_SIZE ? n - base : WARP_SIZE;                    \
            lanes == WARP_SIZE ? portable_tree_##op##_##suffix##_(values + base, WARP_SIZE, 1)     \
                               : portable_tree_##op##_##suffix##_(values + base, lanes, 1);        \
            const type all = values[base];                                                         \
            for (unsigned lane = 0; !of_block && lane < lanes; lane++)                             \
                values[base + lane] = all;                                                         \
        }                                                                                          \
        if (!of_block)                                                                             \
            return;                                                                                \
        portable_tree_##op##_##suffix##_(values, (n + WARP_SIZE - 1) / WARP_SIZE, WARP_SIZE);      \
        const type all = values[0];                                                                \
        for (unsigned t = 0; t < n; t++)                                                           \
            values[t] = all;                                                                       \
    }
/* Each warp's inclusive sums, in steps that vectorise; then the warps' totals, which go before. */
#define PORTABLE_SCAN_(type, suffix)                                                               \
    PORTABLE_INLINE_ void portable_warp_scan_##suffix##_(type *value, unsigned lanes)              \
    {                                                                                              \
        PORTABLE_UNROLL_(5)                                                                        \
        for (unsigned delta = 1; delta < lanes; delta *= 2) {                                      \
            type sum[WARP_SIZE];                                                                   \
            for (unsigned lane = delta; lane < lanes; lane++)                                      \
                sum[lane] = portable_add_##suffix##_(value[lane - delta], value[lane]);            \
            memcpy(value + delta, sum + delta, (lanes - delta) * sizeof *value);                   \
        }                                                                                          \
    }                                                                                              \
    static inline void portable_scan_##suffix##_(type *values, unsigned threads, int inclusive)    \
    {                                                                                              \
        type through[PORTABLE_BLOCK_LIMIT_ / WARP_SIZE];                                           \
        unsigned warps = 0;                                                                        \
        for (unsigned base = 0; base < threads; base += WARP_SIZE) {                               \
            const unsigned lanes = threads - base < WARP_SIZE ? threads - base : WARP_SIZE;        \
            lanes == WARP_SIZE ? portable_warp_scan_##suffix##_(values + base, WARP_SIZE)          \
                               : portable_warp_scan_##suffix##_(values + base, lanes);             \
            through[warps++] = values[base + lanes - 1];                                           \
        }                                                                                          \
        portable_warp_scan_##suffix##_(through, warps);                                            \
        for (unsigned base = WARP_SIZE; base < threads; base += WARP_SIZE) {                       \
            const unsigned end = threads - base < WARP_SIZE ? threads : base + WARP_SIZE;          \
            for (unsigned t = base; t < end; t++)                                                  \
                values[t] = portable_add_##suffix##_(through[base / WARP_SIZE - 1], values[t]);    \
        }                                                                                          \
        if (inclusive)                                                                             \
            return;                                                                                \
        memmove(values + 1, values, (threads - 1) * sizeof *values);                               \
        for (unsigned warp = 0; warp < warps; warp++)                                              \
            values[warp * WARP_SIZE] = warp == 0 ? 0 : through[warp - 1];                          \
    }
PORTABLE_FOR_WARP_TYPES_(PORTABLE_COLLECTIVES_)

#define PORTABLE_CPU_COLLECT_(name, function, dst, src, how)                                       \
    do {                                                                                           \
        PORTABLE_ASSERT_BLOCK_SCOPE_(name);                                                        \
        _Static_assert(PORTABLE_SAME_TYPE_((dst)[0], (src)[0]),                                    \
                       name ": source and destination must be PRIVATE and of one type");           \
        PORTABLE_ASSERT_HAS_TYPE_(name, PORTABLE_WARP_SUFFIX_(function, (src)[0]),                 \
                                  PORTABLE_WARP_NAMES_);                                           \
        const unsigned portable_threads_ = PORTABLE_BLOCK_SIZE_;                                   \
        memmove((dst), (src), portable_threads_ * sizeof(dst)[0]);                                 \
        PORTABLE_WARP_SUFFIX_(function, (src)[0])((dst), portable_threads_, how);                  \
    } while (0)

/* Halves are kept as the floats that they stand for: every one is exact. */
PORTABLE_FRAGMENT_TYPES_([FRAGMENT_SIZE][FRAGMENT_SIZE])

/* One per warp of the block, or one where the scope is the warp's already. The warps are the last
 * extent, so that an element of an array of fragments is what a lone fragment is. */
#define PORTABLE_LOOPS_FRAGMENT_(what, type, name, dims, ...)                                      \
    _Static_assert(PORTABLE_IN_(block) || PORTABLE_IN_(warp),                                      \
                   what " belongs at block scope or at warp scope");                               \
    _Static_assert(sizeof(type dims[PORTABLE_IN_(warp) ? 1 : PORTABLE_FRAGMENT_WARPS_]) <=         \
                       1 << 20,                                                                    \
                   what ": over 1 MiB for the block; name its shape in FOR_EACH_BLOCK, or use "    \
                        "less");                                                                   \
    type name dims[PORTABLE_IN_(warp) ? 1 : PORTABLE_FRAGMENT_WARPS_]
#define PORTABLE_FRAGMENT_WARPS_ ((PORTABLE_THREADS_ + PORTABLE_WARP_ - 1) / PORTABLE_WARP_)

/* The warp's own fragment of those that the name stands for. */
#define PORTABLE_FRAGMENT_OF_(fragment, name)                                                      \
    (&(fragment)[sizeof(fragment) == sizeof(fragment)[0] ? 0 : (unsigned)portable_warp_] +         \
     PORTABLE_AT_WARP_SCOPE_(name))
#define PORTABLE_CPU_FRAGMENT_FILL_(fragment, number)                                              \
    portable_fragment_fill_(PORTABLE_FRAGMENT_OF_(fragment, "FRAGMENT_FILL")->value, (number))
#define PORTABLE_CPU_FRAGMENT_LOAD_(fragment, from, stride)                                        \
    PORTABLE_FRAGMENT_LOADER_((fragment)[0])                                                       \
    (PORTABLE_FRAGMENT_OF_(fragment, "FRAGMENT_LOAD")->value, (from), (unsigned)(stride),          \
     PORTABLE_BLOCK_SIZE_)
#define PORTABLE_CPU_FRAGMENT_MULTIPLY_ADD_(d, a, b, c)                                            \
    portable_fragment_multiply_add_(PORTABLE_FRAGMENT_OF_(d, "FRAGMENT_MULTIPLY_ADD"),             \
                                    PORTABLE_FRAGMENT_OF_(a, "FRAGMENT_MULTIPLY_ADD"),             \
                                    PORTABLE_FRAGMENT_OF_(b, "FRAGMENT_MULTIPLY_ADD"),             \
                                    PORTABLE_FRAGMENT_OF_(c, "FRAGMENT_MULTIPLY_ADD"))
#define PORTABLE_CPU_FRAGMENT_STORE_(to, fragment, stride)                                         \
    portable_fragment_store_((to), PORTABLE_FRAGMENT_OF_(fragment, "FRAGMENT_STORE"),              \
                             (unsigned)(stride), PORTABLE_BLOCK_SIZE_)

PORTABLE_OUT_OF_LINE_ void portable_fragment_fill_(float (*rows)[FRAGMENT_SIZE], float number)
{
    for (unsigned row = 0; row < FRAGMENT_SIZE; row++)
        for (unsigned column = 0; column < FRAGMENT_SIZE; column++)
            rows[row][column] = number;
}
#define PORTABLE_FRAGMENT_LOAD_(type, to_float)                                                    \
    PORTABLE_OUT_OF_LINE_ void portable_fragment_load_##type##_(                                   \
        float(*rows)[FRAGMENT_SIZE], const type *from, unsigned stride, unsigned threads)          \
    {                                                                                              \
        if (!portable_fragment_rows_("FRAGMENT_LOAD", from, stride * sizeof *from, threads))       \
            return;                                                                                \
        for (unsigned row = 0; row < FRAGMENT_SIZE; row++)                                         \
            for (unsigned column = 0; column < FRAGMENT_SIZE; column++)                            \
                rows[row][column] = to_float(from[(size_t)row * stride + column]);                 \
    }
PORTABLE_FRAGMENT_LOAD_(half, half_to_float)
PORTABLE_FRAGMENT_LOAD_(float, )
PORTABLE_OUT_OF_LINE_ void portable_fragment_multiply_add_(portable_fragment_c_ *d,
                                                           const portable_fragment_a_ *a,
                                                           const portable_fragment_b_ *b,
                                                           const portable_fragment_c_ *c)
{
    for (unsigned row = 0; row < FRAGMENT_SIZE; row++) {
        float sum[FRAGMENT_SIZE];
        memcpy(sum, c->value[row], sizeof sum);
        for (unsigned k = 0; k < FRAGMENT_SIZE; k++)
            for (unsigned column = 0; column < FRAGMENT_SIZE; column++)
                sum[column] += a->value[row][k] * b->value[k][column];
        memcpy(d->value[row], sum, sizeof sum);
    }
}
PORTABLE_OUT_OF_LINE_ void portable_fragment_store_(float *to, const portable_fragment_c_ *fragment,
                                                    unsigned stride, unsigned threads)
{
    if (!portable_fragment_rows_("FRAGMENT_STORE", to, stride * sizeof *to, threads))
        return;
    for (unsigned row = 0; row < FRAGMENT_SIZE; row++)
        memcpy(to + (size_t)row * stride, fragment->value[row], sizeof fragment->value[row]);
}

#endif

#if PORTABLE_LOOPS_TARGET_

/* ==== Loops: the call of a kernel ============================================================= */

#if PORTABLE_CPP_ && !defined(__ELF__)
#define PORTABLE_BOUNDS_(name) NULL
#else
#define PORTABLE_BOUNDS_(name) (&portable_bounds_##name##_)
#endif
/* kernel_NAME_, which a launch calls. Clones are found by their common symbol: by name, a file that
 * has only the prototype would look for them in itself. */
#if defined(PORTABLE_CLONES_)
#define PORTABLE_ENTRY_(name) extern __typeof__(name) kernel_##name##_ __asm__(#name)
#else
#define PORTABLE_ENTRY_(name)                                                                      \
    __typeof__(&*(name)) kernel_##name##_ = (name);                                                \
    __asm__("" : "+r"(kernel_##name##_))
#endif
#if !PORTABLE_TARGET_OPENMP
#define PORTABLE_CALL_(name, ...)                                                                  \
    (__extension__({                                                                               \
        PORTABLE_ENTRY_(name);                                                                     \
        kernel_##name##_ PORTABLE_ARGUMENTS_(__VA_ARGS__);                                         \
    }))
#endif

/* Elsewhere these would be unknown types. */
#define __global__ PORTABLE_CUDA_SPELLING_
#define __device__ PORTABLE_CUDA_SPELLING_
#define __shared__ PORTABLE_CUDA_SPELLING_
#define __constant__ PORTABLE_CUDA_SPELLING_
#define PORTABLE_CUDA_SPELLING_                                                                    \
    PORTABLE_PRAGMA_(GCC error "CUDA C needs nvcc, or make run TARGET=emulate SOURCES=file.c")

#endif

#if PORTABLE_TARGET_OPENMP

/* ==== OpenMP: a launch shared by OS threads =================================================== */

/* Releases the waiting threads once all others have arrived. The lock is held. */
static inline void portable_team_release_(void)
{
    if (portable_team_.waiting > 0 &&
        portable_team_.waiting + portable_team_.ended == portable_launch_.members) {
        portable_team_.waiting = 0;
        __atomic_store_n(&portable_team_.generation, portable_team_.generation + 1,
                         __ATOMIC_RELEASE);
    }
}
/* A barrier of the members; one that has left the kernel is not waited for. */
static inline void portable_team_wait_(void)
{
    if (portable_launch_.members <= 1)
        return;
    portable_lock_(&portable_team_.lock);
    const unsigned generation = portable_team_.generation;
    portable_team_.waiting++;
    portable_team_release_();
    portable_unlock_(&portable_team_.lock);
    while (__atomic_load_n(&portable_team_.generation, __ATOMIC_ACQUIRE) == generation)
        portable_yield_();
}

/* Called before a loop whose iterations the members share. A barrier, unless this loop and the last
 * are over blocks: another member may have written these elements. */
static inline void portable_team_schedule_(int over)
{
    if (portable_launch_.schedule != 0 &&
        (portable_launch_.schedule != over || over == PORTABLE_OVER_ELEMENTS_))
        portable_team_wait_();
    portable_launch_.schedule = over;
}

/* The launch's number of OS threads: OpenMP's, but at most one per block. */
static inline void portable_team_open_(void)
{
    const uint3 grid = portable_launch_.grid;
    const unsigned long long blocks = (unsigned long long)grid.x * grid.y * grid.z;
    const unsigned long long threads = (unsigned long long)omp_get_max_threads();
    struct portable_team_ *const team = &portable_team_;
    portable_launch_.members = 1;
    memset(team, 0, sizeof *team);
    team->members = (unsigned)(blocks < threads ? blocks : threads);
#if PORTABLE_CHECKS
    if (team->members > 1)
        portable_in_order_(0, 1, 0); /* reads ORDER before several threads ask for it */
#endif
}

/* Makes the calling OS thread a member of the launch; returns 1 when it may run the kernel. */
static inline int portable_member_begin_(const struct portable_launch_ *launch)
{
    const unsigned member = (unsigned)omp_get_thread_num();
    if (member > 0)
        portable_launch_ = *launch;
    portable_launch_.member = member;
    portable_launch_.members = (unsigned)omp_get_num_threads();
    if (member > 0 && !portable_launch_shared_()) {
        portable_launch_.status = portable_failure_.status;
        return 0;
    }
    return 1;
}
static inline void portable_member_end_(void)
{
    struct portable_team_ *const team = &portable_team_;
    const unsigned member = portable_launch_.member;
    if (member > 0)
        portable_launch_unshare_();
    const portable_status status = portable_launch_.status;
    portable_lock_(&team->lock);
    if (status != PORTABLE_SUCCESS &&
        (team->status == PORTABLE_SUCCESS || portable_launch_.failed < team->steps ||
         (portable_launch_.failed == team->steps && member < team->member))) {
        team->status = status;
        team->steps = portable_launch_.failed;
        team->member = member;
        team->failure = portable_failure_;
    }
    if (member > 0 && portable_children_.first) {
        struct portable_child_ **at = &team->first;
        while (*at && (*at)->member < member)
            at = &(*at)->next;
        portable_children_.last->next = *at;
        *at = portable_children_.first;
        portable_children_.first = NULL;
    }
    team->ended++;
    portable_team_release_();
    portable_unlock_(&team->lock);
    if (member > 0)
        memset(&portable_launch_, 0, sizeof portable_launch_);
}
/* Hands the members' failure and children to the launching thread, which has its own children. */
static inline void portable_team_close_(void)
{
    struct portable_team_ *const team = &portable_team_;
    portable_launch_.member = portable_launch_.members = 0;
    if (team->members <= 1)
        return;
    if (team->status != PORTABLE_SUCCESS) {
        portable_launch_.status = team->status;
        team->failure.launch = portable_failure_.launch;
        portable_failure_ = team->failure;
    }
    struct portable_children_ *const all = &portable_children_;
    for (struct portable_child_ *child = team->first; child; child = child->next) {
        *(all->first ? &all->last->next : &all->first) = child;
        all->last = child;
    }
}

/* Atomics among OS threads. Those of one block are plain: one OS thread runs it. An operation that
 * would not change the value stores nothing, so the cache line stays shared; a launch of one member
 * needs no atomics. Several host threads may run such code. */
#define PORTABLE_TOGETHER_(op, type, suffix)                                                       \
    DEVICE type portable_together_##op##_##suffix##_(type *pointer, type value)                    \
    {                                                                                              \
        if (portable_launch_.members == 1)                                                         \
            return portable_plain_##op##_##suffix##_(pointer, value);                              \
        type old, next;                                                                            \
        __atomic_load(pointer, &old, __ATOMIC_RELAXED);                                            \
        do {                                                                                       \
            next = portable_##op##_##suffix##_(old, value);                                        \
            if (memcmp(&next, &old, sizeof old) == 0)                                              \
                return old;                                                                        \
        } while (!__atomic_compare_exchange(pointer, &old, &next, 1, __ATOMIC_RELAXED,             \
                                            __ATOMIC_RELAXED));                                    \
        return old;                                                                                \
    }
/* Those that the machine has an instruction for. */
#define PORTABLE_TOGETHER_NATIVE_(op, type, suffix)                                                \
    DEVICE type portable_together_##op##_##suffix##_(type *pointer, type value)                    \
    {                                                                                              \
        if (portable_launch_.members == 1)                                                         \
            return portable_plain_##op##_##suffix##_(pointer, value);                              \
        return __atomic_fetch_##op(pointer, value, __ATOMIC_RELAXED);                              \
    }
#define PORTABLE_TOGETHER_SWAP_(op, type, suffix)                                                  \
    DEVICE type portable_together_exchange_##suffix##_(type *pointer, type value)                  \
    {                                                                                              \
        type old;                                                                                  \
        __atomic_exchange(pointer, &value, &old, __ATOMIC_RELAXED);                                \
        return old;                                                                                \
    }                                                                                              \
    DEVICE type portable_together_cas_##suffix##_(type *pointer, type compare, type value)         \
    {                                                                                              \
        __atomic_compare_exchange(pointer, &compare, &value, 0, __ATOMIC_RELAXED,                  \
                                  __ATOMIC_RELAXED);                                               \
        return compare;                                                                            \
    }
PORTABLE_FOR_INTEGERS_(PORTABLE_TOGETHER_NATIVE_, add)
PORTABLE_FOR_INTEGERS_(PORTABLE_TOGETHER_NATIVE_, sub)
PORTABLE_FOR_REALS_(PORTABLE_TOGETHER_, add)
PORTABLE_FOR_REALS_(PORTABLE_TOGETHER_, sub)
PORTABLE_FOR_NUMBERS_(PORTABLE_TOGETHER_, min)
PORTABLE_FOR_NUMBERS_(PORTABLE_TOGETHER_, max)
PORTABLE_FOR_INTEGERS_(PORTABLE_TOGETHER_, bit_and)
PORTABLE_FOR_INTEGERS_(PORTABLE_TOGETHER_, bit_or)
PORTABLE_FOR_INTEGERS_(PORTABLE_TOGETHER_, bit_xor)
PORTABLE_FOR_UNSIGNED_(PORTABLE_TOGETHER_, inc)
PORTABLE_FOR_UNSIGNED_(PORTABLE_TOGETHER_, dec)
PORTABLE_FOR_NUMBERS_(PORTABLE_TOGETHER_SWAP_, exchange)

#if PORTABLE_CPP_
template <class Type> struct portable_as_it_is_ {
    typedef Type type;
};
template <class... Types>
static void portable_call_(void (*kernel)(Types...),
                           typename portable_as_it_is_<Types>::type... arguments)
{
    __asm__("" : "+r"(kernel)); /* as PORTABLE_ENTRY_ */
    if (portable_team_.members <= 1)
        return kernel(arguments...);
    const struct portable_launch_ noted = portable_launch_;
    PORTABLE_PRAGMA_(omp parallel num_threads(portable_team_.members))
    {
        if (portable_member_begin_(&noted))
            kernel(arguments...);
        portable_member_end_();
    }
}
#define PORTABLE_CALL_(name, ...) portable_call_(&*(name), ##__VA_ARGS__)
#else
/* Each member calls the kernel, and the loops in it see to it that each takes its share: what
 * OpenMP would make of a loop is a function without the parameters' RESTRICT. The arguments are
 * evaluated once. Warnings are of them as they were given; of the variables the compiler would warn
 * again, or wrongly, as of a 0 that stands for NULL. */
#define PORTABLE_CALL_(name, ...)                                                                  \
    (__extension__({                                                                               \
        PORTABLE_CHECK_CALL_((name)PORTABLE_ARGUMENTS_(__VA_ARGS__));                              \
        PORTABLE_PRAGMA_(GCC diagnostic push)                                                      \
        PORTABLE_PRAGMA_(GCC diagnostic ignored "-Wconversion")                                    \
        PORTABLE_PRAGMA_(GCC diagnostic ignored "-Wsign-conversion")                               \
        PORTABLE_PRAGMA_(GCC diagnostic ignored "-Wfloat-conversion")                              \
        PORTABLE_PRAGMA_(GCC diagnostic ignored "-Wint-conversion")                                \
        PORTABLE_PRAGMA_(GCC diagnostic ignored "-Wpointer-sign")                                  \
        PORTABLE_EACH_(PORTABLE_KEEP_, PORTABLE_WITH_NOTHING_, ##__VA_ARGS__)                      \
        PORTABLE_ENTRY_(name);                                                                     \
        if (portable_team_.members <= 1)                                                           \
            kernel_##name##_ PORTABLE_ARGUMENTS_(PORTABLE_KEPT_ALL_(__VA_ARGS__));                 \
        else {                                                                                     \
            const struct portable_launch_ portable_saved_ = portable_launch_;                      \
            PORTABLE_PRAGMA_(omp parallel num_threads(portable_team_.members))                     \
            {                                                                                      \
                if (portable_member_begin_(&portable_saved_))                                      \
                    kernel_##name##_ PORTABLE_ARGUMENTS_(PORTABLE_KEPT_ALL_(__VA_ARGS__));         \
                portable_member_end_();                                                            \
            }                                                                                      \
        }                                                                                          \
        PORTABLE_PRAGMA_(GCC diagnostic pop)                                                       \
        (void)0;                                                                                   \
    }))
/* The comma makes a value of a bit-field, which __auto_type refuses. */
#define PORTABLE_KEEP_(number, argument)                                                           \
    __auto_type portable_kept_##number##_ = ((void)0, (argument));
#define PORTABLE_KEPT_(number, argument) portable_kept_##number##_
#define PORTABLE_KEPT_ALL_(...) PORTABLE_EACH_(PORTABLE_KEPT_, PORTABLE_WITH_COMMA_, ##__VA_ARGS__)
#endif

#endif

#if PORTABLE_KERNELS_CUDA_

/* ==== CUDA: scopes, indices and vectors ======================================================= */

#define PORTABLE_UNROLL_(n) PORTABLE_ON_DEVICE_(PORTABLE_PRAGMA_(unroll n), )

/* The block scope: X, Y and Z as written, 0 for an extent that the launch decides. */
template <unsigned X, unsigned Y, unsigned Z> struct portable_block_ {
    static constexpr unsigned threads = X * Y * Z; /* 0: not known at compile time */
    static_assert(threads <= PORTABLE_BLOCK_LIMIT_,
                  "FOR_EACH_BLOCK: a block has at most 1024 threads");
    bool once = true;

    __device__ __forceinline__ portable_block_()
    {
#if PORTABLE_CHECKS
        if ((X && blockDim.x != X) || (Y && blockDim.y != Y) || (Z && blockDim.z != Z))
            __assert_fail("the launch's block has the shape that FOR_EACH_BLOCK names", __FILE__,
                          __LINE__, "FOR_EACH_BLOCK");
#endif
    }
    /* The number of threads of the block. */
    PORTABLE_DEVICE_ unsigned size()
    {
        return (X ? X : blockDim.x) * (Y ? Y : blockDim.y) * (Z ? Z : blockDim.z);
    }
    /* The thread's place in linear order. */
    PORTABLE_DEVICE_ unsigned rank()
    {
        const unsigned z = Z == 1 ? 0 : threadIdx.z;
        const unsigned row = z * (Y ? Y : blockDim.y) + (Y == 1 && Z == 1 ? 0 : threadIdx.y);
        return row * (X ? X : blockDim.x) + threadIdx.x;
    }
    static constexpr bool whole_warps = threads != 0 && threads % WARP_SIZE == 0;
    /* The number of threads of this thread's warp: a constant where the shape fixes it. */
    PORTABLE_DEVICE_ unsigned lanes()
    {
        if constexpr (whole_warps)
            return WARP_SIZE;
        const unsigned rest = size() - rank() / WARP_SIZE * WARP_SIZE;
        return rest < WARP_SIZE ? rest : WARP_SIZE;
    }
};

#define PORTABLE_CUDA_BLOCKS_(X, Y, Z)                                                             \
    for (portable_block_<X, Y, Z> portable_scope_; portable_scope_.once;                           \
         portable_scope_.once = false)

/* A block function: a template over the block scope that calls it. */
template <bool outside> PORTABLE_DEVICE_ const struct called_by_BLOCK_CALL *portable_outside_()
{
    static_assert(outside, PORTABLE_RECURSION_SENTENCE_);
    return nullptr;
}
#define PORTABLE_OUTSIDE_(name) portable_outside_<PORTABLE_IS_OUTSIDE_(name)>()
#define PORTABLE_CUDA_FUNCTION_(type, name, ...)                                                   \
    PORTABLE_NOT_RECURSIVE_(name);                                                                 \
    template <class portable_block_type_>                                                          \
    PORTABLE_DEVICE_ type name(portable_block_type_ portable_scope_, PORTABLE_INSIDE_(name),       \
                               __VA_ARGS__)

template <class T> PORTABLE_DEVICE_ bool portable_below_(unsigned t, T n)
{
    static_assert((T)0.5f == (T)0, "FOR_THREADS_BELOW: the count must be an integer");
    return (T)t < n;
}

/* The state of three loops, which share the body's index and differ in how they count. With an int
 * n, the offset and the stride of the thread, the compiler sees
 *
 *     GRID_STRIDE_LOOP_2D and _3D, each axis; GRID_STRIDE_LOOP at thread scope, by `pass`
 *         if ((int)i < n)
 *             do S while ((i += stride) < (unsigned)n);
 *     FOR_EACH_ELEMENT
 *         iterations = i >= n ? 0 : (n - i - 1) / stride + 1;
 *         for (; iterations != 0; i += stride, iterations--)
 *             S
 *     GRID_STRIDE_LOOP at kernel scope
 *         if (stride % 32 == 0 && n / 4 >= stride)
 *             for (i = 2 * i - i % 32; i < n - 32; i += 2 * stride)
 *                 S with i, S with i + 32
 *         for (; i < n; i += stride)
 *             S
 *
 * Counters are unsigned and wide enough that adding a stride, at most 2^31
 * threads by the launch limits, cannot wrap; an unsigned 64-bit bound stops 2^32 short of its
 * largest value, which no memory can hold. A body follows an else, which break does not see. */
template <class T> struct portable_loop_ {
    static_assert((T)0.5f == (T)0, "the bound of a loop must be an integer");
    typedef std::conditional_t<std::is_same_v<T, int>, unsigned, unsigned long long> counter;
    const T n;
    counter i;
    const unsigned stride;
    counter iterations = 0; /* left, of FOR_EACH_ELEMENT */
    counter pair_limit = 0; /* pairs begin below this index */
    int pass = 0;           /* 0: pairs, or the first iteration of an axis; then 1 */
    int second = 0;         /* 1 in the second element of a pair */

    __device__ __forceinline__ T element() const
    {
        return (T)i + second * PORTABLE_WARP_;
    }
    /* A signed bound is compared as signed once; after that it is positive. */
    __device__ __forceinline__ bool more() const
    {
        return pass == 0 ? (T)i < n : i < (counter)n;
    }
    __device__ __forceinline__ void next()
    {
        i += stride, iterations--, pass = 1;
    }
    __device__ __forceinline__ bool in_pass() const
    {
        return i < (pass == 0 ? pair_limit : (counter)n);
    }
    /* An iteration that break cut short is the last one. */
    __device__ __forceinline__ void next_in_pass()
    {
        i = second < 2 - pass ? n : i + (pass == 0 ? 2 * (counter)stride : stride);
    }
};
template <class T> PORTABLE_DEVICE_ portable_loop_<T> portable_on_(T n, unsigned i, unsigned stride)
{
    constexpr unsigned long long most = 0xffffffff00000000ULL;
    return {sizeof n == 8 && T(-1) > 0 && (unsigned long long)n > most ? T(most) : n, i, stride};
}
#define PORTABLE_CUDA_FOR_(i, loop, begin, more, next)                                             \
    for (auto loop = begin; loop.more; loop.next)                                                  \
        if (const auto i = loop.element(); false) {                                                \
        } else
#define PORTABLE_CUDA_LOOP_(i, n, axis)                                                            \
    PORTABLE_CUDA_FOR_(i, portable_##axis##_,                                                      \
                       portable_on_((n) + 0, PORTABLE_OFFSET_(axis), PORTABLE_STRIDE_(axis)),      \
                       more(), next())

/* FOR_EACH_ELEMENT counts a thread's iterations before the first: where the compiler unrolls the
 * loop, no test separates the loads of its copies, and they are in flight together. On an H200 the
 * sum of 2^28 floats reads 4150 GB/s, and 2540 with the tests. One iteration needs no division. */
template <class T> PORTABLE_DEVICE_ portable_loop_<T> portable_counted_(portable_loop_<T> loop)
{
    const auto rest = loop.n - loop.i;
    loop.iterations = (T)loop.i < loop.n;
    if (loop.iterations && rest > loop.stride)
        loop.iterations = (rest - 1) / loop.stride + 1;
    return loop;
}
#define PORTABLE_CUDA_ELEMENTS_(i, n)                                                              \
    PORTABLE_CUDA_FOR_(                                                                            \
        i, portable_x_,                                                                            \
        portable_counted_(portable_on_((n) + 0, PORTABLE_OFFSET_(x), PORTABLE_STRIDE_(x))),        \
        iterations != 0, next())

/* GRID_STRIDE_LOOP: at kernel scope, where the order is free, a thread with four elements or more
 * takes two an iteration, a warp apart, while both exist, and then single ones. Their distance is a
 * constant, so that to the compiler the load of one need not wait for the store of the other. On an
 * H200 saxpy of 2^28 floats moves 4140 GB/s, and 3620 with one element an iteration. */
extern struct portable_kernel_scope {
} portable_scope_;
template <class scope, class T>
PORTABLE_DEVICE_ portable_loop_<T> portable_pairs_(T n, unsigned i, unsigned stride)
{
    auto loop = portable_on_(n > 0 ? n : T(0), i, stride);
    const bool two = std::is_same_v<scope, portable_kernel_scope> && stride % PORTABLE_WARP_ == 0 &&
                     decltype(loop.i)(loop.n) / 4 >= stride;
    loop.i = two ? 2 * loop.i - i % PORTABLE_WARP_ : loop.i;
    loop.pair_limit = two ? loop.n - PORTABLE_WARP_ : 0;
    return loop;
}
#define PORTABLE_CUDA_GRID_(i, n)                                                                  \
    PORTABLE_UNROLL_()                                                                             \
    for (auto portable_x_ = portable_pairs_<decltype(portable_scope_)>(                            \
             (n) + 0, PORTABLE_OFFSET_(x), PORTABLE_STRIDE_(x));                                   \
         portable_x_.pass < 2; portable_x_.pass++)                                                 \
        for (; portable_x_.in_pass(); portable_x_.next_in_pass())                                  \
            for (portable_x_.second = 0; portable_x_.second < 2 - portable_x_.pass;                \
                 portable_x_.second++)                                                             \
                if (const auto i = portable_x_.element(); false) {                                 \
                } else

#define PORTABLE_CUDA_GRID_2D_(i, j, ni, nj)                                                       \
    PORTABLE_HOLD_(portable_ni_, ni)                                                               \
    PORTABLE_CUDA_LOOP_(j, nj, y) PORTABLE_CUDA_LOOP_(i, portable_ni_, x)
#define PORTABLE_CUDA_GRID_3D_(i, j, k, ni, nj, nk)                                                \
    PORTABLE_HOLD_(portable_ni_, ni)                                                               \
        PORTABLE_HOLD_(portable_nj_, nj)                                                           \
            PORTABLE_CUDA_LOOP_(k, nk, z)                                                          \
    PORTABLE_CUDA_LOOP_(j, portable_nj_, y) PORTABLE_CUDA_LOOP_(i, portable_ni_, x)

#define PORTABLE_CUDA_SHARED_DYNAMIC_(type, name)                                                  \
    extern __shared__ __align__(16) unsigned char portable_dynamic_[];                             \
    type *const name = reinterpret_cast<type *>(portable_dynamic_)

struct portable_real_vector_ {
    REAL value[REAL_LANES];

    __host__ __device__ REAL &operator[](int i)
    {
        return value[i];
    }
    __host__ __device__ const REAL &operator[](int i) const
    {
        return value[i];
    }
};
#define PORTABLE_FOR_LANES_(i) for (int i = 0; i < REAL_LANES; i++)
#define PORTABLE_VECTOR_OPERATOR_(left, op, element)                                               \
    DEVICE REAL_VECTOR operator op(left, const REAL_VECTOR &w)                                     \
    {                                                                                              \
        REAL_VECTOR result;                                                                        \
        PORTABLE_FOR_LANES_(i) result[i] = element op w[i];                                        \
        return result;                                                                             \
    }
PORTABLE_VECTOR_OPERATOR_(const REAL_VECTOR &v, +, v[i])
PORTABLE_VECTOR_OPERATOR_(const REAL_VECTOR &v, -, v[i])
PORTABLE_VECTOR_OPERATOR_(const REAL_VECTOR &v, *, v[i])
PORTABLE_VECTOR_OPERATOR_(REAL a, *, a)
DEVICE REAL_VECTOR &operator+=(REAL_VECTOR &v, const REAL_VECTOR &w)
{
    PORTABLE_FOR_LANES_(i) v[i] += w[i];
    return v;
}
DEVICE REAL_VECTOR real_vector(const REAL *from)
{
    REAL_VECTOR v;
    PORTABLE_FOR_LANES_(i) v[i] = from[i];
    return v;
}

/* ==== CUDA: barriers and asynchronous copies ================================================== */

/* The barrier of cooperative_groups, whose header alone triples nvcc's time for a small file. In a
 * cooperative launch, environment registers 1 and 2 hold the address of two words, the second of
 * them the barrier; in any other launch they are zero. One thread of each block adds 1 to the
 * barrier, except that block 0 adds 2^31 - (blocks - 1): when the last block has arrived, the
 * highest bit has flipped and the others are as before, ready for the next barrier.
 * (docs/decisions/017-a-light-header.md) */
PORTABLE_DEVICE_ void portable_cuda_sync_grid_(void)
{
    unsigned low, high;
    unsigned long long workspace;
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.b64 %0, {%1, %2};" : "=l"(workspace) : "r"(low), "r"(high));
    if (!workspace)
        __trap();
    __syncthreads();
    if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
        const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
        const int first = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
        unsigned before, now;
        /* Release what the block has written; acquire what other blocks have. */
        asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                     : "=r"(before)
                     : "l"(workspace + 4), "r"(first ? 0x80000001u - blocks : 1u)
                     : "memory");
        do
            asm volatile("ld.acquire.gpu.u32 %0, [%1];"
                         : "=r"(now)
                         : "l"(workspace + 4)
                         : "memory");
        while (((before ^ now) & 0x80000000u) == 0);
    }
    __syncthreads();
}

template <unsigned bytes>
DEVICE void portable_cuda_copy_async_(bool condition, void *to, const void *from)
{
    static_assert(bytes == 4 || bytes == 8 || bytes == 16, PORTABLE_COPY_SENTENCE_);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const unsigned shared = (unsigned)__cvta_generic_to_shared(to), read = condition ? bytes : 0;
    if constexpr (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared),
                     "l"(__cvta_generic_to_global(from)), "r"(read)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared),
                     "l"(__cvta_generic_to_global(from)), "n"(bytes), "r"(read)
                     : "memory");
#else
    typedef unsigned word;
    for (unsigned i = 0; i < bytes / sizeof(word); i++)
        static_cast<word *>(to)[i] = condition ? static_cast<const word *>(from)[i] : 0;
#endif
}
PORTABLE_DEVICE_ void portable_cuda_copy_commit_()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int groups> PORTABLE_DEVICE_ void portable_cuda_copy_wait_()
{
    static_assert(groups >= 0 && groups <= 8, PORTABLE_WAIT_SENTENCE_);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
}

/* ==== CUDA: warps, collectives and fragments ================================================== */

/* The full mask also serves a last, partial warp: lanes that never existed count as exited. */

/* An operation as a type, an argument of templates. */
#define PORTABLE_OF_(op, type, suffix)                                                             \
    PORTABLE_DEVICE_ type of(type a, type b)                                                       \
    {                                                                                              \
        return portable_##op##_##suffix##_(a, b);                                                  \
    }
#define PORTABLE_OF_ADD_(type, suffix) PORTABLE_OF_(add, type, suffix)
#define PORTABLE_OF_MIN_(type, suffix) PORTABLE_OF_(min, type, suffix)
#define PORTABLE_OF_MAX_(type, suffix) PORTABLE_OF_(max, type, suffix)
struct portable_op_add_ {
    PORTABLE_FOR_WARP_TYPES_(PORTABLE_OF_ADD_)
};
struct portable_op_min_ {
    PORTABLE_FOR_WARP_TYPES_(PORTABLE_OF_MIN_)
};
struct portable_op_max_ {
    PORTABLE_FOR_WARP_TYPES_(PORTABLE_OF_MAX_)
};

/* Butterfly over the lanes that exist: with all 32 every lane ends with the result, otherwise only
 * lane 0 surely. The comparison folds away where the number of lanes is a constant 32. */
template <class Op, class T>
PORTABLE_DEVICE_ T portable_butterfly_(T value, unsigned lane, unsigned lanes)
{
#pragma unroll
    for (unsigned delta = WARP_SIZE / 2; delta > 0; delta /= 2) {
        const T other = __shfl_xor_sync(PORTABLE_ALL_LANES_, value, delta);
        if ((lane ^ delta) < lanes)
            value = Op::of(value, other);
    }
    return value;
}

/* Where the warps may be partial, lane 0 hands the result on. */
template <class Op, class Block, class T> PORTABLE_DEVICE_ T portable_warp_reduce_(T value)
{
    value = portable_butterfly_<Op>(value, Block::rank() % WARP_SIZE, Block::lanes());
    return Block::whole_warps ? value : __shfl_sync(PORTABLE_ALL_LANES_, value, 0);
}

/* Kogge-Stone: the inclusive scan of a warp. */
template <class T> PORTABLE_DEVICE_ T portable_warp_scan_(T value, unsigned lane)
{
#pragma unroll
    for (unsigned delta = 1; delta < WARP_SIZE; delta *= 2) {
        const T other = __shfl_up_sync(PORTABLE_ALL_LANES_, value, delta);
        if (lane >= delta)
            value = portable_op_add_::of(other, value);
    }
    return value;
}

/* The warps' results go through shared memory to the first warp, and the block's comes back. Two
 * barriers separate every write from the reads of this use and of the next one. */
template <class Op, class Block, class T> PORTABLE_DEVICE_ T portable_block_reduce_(T value)
{
    __shared__ T of_warp[WARP_SIZE], of_block;
    const unsigned rank = Block::rank(), lane = rank % WARP_SIZE, warp = rank / WARP_SIZE;
    const unsigned warps = (Block::size() + WARP_SIZE - 1) / WARP_SIZE;
    value = portable_butterfly_<Op>(value, lane, Block::lanes());
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) {
        const T all = portable_butterfly_<Op>(of_warp[lane < warps ? lane : 0], lane, warps);
        if (lane == 0)
            of_block = all;
    }
    __syncthreads();
    return of_block;
}

template <bool Inclusive, class Block, class T> PORTABLE_DEVICE_ T portable_block_scan_(T value)
{
    __shared__ T of_warp[WARP_SIZE], before_warp[WARP_SIZE];
    const unsigned rank = Block::rank(), lane = rank % WARP_SIZE, warp = rank / WARP_SIZE;
    const unsigned lanes = Block::lanes(), warps = (Block::size() + WARP_SIZE - 1) / WARP_SIZE;
    const T inclusive = portable_warp_scan_(value, lane);
    if (lane == lanes - 1)
        of_warp[warp] = inclusive;
    __syncthreads();
    if (warp == 0) {
        const T through = portable_warp_scan_(of_warp[lane < warps ? lane : 0], lane);
        if (lane < WARP_SIZE - 1)
            before_warp[lane + 1] = through;
    }
    __syncthreads();
    T result = inclusive;
    if (!Inclusive) {
        result = __shfl_up_sync(PORTABLE_ALL_LANES_, inclusive, 1);
        if (lane == 0)
            return warp == 0 ? T(0) : before_warp[warp];
    }
    return warp == 0 ? result : portable_op_add_::of(before_warp[warp], result);
}

#define PORTABLE_CUDA_COLLECT_(function, operation, dst, src)                                      \
    ((void)(dst = function<operation, decltype(portable_scope_)>(src)))

/* A lane's share of a fragment, in registers; which lane holds which element is unspecified.
 *
 * The compiler's built-in functions, which mma.h calls too. Unlike inline assembly they become
 * loads from shared or global memory where the compiler can infer which. Their layout argument is 0
 * for row-major; the last argument of the product is 0 for no saturation. */
#define PORTABLE_FRAGMENT_(kind, item, filled, type, load)                                         \
    struct portable_fragment_##kind##_ {                                                           \
        item value[8];                                                                             \
    };                                                                                             \
    PORTABLE_DEVICE_ void portable_fragment_fill_(portable_fragment_##kind##_ &fragment,           \
                                                  float number)                                    \
    {                                                                                              \
        const item all = filled(number);                                                           \
        for (int i = 0; i < 8; i++)                                                                \
            fragment.value[i] = all;                                                               \
    }                                                                                              \
    PORTABLE_DEVICE_ void portable_fragment_load_(portable_fragment_##kind##_ &fragment,           \
                                                  const type *from, unsigned stride)               \
    {                                                                                              \
        PORTABLE_ON_DEVICE_(load(fragment.value, (const item *)from, stride, 0), (void)0);         \
    }
/* Two halves of that value. */
PORTABLE_DEVICE_ int portable_pair_(float number)
{
    const int bits = half_to_bits(float_to_half(number));
    return bits << 16 | bits;
}
PORTABLE_FRAGMENT_(a, int, portable_pair_, half, __hmma_m16n16k16_ld_a)
PORTABLE_FRAGMENT_(b, int, portable_pair_, half, __hmma_m16n16k16_ld_b)
PORTABLE_FRAGMENT_(c, float, , float, __hmma_m16n16k16_ld_c_f32)
PORTABLE_DEVICE_ void portable_fragment_multiply_add_(portable_fragment_c_ &d,
                                                      const portable_fragment_a_ &a,
                                                      const portable_fragment_b_ &b,
                                                      const portable_fragment_c_ &c)
{
    PORTABLE_ON_DEVICE_(__hmma_m16n16k16_mma_f32f32(d.value, a.value, b.value, c.value, 0, 0),
                        (void)0);
}
PORTABLE_DEVICE_ void portable_fragment_store_(float *to, const portable_fragment_c_ &fragment,
                                               unsigned stride)
{
    PORTABLE_ON_DEVICE_(__hmma_m16n16k16_st_c_f32(to, fragment.value, stride, 0), (void)0);
}

/* ==== CUDA: atomics =========================================================================== */

/* A value as the word that the hardware compares and swaps, and back. */
template <class T>
using portable_word_ = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
template <class To, class From> PORTABLE_DEVICE_ To portable_bits_(From from)
{
    static_assert(sizeof(To) == sizeof(From), "a value and its word have one size");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

/* The compare-and-swap of a type, and an operation as a loop around it. */
template <bool Block, class T> PORTABLE_DEVICE_ T portable_cas_(T *pointer, T compare, T value)
{
    typedef portable_word_<T> word;
    word *const at = reinterpret_cast<word *>(pointer);
    const word expected = portable_bits_<word>(compare), desired = portable_bits_<word>(value);
    return portable_bits_<T>(Block ? atomicCAS_block(at, expected, desired)
                                   : atomicCAS(at, expected, desired));
}
template <bool Block, class T, class Operation>
PORTABLE_DEVICE_ T portable_cas_loop_(T *pointer, T value, Operation operation)
{
    typedef portable_word_<T> word;
    T old = *pointer, assumed;
    do {
        assumed = old;
        old = portable_cas_<Block>(pointer, assumed, operation(assumed, value));
    } while (portable_bits_<word>(old) != portable_bits_<word>(assumed));
    return old;
}

/* Both scopes of an operation, native or by the loop. */
#define PORTABLE_ATOMIC_OF_(name, type, plain, device)                                             \
    DEVICE type portable_atomic_##name##_(type *pointer, type value)                               \
    {                                                                                              \
        return PORTABLE_ON_DEVICE_(device, (plain(pointer, value)));                               \
    }
#define PORTABLE_ATOMIC_(op, type, suffix, device, device_block)                                   \
    PORTABLE_ATOMIC_OF_(op, type, portable_plain_##op##_##suffix##_, device)                       \
    PORTABLE_ATOMIC_OF_(op##_block, type, portable_plain_##op##_##suffix##_, device_block)
#define PORTABLE_BY_CAS_(op, type, suffix)                                                         \
    PORTABLE_ATOMIC_(op, type, suffix,                                                             \
                     (portable_cas_loop_<false>(pointer, value, portable_##op##_##suffix##_)),     \
                     (portable_cas_loop_<true>(pointer, value, portable_##op##_##suffix##_)))
#define PORTABLE_NATIVE_(op, function, operand, type, suffix)                                      \
    PORTABLE_ATOMIC_(op, type, suffix, (function(pointer, operand)),                               \
                     (function##_block(pointer, operand)))

#if PORTABLE_ATOMICS_CAS
PORTABLE_FOR_ATOMICS_(PORTABLE_BY_CAS_)
#else
PORTABLE_FOR_NUMBERS_(PORTABLE_NATIVE_, add, atomicAdd, value)
/* a - b is a + -b in both number systems: modular, and IEEE 754. */
PORTABLE_FOR_NUMBERS_(PORTABLE_NATIVE_, sub, atomicAdd, -value)
PORTABLE_FOR_INTEGERS_(PORTABLE_NATIVE_, min, atomicMin, value)
PORTABLE_FOR_REALS_(PORTABLE_BY_CAS_, min)
PORTABLE_FOR_INTEGERS_(PORTABLE_NATIVE_, max, atomicMax, value)
PORTABLE_FOR_REALS_(PORTABLE_BY_CAS_, max)
PORTABLE_FOR_INTEGERS_(PORTABLE_NATIVE_, exchange, atomicExch, value)
PORTABLE_NATIVE_(exchange, atomicExch, value, float, float)
PORTABLE_BY_CAS_(exchange, double, double)
PORTABLE_FOR_INTEGERS_(PORTABLE_NATIVE_, bit_and, atomicAnd, value)
PORTABLE_FOR_INTEGERS_(PORTABLE_NATIVE_, bit_or, atomicOr, value)
PORTABLE_FOR_INTEGERS_(PORTABLE_NATIVE_, bit_xor, atomicXor, value)
PORTABLE_NATIVE_(inc, atomicInc, value, unsigned, uint)
PORTABLE_BY_CAS_(inc, unsigned long long, ull)
PORTABLE_NATIVE_(dec, atomicDec, value, unsigned, uint)
PORTABLE_BY_CAS_(dec, unsigned long long, ull)
#endif
#define PORTABLE_CAS_(name, of_block, type, suffix)                                                \
    DEVICE type portable_atomic_##name##_(type *pointer, type compare, type value)                 \
    {                                                                                              \
        return PORTABLE_ON_DEVICE_(portable_cas_<of_block>(pointer, compare, value),               \
                                   (portable_plain_cas_##suffix##_(pointer, compare, value)));     \
    }
PORTABLE_FOR_NUMBERS_(PORTABLE_CAS_, cas, false)
PORTABLE_FOR_NUMBERS_(PORTABLE_CAS_, cas_block, true)

/* Loads and stores of the device's scope. Before compute capability 7.0 the volatile ones are. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define PORTABLE_LOAD_WORD_(bits, kind) word = *(const volatile portable_word_<T> *)pointer
#define PORTABLE_STORE_WORD_(bits, kind) *(volatile portable_word_<T> *)pointer = word
#else
#define PORTABLE_LOAD_WORD_(bits, kind)                                                            \
    asm volatile("ld.relaxed.gpu.u" #bits " %0, [%1];" : "=" kind(word) : "l"(pointer) : "memory")
#define PORTABLE_STORE_WORD_(bits, kind)                                                           \
    asm volatile("st.relaxed.gpu.u" #bits " [%0], %1;" ::"l"(pointer), kind(word) : "memory")
#endif
template <class T> PORTABLE_DEVICE_ T portable_load_(const T *pointer)
{
    portable_word_<T> word;
    if constexpr (sizeof word == 8)
        PORTABLE_LOAD_WORD_(64, "l");
    else
        PORTABLE_LOAD_WORD_(32, "r");
    return portable_bits_<T>(word);
}
template <class T> PORTABLE_DEVICE_ void portable_store_(T *pointer, T value)
{
    const auto word = portable_bits_<portable_word_<T>>(value);
    if constexpr (sizeof word == 8)
        PORTABLE_STORE_WORD_(64, "l");
    else
        PORTABLE_STORE_WORD_(32, "r");
}
#define PORTABLE_LOAD_STORE_(op, type, suffix)                                                     \
    DEVICE type portable_atomic_load_(const type *pointer)                                         \
    {                                                                                              \
        return PORTABLE_ON_DEVICE_(portable_load_(pointer), portable_load_##suffix##_(pointer));   \
    }                                                                                              \
    DEVICE void portable_atomic_store_(type *pointer, type value)                                  \
    {                                                                                              \
        PORTABLE_ON_DEVICE_(portable_store_(pointer, value),                                       \
                            portable_store_##suffix##_(pointer, value));                           \
    }
PORTABLE_FOR_NUMBERS_(PORTABLE_LOAD_STORE_, load_store)

/* ==== CUDA: launches ========================================================================== */

/* PORTABLE_SYNC in the environment: 0 not read yet, 1 off, 2 on. */
PORTABLE_WEAK_ int portable_sync_;

/* The status of a launch with this error, or with that of <<<>>>. CUDA calls a launch's arguments
 * "invalid values" when they exceed the kernel's own bounds. */
PORTABLE_OUT_OF_LINE_ portable_status portable_launch_end_(cudaError_t error)
{
    if (error == cudaSuccess)
        error = cudaGetLastError();
    int sync = __atomic_load_n(&portable_sync_, __ATOMIC_RELAXED);
    if (sync == 0) {
        const char *const value = getenv("PORTABLE_SYNC");
        sync = value && value[0] != '\0' && strcmp(value, "0") != 0 ? 2 : 1;
        __atomic_store_n(&portable_sync_, sync, __ATOMIC_RELAXED);
    }
    if (sync == 2 && error == cudaSuccess) {
        error = cudaDeviceSynchronize();
        cudaGetLastError();
    }
    portable_status status = PORTABLE_SUCCESS;
    if (error != cudaSuccess) {
        char call[128];
        snprintf(call, sizeof call, "kernel %s", portable_launch_.kernel);
        status = portable_from_cuda_(error, call);
        if (status == PORTABLE_ERROR_INVALID_VALUE)
            status = portable_failure_.status = PORTABLE_ERROR_INVALID_LAUNCH;
    }
    portable_launch_.kernel = NULL;
    return portable_launch_result_(status);
}

#define PORTABLE_CUDA_LAUNCH_(name, grid_, block_, bytes, stream_, ...)                            \
    (portable_launch_begin_(#name, PORTABLE_BLOCK_LIMIT_, portable_extents_(grid_),                \
                            portable_extents_(block_), (bytes), (stream_), 0)                      \
         ? (name<<<portable_launch_.grid, portable_launch_.block, portable_launch_.shared_bytes,   \
                   portable_launch_.stream>>>(__VA_ARGS__),                                        \
            portable_launch_end_(cudaSuccess))                                                     \
         : portable_launch_refused_())

/* Occupancy is asked for once per kernel, and again after portable_device_select. */
template <class Kernel>
static inline int portable_launch_auto_(const char *name, Kernel *kernel, unsigned long long n)
{
    struct portable_kernel_record_ record = portable_kernel_record_(name);
    int device = 0, grid = 0, block = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess && (record.auto_block == 0 || record.auto_device != device)) {
        error = cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel);
        record.auto_grid = (unsigned)grid;
        record.auto_block = (unsigned)block;
        record.auto_device = device;
        if (error == cudaSuccess && portable_kernel_store_(&record) != PORTABLE_SUCCESS)
            return 0;
    }
    if (error != cudaSuccess)
        return portable_from_cuda_(error, name), 0;
    return portable_launch_begin_(name, PORTABLE_BLOCK_LIMIT_, portable_auto_grid_(n, &record),
                                  DIM3(record.auto_block, 1, 1), 0, 0, 0);
}
#define PORTABLE_CUDA_LAUNCH_AUTO_(name, n, ...)                                                   \
    (portable_launch_auto_(#name, name, portable_elements_(n))                                     \
         ? (name<<<portable_launch_.grid, portable_launch_.block>>>(__VA_ARGS__),                  \
            portable_launch_end_(cudaSuccess))                                                     \
         : portable_launch_refused_())

/* Refuses, with the number of blocks that would fit, what cannot be resident at once. */
template <class... Parameters, class... Arguments>
static inline portable_status portable_launch_cooperative_(void (*kernel)(Parameters...),
                                                           Arguments &&...arguments)
{
    const struct portable_launch_ *const launch = &portable_launch_;
    const int threads = (int)(launch->block.x * launch->block.y * launch->block.z);
    int device = 0, multiprocessors = 0, per_multiprocessor = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, threads,
                                                              launch->shared_bytes);
    if (error == cudaSuccess) {
        const unsigned long long fit = (unsigned long long)multiprocessors * per_multiprocessor;
        const unsigned long long blocks =
            (unsigned long long)launch->grid.x * launch->grid.y * launch->grid.z;
        if (blocks > fit) {
            portable_refuse_("%llu blocks cannot be resident at once; %llu fit on this device",
                             blocks, fit);
            return portable_launch_refused_();
        }
        cudaLaunchAttribute cooperative;
        cooperative.id = cudaLaunchAttributeCooperative;
        cooperative.val.cooperative = 1;
        const cudaLaunchConfig_t config = {launch->grid,   launch->block, launch->shared_bytes,
                                           launch->stream, &cooperative,  1};
        error = cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
    }
    return portable_launch_end_(error);
}
#define PORTABLE_CUDA_LAUNCH_COOPERATIVE_(name, grid, block, shared_bytes, stream, ...)            \
    (portable_launch_begin_(#name, PORTABLE_BLOCK_LIMIT_, portable_extents_(grid),                 \
                            portable_extents_(block), (shared_bytes), (stream), 1)                 \
         ? portable_launch_cooperative_(name, ##__VA_ARGS__)                                       \
         : portable_launch_refused_())

#define PORTABLE_CUDA_OCCUPANCY_(name, block, shared_bytes, blocks)                                \
    portable_occupancy_(#name, name, PORTABLE_BLOCK_LIMIT_, portable_extents_(block),              \
                        (shared_bytes), (blocks))

#if defined(__CUDACC_RDC__)
PORTABLE_DEVICE_ portable_status portable_cuda_device_launched_()
{
    const cudaError_t error = cudaGetLastError();
#if PORTABLE_CHECKS
    if (error != cudaSuccess)
        __assert_fail("a child kernel can be launched", __FILE__, __LINE__, "DEVICE_LAUNCH");
#endif
    return error == cudaSuccess ? PORTABLE_SUCCESS : PORTABLE_ERROR_INVALID_LAUNCH;
}
#endif

#endif

/* ==== Host runtime: device memory ============================================================= */

/* The status of a CUDA call; on the CPU, the other expression. */
#if PORTABLE_TARGET_CUDA
#define PORTABLE_CUDA_OR_(call, cuda, cpu) portable_from_cuda_(cuda, call)
#else
#define PORTABLE_CUDA_OR_(call, cuda, cpu) ((void)(call), cpu)
#endif

#if !PORTABLE_KERNELS_EMULATE_
#define PORTABLE_MEMORY_(event, memory, bytes) (void)0
#define portable_copy_row_(from_device, to_device, to, from, bytes) memmove(to, from, bytes)
#endif

/* What the table holds. The first two are also the answers to whether memory is the host's; the
 * last two, and the tag, belong to the CUDA runtime for CPUs (host/cudart). */
enum {
    PORTABLE_DEVICE_MEMORY_ = 0,
    PORTABLE_HOST_MEMORY_ = 1,
    PORTABLE_TEXTURE_ = 2,
    PORTABLE_MANAGED_MEMORY_ = 3,
    PORTABLE_REGISTERED_MEMORY_ = 4
};
struct portable_allocation_ {
    char *base;   /* of a texture, its handle, which is no address on CUDA */
    size_t bytes; /* 0: freed */
    int kind;
    unsigned tag;
    int guarded;
};
/* Memory, sorted by address, then textures, sorted by handle. Freed entries stay where they are
 * until they are reused, or until they are more than half of the table. */
struct portable_table_ {
    struct portable_allocation_ *entries;
    size_t count, freed, capacity;
    size_t next; /* whose turn it is to be verified */
    char lock;
};
PORTABLE_WEAK_ struct portable_table_ portable_table_;

/* The number of entries up to the address or, of textures, the handle. Called under the lock. */
static inline size_t portable_table_below_(const void *base, int is_texture)
{
    size_t low = 0, high = portable_table_.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct portable_allocation_ *const entry = &portable_table_.entries[middle];
        const int follows = (entry->kind == PORTABLE_TEXTURE_) - is_texture;
        if (follows < 0 || (follows == 0 && (size_t)entry->base <= (size_t)base))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The live allocation that contains the address; bytes is 0 without one. */
static inline struct portable_allocation_ portable_allocation_of_(const void *address)
{
    struct portable_allocation_ found = {NULL, 0, PORTABLE_DEVICE_MEMORY_, 0, 0};
    portable_lock_(&portable_table_.lock);
    size_t k = portable_table_below_(address, 0);
    while (k > 0 && portable_table_.entries[k - 1].bytes == 0)
        k--;
    if (k > 0 && (size_t)((const char *)address - portable_table_.entries[k - 1].base) <
                     portable_table_.entries[k - 1].bytes)
        found = portable_table_.entries[k - 1];
    portable_unlock_(&portable_table_.lock);
    return found;
}

/* Called under the lock; a launch reads the count without it. */
static inline void portable_table_resize_(size_t count)
{
    __atomic_store_n(&portable_table_.count, count, __ATOMIC_RELAXED);
}

/* The place of a new entry, or NULL without memory: a freed one beside it, or one that the entries
 * behind it make room for. Called under the lock. */
static inline struct portable_allocation_ *portable_table_place_(const void *base, int is_texture)
{
    struct portable_table_ *const table = &portable_table_;
    const size_t at = portable_table_below_(base, is_texture);
    if (table->freed > 0) {
        const size_t nearest = at > 0 && table->entries[at - 1].bytes == 0 ? at - 1 : at;
        if (nearest < table->count && table->entries[nearest].bytes == 0) {
            table->freed--;
            return &table->entries[nearest];
        }
    }
    if (table->count == table->capacity) {
        const size_t capacity = table->capacity ? 2 * table->capacity : 16;
        void *const grown = realloc(table->entries, capacity * sizeof *table->entries);
        if (!grown)
            return NULL;
        table->entries = (struct portable_allocation_ *)grown;
        table->capacity = capacity;
    }
    memmove(table->entries + at + 1, table->entries + at,
            (table->count - at) * sizeof *table->entries);
    portable_table_resize_(table->count + 1);
    return &table->entries[at];
}

static inline portable_status portable_table_insert_(void *base, size_t bytes, int kind,
                                                     unsigned tag, int guarded)
{
    const struct portable_allocation_ added = {(char *)base, bytes, kind, tag, guarded};
    portable_lock_(&portable_table_.lock);
    struct portable_allocation_ *const place =
        portable_table_place_(base, kind == PORTABLE_TEXTURE_);
    if (place)
        *place = added;
    portable_unlock_(&portable_table_.lock);
    return place ? PORTABLE_SUCCESS
                 : PORTABLE_NO_MEMORY_("no host memory to note an allocation of %zu bytes", bytes);
}

/* The allocation of that kind that starts at base, or NULL. Called under the lock. */
static inline struct portable_allocation_ *portable_table_find_(const void *base, int kind)
{
    const size_t k = portable_table_below_(base, kind == PORTABLE_TEXTURE_);
    struct portable_allocation_ *const entry = k > 0 ? &portable_table_.entries[k - 1] : NULL;
    return entry && entry->base == (const char *)base && entry->kind == kind && entry->bytes > 0
               ? entry
               : NULL;
}

/* Removes the allocation of that kind that starts at base; 0 when there is none. */
static inline int portable_table_remove_(const void *base, int kind)
{
    struct portable_table_ *const table = &portable_table_;
    portable_lock_(&table->lock);
    struct portable_allocation_ *const entry = portable_table_find_(base, kind);
    const int removed = entry != NULL;
    if (entry) {
        entry->bytes = 0;
        table->freed++;
    }
    if (table->freed > table->count / 2) {
        size_t live = 0;
        for (size_t from = 0; from < table->count; from++)
            if (table->entries[from].bytes > 0)
                table->entries[live++] = table->entries[from];
        portable_table_resize_(live);
        table->freed = 0;
    }
    if (table->count == 0) {
        free(table->entries);
        table->entries = NULL;
        table->capacity = 0;
    }
    portable_unlock_(&table->lock);
    return removed;
}

static inline void portable_memory_in_use(size_t *bytes, size_t *allocations)
{
    size_t total = 0, count = 0;
    portable_lock_(&portable_table_.lock);
    for (size_t k = 0; k < portable_table_.count; k++)
        /* On the CPU a texture's texels are device memory. */
        if (portable_table_.entries[k].bytes > 0 &&
            (portable_table_.entries[k].kind == PORTABLE_DEVICE_MEMORY_ ||
             (PORTABLE_TARGET_CUDA && portable_table_.entries[k].kind == PORTABLE_TEXTURE_))) {
            total += portable_table_.entries[k].bytes;
            count++;
        }
    portable_unlock_(&portable_table_.lock);
    if (bytes)
        *bytes = total;
    if (allocations)
        *allocations = count;
}

#if !PORTABLE_TARGET_CUDA
static inline int portable_has_arrays_(void)
{
    return __atomic_load_n(&portable_table_.count, __ATOMIC_RELAXED) > 0;
}
/* Verifies so many bytes of each guard of an allocation. If they have changed, that is the failure
 * of the kernel, or of an unknown one for NULL, and they are filled again. */
PORTABLE_INLINE_ portable_status portable_verify_one_(const struct portable_allocation_ *found,
                                                      const char *kernel, size_t width)
{
    if (!found->guarded || found->bytes == 0 ||
        portable_guards_hold_(found->base, found->bytes, width))
        return PORTABLE_SUCCESS;
    const portable_status status = portable_guard_broken_(kernel, NULL, found->base, found->bytes);
    portable_guards_fill_(found->base, found->bytes);
    return status;
}
/* Of many arrays a few are verified in turn, so that a launch costs no more in a program that has
 * thousands of them. Then it is not known which kernel wrote there. */
PORTABLE_OUT_OF_LINE_ portable_status portable_verify_(const char *kernel)
{
    enum { ALL = 32, SOME = 4 };
    struct portable_table_ *const table = &portable_table_;
    portable_status status = PORTABLE_SUCCESS;
    portable_lock_(&table->lock);
    const size_t count = table->count;
    const int all = count <= ALL;
    size_t at = all || table->next >= count ? 0 : table->next;
    for (size_t left = all ? count : (size_t)SOME; left > 0; left--) {
        const struct portable_allocation_ *const entry = &table->entries[at];
        const portable_status one =
            kernel ? portable_verify_one_(entry, all ? kernel : NULL, PORTABLE_NEAR_)
                   : portable_verify_one_(entry, NULL, PORTABLE_GUARD_);
        if (one != PORTABLE_SUCCESS)
            status = one;
        at = at + 1 < count ? at + 1 : 0;
    }
    table->next = at;
    portable_unlock_(&table->lock);
    return status;
}
#endif

/* What the pointer points to must itself be a pointer, of this size. */
#if defined(__cplusplus)
template <class T> T *portable_target_(T **pointer);
#define PORTABLE_POINTER_SIZE_(pointer) sizeof portable_target_(pointer)
#else
#define PORTABLE_POINTER_SIZE_(pointer)                                                            \
    (sizeof *pointer +                                                                             \
     (size_t)PORTABLE_RULE_(__builtin_classify_type(*pointer) == __builtin_classify_type(NULL),    \
                            "the first argument is the address of a pointer: &x"))
#endif
#define PORTABLE_MALLOC_(name, pointer, bytes)                                                     \
    portable_allocate_("portable_malloc", name, PORTABLE_DEVICE_MEMORY_, pointer,                  \
                       PORTABLE_POINTER_SIZE_(pointer), 0, NULL, bytes, 1)
#define PORTABLE_MALLOC_HOST_(pointer, bytes)                                                      \
    portable_allocate_("portable_malloc_host", NULL, PORTABLE_HOST_MEMORY_, pointer,               \
                       PORTABLE_POINTER_SIZE_(pointer), 0, NULL, bytes, 1)
#define PORTABLE_MALLOC_PITCH_(name, pointer, pitch, width, height)                                \
    portable_allocate_("portable_malloc_pitch", name, PORTABLE_DEVICE_MEMORY_, pointer,            \
                       PORTABLE_POINTER_SIZE_(pointer), 1, PORTABLE_RESULT_(size_t, pitch), width, \
                       height)

#if !PORTABLE_TARGET_CUDA && defined(__linux__)
/* Asks for large pages, which Linux may give, before anything is written: a kernel that walks
 * memory waits for the page tables less. -std=c11 hides the declaration and the advice's name. */
enum { PORTABLE_MADV_HUGEPAGE_ = 14 };
#if PORTABLE_CPP_
#include <sys/mman.h> /* madvise */
#else
extern int madvise(void *memory, size_t bytes, int advice);
#endif
static inline void portable_large_pages_(void *memory, size_t bytes)
{
    const size_t page = (size_t)1 << 21;
    const size_t before = (page - (size_t)memory % page) % page;
    if (bytes >= before + page)
        madvise((char *)memory + before, (bytes - before) / page * page, PORTABLE_MADV_HUGEPAGE_);
}
#else
#define portable_large_pages_(memory, bytes) ((void)0)
#endif

/* Gives memory back to where it came from. */
static inline portable_status portable_deallocate_(const char *call, void *memory, int kind)
{
    const int pinned = kind == PORTABLE_HOST_MEMORY_;
    return PORTABLE_CUDA_OR_(
        call, pinned ? cudaFreeHost(memory) : cudaFree(memory),
        ((pinned ? portable_aligned_free_ : portable_guarded_free_)(memory), PORTABLE_SUCCESS));
}

/* Every allocation: `height` rows of `width` bytes, one row unless it is pitched. Sets the pointer
 * to NULL first, and the pitch to 0. `expression` names the array, or is NULL. */
static inline portable_status portable_allocate_(const char *call, const char *expression, int kind,
                                                 void *pointer, size_t pointer_size, int pitched,
                                                 size_t *pitch, size_t width, size_t height)
{
    const int pinned = kind == PORTABLE_HOST_MEMORY_;
    void *memory = NULL;
    (void)expression;
    if (!pointer || pointer_size != sizeof memory)
        return PORTABLE_INVALID_("%s takes the address of a pointer", call);
    memcpy(pointer, &memory, sizeof memory);
    if (pitched && !pitch)
        return PORTABLE_INVALID_("%s: no place for the pitch", call);
    if (pitched)
        *pitch = 0;
    if (pitched &&
        (width > (size_t)-1 - 511 || (width && height > (size_t)-1 / ((width + 511) / 512 * 512))))
        return PORTABLE_INVALID_("%s: %zu rows of %zu bytes overflow", call, height, width);
    if (width == 0 || height == 0)
        return PORTABLE_SUCCESS;
    size_t stride = pitched ? (width + 511) / 512 * 512 : width;
#if PORTABLE_TARGET_CUDA
    const cudaError_t error = pinned    ? cudaMallocHost(&memory, width)
                              : pitched ? cudaMallocPitch(&memory, &stride, width, height)
                                        : cudaMalloc(&memory, width);
    if (error != cudaSuccess) {
        cudaGetLastError();
        if (error != cudaErrorMemoryAllocation)
            return portable_from_cuda_(error, call);
        memory = NULL;
    } else if (PORTABLE_CHECKS && !pinned)
        cudaMemset(memory, 0xff, stride * height);
#else
    if (stride <= (size_t)-1 / 2 / height) /* no object is larger */
        memory = pinned ? portable_aligned_(256, stride * height)
                        : portable_guarded_(256, stride * height, expression);
#endif
    const size_t bytes = stride * height;
    if (!memory)
        return PORTABLE_NO_MEMORY_("cannot allocate %zu bytes of %s", bytes,
                                   pinned ? "pinned host memory" : "device memory");
    if (!pinned)
        portable_large_pages_(memory, bytes);
    if (!PORTABLE_TARGET_CUDA || (PORTABLE_CHECKS && pinned))
        memset(memory, 0xff, bytes);
    const portable_status status =
        portable_table_insert_(memory, bytes, kind, 0, !pinned && portable_has_guards_());
    if (status != PORTABLE_SUCCESS) {
        portable_deallocate_(call, memory, kind);
        return status;
    }
    memcpy(pointer, &memory, sizeof memory);
    if (pitched)
        *pitch = stride;
    if (!pinned) {
        PORTABLE_EMULATE_(portable_emulate_name_(expression);)
        PORTABLE_MEMORY_(NEW, memory, bytes);
    }
    return PORTABLE_SUCCESS;
}

PORTABLE_OUT_OF_LINE_ portable_status portable_release_(const char *call, void *pointer, int kind)
{
    if (!pointer)
        return PORTABLE_SUCCESS;
    const struct portable_allocation_ found = portable_allocation_of_(pointer);
    if (!portable_table_remove_(pointer, kind)) {
        const int other = found.bytes > 0 && found.kind != kind;
        return portable_fail_(
            PORTABLE_ERROR_INVALID_FREE,
            kind == PORTABLE_DEVICE_MEMORY_
                ? other ? "portable_free: %p is host memory from portable_malloc_host: "
                          "portable_free_host frees it"
                        : "%p is not the start of a live device allocation"
            : other ? "portable_free_host: %p is device memory: portable_free frees it"
                    : "%p is not the start of a live allocation of portable_malloc_host",
            pointer);
    }
    if (kind == PORTABLE_DEVICE_MEMORY_)
        PORTABLE_MEMORY_(FREE, pointer, 0);
    const portable_status held = portable_verify_one_(&found, NULL, PORTABLE_GUARD_);
    const portable_status freed = portable_deallocate_(call, pointer, kind);
    return freed != PORTABLE_SUCCESS ? freed : portable_launch_result_(held);
}
static inline portable_status portable_free(void *pointer)
{
    return portable_release_(__func__, pointer, PORTABLE_DEVICE_MEMORY_);
}
static inline portable_status portable_free_host(void *pointer)
{
    return portable_release_(__func__, pointer, PORTABLE_HOST_MEMORY_);
}

/* A rectangle in memory: `height` rows of `width` bytes, `pitch` bytes from one to the next. */
static inline portable_status portable_extent_(const char *call, size_t pitch, size_t width,
                                               size_t height, size_t *bytes)
{
    *bytes = 0;
    if (width == 0 || height == 0)
        return PORTABLE_SUCCESS;
    if (pitch < width)
        return PORTABLE_INVALID_("%s: a pitch of %zu bytes is less than the width of %zu", call,
                                 pitch, width);
    if (height - 1 > ((size_t)-1 - width) / pitch)
        return PORTABLE_INVALID_("%s: the size overflows", call);
    *bytes = (height - 1) * pitch + width;
    return PORTABLE_SUCCESS;
}

/* Checks that [pointer, pointer + bytes) is memory of that kind, device or host, and that an
 * allocation in the table does not end before it. Not inline and not const: gcc would else say that
 * a destination, which no one has written yet, is used uninitialized. */
PORTABLE_OUT_OF_LINE_ portable_status portable_side_check_(const char *call, const char *role,
                                                           int kind, void *pointer, size_t bytes)
{
    const struct portable_allocation_ found = portable_allocation_of_(pointer);
    if (found.bytes > 0 && found.kind == kind) {
        const size_t offset = (size_t)((const char *)pointer - found.base);
        if (bytes <= found.bytes - offset)
            return portable_launch_result_(portable_verify_one_(&found, NULL, PORTABLE_GUARD_));
        return portable_fail_(PORTABLE_ERROR_OUT_OF_RANGE,
                              "%s: %zu bytes from byte %zu of the %s, which has %zu", call, bytes,
                              offset, role, found.bytes);
    }
    if (kind == PORTABLE_HOST_MEMORY_)
        return pointer && found.bytes == 0
                   ? PORTABLE_SUCCESS
                   : portable_fail_(PORTABLE_ERROR_NOT_HOST_MEMORY, "%s: the %s, %p, is %s", call,
                                    role, pointer, pointer ? "device memory" : "NULL");
#if PORTABLE_TARGET_CUDA
    /* Memory that another library allocated is not in the table; CUDA knows its kind. */
    struct cudaPointerAttributes attributes;
    if (pointer && cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess &&
        (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged))
        return PORTABLE_SUCCESS;
    cudaGetLastError();
#endif
    return portable_fail_(PORTABLE_ERROR_NOT_DEVICE_MEMORY,
                          "%s: the %s, %p, is not (or no longer) device memory", call, role,
                          pointer);
}

/* With the values of enum cudaMemcpyKind. */
enum portable_direction_ { PORTABLE_TO_DEVICE_ = 1, PORTABLE_TO_HOST_, PORTABLE_ON_DEVICE_ONLY_ };

/* Every copy: `height` rows of `width` bytes, each a pitch after the one before; it has completed
 * on return if there is no stream. */
static inline portable_status portable_copy_(const char *call, enum portable_direction_ direction,
                                             void *to, size_t to_pitch, const void *from,
                                             size_t from_pitch, size_t width, size_t height,
                                             const portable_stream *stream)
{
    size_t to_bytes, from_bytes;
    portable_status status = portable_extent_(call, to_pitch, width, height, &to_bytes);
    if (status == PORTABLE_SUCCESS)
        status = portable_extent_(call, from_pitch, width, height, &from_bytes);
    if (status == PORTABLE_SUCCESS && direction == PORTABLE_TO_HOST_)
        status = portable_failure_.launch;
    if (status != PORTABLE_SUCCESS || to_bytes == 0)
        return status;
    status =
        portable_side_check_(call, "destination", direction == PORTABLE_TO_HOST_, to, to_bytes);
    if (status == PORTABLE_SUCCESS)
        status = portable_side_check_(call, "source", direction == PORTABLE_TO_DEVICE_,
                                      (void *)from, from_bytes);
    if (status != PORTABLE_SUCCESS)
        return status;
#if PORTABLE_TARGET_CUDA
    const enum cudaMemcpyKind kind = (enum cudaMemcpyKind)direction;
    cudaError_t error;
    if (stream)
        error = height == 1 ? cudaMemcpyAsync(to, from, width, kind, *stream)
                            : cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind,
                                                *stream);
    else
        error = height == 1 ? cudaMemcpy(to, from, width, kind)
                            : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
    return portable_from_cuda_(error, call);
#else
    (void)stream;
    for (size_t row = 0; row < height; row++)
        portable_copy_row_(direction != PORTABLE_TO_DEVICE_, direction != PORTABLE_TO_HOST_,
                           (char *)to + row * to_pitch, (const char *)from + row * from_pitch,
                           width);
    return PORTABLE_SUCCESS;
#endif
}

/* The four functions of a direction. */
#define PORTABLE_COPIES_(name, direction)                                                          \
    static inline portable_status name(void *to, const void *from, size_t bytes)                   \
    {                                                                                              \
        return portable_copy_(__func__, direction, to, bytes, from, bytes, bytes, 1, NULL);        \
    }                                                                                              \
    static inline portable_status name##_async(void *to, const void *from, size_t bytes,           \
                                               portable_stream stream)                             \
    {                                                                                              \
        return portable_copy_(__func__, direction, to, bytes, from, bytes, bytes, 1, &stream);     \
    }                                                                                              \
    static inline portable_status name##_2d(void *to, size_t to_pitch, const void *from,           \
                                            size_t from_pitch, size_t width, size_t height)        \
    {                                                                                              \
        return portable_copy_(__func__, direction, to, to_pitch, from, from_pitch, width, height,  \
                              NULL);                                                               \
    }                                                                                              \
    static inline portable_status name##_2d_async(void *to, size_t to_pitch, const void *from,     \
                                                  size_t from_pitch, size_t width, size_t height,  \
                                                  portable_stream stream)                          \
    {                                                                                              \
        return portable_copy_(__func__, direction, to, to_pitch, from, from_pitch, width, height,  \
                              &stream);                                                            \
    }
PORTABLE_COPIES_(portable_copy_to_device, PORTABLE_TO_DEVICE_)
PORTABLE_COPIES_(portable_copy_to_host, PORTABLE_TO_HOST_)
PORTABLE_COPIES_(portable_copy_on_device, PORTABLE_ON_DEVICE_ONLY_)

static inline portable_status portable_memset_async(void *device, int value, size_t bytes,
                                                    portable_stream stream)
{
    const char *const call = "portable_memset";
    portable_status status = PORTABLE_SUCCESS;
    (void)stream;
    if (bytes > 0)
        status = portable_side_check_(call, "target", PORTABLE_DEVICE_MEMORY_, device, bytes);
    if (bytes == 0 || status != PORTABLE_SUCCESS)
        return status;
    PORTABLE_MEMORY_(WRITE, device, bytes);
    status = PORTABLE_CUDA_OR_(call, cudaMemsetAsync(device, value, bytes, stream),
                               (memset(device, value, bytes), PORTABLE_SUCCESS));
    PORTABLE_MEMORY_(DONE, device, bytes);
    return status;
}

/* Fills a CONSTANT, whose address and size these are. */
static inline portable_status portable_constant_(const char *name, const void *constant,
                                                 size_t size, const void *source, size_t bytes)
{
    const char *const call = "portable_copy_to_constant";
    if (bytes > size)
        return portable_fail_(PORTABLE_ERROR_OUT_OF_RANGE, "%s: %zu bytes into %s, which has %zu",
                              call, bytes, name, size);
    if (bytes == 0)
        return PORTABLE_SUCCESS;
    const portable_status status =
        portable_side_check_(call, "source", PORTABLE_HOST_MEMORY_, (void *)source, bytes);
    if (status != PORTABLE_SUCCESS)
        return status;
    return PORTABLE_CUDA_OR_(call,
                             cudaMemcpyToSymbol(constant, source, bytes, 0, cudaMemcpyHostToDevice),
                             (memcpy((void *)constant, source, bytes), PORTABLE_SUCCESS));
}

/* ==== Host runtime: streams, events and the device ============================================ */

#if !PORTABLE_TARGET_CUDA
struct portable_event_ {
    int recorded;
    struct timespec time;
};
static inline portable_status portable_event_exists_(const char *call, portable_event event)
{
    return event ? PORTABLE_SUCCESS : PORTABLE_INVALID_("%s: no event", call);
}
#endif

static inline portable_status portable_synchronize(void)
{
    const portable_status status = PORTABLE_CUDA_OR_(
        __func__, cudaDeviceSynchronize(), portable_launch_result_(portable_verify_(NULL)));
    return status != PORTABLE_SUCCESS ? status : portable_failure_.launch;
}
static inline portable_status portable_stream_synchronize(portable_stream stream)
{
    (void)stream;
    const portable_status status = PORTABLE_CUDA_OR_(
        __func__, cudaStreamSynchronize(stream), portable_launch_result_(portable_verify_(NULL)));
    return status != PORTABLE_SUCCESS ? status : portable_failure_.launch;
}
static inline portable_status portable_stream_create(portable_stream *stream)
{
#if PORTABLE_TARGET_CUDA
    return portable_from_cuda_(cudaStreamCreate(stream), __func__);
#else
    *stream = (portable_stream)malloc(1);
    return *stream ? PORTABLE_SUCCESS : PORTABLE_NO_MEMORY_("no memory for a stream");
#endif
}
static inline portable_status portable_stream_destroy(portable_stream stream)
{
    if (!stream)
        return PORTABLE_SUCCESS;
    return PORTABLE_CUDA_OR_(__func__, cudaStreamDestroy(stream), (free(stream), PORTABLE_SUCCESS));
}
static inline portable_status portable_stream_wait_event(portable_stream stream,
                                                         portable_event event)
{
    (void)stream;
    return PORTABLE_CUDA_OR_(__func__, cudaStreamWaitEvent(stream, event, 0),
                             portable_event_exists_(__func__, event));
}
static inline portable_status portable_event_create(portable_event *event)
{
#if PORTABLE_TARGET_CUDA
    return portable_from_cuda_(cudaEventCreate(event), __func__);
#else
    *event = (portable_event)calloc(1, sizeof **event);
    return *event ? PORTABLE_SUCCESS : PORTABLE_NO_MEMORY_("no memory for an event");
#endif
}
static inline portable_status portable_event_destroy(portable_event event)
{
    if (!event)
        return PORTABLE_SUCCESS;
    return PORTABLE_CUDA_OR_(__func__, cudaEventDestroy(event), (free(event), PORTABLE_SUCCESS));
}
static inline portable_status portable_event_synchronize(portable_event event)
{
    return PORTABLE_CUDA_OR_(__func__, cudaEventSynchronize(event),
                             portable_event_exists_(__func__, event));
}
static inline portable_status portable_event_record(portable_event event, portable_stream stream)
{
    (void)stream;
#if !PORTABLE_TARGET_CUDA
    if (event)
        event->recorded = portable_now_(&event->time);
#endif
    return PORTABLE_CUDA_OR_(__func__, cudaEventRecord(event, stream),
                             portable_event_exists_(__func__, event));
}
static inline portable_status portable_event_elapsed(float *milliseconds, portable_event from,
                                                     portable_event to)
{
#if PORTABLE_TARGET_CUDA
    return portable_from_cuda_(cudaEventElapsedTime(milliseconds, from, to), __func__);
#else
    if (!from || !to || !from->recorded || !to->recorded)
        return PORTABLE_INVALID_("%s: an event was never recorded", __func__);
    *milliseconds = (float)(1e3 * difftime(to->time.tv_sec, from->time.tv_sec) +
                            1e-6 * (double)(to->time.tv_nsec - from->time.tv_nsec));
    if (*milliseconds < 0) /* the clock was set back */
        *milliseconds = 0;
    return PORTABLE_SUCCESS;
#endif
}

static inline portable_status portable_device_count(int *count)
{
#if PORTABLE_TARGET_CUDA
    const cudaError_t error = cudaGetDeviceCount(count);
    if (error == cudaSuccess && *count > 0)
        return PORTABLE_SUCCESS;
    *count = 0;
    cudaGetLastError();
    return portable_from_cuda_(error != cudaSuccess ? error : cudaErrorNoDevice,
                               "cudaGetDeviceCount");
#else
    *count = 1;
    return PORTABLE_SUCCESS;
#endif
}

static inline portable_status portable_device_select(int index)
{
    int count;
    const portable_status status = portable_device_count(&count);
    if (status != PORTABLE_SUCCESS)
        return status;
    if (index < 0 || index >= count)
        return PORTABLE_INVALID_("%s: no device %d; there %s %d, numbered from 0", __func__, index,
                                 count == 1 ? "is" : "are", count);
    return PORTABLE_CUDA_OR_(__func__, cudaSetDevice(index), PORTABLE_SUCCESS);
}

static inline portable_status portable_device_properties(struct portable_device *device)
{
    memset(device, 0, sizeof *device);
#if PORTABLE_TARGET_CUDA
    /* Cached per thread: CUDA needs half a millisecond. */
    static __thread struct portable_device known;
    struct cudaDeviceProp properties;
    int current = 0;
    cudaError_t error = cudaGetDevice(&current);
    if (error == cudaSuccess && known.warp_size != 0 && known.index == current) {
        *device = known;
        return PORTABLE_SUCCESS;
    }
    if (error != cudaSuccess ||
        (error = cudaGetDeviceProperties(&properties, current)) != cudaSuccess ||
        (error = cudaDriverGetVersion(&device->driver)) != cudaSuccess ||
        (error = cudaRuntimeGetVersion(&device->runtime)) != cudaSuccess ||
        (error = cudaDeviceGetAttribute(&device->clock_mhz, cudaDevAttrClockRate, current)) !=
            cudaSuccess)
        return portable_from_cuda_(error, __func__);
    snprintf(device->name, sizeof device->name, "%s", properties.name);
    device->multiprocessors = properties.multiProcessorCount;
    device->warp_size = properties.warpSize;
    device->max_threads_per_block = properties.maxThreadsPerBlock;
    device->shared_bytes = properties.sharedMemPerBlock;
    device->memory_bytes = properties.totalGlobalMem;
    device->major = properties.major;
    device->minor = properties.minor;
    device->index = current;
    device->max_threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor;
    device->registers_per_multiprocessor = properties.regsPerMultiprocessor;
    device->copy_engines = properties.asyncEngineCount;
    device->shared_raised_bytes = properties.sharedMemPerBlockOptin;
    device->shared_multiprocessor_bytes = properties.sharedMemPerMultiprocessor;
    device->l2_bytes = (size_t)properties.l2CacheSize;
    device->clock_mhz /= 1000;
    known = *device;
#else
    snprintf(device->name, sizeof device->name, "CPU");
    device->multiprocessors = 1;
    PORTABLE_TEAM_(device->multiprocessors = omp_get_max_threads();)
    device->warp_size = WARP_SIZE;
    device->max_threads_per_block = PORTABLE_BLOCK_LIMIT_;
    device->shared_bytes = 48 * 1024;
    device->max_threads_per_multiprocessor = PORTABLE_BLOCK_LIMIT_;
    device->shared_raised_bytes = PORTABLE_SHARED_RAISED_LIMIT_;
    device->shared_multiprocessor_bytes = PORTABLE_SHARED_RAISED_LIMIT_;
#endif
    return PORTABLE_SUCCESS;
}

/* ==== Host runtime: mirrored arrays =========================================================== */

static inline portable_status portable_array_create(portable_array *array, size_t count,
                                                    size_t size)
{
    memset(array, 0, sizeof *array);
    if (size != 0 && count > (size_t)-1 / size)
        return PORTABLE_INVALID_("%s: %zu elements of %zu bytes overflow", __func__, count, size);
    array->bytes = count * size;
    return PORTABLE_SUCCESS;
}

static inline portable_status portable_array_destroy(portable_array *array)
{
    const portable_status status = portable_free(array->device);
    free(array->host);
    memset(array, 0, sizeof *array);
    return status;
}

/* Makes one side ready; NULL on failure. */
static inline void *portable_array_side_(portable_array *array, int device, int read, int write)
{
    int *const current = device ? &array->device_current : &array->host_current;
    int *const other = device ? &array->host_current : &array->device_current;
    const size_t bytes = array->bytes ? array->bytes : 1; /* an empty array has an address too */
    const int copies = read && array->bytes && !*current;
    portable_status status = PORTABLE_SUCCESS;
    if (copies && !*other)
        status = portable_fail_(PORTABLE_ERROR_STALE_ARRAY,
                                "portable_array: read on the %s before it was written",
                                device ? "device" : "host");
    else if (device && !array->device)
        status = PORTABLE_MALLOC_(NULL, (&array->device), bytes);
    else if (!device && !array->host) {
        array->host = malloc(bytes);
        if (array->host)
            memset(array->host, 0xff, bytes);
        else
            status = PORTABLE_NO_MEMORY_("cannot allocate %zu bytes of host memory", bytes);
    }
    if (copies && status == PORTABLE_SUCCESS)
        status = device ? portable_copy_to_device(array->device, array->host, bytes)
                        : portable_copy_to_host(array->host, array->device, bytes);
    if (status != PORTABLE_SUCCESS)
        return NULL;
    *current = 1;
    if (write)
        *other = 0;
    return device ? array->device : array->host;
}
#define PORTABLE_ARRAY_SIDE_(name, type, device, read, write)                                      \
    static inline type *name(portable_array *array)                                                \
    {                                                                                              \
        return portable_array_side_(array, device, read, write);                                   \
    }
PORTABLE_ARRAY_SIDE_(portable_array_read_host, const void, 0, 1, 0)
PORTABLE_ARRAY_SIDE_(portable_array_write_host, void, 0, 0, 1)
PORTABLE_ARRAY_SIDE_(portable_array_update_host, void, 0, 1, 1)
PORTABLE_ARRAY_SIDE_(portable_array_read_device, const void, 1, 1, 0)
PORTABLE_ARRAY_SIDE_(portable_array_write_device, void, 1, 0, 1)
PORTABLE_ARRAY_SIDE_(portable_array_update_device, void, 1, 1, 1)

/* ==== Host runtime: textures ================================================================== */

/* The most texels that a CUDA array has along x and y, on every GPU since compute capability 6. */
enum { PORTABLE_TEXTURE_WIDTH_ = 131072, PORTABLE_TEXTURE_HEIGHT_ = 65536 };

struct portable_texture_ {
    void *texels; /* CPU: portable_malloc's, row after row */
    int rank, width, height;
    portable_texture_settings settings;
};

#if PORTABLE_TARGET_CUDA
static inline portable_status portable_texture_open_(const char *call, portable_texture *texture,
                                                     const struct portable_texture_ *made,
                                                     const void *host, size_t bytes)
{
    static const enum cudaTextureAddressMode modes[] = {
        cudaAddressModeClamp, cudaAddressModeWrap, cudaAddressModeMirror, cudaAddressModeBorder};
    const int byte = made->settings.texel == PORTABLE_TEXTURE_BYTE;
    const size_t width = (size_t)made->width, height = (size_t)made->height, row = bytes / height;
    const struct cudaChannelFormatDesc format = cudaCreateChannelDesc(
        byte ? 8 : 32, 0, 0, 0, byte ? cudaChannelFormatKindUnsigned : cudaChannelFormatKindFloat);
    struct cudaResourceDesc resource;
    struct cudaTextureDesc reading;
    memset(&resource, 0, sizeof resource);
    memset(&reading, 0, sizeof reading);
    resource.resType = cudaResourceTypeArray;
    /* A GPU filters a texture of one dimension along y too: a border there would mix in 0. */
    reading.addressMode[1] = reading.addressMode[2] = cudaAddressModeClamp;
    for (int axis = 0; axis < made->rank; axis++)
        reading.addressMode[axis] = modes[made->settings.address];
    reading.filterMode = made->settings.filter == PORTABLE_TEXTURE_LINEAR ? cudaFilterModeLinear
                                                                          : cudaFilterModePoint;
    reading.readMode = byte ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    reading.normalizedCoords = made->settings.normalised;
    cudaArray_t array = NULL;
    cudaError_t error = cudaMallocArray(&array, &format, width, made->rank == 2 ? height : 0, 0);
    resource.res.array.array = array;
    if (error == cudaSuccess)
        error = cudaMemcpy2DToArray(array, 0, 0, host, row, row, height, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaCreateTextureObject(texture, &resource, &reading, NULL);
    if (error == cudaSuccess)
        return PORTABLE_SUCCESS;
    if (array)
        cudaFreeArray(array);
    cudaGetLastError();
    return portable_from_cuda_(error, call);
}
static inline portable_status portable_texture_close_(portable_texture texture)
{
    struct cudaResourceDesc resource;
    cudaError_t error = cudaGetTextureObjectResourceDesc(&resource, texture);
    if (error == cudaSuccess)
        error = cudaDestroyTextureObject(texture);
    if (error == cudaSuccess)
        error = cudaFreeArray(resource.res.array.array);
    return portable_from_cuda_(error, "portable_texture_destroy");
}
#else
static inline portable_status portable_texture_close_(portable_texture texture)
{
    const portable_status status = portable_free(texture->texels);
    free((void *)texture);
    return status;
}
static inline portable_status portable_texture_open_(const char *call, portable_texture *texture,
                                                     const struct portable_texture_ *made,
                                                     const void *host, size_t bytes)
{
    struct portable_texture_ *const self = (struct portable_texture_ *)malloc(sizeof *self);
    if (!self)
        return PORTABLE_NO_MEMORY_("%s: no host memory to note it", call);
    *self = *made;
    *texture = self;
    portable_status status = PORTABLE_MALLOC_(NULL, (&self->texels), bytes);
    if (status == PORTABLE_SUCCESS)
        status = portable_copy_(call, PORTABLE_TO_DEVICE_, self->texels, bytes, host, bytes, bytes,
                                1, NULL);
    if (status != PORTABLE_SUCCESS)
        portable_texture_close_(self);
    return status;
}
#endif

/* Checks the arguments, makes the texture and notes it. */
static inline portable_status portable_texture_create_(const char *call, int rank,
                                                       portable_texture *texture, const void *host,
                                                       size_t width, size_t height,
                                                       const portable_texture_settings *settings)
{
    portable_texture_settings used = {PORTABLE_TEXTURE_POINT, PORTABLE_TEXTURE_CLAMP, 0,
                                      PORTABLE_TEXTURE_FLOAT};
    if (!texture)
        return PORTABLE_INVALID_("%s: no place for the texture", call);
    *texture = 0;
    if (settings)
        used = *settings;
    if (width == 0 || width > PORTABLE_TEXTURE_WIDTH_ || height == 0 ||
        height > PORTABLE_TEXTURE_HEIGHT_)
        return rank == 1 ? PORTABLE_INVALID_("%s: %zu texels, and a texture has 1 to %d", call,
                                             width, PORTABLE_TEXTURE_WIDTH_)
                         : PORTABLE_INVALID_(
                               "%s: %zu by %zu texels, and a texture has 1 by 1 to %d by %d", call,
                               width, height, PORTABLE_TEXTURE_WIDTH_, PORTABLE_TEXTURE_HEIGHT_);
    if ((unsigned)used.filter > PORTABLE_TEXTURE_LINEAR ||
        (unsigned)used.address > PORTABLE_TEXTURE_BORDER ||
        (unsigned)used.texel > PORTABLE_TEXTURE_BYTE || (unsigned)used.normalised > 1)
        return PORTABLE_INVALID_("%s: there is no filter %d, address %d, normalised %d or texel %d",
                                 call, (int)used.filter, (int)used.address, used.normalised,
                                 (int)used.texel);
    if (!used.normalised && used.address != PORTABLE_TEXTURE_BORDER)
        used.address = PORTABLE_TEXTURE_CLAMP;
    const struct portable_texture_ shape = {NULL, rank, (int)width, (int)height, used};
    const size_t bytes = width * height * (used.texel == PORTABLE_TEXTURE_BYTE ? 1 : sizeof(float));
    portable_texture made = 0;
    portable_status status =
        portable_side_check_(call, "data", PORTABLE_HOST_MEMORY_, (void *)host, bytes);
    if (status == PORTABLE_SUCCESS)
        status = portable_texture_open_(call, &made, &shape, host, bytes);
    if (status != PORTABLE_SUCCESS)
        return status;
    status = portable_table_insert_((void *)(size_t)made, bytes, PORTABLE_TEXTURE_, 0, 0);
    if (status == PORTABLE_SUCCESS)
        *texture = made;
    else
        portable_texture_close_(made);
    return status;
}

static inline portable_status portable_texture_destroy(portable_texture texture)
{
    if (!texture)
        return PORTABLE_SUCCESS;
    if (!portable_table_remove_((void *)(size_t)texture, PORTABLE_TEXTURE_))
        return portable_fail_(PORTABLE_ERROR_INVALID_FREE, "%s: not a live texture", __func__);
    return portable_texture_close_(texture);
}

#if PORTABLE_KERNELS_CUDA_

static __host__ __device__ __forceinline__ float portable_texture_fetch_(portable_texture texture,
                                                                         int rank, float x, float y)
{
#if defined(__CUDA_ARCH__)
    return rank == 1 ? tex1D<float>(texture, x) : tex2D<float>(texture, x, y);
#else
    (void)texture, (void)x, (void)y;
    portable_stop_(PORTABLE_INVALID_("the host cannot read a texture"),
                   rank == 1 ? "TEXTURE_1D" : "TEXTURE_2D", __FILE__, __LINE__);
    return 0;
#endif
}

#elif PORTABLE_KERNELS_CPU_

/* Without the mathematics library, which a program that only includes this need not link. */
PORTABLE_INLINE_ float portable_floor_(float x)
{
    if (!(x > -8388608.0f && x < 8388608.0f)) /* 2^23: all floats beyond are integers */
        return x;
    const float toward_zero = (float)(int)x;
    return toward_zero > x ? toward_zero - 1 : toward_zero;
}

/* A coordinate as a number of texels. Two texels outside of the array everything is as far. */
PORTABLE_INLINE_ float portable_texture_place_(portable_texture texture, float x, int extent)
{
    const float end = (float)extent + 2;
    if (texture->settings.normalised) {
        const float whole = portable_floor_(x);
        if (texture->settings.address == PORTABLE_TEXTURE_WRAP)
            x -= whole;
        else if (texture->settings.address == PORTABLE_TEXTURE_MIRROR)
            x = whole > 2 * portable_floor_(whole / 2) ? 1 - (x - whole) : x - whole;
        x *= (float)extent;
    }
    return x > -2 ? (x < end ? x : end) : x <= -2 ? -2.0f : 0;
}

/* The texel that stands for texel i, which may be outside; -1 for the border. */
PORTABLE_INLINE_ int portable_texture_index_(portable_texture texture, int i, int extent)
{
    if (i >= 0 && i < extent)
        return i;
    if (texture->settings.address == PORTABLE_TEXTURE_BORDER)
        return -1;
    /* It is one texel outside at most. */
    return (i < 0) == (texture->settings.address == PORTABLE_TEXTURE_WRAP) ? extent - 1 : 0;
}

PORTABLE_INLINE_ float portable_texture_texel_(portable_texture texture, int i, int j)
{
    if (i < 0 || j < 0)
        return 0;
    const size_t at = (size_t)j * (size_t)texture->width + (size_t)i;
    return texture->settings.texel == PORTABLE_TEXTURE_BYTE
               ? (float)((const unsigned char *)texture->texels)[at] / 255
               : ((const float *)texture->texels)[at];
}

/* The texels of a fetch along one dimension: `first` alone, or (1 - a) of it and a of `second`. */
struct portable_texture_span_ {
    int first, second;
    float a;
};
PORTABLE_INLINE_ struct portable_texture_span_ portable_texture_span_(portable_texture texture,
                                                                      float x, int extent)
{
    struct portable_texture_span_ span;
    x = portable_texture_place_(texture, x, extent);
    if (texture->settings.filter == PORTABLE_TEXTURE_LINEAR)
        x -= 0.5f;
    const float whole = portable_floor_(x);
    span.first = portable_texture_index_(texture, (int)whole, extent);
    span.second = portable_texture_index_(texture, (int)whole + 1, extent);
    span.a = portable_floor_((x - whole) * 256 + 0.5f) / 256;
    return span;
}

PORTABLE_COLD_ static float portable_texture_refuse_(portable_texture texture, int rank)
{
    return (float)(texture ? portable_broken_(PORTABLE_ERROR_INVALID_VALUE,
                                              "TEXTURE_%dD of a texture of %d dimension%s", rank,
                                              texture->rank, texture->rank == 1 ? "" : "s")
                           : portable_broken_(PORTABLE_ERROR_INVALID_VALUE,
                                              "TEXTURE_%dD of no texture", rank));
}

/* A fetch at (x, y), or at x if the rank is 1. */
PORTABLE_INLINE_ float portable_texture_fetch_(portable_texture texture, int rank, float x, float y)
{
    struct portable_texture_span_ v = {0, 0, 0};
    if (!texture || texture->rank != rank)
        return portable_texture_refuse_(texture, rank);
    const struct portable_texture_span_ u = portable_texture_span_(texture, x, texture->width);
    if (rank == 2)
        v = portable_texture_span_(texture, y, texture->height);
    const float first = portable_texture_texel_(texture, u.first, v.first);
    if (texture->settings.filter == PORTABLE_TEXTURE_POINT)
        return first;
    const float row = (1 - u.a) * (1 - v.a) * first +
                      u.a * (1 - v.a) * portable_texture_texel_(texture, u.second, v.first);
    if (rank == 1) /* the texels of a second row, even times 0, are not a number if infinite */
        return row;
    return row + (1 - u.a) * v.a * portable_texture_texel_(texture, u.first, v.second) +
           u.a * v.a * portable_texture_texel_(texture, u.second, v.second);
}

#endif

#endif /* PORTABLE_H */
