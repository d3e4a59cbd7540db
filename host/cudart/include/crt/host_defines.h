/* SPDX-License-Identifier: BSD-3-Clause */
/* CUDA's specifiers, by the name that some code includes them by. */
#ifndef PORTABLE_CUDA_CRT_HOST_DEFINES_H_
#define PORTABLE_CUDA_CRT_HOST_DEFINES_H_

#include "../host_defines.h"

#endif
