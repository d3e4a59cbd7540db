/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuRAND's device functions: XORWOW, Philox4x32-10, MRG32k3a and Sobol generators, uniform, normal,
 * log-normal and Poisson numbers. Integers and uniform numbers are cuRAND's bit for bit; normal
 * numbers agree up to the elementary functions' last bits.
 *
 * Marsaglia, "Xorshift RNGs", J. Stat. Softw. 8(14), 2003 (XORWOW); Salmon et al., "Parallel random
 * numbers: as easy as 1, 2, 3", SC 2011 (Philox); L'Ecuyer, "Good parameters and implementations
 * for combined multiple recursive random number generators", Oper. Res. 47(1), 1999 (MRG32k3a).
 */
#ifndef PORTABLE_CUDA_CURAND_KERNEL_H
#define PORTABLE_CUDA_CURAND_KERNEL_H
/* CUDA's own guard, which other code asks for. */
#define CURAND_KERNEL_H_

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curand.h"
#include "vector_types.h"

#define CURAND_2POW32_INV (2.3283064e-10f)
#define CURAND_2POW32_INV_DOUBLE (2.3283064365386963e-10)
#define CURAND_2POW53_INV_DOUBLE (1.1102230246251565e-16)
#define CURAND_2PI (6.2831855f)
#define CURAND_2POW32_INV_2PI (2.3283064e-10f * 6.2831855f)

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    unsigned int padding_; /* set, so that a copy reads no uninitialised bytes */
    double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
    uint4 ctr;
    uint4 output;
    uint2 key;
    unsigned int STATE;
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
    unsigned int s1[3];
    unsigned int s2[3];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    unsigned int padding_; /* set, so that a copy reads no uninitialised bytes */
    double boxmuller_extra_double;
};
struct curandStateSobol32 {
    unsigned int i, x, c;
    unsigned int direction_vectors[32];
};
struct curandStateScrambledSobol32 {
    unsigned int i, x, c;
    unsigned int direction_vectors[32];
};
struct curandStateSobol64 {
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
};
struct curandStateScrambledSobol64 {
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

namespace portable_cuda
{
namespace random
{
/* ---- XORWOW ---------------------------------------------------------------------------------- */

/* One step of the xorshift part, which is linear over bits. */
static inline void xorshift(unsigned v[5])
{
    const unsigned t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = v[4] ^ v[4] << 4 ^ (t ^ t << 1);
}

/* A matrix of 160 by 160 bits: the image of each bit. */
#define PORTABLE_CUDA_UNCHECKED_                                                                   \
    __attribute__((noinline, no_sanitize("thread"), no_sanitize("address")))
struct bit_matrix {
    unsigned column[160][5];
    PORTABLE_CUDA_UNCHECKED_ void apply(unsigned v[5]) const
    {
        unsigned image[5] = {0, 0, 0, 0, 0};
        for (int i = 0; i < 160; i++)
            if (v[i / 32] >> (i % 32) & 1)
                for (int k = 0; k < 5; k++)
                    image[k] ^= column[i][k];
        for (int k = 0; k < 5; k++)
            v[k] = image[k];
    }
    PORTABLE_CUDA_UNCHECKED_ void step()
    {
        for (int i = 0; i < 160; i++) {
            unsigned v[5] = {0, 0, 0, 0, 0};
            v[i / 32] = 1u << (i % 32);
            const unsigned t = v[0] ^ v[0] >> 2 ^ (v[0] ^ v[0] >> 2) << 1;
            for (int k = 0; k < 4; k++)
                column[i][k] = v[k + 1];
            column[i][4] = v[4] ^ v[4] << 4 ^ t;
        }
    }
    PORTABLE_CUDA_UNCHECKED_ void square(const bit_matrix &from)
    {
        for (int i = 0; i < 160; i++) {
            for (int k = 0; k < 5; k++)
                column[i][k] = from.column[i][k];
            from.apply(column[i]);
        }
    }
};

/* Powers of the step's matrix, 2^0 to 2^130, computed when first used. The functions that do so are
 * not instrumented: the checks would see races for the powers. They get vectors on the stack. */
struct xorwow_powers {
    bit_matrix power[131];
    int made;
};
inline xorwow_powers powers;
/* Advances by 2^(first + k) steps for each bit k of n. */
PORTABLE_CUDA_UNCHECKED_ inline void xorwow_advance_vector(unsigned v[5], unsigned long long n,
                                                           int first)
{
    for (int bit = first; n; n >>= 1, bit++) {
        if (!(n & 1))
            continue;
        for (; powers.made <= bit; powers.made++) {
            bit_matrix &next = powers.power[powers.made];
            if (powers.made)
                next.square(powers.power[powers.made - 1]);
            else
                next.step();
        }
        powers.power[bit].apply(v);
    }
}
static inline void xorwow_advance(unsigned v[5], unsigned long long n, int first)
{
    unsigned copy[5] = {v[0], v[1], v[2], v[3], v[4]};
    xorwow_advance_vector(copy, n, first);
    for (int i = 0; i < 5; i++)
        v[i] = copy[i];
}
#undef PORTABLE_CUDA_UNCHECKED_

/* ---- Philox ---------------------------------------------------------------------------------- */

static inline uint4 philox(uint4 counter, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        const unsigned long long a = 0xd2511f53ull * counter.x, b = 0xcd9e8d57ull * counter.z;
        const uint4 next = {(unsigned)(b >> 32) ^ counter.y ^ key.x, (unsigned)b,
                            (unsigned)(a >> 32) ^ counter.w ^ key.y, (unsigned)a};
        counter = next;
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return counter;
}

/* ---- MRG32k3a -------------------------------------------------------------------------------- */

static const unsigned long long mrg_modulus1 = 4294967087ull, mrg_modulus2 = 4294944443ull;

struct mrg_matrix {
    unsigned long long element[3][3];
};
static inline mrg_matrix product(const mrg_matrix &a, const mrg_matrix &b, unsigned long long m)
{
    mrg_matrix c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            c.element[i][j] = 0;
            for (int k = 0; k < 3; k++)
                c.element[i][j] = (c.element[i][j] + a.element[i][k] * b.element[k][j] % m) % m;
        }
    return c;
}
/* Advances one component of the state by n 2^doublings steps. */
static inline void mrg_advance(unsigned state[3], mrg_matrix step, unsigned long long m,
                               unsigned long long n, int doublings)
{
    for (int i = 0; i < doublings; i++)
        step = product(step, step, m);
    for (; n; n >>= 1) {
        if (n & 1) {
            unsigned long long next[3];
            for (int i = 0; i < 3; i++) {
                next[i] = 0;
                for (int k = 0; k < 3; k++)
                    next[i] = (next[i] + step.element[i][k] * state[k] % m) % m;
            }
            for (int i = 0; i < 3; i++)
                state[i] = (unsigned)next[i];
        }
        step = product(step, step, m);
    }
}
static inline void mrg_advance(curandStateMRG32k3a *state, unsigned long long n, int doublings)
{
    const mrg_matrix step1 = {{{0, 1, 0}, {0, 0, 1}, {mrg_modulus1 - 810728, 1403580, 0}}};
    const mrg_matrix step2 = {{{0, 1, 0}, {0, 0, 1}, {mrg_modulus2 - 1370589, 0, 527612}}};
    mrg_advance(state->s1, step1, mrg_modulus1, n, doublings);
    mrg_advance(state->s2, step2, mrg_modulus2, n, doublings);
}

/* A multiple of 1, at most the first modulus and at least 1. */
static inline unsigned long long mrg_next(curandStateMRG32k3a *state)
{
    const unsigned long long p1 =
        (1403580ull * state->s1[1] + 810728ull * (mrg_modulus1 - state->s1[0])) % mrg_modulus1;
    const unsigned long long p2 =
        (527612ull * state->s2[2] + 1370589ull * (mrg_modulus2 - state->s2[0])) % mrg_modulus2;
    state->s1[0] = state->s1[1];
    state->s1[1] = state->s1[2];
    state->s1[2] = (unsigned)p1;
    state->s2[0] = state->s2[1];
    state->s2[1] = state->s2[2];
    state->s2[2] = (unsigned)p2;
    return p1 <= p2 ? p1 + mrg_modulus1 - p2 : p1 - p2;
}

/* ---- Distributions --------------------------------------------------------------------------- */

/* a b + c in one rounding, as nvcc contracts it. */
static inline float uniform(unsigned x)
{
    return fmaf((float)x, CURAND_2POW32_INV, CURAND_2POW32_INV / 2.0f);
}
static inline float uniform(unsigned long long x)
{
    return uniform((unsigned)(x >> 32));
}
static inline double uniform_double(unsigned x)
{
    return fma((double)x, CURAND_2POW32_INV_DOUBLE, CURAND_2POW32_INV_DOUBLE);
}
static inline double uniform_double(unsigned long long x)
{
    return fma((double)(x >> 11), CURAND_2POW53_INV_DOUBLE, CURAND_2POW53_INV_DOUBLE / 2.0);
}
static inline double uniform_double(unsigned x, unsigned y)
{
    const unsigned long long z = x ^ (unsigned long long)y << 21;
    return fma((double)z, CURAND_2POW53_INV_DOUBLE, CURAND_2POW53_INV_DOUBLE / 2.0);
}

static inline float2 box_muller_of(float u, float angle)
{
    const float radius = sqrtf(-2.0f * logf(u));
    const float2 result = {sinf(angle) * radius, cosf(angle) * radius};
    return result;
}
static inline float2 box_muller(unsigned x, unsigned y)
{
    return box_muller_of(uniform(x),
                         fmaf((float)y, CURAND_2POW32_INV_2PI, CURAND_2POW32_INV_2PI / 2));
}
static inline double sin_pi(double x)
{
    x = fmod(x, 2.0);
    const double quarters = rint(2 * x), rest = (x - quarters / 2) * 3.1415926535897932;
    switch ((int)quarters & 3) {
    case 0: return sin(rest);
    case 1: return cos(rest);
    case 2: return -sin(rest);
    default: return -cos(rest);
    }
}
/* v in half turns */
static inline double2 box_muller_double_of(double u, double v)
{
    const double radius = sqrt(-2.0 * log(u));
    const double2 result = {sin_pi(v) * radius, sin_pi(v + 0.5) * radius};
    return result;
}
static inline double2 box_muller_double(unsigned x0, unsigned x1, unsigned y0, unsigned y1)
{
    const unsigned long long y = y0 ^ (unsigned long long)y1 << 21;
    return box_muller_double_of(
        uniform_double(x0, x1),
        fma((double)y, CURAND_2POW53_INV_DOUBLE * 2.0, CURAND_2POW53_INV_DOUBLE));
}

/* The x at which erfc(x) = y. Newton's method on a rational first value (Abramowitz and Stegun
 * 26.2.23). */
static inline double inverse_erfc(double y)
{
    if (y > 1)
        return -inverse_erfc(2 - y);
    const double t = sqrt(-2 * log(y / 2));
    double x = (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                        (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))) /
               1.4142135623730951;
    for (int i = 0; i < 3; i++) {
        const double slope = -1.1283791670955126 * exp(-x * x);
        const double change = (erfc(x) - y) / slope;
        x -= change / (1 + x * change);
    }
    return x;
}
/* The normal number whose probability x stands for. cuRAND's constant is -sqrt(2). */
static inline float normal_of(unsigned x)
{
    float scale = -1.4142135f;
    if (x > 0x80000000u) {
        x = 0xffffffffu - x;
        scale = -scale;
    }
    return scale * (float)inverse_erfc((double)(2.0f * uniform(x)));
}
static inline float normal_of(unsigned long long x)
{
    return normal_of((unsigned)(x >> 32));
}
static inline double normal_double_of(unsigned x)
{
    double scale = -1.4142135623730951;
    if (x > 0x80000000u) {
        x = 0xffffffffu - x;
        scale = -scale;
    }
    return scale *
           inverse_erfc(2 * fma((double)x, CURAND_2POW32_INV_DOUBLE, CURAND_2POW32_INV_DOUBLE / 2));
}
static inline double normal_double_of(unsigned long long x)
{
    double scale = -1.4142135623730951;
    x >>= 11;
    if (x > 1ull << 52) {
        x = (1ull << 53) - 1 - x;
        scale = -scale;
    }
    return scale *
           inverse_erfc(2 * fma((double)x, CURAND_2POW53_INV_DOUBLE, CURAND_2POW53_INV_DOUBLE / 2));
}
} // namespace random
} // namespace portable_cuda

/* ---- XORWOW ---------------------------------------------------------------------------------- */

static inline void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    portable_cuda::random::xorwow_advance(state->v, n, 0);
    state->d += 362437 * (unsigned)n;
}
/* Sequences are 2^67 apart; d, which has the period 2^32, is the same at the start of each. */
static inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    portable_cuda::random::xorwow_advance(state->v, n, 67);
}
static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateXORWOW_t *state)
{
    const unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
    const unsigned high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    state->d = 6615241u + high + low;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->padding_ = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
static inline unsigned int curand(curandStateXORWOW_t *state)
{
    portable_cuda::random::xorshift(state->v);
    state->d += 362437;
    return state->v[4] + state->d;
}

/* ---- Philox ---------------------------------------------------------------------------------- */

namespace portable_cuda
{
namespace random
{
/* Adds to the counter, of 128 bits; output keeps the block that it stands at. */
static inline void philox_add(curandStatePhilox4_32_10_t *state, unsigned long long n)
{
    const unsigned long long low = (unsigned long long)state->ctr.y << 32 | state->ctr.x;
    const unsigned long long sum = low + n;
    state->ctr.x = (unsigned)sum;
    state->ctr.y = (unsigned)(sum >> 32);
    if (sum < low && !++state->ctr.z)
        ++state->ctr.w;
    state->output = philox(state->ctr, state->key);
}
} // namespace random
} // namespace portable_cuda

static inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    const unsigned place = state->STATE + (unsigned)(n & 3);
    state->STATE = place & 3;
    portable_cuda::random::philox_add(state, n / 4 + (place >> 2));
}
static inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    const unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
    state->ctr.z = (unsigned)high;
    state->ctr.w = (unsigned)(high >> 32);
    state->output = portable_cuda::random::philox(state->ctr, state->key);
}
static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStatePhilox4_32_10_t *state)
{
    const uint4 start = {0, 0, 0, 0};
    state->ctr = start;
    state->key.x = (unsigned)seed;
    state->key.y = (unsigned)(seed >> 32);
    state->STATE = 0;
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
static inline uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    const uint4 a = state->output;
    portable_cuda::random::philox_add(state, 1);
    const uint4 b = state->output;
    const unsigned words[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    const unsigned *const first = words + (state->STATE & 3);
    const uint4 result = {first[0], first[1], first[2], first[3]};
    return result;
}
static inline unsigned int curand(curandStatePhilox4_32_10_t *state)
{
    const unsigned words[4] = {state->output.x, state->output.y, state->output.z, state->output.w};
    const unsigned result = words[state->STATE & 3];
    if (++state->STATE == 4) {
        portable_cuda::random::philox_add(state, 1);
        state->STATE = 0;
    }
    return result;
}

/* ---- MRG32k3a -------------------------------------------------------------------------------- */

static inline void skipahead(unsigned long long n, curandStateMRG32k3a_t *state)
{
    portable_cuda::random::mrg_advance(state, n, 0);
}
/* Sequences are 2^127 numbers apart, and their subsequences 2^76. */
static inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    portable_cuda::random::mrg_advance(state, n, 76);
}
static inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    portable_cuda::random::mrg_advance(state, n, 127);
}
static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateMRG32k3a_t *state)
{
    const unsigned long long x[2] = {(unsigned)seed ^ 0x55555555u,
                                     (unsigned)(seed >> 32) ^ 0xaaaaaaaau};
    for (int i = 0; i < 3; i++) {
        state->s1[i] = state->s2[i] = 12345;
        if (seed) {
            state->s1[i] = (unsigned)(x[i % 2] * 12345 % portable_cuda::random::mrg_modulus1);
            state->s2[i] = (unsigned)(x[1 - i % 2] * 12345 % portable_cuda::random::mrg_modulus2);
        }
    }
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->padding_ = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
}
static inline double curand_MRG32k3a(curandStateMRG32k3a_t *state)
{
    return (double)portable_cuda::random::mrg_next(state);
}
static inline unsigned int curand(curandStateMRG32k3a_t *state)
{
    return (unsigned)(curand_MRG32k3a(state) * 1.000000048662);
}

/* ---- Sobol ----------------------------------------------------------------------------------- */

#define PORTABLE_CUDA_SOBOL_(type, word, bits)                                                     \
    static inline void skipahead(word n, type *state)                                              \
    {                                                                                              \
        state->x = state->c;                                                                       \
        state->i += n;                                                                             \
        const word gray = state->i ^ state->i >> 1;                                                \
        for (int k = 0; k < bits; k++)                                                             \
            if (gray >> k & 1)                                                                     \
                state->x ^= state->direction_vectors[k];                                           \
    }                                                                                              \
    static inline word curand(type *state)                                                         \
    {                                                                                              \
        const word result = state->x;                                                              \
        int zero = 0;                                                                              \
        while (zero < bits - 1 && (state->i >> zero & 1))                                          \
            zero++;                                                                                \
        state->x ^= state->direction_vectors[zero];                                                \
        state->i++;                                                                                \
        return result;                                                                             \
    }
PORTABLE_CUDA_SOBOL_(curandStateSobol32_t, unsigned int, 32)
PORTABLE_CUDA_SOBOL_(curandStateScrambledSobol32_t, unsigned int, 32)
PORTABLE_CUDA_SOBOL_(curandStateSobol64_t, unsigned long long, 64)
PORTABLE_CUDA_SOBOL_(curandStateScrambledSobol64_t, unsigned long long, 64)
#undef PORTABLE_CUDA_SOBOL_
#define PORTABLE_CUDA_SOBOL_(type, word, bits)                                                     \
    static inline void curand_init(word *direction_vectors, word offset, type *state)              \
    {                                                                                              \
        state->i = state->c = 0;                                                                   \
        for (int k = 0; k < bits; k++)                                                             \
            state->direction_vectors[k] = direction_vectors[k];                                    \
        skipahead(offset, state);                                                                  \
    }
PORTABLE_CUDA_SOBOL_(curandStateSobol32_t, unsigned int, 32)
PORTABLE_CUDA_SOBOL_(curandStateSobol64_t, unsigned long long, 64)
#undef PORTABLE_CUDA_SOBOL_
#define PORTABLE_CUDA_SOBOL_(type, word, bits)                                                     \
    static inline void curand_init(word *direction_vectors, word scramble_c, word offset,          \
                                   type *state)                                                    \
    {                                                                                              \
        state->i = 0;                                                                              \
        state->c = scramble_c;                                                                     \
        for (int k = 0; k < bits; k++)                                                             \
            state->direction_vectors[k] = direction_vectors[k];                                    \
        skipahead(offset, state);                                                                  \
    }
PORTABLE_CUDA_SOBOL_(curandStateScrambledSobol32_t, unsigned int, 32)
PORTABLE_CUDA_SOBOL_(curandStateScrambledSobol64_t, unsigned long long, 64)
#undef PORTABLE_CUDA_SOBOL_

/* ---- Uniform numbers, in (0, 1] -------------------------------------------------------------- */

static inline float curand_uniform(curandStateXORWOW_t *state)
{
    return portable_cuda::random::uniform(curand(state));
}
static inline double curand_uniform_double(curandStateXORWOW_t *state)
{
    const unsigned x = curand(state), y = curand(state);
    return portable_cuda::random::uniform_double(x, y);
}
static inline float curand_uniform(curandStatePhilox4_32_10_t *state)
{
    return portable_cuda::random::uniform(curand(state));
}
static inline double curand_uniform_double(curandStatePhilox4_32_10_t *state)
{
    return portable_cuda::random::uniform_double(curand(state));
}
static inline float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    const float4 result = {portable_cuda::random::uniform(x.x), portable_cuda::random::uniform(x.y),
                           portable_cuda::random::uniform(x.z),
                           portable_cuda::random::uniform(x.w)};
    return result;
}
static inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    const double2 result = {portable_cuda::random::uniform_double(x.x, x.y),
                            portable_cuda::random::uniform_double(x.z, x.w)};
    return result;
}
static inline double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state)
{
    const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    const double4 result = {a.x, a.y, b.x, b.y};
    return result;
}
static inline double curand_uniform_double(curandStateMRG32k3a_t *state)
{
    return curand_MRG32k3a(state) * 2.3283065498378288e-10;
}
static inline float curand_uniform(curandStateMRG32k3a_t *state)
{
    return (float)curand_uniform_double(state);
}

/* ---- Normal and log-normal numbers ----------------------------------------------------------- */

namespace portable_cuda
{
namespace random
{
template <class State> static inline float2 normal_pair(State *state)
{
    const unsigned x = curand(state), y = curand(state);
    return box_muller(x, y);
}
static inline float2 normal_pair(curandStateMRG32k3a_t *state)
{
    const float x = curand_uniform(state), y = curand_uniform(state) * CURAND_2PI;
    return box_muller_of(x, y);
}
static inline double2 normal_pair_double(curandStateXORWOW_t *state)
{
    const unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
    return box_muller_double(x0, x1, y0, y1);
}
static inline double2 normal_pair_double(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    return box_muller_double(x.x, x.y, x.z, x.w);
}
static inline double2 normal_pair_double(curandStateMRG32k3a_t *state)
{
    const double x = curand_uniform_double(state), y = curand_uniform_double(state) * 2.0;
    return box_muller_double_of(x, y);
}
/* The flags of a kept second number, with cuRAND's values. */
enum kept { kept_normal = 1, kept_log_normal = 2 };
} // namespace random
} // namespace portable_cuda

#define PORTABLE_CUDA_NORMAL_(type)                                                                \
    static inline float2 curand_normal2(type *state)                                               \
    {                                                                                              \
        return portable_cuda::random::normal_pair(state);                                          \
    }                                                                                              \
    static inline float curand_normal(type *state)                                                 \
    {                                                                                              \
        if (state->boxmuller_flag == portable_cuda::random::kept_normal) {                         \
            state->boxmuller_flag = 0;                                                             \
            return state->boxmuller_extra;                                                         \
        }                                                                                          \
        const float2 pair = curand_normal2(state);                                                 \
        state->boxmuller_extra = pair.y;                                                           \
        state->boxmuller_flag = portable_cuda::random::kept_normal;                                \
        return pair.x;                                                                             \
    }                                                                                              \
    static inline float2 curand_log_normal2(type *state, float mean, float stddev)                 \
    {                                                                                              \
        const float2 pair = curand_normal2(state);                                                 \
        const float2 result = {expf(fmaf(stddev, pair.x, mean)),                                   \
                               expf(fmaf(stddev, pair.y, mean))};                                  \
        return result;                                                                             \
    }                                                                                              \
    static inline float curand_log_normal(type *state, float mean, float stddev)                   \
    {                                                                                              \
        if (state->boxmuller_flag == portable_cuda::random::kept_log_normal) {                     \
            state->boxmuller_flag = 0;                                                             \
            return state->boxmuller_extra;                                                         \
        }                                                                                          \
        const float2 pair = curand_log_normal2(state, mean, stddev);                               \
        state->boxmuller_extra = pair.y;                                                           \
        state->boxmuller_flag = portable_cuda::random::kept_log_normal;                            \
        return pair.x;                                                                             \
    }                                                                                              \
    static inline double2 curand_normal2_double(type *state)                                       \
    {                                                                                              \
        return portable_cuda::random::normal_pair_double(state);                                   \
    }                                                                                              \
    static inline double curand_normal_double(type *state)                                         \
    {                                                                                              \
        if (state->boxmuller_flag_double == portable_cuda::random::kept_normal) {                  \
            state->boxmuller_flag_double = 0;                                                      \
            return state->boxmuller_extra_double;                                                  \
        }                                                                                          \
        const double2 pair = curand_normal2_double(state);                                         \
        state->boxmuller_extra_double = pair.y;                                                    \
        state->boxmuller_flag_double = portable_cuda::random::kept_normal;                         \
        return pair.x;                                                                             \
    }                                                                                              \
    static inline double2 curand_log_normal2_double(type *state, double mean, double stddev)       \
    {                                                                                              \
        const double2 pair = curand_normal2_double(state);                                         \
        const double2 result = {exp(fma(stddev, pair.x, mean)), exp(fma(stddev, pair.y, mean))};   \
        return result;                                                                             \
    }                                                                                              \
    static inline double curand_log_normal_double(type *state, double mean, double stddev)         \
    {                                                                                              \
        if (state->boxmuller_flag_double == portable_cuda::random::kept_log_normal) {              \
            state->boxmuller_flag_double = 0;                                                      \
            return state->boxmuller_extra_double;                                                  \
        }                                                                                          \
        const double2 pair = curand_log_normal2_double(state, mean, stddev);                       \
        state->boxmuller_extra_double = pair.y;                                                    \
        state->boxmuller_flag_double = portable_cuda::random::kept_log_normal;                     \
        return pair.x;                                                                             \
    }
PORTABLE_CUDA_NORMAL_(curandStateXORWOW_t)
PORTABLE_CUDA_NORMAL_(curandStatePhilox4_32_10_t)
PORTABLE_CUDA_NORMAL_(curandStateMRG32k3a_t)
#undef PORTABLE_CUDA_NORMAL_

static inline float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    const float2 a = portable_cuda::random::box_muller(x.x, x.y);
    const float2 b = portable_cuda::random::box_muller(x.z, x.w);
    const float4 result = {a.x, a.y, b.x, b.y};
    return result;
}
static inline double4 curand_normal4_double(curandStatePhilox4_32_10_t *state)
{
    const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
    const double4 result = {a.x, a.y, b.x, b.y};
    return result;
}
static inline float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev)
{
    float4 v = curand_normal4(state);
    v.x = expf(fmaf(stddev, v.x, mean));
    v.y = expf(fmaf(stddev, v.y, mean));
    v.z = expf(fmaf(stddev, v.z, mean));
    v.w = expf(fmaf(stddev, v.w, mean));
    return v;
}
static inline double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean,
                                                double stddev)
{
    double4 v = curand_normal4_double(state);
    v.x = exp(fma(stddev, v.x, mean));
    v.y = exp(fma(stddev, v.y, mean));
    v.z = exp(fma(stddev, v.z, mean));
    v.w = exp(fma(stddev, v.w, mean));
    return v;
}

/* ---- Poisson numbers ------------------------------------------------------------------------- */

namespace portable_cuda
{
namespace random
{
/* Knuth: uniform numbers are multiplied until their product is at most exp(-lambda). */
template <class State> static inline unsigned poisson_knuth(State *state, float lambda)
{
    unsigned count = 0;
    float product = expf(lambda);
    do {
        count++;
        product *= curand_uniform(state);
    } while (product > 1.0f);
    return count - 1;
}

static inline double log_factorial(int n)
{
    return lgamma((double)n + 1.0);
}
/* Approximations to the incomplete gamma function and its inverse, for a rejection's envelope. */
static inline float gamma_slope(float a)
{
    return 1.43248035075540910f * (1 / sqrtf(a - 0.12400979329415655f)) + 0.00025361074907033f;
}
static inline float gamma_shift(float a)
{
    return 0.21096734870196546f * (1 / sqrtf(a - 1.97381164089999420f)) + 0.94201734077887530f;
}
static inline float incomplete_gamma(float a, float x)
{
    const float t = 1.0f + expf(gamma_slope(a) * (a - x) - gamma_shift(a));
    return 1 / (t * t);
}
static inline float inverse_incomplete_gamma(float a, float y)
{
    return a - (gamma_shift(a) + logf(1 / sqrtf(y) - 1.0f)) / gamma_slope(a);
}
template <class State> static inline unsigned poisson_gamma(State *state, float lambda)
{
    const float logarithm = logf(lambda);
    for (;;) {
        const float x = floorf(inverse_incomplete_gamma(lambda, curand_uniform(state)));
        const float z = curand_uniform(state);
        const float v = (incomplete_gamma(lambda, x + 1.0f) - incomplete_gamma(lambda, x)) * 1.3f;
        const float t = expf(-lambda + x * logarithm - (float)log_factorial((int)x));
        if (z * v < t && v >= 1e-20f)
            return (unsigned)x;
    }
}
static inline unsigned poisson_normal(double normal, double lambda)
{
    return (unsigned)(sqrt(lambda) * normal + lambda + 0.5);
}
template <class State> static inline unsigned poisson(State *state, double lambda)
{
    if (lambda < 64)
        return poisson_knuth(state, (float)lambda);
    if (lambda > 4000)
        return poisson_normal(curand_normal_double(state), lambda);
    return poisson_gamma(state, (float)lambda);
}
/* By summing probabilities until they exceed one uniform number, in parts of exp(-500). */
static inline unsigned poisson_sum(double u, double lambda)
{
    double p = 1, q = 1;
    unsigned count = 0;
    int done = 0;
    do {
        const double factor = lambda > done + 500.0 ? exp(-500.0) : exp(done - lambda);
        p *= factor;
        q *= factor;
        done += 500;
        while (u > q) {
            count++;
            p *= lambda / (double)count;
            q += p;
        }
    } while (done < lambda);
    return count;
}
static inline unsigned poisson_of(unsigned x, double lambda)
{
    if (lambda >= 1000)
        return poisson_normal(normal_double_of(x), lambda);
    return poisson_sum(fma((double)x, CURAND_2POW32_INV_DOUBLE, CURAND_2POW32_INV_DOUBLE / 2.0),
                       lambda);
}
static inline unsigned poisson_of(unsigned long long x, double lambda)
{
    if (lambda >= 1000)
        return poisson_normal(normal_double_of(x), lambda);
    return poisson_sum(
        fma((double)(x >> 11), CURAND_2POW53_INV_DOUBLE, CURAND_2POW53_INV_DOUBLE / 4.0), lambda);
}
} // namespace random
} // namespace portable_cuda

static inline unsigned int curand_poisson(curandStateXORWOW_t *state, double lambda)
{
    return portable_cuda::random::poisson(state, lambda);
}
static inline unsigned int curand_poisson(curandStatePhilox4_32_10_t *state, double lambda)
{
    return portable_cuda::random::poisson(state, lambda);
}
static inline unsigned int curand_poisson(curandStateMRG32k3a_t *state, double lambda)
{
    return portable_cuda::random::poisson(state, lambda);
}
static inline uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda)
{
    uint4 result;
    if (lambda > 4000) {
        const double4 v = curand_normal4_double(state);
        result.x = portable_cuda::random::poisson_normal(v.x, lambda);
        result.y = portable_cuda::random::poisson_normal(v.y, lambda);
        result.z = portable_cuda::random::poisson_normal(v.z, lambda);
        result.w = portable_cuda::random::poisson_normal(v.w, lambda);
        return result;
    }
    result.x = curand_poisson(state, lambda);
    result.y = curand_poisson(state, lambda);
    result.z = curand_poisson(state, lambda);
    result.w = curand_poisson(state, lambda);
    return result;
}

#define PORTABLE_CUDA_SOBOL_(type)                                                                 \
    static inline float curand_uniform(type *state)                                                \
    {                                                                                              \
        return portable_cuda::random::uniform(curand(state));                                      \
    }                                                                                              \
    static inline double curand_uniform_double(type *state)                                        \
    {                                                                                              \
        return portable_cuda::random::uniform_double(curand(state));                               \
    }                                                                                              \
    static inline float curand_normal(type *state)                                                 \
    {                                                                                              \
        return portable_cuda::random::normal_of(curand(state));                                    \
    }                                                                                              \
    static inline double curand_normal_double(type *state)                                         \
    {                                                                                              \
        return portable_cuda::random::normal_double_of(curand(state));                             \
    }                                                                                              \
    static inline float curand_log_normal(type *state, float mean, float stddev)                   \
    {                                                                                              \
        return expf(fmaf(stddev, curand_normal(state), mean));                                     \
    }                                                                                              \
    static inline double curand_log_normal_double(type *state, double mean, double stddev)         \
    {                                                                                              \
        return exp(fma(stddev, curand_normal_double(state), mean));                                \
    }                                                                                              \
    static inline unsigned int curand_poisson(type *state, double lambda)                          \
    {                                                                                              \
        return portable_cuda::random::poisson_of(curand(state), lambda);                           \
    }
PORTABLE_CUDA_SOBOL_(curandStateSobol32_t)
PORTABLE_CUDA_SOBOL_(curandStateScrambledSobol32_t)
PORTABLE_CUDA_SOBOL_(curandStateSobol64_t)
PORTABLE_CUDA_SOBOL_(curandStateScrambledSobol64_t)
#undef PORTABLE_CUDA_SOBOL_

#endif
