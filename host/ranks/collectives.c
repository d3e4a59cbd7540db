/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective operations: checks and measures them, and calls the transport. */
#include "internal.h"

/* Checks the data, counts the operation and begins to measure it. This rank sends `sent` bytes. */
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
