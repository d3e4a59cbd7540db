// SPDX-License-Identifier: BSD-3-Clause
// An access past the end of a string, with another one behind it.
#include <cstdio>

static unsigned word(const char *s, int i)
{
    return ((const unsigned *)s)[i];
}

int main(int count, char **)
{
    static char table[16];
    printf("%u\n", word("This is a string of 30 letters", 6 + count) & 0xff);
    printf("%u\n", word("tab\t\"quoted\"", 3 + count) & 0xff);
    printf("%d\n", ((volatile char *)table)[count * 17]);
}
// memcheck exits with 1:
//     memcheck: error in host code: a read of 4 bytes at string_overrun.cu:7, across the end of string "This is a string of 30 letters" of 31 bytes
//     114
//     memcheck: error in host code: a read of 4 bytes at string_overrun.cu:7, 3 bytes after string "tab?\"quoted\"" of 13 bytes
//     0
//     memcheck: error in host code: a read of 1 byte at string_overrun.cu:15, 1 byte after static variable table of 16 bytes
//     0
//     memcheck: 3 errors in host code
