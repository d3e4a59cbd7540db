// SPDX-License-Identifier: BSD-3-Clause
// Aligned memory is that of glibc, and its reports name the caller.
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <new>

static void say(const char *what, void *memory, uintptr_t alignment)
{
    printf("%s: %s\n", what,
           !memory                             ? "NULL"
           : (uintptr_t)memory % alignment > 0 ? "misaligned"
                                               : "aligned");
    free(memory);
}

int main()
{
    volatile size_t forty_eight = 48, huge = SIZE_MAX / 2;
    void *memory = nullptr;
    say("aligned_alloc, 100 bytes", aligned_alloc(64, 100), 64);
    say("aligned_alloc, 0 bytes", aligned_alloc(64, 0), 64);
    errno = 0;
    say("aligned_alloc, too much", aligned_alloc(64, huge), 1);
    printf("errno is ENOMEM: %d\n", errno == ENOMEM);
    say("memalign to 48", memalign(forty_eight, 100), 64);
    say("memalign to 1", memalign(1, 100), 1);
    printf("posix_memalign to 4 is refused: %d\n", posix_memalign(&memory, 4, 100) == EINVAL);
    printf("posix_memalign to 64: %d\n", posix_memalign(&memory, 64, 100));
    say("posix_memalign", memory, 64);
    say("valloc", valloc(100), 4096);
    say("pvalloc", pvalloc(100), 4096);
    say("reallocarray", reallocarray(nullptr, 3, 4), 1);
    say("reallocarray, too much", reallocarray(nullptr, huge, 4), 1);
    memory = operator new(100, std::align_val_t(64));
    printf("operator new is aligned: %d\n", (uintptr_t)memory % 64 == 0);
    operator delete(memory, std::align_val_t(64));
    volatile char *past = (char *)aligned_alloc(64, 100);
    past[forty_eight + 52] = 1;
    free((void *)past);
    return 0;
}
// memcheck exits with 1:
//     aligned_alloc, 100 bytes: aligned
//     aligned_alloc, 0 bytes: aligned
//     aligned_alloc, too much: NULL
//     errno is ENOMEM: 1
//     memalign to 48: aligned
//     memalign to 1: aligned
//     posix_memalign to 4 is refused: 1
//     posix_memalign to 64: 0
//     posix_memalign: aligned
//     valloc: aligned
//     pvalloc: aligned
//     reallocarray: aligned
//     reallocarray, too much: NULL
//     operator new is aligned: 1
//     memcheck: error in host code: a write of 1 byte at aligned_alloc.cu:41, 0 bytes after host memory of 100 bytes, allocated at aligned_alloc.cu:40
//     memcheck: 1 error in host code
