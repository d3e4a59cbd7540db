/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/nvcc/compilers.h"

#include "host/nvcc/options.h"
#include "host/nvcc/settings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h> /* access */

struct compiler compiler, splitter;

const char *family(void)
{
    return compiler.is_clang ? "clang" : "gcc";
}

/* Whether a program of that name can be run. */
static int in_path(const char *name)
{
    if (strchr(name, '/'))
        return access(name, X_OK) == 0;
    struct list directories = {NULL, 0};
    const char *const path = getenv("PATH");
    list_add_split(&directories, path ? path : "/usr/bin:/bin", ":");
    for (size_t k = 0; k < directories.count; k++) {
        char *const whole = format_text("%s/%s", directories.item[k], name);
        const int found = access(whole, X_OK) == 0;
        free(whole);
        if (found)
            return 1;
    }
    return 0;
}

/* The C++ compiler that belongs to a C compiler, such as g++-12 to gcc-12; else the name itself. */
static char *cxx_of(const char *name)
{
    static const char *const names[][2] = {{"clang", "clang++"}, {"gcc", "g++"}, {"cc", "c++"}};
    const char *const slash = strrchr(name, '/');
    for (size_t k = 0; k < 3 && !strstr(slash ? slash : name, "++"); k++) {
        const char *const found = strstr(slash ? slash : name, names[k][0]);
        if (!found)
            continue;
        char *const cxx = format_text("%.*s%s%s", (int)(found - name), name, names[k][1],
                                      found + strlen(names[k][0]));
        if (in_path(cxx))
            return cxx;
        free(cxx);
    }
    return copy_text(name);
}

/* Uses the compiler that the user asked for: a name, a path, or a directory with g++ in it. */
static void use_compiler(const char *request)
{
    if ((strcmp(request, "clang++") == 0 || strcmp(request, "clang") == 0) && !in_path(request))
        request = setting("cxx.clang"); /* its name may have a version */
    const char *const slash = strrchr(request, '/');
    struct stat status;
    compiler.is_clang = strstr(slash ? slash : request, "clang") != NULL;
    if (stat(request, &status) == 0 && S_ISDIR(status.st_mode))
        compiler.name = format_text("%s/g++", request);
    else
        compiler.name = cxx_of(request);
    if (!in_path(compiler.name))
        fail("-ccbin: there is no compiler %s", compiler.name);
}

void choose_compiler(void)
{
    const char *const request = options.compiler ? options.compiler : getenv("NVCC_CCBIN");
    if (request && request[0]) {
        use_compiler(request);
        return;
    }
    compiler.is_clang = strcmp(setting("first"), "clang") == 0;
    for (int attempt = 0; attempt < 2; attempt++) {
        compiler.name = setting("cxx.%s", family());
        if (in_path(compiler.name)) {
            if (!compiler.is_clang && setting("split")[0] && in_path(setting("cxx.clang")))
                splitter = (struct compiler){setting("cxx.clang"), 1};
            return;
        }
        compiler.is_clang = !compiler.is_clang;
    }
    fail("there is neither %s nor %s: install one of them", setting("cxx.gcc"),
         setting("cxx.clang"));
}

const char *c_compiler(void)
{
    char *const name = copy_text(compiler.name);
    char *const plus = strstr(name, "++");
    if (!plus)
        return setting("cc.%s", family());
    if (compiler.is_clang)
        memmove(plus, plus + 2, strlen(plus + 2) + 1);
    else if (plus > name && plus[-1] == 'c')
        memmove(plus, "c", 2); /* c++: cc */
    else
        memcpy(plus, "cc", 2); /* g++-12: gcc-12 */
    return name;
}

void add_check_flags(struct list *command, const char *kind, int parts)
{
    struct list flags = {NULL, 0};
    list_add_split(&flags, setting("%s.%s.%s", kind, options.check, family()), " ");
    for (size_t k = 0; k < flags.count; k++) {
        const int is_macro = starts_with(flags.item[k], "-D") || starts_with(flags.item[k], "-U");
        if (parts & (is_macro ? MACROS : OTHERS))
            list_add(command, flags.item[k]);
    }
}
