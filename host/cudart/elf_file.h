/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads an object or a library of this machine that is in memory, as long as it is within its
 * bounds. The ELF format: System V Application Binary Interface, chapters 4 and 5.
 */
#ifndef PORTABLE_HOST_CUDART_ELF_FILE_H
#define PORTABLE_HOST_CUDART_ELF_FILE_H

#include <elf.h>
#include <stddef.h> /* size_t */
#include <stdint.h> /* uint64_t */
#include <string.h> /* memchr, memcmp, strcmp */

#if defined(__x86_64__)
#define PORTABLE_ELF_MACHINE_ EM_X86_64
#else
#define PORTABLE_ELF_MACHINE_ EM_AARCH64
#endif

struct elf_file {
    const char *data;
    size_t bytes;
};

static inline const Elf64_Ehdr *elf_header(const struct elf_file *file)
{
    return (const Elf64_Ehdr *)(const void *)file->data;
}

/* Whether it is one of this type, with whole tables. */
static inline int elf_is(const struct elf_file *file, unsigned type)
{
    const Elf64_Ehdr *const header = elf_header(file);
    return file->bytes > sizeof *header && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_machine == PORTABLE_ELF_MACHINE_ &&
           header->e_type == type && header->e_shentsize == sizeof(Elf64_Shdr) &&
           header->e_shoff % sizeof(uint64_t) == 0 && header->e_shoff < file->bytes &&
           header->e_shnum * sizeof(Elf64_Shdr) <= file->bytes - header->e_shoff;
}

static inline const Elf64_Shdr *elf_section_header(const struct elf_file *file, unsigned index)
{
    return (const Elf64_Shdr *)(const void *)(file->data + elf_header(file)->e_shoff) + index;
}

/* A section's content, empty if it is beyond the file or has none. */
static inline struct elf_file elf_section(const struct elf_file *file, unsigned index)
{
    struct elf_file content = {"", 0};
    if (index >= elf_header(file)->e_shnum)
        return content;
    const Elf64_Shdr *const header = elf_section_header(file, index);
    const int has_entries = header->sh_type == SHT_SYMTAB || header->sh_type == SHT_DYNSYM ||
                            header->sh_type == SHT_RELA;
    if (header->sh_type == SHT_NOBITS || header->sh_offset > file->bytes ||
        header->sh_size > file->bytes - header->sh_offset ||
        (has_entries && header->sh_offset % sizeof(uint64_t) != 0))
        return content;
    content.data = file->data + header->sh_offset;
    content.bytes = header->sh_size;
    return content;
}

/* The string at an offset of a table; "" if it does not end there. */
static inline const char *elf_string(struct elf_file table, size_t offset)
{
    return offset < table.bytes && memchr(table.data + offset, 0, table.bytes - offset)
               ? table.data + offset
               : "";
}

/* The first section after `before`, or NULL for all, with this type, and this name unless that is
 * NULL; NULL if there is none. */
static inline const Elf64_Shdr *elf_find_section(const struct elf_file *file,
                                                 const Elf64_Shdr *before, unsigned type,
                                                 const char *name, struct elf_file *content)
{
    const Elf64_Ehdr *const header = elf_header(file);
    const struct elf_file names = elf_section(file, header->e_shstrndx);
    unsigned k = before ? (unsigned)(before - elf_section_header(file, 0)) + 1 : 0;
    for (; k < header->e_shnum; k++) {
        const Elf64_Shdr *const section = elf_section_header(file, k);
        if (section->sh_type == type &&
            (!name || strcmp(elf_string(names, section->sh_name), name) == 0)) {
            *content = elf_section(file, k);
            return section;
        }
    }
    return NULL;
}

/* The symbols of the whole file; their names. */
static inline const Elf64_Sym *elf_symbols(const struct elf_file *file, size_t *count,
                                           struct elf_file *names)
{
    struct elf_file content = {"", 0};
    const Elf64_Shdr *const header = elf_find_section(file, NULL, SHT_SYMTAB, NULL, &content);
    *names = elf_section(file, header ? header->sh_link : ~0u);
    *count = content.bytes / sizeof(Elf64_Sym);
    return (const Elf64_Sym *)(const void *)content.data;
}

/* A symbol that is defined here; a global one comes before a file's own of the same name. */
static inline const Elf64_Sym *elf_find_symbol(const struct elf_file *file, const char *name,
                                               unsigned type)
{
    const Elf64_Sym *found = NULL;
    struct elf_file names;
    size_t count;
    const Elf64_Sym *const symbols = elf_symbols(file, &count, &names);
    for (size_t k = 0; k < count; k++)
        if (ELF64_ST_TYPE(symbols[k].st_info) == type && symbols[k].st_shndx != SHN_UNDEF &&
            strcmp(elf_string(names, symbols[k].st_name), name) == 0 &&
            (!found || ELF64_ST_BIND(found->st_info) == STB_LOCAL))
            found = &symbols[k];
    return found;
}

#endif
