/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of a graph's nodes, whose address the graph keeps, and the machine's.
 */
#ifndef PORTABLE_HOST_CUDART_MEMORY_H
#define PORTABLE_HOST_CUDART_MEMORY_H

#include "host/cudart/allocations.h"
#include "host/cudart/include/cuda_runtime_api.h"

/* Whether it is allocated; makes it so (0 without memory); frees it. */
int portable_cuda_graph_has_(const void *memory);
int portable_cuda_graph_allocate_(void *memory, size_t bytes);
cudaError_t portable_cuda_graph_free_(void *memory, cudaStream_t stream);

size_t portable_cuda_total_bytes_(void);

#endif
