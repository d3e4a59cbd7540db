/* SPDX-License-Identifier: BSD-3-Clause */
/* make_float4 and its kin. */
#ifndef PORTABLE_CUDA_VECTOR_FUNCTIONS_H
#define PORTABLE_CUDA_VECTOR_FUNCTIONS_H
/* CUDA's own guard, which other code asks for. */
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define PORTABLE_CUDA_MAKE_(type, base, align2, align4)                                            \
    static inline type##1 make_##type##1(base x)                                                   \
    {                                                                                              \
        const type##1 v = {x};                                                                     \
        return v;                                                                                  \
    }                                                                                              \
    static inline type##2 make_##type##2(base x, base y)                                           \
    {                                                                                              \
        const type##2 v = {x, y};                                                                  \
        return v;                                                                                  \
    }                                                                                              \
    static inline type##3 make_##type##3(base x, base y, base z)                                   \
    {                                                                                              \
        const type##3 v = {x, y, z};                                                               \
        return v;                                                                                  \
    }                                                                                              \
    static inline type##4 make_##type##4(base x, base y, base z, base w)                           \
    {                                                                                              \
        const type##4 v = {x, y, z, w};                                                            \
        return v;                                                                                  \
    }
PORTABLE_CUDA_FOR_VECTORS_(PORTABLE_CUDA_MAKE_)
#undef PORTABLE_CUDA_MAKE_

#define PORTABLE_CUDA_MAKE_(type, base, align)                                                     \
    static inline type##4_##align##a make_##type##4_##align##a(base x, base y, base z, base w)     \
    {                                                                                              \
        const type##4_##align##a v = {x, y, z, w};                                                 \
        return v;                                                                                  \
    }
PORTABLE_CUDA_FOR_ALIGNED_(PORTABLE_CUDA_MAKE_)
#undef PORTABLE_CUDA_MAKE_

#endif
