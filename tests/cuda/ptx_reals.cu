// SPDX-License-Identifier: BSD-3-Clause
// Inline PTX: arithmetic of floats and doubles. Of approximations, the results that are beyond the
// documented bound.
#include "ptx_results.h"

#include <cmath>

#define FLOATS                                                                                     \
    results to(all);                                                                               \
    const float x = (float)real_of(to.i, 0, true), y = (float)real_of(to.i, 1, true),              \
                z = (float)real_of(to.i, 2, true);                                                 \
    (void)y, (void)z;
#define DOUBLES                                                                                    \
    results to(all);                                                                               \
    const double x = real_of(to.i, 0, false), y = real_of(to.i, 1, false),                         \
                 z = real_of(to.i, 2, false);                                                      \
    (void)y, (void)z;
#define F1(op) PTX_1(op, float, "f", float, "f", x)
#define F2(op) PTX_2(op, float, "f", float, "f", x, float, "f", y)
#define F3(op) PTX_3(op, float, "f", float, "f", x, float, "f", y, float, "f", z)
#define D1(op) PTX_1(op, double, "d", double, "d", x)
#define D2(op) PTX_2(op, double, "d", double, "d", x, double, "d", y)
#define D3(op) PTX_3(op, double, "d", double, "d", x, double, "d", y, double, "d", z)

#define FLOAT_ROUNDINGS(op, F, more)                                                               \
    F(op ".rn" more)                                                                               \
    F(op ".rz" more)                                                                               \
    F(op ".rm" more)                                                                               \
    F(op ".rp" more)

__global__ void floats(table *all){
    FLOATS F2("add.f32") F2("sub.f32") F2("mul.f32") FLOAT_ROUNDINGS("add", F2, ".f32")
        FLOAT_ROUNDINGS("sub", F2, ".f32") FLOAT_ROUNDINGS("mul", F2, ".f32") FLOAT_ROUNDINGS(
            "fma", F3, ".f32") FLOAT_ROUNDINGS("div", F2, ".f32") FLOAT_ROUNDINGS("rcp", F1, ".f32")
            FLOAT_ROUNDINGS("sqrt", F1, ".f32") FLOAT_ROUNDINGS("add", F2, ".ftz.f32")
                FLOAT_ROUNDINGS("mul", F2, ".ftz.f32") FLOAT_ROUNDINGS("fma", F3, ".ftz.f32")
                    FLOAT_ROUNDINGS("div", F2, ".ftz.f32") FLOAT_ROUNDINGS("rcp", F1, ".ftz.f32")
                        FLOAT_ROUNDINGS("sqrt", F1, ".ftz.f32") F2("add.sat.f32")
                            F2("sub.ftz.sat.f32") F2("mul.rz.ftz.sat.f32") F3("fma.rn.sat.f32")
                                F3("mad.rn.f32") F3("mad.rz.ftz.sat.f32") F1("abs.f32")
                                    F1("abs.ftz.f32") F1("neg.f32") F1("neg.ftz.f32") F2("min.f32")
                                        F2("max.f32") F2("min.ftz.f32") F2("max.ftz.f32")
                                            F2("min.NaN.f32") F2("max.NaN.f32")
                                                F2("min.xorsign.abs.f32") F2("max.xorsign.abs.f32")
                                                    F2("min.ftz.NaN.xorsign.abs.f32")
                                                        F2("max.ftz.NaN.xorsign.abs.f32")
                                                            F2("copysign.f32")}

__global__ void doubles(table *all){
    DOUBLES D2("add.f64") D2("sub.f64")
        D2("mul.f64") FLOAT_ROUNDINGS("add", D2, ".f64") FLOAT_ROUNDINGS("sub", D2, ".f64")
            FLOAT_ROUNDINGS("mul", D2, ".f64") FLOAT_ROUNDINGS("fma", D3, ".f64")
                FLOAT_ROUNDINGS("div", D2, ".f64") FLOAT_ROUNDINGS("rcp", D1, ".f64")
                    FLOAT_ROUNDINGS("sqrt", D1, ".f64") D3("mad.rn.f64") D1("abs.f64") D1("neg.f64")
                        D2("min.f64") D2("max.f64") D2("copysign.f64")}

#define CLASS(op, a)                                                                               \
    {                                                                                              \
        u32 r_;                                                                                    \
        asm("{ .reg .pred p; " op " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r_) : a(x));            \
        to.keep(op, r_);                                                                           \
    }
#define COMPARED(type, A, a)                                                                       \
    PTX_P("setp.eq" type, A, a, x, A, a, y)                                                        \
    PTX_P("setp.ne" type, A, a, x, A, a, y)                                                        \
    PTX_P("setp.lt" type, A, a, x, A, a, y)                                                        \
    PTX_P("setp.le" type, A, a, x, A, a, y)                                                        \
    PTX_P("setp.gt" type, A, a, x, A, a, y)                                                        \
    PTX_P("setp.ge" type, A, a, x, A, a, y)                                                        \
    PTX_P("setp.equ" type, A, a, x, A, a, y)                                                       \
    PTX_P("setp.neu" type, A, a, x, A, a, y)                                                       \
    PTX_P("setp.ltu" type, A, a, x, A, a, y)                                                       \
    PTX_P("setp.leu" type, A, a, x, A, a, y)                                                       \
    PTX_P("setp.gtu" type, A, a, x, A, a, y)                                                       \
    PTX_P("setp.geu" type, A, a, x, A, a, y)                                                       \
    PTX_P("setp.num" type, A, a, x, A, a, y)                                                       \
    PTX_P("setp.nan" type, A, a, x, A, a, y)

__global__ void classes(table *all){
    FLOATS CLASS("testp.finite.f32", "f") CLASS("testp.infinite.f32", "f")
        CLASS("testp.number.f32", "f") CLASS("testp.notanumber.f32", "f")
            CLASS("testp.normal.f32", "f") CLASS("testp.subnormal.f32", "f")
                COMPARED(".f32", float, "f") PTX_P("setp.eq.ftz.f32", float, "f", x, float, "f", y)
                    PTX_P("setp.lt.ftz.f32", float, "f", x, float, "f", y)
                        PTX_2("set.lt.u32.f32", u32, "r", float, "f", x, float, "f", y)
                            PTX_2("set.geu.f32.f32", float, "f", float, "f", x, float, "f", y)
                                PTX_2("set.gt.ftz.s32.f32", u32, "r", float, "f", x, float, "f", y)
                                    PTX_3("slct.f32.f32", float, "f", float, "f", x, float, "f", y,
                                          float, "f", z)
                                        PTX_3("slct.ftz.u32.f32", u32, "r", u32, "r", 5, u32, "r",
                                              7, float, "f", z)} __global__
    void double_classes(table *all){
        DOUBLES CLASS("testp.finite.f64", "d") CLASS("testp.infinite.f64", "d")
            CLASS("testp.number.f64", "d") CLASS("testp.notanumber.f64", "d")
                CLASS("testp.normal.f64", "d") CLASS("testp.subnormal.f64", "d")
                    COMPARED(".f64", double, "d")
                        PTX_2("set.lt.u32.f64", u32, "r", double, "d", x, double, "d", y)
                            PTX_2("set.neu.f32.f64", float, "f", double, "d", x, double, "d", y)
                                PTX_3("slct.f64.f32", double, "d", double, "d", x, double, "d", y,
                                      float, "f", (float)z)}

/* 0: within the bound, or both are NaN, or both the same infinity. Denormal results may be zero. */
__device__ int beyond(double result, double exact, double bound)
{
    if (exact != exact || result != result)
        return (exact != exact) != (result != result);
    if (fabs(exact) > 3.4028234e38)
        return fabs(result) < 3.4028e38 || (result > 0) != (exact > 0);
    return !(fabs(result - exact) <= bound);
}
__device__ double ulp(double exact, double many)
{
    int exponent;
    frexp(exact, &exponent);
    return ldexp(many, exponent < -125 ? -149 : exponent - 24);
}
#define WITHIN(op, exact, bound)                                                                   \
    {                                                                                              \
        float r_;                                                                                  \
        asm(op " %0, %1;" : "=f"(r_) : "f"(x));                                                    \
        to.keep(op, (u32)beyond(r_, exact, bound));                                                \
    }
__device__ double flushed(float a)
{
    return fabsf(a) < 1.17549435e-38f ? copysign(0.0, (double)a) : (double)a;
}
__global__ void approximations(table *all)
{
    FLOATS
    const double a = x, f = flushed(x), tiny = 1.1754944e-38;
    WITHIN("rcp.approx.f32", 1 / a, ulp(1 / a, 1))
    WITHIN("rcp.approx.ftz.f32", 1 / f, ulp(1 / f, 1) + (fabs(1 / f) < tiny ? tiny : 0))
    WITHIN("sqrt.approx.f32", sqrt(a), ulp(sqrt(a), 1))
    WITHIN("sqrt.approx.ftz.f32", sqrt(f), ulp(sqrt(f), 1))
    WITHIN("rsqrt.approx.f32", 1 / sqrt(a), ulp(1 / sqrt(a), 2))
    WITHIN("rsqrt.approx.ftz.f32", 1 / sqrt(f), ulp(1 / sqrt(f), 2))
    WITHIN("ex2.approx.f32", exp2(a), ulp(exp2(a), 2))
    WITHIN("ex2.approx.ftz.f32", exp2(f), ulp(exp2(f), 2) + (exp2(f) < tiny ? tiny : 0))
    const double l = log2(a);
    WITHIN("lg2.approx.f32", l, a > .5 && a < 2 ? ldexp(1., -22) : ulp(l, 2))
    WITHIN("tanh.approx.f32", tanh(a), fabs(tanh(a)) * ldexp(1., -10))
    if (fabsf(x) <= 3.1415f) {
        WITHIN("sin.approx.f32", sin(a), ldexp(1., -20))
        WITHIN("cos.approx.f32", cos(a), ldexp(1., -20))
        WITHIN("sin.approx.ftz.f32", sin(a), ldexp(1., -20))
        WITHIN("cos.approx.ftz.f32", cos(a), ldexp(1., -20))
    } else {
        to.keep("sin.approx.f32", 0u);
        to.keep("cos.approx.f32", 0u);
        to.keep("sin.approx.ftz.f32", 0u);
        to.keep("cos.approx.ftz.f32", 0u);
    }
    float r;
    const double q = (double)x / (double)y;
    asm("div.full.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
    to.keep("div.full.f32", (u32)(fabsf(y) < 8e37f && fabs(q) > tiny && beyond(r, q, ulp(q, 2))));
    asm("div.approx.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
    to.keep("div.approx.f32", (u32)(fabsf(y) < 8e37f && fabs(q) > tiny && beyond(r, q, ulp(q, 2))));
    double w;
    const double inverse = 1 / (double)x, root = 1 / sqrt(fabs((double)x));
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(w) : "d"((double)x));
    to.keep("rcp.approx.ftz.f64",
            (u32)(fabs(a) < 1e300 && a != 0 && !(fabs(w - inverse) <= fabs(inverse) * 2e-6)));
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(w) : "d"(fabs((double)x)));
    to.keep("rsqrt.approx.ftz.f64",
            (u32)(fabs(a) < 1e300 && a != 0 && !(fabs(w - root) <= root * 2e-6)));
}

int main()
{
    print(floats);
    print(doubles);
    print(classes);
    print(double_classes);
    print(approximations);
}
