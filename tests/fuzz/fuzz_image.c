/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of kernels: nothing beyond the text is read, whatever its length, and nothing beyond the
 * file in it, whatever its tables say. */
#define _GNU_SOURCE
#include "host/cudart/elf_file.h"
#include "host/cudart/image.h"
#include "tests/fuzz/fuzz.h"

static void read_elf(const struct elf_file *file)
{
    struct elf_file content, names;
    size_t count, sum = 0;

    if (!elf_is(file, ET_DYN) && !elf_is(file, ET_REL))
        return;
    const Elf64_Shdr *section = NULL;
    while ((section = elf_find_section(file, section, SHT_PROGBITS, ".text", &content)) != NULL)
        for (size_t k = 0; k < content.bytes; k++)
            sum += (unsigned char)content.data[k];
    const Elf64_Sym *const symbols = elf_symbols(file, &count, &names);
    for (size_t k = 0; k < count; k++)
        sum += strlen(elf_string(names, symbols[k].st_name));
    FUZZ_EXPECT(elf_find_symbol(file, "k", STT_FUNC) == NULL || sum > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct portable_image_ image;
    char *const text = (char *)malloc(size + 1);

    FUZZ_EXPECT(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    /* As a string, and as memory that ends before its zero byte. */
    const int found = portable_image_find_(text, SIZE_MAX, &image);
    free(text);
    char *const exact = (char *)malloc(size > 0 ? size : 1);
    FUZZ_EXPECT(exact != NULL);
    memcpy(exact, data, size);
    FUZZ_EXPECT(portable_image_find_(exact, size, &image) == found);
    if (found) {
        unsigned char *const bytes = (unsigned char *)malloc(image.bytes);
        const struct elf_file file = {(const char *)bytes, image.bytes};
        FUZZ_EXPECT(bytes != NULL && image.size <= size && image.bytes < size);
        portable_image_decode_(&image, bytes);
        read_elf(&file);
        free(bytes);
    }
    free(exact);
    return 0;
}
