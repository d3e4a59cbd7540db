/* SPDX-License-Identifier: BSD-3-Clause */
/* cuRAND's types that its device functions share with its host library, which is not here. */
#ifndef PORTABLE_CUDA_CURAND_H
#define PORTABLE_CUDA_CURAND_H

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

#if defined(__cplusplus)
typedef struct curandGenerator_st *curandGenerator_t;
#define PORTABLE_CUDA_CURAND_HOST_(name)                                                           \
    template <class... Arguments> static inline int name(Arguments...)                             \
    {                                                                                              \
        static_assert(sizeof...(Arguments) > 1000,                                                 \
                      #name ": portable-nvcc has cuRAND's device functions only "                  \
                            "(curand_kernel.h), not its host library");                            \
        return 0;                                                                                  \
    }
PORTABLE_CUDA_CURAND_HOST_(curandCreateGenerator)
PORTABLE_CUDA_CURAND_HOST_(curandCreateGeneratorHost)
#undef PORTABLE_CUDA_CURAND_HOST_
#endif

#endif
