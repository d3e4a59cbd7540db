/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of races.c for elements of one TYPE; NAME(word) is the word with the type's name.
 * Each has a race, between one pair of lines in one object, unless it is `right`. In a header,
 * because in a macro all statements would have one line.
 *
 * `in` and `out` have one element per thread of the grid; `x` has as many, or 2 per thread. All of
 * x was written before the launch.
 */

/* Reads a neighbour's element while the neighbour writes it. */
__global__ void NAME(neighbour_shared)(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    __shared__ TYPE tile[MOST_THREADS];
    const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;

    (void)x;
    tile[t] = in[first + t];
    if (right)
        __syncthreads();
    out[first + t] = tile[(t + 1) % blockDim.x];
}

__global__ void NAME(neighbour_global)(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;

    x[first + t] = in[first + t];
    if (right)
        __syncthreads();
    out[first + t] = x[first + (t + 1) % blockDim.x];
}

/* All write one element. */
__global__ void NAME(same_shared)(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    __shared__ TYPE tile[MOST_THREADS];
    const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;

    (void)x;
    tile[right ? t : 0] = in[first + t];
    __syncthreads();
    out[first + t] = tile[0];
}

__global__ void NAME(same_global)(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;

    x[first + (right ? t : 0)] = in[first + t];
    __syncthreads();
    out[first + t] = x[first];
}

/* Reads a neighbour's element and overwrites its own, with a barrier only after both. */
__global__ void NAME(shifted_shared)(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    __shared__ TYPE tile[MOST_THREADS];
    const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
    TYPE next;

    (void)x;
    tile[t] = in[first + t];
    __syncthreads();
    next = tile[(t + 1) % blockDim.x];
    if (right)
        __syncthreads();
    tile[t] = next;
    __syncthreads();
    out[first + t] = tile[t];
}

__global__ void NAME(shifted_global)(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
    TYPE next;

    (void)in;
    next = x[first + (t + 1) % blockDim.x];
    if (right)
        __syncthreads();
    x[first + t] = next;
    __syncthreads();
    out[first + t] = x[first + t];
}

/* Each block writes the elements that all blocks write. */
__global__ void NAME(blocks_write)(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;

    (void)out;
    x[(right ? first : 0) + t] = in[first + t];
}

/* Each block reads elements that the next one writes. */
__global__ void NAME(blocks_read)(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
    const unsigned block = right ? blockIdx.x : (blockIdx.x + 1) % gridDim.x;

    x[first + t] = in[first + t];
    __syncthreads();
    out[first + t] = x[block * blockDim.x + t];
}

/* Each element is computed from the one before it. */
KERNEL(NAME(loop_carried))(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    const int n = (int)(gridDim.x * blockDim.x);
    const TYPE *const from = right ? in : x;

    (void)out;
    GRID_STRIDE_LOOP(i, n - 1) {
        x[i + 1] = from[i];
    }
}

/* The block with the last ticket reads what all wrote before they drew theirs. */
__device__ unsigned NAME(tickets);

__global__ void NAME(last_block_reads)(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    __shared__ unsigned ticket;
    const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;

    x[first + t] = in[first + t];
    if (right)
        __threadfence();
    __syncthreads();
    if (t == 0)
        ticket = atomicAdd(&NAME(tickets), 1);
    __syncthreads();
    if (ticket == gridDim.x - 1)
        for (unsigned block = 0; block < gridDim.x; block++)
            out[block * blockDim.x + t] = x[block * blockDim.x + t];
}

/* The same by one thread, which draws its ticket before it writes. */
__global__ void NAME(ticket_too_early)(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    const unsigned first = blockIdx.x * blockDim.x;
    unsigned ticket = 0;

    if (threadIdx.x != 0)
        return;
    for (int turn = 0; turn < 2; turn++) {
        if (turn != right)
            x[first] = in[first];
        __threadfence();
        if (turn == right)
            ticket = atomicAdd(&NAME(tickets), 1);
    }
    if (ticket == gridDim.x - 1)
        for (unsigned block = 0; block < gridDim.x; block++)
            out[block] = x[block * blockDim.x];
}

/* Blocks add to one element in turns, under a lock. */
__global__ void NAME(blocks_lock)(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(&NAME(tickets), 0, 1) != 0)
        continue;
    x[0] = in[blockIdx.x];
    if (right)
        __threadfence();
    else
        __threadfence_block();
    atomicExch(&NAME(tickets), 0);
    (void)out;
}

#ifdef ATOMIC_TYPE
/* Some threads add, the others read. */
__global__ void NAME(atomic_shared)(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    __shared__ TYPE sum;
    const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;

    (void)in;
    (void)x;
    if (t == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, 1);
    if (right)
        __syncthreads();
    out[first + t] = sum;
}

__global__ void NAME(atomic_global)(const TYPE *in, TYPE *x, TYPE *out, int right)
{
    const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;

    (void)in;
    atomicAdd(&x[first], 1);
    if (right)
        __syncthreads();
    out[first + t] = x[first];
}
#undef ATOMIC_TYPE
#define ATOMIC_KERNELS(X) X(atomic_shared) X(atomic_global)
#else
#define ATOMIC_KERNELS(X)
#endif

static void NAME(run)(const char *kernel, unsigned blocks, unsigned threads, int right)
{
    const size_t bytes = (size_t)blocks * threads * sizeof(TYPE);
    TYPE *in, *x, *out;

    PORTABLE_CHECK(portable_malloc(&in, bytes));
    PORTABLE_CHECK(portable_malloc(&x, bytes));
    PORTABLE_CHECK(portable_malloc(&out, bytes));
    for (size_t k = 0; k < bytes; k++)
        ((unsigned char *)in)[k] = (unsigned char)(k / sizeof(TYPE) * 7);
    PORTABLE_CHECK(portable_memset(x, 0, bytes));
#define LAUNCH(name)                                                                               \
    if (strcmp(kernel, #name) == 0)                                                                \
        PORTABLE_CHECK(KERNEL_LAUNCH(NAME(name), blocks, threads, 0, 0, in, x, out, right));
    KERNELS(LAUNCH)
    ATOMIC_KERNELS(LAUNCH)
#undef LAUNCH
#undef ATOMIC_KERNELS
    PORTABLE_CHECK(portable_free(out));
    PORTABLE_CHECK(portable_free(x));
    PORTABLE_CHECK(portable_free(in));
}
