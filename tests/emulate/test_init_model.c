/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Initcheck keeps a flag for each byte. This test calls each of its hooks at every place around a
 * page's border, for device and shared memory, and then queries each byte: those that were written
 * are marked, and no other.
 */
#define _GNU_SOURCE
#include "host/checks/initcheck.c"

#include <setjmp.h> /* cmocka.h needs these four */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/emulate/kept_findings.h"
#include "tests/emulate/no_scheduler.h"

/* ---------------------------------------------------------------------------------------------
 * A scheduler that runs nothing, and the latest finding
 * ------------------------------------------------------------------------------------------- */

enum { BYTES = 3 * SHADOW_PAGE, SHARED_BYTES = 96, NEAR_BORDER = 40 };
static _Alignas(4096) char device_memory[BYTES], shared_memory[SHARED_BYTES];
static char dynamic_memory[SHARED_BYTES], stack[64], constant_memory[8];

void findings_open(const char *tool, const char *one, const char *many)
{
    (void)tool;
    (void)one;
    (void)many;
}
void findings_launch(const char *kernel)
{
    (void)kernel;
}
void findings_given_up(const char *message)
{
    (void)message;
}
const char *findings_call(const char *file, const void *const *return_addresses, int count)
{
    (void)file;
    (void)return_addresses;
    (void)count;
    return NULL;
}
/* Places in the program, as return addresses. */
static const char first_place = 1, second_place = 2;
const char *findings_line(const void *return_address)
{
    return return_address == &first_place    ? "a.c:1"
           : return_address == &second_place ? "a.c:2"
                                             : "model.c:3";
}
int findings_ignores_value(const void *return_address)
{
    (void)return_address;
    return 0;
}
int findings_ignores_padding(const void *return_address)
{
    (void)return_address;
    return 0;
}

size_t emulate_ranges(enum emulate_section which, const struct emulate_range **ranges)
{
    static const struct emulate_range all = {shared_memory, shared_memory + SHARED_BYTES};

    *ranges = &all;
    return which == EMULATE_SHARED;
}

int emulate_object_at(enum emulate_section which, const void *address,
                      struct emulate_object *object)
{
    char *const at = which == EMULATE_SHARED ? shared_memory : constant_memory;
    const size_t bytes = which == EMULATE_SHARED ? SHARED_BYTES : sizeof constant_memory;

    if ((uintptr_t)address - (uintptr_t)at >= bytes)
        return 0;
    strcpy(object->name, which == EMULATE_SHARED ? "tile" : "weights");
    object->address = at;
    object->bytes = bytes;
    return 1;
}

int emulate_variable_at(const void *address, struct emulate_object *object)
{
    if ((uintptr_t)address - (uintptr_t)stack >= sizeof stack)
        return 0;
    strcpy(object->name, "stack");
    object->address = stack;
    object->bytes = sizeof stack;
    return 1;
}

static void tell(enum portable_memory_event_ event, const void *address, size_t bytes)
{
    emulate_check.memory(event, address, bytes, &first_place);
}

static void begin_block(unsigned long long block)
{
    emulate.block_id = block;
    emulate.block_start = ++emulate.interval;
    if (emulate_check.block_begin != NULL)
        emulate_check.block_begin();
}

static void begin_launch(int cooperative, unsigned blocks)
{
    emulate.kernel = "model";
    emulate.launch_start = ++emulate.interval;
    emulate.grid[0] = blocks;
    emulate.grid[1] = emulate.grid[2] = 1;
    emulate.shared = dynamic_memory;
    emulate.shared_bytes = SHARED_BYTES;
    emulate.stacks = stack;
    emulate.stacks_bytes = sizeof stack;
    portable_launch_.cooperative = cooperative;
    emulate_check.launch_begin();
}

static void end_launch(void)
{
    emulate.kernel = NULL;
}

/* Initcheck reports everything once. */
static void clear_findings(void)
{
    reported_count = reported_lines.count = 0;
    found = 0;
    finding[0] = '\0';
}

/* The flags of neighbouring pages are not contiguous. */
static int scatter_pages(void **state)
{
    (void)state;
    for (size_t page = BYTES / SHADOW_PAGE; page-- > 0;)
        set_unwritten(device_memory + page * SHADOW_PAGE, 1, 1);
    return 0;
}

static int new_model(void **state)
{
    (void)state;
    strcpy(emulate.array, "x");
    tell(PORTABLE_MEMORY_NEW_, device_memory, BYTES);
    begin_launch(0, 4);
    begin_block(0);
    clear_findings();
    return 0;
}
static int end_model(void **state)
{
    (void)state;
    emulate_running = 0;
    end_launch();
    tell(PORTABLE_MEMORY_FREE_, device_memory, 0);
    for (size_t i = 0; i < BYTES; i++)
        if (is_unwritten(device_memory + i)) /* freed memory belongs to nobody */
            return 1;
    return 0;
}

/* ---------------------------------------------------------------------------------------------
 * Every hook, at every place
 * ------------------------------------------------------------------------------------------- */

typedef void hook(char *address, size_t bytes);

#define HOOK(name, call)                                                                           \
    static void name(char *address, size_t bytes)                                                  \
    {                                                                                              \
        (void)bytes;                                                                               \
        call;                                                                                      \
    }
#define WIDTH(bits) ((uint##bits##_t *)(void *)address)
static char source[64];
/* clang-format off */
HOOK(write_1, __tsan_write1(address))
HOOK(write_2, __tsan_write2(address))
HOOK(write_4, __tsan_write4(address))
HOOK(write_8, __tsan_write8(address))
HOOK(write_16, __tsan_write16(address))
HOOK(unaligned_2, __tsan_unaligned_write2(address))
HOOK(unaligned_4, __tsan_unaligned_write4(address))
HOOK(unaligned_8, __tsan_unaligned_write8(address))
HOOK(unaligned_16, __tsan_unaligned_write16(address))
HOOK(write_range, __tsan_write_range(address, bytes))
HOOK(fill, __wrap_memset(address, 0, bytes))
HOOK(fill_by_name, __tsan_memset(address, 0, bytes))
HOOK(copy, __wrap_memcpy(address, source, bytes))
HOOK(move, __wrap_memmove(address, source, bytes))
HOOK(copy_by_name, __tsan_memcpy(address, source, bytes))
HOOK(move_by_name, __tsan_memmove(address, source, bytes))
HOOK(store_8, __tsan_atomic8_store(WIDTH(8), 0, 0))
HOOK(store_16, __tsan_atomic16_store(WIDTH(16), 0, 0))
HOOK(store_32, __tsan_atomic32_store(WIDTH(32), 0, 0))
HOOK(store_64, __tsan_atomic64_store(WIDTH(64), 0, 0))
HOOK(read_1, __tsan_read1(address))
HOOK(read_2, __tsan_read2(address))
HOOK(read_4, __tsan_read4(address))
HOOK(read_8, __tsan_read8(address))
HOOK(read_16, __tsan_read16(address))
HOOK(read_unaligned_2, __tsan_unaligned_read2(address))
HOOK(read_unaligned_4, __tsan_unaligned_read4(address))
HOOK(read_unaligned_8, __tsan_unaligned_read8(address))
HOOK(read_unaligned_16, __tsan_unaligned_read16(address))
HOOK(read_range, __tsan_read_range(address, bytes))
HOOK(copy_from, __wrap_memcpy(source, address, bytes))
HOOK(move_from, __tsan_memmove(source, address, bytes))
HOOK(load_8, __tsan_atomic8_load(WIDTH(8), 0))
HOOK(load_16, __tsan_atomic16_load(WIDTH(16), 0))
HOOK(load_32, __tsan_atomic32_load(WIDTH(32), 0))
HOOK(load_64, __tsan_atomic64_load(WIDTH(64), 0))
/* clang-format on */

static const struct access_hook {
    hook *make;
    size_t bytes, alignment;
} writes[] =
    {
        {write_1, 1, 1},       {write_2, 2, 2},      {write_4, 4, 4},       {write_8, 8, 8},
        {write_16, 16, 16},    {unaligned_2, 2, 1},  {unaligned_4, 4, 1},   {unaligned_8, 8, 1},
        {unaligned_16, 16, 1}, {write_range, 3, 1},  {write_range, 12, 1},  {write_range, 16, 1},
        {write_range, 17, 1},  {write_range, 24, 1}, {fill, 1, 1},          {fill, 5, 1},
        {fill, 16, 1},         {fill, 33, 1},        {fill_by_name, 20, 1}, {copy, 1, 1},
        {copy, 7, 1},          {copy, 16, 1},        {copy, 32, 1},         {move, 11, 1},
        {copy_by_name, 9, 1},  {move_by_name, 6, 1}, {store_8, 1, 1},       {store_16, 2, 2},
        {store_32, 4, 4},      {store_64, 8, 8},
},
  reads[] = {
      {read_1, 1, 1},           {read_2, 2, 2},           {read_4, 4, 4},
      {read_8, 8, 8},           {read_16, 16, 16},        {read_unaligned_2, 2, 1},
      {read_unaligned_4, 4, 1}, {read_unaligned_8, 8, 1}, {read_unaligned_16, 16, 1},
      {read_range, 3, 1},       {read_range, 16, 1},      {read_range, 17, 1},
      {read_range, 40, 1},      {copy_from, 5, 1},        {copy_from, 16, 1},
      {copy_from, 21, 1},       {move_from, 16, 1},       {load_8, 1, 1},
      {load_16, 2, 2},          {load_32, 4, 4},          {load_64, 8, 8},
};

/* Places where an access of that size may begin: the border of two pages of device memory, and all
 * of shared memory, static and dynamic. */
static const struct {
    char *begin;
    size_t bytes;
} ranges[] = {{device_memory + SHADOW_PAGE - NEAR_BORDER, 2 * NEAR_BORDER},
              {shared_memory, SHARED_BYTES},
              {dynamic_memory, SHARED_BYTES}};

static void make(hook *make_it, char *address, size_t bytes)
{
    emulate_running = 1;
    make_it(address, bytes);
    emulate_running = 0;
}

static void set_range(size_t range, int unwritten)
{
    if (range == 0)
        set_unwritten(ranges[range].begin, ranges[range].bytes, unwritten);
    else if (unwritten)
        begin_block(0);
    else
        make(write_range, ranges[range].begin, ranges[range].bytes);
}

static void a_write_writes_its_bytes_and_no_other(void **state)
{
    (void)state;
    for (size_t range = 0; range < sizeof ranges / sizeof *ranges; range++)
        for (size_t k = 0; k < sizeof writes / sizeof *writes; k++)
            for (size_t at = 0; at + writes[k].bytes <= ranges[range].bytes;
                 at += writes[k].alignment) {
                char *const begin = ranges[range].begin;

                if ((uintptr_t)(begin + at) % writes[k].alignment != 0)
                    continue;
                set_range(range, 1);
                make(writes[k].make, begin + at, writes[k].bytes);
                for (size_t i = 0; i < ranges[range].bytes; i++)
                    if (is_unwritten(begin + i) != (i < at || i >= at + writes[k].bytes))
                        fail_msg("range %zu, write %zu of %zu bytes at %zu: byte %zu", range, k,
                                 writes[k].bytes, at, i);
            }
    assert_int_equal(found, 0);
}

/* One byte is uninitialised, before, in or after the bytes that are read. */
static void a_read_is_reported_for_its_bytes_and_no_other(void **state)
{
    (void)state;
    for (size_t range = 0; range < sizeof ranges / sizeof *ranges; range++)
        for (size_t k = 0; k < sizeof reads / sizeof *reads; k++)
            for (size_t hole = 0; hole < ranges[range].bytes; hole++) {
                char *const begin = ranges[range].begin;

                set_range(range, 1);
                make(write_range, begin, hole);
                make(write_range, begin + hole + 1, ranges[range].bytes - hole - 1);
                for (size_t at = hole < 48 ? 0 : hole - 48;
                     at + reads[k].bytes <= ranges[range].bytes && at < hole + 8; at++) {
                    const int inside = hole >= at && hole < at + reads[k].bytes;

                    if ((uintptr_t)(begin + at) % reads[k].alignment != 0)
                        continue;
                    clear_findings();
                    make(reads[k].make, begin + at, reads[k].bytes);
                    if (found != inside)
                        fail_msg("range %zu, read %zu of %zu bytes at %zu, byte %zu unwritten: %d "
                                 "findings",
                                 range, k, reads[k].bytes, at, hole, found);
                }
            }
}

/* At one place of two pages. */
static void pages_have_flags_of_their_own(void **state)
{
    (void)state;
    make(write_4, device_memory + 64, 4);
    assert_false(is_unwritten(device_memory + 64));
    assert_true(is_unwritten(device_memory + SHADOW_PAGE + 64));
    make(write_4, device_memory + 2 * SHADOW_PAGE + 128, 4);
    assert_true(is_unwritten(device_memory + 128));
    assert_true(is_unwritten(device_memory + SHADOW_PAGE + 128));
    assert_int_equal(found, 0);
}

/* An update reads before it writes; a failed one writes nothing. */
static void updates_read_and_write(void **state)
{
    uint32_t *const word = (uint32_t *)(void *)device_memory, compare = 1;

    (void)state;
    make(write_4, device_memory, 4);
    emulate_running = 1;
    word[0] = 0;
    assert_false(__tsan_atomic32_compare_exchange_strong(&word[0], &compare, 2, 0, 0));
    __tsan_atomic32_fetch_add(&word[0], 1, 0);
    assert_int_equal(found, 0);
    __tsan_atomic32_fetch_add(&word[1], 1, 0);
    assert_int_equal(found, 1);
    clear_findings();
    __tsan_read4(&word[1]); /* the update has written it */
    assert_int_equal(found, 0);
    __tsan_read_write4(&word[2]);
    assert_int_equal(found, 1);
    clear_findings();
    __tsan_read4(&word[2]);
    assert_int_equal(found, 0);
    word[3] = 0;
    compare = 1;
    __tsan_atomic32_compare_exchange_strong(&word[3], &compare, 2, 0, 0);
    clear_findings();
    __tsan_read4(&word[3]);
    assert_int_equal(found, 1);
    emulate_running = 0;
}

static void host_code_and_stacks_are_not_looked_at(void **state)
{
    (void)state;
    emulate_running = 0;
    __tsan_read4(device_memory);
    __tsan_write4(device_memory);
    __wrap_memset(device_memory, 0, 4);
    assert_true(is_unwritten(device_memory));
    make(read_4, stack, 4);
    make(read_4, constant_memory, 4); /* not from portable_malloc */
    assert_int_equal(found, 0);
}

/* ---------------------------------------------------------------------------------------------
 * Blocks, launches and the count of intervals
 * ------------------------------------------------------------------------------------------- */

static void shared_memory_is_unwritten_when_a_block_starts(void **state)
{
    (void)state;
    for (size_t range = 1; range < 3; range++) {
        char *const begin = ranges[range].begin;

        make(write_4, begin, 4);
        emulate.interval++; /* a barrier */
        make(write_4, begin + 8, 4);
        emulate.interval++;
        assert_false(is_unwritten(begin + 3));
        assert_false(is_unwritten(begin + 8));
        assert_true(is_unwritten(begin + 4));
        begin_block(1);
        assert_true(is_unwritten(begin + 3));
        assert_true(is_unwritten(begin + 8));
        make(write_4, begin, 4);
        begin_launch(0, 1);
        begin_block(0);
        assert_true(is_unwritten(begin));
    }
}

/* The restarted numbers are smaller than those of earlier writes. */
static void shared_memory_is_unwritten_when_the_count_begins_again(void **state)
{
    (void)state;
    emulate.interval = UINT32_MAX - 10;
    begin_block(1);
    make(write_range, shared_memory, SHARED_BYTES);
    make(write_range, dynamic_memory, SHARED_BYTES);
    emulate.interval = 0;
    begin_block(2);
    for (size_t i = 0; i < SHARED_BYTES; i++)
        assert_true(is_unwritten(shared_memory + i) && is_unwritten(dynamic_memory + i));
    make(write_4, shared_memory, 4);
    assert_false(is_unwritten(shared_memory));
}

static void shared_memory_that_moves_or_grows_is_unwritten(void **state)
{
    static char around[4 * SHARED_BYTES], *const other = around + SHARED_BYTES;

    (void)state;
    make(write_range, dynamic_memory, SHARED_BYTES);
    set_region(&regions[1], other, SHARED_BYTES);
    for (size_t i = 0; i < SHARED_BYTES; i++)
        assert_true(is_unwritten(other + i));
    make(write_1, other, 1);
    set_region(&regions[1], other, 2 * SHARED_BYTES);
    make(write_1, other + 2 * SHARED_BYTES - 1, 1);
    assert_false(is_unwritten(other + 2 * SHARED_BYTES - 1));
    assert_true(is_unwritten(other + 2 * SHARED_BYTES - 2));
    assert_ptr_equal(region_of(other + 2 * SHARED_BYTES - 1), &regions[1]);
    assert_null(region_of(other + 2 * SHARED_BYTES));
    assert_null(region_of(other - 1));
}

/* The blocks of a cooperative launch alternate, and so do those that give way to each other; each
 * keeps the bytes that it has written. */
static void blocks_that_alternate_keep_what_they_wrote(void **state)
{
    enum { BLOCKS = 3 };
    void *kept[BLOCKS] = {NULL};
    uint32_t start[BLOCKS] = {0}, interval[BLOCKS] = {0}, reserved;

    (void)state;
    for (int gives_way = 0; gives_way < 2; gives_way++) {
        end_launch();
        begin_launch(1, BLOCKS);
        reserved = emulate.interval;
        for (int phase = 0; phase < 3; phase++)
            for (unsigned k = 0; k < BLOCKS; k++) {
                const unsigned block = phase == 1 ? BLOCKS - 1 - k : k; /* they come in any order */

                if (phase == 0 || !gives_way) {
                    emulate.interval = reserved;
                    begin_block(block);
                    start[block] = emulate.block_start;
                    interval[block] = emulate.interval;
                    reserved = emulate.interval + 100;
                }
                emulate.block_id = block;
                emulate.block_start = start[block];
                emulate.interval = interval[block];
                if (phase > 0)
                    emulate_check.block_resume(&kept[block]);
                for (size_t i = 0; i < SHARED_BYTES; i++) {
                    const int by_phases = (int)(i / 8) < phase && i % 8 == block;

                    assert_int_equal(is_unwritten(shared_memory + i), !by_phases);
                    assert_int_equal(is_unwritten(dynamic_memory + i), !by_phases);
                }
                interval[block] = emulate.interval += block; /* barriers */
                make(write_1, shared_memory + 8 * phase + block, 1);
                make(write_1, dynamic_memory + 8 * phase + block, 1);
                emulate_check.block_leave(&kept[block], gives_way);
            }
        emulate.interval = reserved;
    }
    end_launch();
    begin_launch(0, 1);
    begin_block(0);
    for (size_t i = 0; i < SHARED_BYTES; i++)
        assert_true(is_unwritten(shared_memory + i));
    for (int block = 0; block < BLOCKS; block++)
        free(kept[block]);
}

/* ---------------------------------------------------------------------------------------------
 * Calls of the host, and reports
 * ------------------------------------------------------------------------------------------- */

static void copies_on_the_device_copy_what_is_written(void **state)
{
    char *const from = device_memory + SHADOW_PAGE - 20, *const to = device_memory + 100;

    (void)state;
    for (size_t i = 0; i < 40; i++)
        if (i % 3 == 0)
            make(write_1, from + i, 1);
    make(write_range, to, 48);
    tell(PORTABLE_MEMORY_READ_, from, 40);
    tell(PORTABLE_MEMORY_WRITE_, to, 40);
    tell(PORTABLE_MEMORY_DONE_, from, 40);
    tell(PORTABLE_MEMORY_DONE_, to, 40);
    for (size_t i = 0; i < 48; i++)
        assert_int_equal(is_unwritten(to + i), i < 40 && i % 3 != 0);
    /* Overlapping, to a higher address and to a lower one. */
    tell(PORTABLE_MEMORY_READ_, to, 40);
    tell(PORTABLE_MEMORY_WRITE_, to + 7, 40);
    for (size_t i = 0; i < 40; i++)
        assert_int_equal(is_unwritten(to + 7 + i), i % 3 != 0);
    tell(PORTABLE_MEMORY_READ_, to + 7, 40);
    tell(PORTABLE_MEMORY_WRITE_, to, 40);
    for (size_t i = 0; i < 40; i++)
        assert_int_equal(is_unwritten(to + i), i % 3 != 0);
    tell(PORTABLE_MEMORY_DONE_, to, 40);
    assert_int_equal(found, 0);
    /* From the host, and a memset. */
    tell(PORTABLE_MEMORY_WRITE_, to, 39);
    for (size_t i = 0; i < 48; i++)
        assert_int_equal(is_unwritten(to + i), i >= 40 && i < 47 && (i - 7) % 3 != 0);
}

static void findings_say_what_was_read_where(void **state)
{
    static char second_array[64];

    (void)state;
    emulate.block_id = 2;
    emulate.thread = 5;
    make(write_1, device_memory + 9, 1);
    make(write_1, device_memory + 12, 1);
    make(read_8, device_memory + 8, 8);
    assert_string_equal(finding, "uninitialised read in kernel model: by block (2, 0, 0), "
                                 "thread (5, 0, 0) at model.c:3,\n    1 byte at byte 8 of device "
                                 "array x of 12288 bytes, allocated at a.c:1");
    clear_findings();
    make(write_1, device_memory + 8, 1);
    make(read_8, device_memory + 8, 8);
    assert_non_null(strstr(finding, "    2 bytes at byte 10 of device array x of 12288 bytes"));
    clear_findings();
    make(read_16, shared_memory + 16, 16);
    assert_non_null(strstr(finding, "    16 bytes at byte 16 of shared array tile"));
    clear_findings();
    make(read_2, dynamic_memory + 2, 2);
    assert_non_null(strstr(finding, "    2 bytes at byte 2 of dynamic shared memory"));
    assert_int_equal(emulate_running, 0);

    /* Once for a place and an object, and once for all places on a line. */
    clear_findings();
    emulate_running = 1;
    on_read(device_memory + 64, 4, &first_place);
    assert_int_equal(emulate_running, 1);
    on_read(device_memory + 64, 4, &first_place);
    on_read(device_memory + 128, 4, &first_place);
    assert_int_equal(found, 1);
    on_read(device_memory + 64, 4, &second_place);
    assert_int_equal(found, 2);
    on_read(shared_memory, 4, &first_place);
    assert_int_equal(found, 3);
    on_read(dynamic_memory, 4, &first_place);
    assert_int_equal(found, 4);
    emulate_running = 0;
    strcpy(emulate.array, "y");
    tell(PORTABLE_MEMORY_NEW_, second_array, sizeof second_array);
    emulate_running = 1;
    on_read(second_array, 4, &first_place);
    assert_int_equal(found, 5);
    assert_non_null(strstr(finding, "    4 bytes at byte 0 of device array y of 64 bytes"));
    on_read(device_memory + 64, 4, &writes); /* two instructions of model.c:3 */
    on_read(device_memory + 64, 4, &reads);
    assert_int_equal(found, 6);
    emulate_running = 0;
    tell(PORTABLE_MEMORY_FREE_, second_array, 0);

    /* A copy to the host. */
    end_launch();
    clear_findings();
    set_unwritten(device_memory, 64, 0);
    tell(PORTABLE_MEMORY_READ_, device_memory, 64);
    tell(PORTABLE_MEMORY_DONE_, device_memory, 64);
    assert_int_equal(found, 0);
    tell(PORTABLE_MEMORY_READ_, device_memory + 60, 8);
    assert_int_equal(found, 0); /* a copy on the device may read it */
    tell(PORTABLE_MEMORY_DONE_, device_memory + 60, 8);
    assert_string_equal(finding,
                        "copy to the host of uninitialised memory: 4 bytes from byte 64 of "
                        "device array x of 12288 bytes, allocated at a.c:1, copied at "
                        "a.c:1");
    tell(PORTABLE_MEMORY_DONE_, device_memory + 60, 8);
    assert_int_equal(found, 1);
    clear_findings();
    set_unwritten(device_memory + 68, 2, 0);
    tell(PORTABLE_MEMORY_READ_, device_memory + 60, 11);
    tell(PORTABLE_MEMORY_DONE_, device_memory + 60, 11);
    assert_non_null(strstr(finding, ": 4 bytes from byte 64 of"));
    assert_non_null(strstr(finding, "copied at a.c:1\n    and 1 more byte after them"));
    clear_findings();
    tell(PORTABLE_MEMORY_READ_, device_memory + 60, 12);
    tell(PORTABLE_MEMORY_DONE_, device_memory + 60, 12);
    assert_non_null(strstr(finding, "\n    and 2 more bytes after them"));
    begin_launch(0, 1);
    begin_block(0);
}

/* Objects by address: allocations come and go in any order. */
static void objects_have_the_bytes_that_they_have(void **state)
{
    static const struct emulate_range range = {shared_memory, shared_memory + SHARED_BYTES};
    enum { MANY = 200 };
    static char arena[32 * MANY];
    struct object object;
    char text[128];

    (void)state;
    for (size_t k = 0; k < MANY; k++) { /* 32 bytes each, contiguous */
        snprintf(emulate.array, sizeof emulate.array, "a%zu", k * 77 % MANY);
        object_memory(PORTABLE_MEMORY_NEW_, arena + 32 * (k * 77 % MANY), 32, &second_place);
    }
    for (size_t k = 0; k < MANY; k += 3)
        object_memory(PORTABLE_MEMORY_FREE_, arena + 32 * k, 0, NULL);
    object_memory(PORTABLE_MEMORY_FREE_, arena + 32 + 4, 0, NULL); /* not a start */
    for (size_t i = 0; i < 32 * MANY; i++) {
        const size_t k = i / 32;

        object_at(arena + i, &object);
        if (k % 3 == 0) {
            assert_int_equal(object.kind, OBJECT_VARIABLE);
            assert_null(object.address);
            continue;
        }
        snprintf(text, sizeof text, "a%zu", k);
        assert_int_equal(object.kind, OBJECT_DEVICE);
        assert_string_equal(object.name, text);
        assert_int_equal(object.bytes, 32);
        assert_ptr_equal(object.address, arena + 32 * k);
        assert_ptr_equal(object.caller, &second_place);
    }
    for (size_t k = 0; k < MANY; k++)
        object_memory(PORTABLE_MEMORY_FREE_, arena + 32 * k, 0, NULL);
    emulate.array[0] = '\0';
    object_memory(PORTABLE_MEMORY_NEW_, arena, 1, &second_place);
    object_at(arena, &object);
    assert_string_equal(object_text(text, sizeof text, &object, " at", arena, 1),
                        "1 byte at byte 0 of device memory of 1 byte, allocated at a.c:2");
    object_memory(PORTABLE_MEMORY_FREE_, arena, 0, NULL);
    object_at(constant_memory + 3, &object);
    assert_string_equal(object_text(text, sizeof text, &object, " at", constant_memory + 3, 2),
                        "2 bytes at byte 3 of constant array weights");
    object_at(stack + 1, &object);
    assert_string_equal(object_text(text, sizeof text, &object, " from", stack + 1, 4),
                        "4 bytes from byte 1 of variable stack");
    object_at(NULL, &object);
    assert_string_equal(object_text(text, sizeof text, &object, " at", NULL, 4),
                        "4 bytes of a variable of the program");
    object_at(dynamic_memory + SHARED_BYTES - 1, &object);
    assert_int_equal(object.kind, OBJECT_DYNAMIC_SHARED);
    object_at(dynamic_memory + SHARED_BYTES, &object);
    assert_int_not_equal(object.kind, OBJECT_DYNAMIC_SHARED);
    object_at(NULL, &object);
    assert_true(object_is_shared(&range, 1, shared_memory));
    assert_true(object_is_shared(&range, 1, dynamic_memory + SHARED_BYTES - 1));
    assert_false(object_is_shared(&range, 1, shared_memory + SHARED_BYTES));
    assert_false(object_is_shared(&range, 1, dynamic_memory + SHARED_BYTES));
    assert_string_equal(object_text(text, 6, &object, " at", NULL, 4), "4 byt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define MODEL(function) cmocka_unit_test_setup_teardown(function, new_model, end_model)
        MODEL(a_write_writes_its_bytes_and_no_other),
        MODEL(a_read_is_reported_for_its_bytes_and_no_other),
        MODEL(pages_have_flags_of_their_own),
        MODEL(updates_read_and_write),
        MODEL(host_code_and_stacks_are_not_looked_at),
        MODEL(shared_memory_is_unwritten_when_a_block_starts),
        MODEL(shared_memory_is_unwritten_when_the_count_begins_again),
        MODEL(shared_memory_that_moves_or_grows_is_unwritten),
        MODEL(blocks_that_alternate_keep_what_they_wrote),
        MODEL(copies_on_the_device_copy_what_is_written),
        MODEL(findings_say_what_was_read_where),
        MODEL(objects_have_the_bytes_that_they_have),
    };

    return cmocka_run_group_tests_name("init model", tests, scatter_pages, NULL);
}
