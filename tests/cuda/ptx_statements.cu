// SPDX-License-Identifier: BSD-3-Clause
// Inline PTX: what a statement may consist of.
#include <cstdio>

typedef unsigned u32;
typedef unsigned long long u64;
#define STRING_(x) #x
#define STRING(x) STRING_(x)
#define WIDTH 32
#define ADD(type) "add." #type

/* Sums of several words by the carry flag, which other functions set and read. */
__device__ __forceinline__ u32 add_cc(u32 a, u32 b)
{
    u32 r;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
__device__ __forceinline__ u32 addc_cc(u32 a, u32 b)
{
    u32 r;
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
__device__ __forceinline__ u32 addc(u32 a, u32 b)
{
    u32 r;
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}

template <int N> __device__ u32 plus(u32 a)
{
    u32 r;
    asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "n"(N * 10));
    return r;
}
template <class T> __device__ T shifted(T a, int by)
{
    asm("shl.b32 %0, %0, %1;" : "+r"(a) : "r"(by));
    return a;
}

struct pair {
    u32 low, high;
    __device__ pair(u64 w) : low(0), high{0}
    {
        asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(this->high) : "l"(w));
    }
};

__global__ void k(u32 *out, const u32 *in, int n)
{
    int at = 0;
    u32 a, b, c;
    const auto to = [&](u32 value) { out[at++] = value; };

    /* Literals of macros, an empty list of outputs, operands that are expressions. */
    asm(ADD(u32) " %0, %1, " STRING(WIDTH) ";" : "=r"(a) : "r"(in[1] + 2 * in[2]));
    to(a);
    asm volatile("st.global.u32 [%0], %1;" ::"l"(out + at++), "r"(n > 3 ? in[3] : 0) : "memory");
    asm(R"({
        .reg .u32 t<3>;       // t0, t1, t2
        /* the sum of squares */
        mul.lo.u32 t0, %1, %1;
        mad.lo.u32 t1, %2, %2, t0;
        mov.u32 %0, t1;
    })"
        : "=r"(a)
        : "r"(in[1]), "r"(in[2]));
    to(a);

    /* Scopes, names with % and $. */
    asm("{ .reg .b32 x, %%y, $z; mov.b32 x, 1; mov.b32 %%y, 20; { .reg .b32 x; mov.b32 x, 300;"
        " add.s32 %%y, %%y, x; } add.s32 $z, x, %%y; mov.b32 %0, $z; }"
        : "=r"(a));
    to(a);

    /* Predicates and branches: Collatz steps, and a sum in a loop. */
    for (u32 start = 1; start < 30; start += 7) {
        asm("{\n\t"
            ".reg .pred even, end;\n\t"
            ".reg .u32 v, low;\n\t"
            "mov.u32 v, %1;\n\t"
            "mov.u32 %0, 0;\n"
            "AGAIN:\n\t"
            "setp.eq.u32 end, v, 1;\n\t"
            "@end bra.uni OVER;\n\t"
            "and.b32 low, v, 1;\n\t"
            "setp.eq.u32 even, low, 0;\n\t"
            "@even shr.u32 v, v, 1;\n\t"
            "@!even mad.lo.u32 v, v, 3, 1;\n\t"
            "add.u32 %0, %0, 1;\n\t"
            "bra AGAIN;\n"
            "OVER:\n\t"
            "}"
            : "=&r"(a)
            : "r"(start));
        to(a);
    }

    /* Read and written; several outputs; outputs that are elements. */
    a = 5;
    b = 7;
    asm("{ .reg .u32 t; mov.u32 t, %0; mov.u32 %0, %1; mov.u32 %1, t; }" : "+r"(a), "+r"(b));
    to(a * 100 + b);
    u32 words[4] = {1, 2, 3, 4};
    asm("add.u32 %0, %2, %3; sub.u32 %1, %3, %2;"
        : "=&r"(words[in[1] & 3]), "=r"(words[3])
        : "r"(words[1]), "r"(words[2]));
    to(words[0] + 10 * words[1] + 100 * words[2] + 1000 * words[3]);

    /* The carry flag between statements. */
    a = add_cc(0xfffffff0u, in[4]);
    b = addc_cc(0xffffffffu, 0);
    c = addc(3, 4);
    to(a);
    to(b);
    to(c);

    /* Templates, constants, a constructor, a lambda, a statement without braces. */
    to(plus<4>(2) + plus<-1>(100));
    to((u32)shifted(-3, 4) + shifted(7u, 1));
    const pair p(0x500000007ull);
    to(p.low * 100 + p.high);
    const auto twice = [](u32 x) {
        u32 r;
        asm("shl.b32 %0, %1, 1;" : "=r"(r) : "r"(x));
        return r;
    };
    to(twice(21));
    if (n > 100)
        asm("mov.u32 %0, 1;" : "=r"(a));
    else
        asm("mov.u32 %0, 2;" : "=r"(a));
    to(a);
    switch (n & 1) {
    case 0: asm("mov.u32 %0, 3;" : "=r"(a)); break;
    default: asm("mov.u32 %0, 4;" : "=r"(a));
    }
    to(a);

    /* Other types of operands. */
    float f = 1.5f;
    double d = 2.25;
    unsigned short h = 9;
    long long w = -5;
    const u32 *pointer;
    asm("add.f32 %0, %0, 0f3F000000; add.f64 %1, %1, 0.25; add.u16 %2, %2, 1; abs.s64 %3, %3;"
        : "+f"(f), "+d"(d), "+h"(h), "+l"(w));
    to((u32)(f * 100) + (u32)d + h + (u32)w);
    asm("add.s64 %0, %1, 4;" : "=l"(pointer) : "l"(in));
    to(*pointer);
    enum { FIVE = 5 } five = FIVE;
    const bool yes = n > 0;
    asm("add.s32 %0, %1, %2;" : "=r"(a) : "r"((int)five), "r"((int)yes));
    to(a);
    asm volatile("" ::: "memory");
    asm volatile("// nothing");
}

int main()
{
    u32 host[64] = {0}, in[8] = {10, 1, 2, 3, 0x20, 5, 6, 7}, *out, *device;
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&device, sizeof in);
    cudaMemcpy(device, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host);
    k<<<1, 1>>>(out, device, 8);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 26; i++)
        printf("%d: %u\n", i, host[i]);
    cudaFree(device);
    cudaFree(out);
}
