/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuRAND's host library on the CPU, for C and C++: the calls of host/cudart/rand.cpp, for -lcurand.
 * docs/cuda-api.md lists them.
 */
#ifndef PORTABLE_CUDA_CURAND_H
#define PORTABLE_CUDA_CURAND_H
#define CURAND_H_

#include "cuda_runtime_api.h"
#include "library_types.h"

#define CURANDAPI
#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VER_BUILD 0
#define CURAND_VERSION (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)

enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
};
typedef enum curandStatus curandStatus_t;
enum curandRngType {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
};
typedef enum curandRngType curandRngType_t;
enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
    CURAND_ORDERING_QUASI_DEFAULT = 201
};
typedef enum curandOrdering curandOrdering_t;
enum curandDirectionVectorSet {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
    CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
};
typedef enum curandDirectionVectorSet curandDirectionVectorSet_t;

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
typedef struct curandGenerator_st *curandGenerator_t;

/* A call. Its symbol begins with portable_, so that the checks report the line that calls it. */
#define PORTABLE_CUDA_RANDOM_(name, ...) curandStatus_t name(__VA_ARGS__) __asm__("portable_" #name)

#if defined(__cplusplus)
extern "C" {
#endif

PORTABLE_CUDA_RANDOM_(curandCreateGenerator, curandGenerator_t *generator, curandRngType_t type);
PORTABLE_CUDA_RANDOM_(curandCreateGeneratorHost, curandGenerator_t *generator,
                      curandRngType_t type);
PORTABLE_CUDA_RANDOM_(curandDestroyGenerator, curandGenerator_t generator);
PORTABLE_CUDA_RANDOM_(curandGetVersion, int *version);
PORTABLE_CUDA_RANDOM_(curandGetProperty, libraryPropertyType type, int *value);
PORTABLE_CUDA_RANDOM_(curandSetStream, curandGenerator_t generator, cudaStream_t stream);
PORTABLE_CUDA_RANDOM_(curandSetPseudoRandomGeneratorSeed, curandGenerator_t generator,
                      unsigned long long seed);
PORTABLE_CUDA_RANDOM_(curandSetGeneratorOffset, curandGenerator_t generator,
                      unsigned long long offset);
PORTABLE_CUDA_RANDOM_(curandSetGeneratorOrdering, curandGenerator_t generator,
                      curandOrdering_t ordering);
PORTABLE_CUDA_RANDOM_(curandSetQuasiRandomGeneratorDimensions, curandGenerator_t generator,
                      unsigned int dimensions);
PORTABLE_CUDA_RANDOM_(curandGenerateSeeds, curandGenerator_t generator);
PORTABLE_CUDA_RANDOM_(curandGenerate, curandGenerator_t generator, unsigned int *output, size_t n);
PORTABLE_CUDA_RANDOM_(curandGenerateLongLong, curandGenerator_t generator,
                      unsigned long long *output, size_t n);
PORTABLE_CUDA_RANDOM_(curandGenerateUniform, curandGenerator_t generator, float *output, size_t n);
PORTABLE_CUDA_RANDOM_(curandGenerateUniformDouble, curandGenerator_t generator, double *output,
                      size_t n);
PORTABLE_CUDA_RANDOM_(curandGenerateNormal, curandGenerator_t generator, float *output, size_t n,
                      float mean, float stddev);
PORTABLE_CUDA_RANDOM_(curandGenerateNormalDouble, curandGenerator_t generator, double *output,
                      size_t n, double mean, double stddev);
PORTABLE_CUDA_RANDOM_(curandGenerateLogNormal, curandGenerator_t generator, float *output, size_t n,
                      float mean, float stddev);
PORTABLE_CUDA_RANDOM_(curandGenerateLogNormalDouble, curandGenerator_t generator, double *output,
                      size_t n, double mean, double stddev);
PORTABLE_CUDA_RANDOM_(curandGeneratePoisson, curandGenerator_t generator, unsigned int *output,
                      size_t n, double lambda);
PORTABLE_CUDA_RANDOM_(curandGetDirectionVectors32, curandDirectionVectors32_t *vectors[],
                      curandDirectionVectorSet_t set);
PORTABLE_CUDA_RANDOM_(curandGetDirectionVectors64, curandDirectionVectors64_t *vectors[],
                      curandDirectionVectorSet_t set);
PORTABLE_CUDA_RANDOM_(curandGetScrambleConstants32, unsigned int **constants);
PORTABLE_CUDA_RANDOM_(curandGetScrambleConstants64, unsigned long long **constants);

#if defined(__cplusplus)
}
#endif
#undef PORTABLE_CUDA_RANDOM_

#endif
