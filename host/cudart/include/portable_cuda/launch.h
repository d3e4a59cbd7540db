/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the translated source of a kernel and of its launch calls: host/nvcc/translate.c writes the
 * calls.
 *
 * A call of a kernel is a launch, and its body a lambda, whose first parameters are the thread's
 * indices. The runtime copies the arguments to a stack, as it does with those of a C kernel, and
 * run_block calls the lambda for one thread after another. For debuggers and checks each thread has
 * a stack, on which run_thread calls it.
 */
#ifndef PORTABLE_CUDA_LAUNCH_H
#define PORTABLE_CUDA_LAUNCH_H

#include <type_traits>
#include <utility> /* index_sequence */

#include "../device_launch_parameters.h"
#include "../driver_types.h"
#include "../vector_types.h"

extern "C" {
#include "../../protocol.h"

/* The device's: that of -arch, so that the program finds what it was compiled for, or 7.5. */
__attribute__((weak, visibility("default"))) int portable_cuda_capability_ =
    __CUDA_ARCH__ > 750 ? __CUDA_ARCH__ / 10 : 75;
}

/* A plugin of this clang splits kernels. */
#if defined(PORTABLE_SPLIT_) && defined(__clang__)
#define PORTABLE_CUDA_SPLIT_ (PORTABLE_SPLIT_ == __clang_major__)
#else
#define PORTABLE_CUDA_SPLIT_ 0
#endif

namespace portable_cuda
{
static inline void configure(dim3 grid, dim3 block, size_t shared_bytes = 0,
                             cudaStream_t stream = 0)
{
    portable_cuda_configure_(&grid, &block, shared_bytes, stream);
}

/* Whether a kernel runs, in a function for both the host and the device. */
constexpr static inline bool in_kernel()
{
    return !__builtin_is_constant_evaluated() && emulate_running;
}

/* Stands for a parameter without a name, which nothing reads. */
static const struct unnamed_parameter {
} unnamed;

/* __restrict__ promises nothing here. */
template <class T> struct unrestricted {
    using type = T;
};
template <class T> struct unrestricted<T *__restrict__> {
    using type = T *;
};
template <class T> struct unrestricted<T *const __restrict__> {
    using type = T *const;
};

/* What the body's parameter is for one of type T of the kernel. CUDA copies arguments to the device
 * bit by bit, so what has a constructor for copies is not copied again. */
template <class T>
constexpr bool is_copied =
    std::is_trivially_copy_constructible_v<T> &&std::is_trivially_destructible_v<T>;
template <class T>
using local =
    std::conditional_t<std::is_reference_v<T> || is_copied<T>, typename unrestricted<T>::type, T &>;

/* An argument: its bytes, or the address of what a reference refers to. */
template <size_t, class T> struct argument {
    using stored = std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<T>, T>;
    alignas(stored) unsigned char bytes[sizeof(stored)];

    void take(const void *from)
    {
        __builtin_memcpy(bytes, from, sizeof bytes);
    }
    template <class Parameter> void take_parameter(Parameter &parameter)
    {
        auto *const address = __builtin_addressof(parameter);
        if constexpr (std::is_reference_v<T>)
            take(&address);
        else
            take((const void *)address);
    }
    decltype(auto) value()
    {
        stored &object = *reinterpret_cast<stored *>(bytes);
        if constexpr (std::is_reference_v<T>)
            return static_cast<T>(*object);
        else
            return static_cast<std::conditional_t<is_copied<T>, const T &, T &>>(object);
    }
};
struct alignas(16) aligned_as_stack {
};
template <class Indices, class... T> struct argument_list;
template <size_t... Index, class... T>
struct argument_list<std::index_sequence<Index...>, T...> : aligned_as_stack,
                                                            argument<Index, T>... {
    static constexpr bool are_copied = ((std::is_reference_v<T> || is_copied<T>)&&...);

    void take([[maybe_unused]] void **from)
    {
        (argument<Index, T>::take(from[Index]), ...);
    }
    template <class... Parameter> void take_parameters(Parameter &...parameters)
    {
        (argument<Index, T>::take_parameter(parameters), ...);
    }
    template <class Body>
    __attribute__((always_inline)) void give(const Body &body, const uint3 &thread,
                                             const uint3 &block, const dim3 &of_block,
                                             const dim3 &of_grid)
    {
        body(thread, block, of_block, of_grid, argument<Index, T>::value()...);
    }
};

/* They travel as bytes, and are aligned by the thread, if to more than a stack is. */
template <size_t Bytes> struct alignas(16) bits {
    unsigned char bytes[Bytes];
};

#if defined(PORTABLE_CONTRACT_) && !defined(__clang__)
#define PORTABLE_THREAD_CODE_ __attribute__((noinline, flatten, optimize("fp-contract=fast")))
#elif defined(PORTABLE_FLATTEN_) && PORTABLE_FLATTEN_ /* with all functions that a kernel calls */
#define PORTABLE_THREAD_CODE_ __attribute__((noinline, flatten))
#else
#define PORTABLE_THREAD_CODE_ __attribute__((noinline))
#endif
/* Calls the body for a thread, which may change the arguments that it was given. */
template <class Body, class Arguments>
__attribute__((always_inline)) static inline void
call_body(bits<sizeof(Arguments)> &given, const uint3 &thread, const uint3 &block,
          const dim3 &of_block, const dim3 &of_grid)
{
    const unsigned char body[sizeof(Body)] = {0}; /* it has no members */
    const Body &lambda = *reinterpret_cast<const Body *>(body);
    if constexpr (alignof(Arguments) > alignof(bits<1>) || !Arguments::are_copied) {
        Arguments arguments;
        __builtin_memcpy(&arguments, &given, sizeof arguments);
        arguments.give(lambda, thread, block, of_block, of_grid);
    } else {
        reinterpret_cast<Arguments *>(given.bytes)->give(lambda, thread, block, of_block, of_grid);
    }
}

#if defined(PORTABLE_LOOPS_)
/* Sets the running thread. No access of memory moves across, so that a fault is its thread's. */
__attribute__((always_inline)) static inline void begin_thread(unsigned x)
{
    __asm__ volatile("" : : : "memory");
    threadIdx.x = x;
    portable_emulate_patience_ = PORTABLE_FIRST_PATIENCE_;
    __asm__ volatile("" : : : "memory");
}

#if PORTABLE_CUDA_SPLIT_
/* Runs one thread of a block: host/nvcc/split makes loops over all threads of this. */
template <class Body, class Arguments>
PORTABLE_THREAD_CODE_ void run_one(bits<sizeof(Arguments)> &given, unsigned x, unsigned y,
                                   unsigned z, unsigned block_x, unsigned block_y, unsigned block_z,
                                   unsigned of_block_x, unsigned of_block_y, unsigned of_block_z,
                                   unsigned of_grid_x, unsigned of_grid_y, unsigned of_grid_z)
{
    call_body<Body, Arguments>(given, uint3{x, y, z}, uint3{block_x, block_y, block_z},
                               dim3(of_block_x, of_block_y, of_block_z),
                               dim3(of_grid_x, of_grid_y, of_grid_z));
}
/* Replaced there: the bytes that the loops need for what threads keep, plus 1, or 0 if there are no
 * loops; and a call of the loops, which returns 0 if they cannot run a block of that shape. */
extern "C" size_t portable_emulate_splits_(const void *one) noexcept;
extern "C" int portable_emulate_split_(const void *one, void *given, char *arena, unsigned,
                                       unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                       unsigned, unsigned) noexcept;

/* Runs the whole block in loops over its threads. Returns false if there are none. */
template <class Body, class Arguments>
__attribute__((always_inline)) static inline bool run_split(bits<sizeof(Arguments)> &given)
{
    const auto one = reinterpret_cast<const void *>(&run_one<Body, Arguments>);
    const size_t needs = portable_emulate_splits_(one);
    if (needs == 0 || !portable_thread_loop_.may_split)
        return false;
    portable_thread_loop_.is_split = 1;
    char *const arena = needs <= portable_thread_loop_.arena_bytes ? portable_thread_loop_.arena
                                                                   : portable_emulate_arena_(needs);
    const int ran = portable_emulate_split_(one, given.bytes, arena, blockIdx.x, blockIdx.y,
                                            blockIdx.z, blockDim.x, blockDim.y, blockDim.z,
                                            gridDim.x, gridDim.y, gridDim.z);
    portable_thread_loop_.is_split = 0;
    return ran;
}
#endif

/* Runs threads of a block, from threadIdx on: thread_loop.h. Returns false if the block goes on, or
 * may have ended, elsewhere. Not inlined: blockIdx is a constant only within a block. */
template <class Body, class Arguments>
PORTABLE_THREAD_CODE_ bool run_threads(bits<sizeof(Arguments)> &given)
{
#if PORTABLE_CUDA_SPLIT_
    if (run_split<Body, Arguments>(given))
        return true;
#endif
    const void *const stack = portable_thread_loop_.stack;
    const dim3 end(portable_thread_loop_.end[0], portable_thread_loop_.end[1],
                   portable_thread_loop_.end[2]);
    const dim3 of_block = blockDim, of_grid = gridDim;
    const uint3 block = blockIdx;
    uint3 thread = threadIdx;
    for (;;) {
        do {
            begin_thread(thread.x);
#if PORTABLE_CUDA_SPLIT_
            run_one<Body, Arguments>(given, thread.x, thread.y, thread.z, block.x, block.y, block.z,
                                     of_block.x, of_block.y, of_block.z, of_grid.x, of_grid.y,
                                     of_grid.z);
#else
            call_body<Body, Arguments>(given, thread, block, of_block, of_grid);
#endif
            if (__builtin_expect(portable_thread_loop_.stack != stack, 0))
                return false; /* the thread has waited: the others are on another stack */
        } while (++thread.x < end.x);
        thread.x = 0;
        if (++thread.y >= end.y) {
            thread.y = 0;
            if (++thread.z >= end.z)
                return true;
            threadIdx.z = thread.z;
        }
        threadIdx.y = thread.y;
    }
}

template <class Body, class Arguments>
__attribute__((noinline)) void run_block(bits<sizeof(Arguments)> given)
{
    while (run_threads<Body, Arguments>(given) && portable_emulate_next_block_()) {
    }
}
#else
template <class Body, class Arguments>
PORTABLE_THREAD_CODE_ void run_thread(bits<sizeof(Arguments)> given)
{
    call_body<Body, Arguments>(given, threadIdx, blockIdx, blockDim, gridDim);
}
#endif

/* Runs the launch that portable_cuda_begin_ opened. */
template <class Body, class Arguments>
__attribute__((no_sanitize("address"))) void run_launch(const void *arguments)
{
    bits<sizeof(Arguments)> copy;
    __builtin_memcpy(&copy, arguments, sizeof copy);
#if defined(PORTABLE_LOOPS_)
    const portable_function_ captures = portable_emulate_prepare_loop_(
        reinterpret_cast<portable_function_>(&run_block<Body, Arguments>), sizeof copy);
#else
    const portable_function_ captures = portable_emulate_prepare_(
        reinterpret_cast<portable_function_>(&run_thread<Body, Arguments>), sizeof copy);
#endif
    reinterpret_cast<void (*)(bits<sizeof(Arguments)>)>(captures)(copy);
}

/* One call of a kernel whose parameters are of these types. */
template <class... T> class call
{
  public:
    /* Notes that the function is a kernel, for cuModuleGetFunction. */
    __attribute__((always_inline)) call(const char *name, unsigned max_threads)
        : given_(portable_cuda_arguments_(layout)),
          action_(portable_cuda_begin_(name, max_threads, __CUDA_ARCH__ / 10))
    {
        __asm__ volatile("1:\t.pushsection .portable_kernels, \"a?\"\n\t"
                         ".long 1b - .\n\t.popsection");
    }
    /* Not if those of cudaLaunchKernel take their place, or if nothing runs. */
    bool has_arguments() const
    {
        return action_ != PORTABLE_CUDA_REFUSED_ && !given_;
    }
    template <class... Parameter> void take(Parameter &...parameters)
    {
        arguments_.take_parameters(parameters...);
    }
    template <class Body> void operator()(const Body &)
    {
        if (action_ == PORTABLE_CUDA_REFUSED_)
            return;
        if (given_)
            arguments_.take(given_);
        if (action_ == PORTABLE_CUDA_QUEUE_) {
            portable_cuda_child_(run_launch<Body, arguments>, &arguments_, sizeof arguments_);
        } else {
            run_launch<Body, arguments>(&arguments_);
            portable_cuda_end_();
        }
    }

  private:
    using arguments =
        argument_list<std::index_sequence_for<T...>, typename unrestricted<T>::type...>;
    /* Hidden: g++ would make it unique in the process, and a library that has it stays loaded. */
    /* clang-format off */
    __attribute__((visibility("hidden")))
    static constexpr struct portable_cuda_parameter_ layout[] = {
        {sizeof(typename argument<0, T>::stored), alignof(typename argument<0, T>::stored)}..., {0, 0}};
    /* clang-format on */
    void **given_;
    enum portable_cuda_action_ action_;
    arguments arguments_;
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
/* Where it is used as the lvalue that it is on CUDA; another variable of this name is itself. */
template <class T> T &dynamic_lvalue(T *const &array)
{
    return *array;
}
template <class T> T &dynamic_lvalue(dynamic_array<T> &array)
{
    return *static_cast<T *>(array);
}
template <class T> T &dynamic_lvalue(T &other)
{
    return other;
}

/* At each iteration of a loop that may wait for another thread: counts the thread's patience down,
 * and gives way at its end. In assembly, so that the checks do not take the count for an access of
 * the kernel, and that the compiler need not suppose that it changes the kernel's memory, except
 * where the thread does give way. */
__attribute__((always_inline)) static inline void polls_at(const char *file, int line)
{
#if defined(__x86_64__)
    __asm__ goto("movq portable_emulate_patience_@gottpoff(%%rip), %%r11\n\t"
                 "subl $1, %%fs:(%%r11)\n\tjs %l[gives_way]"
                 :
                 :
                 : "r11", "cc"
                 : gives_way);
#else
    __asm__ goto("adrp x16, :gottprel:portable_emulate_patience_\n\t"
                 "ldr x16, [x16, :gottprel_lo12:portable_emulate_patience_]\n\t"
                 "mrs x17, tpidr_el0\n\tadd x16, x16, x17\n\t"
                 "ldr w17, [x16]\n\tsubs w17, w17, #1\n\tstr w17, [x16]\n\tb.mi %l[gives_way]"
                 :
                 :
                 : "x16", "x17", "cc"
                 : gives_way);
#endif
    return;
gives_way:
    portable_emulate_poll_(file, line);
}
__attribute__((always_inline)) constexpr static inline void
polls(const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    if (!__builtin_is_constant_evaluated())
        polls_at(file, line);
}

/* A loop, and its iterations, for warps in lockstep. */
class loop
{
  public:
    loop(int line = __builtin_LINE())
    {
        portable_emulate_loop_(PORTABLE_LOOP_ENTER_, line);
    }
    ~loop()
    {
        portable_emulate_loop_(PORTABLE_LOOP_LEAVE_, 0);
    }
    bool once()
    {
        return !ran_++;
    }
    void next() const
    {
        portable_emulate_loop_(PORTABLE_LOOP_NEXT_, 0);
    }

  private:
    int ran_ = 0;
};

/* In place of an instruction of inline PTX that is not known. */
__attribute__((noreturn)) static inline void
unknown_ptx(const char *text, const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    portable_cuda_fail_(cudaErrorUnsupportedPtxVersion, text, file, line);
}
} // namespace portable_cuda

#endif
