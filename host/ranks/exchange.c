/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of messages. Contiguous regions are sent from the array and received into it; the others go
 * through buffers that kernels pack and unpack. */
#include "internal.h"

/* One direction of one message. */
struct side {
    struct portable_region region; /* its indices on the device */
    void *packed;                  /* on the device; NULL for a contiguous region */
};

struct portable_exchange {
    size_t words; /* of 4 bytes in an element */
    struct side *sends, *receives;
    size_t send_end, receive_end;   /* bytes of the arrays up to the last element of a region */
    struct ranks_transfer transfer; /* its parts in the order of the sides */
    portable_event event;
    int is_begun;
    void *to; /* the array to unpack into */
    struct ranks_interval interval;
};

static int is_contiguous(const struct portable_region *region)
{
    return !region->indices && (region->runs <= 1 || region->stride == region->length);
}

/* The bytes of an array up to the end of the region; 0 if a size overflows. */
static size_t end_of(const struct portable_region *region, size_t element_bytes)
{
    size_t end = region->length, bytes;

    if (region->indices) {
        if (__builtin_mul_overflow(region->length, element_bytes, &bytes))
            return 0;
        end = 0;
        for (size_t k = 0; k < region->length; k++)
            end = (size_t)region->indices[k] >= end ? (size_t)region->indices[k] + 1 : end;
    } else if (region->runs > 1 &&
               (__builtin_mul_overflow(region->runs - 1, region->stride, &end) ||
                __builtin_add_overflow(end, region->length, &end)))
        return 0;
    return __builtin_add_overflow(end, region->first, &end) ||
                   __builtin_mul_overflow(end, element_bytes, &bytes)
               ? 0
               : bytes;
}

/* Appends a side and its part. A region without elements is not sent. */
static portable_status add_side(struct portable_exchange *exchange, struct side *sides,
                                struct ranks_part *parts, int *count, int peer,
                                const struct portable_region *region, size_t *end_of_all)
{
    const size_t end = end_of(region, exchange->words * 4);
    struct side *side = &sides[*count];
    struct ranks_part *part = &parts[*count];
    portable_status status = PORTABLE_SUCCESS;

    if (peer == PORTABLE_PROC_NULL || region->length == 0)
        return PORTABLE_SUCCESS;
    if (peer < 0 || peer >= ranks_here.count)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "portable_exchange_create: there is no rank %d", peer);
    if (region->runs > 1 && !region->indices && region->stride < region->length)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "portable_exchange_create: a stride of %zu, but runs of %zu elements",
                              region->stride, region->length);
    if (end == 0)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "portable_exchange_create: the size of a region overflows");
    *end_of_all = end > *end_of_all ? end : *end_of_all;
    ++*count;
    side->region = *region;
    side->region.indices = NULL;
    part->peer = peer;
    part->bytes = ranks_elements(region) * exchange->words * 4;
    if (region->indices) {
        const size_t bytes = region->length * sizeof(int);
        int *indices;

        status = portable_malloc(&indices, bytes);
        if (status == PORTABLE_SUCCESS) {
            side->region.indices = indices;
            status = portable_copy_to_device(indices, region->indices, bytes);
        }
    }
    if (status == PORTABLE_SUCCESS && !is_contiguous(region))
        status = portable_malloc(&side->packed, part->bytes);
    if (status == PORTABLE_SUCCESS && ranks_transport->is_staged)
        status = portable_malloc_host(&part->staging, part->bytes);
    return status;
}

/* Whether each rank receives what the others send it: by number, and by lengths in their order. */
static portable_status check_lengths(const struct ranks_transfer *transfer)
{
    struct summary {
        long long messages, bytes;
        unsigned long long order;
    } * sent, *expected;
    const size_t count = (size_t)ranks_here.count;
    portable_status status = PORTABLE_SUCCESS;

    sent = (struct summary *)calloc(3 * count, sizeof *sent);
    if (!sent)
        portable_ranks_stop(EXIT_FAILURE, "no memory to compare the plans of %d ranks",
                            ranks_here.count);
    expected = sent + count;
    for (int k = 0; k < transfer->send_count + transfer->receive_count; k++) {
        const int is_send = k < transfer->send_count;
        const struct ranks_part *part =
            is_send ? &transfer->sends[k] : &transfer->receives[k - transfer->send_count];
        struct summary *sum = &(is_send ? sent : expected)[part->peer];

        sum->messages++;
        sum->bytes += (long long)part->bytes;
        sum->order = sum->order * 1099511628211ULL + part->bytes;
    }
    ranks_exchange_hosts(sent, sent + 2 * count, sizeof *sent);
    for (size_t r = 0; r < count && status == PORTABLE_SUCCESS; r++) {
        const struct summary *theirs = &sent[2 * count + r], *ours = &expected[r];

        if (theirs->messages != ours->messages || theirs->bytes != ours->bytes ||
            theirs->order != ours->order)
            status = portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                                    "portable_exchange_create: rank %zu sends %lld messages of "
                                    "%lld bytes together, but rank %d receives %lld of %lld from "
                                    "it, or they differ in order",
                                    r, theirs->messages, theirs->bytes, ranks_here.rank,
                                    ours->messages, ours->bytes);
    }
    free(sent);
    return ranks_agree(status);
}

portable_status portable_exchange_create(struct portable_exchange **result, size_t element_bytes,
                                         int count, const struct portable_message *messages)
{
    static int plans;
    struct portable_exchange *exchange;
    struct ranks_transfer *transfer;
    const size_t capacity = (size_t)(count > 0 ? count : 0) + 1;
    portable_status status = ranks_ready(__func__);

    *result = NULL;
    if (status != PORTABLE_SUCCESS)
        return status;
    exchange = (struct portable_exchange *)calloc(1, sizeof *exchange);
    if (!exchange)
        portable_ranks_stop(EXIT_FAILURE, "no memory for a plan of %d messages", count);
    transfer = &exchange->transfer;
    exchange->words = element_bytes / 4;
    exchange->sends = (struct side *)calloc(capacity, sizeof *exchange->sends);
    exchange->receives = (struct side *)calloc(capacity, sizeof *exchange->receives);
    transfer->sends = (struct ranks_part *)calloc(capacity, sizeof *transfer->sends);
    transfer->receives = (struct ranks_part *)calloc(capacity, sizeof *transfer->receives);
    transfer->tag = plans++ % RANKS_TAGS;
    if (!exchange->sends || !exchange->receives || !transfer->sends || !transfer->receives)
        status = portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY, "no memory for a plan of %d messages",
                                count);
    else if (element_bytes == 0 || element_bytes % 4 != 0 || count < 0)
        status = portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                                "%s: %d messages with elements of %zu bytes; elements have 4 bytes "
                                "or a multiple",
                                __func__, count, element_bytes);
    else
        status = portable_stream_create(&transfer->stream);
    if (status == PORTABLE_SUCCESS)
        status = portable_event_create(&exchange->event);
    for (int k = 0; k < count && status == PORTABLE_SUCCESS; k++) {
        status = add_side(exchange, exchange->sends, transfer->sends, &transfer->send_count,
                          messages[k].to, &messages[k].send, &exchange->send_end);
        if (status == PORTABLE_SUCCESS)
            status =
                add_side(exchange, exchange->receives, transfer->receives, &transfer->receive_count,
                         messages[k].from, &messages[k].receive, &exchange->receive_end);
    }
    status = ranks_agree(status);
    if (status == PORTABLE_SUCCESS)
        status = check_lengths(transfer);
    if (status == PORTABLE_SUCCESS)
        status = ranks_agree(ranks_transport->transfer_create(transfer));
    if (status == PORTABLE_SUCCESS)
        *result = exchange;
    else
        portable_exchange_destroy(exchange);
    return status;
}

/* Makes stream `later` wait for the work that `earlier` has now. */
static portable_status order(struct portable_exchange *exchange, portable_stream earlier,
                             portable_stream later)
{
    const portable_status status = portable_event_record(exchange->event, earlier);

    return status == PORTABLE_SUCCESS ? portable_stream_wait_event(later, exchange->event) : status;
}

static void count_messages(const struct ranks_transfer *transfer)
{
    if (!ranks_measured)
        return;
    ranks_measured->exchanges++;
    for (int k = 0; k < transfer->send_count; k++)
        if (transfer->sends[k].peer != ranks_here.rank) {
            ranks_measured->messages++;
            ranks_measured->bytes += (long long)transfer->sends[k].bytes;
        }
}

portable_status portable_exchange_begin(struct portable_exchange *exchange, const void *from,
                                        void *to, portable_stream stream)
{
    struct ranks_transfer *transfer = &exchange->transfer;
    portable_status status = ranks_ready(__func__);

    if (status != PORTABLE_SUCCESS)
        return status;
    if (exchange->is_begun)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "%s: the exchange has begun already: portable_exchange_wait ends it",
                              __func__);
    if (transfer->send_count > 0)
        status = portable_side_check_(__func__, "array to send from", PORTABLE_DEVICE_MEMORY_,
                                      (void *)(size_t)from, exchange->send_end);
    if (status == PORTABLE_SUCCESS && transfer->receive_count > 0)
        status = portable_side_check_(__func__, "array to receive into", PORTABLE_DEVICE_MEMORY_,
                                      to, exchange->receive_end);
    if (status == PORTABLE_SUCCESS)
        status = order(exchange, stream, transfer->stream);
    if (status != PORTABLE_SUCCESS)
        return status;
    status = ranks_interval_begin(&exchange->interval, transfer->stream);
    for (int k = 0; k < transfer->send_count && status == PORTABLE_SUCCESS; k++) {
        const struct side *side = &exchange->sends[k];

        transfer->sends[k].data =
            side->packed ? side->packed
                         : (char *)(size_t)from + side->region.first * exchange->words * 4;
        if (side->packed)
            status =
                ranks_pack(side->packed, from, &side->region, exchange->words, transfer->stream);
    }
    for (int k = 0; k < transfer->receive_count; k++) {
        const struct side *side = &exchange->receives[k];

        transfer->receives[k].data =
            side->packed ? side->packed : (char *)to + side->region.first * exchange->words * 4;
    }
    if (status == PORTABLE_SUCCESS)
        status = ranks_transport->transfer_begin(transfer);
    exchange->is_begun = status == PORTABLE_SUCCESS;
    exchange->to = to;
    ranks_interval_pause(&exchange->interval);
    count_messages(transfer);
    return status;
}

portable_status portable_exchange_wait(struct portable_exchange *exchange, portable_stream stream)
{
    const struct ranks_transfer *transfer = &exchange->transfer;
    portable_status status = ranks_ready(__func__);

    if (status != PORTABLE_SUCCESS)
        return status;
    if (!exchange->is_begun)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "%s: the exchange has not begun: portable_exchange_begin starts it",
                              __func__);
    ranks_interval_resume(&exchange->interval);
    status = ranks_transport->transfer_wait(&exchange->transfer);
    for (int k = 0; k < transfer->receive_count && status == PORTABLE_SUCCESS; k++)
        if (exchange->receives[k].packed)
            status = ranks_unpack(exchange->to, exchange->receives[k].packed,
                                  &exchange->receives[k].region, exchange->words, transfer->stream);
    exchange->is_begun = 0;
    if (status == PORTABLE_SUCCESS)
        status = ranks_interval_end(&exchange->interval, transfer->stream);
    return status == PORTABLE_SUCCESS ? order(exchange, transfer->stream, stream) : status;
}

portable_status portable_exchange_destroy(struct portable_exchange *exchange)
{
    portable_status status = PORTABLE_SUCCESS, ended;

    if (!exchange)
        return status;
    if (exchange->is_begun)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "%s: the exchange has begun: portable_exchange_wait ends it",
                              __func__);
    for (int k = 0; k < exchange->transfer.send_count + exchange->transfer.receive_count; k++) {
        const int receive = k - exchange->transfer.send_count;
        struct side *side = receive < 0 ? &exchange->sends[k] : &exchange->receives[receive];
        struct ranks_part *part =
            receive < 0 ? &exchange->transfer.sends[k] : &exchange->transfer.receives[receive];
        const portable_status freed[] = {portable_free((void *)(size_t)side->region.indices),
                                         portable_free(side->packed),
                                         portable_free_host(part->staging)};

        for (int f = 0; f < 3; f++)
            status = status == PORTABLE_SUCCESS ? freed[f] : status;
    }
    ended = ranks_transport->transfer_destroy(&exchange->transfer);
    status = status == PORTABLE_SUCCESS ? ended : status;
    ended = portable_event_destroy(exchange->event);
    status = status == PORTABLE_SUCCESS ? ended : status;
    ended = portable_stream_destroy(exchange->transfer.stream);
    status = status == PORTABLE_SUCCESS ? ended : status;
    free(exchange->sends);
    free(exchange->receives);
    free(exchange->transfer.sends);
    free(exchange->transfer.receives);
    free(exchange);
    return status;
}
