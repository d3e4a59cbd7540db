/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Other functions of CUDA threads: loads and stores with cache hints, clocks, traps, assertions,
 * address spaces, and the warp operations that are made of shuffles and votes.
 */
#ifndef PORTABLE_CUDA_DEVICE_H
#define PORTABLE_CUDA_DEVICE_H

#include <stddef.h> /* size_t */
#include <stdio.h>  /* fprintf */
#include <time.h>   /* clock_gettime */

#include "../host_defines.h"
#include "../vector_types.h"
#include "integer.h"
#include "lanes.h"
#include "launch.h"
#include "math.h"
#include "order.h"
#include "synchronisation.h"

/* ---- loads and stores with cache hints ---- */

/* Inlined, so that a report shows the line that calls them. */

#define PORTABLE_CUDA_FOR_HINTED_(X)                                                               \
    X(char)                                                                                        \
    X(signed char)                                                                                 \
    X(unsigned char)                                                                               \
    X(short)                                                                                       \
    X(unsigned short)                                                                              \
    X(int)                                                                                         \
    X(unsigned)                                                                                    \
    X(long)                                                                                        \
    X(unsigned long)                                                                               \
    X(long long)                                                                                   \
    X(unsigned long long)                                                                          \
    X(float)                                                                                       \
    X(double)                                                                                      \
    X(char2)                                                                                       \
    X(char4)                                                                                       \
    X(uchar2)                                                                                      \
    X(uchar4)                                                                                      \
    X(short2)                                                                                      \
    X(short4)                                                                                      \
    X(ushort2)                                                                                     \
    X(ushort4)                                                                                     \
    X(int2)                                                                                        \
    X(int4)                                                                                        \
    X(uint2)                                                                                       \
    X(uint4)                                                                                       \
    X(longlong2)                                                                                   \
    X(ulonglong2)                                                                                  \
    X(float2)                                                                                      \
    X(float4)                                                                                      \
    X(double2)
#define PORTABLE_CUDA_LOAD_(name, type)                                                            \
    static __forceinline__ type name(const type *from)                                             \
    {                                                                                              \
        return *from;                                                                              \
    }
/* Past the first cache: a polling loop reads it each time, and blocks may communicate by it. */
#define PORTABLE_CUDA_LOAD_PAST_(name, type)                                                       \
    static __forceinline__ type name(const type *from)                                             \
    {                                                                                              \
        portable_cuda::in_order();                                                                 \
        __asm__ volatile("" : : : "memory");                                                       \
        return *from;                                                                              \
    }
#define PORTABLE_CUDA_STORE_(name, type)                                                           \
    static __forceinline__ void name(type *to, type value)                                         \
    {                                                                                              \
        *to = value;                                                                               \
    }
/* Also for the types of half_type.h. */
#define PORTABLE_CUDA_HINTED_(type)                                                                \
    PORTABLE_CUDA_LOAD_(__ldg, type)                                                               \
    PORTABLE_CUDA_LOAD_(__ldca, type)                                                              \
    PORTABLE_CUDA_LOAD_(__ldcs, type)                                                              \
    PORTABLE_CUDA_LOAD_(__ldlu, type)                                                              \
    PORTABLE_CUDA_LOAD_PAST_(__ldcg, type)                                                         \
    PORTABLE_CUDA_LOAD_PAST_(__ldcv, type)                                                         \
    PORTABLE_CUDA_STORE_(__stwb, type)                                                             \
    PORTABLE_CUDA_STORE_(__stcg, type)                                                             \
    PORTABLE_CUDA_STORE_(__stcs, type)                                                             \
    PORTABLE_CUDA_STORE_(__stwt, type)
PORTABLE_CUDA_FOR_HINTED_(PORTABLE_CUDA_HINTED_)
#undef PORTABLE_CUDA_FOR_HINTED_

/* ---- time ---- */

/* Nanoseconds: as the cycles of a GPU of 1 GHz. clock() is the C library's. Each tells the
 * scheduler that a loop around it may end by itself. */
namespace portable_cuda
{
static inline clock_t ticks(void)
{
    portable_emulate_clock_();
    return ::clock();
}
} // namespace portable_cuda
static inline long long clock64(void)
{
    portable_emulate_clock_();
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}
/* Gives way to the block's other threads: a thread that sleeps may be waiting for them. */
static inline void __nanosleep(unsigned, PORTABLE_CUDA_HERE_)
{
    portable_emulate_wait_(NULL, 0, "__nanosleep", file, line);
}
/* A kernel starts after those before it in its stream have ended. */
static inline void cudaGridDependencySynchronize(void)
{
}
static inline void cudaTriggerProgrammaticLaunchCompletion(void)
{
}
/* Profiler events and counters: none are counted. */
static inline void __prof_trigger(int)
{
}
#define PORTABLE_CUDA_COUNTER_(name)                                                               \
    static inline unsigned name(void)                                                              \
    {                                                                                              \
        return 0;                                                                                  \
    }
PORTABLE_CUDA_COUNTER_(__pm0)
PORTABLE_CUDA_COUNTER_(__pm1)
PORTABLE_CUDA_COUNTER_(__pm2)
PORTABLE_CUDA_COUNTER_(__pm3)
#undef PORTABLE_CUDA_COUNTER_

/* ---- failures ---- */

static inline void __trap(PORTABLE_CUDA_HERE_)
{
    portable_cuda_fail_(cudaErrorLaunchFailure, "__trap was called", file, line);
}
static inline void __brkpt(PORTABLE_CUDA_HERE_)
{
    portable_cuda_fail_(cudaErrorLaunchFailure, "__brkpt was called", file, line);
}

/* Neither is evaluated on a GPU. */
#if !defined(__clang__)
#define __builtin_assume(condition) ((void)sizeof((condition) ? 1 : 0))
#endif
#define __assume(condition) ((void)sizeof((condition) ? 1 : 0))

namespace portable_cuda
{
extern "C" {
extern __thread int emulate_running
    __attribute__((tls_model("initial-exec"))); /* 1 in a kernel: host/emulate/check.h */
}

/* assert: fails in a kernel with CUDA's line, and returns in host code. */
__attribute__((noinline, cold, unused)) static void
assertion_failed(const char *condition, const char *file, unsigned line, const char *function)
{
    char name[300], sentence[512];
    if (!emulate_running)
        return;
    in_order();
    /* The body of a kernel is a lambda: "kernel(int)::<lambda()>" in gcc, and in clang
     * "auto kernel(int)::(anonymous class)::operator()() const". */
    const bool has_auto = !__builtin_strncmp(function, "auto ", 5);
    const char *type = "";
    snprintf(name, sizeof name, "%s", function + (has_auto ? 5 : 0));
    for (char *at = name; *at; at++)
        if (!__builtin_strncmp(at, "::<lambda", 9) ||
            !__builtin_strncmp(at, "::(anonymous class)", 19) ||
            !__builtin_strncmp(at, "::(lambda", 9)) {
            *at = 0;
            type = "void ";
            break;
        }
    fflush(stdout);
    fprintf(stderr, "%s:%u: %s%s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            file, line, type, name, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
            threadIdx.z, condition);
    snprintf(sentence, sizeof sentence, "assertion `%s` failed", condition);
    portable_cuda_fail_(cudaErrorAssert, sentence, file, (int)line);
}
} // namespace portable_cuda

/* ---- address spaces ---- */

static inline unsigned __isGlobal(const void *address)
{
    return portable_cuda_space_(address) == PORTABLE_CUDA_GLOBAL_;
}
static inline unsigned __isShared(const void *address)
{
    return portable_cuda_space_(address) == PORTABLE_CUDA_SHARED_;
}
static inline unsigned __isConstant(const void *address)
{
    return portable_cuda_space_(address) == PORTABLE_CUDA_CONSTANT_;
}
static inline unsigned __isLocal(const void *address)
{
    return portable_cuda_space_(address) == PORTABLE_CUDA_STACK_;
}
/* A cluster is one block. */
static inline unsigned __isCtaShared(const void *address)
{
    return __isShared(address);
}
static inline unsigned __isClusterShared(const void *address)
{
    return __isShared(address);
}
static inline unsigned __isGridConstant(const void *)
{
    return 0; /* a parameter is on the thread's stack */
}
/* There is one address space. */
#define PORTABLE_CUDA_CONVERT_(space)                                                              \
    static inline size_t __cvta_generic_to_##space(const void *address)                            \
    {                                                                                              \
        return reinterpret_cast<size_t>(address);                                                  \
    }                                                                                              \
    static inline void *__cvta_##space##_to_generic(size_t address)                                \
    {                                                                                              \
        return reinterpret_cast<void *>(address);                                                  \
    }
PORTABLE_CUDA_CONVERT_(global)
PORTABLE_CUDA_CONVERT_(shared)
PORTABLE_CUDA_CONVERT_(constant)
PORTABLE_CUDA_CONVERT_(local)
PORTABLE_CUDA_CONVERT_(grid_constant)
#undef PORTABLE_CUDA_CONVERT_

/* ---- warp operations made of others ---- */

namespace portable_cuda
{
/* Those lanes of the mask that have not ended. */
static inline unsigned lanes_here(unsigned mask, const char *name, const char *file, int line)
{
    return (unsigned)(vote(mask, 1, name, file, line) >> 32);
}
template <class T>
static inline unsigned match_any(unsigned mask, T value, const char *file, int line)
{
    const unsigned here = lanes_here(mask, "__match_any_sync", file, line);
    return lanes_alike(here, value, "__match_any_sync", file, line);
}
template <class T>
static inline unsigned match_all(unsigned mask, T value, int *alike, const char *file, int line)
{
    const char *const name = "__match_all_sync";
    const unsigned here = lanes_here(mask, name, file, line);
    const T first = exchange(PORTABLE_EXCHANGE_SHUFFLE_, here, 32, value,
                             (unsigned)__builtin_ctz(here), name, file, line);
    const bool same = !__builtin_memcmp(&first, &value, sizeof value);
    *alike = (unsigned)vote(here, same, name, file, line) == here;
    return *alike ? here : 0;
}
/* The order of the operations makes no difference to any that reduces. */
template <class T, class Op>
static inline T reduce(unsigned mask, T value, Op op, const char *name, const char *file, int line)
{
    const unsigned here = lanes_here(mask, name, file, line);
    if (here == 0xffffffffu) {
        for (unsigned lanes = 16; lanes > 0; lanes /= 2)
            value = op(value,
                       exchange(PORTABLE_EXCHANGE_XOR_, here, 32, value, lanes, name, file, line));
        return value;
    }
    T result = value;
    bool first = true;
    for (unsigned lane = 0; lane < 32; lane++)
        if (here >> lane & 1) {
            const T other =
                exchange(PORTABLE_EXCHANGE_SHUFFLE_, here, 32, value, lane, name, file, line);
            result = first ? other : op(result, other);
            first = false;
        }
    return result;
}
} // namespace portable_cuda

#define PORTABLE_CUDA_MATCH_(type)                                                                 \
    static inline unsigned __match_any_sync(unsigned mask, type value, PORTABLE_CUDA_HERE_)        \
    {                                                                                              \
        return portable_cuda::match_any(mask, value, file, line);                                  \
    }                                                                                              \
    static inline unsigned __match_all_sync(unsigned mask, type value, int *alike,                 \
                                            PORTABLE_CUDA_HERE_)                                   \
    {                                                                                              \
        return portable_cuda::match_all(mask, value, alike, file, line);                           \
    }
PORTABLE_CUDA_MATCH_(int)
PORTABLE_CUDA_MATCH_(unsigned)
PORTABLE_CUDA_MATCH_(long)
PORTABLE_CUDA_MATCH_(unsigned long)
PORTABLE_CUDA_MATCH_(long long)
PORTABLE_CUDA_MATCH_(unsigned long long)
PORTABLE_CUDA_MATCH_(float)
PORTABLE_CUDA_MATCH_(double)
#undef PORTABLE_CUDA_MATCH_

#define PORTABLE_CUDA_REDUCE_(op, type, expression)                                                \
    static inline type __reduce_##op##_sync(unsigned mask, type value, PORTABLE_CUDA_HERE_)        \
    {                                                                                              \
        return portable_cuda::reduce(                                                              \
            mask, value, [](type a, type b) -> type { return (expression); },                      \
            "__reduce_" #op "_sync", file, line);                                                  \
    }
PORTABLE_CUDA_REDUCE_(add, int, (int)((unsigned)a + (unsigned)b))
PORTABLE_CUDA_REDUCE_(add, unsigned, a + b)
PORTABLE_CUDA_REDUCE_(min, int, b < a ? b : a)
PORTABLE_CUDA_REDUCE_(min, unsigned, b < a ? b : a)
PORTABLE_CUDA_REDUCE_(max, int, a < b ? b : a)
PORTABLE_CUDA_REDUCE_(max, unsigned, a < b ? b : a)
PORTABLE_CUDA_REDUCE_(and, unsigned, a &b)
PORTABLE_CUDA_REDUCE_(or, unsigned, a | b)
PORTABLE_CUDA_REDUCE_(xor, unsigned, a ^ b)
#undef PORTABLE_CUDA_REDUCE_

static inline int __uni_sync(unsigned mask, int predicate, PORTABLE_CUDA_HERE_)
{
    const unsigned long long votes = portable_cuda::vote(mask, predicate, "__uni_sync", file, line);
    return (unsigned)votes == 0 || (unsigned)votes == (unsigned)(votes >> 32);
}

#if defined(PORTABLE_CUDA_VERSION) && PORTABLE_CUDA_VERSION < 13000 && __CUDA_ARCH__ < 700
/* Before CUDA 13, for GPUs before Volta: of the lanes that run together. */
#define PORTABLE_CUDA_SHUFFLES_(type)                                                              \
    static inline type __shfl(type value, int lane, int width = 32, PORTABLE_CUDA_HERE_)           \
    {                                                                                              \
        return __shfl_sync(__activemask(file, line), value, lane, width, file, line);              \
    }                                                                                              \
    static inline type __shfl_up(type value, unsigned delta, int width = 32, PORTABLE_CUDA_HERE_)  \
    {                                                                                              \
        return __shfl_up_sync(__activemask(file, line), value, delta, width, file, line);          \
    }                                                                                              \
    static inline type __shfl_down(type value, unsigned delta, int width = 32,                     \
                                   PORTABLE_CUDA_HERE_)                                            \
    {                                                                                              \
        return __shfl_down_sync(__activemask(file, line), value, delta, width, file, line);        \
    }                                                                                              \
    static inline type __shfl_xor(type value, int lane_mask, int width = 32, PORTABLE_CUDA_HERE_)  \
    {                                                                                              \
        return __shfl_xor_sync(__activemask(file, line), value, lane_mask, width, file, line);     \
    }
PORTABLE_CUDA_SHUFFLES_(int)
PORTABLE_CUDA_SHUFFLES_(unsigned)
PORTABLE_CUDA_SHUFFLES_(long)
PORTABLE_CUDA_SHUFFLES_(unsigned long)
PORTABLE_CUDA_SHUFFLES_(long long)
PORTABLE_CUDA_SHUFFLES_(unsigned long long)
PORTABLE_CUDA_SHUFFLES_(float)
PORTABLE_CUDA_SHUFFLES_(double)
static inline unsigned __ballot(int predicate, PORTABLE_CUDA_HERE_)
{
    return __ballot_sync(__activemask(file, line), predicate, file, line);
}
static inline int __any(int predicate, PORTABLE_CUDA_HERE_)
{
    return __any_sync(__activemask(file, line), predicate, file, line);
}
static inline int __all(int predicate, PORTABLE_CUDA_HERE_)
{
    return __all_sync(__activemask(file, line), predicate, file, line);
}
#else
/* CUDA no longer has these. A program may have its own, which any call takes rather than an
 * ellipsis; and functions that nothing calls may use CUDA's, as nvcc lets them. */
#define PORTABLE_CUDA_REMOVED_(name)                                                               \
    template <class T = void>                                                                      \
    __attribute__((error(#name " is not in CUDA any more: use " #name                              \
                               "_sync, whose first argument is the mask of the lanes that take "   \
                               "part, or --cuda-version=12.9 -arch=sm_60"))) int                   \
    name(...);
PORTABLE_CUDA_REMOVED_(__shfl)
PORTABLE_CUDA_REMOVED_(__shfl_up)
PORTABLE_CUDA_REMOVED_(__shfl_down)
PORTABLE_CUDA_REMOVED_(__shfl_xor)
PORTABLE_CUDA_REMOVED_(__ballot)
PORTABLE_CUDA_REMOVED_(__any)
PORTABLE_CUDA_REMOVED_(__all)
#undef PORTABLE_CUDA_REMOVED_
#endif

#endif
