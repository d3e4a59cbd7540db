/* SPDX-License-Identifier: BSD-3-Clause */
/* cuda::atomic and cuda::atomic_ref. One OS thread runs all threads, so every operation is plain;
 * the checks see an atomic of its scope, after a fence if its order releases. */
#ifndef PORTABLE_CUDA_ATOMIC_OBJECT_H
#define PORTABLE_CUDA_ATOMIC_OBJECT_H

#include "order.h"
#include "scopes.h"

namespace portable_cuda
{
/* What is added to a T: elements to a pointer. */
template <class T>
using step_of = ::std::conditional_t<::std::is_pointer<T>::value, ::std::ptrdiff_t, T>;

/* The operations, on the object that Self::portable_at_() points to. */
template <class Self, class T, cuda::thread_scope Scope> class atomic_operations
{
    static_assert(::std::is_trivially_copyable<T>::value,
                  "an atomic's type must be one that can be copied byte by byte");

  public:
    typedef T value_type;
    static constexpr bool is_always_lock_free = sizeof(T) <= 8;
    bool is_lock_free() const
    {
        return is_always_lock_free;
    }
    T load(cuda::memory_order = cuda::memory_order_seq_cst) const
    {
        T value;
        if (is_shared)
            begin_atomic(of_block ? block_scope : device_scope, at());
        copy(&value, at());
        end();
        portable_emulate_spin_(at());
        return value;
    }
    operator T() const
    {
        return load();
    }
    void store(T value, cuda::memory_order order = cuda::memory_order_seq_cst) const
    {
        release(order);
        begin();
        tell(portable_operation_exchange_, at(), value, value);
        copy(at(), &value);
        end();
    }
    T exchange(T value, cuda::memory_order order = cuda::memory_order_seq_cst) const
    {
        return update(
            portable_operation_exchange_, value, [&](T) { return value; }, order);
    }
    bool compare_exchange_strong(T &expected, T value, cuda::memory_order order,
                                 cuda::memory_order) const
    {
        return compare_exchange_strong(expected, value, order);
    }
    bool compare_exchange_strong(T &expected, T value,
                                 cuda::memory_order order = cuda::memory_order_seq_cst) const
    {
        T old, comparand;
        copy(&comparand, &expected);
        begin();
        copy(&old, at());
        tell(portable_operation_cas_, at(), old, old);
        const bool same = __builtin_memcmp(&old, &comparand, sizeof(T)) == 0;
        if (same) {
            release(order);
            copy(at(), &value);
        }
        end();
        if (!same) {
            copy(&expected, &old);
            portable_emulate_spin_(at());
        }
        return same;
    }
    bool compare_exchange_weak(T &expected, T value, cuda::memory_order order,
                               cuda::memory_order) const
    {
        return compare_exchange_strong(expected, value, order);
    }
    bool compare_exchange_weak(T &expected, T value,
                               cuda::memory_order order = cuda::memory_order_seq_cst) const
    {
        return compare_exchange_strong(expected, value, order);
    }
    /* Waits while the object has the value. */
    void wait(T old, cuda::memory_order = cuda::memory_order_seq_cst, PORTABLE_CUDA_HERE_) const
    {
        for (;;) {
            const T value = load();
            if (__builtin_memcmp(&value, &old, sizeof(T)) != 0)
                return;
            portable_emulate_wait_(nullptr, 0, "wait", file, line);
        }
    }
    void notify_one() const
    {
    }
    void notify_all() const
    {
    }
#define PORTABLE_CUDA_FETCH_(name, does, operand_type, expression)                                 \
    template <class Value = T>                                                                     \
    T name(operand_type by, cuda::memory_order order = cuda::memory_order_seq_cst) const           \
    {                                                                                              \
        return update(                                                                             \
            portable_operation_##does##_, by,                                                      \
            [&](Value old) { return static_cast<T>(expression); }, order);                         \
    }
    PORTABLE_CUDA_FETCH_(fetch_add, add, step_of<Value>, old + by)
    PORTABLE_CUDA_FETCH_(fetch_sub, sub, step_of<Value>, old - by)
    PORTABLE_CUDA_FETCH_(fetch_and, bit_and, Value, old &by)
    PORTABLE_CUDA_FETCH_(fetch_or, bit_or, Value, old | by)
    PORTABLE_CUDA_FETCH_(fetch_xor, bit_xor, Value, old ^ by)
    PORTABLE_CUDA_FETCH_(fetch_min, min, Value, by < old ? by : old)
    PORTABLE_CUDA_FETCH_(fetch_max, max, Value, old < by ? by : old)
#undef PORTABLE_CUDA_FETCH_
    T operator++() const
    {
        return static_cast<T>(fetch_add(1) + 1);
    }
    T operator++(int) const
    {
        return fetch_add(1);
    }
    T operator--() const
    {
        return static_cast<T>(fetch_sub(1) - 1);
    }
    T operator--(int) const
    {
        return fetch_sub(1);
    }
    template <class Value = T> T operator+=(step_of<Value> by) const
    {
        return static_cast<T>(fetch_add(by) + by);
    }
    template <class Value = T> T operator-=(step_of<Value> by) const
    {
        return static_cast<T>(fetch_sub(by) - by);
    }
    template <class Value = T> T operator&=(Value by) const
    {
        return static_cast<T>(fetch_and(by) & by);
    }
    template <class Value = T> T operator|=(Value by) const
    {
        return static_cast<T>(fetch_or(by) | by);
    }
    template <class Value = T> T operator^=(Value by) const
    {
        return static_cast<T>(fetch_xor(by) ^ by);
    }

  private:
    T *at() const
    {
        return static_cast<const Self *>(this)->portable_at_();
    }
    /* Of one thread: not atomic for any other. */
    static constexpr bool is_shared = Scope != cuda::thread_scope_thread;
    static constexpr bool of_block = Scope == cuda::thread_scope_block;
    static void release(cuda::memory_order order)
    {
        if (is_shared && cuda::portable_releases_(order))
            portable_emulate_fence_(of_block);
    }
    void begin() const
    {
        if (is_shared)
            begin_told_atomic(of_block ? block_scope : device_scope, at());
    }
    static void end()
    {
        end_atomic();
    }
    static void copy(void *to, const void *from)
    {
        __builtin_memcpy(to, from, sizeof(T));
    }
    /* A pointer is told as nothing, and so is one to which elements are added. */
    template <class By, class Change>
    T update(portable_operation_ does, By by, Change change, cuda::memory_order order) const
    {
        T old;
        release(order);
        begin();
        copy(&old, at());
        const T value = change(old);
        const unsigned number = tell_by(does, by, old);
        copy(at(), &value);
        end();
        if (!is_floating(at()) && __builtin_memcmp(&old, &value, sizeof(T)) == 0)
            portable_emulate_spin_(at());
        return result(old, number);
    }
    unsigned tell_by(int does, T by, T old) const
    {
        return tell(does, at(), by, old);
    }
    template <class By> unsigned tell_by(int, By, T old) const
    {
        return tell(portable_operation_other_, at(), old, old);
    }
};
} // namespace portable_cuda

namespace cuda
{
template <class T, thread_scope Scope = thread_scope_system>
class alignas(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0 ? sizeof(T) : alignof(T)) atomic
    : public portable_cuda::atomic_operations<atomic<T, Scope>, T, Scope>
{
  public:
    atomic() = default;
    constexpr atomic(T value) : value_(value)
    {
    }
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    T operator=(T value)
    {
        this->store(value);
        return value;
    }
    T *portable_at_() const
    {
        return const_cast<T *>(&value_);
    }

  private:
    T value_;
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public portable_cuda::atomic_operations<atomic_ref<T, Scope>, T, Scope>
{
  public:
    static constexpr ::std::size_t required_alignment = sizeof(T);
    explicit atomic_ref(T &object) : at_(&object)
    {
    }
    atomic_ref(const atomic_ref &) = default;
    atomic_ref &operator=(const atomic_ref &) = delete;
    T operator=(T value) const
    {
        this->store(value);
        return value;
    }
    T *portable_at_() const
    {
        return at_;
    }

  private:
    T *at_;
};

/* A flag. */
template <thread_scope Scope> class portable_flag_
{
  public:
    portable_flag_() = default;
    constexpr portable_flag_(int set) : set_(set)
    {
    }
    bool test_and_set(memory_order order = memory_order_seq_cst)
    {
        return atomic_ref<int, Scope>(set_).exchange(1, order) != 0;
    }
    bool test(memory_order = memory_order_seq_cst) const
    {
        return atomic_ref<int, Scope>(const_cast<int &>(set_)).load() != 0;
    }
    void clear(memory_order order = memory_order_seq_cst)
    {
        atomic_ref<int, Scope>(set_).store(0, order);
    }

  private:
    int set_;
};
typedef portable_flag_<thread_scope_system> atomic_flag;

static inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system)
{
    if (scope != thread_scope_thread && portable_releases_(order))
        portable_emulate_fence_(scope == thread_scope_block);
}
static inline void atomic_signal_fence(memory_order)
{
}

namespace std
{
template <class T> using atomic = ::cuda::atomic<T>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T>;
using ::cuda::atomic_flag;
static inline void atomic_thread_fence(memory_order order)
{
    ::cuda::atomic_thread_fence(order);
}
} // namespace std
} // namespace cuda

#endif
