/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sentence for a module that was built with a check, in a process with another runtime.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */

#include "host/cudart/module.h"
#include "host/emulate/dynamic.h"

#include <link.h>   /* dl_iterate_phdr */
#include <stdint.h> /* uintptr_t */
#include <stdio.h>
#include <stdlib.h> /* realpath */
#include <string.h>
#include <unistd.h> /* _exit, access */

#if defined(__x86_64__)
#define MACHINE "x86_64"
#else
#define MACHINE "aarch64"
#endif

struct module {
    const char *name;   /* a path; "" for the program, NULL for none */
    const char *search; /* DIRECTORY:DIRECTORY..., where the linker had it look for libraries */
};
struct search {
    const void *address;
    struct module at, runtime, checked; /* the address's, this one, and the first with a check */
};

static const char *const checks[] = {"memcheck", "racecheck", "initcheck", "synccheck"};

/* The check whose directory is on a search path, and the directory; NULL if there is none. */
static const char *check_on(const char *search, char *directory, size_t size)
{
    for (const char *at = search; at && *at; at += strcspn(at, ":"), at += *at == ':') {
        const size_t length = strcspn(at, ":");
        for (size_t k = 0; k < sizeof checks / sizeof checks[0]; k++) {
            const size_t end = strlen(checks[k]);
            if (length > end && length < size && at[length - end - 1] == '/' &&
                strncmp(at + length - end, checks[k], end) == 0) {
                snprintf(directory, size, "%.*s", (int)length, at);
                return checks[k];
            }
        }
    }
    return NULL;
}

static const char *search_of(const struct dl_phdr_info *info)
{
    const char *strings;
    const ElfW(Dyn) *entry = dynamic_entries(info, &strings);
    size_t search = 0;
    for (; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_RPATH || entry->d_tag == DT_RUNPATH)
            search = (size_t)entry->d_un.d_val;
    return strings && search ? strings + search : "";
}

static int look_at(struct dl_phdr_info *info, size_t size, void *argument)
{
    struct search *const search = (struct search *)argument;
    const struct module module = {info->dlpi_name ? info->dlpi_name : "", search_of(info)};
    char directory[4096];
    (void)size;
    for (unsigned k = 0; k < info->dlpi_phnum; k++) {
        const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
        if (info->dlpi_phdr[k].p_type != PT_LOAD)
            continue;
        if ((uintptr_t)search->address - begin < info->dlpi_phdr[k].p_memsz)
            search->at = module;
        if ((uintptr_t)checks - begin < info->dlpi_phdr[k].p_memsz)
            search->runtime = module;
    }
    if (!search->checked.name && check_on(module.search, directory, sizeof directory))
        search->checked = module;
    return 0;
}

/* The sanitizers' libraries in the directories of a search path, each with a colon after it. */
static void add_sanitizers(char *text, size_t size, const char *search)
{
    static const char *const names[] = {"libasan.so", "libubsan.so",
                                        "libclang_rt.asan-" MACHINE ".so"};
    char path[4096];
    size_t length = 0;
    text[0] = '\0';
    for (const char *at = search; *at; at += strcspn(at, ":"), at += *at == ':')
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(at, ":"), at, names[k]);
            if (access(path, R_OK) == 0 && length + strlen(path) + 1 < size)
                length += (size_t)snprintf(text + length, size - length, ":%s", path);
        }
}

void portable_module_refuse_(const char *check, const char *function, const void *address)
{
    struct search search = {address, {NULL, ""}, {NULL, ""}, {NULL, ""}};
    char directory[4096] = "", sanitizers[8192] = "", path[4096];
    dl_iterate_phdr(look_at, &search);
    struct module module = search.at;
    if (search.checked.name && (!module.name || strstr(module.name, "/libcudart.so")))
        module = search.checked; /* the runtime itself calls what is missing, for that one */
    const char *const name = !module.name || !module.name[0] ? "the program" : module.name;
    const char *const found = check_on(module.search, directory, sizeof directory);
    const char *const library = search.runtime.name ? search.runtime.name : "";
    if (!check)
        check = found;
    if (!check && strstr(function, "tsan"))
        check = "racecheck"; /* or initcheck, which is compiled alike */
    if (!check)
        check = "memcheck";
    if (!found || strcmp(found, check) != 0) { /* linked by another compiler: as from here */
        char *end;
        snprintf(directory, sizeof directory, "%s", realpath(library, path) ? path : library);
        end = strrchr(directory, '/');
        if (end)
            *end = '\0';
        end = strrchr(directory, '/');
        for (size_t k = 0; end && k < sizeof checks / sizeof checks[0]; k++)
            if (strcmp(end + 1, checks[k]) == 0)
                *end = '\0';
        snprintf(directory + strlen(directory), sizeof directory - strlen(directory), "/%s", check);
    }
    if (strcmp(check, "memcheck") == 0)
        add_sanitizers(sanitizers, sizeof sanitizers, module.search);
    fflush(stdout);
    if (strcmp(check, "memcheck") == 0 && !sanitizers[0])
        fprintf(stderr,
                "%s was built with --check=%s: run the program with "
                "LD_PRELOAD=$(portable-nvcc --check=%s --preload)\n",
                name, check, check);
    else
        fprintf(stderr,
                "%s was built with --check=%s: run the program with "
                "LD_PRELOAD=%s/libcudart.so.13%s\n",
                name, check, directory, sanitizers);
    _exit(2);
}
