/* SPDX-License-Identifier: BSD-3-Clause */
/* cuRAND's generators in kernels: integers and uniform numbers, with sequences and offsets. */
#include <curand_kernel.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 12 };

template <class State>
__global__ void draw(unsigned *out, unsigned long long seed, unsigned long long sequence,
                     unsigned long long offset)
{
    State state;
    curand_init(seed, sequence + threadIdx.x, offset, &state);
    unsigned *const o = out + threadIdx.x * WORDS;
    for (int i = 0; i < 5; i++)
        o[i] = curand(&state);
    o[5] = __float_as_uint(curand_uniform(&state));
    const double d = curand_uniform_double(&state);
    o[6] = (unsigned)__double2hiint(d);
    o[7] = (unsigned)__double2loint(d);
    skipahead(12345ull, &state);
    o[8] = curand(&state);
    skipahead_sequence(3ull, &state);
    o[9] = curand(&state);
    o[10] = curand_poisson(&state, 3.5);
    o[11] = curand(&state);
}

/* The functions that draw four. */
__global__ void draw4(unsigned *out)
{
    curandStatePhilox4_32_10_t state;
    curand_init(5, threadIdx.x, 3, &state);
    unsigned *const o = out + threadIdx.x * WORDS;
    const uint4 a = curand4(&state);
    o[0] = a.x, o[1] = a.y, o[2] = a.z, o[3] = a.w;
    o[4] = curand(&state);
    const float4 b = curand_uniform4(&state);
    o[5] = __float_as_uint(b.x), o[6] = __float_as_uint(b.w);
    const double2 c = curand_uniform2_double(&state);
    o[7] = (unsigned)__double2hiint(c.y), o[8] = (unsigned)__double2loint(c.y);
    const uint4 d = curand_poisson4(&state, 20);
    o[9] = d.x, o[10] = d.w;
    o[11] = curand(&state);
}

/* A state in memory, from one kernel to the next. */
__global__ void start(curandState *states)
{
    curand_init(99, threadIdx.x, 0, &states[threadIdx.x]);
}
__global__ void go_on(curandState *states, unsigned *out)
{
    curandState state = states[threadIdx.x];
    for (int i = 0; i < WORDS; i++)
        out[threadIdx.x * WORDS + i] = curand(&state);
    states[threadIdx.x] = state;
}

static unsigned results[32 * WORDS];
static void show(const char *name, const unsigned *out)
{
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    for (int thread = 0; thread < 32; thread += 13) {
        printf("%s %d:", name, thread);
        for (int i = 0; i < WORDS; i++)
            printf(" %08x", results[thread * WORDS + i]);
        printf("\n");
    }
}
template <class State> static void run(const char *name, unsigned *out)
{
    static const unsigned long long starts[][3] = {{0, 0, 0},
                                                   {1234, 5, 7},
                                                   {0x123456789abcdefull, 1ull << 40, 1ull << 33},
                                                   {~0ull, (1ull << 50) + 99, ~0ull}};
    for (const auto &from : starts) {
        draw<State><<<1, 32>>>(out, from[0], from[1], from[2]);
        show(name, out);
    }
}

int main()
{
    unsigned *out;
    curandState *states;
    cudaMalloc(&out, sizeof results);
    cudaMalloc(&states, 32 * sizeof *states);
    run<curandStateXORWOW_t>("XORWOW", out);
    run<curandStatePhilox4_32_10_t>("Philox", out);
    run<curandStateMRG32k3a_t>("MRG32k3a", out);
    draw4<<<1, 32>>>(out);
    show("four", out);
    start<<<1, 32>>>(states);
    go_on<<<1, 32>>>(states, out);
    go_on<<<1, 32>>>(states, out);
    show("kept", out);
    cudaFree(out);
    cudaFree(states);
    return cudaGetLastError() != cudaSuccess;
}
