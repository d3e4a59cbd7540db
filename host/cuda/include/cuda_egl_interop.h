/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda_egl_interop.h: portable-nvcc does not share memory with graphics: copy with cudaMemcpy, or build this file with nvcc"
