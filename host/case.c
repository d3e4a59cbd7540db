/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/case.h"

#include "host/devices.h"

#include <math.h>   /* isfinite, sqrt */
#include <stdarg.h> /* va_list */
#include <stdint.h> /* uint64_t */
#include <stdio.h>  /* snprintf, fprintf */
#include <stdlib.h> /* malloc, realloc, abort */
#include <string.h> /* memcpy, memset, strcmp, strpbrk */

/* How many standard deviations a sum of rounding errors may reach: see run_roundings. */
enum { LAMBDA = 8 };

static const struct gallery_case **registry;
static int registered;

void case_register(const struct gallery_case *cases, int count)
{
    const struct gallery_case **grown = (const struct gallery_case **)realloc(
        registry, (size_t)(registered + count) * sizeof *registry);

    if (!grown) {
        fprintf(stderr, "no memory to register %d cases\n", count);
        abort();
    }
    registry = grown;
    for (int k = 0; k < count; k++)
        registry[registered++] = &cases[k];
}

const struct gallery_case *case_at(int index)
{
    return index >= 0 && index < registered ? registry[index] : NULL;
}

const struct gallery_case *case_find(const char *name)
{
    for (int k = 0; k < registered; k++)
        if (strcmp(registry[k]->name, name) == 0)
            return registry[k];
    return NULL;
}

/* In the order of enum case_takes: the blocks that a case takes, in words, and those to check if
 * it lists none. */
static const struct {
    const char *words;
    unsigned blocks[CASE_BLOCKS][3];
} usual_blocks[] = {
    {"the listed blocks", {{0}}},
    {"one dimension", {{256}, {32}, {96}, {999}}},
    {"a multiple of 32", {{256}, {32}, {96}, {1024}}},
    {"a power of two", {{256}, {32}, {128}, {1024}}},
    {"one or two dimensions", {{32, 8}, {16, 16}, {33, 3}, {64}}},
    {"any block", {{32, 4, 2}, {8, 8, 4}, {5, 3, 2}, {64}}},
};

static const int usual_sizes[CASE_SIZES] = {0, 1, 31, 32, 33, 1000, 65537};

static const unsigned (*blocks_of(const struct gallery_case *test_case))[3]
{
    return test_case->blocks[0][0] > 0 ? test_case->blocks : usual_blocks[test_case->takes].blocks;
}

int case_block_count(const struct gallery_case *test_case)
{
    int count = 0;

    while (count < CASE_BLOCKS && blocks_of(test_case)[count][0] > 0)
        count++;
    return count;
}

dim3 case_block(const struct gallery_case *test_case, int k)
{
    const unsigned *const block = blocks_of(test_case)[k];

    return DIM3(block[0], block[1] > 0 ? block[1] : 1, block[2] > 0 ? block[2] : 1);
}

/* A row that leaves the sizes out has zeros. */
static const int *sizes_of(const struct gallery_case *test_case)
{
    for (int k = 0; k < CASE_SIZES; k++)
        if (test_case->sizes[k] != 0)
            return test_case->sizes;
    return usual_sizes;
}

/* Sizes rise; a zero that follows another size is one that the row has not set. */
int case_size_count(const struct gallery_case *test_case)
{
    const int *const sizes = sizes_of(test_case);
    int count = 1;

    while (count < CASE_SIZES && sizes[count] > sizes[count - 1])
        count++;
    return count;
}

int case_size(const struct gallery_case *test_case, int k)
{
    return sizes_of(test_case)[k];
}

void block_text(dim3 block, char *text, size_t size)
{
    if (block.z > 1)
        snprintf(text, size, "%ux%ux%u", block.x, block.y, block.z);
    else if (block.y > 1)
        snprintf(text, size, "%ux%u", block.x, block.y);
    else
        snprintf(text, size, "%u", block.x);
}

/* "32x8, 32, 32x4 or 32x32" */
static void list_blocks(const struct gallery_case *test_case, char *text, size_t size)
{
    const int count = case_block_count(test_case);
    char block[48];

    text[0] = '\0';
    for (int b = 0; b < count; b++) {
        const size_t used = strlen(text);
        const char *separator = b == count - 1 ? " or " : ", ";

        if (b == 0)
            separator = "";
        block_text(case_block(test_case, b), block, sizeof block);
        snprintf(text + used, size - used, "%s%s", separator, block);
    }
}

static int is_listed(const struct gallery_case *test_case, dim3 block)
{
    for (int b = 0; b < case_block_count(test_case); b++) {
        const dim3 listed = case_block(test_case, b);

        if (listed.x == block.x && listed.y == block.y && listed.z == block.z)
            return 1;
    }
    return 0;
}

static int is_of_kind(enum case_takes takes, dim3 block)
{
    const int is_line = block.y == 1 && block.z == 1;

    switch (takes) {
    case CASE_LISTED_BLOCKS: return 0;
    case CASE_LINES: return is_line;
    case CASE_WARPS: return is_line && block.x % WARP_SIZE == 0;
    case CASE_POWERS_OF_TWO: return is_line && (block.x & (block.x - 1)) == 0;
    case CASE_PLANES: return block.z == 1;
    case CASE_ANY_BLOCK: return 1;
    }
    return 0;
}

int case_takes_block(const struct gallery_case *test_case, dim3 block, struct io_error *error)
{
    char text[48], use[48 * CASE_BLOCKS];

    if (block.x == 0 || block.y == 0 || block.z == 0)
        return io_fail(error, "case %s, block %ux%ux%u: an extent is 0", test_case->name, block.x,
                       block.y, block.z);
    if (is_listed(test_case, block) || is_of_kind(test_case->takes, block))
        return 0;
    block_text(block, text, sizeof text);
    if (test_case->takes == CASE_LISTED_BLOCKS)
        list_blocks(test_case, use, sizeof use);
    else
        snprintf(use, sizeof use, "%s", usual_blocks[test_case->takes].words);
    return io_fail(error, "case %s does not take block %s; use %s", test_case->name, text, use);
}

static int check_blocks(const struct gallery_case *test_case, struct io_error *error)
{
    const int count = test_case->blocks[0][0] > 0 ? case_block_count(test_case) : 0;

    if (count == 0 && test_case->takes == CASE_LISTED_BLOCKS)
        return io_fail(error, "case %s has neither .takes nor .blocks: set one of them",
                       test_case->name);
    for (int k = 0; k < CASE_BLOCKS; k++) {
        const unsigned *const block = test_case->blocks[k];
        char text[48];

        if (k >= count) {
            if (block[0] > 0 || block[1] > 0 || block[2] > 0)
                return io_fail(
                    error,
                    "case %s: .blocks has {%u, %u, %u}, which is empty or follows an empty one",
                    test_case->name, block[0], block[1], block[2]);
        } else if (test_case->takes != CASE_LISTED_BLOCKS &&
                   !is_of_kind(test_case->takes, case_block(test_case, k))) {
            block_text(case_block(test_case, k), text, sizeof text);
            return io_fail(error, "case %s: .blocks has %s, and .takes means %s", test_case->name,
                           text, usual_blocks[test_case->takes].words);
        }
    }
    return 0;
}

static int check_sizes(const struct gallery_case *test_case, struct io_error *error)
{
    for (int k = 0; k < CASE_SIZES; k++)
        if (test_case->sizes[k] < 0 ||
            (k >= case_size_count(test_case) && sizes_of(test_case)[k] != 0))
            return io_fail(error, "case %s: .sizes has %d after %d: sizes must rise from 0 or more",
                           test_case->name, test_case->sizes[k],
                           k > 0 ? test_case->sizes[k - 1] : 0);
    if (test_case->timing_n < case_size(test_case, 0) || test_case->timing_n == 0)
        return io_fail(error, "case %s: .timing_n is %d: set a size to time, of %d at least",
                       test_case->name, test_case->timing_n,
                       case_size(test_case, 0) > 0 ? case_size(test_case, 0) : 1);
    return 0;
}

const char *case_problem(const struct gallery_case *test_case)
{
    return test_case->problem ? test_case->problem : test_case->name;
}

int case_check(const struct gallery_case *test_case, struct io_error *error)
{
    if (!test_case->name || !test_case->name[0])
        return io_fail(error, "a case%s%s has no .name", test_case->family ? " of family " : "",
                       test_case->family ? test_case->family : "");
    if (strpbrk(test_case->name, " \t/"))
        return io_fail(error,
                       "case \"%s\": .name has a blank or a slash: CASES=, directories and "
                       "files have the name",
                       test_case->name);
    if (!test_case->family || !test_case->summary)
        return io_fail(error, "case %s has no %s", test_case->name,
                       test_case->family ? ".summary" : ".family");
    if (test_case->problem && !test_case->problem[0])
        return io_fail(error, "case %s: .problem is empty: leave it out or name it",
                       test_case->name);
    if (!test_case->prepare || !test_case->launch)
        return io_fail(error, "case %s has no %s", test_case->name,
                       test_case->prepare ? ".launch" : ".prepare");
    if (test_case->policy.kind != POLICY_EXACT &&
        (!test_case->policy.reason || !test_case->policy.reason[0]))
        return io_fail(error, "case %s: .policy has no reason for its tolerance", test_case->name);
    if (check_blocks(test_case, error) != 0)
        return IO_BAD;
    return check_sizes(test_case, error);
}

int case_check_all(struct io_error *error)
{
    for (int k = 0; k < registered; k++) {
        if (case_check(registry[k], error) != 0)
            return IO_BAD;
        if (case_find(registry[k]->name) != registry[k])
            return io_fail(error, "two cases have the name %s", registry[k]->name);
    }
    return 0;
}

int case_timing_size(const struct gallery_case *test_case)
{
    /* In the order of enum case_counts. */
    static const int dimensions[] = {1, 2, 3, 0};

    return device_timing_size(test_case->timing_n, dimensions[test_case->counts]);
}

/* SplitMix64's mixing function (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", 2014). */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The start of the random numbers of a name. */
static uint64_t stream_of(const struct run *run, const char *name)
{
    uint64_t state = mix(run->seed + 0x9e3779b97f4a7c15u);

    for (const char *c = name; *c; c++)
        state = mix(state ^ (unsigned char)*c);
    return state;
}

static unsigned number_of(uint64_t stream, size_t index)
{
    return (unsigned)(mix(stream + 0x9e3779b97f4a7c15u * (uint64_t)(index + 1)) >> 32);
}

unsigned run_random(const struct run *run, const char *name, size_t index)
{
    return number_of(stream_of(run, name), index);
}

/* In [-1, 1), with as many random bits as a float keeps. */
static double unit_of(uint64_t stream, size_t index)
{
    return (double)(number_of(stream, index) >> 8) / (double)(1 << 23) - 1;
}

static void (*tell)(const char *sentence, int ends);

void case_on_failure(void (*function)(const char *sentence, int ends))
{
    tell = function;
}

/* Ends the run, or the program: a mistake in the case, which would go on with a pointer to
 * nothing. */
__attribute__((format(printf, 1, 2), noreturn)) static void end_run(const char *format, ...)
{
    struct io_error error;
    va_list arguments;
    char text[1024];

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    io_fail(&error, "%s", text);
    if (tell)
        tell(error.text, 1);
    fflush(stdout);
    fprintf(stderr, "%s\n", error.text);
    abort();
}

/* Records the first failure of the run. */
__attribute__((format(printf, 2, 3))) static void fail(struct run *run, const char *format, ...)
{
    va_list arguments;
    char text[1024];

    if (run->failed)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    io_fail(&run->failure, "%s", text);
    run->failed = 1;
    if (tell)
        tell(run->failure.text, 0);
}

static void *fail_by_call(struct run *run, const char *name)
{
    fail(run, "case %s, n = %d, array %s: %s", run->test_case->name, run->n, name,
         portable_last_message());
    return NULL;
}

static struct run_array *find(const struct run *run, const char *name)
{
    for (int k = 0; k < run->array_count; k++)
        if (strcmp(run->arrays[k].name, name) == 0)
            return (struct run_array *)&run->arrays[k];
    return NULL;
}

/* The latest call by the case of a function that allocates. */
static const void *call_of_case;
#define NOTE_CALL() ((void)(call_of_case = __builtin_return_address(0)))

/* Has the reports of the checks name the line of that call for what is allocated; of NULL no
 * longer. */
static void allocate_for(const void *call)
{
#if PORTABLE_TARGET_EMULATE
    portable_emulate_called_from_(call);
#else
    (void)call;
#endif
}

/* Behind each host copy are these bytes, a NaN of every type: what the case writes there, it writes
 * beyond the array. The address sanitizer sees that by itself. */
static const unsigned char guard[2] = {0xf5, 0xff};
enum { GUARD = PORTABLE_ADDRESS_SANITIZER_ ? 0 : 128 };

static int add_guard(struct array *host, size_t bytes)
{
    unsigned char *grown;

    if (GUARD == 0)
        return 0;
    grown = (unsigned char *)realloc(host->data, bytes + GUARD);
    if (!grown)
        return IO_BAD;
    host->data = grown;
    for (size_t k = GUARD; k-- > 0;)
        grown[bytes + k] = guard[k % sizeof guard];
    return 0;
}

static size_t bytes_of(const struct run_array *array)
{
    return array_count(&array->host) * array_type_size(array->host.type);
}

/* 0, or IO_BAD if a function of the case has written there. */
static int check_guards(const struct run *run, const char *function, struct io_error *error)
{
    for (int a = 0; a < run->array_count; a++) {
        const struct run_array *const array = &run->arrays[a];
        const size_t bytes = bytes_of(array);

        for (size_t k = GUARD; k-- > 0;)
            if (((const unsigned char *)array->host.data)[bytes + k] != guard[k % sizeof guard])
                return io_fail(error,
                               "case %s, n = %d: its %s wrote beyond the host copy of array %s, "
                               "which has %zu elements",
                               run->test_case->name, run->n, function, array->name,
                               array_count(&array->host));
    }
    return 0;
}

static void *add(struct run *run, const char *name, enum array_type type, int rank,
                 const size_t *shape, enum role role, enum owner owner)
{
    struct run_array *array = &run->arrays[run->array_count];
    portable_status status;
    struct io_error error;

    if (run->failed)
        return NULL;
    if (run->array_count == RUN_ARRAYS)
        end_run("case %s has more than %d arrays", run->test_case->name, RUN_ARRAYS);
    if (find(run, name))
        end_run("case %s has two arrays with the name %s", run->test_case->name, name);
    if (array_allocate(&array->host, type, rank, shape, &error) != 0) {
        fail(run, "case %s, n = %d, array %s: %s", run->test_case->name, run->n, name, error.text);
        return NULL;
    }
    array->name = name;
    array->role = role;
    array->owner = owner;
    run->array_count++;
    const size_t bytes = bytes_of(array);
    if (add_guard(&array->host, bytes) != 0) {
        run_lacks(run, name, bytes);
        return NULL;
    }
    allocate_for(call_of_case);
    status = PORTABLE_MALLOC_(name, (&array->device), bytes);
    allocate_for(NULL);
    return status == PORTABLE_SUCCESS ? array->host.data : fail_by_call(run, name);
}

static REAL *add_real(struct run *run, const char *name, size_t count, enum role role,
                      enum owner owner)
{
    const uint64_t stream = stream_of(run, name);
    REAL *values = (REAL *)add(run, name, RUN_REAL_TYPE_, 1, &count, role, owner);

    if (role == ROLE_INPUT || role == ROLE_UPDATED)
        RUN_FILL(values, i, count)
            values[i] = (REAL)unit_of(stream, i);
    return values;
}

REAL *run_input_real(struct run *run, const char *name, size_t count)
{
    NOTE_CALL();
    return add_real(run, name, count, ROLE_INPUT, OWNER_NONE);
}

REAL *run_output_real(struct run *run, const char *name, size_t count, enum owner owner)
{
    NOTE_CALL();
    return add_real(run, name, count, ROLE_OUTPUT, owner);
}

REAL *run_update_real(struct run *run, const char *name, size_t count, enum owner owner)
{
    NOTE_CALL();
    return add_real(run, name, count, ROLE_UPDATED, owner);
}

REAL *run_scratch_real(struct run *run, const char *name, size_t count)
{
    NOTE_CALL();
    return add_real(run, name, count, ROLE_SCRATCH, OWNER_NONE);
}

void *run_scratch_array(struct run *run, const char *name, enum array_type type, size_t count)
{
    NOTE_CALL();
    return add(run, name, type, 1, &count, ROLE_SCRATCH, OWNER_NONE);
}

float *run_output_float(struct run *run, const char *name, int rank, const size_t *shape,
                        enum owner owner)
{
    NOTE_CALL();
    return (float *)add(run, name, ARRAY_FLOAT32, rank, shape, ROLE_OUTPUT, owner);
}

REAL *run_pinned_real(struct run *run, int index, size_t count)
{
    portable_status status;

    NOTE_CALL();
    if (run->failed)
        return NULL;
    if (index < 0 || index >= RUN_PINNED || run->pinned[index])
        end_run("case %s: pinned memory %d is out of range, or there already", run->test_case->name,
                index);
    allocate_for(call_of_case);
    status = portable_malloc_host(&run->pinned[index], count * sizeof(REAL));
    allocate_for(NULL);
    if (status != PORTABLE_SUCCESS)
        return (REAL *)fail_by_call(run, "pinned memory");
    run->own_bytes += count * sizeof(REAL);
    return (REAL *)run->pinned[index];
}

static float *add_float(struct run *run, const char *name, size_t count, enum role role,
                        enum owner owner)
{
    const uint64_t stream = stream_of(run, name);
    float *values = (float *)add(run, name, ARRAY_FLOAT32, 1, &count, role, owner);

    if (role != ROLE_OUTPUT)
        RUN_FILL(values, i, count)
            values[i] = (float)unit_of(stream, i);
    return values;
}

float *run_input_float(struct run *run, const char *name, size_t count)
{
    NOTE_CALL();
    return add_float(run, name, count, ROLE_INPUT, OWNER_NONE);
}

float *run_update_float(struct run *run, const char *name, size_t count, enum owner owner)
{
    NOTE_CALL();
    return add_float(run, name, count, ROLE_UPDATED, owner);
}

int *run_input_int(struct run *run, const char *name, size_t count)
{
    NOTE_CALL();
    return (int *)add(run, name, ARRAY_INT32, 1, &count, ROLE_INPUT, OWNER_NONE);
}

void *run_input_array(struct run *run, const char *name, enum array_type type, size_t count)
{
    NOTE_CALL();
    return add(run, name, type, 1, &count, ROLE_INPUT, OWNER_NONE);
}

void *run_output_array(struct run *run, const char *name, enum array_type type, size_t count,
                       enum owner owner)
{
    NOTE_CALL();
    return add(run, name, type, 1, &count, ROLE_OUTPUT, owner);
}

unsigned char *run_input_bytes(struct run *run, const char *name, int rank, const size_t *shape)
{
    NOTE_CALL();
    return (unsigned char *)add(run, name, ARRAY_UINT8, rank, shape, ROLE_INPUT, OWNER_NONE);
}

unsigned char *run_output_bytes(struct run *run, const char *name, int rank, const size_t *shape)
{
    NOTE_CALL();
    return (unsigned char *)add(run, name, ARRAY_UINT8, rank, shape, ROLE_OUTPUT, OWNER_PLANE);
}

/* Starts from the values that prepare writes. */
void *run_update_array(struct run *run, const char *name, enum array_type type, size_t count,
                       enum owner owner)
{
    NOTE_CALL();
    return add(run, name, type, 1, &count, ROLE_UPDATED, owner);
}

unsigned char *run_update_bytes(struct run *run, const char *name, int rank, const size_t *shape)
{
    NOTE_CALL();
    return (unsigned char *)add(run, name, ARRAY_UINT8, rank, shape, ROLE_UPDATED, OWNER_NONE);
}

void run_texture(struct run *run, const void *texels, int columns, int rows,
                 const portable_texture_settings *settings)
{
    portable_status status;

    NOTE_CALL();
    if (run->failed)
        return;
    if (run->texture_count == RUN_TEXTURES)
        end_run("case %s has more than %d textures", run->test_case->name, RUN_TEXTURES);
    portable_texture *texture = &run->textures[run->texture_count];
    allocate_for(call_of_case);
    status = rows == 0 ? portable_texture_create_1d(texture, texels, (size_t)columns, settings)
                       : portable_texture_create_2d(texture, texels, (size_t)columns, (size_t)rows,
                                                    settings);
    allocate_for(NULL);
    if (status == PORTABLE_SUCCESS) {
        run->texture_count++;
        run->own_bytes += (size_t)columns * (size_t)(rows > 0 ? rows : 1) * sizeof(float);
    } else
        fail_by_call(run, "texture");
}

/* ceil(n / size), but at least 1. */
static unsigned pieces(int n, unsigned size)
{
    return n <= 0 ? 1 : ((unsigned)n - 1) / size + 1;
}

void run_cover(struct run *run, int elements)
{
    run->grid = DIM3(pieces(elements, run->block.x), 1, 1);
}

void run_stride(struct run *run, int elements)
{
    const unsigned cover = pieces(elements, run->block.x);
    unsigned blocks = (cover + 2) / 3;

    if (run->timing) {
        /* emulate runs each thread to the end of its loop before the next. With few elements per
         * thread, neighbours still hit each other's cache lines. */
        const unsigned fill =
            PORTABLE_TARGET_EMULATE ? pieces((int)cover, 8) : device_blocks(run->block.x);

        blocks = cover < fill ? cover : fill;
    }
    run->grid = DIM3(blocks, 1, 1);
}

void run_cover_plane(struct run *run, int columns, int rows)
{
    run->grid = DIM3(pieces(columns, run->block.x), pieces(rows, run->block.y), 1);
}

int run_ready(struct run *run, struct io_error *error)
{
    if (!run->failed)
        return 0;
    *error = run->failure;
    return IO_BAD;
}

/* "cases/a.c:5: ", the line of the case: without the ./ that the compiler puts before a file that
 * it finds by -I. A call by a pointer has none. */
struct place {
    char text[300];
};
static struct place place_of(const char *file, int line)
{
    struct place place = {""};

    while (file && file[0] == '.' && file[1] == '/')
        file += 2;
    if (file)
        snprintf(place.text, sizeof place.text, "%.280s:%d: ", file, line);
    return place;
}

/* "x, y": the arrays of a run. */
static void list_arrays(const struct run *run, char *text, size_t size)
{
    snprintf(text, size, "none");
    for (int k = 0; k < run->array_count; k++) {
        const size_t used = k > 0 ? strlen(text) : 0;

        snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "", run->arrays[k].name);
    }
}

void *run_copy_(const struct run *run, const char *name, int is_device, int type, const char *file,
                int line)
{
    /* In the order of enum array_type. */
    static const char *const accessors[] = {"BYTES",      "INTS",   "WORDS",  "LONGS",
                                            "LONG_WORDS", "FLOATS", "DOUBLES"};
    const struct run_array *const array = find(run, name);
    const char *const side = is_device ? "DEVICE_" : "HOST_";
    char list[256];

    if (!array) {
        list_arrays(run, list, sizeof list);
        end_run("%scase %s has no array %s; it has %s", place_of(file, line).text,
                run->test_case->name, name, list);
    }
    if (type != RUN_ANY_TYPE_ && (int)array->host.type != type)
        end_run("%scase %s: array %s holds %s, not %s: use %s%s, or %s for another view",
                place_of(file, line).text, run->test_case->name, name,
                array_type_name(array->host.type), array_type_name((enum array_type)type), side,
                array->host.type == RUN_REAL_TYPE_ ? "REALS" : accessors[array->host.type],
                is_device ? "run_device" : "run_host");
    return is_device ? array->device : array->host.data;
}

void *(run_device)(const struct run *run, const char *name)
{
    return run_copy_(run, name, 1, RUN_ANY_TYPE_, NULL, 0);
}

void *(run_host)(const struct run *run, const char *name)
{
    return run_copy_(run, name, 0, RUN_ANY_TYPE_, NULL, 0);
}

void run_lacks(struct run *run, const char *name, size_t bytes)
{
    fail(run, "case %s, n = %d, array %s: no memory for %zu bytes", run->test_case->name, run->n,
         name, bytes);
}

/* The array if it is a result, as a reference may expect something of it; or NULL. */
static struct run_array *find_result(struct run *run, const char *name, const char *file, int line)
{
    struct run_array *const array = find(run, name);
    char list[256];

    if (!array) {
        list_arrays(run, list, sizeof list);
        fail(run, "%scase %s has no array %s; it has %s", place_of(file, line).text,
             run->test_case->name, name, list);
    } else if (!run_array_is_result(array)) {
        fail(run, "%scase %s: array %s is %s, which is not compared", place_of(file, line).text,
             run->test_case->name, name, array->role == ROLE_INPUT ? "an input" : "scratch");
    }
    return run->failed ? NULL : array;
}

void run_expect_(struct run *run, const char *name, size_t index, double value, double bound,
                 const char *file, int line)
{
    struct run_array *const array = run->failed ? NULL : find_result(run, name, file, line);

    if (!array)
        return;
    const size_t count = array_count(&array->host);

    if (!array->expected) {
        array->expected = (double *)calloc(count + 1, sizeof(double));
        array->bound = (double *)malloc((count + 1) * sizeof(double));
        for (size_t k = 0; array->bound && k < count; k++)
            array->bound[k] = -1; /* nothing is expected yet */
    }
    if (!array->expected || !array->bound) {
        run_lacks(run, name, 2 * sizeof(double) * count);
    } else if (index >= count) {
        fail(run, "%scase %s, n = %d: element %zu of %s is beyond its end, %zu",
             place_of(file, line).text, run->test_case->name, run->n, index, name, count);
    } else if (!isfinite(bound) || bound < 0) {
        fail(run, "%scase %s, n = %d: element %zu of %s has the bound %g, which says nothing",
             place_of(file, line).text, run->test_case->name, run->n, index, name, bound);
    } else {
        array->expected[index] = value;
        array->bound[index] = bound;
    }
}

void(run_expect)(struct run *run, const char *name, size_t index, double value, double bound)
{
    run_expect_(run, name, index, value, bound, NULL, 0);
}

void run_expect_elsewhere_(struct run *run, const char *name, const char *file, int line)
{
    struct run_array *const array = run->failed ? NULL : find_result(run, name, file, line);

    if (array)
        array->elsewhere = 1;
}

void(run_expect_elsewhere)(struct run *run, const char *name)
{
    run_expect_elsewhere_(run, name, NULL, 0);
}

/* A result without an expectation would always pass, or be compared with 0. */
static int expects_all(const struct run *run, struct io_error *error)
{
    for (int k = 0; k < run->array_count; k++) {
        const struct run_array *const array = &run->arrays[k];
        const size_t count = array_count(&array->host);
        size_t missing = 0;

        if (!run_array_is_result(array) || (!array->expected && array->elsewhere))
            continue;
        while (array->expected && missing < count && array->bound[missing] >= 0)
            missing++;
        if (missing < count && array->expected)
            return io_fail(error,
                           "case %s, n = %d: its reference expects nothing of element %zu of "
                           "array %s",
                           run->test_case->name, run->n, missing, array->name);
        if (missing < count)
            return io_fail(error, "case %s, n = %d: its reference expects nothing of array %s",
                           run->test_case->name, run->n, array->name);
    }
    return 0;
}

int run_reference(struct run *run, struct io_error *error)
{
    int status;

    if (!run->test_case->reference)
        return run_ready(run, error);
    run->test_case->reference(run);
    status = run_ready(run, error);
    if (status == 0)
        status = check_guards(run, "reference", error);
    return status == 0 ? expects_all(run, error) : status;
}

double run_roundings(double k)
{
    const double u = (double)REAL_EPSILON / 2;
    const double likely = k < LAMBDA * LAMBDA ? k : LAMBDA * sqrt(k);

    return (sizeof(REAL) == sizeof(double) ? 2 : 1) * likely * u / (1 - likely * u);
}

/* Calls the case's prepare. Whatever it returns, a failure of an array counts. */
static int prepare(struct run *run, struct io_error *error)
{
    int status;

    error->text[0] = '\0';
    status = run->test_case->prepare(run, error);
    if (status != 0 && error->text[0])
        return status;
    if (run_ready(run, error) != 0)
        return IO_BAD;
    if (status != 0)
        return io_fail(error,
                       "case %s, n = %d: its prepare returned %d without a sentence of io_fail: "
                       "end it by return run_ready(run, error)",
                       run->test_case->name, run->n, status);
    return check_guards(run, "prepare", error);
}

int run_prepare(struct run *run, struct io_error *error)
{
    int status = case_takes_block(run->test_case, run->block, error);

    if (status == 0 && !run->input && run->n < case_size(run->test_case, 0))
        status = io_fail(error, "case %s takes no n below %d, and n is %d", run->test_case->name,
                         case_size(run->test_case, 0), run->n);
    if (status == 0)
        status = prepare(run, error);
    for (int k = 0; status == 0 && k < run->array_count; k++) {
        struct run_array *array = &run->arrays[k];

        if (!run_array_is_given(array))
            continue;
        if (portable_copy_to_device(array->device, array->host.data, bytes_of(array)) !=
            PORTABLE_SUCCESS)
            status = io_fail(error, "case %s: %s", run->test_case->name, portable_last_message());
        if (array->role == ROLE_UPDATED && run->timing) {
            if (status == 0 &&
                (portable_malloc(&array->initial, bytes_of(array)) != PORTABLE_SUCCESS ||
                 portable_copy_on_device(array->initial, array->device, bytes_of(array)) !=
                     PORTABLE_SUCCESS))
                status =
                    io_fail(error, "case %s: %s", run->test_case->name, portable_last_message());
        } else if (array->role == ROLE_UPDATED) {
            array->initial = malloc(bytes_of(array) + 1);
            if (array->initial) {
                memcpy(array->initial, array->host.data, bytes_of(array));
                continue;
            }
            run_lacks(run, array->name, bytes_of(array));
            status = run_ready(run, error);
        }
    }
    return status;
}

static int failed_by(portable_status status)
{
    if (status == PORTABLE_ERROR_OUT_OF_RANGE && !PORTABLE_TARGET_CUDA)
        return RUN_DAMAGED;
    return IO_BAD;
}

int run_launch(struct run *run, int poison, struct io_error *error)
{
    const int is_filled = !run->launched && poison == 0xff && !PORTABLE_TARGET_CUDA;
    portable_status status = PORTABLE_SUCCESS;
    char block[48];

    run->launched = 1;
    for (int k = 0; status == PORTABLE_SUCCESS && k < run->array_count; k++) {
        struct run_array *array = &run->arrays[k];

        if (!run_array_is_given(array) && !is_filled)
            status = portable_memset(array->device, poison, bytes_of(array));
        else if (array->role == ROLE_UPDATED)
            status = portable_copy_to_device(array->device, array->initial, bytes_of(array));
    }
    if (status == PORTABLE_SUCCESS)
        status = run->test_case->launch(run);
    if (status == PORTABLE_SUCCESS)
        status = portable_synchronize();
    run->status = status;
    if (status == PORTABLE_SUCCESS)
        return 0;
    block_text(run->block, block, sizeof block);
    io_fail(error, "case %s, n = %d, block %s, %s: %s: %s", run->test_case->name, run->n, block,
            PORTABLE_TARGET_NAME, portable_status_string(status), portable_last_message());
    portable_last_error();
    return failed_by(status);
}

int run_fetch(struct run *run, struct io_error *error)
{
    for (int k = 0; k < run->array_count; k++) {
        struct run_array *array = &run->arrays[k];
        const portable_status status =
            run_array_is_result(array)
                ? portable_copy_to_host(array->host.data, array->device, bytes_of(array))
                : PORTABLE_SUCCESS;

        if (status != PORTABLE_SUCCESS) {
            io_fail(error, "case %s: %s", run->test_case->name, portable_last_message());
            return failed_by(status);
        }
    }
    return 0;
}

void run_release(struct run *run)
{
    for (int k = 0; k < run->array_count; k++) {
        struct run_array *array = &run->arrays[k];

        portable_free(array->device);
        array_free(&array->host);
        if (run->timing)
            portable_free(array->initial);
        else
            free(array->initial);
        free(array->expected);
        free(array->bound);
    }
    for (int k = 0; k < RUN_PINNED; k++)
        portable_free_host(run->pinned[k]);
    memset(run->pinned, 0, sizeof run->pinned);
    run->own_bytes = 0;
    memset(run->arrays, 0, sizeof run->arrays);
    run->array_count = 0;
    run->launched = 0;
    for (int k = 0; k < run->texture_count; k++)
        portable_texture_destroy(run->textures[k]);
    run->texture_count = 0;
}

void run_owner_text(const struct run *run, const struct run_array *array, size_t index, char *text,
                    size_t size)
{
    const size_t threads = (size_t)run->block.x * run->block.y * run->block.z;
    size_t block_x = 0, block_y = 0, thread_x = 0, thread_y = 0;

    switch (array->owner) {
    case OWNER_NONE: snprintf(text, size, "%s", ""); return;
    case OWNER_ELEMENT:
        block_x = index / threads % run->grid.x;
        thread_x = index % threads;
        break;
    case OWNER_BLOCK: block_x = index; break;
    case OWNER_WARP:
        block_x = index * WARP_SIZE / threads;
        thread_x = index * WARP_SIZE % threads;
        break;
    case OWNER_PLANE: {
        const size_t columns = run->columns > 0 ? (size_t)run->columns : 1;
        const size_t pixels = run->depth > 0 ? index / (size_t)run->depth : index;
        const size_t x = pixels % columns, y = pixels / columns;

        block_x = x / run->block.x % run->grid.x;
        thread_x = x % run->block.x;
        block_y = y / run->block.y % run->grid.y;
        thread_y = y % run->block.y;
        break;
    }
    }
    snprintf(text, size, "block (%zu, %zu, 0) thread (%zu, %zu, 0)", block_x, block_y, thread_x,
             thread_y);
}
