/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "host/accuracy.h"

#include "host/npy.h"

#include <dirent.h> /* scandir */
#include <float.h>  /* FLT_EPSILON */
#include <math.h>   /* fabs, fmax, INFINITY, isfinite, isnan, log10 */
#include <stdio.h>  /* printf */
#include <stdlib.h> /* free */
#include <string.h> /* strcmp */

/* The unit roundoff of single precision, as a relative error: 7.2 digits. */
#define SINGLE_ROUNDOFF ((double)FLT_EPSILON / 2)

double accuracy_error(const struct array *single, const struct array *reference)
{
    double worst = 0, largest = 0;

    for (size_t k = 0; k < array_count(reference); k++) {
        const double a = array_get(single, k), b = array_get(reference, k);

        if (isfinite(b))
            largest = fmax(largest, fabs(b));
        if (isfinite(a) && isfinite(b))
            worst = fmax(worst, fabs(a - b));
        else if (!(isnan(a) && isnan(b)) && !(isinf(a) && a == b))
            worst = INFINITY;
    }
    if (worst == 0)
        return 0;
    return largest > 0 ? worst / largest : INFINITY;
}

double accuracy_digits(double relative_error)
{
    return relative_error < 1 ? -log10(relative_error) : 0;
}

static int is_floating(enum array_type type)
{
    return type == ARRAY_FLOAT32 || type == ARRAY_FLOAT64;
}

static void print_row(const char *name, const char *file, const struct array *single,
                      const struct array *reference)
{
    const double relative = accuracy_error(single, reference);
    const double single_digits = accuracy_digits(SINGLE_ROUNDOFF);
    const char *const note = reference->type == ARRAY_FLOAT32 ? "  (single in both builds)" : "";

    printf("%-22s %-14.*s %9zu  ", name, (int)strcspn(file, "."), file, array_count(single));
    if (relative == 0)
        printf("%12s %7s %7s%s\n", "-", "exact", "-", note);
    else if (!is_floating(reference->type))
        printf("%12s %7s %7s  (integers that differ)\n", "-", "none", "all");
    else {
        const double digits = accuracy_digits(relative);

        printf("%12.2e %7.1f %7.1f%s\n", relative, digits, fmax(0, single_digits - digits), note);
    }
}

/* The dump's manifest must have this precision. */
static int check_precision(const char *directory, const char *precision, struct io_error *error)
{
    char path[IO_PATH_SIZE], line[64], *text;
    size_t size;
    int found;

    snprintf(path, sizeof path, "%s/manifest.txt", directory);
    if (io_read_text(path, &text, &size, error) != 0)
        return IO_BAD;
    snprintf(line, sizeof line, "\nprecision: %s\n", precision);
    found = strstr(text, line) != NULL;
    free(text);
    return found ? 0 : io_fail(error, "%s: it is not of %s precision", path, precision);
}

static int is_npy(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);

    return length > 4 && strcmp(entry->d_name + length - 4, ".npy") == 0;
}

int accuracy_print_case(const char *name, const char *single_directory,
                        const char *double_directory, struct io_error *error)
{
    char path[IO_PATH_SIZE], double_path[IO_PATH_SIZE];
    struct dirent **files;
    int count, status = 0;

    snprintf(path, sizeof path, "%s/%s", single_directory, name);
    count = scandir(path, &files, is_npy, alphasort);
    if (count <= 0)
        status = io_fail(error, "%s: there are no results of case %s", path, name);
    for (int k = 0; k < count; k++) {
        struct array single, reference;
        const char *const file = files[k]->d_name;

        snprintf(path, sizeof path, "%s/%s/%s", single_directory, name, file);
        snprintf(double_path, sizeof double_path, "%s/%s/%s", double_directory, name, file);
        memset(&single, 0, sizeof single);
        memset(&reference, 0, sizeof reference);
        if (status == 0)
            status = npy_read(path, &single, error);
        if (status == 0)
            status = npy_read(double_path, &reference, error);
        if (status == 0 && (array_count(&single) != array_count(&reference) ||
                            is_floating(single.type) != is_floating(reference.type)))
            status = io_fail(error, "%s and %s do not have the same elements", path, double_path);
        if (status == 0)
            print_row(name, file, &single, &reference);
        array_free(&single);
        array_free(&reference);
        free(files[k]);
    }
    if (count >= 0)
        free(files);
    return status;
}

int accuracy_print_heading(const char *single_directory, const char *double_directory,
                           struct io_error *error)
{
    int status = check_precision(single_directory, "single", error);

    if (status == 0)
        status = check_precision(double_directory, "double", error);
    if (status != 0)
        return status;
    printf("Digits of double precision's results that single precision keeps, of the %.1f that its "
           "rounding allows:\n-log10 of the largest difference, relative to the array's largest "
           "magnitude.\n\n%-22s %-14s %9s  %12s %7s %7s\n",
           accuracy_digits(SINGLE_ROUNDOFF), "case", "output", "elements", "difference", "digits",
           "lost");
    return 0;
}
