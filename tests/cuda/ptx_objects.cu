// SPDX-License-Identifier: BSD-3-Clause
// Inline PTX: barrier objects with copies, and instructions that have no effect that one can see.
#include <cstdio>

typedef unsigned u32;
typedef unsigned long long u64;

__device__ u32 shared_address(const void *p)
{
    return static_cast<u32>(__cvta_generic_to_shared(p));
}

__global__ void copies(u32 *out, const u32 *in)
{
    __shared__ u64 barrier;
    __shared__ u32 tile[64];
    const u32 t = threadIdx.x, at = shared_address(&barrier);
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(64) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(&tile[t])),
                 "l"(in + t)
                 : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
    asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0, 1000;"
                 " @!p bra WAIT; }" ::"r"(at)
                 : "memory");
    out[t] = tile[(t + 33) % 64];
}

__global__ void drops(u32 *out)
{
    __shared__ u64 barrier;
    __shared__ u32 words[64];
    const u32 t = threadIdx.x, at = shared_address(&barrier);
    u64 token;
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(66) : "memory");
    __syncthreads();
    words[t] = t * 5;
    if (t == 0) {
        u32 pending;
        asm volatile("mbarrier.arrive.shared.b64 %0, [%2], 3;"
                     " mbarrier.pending_count.b64 %1, %0;"
                     : "=&l"(token), "=r"(pending)
                     : "r"(at)
                     : "memory");
        out[65] = pending >= 3 && pending <= 66; /* of those before, in any order */
    } else if (t >= 32) {                        /* for the last time */
        asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                     : "=l"(token)
                     : "r"(at)
                     : "memory");
    } else {
        asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];"
                     : "=l"(token)
                     : "r"(at)
                     : "memory");
    }
    asm volatile(
        "{ .reg .pred p; WAIT: mbarrier.try_wait.shared.b64 p, [%0], %1; @!p bra WAIT; }" ::"r"(at),
        "l"(token)
        : "memory");
    out[t] = words[(t + 32) % 64];
    __syncthreads();
    if (t == 0) /* 34 are expected now */
        asm volatile("{ .reg .b64 s; .reg .pred p; mbarrier.arrive.shared.b64 s, [%1], 34;"
                     " mbarrier.test_wait.shared.b64 p, [%1], s; selp.u32 %0, 1, 0, p; }"
                     : "=r"(out[64])
                     : "r"(at)
                     : "memory");
}

__global__ void nothing(u32 *out, u32 *memory)
{
    u32 a, b, c;
    u64 there;
    __shared__ u32 word;
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("pmevent 3;");
    asm volatile("ldu.global.u32 %0, [%1];" : "=r"(a) : "l"(memory + 32));
    asm volatile("ldu.global.v2.u32 {%0, %1}, [%2];" : "=r"(b), "=r"(c) : "l"(memory + 34));
    out[0] = a + 2 * b + 3 * c;
    asm volatile("discard.global.L2 [%0], 128;" ::"l"(memory) : "memory");
    memory[0] = 9;
    out[1] = memory[0];
    asm volatile("mapa.u64 %0, %1, 0;" : "=l"(there) : "l"(&word));
    word = 7;
    out[2] = *reinterpret_cast<u32 *>(there);
    asm volatile(
        "fence.proxy.async; fence.proxy.async.global; fence.acquire.gpu; fence.release.cta;"
        " fence.sc.cluster;" ::
            : "memory");
}

static void run(const char *name, const u32 *out, int count)
{
    u32 host[66];
    printf("%s: %s\n   ", name, cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int k = 0; k < count; k++)
        printf(" %u", host[k]);
    printf("\n");
}

int main()
{
    u32 words[64], *out, *in;
    for (u32 k = 0; k < 64; k++)
        words[k] = k * k + 1;
    cudaMalloc(&out, 66 * sizeof *out);
    cudaMalloc(&in, sizeof words);
    cudaMemcpy(in, words, sizeof words, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, 66 * sizeof *out);
    copies<<<1, 64>>>(out, in);
    run("copies", out, 64);
    drops<<<1, 64>>>(out);
    run("drops", out, 66);
    nothing<<<1, 1>>>(out, in);
    run("nothing", out, 3);
    cudaFree(in);
    cudaFree(out);
}
