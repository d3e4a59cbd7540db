// SPDX-License-Identifier: BSD-3-Clause
// Inline PTX: loads, stores, atomics and asynchronous copies, in all spaces.
#include <cstdio>
#include <cstring>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long long u64;

__constant__ u32 constants[8] = {11, 22, 33, 44, 55, 66, 77, 88};

struct writer {
    u64 *out;
    int count;
    __device__ void operator()(u64 value)
    {
        out[count++] = value;
    }
};

__device__ u32 shared_address(const void *p)
{
    u32 result;
    asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(result) : "l"(p));
    return result;
}

#define LOAD(op, T, c, p)                                                                          \
    {                                                                                              \
        T r_;                                                                                      \
        asm volatile("ld" op " %0, [%1];" : "=" c(r_) : "l"(p) : "memory");                        \
        to((u64)r_);                                                                               \
    }
#define LOAD_2(op, T, c, p)                                                                        \
    {                                                                                              \
        T a_, b_;                                                                                  \
        asm volatile("ld" op " {%0, %1}, [%2];" : "=" c(a_), "=" c(b_) : "l"(p) : "memory");       \
        to((u64)a_);                                                                               \
        to((u64)b_);                                                                               \
    }
#define LOAD_4(op, T, c, p)                                                                        \
    {                                                                                              \
        T a_, b_, c_, d_;                                                                          \
        asm volatile("ld" op " {%0, %1, %2, %3}, [%4];"                                            \
                     : "=" c(a_), "=" c(b_), "=" c(c_), "=" c(d_)                                  \
                     : "l"(p)                                                                      \
                     : "memory");                                                                  \
        to((u64)a_ + b_);                                                                          \
        to((u64)c_ + d_);                                                                          \
    }
#define STORE(op, T, c, p, value)                                                                  \
    asm volatile("st" op " [%0], %1;" : : "l"(p), c((T)(value)) : "memory");

__global__ void loads(u64 *out, u8 *memory)
{
    writer to = {out, 0};
    LOAD(".global.u8", u32, "r", memory + 3)
    LOAD(".global.s8", u32, "r", memory + 200)
    LOAD(".global.s8", u64, "l", memory + 201)
    LOAD(".b8", u16, "h", memory + 5)
    LOAD(".global.u16", u16, "h", memory + 6)
    LOAD(".global.s16", u32, "r", memory + 254)
    LOAD(".u32", u32, "r", memory + 8)
    LOAD(".global.s32", u64, "l", memory + 252)
    LOAD(".global.u64", u64, "l", memory + 16)
    LOAD(".global.b64", u64, "l", memory + 24)
    LOAD(".global.f32", float, "f", memory + 256)
    LOAD(".global.f64", double, "d", memory + 264)
    LOAD(".global.ca.u32", u32, "r", memory + 32)
    LOAD(".global.cg.u32", u32, "r", memory + 36)
    LOAD(".global.cs.u32", u32, "r", memory + 40)
    LOAD(".global.lu.u32", u32, "r", memory + 44)
    LOAD(".cv.u32", u32, "r", memory + 48)
    LOAD(".global.nc.u32", u32, "r", memory + 52)
    LOAD(".global.L1::no_allocate.u32", u32, "r", memory + 56)
    LOAD(".global.nc.L1::no_allocate.L2::128B.u32", u32, "r", memory + 60)
    LOAD(".volatile.global.u32", u32, "r", memory + 64)
    LOAD(".relaxed.gpu.u32", u32, "r", memory + 68)
    LOAD(".acquire.sys.global.u32", u32, "r", memory + 72)
    LOAD(".relaxed.cta.u16", u16, "h", memory + 76)
    LOAD(".weak.global.u32", u32, "r", memory + 80)
    LOAD("u.global.u32", u32, "r", memory + 84)
    LOAD_2(".global.v2.u32", u32, "r", memory + 88)
    LOAD_2(".global.v2.u64", u64, "l", memory + 96)
    LOAD_2(".v2.u8", u32, "r", memory + 112)
    LOAD_4(".global.v4.u32", u32, "r", memory + 112)
    LOAD_4(".global.nc.v4.u32", u32, "r", memory + 128)
    LOAD_4(".global.v4.u16", u16, "h", memory + 144)
    LOAD_4(".cg.v4.u8", u32, "r", memory + 152)
    LOAD_4(".relaxed.gpu.v4.u32", u32, "r", memory + 160)
    u32 a, b;
    asm volatile("ld.global.u32 %0, [%1+4]; ld.global.u32 %0, [%1+-4];"
                 : "=&r"(a)
                 : "l"(memory + 8));
    to(a);
    asm volatile("{ .reg .u64 p; mul.wide.u32 p, %2, 4; add.u64 p, p, %1; ld.global.u32 %0, [p]; }"
                 : "=r"(a)
                 : "l"(memory), "r"(7));
    to(a);
    u64 policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;"
                 : "=r"(a)
                 : "l"(memory + 8), "l"(policy));
    to(a);
    u64 constant;
    asm("cvta.to.const.u64 %0, %1;" : "=l"(constant) : "l"(constants));
    asm volatile("ld.const.u32 %0, [%1+4];" : "=r"(b) : "l"(constant));
    to(b);
    LOAD(".u32", u32, "r", &constants[3])
    asm volatile("prefetch.global.L1 [%0]; prefetch.global.L2 [%0]; prefetchu.L1 [%0];"
                 " prefetch.L2 [%0+128];" ::"l"(memory));
    asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(memory));
}

__global__ void stores(u8 *memory)
{
    STORE(".global.u8", u32, "r", memory + 3, 0x1234)
    STORE(".b8", u16, "h", memory + 5, 0x4321)
    STORE(".global.s16", u16, "h", memory + 6, 0x4321)
    STORE(".u32", u32, "r", memory + 8, 0x10203040)
    STORE(".global.u64", u64, "l", memory + 16, 0x1020304050607080ull)
    STORE(".global.f32", float, "f", memory + 24, 1.5f)
    STORE(".f64", double, "d", memory + 32, 2.5)
    STORE(".global.wb.u32", u32, "r", memory + 40, 1)
    STORE(".cg.u32", u32, "r", memory + 44, 2)
    STORE(".global.cs.u32", u32, "r", memory + 48, 3)
    STORE(".global.wt.u32", u32, "r", memory + 52, 4)
    STORE(".volatile.global.u32", u32, "r", memory + 56, 5)
    STORE(".relaxed.gpu.global.u32", u32, "r", memory + 60, 6)
    STORE(".release.sys.u32", u32, "r", memory + 64, 7)
    STORE(".release.cta.b16", u16, "h", memory + 68, 8)
    STORE(".global.L1::no_allocate.u32", u32, "r", memory + 72, 9)
    asm volatile("st.global.v2.u32 [%0], {%1, 77};" ::"l"(memory + 80), "r"(76) : "memory");
    asm volatile("st.v4.u32 [%0+16], {%1, %2, -1, 0x10};" ::"l"(memory + 80), "r"(1), "r"(2)
                 : "memory");
    asm volatile("st.global.cs.v2.u64 [%0], {%1, %2};" ::"l"(memory + 112), "l"(3ull), "l"(4ull)
                 : "memory");
    asm volatile("st.global.v4.u8 [%0], {%1, %2, %2, %1};" ::"l"(memory + 128), "r"(5), "r"(6)
                 : "memory");
    asm volatile("st.global.v4.f32 [%0], {%1, %1, 0f3F800000, %1};" ::"l"(memory + 144), "f"(0.25f)
                 : "memory");
}

__global__ void shared(u64 *out)
{
    writer to = {out, 0};
    __shared__ alignas(16) u32 words[32];
    extern __shared__ u32 dynamic[];
    u32 a, b, c, d;
    const u32 at = shared_address(words), at_dynamic = shared_address(dynamic);
    for (u32 k = 0; k < 32; k++)
        words[k] = dynamic[k] = k * k;
    asm volatile("ld.shared.u32 %0, [%1+12];" : "=r"(a) : "r"(at));
    to(a);
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(at_dynamic + 20));
    to(a);
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(at + 16));
    to(a + b * 100 + c * 10000 + d);
    asm volatile("st.shared.u32 [%0+8], %1;" ::"r"(at), "r"(500) : "memory");
    to(words[2]);
    asm volatile("st.shared::cta.v2.u32 [%0], {%1, %1};" ::"r"(at_dynamic + 8), "r"(600)
                 : "memory");
    to(dynamic[2] + dynamic[3]);
    asm volatile(
        "{ .reg .u64 s, g; cvta.to.shared.u64 s, %1; cvta.shared.u64 g, s; ld.u32 %0, [g+4]; }"
        : "=r"(a)
        : "l"(words));
    to(a);
    asm volatile("atom.shared.add.u32 %0, [%1], 5;" : "=r"(a) : "r"(at + 4) : "memory");
    to(a * 1000 + words[1]);
    asm volatile("red.shared.max.u32 [%0], %1;" ::"r"(at + 4), "r"(900) : "memory");
    to(words[1]);
    u32 local[4] = {1, 2, 3, 4}, space[4];
    asm volatile("{ .reg .u64 p; cvta.to.local.u64 p, %1; ld.local.u32 %0, [p+8];"
                 " st.local.u32 [p], 9; }"
                 : "=r"(a)
                 : "l"(local)
                 : "memory");
    to(a + local[0]);
    const void *pointers[] = {words, out, local, constants};
    for (int k = 0; k < 4; k++) {
        asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; isspacep.global p, %1;"
            " @p or.b32 %0, %0, 2; isspacep.local p, %1; @p or.b32 %0, %0, 4;"
            " isspacep.const p, %1; @p or.b32 %0, %0, 8; isspacep.shared::cta p, %1;"
            " @p or.b32 %0, %0, 16; }"
            : "=r"(space[k])
            : "l"(pointers[k]));
        to(space[k]);
    }
}

#define ATOM(op, T, c, p, value)                                                                   \
    {                                                                                              \
        T r_;                                                                                      \
        asm volatile("atom" op " %0, [%1], %2;" : "=" c(r_) : "l"(p), c((T)(value)) : "memory");   \
        to((u64)r_);                                                                               \
    }
#define RED(op, T, c, p, value)                                                                    \
    asm volatile("red" op " [%0], %1;" : : "l"(p), c((T)(value)) : "memory");
__global__ void atomics(u64 *out, u64 *memory)
{
    writer to = {out, 0};
    ATOM(".global.add.u32", u32, "r", memory, 5)
    ATOM(".add.u32", u32, "r", memory, 0xfffffffeu)
    ATOM(".global.add.s32", u32, "r", memory, -3)
    ATOM(".global.add.u64", u64, "l", memory + 1, 1ull << 40)
    ATOM(".global.add.f32", float, "f", memory + 2, 1.5f)
    ATOM(".global.add.f32", float, "f", memory + 2, 2.5f)
    ATOM(".global.add.f64", double, "d", memory + 3, 0.5)
    ATOM(".add.f64", double, "d", memory + 3, 4.0)
    ATOM(".global.min.u32", u32, "r", memory, 3)
    ATOM(".global.max.u32", u32, "r", memory, 0x80000000u)
    ATOM(".global.min.s32", u32, "r", memory, 7)
    ATOM(".global.max.s32", u32, "r", memory, 9)
    ATOM(".global.min.u64", u64, "l", memory + 1, 77)
    ATOM(".global.max.s64", u64, "l", memory + 1, 99)
    ATOM(".global.and.b32", u32, "r", memory, 0xc)
    ATOM(".global.or.b32", u32, "r", memory, 0x30)
    ATOM(".global.xor.b64", u64, "l", memory + 1, 0xff)
    ATOM(".global.inc.u32", u32, "r", memory + 4, 2)
    ATOM(".global.inc.u32", u32, "r", memory + 4, 2)
    ATOM(".global.inc.u32", u32, "r", memory + 4, 2)
    ATOM(".global.dec.u32", u32, "r", memory + 4, 5)
    ATOM(".global.dec.u32", u32, "r", memory + 4, 5)
    ATOM(".global.exch.b32", u32, "r", memory, 123)
    ATOM(".global.exch.b64", u64, "l", memory + 1, 456)
    ATOM(".relaxed.gpu.global.add.u32", u32, "r", memory, 1)
    ATOM(".acquire.cta.add.u32", u32, "r", memory, 1)
    ATOM(".release.sys.global.add.u32", u32, "r", memory, 1)
    ATOM(".acq_rel.gpu.global.add.u32", u32, "r", memory, 1)
    ATOM(".add.relaxed.cta.u32", u32, "r", memory, 1)
    u32 a;
    u64 b;
    u16 h;
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(a)
                 : "l"(memory), "r"(128), "r"(1000)
                 : "memory");
    to(a);
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(a)
                 : "l"(memory), "r"(128), "r"(2000)
                 : "memory");
    to(a);
    asm volatile("atom.acq_rel.gpu.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(b)
                 : "l"(memory + 1), "l"(456ull), "l"(7ull)
                 : "memory");
    to(b);
    asm volatile("atom.global.cas.b16 %0, [%1], %2, %3;"
                 : "=h"(h)
                 : "l"((u16 *)memory + 1), "h"((u16)0), "h"((u16)9)
                 : "memory");
    to(h);
    asm volatile("atom.global.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(a)
                 : "l"(memory + 5), "r"(0x3c004000)
                 : "memory");
    to(a);
    asm volatile("atom.global.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(a)
                 : "l"(memory + 5), "r"(0x3c004000)
                 : "memory");
    to(a);
    asm volatile("atom.global.add.noftz.bf16x2 %0, [%1], %2;"
                 : "=r"(a)
                 : "l"(memory + 6), "r"(0x3f804000)
                 : "memory");
    to(a);
    asm volatile("atom.global.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(h)
                 : "l"(memory + 5), "h"((u16)0x3c00)
                 : "memory");
    to(h);
    RED(".global.add.u32", u32, "r", memory + 7, 5)
    RED(".relaxed.gpu.global.add.u64", u64, "l", memory + 8, 6)
    RED(".global.add.f32", float, "f", memory + 9, 1.25f)
    RED(".release.sys.add.f64", double, "d", memory + 10, 1.25)
    RED(".global.min.s32", u32, "r", memory + 7, -4)
    RED(".global.max.u64", u64, "l", memory + 8, 600)
    RED(".global.and.b32", u32, "r", memory + 7, 0xff0)
    RED(".global.or.b64", u64, "l", memory + 8, 1)
    RED(".global.xor.b32", u32, "r", memory + 7, 3)
    RED(".global.inc.u32", u32, "r", memory + 11, 3)
    RED(".global.dec.u32", u32, "r", memory + 12, 3)
    RED(".global.add.noftz.f16x2", u32, "r", memory + 13, 0x3c003c00)
    asm volatile("membar.cta; membar.gl; membar.sys; fence.acq_rel.cta; fence.sc.gpu;"
                 " fence.acq_rel.sys; fence.proxy.alias;" ::
                     : "memory");
}

__global__ void copies(u32 *out, const u32 *in)
{
    __shared__ alignas(16) u32 tile[64 * 4];
    const u32 t = threadIdx.x, to = shared_address(&tile[4 * t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 4 * t) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[t] = tile[(4 * t + 5) % 256];
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + t) : "memory");
    asm volatile(
        "cp.async.ca.shared::cta.global [%0+8], [%1], 8;\n\tcp.async.commit_group;" ::"r"(to),
        "l"(in + 2 * t)
        : "memory");
    asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2, %3;" ::"r"(to + 4),
                 "l"(in + t), "n"(4), "r"(t % 2 * 4)
                 : "memory");
    asm volatile("cp.async.commit_group; cp.async.wait_group %0;" ::"n"(1) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    const u32 *const next = &tile[(4 * t + 4) % 256];
    out[64 + t] = next[0] + 3 * next[1] + 5 * next[2] + 7 * next[3];
    __syncthreads();
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(in + 4 * t),
                 "r"(t % 4 * 4)
                 : "memory");
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %2, 0; @p cp.async.cg.shared.global.L2::256B "
                 "[%0], [%1], 16; }" ::"r"(to),
                 "l"(in), "r"(t)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[128 + t] = next[0] + 3 * next[1] + 5 * next[2] + 7 * next[3];
}

__global__ void objects(u32 *out)
{
    __shared__ u64 barrier;
    __shared__ u32 words[64];
    const u32 t = threadIdx.x, at = shared_address(&barrier);
    u64 token;
    u32 done, before = 0;
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(64) : "memory");
    __syncthreads();
    for (u32 k = 0; k < 3; k++) {
        words[t] = t * 3 + k;
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
        if (k == 1)
            asm volatile("{ .reg .pred p; WAIT: mbarrier.test_wait.shared.b64 p, [%0], %1;"
                         " @!p bra WAIT; }" ::"r"(at),
                         "l"(token)
                         : "memory");
        else
            asm volatile("{\n\t.reg .pred P1;\n\tLAB_WAIT:\n\t"
                         "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n\t"
                         "@P1 bra DONE;\n\tbra LAB_WAIT;\n\tDONE:\n\t}" ::"r"(at),
                         "r"(k & 1)
                         : "memory");
        before += words[(t + 33) % 64];
        __syncthreads();
    }
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0;"
                 " selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(at)
                 : "memory");
    out[t] = before * 10 + done;
    __syncthreads();
    if (t == 0)
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
}

__global__ void fails(int yes)
{
    if (yes)
        asm volatile("trap;");
}

template <class T> static void show(const char *name, const T *values, int count)
{
    printf("%s:", name);
    for (int k = 0; k < count; k++)
        printf("%s%llx", k % 16 || count < 17 ? " " : "\n    ", (u64)values[k]);
    printf("\n");
}

int main()
{
    static u64 host[512];
    u64 *out;
    u8 *memory;
    u8 bytes[512];
    for (int k = 0; k < 512; k++)
        bytes[k] = (u8)(k * 37 + 11);
    const float f = 12345;
    const double d = 67890;
    memcpy(bytes + 256, &f, sizeof f);
    memcpy(bytes + 264, &d, sizeof d);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&memory, 1024);
    const auto run = [&](const char *name, int count) {
        const cudaError_t error = cudaDeviceSynchronize();
        if (error != cudaSuccess)
            printf("%s: %s\n", name, cudaGetErrorString(error));
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        show(name, host, count);
        cudaMemset(out, 0, sizeof host);
    };
    cudaMemset(out, 0, sizeof host);
    cudaMemcpy(memory, bytes, sizeof bytes, cudaMemcpyHostToDevice);
    loads<<<1, 1>>>(out, memory);
    run("loads", 48);
    cudaMemset(memory, 0, 1024);
    stores<<<1, 1>>>(memory);
    cudaMemcpy(bytes, memory, sizeof bytes, cudaMemcpyDeviceToHost);
    show("stores", bytes, 160);
    shared<<<1, 1, 256>>>(out);
    run("shared", 16);
    cudaMemset(memory, 0, 1024);
    atomics<<<1, 1>>>(out, (u64 *)memory);
    run("atomics", 40);
    cudaMemcpy(host, memory, 128, cudaMemcpyDeviceToHost);
    show("their memory", host, 14);
    u32 words[256];
    for (u32 k = 0; k < 256; k++)
        words[k] = k * k + 1;
    cudaMemcpy(memory, words, sizeof words, cudaMemcpyHostToDevice);
    copies<<<1, 64>>>((u32 *)out, (u32 *)memory);
    run("copies", 96);
    objects<<<1, 64>>>((u32 *)out);
    run("objects", 32);
    cudaFree(memory);
    cudaFree(out);
    fails<<<1, 1>>>(1);
    printf("trap: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
