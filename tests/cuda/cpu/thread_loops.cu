// SPDX-License-Identifier: BSD-3-Clause
// Threads that begin as calls in a loop on one stack, and leave it when they wait: at the first
// thread, in the middle, at the last, after others have ended; in blocks of all shapes. What they
// write must not depend on it, so -O0, where each thread has a stack, prints the same.
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int most = 1024;
__device__ int seen[most];

// A device function has the index that the kernel has, in the loop and after a wait.
__device__ __noinline__ int linear()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ int twice(int n)
{
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += linear() + threadIdx.x;
    return sum;
}

__global__ void no_wait(int *out)
{
    out += blockIdx.x * most;
    out[linear()] = twice(3) + threadIdx.y * 100 + threadIdx.z * 10000;
}

// Threads [first, last) of the block wait for their warp; the others end before, or never wait.
__global__ void some_wait(int *out, int first, int last)
{
    out += blockIdx.x * most;
    const int t = linear();
    out[t] = t;
    if (t < first || t >= last)
        return;
    const unsigned lanes = __ballot_sync(__activemask(), t % 3 == 0);
    out[t] = linear() * 64 + __popc(lanes) + twice(1);
    __syncthreads();
    out[t] += linear();
}

// Indices where the body's parameters are no names.
__global__ void local_names(int *out)
{
    struct place {
        __device__ int x() const
        {
            return threadIdx.x + 7 * threadIdx.y;
        }
    };
    auto own = [](int by) { return int(threadIdx.x) * by; };
    auto given = [out](int by) { out[linear()] += int(threadIdx.y) * by; };
    auto all = [=](int by) { return int(threadIdx.x + blockDim.x) * by; };
    out[linear()] = place().x() + own(1000) + all(3);
    given(100000);
    __syncthreads();
    out[linear()] += place().x() + own(1);
}
__global__ void own_names(int *out)
{
    const int blockDim = 5;
    out[linear()] = threadIdx.x + blockDim;
}

// A thread's arguments are its own.
struct counted {
    int n;
    __host__ __device__ counted(int k) : n(k)
    {
    }
    __host__ __device__ counted(const counted &other) : n(other.n)
    {
    }
    __host__ __device__ ~counted()
    {
    }
};
__global__ void changes(counted c, int n, int *out)
{
    c.n += linear();
    n += linear();
    if (linear() % 2)
        __syncwarp(__activemask());
    c.n++;
    out[linear()] = c.n * 1000 + n;
}

// Ends in the midst, deep in calls, before and after a wait.
__device__ __noinline__ void leaves(int t)
{
    if (t % 5 == 1)
        asm volatile("exit;");
}
__global__ void exits(int *out)
{
    const int t = linear();
    out += blockIdx.x * most;
    out[t] = 1;
    leaves(t);
    __syncthreads();
    out[t] = 2 + t;
    leaves(t + 3);
    out[t] = 1000 + t;
}

// Polls for a thread that begins after it, and for one that has ended before.
__global__ void polls(int *out)
{
    const int t = linear(), other = (t + 1) % int(blockDim.x);
    atomicExch(&seen[t], 1);
    while (!atomicAdd(&seen[other], 0))
        ;
    out[t] = other;
}

// The order of threads, which atomics show: after their ends, operations of the warp and of its
// parts, and barriers.
__global__ void in_order(int *out, int stay)
{
    const int t = linear(), lane = t % 32;
    out[t] = atomicAdd(&seen[0], 1);
    if (lane % 16 >= stay)
        return;
    __syncwarp();
    out[t] += 1000 * atomicAdd(&seen[0], 1);
    if (lane < 8)
        __syncwarp(0xff);
    out[t] += 3000 * atomicAdd(&seen[0], 1);
    __syncthreads();
    out[t] += 7000 * atomicAdd(&seen[0], 1);
}

static unsigned long long sum(const int *of, int n)
{
    unsigned long long h = 14695981039346656037ull;
    for (int k = 0; k < n; k++)
        h = (h ^ unsigned(of[k])) * 1099511628211ull;
    return h;
}

template <class Launch> static void run(const char *name, dim3 block, Launch launch)
{
    static int *out;
    const int n = block.x * block.y * block.z, of_launch = 3 * most;
    std::vector<int> got(of_launch);
    if (!out)
        cudaMallocManaged(&out, of_launch * sizeof *out);
    memset(out, 0xff, of_launch * sizeof *out);
    launch(block, out);
    const cudaError_t error = cudaDeviceSynchronize();
    memcpy(got.data(), out, of_launch * sizeof(int));
    printf("%s %ux%ux%u: %s %016llx, %d %d\n", name, block.x, block.y, block.z,
           cudaGetErrorString(error), sum(got.data(), of_launch), got[0], got[n - 1]);
}

int main()
{
    const dim3 blocks[] = {1,   2,    31,     32,        33,         96,
                           257, 1024, {8, 4}, {7, 5, 3}, {1, 1, 64}, {3, 1, 33}};
    for (dim3 block : blocks) {
        const int n = block.x * block.y * block.z;
        run("no wait", block, [](dim3 b, int *out) { no_wait<<<2, b>>>(out); });
        const int firsts[] = {0, 1, n / 2, n - 1};
        for (int first : firsts) {
            run("some wait", block, [=](dim3 b, int *out) { some_wait<<<2, b>>>(out, first, n); });
            run("some wait", block, [=](dim3 b, int *out) { some_wait<<<2, b>>>(out, 0, first); });
        }
        run("local names", block, [](dim3 b, int *out) { local_names<<<1, b>>>(out); });
        run("own names", block, [](dim3 b, int *out) { own_names<<<1, b>>>(out); });
        run("changes", block, [](dim3 b, int *out) { changes<<<1, b>>>(3, 4, out); });
        run("exits", block, [](dim3 b, int *out) { exits<<<3, b>>>(out); });
    }
    const dim3 wide[] = {8, 32, 33, 96, 1000, {7, 5, 3}};
    for (dim3 block : wide)
        for (int stay : {8, 12, 16}) {
            const int none = 0;
            cudaMemcpyToSymbol(seen, &none, sizeof none);
            run("in order", block, [=](dim3 b, int *out) { in_order<<<1, b>>>(out, stay); });
        }
    run("polls", 256, [](dim3 b, int *out) { polls<<<1, b>>>(out); });
    return 0;
}
