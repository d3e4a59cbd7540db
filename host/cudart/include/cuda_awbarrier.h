/* SPDX-License-Identifier: BSD-3-Clause */
/* nvcuda::experimental::awbarrier. */
#ifndef PORTABLE_CUDA_AWBARRIER_H
#define PORTABLE_CUDA_AWBARRIER_H

#include "cuda_awbarrier_primitives.h"

namespace nvcuda
{
namespace experimental
{
class awbarrier
{
  public:
    class arrival_token
    {
      public:
        arrival_token() = default;
        std::uint32_t pending_count() const
        {
            return __mbarrier_token_pending_count(token_);
        }

      private:
        friend class awbarrier;
        explicit arrival_token(__mbarrier_token_t token) : token_(token)
        {
        }
        __mbarrier_token_t token_;
    };
    awbarrier() = default;
    awbarrier(const awbarrier &) = delete;
    awbarrier &operator=(const awbarrier &) = delete;
    arrival_token arrive(PORTABLE_CUDA_HERE_)
    {
        return arrival_token(__mbarrier_arrive(&barrier_, file, line));
    }
    arrival_token arrive_and_drop(PORTABLE_CUDA_HERE_)
    {
        return arrival_token(__mbarrier_arrive_and_drop(&barrier_, file, line));
    }
    void wait(arrival_token token, PORTABLE_CUDA_HERE_)
    {
        portable_cuda::phases::wait(portable_cuda::phases::word_of(&barrier_), token.token_,
                                    "awbarrier.wait", file, line);
    }
    void arrive_and_wait(PORTABLE_CUDA_HERE_)
    {
        wait(arrive(file, line), file, line);
    }
    bool timed_wait(arrival_token token, std::uint32_t, PORTABLE_CUDA_HERE_)
    {
        return __mbarrier_try_wait(&barrier_, token.token_, 0, file, line);
    }
    bool timed_wait_parity(bool phase, std::uint32_t, PORTABLE_CUDA_HERE_)
    {
        return __mbarrier_try_wait_parity(&barrier_, phase, 0, file, line);
    }
    bool try_wait(arrival_token token, std::uint32_t, PORTABLE_CUDA_HERE_)
    {
        return __mbarrier_try_wait(&barrier_, token.token_, 0, file, line);
    }
    bool try_wait_parity(bool phase, std::uint32_t, PORTABLE_CUDA_HERE_)
    {
        return __mbarrier_try_wait_parity(&barrier_, phase, 0, file, line);
    }
    static constexpr std::uint32_t max()
    {
        return (1u << 20) - 1;
    }
    friend void init(awbarrier *barrier, std::uint32_t expected)
    {
        __mbarrier_init(&barrier->barrier_, expected);
    }
    friend void inval(awbarrier *barrier)
    {
        __mbarrier_inval(&barrier->barrier_);
    }

  private:
    __mbarrier_t barrier_;
};
} // namespace experimental
} // namespace nvcuda

#endif
