/* SPDX-License-Identifier: BSD-3-Clause */
#include "cublasXt.h: portable-nvcc has cuBLAS for one device (cublas_v2.h), not this: use cublas_v2.h, or build this file with nvcc"
