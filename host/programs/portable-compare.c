/* SPDX-License-Identifier: BSD-3-Clause */
/* portable-compare: whether the arrays that two runs dumped agree. See `about` below. */
#define _POSIX_C_SOURCE 200809L

#include "host/array.h"
#include "host/compare.h"
#include "host/io.h"
#include "host/npy.h"
#include "host/options.h"
#include "host/output.h"
#include "host/verdict.h"
#include "portable.h" /* PORTABLE_VERSION_MAJOR, MINOR, PATCH */

#include <dirent.h>   /* alphasort, scandir, struct dirent */
#include <errno.h>    /* errno */
#include <math.h>     /* fmax */
#include <stdio.h>    /* fprintf, printf, snprintf */
#include <stdlib.h>   /* free, malloc */
#include <string.h>   /* strcmp, strerror, strlen, strrchr */
#include <sys/stat.h> /* stat */

static const char about[] =
    "Compares every .npy file of directory A with the one of the same name in directory B, or two\n"
    ".npy files. A holds what is expected, B what was computed. Without options every bit has to "
    "be\n"
    "equal, but any NaN equals any NaN. --ulp excludes --abs and --rel, which allow a difference "
    "of\n"
    "T + R * |the value in A|.\n"
    "\n"
    "Exit status: 0 all agree, 1 something differs, 2 bad input.";

static void print_row(const char *name, const char *type, const char *shape, const char *policy,
                      const char *ulp, const char *absolute, const char *where, const char *verdict)
{
    printf("%-24s %-8s %-16s %-22s %-10s %-10s %-14s %s\n", name, type, shape, policy, ulp,
           absolute, where, verdict);
}

static void print_header(void)
{
    print_row("file", "type", "shape", "policy", "worst ULP", "worst abs", "where", "verdict");
}

/* A file that was not compared: the verdict is the reason. */
static void print_verdict(const char *name, const char *verdict)
{
    print_row(name, "-", "-", "-", "-", "-", "-", verdict);
}

static void print_mismatches(const struct array *expected, const struct array *actual,
                             const struct comparison *result)
{
    for (size_t k = 0; k < result->mismatches && k < COMPARISON_FIRST; k++) {
        char where[ARRAY_TEXT_SIZE], expected_text[ARRAY_TEXT_SIZE], actual_text[ARRAY_TEXT_SIZE];

        array_index_text(expected, result->first[k], where, sizeof where);
        array_element_text(expected, result->first[k], expected_text, sizeof expected_text);
        array_element_text(actual, result->first[k], actual_text, sizeof actual_text);
        printf("    %s: expected %s, found %s\n", where, expected_text, actual_text);
    }
    if (result->mismatches > COMPARISON_FIRST)
        printf("    and %zu more\n", result->mismatches - COMPARISON_FIRST);
}

static enum verdict compare_loaded(const char *name, const struct array *expected,
                                   const struct array *actual, struct policy policy)
{
    struct comparison result;
    struct io_error error;
    char shape[ARRAY_TEXT_SIZE], policy_name[ARRAY_TEXT_SIZE], where[ARRAY_TEXT_SIZE] = "-";
    char ulp[32], absolute[32], verdict[sizeof error.text + 16] = "agree";

    if (compare_arrays(expected, actual, policy, &result, &error) != 0) {
        snprintf(verdict, sizeof verdict, "DIFFER: %s", error.text);
        print_verdict(name, verdict);
        return VERDICT_DIFFERS;
    }
    array_shape_text(expected->rank, expected->shape, shape, sizeof shape);
    policy_text(policy, policy_name, sizeof policy_name);
    snprintf(ulp, sizeof ulp, "%.4g", result.worst_ulp);
    snprintf(absolute, sizeof absolute, "%.4g", result.worst_absolute);
    if (result.share > 0.0)
        array_index_text(expected, result.worst_index, where, sizeof where);
    if (result.mismatches > 0)
        snprintf(verdict, sizeof verdict, "DIFFER: %zu of %zu", result.mismatches, result.count);
    print_row(name, array_type_name(expected->type), shape, policy_name, ulp, absolute, where,
              verdict);
    print_mismatches(expected, actual, &result);
    return verdict_of(result.count, result.mismatches);
}

static enum verdict compare_files(const char *name, const char *path_a, const char *path_b,
                                  struct policy policy)
{
    struct array expected, actual;
    struct io_error error;
    enum verdict verdict = VERDICT_ERROR;

    memset(&expected, 0, sizeof expected);
    memset(&actual, 0, sizeof actual);
    if (npy_read(path_a, &expected, &error) != 0 || npy_read(path_b, &actual, &error) != 0) {
        print_verdict(name, "BAD INPUT");
        fprintf(stderr, "portable-compare: %s\n", error.text);
    } else {
        verdict = compare_loaded(name, &expected, &actual, policy);
    }
    array_free(&expected);
    array_free(&actual);
    return verdict;
}

static enum verdict compare_in_directories(const char *name, const char *dir_a, const char *dir_b,
                                           struct policy policy)
{
    size_t size = strlen(dir_a) + strlen(dir_b) + strlen(name) + 2;
    char *path_a = (char *)malloc(size);
    char *path_b = (char *)malloc(size);
    enum verdict verdict = VERDICT_ERROR;

    if (path_a == NULL || path_b == NULL) {
        fprintf(stderr, "portable-compare: not enough memory\n");
    } else {
        snprintf(path_a, size, "%s/%s", dir_a, name);
        snprintf(path_b, size, "%s/%s", dir_b, name);
        verdict = compare_files(name, path_a, path_b, policy);
    }
    free(path_a);
    free(path_b);
    return verdict;
}

static int is_npy(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot != NULL && strcmp(dot, ".npy") == 0;
}

/* The .npy files of a directory in the order of strcmp, or -1. */
static int list_directory(const char *path, struct dirent ***entries)
{
    int count = scandir(path, entries, is_npy, alphasort);

    if (count < 0)
        fprintf(stderr, "portable-compare: %s: cannot read: %s\n", path, strerror(errno));
    return count;
}

static void free_list(struct dirent **entries, int count)
{
    for (int k = 0; k < count; k++)
        free(entries[k]);
    if (count >= 0)
        free(entries);
}

/* Walks both lists at once, as a merge does. */
static enum verdict compare_lists(struct dirent **a, int count_a, struct dirent **b, int count_b,
                                  const char *dir_a, const char *dir_b, struct policy policy)
{
    enum verdict worst = VERDICT_NOTHING_COMPARED;
    int i = 0, j = 0, files = 0, agreeing = 0;

    while (i < count_a || j < count_b) {
        enum verdict verdict = VERDICT_DIFFERS;
        int order;

        if (i == count_a)
            order = 1;
        else if (j == count_b)
            order = -1;
        else
            order = strcmp(a[i]->d_name, b[j]->d_name);

        if (order < 0)
            print_verdict(a[i]->d_name, "DIFFER: only in the first directory");
        else if (order > 0)
            print_verdict(b[j]->d_name, "DIFFER: only in the second directory");
        else
            verdict = compare_in_directories(a[i]->d_name, dir_a, dir_b, policy);
        if (order <= 0)
            i++;
        if (order >= 0)
            j++;
        files++;
        agreeing += !verdict_is_failure(verdict);
        worst = verdict_worse(worst, verdict);
    }
    printf("%d of %d files agree\n", agreeing, files);
    return worst;
}

static enum verdict compare_directories(const char *dir_a, const char *dir_b, struct policy policy)
{
    struct dirent **a, **b;
    int count_a = list_directory(dir_a, &a);
    int count_b = list_directory(dir_b, &b);
    enum verdict verdict = VERDICT_ERROR;

    if (count_a == 0 && count_b == 0) {
        fprintf(stderr, "portable-compare: expected .npy files in %s and %s, found none\n", dir_a,
                dir_b);
    } else if (count_a >= 0 && count_b >= 0) {
        print_header();
        verdict = compare_lists(a, count_a, b, count_b, dir_a, dir_b, policy);
    }
    free_list(a, count_a);
    free_list(b, count_b);
    return verdict;
}

/* Reports a mistake in the command line. */
static enum verdict fail_usage(const char *problem)
{
    fprintf(stderr, "portable-compare: %s; see portable-compare --help\n", problem);
    return VERDICT_ERROR;
}

static int is_directory(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static enum verdict compare_paths(const char *path_a, const char *path_b, struct policy policy)
{
    if (is_directory(path_a) != is_directory(path_b))
        return fail_usage("expected two directories or two files");
    if (is_directory(path_a))
        return compare_directories(path_a, path_b, policy);
    print_header();
    return compare_files(path_a, path_a, path_b, policy);
}

static int compare_command(int argc, char **argv)
{
    struct policy policy = policy_exact();
    double ulp = -1, absolute = -1, relative = -1;
    int help = 0, version = 0;
    struct options_texts paths = {.count = 0};
    const struct options_entry entries[] = {
        options_texts("A B", &paths, "two directories, or two files"),
        options_number("--ulp N", &ulp, 0, 1e308, "allow N units in the last place"),
        options_number("--abs T", &absolute, 0, 1e308, "T, which is 0 unless given"),
        options_number("--rel R", &relative, 0, 1e308, "R, which is 0 unless given"),
        options_flag("--help", &help, "print this text"),
        options_flag("--version", &version, "print the version"),
    };
    enum { ENTRIES = sizeof entries / sizeof entries[0] };
    struct io_error error;

    if (options_parse(argc, argv, entries, ENTRIES, &error) != 0)
        return verdict_failure(fail_usage(error.text));
    if (help) {
        options_print_help(stdout, "portable-compare", about, entries, ENTRIES);
        return 0;
    }
    if (version) {
        printf("portable-compare %d.%d.%d\n", PORTABLE_VERSION_MAJOR, PORTABLE_VERSION_MINOR,
               PORTABLE_VERSION_PATCH);
        return 0;
    }
    if (ulp >= 0 && (absolute >= 0 || relative >= 0))
        return verdict_failure(fail_usage("expected --ulp or --abs and --rel, found both"));
    if (paths.count != 2)
        return verdict_failure(fail_usage("expected two directories or two files"));
    if (ulp >= 0) {
        policy.kind = POLICY_ULP;
        policy.ulp = ulp;
    } else if (absolute >= 0 || relative >= 0) {
        policy.kind = POLICY_ABSREL;
        policy.absolute = fmax(absolute, 0);
        policy.relative = fmax(relative, 0);
    }
    /* Two empty arrays are the same. */
    return verdict_failure(compare_paths(paths.texts[0], paths.texts[1], policy));
}

int main(int argc, char **argv)
{
    output_begin();
    return output_end("portable-compare", compare_command(argc, argv));
}
