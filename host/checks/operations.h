/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules of ordercheck.c for atomics: whether the order of two that are unordered can be seen.
 * racecheck.c includes this for ordercheck.c alone.
 *
 * Each word that atomics access has a list of operations: one entry for each kind of them, with a
 * history of the accesses of that kind, which decides as in racecheck.c whether one of them is
 * unordered with the present one. Two unordered operations conflict unless they commute:
 *
 *     sums of integers, and, or, xor, min, max    always
 *     exchanges and stores                        of equal values
 *     inc, dec                                    with equal limits
 *     sums of floats                              if all sums are exact, in any order: the addends
 *                                                 are multiples of 2^e, and their magnitudes add up
 *                                                 to less than 2^(e + digits)
 *
 * A compare-and-swap, an atomic load, and one that tells nothing conflict with any that writes. So
 * does one whose result is used: that is an entry of its own, USED, as the use comes after the
 * operation.
 */
#ifndef PORTABLE_HOST_CHECKS_OPERATIONS_H
#define PORTABLE_HOST_CHECKS_OPERATIONS_H

#include <math.h> /* frexp, ldexp */

/* Operations: those of portable_operation_, and two more. A code is an operation, a type << 4, and
 * the base 2 logarithm of the size << 8; an access's kind is KINDS + its code. EQUAL is of plain
 * writes, in reasons alone. */
enum { LOAD = 12, USED = 13, EQUAL = 14, OPERATION = 15, TYPE = 7 << 4, TYPE_SHIFT = 4 };

struct operation {
    struct history history;
    uint64_t operand; /* of exchanges, inc and dec */
    double magnitude; /* of sums of floats: of the first value and all addends */
    int exponent;     /* their e */
    uint16_t code;
    uint8_t inexact, mixed; /* flags; mixed: there were other operands */
    uint32_t next;
};
static struct pool operation_pool = {.size = sizeof(struct operation), .count = 1};

/* The latest atomics, until it is known whether their results are used. */
struct performed {
    uint32_t number, site;
    moment when;
    const char *address;
    size_t bytes;
    int changes_nothing;   /* compared with the others only if its result is used */
    struct access earlier; /* one that commutes with it, but is unordered; when == 0: none */
};

/* Why unordered accesses do no harm, each once. */
struct reason {
    uint32_t site;
    uint16_t code;
    uint8_t printed;
};

static struct {
    uint32_t latest; /* the number of the latest atomic */
    struct performed performed[1 << 12];
    /* The present one. */
    uint64_t operand;
    double real, old_real;
    struct access earlier;
    const struct performed *late; /* of a result whose use came later */
    int fenced;                   /* a thread has passed a fence in this launch */
    int lost;                     /* a result was used so late that its operation is forgotten */
    struct reason reasons[1 << 10];
    uint32_t reason_count;
} orders;

static struct operation *operation_at(uint32_t number)
{
    return (struct operation *)pool_at(&operation_pool, number);
}

static void copy_operations(uint32_t *first)
{
    for (uint32_t *at = first; *at != 0;) {
        const struct operation *const from = operation_at(*at);
        const uint32_t number = pool_new(&operation_pool);
        struct operation *const to = operation_at(number);

        *to = *from;
        if (to->history.level == MANY && to->history.first >> 32 == emulate.interval) {
            to->history.second = lanes_new();
            *lanes_at(to->history.second) = *lanes_at(from->history.second);
        }
        *at = number;
        at = &to->next;
    }
}

static void free_operations(uint32_t first)
{
    while (first != 0) {
        const uint32_t next = operation_at(first)->next;

        pool_free(&operation_pool, first);
        first = next;
    }
}

static void clear_operations(void)
{
    clear_pool(&operation_pool);
}

static int is_float(unsigned code)
{
    return (code & TYPE) >= (unsigned)portable_of_float_;
}
static int is_float_sum(unsigned code)
{
    return is_float(code) && (code & OPERATION) == portable_operation_add_;
}
static int has_operand(unsigned code)
{
    const unsigned operation = code & OPERATION;

    return operation == portable_operation_exchange_ || operation == portable_operation_inc_ ||
           operation == portable_operation_dec_;
}
static int is_write(unsigned code)
{
    return (code & OPERATION) != LOAD && (code & OPERATION) != USED;
}

static void add_reason(uint32_t site, unsigned code)
{
    enum { SLOTS = sizeof orders.reasons / sizeof *orders.reasons };
    uint32_t slot = (site * 2654435761u ^ code * 2246822519u) % SLOTS;

    for (; orders.reasons[slot].site != 0; slot = (slot + 1) % SLOTS)
        if (orders.reasons[slot].site == site && orders.reasons[slot].code == code)
            return;
    if (orders.reason_count == SLOTS / 2)
        return;
    orders.reason_count++;
    orders.reasons[slot].site = site;
    orders.reasons[slot].code = (uint16_t)code;
}

/* Adds a number to those that a sum has had. */
static void add_magnitude(struct operation *sum, double value)
{
    static const struct {
        int digits, least;
    } formats[] = {[portable_of_float_ >> TYPE_SHIFT] = {24, -126},
                   [portable_of_double_ >> TYPE_SHIFT] = {53, -1074},
                   [portable_of_half_ >> TYPE_SHIFT] = {11, -24},
                   [portable_of_bfloat16_ >> TYPE_SHIFT] = {8, -126}};
    const unsigned type = (sum->code & TYPE) >> TYPE_SHIFT;
    int exponent;
    uint64_t digits;

    if (!(value - value == 0)) {
        sum->inexact = 1;
        return;
    }
    if (value == 0)
        return;
    value = value < 0 ? -value : value;
    digits = (uint64_t)ldexp(frexp(value, &exponent), 53);
    exponent += __builtin_ctzll(digits) - 53;
    if (exponent < sum->exponent)
        sum->exponent = exponent;
    sum->magnitude += value;
    /* A GPU's atomics may flush denormal floats. */
    if (sum->exponent < formats[type].least ||
        !(sum->magnitude < ldexp(1, sum->exponent + formats[type].digits)))
        sum->inexact = 1;
}

/* The entry of the code; a new one takes the place of one that is over. */
static struct operation *operation_of(uint32_t *first, unsigned code, uint32_t floor)
{
    struct operation *found = NULL;

    for (uint32_t number = *first; number != 0; number = operation_at(number)->next) {
        struct operation *const operation = operation_at(number);

        if (operation->code == code)
            return operation;
        if (operation->history.first >> 32 < floor)
            found = operation;
    }
    if (found == NULL) {
        const uint32_t number = pool_new(&operation_pool);

        found = operation_at(number);
        found->next = *first;
        *first = number;
    }
    memset(&found->history, 0, sizeof found->history);
    found->code = (uint16_t)code;
    return found;
}

/* Whether another thread's write may come between the late use and its operation, or be unordered
 * with that: any that barriers do not put before it. */
static int may_disturb(const struct history *history)
{
    const moment when = orders.late->when;
    const uint32_t interval = (uint32_t)(history->first >> 32), own = (uint32_t)(when >> 32);

    return emulate_of_another(interval) || interval > own ||
           (interval == own &&
            (history->level != ALONE || ((history->first ^ when) & THREAD_MASK) != 0));
}

/* Whether the present operation commutes with those of its own kind. */
static int commutes(const struct operation *own)
{
    if (is_float_sum(own->code))
        return !own->inexact;
    if (has_operand(own->code))
        return !own->mixed && own->operand == orders.operand;
    return (own->code & OPERATION) != portable_operation_other_ &&
           (own->code & OPERATION) != portable_operation_cas_ && is_write(own->code);
}

static void check_bytes(const char *address, size_t bytes, enum kind kind, const void *caller);

static void check_operation(struct cell *cell, const struct access *access, uint32_t floor,
                            const char *address, size_t bytes)
{
    const unsigned code = (unsigned)access->kind - KINDS;
    uint32_t *const first = operations_of(cell);
    struct operation *own = operation_of(first, code, floor);
    const uint32_t since = (uint32_t)(own->history.first >> 32);
    const int over = since < floor || (floor == emulate.block_start && emulate_of_past(since) &&
                                       object_is_shared(shared, shared_count, address));
    int conflict = 0, met = 0;

    cell->atomics = 1;
    if (over) {
        own->operand = orders.operand;
        own->magnitude = 0;
        own->exponent = 1 << 14;
        own->inexact = own->mixed = 0;
        if (is_float_sum(code))
            add_magnitude(own, orders.old_real);
    }
    if (is_float_sum(code))
        add_magnitude(own, orders.real);
    for (uint32_t number = *first; number != 0; number = operation_at(number)->next) {
        const struct operation *const other = operation_at(number);
        struct access earlier = {(enum kind)(KINDS + other->code), other->history.first,
                                 other->history.first_site};

        if (other->history.first >> 32 < floor || other->history.first == 0 ||
            (!is_write(code) && !is_write(other->code)))
            continue;
        if ((code & OPERATION) == USED) {
            if (orders.late == NULL || !may_disturb(&other->history))
                continue;
        } else if (!find_unordered(&other->history, ALWAYS, access->when, address, &earlier)) {
            continue;
        }
        if (other == own && commutes(own)) {
            met = 1;
            if (orders.earlier.when == 0)
                orders.earlier = earlier;
            continue;
        }
        conflict = 1;
        add_race(&earlier, access, address, bytes, access_number, 0);
    }
    if (met && !conflict)
        add_reason(access->site, code);
    if (has_operand(code) && own->operand != orders.operand) {
        /* One value stored after another, by order, replaces it. */
        own->mixed = (code & OPERATION) != portable_operation_exchange_ || conflict ||
                     emulate_of_another(since) || own->mixed;
        own->operand = orders.operand;
    }
    if ((code & OPERATION) != LOAD)
        add_to_history(&own->history, access, floor, address);
}

/* What it does, with one code for operations that commute. */
static unsigned code_of(const struct emulate_operation *operation)
{
    unsigned does = (unsigned)operation->does & OPERATION, type = (unsigned)operation->does & TYPE;
    const unsigned size = (unsigned)__builtin_ctz(operation->bytes) << 8;

    if (does == LOAD || does == portable_operation_cas_)
        return does | size;
    if (does == portable_operation_sub_)
        does = portable_operation_add_;
    if (does == portable_operation_other_ || type == 0)
        return portable_operation_other_ | size;
    if (type < (unsigned)portable_of_float_)
        return does |
               (does == portable_operation_min_ || does == portable_operation_max_
                    ? type
                    : (unsigned)portable_of_int_) |
               size;
    if (does == portable_operation_exchange_)
        return does | (unsigned)portable_of_int_ | size;
    /* Of NaNs, and of zeros with both signs, the first may stay. */
    if (does != portable_operation_add_ &&
        (operation->real != operation->real || operation->old_real != operation->old_real ||
         (operation->real == 0 && __builtin_signbit(operation->real)) ||
         (operation->old_real == 0 && __builtin_signbit(operation->old_real))))
        return portable_operation_other_ | size;
    return does | type | size;
}

/* Whether it leaves an integer as it is: atomicAdd(&x, 0) is how many programs load. It commutes
 * with all others, unless its result is used. */
static int changes_nothing(const struct emulate_operation *operation)
{
    const unsigned does = (unsigned)operation->does & OPERATION;
    const unsigned type = (unsigned)operation->does & TYPE;

    return type != 0 && type < (unsigned)portable_of_float_ && operation->bytes <= 8 &&
           operation->integer << (64 - 8 * operation->bytes) == 0 &&
           (does == portable_operation_add_ || does == portable_operation_sub_ ||
            does == portable_operation_bit_or_ || does == portable_operation_bit_xor_);
}

static unsigned on_operation(const struct emulate_operation *operation, const void *caller)
{
    const unsigned code = code_of(operation);
    const int is_nothing = changes_nothing(operation);
    struct performed *performed;

    if (object_is_on_stack(operation->address))
        return 0;
    orders.real = operation->real;
    orders.old_real = operation->old_real;
    orders.operand = operation->integer;
    if (((unsigned)operation->does & TYPE) >= (unsigned)portable_of_float_)
        for (size_t i = 0; i < sizeof orders.real; i++)
            ((char *)&orders.operand)[i] = ((const char *)&orders.real)[i];
    orders.earlier.when = 0;
    if (!is_nothing)
        check_bytes(operation->address, operation->bytes, (enum kind)(KINDS + code), caller);
    orders.latest += orders.latest == UINT32_MAX ? 2 : 1;
    performed = &orders.performed[orders.latest % (sizeof orders.performed / sizeof *performed)];
    performed->number = orders.latest;
    performed->site = site_of(caller);
    performed->when = present();
    performed->address = operation->address;
    performed->bytes = operation->bytes;
    performed->changes_nothing = is_nothing;
    performed->earlier = orders.earlier;
    /* A compare-and-swap counts as used in any case. */
    return (code & OPERATION) == portable_operation_cas_ ? 0 : orders.latest;
}

static void on_result_used(unsigned number)
{
    const struct performed *const performed =
        &orders.performed[number % (sizeof orders.performed / sizeof *performed)];

    if (number == 0)
        return;
    if (performed->number != number) {
        orders.lost = 1;
        return;
    }
    if (performed->earlier.when != 0) {
        const struct access access = {(enum kind)(KINDS + USED), performed->when, performed->site};

        add_race(&performed->earlier, &access, performed->address, performed->bytes,
                 ++access_number, 0);
    }
    if (performed->changes_nothing)
        check_bytes(performed->address, performed->bytes,
                    (enum kind)(KINDS + (LOAD | (unsigned)__builtin_ctzl(performed->bytes) << 8)),
                    caller_of(performed->site));
    orders.late = number != orders.latest || performed->when != present() ? performed : NULL;
    check_bytes(performed->address, performed->bytes, (enum kind)(KINDS + USED),
                caller_of(performed->site));
}

static void note_fence(int of_block)
{
    (void)of_block;
    orders.fenced = 1;
}

/* An atomic access that does not tell what it does. */
static void untold_operation(const char *address, size_t bytes, int writes, const void *caller)
{
    const struct emulate_operation operation = {
        writes ? (int)portable_operation_other_ : (int)LOAD, address, (unsigned)bytes, 0, 0, 0};

    on_operation(&operation, caller);
}

#endif
