// SPDX-License-Identifier: BSD-3-Clause
// Inline PTX: integers, logic and shifts.
#include "ptx_results.h"

#define OPERANDS                                                                                   \
    results to(all);                                                                               \
    const u64 x = integer_of(to.i, 0), y = integer_of(to.i, 1), z = integer_of(to.i, 2);           \
    (void)z;

#define OF_TWO(op)                                                                                 \
    PTX_2(op ".u16", u16, "h", u16, "h", x, u16, "h", y)                                           \
    PTX_2(op ".s16", u16, "h", u16, "h", x, u16, "h", y)                                           \
    PTX_2(op ".u32", u32, "r", u32, "r", x, u32, "r", y)                                           \
    PTX_2(op ".s32", u32, "r", u32, "r", x, u32, "r", y)                                           \
    PTX_2(op ".u64", u64, "l", u64, "l", x, u64, "l", y)                                           \
    PTX_2(op ".s64", u64, "l", u64, "l", x, u64, "l", y)
#define OF_THREE(op)                                                                               \
    PTX_3(op ".u16", u16, "h", u16, "h", x, u16, "h", y, u16, "h", z)                              \
    PTX_3(op ".s16", u16, "h", u16, "h", x, u16, "h", y, u16, "h", z)                              \
    PTX_3(op ".u32", u32, "r", u32, "r", x, u32, "r", y, u32, "r", z)                              \
    PTX_3(op ".s32", u32, "r", u32, "r", x, u32, "r", y, u32, "r", z)                              \
    PTX_3(op ".u64", u64, "l", u64, "l", x, u64, "l", y, u64, "l", z)                              \
    PTX_3(op ".s64", u64, "l", u64, "l", x, u64, "l", y, u64, "l", z)
#define WORDS(op) PTX_2(op, u32, "r", u32, "r", x, u32, "r", y)
#define WORDS_3(op) PTX_3(op, u32, "r", u32, "r", x, u32, "r", y, u32, "r", z)

__global__ void sums(table *all){
    OPERANDS OF_TWO("add") OF_TWO("sub") WORDS("add.sat.s32") WORDS("sub.sat.s32") OF_TWO("min")
        OF_TWO("max") OF_THREE("sad") PTX_1("abs.s16", u16, "h", u16, "h", x)
            PTX_1("abs.s32", u32, "r", u32, "r", x) PTX_1("abs.s64", u64, "l", u64, "l", x)
                PTX_1("neg.s16", u16, "h", u16, "h", x) PTX_1("neg.s32", u32, "r", u32, "r", x)
                    PTX_1("neg.s64", u64, "l", u64, "l", x) WORDS("min.relu.s32")
                        WORDS("max.relu.s32") WORDS("add.u16x2") WORDS("add.s16x2")
                            WORDS("min.u16x2") WORDS("max.u16x2") WORDS("min.s16x2")
                                WORDS("max.s16x2") WORDS("min.relu.s16x2") WORDS("max.relu.s16x2")}

__global__ void products(table *all)
{
    OPERANDS
    OF_TWO("mul.lo")
    OF_TWO("mul.hi")
    PTX_2("mul.wide.u16", u32, "r", u16, "h", x, u16, "h", y)
    PTX_2("mul.wide.s16", u32, "r", u16, "h", x, u16, "h", y)
    PTX_2("mul.wide.u32", u64, "l", u32, "r", x, u32, "r", y)
    PTX_2("mul.wide.s32", u64, "l", u32, "r", x, u32, "r", y)
    OF_THREE("mad.lo")
    OF_THREE("mad.hi")
    WORDS_3("mad.hi.sat.s32")
    PTX_3("mad.wide.u16", u32, "r", u16, "h", x, u16, "h", y, u32, "r", z)
    PTX_3("mad.wide.s16", u32, "r", u16, "h", x, u16, "h", y, u32, "r", z)
    PTX_3("mad.wide.u32", u64, "l", u32, "r", x, u32, "r", y, u64, "l", z)
    PTX_3("mad.wide.s32", u64, "l", u32, "r", x, u32, "r", y, u64, "l", z)
    WORDS("mul24.lo.u32")
    WORDS("mul24.hi.u32")
    WORDS("mul24.lo.s32")
    WORDS("mul24.hi.s32")
    WORDS_3("mad24.lo.u32")
    WORDS_3("mad24.hi.u32")
    WORDS_3("mad24.lo.s32")
    WORDS_3("mad24.hi.s32")
    WORDS_3("mad24.hi.sat.s32")
    WORDS_3("dp4a.u32.u32")
    WORDS_3("dp4a.u32.s32")
    WORDS_3("dp4a.s32.u32")
    WORDS_3("dp4a.s32.s32")
    WORDS_3("dp2a.lo.u32.u32")
    WORDS_3("dp2a.lo.u32.s32")
    WORDS_3("dp2a.lo.s32.u32")
    WORDS_3("dp2a.lo.s32.s32")
    WORDS_3("dp2a.hi.u32.u32")
    WORDS_3("dp2a.hi.u32.s32")
    WORDS_3("dp2a.hi.s32.u32")
    WORDS_3("dp2a.hi.s32.s32")
    const u64 divisor =
        y & 0x7fff ? y : y | 7; /* of 16 bits, too, and -1 for no smallest integer */
    const u64 dividend = x & 0x7fff ? x : x | 1;
    PTX_2("div.u16", u16, "h", u16, "h", dividend, u16, "h", divisor)
    PTX_2("div.s16", u16, "h", u16, "h", dividend, u16, "h", divisor)
    PTX_2("div.u32", u32, "r", u32, "r", dividend, u32, "r", divisor)
    PTX_2("div.s32", u32, "r", u32, "r", dividend, u32, "r", divisor)
    PTX_2("div.u64", u64, "l", u64, "l", dividend, u64, "l", divisor)
    PTX_2("div.s64", u64, "l", u64, "l", dividend, u64, "l", divisor)
    PTX_2("rem.u16", u16, "h", u16, "h", dividend, u16, "h", divisor)
    PTX_2("rem.s16", u16, "h", u16, "h", dividend, u16, "h", divisor)
    PTX_2("rem.u32", u32, "r", u32, "r", dividend, u32, "r", divisor)
    PTX_2("rem.s32", u32, "r", u32, "r", dividend, u32, "r", divisor)
    PTX_2("rem.u64", u64, "l", u64, "l", dividend, u64, "l", divisor)
    PTX_2("rem.s64", u64, "l", u64, "l", dividend, u64, "l", divisor)
}

#define CARRIES(type, T, c)                                                                        \
    {                                                                                              \
        T low, high;                                                                               \
        asm("add.cc" type " %0, %2, %3; addc" type " %1, %4, 0;"                                   \
            : "=&" c(low), "=" c(high)                                                             \
            : c((T)x), c((T)y), c((T)z));                                                          \
        to.keep("add.cc" type, low);                                                               \
        to.keep("addc" type, high);                                                                \
        asm("sub.cc" type " %0, %2, %3; subc" type " %1, %4, 0;"                                   \
            : "=&" c(low), "=" c(high)                                                             \
            : c((T)x), c((T)y), c((T)z));                                                          \
        to.keep("sub.cc" type, low);                                                               \
        to.keep("subc" type, high);                                                                \
        asm("add.cc" type " %0, %2, %3; addc.cc" type " %0, %4, %4; addc" type " %1, 0, 0;"        \
            : "=&" c(low), "=" c(high)                                                             \
            : c((T)x), c((T)y), c((T)z));                                                          \
        to.keep("addc.cc" type, low);                                                              \
        to.keep("addc.cc" type ", carry", high);                                                   \
        asm("sub.cc" type " %0, %2, %3; subc.cc" type " %0, %4, %2; subc" type " %1, 0, 0;"        \
            : "=&" c(low), "=" c(high)                                                             \
            : c((T)x), c((T)y), c((T)z));                                                          \
        to.keep("subc.cc" type, low);                                                              \
        to.keep("subc.cc" type ", borrow", high);                                                  \
        asm("mad.lo.cc" type " %0, %2, %3, %4; madc.hi" type " %1, %2, %3, 0;"                     \
            : "=&" c(low), "=" c(high)                                                             \
            : c((T)x), c((T)y), c((T)z));                                                          \
        to.keep("mad.lo.cc" type, low);                                                            \
        to.keep("madc.hi" type, high);                                                             \
        asm("mad.hi.cc" type " %0, %2, %3, %4; madc.lo.cc" type " %0, %2, %3, %4; addc" type       \
            " %1, 0, 0;"                                                                           \
            : "=&" c(low), "=" c(high)                                                             \
            : c((T)x), c((T)y), c((T)z));                                                          \
        to.keep("mad.hi.cc, madc.lo.cc" type, low);                                                \
        to.keep("madc.lo.cc" type ", carry", high);                                                \
    }
__global__ void carries(table *all){OPERANDS CARRIES(".u32", u32, "r") CARRIES(".s32", u32, "r")
                                        CARRIES(".u64", u64, "l") CARRIES(".s64", u64, "l")}

__global__ void bits(table *all)
{
    OPERANDS
    PTX_1("popc.b32", u32, "r", u32, "r", x)
    PTX_1("popc.b64", u32, "r", u64, "l", x)
    PTX_1("clz.b32", u32, "r", u32, "r", x)
    PTX_1("clz.b64", u32, "r", u64, "l", x)
    PTX_1("brev.b32", u32, "r", u32, "r", x)
    PTX_1("brev.b64", u64, "l", u64, "l", x)
    PTX_1("bfind.u32", u32, "r", u32, "r", x)
    PTX_1("bfind.s32", u32, "r", u32, "r", x)
    PTX_1("bfind.u64", u32, "r", u64, "l", x)
    PTX_1("bfind.s64", u32, "r", u64, "l", x)
    PTX_1("bfind.shiftamt.u32", u32, "r", u32, "r", x)
    PTX_1("bfind.shiftamt.s32", u32, "r", u32, "r", x)
    PTX_1("bfind.shiftamt.u64", u32, "r", u64, "l", x)
    PTX_1("bfind.shiftamt.s64", u32, "r", u64, "l", x)
    PTX_3("fns.b32", u32, "r", u32, "r", x, u32, "r", y & 31, u32, "r", (s32)(z % 9) - 4)
    WORDS_3("bfe.u32")
    WORDS_3("bfe.s32")
    PTX_3("bfe.u64", u64, "l", u64, "l", x, u32, "r", y, u32, "r", z)
    PTX_3("bfe.s64", u64, "l", u64, "l", x, u32, "r", y, u32, "r", z)
    PTX_4("bfi.b32", u32, "r", u32, "r", x, u32, "r", ~x, u32, "r", y, u32, "r", z)
    PTX_4("bfi.b64", u64, "l", u64, "l", x, u64, "l", ~x, u32, "r", y, u32, "r", z)
    WORDS("bmsk.clamp.b32")
    WORDS("bmsk.wrap.b32")
    WORDS("szext.clamp.u32")
    WORDS("szext.wrap.u32")
    WORDS("szext.clamp.s32")
    WORDS("szext.wrap.s32")
    WORDS_3("prmt.b32")
    WORDS_3("prmt.b32.f4e")
    WORDS_3("prmt.b32.b4e")
    WORDS_3("prmt.b32.rc8")
    WORDS_3("prmt.b32.ecl")
    WORDS_3("prmt.b32.ecr")
    WORDS_3("prmt.b32.rc16")
    PTX_2("and.b16", u16, "h", u16, "h", x, u16, "h", y)
    PTX_2("and.b32", u32, "r", u32, "r", x, u32, "r", y)
    PTX_2("and.b64", u64, "l", u64, "l", x, u64, "l", y)
    PTX_2("or.b16", u16, "h", u16, "h", x, u16, "h", y)
    PTX_2("or.b32", u32, "r", u32, "r", x, u32, "r", y)
    PTX_2("or.b64", u64, "l", u64, "l", x, u64, "l", y)
    PTX_2("xor.b16", u16, "h", u16, "h", x, u16, "h", y)
    PTX_2("xor.b32", u32, "r", u32, "r", x, u32, "r", y)
    PTX_2("xor.b64", u64, "l", u64, "l", x, u64, "l", y)
    PTX_1("not.b16", u16, "h", u16, "h", x)
    PTX_1("not.b32", u32, "r", u32, "r", x)
    PTX_1("not.b64", u64, "l", u64, "l", x)
    PTX_1("cnot.b16", u16, "h", u16, "h", x)
    PTX_1("cnot.b32", u32, "r", u32, "r", x)
    PTX_1("cnot.b64", u64, "l", u64, "l", x)
    u32 r, s;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"((u32)x), "r"((u32)y), "r"((u32)z));
    to.keep("lop3.b32 0x96", r);
    asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(r) : "r"((u32)x), "r"((u32)y), "r"((u32)z));
    to.keep("lop3.b32 0xca", r);
    asm("{ .reg .pred p, q; setp.ne.u32 q, %4, 0; lop3.or.b32 %0|p, %2, %3, %4, 0x1b, q;"
        " selp.u32 %1, 1, 0, p; }"
        : "=&r"(r), "=r"(s)
        : "r"((u32)x), "r"((u32)y), "r"((u32)z));
    to.keep("lop3.or.b32", r);
    to.keep("lop3.or.b32, predicate", s);
    asm("{ .reg .pred p, q; setp.ne.u32 q, %4, 0; lop3.and.b32 %0|p, %2, %3, %4, 0x80, q;"
        " selp.u32 %1, 1, 0, p; }"
        : "=&r"(r), "=r"(s)
        : "r"((u32)x), "r"((u32)y), "r"((u32)z));
    to.keep("lop3.and.b32", r);
    to.keep("lop3.and.b32, predicate", s);
    asm("{ .reg .pred p, q, r; setp.ne.u32 p, %1, 0; setp.gt.u32 q, %2, 31; and.pred r, p, !q;"
        " or.pred p, q, r; xor.pred q, p, r; not.pred r, q; mov.pred p, r; selp.u32 %0, 1, 0, p; }"
        : "=r"(r)
        : "r"((u32)x), "r"((u32)y));
    to.keep("predicates", r);
    WORDS_3("shf.l.clamp.b32")
    WORDS_3("shf.l.wrap.b32")
    WORDS_3("shf.r.clamp.b32")
    WORDS_3("shf.r.wrap.b32")
    PTX_2("shl.b16", u16, "h", u16, "h", x, u32, "r", y)
    PTX_2("shl.b32", u32, "r", u32, "r", x, u32, "r", y)
    PTX_2("shl.b64", u64, "l", u64, "l", x, u32, "r", y)
    PTX_2("shr.b16", u16, "h", u16, "h", x, u32, "r", y)
    PTX_2("shr.b32", u32, "r", u32, "r", x, u32, "r", y)
    PTX_2("shr.b64", u64, "l", u64, "l", x, u32, "r", y)
    PTX_2("shr.u16", u16, "h", u16, "h", x, u32, "r", y)
    PTX_2("shr.u32", u32, "r", u32, "r", x, u32, "r", y)
    PTX_2("shr.u64", u64, "l", u64, "l", x, u32, "r", y)
    PTX_2("shr.s16", u16, "h", u16, "h", x, u32, "r", y)
    PTX_2("shr.s32", u32, "r", u32, "r", x, u32, "r", y)
    PTX_2("shr.s64", u64, "l", u64, "l", x, u32, "r", y)
}

#define COMPARED(op)                                                                               \
    PTX_P("setp." op ".s16", u16, "h", x, u16, "h", y)                                             \
    PTX_P("setp." op ".u16", u16, "h", x, u16, "h", y)                                             \
    PTX_P("setp." op ".s32", u32, "r", x, u32, "r", y)                                             \
    PTX_P("setp." op ".u32", u32, "r", x, u32, "r", y)                                             \
    PTX_P("setp." op ".s64", u64, "l", x, u64, "l", y)                                             \
    PTX_P("setp." op ".u64", u64, "l", x, u64, "l", y)
#define COMBINED(op)                                                                               \
    {                                                                                              \
        u32 r_;                                                                                    \
        asm("{ .reg .pred p, q, c; setp.ne.u32 c, %3, 0; setp.lt." op ".s32 p|q, %1, %2, !c;"      \
            " selp.u32 %0, 1, 0, p; @q or.b32 %0, %0, 2; }"                                        \
            : "=r"(r_)                                                                             \
            : "r"((u32)x), "r"((u32)y), "r"((u32)(z & 1)));                                        \
        to.keep("setp.lt." op ".s32", r_);                                                         \
    }
__global__ void comparisons(table *all)
{
    OPERANDS
    COMPARED("eq")
    COMPARED("ne")
    COMPARED("lt")
    COMPARED("le")
    COMPARED("gt")
    COMPARED("ge")
    PTX_P("setp.eq.b16", u16, "h", x, u16, "h", y)
    PTX_P("setp.ne.b32", u32, "r", x, u32, "r", y)
    PTX_P("setp.eq.b64", u64, "l", x, u64, "l", y)
    PTX_P("setp.lo.u32", u32, "r", x, u32, "r", y)
    PTX_P("setp.ls.u16", u16, "h", x, u16, "h", y)
    PTX_P("setp.hi.u64", u64, "l", x, u64, "l", y)
    PTX_P("setp.hs.u32", u32, "r", x, u32, "r", y)
    COMBINED("and")
    COMBINED("or")
    COMBINED("xor")
    WORDS("set.lt.u32.s32")
    WORDS("set.ge.s32.u32")
    PTX_2("set.eq.u32.u64", u32, "r", u64, "l", x, u64, "l", y)
    PTX_2("set.ne.u32.b16", u32, "r", u16, "h", x, u16, "h", y)
    PTX_2("set.hi.f32.u32", float, "f", u32, "r", x, u32, "r", y)
    WORDS_3("slct.u32.s32")
    PTX_3("slct.u64.s32", u64, "l", u64, "l", x, u64, "l", y, u32, "r", z)
    PTX_3("slct.b16.s32", u16, "h", u16, "h", x, u16, "h", y, u32, "r", z)
    u32 r;
    u64 w;
    u16 h;
    asm("{ .reg .pred p; setp.ne.u32 p, %3, 0; selp.b32 %0, %4, %5, p; selp.s64 %1, %6, %7, !p;"
        " selp.u16 %2, %8, 3, p; }"
        : "=r"(r), "=l"(w), "=h"(h)
        : "r"((u32)(z & 1)), "r"((u32)x), "r"((u32)y), "l"(x), "l"(y), "h"((u16)x));
    to.keep("selp.b32", r);
    to.keep("selp.s64", w);
    to.keep("selp.u16", h);
}

int main()
{
    print(sums);
    print(products);
    print(carries);
    print(bits);
    print(comparisons);
}
