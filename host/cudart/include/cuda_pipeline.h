/* SPDX-License-Identifier: BSD-3-Clause */
/* nvcuda::experimental::pipeline: copies by one thread, which are done at once. */
#ifndef PORTABLE_CUDA_PIPELINE_H
#define PORTABLE_CUDA_PIPELINE_H

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

namespace nvcuda
{
namespace experimental
{
class pipeline
{
  public:
    pipeline() = default;
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;
    size_t commit()
    {
        return batch_++;
    }
    void commit_and_wait()
    {
        commit();
    }
    void wait(size_t)
    {
    }
    template <unsigned Prior> void wait_prior()
    {
    }
    template <class Barrier> void arrive_on(Barrier &)
    {
    }

  private:
    size_t batch_ = 0;
};

template <size_t N, class T> inline auto segment(T *pointer) -> T (*)[N]
{
    return reinterpret_cast<T(*)[N]>(pointer);
}
template <class T> inline void memcpy_async(T &to, const T &from, pipeline &)
{
    to = from;
}
/* Elements that the source does not have are zero. */
template <class T, size_t ToN, size_t FromN>
inline void memcpy_async(T (*to)[ToN], const T (*from)[FromN], pipeline &)
{
    for (size_t k = 0; k < ToN; k++)
        (*to)[k] = k < FromN ? (*from)[k] : T();
}
} // namespace experimental
} // namespace nvcuda

#endif
