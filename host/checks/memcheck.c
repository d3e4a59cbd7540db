/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memcheck: accesses to memory that the program must not touch, with line, thread and the object
 * that was missed.
 *
 * The program is compiled for AddressSanitizer and UndefinedBehaviorSanitizer. This file adds what
 * they cannot know, and reports their findings in terms of kernels:
 *
 *     device memory is closed (poisoned) while host code runs, except in copies of portable.h;
 *     the host's heap and stack are closed while a kernel runs, except for portable.h's own
 *     objects; the gaps between SHARED and CONSTANT objects are always closed.
 *
 * Memory allocated while a kernel runs stays open, and so do the host's static objects, because
 * they include literals, and a kernel may print. Memory from portable_malloc_host belongs to the
 * host. An access that lands in the middle of another object goes unnoticed: red zones are 2048
 * bytes wide.
 *
 * The make rules link this file before the program's own (see GUARD), with --wrap for each
 * __asan_report_*_noabort. The sanitizers write their reports to a file in memory. Their
 * environment variables override our options; ASAN_OPTIONS=log_path=stderr also prints their
 * reports.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create, pthread_getattr_np, dladdr, REG_RIP */
#endif

#include "host/checks/findings.h"
#include "host/emulate/allocations.h"
#include "host/emulate/check.h"
#include "portable.h"

#if defined(__has_include)
#if !__has_include(<sanitizer/asan_interface.h>)
#error "memcheck needs the compiler's sanitizers (clang N on Debian: libclang-rt-N-dev)"
#endif
#endif

#include <ctype.h>    /* tolower */
#include <dlfcn.h>    /* dladdr, dlopen, dlsym */
#include <errno.h>    /* errno, EINVAL */
#include <execinfo.h> /* backtrace */
#include <fcntl.h>    /* open */
#include <malloc.h>   /* memalign */
#include <pthread.h>  /* pthread_getattr_np */
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#include <signal.h>   /* sigaction */
#include <stdint.h>   /* uintptr_t, uint64_t */
#include <stdio.h>    /* snprintf */
#include <stdlib.h>   /* getenv, on_exit, strtoull */
#include <string.h>   /* strcmp, strstr, strrchr, strsignal */
#include <sys/mman.h> /* mmap, memfd_create */
#include <ucontext.h> /* ucontext_t */
#include <unistd.h>   /* ftruncate, pread */

/* ===============================================================================================
 * The sanitizers' options: their environment variables override these
 * ============================================================================================== */

/* Of UBSan. */
void __ubsan_get_current_report_data(const char **kind, const char **message, const char **file,
                                     unsigned *line, unsigned *column, char **memory);

/* The sanitizers' hooks that module.c defines, too, and calls here. */
const char *portable_asan_options_(void);
const char *portable_ubsan_options_(void);
void portable_ubsan_reported_(void);
void *portable_aligned_alloc_(size_t alignment, size_t bytes);
void *portable_memalign_(size_t alignment, size_t bytes);

/* We handle signals (below), and choose when to look for leaks. The red zone is the allocator's
 * widest. We, not the sanitizer, report each place and object once. */
const char *portable_asan_options_(void)
{
    return "halt_on_error=0:suppress_equal_pcs=0:allow_addr2line=1:redzone=2048:max_redzone=2048:"
           "detect_leaks=1:leak_check_at_exit=0:detect_stack_use_after_return=0:"
           "allocator_may_return_null=1:malloc_context_size=8:verify_asan_link_order=0:"
           "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";
}

const char *portable_ubsan_options_(void)
{
    return "halt_on_error=0:"
           "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";
}

const char *__asan_default_options(void) __attribute__((alias("portable_asan_options_")));
const char *__ubsan_default_options(void) __attribute__((alias("portable_ubsan_options_")));

/* The file that the sanitizers write to; -1 if the user has chosen one. */
static int report_file = -1;

/* Gives a sanitizer's library a file. gcc has one library for each, and each has this function. */
static void report_to_file(const void *library_function, int file)
{
    typedef void set_report_fd(void *fd);
    union {
        void *symbol;
        set_report_fd *call;
    } set = {NULL};
    Dl_info info;

    if (file < 0)
        return;
    if (dladdr(library_function, &info) && info.dli_fname) {
        void *const library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD); /* it is loaded */
        if (library)
            set.symbol = dlsym(library, "__sanitizer_set_report_fd");
    }
    if (set.symbol)
        set.call((void *)(intptr_t)file);
    else
        __sanitizer_set_report_fd((void *)(intptr_t)file);
}

/* Whether the user has chosen a file for the reports of each. */
static int asan_has_log, ubsan_has_log;

static int has_log_path(const char *variable)
{
    const char *const options = getenv(variable);

    return options && strstr(options, "log_path");
}

/* A copy, because the libraries close the descriptor that they are given. */
static void asan_to_file(void)
{
    if (report_file >= 0)
        report_to_file((const void *)(uintptr_t)__asan_get_shadow_mapping,
                       fcntl(report_file, F_DUPFD_CLOEXEC, 0));
}

/* A separate UBSan library opens its own file with its first report, and closes the one that ASan
 * was given. Its output is not needed: __ubsan_get_current_report_data has the contents. */
static void ubsan_to_file(void)
{
    static int done;

    if (!done && !ubsan_has_log && !asan_has_log) {
        report_to_file((const void *)(uintptr_t)__ubsan_get_current_report_data,
                       open("/dev/null", O_WRONLY | O_CLOEXEC));
        asan_to_file();
    }
    done = 1;
}

static void forget_report(void)
{
    if (report_file >= 0 && ftruncate(report_file, 0) == 0)
        lseek(report_file, 0, SEEK_SET);
}

/* Our own memory, invisible to the sanitizers. NULL if there is none. */
static void *pages(size_t bytes)
{
    void *const memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* ===============================================================================================
 * Aligned memory as glibc gives it, where the sanitizer would give NULL: aligned_alloc of a size
 * that is no multiple of the alignment, and memalign with an alignment that is no power of two,
 * which it rounds up.
 * ============================================================================================== */

static void *aligned_memory(size_t alignment, size_t bytes)
{
    void *memory = NULL;
    const int error =
        posix_memalign(&memory, alignment < sizeof memory ? sizeof memory : alignment, bytes);
    if (error == 0)
        return memory;
    errno = error;
    return NULL;
}

void *portable_aligned_alloc_(size_t alignment, size_t bytes)
{
    if (alignment != 0 && (alignment & (alignment - 1)) == 0)
        return aligned_memory(alignment, bytes);
    errno = EINVAL;
    return NULL;
}

void *portable_memalign_(size_t alignment, size_t bytes)
{
    size_t power = 1;
    while (power < alignment && power <= SIZE_MAX / 2)
        power *= 2;
    return aligned_memory(power, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return portable_aligned_alloc_(alignment, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
    return portable_memalign_(alignment, bytes);
}

/* ===============================================================================================
 * The host's heap: every live block that was not allocated by a kernel
 * ============================================================================================== */

struct block {
    char *address; /* NULL: an empty slot */
    size_t bytes;
};

/* A hash table: a block is in the slot of its address, or in one of the next slots. */
static struct {
    struct block *slots;
    size_t count, capacity; /* a power of two */
    char lock;
} heap;

/* From sanitizer/allocator_interface.h, which gcc does not install. */
int __sanitizer_install_malloc_and_free_hooks(void (*made)(const volatile void *, size_t),
                                              void (*freed)(const volatile void *));

static size_t heap_slot(const volatile void *address)
{
    const uint64_t mixed = ((uint64_t)(uintptr_t)address >> 4) * 0x9E3779B97F4A7C15u;

    return (size_t)(mixed >> 20) & (heap.capacity - 1);
}

/* The slot with the address, or the empty one where it belongs. */
static size_t heap_find(const volatile void *address)
{
    size_t slot = heap_slot(address);

    while (heap.slots[slot].address && heap.slots[slot].address != (const volatile char *)address)
        slot = (slot + 1) & (heap.capacity - 1);
    return slot;
}

/* Doubles the table. Without memory for it, blocks are missed, which is no error. */
static void heap_grow(void)
{
    const size_t capacity = heap.capacity ? 2 * heap.capacity : 4096;
    struct block *const slots = (struct block *)pages(capacity * sizeof *slots);
    struct block *const old = heap.slots;
    const size_t old_capacity = heap.capacity;

    if (!slots)
        return;
    heap.slots = slots;
    heap.capacity = capacity;
    for (size_t k = 0; k < old_capacity; k++)
        if (old[k].address)
            heap.slots[heap_find(old[k].address)] = old[k];
    if (old)
        munmap(old, old_capacity * sizeof *old);
}

/* The size of the block that starts there; 0 if there is none. */
static size_t heap_bytes(const void *address)
{
    size_t bytes = 0;

    portable_lock_(&heap.lock);
    if (heap.count > 0)
        bytes = heap.slots[heap_find(address)].bytes;
    portable_unlock_(&heap.lock);
    return bytes;
}

static void heap_add(const volatile void *address, size_t bytes)
{
    if (!address || bytes == 0 || emulate.kernel || emulate_opens)
        return;
    portable_lock_(&heap.lock);
    if (2 * heap.count >= heap.capacity)
        heap_grow();
    if (heap.count + 1 < heap.capacity) {
        struct block *const block = &heap.slots[heap_find(address)];
        if (!block->address)
            heap.count++;
        block->address = (char *)(uintptr_t)address;
        block->bytes = bytes;
    }
    portable_unlock_(&heap.lock);
}

/* Removes a block that was freed, or that kernels may use. Blocks behind it that had been displaced
 * move up. */
static void heap_remove(const volatile void *address)
{
    portable_lock_(&heap.lock);
    size_t hole = address && heap.count > 0 ? heap_find(address) : 0;
    if (address && heap.count > 0 && heap.slots[hole].address) {
        const size_t mask = heap.capacity - 1;
        for (size_t slot = (hole + 1) & mask; heap.slots[slot].address; slot = (slot + 1) & mask) {
            const size_t home = heap_slot(heap.slots[slot].address);
            if (((slot - home) & mask) >= ((slot - hole) & mask)) {
                heap.slots[hole] = heap.slots[slot];
                hole = slot;
            }
        }
        heap.slots[hole].address = NULL;
        heap.slots[hole].bytes = 0;
        heap.count--;
    }
    portable_unlock_(&heap.lock);
}

static void heap_close(void)
{
    portable_lock_(&heap.lock);
    for (size_t k = 0; k < heap.capacity; k++)
        if (heap.slots[k].address)
            __asan_poison_memory_region(heap.slots[k].address, heap.slots[k].bytes);
    portable_unlock_(&heap.lock);
}

static void heap_open(void)
{
    portable_lock_(&heap.lock);
    for (size_t k = 0; k < heap.capacity; k++)
        if (heap.slots[k].address)
            __asan_unpoison_memory_region(heap.slots[k].address, heap.slots[k].bytes);
    portable_unlock_(&heap.lock);
}

/* ===============================================================================================
 * The stack of the host thread that launches
 * ============================================================================================== */

static char *stack_low, *stack_high; /* the closed part; NULL: none */
static pthread_t launcher;
static uint64_t *stack_shadow; /* its previous shadow; stack_words words of it are used */
static size_t stack_words, stack_capacity;
static size_t shadow_scale, shadow_offset;

static uint64_t *shadow_of(const char *address)
{
    return (uint64_t *)(((uintptr_t)address >> shadow_scale) + shadow_offset);
}

/* aarch64 passes a large structure as a pointer to the caller's copy on the host's stack: kernels
 * may read there. */
#if defined(__aarch64__)
enum { ARGUMENTS_ON_STACK = 1 };
#else
enum { ARGUMENTS_ON_STACK = 0 };
#endif

/* The stack that the system gave this thread: its lowest address, NULL if that is unknown, and its
 * size. Asked for once: that of the first thread is in a file in /proc. */
static char *thread_stack(size_t *bytes)
{
    static __thread void *low;
    static __thread size_t size;
    pthread_attr_t attributes;

    if (!low && pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &low, &size) != 0)
            low = NULL;
        pthread_attr_destroy(&attributes);
    }
    *bytes = size;
    return (char *)low;
}

/* The highest address of this thread's stack. NULL for any thread but the first: its thread-local
 * objects, which kernels may read, are on its stack. */
static char *stack_top(void)
{
    size_t bytes;
    char *const low = gettid() != getpid() || ARGUMENTS_ON_STACK ? NULL : thread_stack(&bytes);

    return low ? low + bytes : NULL;
}

/* Closes and opens whole shadow words by hand: the sanitizer's memcpy would look for the shadow of
 * the shadow. */
static void stack_close(void)
{
    volatile uint64_t *const shadow = shadow_of(stack_low);

    for (size_t k = 0; k < stack_words; k++) {
        stack_shadow[k] = shadow[k];
        shadow[k] = 0xf7f7f7f7f7f7f7f7u; /* the user's own poison */
    }
}

static void stack_open(void)
{
    volatile uint64_t *const shadow = shadow_of(stack_low);

    for (size_t k = 0; k < stack_words; k++)
        shadow[k] = stack_shadow[k];
}

/* Records the stack above `frame`, rounded to whole words of shadow. */
static void stack_measure(const void *frame)
{
    const uintptr_t step = (uintptr_t)8 << shadow_scale;
    const uintptr_t top = (uintptr_t)stack_top() / step * step;
    const uintptr_t low = ((uintptr_t)frame + step - 1) / step * step;

    stack_words = 0;
    if (low < top && top - low < (uintptr_t)1 << 30) {
        const size_t words = (size_t)((top - low) / step);
        if (words > stack_capacity) {
            if (stack_shadow)
                munmap(stack_shadow, stack_capacity * sizeof *stack_shadow);
            stack_capacity = 2 * words;
            stack_shadow = (uint64_t *)pages(stack_capacity * sizeof *stack_shadow);
            if (!stack_shadow)
                stack_capacity = 0;
        }
        if (words <= stack_capacity)
            stack_words = words;
    }
    stack_low = (char *)low;
    stack_high = stack_low + stack_words * step;
}

/* ===============================================================================================
 * Device memory
 * ============================================================================================== */

struct device_memory {
    char *address;
    size_t bytes;
    const void *allocated, *freed; /* callers; freed is NULL while it is allocated */
    char name[64];                 /* "" if the program has none */
};

enum { FREED_CAPACITY = 1024 };

static struct {
    struct device_memory *live;
    size_t count, capacity;
    struct device_memory freed[FREED_CAPACITY]; /* the latest, as a ring */
    size_t frees;
} device;

/* The memory that a copy of portable.h is about to read or write, and its caller. */
static const void *copy_caller;

/* "array x", or "memory" if it has no name. */
static const char *device_name(char name[80], const struct device_memory *memory)
{
    snprintf(name, 80, "%s%s", memory->name[0] != '\0' ? "array " : "memory", memory->name);
    return name;
}

static void device_close(const struct device_memory *memory)
{
    __asan_poison_memory_region(memory->address, memory->bytes);
}

static void device_close_all(void)
{
    for (size_t k = 0; k < device.count; k++)
        device_close(&device.live[k]);
}

static void device_open_all(void)
{
    for (size_t k = 0; k < device.count; k++)
        __asan_unpoison_memory_region(device.live[k].address, device.live[k].bytes);
}

/* The allocated memory that starts there, or NULL. */
static struct device_memory *device_find(const void *address)
{
    for (size_t k = device.count; k-- > 0;)
        if (device.live[k].address == (const char *)address)
            return &device.live[k];
    return NULL;
}

/* Memory that the program mapped, which is none of the sanitizer's objects: the allocated one with
 * the address, else the freed one, or NULL. */
static const struct device_memory *device_with(const char *address)
{
    for (size_t k = device.count; k-- > 0;)
        if ((size_t)(address - device.live[k].address) < device.live[k].bytes)
            return &device.live[k];
    for (size_t k = 0; k < FREED_CAPACITY; k++)
        if (device.freed[k].freed &&
            (size_t)(address - device.freed[k].address) < device.freed[k].bytes)
            return &device.freed[k];
    return NULL;
}

static struct device_memory *device_find_freed(const void *address)
{
    for (size_t k = 0; k < FREED_CAPACITY; k++)
        if (device.freed[k].freed && device.freed[k].address == (const char *)address)
            return &device.freed[k];
    return NULL;
}

static void device_add(const void *address, size_t bytes, const void *caller)
{
    struct device_memory memory = {(char *)(uintptr_t)address, bytes, caller, NULL, ""};
    struct device_memory *const previous = device_find_freed(address);

    snprintf(memory.name, sizeof memory.name, "%s", emulate.array);
    heap_remove(address);
    if (previous)
        previous->freed = NULL;
    if (device.count == device.capacity) {
        const size_t capacity = device.capacity ? 2 * device.capacity : 1024;
        struct device_memory *const live = (struct device_memory *)pages(capacity * sizeof *live);
        if (!live)
            return;
        for (size_t k = 0; k < device.count; k++)
            live[k] = device.live[k];
        if (device.live)
            munmap(device.live, device.capacity * sizeof *live);
        device.live = live;
        device.capacity = capacity;
    }
    device.live[device.count++] = memory;
    device_close(&memory);
}

static void device_remove(const void *address, const void *caller)
{
    struct device_memory *const memory = device_find(address);

    if (!memory)
        return;
    __asan_unpoison_memory_region(memory->address, memory->bytes);
    memory->freed = caller;
    device.freed[device.frees++ % FREED_CAPACITY] = *memory;
    *memory = device.live[--device.count];
}

/* ===============================================================================================
 * SHARED and CONSTANT objects
 *
 * Both compilers put a red zone behind each object but none before the first of a section: that is
 * the guard of guards.c. Gaps left by alignment are closed here.
 * ============================================================================================== */

struct section {
    struct emulate_range range;
    enum emulate_section kind;
};
static struct section *sections;
static size_t section_count;

/* The objects in them, without the guards, by the sanitizer's names and sizes: clang's symbols
 * include the red zones. */
struct section_object {
    const struct section *section;
    const char *address;
    size_t bytes;
    char name[64];
};
static struct section_object *section_objects;
static size_t section_object_count;

/* The source's name of an object: "tile" for "tile.3" (gcc), "k1.tile" or "k1.tile.0" (clang). */
static const char *source_name(char *name)
{
    char *dot = strrchr(name, '.');

    if (dot && dot > name && dot[1] >= '0' && dot[1] <= '9')
        *dot = '\0';
    dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static void add_section_object(const struct section *section, struct emulate_object *found)
{
    struct section_object *const object = &section_objects[section_object_count++];
    char name[sizeof found->name] = "";
    void *base = NULL;
    size_t bytes = 0;
    const char *const kind =
        __asan_locate_address(found->address, name, sizeof name, &base, &bytes);
    const int known =
        kind && strcmp(kind, "global") == 0 && base == found->address && bytes > 0 && name[0];

    object->section = section;
    object->address = found->address;
    object->bytes = known ? bytes : found->bytes;
    snprintf(object->name, sizeof object->name, "%s", source_name(known ? name : found->name));
}

static void close_gaps(const struct section *section)
{
    char *begin = section->range.begin;
    struct emulate_object object;

    for (size_t k = 0; emulate_object(section->kind, k, &object); k++) {
        if (!emulate_in_ranges(&section->range, 1, object.address) ||
            strncmp(object.name, "portable_guard_", strlen("portable_guard_")) == 0)
            continue;
        add_section_object(section, &object);
        if (begin < object.address)
            __asan_poison_memory_region(begin, (size_t)(object.address - begin));
        if (begin < object.address + object.bytes)
            begin = object.address + object.bytes;
    }
    if (begin < section->range.end)
        __asan_poison_memory_region(begin, (size_t)(section->range.end - begin));
}

/* Called before a launch: new libraries may have been loaded. */
static void close_all_gaps(void)
{
    static unsigned reads;
    static size_t bytes[2];
    const struct emulate_range *ranges;
    struct emulate_object object;
    size_t count = 0, objects = 0;

    if (reads == emulate_reads)
        return;
    reads = emulate_reads;
    if (sections)
        munmap(sections, bytes[0]);
    if (section_objects)
        munmap(section_objects, bytes[1]);
    section_count = section_object_count = 0;
    for (int kind = EMULATE_SHARED; kind <= EMULATE_CONSTANT; kind++) {
        count += emulate_ranges((enum emulate_section)kind, &ranges);
        for (size_t k = 0; emulate_object((enum emulate_section)kind, k, &object); k++)
            objects++;
    }
    bytes[0] = (count + 1) * sizeof *sections;
    bytes[1] = (objects + 1) * sizeof *section_objects;
    sections = (struct section *)pages(bytes[0]);
    section_objects = (struct section_object *)pages(bytes[1]);
    if (!sections || !section_objects)
        return;
    for (int kind = EMULATE_SHARED; kind <= EMULATE_CONSTANT; kind++) {
        count = emulate_ranges((enum emulate_section)kind, &ranges);
        for (size_t k = 0; k < count; k++) {
            sections[section_count].range = ranges[k];
            sections[section_count].kind = (enum emulate_section)kind;
            close_gaps(&sections[section_count++]);
        }
    }
}

/* ===============================================================================================
 * Lines
 * ============================================================================================== */

static int in_program(const void *address)
{
    return emulate_is_in(EMULATE_CODE, address);
}

enum { FRAMES = 16 };

/* The return addresses in the program's own code from the stack at the head of a report, whose
 * lines are "    #0 0x5581c0de ...": a sanitizer prints the address of the instruction before. */
static int frames_of(const char *report, const void *frames[FRAMES])
{
    char label[16];
    int count = 0;

    for (int k = 0; count < FRAMES; k++) {
        snprintf(label, sizeof label, "#%d 0x", k);
        report = strstr(report, label);
        if (!report)
            break;
        const void *const address =
            (const void *)(uintptr_t)(strtoull(report + strlen(label) - 2, NULL, 16) + 1);
        if (in_program(address))
            frames[count++] = address;
    }
    return count;
}

/* The return addresses in the program of the call that allocated or freed an object of the host's
 * heap. */
typedef size_t asan_stack(void *address, void **trace, size_t size, int *thread);
static int heap_frames(asan_stack *stack, void *address, const void *frames[FRAMES])
{
    void *trace[FRAMES];
    int thread, count = 0;
    const size_t depth = stack(address, trace, FRAMES, &thread);

    for (size_t k = 0; k < depth; k++)
        if (in_program(trace[k]))
            frames[count++] = (const char *)trace[k] + 1;
    return count;
}

/* ASan's line for such an object; NULL if it has none. */
static const char *heap_line(asan_stack *stack, void *address)
{
    const void *frames[FRAMES];
    const int count = heap_frames(stack, address, frames);

    return count > 0 ? findings_outer_line(frames, count) : NULL;
}

/* Whether the object is of the runtime, for itself: of the scheduler, of the checks, or of CUDA's
 * calls, except what those allocate for the program, which portable.h has in its table. */
static int is_of_runtime(const char *base)
{
    const void *frames[FRAMES];
    const int count = heap_frames(__asan_get_alloc_stack, (char *)(uintptr_t)base, frames);
    const char *line = "";

    findings_lines(frames, count);
    for (int k = 0; k < count && !findings_is_known(line);
         k++) /* clang's program has malloc, too */
        line = findings_line(frames[k]);
    if (findings_is_in(line, "host/emulate/") || findings_is_in(line, "host/checks/"))
        return !findings_is_in(line, "host/checks/memcheck.c");
    EMULATE_EACH_ALLOCATION(allocation)
    if (allocation->base == base)
        return 0;
    return findings_is_in(line, "host/cudart/") && heap_bytes(base) > 0;
}

/* ===============================================================================================
 * Objects
 * ============================================================================================== */

enum kind {
    NOTHING,
    SECTION, /* SHARED or CONSTANT */
    DYNAMIC_SHARED,
    DEVICE_MEMORY,
    HOST_HEAP,
    HOST_STACK, /* its part that is closed while a kernel runs */
    LOCAL,
    STATIC
};

/* An object in memory that an access hit or missed. */
struct object {
    enum kind kind;
    const char *address;
    size_t bytes;
    const struct section_object *section;
    const struct device_memory *device;
    char name[64]; /* of a local or static variable */
};

/* Bytes. An access within NEAR of an object was probably meant for it; one within FAR may have
 * been, if no object is nearer. */
enum { NEAR = 4096, FAR = 16 << 20 };

/* The distance in bytes from the address to the object; 0 inside. */
static size_t distance(const char *address, const char *object, size_t bytes)
{
    return address < object            ? (size_t)(object - address)
           : address >= object + bytes ? (size_t)(address - (object + bytes)) + 1
                                       : 0;
}

static int find_section_object(const char *address, struct object *object)
{
    size_t nearest = NEAR;

    for (size_t k = 0; k < section_object_count; k++) {
        const struct section_object *const candidate = &section_objects[k];
        const size_t apart = distance(address, candidate->address, candidate->bytes);
        if (apart >= nearest || !emulate_in_ranges(&candidate->section->range, 1, address))
            continue;
        nearest = apart;
        object->kind = SECTION;
        object->section = candidate;
        object->address = candidate->address;
        object->bytes = candidate->bytes;
    }
    return object->kind == SECTION;
}

static int found_device(const struct device_memory *memory, struct object *object)
{
    if (!memory)
        return 0;
    object->kind = DEVICE_MEMORY;
    object->device = memory;
    object->address = memory->address;
    object->bytes = memory->bytes;
    return 1;
}

/* The memory of the device that an access may have missed by less than that. */
static void find_device_within(size_t nearest, const char *address, struct object *object)
{
    const struct device_memory *best = NULL;

    for (size_t k = 0; k < device.count; k++) {
        const size_t apart = distance(address, device.live[k].address, device.live[k].bytes);
        if (apart < nearest) {
            nearest = apart;
            best = &device.live[k];
        }
    }
    found_device(best, object);
    if (emulate.shared && distance(address, emulate.shared, emulate.shared_bytes) < nearest) {
        object->kind = DYNAMIC_SHARED;
        object->address = emulate.shared;
        object->bytes = emulate.shared_bytes;
    }
}

/* The static variable that an access at an address touches, or begins closely behind: the sanitizer
 * may give the one after it. Those before it are found from lower addresses. */
static void find_variable(const char *address, struct object *object)
{
    enum { STEP = 16, STEPS = 16 };
    struct object found;

    for (int step = 1; step <= STEPS && address < object->address; step++) {
        void *base = NULL;
        memset(&found, 0, sizeof found);
        const char *const kind =
            __asan_locate_address((char *)(uintptr_t)address - (size_t)step * STEP, found.name,
                                  sizeof found.name, &base, &found.bytes);
        if (strcmp(kind, "global") != 0 || !base || (const char *)base > address)
            continue;
        found.kind = STATIC;
        found.address = (const char *)base;
        if (distance(address, found.address, found.bytes) <=
            distance(address, object->address, object->bytes))
            *object = found;
        break;
    }
}

/* The object at an address, or the one that an access there most likely missed. Does not touch the
 * host's memory. */
static void find_object(char *address, int by_kernel, struct object *object)
{
    void *base = NULL;
    size_t size = 0;

    memset(object, 0, sizeof *object);
    if (find_section_object(address, object))
        return;
    if (address >= stack_low && address < stack_high) {
        object->kind = HOST_STACK;
        object->address = stack_low;
        object->bytes = (size_t)(stack_high - stack_low);
        return;
    }
    const char *const kind =
        __asan_locate_address(address, object->name, sizeof object->name, &base, &size);
    if (strcmp(kind, "heap") == 0) {
        if (found_device(device_find(base), object) ||
            found_device(device_find_freed(base), object))
            return;
        object->kind = emulate.kernel && base == emulate.shared ? DYNAMIC_SHARED : HOST_HEAP;
    } else if (strcmp(kind, "stack") == 0 && base)
        object->kind = LOCAL;
    else if (strcmp(kind, "global") == 0)
        object->kind = STATIC;
    else if (found_device(device_with(address), object))
        return;
    object->address = (const char *)base;
    object->bytes = size;
    if (object->kind == STATIC)
        find_variable(address, object);
    if (by_kernel && (object->kind == NOTHING ||
                      (object->kind == HOST_HEAP && distance(address, object->address, size) > 0)))
        find_device_within(NEAR, address, object);
}

/* Whether the object is closed because it is the host's, rather than missed. */
static int is_host(const struct object *object, const char *address)
{
    return object->kind == HOST_STACK ||
           (object->kind == HOST_HEAP && distance(address, object->address, object->bytes) == 0 &&
            heap_bytes(object->address) > 0);
}

/* "1 byte", "4 bytes" */
static char *bytes_text(char text[32], size_t bytes)
{
    snprintf(text, 32, "%zu byte%s", bytes, bytes == 1 ? "" : "s");
    return text;
}

/* The compilers' names of string literals: *.LC1 of gcc, .str.1 or a description of clang. */
static int is_literal(const char *name)
{
    return strncmp(name, "*.LC", 4) == 0 || strncmp(name, ".LC", 3) == 0 ||
           strncmp(name, ".str", 4) == 0 || strncmp(name, ".L.str", 6) == 0 ||
           strcmp(name, "<string literal>") == 0;
}

/* string "Hello" of 6 bytes */
static void literal_text(const struct object *object, char *text, size_t size)
{
    enum { MAX_SHOWN = 40 };
    char quoted[2 * MAX_SHOWN + 8], *to = quoted;
    size_t k = 0;

    for (; k < object->bytes && k < MAX_SHOWN && object->address[k]; k++) {
        const char byte = object->address[k];
        if (byte == '"' || byte == '\\' || byte == '\n')
            *to++ = '\\';
        *to++ = byte == '\n' ? 'n' : (unsigned char)byte < ' ' ? '?' : byte;
    }
    snprintf(to, sizeof quoted - (size_t)(to - quoted), "\"%s", k == MAX_SHOWN ? "..." : "");
    snprintf(text, size, "string \"%s of %zu bytes", quoted, object->bytes);
}

static void object_text(const struct object *object, char *text, size_t size)
{
    const char *allocated, *freed;
    char bytes[32], name[80];

    bytes_text(bytes, object->bytes);
    switch (object->kind) {
    case NOTHING: break;
    case SECTION:
        snprintf(text, size, "%s array %s",
                 object->section->section->kind == EMULATE_SHARED ? "shared" : "constant",
                 object->section->name);
        break;
    case DYNAMIC_SHARED: snprintf(text, size, "dynamic shared memory of %s", bytes); break;
    case DEVICE_MEMORY:
        snprintf(text, size, "device %s of %s, allocated at %s%s%s",
                 device_name(name, object->device), bytes, findings_line(object->device->allocated),
                 object->device->freed ? " and freed at " : "",
                 object->device->freed ? findings_line(object->device->freed) : "");
        break;
    case HOST_HEAP:
        allocated = heap_line(__asan_get_alloc_stack, (char *)(uintptr_t)object->address);
        freed = heap_line(__asan_get_free_stack, (char *)(uintptr_t)object->address);
        snprintf(text, size, "host memory of %s, allocated at %s%s%s", bytes,
                 allocated ? allocated : "an unknown line", freed ? " and freed at " : "",
                 freed ? freed : "");
        break;
    case HOST_STACK: snprintf(text, size, "host memory on the stack"); break;
    case LOCAL: snprintf(text, size, "local variable %s of %s", object->name, bytes); break;
    case STATIC:
        if (is_literal(object->name))
            literal_text(object, text, size);
        else
            snprintf(text, size, "static variable %s of %s", object->name, bytes);
        break;
    }
}

/* The object of the program that is nearest to an address that is in none: for a kernel device
 * memory, for host code the host's heap, too. */
static int find_nearest(const char *address, int by_kernel, struct object *object)
{
    size_t beyond = 0;

    memset(object, 0, sizeof *object);
    find_device_within(FAR, address, object);
    for (int tries = 0; !by_kernel && tries < 64; tries++) {
        struct block best = {NULL, 0};
        size_t nearest = object->kind == NOTHING
                             ? (size_t)FAR
                             : distance(address, object->address, object->bytes);
        portable_lock_(&heap.lock);
        for (size_t k = 0; k < heap.capacity; k++) {
            const struct block *const block = &heap.slots[k];
            const size_t apart =
                block->address ? distance(address, block->address, block->bytes) : FAR;
            if (apart < nearest && apart > beyond) {
                nearest = apart;
                best = *block;
            }
        }
        portable_unlock_(&heap.lock);
        if (!best.address)
            break;
        beyond = nearest;
        const char *const line = heap_line(__asan_get_alloc_stack, best.address);
        if (!line || !findings_is_known(line) || is_of_runtime(best.address))
            continue;
        object->kind = HOST_HEAP;
        object->address = best.address;
        object->bytes = best.bytes;
        break;
    }
    return object->kind != NOTHING;
}

static void apart_text(const char *address, size_t bytes, const struct object *object, char *text,
                       size_t size)
{
    const char *const end = object->address + object->bytes;
    char number[32], what[400];

    object_text(object, what, sizeof what);
    if (address >= end)
        snprintf(text, size, "%s after %s", bytes_text(number, (size_t)(address - end)), what);
    else if (address + bytes <= object->address)
        snprintf(text, size, "%s before %s",
                 bytes_text(number, (size_t)(object->address - address)), what);
    else if (address < object->address || address + bytes > end)
        snprintf(text, size, "across the %s of %s", address < object->address ? "start" : "end",
                 what);
    else
        snprintf(text, size, "of %s", what);
}

/* The place of an access: "4 bytes before shared array tile". */
static void place_text(char *address, size_t bytes, int by_kernel, const struct object *object,
                       char *text, size_t size)
{
    struct object nearest;
    char apart[480] = "";

    if (object->kind != NOTHING && !(object->kind == HOST_HEAP && is_of_runtime(object->address))) {
        apart_text(address, bytes, object, text, size);
        return;
    }
    if (find_nearest(address, by_kernel, &nearest))
        apart_text(address, bytes, &nearest, apart, sizeof apart);
    snprintf(text, size, "of address 0x%zx, where no object is%s%s", (size_t)(uintptr_t)address,
             apart[0] ? ": " : "", apart);
}

/* ===============================================================================================
 * Findings
 * ============================================================================================== */

static int host_is_closed; /* by a launch */

/* While a thread builds a report the host's memory is open: functions that it calls allocate and
 * read there. */
static __thread int reporting;
static char report_lock;

static void report_begin(void)
{
    if (reporting++ > 0)
        return;
    portable_lock_(&report_lock);
    __lsan_disable(); /* memory that it keeps is not a leak of the program */
    if (host_is_closed) {
        stack_open();
        heap_open();
    }
}

static void report_end(void)
{
    if (reporting == 1) {
        if (host_is_closed) {
            heap_close();
            stack_close();
        }
        __lsan_enable();
        portable_unlock_(&report_lock);
    }
    reporting--;
}

/* Whether the running code is a kernel's. */
static int in_kernel(void)
{
    return emulate_running;
}

/* The scheduler between two threads: it may access anything. */
static int in_scheduler(void)
{
    return emulate.kernel && !emulate_running && pthread_equal(pthread_self(), launcher);
}

static uint64_t hash_of(const char *text, const void *a, const void *b)
{
    uint64_t hash = 14695981039346656037u;

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    hash = (hash ^ (uintptr_t)a) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ (hash >> 29) ^ (uintptr_t)b) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 32) ? hash ^ (hash >> 32) : 1;
}

enum { SEEN_CAPACITY = 1 << 14 };

/* Returns 1 the first time something is found. Equal hashes count as one, and a full set as
 * everything: after thousands of findings another one tells nothing new. */
static int is_new(uint64_t hash)
{
    static uint64_t seen[SEEN_CAPACITY];
    static size_t count;
    size_t slot = (size_t)hash & (SEEN_CAPACITY - 1);

    for (; seen[slot]; slot = (slot + 1) & (SEEN_CAPACITY - 1))
        if (seen[slot] == hash)
            return 0;
    if (count == SEEN_CAPACITY / 2)
        return 0;
    count++;
    seen[slot] = hash;
    return 1;
}

/*
 * UBSan reports an index out of bounds before ASan reports the access, and with less detail. Its
 * sentence waits here for the next event, and is dropped if that is ASan's report for the same
 * line.
 */
static struct {
    int waiting;
    unsigned line;
    char kernel[128]; /* "": host code */
    char text[700], thread[96], place[300];
} bounds;

static void bounds_flush(void)
{
    if (!bounds.waiting)
        return;
    bounds.waiting = 0;
    report_begin();
    const struct finding finding = {FINDING_UNDEFINED_BEHAVIOUR,
                                    bounds.kernel[0] ? bounds.kernel : NULL,
                                    bounds.kernel[0] ? bounds.thread : NULL,
                                    {{bounds.place, NULL}}};
    findings_add(&finding, "%s", bounds.text);
    report_end();
}

static void bounds_drop(const char *line)
{
    const char *const colon = strrchr(line, ':');

    if (bounds.waiting && colon && strtoul(colon + 1, NULL, 10) == bounds.line)
        bounds.waiting = 0;
    bounds_flush();
}

/* Writes "error in kernel saxpy: ", or host code; returns the kernel, or NULL. */
static const char *head_text(char text[160])
{
    if (in_kernel()) {
        snprintf(text, 160, "error in kernel %s: ", emulate.kernel);
        return emulate.kernel;
    }
    snprintf(text, 160, "error in host code: ");
    return NULL;
}

/* Returns 1 the first time that anything is found on the line of a kernel: the fault that an error
 * leads to tells nothing new. */
static int is_new_line(const char *line)
{
    return is_new(hash_of(line, emulate.kernel, "line"));
}

static enum finding_kind kind_of_access(const struct object *object, char *address)
{
    void *trace[1];
    int thread;

    if (object->kind == DEVICE_MEMORY && object->device->freed)
        return FINDING_USE_AFTER_FREE;
    if (object->kind == DEVICE_MEMORY && !in_kernel() &&
        distance(address, object->address, object->bytes) == 0)
        return FINDING_DEVICE_MEMORY;
    if (is_host(object, address))
        return FINDING_HOST_MEMORY;
    return object->kind == HOST_HEAP && __asan_get_free_stack(address, trace, 1, &thread) > 0
               ? FINDING_USE_AFTER_FREE
               : FINDING_OUT_OF_BOUNDS;
}

static struct finding access_finding(const char *kernel, const char *where, const char *line,
                                     const struct object *object, char *address)
{
    struct finding finding = {
        kind_of_access(object, address), kernel, kernel ? where : NULL, {{line, NULL}}};

    if (object->kind == DEVICE_MEMORY) {
        finding.places[1].line = findings_line(object->device->allocated);
        finding.places[1].what = "the allocation";
    }
    if (object->kind == DEVICE_MEMORY && object->device->freed) {
        finding.places[2].line = findings_line(object->device->freed);
        finding.places[2].what = "the free";
    }
    return finding;
}

/* What tells it from other objects: not its address if each call, or each launch, has another. */
static const char *identity(const struct object *object)
{
    return object->kind == LOCAL || object->kind == DYNAMIC_SHARED ? NULL : object->address;
}

/* Reports an invalid access by a kernel or host code, at one of these return addresses. */
static void add_access_finding(const void *const *frames, int count, char *address, size_t bytes,
                               int writes, const struct object *object)
{
    const char *const line = findings_outer_line(frames, count);
    char head[160], where[96] = "", place[600];

    bounds_drop(line);
    if (!is_new(hash_of(line, identity(object),
                        (const void *)(uintptr_t)hash_of(object->name, NULL, NULL))))
        return;
    is_new_line(line);
    const char *const kernel = head_text(head);
    if (kernel)
        emulate_where(where, sizeof where, emulate.block_id, emulate.thread);
    place_text(address, bytes, kernel != NULL, object, place, sizeof place);
    /* Another object that is told by the same words, such as one that a loop allocates. */
    if (!is_new(hash_of(place, (const void *)(uintptr_t)hash_of(line, kernel, NULL),
                        writes ? "write" : "read")))
        return;
    const struct finding finding = access_finding(kernel, where, line, object, address);
    findings_add(&finding, "%sa %s of %zu byte%s%s%s at %s,%s%s", head, writes ? "write" : "read",
                 bytes, bytes == 1 ? "" : "s", kernel ? " by " : "", where, line,
                 kernel && !is_host(object, address) ? "\n    " : " ", place);
}

/* Whether an access is not an error: the scheduler's, or another host thread's in memory that was
 * closed for a kernel and may be open by now. */
static int is_allowed(const struct object *object, char *address, size_t bytes)
{
    if (in_scheduler())
        return 1;
    if (in_kernel())
        return 0;
    return (is_host(object, address) && address + bytes <= object->address + object->bytes) ||
           !__asan_region_is_poisoned(address, bytes);
}

/* The two words at the frame pointer of a function that keeps one. */
struct frame {
    const struct frame *caller;
    const void *return_address;
};

/* The return addresses from a frame on. The program's code keeps frame pointers; in code that does
 * not, an apparent frame is none, or leads to a later one. */
static int unwind(const struct frame *frame, const void *frames[FRAMES])
{
    const char *const begin = (const char *)frame;
    int count = 0;

    while (count < FRAMES && in_program(frame->return_address)) {
        const struct frame *const next = frame->caller;
        frames[count++] = frame->return_address;
        if (next <= frame || (const char *)next - begin > 1 << 16 || (uintptr_t)next % 8 != 0)
            break;
        frame = next;
    }
    return count;
}

/* Replaces ASan's report of an access in the program's own code, which takes a millisecond; most
 * accesses repeat. A function of portable.h that was not inlined has several callers. */
static void on_invalid_access(char *address, size_t bytes, int writes, const struct frame *frame)
{
    const void *frames[FRAMES] = {NULL};
    struct object object;

    if (reporting)
        return;
    const int count = unwind(frame, frames);
    find_object(address, in_kernel(), &object);
    if (!is_allowed(&object, address, bytes) &&
        is_new(hash_of(object.name, frames[0],
                       (const void *)((uintptr_t)identity(&object) + (uintptr_t)frames[1])))) {
        if (asan_has_log) { /* before the memory is opened */
            reporting++;
            __asan_report_error((void *)(uintptr_t)frame->return_address,
                                (void *)(uintptr_t)frame->caller, (void *)(uintptr_t)(frame + 1),
                                address, writes, bytes);
            reporting--;
        }
        report_begin();
        add_access_finding(frames, count, address, bytes, writes, &object);
        report_end();
    }
}

/* The linker (--wrap) calls these in place of ASan's functions. */
#define REPORTS_OF(bytes)                                                                          \
    void __wrap___asan_report_load##bytes##_noabort(char *address);                                \
    void __wrap___asan_report_load##bytes##_noabort(char *address)                                 \
    {                                                                                              \
        on_invalid_access(address, bytes, 0, (const struct frame *)__builtin_frame_address(0));    \
    }                                                                                              \
    void __wrap___asan_report_store##bytes##_noabort(char *address);                               \
    void __wrap___asan_report_store##bytes##_noabort(char *address)                                \
    {                                                                                              \
        on_invalid_access(address, bytes, 1, (const struct frame *)__builtin_frame_address(0));    \
    }
REPORTS_OF(1)
REPORTS_OF(2)
REPORTS_OF(4)
REPORTS_OF(8)
REPORTS_OF(16)

void __wrap___asan_report_load_n_noabort(char *address, size_t bytes);
void __wrap___asan_report_load_n_noabort(char *address, size_t bytes)
{
    on_invalid_access(address, bytes, 0, (const struct frame *)__builtin_frame_address(0));
}
void __wrap___asan_report_store_n_noabort(char *address, size_t bytes);
void __wrap___asan_report_store_n_noabort(char *address, size_t bytes)
{
    on_invalid_access(address, bytes, 1, (const struct frame *)__builtin_frame_address(0));
}

/* In programs built for warps in lockstep these take the place of ASan's checks. */
#define CHECKS_OF(name, parameters, bytes)                                                         \
    void __wrap___asan_load##name##_noabort parameters;                                            \
    void __wrap___asan_load##name##_noabort parameters                                             \
    {                                                                                              \
        emulate_in_step(address, __builtin_return_address(0));                                     \
        if (__asan_region_is_poisoned(address, bytes))                                             \
            on_invalid_access(address, bytes, 0,                                                   \
                              (const struct frame *)__builtin_frame_address(0));                   \
    }                                                                                              \
    void __wrap___asan_store##name##_noabort parameters;                                           \
    void __wrap___asan_store##name##_noabort parameters                                            \
    {                                                                                              \
        emulate_in_step(address, __builtin_return_address(0));                                     \
        if (__asan_region_is_poisoned(address, bytes))                                             \
            on_invalid_access(address, bytes, 1,                                                   \
                              (const struct frame *)__builtin_frame_address(0));                   \
    }
CHECKS_OF(1, (char *address), 1)
CHECKS_OF(2, (char *address), 2)
CHECKS_OF(4, (char *address), 4)
CHECKS_OF(8, (char *address), 8)
CHECKS_OF(16, (char *address), 16)
CHECKS_OF(N, (char *address, size_t bytes), bytes)

/* An access by memcpy or another libc function, for which ASan calls its own report function: it
 * belongs to the line of portable.h's caller, or of the first caller with a known line. */
static void asan_reported_access(const char *report, char *address, size_t bytes, int writes)
{
    const void *frames[FRAMES] = {copy_caller};
    struct object object;
    const int count = copy_caller ? 1 : frames_of(report, frames);

    find_object(address, in_kernel(), &object);
    if (!is_allowed(&object, address, 1)) /* the first wrong byte */
        add_access_finding(frames, count, address, bytes, writes, &object);
}

/* ASan's other reports, such as a double free, as ASan describes them: the first line is
 * "==1==ERROR: AddressSanitizer: attempting double-free on 0x602 in thread T0:". */
static void asan_reported_other(const char *report)
{
    static const char mark[] = "AddressSanitizer: ";
    static const char *const tails[] = {" in thread ", " (pc "};
    const void *frames[FRAMES];
    char head[160], where[96] = "", description[300];
    const char *const start = strstr(report, mark);

    snprintf(description, sizeof description, "%s", start ? start + strlen(mark) : report);
    description[strcspn(description, "\n")] = '\0';
    for (size_t k = 0; k < sizeof tails / sizeof *tails; k++) {
        char *const tail = strstr(description, tails[k]);
        if (tail)
            *tail = '\0';
    }
    const char *const line = findings_outer_line(frames, frames_of(report, frames));
    bounds_flush();
    if (!is_new(hash_of(line, NULL, "words")))
        return;
    const char *const kernel = head_text(head);
    if (kernel)
        emulate_where(where, sizeof where, emulate.block_id, emulate.thread);
    const struct finding finding = {
        FINDING_SANITIZER, kernel, kernel ? where : NULL, {{line, NULL}}};
    findings_add(&finding, "%s%s%sat %s: %s", head, where, kernel ? " " : "", line, description);
}

static void asan_reported(const char *report)
{
    const size_t bytes = __asan_get_report_access_size();

    if (!reporting) {
        report_begin();
        if (bytes > 0)
            asan_reported_access(report, (char *)__asan_get_report_address(), bytes,
                                 __asan_get_report_access_type());
        else
            asan_reported_other(report);
        report_end();
    }
    forget_report();
}

/* Adds the return addresses in the program of the functions that run; with a pc, of those behind
 * it. Returns the new count. */
static int add_running(const void *pc, const void *frames[FRAMES], int count)
{
    void *trace[2 * FRAMES];
    const int depth = backtrace(trace, 2 * FRAMES);
    int k = 0;

    while (pc && k < depth && trace[k] != pc)
        k++;
    for (k += pc != NULL; k < depth && count < FRAMES; k++)
        if (in_program(trace[k]))
            frames[count++] = trace[k];
    return count;
}

/* The line of the program's call of the function that runs, for a report from within C++'s
 * headers. */
static const char *line_of_caller(void)
{
    const void *frames[FRAMES];

    return findings_outer_line(frames, add_running(NULL, frames, 0));
}

/* Called before UBSan prints. UBSan reports each column once; we report each kind once per line. */
void portable_ubsan_reported_(void)
{
    const char *kind = NULL, *message = NULL, *file = NULL;
    unsigned line = 0, column = 0;
    char *memory = NULL, head[160], where[96] = "", place[sizeof bounds.place];

    report_begin();
    __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &memory);
    ubsan_to_file();
    bounds_flush();
    while (file && file[0] == '.' && file[1] == '/') /* of -I., which no other report shows */
        file += 2;
    snprintf(place, sizeof place, "%s:%u", file ? file : "an unknown file", line);
    if (findings_is_of_library(place))
        snprintf(place, sizeof place, "%s", line_of_caller());
    const uint64_t id =
        hash_of(kind ? kind : "", NULL, (const void *)(uintptr_t)hash_of(place, NULL, NULL));
    /* What a library does on its own, with values of lanes that take no part, is its affair. */
    if (!in_scheduler() && !findings_is_of_library(place) && is_new(id)) {
        const char *const kernel = head_text(head);
        if (kernel)
            emulate_where(where, sizeof where, emulate.block_id, emulate.thread);
        snprintf(bounds.kernel, sizeof bounds.kernel, "%s", kernel ? kernel : "");
        if (!message || !message[0])
            message = "undefined behaviour";
        snprintf(bounds.thread, sizeof bounds.thread, "%s", where);
        snprintf(bounds.place, sizeof bounds.place, "%s", place);
        is_new_line(place);
        snprintf(bounds.text, sizeof bounds.text, "%s%s%sat %s: %c%s", head, where,
                 kernel ? " " : "", bounds.place, tolower((unsigned char)message[0]), message + 1);
        bounds.line = line;
        bounds.waiting = 1;
        if (!kind || !strstr(kind, "bounds"))
            bounds_flush();
    }
    forget_report();
    report_end();
}

void __ubsan_on_report(void) __attribute__((alias("portable_ubsan_reported_")));

static void print_report(void)
{
    char text[1024];
    ssize_t bytes;

    for (off_t at = 0; report_file >= 0 && (bytes = pread(report_file, text, sizeof text, at)) > 0;
         at += bytes)
        if (write(STDERR_FILENO, text, (size_t)bytes) < 0)
            break;
}

static int searching_leaks;

/* A sanitizer gives up: prints why, because nobody else sees its report. LeakSanitizer does if it
 * may not trace the process: all else is done by then. */
static void sanitizer_died(void)
{
    if (searching_leaks) {
        fputs("memcheck: host memory is not checked for leaks: LeakSanitizer cannot trace this "
              "process, which may run under a debugger\n",
              stderr);
        findings_end();
    }
    static const char head[] = "memcheck: the sanitizer stopped the program:\n";
    if (report_file >= 0 && write(STDERR_FILENO, head, sizeof head - 1) > 0)
        print_report();
}

/* ===============================================================================================
 * Signals
 * ============================================================================================== */

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/* The program's line at pc, or, in a library, the line of the call. */
static const char *stopped_line(const void *pc)
{
    const void *frames[FRAMES] = {(const char *)pc + 1};
    const int count = add_running(pc, frames, in_program(pc));

    return findings_outer_line(frames, count > 0 ? count : 1);
}

/* The short report for a signal inside malloc, whose lock a full report would wait for. */
static struct {
    int number;
    char text[200];
} short_report;

static void print_short_report(int number)
{
    const ssize_t written = write(STDERR_FILENO, short_report.text, strlen(short_report.text));

    (void)number;
    (void)written;
    findings_died_suddenly(short_report.number);
}

/* Reports where the program dies, and lets it die. The scheduler's handler, for stack overflows,
 * runs first. */
static void fatal_signal(int number, siginfo_t *info, void *context)
{
    const void *pc = NULL;
    char head[160], where[96] = "", address[48] = "";

    if (number != SIGABRT)
        snprintf(address, sizeof address, ", address 0x%zx", (size_t)(uintptr_t)info->si_addr);
    if (short_report.number != 0) /* another, while the first is reported */
        print_short_report(number);
    short_report.number = number;
    snprintf(short_report.text, sizeof short_report.text, "memcheck: error in %s%s: %s%s\n",
             in_kernel() ? "kernel " : "host code", in_kernel() ? emulate.kernel : "",
             strsignal(number), address);
    signal(SIGALRM, print_short_report);
    alarm(30);
#if defined(__x86_64__)
    pc = (const void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    pc = (const void *)((ucontext_t *)context)->uc_mcontext.pc;
#endif
    (void)context;
    report_begin();
    bounds_flush();
    const char *const line = pc ? stopped_line(pc) : "an unknown line";
    const char *const kernel = head_text(head);
    if (kernel)
        emulate_where(where, sizeof where, emulate.block_id, emulate.thread);
    const struct finding finding = {FINDING_CRASH, kernel, kernel ? where : NULL, {{line, NULL}}};
    findings_add(&finding, "%s%s%sat %s: %s%s", head, where, kernel ? " " : "", line,
                 strsignal(number), address);
    findings_died(number);
    report_end();
    alarm(0);
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = fatal_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof fatal_signals / sizeof *fatal_signals; k++)
        sigaction(fatal_signals[k], &action, NULL);
}

/* ===============================================================================================
 * Leaks
 * ============================================================================================== */

/* `others`: further leaks of memory that the same line allocated, whose findings would be equal. */
static void add_leak(const char *memory, size_t bytes, const char *line, size_t others)
{
    char size[32], rest[48] = "";
    const struct finding finding = {FINDING_LEAK, NULL, NULL, {{line, NULL}}};

    if (others > 0)
        snprintf(rest, sizeof rest, ", and %zu more there", others);
    findings_add(&finding, "leak: %s of %s, allocated at %s%s", memory, bytes_text(size, bytes),
                 line, rest);
}

static void device_leaks(void)
{
    char name[80], text[96];

    for (size_t k = 0; k < device.count; k++) {
        const struct device_memory *const memory = &device.live[k];
        if (!memory->address)
            continue;
        const char *const line = findings_line(memory->allocated);
        size_t others = 0;
        for (size_t j = k + 1; j < device.count; j++)
            if (device.live[j].address &&
                strcmp(findings_line(device.live[j].allocated), line) == 0) {
                device.live[j].address = NULL;
                others++;
            }
        snprintf(text, sizeof text, "device %s", device_name(name, memory));
        add_leak(text, memory->bytes, line, others);
    }
}

static const char *allocation_line(const struct portable_allocation_ *allocation)
{
    const char *const line = heap_line(__asan_get_alloc_stack, allocation->base);

    return line ? line : "an unknown line";
}

/* Pinned host memory and managed memory stay in portable.h's table until they are freed, as on
 * CUDA. The table keeps LeakSanitizer from reporting them again. */
static void table_leaks(int kind, const char *what)
{
    EMULATE_EACH_ALLOCATION(allocation)
    {
        if (allocation->kind != kind)
            continue;
        const char *const line = allocation_line(allocation);
        size_t others = 0;
        if (!is_new(hash_of(line, NULL, what)))
            continue;
        for (const struct portable_allocation_ *other = allocation;
             (other = emulate_next_allocation(other)) != NULL;)
            others += other->kind == kind && strcmp(allocation_line(other), line) == 0;
        add_leak(what, allocation->bytes, line, others);
    }
}

/* Whatever no static object, thread-local object or live block leads to, in LeakSanitizer's own
 * report. Where it cannot run it ends the process: see sanitizer_died. Not of a program that only
 * loads checked libraries, such as Python. */
static void heap_leaks(void)
{
    if (emulate_uses.is_library && !emulate_uses.program)
        return;
    forget_report();
    searching_leaks = 1;
    const int found = __lsan_do_recoverable_leak_check();
    searching_leaks = 0;
    if (found) {
        struct finding finding = {FINDING_LEAK, NULL, NULL, {{NULL, NULL}}};
        const void *frames[FRAMES];
        char report[4096];
        const ssize_t bytes =
            report_file >= 0 ? pread(report_file, report, sizeof report - 1, 0) : 0;

        report[bytes > 0 ? bytes : 0] = '\0';
        const int count = frames_of(report, frames);
        if (count > 0)
            finding.places[0].line = findings_outer_line(frames, count);
        if (findings_add(&finding, "leak: host memory; LeakSanitizer reports:"))
            print_report();
    }
}

/* A kernel has faulted: since then cudaFree, like all calls, returns an error. */
static int has_faulted;

/* A program that ends in a kernel, or early, had no chance to free its memory. */
static void at_end(int status, void *unused)
{
    (void)unused;
    bounds_flush();
    if (host_is_closed) {
        heap_open();
        stack_open();
        host_is_closed = 0;
        return;
    }
    device_open_all();
    if (status != 0 || has_faulted)
        return;
    report_begin();
    device_leaks();
    table_leaks(PORTABLE_HOST_MEMORY_, "pinned host memory");
    table_leaks(PORTABLE_MANAGED_MEMORY_, "managed memory");
    report_end();
    heap_leaks();
}

/* ===============================================================================================
 * Callbacks of the scheduler
 * ============================================================================================== */

/* Objects of portable.h's and of the scheduler's on the host's heap that kernels read. */
static void open_the_library(void)
{
    emulate_each_object(heap_remove);
    heap_remove(emulate.shared);
}

static void launch_begin(void)
{
    findings_launch(emulate.kernel);
    close_all_gaps();
    launcher = pthread_self();
    open_the_library();
    device_open_all();
    stack_measure(__builtin_frame_address(0));
    heap_close();
    stack_close();
    host_is_closed = 1;
}

/* The red zones of frames that will never return. */
static void stack_abandoned(const void *stack, size_t bytes)
{
    __asan_unpoison_memory_region(stack, bytes);
}

static void launch_end(void)
{
    bounds_flush();
    host_is_closed = 0;
    stack_open();
    heap_open();
    device_close_all();
    stack_low = stack_high = NULL;
}

/* The launch ends because of a fault, which most often follows a finding on the same line. */
static void faulted(const char *message)
{
    const struct emulate_fault *const fault = &emulate_fault;
    char where[96], place[600];
    struct object object;

    (void)message;
    emulate_running = 1;
    report_begin();
    bounds_flush();
    has_faulted = 1;
    findings_unfinished();
    const char *const line = findings_outer_line(fault->frames, fault->frame_count);
    emulate_where(where, sizeof where, emulate.block_id, fault->thread);
    if (!is_new_line(line)) {
        report_end();
        emulate_running = 0;
        return;
    }
    if (fault->overflow || fault->number == SIGFPE || !fault->known) {
        const struct finding finding = {FINDING_CRASH, emulate.kernel, where, {{line, NULL}}};
        findings_add(&finding, "error in kernel %s: %s at %s: %s", emulate.kernel, where, line,
                     fault->overflow           ? "stack overflow"
                     : fault->number == SIGFPE ? "division by zero, or a quotient too large"
                                               : "an access to an address that no memory has");
    } else {
        find_object(fault->address, 1, &object);
        place_text(fault->address, 1, 1, &object, place, sizeof place);
        const struct finding finding =
            access_finding(emulate.kernel, where, line, &object, fault->address);
        findings_add(&finding, "error in kernel %s: %s by %s at %s,\n    %s", emulate.kernel,
                     fault->writes < 0   ? "an access"
                     : fault->writes > 0 ? "a write"
                                         : "a read",
                     where, line, place);
    }
    report_end();
    emulate_running = 0;
}

static void switch_begin(void **fake_stack, const void *to, size_t bytes)
{
    bounds_flush();
    if (!to)
        to = thread_stack(&bytes);
    __sanitizer_start_switch_fiber(fake_stack, to, bytes);
}

static void switch_end(void *fake_stack, const void **from, size_t *bytes)
{
    __sanitizer_finish_switch_fiber(fake_stack, from, bytes);
}

static void memory_event(enum portable_memory_event_ event, const void *memory, size_t bytes,
                         const void *caller)
{
    bounds_flush();
    switch (event) {
    case PORTABLE_MEMORY_NEW_: device_add(memory, bytes, caller); break;
    case PORTABLE_MEMORY_FREE_: device_remove(memory, caller); break;
    case PORTABLE_MEMORY_READ_:
    case PORTABLE_MEMORY_WRITE_:
        copy_caller = caller;
        __asan_unpoison_memory_region(memory, bytes);
        break;
    case PORTABLE_MEMORY_DONE_:
        copy_caller = NULL;
        if (!emulate.kernel) {
            /* Begins at a multiple of 8: the call keeps the part of a word before its range. */
            const size_t before = (uintptr_t)memory % 8;
            __asan_poison_memory_region((const char *)memory - before, bytes + before);
        }
        break;
    }
}

/* A call of portable.h took memory for a kind that it is not. Other failures only set a status,
 * which the program handles. */
static void call_failed(int status, const char *message, const void *caller)
{
    char head[160], where[96] = "";

    if (status != PORTABLE_ERROR_NOT_DEVICE_MEMORY && status != PORTABLE_ERROR_NOT_HOST_MEMORY &&
        status != PORTABLE_ERROR_OUT_OF_RANGE && status != PORTABLE_ERROR_INVALID_FREE)
        return;
    bounds_flush();
    report_begin();
    const char *const line = findings_line(caller);
    if (is_new(hash_of(line, NULL, portable_status_string((portable_status)status)))) {
        const char *const kernel = head_text(head);
        if (kernel)
            emulate_where(where, sizeof where, emulate.block_id, emulate.thread);
        const struct finding finding = {
            FINDING_INVALID_CALL, kernel, kernel ? where : NULL, {{line, NULL}}};
        findings_add(&finding, "%s%s%s%s, at %s", head, where, kernel ? ": " : "", message, line);
    }
    report_end();
}

struct emulate_check emulate_check = {
    .name = "memcheck",
    .pads = 1,
    .launch_begin = launch_begin,
    .launch_end = launch_end,
    .switch_begin = switch_begin,
    .switch_end = switch_end,
    .abandoned = stack_abandoned,
    .memory = memory_event,
    .faulted = faulted,
    .diverged = findings_given_up,
    .call = findings_call,
    .failed = call_failed,
};

/* The program may end in a kernel, when the host's memory is closed. */
static int open_at_summary(void)
{
    if (host_is_closed) {
        heap_open();
        stack_open();
        host_is_closed = 0;
    }
    return 1;
}

/* Runs before the program's constructors, and after that of findings.c: exit handlers run in
 * reverse order. */
__attribute__((constructor(102))) static void memcheck_start(void)
{
    __asan_get_shadow_mapping(&shadow_scale, &shadow_offset);
    portable_guards_ = -1; /* the sanitizer has its own */
    asan_has_log = has_log_path("ASAN_OPTIONS");
    ubsan_has_log = has_log_path("UBSAN_OPTIONS");
    if (!asan_has_log)
        report_file = memfd_create("memcheck", MFD_CLOEXEC);
    asan_to_file();
    __asan_set_error_report_callback(asan_reported);
    __sanitizer_set_death_callback(sanitizer_died);
    findings_open("memcheck", "error", "errors");
    findings_before_summary(open_at_summary);
    on_exit(at_end, NULL);
    catch_signals();
    __sanitizer_install_malloc_and_free_hooks(heap_add, heap_remove);
}
