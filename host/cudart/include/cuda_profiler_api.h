/* SPDX-License-Identifier: BSD-3-Clause */
/* cudaProfilerStart and cudaProfilerStop, which do nothing here: profile with perf or gprof. */
#ifndef PORTABLE_CUDA_CUDA_PROFILER_API_H
#define PORTABLE_CUDA_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#endif
