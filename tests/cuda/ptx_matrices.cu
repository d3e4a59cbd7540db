// SPDX-License-Identifier: BSD-3-Clause
// Inline PTX: loads and products of matrices. Sums are of small integers, so exact.
#include <cstdio>
#include <cstring>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long long u64;

struct writer {
    u64 *out;
    int count;
    __device__ void operator()(u64 value)
    {
        out[count++ * 32 + (int)threadIdx.x] = value;
    }
};

__device__ u32 shared_address(const void *p)
{
    return (u32)__cvta_generic_to_shared(p);
}

__global__ void loads(u64 *out)
{
    __shared__ alignas(16) u16 tile[32][8], result[32][8];
    writer to = {out, 0};
    const u32 t = threadIdx.x;
    for (u32 k = 0; k < 8; k++) {
        tile[t][k] = (u16)(t * 8 + k);
        result[t][k] = 0;
    }
    __syncwarp();
    u32 a, b, c, d;
    const u32 row = shared_address(&tile[t]), row_8 = shared_address(&tile[t % 8]),
              row_16 = shared_address(&tile[t % 16]), row_out = shared_address(&result[t]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(row_8));
    to(a);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(a)
                 : "r"(row_8));
    to(a);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(a), "=r"(b)
                 : "r"(row_16));
    to((u64)b << 32 | a);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(a), "=r"(b)
                 : "r"(row_16));
    to((u64)b << 32 | a);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(row));
    to((u64)b << 32 | a);
    to((u64)d << 32 | c);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(row));
    to((u64)b << 32 | a);
    to((u64)d << 32 | c);
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row_out),
                 "r"(a), "r"(b), "r"(c), "r"(d)
                 : "memory");
    __syncwarp();
    to(*(u64 *)result[t]);
    __syncwarp();
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(
                     shared_address(&result[t % 16])),
                 "r"(c), "r"(d)
                 : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(
                     shared_address(&result[16 + t % 8])),
                 "r"(b)
                 : "memory");
    __syncwarp();
    to(*(u64 *)(result[t] + 4));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(a) : "r"(t * 0x30001 + 7));
    to(a);
}

/* Elements of fragments that are small integers: register number k of this lane. */
__device__ float small(u32 k)
{
    return (float)((int)((threadIdx.x * 7 + k * 5) % 11) - 5);
}
__device__ u32 halves(u32 k)
{
    u32 r;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(small(2 * k + 1)), "f"(small(2 * k)));
    return r;
}
__device__ u32 bfloats(u32 k)
{
    u32 r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(small(2 * k + 1)), "f"(small(2 * k)));
    return r;
}
__device__ u32 word(u32 k)
{
    return (threadIdx.x * 0x1234567u + k * 0x89abcdefu) ^ 0xf00dcafeu;
}

#define KEEP_FLOATS                                                                                \
    to((u64)__float_as_uint(d[1]) << 32 | __float_as_uint(d[0]));                                  \
    to((u64)__float_as_uint(d[3]) << 32 | __float_as_uint(d[2]));
#define MMA_FLOATS_4_2(form, element)                                                              \
    asm volatile("mma.sync.aligned." form " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9},"         \
                 " {%10, %11, %12, %13};"                                                          \
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                                  \
                 : "r"(element(0)), "r"(element(1)), "r"(element(2)), "r"(element(3)),             \
                   "r"(element(4)), "r"(element(5)), "f"(small(20)), "f"(small(21)),               \
                   "f"(small(22)), "f"(small(23)));                                                \
    KEEP_FLOATS
#define MMA_FLOATS_2_1(form, element)                                                              \
    asm volatile("mma.sync.aligned." form " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"  \
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                                  \
                 : "r"(element(0)), "r"(element(1)), "r"(element(4)), "f"(small(20)),              \
                   "f"(small(21)), "f"(small(22)), "f"(small(23)));                                \
    KEEP_FLOATS
#define tf32(k) __float_as_uint(small(k))

__global__ void floats(u64 *out)
{
    writer to = {out, 0};
    float d[4];
    MMA_FLOATS_4_2("m16n8k16.row.col.f32.f16.f16.f32", halves)
    MMA_FLOATS_2_1("m16n8k8.row.col.f32.f16.f16.f32", halves)
    MMA_FLOATS_4_2("m16n8k16.row.col.f32.bf16.bf16.f32", bfloats)
    MMA_FLOATS_2_1("m16n8k8.row.col.f32.bf16.bf16.f32", bfloats)
    MMA_FLOATS_4_2("m16n8k8.row.col.f32.tf32.tf32.f32", tf32)
    MMA_FLOATS_2_1("m16n8k4.row.col.f32.tf32.tf32.f32", tf32)
    u32 a, b;
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7},"
        " {%8, %9};"
        : "=r"(a), "=r"(b)
        : "r"(halves(0)), "r"(halves(1)), "r"(halves(2)), "r"(halves(3)), "r"(halves(4)),
          "r"(halves(5)), "r"(halves(6)), "r"(halves(7)));
    to((u64)b << 32 | a);
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
        : "=r"(a), "=r"(b)
        : "r"(halves(0)), "r"(halves(1)), "r"(halves(4)), "r"(halves(6)), "r"(halves(7)));
    to((u64)b << 32 | a);
    /* Accumulators in place. */
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9},"
        " {%0,%1,%2,%3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(halves(3)), "r"(halves(2)), "r"(halves(1)), "r"(halves(0)), "r"(halves(7)),
          "r"(halves(8)));
    KEEP_FLOATS
}

#define MMA_INTEGERS_4_2(form)                                                                     \
    asm volatile("mma.sync.aligned.m16n8k32.row.col" form " {%0, %1, %2, %3}, {%4, %5, %6, %7},"   \
                 " {%8, %9}, {%10, %11, %12, %13};"                                                \
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                                              \
                 : "r"(word(0)), "r"(word(1)), "r"(word(2)), "r"(word(3)), "r"(word(4)),           \
                   "r"(word(5)), "r"(word(6)), "r"(0x7fffffff), "r"(0x80000000), "r"(word(9)));    \
    to((u64)b << 32 | a);                                                                          \
    to((u64)d << 32 | c);
#define MMA_INTEGERS_2_1(form)                                                                     \
    asm volatile("mma.sync.aligned.m16n8k16.row.col" form " {%0, %1, %2, %3}, {%4, %5}, {%6},"     \
                 " {%7, %8, %9, %10};"                                                             \
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                                              \
                 : "r"(word(0)), "r"(word(1)), "r"(word(4)), "r"(word(6)), "r"(word(7)),           \
                   "r"(word(8)), "r"(word(9)));                                                    \
    to((u64)b << 32 | a);                                                                          \
    to((u64)d << 32 | c);
#define MMA_INTEGERS_1_1(form)                                                                     \
    asm volatile("mma.sync.aligned.m8n8k16.row.col" form " {%0, %1}, {%2}, {%3}, {%4, %5};"        \
                 : "=r"(a), "=r"(b)                                                                \
                 : "r"(word(0)), "r"(word(4)), "r"(word(6)), "r"(word(7)));                        \
    to((u64)b << 32 | a);
__global__ void integers(u64 *out)
{
    writer to = {out, 0};
    u32 a, b, c, d;
    MMA_INTEGERS_4_2(".s32.s8.s8.s32")
    MMA_INTEGERS_4_2(".satfinite.s32.s8.s8.s32")
    MMA_INTEGERS_4_2(".s32.u8.s8.s32")
    MMA_INTEGERS_4_2(".s32.s8.u8.s32")
    MMA_INTEGERS_4_2(".satfinite.s32.u8.u8.s32")
    MMA_INTEGERS_2_1(".s32.s8.s8.s32")
    MMA_INTEGERS_2_1(".s32.u8.u8.s32")
    MMA_INTEGERS_1_1(".s32.s8.s8.s32")
    MMA_INTEGERS_1_1(".satfinite.s32.u8.u8.s32")
}

#define r64(k) (double)small(k)
__global__ void doubles(u64 *out)
{
    writer to = {out, 0};
    double a, b, c, d;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(a), "=d"(b)
                 : "d"(r64(0)), "d"(r64(1)), "d"(r64(2)), "d"(r64(3)));
    to((u64)__double_as_longlong(a));
    to((u64)__double_as_longlong(b));
#define KEEP_DOUBLES                                                                               \
    to((u64)__double_as_longlong(a));                                                              \
    to((u64)__double_as_longlong(b));                                                              \
    to((u64)__double_as_longlong(c));                                                              \
    to((u64)__double_as_longlong(d));
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6},"
        " {%7, %8, %9, %10};"
        : "=d"(a), "=d"(b), "=d"(c), "=d"(d)
        : "d"(r64(0)), "d"(r64(1)), "d"(r64(2)), "d"(r64(3)), "d"(r64(4)), "d"(r64(5)),
          "d"(r64(6)));
    KEEP_DOUBLES
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7},"
        " {%8, %9}, {%10, %11, %12, %13};"
        : "=d"(a), "=d"(b), "=d"(c), "=d"(d)
        : "d"(r64(0)), "d"(r64(1)), "d"(r64(2)), "d"(r64(3)), "d"(r64(4)), "d"(r64(5)), "d"(r64(6)),
          "d"(r64(7)), "d"(r64(8)), "d"(r64(9)));
    KEEP_DOUBLES
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3},"
                 " {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19};"
                 : "=d"(a), "=d"(b), "=d"(c), "=d"(d)
                 : "d"(r64(0)), "d"(r64(1)), "d"(r64(2)), "d"(r64(3)), "d"(r64(4)), "d"(r64(5)),
                   "d"(r64(6)), "d"(r64(7)), "d"(r64(8)), "d"(r64(9)), "d"(r64(10)), "d"(r64(11)),
                   "d"(r64(12)), "d"(r64(13)), "d"(r64(14)), "d"(r64(15)));
    KEEP_DOUBLES
}

static void run(const char *name, void (*kernel)(u64 *), int rows)
{
    static u64 host[32 * 32];
    u64 *out;
    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    kernel<<<1, 32>>>(out);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    printf("%s: %s\n", name, cudaGetErrorString(error));
    for (int row = 0; row < rows; row++) {
        u64 hash = 0xcbf29ce484222325ull;
        for (int t = 0; t < 32; t++)
            hash = (hash ^ host[row * 32 + t]) * 0x100000001b3ull;
        printf("%3d %016llx", row, hash);
        for (int t = 0; t < 32; t += 7)
            printf(" %llx", host[row * 32 + t]);
        printf("\n");
    }
}

int main()
{
    run("loads", loads, 11);
    run("floats", floats, 16);
    run("integers", integers, 16);
    run("doubles", doubles, 14);
}
