/* SPDX-License-Identifier: BSD-3-Clause */
/* Only host calls: C even in a CUDA build, for cc with -DPORTABLE_TARGET_CUDA=1. */
#include "host_only.h"

float *host_only_new(int n, float value)
{
    const size_t bytes = (size_t)n * sizeof(float);
    float *const host = (float *)malloc(bytes);
    float *device = NULL;

    if (!host)
        return NULL;
    for (int i = 0; i < n; i++)
        host[i] = value;
    if (portable_malloc(&device, bytes) == PORTABLE_SUCCESS &&
        portable_copy_to_device(device, host, bytes) != PORTABLE_SUCCESS) {
        portable_free(device);
        device = NULL;
    }
    free(host);
    return device;
}

size_t host_only_free(float *x)
{
    size_t left = 0;

    PORTABLE_CHECK(portable_free(x));
    portable_memory_in_use(NULL, &left);
    return left;
}

portable_status host_only_fail(void)
{
    return portable_copy_to_device(NULL, "", 1);
}
