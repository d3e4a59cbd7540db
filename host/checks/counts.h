/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts of a program's launches, by accesscheck's runtime. */
#ifndef PORTABLE_HOST_CHECKS_COUNTS_H
#define PORTABLE_HOST_CHECKS_COUNTS_H

#ifdef __cplusplus
extern "C" {
#endif

struct emulate_counts {
    double accesses;           /* to device and shared memory by threads, atomics among them */
    double used, moved;        /* bytes of device memory: those accessed, and sectors moved */
    double turns, least_turns; /* of the banks, and without conflicts */
    double active, existing;   /* lanes that took part in loads and stores, those of their warps */
    double atomics;            /* on device memory */
};

/* Those of all launches that have ended, since the program began. From then on accesscheck prints
 * no report. The function's address is NULL in a program that is linked with another runtime, or
 * none. */
void emulate_read_counts(struct emulate_counts *counts) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
