/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The SHARED and CONSTANT objects, the other variables and the functions of the program and of the
 * libraries that call the runtime, from the symbol tables of their files. The ELF format: System V
 * Application Binary Interface, chapters 4 and 5.
 */
#define _GNU_SOURCE /* dl_iterate_phdr, memmem, mremap */

#include "host/emulate/objects.h"

#include "host/emulate/dynamic.h"

#include <elf.h>      /* Elf64_Ehdr, Elf64_Shdr, Elf64_Sym */
#include <fcntl.h>    /* open */
#include <link.h>     /* dl_iterate_phdr */
#include <sched.h>    /* sched_yield */
#include <stdio.h>    /* fgets, snprintf */
#include <stdlib.h>   /* qsort */
#include <string.h>   /* memcpy, memcmp, memmem, strcmp, strncmp */
#include <sys/mman.h> /* mmap, mremap */
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
};
/* A file stays mapped, because it holds the names. */
struct file {
    char *base;
    size_t bytes;
    char path[256];
    const char *begin, *end; /* of the module in memory */
    int instrumented;
};
struct ranges {
    struct emulate_range *list;
    size_t count, capacity;
};
/* The thread-local variables of a module. */
struct thread_locals {
    struct emulate_range first; /* their first values */
    size_t module;
};
static struct {
    unsigned long long loads, unloads; /* of libraries in this process, when they were read */
    struct file *files;
    size_t file_count, file_capacity;
    struct ranges ranges[EMULATE_SECTIONS];
    struct thread_locals *locals;
    size_t local_count, local_capacity;
    struct symbols section[2], functions, variables; /* variables: all other objects */
    char lock;
} modules;

unsigned emulate_reads;
static int keeps_ranges;
struct emulate_uses emulate_uses;

static void lock(void)
{
    while (__atomic_test_and_set(&modules.lock, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void unlock(void)
{
    __atomic_clear(&modules.lock, __ATOMIC_RELEASE);
}

static int by_address(const void *a, const void *b)
{
    const struct symbol *const x = (const struct symbol *)a, *const y = (const struct symbol *)b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static int by_begin(const void *a, const void *b)
{
    const struct emulate_range *const x = (const struct emulate_range *)a;
    const struct emulate_range *const y = (const struct emulate_range *)b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Makes room for another element; returns the list, or NULL. Its memory is not of the heap, which
 * memcheck closes during a launch: a sanitizer's report about it would wait for the lock. */
static void *grown(void *list, size_t *capacity, size_t count, size_t element)
{
    if (count < *capacity)
        return list;
    const size_t old = *capacity * element, bytes = old ? 2 * old : 256 * element;
    void *const memory =
        old ? mremap(list, old, bytes, MREMAP_MAYMOVE)
            : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    *capacity = bytes / element;
    return memory;
}

static void add(struct symbols *symbols, const char *name, char *address, size_t bytes)
{
    const struct symbol symbol = {name, address, bytes};
    void *const list =
        grown(symbols->list, &symbols->capacity, symbols->count, sizeof *symbols->list);
    if (!list)
        return;
    symbols->list = (struct symbol *)list;
    symbols->list[symbols->count++] = symbol;
}

static void add_range(struct ranges *ranges, char *begin, size_t bytes)
{
    const struct emulate_range range = {begin, begin + bytes};
    void *const list = grown(ranges->list, &ranges->capacity, ranges->count, sizeof *ranges->list);
    if (!list)
        return;
    ranges->list = (struct emulate_range *)list;
    ranges->list[ranges->count++] = range;
}

static void add_locals(char *begin, size_t bytes, size_t module)
{
    const struct thread_locals locals = {{begin, begin + bytes}, module};
    void *const list =
        grown(modules.locals, &modules.local_capacity, modules.local_count, sizeof locals);
    if (!list)
        return;
    modules.locals = (struct thread_locals *)list;
    modules.locals[modules.local_count++] = locals;
}

/* Ranges that touch become one. */
static void sort_ranges(struct ranges *ranges)
{
    size_t last = 0;
    if (ranges->count == 0)
        return;
    qsort(ranges->list, ranges->count, sizeof *ranges->list, by_begin);
    for (size_t k = 1; k < ranges->count; k++)
        if (ranges->list[k].begin <= ranges->list[last].end) {
            if (ranges->list[k].end > ranges->list[last].end)
                ranges->list[last].end = ranges->list[k].end;
        } else {
            ranges->list[++last] = ranges->list[k];
        }
    ranges->count = last + 1;
}

static struct file map_file(const char *path)
{
    struct file file = {NULL, 0, "", NULL, NULL, 0};
    struct stat status;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return file;
    if (fstat(descriptor, &status) == 0 && status.st_size > (off_t)sizeof(Elf64_Ehdr)) {
        void *const base =
            mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        file.base = base == MAP_FAILED ? NULL : (char *)base;
        file.bytes = (size_t)status.st_size;
    }
    close(descriptor);
    return file;
}

char *emulate_file(const void *address, char *text, size_t size)
{
    char line[4352], *path = NULL;
    FILE *const maps = fopen("/proc/self/maps", "re");
    while (maps && !path && fgets(line, sizeof line, maps)) {
        unsigned long long begin, end;
        if (sscanf(line, "%llx-%llx", &begin, &end) == 2 && (uintptr_t)address >= begin &&
            (uintptr_t)address < end)
            path = strchr(line, '/');
    }
    if (maps)
        fclose(maps);
    if (!path)
        return NULL;
    path[strcspn(path, "\n")] = '\0';
    snprintf(text, size, "%s", path);
    return text;
}

/* Which of a module's two kinds of sections this is, or -1. Without merge.ld, each variable has its
 * own: .portable_shared.7. */
static int kind_of_section(const char *name)
{
    static const struct {
        const char *name;
        int kind;
    } kinds[] = {{".portable_shared", EMULATE_SHARED},
                 {".portable_local_shared", EMULATE_SHARED},
                 {".portable_constant", EMULATE_CONSTANT}};
    if (strncmp(name, ".portable_", 10) != 0)
        return -1;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const size_t length = strlen(kinds[k].name);
        if (strncmp(name, kinds[k].name, length) == 0 && (!name[length] || name[length] == '.'))
            return kinds[k].kind;
    }
    return -1;
}

/* kind: that of its section */
static void add_symbol(const Elf64_Sym *symbol, const char *name, char *address, int kind)
{
    struct symbols *symbols = &modules.variables;
    if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF) {
        add(&modules.functions, name, address, symbol->st_size);
        return;
    }
    const int type = ELF64_ST_TYPE(symbol->st_info);
    if ((type != STT_OBJECT && type != STT_TLS) || symbol->st_size == 0 ||
        symbol->st_shndx == SHN_UNDEF)
        return;
    if (kind >= 0)
        symbols = &modules.section[kind];
    /* A variable of a template, in a module that was linked without merge.ld. */
    if (symbols == &modules.variables && strstr(name, "B15portable_shared")) {
        symbols = &modules.section[EMULATE_SHARED];
        add_range(&modules.ranges[EMULATE_SHARED], address, symbol->st_size);
    }
    if (type == STT_OBJECT || symbols == &modules.section[EMULATE_SHARED])
        add(symbols, name, address, symbol->st_size);
}

/* locals: where the first values of thread-local variables are, to whose beginning their symbols
 * are relative */
static void read_symbols(const struct file *file, char *bias, char *locals)
{
    const char *const base = file->base;
    const Elf64_Ehdr *const header = (const Elf64_Ehdr *)(const void *)base;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shoff == 0 ||
        header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr) > file->bytes ||
        header->e_shstrndx >= header->e_shnum)
        return;
    const Elf64_Shdr *const sections = (const Elf64_Shdr *)(const void *)(base + header->e_shoff);
    const char *const names = base + sections[header->e_shstrndx].sh_offset;
    for (unsigned k = 0; k < header->e_shnum; k++) {
        const int kind = kind_of_section(names + sections[k].sh_name);
        if (kind >= 0)
            add_range(&modules.ranges[kind], bias + sections[k].sh_addr, sections[k].sh_size);
    }
    for (unsigned k = 0; k < header->e_shnum; k++) {
        if (sections[k].sh_type != SHT_SYMTAB)
            continue;
        const Elf64_Sym *const symbols =
            (const Elf64_Sym *)(const void *)(base + sections[k].sh_offset);
        const char *const strings = base + sections[sections[k].sh_link].sh_offset;
        for (size_t i = 0; i < sections[k].sh_size / sizeof *symbols; i++) {
            const unsigned at = symbols[i].st_shndx;
            char *const origin = ELF64_ST_TYPE(symbols[i].st_info) == STT_TLS ? locals : bias;
            add_symbol(&symbols[i], strings + symbols[i].st_name, origin + symbols[i].st_value,
                       at < header->e_shnum ? kind_of_section(names + sections[at].sh_name) : -1);
        }
    }
}

/* Whether one of the dynamic symbols of a library begins with that. */
static int calls(const struct dl_phdr_info *info, const char *name)
{
    const char *strings;
    const ElfW(Dyn) *entry = dynamic_entries(info, &strings);
    size_t bytes = 0;
    for (; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_STRSZ)
            bytes = (size_t)entry->d_un.d_val;
    return strings && memmem(strings, bytes, name, strlen(name)) != NULL;
}

/* The iteration begins with the program itself. */
static int read_each(struct dl_phdr_info *info, size_t size, void *first)
{
    const int is_program = *(int *)first;
    char *const bias = (char *)info->dlpi_addr;
    (void)size;
    *(int *)first = 0;
    if (!is_program && !calls(info, "portable_"))
        return 0;
    const char *path = is_program ? "/proc/self/exe" : info->dlpi_name;
    char whole[4096];
    if (path[0] != '/') /* as it was given to dlopen */
        path = emulate_file(info->dlpi_phdr, whole, sizeof whole);
    if (!path)
        return 0;
    struct file file = map_file(path);
    char *locals = bias;
    file.instrumented = calls(info, "__tsan_");
    snprintf(file.path, sizeof file.path, "%s", is_program ? "the program" : info->dlpi_name);
    for (unsigned k = 0; k < info->dlpi_phnum; k++) {
        char *const begin = bias + info->dlpi_phdr[k].p_vaddr;
        const size_t bytes = info->dlpi_phdr[k].p_memsz;
        if (info->dlpi_phdr[k].p_type == PT_TLS) {
            locals = begin;
            add_locals(begin, bytes, info->dlpi_tls_modid);
        }
        if (info->dlpi_phdr[k].p_type != PT_LOAD)
            continue;
        add_range(&modules.ranges[EMULATE_LOADED], begin, bytes);
        if (info->dlpi_phdr[k].p_flags & PF_X)
            add_range(&modules.ranges[EMULATE_CODE], begin, bytes);
        file.begin = file.begin ? file.begin : begin;
        file.end = begin + bytes;
    }
    void *const list =
        grown(modules.files, &modules.file_capacity, modules.file_count, sizeof *modules.files);
    if (!list)
        return 0;
    modules.files = (struct file *)list;
    modules.files[modules.file_count++] = file;
    if (file.base)
        read_symbols(&file, bias, locals);
    return 0;
}

static int count_each(struct dl_phdr_info *info, size_t size, void *counts)
{
    (void)size;
    ((unsigned long long *)counts)[0] = info->dlpi_adds;
    ((unsigned long long *)counts)[1] = info->dlpi_subs;
    return 1;
}

/* Reads the modules if libraries were loaded or unloaded since, but not while a launch keeps the
 * ranges. */
static void read_modules(void)
{
    unsigned long long counts[2] = {0, 0};
    int first = 1;
    struct symbols *const lists[] = {&modules.section[0], &modules.section[1], &modules.functions,
                                     &modules.variables};
    if (modules.loads != 0 && keeps_ranges)
        return;
    dl_iterate_phdr(count_each, counts);
    if (modules.loads == counts[0] && modules.unloads == counts[1] && modules.loads != 0)
        return;
    modules.loads = counts[0];
    modules.unloads = counts[1];
    emulate_reads++;
    for (size_t k = 0; k < modules.file_count; k++)
        if (modules.files[k].base)
            munmap(modules.files[k].base, modules.files[k].bytes);
    modules.file_count = modules.local_count = 0;
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        lists[k]->count = 0;
    for (int which = 0; which < EMULATE_SECTIONS; which++)
        modules.ranges[which].count = 0;
    dl_iterate_phdr(read_each, &first);
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        if (lists[k]->count > 0)
            qsort(lists[k]->list, lists[k]->count, sizeof *lists[k]->list, by_address);
    for (int which = 0; which < EMULATE_SECTIONS; which++)
        sort_ranges(&modules.ranges[which]);
}

void emulate_keep_ranges(int keep)
{
    lock();
    read_modules();
    __atomic_store_n(&keeps_ranges, keep, __ATOMIC_RELEASE);
    unlock();
}

int emulate_keeps_ranges(void)
{
    return __atomic_load_n(&keeps_ranges, __ATOMIC_ACQUIRE);
}

size_t emulate_ranges(enum emulate_section which, const struct emulate_range **ranges)
{
    lock();
    read_modules();
    *ranges = modules.ranges[which].list;
    const size_t count = modules.ranges[which].count;
    unlock();
    return count;
}

int emulate_is_in(enum emulate_section which, const void *address)
{
    lock();
    read_modules();
    const struct ranges *const ranges = &modules.ranges[which];
    const int is_in = emulate_in_ranges(ranges->list, ranges->count, address);
    unlock();
    return is_in;
}

struct emulate_range emulate_range_here(const struct emulate_range *range)
{
    extern void *__tls_get_addr(size_t * module_and_offset); /* ELF Handling For TLS, 3.4.1 */
    struct emulate_range here = *range;
    lock();
    for (size_t k = 0; k < modules.local_count; k++) {
        const struct thread_locals *const locals = &modules.locals[k];
        if (range->begin < locals->first.begin || range->end > locals->first.end ||
            range->begin == range->end)
            continue;
        size_t index[2] = {locals->module, (size_t)(range->begin - locals->first.begin)};
        here.begin = (char *)__tls_get_addr(index);
        here.end = here.begin + (range->end - range->begin);
    }
    unlock();
    return here;
}

static const struct file *file_at(const void *address)
{
    read_modules();
    for (size_t k = 0; k < modules.file_count; k++)
        if ((const char *)address >= modules.files[k].begin &&
            (const char *)address < modules.files[k].end)
            return &modules.files[k];
    return NULL;
}

char *emulate_module(const void *address, char *text, size_t size)
{
    lock();
    const struct file *const file = file_at(address);
    snprintf(text, size, "%s", file ? file->path : "a library");
    unlock();
    return text;
}

int emulate_is_instrumented(const void *address)
{
    lock();
    const struct file *const file = file_at(address);
    const int instrumented = !emulate_uses.is_library || (file && file->instrumented);
    unlock();
    return instrumented;
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
    lock();
    read_modules();
    const int found = index < modules.section[which].count;
    if (found)
        describe(&modules.section[which].list[index], object);
    unlock();
    return found;
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
    lock();
    read_modules();
    const size_t at = below(symbols, (const char *)address);
    if (at > 0)
        describe(&symbols->list[at - 1], object);
    unlock();
    return at > 0 && (size_t)((const char *)address - object->address) < object->bytes;
}

int emulate_object_at(enum emulate_section which, const void *address,
                      struct emulate_object *object)
{
    return object_of(&modules.section[which], address, object);
}

int emulate_variable_at(const void *address, struct emulate_object *object)
{
    return object_of(&modules.variables, address, object);
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

/* Whether the mangled name is of a function in the namespace, _ZN6thrust6detail... */
static __attribute__((unused)) int is_within(const char *name, const char *space)
{
    const size_t length = strlen(space);
    if (strncmp(name, "_Z", 2) != 0)
        return 0;
    name += 2 + strspn(name + 2, "ZNK");
    name += strspn(name, "0123456789");
    return strncmp(name, space, length) == 0 && name[length] >= '0' && name[length] <= '9';
}

static __attribute__((unused)) int is_of_cccl(const char *name)
{
    return is_within(name, "thrust") || is_within(name, "cub") || is_within(name, "cuda3std") ||
           is_within(name, "cuda3__4") || is_within(name, "cuda2mr");
}

/* Whether it is a part of a launch on the host. A kernel may be inlined into run_thread. */
static __attribute__((unused)) int is_of_launch(const char *name)
{
    return is_within(name, "portable_cuda") && !strstr(name, "10run_thread");
}

/* The driver API's library, whose functions have CUDA's names. Compared by hand: the path is in
 * the host's memory, which memcheck closes to functions of the C library while a kernel runs. */
static __attribute__((unused)) int is_driver(const char *path)
{
    const char *name = path, *expected = "libcuda.so";
    for (const char *at = path; *at; at++)
        if (*at == '/')
            name = at + 1;
    while (*expected && *name == *expected)
        name++, expected++;
    return !*expected;
}

/* Called by the checks, which need glibc; the emulate target itself does not. */
const void *emulate_caller(int *through_library)
{
#if defined(__GLIBC__)
    void *addresses[24];
    const void *caller = NULL, *innermost = NULL;
    int of_cccl = 0;
    const int count = backtrace(addresses, (int)(sizeof addresses / sizeof addresses[0]));
    lock();
    read_modules();
    for (int k = 1; k < count && !caller; k++) {
        const size_t at = below(&modules.functions, (const char *)addresses[k] - 1);
        const struct symbol *const function = at > 0 ? &modules.functions.list[at - 1] : NULL;
        const struct file *const file = file_at(addresses[k]);
        if ((function && is_ours(function->name)) || (file && is_driver(file->path)))
            continue;
        if (!innermost)
            innermost = addresses[k];
        if (function && is_of_cccl(function->name))
            of_cccl = 1;
        else if (!function || !is_of_launch(function->name))
            caller = addresses[k];
    }
    unlock();
    if (through_library)
        *through_library = of_cccl;
    return caller ? caller : innermost;
#else
    if (through_library)
        *through_library = 0;
    return NULL;
#endif
}
