// SPDX-License-Identifier: BSD-3-Clause
// Results that depend on the order of the threads, as others have published them, written anew:
// docs/checks.md has the threads. BUG names one; with FIXED=1 every schedule gives the same bits.
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { N = 256, BLOCK = 64, BLOCKS = N / BLOCK, VERTICES = 8, TILES = 16, KEYS = 4 };
static const bool fixed = getenv("FIXED") != nullptr;
static float *out;
static int *list, *counter, *flags;

__device__ static float term(int i)
{
    return 1.0f / (i + 3);
}

// Forces of contacts are added to the bodies that they touch, in any order.
__global__ void contact_forces(float *forces)
{
    const int contact = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&forces[contact % VERTICES], term(contact));
}
// A thread for each body adds up its contacts, in the order of their numbers.
__global__ void forces_by_body(float *forces)
{
    float sum = 0;
    for (int contact = threadIdx.x; contact < N; contact += VERTICES)
        sum += term(contact);
    forces[threadIdx.x] = sum;
}
static void accumulated_forces()
{
    if (fixed)
        forces_by_body<<<1, VERTICES>>>(out);
    else
        contact_forces<<<BLOCKS, BLOCK>>>(out);
}

// Contacts are appended to a list, at places that a counter gives out.
__global__ void append_contacts(int *list, int *counter)
{
    const int pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (pair % 3 == 0)
        list[atomicAdd(counter, 1)] = pair;
}
// In two passes: first they are counted, then each has the place after all earlier ones.
__global__ void count_contacts(int *counts)
{
    const int pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (pair % 3 == 0)
        atomicAdd(&counts[blockIdx.x], 1);
}
__global__ void place_contacts(int *list, const int *counts)
{
    const int pair = blockIdx.x * blockDim.x + threadIdx.x;
    int place = 0;
    for (unsigned block = 0; block < blockIdx.x; block++)
        place += counts[block];
    for (int earlier = blockIdx.x * blockDim.x; earlier < pair; earlier++)
        place += earlier % 3 == 0;
    if (pair % 3 == 0)
        list[place] = pair;
}
static void allocated_contacts()
{
    if (!fixed) {
        append_contacts<<<BLOCKS, BLOCK>>>(list, counter);
        return;
    }
    count_contacts<<<BLOCKS, BLOCK>>>(flags);
    place_contacts<<<BLOCKS, BLOCK>>>(list, flags);
}

// Blocks take tiles of a reduction from a queue, and so it depends on time which tiles one adds up.
__device__ static void reduce(float *sums, float mine)
{
    __shared__ float terms[BLOCK];
    terms[threadIdx.x] = mine;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            terms[threadIdx.x] += terms[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = terms[0];
}
__global__ void reduce_from_queue(float *sums, int *next)
{
    __shared__ int tile;
    float mine = 0;
    for (;;) {
        if (threadIdx.x == 0)
            tile = atomicAdd(next, 1);
        __syncthreads();
        if (tile >= TILES)
            break;
        mine += term(tile * BLOCK + threadIdx.x);
        __syncthreads();
    }
    reduce(sums, mine);
}
// Each has an even share.
__global__ void reduce_even_share(float *sums)
{
    float mine = 0;
    for (int tile = blockIdx.x; tile < TILES; tile += gridDim.x)
        mine += term(tile * BLOCK + threadIdx.x);
    reduce(sums, mine);
}
static void tiles_of_a_queue()
{
    if (fixed)
        reduce_even_share<<<BLOCKS, BLOCK>>>(out);
    else
        reduce_from_queue<<<BLOCKS, BLOCK>>>(out, counter);
}

// Pixels add their gradients to those of the vertices of their triangle.
__global__ void vertex_gradients(float *gradients)
{
    const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    for (int corner = 0; corner < 3; corner++)
        atomicAdd(&gradients[(pixel / 32 + corner) % VERTICES], term(pixel) / (corner + 1));
}
// Sums of fixed-point numbers are exact.
__global__ void fixed_point_gradients(int *gradients)
{
    const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    for (int corner = 0; corner < 3; corner++)
        atomicAdd(&gradients[(pixel / 32 + corner) % VERTICES],
                  (int)(term(pixel) / (corner + 1) * (1 << 20)));
}
static void gradients_of_pixels()
{
    if (fixed)
        fixed_point_gradients<<<BLOCKS, BLOCK>>>(list);
    else
        vertex_gradients<<<BLOCKS, BLOCK>>>(out);
}

// The backward pass of attention: a block for each range of keys adds to the gradient of all queries.
// With a buffer for each range, one block alone adds to it, and its atomics need no order.
__global__ void query_gradients(float *gradients, int buffers)
{
    float *const mine = gradients + blockIdx.x % buffers * BLOCK;
    for (int key = 0; key < KEYS; key++)
        atomicAdd(&mine[threadIdx.x], term((blockIdx.x * KEYS + key) * BLOCK + threadIdx.x));
}
__global__ void add_buffers(float *gradients, int buffers)
{
    for (int buffer = 1; buffer < buffers; buffer++)
        gradients[threadIdx.x] += gradients[buffer * BLOCK + threadIdx.x];
}
static void gradients_of_queries()
{
    const int buffers = fixed ? BLOCKS : 1;
    query_gradients<<<BLOCKS, BLOCK>>>(out, buffers);
    add_buffers<<<1, BLOCK>>>(out, buffers);
}

#define RUN(name) (strcmp(getenv("BUG"), #name) == 0 ? name() : (void)0)
int main()
{
    cudaMalloc(&out, N * sizeof *out);
    cudaMalloc(&list, N * sizeof *list);
    cudaMalloc(&counter, sizeof *counter);
    cudaMalloc(&flags, N * sizeof *flags);
    cudaMemset(out, 0, N * sizeof *out);
    cudaMemset(list, 0, N * sizeof *list);
    cudaMemset(counter, 0, sizeof *counter);
    cudaMemset(flags, 0, N * sizeof *flags);
    RUN(accumulated_forces);
    RUN(allocated_contacts);
    RUN(tiles_of_a_queue);
    RUN(gradients_of_pixels);
    RUN(gradients_of_queries);
    return cudaDeviceSynchronize();
}
// ordercheck BUG=accumulated_forces exits with 1:
//     ordercheck: order decides in kernel contact_forces: an atomic sum of floats by block (0, 0, 0), thread (1, 0, 0) at published_orders.cu:22
//         and an atomic sum of floats by block (0, 0, 0), thread (9, 0, 0) at published_orders.cu:22,
//         4 bytes at byte 4 of device array out of 1024 bytes, allocated at published_orders.cu:166, whose sum is rounded differently in another order
//         and 245 similar pairs
//     ordercheck: 1 order dependence in 1 kernel
// ordercheck BUG=accumulated_forces FIXED=1 exits with 0:
//     ordercheck: no order dependences in 1 kernel
//     ordercheck: every schedule gives the same bits: no races, and no atomics whose order could show
// ordercheck BUG=allocated_contacts exits with 1:
//     ordercheck: not proven in kernel append_contacts: an atomic whose result is used by block (0, 0, 0), thread (0, 0, 0) at published_orders.cu:45
//         and an atomic sum by block (0, 0, 0), thread (3, 0, 0) at published_orders.cu:45,
//         4 bytes at byte 0 of device array counter of 4 bytes, allocated at published_orders.cu:168, so that the result is a ticket, which depends on the order
//         and 169 similar pairs
//     ordercheck: 1 order dependence in 1 kernel
// ordercheck BUG=allocated_contacts FIXED=1 exits with 0:
//     ordercheck: no order dependences in 2 kernels
//     ordercheck: every schedule gives the same bits: no races, and what is unordered commutes
//         published_orders.cu:52: sums of integers commute
// ordercheck BUG=tiles_of_a_queue exits with 1:
//     ordercheck: not proven in kernel reduce_from_queue: an atomic whose result is used by block (0, 0, 0), thread (0, 0, 0) at published_orders.cu:95
//         and an atomic sum by block (1, 0, 0), thread (0, 0, 0) at published_orders.cu:95,
//         4 bytes at byte 0 of device array counter of 4 bytes, allocated at published_orders.cu:168, so that the result is a ticket, which depends on the order
//         and 5 similar pairs
//     ordercheck: 1 order dependence in 1 kernel
// ordercheck BUG=tiles_of_a_queue FIXED=1 exits with 0:
//     ordercheck: no order dependences in 1 kernel
//     ordercheck: every schedule gives the same bits: no races, and no atomics whose order could show
// ordercheck BUG=gradients_of_pixels exits with 1:
//     ordercheck: order decides in kernel vertex_gradients: an atomic sum of floats by block (0, 0, 0), thread (0, 0, 0) at published_orders.cu:125
//         and an atomic sum of floats by block (0, 0, 0), thread (1, 0, 0) at published_orders.cu:125,
//         4 bytes at byte 0 of device array out of 1024 bytes, allocated at published_orders.cu:166, whose sum is rounded differently in another order
//         and 758 similar pairs
//     ordercheck: 1 order dependence in 1 kernel
// ordercheck BUG=gradients_of_pixels FIXED=1 exits with 0:
//     ordercheck: no order dependences in 1 kernel
//     ordercheck: every schedule gives the same bits: no races, and what is unordered commutes
//         published_orders.cu:132: sums of integers commute
// ordercheck BUG=gradients_of_queries exits with 1:
//     ordercheck: order decides in kernel query_gradients: an atomic sum of floats by block (0, 0, 0), thread (0, 0, 0) at published_orders.cu:149
//         and an atomic sum of floats by block (1, 0, 0), thread (0, 0, 0) at published_orders.cu:149,
//         4 bytes at byte 0 of device array out of 1024 bytes, allocated at published_orders.cu:166, whose sum is rounded differently in another order
//         and 767 similar pairs
//     ordercheck: 1 order dependence in 1 kernel
// ordercheck BUG=gradients_of_queries FIXED=1 exits with 0:
//     ordercheck: no order dependences in 2 kernels
//     ordercheck: every schedule gives the same bits: no races, and no atomics whose order could show
