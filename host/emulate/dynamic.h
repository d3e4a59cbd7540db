/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dynamic section of a module in memory: System V Application Binary Interface, chapter 5.
 */
#ifndef PORTABLE_HOST_EMULATE_DYNAMIC_H
#define PORTABLE_HOST_EMULATE_DYNAMIC_H

#include <link.h>   /* struct dl_phdr_info, ElfW */
#include <stddef.h> /* NULL */
#include <stdint.h> /* uintptr_t */

/* Its entries, the last of them DT_NULL, and the strings that they refer to; NULL for what is
 * missing. */
static inline const ElfW(Dyn) *
    dynamic_entries(const struct dl_phdr_info *info, const char **strings)
{
    const ElfW(Dyn) *entries = NULL;
    *strings = NULL;
    for (unsigned k = 0; k < info->dlpi_phnum; k++)
        if (info->dlpi_phdr[k].p_type == PT_DYNAMIC)
            entries = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[k].p_vaddr);
    for (const ElfW(Dyn) *entry = entries; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_STRTAB)
            *strings = (const char *)entry->d_un.d_ptr;
    if (*strings && (uintptr_t)*strings < info->dlpi_addr) /* musl leaves it relative */
        *strings += info->dlpi_addr;
    return entries;
}

#endif
