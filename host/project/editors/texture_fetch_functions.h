/* SPDX-License-Identifier: BSD-3-Clause */
/* For clangd's view of CUDA alone, no build sees it. clang up to 15 includes a header of this name,
 * which CUDA 12 and later no longer have, and its own wrapper of texture calls does not fit theirs:
 * compile_commands.json leaves that wrapper out, and this stands for it. */
template <typename... Arguments>
__host__ __device__ void __nv_tex_surf_handler(const char *, Arguments...);
