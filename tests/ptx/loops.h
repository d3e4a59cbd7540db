/* SPDX-License-Identifier: BSD-3-Clause */
/* The two grid-stride loops of a CUDA programmer who counts bytes in flight, for the twins. The
 * usual one,
 *     for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
 * has to finish a test, and often a store, before the next load can start. */

/* clang-format off */

/* Pairs: a thread with four elements or more takes two a turn, a warp apart, as long as both exist,
 * and then single ones. */
#define FOR_PAIRS(i, n)                                                                            \
    for (unsigned once_ = 1, stride_ = gridDim.x * blockDim.x,                                     \
                  thread_ = blockIdx.x * blockDim.x + threadIdx.x, n_ = (n) > 0 ? (n) : 0,         \
                  two_ = stride_ % 32 == 0 && n_ / 4 >= stride_, alone_ = two_ ? n_ - 32 : 0,      \
                  i_ = two_ ? 2 * thread_ - thread_ % 32 : thread_;                                \
         once_; once_ = 0)                                                                         \
        _Pragma("unroll") for (int pass_ = 0; pass_ < 2; pass_++)                                  \
            for (; i_ < (pass_ == 0 ? alone_ : n_); i_ += pass_ == 0 ? 2 * stride_ : stride_)      \
                for (int k_ = 0; k_ < 2 - pass_; k_++)                                             \
                    if (const int i = (int)i_ + 32 * k_; true)

/* Turns counted before the loop, so that an unrolled body needs no test between its loads. */
#define FOR_TURNS(i, n)                                                                            \
    for (unsigned i_ = blockIdx.x * blockDim.x + threadIdx.x, stride_ = gridDim.x * blockDim.x,    \
                  left_ = turns_(n, i_, stride_);                                                  \
         left_ != 0; left_--, i_ += stride_)                                                       \
        if (const int i = (int)i_; true)
static __device__ unsigned turns_(int n, unsigned i, unsigned stride)
{
    if ((int)i >= n)
        return 0;
    return (unsigned)n - i > stride ? ((unsigned)n - i - 1) / stride + 1 : 1;
}
