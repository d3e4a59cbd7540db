/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sentence for a module that was built with a check, in a process with another runtime.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */

#include "host/cudart/module.h"
#include "host/emulate/dynamic.h"

#include <limits.h> /* PATH_MAX */
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
    const char *check, *other_check; /* in its notes, or NULL */
};
struct search {
    const void *address;
    struct module at, runtime, checked; /* the address's, this one, and the first with a check */
};

/* Finds the check in a module's notes, and another one of objects that should not be in it. */
static void read_notes(const struct dl_phdr_info *info, struct module *module)
{
    for (unsigned k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *const header = &info->dlpi_phdr[k];
        const char *at = (const char *)(info->dlpi_addr + header->p_vaddr);
        const char *const end = at + header->p_memsz;
        if (header->p_type != PT_NOTE)
            continue;
        while (at < end) {
            const ElfW(Nhdr) *const note = (const ElfW(Nhdr) *)(const void *)at;
            const char *const name = (const char *)(note + 1);
            const char *const check = name + (note->n_namesz + 3) / 4 * 4;
            if (note->n_namesz == sizeof "portable" && strcmp(name, "portable") == 0) {
                if (!module->check)
                    module->check = check;
                else if (strcmp(module->check, check) != 0)
                    module->other_check = check;
            }
            at = check + (note->n_descsz + 3) / 4 * 4;
        }
    }
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
    struct module module = {info->dlpi_name ? info->dlpi_name : "", search_of(info), NULL, NULL};
    (void)size;
    read_notes(info, &module);
    for (unsigned k = 0; k < info->dlpi_phnum; k++) {
        const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
        if (info->dlpi_phdr[k].p_type != PT_LOAD)
            continue;
        if ((uintptr_t)search->address - begin < info->dlpi_phdr[k].p_memsz)
            search->at = module;
        if ((uintptr_t)look_at - begin < info->dlpi_phdr[k].p_memsz)
            search->runtime = module;
    }
    if (!search->checked.name && module.check)
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

/* Writes the directory of the check's runtime, as this one is in lib64 or a directory there; "" if
 * it is elsewhere. */
static void find_runtime(char *directory, size_t size, const char *library, const char *check)
{
    static const char lib64[] = "/lib64/";
    char path[PATH_MAX];
    const char *const whole = realpath(library, path) ? path : library;
    const char *end = whole, *next = whole;
    while ((next = strstr(next, lib64)) != NULL)
        end = next += strlen(lib64);
    directory[0] = '\0';
    if (end > whole)
        snprintf(directory, size, "%.*s%s", (int)(end - whole), whole, check);
}

void portable_module_refuse_(const char *check, const void *address)
{
    const struct module none = {NULL, "", NULL, NULL};
    struct search search = {address, none, none, none};
    char directory[PATH_MAX + 16], sanitizers[8192] = "";
    dl_iterate_phdr(look_at, &search);
    struct module module = search.at;
    if (search.checked.name && (!module.name || strstr(module.name, "/libcudart.so")))
        module = search.checked; /* the runtime itself calls what is missing, for that one */
    const char *const name = !module.name || !module.name[0]          ? "the program"
                             : strncmp(module.name, "/proc/", 6) == 0 ? "a module of cuModuleLoad"
                                                                      : module.name;
    if (!check)
        check = module.check;
    if (!check)
        check = "memcheck"; /* the only one that instruments C and C++ */
    find_runtime(directory, sizeof directory, search.runtime.name ? search.runtime.name : "",
                 check);
    if (strcmp(check, "memcheck") == 0)
        add_sanitizers(sanitizers, sizeof sanitizers, module.search);
    fflush(stdout);
    if (module.other_check)
        fprintf(stderr,
                "%s has objects with --check=%s and others with --check=%s: build all with one\n",
                name, module.check, module.other_check);
    else if (!directory[0] || (strcmp(check, "memcheck") == 0 && !sanitizers[0]))
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
