/* SPDX-License-Identifier: BSD-3-Clause */
/* check_docs SOURCE TREE PAGE...
 *
 * Runs the commands and programs shown on pages of documentation, and compares their output. TREE
 * becomes a copy of SOURCE, refreshed before each page, except for its build output. The blocks of
 * a page run in order; docs/writing-docs.md describes them. Prints one line for each page; for each
 * mistake its place, the output that the page shows and the real one. Exit status: 0; 1 after a
 * mistake; 2 for bad usage. A run is short, so memory is not freed.
 *
 * Environment: CC; NVCC, empty if there is none; HAVE_GPU=1; REQUIRE_GPU=1, which makes a missing
 * nvcc or GPU a mistake; DOCS_TIME_LIMIT, the seconds that a command may take
 * (300). */
#define _XOPEN_SOURCE 700

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROMPT "(gdb) "

static char tree[PATH_MAX], scratch[PATH_MAX + 8];
static int time_limit = 300;
static volatile sig_atomic_t running; /* the process group of the command */

static void give_up(const char *what)
{
    perror(what);
    exit(2);
}

static void *must(void *pointer)
{
    if (!pointer)
        give_up("check_docs");
    return pointer;
}

/* ---------------------------------------------------------------------------------------------
 * Text
 * ------------------------------------------------------------------------------------------ */

struct text {
    char *data; /* ends with '\0', which size does not count; NULL: nothing yet */
    size_t size;
};

static void append(struct text *text, const char *data, size_t size)
{
    text->data = (char *)must(realloc(text->data, text->size + size + 1));
    memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
}

static void append_string(struct text *text, const char *string)
{
    append(text, string, strlen(string));
}

static void append_format(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    char *buffer;
    int size;

    va_start(arguments, format);
    va_copy(again, arguments);
    size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    buffer = (char *)must(malloc((size_t)size + 1));
    vsnprintf(buffer, (size_t)size + 1, format, arguments);
    va_end(arguments);
    append_string(text, buffer);
}

static int read_text(const char *path, struct text *text)
{
    char buffer[65536];
    size_t size;
    FILE *file = fopen(path, "rb");

    if (!file)
        return 0;
    append_string(text, "");
    while ((size = fread(buffer, 1, sizeof buffer, file)) > 0)
        append(text, buffer, size);
    fclose(file);
    return 1;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    if (!file || fputs(text, file) == EOF || fclose(file) != 0)
        give_up(path);
}

struct lines {
    char **line;
    int count;
};

/* Tabs become spaces, as on a terminal; trailing spaces and trailing empty lines are removed,
 * because readers do not see them. With raw, lines stay unchanged. */
static struct lines split(const char *data, int raw)
{
    struct lines lines = {NULL, 0};
    int full = 0;

    while (*data) {
        const size_t length = strcspn(data, "\n");
        struct text text = {NULL, 0};

        append_string(&text, "");
        for (size_t i = 0; i < length; i++)
            if (data[i] != '\t' || raw)
                append(&text, data + i, 1);
            else
                append(&text, "        ", 8 - text.size % 8);
        while (!raw && text.size > 0 && isspace((unsigned char)text.data[text.size - 1]))
            text.data[--text.size] = '\0';
        lines.line =
            (char **)must(realloc(lines.line, ((size_t)lines.count + 1) * sizeof *lines.line));
        lines.line[lines.count++] = text.data;
        if (text.size > 0)
            full = lines.count;
        data += length + (data[length] == '\n');
    }
    while (!raw && lines.count > full)
        lines.count--;
    return lines;
}

static int begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* "..." on the page matches any text, and an address any address. */
static int matches(const char *shown, const char *real)
{
    for (;; shown++, real++) {
        if (begins(shown, "...")) {
            do
                if (matches(shown + 3, real))
                    return 1;
            while (*real++);
            return 0;
        }
        if (begins(shown, "0x") && isxdigit((unsigned char)shown[2]) && begins(real, "0x")) {
            shown += 2 + strspn(shown + 2, "0123456789abcdefABCDEF");
            real += 2 + strspn(real + 2, "0123456789abcdefABCDEF");
        }
        if (begins(shown, "..."))
            return matches(shown, real);
        if (*shown != *real)
            return 0;
        if (!*shown)
            return 1;
    }
}

/* A line with only "..." matches any lines. If the two differ, *shown_at and *real_at are
 * the first lines without a match. */
static int matches_all(const struct lines *shown, const struct lines *real, int *shown_at,
                       int *real_at)
{
    int i = 0, j = 0, after_dots = -1, dots_end = 0;

    *shown_at = *real_at = -1;
    for (;;) {
        if (i > *shown_at) {
            *shown_at = i;
            *real_at = j;
        }
        if (i < shown->count && strcmp(shown->line[i], "...") == 0) {
            after_dots = ++i;
            dots_end = j;
        } else if (i < shown->count && j < real->count && matches(shown->line[i], real->line[j])) {
            i++;
            j++;
        } else if (i == shown->count && j == real->count) {
            return 1;
        } else if (after_dots >= 0 && dots_end < real->count) {
            i = after_dots;
            j = ++dots_end;
        } else {
            return 0;
        }
    }
}

/* ---------------------------------------------------------------------------------------------
 * Pages and their mistakes
 * ------------------------------------------------------------------------------------------ */

struct page {
    const char *path;
    struct lines lines;
    int blocks, mistakes, left_out;
    char reasons[256]; /* why blocks were left out, each once */
};

/* A fenced block, with its info string's contents. */
struct block {
    int first, end; /* the lines of the page between the fences, from 0 */
    int indent;
    char language[32], file[256], target[32], lacks[64];
    struct text given; /* of the comment before it */
    int given_line;
};

static void mistake(struct page *page, int line, const char *format, ...)
{
    va_list arguments;

    printf("%s:%d: ", page->path, line + 1);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    page->mistakes++;
}

/* The beginning and the end of many. */
static void show_indented(const struct lines *lines)
{
    enum { EDGE = 20 };

    for (int i = 0; i < lines->count; i++) {
        if (i == EDGE && lines->count > 2 * EDGE + 1) {
            i = lines->count - EDGE;
            printf("        (%d lines)\n", i - EDGE);
        }
        printf("        %s\n", lines->line[i]);
    }
}

static const char *line_of(const struct page *page, const struct block *block, int i)
{
    const char *line = page->lines.line[i];

    for (int k = 0; k < block->indent && *line == ' '; k++)
        line++;
    return line;
}

static struct text content(const struct page *page, const struct block *block)
{
    struct text text = {NULL, 0};

    append_string(&text, "");
    for (int i = block->first; i < block->end; i++)
        append_format(&text, "%s\n", line_of(page, block, i));
    return text;
}

/* ---------------------------------------------------------------------------------------------
 * Running
 * ------------------------------------------------------------------------------------------ */

static void stop(int signal_number)
{
    if (running > 0)
        kill(-(pid_t)running, SIGKILL);
    _exit(128 + signal_number);
}

static const char *in_scratch(const char *name)
{
    static char path[PATH_MAX + 64];

    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
}

/* Commands see only these variables, so that a page does not depend on who checks it. */
static const char start[] =
    "cd \"$DOCS_TREE\" && exec env -i LC_ALL=C PATH=\"$PATH${NVCC:+:${NVCC%/*}}\" "
    "HOME=\"$DOCS_SCRATCH/home\" DOCS_SCRATCH=\"$DOCS_SCRATCH\" CC=\"$CC\" "
    "${NVCC:+\"NVCC=$NVCC\"} ${CUDA_HOME:+\"CUDA_HOME=$CUDA_HOME\"} ${TMPDIR:+\"TMPDIR=$TMPDIR\"} "
    "${LD_LIBRARY_PATH:+\"LD_LIBRARY_PATH=$LD_LIBRARY_PATH\"} "
    "sh \"$DOCS_SCRATCH/script\" <\"$DOCS_SCRATCH/input\" >>\"$DOCS_SCRATCH/output\" 2>&1";

/* Runs a script by sh in the tree, with its output in *output. Returns its exit status, 128 or
 * more for a signal, -1 if it ran out of time. Processes that it started end with it. */
static int run(const char *script, const char *input, struct text *output)
{
    const struct timespec moment = {0, 5000000};
    const time_t began = time(NULL);
    int status, late = 0;
    pid_t pid;

    write_text(in_scratch("script"), script);
    write_text(in_scratch("input"), input);
    write_text(in_scratch("output"), "");
    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        execl("/bin/sh", "sh", "-c", start, (char *)NULL);
        _exit(126);
    }
    if (pid < 0)
        give_up("fork");
    setpgid(pid, pid);
    running = pid;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (!late && time(NULL) - began > time_limit) {
            late = 1;
            kill(-pid, SIGKILL);
        }
        nanosleep(&moment, NULL);
    }
    kill(-pid, SIGKILL);
    running = 0;
    output->size = 0;
    if (!read_text(in_scratch("output"), output))
        give_up(in_scratch("output"));
    return late ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The commands of a page behave as in one shell: they keep its directory and exported
 * variables. */
static int run_in_session(const char *command, const char *input, struct text *output)
{
    struct text script = {NULL, 0};

    append_format(&script, ". \"$DOCS_SCRATCH/session\"\n%s\n", command);
    append_string(&script,
                  "docs_status_=$?\n"
                  "{ export -p; printf \"cd '%s'\\n\" \"$PWD\"; } >\"$DOCS_SCRATCH/session\"\n"
                  "exit $docs_status_\n");
    return run(script.data, input, output);
}

static void say_status(struct page *page, int line, int code, const char *what,
                       const struct text *output)
{
    struct lines real = split(output->data, 0);

    if (code < 0)
        mistake(page, line, "%s takes more than %d s", what, time_limit);
    else
        mistake(page, line, "%s fails with exit status %d", what, code);
    printf("    the output:\n");
    show_indented(&real);
}

/* Runs a script that must exit with 0. */
static void try_script(struct page *page, int line, const char *script, const char *input,
                       const char *what)
{
    struct text output = {NULL, 0};
    const int code = run_in_session(script, input, &output);

    if (code != 0)
        say_status(page, line, code, what, &output);
}

/* gdb prints its prompt and, without a terminal, does not echo its input. */
static void echo_gdb(struct text *output, const struct lines *typed)
{
    struct text echoed = {NULL, 0};
    const char *rest = output->data, *prompt;
    int k = 0;

    append_string(&echoed, "");
    for (; (prompt = strstr(rest, PROMPT)) && k < typed->count; k++) {
        append(&echoed, rest, (size_t)(prompt - rest));
        if (echoed.size > 0 && echoed.data[echoed.size - 1] != '\n')
            append_string(&echoed, "\n");
        append_format(&echoed, PROMPT "%s\n", typed->line[k]);
        rest = prompt + strlen(PROMPT);
    }
    append(&echoed, rest, prompt ? (size_t)(prompt - rest) : strlen(rest));
    *output = echoed;
}

/* A command of a console block, whose output is on the lines from first to end. */
static void run_command(struct page *page, const struct block *block, const char *command, int line,
                        int first, int end)
{
    struct text expected = {NULL, 0}, input = {NULL, 0}, output = {NULL, 0};
    struct lines shown, real, typed;
    int code, shown_at, real_at, silent = 1;

    append_string(&expected, "");
    append_string(&input, "");
    for (int i = first; i < end; i++) {
        append_format(&expected, "%s\n", line_of(page, block, i));
        if (begins(line_of(page, block, i), PROMPT))
            append_format(&input, "%s\n", line_of(page, block, i) + strlen(PROMPT));
    }
    shown = split(expected.data, 0);
    for (int i = 0; i < shown.count; i++)
        silent &= strcmp(shown.line[i], "...") == 0;
    typed = split(input.data, 0);
    code = run_in_session(command, input.data, &output);
    if (typed.count > 0)
        echo_gdb(&output, &typed);
    real = split(output.data, 0);
    if (code < 0 || (silent && code != 0)) {
        say_status(page, line, code, command, &output);
    } else if (!silent && !matches_all(&shown, &real, &shown_at, &real_at)) {
        mistake(page, first + shown_at, "the output of `%s` differs", command);
        printf("    shown: %s\n    real:  %s\n",
               shown_at < shown.count ? shown.line[shown_at] : "(the end)",
               real_at < real.count ? real.line[real_at] : "(the end)");
        printf("    all that is shown, from line %d on:\n", first + 1);
        show_indented(&shown);
        printf("    the real output, exit status %d:\n", code);
        show_indented(&real);
    }
}

static void run_console(struct page *page, const struct block *block)
{
    int i = block->first;

    if (i == block->end || !begins(line_of(page, block, i), "$ "))
        mistake(page, i, "a console block begins with a command: $ COMMAND");
    while (i < block->end) {
        const int line = i;
        struct text command = {NULL, 0};

        append_string(&command, line_of(page, block, i++) + 2);
        while (i < block->end && begins(line_of(page, block, i), "> "))
            append_format(&command, "\n%s", line_of(page, block, i++) + 2);
        const int first = i;
        while (i < block->end && !begins(line_of(page, block, i), "$ "))
            i++;
        run_command(page, block, command.data, line, first, i);
    }
}

static void run_script(struct page *page, const struct block *block)
{
    struct text script = {NULL, 0}, output = {NULL, 0};
    int code;

    append_format(&script, "set -e\n%s", content(page, block).data);
    code = run_in_session(script.data, "", &output);
    if (code != 0)
        say_status(page, block->first, code, "the script", &output);
}

static void write_file(struct page *page, const struct block *block)
{
    struct text script = {NULL, 0};

    append_format(&script, "mkdir -p \"$(dirname '%s')\" && cat >'%s'\n", block->file, block->file);
    try_script(page, block->first, script.data, content(page, block).data, "writing the file");
}

/* C code at file scope, for each target; or, after a comment <!-- given: ... -->, with that code
 * before it, whose open braces are closed after it. */
static void compile(struct page *page, const struct block *block)
{
    static const char warnings[] = "-Wall -Wextra -Werror -Wno-unused -Wno-unused-parameter";
    static const char files[] = "\"$DOCS_SCRATCH/block.c\" -o \"$DOCS_SCRATCH/block.o\"";
    const char *target = block->target, *nvcc = getenv("NVCC"), *slash = strrchr(block->file, '/');
    const char *flag = strcmp(target, "emulate") == 0  ? "-DPORTABLE_TARGET_EMULATE=1"
                       : strcmp(target, "openmp") == 0 ? "-fopenmp"
                                                       : "";
    struct text code = content(page, block), source = {NULL, 0}, by_cc = {NULL, 0};
    struct text by_nvcc = {NULL, 0}, headers = {NULL, 0};
    static const char *const more[] = {"algorithms", "ranks", "tiles"};
    const int directory = slash ? (int)(slash - block->file) : 0;
    int open = 0;

    if (!strstr(code.data, "#include") &&
        !(block->given.data && strstr(block->given.data, "#include")))
        append_string(&source, "#include \"portable.h\"\n");
    if (block->given.data)
        append_format(&source, "#line %d \"%s\"\n%s\n", block->given_line + 1, page->path,
                      block->given.data);
    for (const char *c = block->given.data; c && *c; c++)
        open += (*c == '{') - (*c == '}');
    append_format(&source, "#line %d \"%s\"\n%s", block->first + 1, page->path, code.data);
    for (; open > 0; open--)
        append_string(&source, "}\n");
    write_text(in_scratch("block.c"), source.data);
    append_format(&headers, "-I. -I'./%.*s' -I'%s'", directory, block->file, tree);
    for (size_t k = 0; k < sizeof more / sizeof *more; k++)
        append_format(&headers, " -I'%s/host/%s'", tree, more[k]);
    append_format(&by_cc, "$CC -std=c11 -O1 %s %s %s -c %s\n", warnings, flag, headers.data, files);
    if (strcmp(target, "cuda") != 0)
        try_script(page, block->first, by_cc.data, "", "compiling by cc");
    /* -ptx: the front end finds the mistakes, and host code is not needed. */
    append_format(&by_nvcc, "$NVCC -x cu -std=c++17 -arch=sm_75 -rdc=true %s -ptx %s\n",
                  headers.data, files);
    if (nvcc && *nvcc && (!*target || strcmp(target, "cuda") == 0))
        try_script(page, block->first, by_nvcc.data, "", "compiling by nvcc");
}

/* ---------------------------------------------------------------------------------------------
 * Reading
 * ------------------------------------------------------------------------------------------ */

static int installed(const char *program)
{
    struct text script = {NULL, 0}, output = {NULL, 0};

    append_format(&script, "command -v '%s'\n", program);
    return run(script.data, "", &output) == 0;
}

static int known(const char *word, const char *words)
{
    char padded[320];

    snprintf(padded, sizeof padded, " %s ", word);
    return strstr(words, padded) != NULL;
}

/* An info string: the language, the block's needs and its kind. */
static void read_info(struct page *page, int line, const char *info, struct block *block)
{
    const char *nvcc = getenv("NVCC"), *gpu = getenv("HAVE_GPU");
    char words[512], *word;

    snprintf(words, sizeof words, "%s", info);
    word = strtok(words, " ");
    if (!word || !known(word, " c cpp console sh text make cmake yaml json python diff "))
        mistake(page, line, "a fence with an unknown info string: \"%s\"", info);
    snprintf(block->language, sizeof block->language, "%s", word ? word : "text");
    while ((word = strtok(NULL, " "))) {
        if (strcmp(word, "nvcc") == 0 || strcmp(word, "gpu") == 0 ||
            strcmp(word, "target=cuda") == 0) {
            if (!nvcc || !*nvcc)
                snprintf(block->lacks, sizeof block->lacks, "nvcc");
            else if (strcmp(word, "gpu") == 0 && (!gpu || !*gpu))
                snprintf(block->lacks, sizeof block->lacks, "GPU");
            if (begins(word, "target="))
                snprintf(block->target, sizeof block->target, "cuda");
        } else if (begins(word, "needs=")) {
            if (!installed(word + 6))
                snprintf(block->lacks, sizeof block->lacks, "%s", word + 6);
        } else if (strcmp(word, "bare") == 0) {
            snprintf(block->lacks, sizeof block->lacks, "bare machine: make check-bare");
        } else if (begins(word, "file=") && word[5] != '/' && !strstr(word, "..")) {
            snprintf(block->file, sizeof block->file, "%s", word + 5);
        } else if (known(word, " target=serial target=openmp target=emulate ")) {
            snprintf(block->target, sizeof block->target, "%s", word + 7);
        } else {
            mistake(page, line, "a fence with an unknown word: \"%s\"", word);
        }
    }
}

static void run_block(struct page *page, const struct block *block)
{
    const char *require_gpu = getenv("REQUIRE_GPU");
    const int runs = known(block->language, " c console sh ");

    page->blocks++;
    if (!runs && strcmp(block->language, "text") != 0 && !*block->file)
        mistake(page, block->first, "a %s block needs file=NAME: nothing checks it otherwise",
                block->language);
    if (strcmp(block->language, "text") == 0)
        for (int i = block->first; i < block->end; i++)
            if (begins(line_of(page, block, i), "$ "))
                mistake(page, i, "a command in a text block, which is not run: write ```console");
    /* Also written if it cannot be compiled here: other blocks may read it. */
    if (*block->file)
        write_file(page, block);
    if (*block->lacks) {
        char reason[80];

        if (require_gpu && strcmp(require_gpu, "1") == 0 && known(block->lacks, " nvcc GPU "))
            mistake(page, block->first, "REQUIRE_GPU=1, and there is no %s", block->lacks);
        snprintf(reason, sizeof reason, "no %s", block->lacks);
        page->left_out++;
        if (!strstr(page->reasons, reason)) {
            const size_t used = strlen(page->reasons);

            snprintf(page->reasons + used, sizeof page->reasons - used, "%s%s", used ? ", " : "",
                     reason);
        }
        return;
    }
    if (strcmp(block->language, "c") == 0)
        compile(page, block);
    else if (strcmp(block->language, "console") == 0)
        run_console(page, block);
    else if (strcmp(block->language, "sh") == 0)
        run_script(page, block);
}

/* Reads from the line of a "<!--" to that of its "-->", and returns that line; stores the given
 * code. */
static int read_comment(struct page *page, int i, struct block *next)
{
    static const char opening[] = "<!-- given:";
    const int given = begins(page->lines.line[i], opening);

    if (given) {
        next->given_line = i;
        next->given.size = 0;
    }
    for (int first = i; i < page->lines.count; i++) {
        const char *line = page->lines.line[i] + (given && i == first ? strlen(opening) : 0);
        const char *close = strstr(line, "-->");

        if (given)
            append_format(&next->given, "%.*s\n", close ? (int)(close - line) : (int)strlen(line),
                          line);
        if (close)
            return i;
    }
    mistake(page, i - 1, "a comment that does not end");
    return i;
}

static void run_page(struct page *page)
{
    struct block next = {0};
    int text_before = 0; /* an indented line continues the text before it, if any */

    for (int i = 0; i < page->lines.count; i++) {
        const char *line = page->lines.line[i];
        const int indent = (int)strspn(line, " ");

        if (begins(line, "<!--")) {
            i = read_comment(page, i, &next);
            text_before = 0;
        } else if (begins(line, "<pre")) {
            mistake(page, i, "a <pre>, which is not checked: write a fenced block");
        } else if ((indent >= 4 || line[indent] == '\t') && !text_before) {
            mistake(page, i, "an indented block, which is not checked: write a fenced one");
            text_before = 1;
        } else if (indent < 4 && (begins(line + indent, "```") || begins(line + indent, "~~~"))) {
            const char mark[] = {line[indent], '\0'}, mark_or_space[] = {line[indent], ' ', '\0'};
            const int fence = (int)strspn(line + indent, mark);
            const int opening = i;

            next.indent = indent;
            next.first = i + 1;
            read_info(page, i, line + indent + fence, &next);
            for (i++; i < page->lines.count; i++) {
                const char *end = page->lines.line[i] + strspn(page->lines.line[i], " ");

                if ((int)strspn(end, mark) >= fence && !end[strspn(end, mark_or_space)])
                    break;
            }
            next.end = i;
            if (i == page->lines.count)
                mistake(page, opening, "a fence that does not end");
            else
                run_block(page, &next);
            next = (struct block){0};
            text_before = 0;
        } else {
            text_before = line[indent] != '\0' && line[0] != '#';
            if (strstr(line, "```") || strstr(line, "~~~"))
                mistake(page, i, "a fence that does not begin its line, and is not checked");
            if (line[indent] && next.given.data) {
                mistake(page, i, "a comment that gives, and no block after it");
                next = (struct block){0};
            }
        }
    }
}

/* Recreates the tree, and the scratch directory beside it. */
static int fresh_tree(const char *source)
{
    char command[4 * PATH_MAX];

    snprintf(command, sizeof command,
             "tests/docs/tree.sh '%s' '%s' && rm -rf '%s' && mkdir -p '%s/home'", source, tree,
             scratch, scratch);
    fflush(stdout);
    if (system(command) != 0)
        return 0;
    write_text(in_scratch("session"), "");
    return 1;
}

static int check_page(const char *source, const char *path)
{
    struct page page = {.path = path};
    struct text text = {NULL, 0};

    if (!read_text(path, &text)) {
        printf("FAILED %s: %s\n", path, strerror(errno));
        return 0;
    }
    if (!fresh_tree(source)) {
        printf("FAILED %s: the tree %s cannot be made\n", path, tree);
        return 0;
    }
    page.lines = split(text.data, 1);
    run_page(&page);
    printf("%s %s: %d block%s", page.mistakes ? "FAILED" : "ok", path, page.blocks,
           page.blocks == 1 ? "" : "s");
    if (page.left_out)
        printf(", %d left out (%s)", page.left_out, page.reasons);
    if (page.mistakes)
        printf(", %d mistake%s", page.mistakes, page.mistakes == 1 ? "" : "s");
    putchar('\n');
    fflush(stdout);
    return page.mistakes == 0;
}

int main(int argc, char **argv)
{
    const char *limit = getenv("DOCS_TIME_LIMIT");
    char command[2 * PATH_MAX];
    int good = 1;

    if (argc < 4) {
        fprintf(stderr, "usage: check_docs SOURCE TREE PAGE...\n");
        return 2;
    }
    if (limit)
        time_limit = atoi(limit);
    snprintf(command, sizeof command, "mkdir -p '%s'", argv[2]);
    if (system(command) != 0 || !realpath(argv[2], tree)) {
        fprintf(stderr, "check_docs: cannot make %s\n", argv[2]);
        return 2;
    }
    snprintf(scratch, sizeof scratch, "%s.tmp", tree);
    setenv("CC", "cc", 0);
    setenv("DOCS_TREE", tree, 1);
    setenv("DOCS_SCRATCH", scratch, 1);
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    for (int i = 3; i < argc; i++)
        good &= check_page(argv[1], argv[i]);
    return good ? 0 : 1;
}
