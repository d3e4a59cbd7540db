/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fpcheck: operations of a kernel that make a NaN of operands that are none, or an infinity of
 * finite ones; with PORTABLE_FP_SUBNORMALS=1 also those that make a subnormal float, or take one.
 *
 * The processor finds them. Their exceptions are unmasked while a block runs, and SIGFPE arrives at
 * the instruction, which is then executed with the exceptions masked, in a single step. The handler
 * only records; what it has recorded is reported when the launch has ended. From an instruction's
 * first exception on, the single steps continue to the thread's first store of such a number.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* dl_iterate_phdr, REG_RIP */
#endif
#if !defined(__x86_64__)
#error "fpcheck needs a processor that traps floating-point exceptions: x86-64"
#endif
#include "host/checks/accesses.h"
#include "host/checks/findings.h"
#include "host/checks/instruction.h"
#include "host/checks/stores.h"
#include "host/checks/text_set.h"
#include "host/emulate/check.h"
#include "portable.h" /* portable_bad_value_ */

#include <float.h>  /* FLT_MIN */
#include <link.h>   /* dl_iterate_phdr */
#include <signal.h> /* sigaction */
#include <stdio.h>  /* fprintf, snprintf */
#include <stdlib.h> /* getenv, strtod */
#include <string.h> /* memcmp, memset, strcmp, strstr */
#include <unwind.h> /* _Unwind_Backtrace */

enum { TRAP_FLAG = 0x100 };
/* MXCSR: the flags of all exceptions, and the masks of some. */
enum {
    FLAGS = 0x3f,
    INVALID = 1 << 7,
    SUBNORMAL_OPERAND = 1 << 8,
    DIVISION = 1 << 9,
    OVERFLOWS = 1 << 10,
    UNDERFLOW = 1 << 11
};
static unsigned watched = INVALID | DIVISION | OVERFLOWS;

/* An exception costs some 20 microseconds. After so many of a block, or of a launch, the rest of it
 * is not watched; a launch has fewer once the program has had many. */
enum { MOST_OF_BLOCK = 256, MOST_OF_LAUNCH = 4096, MANY = 65536, MOST_AFTER_MANY = 64 };
static unsigned of_block, of_launch, most_of_launch;
static unsigned long exceptions;
static int is_cut; /* this launch */
static unsigned long launches, launches_cut;
static unsigned before_launch; /* MXCSR */
static int is_masked, is_stepping;
static struct sigaction others_fpe, others_trap;

/* ---------------------------------------------------------------------------------------------
 * Places: where this launch had exceptions
 * ------------------------------------------------------------------------------------------- */

enum { FRAMES = 8, MOST_PLACES = 1024 };
struct frames {
    const void *pc;         /* of the instruction */
    const void *of[FRAMES]; /* in the program: behind the instruction, and return addresses */
    int count;
};
static struct place {
    struct frames frames;
    int code;       /* siginfo_t's si_code */
    int in_library; /* the instruction is not in the program's code */
    struct operation operation;
    unsigned long long block;
    unsigned thread;
    unsigned long count;
    /* Where the thread stored such a number first. */
    int has_store;
    struct object object;
    const char *address;
    size_t bytes;
    struct frames stored;
} places[MOST_PLACES];
static size_t place_count;

static const struct emulate_range *codes; /* of the program, kept during a launch */
static size_t code_count;
static struct emulate_range math; /* the C library's mathematical functions */

static int find_math(struct dl_phdr_info *module, size_t size, void *found)
{
    struct emulate_range *const range = (struct emulate_range *)found;
    const char *const name = strrchr(module->dlpi_name, '/');

    (void)size;
    if (name == NULL || strncmp(name, "/libm.so", strlen("/libm.so")) != 0)
        return 0;
    for (int k = 0; k < module->dlpi_phnum; k++)
        if (module->dlpi_phdr[k].p_type == PT_LOAD && module->dlpi_phdr[k].p_flags & PF_X) {
            range->begin = (char *)module->dlpi_addr + module->dlpi_phdr[k].p_vaddr;
            range->end = range->begin + module->dlpi_phdr[k].p_memsz;
        }
    return 1;
}

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *to)
{
    struct frames *const frames = (struct frames *)to;
    int is_interrupted = 0;
    const char *const at = (const char *)_Unwind_GetIPInfo(context, &is_interrupted);

    if (at == NULL || frames->count == FRAMES)
        return _URC_END_OF_STACK;
    if (is_interrupted && at == frames->pc)
        frames->count = 0; /* those before are the handler's */
    if (emulate_in_ranges(codes, code_count, at))
        frames->of[frames->count++] = is_interrupted ? at + 1 : at;
    return _URC_NO_REASON;
}

static int is_subnormal(double number)
{
    return number != 0 && fabs(number) < FLT_MIN;
}

/* Whether the operation's result is what the exception says, and none of its operands was. */
static int is_new(const struct operation *o, int code, unsigned mxcsr)
{
    const double result = result_of(o, mxcsr);
    const int has_nan = isnan(o->a) || isnan(o->b) || isnan(o->c);

    switch (code) {
    case FPE_FLTINV: return isnan(result) && !has_nan;
    case FPE_FLTUND:
        return (o->is_float && is_subnormal(result)) ||
               (o->of_floats && (is_subnormal(o->a) || is_subnormal(o->b) || is_subnormal(o->c)));
    default: return isinf(result) && isfinite(o->a) && isfinite(o->b) && isfinite(o->c);
    }
}

/* ---------------------------------------------------------------------------------------------
 * The flow: steps from an operation to the store of what it made
 * ------------------------------------------------------------------------------------------- */

/* A step takes some 2 microseconds. */
enum { MOST_STEPS = 10000, MOST_FOLLOWED = 200 };
static struct place *followed[8];
static unsigned followed_count, steps_left;
/* The instructions that were followed, or are. */
static const void *followed_from[MOST_FOLLOWED];
static unsigned followed_from_count;
/* The store that the present step makes, or NULL. */
static const char *store, *store_pc;
static size_t store_bytes;
static int store_of_vector;

/* Returns whether it does: not for an instruction that was followed before. */
static int follow(struct place *place)
{
    for (unsigned k = 0; k < followed_from_count; k++)
        if (followed_from[k] == place->frames.pc)
            return 0;
    if (followed_from_count == MOST_FOLLOWED ||
        followed_count == sizeof followed / sizeof followed[0])
        return 0;
    followed_from[followed_from_count++] = place->frames.pc;
    followed[followed_count++] = place;
    steps_left = MOST_STEPS;
    return 1;
}

/* Whether the number of a type with so many bytes is what the exception makes. NaNs are those that
 * operations make, without a payload. */
static int is_made(const char *at, size_t bytes, int code)
{
    const int is_nan = code == FPE_FLTINV;
    uint64_t word = 0;

    memcpy(&word, at, bytes);
    if (code == FPE_FLTUND)
        return bytes == 4 && (word & 0x7f800000u) == 0 && (word & 0x7fffffffu) != 0;
    word &= ~((uint64_t)1 << (8 * bytes - 1));
    switch (bytes) {
    case 2: /* half or bfloat16 */
        return is_nan ? word == 0x7e00 || word == 0x7fc0 || word == 0x7fff
                      : word == 0x7c00 || word == 0x7f80;
    case 4: return word == (is_nan ? 0x7fc00000u : 0x7f800000u);
    default: return word == (is_nan ? 0x7ff8000000000000u : 0x7ff0000000000000u);
    }
}

/* The first such number of a store, and its bytes; or NULL. A word of 4 bytes may be two halves,
 * but no small integer. */
static const char *made_in_store(int code, size_t *bytes)
{
    const size_t most = store_bytes < 8 ? store_bytes : 8;
    uint32_t word;

    if (code == FPE_FLTUND && !store_of_vector)
        return NULL;
    for (*bytes = most; *bytes >= 4 || *bytes == store_bytes; *bytes /= 2)
        for (size_t at = 0; at < store_bytes; at += *bytes)
            if (is_made(store + at, *bytes, code))
                return store + at;
    if (store_bytes != 4 || store_of_vector)
        return NULL;
    memcpy(&word, store, sizeof word);
    *bytes = 2;
    for (size_t at = 0; at < 4 && word > 0xffff; at += 2)
        if (is_made(store + at, 2, code))
            return store + at;
    return NULL;
}

static int is_followed(const struct place *place)
{
    return place->block == emulate.block_id && place->thread == emulate_thread_index();
}

/* After a step that stored: the places whose flow ends there. */
static void find_flow(const ucontext_t *context)
{
    for (unsigned k = 0; k < followed_count; k++) {
        struct place *const place = followed[k];

        if (!is_followed(place))
            continue;
        place->address = made_in_store(place->code, &place->bytes);
        if (place->address == NULL)
            continue;
        object_at(place->address, &place->object);
        if (place->object.address == NULL)
            continue;
        place->has_store = 1;
        place->stored.pc = (const void *)context->uc_mcontext.gregs[REG_RIP];
        _Unwind_Backtrace(add_frame, &place->stored);
        if (place->stored.count > 0 && emulate_in_ranges(codes, code_count, store_pc))
            place->stored.of[0] = store_pc + 1;
        followed[k--] = followed[--followed_count];
    }
}

/* Looks at the instruction that the next step executes. */
static void look_ahead(const ucontext_t *context)
{
    store = NULL;
    if (followed_count == 0 || !emulate_running)
        return;
    store_pc = (const char *)context->uc_mcontext.gregs[REG_RIP];
    const struct instruction instruction = decode((const unsigned char *)store_pc);
    store_bytes = stored_by(&instruction, context, &store, &store_of_vector);
    if (store_bytes == 0 || object_is_on_stack(store))
        store = NULL;
}

/* Device arrays with NaNs like those that x86-64 makes, and how many they had before the launch, or
 * its first report. */
static struct stain {
    const char *array, *first; /* its address, and the first NaN's, of so many */
    size_t bytes;
    unsigned long count, before;
} * stains;
static size_t stain_count;

static struct stain *stain_of(const char *array)
{
    struct stain *grown;

    for (size_t k = 0; k < stain_count; k++)
        if (stains[k].array == array)
            return &stains[k];
    grown = (struct stain *)realloc(stains, (stain_count + 1) * sizeof *stains);
    if (grown == NULL)
        return NULL;
    stains = grown;
    memset(&stains[stain_count], 0, sizeof *stains);
    stains[stain_count].array = array;
    return &stains[stain_count++];
}

/* A quiet NaN of either sign without a payload. */
static void find_stain(const char *array, size_t bytes)
{
    struct stain found = {array, NULL, 0, 0, 0};
    uint32_t last = 1, word;

    for (size_t at = 0; at + sizeof word <= bytes; at += sizeof word, last = word) {
        memcpy(&word, array + at, sizeof word);
        const uint32_t size = word & 0x7fffffffu;
        const int of_double = size == 0x7ff80000u && last == 0 && at % sizeof(double) != 0;
        if (size != 0x7fc00000u && !of_double)
            continue;
        if (found.count++ == 0) {
            found.bytes = of_double ? sizeof(double) : sizeof(float);
            found.first = array + at + sizeof(float) - found.bytes;
        }
    }
    struct stain *const stain = stain_of(array);
    if (stain != NULL) {
        found.before = stain->before;
        *stain = found;
    }
}

/* Before the first NaN of a launch. */
static int knows_stains;
static void look_at_stains(void)
{
    if (knows_stains)
        return;
    knows_stains = 1;
    object_each(find_stain);
    for (size_t k = 0; k < stain_count; k++)
        stains[k].before = stains[k].count;
}

static void record(const ucontext_t *context, int code)
{
    const unsigned char *const pc = (const unsigned char *)context->uc_mcontext.gregs[REG_RIP];
    const struct instruction instruction = decode(pc);
    const int in_library = !emulate_in_ranges(codes, code_count, pc);
    struct frames frames = {pc, {NULL}, 0};
    struct operation operation;
    int lane = 0;

    if ((in_library && !emulate_in_ranges(&math, 1, pc)) || makes_no_nan(&instruction))
        return;
    do {
        operation = operation_of(&instruction, context, lane);
        if (operation.sign == 0 || is_new(&operation, code, context->uc_mcontext.fpregs->mxcsr))
            break;
    } while (++lane < lanes_of(&instruction));
    if (operation.sign != 0 && lane == lanes_of(&instruction))
        return;
    _Unwind_Backtrace(add_frame, &frames);

    struct place *p = places;
    while (p < places + place_count &&
           (p->code != code || memcmp(&p->frames, &frames, sizeof frames) != 0))
        p++;
    if (p == places + MOST_PLACES) {
        is_cut = 1;
        return;
    }
    if (p == places + place_count) {
        place_count++;
        memset(p, 0, sizeof *p);
        p->frames = frames;
        p->code = code;
        p->in_library = in_library;
        p->operation = operation;
        p->block = emulate.block_id;
        p->thread = emulate_thread_index();
        if (follow(p) && code == FPE_FLTINV)
            look_at_stains();
    }
    p->count++;
}

/* ---------------------------------------------------------------------------------------------
 * Signals
 * ------------------------------------------------------------------------------------------- */

static void on_exception(int number, siginfo_t *info, void *registers)
{
    ucontext_t *const context = (ucontext_t *)registers;
    const int code = info->si_code;

    context->uc_mcontext.fpregs->mxcsr =
        (context->uc_mcontext.fpregs->mxcsr | watched) & ~(unsigned)FLAGS;
    if (code != FPE_FLTINV && code != FPE_FLTDIV && code != FPE_FLTOVF && code != FPE_FLTUND) {
        sigaction(number, &others_fpe, NULL); /* a division of integers: it comes again */
        return;
    }
    if (emulate_running)
        record(context, code);
    of_block++;
    of_launch++;
    exceptions++;
    if (of_block < MOST_OF_BLOCK && of_launch < most_of_launch)
        is_masked = 1;
    else
        is_cut = 1;
    if (is_masked || followed_count > 0) {
        context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
        is_stepping = 1;
        look_ahead(context);
    }
}

static void on_step(int number, siginfo_t *info, void *registers)
{
    ucontext_t *const context = (ucontext_t *)registers;

    (void)info;
    if (!is_stepping) {
        sigaction(number, &others_trap, NULL);
        raise(number);
        return;
    }
    if (is_masked)
        context->uc_mcontext.fpregs->mxcsr &= ~(watched | FLAGS);
    is_masked = 0;
    if (store != NULL)
        find_flow(context);
    if (followed_count > 0 && --steps_left == 0)
        followed_count = 0;
    look_ahead(context);
    if (followed_count == 0) {
        is_stepping = 0;
        context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    }
}

static void take(int number, void (*handler)(int, siginfo_t *, void *), struct sigaction *others)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    action.sa_sigaction = handler;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, others);
}

/* ---------------------------------------------------------------------------------------------
 * Launches
 * ------------------------------------------------------------------------------------------- */

/* Of portable-nvcc --stores: the program's stores are recorded or compared, and exceptions are not
 * looked at; and what the program was built with. */
static int is_of_stores, flushes, is_fast, in_launch;

void portable_emulate_math_(int flushes_floats, int is_fast_math);
void portable_emulate_math_(int flushes_floats, int is_fast_math)
{
    flushes |= flushes_floats;
    is_fast |= is_fast_math;
}

static void launch_begin(void)
{
    findings_launch(emulate.kernel);
    before_launch = _mm_getcsr();
    if (is_of_stores) {
        stores_launch();
        in_launch = 1;
        return;
    }
    code_count = emulate_ranges(EMULATE_CODE, &codes);
    dl_iterate_phdr(find_math, &math);
    take(SIGFPE, on_exception, &others_fpe);
    take(SIGTRAP, on_step, &others_trap);
    launches++;
    place_count = 0;
    followed_count = 0;
    knows_stains = 0;
    of_launch = 0;
    most_of_launch = exceptions < MANY ? MOST_OF_LAUNCH : MOST_AFTER_MANY;
    is_cut = 0;
}

static void block_begin(void)
{
    enum { FLUSH_RESULTS = 1 << 15, FLUSH_OPERANDS = 1 << 6 };

    if (is_of_stores)
        finish_store();
    if (flushes)
        _mm_setcsr(_mm_getcsr() | FLUSH_RESULTS | FLUSH_OPERANDS);
    if (is_of_stores)
        return;
    of_block = 0;
    if (of_launch < most_of_launch)
        _mm_setcsr(_mm_getcsr() & ~(watched | FLAGS));
}

/* The shortest text that reads as the number. */
static void write_number(double number, int is_float, char *text, size_t size)
{
    for (int digits = fabs(number) < 1e6 ? 6 : 1; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, number);
        const double read = strtod(text, NULL);
        if (read == number || (is_float && (float)read == (float)number))
            break;
    }
}

/* A compiler may swap the operands of a sum or product: the smaller one comes first. */
static int is_swapped(const struct operation *o)
{
    return (o->sign == '+' || o->sign == '*' || o->sign == 'F') &&
           (fabs(o->a) > fabs(o->b) || (fabs(o->a) == fabs(o->b) && o->a > o->b));
}

static void write_operation(const struct operation *o, char *text, size_t size)
{
    const int of_floats = o->of_floats || o->type[0];
    char a[32], b[32], c[32];

    write_number(is_swapped(o) ? o->b : o->a, of_floats, a, sizeof a);
    write_number(is_swapped(o) ? o->a : o->b, of_floats, b, sizeof b);
    write_number(o->c, of_floats, c, sizeof c);
    if (o->sign == 'S')
        snprintf(text, size, "the square root of %s", a);
    else if (o->sign == 'F')
        snprintf(text, size, "%s%s * %s %c %s", o->negates ? "-" : "", a, b,
                 o->subtracts ? '-' : '+', c);
    else if (o->sign == 'T')
        snprintf(text, size, "%s as a %s", a,
                 o->type[0] == 'b' ? "bfloat16"
                 : o->type[0]      ? "half"
                                   : "float");
    else
        snprintf(text, size, "%s %c %s", a, o->sign, b);
}

static void write_what(const struct place *p, char *text, size_t size)
{
    if (p->in_library)
        snprintf(text, size, "%s",
                 p->code == FPE_FLTINV   ? "an argument outside the domain of a math function"
                 : p->code == FPE_FLTDIV ? "a pole of a math function"
                 : p->code == FPE_FLTOVF ? "an overflow in a math function"
                                         : "the result of a math function");
    else if (p->operation.sign != 0)
        write_operation(&p->operation, text, size);
    else
        snprintf(text, size, "an operation");
}

static void memory(enum portable_memory_event_ what, const void *address, size_t bytes,
                   const void *caller)
{
    stores_memory(what, address, bytes);
    object_memory(what, address, bytes, caller);
    for (size_t k = 0; k < stain_count; k++)
        if (what == PORTABLE_MEMORY_FREE_ && stains[k].array == (const char *)address)
            stains[k] = stains[--stain_count];
}

/* A line for each array that has other NaNs than before, at most three; returns where the first of
 * them was allocated. */
static struct finding_place write_stains(char *text, size_t size)
{
    struct finding_place place = {NULL, NULL};
    struct object object;
    char where[512];
    int lines = 0;

    text[0] = '\0';
    object_each(find_stain);
    for (struct stain *stain = stains; stain != NULL && stain < stains + stain_count; stain++) {
        const size_t length = strlen(text);
        const int is_other = stain->count > 0 && stain->count != stain->before;

        stain->before = stain->count;
        if (!is_other || lines == 3)
            continue;
        object_at(stain->first, &object);
        snprintf(text + length, size - length, "\n    then %lu NaN%s in memory, the first in %s",
                 stain->count, stain->count == 1 ? " is" : "s are",
                 object_text(where, sizeof where, &object, " at", stain->first, stain->bytes));
        if (lines++ == 0)
            place = object_place(&object);
    }
    return place;
}

/* Places of one line are one finding, and it is reported in its first launch alone. */
static void report(const struct place *p, const char *line, unsigned long count)
{
    static struct text_set reported;
    const enum finding_kind kind = p->code == FPE_FLTINV   ? FINDING_NAN
                                   : p->code == FPE_FLTUND ? FINDING_SUBNORMAL
                                                           : FINDING_INFINITY;
    const char *const made = kind == FINDING_NAN         ? "NaN"
                             : kind == FINDING_SUBNORMAL ? "subnormal float"
                                                         : "infinity";
    char where[128], what[160], key[1024], into[512], store_text[1024] = "", flow[2048] = "";
    struct finding_place stored = {NULL, NULL}, allocated = {NULL, NULL};

    snprintf(key, sizeof key, "%d %s %s", kind, emulate.kernel, line);
    if (!text_set_add(&reported, key))
        return;
    emulate_where(where, sizeof where, p->block, p->thread);
    write_what(p, what, sizeof what);
    if (kind == FINDING_NAN)
        allocated = write_stains(flow, sizeof flow);
    if (p->has_store) {
        stored.line = findings_outer_line(p->stored.of, p->stored.count);
        stored.what = "its first store";
        allocated = object_place(&p->object);
        snprintf(store_text, sizeof store_text, "\n    then stored at %s, in %s", stored.line,
                 object_text(into, sizeof into, &p->object, " at", p->address, p->bytes));
    }
    const struct finding finding = {
        kind,
        emulate.kernel,
        where,
        {{line, what}, p->has_store ? stored : allocated, p->has_store ? allocated : stored}};
    findings_add(&finding,
                 "%s in kernel %s: %s at %s\n"
                 "    first by %s; %s%lu time%s in this launch%s%s",
                 made, emulate.kernel, what, line, where, is_cut ? "at least " : "", count,
                 count == 1 ? "" : "s", store_text, flow);
}

static void launch_end(void)
{
    static const char *lines[MOST_PLACES];

    in_launch = 0;
    if (is_of_stores) {
        finish_store();
        _mm_setcsr(before_launch);
        return;
    }
    followed_count = 0; /* the next step is the last */
    __asm__ volatile("nop" ::: "memory");
    _mm_setcsr(before_launch);
    sigaction(SIGFPE, &others_fpe, NULL);
    sigaction(SIGTRAP, &others_trap, NULL);
    launches_cut += (unsigned long)is_cut;
    for (size_t k = 0; k < place_count; k++)
        lines[k] = findings_outer_line(places[k].frames.of, places[k].frames.count);
    for (size_t k = 0; k < place_count; k++) {
        unsigned long count = 0;
        size_t first = k;
        for (size_t other = 0; other < place_count; other++)
            if (strcmp(lines[other], lines[k]) == 0 && places[other].code == places[k].code) {
                count += places[other].count;
                first = other < first ? other : first;
            }
        if (first == k)
            report(&places[k], lines[k], count);
    }
}

/* What -prec-div=false and -prec-sqrt=false do to a quotient and a root of floats, at its address:
 * it moves by as many ulps as CUDA allows at most, or fewer, or none, as its bits determine. Called
 * between two instructions (portable_cuda/approximate.h). */
#define APPROXIMATE(name, most)                                                                    \
    __attribute__((no_caller_saved_registers, target("general-regs-only"))) void name(             \
        uint32_t *bits);                                                                           \
    __attribute__((no_caller_saved_registers, target("general-regs-only"))) void name(             \
        uint32_t *bits)                                                                            \
    {                                                                                              \
        const uint32_t size = *bits & 0x7fffffffu;                                                 \
                                                                                                   \
        if (in_launch && size >= 0x00800000u + (most) && size <= 0x7f7fffffu - (most))             \
            *bits += (*bits * 0x9e3779b1u >> 16) % (2 * (most) + 1) - (most);                      \
    }
APPROXIMATE(portable_emulate_quotient_, 2u)
APPROXIMATE(portable_emulate_root_, 1u)

/* What -use_fast_math puts in the place of these functions, by CUDA's own definitions; __sinf and
 * __cosf have an absolute error, here that of 2^-22, at most 2^-21.19 there. */
#define FAST(name, expression)                                                                     \
    float __wrap_##name(float x);                                                                  \
    float __wrap_##name(float x)                                                                   \
    {                                                                                              \
        return is_fast && emulate_running ? (expression) : name(x);                                \
    }
static float to_grid(float x)
{
    return rintf(x * 4194304) / 4194304;
}
FAST(expf, exp2f(x * 1.44269504f))
FAST(exp10f, exp2f(x * 3.32192809f))
FAST(logf, log2f(x) * 0.693147181f)
FAST(log10f, log2f(x) * 0.301029996f)
FAST(sinf, to_grid(sinf(x)))
FAST(cosf, to_grid(cosf(x)))
FAST(tanf, to_grid(sinf(x)) / to_grid(cosf(x)))
float __wrap_powf(float x, float y);
float __wrap_powf(float x, float y)
{
    return is_fast && emulate_running ? exp2f(y * log2f(x)) : powf(x, y);
}
void __wrap_sincosf(float x, float *sine, float *cosine);
void __wrap_sincosf(float x, float *sine, float *cosine)
{
    *sine = __wrap_sinf(x);
    *cosine = __wrap_cosf(x);
}

static inline void on_read(const char *address, size_t bytes, const void *caller)
{
    stores_access(address, bytes, 0, caller);
}
static inline void on_write(const char *address, size_t bytes, const void *caller)
{
    stores_access(address, bytes, 1, caller);
}
static inline void on_atomic(const char *address, size_t bytes, int writes, const void *caller)
{
    stores_access(address, bytes, writes, caller);
}
#include "host/checks/hooks.h"

static int say_what_was_cut(void)
{
    if (launches_cut > 0)
        fprintf(stderr,
                "fpcheck: %lu of %lu launches had too many exceptions: after %d in a block, or %d "
                "in a launch, the rest of it was not watched; after %d in all, %d in a launch\n",
                launches_cut, launches, MOST_OF_BLOCK, MOST_OF_LAUNCH, MANY, MOST_AFTER_MANY);
    return 1;
}

__attribute__((constructor)) static void open_fpcheck(void)
{
    const char *const subnormals = getenv("PORTABLE_FP_SUBNORMALS");

    is_of_stores = open_stores();
    findings_open("fpcheck", is_of_stores ? "difference" : "exception",
                  is_of_stores ? "differences" : "exceptions");
    findings_before_summary(is_of_stores ? report_stores : say_what_was_cut);
    if (subnormals == NULL || strcmp(subnormals, "") == 0 || strcmp(subnormals, "0") == 0)
        return;
    if (strcmp(subnormals, "1") != 0)
        portable_bad_value_("PORTABLE_FP_SUBNORMALS", subnormals, "must be 0 or 1");
    watched |= UNDERFLOW | SUBNORMAL_OPERAND;
}

struct emulate_check emulate_check = {
    .name = "fpcheck",
    .allows_loops = 1,
    .launch_begin = launch_begin,
    .launch_end = launch_end,
    .block_begin = block_begin,
    .memory = memory,
    .diverged = findings_given_up,
    .call = findings_call,
    .faulted = findings_given_up,
};
