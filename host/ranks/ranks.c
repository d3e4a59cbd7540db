/* SPDX-License-Identifier: BSD-3-Clause */
/* Begin and end: compares the builds of all ranks, and selects their transport. */
#include "internal.h"

static const struct ranks_transport *const transports[] = {
#if PORTABLE_RANKS_NCCL
    &ranks_nccl,
#endif
#if PORTABLE_TARGET_CUDA
    &ranks_peer,
#endif
    &ranks_mpi, &ranks_staged};
enum { TRANSPORTS = sizeof transports / sizeof transports[0] };

/* What all ranks must share. `transport`: the value of RANKS_TRANSPORT. */
struct build {
    char text[128];
    char transport[16];
    unsigned long long limit;
};

/* The transport that RANKS_TRANSPORT names, or NULL if it does not. */
static portable_status requested_transport(const char *name,
                                           const struct ranks_transport **transport)
{
    *transport = NULL;
    if (!*name)
        return PORTABLE_SUCCESS;
    for (int k = 0; k < TRANSPORTS; k++)
        if (strcmp(transports[k]->name, name) == 0)
            *transport = transports[k];
    if (*transport)
        return PORTABLE_SUCCESS;
    if (strcmp(name, "nccl") == 0 || strcmp(name, "peer") == 0)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "RANKS_TRANSPORT=%s: %s", name,
                              PORTABLE_TARGET_CUDA
                                  ? "nccl.h was not found when this program was built"
                                  : "it needs the cuda target");
    return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                          "RANKS_TRANSPORT=%s: must be nccl, peer, mpi or staged", name);
}

/* The requested transport, or the first that all ranks can use. Collective. */
static portable_status choose_transport(const struct ranks_transport *requested)
{
    int *usable = (int *)calloc((size_t)ranks_here.count * TRANSPORTS, sizeof *usable);
    int mine[TRANSPORTS];
    portable_status status = PORTABLE_SUCCESS;

    if (!usable)
        portable_ranks_stop(EXIT_FAILURE, "no memory to choose a transport");
    for (int k = 0; k < TRANSPORTS; k++) {
        const char *why = transports[k]->refusal();

        mine[k] = !why && (requested || !PORTABLE_TARGET_EMULATE || k == TRANSPORTS - 1);
        if (why && transports[k] == requested)
            status = portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "RANKS_TRANSPORT=%s: %s",
                                    requested->name, why);
    }
    status = ranks_agree(status);
    if (status == PORTABLE_SUCCESS)
        ranks_gather_hosts(mine, usable, sizeof mine);
    ranks_transport = requested;
    for (int k = 0; k < TRANSPORTS && !ranks_transport; k++) {
        int users = 0;

        for (int r = 0; r < ranks_here.count; r++)
            users += usable[r * TRANSPORTS + k];
        if (users == ranks_here.count)
            ranks_transport = transports[k];
    }
    free(usable);
    return status;
}

/* Whether all ranks have this rank's build and settings; `mine` is the failure of an earlier step
 * on this rank. */
static portable_status compare_builds(portable_status mine, const char *transport)
{
    struct build here = {{0}, {0}, 0}, *all;
    portable_status status = PORTABLE_SUCCESS;

    snprintf(here.text, sizeof here.text,
             "portable.h %d.%d.%d, target %s, %s precision, %d transports", PORTABLE_VERSION_MAJOR,
             PORTABLE_VERSION_MINOR, PORTABLE_VERSION_PATCH, PORTABLE_TARGET_NAME,
             PORTABLE_PRECISION_DOUBLE ? "double" : "single", TRANSPORTS);
    snprintf(here.transport, sizeof here.transport, "%s", transport);
    here.limit = ranks_limit;
    all = (struct build *)calloc((size_t)ranks_here.count, sizeof *all);
    if (!all)
        portable_ranks_stop(EXIT_FAILURE, "no memory to compare %d ranks", ranks_here.count);
    ranks_gather_hosts(&here, all, sizeof here);
    for (int r = 1; r < ranks_here.count && status == PORTABLE_SUCCESS; r++)
        if (strcmp(all[r].text, all[0].text) != 0)
            status = portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                                    "rank %d is %s, but rank 0 is %s: all ranks run one build", r,
                                    all[r].text, all[0].text);
    if (status == PORTABLE_SUCCESS)
        status = ranks_agree(mine);
    for (int r = 1; r < ranks_here.count && status == PORTABLE_SUCCESS; r++)
        if (strcmp(all[r].transport, all[0].transport) != 0 || all[r].limit != all[0].limit)
            status =
                portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                               "rank %d has RANKS_TRANSPORT=%s and messages of %llu bytes, "
                               "rank 0 has RANKS_TRANSPORT=%s and %llu: all ranks need the "
                               "same",
                               r, all[r].transport, all[r].limit, all[0].transport, all[0].limit);
    free(all);
    return status;
}

portable_status portable_ranks_begin(struct portable_ranks *ranks)
{
    portable_status status = ranks_begin_hosts();

    if (status != PORTABLE_SUCCESS)
        return status;
    const char *name = getenv("RANKS_TRANSPORT") ? getenv("RANKS_TRANSPORT") : "";
    const struct ranks_transport *requested = NULL;
    status = ranks_choose_limit();
    if (status == PORTABLE_SUCCESS)
        status = requested_transport(name, &requested);
    if (status == PORTABLE_SUCCESS)
        status = ranks_select_device();
    status = compare_builds(status, name);
    if (status == PORTABLE_SUCCESS)
        status = choose_transport(requested);
    if (status == PORTABLE_SUCCESS)
        status = ranks_agree(ranks_transport->begin());
    if (status != PORTABLE_SUCCESS)
        return status;
    ranks_state = RANKS_RUNNING;
    ranks_here.transport = ranks_transport->name;
    if (ranks)
        *ranks = ranks_here;
    return PORTABLE_SUCCESS;
}

portable_status portable_ranks_end(void)
{
    portable_status status;

    if (ranks_state != RANKS_STARTED && ranks_state != RANKS_RUNNING)
        return PORTABLE_SUCCESS;
    status = ranks_sum_end();
    if (status == PORTABLE_SUCCESS)
        status = ranks_measure_free();
    if (status == PORTABLE_SUCCESS && ranks_state == RANKS_RUNNING)
        status = ranks_transport->end();
    return status == PORTABLE_SUCCESS ? ranks_end_hosts() : status;
}
