/* SPDX-License-Identifier: BSD-3-Clause */
/* The special registers of inline PTX: PORTABLE_PTX_REGISTER_(name, value in C++). A cluster is one
 * block, and there is one multiprocessor. */
#define PTX_VECTOR_(name, value)                                                                   \
    PORTABLE_PTX_REGISTER_(name ".x", value ".x")                                                  \
    PORTABLE_PTX_REGISTER_(name ".y", value ".y")                                                  \
    PORTABLE_PTX_REGISTER_(name ".z", value ".z")
#define PTX_CONSTANTS_(name, value)                                                                \
    PORTABLE_PTX_REGISTER_(name ".x", value)                                                       \
    PORTABLE_PTX_REGISTER_(name ".y", value)                                                       \
    PORTABLE_PTX_REGISTER_(name ".z", value)
PTX_VECTOR_("tid", "::threadIdx")
PTX_VECTOR_("ntid", "::blockDim")
PTX_VECTOR_("ctaid", "::blockIdx")
PTX_VECTOR_("nctaid", "::gridDim")
PTX_VECTOR_("clusterid", "::blockIdx")
PTX_VECTOR_("nclusterid", "::gridDim")
PTX_CONSTANTS_("cluster_ctaid", "0u")
PTX_CONSTANTS_("cluster_nctaid", "1u")
#undef PTX_VECTOR_
#undef PTX_CONSTANTS_
PORTABLE_PTX_REGISTER_("cluster_ctarank", "0u")
PORTABLE_PTX_REGISTER_("cluster_nctarank", "1u")
PORTABLE_PTX_REGISTER_("is_explicit_cluster", "false")
PORTABLE_PTX_REGISTER_("laneid", "::portable_cuda::lane_number()")
PORTABLE_PTX_REGISTER_("warpid", "(::portable_cuda::thread_number() / 32)")
PORTABLE_PTX_REGISTER_("nwarpid", "((::portable_cuda::threads_of_block() + 31) / 32)")
PORTABLE_PTX_REGISTER_("smid", "0u")
PORTABLE_PTX_REGISTER_("nsmid", "1u")
PORTABLE_PTX_REGISTER_("gridid", "0ull")
PORTABLE_PTX_REGISTER_("lanemask_eq", "(1u << ::portable_cuda::lane_number())")
PORTABLE_PTX_REGISTER_("lanemask_lt", "((1u << ::portable_cuda::lane_number()) - 1)")
PORTABLE_PTX_REGISTER_("lanemask_le", "((2u << ::portable_cuda::lane_number()) - 1)")
PORTABLE_PTX_REGISTER_("lanemask_gt", "~((2u << ::portable_cuda::lane_number()) - 1)")
PORTABLE_PTX_REGISTER_("lanemask_ge", "~((1u << ::portable_cuda::lane_number()) - 1)")
PORTABLE_PTX_REGISTER_("clock", "(unsigned)::clock64()")
PORTABLE_PTX_REGISTER_("clock_hi", "(unsigned)(::clock64() >> 32)")
PORTABLE_PTX_REGISTER_("clock64", "(unsigned long long)::clock64()")
PORTABLE_PTX_REGISTER_("globaltimer", "(unsigned long long)::clock64()")
PORTABLE_PTX_REGISTER_("globaltimer_lo", "(unsigned)::clock64()")
PORTABLE_PTX_REGISTER_("globaltimer_hi", "(unsigned)(::clock64() >> 32)")
