/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/case.h"

#include "host/devices.h"

#include <math.h>   /* isfinite, sqrt */
#include <stdint.h> /* uint64_t */
#include <stdio.h>  /* snprintf, fprintf */
#include <stdlib.h> /* malloc, realloc, abort */
#include <string.h> /* memcpy, memset, strcmp */

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

static void *fail(struct run *run, const char *name)
{
    if (!run->failed)
        io_fail(&run->failure, "case %s, n = %d, array %s: %s", run->test_case->name, run->n, name,
                portable_last_message());
    run->failed = 1;
    return NULL;
}

static void *add(struct run *run, const char *name, enum array_type type, int rank,
                 const size_t *shape, enum role role, enum owner owner)
{
    struct run_array *array = &run->arrays[run->array_count];
    struct io_error error;

    if (run->failed)
        return NULL;
    if (run->array_count == RUN_ARRAYS) {
        fprintf(stderr, "case %s has more than %d arrays\n", run->test_case->name, RUN_ARRAYS);
        abort();
    }
    if (array_allocate(&array->host, type, rank, shape, &error) != 0) {
        io_fail(&run->failure, "case %s, n = %d, array %s: %s", run->test_case->name, run->n, name,
                error.text);
        run->failed = 1;
        return NULL;
    }
    array->name = name;
    array->role = role;
    array->owner = owner;
    run->array_count++;
    const size_t bytes = array_count(&array->host) * array_type_size(type);
    if (PORTABLE_MALLOC_(name, (&array->device), bytes) != PORTABLE_SUCCESS)
        return fail(run, name);
    return array->host.data;
}

#define REAL_TYPE (sizeof(REAL) == sizeof(double) ? ARRAY_FLOAT64 : ARRAY_FLOAT32)

static REAL *add_real(struct run *run, const char *name, size_t count, enum role role,
                      enum owner owner)
{
    const uint64_t stream = stream_of(run, name);
    REAL *values = (REAL *)add(run, name, REAL_TYPE, 1, &count, role, owner);

    if (role == ROLE_INPUT || role == ROLE_UPDATED)
        RUN_FILL(values, i, count)
            values[i] = (REAL)unit_of(stream, i);
    return values;
}

REAL *run_input_real(struct run *run, const char *name, size_t count)
{
    return add_real(run, name, count, ROLE_INPUT, OWNER_NONE);
}

REAL *run_output_real(struct run *run, const char *name, size_t count, enum owner owner)
{
    return add_real(run, name, count, ROLE_OUTPUT, owner);
}

REAL *run_update_real(struct run *run, const char *name, size_t count, enum owner owner)
{
    return add_real(run, name, count, ROLE_UPDATED, owner);
}

REAL *run_scratch_real(struct run *run, const char *name, size_t count)
{
    return add_real(run, name, count, ROLE_SCRATCH, OWNER_NONE);
}

void *run_scratch_array(struct run *run, const char *name, enum array_type type, size_t count)
{
    return add(run, name, type, 1, &count, ROLE_SCRATCH, OWNER_NONE);
}

float *run_output_float(struct run *run, const char *name, int rank, const size_t *shape,
                        enum owner owner)
{
    return (float *)add(run, name, ARRAY_FLOAT32, rank, shape, ROLE_OUTPUT, owner);
}

REAL *run_pinned_real(struct run *run, int index, size_t count)
{
    if (run->failed)
        return NULL;
    if (index < 0 || index >= RUN_PINNED || run->pinned[index]) {
        fprintf(stderr, "case %s: pinned memory %d is out of range, or there already\n",
                run->test_case->name, index);
        abort();
    }
    if (portable_malloc_host(&run->pinned[index], count * sizeof(REAL)) != PORTABLE_SUCCESS)
        return (REAL *)fail(run, "pinned memory");
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
    return add_float(run, name, count, ROLE_INPUT, OWNER_NONE);
}

float *run_update_float(struct run *run, const char *name, size_t count, enum owner owner)
{
    return add_float(run, name, count, ROLE_UPDATED, owner);
}

int *run_input_int(struct run *run, const char *name, size_t count)
{
    return (int *)add(run, name, ARRAY_INT32, 1, &count, ROLE_INPUT, OWNER_NONE);
}

void *run_input_array(struct run *run, const char *name, enum array_type type, size_t count)
{
    return add(run, name, type, 1, &count, ROLE_INPUT, OWNER_NONE);
}

void *run_output_array(struct run *run, const char *name, enum array_type type, size_t count,
                       enum owner owner)
{
    return add(run, name, type, 1, &count, ROLE_OUTPUT, owner);
}

unsigned char *run_input_bytes(struct run *run, const char *name, int rank, const size_t *shape)
{
    return (unsigned char *)add(run, name, ARRAY_UINT8, rank, shape, ROLE_INPUT, OWNER_NONE);
}

unsigned char *run_output_bytes(struct run *run, const char *name, int rank, const size_t *shape)
{
    return (unsigned char *)add(run, name, ARRAY_UINT8, rank, shape, ROLE_OUTPUT, OWNER_PLANE);
}

/* Starts from the values that prepare writes. */
void *run_update_array(struct run *run, const char *name, enum array_type type, size_t count,
                       enum owner owner)
{
    return add(run, name, type, 1, &count, ROLE_UPDATED, owner);
}

unsigned char *run_update_bytes(struct run *run, const char *name, int rank, const size_t *shape)
{
    return (unsigned char *)add(run, name, ARRAY_UINT8, rank, shape, ROLE_UPDATED, OWNER_NONE);
}

void run_texture(struct run *run, const void *texels, int columns, int rows,
                 const portable_texture_settings *settings)
{
    if (run->failed)
        return;
    if (run->texture_count == RUN_TEXTURES) {
        fprintf(stderr, "case %s has more than %d textures\n", run->test_case->name, RUN_TEXTURES);
        abort();
    }
    portable_texture *texture = &run->textures[run->texture_count];
    const portable_status status =
        rows == 0
            ? portable_texture_create_1d(texture, texels, (size_t)columns, settings)
            : portable_texture_create_2d(texture, texels, (size_t)columns, (size_t)rows, settings);
    if (status == PORTABLE_SUCCESS) {
        run->texture_count++;
        run->own_bytes += (size_t)columns * (size_t)(rows > 0 ? rows : 1) * sizeof(float);
    } else
        fail(run, "texture");
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

static struct run_array *find(const struct run *run, const char *name)
{
    for (int k = 0; k < run->array_count; k++)
        if (strcmp(run->arrays[k].name, name) == 0)
            return (struct run_array *)&run->arrays[k];
    fprintf(stderr, "case %s has no array %s\n", run->test_case->name, name);
    abort();
}

void *run_device(const struct run *run, const char *name)
{
    return find(run, name)->device;
}

void *run_host(const struct run *run, const char *name)
{
    return find(run, name)->host.data;
}

void run_lacks(struct run *run, const char *name, size_t bytes)
{
    if (!run->failed)
        io_fail(&run->failure, "case %s, n = %d, array %s: no memory for %zu bytes",
                run->test_case->name, run->n, name, bytes);
    run->failed = 1;
}

void run_expect(struct run *run, const char *name, size_t index, double value, double bound)
{
    struct run_array *array = find(run, name);
    const size_t count = array_count(&array->host);

    if (run->failed)
        return;
    if (!array->expected) {
        array->expected = (double *)calloc(count + 1, sizeof(double));
        array->bound = (double *)calloc(count + 1, sizeof(double));
    }
    if (!array->expected || !array->bound) {
        run_lacks(run, name, 2 * sizeof(double) * count);
        return;
    }
    if (index >= count) {
        fprintf(stderr, "case %s: element %zu of %s is beyond its end, %zu\n", run->test_case->name,
                index, name, count);
        abort();
    }
    if (!isfinite(bound) || bound < 0) {
        fprintf(stderr, "case %s: element %zu of %s has the bound %g, which says nothing\n",
                run->test_case->name, index, name, bound);
        abort();
    }
    array->expected[index] = value;
    array->bound[index] = bound;
}

void run_expect_elsewhere(struct run *run, const char *name)
{
    find(run, name)->elsewhere = 1;
}

int run_reference(struct run *run, struct io_error *error)
{
    if (run->test_case->reference)
        run->test_case->reference(run);
    return run_ready(run, error);
}

double run_roundings(double k)
{
    const double u = (double)REAL_EPSILON / 2;
    const double likely = k < LAMBDA * LAMBDA ? k : LAMBDA * sqrt(k);

    return (sizeof(REAL) == sizeof(double) ? 2 : 1) * likely * u / (1 - likely * u);
}

static size_t bytes_of(const struct run_array *array)
{
    return array_count(&array->host) * array_type_size(array->host.type);
}

int run_prepare(struct run *run, struct io_error *error)
{
    int status = case_takes_block(run->test_case, run->block, error);

    if (status == 0 && !run->input && run->n < case_size(run->test_case, 0))
        status = io_fail(error, "case %s takes no n below %d, and n is %d", run->test_case->name,
                         case_size(run->test_case, 0), run->n);
    if (status == 0)
        status = run->test_case->prepare(run, error);
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
    if (status == PORTABLE_SUCCESS)
        return 0;
    io_fail(error, "case %s, n = %d, block %ux%ux%u, %s: %s: %s", run->test_case->name, run->n,
            run->block.x, run->block.y, run->block.z, PORTABLE_TARGET_NAME,
            portable_status_string(status), portable_last_message());
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
