/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls between a program of the emulate target and its runtime: portable.h includes this in the
 * program, check.h in the runtime and the checks.
 *
 * name, file and line are of the call in the source. They identify the waiter in a deadlock report.
 */
#ifndef PORTABLE_HOST_EMULATE_PROTOCOL_H
#define PORTABLE_HOST_EMULATE_PROTOCOL_H

#include <stddef.h> /* size_t */

/* 1: several OS threads may run blocks, as in CUDA C++. What follows is of each of them. */
#if !defined(PORTABLE_WORKERS_)
#define PORTABLE_WORKERS_ 0
#endif
#if PORTABLE_WORKERS_
#define PORTABLE_OF_WORKER_(declaration)                                                           \
    __thread declaration __attribute__((tls_model("initial-exec")))
#else
#define PORTABLE_OF_WORKER_(declaration) declaration
#endif

/* Events of device memory. */
enum portable_memory_event_ {
    PORTABLE_MEMORY_NEW_,   /* allocated: uninitialised */
    PORTABLE_MEMORY_FREE_,  /* about to be freed */
    PORTABLE_MEMORY_READ_,  /* a copy is about to read it */
    PORTABLE_MEMORY_WRITE_, /* a copy is about to write it */
    PORTABLE_MEMORY_DONE_   /* the copy has ended */
};
void portable_emulate_memory_(enum portable_memory_event_ event, const void *memory, size_t bytes);
/* Names the array that the next allocation is for, as in the source. */
void portable_emulate_name_(const char *name);
/* The return address that reports name for what is allocated from now on, until NULL: that of the
 * test harness's function for an array. */
void portable_emulate_called_from_(const void *caller);

/* While this is 1 in a kernel, portable_emulate_order_ is to be called before the thread does what
 * other blocks or the host can see, except by plain accesses and atomics of its block. The address,
 * or NULL: of an atomic. */
extern PORTABLE_OF_WORKER_(int portable_emulate_unordered_);
/* Addresses for which it has been called and that need no order: an object in the block's shared
 * memory. */
extern PORTABLE_OF_WORKER_(const char *portable_emulate_own_);
extern PORTABLE_OF_WORKER_(size_t portable_emulate_own_bytes_);
__attribute__((cold)) void portable_emulate_order_(const void *address);
/* Before a function that has volatile accesses, by which blocks may communicate. */
__attribute__((cold)) void portable_emulate_order_volatile_(void);

/* All threads that wait together make the same call: a compiler must not copy one to where only
 * some of them come. */
#if defined(__clang__)
#define PORTABLE_CONVERGENT_ __attribute__((convergent))
#else
#define PORTABLE_CONVERGENT_
#endif

/* Waits for the other threads of the block, the lanes of the mask, the threads of the grid; the
 * second returns the number of threads that passed a predicate of 1. */
PORTABLE_CONVERGENT_ void portable_emulate_sync_threads_(const char *name, const char *file,
                                                         int line);
PORTABLE_CONVERGENT_ int portable_emulate_sync_count_(int predicate, const char *name,
                                                      const char *file, int line);
PORTABLE_CONVERGENT_ void portable_emulate_sync_warp_(unsigned mask, const char *name,
                                                      const char *file, int line);
PORTABLE_CONVERGENT_ void portable_emulate_sync_grid_(const char *name, const char *file, int line);

/* A warp operation: each lane passes a value and an operand, and gets a result. All lanes in the
 * mask that exist and have not ended must take part. A shuffle from an absent lane returns all
 * ones. */
enum portable_exchange_ {
    PORTABLE_EXCHANGE_SYNC_,
    PORTABLE_EXCHANGE_SHUFFLE_,
    PORTABLE_EXCHANGE_UP_,
    PORTABLE_EXCHANGE_DOWN_,
    PORTABLE_EXCHANGE_XOR_,
    PORTABLE_EXCHANGE_BALLOT_, /* the predicates as bits... */
    PORTABLE_EXCHANGE_LANES_   /* ...and the lanes that took part */
};
PORTABLE_CONVERGENT_ unsigned long long
portable_emulate_exchange_(enum portable_exchange_ kind, unsigned mask, unsigned width,
                           unsigned long long value, unsigned operand, const char *name,
                           const char *file, int line);

/* The lanes of the warp that are here together: those that wait at this call, in the same chain of
 * calls, when no thread of the block can go on without it. */
unsigned portable_emulate_active_(const char *name, const char *file, int line);

/* Waits for those of `count` threads of the block from the first that have not ended. Each passes
 * a pointer, which the others get by portable_emulate_passed_ until it waits again. */
void portable_emulate_sync_part_(unsigned first, unsigned count, const void *passed,
                                 const char *name, const char *file, int line);
const void *portable_emulate_passed_(unsigned thread);

/* Waits while *word is the value. With NULL: yields to other threads, until every thread that can
 * run has waited or ended. */
void portable_emulate_wait_(const unsigned long long *word, unsigned long long value,
                            const char *name, const char *file, int line);
/* The running thread's patience: how many more iterations it may make of loops that may wait for
 * another thread, which count it down. Below 0 the loop calls portable_emulate_poll_, which yields
 * as portable_emulate_wait_ does. */
extern PORTABLE_OF_WORKER_(int portable_emulate_patience_);
__attribute__((cold)) void portable_emulate_poll_(const char *file, int line);
/* The thread has accessed the address without effect, and may do so until another changes it:
 * after many times in a row its patience ends. */
void portable_emulate_spin_(const void *address);
/* The program was built for warps in lockstep. */
void portable_emulate_lockstep_(void);
/* The running thread is about to access the address, at the place in the code. */
void portable_emulate_step_(const void *address, const void *code);
/* For warps in lockstep: the thread enters a loop, begins an iteration, leaves the loop. */
enum portable_loop_ { PORTABLE_LOOP_ENTER_, PORTABLE_LOOP_NEXT_, PORTABLE_LOOP_LEAVE_ };
void portable_emulate_loop_(enum portable_loop_ event, int line);
/* The thread has read a clock. */
void portable_emulate_clock_(void);
/* All earlier accesses of the block come before all later ones: a barrier object's phase is
 * complete. */
void portable_emulate_phase_(void);

/* A fence of the thread's block, or of the device. */
void portable_emulate_fence_(int of_block);

/* A barrier of the block with a number from 0 to 15, which is passed when that many threads have
 * arrived. waits: or only arrives. */
void portable_emulate_sync_named_(unsigned number, unsigned threads, int waits, const char *name,
                                  const char *file, int line);
/* Ends the thread. */
void portable_emulate_exit_(void);

/* Whether the running launch is cooperative. */
int portable_emulate_cooperative_(void);

/* Asynchronous copies of the running thread. start keeps `bytes` bytes, at most 16, that are to
 * arrive at `to`, and declares what is there uninitialised; commit ends a group. While arrived
 * returns 1, it has taken out the oldest copy that is not of the last `groups` groups, which the
 * caller writes. */
struct portable_copy_ {
    void *to;
    unsigned bytes, group;
    unsigned char value[16];
};
void portable_emulate_copy_start_(void *to, const void *value, unsigned bytes);
void portable_emulate_copy_commit_(void);
int portable_emulate_copy_arrived_(unsigned groups, struct portable_copy_ *copy);

/* Around an atomic: 1, at device scope; 2, at block scope; 0, its end. 4 is added by one that does
 * not count for ordercheck, or that tells it what it does. */
void portable_emulate_atomic_(int access);
/* What an atomic does, and to which type; their sum describes it to ordercheck. */
enum portable_operation_ {
    portable_operation_other_,
    portable_operation_add_,
    portable_operation_sub_,
    portable_operation_min_,
    portable_operation_max_,
    portable_operation_exchange_,
    portable_operation_bit_and_,
    portable_operation_bit_or_,
    portable_operation_bit_xor_,
    portable_operation_inc_,
    portable_operation_dec_,
    portable_operation_cas_,
    portable_of_int_ = 1 << 4,
    portable_of_uint_ = 2 << 4,
    portable_of_ll_ = portable_of_int_,
    portable_of_ull_ = portable_of_uint_,
    portable_of_float_ = 3 << 4,
    portable_of_double_ = 4 << 4,
    portable_of_half_ = 5 << 4,
    portable_of_bfloat16_ = 6 << 4
};
/* Between the read and the write of an atomic: its description and operand; of floats, in `real`,
 * and the old value, too. Returns a number for portable_emulate_result_. */
unsigned portable_emulate_operation_(int does, const volatile void *address, unsigned bytes,
                                     unsigned long long integer, double real, double old_real);
/* Its old value. The call tells that the value is used: a compiler removes the call of a const
 * function when nothing depends on its value. */
#define PORTABLE_TELLS_OF_(type, suffix, integer, real, old_real)                                  \
    type portable_emulate_result_##suffix##_(type old, unsigned number)                            \
        __attribute__((const, nothrow));                                                           \
    static inline __attribute__((always_inline)) unsigned portable_tell_##suffix##_(               \
        int does, const volatile void *address, type value, type old)                              \
    {                                                                                              \
        (void)old;                                                                                 \
        return portable_emulate_operation_(does | portable_of_##suffix##_, address, sizeof value,  \
                                           integer, real, old_real);                               \
    }
PORTABLE_TELLS_OF_(int, int, (unsigned)value, 0, 0)
PORTABLE_TELLS_OF_(unsigned, uint, value, 0, 0)
PORTABLE_TELLS_OF_(long long, ll, (unsigned long long)value, 0, 0)
PORTABLE_TELLS_OF_(unsigned long long, ull, value, 0, 0)
PORTABLE_TELLS_OF_(float, float, 0, (double)value, (double)old)
PORTABLE_TELLS_OF_(double, double, 0, value, old)
#undef PORTABLE_TELLS_OF_
/* A host call has failed. */
void portable_emulate_failed_(int status, const char *message);

/* Ends the launch with a failure, from within a kernel; the sentence gets the thread before it. */
__attribute__((noreturn)) void portable_emulate_stop_(int status, const char *sentence);

/* Returns a function that is called as if it were the kernel: it keeps the arguments, as registers
 * and stack, and gives them to each thread. stack_bytes: at most what the arguments take there. */
typedef void (*portable_function_)(void);
portable_function_ portable_emulate_prepare_(portable_function_ kernel, size_t stack_bytes);
/* The kernel is a loop over threads: thread_loop.h. */
portable_function_ portable_emulate_prepare_loop_(portable_function_ kernel, size_t stack_bytes);

#endif
