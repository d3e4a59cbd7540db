/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts messages and times communication: on cuda by pairs of events on a stream, read when the
 * measurement ends; elsewhere by the host's clock within the calls. */
#include "internal.h"

static struct portable_ranks_measurement sums;
struct portable_ranks_measurement *ranks_measured;

static double began;
static portable_event *events; /* two for each interval */
static int event_count, interval_count;

portable_status portable_ranks_measure_begin(void)
{
    portable_status status = ranks_ready(__func__);

    if (status != PORTABLE_SUCCESS)
        return status;
    if (ranks_measured)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "%s: portable_ranks_measure_end has not ended the measurement before",
                              __func__);
    status = ranks_agree(portable_synchronize());
    memset(&sums, 0, sizeof sums);
    interval_count = 0;
    ranks_measured = status == PORTABLE_SUCCESS ? &sums : NULL;
    began = ranks_seconds();
    return status;
}

portable_status portable_ranks_measure_end(struct portable_ranks_measurement *measurement)
{
    portable_status status;

    if (!ranks_measured)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "%s: portable_ranks_measure_begin has not been called", __func__);
    status = portable_synchronize();
    sums.seconds = ranks_seconds() - began;
    for (int k = 0; k < interval_count && status == PORTABLE_SUCCESS; k++) {
        float milliseconds = 0;

        status = portable_event_elapsed(&milliseconds, events[2 * k], events[2 * k + 1]);
        if (status == PORTABLE_SUCCESS)
            sums.communication += 1e-3 * (double)milliseconds;
    }
    ranks_measured = NULL;
    *measurement = sums;
    return status;
}

/* Two events for another interval. */
static portable_status add_events(void)
{
    while (event_count < 2 * interval_count + 2) {
        portable_event *grown =
            (portable_event *)realloc(events, ((size_t)event_count + 1) * sizeof *events);

        if (!grown)
            return portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY, "no memory for %d events",
                                  event_count + 1);
        events = grown;
        const portable_status status = portable_event_create(&events[event_count]);
        if (status != PORTABLE_SUCCESS)
            return status;
        event_count++;
    }
    return PORTABLE_SUCCESS;
}

portable_status ranks_interval_begin(struct ranks_interval *interval, portable_stream stream)
{
    interval->number = -1;
    if (!ranks_measured)
        return PORTABLE_SUCCESS;
    if (PORTABLE_TARGET_CUDA) {
        portable_status status = add_events();

        if (status == PORTABLE_SUCCESS)
            status = portable_event_record(events[2 * interval_count], stream);
        if (status == PORTABLE_SUCCESS)
            interval->number = interval_count++;
        return status;
    }
    interval->number = 0;
    interval->since = ranks_seconds();
    return PORTABLE_SUCCESS;
}

void ranks_interval_pause(struct ranks_interval *interval)
{
    if (ranks_measured && interval->number >= 0 && !PORTABLE_TARGET_CUDA)
        ranks_measured->communication += ranks_seconds() - interval->since;
}

void ranks_interval_resume(struct ranks_interval *interval)
{
    interval->since = ranks_seconds();
}

portable_status ranks_interval_end(struct ranks_interval *interval, portable_stream stream)
{
    if (PORTABLE_TARGET_CUDA && ranks_measured && interval->number >= 0)
        return portable_event_record(events[2 * interval->number + 1], stream);
    ranks_interval_pause(interval);
    return PORTABLE_SUCCESS;
}

portable_status ranks_measure_free(void)
{
    portable_status status = PORTABLE_SUCCESS;

    for (int k = 0; k < event_count; k++) {
        const portable_status destroyed = portable_event_destroy(events[k]);

        status = status == PORTABLE_SUCCESS ? destroyed : status;
    }
    free(events);
    events = NULL;
    event_count = 0;
    return status;
}
