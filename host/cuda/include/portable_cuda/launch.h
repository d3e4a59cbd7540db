/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the translated source of a kernel and of its launch calls: host/cuda/translate.c writes the
 * calls.
 *
 * A call of a kernel is a launch. Its body is a lambda that has copies of the arguments; the
 * runtime copies it to the stack of each thread, as it does with the arguments of a C kernel.
 */
#ifndef PORTABLE_CUDA_LAUNCH_H
#define PORTABLE_CUDA_LAUNCH_H

#include "../driver_types.h"
#include "../vector_types.h"

extern "C" {
#include "../../protocol.h"
}

namespace portable_cuda
{
static inline void configure(dim3 grid, dim3 block, size_t shared_bytes = 0,
                             cudaStream_t stream = 0)
{
    portable_cuda_configure_(&grid, &block, shared_bytes, stream);
}

/* Stands for a parameter without a name, which nothing reads. */
static const struct unnamed_parameter {
} unnamed;

/* A body as bytes: copied bit by bit, as CUDA copies arguments to the device. */
template <class Body> struct bits {
    alignas(alignof(Body) < 16 ? 16 : alignof(Body)) unsigned char bytes[sizeof(Body)];
};

#if defined(PORTABLE_FLATTEN_) && PORTABLE_FLATTEN_ /* with all functions that a kernel calls */
#define PORTABLE_THREAD_CODE_ __attribute__((noinline, flatten))
#else
#define PORTABLE_THREAD_CODE_ __attribute__((noinline))
#endif
template <class Body> PORTABLE_THREAD_CODE_ void run_thread(bits<Body> body)
{
    (*reinterpret_cast<Body *>(body.bytes))();
}

/* Runs the launch that portable_cuda_begin_ opened. */
template <class Body> __attribute__((no_sanitize("address"))) void run_launch(const void *body)
{
    static_assert(alignof(bits<Body>) <= 16,
                  "a kernel's arguments are aligned to 16 bytes at most");
    bits<Body> copy;
    __builtin_memcpy(&copy, body, sizeof copy.bytes);
    reinterpret_cast<void (*)(bits<Body>)>(portable_emulate_prepare_(
        reinterpret_cast<portable_function_>(&run_thread<Body>), sizeof copy))(copy);
}

/* One call of a kernel. */
class kernel
{
  public:
    kernel(const char *name, unsigned max_threads) : name_(name), max_threads_(max_threads)
    {
    }
    /* Takes the arguments of cudaLaunchKernel, in place of those that the call has. */
    template <class... Parameters> void load(Parameters &...parameters) const
    {
        if (void **const arguments = portable_cuda_arguments_()) {
            size_t index = 0;
            (load_one(arguments[index++], parameters), ...);
        }
    }
    template <class Body> void operator()(const Body &body) const
    {
        switch (portable_cuda_begin_(name_, max_threads_)) {
        case PORTABLE_CUDA_REFUSED_: break;
        case PORTABLE_CUDA_RUN_:
            run_launch<Body>(&body);
            portable_cuda_end_();
            break;
        case PORTABLE_CUDA_QUEUE_:
            portable_cuda_child_(run_launch<Body>, &body, sizeof body);
            break;
        }
    }

  private:
    template <class Parameter> static void load_one(const void *from, Parameter &parameter)
    {
        __builtin_memcpy(const_cast<void *>(static_cast<const volatile void *>(&parameter)), from,
                         sizeof parameter);
    }
    static void load_one(const void *, const unnamed_parameter &)
    {
    }
    const char *name_;
    unsigned max_threads_;
};

/* extern __shared__ T x[]: at block scope a pointer that this becomes, */
static const struct dynamic_shared_memory {
    template <class T> operator T *() const
    {
        return static_cast<T *>(const_cast<void *>(
            static_cast<const volatile void *>(portable_cuda_dynamic_shared_())));
    }
} dynamic_shared;
/* at namespace scope an object that becomes a pointer. */
template <class T> struct dynamic_array {
    operator T *() const
    {
        return static_cast<T *>(portable_cuda_dynamic_shared_());
    }
};

/* In place of inline PTX. */
__attribute__((noreturn)) static inline void
ptx(const char *text, const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    portable_cuda_fail_(cudaErrorUnsupportedPtxVersion, text, file, line);
}
} // namespace portable_cuda

#endif
