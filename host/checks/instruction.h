/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of fpcheck.c: what an instruction of x86-64 computes, from its bytes and the registers, in
 * SSE, AVX and FMA. (Intel 64 Software Developer's Manual, volume 2, chapter 2 and appendix A)
 */
#ifndef PORTABLE_HOST_CHECKS_INSTRUCTION_H
#define PORTABLE_HOST_CHECKS_INSTRUCTION_H

#include <math.h> /* fma, isfinite, isinf, isnan */
#include <stdint.h>
#include <string.h> /* memcmp, memcpy */
#include <ucontext.h>
#include <xmmintrin.h> /* _mm_setcsr */

/* One lane of an instruction. */
struct operation {
    char sign;    /* + - * / S: square root, T: as another type, F: a fused sum; 0: unknown */
    char type[5]; /* T: "half" or "bf16", else "" */
    int is_float, of_floats; /* the result, and the operands: float or double */
    int negates, subtracts;  /* F: -(a b), and - c */
    double a, b, c;
};

enum { AS_WRITTEN = 0x1f80 }; /* MXCSR: all exceptions masked */
enum { ROUNDING = 0x6000 };

enum { NO_PREFIX, PREFIX_66, PREFIX_F3, PREFIX_F2 }; /* as VEX numbers them */
struct instruction {
    const unsigned char *operand; /* its ModRM byte */
    unsigned char opcode;
    int prefix;
    unsigned map; /* of opcodes: 1: 0f, 2: 0f 38, 3: 0f 3a; 0: another */
    unsigned r, x, b, second;
    int has_second, is_wide, is_unknown, of_thread;
    unsigned vector_bytes; /* of a register; 0: EVEX */
};

static inline struct instruction decode(const unsigned char *at)
{
    struct instruction i;
    unsigned rex = 0;

    memset(&i, 0, sizeof i);
    i.vector_bytes = 16;
    for (;; at++)
        if (*at == 0x66)
            i.prefix = i.prefix == NO_PREFIX ? PREFIX_66 : i.prefix;
        else if (*at == 0xf2)
            i.prefix = PREFIX_F2;
        else if (*at == 0xf3)
            i.prefix = PREFIX_F3;
        else if (*at == 0x64)
            i.of_thread = 1;
        else if (*at != 0xf0) /* lock */
            break;
    if ((*at & 0xf0) == 0x40)
        rex = *at++;
    i.is_wide = rex >> 3 & 1;
    i.r = (rex & 4) << 1;
    i.x = (rex & 2) << 2;
    i.b = (rex & 1) << 3;
    if (at[0] == 0x0f) {
        i.map = at[1] == 0x38 ? 2 : at[1] == 0x3a ? 3 : 1;
        at += i.map == 1 ? 1 : 2;
    } else if (at[0] == 0xc5 || at[0] == 0xc4) { /* VEX */
        const int is_long = at[0] == 0xc4;
        const unsigned char last = at[1 + is_long];

        i.map = is_long ? at[1] & 31 : 1;
        i.r = at[1] & 0x80 ? 0 : 8;
        i.x = is_long && !(at[1] & 0x40) ? 8 : 0;
        i.b = is_long && !(at[1] & 0x20) ? 8 : 0;
        i.is_wide = is_long && last & 0x80;
        i.second = ~last >> 3 & 15;
        i.has_second = 1;
        i.is_unknown = last & 4; /* 256 bits */
        i.vector_bytes = i.is_unknown ? 32 : 16;
        i.prefix = last & 3;
        at += 2 + is_long;
    } else if (at[0] == 0x62) { /* EVEX */
        i.map = at[1] & 7;
        i.prefix = at[2] & 3;
        i.is_unknown = 1;
        i.vector_bytes = 0;
        at += 4;
    }
    i.opcode = at[0];
    i.operand = at + 1;
    return i;
}

/* Whether it compares, converts to an integer, rounds to one, or selects: it is invalid for a NaN
 * among its operands, and makes none. */
static inline int makes_no_nan(const struct instruction *i)
{
    if (i->map == 3)
        return i->opcode >= 0x08 && i->opcode <= 0x0b; /* roundss and the like */
    if (i->map != 1)
        return 0;
    switch (i->opcode) {
    case 0x2c: /* cvttss2si, cvttsd2si */
    case 0x2d: /* cvtss2si, cvtsd2si */
    case 0x2e: /* ucomiss, ucomisd */
    case 0x2f: /* comiss, comisd */
    case 0x5b: /* cvtps2dq, cvttps2dq */
    case 0x5d: /* minss, minsd */
    case 0x5f: /* maxss, maxsd */
    case 0x78: /* vcvttss2usi */
    case 0x79: /* vcvtss2usi */
    case 0x7a: /* vcvttps2qq */
    case 0x7b: /* vcvtps2qq */
    case 0xc2: /* cmpss, cmpsd */
    case 0xe6: /* cvtpd2dq, cvttpd2dq */ return 1;
    default: return 0;
    }
}

/* Where the operand of the ModRM byte is: a register, or memory; and the byte behind it. */
static inline const void *operand_of(const struct instruction *i, const ucontext_t *context,
                                     const unsigned char **behind)
{
    static const int numbers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                  REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                  REG_R12, REG_R13, REG_R14, REG_R15};
    const greg_t *const registers = context->uc_mcontext.gregs;
    const unsigned char *at = i->operand;
    const unsigned mode = *at >> 6, rm = *at & 7;
    const int has_sib = mode != 3 && rm == 4;
    const unsigned base = has_sib ? at[1] & 7 : rm;
    const int is_absolute = mode == 0 && base == 5;
    uintptr_t address = 0;
    int32_t far = 0;

    at++;
    if (mode == 3) {
        *behind = at;
        return &context->uc_mcontext.fpregs->_xmm[rm | i->b];
    }
    if (has_sib) {
        const unsigned index = (*at >> 3 & 7) | i->x;
        if (index != 4)
            address += (uintptr_t)registers[numbers[index]] << (*at >> 6);
        at++;
    }
    if (!is_absolute)
        address += (uintptr_t)registers[numbers[base | i->b]];
    if (mode == 1) {
        address += (uintptr_t)(intptr_t)(signed char)*at;
        at++;
    } else if (mode == 2 || is_absolute) {
        memcpy(&far, at, sizeof far);
        address += (uintptr_t)(intptr_t)far;
        at += sizeof far;
    }
    if (is_absolute && !has_sib)
        address += (uintptr_t)at + (i->map == 3); /* and an immediate byte */
    if (i->of_thread) {
        uintptr_t thread;
        __asm__("mov %%fs:0, %0" : "=r"(thread));
        address += thread;
    }
    *behind = at;
    return (const void *)address;
}

static inline double lane_of(const void *operand, int lane, int is_float)
{
    float f;
    double d;

    if (is_float) {
        memcpy(&f, (const char *)operand + sizeof f * (size_t)lane, sizeof f);
        return f;
    }
    memcpy(&d, (const char *)operand + sizeof d * (size_t)lane, sizeof d);
    return d;
}

/* The operation of a lane; its sign is 0 if the instruction is none of those known. */
static inline struct operation operation_of(const struct instruction *i, const ucontext_t *context,
                                            int lane)
{
    static const char signs[] = "\0S\0\0\0\0\0\0+*T\0-\0/"; /* of the opcodes from 0x50 on */
    const unsigned low = i->opcode & 0xf;
    const unsigned char *behind;
    struct operation o;

    memset(&o, 0, sizeof o);
    if (i->is_unknown)
        return o;
    const unsigned to = (*i->operand >> 3 & 7) | i->r;
    const void *const xmm = context->uc_mcontext.fpregs->_xmm;
    const void *const target = (const char *)xmm + (size_t)16 * to;
    const void *const other = i->has_second ? (const char *)xmm + (size_t)16 * i->second : target;
    if (i->map == 1 && (i->opcode & 0xf0) == 0x50 && low < sizeof signs) {
        o.sign = signs[low];
        if (o.sign == 0)
            return o;
        const void *const last = operand_of(i, context, &behind);
        o.is_float = o.of_floats = i->prefix == NO_PREFIX || i->prefix == PREFIX_F3;
        o.b = lane_of(last, lane, o.of_floats);
        if (o.sign == 'S' || o.sign == 'T')
            o.a = o.b;
        else
            o.a = lane_of(other, lane, o.of_floats);
        if (o.sign == 'T')
            o.is_float = !o.of_floats;
        if (o.sign == '*' && memcmp(behind, "\x0f\x1f\x80", 3) == 0 &&
            (memcmp(behind + 3, "half", 4) == 0 || memcmp(behind + 3, "bf16", 4) == 0)) {
            o.sign = 'T'; /* overflow.h */
            memcpy(o.type, behind + 3, 4);
        }
    } else if (i->map == 2 && i->prefix == PREFIX_66 && low >= 8 && i->opcode >= 0x90 &&
               i->opcode < 0xc0) {
        const double x = lane_of(target, lane, !i->is_wide), y = lane_of(other, lane, !i->is_wide);
        const double z = lane_of(operand_of(i, context, &behind), lane, !i->is_wide);
        const unsigned order = i->opcode >> 4;

        o.sign = 'F';
        o.is_float = o.of_floats = !i->is_wide;
        o.subtracts = low >> 1 & 1;
        o.negates = low >> 2 & 1;
        o.a = order == 0x9 ? x : y;
        o.b = order == 0xa ? x : z;
        o.c = order == 0x9 ? y : order == 0xa ? z : x;
    }
    return o;
}

/* The bytes that it stores of a register, and where; 0 for other instructions. */
static inline size_t stored_by(const struct instruction *i, const ucontext_t *context,
                               const char **address, int *of_vector)
{
    const unsigned char *behind;
    const unsigned general = i->is_wide ? 8 : i->prefix == PREFIX_66 ? 2 : 4;
    size_t bytes = 0;

    if (*i->operand >> 6 == 3 || i->vector_bytes == 0)
        return 0;
    *of_vector = 0;
    if (i->map == 0 && (i->opcode == 0xd9 || i->opcode == 0xdd))
        bytes = (*i->operand >> 4 & 3) == 1 ? (i->opcode == 0xd9 ? 4 : 8) : 0; /* fst, fstp */
    else if (i->map == 0)
        bytes = i->opcode == 0x89 || i->opcode == 0x87 ? general : 0; /* mov, xchg */
    else if (i->map == 3 && i->opcode >= 0x15 && i->opcode <= 0x17)
        bytes = i->opcode == 0x15 ? 2 : i->is_wide ? 8 : 4; /* pextrw and pextrd, extractps */
    else if (i->map == 1)
        switch (i->opcode) {
        case 0x11: /* movss, movsd, movups */
            *of_vector = 1;
            bytes = i->prefix == PREFIX_F3 ? 4 : i->prefix == PREFIX_F2 ? 8 : i->vector_bytes;
            break;
        case 0x13:
        case 0x17: /* movlps, movhps */ *of_vector = 1, bytes = 8; break;
        case 0x29:
        case 0x2b: /* movaps, movntps */ *of_vector = 1, bytes = i->vector_bytes; break;
        case 0x7e: /* movd, movq */
            bytes = i->prefix == PREFIX_66 ? (i->is_wide ? 8 : 4) : 0;
            break;
        case 0x7f: /* movdqu, movdqa */ bytes = i->prefix != NO_PREFIX ? i->vector_bytes : 0; break;
        case 0xb1: /* cmpxchg */ bytes = general; break;
        case 0xd6: /* movq */ bytes = i->prefix == PREFIX_66 ? 8 : 0; break;
        case 0xe7: /* movntdq */ bytes = i->vector_bytes; break;
        }
    if (bytes != 0)
        *address = (const char *)operand_of(i, context, &behind);
    return bytes;
}

static inline int lanes_of(const struct instruction *i)
{
    if (i->map == 2)
        return i->opcode & 1 ? 1 : i->is_wide ? 2 : 4;
    /* A conversion makes as many as the wider type has. */
    return i->prefix == PREFIX_F3 || i->prefix == PREFIX_F2 ? 1
           : i->prefix == PREFIX_66 || i->opcode == 0x5a    ? 2
                                                            : 4;
}

/* The result, rounded as MXCSR says. */
static inline double result_of(const struct operation *o, unsigned mxcsr)
{
    volatile double a = o->negates ? -o->a : o->a, b = o->b, c = o->subtracts ? -o->c : o->c, r = 0;
    volatile float af = (float)a, bf = (float)b, cf = (float)c, rf = 0;

    _mm_setcsr(AS_WRITTEN | (mxcsr & ROUNDING));
    switch (o->sign) {
    case '+': r = a + b, rf = af + bf; break;
    case '-': r = a - b, rf = af - bf; break;
    case '*': r = a * b, rf = af * bf; break;
    case '/': r = a / b, rf = af / bf; break;
    case 'S': r = __builtin_sqrt(a), rf = __builtin_sqrtf(af); break;
    case 'T': r = o->type[0] ? a * HUGE_VAL : a, rf = (float)a; break;
    case 'F': r = fma(a, b, c), rf = fmaf(af, bf, cf); break;
    }
    _mm_setcsr(AS_WRITTEN);
    return o->is_float ? (double)rf : r;
}

#endif
