/* SPDX-License-Identifier: BSD-3-Clause */
/* The device of this rank, and those of all. */
#include "internal.h"

portable_status ranks_select_device(void)
{
    int devices;
    portable_status status = portable_device_count(&devices);

    if (status == PORTABLE_SUCCESS) {
        ranks_here.device = ranks_here.node_rank % devices;
        status = portable_device_select(ranks_here.device);
    }
    return status;
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
