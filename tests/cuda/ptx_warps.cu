// SPDX-License-Identifier: BSD-3-Clause
// Inline PTX: warp operations, barriers and special registers.
#include <cstdio>
#include <cstring>

typedef unsigned u32;
typedef unsigned long long u64;

struct writer {
    u32 *out;
    u32 t;
    int count;
    __device__ writer(u32 *out) : out(out), t(threadIdx.x), count(0)
    {
    }
    __device__ void operator()(u32 value)
    {
        out[(u32)count++ * blockDim.x + t] = value;
    }
};

#define SHUFFLE(way, value, by, clamp)                                                             \
    {                                                                                              \
        u32 r_, p_;                                                                                \
        asm volatile("{ .reg .pred p; shfl.sync." way ".b32 %0|p, %2, %3, %4, 0xffffffff;"         \
                     " selp.u32 %1, 1, 0, p; }"                                                    \
                     : "=&r"(r_), "=r"(p_)                                                         \
                     : "r"((u32)(value)), "r"((u32)(by)), "r"((u32)(clamp)));                      \
        to(r_ * 2 + p_);                                                                           \
    }

__global__ void shuffles(u32 *out)
{
    writer to(out);
    const u32 t = threadIdx.x;
    SHUFFLE("up", t * 10, 1, 0)
    SHUFFLE("up", t * 10, 5, 0x1800)
    SHUFFLE("up", t * 10, 33, 3)
    SHUFFLE("down", t * 10, 1, 0x1f)
    SHUFFLE("down", t * 10, 3, 0x181f)
    SHUFFLE("down", t * 10, 2, 0x100f)
    SHUFFLE("bfly", t * 10, 1, 0x1f)
    SHUFFLE("bfly", t * 10, 16, 0xf)
    SHUFFLE("bfly", t * 10, 6, 0x1c1f)
    SHUFFLE("idx", t * 10, 7, 0x1f)
    SHUFFLE("idx", t * 10, t + 40, 0x1f)
    SHUFFLE("idx", t * 10, 7, 0x1c1f)
    SHUFFLE("idx", t * 10, t, 0xc)
    u32 r;
    asm volatile("shfl.sync.idx.b32 %0, %1, 3, 31, %2;" : "=r"(r) : "r"(t), "r"(-1));
    to(r);
    float f = (float)t;
    asm volatile("shfl.sync.down.b32 %0, %0, 4, 0x1f, -1;" : "+f"(f));
    to((u32)f);
    if (t < 16) {
        asm volatile("{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, %2, 0, %3;"
                     " @p add.s32 r0, r0, %1; mov.s32 %0, r0; }"
                     : "=r"(r)
                     : "r"(t), "r"(2), "r"(0xffff));
        to(r);
    } else {
        to(0);
    }
}

__global__ void votes(u32 *out)
{
    writer to(out);
    const u32 t = threadIdx.x;
    u32 r, s;
    asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 5; vote.sync.ballot.b32 %0, p, -1; }"
                 : "=r"(r)
                 : "r"(t % 7));
    to(r);
    asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 5; vote.sync.any.pred q, p, -1; selp.u32 "
                 "%0, 1, 0, q;"
                 " vote.sync.all.pred q, p, -1; @q add.u32 %0, %0, 2; vote.sync.uni.pred q, !p, -1;"
                 " @q add.u32 %0, %0, 4; }"
                 : "=r"(r)
                 : "r"(t / 32));
    to(r);
    asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 5; vote.sync.any.pred q, p, -1; selp.u32 "
                 "%0, 1, 0, q;"
                 " vote.sync.all.pred q, p, -1; @q add.u32 %0, %0, 2; vote.sync.uni.pred q, !p, -1;"
                 " @q add.u32 %0, %0, 4; }"
                 : "=r"(r)
                 : "r"(t % 8));
    to(r);
    asm volatile("match.any.sync.b32 %0, %1, -1;" : "=r"(r) : "r"(t % 5));
    to(r);
    asm volatile("match.any.sync.b64 %0, %1, -1;" : "=r"(r) : "l"((u64)(t % 3) << 40));
    to(r);
    asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, -1; selp.u32 %1, 1, 0, p; }"
                 : "=&r"(r), "=r"(s)
                 : "r"(t / 32));
    to(r + s);
    asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p, %2, -1; selp.u32 %1, 1, 0, p; }"
                 : "=&r"(r), "=r"(s)
                 : "l"((u64)t / 2));
    to(r + s);
    asm volatile("redux.sync.add.u32 %0, %1, -1;" : "=r"(r) : "r"(t * t));
    to(r);
    asm volatile("redux.sync.add.s32 %0, %1, -1;" : "=r"(r) : "r"(-t));
    to(r);
    asm volatile("redux.sync.min.u32 %0, %1, -1;" : "=r"(r) : "r"(t - 3));
    to(r);
    asm volatile("redux.sync.max.s32 %0, %1, -1;" : "=r"(r) : "r"(t - 3));
    to(r);
    asm volatile("redux.sync.min.s32 %0, %1, -1;" : "=r"(r) : "r"(t - 3));
    to(r);
    asm volatile("redux.sync.max.u32 %0, %1, -1;" : "=r"(r) : "r"(t - 3));
    to(r);
    asm volatile("redux.sync.and.b32 %0, %1, -1;" : "=r"(r) : "r"(~(1u << t % 9)));
    to(r);
    asm volatile("redux.sync.or.b32 %0, %1, -1;" : "=r"(r) : "r"(1u << t % 9));
    to(r);
    asm volatile("redux.sync.xor.b32 %0, %1, -1;" : "=r"(r) : "r"(t * 7));
    to(r);
    asm volatile("{ .reg .pred p; elect.sync %0|p, -1; selp.u32 %1, 1, 0, p; }"
                 : "=&r"(r), "=r"(s));
    to((u32)__popc(__ballot_sync(0xffffffff, s))); /* which lane it is, is up to the GPU */
    if (t % 2 == 0) {
        __syncwarp(0x55555555);
        asm volatile("vote.sync.ballot.b32 %0, 1, 0x55555555;" : "=r"(r));
    } else {
        r = 7;
    }
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
    to(r);
    asm volatile("activemask.b32 %0;" : "=r"(r));
    to(r);
}

__global__ void registers(u32 *out)
{
    writer to(out);
    u32 r;
#define REGISTER(name)                                                                             \
    asm volatile("mov.u32 %0, %%" name ";" : "=r"(r));                                             \
    to(r);
    REGISTER("tid.x")
    REGISTER("tid.y")
    REGISTER("ntid.x")
    REGISTER("ntid.z")
    REGISTER("ctaid.x")
    REGISTER("nctaid.x")
    REGISTER("nctaid.y")
    REGISTER("laneid")
    REGISTER("lanemask_eq")
    REGISTER("lanemask_lt")
    REGISTER("lanemask_le")
    REGISTER("lanemask_gt")
    REGISTER("lanemask_ge")
    REGISTER("cluster_ctarank")
    REGISTER("cluster_nctaid.x")
    asm volatile(
        "{ .reg .u32 a; mov.u32 a, %%ntid.x; mad.lo.u32 %0, a, 3, %1; add.u32 %0, %0, WARP_SZ; }"
        : "=r"(r)
        : "r"(threadIdx.x));
    to(r);
    u64 before, after;
    u32 low;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(before));
    asm volatile("nanosleep.u32 100;");
    asm volatile("mov.u64 %0, %%clock64; mov.u32 %1, %%clock;" : "=l"(after), "=r"(low));
    to(after > before);
    asm volatile("mov.u64 %0, %%globaltimer; mov.u32 %1, %%globaltimer_lo;"
                 : "=l"(before), "=r"(low));
    to(before > 0);
    asm volatile("mov.u32 %0, %%smid;" : "=r"(r));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(low));
    to(r < low);
}

__global__ void barriers(u32 *out)
{
    __shared__ u32 words[128];
    writer to(out);
    const u32 t = threadIdx.x;
    u32 r;
    words[t] = t * 3;
    asm volatile("bar.sync 0;" ::: "memory");
    to(words[(t + 32) % 128]);
    asm volatile("barrier.sync 0, %0;" ::"r"(128) : "memory");
    words[t] += 1;
    asm volatile("barrier.cta.sync.aligned 0;" ::: "memory");
    to(words[(t + 64) % 128]);
    asm volatile("bar.red.popc.u32 %0, 0, 1;" : "=r"(r) : : "memory");
    to(r);
    asm volatile(
        "{ .reg .pred p, q; setp.lt.u32 p, %1, 5; bar.red.and.pred q, 0, p; selp.u32 %0, 1, 0, q;"
        " bar.red.or.pred q, 0, p; @q add.u32 %0, %0, 2; bar.red.popc.u32 %0, 0, p; }"
        : "=&r"(r)
        : "r"(t));
    to(r);
    /* Two groups of two warps: a barrier of each, and one on which the first only arrives. */
    words[t] = t;
    asm volatile("bar.sync %0, 64;" ::"r"(1 + t / 64) : "memory");
    const u32 sum = words[(t + 32) % 64 + t / 64 * 64];
    asm volatile("bar.sync %0, 64;" ::"r"(1 + t / 64) : "memory");
    if (t < 64) {
        words[t] = sum + 1000;
        asm volatile("bar.arrive 3, 128;" ::: "memory");
        to(sum);
    } else {
        asm volatile("bar.sync 3, 128;" ::: "memory");
        to(words[t - 64]);
    }
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (t >= 100)
        asm volatile("exit;");
    to(t);
}

static void run(const char *name, void (*kernel)(u32 *), int threads, int rows)
{
    static u32 host[32 * 128];
    u32 *out;
    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    kernel<<<1, threads>>>(out);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    printf("%s: %s\n", name, cudaGetErrorString(error));
    for (int row = 0; row < rows; row++) {
        u64 hash = 0xcbf29ce484222325ull;
        for (int t = 0; t < threads; t++)
            hash = (hash ^ host[row * threads + t]) * 0x100000001b3ull;
        printf("%3d %016llx", row, hash);
        for (int t = 0; t < threads; t += threads / 16 + 1)
            printf(" %x", host[row * threads + t]);
        printf("\n");
    }
}

int main()
{
    run("shuffles", shuffles, 32, 16);
    run("votes", votes, 32, 19);
    run("registers", registers, 64, 19);
    run("barriers", barriers, 128, 6);
}
