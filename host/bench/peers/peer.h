/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vendor libraries' routines as cases, beside kernels that compute the same: make bench PEERS=1. A
 * peer has the inputs, the outputs and mostly the reference of one of our cases, and its own
 * launch; its name is LIBRARY:NAME, and it is compared with the cases of its problem.
 */
#ifndef PORTABLE_HOST_BENCH_PEERS_PEER_H
#define PORTABLE_HOST_BENCH_PEERS_PEER_H

#include "host/case.h"

static inline int peer_prepare(const char *ours, struct run *run, struct io_error *error)
{
    const struct gallery_case *test_case = case_find(ours);

    return test_case
               ? test_case->prepare(run, error)
               : io_fail(error, "case %s: the gallery has no case %s", run->test_case->name, ours);
}

/* prepare_CASE and reference_CASE: those of our case. */
#define PEER_OF(name)                                                                              \
    static int prepare_##name(struct run *run, struct io_error *error)                             \
    {                                                                                              \
        return peer_prepare(#name, run, error);                                                    \
    }
#define PEER_REFERENCE(name)                                                                       \
    static void reference_##name(struct run *run)                                                  \
    {                                                                                              \
        case_find(#name)->reference(run);                                                          \
    }

#endif
