/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "host/outputs.h"

#include "host/npy.h"
#include "host/pnm.h"

#include <stdarg.h> /* va_list */
#include <stdio.h>  /* vfprintf */
#include <string.h> /* strchr, strncmp */
#include <time.h>   /* time, gmtime_r, strftime */
#include <unistd.h> /* isatty, sysconf */
#if defined(_OPENMP)
#include <omp.h> /* omp_get_max_threads */
#endif

static int progress_shown;

void progress(const char *format, ...)
{
    va_list arguments;

    if (!isatty(STDERR_FILENO))
        return;
    fputs("\r\033[K", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fflush(stderr);
    progress_shown = 1;
}

void progress_end(void)
{
    if (progress_shown)
        fputs("\r\033[K", stderr);
    progress_shown = 0;
}

static int is_image(const struct array *array)
{
    return array->type == ARRAY_UINT8 && array_count(array) > 0 &&
           (array->rank == 2 || (array->rank == 3 && array->shape[2] == 3));
}

static int write_image(const struct run_array *array, const char *directory, int is_initial,
                       struct image_files *written, struct io_error *error)
{
    const int has_both = array->role == ROLE_UPDATED;
    struct array image = array->host;
    struct image_file *const file = &written->files[written->count++];

    file->array = array->name;
    file->is_initial = is_initial;
    file->is_picture = image.shape[0] >= 8 && image.shape[1] >= 8;
    if (is_initial && has_both)
        image.data = array->initial;
    snprintf(file->path, sizeof file->path, "%s/%s%s.%s", directory, array->name,
             is_initial && has_both ? "-before" : "", image.rank == 2 ? "pgm" : "ppm");
    return pnm_write(file->path, &image, error);
}

int write_outputs(const struct run *run, const char *directory, struct image_files *written,
                  struct io_error *error)
{
    char path[IO_PATH_SIZE];

    written->count = 0;
    if (io_make_directory(directory, error) != 0)
        return IO_BAD;
    for (int k = 0; k < run->array_count; k++) {
        const struct run_array *array = &run->arrays[k];

        if (is_image(&array->host)) {
            if (run_array_is_given(array) && write_image(array, directory, 1, written, error) != 0)
                return IO_BAD;
            if (run_array_is_result(array) && write_image(array, directory, 0, written, error) != 0)
                return IO_BAD;
        }
        if (!run_array_is_result(array))
            continue;
        snprintf(path, sizeof path, "%s/%s.npy", directory, array->name);
        if (npy_write(path, &array->host, error) != 0)
            return IO_BAD;
    }
    return 0;
}

#ifndef PORTABLE_BUILD_FLAGS
#define PORTABLE_BUILD_FLAGS "not recorded"
#endif

void print_manifest(FILE *stream)
{
    struct portable_device device;

    fprintf(stream, "target: %s\n", PORTABLE_TARGET_NAME);
    fprintf(stream, "version: %d.%d.%d\n", PORTABLE_VERSION_MAJOR, PORTABLE_VERSION_MINOR,
            PORTABLE_VERSION_PATCH);
    if (portable_device_properties(&device) == PORTABLE_SUCCESS) {
        fprintf(stream, "device: %s\n", device.name);
        if (device.major > 0)
            fprintf(stream,
                    "compute capability: %d.%d\nmultiprocessors: %d\nmemory: %zu MiB\n"
                    "CUDA driver: %d.%d\nCUDA runtime: %d.%d\n",
                    device.major, device.minor, device.multiprocessors, device.memory_bytes >> 20,
                    device.driver / 1000, device.driver % 1000 / 10, device.runtime / 1000,
                    device.runtime % 1000 / 10);
    } else
        fprintf(stream, "device: none (%s)\n", portable_last_message());
    portable_last_error();
    fprintf(stream, "host compiler: %s\n",
#if defined(__clang__)
            __VERSION__
#else
            "gcc " __VERSION__
#endif
    );
    fprintf(stream, "flags: %s\n", PORTABLE_BUILD_FLAGS);
    fprintf(stream, "precision: %s\n", sizeof(REAL) == sizeof(double) ? "double" : "single");
    fprintf(stream, "atomics: %s\n", PORTABLE_ATOMICS_CAS ? "cas" : "native");
}

void print_machine(FILE *stream)
{
    struct portable_device device;
    struct tm day;
    char line[512], text[64];
    const time_t now = time(NULL);
    FILE *cpus = fopen("/proc/cpuinfo", "r");

    print_manifest(stream);
    while (cpus && fgets(line, sizeof line, cpus))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            fprintf(stream, "CPU: %s", strchr(line, ':') + 2);
            break;
        }
    if (cpus)
        fclose(cpus);
    fprintf(stream, "cores: %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
#if defined(_OPENMP)
    fprintf(stream, "threads: %d\n", omp_get_max_threads());
#endif
    if (portable_device_properties(&device) == PORTABLE_SUCCESS && device.major > 0)
        fprintf(stream, "L2 cache: %zu KiB\nhighest clock: %d MHz\n", device.l2_bytes >> 10,
                device.clock_mhz);
    portable_last_error();
    if (gmtime_r(&now, &day) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &day) > 0)
        fprintf(stream, "date: %s\n", text);
}

int write_manifest(const char *directory, struct io_error *error)
{
    struct io_writer writer;
    char path[IO_PATH_SIZE];

    snprintf(path, sizeof path, "%s/manifest.txt", directory);
    if (io_make_directory(directory, error) != 0 || io_write_begin(&writer, path, error) != 0)
        return IO_BAD;
    print_manifest(writer.stream);
    return io_write_commit(&writer, error);
}
