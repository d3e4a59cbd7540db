/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libcurand: cuRAND's generators on the CPU. The numbers are those of its device functions, in its
 * order: a generator of pseudorandom numbers has many streams, which take turns. In one turn a
 * stream makes one number, or a pair of normal ones; one of Philox, four; one of MTGP32, 256.
 *
 * C++, for the device functions in curand_kernel.h; it needs nothing of C++'s library.
 */
#include "host/cudart/library.h"
#include "host/cudart/mtgp.h"
#include "host/cudart/sobol.h"

#include "host/cudart/include/curand_kernel.h"

#include <pthread.h> /* pthread_once */
#include <stdio.h>   /* fputs */
#include <stdlib.h>  /* calloc, free */

typedef unsigned long long word64;
typedef curandStateXORWOW_t Xorwow;
typedef curandStateMRG32k3a_t Mrg;
typedef curandStatePhilox4_32_10_t Philox;
/* The last 351 words and more, in a ring; begin is the oldest of them. */
struct Mtgp {
    unsigned ring[1024], begin, stream;
    word64 seed;
};
enum { IN_TURN = 256 }; /* numbers at most */

struct curandGenerator_st {
    curandRngType_t type;
    curandOrdering_t ordering;
    int on_host;
    cudaStream_t stream;
    word64 seed, offset;
    unsigned dimensions;
    /* Since the last change of the settings above: */
    word64 turn; /* all streams' */
    int place;   /* in this turn */
    void *states;
    unsigned ready; /* streams that have a state */
    union {
        Xorwow xorwow;
        Mrg mrg;
        Philox philox;
        Mtgp mtgp;
    } next; /* the first state of the stream after them */
};

static void restart(curandGenerator_t generator)
{
    free(generator->states);
    generator->states = NULL;
    generator->ready = 0;
}

/* ---- MTGP32 ---- */

static unsigned entry(const unsigned table[4], unsigned i)
{
    unsigned sum = 0;
    for (int k = 0; k < 4; k++)
        sum ^= i >> k & 1 ? table[k] : 0;
    return sum;
}
static void start_stream(Mtgp *state, unsigned stream)
{
    const mtgp_parameters *const p = &mtgp_streams[stream];
    const unsigned hidden = p->table[2] ^ p->table[3] << 16;
    unsigned fill = hidden + (hidden >> 16);
    fill = ((fill + (fill >> 8)) & 0xff) * 0x01010101u;
    state->begin = 0;
    state->stream = stream;
    for (int i = 0; i < 351; i++)
        state->ring[i] = fill;
    state->ring[0] = (unsigned)(state->seed ^ state->seed >> 32) + stream + 1;
    state->ring[1] = hidden;
    for (unsigned i = 1; i < 351; i++)
        state->ring[i] ^= 1812433253u * (state->ring[i - 1] ^ state->ring[i - 1] >> 30) + i;
}
static void curand_init(word64 seed, word64, word64, Mtgp *state)
{
    state->seed = seed;
    start_stream(state, 0);
}
static void skipahead(word64, Mtgp *)
{
    /* It has no offset. */
}
static unsigned curand(Mtgp *state)
{
    const mtgp_parameters *const p = &mtgp_streams[state->stream];
    const unsigned *const ring = state->ring, begin = state->begin++;
    unsigned x = (ring[begin & 1023] & 0xfff80000u) ^ ring[(begin + 1) & 1023];
    x ^= x << p->shift1;
    const unsigned y = x ^ ring[(begin + p->position) & 1023] >> p->shift2;
    const unsigned next = y ^ entry(p->table, y & 15);
    unsigned t = ring[(begin + p->position - 1) & 1023];
    t ^= t >> 16;
    t ^= t >> 8;
    state->ring[(begin + 351) & 1023] = next;
    return next ^ entry(p->temper, t & 15);
}

/* ---- streams ---- */

static portable_cuda::random::mrg_matrix mrg_jump[2]; /* 2^76 steps */
static void make_mrg_jump(void)
{
    using namespace portable_cuda::random;
    mrg_jump[0] = {{{0, 1, 0}, {0, 0, 1}, {mrg_modulus1 - 810728, 1403580, 0}}};
    mrg_jump[1] = {{{0, 1, 0}, {0, 0, 1}, {mrg_modulus2 - 1370589, 0, 527612}}};
    for (int i = 0; i < 76; i++) {
        mrg_jump[0] = product(mrg_jump[0], mrg_jump[0], mrg_modulus1);
        mrg_jump[1] = product(mrg_jump[1], mrg_jump[1], mrg_modulus2);
    }
}
static void to_next_stream(Xorwow *state)
{
    skipahead_sequence(1, state);
}
static void to_next_stream(Philox *state)
{
    skipahead_sequence(1, state);
}
static void to_next_stream(Mrg *state)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_mrg_jump);
    portable_cuda::random::mrg_advance(state->s1, mrg_jump[0], portable_cuda::random::mrg_modulus1,
                                       1, 0);
    portable_cuda::random::mrg_advance(state->s2, mrg_jump[1], portable_cuda::random::mrg_modulus2,
                                       1, 0);
}

static void to_next_stream(Mtgp *state)
{
    start_stream(state, (state->stream + 1) % MTGP_STREAMS);
}

static unsigned streams_of(const struct curandGenerator_st *generator, const Mtgp *)
{
    return generator->ordering == CURAND_ORDERING_PSEUDO_LEGACY ? 64 : MTGP_STREAMS;
}
static unsigned streams_of(const struct curandGenerator_st *, const Xorwow *)
{
    return 4096;
}
static unsigned streams_of(const struct curandGenerator_st *generator, const Mrg *)
{
    return generator->ordering == CURAND_ORDERING_PSEUDO_LEGACY ? 4096 : 81920;
}
static unsigned streams_of(const struct curandGenerator_st *, const Philox *)
{
    return 65536;
}
static int numbers_in_turn(const void *)
{
    return 1;
}
static int numbers_in_turn(const Philox *)
{
    return 4;
}

static int numbers_in_turn(const Mtgp *)
{
    return IN_TURN;
}

/* The stream whose turn it is, or NULL without memory. */
template <class State> static State *stream_in_turn(curandGenerator_t generator)
{
    State *states = (State *)generator->states, *const next = (State *)&generator->next;
    const unsigned count = streams_of(generator, next);
    const int width = numbers_in_turn(next);
    if (!states) {
        states = (State *)calloc(count, sizeof *states);
        if (!states)
            return NULL;
        generator->states = states;
        generator->turn = generator->offset / width;
        generator->place = (int)(generator->offset % width);
        curand_init(generator->seed, 0, 0, next);
    }
    const unsigned k = (unsigned)(generator->turn % count);
    for (; generator->ready <= k; generator->ready++) {
        const word64 turns = generator->offset / width;
        states[generator->ready] = *next;
        skipahead((turns / count + (generator->ready < turns % count)) * width,
                  &states[generator->ready]);
        to_next_stream(next);
    }
    return &states[k];
}

template <class State, class Draw>
static curandStatus_t fill_by_turns(curandGenerator_t generator, const Draw &draw,
                                    typename Draw::type *output, size_t n)
{
    while (n > 0) {
        State *const state = stream_in_turn<State>(generator);
        if (!state)
            return CURAND_STATUS_ALLOCATION_FAILED;
        State next = *state;
        typename Draw::type numbers[IN_TURN];
        const int made = draw.turn(&next, numbers);
        for (; n > 0 && generator->place < made; n--)
            *output++ = numbers[generator->place++];
        if (generator->place == made) {
            *state = next;
            generator->turn++;
            generator->place = 0;
        }
    }
    return CURAND_STATUS_SUCCESS;
}

/* ---- Sobol ---- */

static word64 vectors64[SOBOL_DIMENSIONS][64], scrambled64[SOBOL_DIMENSIONS][64],
    constants64[SOBOL_DIMENSIONS];
static unsigned vectors32[SOBOL_DIMENSIONS][32], scrambled32[SOBOL_DIMENSIONS][32],
    constants32[SOBOL_DIMENSIONS];

/* The next primitive polynomial after this one, of bits for its coefficients. */
static unsigned next_primitive(unsigned polynomial)
{
    for (;;) {
        polynomial += 2;
        unsigned high = 1, x = 1, period = 0;
        while (high << 1 <= polynomial)
            high <<= 1;
        do {
            x <<= 1;
            if (x & high)
                x ^= polynomial;
            period++;
        } while (x > 1 && period < high);
        if (x == 1 && period == high - 1)
            return polynomial;
    }
}
/* Numbers for the scrambling, which are not cuRAND's. */
static word64 scrambler(unsigned dimension, unsigned k)
{
    const uint4 counter = {dimension, k, 0, 0};
    const uint2 key = {0, 0};
    const uint4 x = portable_cuda::random::philox(counter, key);
    return (word64)x.x << 32 | x.y;
}
static void make_vectors(void)
{
    unsigned polynomial = 1, position = 0;
    for (int k = 0; k < 64; k++)
        vectors64[0][k] = 1ull << (63 - k);
    for (int d = 1; d < SOBOL_DIMENSIONS; d++) {
        word64 m[64] = {1};
        int degree = 0;
        polynomial = d == 1 ? 3 : next_primitive(polynomial);
        while (polynomial >> (degree + 1))
            degree++;
        for (int k = 1; k < 64; k++) {
            if (k < degree) {
                m[k] = 1;
                for (int bit = 1; bit <= k; bit++, position++)
                    m[k] |= (sobol_initial_bits[position / 64] >> (position % 64) & 1) << bit;
                continue;
            }
            m[k] = m[k - degree];
            for (int j = 1; j <= degree; j++)
                if (polynomial >> (degree - j) & 1)
                    m[k] ^= m[k - j] << j;
        }
        for (int k = 0; k < 64; k++)
            vectors64[d][k] = m[k] << (63 - k);
    }
    for (int d = 0; d < SOBOL_DIMENSIONS; d++) {
        constants64[d] = scrambler((unsigned)d, 64);
        constants32[d] = (unsigned)(constants64[d] >> 32);
        for (int k = 0; k < 64; k++) {
            /* A row of a random lower triangular matrix for each bit, from the highest. */
            for (int row = 0; row < 64; row++) {
                const word64 above = row ? ~0ull << (64 - row) : 0, diagonal = 1ull << (63 - row);
                const word64 bits = (scrambler((unsigned)d, (unsigned)row) & above) | diagonal;
                if (__builtin_parityll(bits & vectors64[d][k]))
                    scrambled64[d][k] |= diagonal;
            }
            if (k < 32) {
                vectors32[d][k] = (unsigned)(vectors64[d][k] >> 32);
                scrambled32[d][k] = (unsigned)(scrambled64[d][k] >> 32);
            }
        }
    }
}
static void need_vectors(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_vectors);
}

static void start(curandStateSobol32_t *state, unsigned d, word64 offset)
{
    curand_init(vectors32[d], (unsigned)offset, state);
}
static void start(curandStateScrambledSobol32_t *state, unsigned d, word64 offset)
{
    curand_init(scrambled32[d], constants32[d], (unsigned)offset, state);
}
static void start(curandStateSobol64_t *state, unsigned d, word64 offset)
{
    curand_init(vectors64[d], offset, state);
}
static void start(curandStateScrambledSobol64_t *state, unsigned d, word64 offset)
{
    curand_init(scrambled64[d], constants64[d], offset, state);
}
/* All numbers of a dimension, then those of the next. */
template <class State, class Draw>
static curandStatus_t fill_dimensions(curandGenerator_t generator, const Draw &draw,
                                      typename Draw::type *output, size_t n)
{
    const size_t each = n / generator->dimensions;
    need_vectors();
    for (unsigned d = 0; d < generator->dimensions; d++) {
        State state;
        start(&state, d, generator->offset);
        for (size_t i = 0; i < each; i++)
            *output++ = draw.one(&state);
    }
    generator->offset += each;
    return CURAND_STATUS_SUCCESS;
}

/* ---- numbers: those of one turn, and one of a Sobol generator ---- */

struct Bits {
    typedef unsigned type;
    template <class State> int turn(State *state, unsigned *x) const
    {
        x[0] = curand(state);
        return 1;
    }
    int turn(Philox *state, unsigned *x) const
    {
        const uint4 four = curand4(state);
        x[0] = four.x;
        x[1] = four.y;
        x[2] = four.z;
        x[3] = four.w;
        return 4;
    }
    int turn(Mtgp *state, unsigned *x) const
    {
        for (int i = 0; i < IN_TURN; i++)
            x[i] = curand(state);
        return IN_TURN;
    }
    template <class State> unsigned one(State *state) const
    {
        return (unsigned)curand(state);
    }
};
struct LongBits {
    typedef word64 type;
    template <class State> word64 one(State *state) const
    {
        return curand(state);
    }
};
struct Uniform {
    typedef float type;
    template <class State> int turn(State *state, float *x) const
    {
        x[0] = curand_uniform(state);
        return 1;
    }
    int turn(Philox *state, float *x) const
    {
        const float4 four = curand_uniform4(state);
        x[0] = four.x;
        x[1] = four.y;
        x[2] = four.z;
        x[3] = four.w;
        return 4;
    }
    int turn(Mtgp *state, float *x) const
    {
        for (int i = 0; i < IN_TURN; i++)
            x[i] = portable_cuda::random::uniform(curand(state));
        return IN_TURN;
    }
    template <class State> float one(State *state) const
    {
        return curand_uniform(state);
    }
};
struct UniformDouble {
    typedef double type;
    template <class State> int turn(State *state, double *x) const
    {
        x[0] = curand_uniform_double(state);
        return 1;
    }
    int turn(Philox *state, double *x) const
    {
        for (int i = 0; i < 4; i += 2) {
            const double2 pair = curand_uniform2_double(state);
            x[i] = pair.x;
            x[i + 1] = pair.y;
        }
        return 4;
    }
    int turn(Mtgp *state, double *x) const
    {
        for (int i = 0; i < IN_TURN; i++)
            x[i] = portable_cuda::random::uniform_double(curand(state));
        return IN_TURN;
    }
    template <class State> double one(State *state) const
    {
        return curand_uniform_double(state);
    }
};
struct Normal {
    typedef float type;
    float mean, stddev;
    int logarithmic;
    float scaled(float x) const
    {
        const float y = fmaf(stddev, x, mean);
        return logarithmic ? expf(y) : y;
    }
    template <class State> int turn(State *state, float *x) const
    {
        const int made = numbers_in_turn(state) == 4 ? 4 : 2;
        for (int i = 0; i < made; i += 2) {
            const float2 pair = curand_normal2(state);
            x[i] = scaled(pair.x);
            x[i + 1] = scaled(pair.y);
        }
        return made;
    }
    int turn(Mtgp *state, float *x) const
    {
        for (int i = 0; i < IN_TURN; i++)
            x[i] = scaled(portable_cuda::random::normal_of(curand(state)));
        return IN_TURN;
    }
    template <class State> float one(State *state) const
    {
        return scaled(curand_normal(state));
    }
};
struct NormalDouble {
    typedef double type;
    double mean, stddev;
    int logarithmic, on_host;
    double scaled(double x) const
    {
        const double y = fma(stddev, x, mean);
        return logarithmic ? exp(y) : y;
    }
    template <class State> int turn(State *state, double *x) const
    {
        const int made = numbers_in_turn(state) == 4 ? 4 : 2;
        for (int i = 0; i < made; i += 2) {
            const double2 pair = curand_normal2_double(state);
            x[i] = scaled(pair.x);
            x[i + 1] = scaled(pair.y);
        }
        return made;
    }
    /* Those of MTGP32 on the host have the precision of float, unless they are log-normal. */
    int turn(Mtgp *state, double *x) const
    {
        for (int i = 0; i < IN_TURN; i++) {
            const unsigned bits = curand(state);
            x[i] = scaled(on_host && !logarithmic ? (double)portable_cuda::random::normal_of(bits)
                                                  : portable_cuda::random::normal_double_of(bits));
        }
        return IN_TURN;
    }
    template <class State> double one(State *state) const
    {
        return scaled(curand_normal_double(state));
    }
};
struct Poisson {
    typedef unsigned type;
    double lambda;
    template <class State> int turn(State *state, unsigned *x) const
    {
        const int made = Bits().turn(state, x);
        for (int i = 0; i < made; i++)
            x[i] = portable_cuda::random::poisson_of(x[i], lambda);
        return made;
    }
    template <class State> unsigned one(State *state) const
    {
        return portable_cuda::random::poisson_of(curand(state), lambda);
    }
};

/* ---- generating ---- */

static int is_quasi(const struct curandGenerator_st *generator)
{
    return generator->type >= CURAND_RNG_QUASI_DEFAULT;
}
static int has_long_numbers(const struct curandGenerator_st *generator)
{
    return generator->type == CURAND_RNG_QUASI_SOBOL64 ||
           generator->type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

/* Before each call that makes numbers. in_pairs: normal numbers, of most generators */
static curandStatus_t portable_cuda_begin_random_(const char *call, curandGenerator_t generator,
                                                  const void *output, size_t n, size_t element,
                                                  int in_pairs)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (is_quasi(generator)) {
        if (n % generator->dimensions != 0)
            return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    } else if (in_pairs && n % 2 != 0 && generator->type != CURAND_RNG_PSEUDO_PHILOX4_32_10 &&
               generator->type != CURAND_RNG_PSEUDO_MTGP32) {
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    }
    if (generator->on_host)
        return CURAND_STATUS_SUCCESS;
    if (portable_cuda_begin_library_(generator->stream) != cudaSuccess)
        return CURAND_STATUS_PREEXISTING_FAILURE;
    return portable_cuda_opens_array_(call, "output", output, n, element, 0, 1)
               ? CURAND_STATUS_SUCCESS
               : CURAND_STATUS_LAUNCH_FAILURE;
}
#define BEGIN(in_pairs)                                                                            \
    do {                                                                                           \
        const curandStatus_t begun_ =                                                              \
            portable_cuda_begin_random_(__func__, generator, output, n, sizeof *output, in_pairs); \
        if (begun_ != CURAND_STATUS_SUCCESS)                                                       \
            return begun_;                                                                         \
    } while (0)

template <class Draw>
static curandStatus_t fill_quasi(curandGenerator_t generator, const Draw &draw,
                                 typename Draw::type *output, size_t n)
{
    switch (generator->type) {
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
        return fill_dimensions<curandStateScrambledSobol32_t>(generator, draw, output, n);
    case CURAND_RNG_QUASI_SOBOL64:
        return fill_dimensions<curandStateSobol64_t>(generator, draw, output, n);
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
        return fill_dimensions<curandStateScrambledSobol64_t>(generator, draw, output, n);
    default: return fill_dimensions<curandStateSobol32_t>(generator, draw, output, n);
    }
}
template <class Draw>
static curandStatus_t fill(curandGenerator_t generator, const Draw &draw,
                           typename Draw::type *output, size_t n)
{
    switch (generator->type) {
    case CURAND_RNG_PSEUDO_XORWOW: return fill_by_turns<Xorwow>(generator, draw, output, n);
    case CURAND_RNG_PSEUDO_MRG32K3A: return fill_by_turns<Mrg>(generator, draw, output, n);
    case CURAND_RNG_PSEUDO_MTGP32: return fill_by_turns<Mtgp>(generator, draw, output, n);
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: return fill_by_turns<Philox>(generator, draw, output, n);
    default: return fill_quasi(generator, draw, output, n);
    }
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *output, size_t n)
{
    if (generator && has_long_numbers(generator))
        return CURAND_STATUS_TYPE_ERROR;
    BEGIN(0);
    return fill(generator, Bits(), output, n);
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, word64 *output, size_t n)
{
    if (generator && !has_long_numbers(generator))
        return CURAND_STATUS_TYPE_ERROR;
    BEGIN(0);
    return fill_quasi(generator, LongBits(), output, n);
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output, size_t n)
{
    BEGIN(0);
    return fill(generator, Uniform(), output, n);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *output, size_t n)
{
    BEGIN(0);
    return fill(generator, UniformDouble(), output, n);
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *output, size_t n,
                                    float mean, float stddev)
{
    BEGIN(1);
    return fill(generator, Normal{mean, stddev, 0}, output, n);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *output, size_t n,
                                          double mean, double stddev)
{
    BEGIN(1);
    return fill(generator, NormalDouble{mean, stddev, 0, generator->on_host}, output, n);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *output, size_t n,
                                       float mean, float stddev)
{
    BEGIN(1);
    return fill(generator, Normal{mean, stddev, 1}, output, n);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *output, size_t n,
                                             double mean, double stddev)
{
    BEGIN(1);
    return fill(generator, NormalDouble{mean, stddev, 1, generator->on_host}, output, n);
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned *output, size_t n,
                                     double lambda)
{
    if (generator && !(lambda > 0))
        return CURAND_STATUS_OUT_OF_RANGE;
    BEGIN(0);
    return fill(generator, Poisson{lambda}, output, n);
}

/* ---- settings ---- */

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, int on_host)
{
    if (!generator)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (type == CURAND_RNG_PSEUDO_DEFAULT)
        type = CURAND_RNG_PSEUDO_XORWOW;
    if (type == CURAND_RNG_QUASI_DEFAULT)
        type = CURAND_RNG_QUASI_SOBOL32;
    switch (type) {
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64: break;
    case CURAND_RNG_PSEUDO_MT19937:
        fputs("curandCreateGenerator: portable-nvcc does not have MT19937: use "
              "CURAND_RNG_PSEUDO_MTGP32 or another type\n",
              stderr);
        return CURAND_STATUS_TYPE_ERROR;
    default: return CURAND_STATUS_TYPE_ERROR;
    }
    curandGenerator_t const made = (curandGenerator_t)calloc(1, sizeof *made);
    if (!made)
        return CURAND_STATUS_ALLOCATION_FAILED;
    made->type = type;
    made->on_host = on_host;
    made->dimensions = 1;
    made->ordering =
        is_quasi(made) ? CURAND_ORDERING_QUASI_DEFAULT : CURAND_ORDERING_PSEUDO_DEFAULT;
    *generator = made;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    if (portable_cuda_enter_(0) != cudaSuccess)
        return CURAND_STATUS_INITIALIZATION_FAILED;
    return create(generator, type, 0);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, 1);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    free(generator->states);
    free(generator);
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int *version)
{
    if (!version)
        return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CURAND_STATUS_OUT_OF_RANGE;
    *value = parts[type];
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, word64 seed)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (is_quasi(generator))
        return CURAND_STATUS_TYPE_ERROR;
    generator->seed = seed;
    restart(generator);
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, word64 offset)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->type == CURAND_RNG_PSEUDO_MTGP32)
        return CURAND_STATUS_TYPE_ERROR;
    generator->offset = offset;
    restart(generator);
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t ordering)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (is_quasi(generator))
        return ordering == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS
                                                         : CURAND_STATUS_OUT_OF_RANGE;
    switch (ordering) {
    case CURAND_ORDERING_PSEUDO_BEST:
    case CURAND_ORDERING_PSEUDO_DEFAULT:
    case CURAND_ORDERING_PSEUDO_LEGACY: break;
    case CURAND_ORDERING_PSEUDO_DYNAMIC:
        if (generator->on_host)
            return CURAND_STATUS_OUT_OF_RANGE;
        break;
    default: return CURAND_STATUS_OUT_OF_RANGE;
    }
    generator->ordering = ordering;
    restart(generator);
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned dimensions)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!is_quasi(generator))
        return CURAND_STATUS_TYPE_ERROR;
    if (dimensions < 1 || dimensions > SOBOL_DIMENSIONS) {
        if (dimensions > SOBOL_DIMENSIONS && dimensions <= 20000)
            fprintf(stderr,
                    "curandSetQuasiRandomGeneratorDimensions: portable-nvcc has %d dimensions, "
                    "not %u\n",
                    SOBOL_DIMENSIONS, dimensions);
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    generator->dimensions = dimensions;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set)
{
    if (!vectors || (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6 &&
                     set != CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6))
        return CURAND_STATUS_OUT_OF_RANGE;
    need_vectors();
    *vectors = set == CURAND_DIRECTION_VECTORS_32_JOEKUO6 ? vectors32 : scrambled32;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set)
{
    if (!vectors || (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6 &&
                     set != CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6))
        return CURAND_STATUS_OUT_OF_RANGE;
    need_vectors();
    *vectors = set == CURAND_DIRECTION_VECTORS_64_JOEKUO6 ? vectors64 : scrambled64;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetScrambleConstants32(unsigned **constants)
{
    if (!constants)
        return CURAND_STATUS_OUT_OF_RANGE;
    need_vectors();
    *constants = constants32;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetScrambleConstants64(word64 **constants)
{
    if (!constants)
        return CURAND_STATUS_OUT_OF_RANGE;
    need_vectors();
    *constants = constants64;
    return CURAND_STATUS_SUCCESS;
}
