/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/checks/finding.h"

#include <stdlib.h> /* strtoul */
#include <string.h> /* strrchr */

const struct finding_rule finding_rules[FINDING_KINDS] = {
    [FINDING_OUT_OF_BOUNDS] = {"memcheck", "out-of-bounds", "error",
                               "An access outside of every object",
                               "The address lies before, after or between the objects of the "
                               "program. Compare the index with the size of the array."},
    [FINDING_USE_AFTER_FREE] = {"memcheck", "use-after-free", "error", "An access to freed memory",
                                "The memory was freed before the access. Free it after the last "
                                "kernel that uses it."},
    [FINDING_HOST_MEMORY] = {"memcheck", "host-memory", "error", "A kernel accesses host memory",
                             "A pointer to the host's heap or stack was passed to a kernel. Copy "
                             "the data to device memory, or allocate it as managed memory."},
    [FINDING_DEVICE_MEMORY] = {"memcheck", "device-memory", "error",
                               "Host code accesses device memory",
                               "Device memory is not accessible to host code. Copy the data to the "
                               "host."},
    [FINDING_INVALID_CALL] = {"memcheck", "invalid-call", "error",
                              "A copy, fill or free with memory that it cannot take",
                              "The pointer has another kind of memory, is out of range, or was "
                              "freed before."},
    [FINDING_UNDEFINED_BEHAVIOUR] = {"memcheck", "undefined-behaviour", "error",
                                     "Undefined behaviour in C or C++",
                                     "UndefinedBehaviorSanitizer found it: a misaligned access, a "
                                     "shift by too many bits, a signed overflow, a conversion out "
                                     "of range or a similar error."},
    [FINDING_SANITIZER] = {"memcheck", "sanitizer", "error", "An error that AddressSanitizer found",
                           "AddressSanitizer's words are in the message, for example of a free of "
                           "memory that was not allocated."},
    [FINDING_LEAK] = {"memcheck", "leak", "warning", "Memory that was never freed",
                      "The program ended without freeing it."},
    [FINDING_CRASH] = {"memcheck", "crash", "error", "A signal ended the program",
                       "The program crashed, or was stopped by an assertion or a trap."},
    [FINDING_RACE] = {"racecheck", "race", "error", "Two threads access one byte without an order",
                      "At least one of the two accesses is a write, they are not both atomic, and "
                      "no barrier or fence comes between them. Add the barrier that is missing, or "
                      "make both accesses atomic."},
    [FINDING_UNINITIALISED_READ] = {"initcheck", "uninitialised-read", "error",
                                    "A kernel reads memory that nothing has written",
                                    "The bytes have not been written since their allocation or, in "
                                    "shared memory, since the block started."},
    [FINDING_UNINITIALISED_COPY] = {"initcheck", "uninitialised-copy", "error",
                                    "A copy to the host of memory that nothing has written",
                                    "The bytes have not been written since their allocation. Write "
                                    "them, or copy fewer."},
    [FINDING_DIVERGENCE] = {"synccheck", "divergence", "error",
                            "A barrier or warp operation that some threads never reach",
                            "All threads of the block, or all lanes of the mask, must reach it. "
                            "Move it out of the branch or loop that only some of them take."},
    [FINDING_UNORDERED_WORK] = {"streamcheck", "unordered-work", "error",
                                "Work of two streams touches one byte without an order",
                                "At least one of the two writes. Record an event after the work of "
                                "the one stream, and have the other wait for it."},
    [FINDING_EARLY_ACCESS] = {"streamcheck", "early-access", "error",
                              "Host code touches memory that work still uses",
                              "The host did not wait for the kernel, copy or host function. "
                              "Synchronise with its stream first."},
    [FINDING_EARLY_FREE] = {"streamcheck", "early-free", "error",
                            "Memory is freed while work still uses it",
                            "Nothing waits for that work before the memory is freed. Synchronise "
                            "with its stream first, or free the memory in it."},
    [FINDING_EXCESSIVE_SECTORS] = {"accesscheck", "excessive-sectors", "warning",
                                   "An access that touches more sectors than its bytes need",
                                   "Device memory moves sectors of 32 bytes. Let neighbouring "
                                   "threads access neighbouring elements, from an aligned start."},
    [FINDING_UNUSED_BYTES] = {"accesscheck", "unused-bytes", "warning",
                              "An access that uses a small part of its sectors",
                              "Device memory moves sectors of 32 bytes. Let more threads of a warp "
                              "take part, or each access more bytes."},
    [FINDING_BANK_CONFLICTS] = {"accesscheck", "bank-conflicts", "warning",
                                "Lanes of a warp that access different words of one bank",
                                "Shared memory has 32 banks, each of which gives one word at a "
                                "time. Pad the rows of the array, or change its layout."},
    [FINDING_ATOMICS] = {"accesscheck", "atomics-on-one-address", "warning",
                         "Lanes of a warp whose atomics are on one address",
                         "They take turns. Combine the values of the warp or the block first."},
    [FINDING_INACTIVE_THREADS] = {"accesscheck", "inactive-threads", "warning",
                                  "An access that few lanes of a warp make",
                                  "The other lanes wait. Let the lanes of a warp take the same "
                                  "branch, and blocks consist of whole warps."},
    [FINDING_ORDER] =
        {"ordercheck", "order", "error", "Which of two threads comes first decides the result",
         "Put a barrier between the two, or use operations that give the same bits in "
         "any order, such as sums of integers."},
    [FINDING_UNPROVEN] =
        {"ordercheck", "not-proven", "warning",
         "The order of two threads shows, and may decide the result",
         "The value that a thread sees depends on the schedule. Whether the results "
         "do too, ordercheck cannot tell; other values of ORDER may show it."},
    [FINDING_NAN] = {"fpcheck", "nan", "error", "An operation that makes a NaN",
                     "None of its operands was a NaN: 0 / 0, infinity minus infinity, 0 times "
                     "infinity, or a function outside its domain, as a root of a negative number."},
    [FINDING_INFINITY] = {"fpcheck", "infinity", "error", "An operation that makes an infinity",
                          "Its operands were finite: the result is too large for its type, or it "
                          "was a division by zero."},
    [FINDING_SUBNORMAL] = {"fpcheck", "subnormal", "warning",
                           "An operation that makes a subnormal float",
                           "With -ftz=true or --use_fast_math a GPU makes it 0."},
    [FINDING_OTHER_VALUE] = {"fpcheck", "other-value", "warning",
                             "A store of another value than in the exact build",
                             "The build's options contract a product and a sum, make subnormal "
                             "floats 0, or replace functions by faster ones."},
    [FINDING_NOT_CHECKED] = {NULL, "not-checked", "warning",
                             "A kernel that the check could not follow to its end",
                             "A divergence or an invalid access ended the launch, and the rest of "
                             "it is unchecked. synccheck and memcheck explain them."},
};

size_t finding_line_split(const char *place, unsigned long *line)
{
    const char *const colon = place != NULL ? strrchr(place, ':') : NULL;
    char *end;

    if (colon == NULL || colon == place || colon[1] < '1' || colon[1] > '9')
        return 0;
    *line = strtoul(colon + 1, &end, 10);
    return *end == '\0' ? (size_t)(colon - place) : 0;
}
