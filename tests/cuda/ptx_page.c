/* SPDX-License-Identifier: BSD-3-Clause */
/* ptx_page: the tables of docs/ptx.md. ptx_page forms: the beginning of each form, up to its first
 * group of alternatives, which a test must name. */
#include <stdio.h>
#include <string.h>

/* A title begins its table with the first row. */
static const char *begun = "";
static void row(const char *title, const char *first, const char *second)
{
    if (strcmp(begun, title) != 0)
        printf("\n### %s\n\n| instruction | |\n|---|---|\n", title);
    begun = title;
    printf("| `%s` | %s |\n", first, second);
}

int main(int count, char **words)
{
    const char *title = "";
    if (count > 1 && strcmp(words[1], "forms") == 0) {
#define PORTABLE_PTX_SECTION_(name)
#define PORTABLE_PTX_CLASS_(name, words)
#define PORTABLE_PTX_(form, operands, function, meaning)                                           \
    printf("%.*s\n", (int)strcspn(form, "<{["), form);
#include "host/nvcc/ptx_table.h"
#undef PORTABLE_PTX_
#undef PORTABLE_PTX_CLASS_
#undef PORTABLE_PTX_SECTION_
        return 0;
    }
    printf("| class | |\n|---|---|\n");
#define PORTABLE_PTX_SECTION_(name) title = name;
#define PORTABLE_PTX_CLASS_(name, words) printf("| %s | `%s` |\n", name, words);
#define PORTABLE_PTX_(form, operands, function, meaning) row(title, form, meaning);
#include "host/nvcc/ptx_table.h"
#undef PORTABLE_PTX_
    printf("\n### Special registers\n\n");
#define PORTABLE_PTX_REGISTER_(name, value) printf("`%%%s`\n", name);
#include "host/nvcc/ptx_registers.h"
    return 0;
}
