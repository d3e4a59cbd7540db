/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvcuda::wmma: products of small matrices by a warp. A lane holds 1/32 of each fragment, in x:
 * consecutive elements by rows, whatever the layout in memory. Sums are made in float, int or
 * double, from the first column to the last.
 */
#ifndef PORTABLE_CUDA_MMA_H
#define PORTABLE_CUDA_MMA_H
#define __CUDA_MMA_H__

#if defined(__CUDACC__) /* as in CUDA: nothing for host compilers */
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "portable_cuda/lanes.h"
#include "portable_cuda/synchronisation.h"

namespace nvcuda
{
namespace wmma
{
enum layout_t { mem_row_major, mem_col_major };
struct row_major {
};
struct col_major {
};
struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};
namespace precision
{
struct tf32 {
};
} // namespace precision
namespace experimental
{
namespace precision
{
struct u4 {
};
struct s4 {
};
struct b1 {
};
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental
} // namespace wmma
} // namespace nvcuda

namespace portable_cuda
{
namespace matrices
{
using namespace nvcuda::wmma;

/* What an element is stored as, and what products of it are summed in. */
template <class T> struct element {
    static constexpr bool is_factor = false, is_sum = false;
    typedef T stored;
};
#define PORTABLE_CUDA_ELEMENT_(type, stored_type, sum_type, factor, is_a_sum)                      \
    template <> struct element<type> {                                                             \
        static constexpr bool is_factor = factor, is_sum = is_a_sum;                               \
        typedef stored_type stored;                                                                \
        typedef sum_type sum;                                                                      \
    };
PORTABLE_CUDA_ELEMENT_(__half, __half, float, true, true)
PORTABLE_CUDA_ELEMENT_(__nv_bfloat16, __nv_bfloat16, float, true, false)
PORTABLE_CUDA_ELEMENT_(signed char, signed char, long long, true, false)
PORTABLE_CUDA_ELEMENT_(char, char, long long, true, false)
PORTABLE_CUDA_ELEMENT_(unsigned char, unsigned char, long long, true, false)
PORTABLE_CUDA_ELEMENT_(precision::tf32, float, float, true, false)
PORTABLE_CUDA_ELEMENT_(double, double, double, true, true)
PORTABLE_CUDA_ELEMENT_(float, float, float, false, true)
PORTABLE_CUDA_ELEMENT_(int, int, long long, false, true)
#undef PORTABLE_CUDA_ELEMENT_

static inline float number(__half x)
{
    return __half2float(x);
}
static inline float number(__nv_bfloat16 x)
{
    return __bfloat162float(x);
}
template <class T> static inline T number(T x)
{
    return x;
}
template <class T> static inline T rounded(float x)
{
    return T(x);
}
template <> inline __half rounded<__half>(float x)
{
    return __float2half(x);
}

/* A factor as the multiplier sees it: TF32 has 10 bits of fraction. */
template <class T, class Stored> static inline auto factor(Stored x)
{
    return number(x);
}
template <> inline auto factor<precision::tf32, float>(float x)
{
    unsigned bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    bits &= ~0x1fffu;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

template <class Use, int m, int n, int k> struct shape;
template <int m, int n, int k> struct shape<matrix_a, m, n, k> {
    static constexpr int rows = m, columns = k;
};
template <int m, int n, int k> struct shape<matrix_b, m, n, k> {
    static constexpr int rows = k, columns = n;
};
template <int m, int n, int k> struct shape<accumulator, m, n, k> {
    static constexpr int rows = m, columns = n;
};

/* Whether CUDA has fragments of this shape and type. */
template <class Use, class T> constexpr bool has_shape(int m, int n, int k)
{
    const bool is_wide = (m == 16 && n == 16 && k == 16) || (m == 32 && n == 8 && k == 16) ||
                         (m == 8 && n == 32 && k == 16);
    const bool is_tf32 = m == 16 && n == 16 && k == 8, is_double = m == 8 && n == 8 && k == 4;
    if (std::is_same<T, double>::value)
        return is_double;
    if (std::is_same<Use, accumulator>::value)
        return element<T>::is_sum && (is_wide || (is_tf32 && std::is_same<T, float>::value));
    return element<T>::is_factor && (std::is_same<T, precision::tf32>::value ? is_tf32 : is_wide);
}

/* The share of each lane of a warp. */
struct shares {
    const void *a[32], *b[32];
};

/* Waits for the warp. */
static inline void meet(const char *name, const char *file, int line)
{
    portable_emulate_sync_warp_(0xffffffffu, name, file, line);
}
} // namespace matrices
} // namespace portable_cuda

namespace nvcuda
{
namespace wmma
{
template <class Use, int m, int n, int k, class T, class Layout = void> class fragment
{
    static_assert(portable_cuda::matrices::has_shape<Use, T>(m, n, k),
                  "wmma::fragment: portable-nvcc has 16x16x16, 32x8x16 and 8x32x16 of half, "
                  "bfloat16 and 8-bit integers, 16x16x8 of tf32, and 8x8x4 of double");

  public:
    typedef T element_type;
    typedef typename portable_cuda::matrices::element<T>::stored storage_element_type;
    static constexpr int num_elements = portable_cuda::matrices::shape<Use, m, n, k>::rows *
                                        portable_cuda::matrices::shape<Use, m, n, k>::columns / 32;
    static constexpr int num_storage_elements = num_elements;
    storage_element_type x[num_elements];
};

template <class Use, int m, int n, int k, class T, class Layout, class Value>
static inline void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const Value &value)
{
    for (auto &x : f.x)
        x = typename fragment<Use, m, n, k, T, Layout>::storage_element_type(value);
}

/* Rounds to nearest, ties away from zero. */
static inline float __float_to_tf32(float x)
{
    unsigned bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7f800000) != 0x7f800000)
        bits = (bits + 0x1000) & ~0x1fffu;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}
} // namespace wmma
} // namespace nvcuda

namespace portable_cuda
{
namespace matrices
{
/* Element e of this lane's share is at (place / columns, place % columns). */
template <int columns> static inline size_t offset(int share, int e, unsigned stride, bool by_rows)
{
    const size_t place = (size_t)lane_number() * (size_t)share + (size_t)e;
    const size_t row = place / columns, column = place % columns;
    return by_rows ? row * stride + column : column * stride + row;
}
template <class Use, int m, int n, int k, class T, class Layout, class Memory>
__attribute__((always_inline)) static inline void load(fragment<Use, m, n, k, T, Layout> &f,
                                                       const Memory *from, unsigned stride,
                                                       bool by_rows, const char *file, int line)
{
    meet("load_matrix_sync", file, line);
    for (int e = 0; e < f.num_elements; e++)
        f.x[e] = from[offset<shape<Use, m, n, k>::columns>(f.num_elements, e, stride, by_rows)];
}
} // namespace matrices
} // namespace portable_cuda

namespace nvcuda
{
namespace wmma
{
template <class Use, int m, int n, int k, class T, class Layout>
__attribute__((always_inline)) static inline void
load_matrix_sync(fragment<Use, m, n, k, T, Layout> &f,
                 const typename portable_cuda::matrices::element<T>::stored *from, unsigned ldm,
                 PORTABLE_CUDA_HERE_)
{
    static_assert(!std::is_same<Use, accumulator>::value,
                  "load_matrix_sync: an accumulator needs a layout_t");
    portable_cuda::matrices::load(f, from, ldm, std::is_same<Layout, row_major>::value, file, line);
}
template <int m, int n, int k, class T>
__attribute__((always_inline)) static inline void
load_matrix_sync(fragment<accumulator, m, n, k, T> &f,
                 const typename portable_cuda::matrices::element<T>::stored *from, unsigned ldm,
                 layout_t layout, PORTABLE_CUDA_HERE_)
{
    portable_cuda::matrices::load(f, from, ldm, layout == mem_row_major, file, line);
}
template <int m, int n, int k, class T>
__attribute__((always_inline)) static inline void
store_matrix_sync(typename portable_cuda::matrices::element<T>::stored *to,
                  const fragment<accumulator, m, n, k, T> &f, unsigned ldm, layout_t layout,
                  PORTABLE_CUDA_HERE_)
{
    portable_cuda::matrices::meet("store_matrix_sync", file, line);
    for (int e = 0; e < f.num_elements; e++)
        to[portable_cuda::matrices::offset<n>(f.num_elements, e, ldm, layout == mem_row_major)] =
            f.x[e];
}

/* d = a b + c. satf: saturates the sums of integers. */
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class D, class C>
static inline void
mma_sync(fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, T, LayoutA> &a,
         const fragment<matrix_b, m, n, k, T, LayoutB> &b,
         const fragment<accumulator, m, n, k, C> &c, bool satf = false, PORTABLE_CUDA_HERE_)
{
    using namespace portable_cuda::matrices;
    typedef typename element<T>::sum Sum;
    typedef typename element<T>::stored Stored;
    static_assert(std::is_same<Sum, typename element<D>::sum>::value &&
                      std::is_same<Sum, typename element<C>::sum>::value,
                  "mma_sync: an accumulator of half or float belongs to factors in floating point, "
                  "of int to integers, of double to doubles");
    static_assert(!std::is_same<T, __nv_bfloat16>::value || std::is_same<D, float>::value,
                  "mma_sync: products of bfloat16 have accumulators of float");
    /* The first lane keeps a list of all shares. */
    shares mine, *const all = portable_cuda::exchange(PORTABLE_EXCHANGE_SHUFFLE_, 0xffffffffu, 32,
                                                      &mine, 0, "mma_sync", file, line);
    const unsigned lane = portable_cuda::lane_number();
    all->a[lane] = a.x;
    all->b[lane] = b.x;
    meet("mma_sync", file, line);
    Sum sums[fragment<accumulator, m, n, k, D>::num_elements];
    for (int e = 0; e < d.num_elements; e++) {
        const int place = (int)lane * d.num_elements + e, row = place / n, column = place % n;
        Sum sum = (Sum)number(c.x[e]);
        for (int l = 0; l < k; l++) {
            const int in_a = row * k + l, in_b = l * n + column;
            sum += (Sum)factor<T>(static_cast<const Stored *>(
                       all->a[in_a / a.num_elements])[in_a % a.num_elements]) *
                   (Sum)factor<T>(static_cast<const Stored *>(
                       all->b[in_b / b.num_elements])[in_b % b.num_elements]);
        }
        if (satf && std::is_same<D, int>::value)
            sum = sum > (Sum)2147483647      ? (Sum)2147483647
                  : sum < (Sum)-2147483648ll ? (Sum)-2147483648ll
                                             : sum;
        sums[e] = sum;
    }
    /* Until all have read: the next statement may change a or b. */
    meet("mma_sync", file, line);
    for (int e = 0; e < d.num_elements; e++)
        if constexpr (std::is_same<D, __half>::value)
            d.x[e] = rounded<__half>(sums[e]);
        else
            d.x[e] = (D)sums[e];
}

namespace experimental
{
template <class... Arguments> static inline void bmma_sync(Arguments &&...)
{
    static_assert(sizeof...(Arguments) > 1000,
                  "bmma_sync: portable-nvcc does not have matrices of bits");
}
} // namespace experimental
} // namespace wmma
} // namespace nvcuda

#endif

#endif
