/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The limits of the device that kernels meet.
 */
#ifndef PORTABLE_HOST_CUDART_DEVICE_H
#define PORTABLE_HOST_CUDART_DEVICE_H

enum { SHARED_BYTES = 48 * 1024, SHARED_RAISED_BYTES = 227 * 1024, BLOCK_THREADS = 1024 };

/* The compute capability, 10 * major + minor. Programs define it, by their -arch. */
extern int portable_cuda_capability_;

#endif
