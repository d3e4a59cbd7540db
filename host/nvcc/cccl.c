/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* readlink, realpath */

#include "host/nvcc/cccl.h"

#include "host/nvcc/options.h"
#include "host/nvcc/process.h"
#include "host/nvcc/settings.h"
#include "host/nvcc/text.h"

#include <errno.h>
#include <glob.h>
#include <limits.h> /* PATH_MAX */
#include <stdio.h>  /* fopen, rename, sscanf */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h> /* mkdir */
#include <unistd.h>   /* access, getpid, readlink, symlink */

static int exists(const char *directory, const char *name)
{
    char *const path = format_text("%s/%s", directory, name);
    const int found = access(path, R_OK) == 0;
    free(path);
    return found;
}

/* ---- directories of links ---- */

/* Where the parts of CCCL are: in one directory, or in a checkout of its repository. */
static const char *const parts[] = {"thrust", "cub", "cuda", "nv"};
static const char *const in_checkout[] = {"thrust/thrust", "cub/cub", "libcudacxx/include/cuda",
                                          "libcudacxx/include/nv"};

/* Makes the directory and those above it; 0 if it cannot. */
static int make_directories(const char *path)
{
    char *const copy = copy_text(path);
    int made = 1;
    for (char *slash = strchr(copy + 1, '/'); made; slash = strchr(slash + 1, '/')) {
        if (slash)
            *slash = '\0';
        made = mkdir(copy, 0777) == 0 || errno == EEXIST;
        if (!slash)
            break;
        *slash = '/';
    }
    free(copy);
    return made && access(path, W_OK) == 0;
}

/* A directory for the links to `from`, of the same name in each run, so that make's rules and
 * debuggers find the headers later. */
static char *link_directory(const char *from)
{
    const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    char *name = copy_text(from), *path = NULL;
    for (char *c = name; *c; c++)
        *c = *c == '/' ? '+' : *c;
    if (cache && cache[0] == '/')
        path = format_text("%s/portable-nvcc/cccl/%s", cache, name);
    else if (home && home[0] == '/')
        path = format_text("%s/.cache/portable-nvcc/cccl/%s", home, name);
    if (!path || !make_directories(path)) {
        free(path);
        path = scratch_file(".cccl");
        if (!make_directories(path))
            fail("cannot make the directory %s: %s", path, strerror(errno));
    }
    free(name);
    return path;
}

/* Makes a link, which other processes may make at the same time. */
static void make_link(const char *to, const char *path)
{
    char is[PATH_MAX];
    const ssize_t length = readlink(path, is, sizeof is);
    if (length == (ssize_t)strlen(to) && memcmp(is, to, (size_t)length) == 0)
        return;
    char *const temporary = format_text("%s.%ld", path, (long)getpid());
    if (symlink(to, temporary) != 0 || rename(temporary, path) != 0)
        fail("cannot make the link %s: %s", path, strerror(errno));
    free(temporary);
}

/* Links to CCCL alone, out of a directory that has other headers of CUDA too, or out of a checkout
 * of its repository. */
static char *links_to(const char *directory, const char *const *names)
{
    char *const path = link_directory(directory);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        if (!exists(directory, names[k]))
            continue;
        char *const to = format_text("%s/%s", directory, names[k]);
        char *const link = format_text("%s/%s", path, parts[k]);
        make_link(to, link);
        free(to);
        free(link);
    }
    return path;
}

/* Whether it has none of CUDA's other headers, nor the system's. */
static int is_apart(const char *directory)
{
    return !exists(directory, "cuda_runtime_api.h") && !exists(directory, "stdio.h");
}

/* ---- the search ---- */

static int has_cccl(const char *directory)
{
    return exists(directory, "thrust/version.h") || exists(directory, "cub/version.cuh");
}

/* CCCL in the directory of a toolkit or a package; NULL if it has none. */
static char *in_root(const char *root)
{
    static const char *const places[] = {"include/cccl",
                                         "include",
                                         "targets/x86_64-linux/include/cccl",
                                         "targets/x86_64-linux/include",
                                         "targets/sbsa-linux/include/cccl",
                                         "targets/sbsa-linux/include"};
    char *found = NULL;
    for (size_t k = 0; k < sizeof places / sizeof places[0] && !found; k++) {
        found = format_text("%s/%s", root, places[k]);
        if (!has_cccl(found)) {
            free(found);
            found = NULL;
        }
    }
    if (!found)
        return NULL;
    char whole[PATH_MAX];
    if (realpath(found, whole)) {
        free(found);
        found = copy_text(whole);
    }
    if (is_apart(found))
        return found;
    char *const links = links_to(found, parts);
    free(found);
    return links;
}

/* CCCL in the directory that --cccl names: a toolkit's or a package's, one of headers, or a
 * checkout. */
static char *named(const char *directory)
{
    char whole[PATH_MAX];
    if (!realpath(directory, whole))
        fail("--cccl=%s: %s", directory, strerror(errno));
    if (has_cccl(whole))
        return is_apart(whole) ? copy_text(whole) : links_to(whole, parts);
    if (exists(whole, "cub/cub/version.cuh"))
        return links_to(whole, in_checkout);
    char *const found = in_root(whole);
    if (!found)
        fail("--cccl=%s: neither thrust/version.h nor cub/version.cuh is there", directory);
    return found;
}

/* CCCL beside the nvcc that PATH has. */
static char *of_nvcc(void)
{
    struct list directories = {NULL, 0};
    const char *const path = getenv("PATH");
    list_add_split(&directories, path ? path : "", ":");
    for (size_t k = 0; k < directories.count; k++) {
        char whole[PATH_MAX];
        char *const nvcc = format_text("%s/nvcc", directories.item[k]);
        const int is_found = access(nvcc, X_OK) == 0 && realpath(nvcc, whole) &&
                             strcmp(whole, installation.program) != 0;
        free(nvcc);
        if (!is_found)
            continue;
        for (int up = 0; up < 2; up++)
            if (strrchr(whole, '/'))
                *strrchr(whole, '/') = '\0';
        return in_root(whole);
    }
    return NULL;
}

/* CCCL among Python's packages below the directory: nvidia-cuda-cccl's. */
static char *in_python(const char *root)
{
    static const char *const places[] = {
        "site-packages/nvidia/cu1[0-9]", "site-packages/nvidia/cuda_cccl",
        "dist-packages/nvidia/cu1[0-9]", "dist-packages/nvidia/cuda_cccl"};
    char *found = NULL;
    for (size_t k = 0; k < sizeof places / sizeof places[0] && !found; k++) {
        char *const pattern = format_text("%s/lib/python3*/%s", root, places[k]);
        glob_t paths;
        if (glob(pattern, 0, NULL, &paths) == 0)
            for (size_t n = paths.gl_pathc; n > 0 && !found; n--)
                found = in_root(paths.gl_pathv[n - 1]);
        globfree(&paths);
        free(pattern);
    }
    return found;
}

/* CCCL in a directory that a variable names. */
static char *in_variable(char *(*search)(const char *), const char *variable, const char *below)
{
    const char *const value = getenv(variable);
    if (!value || value[0] != '/')
        return NULL;
    char *const root = format_text("%s%s", value, below);
    char *const found = search(root);
    free(root);
    return found;
}

static char *search(void)
{
    char *found;
    if ((found = in_variable(in_root, "CUDA_HOME", "")) ||
        (found = in_variable(in_root, "CUDA_PATH", "")) || (found = of_nvcc()) ||
        (found = in_variable(in_python, "VIRTUAL_ENV", "")) ||
        (found = in_variable(in_root, "CONDA_PREFIX", "")) ||
        (found = in_variable(in_python, "CONDA_PREFIX", "")) ||
        (found = in_variable(in_python, "HOME", "/.local")) ||
        (found = in_root("/usr/local/cuda")) || (found = in_root("/usr")) ||
        (found = in_python("/usr/local")))
        return found;
    return in_python("/usr");
}

const char *cccl_directory(void)
{
    static int is_known;
    static const char *directory;
    if (!is_known) {
        is_known = 1;
        if (!options.cccl)
            directory = search();
        else if (strcmp(options.cccl, "none") != 0)
            directory = named(options.cccl);
    }
    return directory;
}

int cccl_major(void)
{
    static const char *const files[] = {"thrust/version.h", "cub/version.cuh"};
    int major = 0;
    for (size_t k = 0; cccl_directory() && k < sizeof files / sizeof files[0] && !major; k++) {
        char *const path = format_text("%s/%s", cccl_directory(), files[k]), line[256];
        FILE *const file = fopen(path, "r");
        int version;
        while (file && !major && fgets(line, sizeof line, file))
            if (sscanf(line, "#define THRUST_VERSION %d", &version) == 1 ||
                sscanf(line, "#define CUB_VERSION %d", &version) == 1)
                major = version / 100000;
        if (file)
            fclose(file);
        free(path);
    }
    return major;
}
