/* SPDX-License-Identifier: BSD-3-Clause */
/* NVIDIA's CCCL: the headers of Thrust, CUB and libcu++ (cuda/std), which are installed with a CUDA
 * toolkit or as a package. */
#ifndef PORTABLE_HOST_NVCC_CCCL_H
#define PORTABLE_HOST_NVCC_CCCL_H

/* The directory that has them, and none of CUDA's other headers; NULL if there is none. It is the
 * one that --cccl names, or that of the toolkit that nvcc would use, or that of a package. Ends the
 * program if --cccl names a directory without them. */
const char *cccl_directory(void);

/* The first number of its version, 1 of Thrust 1.17 and 3 of CCCL 3.0; 0 if unknown. */
int cccl_major(void);

#endif
