/* SPDX-License-Identifier: BSD-3-Clause */
/* CUDA too allows only one of the two interfaces in a file. */
#if !defined(CUBLAS_V2_H_)
#error "cublas.h: portable-nvcc has the interface with handles only: include cublas_v2.h instead"
#endif
