/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verdict: whether results agree. verdict_of decides what a comparison shows; of several
 * comparisons, runs, cases or targets the worst counts, by verdict_worse. No other code decides.
 *
 * Between processes the verdict is the exit status and nothing else: scripts do not read it from
 * what a program prints. `gallery check` exits with
 *
 *     0   something was compared, and all of it agrees
 *     1   a result differs, was never written, or a run crashed
 *     2   nothing was compared, a run could not be compared, or the input is bad
 *     77  nothing was run: there is no device, or no record of these cases
 *
 * 77 is the status of a skipped test for automake, CTest and meson.
 *
 * To add an outcome, add a line to the table, below every outcome that it is worse than, and return
 * it where it is found: in a phase of host/check.c, in check_case_crashed, in host/golden.c. Unless
 * it is ERROR, whose sentence is in the io_error, the phase first prints one by check_diagnose;
 * otherwise the row says only FAILED. Rows, the last line, files of results and exit statuses
 * follow from the table; host/report/page.c has the command that a page names for it.
 */
#ifndef PORTABLE_HOST_VERDICT_H
#define PORTABLE_HOST_VERDICT_H

#include <stddef.h> /* size_t */

#ifdef __cplusplus
extern "C" {
#endif

/* From the best to the worst: name, exit status, end of the last line of gallery check. Those after
 * AGREES are failures. */
#define VERDICTS(VERDICT)                                                                          \
    VERDICT(NOT_RUN, 77, "NOTHING WAS COMPARED")                                                   \
    VERDICT(NOTHING_COMPARED, 2, "NOTHING WAS COMPARED")                                           \
    VERDICT(AGREES, 0, "all agree")                                                                \
    VERDICT(DIFFERS, 1, "NOT ALL AGREE")                                                           \
    VERDICT(UNWRITTEN, 1, "NOT ALL AGREE")                                                         \
    VERDICT(CRASHED, 1, "NOT ALL AGREE")                                                           \
    VERDICT(ERROR, 2, "NOT ALL AGREE") /* a failed launch, a missing file, no memory */

#define VERDICT_NAME_(name, status, text) VERDICT_##name,
enum verdict { VERDICTS(VERDICT_NAME_) VERDICT_COUNT_ };
#undef VERDICT_NAME_

/* The verdict of a comparison: 0 of 0 elements prove nothing. */
static inline enum verdict verdict_of(size_t elements, size_t mismatches)
{
    if (elements == 0)
        return VERDICT_NOTHING_COMPARED;
    return mismatches == 0 ? VERDICT_AGREES : VERDICT_DIFFERS;
}

/* The verdict of two together. */
static inline enum verdict verdict_worse(enum verdict first, enum verdict second)
{
    return first > second ? first : second;
}

static inline int verdict_is_failure(enum verdict verdict)
{
    return verdict > VERDICT_AGREES;
}

static inline int verdict_exit_status(enum verdict verdict)
{
#define VERDICT_STATUS_(name, status, text) status,
    static const int statuses[] = {VERDICTS(VERDICT_STATUS_)};
#undef VERDICT_STATUS_
    return statuses[verdict];
}

/* The exit status of a failure, otherwise 0: for commands whose purpose is not to compare, and for
 * files of results. */
static inline int verdict_failure(enum verdict verdict)
{
    return verdict_is_failure(verdict) ? verdict_exit_status(verdict) : 0;
}

/* "DIFFERS" */
static inline const char *verdict_name(enum verdict verdict)
{
#define VERDICT_STRING_(name, status, text) #name,
    static const char *const names[] = {VERDICTS(VERDICT_STRING_)};
#undef VERDICT_STRING_
    return names[verdict];
}

static inline const char *verdict_text(enum verdict verdict)
{
#define VERDICT_TEXT_(name, status, text) text,
    static const char *const texts[] = {VERDICTS(VERDICT_TEXT_)};
#undef VERDICT_TEXT_
    return texts[verdict];
}

#ifdef __cplusplus
}
#endif

#endif
