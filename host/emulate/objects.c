/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The objects of the program's sections, from the symbol table of its own file. The ELF format:
 * System V Application Binary Interface, chapters 4 and 5.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */

#include "host/emulate/emulate.h"

#include <elf.h>      /* Elf64_Ehdr, Elf64_Shdr, Elf64_Sym */
#include <fcntl.h>    /* open */
#include <link.h>     /* dl_iterate_phdr */
#include <stdlib.h>   /* malloc, qsort, realloc */
#include <string.h>   /* memcpy, memcmp, strcmp, strncmp */
#include <sys/mman.h> /* mmap */
#include <sys/stat.h> /* fstat */
#include <unistd.h>   /* close */
#if defined(__GLIBC__)
#include <execinfo.h> /* backtrace */
#endif

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
    struct symbols section[2], functions, variables; /* variables: all other objects */
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

/* The iteration begins with the program itself. */
static int load_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(char **)bias = (char *)info->dlpi_addr;
    return 1;
}

/* The list for an object at this address. */
static struct symbols *symbols_around(const char *address)
{
    for (int which = 0; which < 2; which++)
        if (address >= program.section[which].begin && address < program.section[which].end)
            return &program.section[which];
    return &program.variables;
}

/* The file stays mapped, because it holds the names. */
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
            else if (ELF64_ST_TYPE(symbols[i].st_info) == STT_OBJECT && symbols[i].st_size > 0)
                add(symbols_around(address), strings + symbols[i].st_name, address,
                    symbols[i].st_size);
        }
    }
    struct symbols *const lists[] = {&program.section[0], &program.section[1], &program.functions,
                                     &program.variables};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        if (lists[k]->count > 0)
            qsort(lists[k]->list, lists[k]->count, sizeof *lists[k]->list, by_address);
}

void emulate_section(enum emulate_section which, char **begin, char **end)
{
    read_program();
    *begin = program.section[which].begin;
    *end = program.section[which].end;
}

/* The last name in a C++ symbol: tile in _ZZ6reduceIfLi256EEvvE4tileB15portable_shared_0. It stands
 * after its length, and an ABI tag or the number of a local variable may follow it. (Itanium C++
 * ABI, 5.1) */
static const char *last_name(const char *symbol, size_t *length)
{
    const char *const tag = strstr(symbol, "B15portable_shared");
    const char *end = tag ? tag : symbol + strlen(symbol);
    if (!tag) {
        const char *number = end;
        while (number > symbol && number[-1] >= '0' && number[-1] <= '9')
            number--;
        if (number < end && number > symbol && number[-1] == '_')
            end = number - 1;
    }
    for (const char *at = end; at > symbol; at--) {
        char *name;
        if (at[0] < '1' || at[0] > '9')
            continue;
        *length = strtoul(at, &name, 10);
        if (name < end && (size_t)(end - name) == *length)
            return name;
    }
    return NULL;
}

static void describe(const struct symbol *symbol, struct emulate_object *object)
{
    /* Compilers number static variables of the same name: tile.3 is gcc's form, reverse.tile and
     * reverse.tile.3 are clang's. */
    const char *name = symbol->name, *const dot = strchr(name, '.');
    size_t length;
    if (strncmp(name, "_Z", 2) == 0 && last_name(name, &length)) {
        name = last_name(name, &length);
    } else {
        if (dot && (dot[1] < '0' || dot[1] > '9'))
            name = dot + 1;
        length = strcspn(name, ".");
    }
    if (length >= sizeof object->name)
        length = sizeof object->name - 1;
    memcpy(object->name, name, length);
    object->name[length] = '\0';
    object->address = symbol->address;
    object->bytes = symbol->bytes;
}

int emulate_object(enum emulate_section which, size_t index, struct emulate_object *object)
{
    read_program();
    if (index >= program.section[which].count)
        return 0;
    describe(&program.section[which].list[index], object);
    return 1;
}

/* The number of symbols that begin at or below the address. */
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

/* The symbol that contains the address. */
static int object_of(const struct symbols *symbols, const void *address,
                     struct emulate_object *object)
{
    const size_t at = below(symbols, (const char *)address);
    if (at == 0)
        return 0;
    describe(&symbols->list[at - 1], object);
    return (size_t)((const char *)address - object->address) < object->bytes;
}

int emulate_object_at(enum emulate_section which, const void *address,
                      struct emulate_object *object)
{
    read_program();
    return object_of(&program.section[which], address, object);
}

int emulate_variable_at(const void *address, struct emulate_object *object)
{
    read_program();
    return object_of(&program.variables, address, object);
}

/* Whether the runtime has a function of that name: portable_malloc, cudaMalloc, and the templates
 * in front of the latter, _ZL10cudaMallocIfE9cudaErrorPPT_m. */
static __attribute__((unused)) int is_ours(const char *name)
{
    if (strncmp(name, "_Z", 2) == 0)
        name += 2 + strspn(name + 2, "L0123456789");
    return strncmp(name, "portable_", 9) == 0 || strncmp(name, "emulate_", 8) == 0 ||
           (strncmp(name, "cuda", 4) == 0 && name[4] >= 'A' && name[4] <= 'Z');
}

/* Called by the checks, which need glibc; the emulate target itself does not. */
const void *emulate_caller(void)
{
#if defined(__GLIBC__)
    void *addresses[24];
    read_program();
    const int count = backtrace(addresses, (int)(sizeof addresses / sizeof addresses[0]));
    for (int k = 1; k < count; k++) {
        const size_t at = below(&program.functions, (const char *)addresses[k] - 1);
        const struct symbol *const function = at > 0 ? &program.functions.list[at - 1] : NULL;
        if (!function || !is_ours(function->name))
            return addresses[k];
    }
#endif
    return NULL;
}
