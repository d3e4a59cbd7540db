/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What lies where in the program: the objects of its sections, by the symbol table of its own file.
 * The ELF format: System V Application Binary Interface, chapters 4 and 5.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */

#include "host/emulate/emulate.h"

#include <elf.h>      /* Elf64_Ehdr and its kin */
#include <execinfo.h> /* backtrace */
#include <fcntl.h>    /* open */
#include <link.h>     /* dl_iterate_phdr */
#include <stdlib.h>   /* malloc, qsort, realloc */
#include <string.h>   /* memcpy, memcmp, strcmp, strncmp */
#include <sys/mman.h> /* mmap */
#include <sys/stat.h> /* fstat */
#include <unistd.h>   /* close */

struct symbol {
    const char *name;
    char *address;
    size_t bytes;
};
struct symbols {
    struct symbol *list;
    size_t count, capacity;
    char *begin, *end; /* of a section */
};
static struct {
    int read;
    struct symbols section[2], functions;
} program;

static int by_address(const void *a, const void *b)
{
    const struct symbol *const x = (const struct symbol *)a, *const y = (const struct symbol *)b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static void add(struct symbols *symbols, const char *name, char *address, size_t bytes)
{
    if (symbols->count == symbols->capacity) {
        const size_t capacity = symbols->capacity ? 2 * symbols->capacity : 256;
        void *const grown = realloc(symbols->list, capacity * sizeof *symbols->list);
        if (!grown)
            return;
        symbols->list = (struct symbol *)grown;
        symbols->capacity = capacity;
    }
    symbols->list[symbols->count].name = name;
    symbols->list[symbols->count].address = address;
    symbols->list[symbols->count++].bytes = bytes;
}

/* The first object that is iterated over is the program itself. */
static int load_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(char **)bias = (char *)info->dlpi_addr;
    return 1;
}

/* The file stays mapped: the names are in it. */
static void read_program(void)
{
    struct stat status;
    char *bias = NULL;
    if (program.read)
        return;
    program.read = 1;
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    const char *base = (const char *)MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size > (off_t)sizeof(Elf64_Ehdr))
        base = (const char *)mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (base == (const char *)MAP_FAILED)
        return;
    dl_iterate_phdr(load_bias, &bias);
    const Elf64_Ehdr *const header = (const Elf64_Ehdr *)(const void *)base;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shoff == 0 ||
        header->e_shstrndx >= header->e_shnum)
        return;
    const Elf64_Shdr *const sections = (const Elf64_Shdr *)(const void *)(base + header->e_shoff);
    const char *const names = base + sections[header->e_shstrndx].sh_offset;
    static const char *const wanted[2] = {".portable_shared", ".portable_constant"};
    for (unsigned k = 0; k < header->e_shnum; k++)
        for (int which = 0; which < 2; which++)
            if (strcmp(names + sections[k].sh_name, wanted[which]) == 0) {
                program.section[which].begin = bias + sections[k].sh_addr;
                program.section[which].end = program.section[which].begin + sections[k].sh_size;
            }
    for (unsigned k = 0; k < header->e_shnum; k++) {
        if (sections[k].sh_type != SHT_SYMTAB)
            continue;
        const Elf64_Sym *const symbols =
            (const Elf64_Sym *)(const void *)(base + sections[k].sh_offset);
        const char *const strings = base + sections[sections[k].sh_link].sh_offset;
        for (size_t i = 0; i < sections[k].sh_size / sizeof *symbols; i++) {
            char *const address = bias + symbols[i].st_value;
            if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC)
                add(&program.functions, strings + symbols[i].st_name, address, symbols[i].st_size);
            else if (ELF64_ST_TYPE(symbols[i].st_info) == STT_OBJECT)
                for (int which = 0; which < 2; which++)
                    if (address >= program.section[which].begin &&
                        address < program.section[which].end)
                        add(&program.section[which], strings + symbols[i].st_name, address,
                            symbols[i].st_size);
        }
    }
    for (int which = 0; which < 2; which++)
        qsort(program.section[which].list, program.section[which].count,
              sizeof *program.section[which].list, by_address);
    qsort(program.functions.list, program.functions.count, sizeof *program.functions.list,
          by_address);
}

void emulate_section(enum emulate_section which, char **begin, char **end)
{
    read_program();
    *begin = program.section[which].begin;
    *end = program.section[which].end;
}

int emulate_object(enum emulate_section which, size_t index, struct emulate_object *object)
{
    read_program();
    if (index >= program.section[which].count)
        return 0;
    const struct symbol *const symbol = &program.section[which].list[index];
    /* The compiler tells static variables of one name apart by a number: tile.3. */
    size_t length = strcspn(symbol->name, ".");
    if (length >= sizeof object->name)
        length = sizeof object->name - 1;
    memcpy(object->name, symbol->name, length);
    object->name[length] = '\0';
    object->address = symbol->address;
    object->bytes = symbol->bytes;
    return 1;
}

/* How many of the symbols begin at or below the address. */
static size_t below(const struct symbols *symbols, const char *address)
{
    size_t low = 0, high = symbols->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (symbols->list[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int emulate_object_at(enum emulate_section which, const void *address,
                      struct emulate_object *object)
{
    read_program();
    const size_t at = below(&program.section[which], (const char *)address);
    return at > 0 && emulate_object(which, at - 1, object) &&
           (size_t)((const char *)address - object->address) < object->bytes;
}

const void *emulate_caller(void)
{
    void *addresses[24];
    read_program();
    const int count = backtrace(addresses, (int)(sizeof addresses / sizeof addresses[0]));
    for (int k = 1; k < count; k++) {
        const size_t at = below(&program.functions, (const char *)addresses[k] - 1);
        const struct symbol *const function = at > 0 ? &program.functions.list[at - 1] : NULL;
        if (!function || (strncmp(function->name, "portable_", 9) != 0 &&
                          strncmp(function->name, "emulate_", 8) != 0))
            return addresses[k];
    }
    return NULL;
}
