// SPDX-License-Identifier: BSD-3-Clause
// Inline PTX: moves, packing and conversions.
#include "ptx_results.h"

#define ALL                                                                                        \
    results to(all);                                                                               \
    const u64 n = integer_of(to.i, 0);                                                             \
    const double d = real_of(to.i, 0, to.i % 4 < 2);                                               \
    const float f = (float)d;                                                                      \
    const u16 h = (u16)(to.i * 128 + to.i % 7); /* 16 bits: many halves and bfloat16 */            \
    (void)n, (void)f, (void)d, (void)h;

#define C(op, D, c, A, a, x) PTX_1("cvt." op, D, c, A, a, x)

__global__ void integers(table *all)
{
    ALL C("u16.u32", u16, "h", u32, "r", n) C("u16.u64", u16, "h", u64, "l", n)
        C("u32.u16", u32, "r", u16, "h", n) C("s32.s16", u32, "r", u16, "h", n)
            C("u32.u64", u32, "r", u64, "l", n) C("u64.u32", u64, "l", u32, "r", n)
                C("s64.s32", u64, "l", u32, "r", n) C("u64.s32", u64, "l", u32, "r", n)
                    C("s64.u32", u64, "l", u32, "r", n) C("u32.u8", u32, "r", u32, "r", n)
                        C("s32.s8", u32, "r", u32, "r", n) C("u16.u8", u16, "h", u16, "h", n)
                            C("s16.s8", u16, "h", u16, "h", n) C("s64.s8", u64, "l", u32, "r", n) C(
                                "u8.u32", u32, "r", u32, "r", n) C("s8.s32", u32, "r", u32, "r", n)
                                C("sat.u8.s32", u32, "r", u32, "r",
                                  n) C("sat.s8.s32", u32, "r", u32, "r", n) C("sat.u8.u32", u32,
                                                                              "r", u32, "r", n)
                                    C("sat.s8.u32", u32, "r", u32, "r",
                                      n) C("sat.u16.s32", u16, "h", u32, "r",
                                           n) C("sat.s16.s32", u16, "h", u32, "r", n)
                                        C("sat.u32.s64", u32, "r", u64, "l", n)
                                            C("sat.s32.s64", u32, "r", u64, "l", n)
                                                C("sat.s32.u64", u32, "r", u64, "l", n)
                                                    C("sat.u64.s64", u64, "l", u64, "l", n)
                                                        C("sat.u32.s32", u32, "r", u32, "r",
                                                          n) PTX_2("cvt.pack.sat.u16.s32", u32, "r",
                                                                   u32, "r", n, u32, "r", n >> 3)
                                                            PTX_2("cvt.pack.sat.s16.s32", u32, "r",
                                                                  u32, "r", n, u32, "r", n >> 3)
                                                                PTX_3("cvt.pack.sat.u8.s32.b32",
                                                                      u32, "r", u32, "r", n, u32,
                                                                      "r", n >> 3, u32, "r", ~n)
                                                                    PTX_3("cvt.pack.sat.s8.s32.b32",
                                                                          u32, "r", u32, "r", n,
                                                                          u32, "r", n >> 3, u32,
                                                                          "r", ~n) u32 lo,
        hi;
    u64 w;
    u16 a, b, e, g;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(n));
    to.keep("mov.b64 {lo, hi}", lo * 3 + hi);
    asm("mov.b64 %0, {%1, %2};" : "=l"(w) : "r"(hi), "r"(lo));
    to.keep("mov.b64 w, {}", w);
    asm("mov.b64 {%0, %1, %2, %3}, %4;" : "=h"(a), "=h"(b), "=h"(e), "=h"(g) : "l"(n));
    to.keep("mov.b64 {a, b, c, d}", (u32)(a + 3 * b + 5 * e + 7 * g));
    asm("mov.b64 %0, {%1, %2, %3, %4};" : "=l"(w) : "h"(g), "h"(e), "h"(b), "h"(a));
    to.keep("mov.b64 w, {a, b, c, d}", w);
    asm("mov.b32 {%0, %1}, %2;" : "=h"(a), "=h"(b) : "r"((u32)n));
    to.keep("mov.b32 {a, b}", (u32)(a * 3 + b));
    asm("mov.b32 %0, {%1, %2};" : "=r"(lo) : "h"(b), "h"(a));
    to.keep("mov.b32 w, {a, b}", lo);
    asm("mov.b64 {_, %0}, %1;" : "=r"(hi) : "l"(n));
    to.keep("mov.b64 {_, hi}", hi);
    asm("mov.u16 %0, 0x1234; mov.s32 %1, -7; mov.u64 %2, 0xffffffffffU;"
        : "=h"(a), "=r"(lo), "=l"(w));
    to.keep("mov of numbers", (u64)a + lo + w);
    float x;
    double y;
    asm("mov.f32 %0, 0fC0490FDB; mov.f64 %1, 0d400921FB54442D18;" : "=f"(x), "=d"(y));
    to.keep("mov.f32", x);
    to.keep("mov.f64", y);
    asm("mov.f32 %0, 1.5; mov.f64 %1, 2.5e-3;" : "=f"(x), "=d"(y));
    to.keep("mov.f32 1.5", x);
    to.keep("mov.f64 2.5e-3", y);
    asm("mov.b32 %0, %1;" : "=r"(lo) : "f"(x));
    to.keep("mov.b32 of a float", lo);
}

#define FROM_INTEGERS(op, D, c)                                                                    \
    C(op ".u16", D, c, u16, "h", n)                                                                \
    C(op ".s16", D, c, u16, "h", n)                                                                \
    C(op ".u32", D, c, u32, "r", n)                                                                \
    C(op ".s32", D, c, u32, "r", n)                                                                \
    C(op ".u64", D, c, u64, "l", n)                                                                \
    C(op ".s64", D, c, u64, "l", n)
#define TO_INTEGERS(round, type, A, a, x)                                                          \
    C(round ".u16" type, u16, "h", A, a, x)                                                        \
    C(round ".s16" type, u16, "h", A, a, x)                                                        \
    C(round ".u32" type, u32, "r", A, a, x)                                                        \
    C(round ".s32" type, u32, "r", A, a, x)                                                        \
    C(round ".u64" type, u64, "l", A, a, x)                                                        \
    C(round ".s64" type, u64, "l", A, a, x)

__global__ void from_integers(table *all){
    ALL FROM_INTEGERS("rn.f32", float, "f") FROM_INTEGERS("rz.f32", float, "f")
        FROM_INTEGERS("rm.f32", float, "f") FROM_INTEGERS("rp.f32", float, "f")
            FROM_INTEGERS("rn.f64", double, "d") FROM_INTEGERS("rz.f64", double, "d")
                FROM_INTEGERS("rm.f64", double, "d") FROM_INTEGERS("rp.f64", double, "d")
                    FROM_INTEGERS("rn.f16", u16, "h") FROM_INTEGERS("rz.f16", u16, "h")
                        FROM_INTEGERS("rn.bf16", u16, "h") C("rn.f32.u8", float, "f", u16, "h", n)
                            C("rn.f32.s8", float, "f", u16, "h", n)
                                C("rn.sat.f32.s32", float, "f", u32, "r",
                                  n)} __global__ void to_integers(table *all){
    ALL TO_INTEGERS("rni", ".f32", float, "f", f) TO_INTEGERS("rzi", ".f32", float, "f", f)
        TO_INTEGERS("rmi", ".f32", float, "f", f) TO_INTEGERS("rpi", ".f32", float, "f", f)
            TO_INTEGERS("rni", ".f64", double, "d", d) TO_INTEGERS("rzi", ".f64", double, "d", d)
                TO_INTEGERS("rmi", ".f64", double, "d", d) TO_INTEGERS("rpi", ".f64", double, "d",
                                                                       d)
                    TO_INTEGERS("rni", ".f16", u16, "h", h) TO_INTEGERS("rpi", ".f16", u16, "h", h)
                        TO_INTEGERS("rzi", ".bf16", u16, "h", h)
                            C("rzi.ftz.s32.f32", u32, "r", float, "f", f)
                                C("rpi.ftz.u32.f32", u32, "r", float, "f", f)
                                    C("rni.sat.s32.f32", u32, "r", float, "f", f)
                                        C("rzi.u8.f32", u32, "r", float, "f", f)
                                            C("rzi.s8.f32", u32, "r", float, "f", f)}

__global__ void reals(table *all)
{
    ALL C("rn.f32.f64", float, "f", double, "d", d) C("rz.f32.f64", float, "f", double, "d", d) C(
        "rm.f32.f64", float, "f", double, "d", d) C("rp.f32.f64", float, "f", double, "d", d)
        C("rn.ftz.f32.f64", float, "f", double, "d", d) C(
            "rn.sat.f32.f64", float, "f", double, "d",
            d) C("f64.f32", double, "d", float, "f", f) C("ftz.f64.f32", double, "d", float, "f", f)
            C("rni.f32.f32", float, "f", float, "f", f) C("rzi.f32.f32", float, "f", float, "f", f)
                C("rmi.f32.f32", float, "f", float, "f",
                  f) C("rpi.f32.f32", float, "f", float, "f",
                       f) C("rni.ftz.f32.f32", float, "f", float, "f",
                            f) C("sat.f32.f32", float, "f", float, "f",
                                 f) C("ftz.f32.f32", float, "f", float, "f", f)
                    C("rni.f64.f64", double, "d", double, "d",
                      d) C("rzi.f64.f64", double, "d", double, "d",
                           d) C("rmi.f64.f64", double, "d", double, "d",
                                d) C("rpi.f64.f64", double, "d", double, "d",
                                     d) C("sat.f64.f64", double, "d", double, "d", d)
                        C("rn.f16.f32", u16, "h", float, "f",
                          f) C("rz.f16.f32", u16, "h", float, "f",
                               f) C("rm.f16.f32", u16, "h", float, "f",
                                    f) C("rp.f16.f32", u16, "h", float, "f",
                                         f) C("rn.sat.f16.f32", u16, "h", float, "f", f)
                            C("rn.ftz.f16.f32", u16, "h", float, "f",
                              f) C("rn.f16.f64", u16, "h", double, "d",
                                   d) C("rp.f16.f64", u16, "h", double, "d",
                                        d) C("f32.f16", float, "f", u16, "h",
                                             h) C("ftz.f32.f16", float, "f", u16, "h", h)
                                C("f64.f16", double, "d", u16, "h",
                                  h) C("rni.f16.f16", u16, "h", u16, "h",
                                       h) C("sat.f32.f16", float, "f", u16, "h",
                                            h) C("rn.bf16.f32", u16, "h", float, "f",
                                                 f) C("rz.bf16.f32", u16, "h", float, "f", f)
                                    C("rn.relu.bf16.f32", u16, "h", float, "f",
                                      f) C("rn.relu.f16.f32", u16, "h", float, "f",
                                           f) C("f32.bf16", float, "f", u16, "h", h)
                                        C("f64.bf16", double, "d", u16, "h", h)
                                            PTX_2("cvt.rn.f16x2.f32", u32, "r", float, "f",
                                                  f, float, "f", f * 0.7f)
                                                PTX_2("cvt.rz.f16x2.f32", u32, "r", float, "f",
                                                      f, float, "f", f * 0.7f)
                                                    PTX_2("cvt.rn.bf16x2.f32", u32, "r", float, "f",
                                                          f, float, "f", f * 0.7f)
                                                        PTX_2("cvt.rz.bf16x2.f32", u32, "r", float,
                                                              "f", f, float, "f", f * 0.7f)
                                                            PTX_2("cvt.rn.relu.f16x2.f32", u32, "r",
                                                                  float, "f", f, float, "f",
                                                                  f * -0.7f)
                                                                PTX_2("cvt.rn.relu.bf16x2.f32", u32,
                                                                      "r", float, "f", f, float,
                                                                      "f", f * -0.7f)
                                                                    C("rna.tf32.f32", u32, "r",
                                                                      float, "f",
                                                                      f) C("rn.tf32.f32", u32, "r",
                                                                           float, "f",
                                                                           f) C("rz.tf32.f32", u32,
                                                                                "r", float, "f", f)
                                                                        C("rn.relu.tf32.f32", u32,
                                                                          "r", float, "f", f)
}

int main()
{
    print(integers);
    print(from_integers);
    print(to_integers);
    print(reals);
}
