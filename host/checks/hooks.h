/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that code compiled with -fsanitize=thread calls, under gcc 12 or clang 14 and
 * later, and the wrappers that --wrap=memcpy,memmove,memset puts around libc's: together they see
 * every memory access of a kernel. racecheck.c and initcheck.c include this file once, at the end,
 * and define before it
 *
 *     on_read(address, bytes, caller), on_write(address, bytes, caller)
 *     on_atomic(address, bytes, writes, caller)
 *
 * These are inlined, so that code that depends only on the size costs nothing. They are called
 * before the access, also in host code: emulate_running tells the two apart. A hook for a read and
 * a write calls two of them. `caller` is the return address in the kernel, which identifies its
 * line.
 *
 * For an atomic operation on_atomic is called for the read before it, and for the write after it:
 * only then is it known whether there was one.
 */
#include <stddef.h> /* size_t */
#include <stdint.h> /* uint32_t */

#define CALLER __builtin_return_address(0)

/* 1: memcpy and the like are seen in host code, too. */
#if !defined(HOOKS_SEE_HOST)
#define HOOKS_SEE_HOST 0
#endif

#define DEFINE_HOOK(name, bytes, on_access)                                                        \
    void name(const void *address);                                                                \
    void name(const void *address)                                                                 \
    {                                                                                              \
        on_access((const char *)address, bytes, CALLER);                                           \
    }
#define DEFINE_HOOK_PC(name, bytes, on_access)                                                     \
    void name(const void *address, const void *caller);                                            \
    void name(const void *address, const void *caller)                                             \
    {                                                                                              \
        on_access((const char *)address, bytes, caller);                                           \
    }
#define DEFINE_TWO_HOOKS(name, bytes)                                                              \
    void name(const void *address);                                                                \
    void name(const void *address)                                                                 \
    {                                                                                              \
        on_read((const char *)address, bytes, CALLER);                                             \
        on_write((const char *)address, bytes, CALLER);                                            \
    }
#define DEFINE_HOOKS(bytes)                                                                        \
    DEFINE_HOOK(__tsan_read##bytes, bytes, on_read)                                                \
    DEFINE_HOOK(__tsan_write##bytes, bytes, on_write)                                              \
    DEFINE_HOOK_PC(__tsan_read##bytes##_pc, bytes, on_read)                                        \
    DEFINE_HOOK_PC(__tsan_write##bytes##_pc, bytes, on_write)                                      \
    DEFINE_TWO_HOOKS(__tsan_read_write##bytes, bytes)                                              \
    DEFINE_HOOK(__tsan_volatile_read##bytes, bytes, on_read)                                       \
    DEFINE_HOOK(__tsan_volatile_write##bytes, bytes, on_write)
#define DEFINE_UNALIGNED_HOOKS(bytes)                                                              \
    DEFINE_HOOK(__tsan_unaligned_read##bytes, bytes, on_read)                                      \
    DEFINE_HOOK(__tsan_unaligned_write##bytes, bytes, on_write)                                    \
    DEFINE_TWO_HOOKS(__tsan_unaligned_read_write##bytes, bytes)                                    \
    DEFINE_HOOK(__tsan_unaligned_volatile_read##bytes, bytes, on_read)                             \
    DEFINE_HOOK(__tsan_unaligned_volatile_write##bytes, bytes, on_write)

DEFINE_HOOKS(1)
DEFINE_HOOKS(2)
DEFINE_HOOKS(4)
DEFINE_HOOKS(8)
DEFINE_HOOKS(16)
DEFINE_UNALIGNED_HOOKS(2)
DEFINE_UNALIGNED_HOOKS(4)
DEFINE_UNALIGNED_HOOKS(8)
DEFINE_UNALIGNED_HOOKS(16)

/* Kernels have no C++ objects with virtual functions; host code may. */
void __tsan_vptr_read(const void *address);
void __tsan_vptr_read(const void *address)
{
    on_read((const char *)address, sizeof(void *), CALLER);
}

void __tsan_vptr_update(const void *address, const void *value);
void __tsan_vptr_update(const void *address, const void *value)
{
    if (*(const void *const *)address != value) /* a constructor may store the same value */
        on_write((const char *)address, sizeof(void *), CALLER);
}

void __tsan_read_range(const void *address, size_t bytes);
void __tsan_read_range(const void *address, size_t bytes)
{
    on_read((const char *)address, bytes, CALLER);
}

void __tsan_write_range(const void *address, size_t bytes);
void __tsan_write_range(const void *address, size_t bytes)
{
    on_write((const char *)address, bytes, CALLER);
}

#define DEFINE_NOTHING(name, parameter)                                                            \
    void name(parameter);                                                                          \
    void name(parameter)                                                                           \
    {                                                                                              \
    }

DEFINE_NOTHING(__tsan_init, void)
DEFINE_NOTHING(__tsan_func_exit, void)
DEFINE_NOTHING(__tsan_ignore_thread_begin, void)
DEFINE_NOTHING(__tsan_ignore_thread_end, void)

void __tsan_func_entry(const void *caller);
void __tsan_func_entry(const void *caller)
{
    (void)caller;
}

/* ---------------------------------------------------------------------------------------------
 * Calls of memcpy, memmove and memset: the kernel's, or the compiler's copies of structures
 * ------------------------------------------------------------------------------------------- */

void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__real_memmove(void *to, const void *from, size_t bytes);
void *__real_memset(void *to, int byte, size_t bytes);

#define DEFINE_COPY(name, real)                                                                    \
    void *name(void *to, const void *from, size_t bytes);                                          \
    void *name(void *to, const void *from, size_t bytes)                                           \
    {                                                                                              \
        if (HOOKS_SEE_HOST || emulate_running) {                                                   \
            on_read((const char *)from, bytes, CALLER);                                            \
            on_write((const char *)to, bytes, CALLER);                                             \
        }                                                                                          \
        return real(to, from, bytes);                                                              \
    }
#define DEFINE_FILL(name, real)                                                                    \
    void *name(void *to, int byte, size_t bytes);                                                  \
    void *name(void *to, int byte, size_t bytes)                                                   \
    {                                                                                              \
        if (HOOKS_SEE_HOST || emulate_running)                                                     \
            on_write((const char *)to, bytes, CALLER);                                             \
        return real(to, byte, bytes);                                                              \
    }

DEFINE_COPY(__wrap_memcpy, __real_memcpy)
DEFINE_COPY(__wrap_memmove, __real_memmove)
DEFINE_FILL(__wrap_memset, __real_memset)
DEFINE_COPY(__tsan_memcpy, __real_memcpy)
DEFINE_COPY(__tsan_memmove, __real_memmove)
DEFINE_FILL(__tsan_memset, __real_memset)

/* ---------------------------------------------------------------------------------------------
 * C11 atomics and the compilers' own, compiled into calls of these functions
 * ------------------------------------------------------------------------------------------- */

/* All operations are sequentially consistent, whatever order the program asks for. */
#define DEFINE_UPDATE(bits, type, operation, builtin)                                              \
    type __tsan_atomic##bits##_##operation(volatile type *address, type value, int order);         \
    type __tsan_atomic##bits##_##operation(volatile type *address, type value, int order)          \
    {                                                                                              \
        type before;                                                                               \
                                                                                                   \
        (void)order;                                                                               \
        on_atomic((const char *)address, sizeof(type), 0, CALLER);                                 \
        before = builtin(address, value, __ATOMIC_SEQ_CST);                                        \
        on_atomic((const char *)address, sizeof(type), 1, CALLER);                                 \
        return before;                                                                             \
    }
#define DEFINE_CAS(bits, type, strength)                                                           \
    int __tsan_atomic##bits##_compare_exchange_##strength(                                         \
        volatile type *address, type *compare, type value, int order, int failed_order);           \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *address, type *compare,   \
                                                          type value, int order, int failed_order) \
    {                                                                                              \
        int done;                                                                                  \
                                                                                                   \
        (void)order;                                                                               \
        (void)failed_order;                                                                        \
        on_atomic((const char *)address, sizeof(type), 0, CALLER);                                 \
        done = compare_exchange_##bits(address, compare, value);                                   \
        if (done)                                                                                  \
            on_atomic((const char *)address, sizeof(type), 1, CALLER);                             \
        return done;                                                                               \
    }
#define DEFINE_ATOMICS(bits, type, load, store, swap, add, sub, and_, or_, xor_, nand_)            \
    type __tsan_atomic##bits##_load(const volatile type *address, int order);                      \
    type __tsan_atomic##bits##_load(const volatile type *address, int order)                       \
    {                                                                                              \
        (void)order;                                                                               \
        on_atomic((const char *)address, sizeof(type), 0, CALLER);                                 \
        return load(address, __ATOMIC_SEQ_CST);                                                    \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile type *address, type value, int order);               \
    void __tsan_atomic##bits##_store(volatile type *address, type value, int order)                \
    {                                                                                              \
        (void)order;                                                                               \
        on_atomic((const char *)address, sizeof(type), 1, CALLER);                                 \
        store(address, value, __ATOMIC_SEQ_CST);                                                   \
    }                                                                                              \
    DEFINE_UPDATE(bits, type, exchange, swap)                                                      \
    DEFINE_UPDATE(bits, type, fetch_add, add)                                                      \
    DEFINE_UPDATE(bits, type, fetch_sub, sub)                                                      \
    DEFINE_UPDATE(bits, type, fetch_and, and_)                                                     \
    DEFINE_UPDATE(bits, type, fetch_or, or_)                                                       \
    DEFINE_UPDATE(bits, type, fetch_xor, xor_)                                                     \
    DEFINE_UPDATE(bits, type, fetch_nand, nand_)                                                   \
    DEFINE_CAS(bits, type, strong)                                                                 \
    DEFINE_CAS(bits, type, weak)                                                                   \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *address, type compare,          \
                                                    type value, int order, int failed_order);      \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *address, type compare,          \
                                                    type value, int order, int failed_order)       \
    {                                                                                              \
        int done;                                                                                  \
                                                                                                   \
        (void)order;                                                                               \
        (void)failed_order;                                                                        \
        on_atomic((const char *)address, sizeof(type), 0, CALLER);                                 \
        done = compare_exchange_##bits(address, &compare, value);                                  \
        if (done)                                                                                  \
            on_atomic((const char *)address, sizeof(type), 1, CALLER);                             \
        return compare;                                                                            \
    }

#define compare_exchange_8 compare_exchange
#define compare_exchange_16 compare_exchange
#define compare_exchange_32 compare_exchange
#define compare_exchange_64 compare_exchange
#define compare_exchange(address, compare, value)                                                  \
    __atomic_compare_exchange_n(address, compare, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define DEFINE_BUILTIN_ATOMICS(bits, type)                                                         \
    DEFINE_ATOMICS(bits, type, __atomic_load_n, __atomic_store_n, __atomic_exchange_n,             \
                   __atomic_fetch_add, __atomic_fetch_sub, __atomic_fetch_and, __atomic_fetch_or,  \
                   __atomic_fetch_xor, __atomic_fetch_nand)

DEFINE_BUILTIN_ATOMICS(8, uint8_t)
DEFINE_BUILTIN_ATOMICS(16, uint16_t)
DEFINE_BUILTIN_ATOMICS(32, uint32_t)
DEFINE_BUILTIN_ATOMICS(64, uint64_t)

#ifdef __SIZEOF_INT128__
/* 16-byte atomics would need libatomic. A lock is enough, because all of the program's use it. */
__extension__ typedef unsigned __int128 wide;

static char wide_lock;

static void lock(void)
{
    while (__atomic_test_and_set(&wide_lock, __ATOMIC_ACQUIRE))
        continue;
}

static void unlock(void)
{
    __atomic_clear(&wide_lock, __ATOMIC_RELEASE);
}

#define DEFINE_WIDE(name, after)                                                                   \
    static wide name(volatile wide *address, wide value, int order)                                \
    {                                                                                              \
        wide before;                                                                               \
                                                                                                   \
        (void)order;                                                                               \
        lock();                                                                                    \
        before = *address;                                                                         \
        *address = after;                                                                          \
        unlock();                                                                                  \
        return before;                                                                             \
    }

DEFINE_WIDE(wide_exchange, value)
DEFINE_WIDE(wide_add, before + value)
DEFINE_WIDE(wide_sub, before - value)
DEFINE_WIDE(wide_and, before &value)
DEFINE_WIDE(wide_or, before | value)
DEFINE_WIDE(wide_xor, before ^ value)
DEFINE_WIDE(wide_nand, ~(before &value))

static wide wide_load(const volatile wide *address, int order)
{
    wide value;

    (void)order;
    lock();
    value = *address;
    unlock();
    return value;
}

static void wide_store(volatile wide *address, wide value, int order)
{
    wide_exchange(address, value, order);
}

static int compare_exchange_128(volatile wide *address, wide *compare, wide value)
{
    wide before;
    int done;

    lock();
    before = *address;
    done = before == *compare;
    if (done)
        *address = value;
    unlock();
    *compare = before;
    return done;
}

DEFINE_ATOMICS(128, wide, wide_load, wide_store, wide_exchange, wide_add, wide_sub, wide_and,
               wide_or, wide_xor, wide_nand)
#endif

/* Atomics order nothing, as relaxed ones on a GPU. */
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
