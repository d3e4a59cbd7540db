/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make streamcheck: bytes that a kernel, a copy, a host function or the host touches before
 * something has waited for the work that touched them earlier, of which at least one writes. The
 * work is done in the order of its calls, so that the program's results are right; clocks
 * (timelines.h) tell which of it CUDA leaves unordered, and the shadow of each byte (touches.h) who
 * touched it.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, RTLD_NEXT */
#define PORTABLE_EMULATE_SCHEDULER_
#define HOOKS_SEE_HOST 1

#include "host/checks/accesses.h"
#include "host/checks/findings.h"
#include "host/checks/text_set.h"
#include "host/checks/touches.h"
#include "host/emulate/check.h"
#include "portable.h"

#include <dlfcn.h>     /* dlsym */
#include <semaphore.h> /* sem_post */

/* The work of the running launch, whose kernel calls the hooks: one at a time in the process. */
static struct toucher kernel;
/* The host's own accesses. */
static struct toucher host = {.clock = &host_clock};

/* The work that this host thread does: a host function may call the runtime. Allocated with the
 * first, as libraries have little room for thread-local variables. */
enum { DEPTH = 4 };
struct doing {
    struct toucher toucher;
    struct emulate_clock clock;
    enum emulate_work kind;
};
static __thread struct doing *doing;
static __thread int depth;
static __thread const void *maker; /* of the work, if that is not what the program calls now */
static pthread_key_t doing_key;    /* frees it */

/* ---------------------------------------------------------------------------------------------
 * Places: the instruction, and the thread
 * ------------------------------------------------------------------------------------------- */

INLINE place place_of(const void *caller)
{
    const uint32_t thread = (uint32_t)(emulate.block_id * emulate.threads + emulate.thread);
    return (place)(uint32_t)(uintptr_t)caller << 32 | thread;
}

/* A module is less than 2^32 bytes long. */
static const void *caller_of(place at)
{
    const uint32_t low = (uint32_t)(at >> 32);
    const struct emulate_range *code;
    const size_t count = emulate_ranges(EMULATE_CODE, &code);

    for (size_t k = 0; k < count; k++) {
        const char *const caller = code[k].begin + (uint32_t)(low - (uintptr_t)code[k].begin);

        if (caller <= code[k].end)
            return caller;
    }
    return NULL;
}

/* ---------------------------------------------------------------------------------------------
 * Reports: one for each pair of lines and object
 * ------------------------------------------------------------------------------------------- */

static struct text_set reported;
static __thread int is_reporting; /* the runtime's own accesses are none of the program's */

/* "stream 2 (made at x.cu:12)" */
static char *stream_text(char *text, size_t size, uint32_t number)
{
    const struct stream *const stream = &streams[number];

    if (stream->kind == EMULATE_LEGACY_STREAM)
        snprintf(text, size, "the default stream");
    else if (stream->kind == EMULATE_THREAD_STREAM)
        snprintf(text, size, "a thread's default stream");
    else if (stream->kind == EMULATE_GRAPH_BRANCH)
        snprintf(text, size, "a graph launched at %s", findings_line(stream->caller));
    else
        snprintf(text, size, "%sstream %u (%s)",
                 stream->kind == EMULATE_NON_BLOCKING_STREAM ? "non-blocking " : "", stream->number,
                 findings_line(stream->caller));
    return text;
}

static char *stream_name(char *text, size_t size, uint32_t number)
{
    if (streams[number].kind >= EMULATE_BLOCKING_STREAM)
        snprintf(text, size, "stream %u", streams[number].number);
    else if (streams[number].kind == EMULATE_GRAPH_BRANCH)
        snprintf(text, size, "the graph's stream");
    else
        stream_text(text, size, number);
    return text;
}

/* "kernel scale, block (0, 0, 0), thread (5, 0, 0) at x.cu:7, launched at x.cu:20 in stream 2
 * (x.cu:12)". line: NULL for a call, and where it is not known. */
static char *work_text(char *text, size_t size, const struct work *work, const char *thread,
                       const char *line)
{
    char stream[256], at[640] = "";

    stream_text(stream, sizeof stream, work->stream);
    if (line != NULL)
        snprintf(at, sizeof at, "%s%s at %s", thread[0] != '\0' ? ", " : "", thread, line);
    if (work->kind == EMULATE_KERNEL)
        snprintf(text, size, "kernel %s%s, launched at %s in %s", work->call, at,
                 findings_line(work->caller), stream);
    else if (work->kind == EMULATE_FUNCTION)
        snprintf(text, size, "a host function%s, enqueued by %s at %s in %s", at, work->call,
                 findings_line(work->caller), stream);
    else
        snprintf(text, size, "%s at %s in %s", work->call, findings_line(work->caller), stream);
    return text;
}

/* The thread of a kernel's place; "" if that was not of a kernel. */
static char *thread_text(char *text, size_t size, const struct work *work, place at)
{
    const unsigned *const block = work->block, *const grid = work->grid;
    const unsigned threads = block[0] * block[1] * block[2];

    text[0] = '\0';
    if (threads == 0)
        return text;
    const unsigned id = (uint32_t)at / threads, thread = (uint32_t)at % threads;
    snprintf(text, size, "block (%u, %u, %u), thread (%u, %u, %u)", id % grid[0],
             id / grid[0] % grid[1], id / grid[0] / grid[1], thread % block[0],
             thread / block[0] % block[1], thread / block[0] / block[1]);
    return text;
}

/* What the program has to add, in words. */
static char *wait_text(char *text, size_t size, const struct conflict *conflict)
{
    const struct work *const earlier = work_at(conflict->earlier);
    const struct work *const later =
        conflict->toucher->work ? work_at(conflict->toucher->work) : NULL;
    char from[64], to[64];
    const char *reason = "";

    stream_name(from, sizeof from, earlier->stream);
    if (later == NULL) {
        snprintf(text, size,
                 "missing between them: cudaStreamSynchronize of %s, or of an event recorded there",
                 from);
        return text;
    }
    stream_name(to, sizeof to, later->stream);
    const enum emulate_stream a = streams[earlier->stream].kind, b = streams[later->stream].kind;
    if (a == EMULATE_GRAPH_BRANCH && b == EMULATE_GRAPH_BRANCH) {
        snprintf(text, size,
                 "missing between them: a dependency of the later node on the earlier one");
        return text;
    }
    if (a == EMULATE_LEGACY_STREAM && strncmp(earlier->call, "cudaMemcpy", 10) == 0)
        reason =
            "\n    a copy from pageable memory, or on the device, may go on after the call, and a "
            "non-blocking\n    stream does not wait for the default stream";
    else if ((a == EMULATE_LEGACY_STREAM) != (b == EMULATE_LEGACY_STREAM))
        reason = "\n    a non-blocking stream and the default stream do not wait for each other";
    snprintf(text, size,
             "missing between them: an event, recorded in %s (cudaEventRecord), for which %s waits "
             "(cudaStreamWaitEvent)%s",
             from, to, reason);
    return text;
}

/* work: NULL for the host, which may free the memory. */
static const char *access_name(enum access kind, const struct work *work, int frees)
{
    static const char *const names[] = {"read", "atomic read", "atomic", "write"};
    if (frees || (work != NULL && work->kind == EMULATE_FREE))
        return "free";
    return work != NULL && work->kind == EMULATE_ALLOCATION ? "allocation" : names[kind];
}

/* Whether the latest conflict was of the same instruction, or call, with the same work and
 * object. */
static int is_repeated(const struct conflict *conflict, const struct object *object)
{
    static struct {
        const void *caller;
        const char *object;
        uint32_t earlier;
    } latest;
    const int repeated = latest.caller == conflict->caller && latest.object == object->address &&
                         latest.earlier == conflict->earlier && object->address != NULL;

    latest.caller = conflict->caller;
    latest.object = object->address;
    latest.earlier = conflict->earlier;
    return repeated;
}

/* Whether a conflict at the address means anything. Shared memory is used by one launch after
 * another, and a kernel's heap too. Of the host's own memory only copies tell. */
static int is_of_interest(const struct conflict *conflict)
{
    struct object object;

    if (emulate_is_shared(conflict->address) || emulate_is_on_stack(conflict->address))
        return 0;
    object_at(conflict->address, &object);
    if (object.kind != OBJECT_VARIABLE || object.address != NULL)
        return !is_repeated(conflict, &object);
    return work_at(conflict->earlier)->kind != EMULATE_KERNEL &&
           (conflict->toucher->work == 0 ||
            work_at(conflict->toucher->work)->kind != EMULATE_KERNEL);
}

/* Returns 1 the first time. */
static int is_new(const struct conflict *conflict, const struct object *object, const char *line,
                  const char *earlier_line)
{
    const struct work *const earlier = work_at(conflict->earlier);
    const struct work *const later = work_at(conflict->toucher->work);
    char text[512], key[1600];

    object_text(text, sizeof text, object, "", object->address, 0);
    snprintf(key, sizeof key, "%s|%s|%s|%s|%s", line,
             conflict->toucher->work != 0 ? findings_line(later->caller) : "",
             findings_line(earlier->caller), earlier_line != NULL ? earlier_line : "", text);
    return text_set_add(&reported, key);
}

/* Who touches now, and where: "block (0, 0, 0), thread (5, 0, 0) at x.cu:7, launched at x.cu:20 in
 * stream 2 (x.cu:12)". */
static char *later_text(char *text, size_t size, const struct conflict *conflict, const char *line,
                        const char *thread)
{
    const struct toucher *const toucher = conflict->toucher;
    const struct work *const work = work_at(toucher->work);
    char stream[256];

    if (toucher->work == 0)
        snprintf(text, size, "%s%sat %s", toucher->call != NULL ? toucher->call : "",
                 toucher->call != NULL ? " " : "", line);
    else if (work->kind == EMULATE_KERNEL)
        snprintf(text, size, "%s at %s, launched at %s in %s", thread, line,
                 findings_line(work->caller), stream_text(stream, sizeof stream, work->stream));
    else
        work_text(text, size, work, "", work->kind == EMULATE_FUNCTION ? line : NULL);
    return text;
}

static void report(const struct conflict *conflict)
{
    const struct toucher *const toucher = conflict->toucher;
    const struct work *const earlier = work_at(conflict->earlier);
    const struct work *const later = toucher->work != 0 ? work_at(toucher->work) : NULL;
    const int is_device = later != NULL && later->kind == EMULATE_KERNEL;
    const char *const line = findings_line(conflict->caller);
    const char *earlier_line = NULL;
    struct object object;
    char thread[96], where[96] = "", text[512], first[1200], second[1200], wait[500];

    object_at(conflict->address, &object);
    if (conflict->place_is_known && conflict->earlier_place >> 32 != 0)
        earlier_line = findings_line(caller_of(conflict->earlier_place));
    if (!is_new(conflict, &object, line, earlier_line))
        return;
    if (is_device)
        emulate_where(where, sizeof where, emulate.block_id, emulate.thread);
    thread_text(thread, sizeof thread, earlier, conflict->earlier_place);
    later_text(second, sizeof second, conflict, line, where);
    work_text(first, sizeof first, earlier, thread, earlier_line);
    if (object.kind == OBJECT_VARIABLE && object.address == NULL)
        snprintf(text, sizeof text, "%zu %s of pageable memory", conflict->bytes,
                 conflict->bytes == 1 ? "byte" : "bytes");
    else
        object_text(text, sizeof text, &object, " at", conflict->address, conflict->bytes);
    wait_text(wait, sizeof wait, conflict);
    const char *const now = access_name(conflict->kind, later, toucher->frees);
    const struct finding finding = {
        strcmp(now, "free") == 0 ? FINDING_EARLY_FREE
        : later != NULL          ? FINDING_UNORDERED_WORK
                                 : FINDING_EARLY_ACCESS,
        is_device ? later->call : NULL,
        is_device ? where : NULL,
        {{line, now}, {findings_line(earlier->caller), first}, object_place(&object)}};
    findings_add(&finding,
                 "missing wait in %s%s: %s %s%s%s\n    may come before the %s by %s,\n"
                 "    %s\n    %s",
                 is_device ? "kernel " : "host code", is_device ? later->call : "",
                 now[0] == 'a' ? "an" : "a", now,
                 later != NULL || toucher->call != NULL ? " by " : " ", second,
                 access_name(conflict->earlier_kind, earlier, 0), first, text, wait);
}

static void on_conflict(const struct conflict *conflict)
{
    const int running = emulate_running;

    emulate_running = 0; /* functions that the report calls are host code */
    is_reporting = 1;
    pthread_mutex_lock(&order_lock);
    if (is_of_interest(conflict))
        report(conflict);
    pthread_mutex_unlock(&order_lock);
    is_reporting = 0;
    emulate_running = running;
}

/* ---------------------------------------------------------------------------------------------
 * The accesses of kernels, and of host code
 * ------------------------------------------------------------------------------------------- */

/* A launch holds the lock of launches, and its kernel touches without any; so whatever else touches
 * takes that lock. */
static int lock_touches(void)
{
    if (portable_launch_.kernel != NULL)
        return 0;
    portable_lock_(&portable_launch_lock_);
    return 1;
}

static void unlock_touches(int locked)
{
    if (locked)
        portable_unlock_(&portable_launch_lock_);
}

/* A host function starts a thread, or lets one go on that waits. As that may be the host's, the
 * host then knows what the function knows. */
static void tell_host(void)
{
    if (depth == 0 || doing[depth - 1].kind != EMULATE_FUNCTION || is_reporting)
        return;
    pthread_mutex_lock(&order_lock);
    join(&host_clock, &doing[depth - 1].clock);
    pthread_mutex_unlock(&order_lock);
}

/* The calls of the C library that do so, in its place. */
#define FUNCTION_OF_LIBRARY(name, ...)                                                             \
    static int (*real)(__VA_ARGS__);                                                               \
    if (real == NULL)                                                                              \
        *(void **)&real = dlsym(RTLD_NEXT, name);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    FUNCTION_OF_LIBRARY("pthread_create", pthread_t *, const pthread_attr_t *, void *(*)(void *),
                        void *)
    tell_host();
    return real(thread, attributes, start, argument);
}
int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    FUNCTION_OF_LIBRARY("pthread_mutex_unlock", pthread_mutex_t *)
    if (mutex != &order_lock)
        tell_host();
    return real(mutex);
}
int sem_post(sem_t *semaphore)
{
    FUNCTION_OF_LIBRARY("sem_post", sem_t *)
    tell_host();
    return real(semaphore);
}

static __attribute__((noinline)) void on_host(const char *address, size_t bytes, enum access kind,
                                              const void *caller)
{
    if (is_reporting)
        return;
    if (depth == 0) {
        check_range(&host, address, bytes, kind, caller);
    } else if (doing[depth - 1].kind == EMULATE_FUNCTION) {
        const int locked = lock_touches();
        touch_range(&doing[depth - 1].toucher, address, bytes, kind, caller,
                    (place)(uint32_t)(uintptr_t)caller << 32);
        unlock_touches(locked);
    }
}

/* The pages of a range of the host's: of no interest if work has touched none. */
INLINE int is_of_work(const char *address, size_t bytes)
{
    for (size_t part; bytes > 0; address += part, bytes -= part) {
        part = on_page(address, bytes);
        if (shadow_page((uintptr_t)address) != NULL)
            return 1;
    }
    return 0;
}

/* Whether an access is one of whole units of a page that there is. */
INLINE int fits(const void *tagged, const char *address, size_t bytes)
{
    const size_t from = (uintptr_t)address % SHADOW_PAGE;

    return bytes <= 16 && tagged != NULL && from + bytes <= SHADOW_PAGE &&
           (kind_of_page(tagged) == OF_BYTES || (from | bytes) % UNIT_WORD == 0);
}

static __attribute__((noinline)) void touch_first(const char *address, size_t bytes,
                                                  enum access kind, const void *caller)
{
    void *const tagged = shadow_page((uintptr_t)address);

    if (fits(tagged, address, bytes))
        touch_page(&kernel, tagged, address, bytes, kind, caller, place_of(caller));
    else
        touch_range(&kernel, address, bytes, kind, caller, place_of(caller));
}

/* Whether the running work has touched all units of the access before. */
INLINE int is_known(const char *address, size_t bytes, enum access kind)
{
    void *const tagged = shadow_page((uintptr_t)address);
    const size_t from = (uintptr_t)address % SHADOW_PAGE;

    if (!fits(tagged, address, bytes))
        return 0;
    if (kind_of_page(tagged) == OF_WORDS) {
        const struct page_of_words *const page = words_of(tagged);
        for (size_t k = 0; k < bytes / UNIT_WORD; k++)
            if (!is_touched(kernel.work, page->write[from / UNIT_WORD + k],
                            page->others[from / UNIT_WORD + k], kind))
                return 0;
    } else {
        const struct page_of_bytes *const page = bytes_of(tagged);
        for (size_t k = 0; k < bytes; k++)
            if (!is_touched(kernel.work, page->write[from + k], page->others[from + k], kind))
                return 0;
    }
    return 1;
}

INLINE void on_touch(const char *address, size_t bytes, enum access kind, const void *caller)
{
    if (!emulate_running) {
        if (UNLIKELY(depth > 0 || is_of_work(address, bytes)))
            on_host(address, bytes, kind, caller);
        return;
    }
    if (object_is_on_stack(address))
        return;
    emulate_in_step(address, caller);
    if (kernel.work != 0 && !is_known(address, bytes, kind))
        touch_first(address, bytes, kind, caller);
}

INLINE void on_read(const char *address, size_t bytes, const void *caller)
{
    on_touch(address, bytes, UNLIKELY(emulate.access != EMULATE_PLAIN) ? ATOMIC_READ : READ,
             caller);
}

INLINE void on_write(const char *address, size_t bytes, const void *caller)
{
    on_touch(address, bytes, UNLIKELY(emulate.access != EMULATE_PLAIN) ? ATOMIC : WRITE, caller);
}

INLINE void on_atomic(const char *address, size_t bytes, int writes, const void *caller)
{
    on_touch(address, bytes, writes ? ATOMIC : ATOMIC_READ, caller);
    if (UNLIKELY(writes && depth > 0 && !emulate_running))
        tell_host();
}

#include "host/checks/hooks.h"

/* ---------------------------------------------------------------------------------------------
 * Callbacks of the scheduler
 * ------------------------------------------------------------------------------------------- */

/* A launch of which no call has told is waited for at once: no other work is unordered with it. */
static void launch_begin(void)
{
    findings_launch(emulate.kernel);
    if (depth == 0) {
        kernel.work = 0;
        return;
    }
    kernel = doing[depth - 1].toucher;
    pthread_mutex_lock(&order_lock);
    if (work_at(kernel.work)->block[0] != 0) { /* a child: the parent's work has not ended */
        kernel.work = new_work(*work_at(kernel.work));
        work_at(kernel.work)->call = emulate.kernel;
    }
    pthread_mutex_unlock(&order_lock);
    memcpy(work_at(kernel.work)->grid, emulate.grid, sizeof emulate.grid);
    memcpy(work_at(kernel.work)->block, emulate.block, sizeof emulate.block);
}

static void launch_end(void)
{
    kernel.work = 0;
}

static void memory(enum portable_memory_event_ event, const void *address, size_t bytes,
                   const void *caller)
{
    if (event == PORTABLE_MEMORY_NEW_)
        clear_range((const char *)address, bytes);
    object_memory(event, address, bytes, caller);
}

/* ---------------------------------------------------------------------------------------------
 * Callbacks of the runtime
 * ------------------------------------------------------------------------------------------- */

static unsigned portable_order_open_(enum emulate_stream kind)
{
    const void *const caller = kind >= EMULATE_GRAPH_BRANCH ? emulate_caller(NULL) : NULL;

    pthread_mutex_lock(&order_lock);
    const unsigned timeline = open_timeline(kind, caller);
    pthread_mutex_unlock(&order_lock);
    return timeline;
}

static void portable_order_close_(unsigned timeline)
{
    pthread_mutex_lock(&order_lock);
    timelines[timeline]->is_open = 0;
    pthread_mutex_unlock(&order_lock);
}

static void portable_order_begin_(unsigned timeline, enum emulate_work kind, const char *call,
                                  const void *given)
{
    const void *const caller = maker != NULL ? maker : given != NULL ? given : emulate_caller(NULL);

    if (doing == NULL) {
        doing = (struct doing *)require_memory(calloc(DEPTH, sizeof *doing));
        pthread_setspecific(doing_key, doing);
    }
    if (depth == DEPTH) {
        fprintf(stderr, "streamcheck: host functions call the runtime API too deeply\n");
        abort();
    }
    struct toucher *const toucher = &doing[depth].toucher;
    struct emulate_clock *const clock = &doing[depth].clock;
    memset(toucher, 0, sizeof *toucher);
    pthread_mutex_lock(&order_lock);
    toucher->work = add_work(timeline, kind, call, caller);
    copy_clock(clock, &timelines[timeline]->knows);
    toucher->floor = floor_of(clock) < toucher->work ? floor_of(clock) : toucher->work - 1;
    pthread_mutex_unlock(&order_lock);
    toucher->clock = clock;
    toucher->caller = caller;
    doing[depth].kind = kind;
    depth++;
}

static void portable_order_end_(void)
{
    depth--;
}

static void portable_order_made_by_(const void *caller)
{
    maker = caller;
}

static void portable_order_access_(const void *memory, size_t bytes, int writes)
{
    struct toucher *const toucher = &doing[depth - 1].toucher;
    const int locked = lock_touches();

    touch_range(toucher, (const char *)memory, bytes, writes ? WRITE : READ, toucher->caller, 0);
    unlock_touches(locked);
}

static void portable_check_host_(const char *call, const void *memory, size_t bytes, int writes,
                                 int frees)
{
    struct toucher toucher = {
        .clock = &host_clock, .call = call, .caller = emulate_caller(NULL), .frees = frees};
    const int locked = lock_touches();

    check_range(&toucher, (const char *)memory, bytes, writes ? WRITE : READ, toucher.caller);
    unlock_touches(locked);
}

static void portable_order_host_access_(const char *call, const void *memory, size_t bytes,
                                        int writes)
{
    portable_check_host_(call, memory, bytes, writes, 0);
}

static void portable_order_host_waits_(unsigned timeline)
{
    pthread_mutex_lock(&order_lock);
    join(&host_clock, &advance(timeline)->knows);
    pthread_mutex_unlock(&order_lock);
}

static void portable_order_host_waits_for_all_(void)
{
    pthread_mutex_lock(&order_lock);
    for (uint32_t at = 0; at < timeline_count; at++)
        join(&host_clock, &timelines[at]->knows);
    pthread_mutex_unlock(&order_lock);
}

static struct emulate_clock *portable_order_record_(struct emulate_clock *clock, unsigned timeline)
{
    if (clock == NULL)
        clock = (struct emulate_clock *)require_memory(calloc(1, sizeof *clock));
    pthread_mutex_lock(&order_lock);
    copy_clock(clock, &advance(timeline)->knows);
    pthread_mutex_unlock(&order_lock);
    return clock;
}

static void portable_order_wait_(unsigned timeline, const struct emulate_clock *clock)
{
    pthread_mutex_lock(&order_lock);
    join(&advance(timeline)->knows, clock);
    pthread_mutex_unlock(&order_lock);
}

static void portable_order_host_waits_for_(const struct emulate_clock *clock)
{
    pthread_mutex_lock(&order_lock);
    join(&host_clock, clock);
    pthread_mutex_unlock(&order_lock);
}

static void portable_order_forget_(struct emulate_clock *clock)
{
    if (clock != NULL)
        free(clock->counts);
    free(clock);
}

static void portable_order_allocated_(enum emulate_memory kind, const void *memory, size_t bytes)
{
    static const enum object_kind kinds[] = {[EMULATE_PINNED] = OBJECT_PINNED,
                                             [EMULATE_MANAGED] = OBJECT_MANAGED,
                                             [EMULATE_REGISTERED] = OBJECT_REGISTERED};
    const void *const caller = emulate_caller(NULL);
    const int locked = lock_touches();

    object_new(kinds[kind], memory, bytes, caller);
    if (kind != EMULATE_REGISTERED)
        clear_range((const char *)memory, bytes);
    unlock_touches(locked);
}

static void portable_order_freed_(const char *call, const void *memory, size_t bytes)
{
    if (call != NULL)
        portable_check_host_(call, memory, bytes, 1, 1);
    const int locked = lock_touches();
    clear_range((const char *)memory, bytes);
    object_free(memory);
    unlock_touches(locked);
}

static void free_doing(void *of_thread)
{
    for (int k = 0; k < DEPTH; k++)
        free(((struct doing *)of_thread)[k].clock.counts);
    free(of_thread);
}

static const struct emulate_order order = {
    .open = portable_order_open_,
    .close = portable_order_close_,
    .begin = portable_order_begin_,
    .end = portable_order_end_,
    .made_by = portable_order_made_by_,
    .access = portable_order_access_,
    .host_access = portable_order_host_access_,
    .host_waits = portable_order_host_waits_,
    .host_waits_for_all = portable_order_host_waits_for_all_,
    .record = portable_order_record_,
    .wait = portable_order_wait_,
    .host_waits_for = portable_order_host_waits_for_,
    .forget = portable_order_forget_,
    .allocated = portable_order_allocated_,
    .freed = portable_order_freed_,
};

__attribute__((constructor)) static void begin(void)
{
    findings_open("streamcheck", "missing wait", "missing waits");
    pthread_key_create(&doing_key, free_doing);
    work_chunks[0] = (struct work *)require_memory(calloc(CHUNK, sizeof(struct work)));
    open_timeline(EMULATE_LEGACY_STREAM, NULL);
}

struct emulate_check emulate_check = {
    .name = "streamcheck",
    .launch_begin = launch_begin,
    .launch_end = launch_end,
    .memory = memory,
    .diverged = findings_given_up,
    .call = findings_call,
    .faulted = findings_given_up,
    .varies = {{(char *)&kernel, (char *)(&kernel + 1)}},
    .order = &order,
};
