// SPDX-License-Identifier: BSD-3-Clause
// Of kernels.cu, for calls.c.
#if defined(__cplusplus)
extern "C" {
#endif
void *scale_function(void);
void *blend_function(void);
#if defined(__cplusplus)
}
#endif
