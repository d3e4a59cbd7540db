/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts of a program's launches, by the runtime of the configuration `counts`. */
#ifndef PORTABLE_HOST_CHECKS_COUNTS_H
#define PORTABLE_HOST_CHECKS_COUNTS_H

#ifdef __cplusplus
extern "C" {
#endif

struct emulate_counts {
    double accesses;           /* to device and shared memory by threads, atomics among them */
    double used, moved;        /* bytes of device memory: those accessed, and sectors moved */
    double turns, least_turns; /* of the banks, and without conflicts, for half a warp or more */
    double active, existing;   /* lanes that took part in accesses, and those of their warps */
    double irregular;          /* accesses that are in none of the six above */
    double atomics;            /* on device memory */
};

/* Since the program began; all launches that have ended are in it. Its address is NULL in a program
 * that is linked with another runtime, or none. */
extern struct emulate_counts emulate_counts __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
