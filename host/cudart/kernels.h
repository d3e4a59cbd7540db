/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cudaLaunchKernel for a node of a graph.
 */
#ifndef PORTABLE_HOST_CUDART_KERNELS_H
#define PORTABLE_HOST_CUDART_KERNELS_H

#include "host/cudart/include/cuda_runtime_api.h"

/* Adds the launch to the graph. */
cudaError_t portable_cuda_launch_node_(struct CUgraph_st *graph,
                                       const struct cudaKernelNodeParams *parameters);

#endif
