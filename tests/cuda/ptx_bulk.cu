// SPDX-License-Identifier: BSD-3-Clause
// Inline PTX: bulk copies, whose bytes a barrier object counts, and reductions of vectors.
#include <cstdio>

typedef unsigned u32;
typedef unsigned long long u64;

__device__ u32 shared_address(const void *p)
{
    return static_cast<u32>(__cvta_generic_to_shared(p));
}

/* Tiles of 256 words, in two stages: the copy of the next one overlaps the work on this one. */
__global__ void pipeline(u32 *out, const u32 *in, int tiles)
{
    __shared__ alignas(128) u32 tile[2][256];
    __shared__ alignas(128) u32 result[256];
    __shared__ u64 full[2];
    const u32 t = threadIdx.x;
    if (t == 0) {
        for (const u64 &barrier : full)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier)));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    const auto fetch = [&](int k) {
        const u32 barrier = shared_address(&full[k % 2]);
        u64 token;
        asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;"
                     : "=l"(token)
                     : "r"(barrier), "r"(1024)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                     " [%0], [%1], %2, [%3];" ::"r"(shared_address(tile[k % 2])),
                     "l"(in + 256 * k), "r"(768), "r"(barrier)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                     " [%0], [%1], %2, [%3];" ::"r"(shared_address(tile[k % 2] + 192)),
                     "l"(in + 256 * k + 192), "r"(256), "r"(barrier)
                     : "memory");
    };
    if (t == 0)
        fetch(0);
    for (int k = 0; k < tiles; k++) {
        if (t == 0 && k + 1 < tiles)
            fetch(k + 1);
        asm volatile("{\n\t.reg .pred p;\n"
                     "WAIT:\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t"
                     "@p bra DONE;\n\tbra WAIT;\n"
                     "DONE:\n\t}" ::"r"(shared_address(&full[k % 2])),
                     "r"(k / 2 % 2)
                     : "memory");
        const u32 value = tile[k % 2][(t + 100) % 256] * 3 + static_cast<u32>(k);
        if (k > 0 && t == 0)
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        __syncthreads();
        result[t] = value;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (t == 0)
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\t"
                         "cp.async.bulk.commit_group;" ::"l"(out + 256 * k),
                         "r"(shared_address(result)), "r"(1024)
                         : "memory");
    }
    if (t == 0)
        asm volatile("cp.async.bulk.wait_group %0;" ::"n"(0) : "memory");
}

/* Bytes that are expected apart from the arrival. */
__global__ void expects(u32 *out, const u32 *in)
{
    __shared__ alignas(16) u32 tile[64];
    __shared__ u64 barrier;
    const u32 t = threadIdx.x, at = shared_address(&barrier);
    u64 token;
    u32 early = 0;
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(64));
    __syncthreads();
    if (t == 32) {
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 256;" ::"r"(at)
                     : "memory");
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], 256;" ::"l"(in));
    }
    __syncthreads();
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
    __syncthreads();
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(early)
        : "r"(at), "l"(token)
        : "memory");
    __syncthreads();
    if (t == 32)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                     " [%0], [%1], %2, [%3];" ::"r"(shared_address(tile)),
                     "l"(in), "r"(256), "r"(at)
                     : "memory");
    asm volatile(
        "{ .reg .pred p; WAIT: mbarrier.try_wait.shared.b64 p, [%0], %1; @!p bra WAIT; }" ::"r"(at),
        "l"(token)
        : "memory");
    out[t] = tile[63 - t] * 10 + early;
}

__global__ void vectors(float *out, u32 *halves)
{
    for (int k = 0; k < 3; k++) {
        asm volatile("red.global.add.v4.f32 [%0], {%1, %2, 0f3F800000, %1};" ::"l"(out), "f"(0.5f),
                     "f"(2.0f)
                     : "memory");
        asm volatile("red.relaxed.gpu.global.add.v2.f32 [%0], {%1, %1};" ::"l"(out + 4), "f"(1.5f)
                     : "memory");
        asm volatile("red.global.add.noftz.v2.f16x2 [%0], {%1, %2};" ::"l"(halves), "r"(0x3c003c00),
                     "r"(0x40003800)
                     : "memory");
        asm volatile("red.global.add.noftz.v4.bf16x2 [%0], {%1, %1, %2, %2};" ::"l"(halves + 4),
                     "r"(0x3f803f80), "r"(0x40003f00)
                     : "memory");
    }
}

static u32 host[2048];
static void run(const char *name, const void *out, int count)
{
    printf("%s: %s\n", name, cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemcpy(host, out, sizeof(u32) * static_cast<size_t>(count), cudaMemcpyDeviceToHost);
    u64 hash = 0xcbf29ce484222325ull;
    for (int k = 0; k < count; k++)
        hash = (hash ^ host[k]) * 0x100000001b3ull;
    printf("   %016llx", hash);
    for (int k = 0; k < count && k < 1000; k += count < 64 ? 1 : 61)
        printf(" %x", host[k]);
    printf("\n");
}

int main()
{
    u32 *out, *in;
    for (u32 k = 0; k < 2048; k++)
        host[k] = k * k + 7;
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host);
    pipeline<<<1, 256>>>(out, in, 7);
    run("pipeline", out, 7 * 256);
    expects<<<1, 64>>>(out, in);
    run("expects", out, 64);
    cudaMemset(out, 0, sizeof host);
    vectors<<<1, 1>>>(reinterpret_cast<float *>(out), out + 8);
    run("vectors", out, 16);
    cudaFree(in);
    cudaFree(out);
}
