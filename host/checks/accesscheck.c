/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make accesscheck: what a GPU's memory would do for each line of a kernel: sectors of device
 * memory, wavefronts of shared memory, atomics on one address, idle lanes. It judges nothing,
 * unless PORTABLE_ACCESS_LIMITS gives limits.
 *
 * Each access of a thread is an event of its trace. At a barrier of the block, and at the end of a
 * block, the traces of the lanes of each warp are joined to accesses of the warp (convergence.h),
 * which have their costs (warp_accesses.h). Local variables are left out, as they are in registers
 * on a GPU, and so is CONSTANT memory, which has a cache of its own.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "host/checks/accesses.h"
#include "host/checks/convergence.h"
#include "host/checks/counts.h"
#include "host/checks/findings.h"
#include "host/checks/text_set.h"
#include "host/checks/warp_accesses.h"
#include "host/emulate/check.h"
#include "portable.h" /* portable_bad_value_ */

#include <inttypes.h> /* PRIu64 */
#include <link.h>     /* dl_iterate_phdr */
#include <stdio.h>    /* fprintf, snprintf */
#include <stdlib.h>   /* getenv, qsort, realloc, strtod */
#include <string.h>   /* strchr, strcmp, strncmp */

#define INLINE static inline __attribute__((always_inline))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

static void *grown(void *old, size_t bytes)
{
    void *const memory = realloc(old, bytes);

    if (memory == NULL) {
        fprintf(stderr, "accesscheck: out of memory\n");
        abort();
    }
    return memory;
}

/* ---------------------------------------------------------------------------------------------
 * Sites: the accesses of one instruction of a kernel, of one kind and size
 * ------------------------------------------------------------------------------------------- */

enum space { DEVICE_SPACE, SHARED_SPACE, SPACES, OTHER_SPACE = SPACES };

struct site {
    uint64_t key;     /* of key_of; 0: free */
    uint64_t fast;    /* the key with the kernel's; or 0 */
    event at_0;       /* at address 0 */
    uintptr_t begin;  /* the object that it accessed last in this launch, */
    size_t bytes;     /* 0 for none, */
    enum space space; /* and where that is */
    unsigned kernel;  /* a number */
    struct cost costs[SPACES];
};
/* By hash; the number of a site is its index. */
enum { MOST_SITES = SITES / 4 * 3 };
static struct site sites[SITES];
static uint16_t used_sites[MOST_SITES];
static unsigned site_count;

/* The kernels that were launched, and the number of the running one. */
static struct kernel {
    char *name;
    uint64_t launches;
    unsigned end; /* the number of a site after all others */
} * kernels;
static unsigned kernel_count, kernel;

/* Of all launches: accesses of threads, and those that are in no site's costs. */
static uint64_t accesses, left_out;

INLINE uint64_t key_of(const void *caller, enum access_kind kind, size_t bytes)
{
    return (uint64_t)(uintptr_t)caller << 8 | (uint64_t)kind << 6 | bytes;
}
static const void *caller_of(const struct site *site)
{
    return (const void *)(uintptr_t)(site->key >> 8);
}
static enum access_kind kind_of(const struct site *site)
{
    return (enum access_kind)(site->key >> 6 & 3);
}
static unsigned bytes_of(const struct site *site)
{
    return (unsigned)(site->key & 63);
}

/* No access has this key: that of a kernel's end. */
enum { END_KEY = 1 };

/* Keys have 55 bits. A kernel's number is in the other 9: with the last, which kernels of
 * larger numbers have, and all kernels in lockstep, no access is fast. */
enum { KEY_BITS = 55, NO_FAST_KERNEL = 511 };
static uint64_t kernel_key;
static unsigned kernel_salt;

/* Neighbouring instructions, and kinds of one, are neighbours. */
INLINE unsigned place_of(const void *caller, enum access_kind kind)
{
    return ((unsigned)(uintptr_t)caller + kernel_salt + (unsigned)kind) % SITES;
}

/* NULL if there are too many. */
static __attribute__((noinline)) struct site *find_site(uint64_t key)
{
    unsigned at = place_of((const void *)(uintptr_t)(key >> 8), (enum access_kind)(key >> 6 & 3));

    while (sites[at].key != 0 && (sites[at].key != key || sites[at].kernel != kernel))
        at = (at + 1) % SITES;
    if (sites[at].key == 0 && site_count == MOST_SITES)
        return NULL;
    if (sites[at].key == 0) {
        sites[at].key = key;
        sites[at].fast = kernel < NO_FAST_KERNEL ? key | (uint64_t)kernel << KEY_BITS : 0;
        sites[at].at_0 = event_of(at, 0);
        sites[at].kernel = kernel;
        used_sites[site_count++] = (uint16_t)at;
    }
    return &sites[at];
}

/* ---------------------------------------------------------------------------------------------
 * Objects
 * ------------------------------------------------------------------------------------------- */

static void set_object(struct site *site, enum space space, const char *begin, size_t bytes)
{
    site->space = space;
    site->begin = (uintptr_t)begin;
    site->bytes = bytes;
}

/* The thread-local variables of a module, those of the OS thread that runs all simulated ones. */
static int find_thread_locals(struct dl_phdr_info *module, size_t size, void *address)
{
    struct emulate_range *const found = (struct emulate_range *)address;
    char *const begin = (char *)module->dlpi_tls_data;

    (void)size;
    for (int i = 0; begin != NULL && i < module->dlpi_phnum; i++)
        if (module->dlpi_phdr[i].p_type == PT_TLS &&
            (uintptr_t)found->begin - (uintptr_t)begin < module->dlpi_phdr[i].p_memsz) {
            found->begin = begin;
            found->end = begin + module->dlpi_phdr[i].p_memsz;
            return 1;
        }
    return 0;
}

/* Those that a GPU has in registers. */
static int is_of_runtime(const char *variable)
{
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(variable, names[k]) == 0)
            return 1;
    return strncmp(variable, "portable_", strlen("portable_")) == 0;
}

/* An access to another object than the site's last one. Memory of no object may be the host's. */
static __attribute__((noinline)) void find_object(struct site *site, const char *address)
{
    enum { PAGE = 4096 };
    struct emulate_range locals = {(char *)(uintptr_t)address, NULL};
    struct object object;

    if (object_is_on_stack(address)) {
        set_object(site, OTHER_SPACE, emulate.stacks, emulate.stacks_bytes);
        return;
    }
    emulate_running = 0;
    object_at(address, &object);
    if (object.kind == OBJECT_SHARED || object.kind == OBJECT_DYNAMIC_SHARED)
        set_object(site, SHARED_SPACE, object.address, object.bytes);
    else if (object.kind == OBJECT_CONSTANT || is_of_runtime(object.name))
        set_object(site, OTHER_SPACE, object.address, object.bytes);
    else if (object.address != NULL)
        set_object(site, DEVICE_SPACE, object.address, object.bytes);
    else if (dl_iterate_phdr(find_thread_locals, &locals))
        set_object(site, OTHER_SPACE, locals.begin, (size_t)(locals.end - locals.begin));
    else if (emulate_is_in(EMULATE_LOADED, address))
        set_object(site, DEVICE_SPACE, address, 1);
    else
        set_object(site, DEVICE_SPACE, address - (uintptr_t)address % PAGE, PAGE);
    emulate_running = 1;
}

/* Objects come and go between launches. */
static void forget_objects(void)
{
    for (unsigned k = 0; k < site_count; k++)
        sites[used_sites[k]].bytes = 0;
}

/* ---------------------------------------------------------------------------------------------
 * Traces
 * ------------------------------------------------------------------------------------------- */

/* The traces of a block between two barriers have at most this number of events. */
enum { MOST_EVENTS = 1 << 24, MOST_THREADS = 1024 };

static struct trace {
    event *events, *next, *end;
} traces[MOST_THREADS];
static uint32_t traced_interval;
static unsigned joined_warp;
static const struct emulate_range *shared;
static size_t shared_count;

static void add_to_site(unsigned site, uintptr_t *addresses, const unsigned char *lanes,
                        unsigned count)
{
    struct site *const s = &sites[site];
    const unsigned first = joined_warp * LANES;
    const int is_shared = object_is_shared(shared, shared_count, (const void *)addresses[0]);
    struct cost *const cost = &s->costs[is_shared ? SHARED_SPACE : DEVICE_SPACE];

    cost->present += emulate.threads - first < LANES ? emulate.threads - first : LANES;
    add_request(cost, kind_of(s), is_shared, bytes_of(s), addresses, lanes, count);
}

/* Joins the lanes of all warps. */
static void join_traces(void)
{
    for (joined_warp = 0; joined_warp * LANES < emulate.threads; joined_warp++) {
        struct trace *const first = &traces[joined_warp * LANES];
        struct lane_trace lanes[LANES];
        unsigned count = 0;

        for (unsigned lane = 0; lane < LANES; lane++) {
            if (first[lane].next == first[lane].events)
                continue;
            lanes[count].at = first[lane].events;
            lanes[count].end = first[lane].next;
            lanes[count++].lane = lane;
            accesses += (uint64_t)(first[lane].next - first[lane].events);
            first[lane].next = first[lane].events;
        }
        join_lanes(lanes, count, kernels[kernel].end, add_to_site);
    }
}

/* Makes room for one more event of the running thread; returns 0 if it has its share. */
static int make_room(struct trace *trace)
{
    const size_t most = MOST_EVENTS / ((emulate.threads + LANES - 1) / LANES * LANES);
    const size_t count = (size_t)(trace->next - trace->events);
    const size_t room = count > 0 ? 2 * count : 64;

    if (trace->next < trace->end)
        return 1;
    if (count >= most)
        return 0;
    trace->events = (event *)grown(trace->events, room * sizeof *trace->events);
    trace->next = trace->events + count;
    trace->end = trace->events + room;
    return 1;
}

/* Any access: also the first one of its instruction, to its object, after a barrier, or that needs
 * room. */
static __attribute__((noinline)) void add_slowly(const char *address, enum access_kind kind,
                                                 size_t bytes, const void *caller)
{
    struct site *const site = find_site(key_of(caller, kind, bytes));
    struct trace *const trace = &traces[emulate.thread];

    if (site == NULL) {
        left_out++;
        return;
    }
    if ((uintptr_t)address - site->begin >= site->bytes)
        find_object(site, address);
    if (site->space == OTHER_SPACE)
        return;
    emulate_running = 0;
    if (traced_interval != emulate.interval)
        join_traces();
    traced_interval = emulate.interval;
    if (make_room(trace)) {
        *trace->next++ = site->at_0 | (uintptr_t)address;
    } else {
        accesses++;
        left_out++;
    }
    emulate_running = 1;
}

static __attribute__((noinline)) void add_in_step(const char *address, enum access_kind kind,
                                                  size_t bytes, const void *caller)
{
    emulate_in_step(address, caller);
    add_slowly(address, kind, bytes, caller);
}

/* Nothing is called but, at the end, `slowly`: so no register is saved. */
INLINE void add_access(const char *address, enum access_kind kind, size_t bytes, const void *caller,
                       void (*slowly)(const char *, enum access_kind, size_t, const void *))
{
    struct site *const site = &sites[place_of(caller, kind)];

    if (__builtin_expect(site->fast == (key_of(caller, kind, bytes) | kernel_key) &&
                             (uintptr_t)address - site->begin < site->bytes,
                         1)) {
        struct trace *const trace = &traces[emulate.thread];
        event *const next = trace->next;

        if (site->space == OTHER_SPACE)
            return;
        if (__builtin_expect(next != trace->end && traced_interval == emulate.interval, 1)) {
            *next = site->at_0 | (uintptr_t)address;
            trace->next = next + 1;
            return;
        }
    }
    slowly(address, kind, bytes, caller);
}

/* A structure is copied by accesses of the largest size that divides its own, up to 16 bytes. */
static __attribute__((noinline)) void add_copy(const char *address, enum access_kind kind,
                                               size_t bytes, const void *caller)
{
    const size_t both = (uintptr_t)address | bytes | 16, each = both & -both;

    emulate_in_step(address, caller);
    for (size_t at = 0; at < bytes; at += each)
        add_access(address + at, kind, each, caller, add_slowly);
}

INLINE void add_any(const char *address, enum access_kind kind, size_t bytes, const void *caller)
{
    if (!emulate_running)
        return;
    if (__builtin_constant_p(bytes))
        add_access(address, kind, bytes, caller, add_in_step);
    else if (bytes == 16 && (uintptr_t)address % 16 == 0)
        add_access(address, kind, 16, caller, add_in_step);
    else
        add_copy(address, kind, bytes, caller);
}

/* An atomic of portable.h reads and writes: the write counts. */
INLINE void on_read(const char *address, size_t bytes, const void *caller)
{
    if (!UNLIKELY(emulate.access != EMULATE_PLAIN))
        add_any(address, ACCESS_LOAD, bytes, caller);
}

INLINE void on_write(const char *address, size_t bytes, const void *caller)
{
    add_any(address, UNLIKELY(emulate.access != EMULATE_PLAIN) ? ACCESS_ATOMIC : ACCESS_STORE,
            bytes, caller);
}

INLINE void on_atomic(const char *address, size_t bytes, int writes, const void *caller)
{
    if (writes)
        add_any(address, ACCESS_ATOMIC, bytes, caller);
}

#include "host/checks/hooks.h"

/* ---------------------------------------------------------------------------------------------
 * The report
 * ------------------------------------------------------------------------------------------- */

/* What PORTABLE_ACCESS_LIMITS may limit. */
enum limit_of {
    LIMIT_SECTORS,
    LIMIT_BYTES,
    LIMIT_WAVEFRONTS,
    LIMIT_ATOMICS,
    LIMIT_THREADS,
    LIMITS
};

/* The accesses of one kind in a line of a kernel. */
struct line {
    unsigned kernel;
    const char *text;
    enum access_kind kind;
    enum space space;
    struct cost cost;
    double worst[LIMITS]; /* of its instructions */
};

static void add_cost(struct cost *to, const struct cost *from)
{
    to->requests += from->requests;
    to->threads += from->threads;
    to->present += from->present;
    to->used += from->used;
    to->turns += from->turns;
    to->least += from->least;
}

static uint64_t excess_of(const struct cost *cost)
{
    return cost->turns > cost->least ? cost->turns - cost->least : 0;
}

static int by_number(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *left, const void *right)
{
    const struct line *const a = (const struct line *)left, *const b = (const struct line *)right;
    const int order =
        a->kernel != b->kernel ? by_number(a->kernel, b->kernel) : strcmp(a->text, b->text);

    if (order != 0)
        return order;
    return a->kind != b->kind ? by_number(a->kind, b->kind) : by_number(a->space, b->space);
}

/* The worst comes first: the most excess, then the most idle lanes. */
static int by_cost(const void *left, const void *right)
{
    const struct line *const a = (const struct line *)left, *const b = (const struct line *)right;
    int order = by_number(a->kernel, b->kernel);

    if (order == 0)
        order = by_number(excess_of(&b->cost), excess_of(&a->cost));
    if (order == 0)
        order = by_number(b->cost.requests * LANES - b->cost.threads,
                          a->cost.requests * LANES - a->cost.threads);
    if (order == 0)
        order = by_number(b->cost.requests, a->cost.requests);
    return order != 0 ? order : by_place(left, right);
}

static double ratio(uint64_t a, uint64_t b)
{
    return b > 0 ? (double)a / (double)b : 0;
}

/* The value that the limit is for; 0 if it is not for this line. */
static double value_of(const struct line *line, enum limit_of limit)
{
    const struct cost *const cost = &line->cost;
    const int is_atomic = line->kind == ACCESS_ATOMIC, is_shared = line->space == SHARED_SPACE;

    switch (limit) {
    case LIMIT_SECTORS: return is_atomic || is_shared ? 0 : ratio(cost->turns, cost->least);
    case LIMIT_BYTES: return is_atomic || is_shared ? 0 : ratio(SECTOR * cost->turns, cost->used);
    case LIMIT_WAVEFRONTS: return is_atomic || !is_shared ? 0 : ratio(cost->turns, cost->least);
    case LIMIT_ATOMICS: return is_atomic ? ratio(cost->turns, cost->requests) : 0;
    default: return ratio(cost->threads, cost->requests);
    }
}

static void add_line(struct line *to, const struct line *from)
{
    add_cost(&to->cost, &from->cost);
    for (int k = 0; k < LIMITS; k++)
        if (k == LIMIT_THREADS ? from->worst[k] < to->worst[k] : from->worst[k] > to->worst[k])
            to->worst[k] = from->worst[k];
}

/* All lines, by kernel; returns their number. */
static size_t find_lines(struct line **found)
{
    struct line *const lines =
        (struct line *)grown(NULL, (SPACES * site_count + 1) * sizeof *lines);
    const void **const callers = (const void **)grown(NULL, (site_count + 1) * sizeof *callers);
    size_t count = 0, kept = 0;

    for (unsigned k = 0; k < site_count; k++)
        callers[k] = caller_of(&sites[used_sites[k]]);
    findings_lines(callers, (int)site_count);
    free(callers);
    for (unsigned k = 0; k < site_count; k++) {
        const struct site *const site = &sites[used_sites[k]];

        for (int space = 0; space < SPACES; space++)
            if (site->costs[space].requests > 0)
                lines[count++] = (struct line){site->kernel,       findings_line(caller_of(site)),
                                               kind_of(site),      (enum space)space,
                                               site->costs[space], {0}};
    }
    for (size_t k = 0; k < count; k++)
        for (int limit = 0; limit < LIMITS; limit++)
            lines[k].worst[limit] = value_of(&lines[k], (enum limit_of)limit);
    qsort(lines, count, sizeof *lines, by_place);
    for (size_t k = 0; k < count; k++)
        if (kept > 0 && by_place(&lines[kept - 1], &lines[k]) == 0)
            add_line(&lines[kept - 1], &lines[k]);
        else
            lines[kept++] = lines[k];
    qsort(lines, kept, sizeof *lines, by_cost);
    *found = lines;
    return kept;
}

static const char *access_name(const struct line *line)
{
    static const char *const names[SPACES][ACCESS_KINDS] = {
        {"global load", "global store", "global atomic"},
        {"shared load", "shared store", "shared atomic"}};

    return names[line->space][line->kind];
}

static void print_line(const struct line *line)
{
    const struct cost *const cost = &line->cost;
    const double each = ratio(cost->turns, cost->requests),
                 least = ratio(cost->least, cost->requests);

    fprintf(stderr, "    %s: %s: %" PRIu64 " %s, ", line->text, access_name(line), cost->requests,
            cost->requests == 1 ? "request" : "requests");
    if (line->kind == ACCESS_ATOMIC)
        fprintf(stderr, "%.1f threads on one address", each);
    else if (line->space == SHARED_SPACE)
        fprintf(stderr, "%.1f wavefronts/request, ideal %.1f, %" PRIu64 " bank conflicts", each,
                least, excess_of(cost));
    else
        fprintf(stderr,
                "%.1f sectors/request, ideal %.1f, %" PRIu64 " excessive sectors, %.0f%% of bytes "
                "used",
                each, least, excess_of(cost), 100 * ratio(cost->used, SECTOR * cost->turns));
    fprintf(stderr, ", avg. active threads %.1f\n", ratio(cost->threads, cost->requests));
}

/* The number of lines of the first kernel in the list, and what they cost together. */
static size_t lines_of_kernel(const struct line *lines, size_t count, struct cost *all)
{
    size_t k = 0;

    memset(all, 0, sizeof *all);
    for (; k < count && lines[k].kernel == lines[0].kernel; k++)
        add_cost(all, &lines[k].cost);
    return k;
}

/* At most this number of lines of each kernel are printed: PORTABLE_ACCESS_LINES. 0: no report. */
static size_t most_lines = 10;

static void print_kernel(const struct line *lines, size_t count, const struct cost *all)
{
    const struct kernel *const k = &kernels[lines[0].kernel];

    fprintf(stderr,
            "accesscheck: kernel %s: %" PRIu64 " %s, %" PRIu64
            " requests, avg. active threads per warp %.1f\n",
            k->name, k->launches, k->launches == 1 ? "launch" : "launches", all->requests,
            ratio(all->threads, all->requests));
    for (size_t i = 0; i < count && i < most_lines; i++)
        print_line(&lines[i]);
    if (count > most_lines)
        fprintf(stderr, "    and %zu more %s\n", count - most_lines,
                count - most_lines == 1 ? "line" : "lines");
}

/* ---------------------------------------------------------------------------------------------
 * Limits
 * ------------------------------------------------------------------------------------------- */

/* 0: no limit. All are most, but for the threads. */
static struct {
    const char *name;
    enum finding_kind finding;
    const char *of, *what, *format; /* of the finding's sentence */
    double value;
} limits[LIMITS] = {
    {"sectors", FINDING_EXCESSIVE_SECTORS, "excessive sectors", "moves",
     "%.2f times the ideal number of sectors", 0},
    {"bytes", FINDING_UNUSED_BYTES, "unused bytes", "moves", "%.2f times the bytes that it uses",
     0},
    {"wavefronts", FINDING_BANK_CONFLICTS, "bank conflicts", "takes",
     "%.2f times the ideal number of wavefronts", 0},
    {"atomics", FINDING_ATOMICS, "atomics on one address", "has",
     "%.2f threads of a warp on one address", 0},
    {"threads", FINDING_INACTIVE_THREADS, "inactive threads", "has",
     "%.2f avg. active threads per warp", 0},
};

static void judge(const struct line *line)
{
    for (int k = 0; k < LIMITS; k++) {
        const double value = line->worst[k], limit = limits[k].value;
        const struct finding finding = {
            limits[k].finding, kernels[line->kernel].name, NULL, {{line->text, access_name(line)}}};
        char amount[80];

        if (limit == 0 || value == 0 || (k == LIMIT_THREADS ? value >= limit : value <= limit))
            continue;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(amount, sizeof amount, limits[k].format, value);
#pragma GCC diagnostic pop
        findings_add(&finding, "%s in kernel %s: the %s at %s\n    %s %s; the limit is %g",
                     limits[k].of, finding.kernel, access_name(line), line->text, limits[k].what,
                     amount, limit);
    }
}

/* "sectors=2,threads=16" */
static void read_limits(const char *text)
{
    static const char *const must = "must be NAME=NUMBER,...; the names are sectors, bytes, "
                                    "wavefronts, atomics and threads";

    for (const char *at = text; *at != '\0';) {
        const size_t length = strcspn(at, "=");
        char *end = NULL;
        int k = 0;

        while (k < LIMITS &&
               (strncmp(limits[k].name, at, length) != 0 || limits[k].name[length] != '\0'))
            k++;
        const double value = k < LIMITS && at[length] == '=' ? strtod(at + length + 1, &end) : 0;
        if (!(value > 0 && value < 1e18) || (*end != ',' && *end != '\0') ||
            (*end == ',' && end[1] == '\0'))
            portable_bad_value_("PORTABLE_ACCESS_LIMITS", text, must);
        limits[k].value = value;
        at = end + (*end == ',');
    }
}

/* ---------------------------------------------------------------------------------------------
 * Callbacks
 * ------------------------------------------------------------------------------------------- */

static int is_read; /* the program prints its counts */

void emulate_read_counts(struct emulate_counts *counts)
{
    is_read = 1;
    memset(counts, 0, sizeof *counts);
    counts->accesses = (double)accesses;
    for (unsigned k = 0; k < site_count; k++) {
        const struct site *const site = &sites[used_sites[k]];
        const struct cost *const device = &site->costs[DEVICE_SPACE];
        const struct cost *const in_shared = &site->costs[SHARED_SPACE];

        if (kind_of(site) == ACCESS_ATOMIC) {
            counts->atomics += (double)device->threads;
            continue;
        }
        counts->used += (double)device->used;
        counts->moved += (double)(SECTOR * device->turns);
        counts->turns += (double)in_shared->turns;
        counts->least_turns += (double)in_shared->least;
        counts->active += (double)(device->threads + in_shared->threads);
        counts->existing += (double)(device->present + in_shared->present);
    }
}

/* Returns whether the program's last line says that no limit was exceeded. */
static int report(void)
{
    struct line *lines;
    struct cost all;
    const size_t count = find_lines(&lines);

    for (size_t k = 0; k < count; k++)
        judge(&lines[k]);
    fflush(stdout);
    for (size_t k = 0, length; k < count && !is_read && most_lines > 0; k += length) {
        length = lines_of_kernel(&lines[k], count - k, &all);
        print_kernel(&lines[k], length, &all);
    }
    if (left_out > 0)
        fprintf(stderr, "accesscheck: %" PRIu64 " accesses are not in these numbers\n", left_out);
    free(lines);
    return !is_read;
}

static void launch_begin(void)
{
    const struct site *end;

    findings_launch(emulate.kernel);
    for (kernel = 0; kernel < kernel_count; kernel++)
        if (strcmp(kernels[kernel].name, emulate.kernel) == 0)
            break;
    kernel_key = (uint64_t)(emulate_lockstep || kernel >= NO_FAST_KERNEL ? NO_FAST_KERNEL : kernel)
                 << KEY_BITS;
    kernel_salt = kernel * 40503u;
    if (kernel == kernel_count) {
        kernels = (struct kernel *)grown(kernels, (kernel_count + 1) * sizeof *kernels);
        kernels[kernel].name = strdup(emulate.kernel);
        kernels[kernel].launches = 0;
        end = find_site(END_KEY); /* or there is room for none of its sites */
        kernels[kernel_count++].end = end != NULL ? (unsigned)(end - sites) : 0;
    }
    kernels[kernel].launches++;
    shared_count = emulate_ranges(EMULATE_SHARED, &shared);
    forget_objects();
}

static void block_leave(void **kept, int yields)
{
    (void)kept;
    (void)yields;
    join_traces();
}

static void memory(enum portable_memory_event_ what, const void *address, size_t bytes,
                   const void *caller)
{
    object_memory(what, address, bytes, caller);
    if (what == PORTABLE_MEMORY_FREE_)
        forget_objects();
}

static void faulted(const char *message)
{
    join_traces();
    findings_given_up(message);
}

__attribute__((constructor)) static void open_accesscheck(void)
{
    const char *const given = getenv("PORTABLE_ACCESS_LIMITS");
    const char *const number = getenv("PORTABLE_ACCESS_LINES");

    findings_open("accesscheck", "exceeded limit", "exceeded limits");
    findings_before_summary(report);
    if (given != NULL)
        read_limits(given);
    if (number != NULL && number[0] != '\0') {
        char *end;
        const unsigned long value = strtoul(number, &end, 10);

        if (number[0] < '0' || number[0] > '9' || *end != '\0' || value > 1000000)
            portable_bad_value_("PORTABLE_ACCESS_LINES", number,
                                "must be a number of lines, 0 to 1000000");
        most_lines = value;
    }
}

struct emulate_check emulate_check = {
    .name = "accesscheck",
    .launch_begin = launch_begin,
    .launch_end = join_traces,
    .block_begin = join_traces,
    .block_leave = block_leave,
    .memory = memory,
    .diverged = findings_given_up,
    .call = findings_call,
    .faulted = faulted,
    .varies = {{(char *)&accesses, (char *)(&accesses + 1)},
               {(char *)traces, (char *)(traces + MOST_THREADS)}},
};
