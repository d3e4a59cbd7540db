/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The emulate target: the part of portable.h that works only with the runtime linked. portable.h
 * includes it, under PORTABLE_TARGET_EMULATE alone.
 *
 * Each thread of a block runs the whole kernel, so a scope is entered by every thread, once, and
 * any name may stand anywhere, as on CUDA. A warp operation is a call of the runtime; the thread
 * waits there for the others.
 */

/* ---- scopes and indices ---- */

/* The scheduler sets these whenever a thread starts or resumes, so within a thread they are
 * constants. */
#if !defined(PORTABLE_EMULATE_SCHEDULER_)
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
#else
extern PORTABLE_OF_WORKER_(uint3 threadIdx);
extern PORTABLE_OF_WORKER_(uint3 blockIdx);
extern dim3 blockDim, gridDim;
#endif

#define PORTABLE_NOT_AT_BLOCK_SCOPE_(name) 0
#define PORTABLE_EMULATE_BLOCKS_(X, Y, Z)                                                          \
    PORTABLE_ONCE_IF_(portable_shape_fits_(X, Y, Z) + PORTABLE_SHAPE_RULE_(X, Y, Z))

#define PORTABLE_EMULATE_FUNCTION_(type, name, ...)                                                \
    PORTABLE_NOT_RECURSIVE_(name);                                                                 \
    static PORTABLE_UNUSED_ type name(PORTABLE_INSIDE_(name), __VA_ARGS__)

/* The number of threads of the block, and this thread's place in linear order. */
PORTABLE_INLINE_ unsigned portable_size_(void)
{
    return blockDim.x * blockDim.y * blockDim.z;
}
PORTABLE_INLINE_ unsigned portable_rank_(void)
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

/* Each thread's own loop; outside of a launch none. */
/* clang-format off */
#define PORTABLE_EMULATE_LOOP_(i, n, axis)                                                         \
    for (PORTABLE_INDEX_(n) portable_n_ = (PORTABLE_INDEX_(n))(                                    \
                                portable_launched_(PORTABLE_GRID_LOOP_) ? (n) + PORTABLE_INTEGER_(n) : 0),          \
                            i = PORTABLE_START_(portable_n_, PORTABLE_OFFSET_(axis));              \
         i < portable_n_; i = PORTABLE_ADVANCED_(i, portable_n_, PORTABLE_STRIDE_(axis)))
/* clang-format on */
#define PORTABLE_EMULATE_GRID_2D_(i, j, ni, nj)                                                    \
    PORTABLE_HOLD_(portable_ni_, ni)                                                               \
    PORTABLE_EMULATE_LOOP_(j, nj, y) PORTABLE_EMULATE_LOOP_(i, portable_ni_, x)
#define PORTABLE_EMULATE_GRID_3D_(i, j, k, ni, nj, nk)                                             \
    PORTABLE_HOLD_(portable_ni_, ni)                                                               \
        PORTABLE_HOLD_(portable_nj_, nj)                                                           \
            PORTABLE_EMULATE_LOOP_(k, nk, z)                                                       \
    PORTABLE_EMULATE_LOOP_(j, portable_nj_, y) PORTABLE_EMULATE_LOOP_(i, portable_ni_, x)

/* ---- memory of a block ---- */

/* One block runs at a time, so its shared memory is static. The sections tell it from other
 * data. */
#define PORTABLE_EMULATE_SHARED_ static PORTABLE_IN_SHARED_
#define PORTABLE_EMULATE_SHARED_OF_(type, name, dims, ...)                                         \
    PORTABLE_EMULATE_SHARED_ type name dims;                                                       \
    PORTABLE_SHARED_RULE_(type, dims)
#define PORTABLE_EMULATE_CONSTANT_ static PORTABLE_IN_CONSTANT_
/* A compiler keeps const objects and others apart, and those of C++ templates from all others, so
 * each object has a section that the compiler takes for another. The assembler sees one name: the
 * rest of gcc's is a comment, that of clang's before version 17, which refuses that, follows a zero
 * byte. */
#define PORTABLE_TEXT_(...) #__VA_ARGS__
#define PORTABLE_NUMBERED_SECTION_(name, number)                                                   \
    __attribute__((section(name PORTABLE_SECTION_END_ PORTABLE_TEXT_(number))))
#if PORTABLE_CPP_ && !defined(__clang__)
/* g++ ignores the section in a template: a linker script can tell the variable by the tag. */
#define PORTABLE_IN_SHARED_                                                                        \
    PORTABLE_NUMBERED_SECTION_(".portable_shared", __COUNTER__)                                    \
    __attribute__((abi_tag("portable_shared")))
#else
#define PORTABLE_IN_SHARED_ PORTABLE_NUMBERED_SECTION_(".portable_shared", __COUNTER__)
#endif
#define PORTABLE_IN_CONSTANT_ PORTABLE_NUMBERED_SECTION_(".portable_constant", __COUNTER__)
#if defined(__clang__) && __clang_major__ >= 17
#define PORTABLE_SECTION_END_ "."
#elif defined(__clang__)
#define PORTABLE_SECTION_END_ "\0"
#elif defined(__aarch64__)
#define PORTABLE_SECTION_END_ ",\"aw\" //"
#else
#define PORTABLE_SECTION_END_ ",\"aw\" #"
#endif

/* ---- warps and collectives ---- */

#define PORTABLE_TRADE_(type, suffix)                                                              \
    static inline type portable_trade_##suffix##_(enum portable_exchange_ kind, unsigned mask,     \
                                                  unsigned width, type value, unsigned operand,    \
                                                  const char *name, const char *file, int line)    \
    {                                                                                              \
        unsigned long long bits = 0;                                                               \
        __builtin_memcpy(&bits, &value, sizeof value);                                             \
        bits = portable_emulate_exchange_(kind, mask, width, bits, operand, name, file, line);     \
        __builtin_memcpy(&value, &bits, sizeof value);                                             \
        return value;                                                                              \
    }                                                                                              \
    static inline type portable_trade_all_##suffix##_(enum portable_exchange_ kind, type value,    \
                                                      unsigned operand, const char *name,          \
                                                      const char *file, int line)                  \
    {                                                                                              \
        return portable_trade_##suffix##_(kind, PORTABLE_ALL_LANES_, WARP_SIZE, value, operand,    \
                                          name, file, line);                                       \
    }
PORTABLE_FOR_WARP_TYPES_(PORTABLE_TRADE_)
#undef PORTABLE_TRADE_

#define PORTABLE_CPU_SHUFFLE_(name, kind, dst, src, operand)                                       \
    ((void)((dst) = (__typeof__(dst))PORTABLE_SHUFFLE_SUFFIX_(trade_all, src)(                     \
                PORTABLE_EXCHANGE_##kind##_, src,                                                  \
                (unsigned)(operand) +                                                              \
                    (unsigned)PORTABLE_HAS_TYPE_RULE_(                                             \
                        name, PORTABLE_SHUFFLE_SUFFIX_(trade_all, src), PORTABLE_SHUFFLE_NAMES_),  \
                name, __FILE__, __LINE__)))
#define PORTABLE_HAS_TYPE_RULE_(name, function, names)                                             \
    PORTABLE_RULE_(PORTABLE_HAS_TYPE_(function), name " takes a PRIVATE of " names)

/* The lanes whose predicate is true; the upper half has the lanes that voted. */
static inline unsigned long long portable_votes_(unsigned mask, int predicate, const char *name,
                                                 const char *file, int line)
{
    return portable_emulate_exchange_(PORTABLE_EXCHANGE_BALLOT_, mask, WARP_SIZE,
                                      (unsigned long long)(predicate != 0), 0, name, file, line);
}
static inline int portable_all_(unsigned long long votes)
{
    return (unsigned)votes == (unsigned)(votes >> 32);
}
#define PORTABLE_CPU_VOTE_(name, type, dst, predicate, result)                                     \
    do {                                                                                           \
        const unsigned portable_vote_ = (unsigned)portable_votes_(                                 \
            PORTABLE_ALL_LANES_, (predicate) != 0, name, __FILE__, __LINE__);                      \
        (dst) = (result);                                                                          \
    } while (0)

/* The algorithms of the CUDA target. */
PORTABLE_INLINE_ unsigned portable_lanes_(void)
{
    const unsigned rest = portable_size_() - portable_rank_() / WARP_SIZE * WARP_SIZE;
    return rest < WARP_SIZE ? rest : WARP_SIZE;
}
#define PORTABLE_REDUCE_(op, type, suffix)                                                         \
    static inline type portable_butterfly_##op##_##suffix##_(                                      \
        type value, unsigned lane, unsigned lanes, const char *name, const char *file, int line)   \
    {                                                                                              \
        for (unsigned delta = WARP_SIZE / 2; delta > 0; delta /= 2) {                              \
            const type other = portable_trade_all_##suffix##_(PORTABLE_EXCHANGE_XOR_, value,       \
                                                              delta, name, file, line);            \
            if ((lane ^ delta) < lanes)                                                            \
                value = portable_##op##_##suffix##_(value, other);                                 \
        }                                                                                          \
        return value;                                                                              \
    }                                                                                              \
    static inline type portable_warp_##op##_##suffix##_(type value, const char *name,              \
                                                        const char *file, int line)                \
    {                                                                                              \
        value = portable_butterfly_##op##_##suffix##_(value, portable_rank_() % WARP_SIZE,         \
                                                      portable_lanes_(), name, file, line);        \
        return portable_trade_all_##suffix##_(PORTABLE_EXCHANGE_SHUFFLE_, value, 0, name, file,    \
                                              line);                                               \
    }                                                                                              \
    static inline type portable_block_##op##_##suffix##_(type value, const char *name,             \
                                                         const char *file, int line)               \
    {                                                                                              \
        PORTABLE_EMULATE_SHARED_ type of_warp[WARP_SIZE], of_block;                                \
        const unsigned rank = portable_rank_(), lane = rank % WARP_SIZE, warp = rank / WARP_SIZE;  \
        const unsigned warps = (portable_size_() + WARP_SIZE - 1) / WARP_SIZE;                     \
        value = portable_butterfly_##op##_##suffix##_(value, lane, portable_lanes_(), name, file,  \
                                                      line);                                       \
        if (lane == 0)                                                                             \
            of_warp[warp] = value;                                                                 \
        portable_emulate_sync_threads_(name, file, line);                                          \
        if (warp == 0) {                                                                           \
            const type mine = of_warp[lane < warps ? lane : 0];                                    \
            const type all =                                                                       \
                portable_butterfly_##op##_##suffix##_(mine, lane, warps, name, file, line);        \
            if (lane == 0)                                                                         \
                of_block = all;                                                                    \
        }                                                                                          \
        portable_emulate_sync_threads_(name, file, line);                                          \
        return of_block;                                                                           \
    }                                                                                              \
    static inline type portable_reduce_##op##_##suffix##_(                                         \
        type value, int of_block, const char *name, const char *file, int line)                    \
    {                                                                                              \
        return of_block ? portable_block_##op##_##suffix##_(value, name, file, line)               \
                        : portable_warp_##op##_##suffix##_(value, name, file, line);               \
    }
#define PORTABLE_SCAN_(type, suffix)                                                               \
    static inline type portable_warp_scan_##suffix##_(type value, unsigned lane, const char *name, \
                                                      const char *file, int line)                  \
    {                                                                                              \
        for (unsigned delta = 1; delta < WARP_SIZE; delta *= 2) {                                  \
            const type other = portable_trade_all_##suffix##_(PORTABLE_EXCHANGE_UP_, value, delta, \
                                                              name, file, line);                   \
            if (lane >= delta)                                                                     \
                value = portable_add_##suffix##_(other, value);                                    \
        }                                                                                          \
        return value;                                                                              \
    }                                                                                              \
    static inline type portable_scan_##suffix##_(type value, int inclusive, const char *name,      \
                                                 const char *file, int line)                       \
    {                                                                                              \
        PORTABLE_EMULATE_SHARED_ type of_warp[WARP_SIZE], before_warp[WARP_SIZE];                  \
        const unsigned rank = portable_rank_(), lane = rank % WARP_SIZE, warp = rank / WARP_SIZE;  \
        const unsigned warps = (portable_size_() + WARP_SIZE - 1) / WARP_SIZE;                     \
        const type through_me = portable_warp_scan_##suffix##_(value, lane, name, file, line);     \
        if (lane == portable_lanes_() - 1)                                                         \
            of_warp[warp] = through_me;                                                            \
        portable_emulate_sync_threads_(name, file, line);                                          \
        if (warp == 0) {                                                                           \
            const type through = portable_warp_scan_##suffix##_(of_warp[lane < warps ? lane : 0],  \
                                                                lane, name, file, line);           \
            if (lane < WARP_SIZE - 1)                                                              \
                before_warp[lane + 1] = through;                                                   \
        }                                                                                          \
        portable_emulate_sync_threads_(name, file, line);                                          \
        type result = through_me;                                                                  \
        if (!inclusive) {                                                                          \
            result = portable_trade_all_##suffix##_(PORTABLE_EXCHANGE_UP_, through_me, 1, name,    \
                                                    file, line);                                   \
            if (lane == 0)                                                                         \
                return warp == 0 ? 0 : before_warp[warp];                                          \
        }                                                                                          \
        return warp == 0 ? result : portable_add_##suffix##_(before_warp[warp], result);           \
    }
PORTABLE_FOR_WARP_TYPES_(PORTABLE_COLLECTIVES_)
#undef PORTABLE_REDUCE_
#undef PORTABLE_SCAN_

#define PORTABLE_CPU_COLLECT_(name, function, dst, src, how)                                       \
    ((void)((dst) = PORTABLE_WARP_SUFFIX_(function, dst)(                                          \
                src,                                                                               \
                how + PORTABLE_HAS_TYPE_RULE_(name, PORTABLE_WARP_SUFFIX_(function, dst),          \
                                              PORTABLE_WARP_NAMES_),                               \
                name, __FILE__, __LINE__)))

/* ---- fragments ---- */

/* Each lane holds 8 elements of a fragment: half a row. */
enum { PORTABLE_FRAGMENT_SHARE_ = FRAGMENT_SIZE * FRAGMENT_SIZE / WARP_SIZE };
PORTABLE_FRAGMENT_TYPES_([PORTABLE_FRAGMENT_SHARE_])

#define PORTABLE_CPU_FRAGMENT_FILL_(fragment, number)                                              \
    portable_fragment_fill_((&(fragment))->value, (number))
#define PORTABLE_CPU_FRAGMENT_LOAD_(fragment, from, stride)                                        \
    PORTABLE_FRAGMENT_LOADER_(fragment)                                                            \
    ((&(fragment))->value, (from), (unsigned)(stride), __FILE__, __LINE__)
#define PORTABLE_CPU_FRAGMENT_MULTIPLY_ADD_(d, a, b, c)                                            \
    portable_fragment_multiply_add_(&(d), &(a), &(b), &(c), __FILE__, __LINE__)
#define PORTABLE_CPU_FRAGMENT_STORE_(to, fragment, stride)                                         \
    portable_fragment_store_((to), &(fragment), (unsigned)(stride), __FILE__, __LINE__)

/* The row and first column of this lane's elements. */
PORTABLE_INLINE_ unsigned portable_fragment_row_(void)
{
    return portable_rank_() % WARP_SIZE * PORTABLE_FRAGMENT_SHARE_ / FRAGMENT_SIZE;
}
PORTABLE_INLINE_ unsigned portable_fragment_column_(void)
{
    return portable_rank_() % WARP_SIZE * PORTABLE_FRAGMENT_SHARE_ % FRAGMENT_SIZE;
}
static inline void portable_fragment_fill_(float *share, float number)
{
    for (unsigned e = 0; e < PORTABLE_FRAGMENT_SHARE_; e++)
        share[e] = number;
}
#define PORTABLE_FRAGMENT_LOAD_(type, to_float)                                                    \
    static inline void portable_fragment_load_##type##_(                                           \
        float *share, const type *from, unsigned stride, const char *file, int line)               \
    {                                                                                              \
        portable_emulate_sync_warp_(PORTABLE_ALL_LANES_, "FRAGMENT_LOAD", file, line);             \
        memset(share, 0, PORTABLE_FRAGMENT_SHARE_ * sizeof *share);                                \
        if (!portable_fragment_rows_("FRAGMENT_LOAD", from, stride * sizeof *from,                 \
                                     portable_size_()))                                            \
            return;                                                                                \
        from += (size_t)portable_fragment_row_() * stride + portable_fragment_column_();           \
        for (unsigned e = 0; e < PORTABLE_FRAGMENT_SHARE_; e++)                                    \
            share[e] = to_float(from[e]);                                                          \
    }
PORTABLE_FRAGMENT_LOAD_(half, half_to_float)
PORTABLE_FRAGMENT_LOAD_(float, )
#undef PORTABLE_FRAGMENT_LOAD_

/* Where a lane has its share of a fragment. The lanes of a warp can read each other's stacks. */
static inline const float *portable_fragment_share_(const float *mine, unsigned lane,
                                                    const char *file, int line)
{
    return (const float *)(size_t)portable_trade_all_ull_(PORTABLE_EXCHANGE_SHUFFLE_,
                                                          (unsigned long long)(size_t)mine, lane,
                                                          "FRAGMENT_MULTIPLY_ADD", file, line);
}
/* Row r of A is held by lanes 2r and 2r + 1, and so is row k of B. */
static inline void portable_fragment_multiply_add_(portable_fragment_c_ *d,
                                                   const portable_fragment_a_ *a,
                                                   const portable_fragment_b_ *b,
                                                   const portable_fragment_c_ *c, const char *file,
                                                   int line)
{
    const unsigned row = portable_fragment_row_(), half_row = portable_rank_() % 2;
    const float *const halves[2] = {portable_fragment_share_(a->value, 2 * row, file, line),
                                    portable_fragment_share_(a->value, 2 * row + 1, file, line)};
    portable_fragment_c_ sum = *c;
    for (unsigned k = 0; k < FRAGMENT_SIZE; k++) {
        const float factor = halves[k / PORTABLE_FRAGMENT_SHARE_][k % PORTABLE_FRAGMENT_SHARE_];
        const float *const column =
            portable_fragment_share_(b->value, 2 * k + half_row, file, line);
        for (unsigned e = 0; e < PORTABLE_FRAGMENT_SHARE_; e++)
            sum.value[e] += factor * column[e];
    }
    /* Until all have read: the next statement may change a or b. */
    portable_emulate_sync_warp_(PORTABLE_ALL_LANES_, "FRAGMENT_MULTIPLY_ADD", file, line);
    *d = sum;
}
static inline void portable_fragment_store_(float *to, const portable_fragment_c_ *fragment,
                                            unsigned stride, const char *file, int line)
{
    portable_emulate_sync_warp_(PORTABLE_ALL_LANES_, "FRAGMENT_STORE", file, line);
    if (!portable_fragment_rows_("FRAGMENT_STORE", to, stride * sizeof *to, portable_size_()))
        return;
    memcpy(to + (size_t)portable_fragment_row_() * stride + portable_fragment_column_(),
           fragment->value, sizeof fragment->value);
}

/* ---- atomics of a block ---- */

#define PORTABLE_IN_BLOCK_(op, type, suffix) PORTABLE_PLAIN_OF_(in_block, 2, op, type, suffix)
#define PORTABLE_IN_BLOCK_CAS_(op, type, suffix) PORTABLE_PLAIN_CAS_OF_(in_block, 2, type, suffix)
PORTABLE_FOR_ATOMICS_(PORTABLE_IN_BLOCK_)
PORTABLE_FOR_NUMBERS_(PORTABLE_IN_BLOCK_CAS_, cas)
#undef PORTABLE_IN_BLOCK_
#undef PORTABLE_IN_BLOCK_CAS_

/* ---- the call of a kernel ---- */

/* __global__ declares no bounds; here they are declared where they are asked for. */
#define PORTABLE_BOUNDS_(name)                                                                     \
    (__extension__({                                                                               \
        PORTABLE_BOUNDS_OF_(name);                                                                 \
        &portable_bounds_##name##_;                                                                \
    }))
#define PORTABLE_CALL_(name, ...)                                                                  \
    (__extension__({                                                                               \
        __typeof__(&*(name)) const kernel_##name##_ =                                              \
            (__typeof__(&*(name)))portable_emulate_prepare_((portable_function_)(name),            \
                                                            PORTABLE_STACK_BYTES_(__VA_ARGS__));   \
        kernel_##name##_(__VA_ARGS__);                                                             \
    }))
/* The sizes of the arguments, rounded up. An operand of ?: that is an array is a pointer, as it is
 * as an argument. */
#define PORTABLE_STACK_BYTES_(...)                                                                 \
    ((size_t)0 PORTABLE_EACH_(PORTABLE_ADD_ROUNDED_, PORTABLE_WITH_NOTHING_, ##__VA_ARGS__))
#define PORTABLE_ADD_ROUNDED_(number, argument)                                                    \
    +(sizeof(1 ? (argument) : (argument)) + 15) / 16 * 16

/* ---- CUDA's own spelling ---- */

#define warpSize /* CUDA's name for WARP_SIZE. */ PORTABLE_WARP_
#define atomicAdd(p, v) /* CUDA's name for ATOMIC_ADD. */ ATOMIC_ADD(p, v)
#define atomicAdd_block(p, v) /* CUDA's name for ATOMIC_ADD_BLOCK. */ ATOMIC_ADD_BLOCK(p, v)
#define atomicSub(p, v) /* CUDA's name for ATOMIC_SUB. */ ATOMIC_SUB(p, v)
#define atomicSub_block(p, v) /* CUDA's name for ATOMIC_SUB_BLOCK. */ ATOMIC_SUB_BLOCK(p, v)
#define atomicMin(p, v) /* CUDA's name for ATOMIC_MIN. */ ATOMIC_MIN(p, v)
#define atomicMin_block(p, v) /* CUDA's name for ATOMIC_MIN_BLOCK. */ ATOMIC_MIN_BLOCK(p, v)
#define atomicMax(p, v) /* CUDA's name for ATOMIC_MAX. */ ATOMIC_MAX(p, v)
#define atomicMax_block(p, v) /* CUDA's name for ATOMIC_MAX_BLOCK. */ ATOMIC_MAX_BLOCK(p, v)
#define atomicExch(p, v) /* CUDA's name for ATOMIC_EXCHANGE. */ ATOMIC_EXCHANGE(p, v)
#define atomicExch_block(p, v)                                                                     \
    /* CUDA's name for ATOMIC_EXCHANGE_BLOCK. */                                                   \
    ATOMIC_EXCHANGE_BLOCK(p, v)
#define atomicAnd(p, v) /* CUDA's name for ATOMIC_AND. */ ATOMIC_AND(p, v)
#define atomicAnd_block(p, v) /* CUDA's name for ATOMIC_AND_BLOCK. */ ATOMIC_AND_BLOCK(p, v)
#define atomicOr(p, v) /* CUDA's name for ATOMIC_OR. */ ATOMIC_OR(p, v)
#define atomicOr_block(p, v) /* CUDA's name for ATOMIC_OR_BLOCK. */ ATOMIC_OR_BLOCK(p, v)
#define atomicXor(p, v) /* CUDA's name for ATOMIC_XOR. */ ATOMIC_XOR(p, v)
#define atomicXor_block(p, v) /* CUDA's name for ATOMIC_XOR_BLOCK. */ ATOMIC_XOR_BLOCK(p, v)
#define atomicInc(p, v) /* CUDA's name for ATOMIC_INC. */ ATOMIC_INC(p, v)
#define atomicInc_block(p, v) /* CUDA's name for ATOMIC_INC_BLOCK. */ ATOMIC_INC_BLOCK(p, v)
#define atomicDec(p, v) /* CUDA's name for ATOMIC_DEC. */ ATOMIC_DEC(p, v)
#define atomicDec_block(p, v) /* CUDA's name for ATOMIC_DEC_BLOCK. */ ATOMIC_DEC_BLOCK(p, v)
#define atomicCAS(p, compare, v) /* CUDA's name for ATOMIC_CAS. */ ATOMIC_CAS(p, compare, v)
#define atomicCAS_block(p, compare, v)                                                             \
    /* CUDA's name for ATOMIC_CAS_BLOCK. */                                                        \
    ATOMIC_CAS_BLOCK(p, compare, v)
#define __global__ PORTABLE_KERNEL_CODE_ PORTABLE_LAUNCHED_(kernel)
/* An inline function becomes one of the file, as in CUDA C++; C would want another definition. On
 * other declarations the attribute has no effect, and the compiler would warn. */
#if PORTABLE_CPP_
#define __device__
#else
#define __device__ __attribute__((gnu_inline))
#endif
#pragma GCC diagnostic ignored "-Wattributes"
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wignored-attributes"
#endif
#define __host__
/* clang takes a second static. For gcc a variable that nothing uses ends what precedes __shared__,
 * and keeps the alignment; volatile is lost, which orders nothing among threads of control that
 * only barriers switch. */
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wduplicate-decl-specifier"
#define __shared__ PORTABLE_EMULATE_SHARED_
#else
#define __shared__ PORTABLE_CUDA_SHARED_(__COUNTER__)
#endif
#define PORTABLE_CUDA_SHARED_(number) PORTABLE_CUDA_SHARED_OF_(number)
#define PORTABLE_CUDA_SHARED_OF_(number) PORTABLE_CUDA_SHARED_AFTER_(portable_before_##number##_)
#define PORTABLE_CUDA_SHARED_AFTER_(before)                                                        \
    PORTABLE_UNUSED_ char before;                                                                  \
    PORTABLE_ALIGNAS_(__alignof__(before) > 1 ? __alignof__(before) : 0) PORTABLE_EMULATE_SHARED_
#if PORTABLE_CPP_
#define PORTABLE_ALIGNAS_ alignas
#else
#define PORTABLE_ALIGNAS_ _Alignas
#endif
#define __constant__ PORTABLE_IN_CONSTANT_
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __syncthreads() portable_emulate_sync_threads_("__syncthreads", __FILE__, __LINE__)
#define __syncthreads_count(predicate)                                                             \
    portable_emulate_sync_count_((predicate) != 0, "__syncthreads_count", __FILE__, __LINE__)
#define __syncthreads_or(predicate)                                                                \
    (portable_emulate_sync_count_((predicate) != 0, "__syncthreads_or", __FILE__, __LINE__) > 0)
#define __syncthreads_and(predicate)                                                               \
    (portable_emulate_sync_count_((predicate) == 0, "__syncthreads_and", __FILE__, __LINE__) == 0)
#define __syncwarp(...)                                                                            \
    portable_emulate_sync_warp_((unsigned)PORTABLE_OR_ALL_(__VA_ARGS__), "__syncwarp", __FILE__,   \
                                __LINE__)
#define PORTABLE_FIRST_(a, ...) (a + 0)
#define PORTABLE_OR_ALL_(...)                                                                      \
    (sizeof(#__VA_ARGS__) == 1 ? PORTABLE_ALL_LANES_ : (0u | PORTABLE_FIRST_(__VA_ARGS__, )))

/* The last argument, the width, may be left out. */
#define PORTABLE_CUDA_SHUFFLE_(name, kind, mask, value, operand, ...)                              \
    PORTABLE_SHUFFLE_SUFFIX_(trade, value)                                                         \
    (kind, (mask), PORTABLE_FIRST_(__VA_ARGS__, ), (value), (unsigned)(operand), name, __FILE__,   \
     __LINE__)
#define __shfl_sync(mask, ...)                                                                     \
    PORTABLE_CUDA_SHUFFLE_("__shfl_sync", PORTABLE_EXCHANGE_SHUFFLE_, mask, __VA_ARGS__,           \
                           PORTABLE_WARP_)
#define __shfl_up_sync(mask, ...)                                                                  \
    PORTABLE_CUDA_SHUFFLE_("__shfl_up_sync", PORTABLE_EXCHANGE_UP_, mask, __VA_ARGS__,             \
                           PORTABLE_WARP_)
#define __shfl_down_sync(mask, ...)                                                                \
    PORTABLE_CUDA_SHUFFLE_("__shfl_down_sync", PORTABLE_EXCHANGE_DOWN_, mask, __VA_ARGS__,         \
                           PORTABLE_WARP_)
#define __shfl_xor_sync(mask, ...)                                                                 \
    PORTABLE_CUDA_SHUFFLE_("__shfl_xor_sync", PORTABLE_EXCHANGE_XOR_, mask, __VA_ARGS__,           \
                           PORTABLE_WARP_)
#define __ballot_sync(mask, predicate)                                                             \
    ((unsigned)portable_votes_((mask), (predicate) != 0, "__ballot_sync", __FILE__, __LINE__))
#define __any_sync(mask, predicate)                                                                \
    ((unsigned)portable_votes_((mask), (predicate) != 0, "__any_sync", __FILE__, __LINE__) != 0)
#define __all_sync(mask, predicate)                                                                \
    portable_all_(portable_votes_((mask), (predicate) != 0, "__all_sync", __FILE__, __LINE__))
#define __threadfence() portable_emulate_fence_(0)
#define __threadfence_block() portable_emulate_fence_(1)
#define __threadfence_system() portable_emulate_fence_(0)
#define __ldg(pointer) (*(pointer))
#define __popc(word) POPCOUNT(word)
#define __ffs(word) __builtin_ffs((int)(word))
#define __clz(word) portable_clz_((unsigned)(word))
PORTABLE_INLINE_ int portable_clz_(unsigned word)
{
    return word ? __builtin_clz(word) : 32;
}

/* clang-format on */

/* ---- device memory: events for the checks ---- */

#define PORTABLE_MEMORY_(event, memory, bytes)                                                     \
    portable_emulate_memory_(PORTABLE_MEMORY_##event##_, memory, bytes)

/* A copy of one row. */
static inline void portable_copy_row_(int from_device, int to_device, void *to, const void *from,
                                      size_t width)
{
    if (from_device)
        PORTABLE_MEMORY_(READ, from, width);
    if (to_device)
        PORTABLE_MEMORY_(WRITE, to, width);
    memmove(to, from, width);
    if (from_device)
        PORTABLE_MEMORY_(DONE, from, width);
    if (to_device)
        PORTABLE_MEMORY_(DONE, to, width);
}

#if PORTABLE_CPP_
#include "host/emulate/cpp.h" /* overloads and templates */
#endif
