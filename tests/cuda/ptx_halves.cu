// SPDX-License-Identifier: BSD-3-Clause
// Inline PTX: arithmetic of halves and bfloat16, and of pairs of them.
#include "ptx_results.h"

/* Halves and bfloat16 by their bits: edges, and others. */
__device__ u16 half_of(int i, int k)
{
    const u16 edges[16] = {0,      0x8000, 0x3c00, 0xbc00, 0x0001, 0x8001, 0x03ff, 0x0400,
                           0x7bff, 0x7c00, 0xfc00, 0x7fff, 0x3f80, 0xff80, 0x7f80, 0x3555};
    const int edge = edge_of(i, k);
    const u64 bits = random_bits((u64)(i * 3 + k));
    if (edge < 16)
        return edges[edge];
    return (u16)(i % 2 ? bits : (bits & 0x83ff) | (u64)(0x3000 + (bits >> 16 & 0x1c00)));
}
#define ALL                                                                                        \
    results to(all);                                                                               \
    const u16 x = half_of(to.i, 0), y = half_of(to.i, 1), z = half_of(to.i, 2);                    \
    const u32 xx = x | (u32)half_of(to.i, 2) << 16, yy = y | (u32)half_of(to.i, 0) << 16;          \
    const u32 zz = z | (u32)half_of(to.i, 1) << 16;                                                \
    (void)xx, (void)yy, (void)zz;

#define ONE(op, type)                                                                              \
    PTX_1(op type, u16, "h", u16, "h", x)                                                          \
    PTX_1(op type "x2", u32, "r", u32, "r", xx)
#define TWO(op, type)                                                                              \
    PTX_2(op type, u16, "h", u16, "h", x, u16, "h", y)                                             \
    PTX_2(op type "x2", u32, "r", u32, "r", xx, u32, "r", yy)
#define THREE(op, type)                                                                            \
    PTX_3(op type, u16, "h", u16, "h", x, u16, "h", y, u16, "h", z)                                \
    PTX_3(op type "x2", u32, "r", u32, "r", xx, u32, "r", yy, u32, "r", zz)

__global__ void halves(table *all)
{
    ALL TWO("add", ".f16") TWO("add.rn", ".f16") TWO("add.sat", ".f16") TWO("add.ftz", ".f16")
        TWO("sub", ".f16") TWO("sub.rn.ftz.sat", ".f16") TWO("mul", ".f16") TWO("mul.rn", ".f16")
            TWO("mul.sat", ".f16") TWO("mul.ftz", ".f16") THREE("fma.rn", ".f16")
                THREE("fma.rn.ftz", ".f16") THREE("fma.rn.sat", ".f16") THREE("fma.rn.relu", ".f16")
                    ONE("abs", ".f16") ONE("abs.ftz", ".f16") ONE("neg", ".f16")
                        ONE("neg.ftz", ".f16") TWO("min", ".f16") TWO("max", ".f16")
                            TWO("min.ftz", ".f16") TWO("min.NaN", ".f16") TWO("max.NaN", ".f16")
                                TWO("min.xorsign.abs", ".f16") TWO("max.NaN.xorsign.abs", ".f16")
                                    u32 r;
    asm("{ .reg .pred p; setp.eq.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(r)
        : "h"(x), "h"(y));
    to.keep("setp.eq.f16", r);
    PTX_P("setp.ltu.f16x2", u32, "r", xx, u32, "r", yy)
    PTX_P("setp.ge.ftz.f16x2", u32, "r", xx, u32, "r", yy)
    PTX_2("set.lt.u16.f16", u16, "h", u16, "h", x, u16, "h", y)
    PTX_2("set.lt.f16.f16", u16, "h", u16, "h", x, u16, "h", y)
    PTX_2("set.gt.u32.f16", u32, "r", u16, "h", x, u16, "h", y)
}
__global__ void bfloats(table *all){
    ALL TWO("add", ".bf16") TWO("add.rn", ".bf16") TWO("sub", ".bf16") TWO("sub.rn", ".bf16")
        TWO("mul", ".bf16") TWO("mul.rn", ".bf16") THREE("fma.rn", ".bf16")
            THREE("fma.rn.relu", ".bf16") ONE("abs", ".bf16") ONE("neg", ".bf16")
                TWO("min", ".bf16") TWO("max", ".bf16") TWO("min.NaN", ".bf16")
                    TWO("max.NaN", ".bf16") TWO("max.xorsign.abs", ".bf16")
                        TWO("min.NaN.xorsign.abs", ".bf16")
                            PTX_P("setp.lt.bf16x2", u32, "r", xx, u32, "r", yy)
                                PTX_2("set.geu.bf16.bf16", u16, "h", u16, "h", x, u16, "h", y)}

__device__ float of_half(u16 bits)
{
    float r;
    asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(bits));
    return r;
}
__device__ float of_bfloat(u16 bits)
{
    return __uint_as_float((u32)bits << 16);
}
/* Whether the result is beyond the bound, for finite exact ones. */
__device__ u32 beyond(float result, double exact, double absolute, double relative)
{
    if (exact != exact)
        return result == result;
    if (fabs(exact) > 60000)
        return result < 60000 / 2;
    return !(fabs(result - exact) <= absolute + relative * fabs(exact));
}
__global__ void approximations(table *all)
{
    ALL u16 r;
    u32 rr;
    const double h = of_half(x), b = of_bfloat(x);
    asm("ex2.approx.f16 %0, %1;" : "=h"(r) : "h"(x));
    to.keep("ex2.approx.f16", beyond(of_half(r), exp2(h), 6e-8, ldexp(1., -9)));
    asm("ex2.approx.f16x2 %0, %1;" : "=r"(rr) : "r"(xx));
    to.keep("ex2.approx.f16x2", beyond(of_half((u16)rr), exp2(h), 6e-8, ldexp(1., -9)));
    asm("tanh.approx.f16 %0, %1;" : "=h"(r) : "h"(x));
    to.keep("tanh.approx.f16", beyond(of_half(r), tanh(h), ldexp(1., -10), 0));
    asm("tanh.approx.f16x2 %0, %1;" : "=r"(rr) : "r"(xx));
    to.keep("tanh.approx.f16x2", beyond(of_half((u16)rr), tanh(h), ldexp(1., -10), 0));
    asm("ex2.approx.ftz.bf16 %0, %1;" : "=h"(r) : "h"(x));
    to.keep("ex2.approx.ftz.bf16", beyond(of_bfloat(r), exp2(b), 2e-38, ldexp(1., -7)));
    asm("ex2.approx.ftz.bf16x2 %0, %1;" : "=r"(rr) : "r"(xx));
    to.keep("ex2.approx.ftz.bf16x2", beyond(of_bfloat((u16)rr), exp2(b), 2e-38, ldexp(1., -7)));
    asm("tanh.approx.bf16 %0, %1;" : "=h"(r) : "h"(x));
    to.keep("tanh.approx.bf16", beyond(of_bfloat(r), tanh(b), ldexp(1., -8), 0));
    asm("tanh.approx.bf16x2 %0, %1;" : "=r"(rr) : "r"(xx));
    to.keep("tanh.approx.bf16x2", beyond(of_bfloat((u16)rr), tanh(b), ldexp(1., -8), 0));
}

int main()
{
    print(halves);
    print(bfloats);
    print(approximations);
}
