/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reports of ordercheck.c. racecheck.c includes this for ordercheck.c alone.
 */
#ifndef PORTABLE_HOST_CHECKS_ORDER_REPORTS_H
#define PORTABLE_HOST_CHECKS_ORDER_REPORTS_H

/* How a pair of accesses is told: its kind, and its words before and after the two. */
struct words {
    enum finding_kind kind;
    const char *is, *earlier, *later, *why, *many;
    int at_any_lines; /* one report for an object, not for each pair of lines */
};

static const char *name_of(enum kind kind)
{
    static const char *const plain[KINDS] = {"a write",   "a read",    "an atomic",
                                             "an atomic", "an atomic", "an atomic"};
    static const char *const names[OPERATION + 1] = {
        [portable_operation_other_] = "an atomic",
        [portable_operation_add_] = "an atomic sum",
        [portable_operation_min_] = "an atomic minimum",
        [portable_operation_max_] = "an atomic maximum",
        [portable_operation_exchange_] = "an atomic store",
        [portable_operation_bit_and_] = "an atomic and",
        [portable_operation_bit_or_] = "an atomic or",
        [portable_operation_bit_xor_] = "an atomic xor",
        [portable_operation_inc_] = "an atomic inc",
        [portable_operation_dec_] = "an atomic dec",
        [portable_operation_cas_] = "a compare-and-swap",
        [LOAD] = "an atomic load",
        [USED] = "an atomic whose result is used",
    };

    if (kind < KINDS)
        return plain[kind];
    if (is_float_sum((unsigned)kind - KINDS))
        return "an atomic sum of floats";
    return names[((unsigned)kind - KINDS) & OPERATION];
}

/* Of different sizes, as one code is one operation of one size. */
static int are_bitwise(unsigned a, unsigned b)
{
    const unsigned does = a & OPERATION;

    return a != b && does == (b & OPERATION) &&
           (does == portable_operation_bit_and_ || does == portable_operation_bit_or_ ||
            does == portable_operation_bit_xor_);
}

static int is_unproven(unsigned a, unsigned b)
{
    static const unsigned seen[] = {portable_operation_other_, portable_operation_cas_, LOAD, USED};

    for (size_t k = 0; k < sizeof seen / sizeof seen[0]; k++)
        if ((a & OPERATION) == seen[k] || (b & OPERATION) == seen[k])
            return 1;
    return 0;
}

/* At the end of a launch, whether a thread has passed a fence and another has seen an atomic's
 * order: it may have waited for the other thread of any pair. */
static int may_have_waited;
static void find_waiting(void)
{
    may_have_waited = 0;
    for (uint32_t i = 0; orders.fenced && i < race_count && !may_have_waited; i++)
        may_have_waited = races[i].earlier.kind >= KINDS && races[i].later.kind >= KINDS &&
                          is_unproven((unsigned)races[i].earlier.kind - KINDS,
                                      (unsigned)races[i].later.kind - KINDS);
}

static struct words words_of(const struct race *race)
{
    const unsigned a = race->earlier.kind < KINDS ? 0 : (unsigned)race->earlier.kind - KINDS;
    const unsigned b = race->later.kind < KINDS ? 0 : (unsigned)race->later.kind - KINDS;
    const unsigned a_does = a & OPERATION, b_does = b & OPERATION;
    struct words words = {FINDING_ORDER,
                          "order decides",
                          name_of(race->earlier.kind),
                          name_of(race->later.kind),
                          NULL,
                          "pairs",
                          0};

    if (race->earlier.kind < KINDS || race->later.kind < KINDS) {
        words.why = race->earlier_block == race->later_block ? "with no barrier between them"
                                                             : "by concurrent blocks";
        if (may_have_waited) {
            words.kind = FINDING_UNPROVEN;
            words.is = "not proven";
            words.why = "unless fences and atomics put one first in every schedule: racecheck "
                        "tells whether they do here";
        }
        return words;
    }
    words.at_any_lines = a == b && is_float_sum(a);
    if (words.at_any_lines)
        words.why = "whose sum is rounded differently in another order";
    else if (a == b && a_does == portable_operation_exchange_)
        words.why = "which store different values: the last one stays";
    else if (a == b && has_operand(a))
        words.why = "which have different limits";
    else
        words.why = "which do not commute";
    if (are_bitwise(a, b))
        words.why = "of different sizes: the bits commute, but PTX does not define such a pair";
    if (a_does == portable_operation_other_ || b_does == portable_operation_other_)
        words.why = "of which it is not known that they commute";
    if (a_does == portable_operation_cas_ || b_does == portable_operation_cas_)
        words.why = "whose success depends on the order: a lock, or a loop until it succeeds, may "
                    "hide that";
    if (a_does == LOAD || b_does == LOAD)
        words.why = "which the load may see or not: a loop that waits for it may hide that";
    if (a_does == USED || b_does == USED)
        words.why = "so that the result is a ticket, which depends on the order";
    if (is_unproven(a, b) || are_bitwise(a, b)) {
        words.kind = FINDING_UNPROVEN;
        words.is = "not proven";
    } else if (!words.at_any_lines && may_have_waited) {
        words.kind = FINDING_UNPROVEN;
        words.is = "not proven";
        words.why = "unless fences and other atomics put one first in every schedule";
    }
    return words;
}

/* The lines of the reasons, each once. */
static struct text_set reason_lines;

static const char *reason_of(unsigned code)
{
    static const char *const reasons[OPERATION + 1] = {
        [portable_operation_add_] = "sums of integers commute",
        [portable_operation_min_] = "minima commute",
        [portable_operation_max_] = "maxima commute",
        [portable_operation_exchange_] = "the stored values are equal",
        [portable_operation_bit_and_] = "bitwise and commutes",
        [portable_operation_bit_or_] = "bitwise or commutes",
        [portable_operation_bit_xor_] = "bitwise xor commutes",
        [portable_operation_inc_] = "the limits of inc are equal",
        [portable_operation_dec_] = "the limits of dec are equal",
        [EQUAL] = "the written values are equal",
    };

    return is_float_sum(code) ? "the sums of floats are exact in any order"
                              : reasons[code & OPERATION];
}

/* Something else that may differ between schedules: reported for each kernel. */
static void add_unproven(const char *why)
{
    const struct finding finding = {FINDING_UNPROVEN, emulate.kernel, NULL, {{NULL, NULL}}};
    char key[512];

    snprintf(key, sizeof key, "%s|%s", emulate.kernel, why);
    if (text_set_add(&printed, key))
        findings_add(&finding, "not proven in kernel %s: %s", emulate.kernel, why);
}

/* The last child grid that waits when a launch begins: of its parent, if it is a child itself. */
static const struct portable_child_ *latest_child;
static void note_children(void)
{
    latest_child = portable_children_.first != NULL ? portable_children_.last : NULL;
}

/* The end of a launch. */
static void print_rest(void)
{
    for (size_t i = 0; i < sizeof orders.reasons / sizeof *orders.reasons; i++) {
        struct reason *const reason = &orders.reasons[i];
        char line[512];

        if (reason->site == 0 || reason->printed)
            continue;
        reason->printed = 1;
        snprintf(line, sizeof line, "%s: %s", findings_line(caller_of(reason->site)),
                 reason_of(reason->code));
        text_set_add(&reason_lines, line);
    }
    if (orders.lost)
        add_unproven("it uses results of atomics too late for ordercheck to follow");
    if (races_left_out)
        add_unproven("it has too many unordered accesses for ordercheck to list");
    if (emulate.reads_clock)
        add_unproven("it reads a clock");
    if (emulate.reads_active)
        add_unproven(
            "it asks which lanes of a warp are active, which differs between runs on a GPU");
    if (portable_children_.first != NULL && portable_children_.last != latest_child)
        add_unproven("it launches kernels, whose order ordercheck does not follow");
    orders.fenced = orders.lost = races_left_out = emulate.reads_clock = emulate.reads_active = 0;
}

static void print_certificate(void)
{
    fprintf(stderr, "ordercheck: every schedule gives the same bits: no races, and %s\n",
            reason_lines.count > 0 ? "what is unordered commutes"
                                   : "no atomics whose order could show");
    for (size_t i = 0; i < reason_lines.count; i++)
        fprintf(stderr, "    %s\n", reason_lines.texts[i]);
}

#endif
