/* SPDX-License-Identifier: BSD-3-Clause */
/* Begin, end and failures; the choice of a transport; collective operations that only pass on to
 * it. */
#include "internal.h"

static const struct ranks_transport *const transports[] = {
#if PORTABLE_RANKS_NCCL
    &ranks_nccl,
#endif
#if PORTABLE_TARGET_CUDA
    &ranks_peer,
#endif
    &ranks_mpi, &ranks_staged};
enum { TRANSPORTS = sizeof transports / sizeof transports[0], LONGEST_MESSAGE = 0x7fffffff };

struct portable_ranks ranks_here;
const struct ranks_transport *ranks_transport;
size_t ranks_limit;

/* STARTED: MPI has begun, the rest has not, or has failed. */
static enum { BEFORE, STARTED, RUNNING, ENDING, AFTER } state;

/* The last failure that all ranks agreed on: whichever of them reports it names the rank that had
 * it. */
static struct {
    int rank;
    char message[512];
} agreed_failure;

/* What all ranks must have in common. `transport`: as RANKS_TRANSPORT names it. */
struct build {
    char text[128];
    char transport[16];
    unsigned long long limit;
};

portable_status ranks_ready(const char *call)
{
    return state == RUNNING
               ? PORTABLE_SUCCESS
               : portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "%s: %s", call,
                                state == BEFORE    ? "portable_ranks_begin has not been called"
                                : state == STARTED ? "portable_ranks_begin has failed"
                                                   : "portable_ranks_end has been called");
}

portable_status ranks_agree(portable_status status)
{
    struct failure {
        int status;
        char message[512];
    } mine, *all = (struct failure *)calloc((size_t)ranks_here.count, sizeof *all);

    if (!all)
        portable_ranks_stop(EXIT_FAILURE, "no memory for the failures of %d ranks",
                            ranks_here.count);
    mine.status = (int)status;
    snprintf(mine.message, sizeof mine.message, "%s",
             status == PORTABLE_SUCCESS ? "" : portable_last_message());
    ranks_gather_hosts(&mine, all, sizeof mine);
    portable_status agreed = PORTABLE_SUCCESS;
    agreed_failure.message[0] = 0;
    for (int r = 0; r < ranks_here.count && agreed == PORTABLE_SUCCESS; r++)
        if (all[r].status != PORTABLE_SUCCESS) {
            agreed = portable_fail_((portable_status)all[r].status, "%s", all[r].message);
            agreed_failure.rank = r;
            snprintf(agreed_failure.message, sizeof agreed_failure.message, "%s", all[r].message);
        }
    free(all);
    return agreed;
}

/* A program that exits without portable_ranks_end: PORTABLE_CHECK, which has printed why, or exit
 * in any function. */
static void at_exit(void)
{
    if (state == STARTED || state == RUNNING)
        portable_ranks_stop(EXIT_FAILURE, "the program ended before portable_ranks_end");
}

void portable_ranks_stop(int exit_status, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    const int has_ranks = state == STARTED || state == RUNNING;
    const int code = exit_status == 0 ? EXIT_FAILURE : exit_status;
    int rank = ranks_here.rank;

    state = ENDING;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (agreed_failure.message[0] && strstr(text, agreed_failure.message))
        rank = agreed_failure.rank;
    fflush(stdout);
    if (!has_ranks) {
        fprintf(stderr, "%s\n", text);
        exit(code);
    }
    const int is_first = ranks_first_to_fail();
    if (is_first)
        fprintf(stderr, "rank %d of %d: %s\n", rank, ranks_here.count, text);
    ranks_abort(code, is_first);
}

static portable_status select_device(void)
{
    int devices;
    portable_status status = portable_device_count(&devices);

    if (status == PORTABLE_SUCCESS) {
        ranks_here.device = ranks_here.node_rank % devices;
        status = portable_device_select(ranks_here.device);
    }
    return status;
}

static portable_status choose_limit(void)
{
    const char *text = getenv("RANKS_MESSAGE_LIMIT");
    unsigned long long value = text ? 0 : LONGEST_MESSAGE;

    for (const char *next = text; next && *next; next++) {
        if (*next < '0' || *next > '9' || value > LONGEST_MESSAGE) {
            value = 0;
            break;
        }
        value = 10 * value + (unsigned long long)(*next - '0');
    }
    if (value < 16 || value > LONGEST_MESSAGE)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "RANKS_MESSAGE_LIMIT=%s: must be a number of bytes from 16 to %d",
                              text, LONGEST_MESSAGE);
    /* Whole elements of every type. */
    ranks_limit = (size_t)value / 16 * 16;
    return PORTABLE_SUCCESS;
}

#if PORTABLE_TARGET_CUDA
struct ranks_device *ranks_devices(void)
{
    struct ranks_device mine,
        *all = (struct ranks_device *)calloc((size_t)ranks_here.count, sizeof *all);
    struct cudaDeviceProp properties;

    if (!all)
        portable_ranks_stop(EXIT_FAILURE, "no memory for the devices of %d ranks",
                            ranks_here.count);
    memset(&mine, 0, sizeof mine);
    mine.is_known = cudaGetDeviceProperties(&properties, ranks_here.device) == cudaSuccess;
    if (mine.is_known)
        memcpy(mine.uuid, properties.uuid.bytes, sizeof mine.uuid);
    ranks_gather_hosts(&mine, all, sizeof mine);
    for (int r = 0; r < ranks_here.count; r++)
        if (!all[r].is_known) {
            free(all);
            return NULL;
        }
    return all;
}
#endif

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
    portable_status status;

    if (state != BEFORE)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "portable_ranks_begin has been called before");
    status = ranks_begin_hosts();
    if (status != PORTABLE_SUCCESS)
        return status;
    state = STARTED;
    if (atexit(at_exit) != 0)
        portable_ranks_stop(EXIT_FAILURE, "atexit has no room");
    const char *name = getenv("RANKS_TRANSPORT") ? getenv("RANKS_TRANSPORT") : "";
    const struct ranks_transport *requested = NULL;
    status = choose_limit();
    if (status == PORTABLE_SUCCESS)
        status = requested_transport(name, &requested);
    if (status == PORTABLE_SUCCESS)
        status = select_device();
    status = compare_builds(status, name);
    if (status == PORTABLE_SUCCESS)
        status = choose_transport(requested);
    if (status == PORTABLE_SUCCESS)
        status = ranks_agree(ranks_transport->begin());
    if (status != PORTABLE_SUCCESS)
        return status;
    state = RUNNING;
    ranks_here.transport = ranks_transport->name;
    if (ranks)
        *ranks = ranks_here;
    return PORTABLE_SUCCESS;
}

portable_status portable_ranks_end(void)
{
    portable_status status;

    if (state != STARTED && state != RUNNING)
        return PORTABLE_SUCCESS;
    status = ranks_sum_end();
    if (status == PORTABLE_SUCCESS)
        status = ranks_measure_free();
    if (status == PORTABLE_SUCCESS && state == RUNNING)
        status = ranks_transport->end();
    if (status == PORTABLE_SUCCESS)
        status = ranks_end_hosts();
    if (status == PORTABLE_SUCCESS)
        state = AFTER;
    return status;
}

portable_status ranks_do_nothing(void)
{
    return PORTABLE_SUCCESS;
}

portable_status ranks_transfer_nothing(struct ranks_transfer *transfer)
{
    (void)transfer;
    return PORTABLE_SUCCESS;
}

size_t ranks_type_size(enum portable_ranks_type type)
{
    static const size_t sizes[] = {sizeof(int),       sizeof(unsigned),
                                   sizeof(long long), sizeof(unsigned long long),
                                   sizeof(float),     sizeof(double)};

    return (unsigned)type <= PORTABLE_RANKS_DOUBLE ? sizes[type] : 0;
}

/* Checks the data, counts the operation, in which this rank sends `sent` bytes of them, and begins
 * to measure it. */
static portable_status begin_collective(const char *call, struct ranks_interval *interval,
                                        void *data, size_t bytes, size_t sent,
                                        portable_stream stream)
{
    const portable_status status =
        portable_side_check_(call, "data", PORTABLE_DEVICE_MEMORY_, data, bytes);

    if (status != PORTABLE_SUCCESS)
        return status;
    if (ranks_measured) {
        ranks_measured->collectives++;
        ranks_measured->messages += sent > 0 && ranks_here.count > 1;
        ranks_measured->bytes += ranks_here.count > 1 ? (long long)sent : 0;
    }
    return ranks_interval_begin(interval, stream);
}

portable_status portable_ranks_broadcast(void *data, size_t bytes, int root, portable_stream stream)
{
    portable_status status = ranks_ready(__func__);
    struct ranks_interval interval;

    if (status != PORTABLE_SUCCESS)
        return status;
    if (root < 0 || root >= ranks_here.count)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "%s: there is no rank %d", __func__,
                              root);
    if (bytes == 0)
        return PORTABLE_SUCCESS;
    status = begin_collective(__func__, &interval, data, bytes, ranks_here.rank == root ? bytes : 0,
                              stream);
    if (status == PORTABLE_SUCCESS)
        status = ranks_transport->broadcast(data, bytes, root, stream);
    return status == PORTABLE_SUCCESS ? ranks_interval_end(&interval, stream) : status;
}

portable_status portable_ranks_all_gather(void *data, size_t element_bytes, const long long *starts,
                                          portable_stream stream)
{
    const int count = ranks_here.count;
    portable_status status = ranks_ready(__func__);
    struct ranks_interval interval;
    size_t *offsets;

    if (status != PORTABLE_SUCCESS || starts[count] == 0)
        return status;
    offsets = (size_t *)malloc(((size_t)count + 1) * sizeof *offsets);
    if (!offsets)
        portable_ranks_stop(EXIT_FAILURE, "no memory for the parts of %d ranks", count);
    for (int r = 0; r <= count; r++)
        offsets[r] = (size_t)starts[r] * element_bytes;
    status = begin_collective(__func__, &interval, data, offsets[count],
                              offsets[ranks_here.rank + 1] - offsets[ranks_here.rank], stream);
    if (status == PORTABLE_SUCCESS)
        status = ranks_transport->all_gather(data, offsets, stream);
    free(offsets);
    return status == PORTABLE_SUCCESS ? ranks_interval_end(&interval, stream) : status;
}

portable_status portable_ranks_all_reduce(void *data, size_t count, enum portable_ranks_type type,
                                          enum portable_ranks_operation operation,
                                          portable_stream stream)
{
    portable_status status = ranks_ready(__func__);
    struct ranks_interval interval;

    if (status != PORTABLE_SUCCESS)
        return status;
    if (ranks_type_size(type) == 0 || (unsigned)operation > PORTABLE_RANKS_MAX)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "%s: no type %d or no operation %d",
                              __func__, (int)type, (int)operation);
    if (count > (size_t)-1 / ranks_type_size(type))
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "%s: the size of %zu elements overflows", __func__, count);
    if (count == 0)
        return PORTABLE_SUCCESS;
    const size_t bytes = count * ranks_type_size(type);
    status = begin_collective(__func__, &interval, data, bytes, bytes, stream);
    if (status == PORTABLE_SUCCESS)
        status = ranks_transport->all_reduce(data, count, type, operation, stream);
    return status == PORTABLE_SUCCESS ? ranks_interval_end(&interval, stream) : status;
}
