/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rewrites:
 *
 *     k<T><<<grid, block>>>(x)        (::portable_cuda::configure(grid, block), k<T> (x))
 *     __global__ void k(T *x) {...}   void k(T *portable_x_) {PROLOGUE [](INDICES, T *x) {...});}
 *     __shared__ T x[n];              static __attribute__((section(...), abi_tag(...))) T x[n];
 *     extern __shared__ T x[];        T *const x = ::portable_cuda::dynamic_shared;
 *     __constant__ T x;               the same in .portable_constant
 *     cudaMalloc(&x, n)               (::portable_emulate_name_("&x"), cudaMalloc(&x, n))
 *     asm("...") in device code       a statement by ptx.c
 *     while (c) s; in device code     while (c) {::portable_cuda::polls(); s;}
 *     __device__, __host__ and so on  nothing
 *
 * A call of a kernel is a launch: its body is the lambda, which each thread calls with the
 * arguments. So overloads, template arguments and pointers to kernels are C++'s own matter. The
 * indices that it names, threadIdx and so on, are parameters too, which a compiler keeps in
 * registers.
 *
 * Nothing here resolves names. The text is a list of tokens, each with the text that precedes,
 * replaces and follows it in the output. Everything between tokens, line markers included, is
 * copied, so line numbers do not change.
 */
#define _GNU_SOURCE /* memmem */

#include "host/nvcc/translate.h"

#include "host/nvcc/ptx.h"
#include "host/nvcc/text.h"

#include <ctype.h>  /* isalnum, isalpha, isdigit, isspace */
#include <stdlib.h> /* atoi, free */
#include <string.h> /* memchr, memcmp, memmem, strchr, strlen */

enum kind { IDENTIFIER, NUMBER, LITERAL, PUNCTUATOR, END };

struct token {
    const char *at;
    size_t length;
    enum kind kind;
    int match;                      /* of a bracket: the index of its partner, or -1 */
    int dropped;                    /* not written */
    int looped;                     /* of a loop that has been looked at */
    int ordered;                    /* of a call that prints, too */
    char *before, *instead, *after; /* owned; NULL: nothing, as it is, nothing */
};

/* Before the first token and after the last there are as many that are nothing, which makes looking
 * ahead and back by a few safe. */
enum { MARGIN = 8 };

/* A place in the text: the beginning of a line, by the line markers. */
struct place {
    const char *at, *file;
    int length; /* of the file's name */
    int line, is_system;
};

/* One translation. With so many volatile variables, each function counts as using one. */
enum { MAX_VOLATILE = 256 };
struct source {
    const struct translate_options *options;
    const char *text;
    size_t size;
    struct token *tokens; /* MARGIN of them come before this, and as many after the count */
    int count, capacity;
    int sections; /* numbered so far */
    int ptx;      /* statements of inline PTX so far */
    int errors;
    struct place place;                          /* where a message was last about */
    const struct token *volatiles[MAX_VOLATILE]; /* the names of what is declared volatile */
    int volatile_count;
};

/* ---- tokens ---- */

static int is(const struct token *token, const char *text)
{
    const size_t length = strlen(text);
    return token->length == length && token->kind != LITERAL &&
           memcmp(token->at, text, length) == 0;
}

static int is_any(const struct token *token, const char *const *texts)
{
    for (; *texts; texts++)
        if (is(token, *texts))
            return 1;
    return 0;
}

/* Whether token i begins a run of `text`, one character a token, with nothing in between. */
static int is_run(const struct source *s, int i, const char *text)
{
    const int length = (int)strlen(text);
    if (i < 0 || i + length >= s->count)
        return 0;
    for (int k = 0; k < length; k++)
        if (s->tokens[i + k].kind != PUNCTUATOR || s->tokens[i + k].at != s->tokens[i].at + k ||
            *s->tokens[i + k].at != text[k])
            return 0;
    return 1;
}

static void add_token(struct source *s, enum kind kind, const char *at, size_t length)
{
    const struct token token = {.at = at, .length = length, .kind = kind, .match = -1};
    if (s->count == s->capacity) {
        const struct token nothing = {.at = s->text, .kind = END, .match = -1};
        struct token *const all = s->tokens ? s->tokens - MARGIN : NULL;
        s->capacity = s->capacity ? 2 * s->capacity : 1 << 10;
        s->tokens = (struct token *)grown(all, (MARGIN + (size_t)s->capacity) * sizeof *all);
        s->tokens += MARGIN;
        for (int k = -MARGIN; k < 0; k++)
            s->tokens[k] = nothing;
    }
    s->tokens[s->count++] = token;
}

/* The end of a line, before its newline. */
static const char *line_end(const char *at, const char *end)
{
    const char *const newline = (const char *)memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

static int is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* The end of a literal that begins with the quote, after a prefix of `prefix` characters. */
static const char *literal_end(const char *at, const char *quote, const char *end)
{
    if (*quote == '"' && quote > at && quote[-1] == 'R') {
        const char *const open = (const char *)memchr(quote, '(', (size_t)(end - quote));
        const size_t length = open ? (size_t)(open - quote - 1) : 0;
        for (const char *c = open; c && c + length + 1 < end; c++)
            if (*c == ')' && memcmp(c + 1, quote + 1, length) == 0 && c[length + 1] == '"')
                return c + length + 2;
        return end;
    }
    for (const char *c = quote + 1; c < end; c++) {
        if (*c == '\\')
            c++;
        else if (*c == *quote || *c == '\n')
            return c + (*c == *quote);
    }
    return end;
}

static int is_literal_prefix(const char *at, size_t length)
{
    static const char *const prefixes[] = {"L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R", NULL};
    const struct token token = {.at = at, .length = length, .kind = IDENTIFIER};
    return is_any(&token, prefixes);
}

static void read_tokens(struct source *s)
{
    const char *at = s->text, *const end = s->text + s->size;
    int fresh = 1; /* nothing but spaces since the line's beginning */
    while (at < end) {
        const char *c = at;
        if (*at == '\n') {
            fresh = 1;
            at++;
        } else if (isspace((unsigned char)*at)) {
            at++;
        } else if (*at == '#' && fresh) {
            at = line_end(at, end); /* a line marker or a #pragma */
        } else if (isdigit((unsigned char)*at) ||
                   (*at == '.' && at + 1 < end && isdigit((unsigned char)at[1]))) {
            for (c++; c < end; c++)
                if (!is_name_character(*c) && *c != '.' &&
                    !(*c == '\'' && c + 1 < end && is_name_character(c[1])) &&
                    !((*c == '+' || *c == '-') && strchr("eEpP", c[-1])))
                    break;
            add_token(s, NUMBER, at, (size_t)(c - at));
            fresh = 0;
            at = c;
        } else if (is_name_character(*at)) {
            while (c < end && is_name_character(*c))
                c++;
            if (c < end && (*c == '"' || *c == '\'') && is_literal_prefix(at, (size_t)(c - at))) {
                c = literal_end(at, c, end);
                add_token(s, LITERAL, at, (size_t)(c - at));
            } else {
                add_token(s, IDENTIFIER, at, (size_t)(c - at));
            }
            fresh = 0;
            at = c;
        } else if (*at == '"' || *at == '\'') {
            c = literal_end(at, at, end);
            add_token(s, LITERAL, at, (size_t)(c - at));
            fresh = 0;
            at = c;
        } else {
            add_token(s, PUNCTUATOR, at, 1);
            fresh = 0;
            at++;
        }
    }
    for (int k = 0; k <= MARGIN; k++)
        add_token(s, END, end, 0);
    s->count -= MARGIN;
}

/* Finds the partner of each bracket. */
static void match_brackets(struct source *s)
{
    int *const open = (int *)grown(NULL, (size_t)s->count * sizeof *open);
    int depth = 0;
    for (int i = 0; i < s->count; i++) {
        const struct token *const token = &s->tokens[i];
        const char c = token->kind == PUNCTUATOR ? *token->at : '\0';
        if (c == '(' || c == '[' || c == '{') {
            open[depth++] = i;
        } else if (c == ')' || c == ']' || c == '}') {
            if (depth == 0)
                continue;
            s->tokens[i].match = open[--depth];
            s->tokens[open[depth]].match = i;
        }
    }
    free(open);
}

/* Where a token stands, by the line markers. Resumes at the last one that was asked for. */
static const struct place *location(struct source *s, int i)
{
    struct place *const place = &s->place;
    if (!place->at || place->at > s->tokens[i].at)
        *place = (struct place){s->text, "input", 5, 1, 0};
    while (place->at < s->tokens[i].at) {
        const char *const at = place->at, *const end = line_end(at, s->text + s->size);
        const char *const name = (const char *)memchr(at, '"', (size_t)(end - at));
        if (at[0] == '#' && at[1] == ' ' && isdigit((unsigned char)at[2]) && name) {
            const char *const close = (const char *)memchr(name + 1, '"', (size_t)(end - name - 1));
            place->line = atoi(at + 2);
            place->file = name + 1;
            place->length = (int)((close ? close : end) - name - 1);
            place->is_system = close && memchr(close, '3', (size_t)(end - close)) != NULL;
        } else if (end < s->tokens[i].at) {
            ++place->line;
        } else {
            break;
        }
        place->at = end + 1;
    }
    return place;
}

static void complain(struct source *s, int i, const char *kind, const char *sentence)
{
    const int is_error = strcmp(kind, "error") == 0;
    const struct place *const place = location(s, i);
    if (place->is_system && !is_error)
        return;
    fprintf(stderr, "%.*s:%d: %s: %s\n", place->length, place->file, place->line, kind, sentence);
    s->errors += is_error;
}

static void drop(struct source *s, int from, int to)
{
    for (int i = from; i <= to; i++)
        s->tokens[i].dropped = 1;
}

/* Appends a literal as one line: a raw string of several lines as a plain one. */
static void append_literal(char **string, const struct token *token)
{
    const char *const end = token->at + token->length;
    const char *const quote = (const char *)memchr(token->at, '"', token->length);
    const char *const open = quote ? (const char *)memchr(quote, '(', (size_t)(end - quote)) : NULL;
    const char *at = token->at;
    if (open && quote > at && quote[-1] == 'R' && memchr(at, '\n', token->length)) {
        const char *const close = end - (open - quote) - 1; /* )delimiter" */
        append(string, "%.*s\"", (int)(quote - 1 - at), at);
        for (at = open + 1; at < close; at++)
            if (*at == '\n')
                append(string, "\\n");
            else
                append(string, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
        append(string, "\"");
        return;
    }
    for (; at < end; at++)
        if (*at != '\\' || at + 1 == end)
            append(string, "%c", *at == '\n' ? ' ' : *at);
        else if (*++at != '\n') /* a backslash at the end of a line continues it */
            append(string, "\\%c", *at);
}

/* Appends the text of tokens [from, to), as one line. */
static void append_tokens(char **string, const struct source *s, int from, int to)
{
    for (int i = from; i < to; i++) {
        const struct token *const token = &s->tokens[i];
        if (i > from && token->at != token[-1].at + token[-1].length)
            append(string, " ");
        if (token->kind == LITERAL)
            append_literal(string, token);
        else
            append(string, "%.*s", (int)token->length, token->at);
    }
}

/* ---- the shape of declarations ---- */

/* The attributes whose parentheses are not a parameter list. */
static const char *const with_arguments[] = {"__attribute__", "__launch_bounds__",
                                             "__align__",     "__builtin_align__",
                                             "alignas",       "noexcept",
                                             "decltype",      "__cluster_dims__",
                                             "__maxnreg__",   "__block_size__",
                                             "__declspec",    "explicit",
                                             "throw",         "requires",
                                             "asm",           "__asm__",
                                             "sizeof",        NULL};

/* The index of the < that matches the > at i, or -1. Parentheses in between are skipped. */
static int angle_begin(const struct source *s, int i)
{
    int depth = 0;
    for (; i >= 0; i--) {
        const struct token *const token = &s->tokens[i];
        if (is(token, ">"))
            depth++;
        else if (is(token, "<") && --depth == 0)
            return i;
        else if ((is(token, ")") || is(token, "]") || is(token, "}")) && token->match >= 0)
            i = token->match;
        else if (is(token, ";") || is(token, "{") || is(token, "("))
            return -1;
    }
    return -1;
}

/* The first token of the declaration around token i. */
static int declaration_begin(const struct source *s, int i)
{
    while (i > 0) {
        const struct token *const before = &s->tokens[i - 1];
        if (is(before, ";") || is(before, "{") || is(before, "}") || is(before, "(") ||
            is(before, ",") ||
            (is(before, ":") && !(i > 1 && is(&s->tokens[i - 2], ":")) && !is(&s->tokens[i], ":")))
            break;
        if (is(before, ">")) {
            const int begin = angle_begin(s, i - 1);
            if (begin < 0)
                break;
            i = begin;
        } else if ((is(before, ")") || is(before, "]")) && before->match >= 0) {
            i = before->match;
        } else {
            i--;
        }
    }
    return i;
}

/* A declaration, parsed from one of its specifiers on. */
struct declaration {
    int begin;      /* its first token */
    int end;        /* its ; or = or the brace of its body or initialiser, or , or ) around it */
    int parameters; /* the ( of its parameters; -1: a variable */
    int bounds;     /* the ( of __launch_bounds__, or -1 */
    int is_extern, is_static, is_inline, is_const, is_template, is_host, is_member;
    int is_shared, is_constant;
};

/* The memory spaces of a variable. It may have two: __device__ and another. */
static const char *const spaces[] = {"__device__", "__shared__", "__constant__", "__managed__",
                                     NULL};

static struct declaration read_declaration(const struct source *s, int i)
{
    struct declaration d = {.begin = declaration_begin(s, i), .parameters = -1, .bounds = -1};
    int k = d.begin, angles = 0;
    for (; k < s->count - 1; k++) {
        const struct token *const token = &s->tokens[k];
        const struct token *const before = k > d.begin ? &s->tokens[k - 1] : NULL;
        if (is(token, "(")) {
            if (before && is(before, "__launch_bounds__"))
                d.bounds = k;
            else if (angles == 0 && !(before && is_any(before, with_arguments)))
                d.parameters = k;
            if (token->match < 0)
                break;
            k = token->match;
        } else if (is(token, "[") && token->match >= 0) {
            k = token->match;
        } else if (is(token, "<") && before && before->kind == IDENTIFIER &&
                   !is(before, "operator")) {
            angles++;
        } else if (is(token, ">") && angles > 0) {
            angles--;
        } else if (angles == 0 && (is(token, ";") || is(token, "{") || is(token, "=") ||
                                   is(token, ",") || is(token, ")") || is(token, "}") ||
                                   (is(token, ":") && !is(&s->tokens[k + 1], ":") &&
                                    !(before && is(before, ":"))))) {
            if (is(token, "=") && before && is(before, "operator"))
                continue; /* operator= */
            break;
        } else if (is(token, "template")) {
            d.is_template = 1;
        } else if (angles == 0 && token->kind == IDENTIFIER) {
            d.is_extern |= is(token, "extern");
            d.is_static |= is(token, "static");
            d.is_inline |= is(token, "inline") || is(token, "__inline__") ||
                           is(token, "__forceinline__") || is(token, "__inline");
            d.is_const |= is(token, "const") || is(token, "constexpr");
            d.is_host |= is(token, "__host__");
            d.is_shared |= is(token, "__shared__");
            d.is_constant |= is(token, "__constant__");
        } else if (angles == 0 && is(token, ":") && d.parameters < 0) {
            d.is_member = 1; /* a qualified name or type: no linkage is added */
        }
    }
    d.end = k;
    return d;
}

/* The brace of a function's body, after a constructor's initialisers; or -1. */
static int body_of(const struct source *s, const struct declaration *d)
{
    int i = d->end;
    if (is(&s->tokens[i], ":")) {
        for (i++; s->tokens[i].kind != END && !is(&s->tokens[i], ";"); i++)
            if ((is(&s->tokens[i], "(") || is(&s->tokens[i], "{")) && s->tokens[i].match > i) {
                i = s->tokens[i].match;
                while (is(&s->tokens[i + 1], "."))
                    i++;
                if (is(&s->tokens[i + 1], "{")) {
                    i++;
                    break;
                }
            }
    }
    return is(&s->tokens[i], "{") && s->tokens[i].match > i ? i : -1;
}

/* The scope of the names between braces; & combines those of nested braces. */
enum scope { INNER = 0, UNNAMED = 1, NAMED = 3 };

/* Whether the brace opens a namespace or extern "C". */
static enum scope opens_namespace(const struct source *s, int brace)
{
    if (s->tokens[brace - 1].kind == LITERAL && is(&s->tokens[brace - 2], "extern"))
        return NAMED;
    for (int i = declaration_begin(s, brace); i < brace; i++) {
        if (is(&s->tokens[i], "namespace"))
            return i + 1 == brace ? UNNAMED : NAMED;
        if (is(&s->tokens[i], "(") || is(&s->tokens[i], "="))
            return INNER;
    }
    return INNER;
}

/* ---- launches ---- */

/* The first token of the postfix expression that ends before token i. */
static int postfix_begin(const struct source *s, int i)
{
    for (;;) {
        int begin = i - 1;
        while (begin >= 0 && (is(&s->tokens[begin], "]") || is(&s->tokens[begin], ")")) &&
               s->tokens[begin].match > 0) {
            const int open = s->tokens[begin].match;
            begin = open - 1;
            if (is(&s->tokens[open], "(") && s->tokens[begin].kind != IDENTIFIER &&
                !is(&s->tokens[begin], ">") && !is(&s->tokens[begin], "]") &&
                !is(&s->tokens[begin], ")"))
                return open; /* (expression) */
        }
        if (begin < 0)
            return i;
        if (is(&s->tokens[begin], ">"))
            begin = angle_begin(s, begin) - 1;
        if (begin < 0 || s->tokens[begin].kind != IDENTIFIER)
            return i;
        if (is_run(s, begin - 2, "::") || is_run(s, begin - 2, "->"))
            i = begin - 2;
        else if (begin > 0 && is(&s->tokens[begin - 1], "."))
            i = begin - 1;
        else
            return begin;
        if (is(&s->tokens[i], ":") &&
            (i == 0 || (s->tokens[i - 1].kind != IDENTIFIER && !is(&s->tokens[i - 1], ">"))))
            return i; /* ::name */
        static const char *const no_operand[] = {"return", "else", "do", NULL};
        if (is_any(&s->tokens[i - 1], no_operand))
            return i;
    }
}

/* <<<, or << < as formatters that do not know CUDA write it; so does nvcc read it. */
static int is_launch(const struct source *s, int i)
{
    return is_run(s, i, "<<") && is(&s->tokens[i + 2], "<") && !is(&s->tokens[i - 1], "operator");
}

static int is_launch_end(const struct source *s, int i, int is_spaced)
{
    return is_spaced ? is_run(s, i, ">>") && is(&s->tokens[i + 2], ">") : is_run(s, i, ">>>");
}

/* The end of a launch whose arguments begin at token i, or where the search for it stops. */
static int launch_end(const struct source *s, int i, int is_spaced)
{
    int close = i;
    while (close < s->count - 1 && !is_launch_end(s, close, is_spaced)) {
        const struct token *const token = &s->tokens[close];
        if ((is(token, "(") || is(token, "[") || is(token, "{")) && token->match > close)
            close = token->match;
        else if (is(token, ";") || is(token, ")") || is(token, "}"))
            break;
        close++;
    }
    return close;
}

/* k<<<...>>>(...), at the first <. Returns the last token that is done. */
static int launch(struct source *s, int i)
{
    int close = launch_end(s, i + 3, 0);
    if (!is_launch_end(s, close, 0))
        close = launch_end(s, i + 3, 1);
    if (!is_launch_end(s, close, 1)) {
        complain(s, i, "error", "<<< without its >>>");
        return i + 2;
    }
    const int open = close + 3, begin = postfix_begin(s, i);
    if (!is(&s->tokens[open], "(") || s->tokens[open].match < 0 || begin == i) {
        complain(s, i, "error", "a launch is kernel<<<grid, block, shared, stream>>>(arguments)");
        return close + 2;
    }
    char *text = NULL;
    append(&text, "(::portable_cuda::configure(");
    append_tokens(&text, s, i + 3, close);
    append(&text, "), ");
    prepend(&s->tokens[begin].before, text);
    free(text);
    drop(s, i, close + 2);
    append(&s->tokens[s->tokens[open].match].after, ")");
    return close + 2;
}

/* ---- inline PTX ---- */

/* The text of an asm statement: of the literals in tokens [from, to), joined. With operands, %% is
 * a percent sign, and % before a digit becomes PTX_OPERAND. */
static char *ptx_text(const struct source *s, int from, int to, int has_operands)
{
    char *text = NULL;
    append(&text, "%s", "");
    for (int i = from; i < to; i++) {
        char *literal = NULL;
        append_literal(&literal, &s->tokens[i]);
        const char *at = literal ? strchr(literal, '"') : NULL;
        const int is_raw = at && at > literal && at[-1] == 'R';
        const char *end = literal ? literal + strlen(literal) : NULL;
        if (is_raw) { /* R"x(...)x" */
            const char *const open = strchr(at, '(');
            end = open ? end - (open - at) - 1 : end;
            at = open ? open : end;
        }
        for (at += at != NULL; at && at < end && (is_raw || *at != '"'); at++) {
            char c = *at;
            if (c == '\\' && !is_raw && at + 1 < end) {
                c = *++at;
                c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
            } else if (c == '%' && has_operands && at[1] == '%') {
                at++;
            } else if (c == '%' && has_operands && isdigit((unsigned char)at[1])) {
                c = PTX_OPERAND;
            } else if (c == '%' && has_operands && at[1] == '=') {
                at++;
                c = '0'; /* labels of two statements differ anyway */
            }
            append(&text, "%c", c);
        }
        free(literal);
    }
    return text;
}

/* Reads a list of operands, "=r"(x), "f"(y), from token i on, up to the : or the ) after it.
 * Returns that token, or -1 if the list is none. */
static int read_ptx_operands(const struct source *s, int i, struct ptx_operand *operands,
                             size_t *count, size_t most, int is_output)
{
    while (s->tokens[i].kind == LITERAL) {
        int open = i + 1, is_read = !is_output;
        is_read |= memchr(s->tokens[i].at, '+', s->tokens[i].length) != NULL;
        while (s->tokens[open].kind == LITERAL)
            open++;
        const struct token *const constraint = &s->tokens[open - 1];
        const int close = s->tokens[open].match;
        if (!is(&s->tokens[open], "(") || close <= open || *count == most || constraint->length < 3)
            return -1;
        struct ptx_operand *const one = &operands[(*count)++];
        one->constraint = constraint->at[constraint->length - 2];
        one->is_written = is_output;
        one->is_read = is_read;
        one->expression = NULL;
        append_tokens(&one->expression, s, open + 1, close);
        if (!strchr("rlhfdqn", one->constraint) || !one->expression)
            return -1;
        i = close + 1;
        if (!is(&s->tokens[i], ","))
            break;
        i++;
    }
    return is(&s->tokens[i], ":") || is(&s->tokens[i], ")") ? i : -1;
}

/* asm("...") at token i, whose parentheses begin at `group`. */
static void ptx(struct source *s, int i, int group)
{
    enum { MOST = 256 };
    struct ptx_operand operands[MOST];
    const int close = s->tokens[group].match;
    size_t count = 0;
    int end = group + 1, at;
    while (s->tokens[end].kind == LITERAL)
        end++;
    const int has_operands = is(&s->tokens[end], ":");
    at = has_operands ? read_ptx_operands(s, end + 1, operands, &count, MOST, 1) : end;
    if (has_operands && at > 0 && at < close)
        at = read_ptx_operands(s, at + 1, operands, &count, MOST, 0);
    char *const text = ptx_text(s, group + 1, end, has_operands);
    const int is_empty = strspn(text, " \t\n;") == strlen(text);
    if (at < 0 || !is_empty || count > 0) {
        char *unknown = NULL, *const statement = ptx_statement(text, operands, at < 0 ? 0 : count,
                                                               s->ptx++, &unknown);
        append(&s->tokens[i].before, "%s", statement);
        if (unknown) {
            char *sentence = NULL;
            append(&sentence, "unknown PTX, a kernel fails there: %s", unknown);
            complain(s, i, "warning", sentence);
            free(sentence);
        }
        free(unknown);
        free(statement);
        drop(s, i, close);
    }
    for (size_t k = 0; k < count; k++)
        free(operands[k].expression);
    free(text);
}

/* asm in the body of a device function. */
static void find_ptx(struct source *s, int open)
{
    static const char *const names[] = {"asm", "__asm__", "__asm", NULL};
    static const char *const qualifiers[] = {"volatile", "__volatile__", "goto", NULL};
    for (int i = open + 1; i < s->tokens[open].match; i++) {
        if (!is_any(&s->tokens[i], names) || s->tokens[i].dropped)
            continue;
        int group = i + 1;
        while (is_any(&s->tokens[group], qualifiers))
            group++;
        if (is(&s->tokens[group], "(") && s->tokens[group].match > group &&
            s->tokens[group + 1].kind == LITERAL)
            ptx(s, i, group);
    }
}

/* ---- loops that may wait for another thread ---- */

/* The last token of the statement that begins at token i. */
static int statement_end(const struct source *s, int i)
{
    static const char *const with_condition[] = {"if", "while", "for", "switch", NULL};
    while (s->tokens[i].kind != END) {
        const struct token *const token = &s->tokens[i];
        if (is(token, "{"))
            return token->match > i ? token->match : i;
        if (is(token, "do"))
            return s->tokens[statement_end(s, i + 1) + 2].match + 1;
        if (is_any(token, with_condition)) {
            const int of_if = is(token, "if");
            i += 1 + is(&s->tokens[i + 1], "constexpr");
            if (s->tokens[i].match < i)
                return i;
            i = s->tokens[i].match + 1;
            if (!of_if)
                continue;
            const int end = statement_end(s, i);
            if (!is(&s->tokens[end + 1], "else"))
                return end;
            i = end + 2;
        } else if (token->kind == IDENTIFIER && is(token + 1, ":") && !is(token + 2, ":")) {
            i += 2; /* a label */
        } else if (is(token, ";")) {
            return i;
        } else {
            i = token->match > i ? token->match + 1 : i + 1;
        }
    }
    return i;
}

/* Whether the tokens at i change the variable by a step: i++, --i, i += 2, i = i + 2. */
static int is_step(const struct source *s, int i, const struct token *variable)
{
    static const char operators[] = "+-*/%<>|&^";
    int at = i;
    while (is(&s->tokens[at], "+") || is(&s->tokens[at], "-"))
        at++;
    const struct token *const token = &s->tokens[at];
    if (token->kind != IDENTIFIER || token->length != variable->length ||
        memcmp(token->at, variable->at, token->length) != 0)
        return 0;
    if (at == i + 2 || is_run(s, at + 1, "++") || is_run(s, at + 1, "--"))
        return 1;
    if (is(token + 1, "="))
        return token[2].length == token->length &&
               memcmp(token[2].at, token->at, token->length) == 0;
    for (at++; s->tokens[at].kind == PUNCTUATOR && strchr(operators, *s->tokens[at].at); at++)
        if (is(&s->tokens[at + 1], "="))
            return 1;
    return 0;
}

/* Whether the condition in tokens [from, to) compares a variable, and no more than that, which the
 * steps in [first, last) change: then the loop ends by itself. Steps are separated by commas, or
 * they are statements of the loop's body. */
static int is_bounded(const struct source *s, int from, int to, int first, int last, int in_body)
{
    for (int i = from; i < to; i++)
        if (is_run(s, i, "&&") || is_run(s, i, "||") || is(&s->tokens[i], "?"))
            return 0;
    for (int i = first; in_body && i < last; i++)
        if (is(&s->tokens[i], "continue"))
            return 0;
    for (int i = from; i < to; i++) {
        const struct token *const variable = &s->tokens[i];
        if (variable->match > i)
            i = variable->match;
        if (variable->kind != IDENTIFIER || is(variable + 1, "(") || is(variable - 1, ".") ||
            is_run(s, i - 2, "->"))
            continue;
        for (int k = first; k < last; k++) {
            const struct token *const before = &s->tokens[k - 1];
            if (s->tokens[k].match > k)
                k = s->tokens[k].match;
            else if ((k == first || is(before, in_body ? ";" : ",") ||
                      (in_body && is(before, "}"))) &&
                     is_step(s, k, variable))
                return 1;
        }
    }
    return 0;
}

/* Whether the loop of the for at token i, or of the while, ends without another thread. */
static int ends_by_itself(const struct source *s, int i)
{
    const int open = i + 1, close = s->tokens[open].match, body = close + 1;
    const int is_block = is(&s->tokens[body], "{") && s->tokens[body].match > body;
    int semicolons[2] = {-1, -1}, found = 0;
    if (is(&s->tokens[i], "while"))
        return is_block && is_bounded(s, open + 1, close, body + 1, s->tokens[body].match, 1);
    for (int k = open + 1; k < close; k++) {
        if (s->tokens[k].match > k)
            k = s->tokens[k].match;
        else if (is(&s->tokens[k], ";") && found < 2)
            semicolons[found++] = k;
    }
    if (found < 2) /* over a range */
        return 1;
    if (semicolons[1] + 1 < close)
        return is_bounded(s, semicolons[0] + 1, semicolons[1], semicolons[1] + 1, close, 0);
    return is_block &&
           is_bounded(s, semicolons[0] + 1, semicolons[1], body + 1, s->tokens[body].match, 1);
}

/* The body [body, end] of a loop whose first token is `loop`. */
static void loop_body(struct source *s, int loop, int body, int end, int polls, int counts)
{
    if (counts)
        prepend(&s->tokens[loop].before,
                "for (::portable_cuda::loop portable_loop_; portable_loop_.once();) ");
    if (!polls && !counts)
        return;
    append(&s->tokens[body - 1].after, "{%s%s", counts ? "portable_loop_.next();" : "",
           polls ? "::portable_cuda::polls();" : "");
    append(&s->tokens[end].after, "}");
}

/* The loops in the body of a device function. A goto is one if its label comes before it. */
static void find_loops(struct source *s, const struct declaration *d)
{
    const int open = d->end;
    int counts = s->options->lockstep;
    for (int i = d->begin; i < open; i++)
        counts &= !is(&s->tokens[i], "constexpr");
    for (int i = open + 1; i < s->tokens[open].match; i++) {
        struct token *const token = &s->tokens[i];
        if (token->kind != IDENTIFIER || token->looped)
            continue;
        if (is(token, "do")) {
            const int end = statement_end(s, i + 1);
            token->looped = s->tokens[end + 1].looped = 1;
            loop_body(s, i, i + 1, end, 1, counts);
        } else if ((is(token, "while") || is(token, "for")) && is(&s->tokens[i + 1], "(") &&
                   s->tokens[i + 1].match > i) {
            const int close = s->tokens[i + 1].match;
            token->looped = 1;
            loop_body(s, i, close + 1, statement_end(s, close + 1), !ends_by_itself(s, i), counts);
        } else if (is(token, "goto") && is(&s->tokens[i + 2], ";")) {
            token->looped = 1;
            for (int k = open + 1; k < i; k++)
                if (s->tokens[k].length == token[1].length && is(&s->tokens[k + 1], ":") &&
                    memcmp(s->tokens[k].at, token[1].at, token[1].length) == 0) {
                    prepend(&token->before, "{::portable_cuda::polls(); ");
                    append(&token[2].after, "}");
                    break;
                }
        } else if (is(token, "clock") && is(&s->tokens[i + 1], "(") &&
                   s->tokens[i + 1].match == i + 2 && !is(&s->tokens[i - 1], ".") &&
                   !is_run(s, i - 2, "->") && !is_run(s, i - 2, "::") &&
                   (s->tokens[i - 1].kind != IDENTIFIER || is(&s->tokens[i - 1], "return"))) {
            token->looped = 1;
            append(&token->instead, "::portable_cuda::ticks");
        }
    }
}

/* ---- what other blocks or the host can see ---- */

/* Whether the volatile at token i is of something that blocks can share: not of asm, nor a variable
 * of the block. */
static int is_shared_volatile(const struct source *s, int i)
{
    static const char *const assembly[] = {"asm", "__asm__", "__asm", NULL};
    static const char *const ends[] = {";", "{", "}", "(", ")", NULL};
    int at = i;
    if (!is(&s->tokens[i], "volatile") || is_any(&s->tokens[i - 1], assembly))
        return 0;
    while (at > 0 && !is_any(&s->tokens[at - 1], ends))
        at--;
    while (!is(&s->tokens[at], "__shared__") && !is_any(&s->tokens[at], ends) &&
           s->tokens[at].kind != END)
        at++;
    return !is(&s->tokens[at], "__shared__");
}

/* Whether the brace opens the body of a function, not that of a class with attributes. */
static int is_function_body(const struct source *s, int i)
{
    static const char *const before[] = {")", "const", "noexcept", "override", "final", NULL};
    static const char *const attributes[] = {"__align__", "alignas", "__attribute__", NULL};
    const struct token *const last = &s->tokens[i - 1];
    if (!is(&s->tokens[i], "{") || !is_any(last, before))
        return 0;
    if (is(last, ")"))
        return last->match <= 0 || !is_any(&s->tokens[last->match - 1], attributes);
    return !is(last, "final") || last[-1].kind != IDENTIFIER;
}

static void add_volatile(struct source *s, int name)
{
    if (s->volatile_count < MAX_VOLATILE)
        s->volatiles[s->volatile_count++] = &s->tokens[name];
}

/* Finds the names of what the program declares volatile outside of functions: variables, members,
 * types. */
static void find_volatile(struct source *s)
{
    static const char *const ends[] = {";", "=", "[", ",", ")", "{", "(", NULL};
    static const char *const stops[] = {";", ")", "}", NULL};
    for (int i = 0; i < s->count; i++) {
        const struct token *const token = &s->tokens[i];
        if (token->match > i && (is(token, "(") || is_function_body(s, i)))
            i = token->match;
        if (!is_shared_volatile(s, i) || location(s, i)->is_system)
            continue;
        int first = i;
        while (first > 0 && i - first < 4 && !is_any(&s->tokens[first - 1], stops))
            first--;
        if (is(&s->tokens[first], "using"))
            add_volatile(s, first + 1);
        int is_value = 0;
        for (int k = i + 1; s->tokens[k].kind != END && !is_any(&s->tokens[k], stops); k++) {
            is_value = is(&s->tokens[k], "=") || (is_value && !is(&s->tokens[k], ","));
            if (s->tokens[k].match > k)
                k = s->tokens[k].match;
            else if (!is_value && s->tokens[k].kind == IDENTIFIER &&
                     is_any(&s->tokens[k + 1], ends))
                add_volatile(s, k);
        }
    }
}

/* Whether the function has volatile accesses, by which blocks may communicate. */
static int has_volatile(const struct source *s, const struct declaration *d)
{
    if (s->volatile_count == MAX_VOLATILE)
        return 1;
    for (int i = d->parameters; i < s->tokens[d->end].match; i++) {
        const struct token *const token = &s->tokens[i];
        if (is_shared_volatile(s, i))
            return 1;
        for (int k = 0; token->kind == IDENTIFIER && k < s->volatile_count; k++)
            if (token->length == s->volatiles[k]->length &&
                memcmp(token->at, s->volatiles[k]->at, token->length) == 0)
                return 1;
    }
    return 0;
}

/* The body of a device function: it waits for earlier blocks before it prints; and before all that
 * it does, if it has volatile accesses. */
static void find_order(struct source *s, const struct declaration *d)
{
    static const char *const messages[] = {"printf", "vprintf", NULL};
    if (!s->options->workers)
        return;
    if (has_volatile(s, d))
        append(&s->tokens[d->end].after, " ::portable_cuda::volatile_in_order();");
    for (int i = d->end + 1; i < s->tokens[d->end].match; i++) {
        int first = i;
        if (!is_any(&s->tokens[i], messages) || !is(&s->tokens[i + 1], "(") ||
            s->tokens[i].ordered || is(&s->tokens[i - 1], ".") || is_run(s, i - 2, "->"))
            continue;
        if (is_run(s, i - 2, "::"))
            first = i - 2 - is(&s->tokens[i - 3], "std");
        s->tokens[i].ordered = 1;
        prepend(&s->tokens[first].before, "(::portable_cuda::in_order(), ");
        append(&s->tokens[i].after, ")");
    }
}

/* ---- kernels ---- */

/* Past the qualifiers and attributes at token i. */
static int after_qualifiers(const struct source *s, int i, int to)
{
    static const char *const qualifiers[] = {
        "const", "volatile", "typename",          "struct",       "class",      "enum",
        "union", "register", "__grid_constant__", "__restrict__", "__restrict", NULL};
    static const char *const attributes[] = {"__attribute__",     "__align__",  "alignas",
                                             "__builtin_align__", "__declspec", NULL};
    while (i < to) {
        const struct token *const token = &s->tokens[i];
        if (is_any(token, attributes) && is(token + 1, "(") && token[1].match > i)
            i = token[1].match + 1;
        else if (is_run(s, i, "[[") && token->match > i)
            i = token->match + 1;
        else if (is_any(token, qualifiers))
            i++;
        else
            break;
    }
    return i;
}

/* Past the template arguments that begin with the < at token i. */
static int after_angles(const struct source *s, int i, int to)
{
    int depth = 0;
    for (; i < to; i++) {
        const struct token *const token = &s->tokens[i];
        depth += is(token, "<") - is(token, ">");
        if (depth == 0)
            return i + 1;
        if (token->match > i)
            i = token->match;
    }
    return to;
}

/* Past the name at token i, which may be qualified, and its template arguments. */
static int after_name(const struct source *s, int i, int to)
{
    for (int whole = 0; i < to;) {
        const struct token *const token = &s->tokens[i];
        if (is_run(s, i, "::") && !is(token + 2, "*")) {
            i += 2;
            whole = 0;
        } else if (token->kind == IDENTIFIER && !whole) {
            whole = !is(token, "template");
            i++;
        } else if (is(token, "<")) {
            i = after_angles(s, i, to);
        } else {
            break;
        }
    }
    return i;
}

static const char *const fundamental[] = {
    "void",    "bool",     "char",     "short",      "int",        "long",
    "float",   "double",   "signed",   "auto",       "unsigned",   "wchar_t",
    "char8_t", "char16_t", "char32_t", "__int128",   "_Float16",   "__fp16",
    "__bf16",  "__signed", "_Complex", "__signed__", "__float128", NULL};

/* Past the type of the parameter at token i. */
static int after_type(const struct source *s, int i, int to)
{
    static const char *const of_expression[] = {"decltype",   "__decltype", "typeof",
                                                "__typeof__", "__typeof",   NULL};
    i = after_qualifiers(s, i, to);
    if (is_any(&s->tokens[i], of_expression) && s->tokens[i + 1].match > i) {
        i = s->tokens[i + 1].match + 1;
        return after_qualifiers(s, is_run(s, i, "::") ? after_name(s, i, to) : i, to);
    }
    if (!is_any(&s->tokens[i], fundamental))
        i = after_qualifiers(s, after_name(s, i, to), to);
    while (i < to && is_any(&s->tokens[i], fundamental)) /* also: concept auto x */
        i = after_qualifiers(s, i + 1, to);
    return i;
}

/* The name in the declarator in tokens [i, to), or -1. */
static int declared_name(const struct source *s, int i, int to)
{
    while ((i = after_qualifiers(s, i, to)) < to) {
        const struct token *const token = &s->tokens[i];
        if (is(token, "("))
            return declared_name(s, i + 1, token->match); /* (*name)(...), (&name)[n] */
        if (is(token, "*") || is(token, "&") || is(token, "."))
            i++;
        else if (token->kind != IDENTIFIER || is_any(token, fundamental))
            return -1;
        else if (is_run(s, i + 1, "::") || is(token + 1, "<"))
            i = after_name(s, i, to) + 2; /* type::*name */
        else
            return i;
    }
    return -1;
}

/* The parameters of a kernel, each after a comma: their types, themselves, and as the body's. */
struct parameters {
    char *types, *names, *locals; /* owned */
};

/* Adds the parameter in tokens [from, to). It gets another name in the kernel's own list, which
 * ends at token `end`, so that the body's does not hide it. */
static void add_parameter(struct source *s, struct parameters *all, int from, int to, int end)
{
    const int name = declared_name(s, after_type(s, from, to), to);
    const struct token *const token = &s->tokens[name >= 0 ? name : 0];
    const char *const ellipsis = name >= 0 && is_run(s, name - 3, "...") ? "..." : "";
    const char *const comma = all->types ? ", " : "";
    char *given = NULL;
    if (name < 0 && is_run(s, to - 3, "..."))
        return; /* a pack without a name: the last */
    if (name < 0)
        append(&given, "::portable_cuda::unnamed");
    else
        append(&given, "portable_%.*s_", (int)token->length, token->at);
    for (int i = name; name >= 0 && i < end; i++)
        if (s->tokens[i].length == token->length && !s->tokens[i].instead &&
            memcmp(s->tokens[i].at, token->at, token->length) == 0 && !is(&s->tokens[i - 1], ":"))
            append(&s->tokens[i].instead, "%s", given);
    append(&all->types, "%sdecltype(%s)%s", comma, given, ellipsis);
    append(&all->names, "%s%s%s", comma, given, ellipsis);
    append(&all->locals, "%s[[maybe_unused]] ::portable_cuda::local<decltype(%s)>%s %.*s", comma,
           given, ellipsis, name >= 0 ? (int)token->length : 0, token->at);
    free(given);
}

static struct parameters read_parameters(struct source *s, int open)
{
    const int close = s->tokens[open].match;
    struct parameters all = {NULL, NULL, NULL};
    int from = open + 1, angles = 0;
    for (int i = open + 1; i <= close; i++) {
        const struct token *const token = &s->tokens[i];
        if (is(token, "<") && s->tokens[i - 1].kind == IDENTIFIER)
            angles++;
        else if (is(token, ">") && angles > 0)
            angles--;
        else if (i < close && (is(token, "(") || is(token, "[") || is(token, "{")))
            i = token->match;
        else if (i == close || (is(token, ",") && angles == 0)) {
            if (from < i && !(i == from + 1 && is(&s->tokens[from], "void")))
                add_parameter(s, &all, from, i, close);
            from = i + 1;
        }
    }
    return all;
}

/* The comma after the argument at token i, or the parenthesis at token `close`. */
static int argument_end(const struct source *s, int i, int close)
{
    while (i < close && !is(&s->tokens[i], ","))
        if (is(&s->tokens[i], "<") && s->tokens[i - 1].kind == IDENTIFIER &&
            after_angles(s, i, close) < close)
            i = after_angles(s, i, close);
        else
            i = s->tokens[i].match > i ? s->tokens[i].match + 1 : i + 1;
    return i;
}

/* The end of a local class that begins at token i, or of a lambda without a default capture, in
 * which the kernel's parameters are no names; or i. */
static int blind_end(const struct source *s, int i)
{
    static const char *const classes[] = {"class", "struct", "union", NULL};
    static const char *const ends[] = {";", ")", "=", NULL};
    const struct token *const token = &s->tokens[i], *const before = token - 1;
    const int is_class = is_any(token, classes);
    int at = i + 1;
    if (!is_class) {
        if (!is(token, "[") || token->match < i || is(before, "]") || is(before, ")") ||
            is(before, "[") || is(token + 1, "[") || before->kind == LITERAL ||
            (before->kind == IDENTIFIER && !is(before, "return")))
            return i;
        if ((is(token + 1, "=") || is(token + 1, "&")) &&
            (is(token + 2, ",") || is(token + 2, "]")))
            return i;
        at = token->match + 1;
        if (is(&s->tokens[at], "(") && s->tokens[at].match > at)
            at = s->tokens[at].match + 1;
    }
    while (!is(&s->tokens[at], "{") && !is_any(&s->tokens[at], ends) && s->tokens[at].kind != END)
        at++;
    return is(&s->tokens[at], "{") && s->tokens[at].match > at ? s->tokens[at].match : i;
}

/* Whether the body, from token `open` on, can have the index as a parameter of that name: it names
 * it, and declares nothing so called. */
static int takes_index(const struct source *s, const struct declaration *d, const char *name)
{
    static const char *const not_types[] = {"return", "else", "case", "do",  "sizeof", "throw",
                                            "and",    "or",   "not",  "new", NULL};
    int named = 0, blind = d->parameters;
    for (int i = d->parameters; i < s->tokens[d->end].match; i++) {
        const struct token *const token = &s->tokens[i], *const before = token - 1;
        const int end = i > blind && i > d->end ? blind_end(s, i) : i;
        if (end > i)
            blind = end;
        if (!is(token, name) || is(before, ".") || is_run(s, i - 2, "->") || is_run(s, i - 2, "::"))
            continue;
        if (i < d->end || i < blind || (before->kind == IDENTIFIER && !is_any(before, not_types)))
            return 0;
        named = 1;
    }
    return named;
}

static const char contract[] = " _Pragma(\"clang fp contract(fast)\")";

/* __global__ at token i. */
static void kernel(struct source *s, int i)
{
    static const char *const indices[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const struct declaration d = read_declaration(s, i);
    s->tokens[i].dropped = 1;
    if (d.parameters < 0 || !is(&s->tokens[d.end], "{") || s->tokens[d.end].match < 0)
        return;
    find_ptx(s, d.end);
    find_loops(s, &d);
    int name = d.parameters - 1;
    if (is(&s->tokens[name], ">"))
        name = angle_begin(s, name) - 1;
    struct parameters all = read_parameters(s, d.parameters);
    char *text = NULL;
    append(&text, " ::portable_cuda::call<%s> portable_call_(\"%.*s\", ",
           all.types ? all.types : "", name >= 0 ? (int)s->tokens[name].length : 0,
           s->tokens[name >= 0 ? name : 0].at);
    if (d.bounds >= 0) {
        append_tokens(&text, s, d.bounds + 1,
                      argument_end(s, d.bounds + 1, s->tokens[d.bounds].match));
    } else {
        append(&text, "0");
    }
    append(&text,
           "); if (portable_call_.has_arguments()) portable_call_.take(%s); portable_call_([](",
           all.names ? all.names : "");
    for (size_t k = 0; k < sizeof indices / sizeof indices[0]; k++) {
        const int is_named = takes_index(s, &d, indices[k]);
        append(&text, "%sconst ::%s%s%s", k > 0 ? ", " : "", k < 2 ? "uint3" : "dim3",
               is_named ? " " : "", is_named ? indices[k] : "");
    }
    append(&text, "%s%s) __attribute__((always_inline)) -> void {%s", all.locals ? ", " : "",
           all.locals ? all.locals : "", s->options->contracts ? contract : "");
    append(&s->tokens[d.end].after, "%s", text);
    find_order(s, &d);
    free(text);
    free(all.types);
    free(all.names);
    free(all.locals);
    prepend(&s->tokens[s->tokens[d.end].match].before, "});");
}

/* ---- variables and device functions ---- */

/* Whether the name is used as an array that is an lvalue, and not as a pointer: reinterpret_cast<T
 * &>(x), (T &)x, or &x. */
static int is_lvalue(const struct source *s, int name)
{
    static const char *const before_address[] = {"(", ")", ",", "=",      "{", ";",
                                                 "?", ":", "!", "return", NULL};
    const struct token *const token = &s->tokens[name];
    /* Not &x[0], a capture, nor the declaration of a T (&x)[n]. */
    if (is(&token[1], "[") || is(&token[1], "]") || (is(&token[1], ")") && is(&token[2], "[")))
        return 0;
    if (is(&token[-1], "&"))
        return is_any(&token[-2], before_address);
    if (is(&token[-1], ")"))
        return is(&token[-2], "&") && !is(&token[-3], "&");
    if (!is(&token[1], ")") || !is(&token[-1], "(") || !is(&token[-2], ">") || !is(&token[-3], "&"))
        return 0;
    for (int i = name - 4; i > 0 && !is(&s->tokens[i], ";") && !is(&s->tokens[i], "{"); i--)
        if (is(&s->tokens[i], "reinterpret_cast"))
            return 1;
    return 0;
}

/* Until the end of its scope, the dynamic array is an lvalue where it is used as one. */
static void dynamic_lvalues(struct source *s, int declared)
{
    const struct token *const name = &s->tokens[declared];
    for (int depth = 0, i = declared + 1; depth >= 0 && s->tokens[i].kind != END; i++) {
        struct token *const token = &s->tokens[i];
        depth += is(token, "{") - is(token, "}");
        if (token->kind == IDENTIFIER && token->length == name->length &&
            memcmp(token->at, name->at, name->length) == 0 && is_lvalue(s, i)) {
            prepend(&token->before, "::portable_cuda::dynamic_lvalue(");
            append(&token->after, ")");
        }
    }
}

/* extern __shared__ T a[]; at namespace scope becomes static dynamic_array<T> a; */
static void dynamic_array(struct source *s, const struct declaration *d)
{
    int name = d->begin, first = -1;
    while (!is(&s->tokens[name], "[") && !is(&s->tokens[name], ";") &&
           s->tokens[name].kind != END) {
        struct token *const token = &s->tokens[name];
        if (is(token, "(") && token->match > name) {
            drop(s, name - 1, token->match); /* an attribute with arguments */
            name = token->match;
        } else if (is(token, "extern") || is(token, "__shared__")) {
            token->dropped = 1;
        } else if (first < 0 && !is_any(token, with_arguments)) {
            first = name;
        }
        name++;
    }
    if (!is(&s->tokens[name], "[") || first < 0 || first == name - 1)
        return;
    prepend(&s->tokens[first].before, "static ::portable_cuda::dynamic_array<");
    append(&s->tokens[name - 2].after, ">");
    drop(s, name, s->tokens[name].match);
    dynamic_lvalues(s, name - 1);
}

/* extern __shared__ T a[], b[][2]; becomes T *const a = ..., (*const b)[2] = ...; */
static void dynamic_shared(struct source *s, const struct declaration *d, int in_namespace)
{
    int i = d->begin;
    if (in_namespace) {
        dynamic_array(s, d);
        return;
    }
    for (; !is(&s->tokens[i], ";") && s->tokens[i].kind != END; i++) {
        struct token *const token = &s->tokens[i];
        if (is(token, "extern"))
            token->dropped = 1;
        if (is(token, "(") && token->match > i)
            i = token->match;
        if (is(token, "[") && is(&s->tokens[i + 1], "]") && s->tokens[i - 1].kind == IDENTIFIER) {
            const int rows = is(&s->tokens[i + 2], "[");
            prepend(&s->tokens[i - 1].before, rows ? "(*const " : "*const ");
            dynamic_lvalues(s, i - 1);
            s->tokens[i].dropped = s->tokens[i + 1].dropped = 1;
            if (rows)
                append(&s->tokens[i + 1].after, ")");
            int end = i + 2;
            while (!is(&s->tokens[end], ",") && !is(&s->tokens[end], ";") &&
                   s->tokens[end].kind != END)
                end = s->tokens[end].match > end ? s->tokens[end].match + 1 : end + 1;
            prepend(&s->tokens[end].before, " = ::portable_cuda::dynamic_shared");
            i = end - 1;
        }
    }
}

/* Moves alignas(...) to the beginning of a declaration, where C++ wants it. */
static void alignment_first(struct source *s, const struct declaration *d)
{
    for (int i = d->begin + 1; i < d->end; i++) {
        const int close = s->tokens[i + 1].match;
        if (!is(&s->tokens[i], "alignas") || s->tokens[i].dropped || close <= i)
            continue;
        char *text = NULL;
        append_tokens(&text, s, i, close + 1);
        append(&text, " ");
        prepend(&s->tokens[d->begin].before, text);
        free(text);
        drop(s, i, close);
    }
}

/* The first token after alignas(...) and [[...]], where a storage class may stand. */
static int after_attributes(const struct source *s, int i)
{
    for (;;) {
        const int open = i + is(&s->tokens[i], "alignas");
        if ((open == i && !is_run(s, i, "[[")) || s->tokens[open].match <= open)
            return i;
        i = s->tokens[open].match + 1;
    }
}

static void variable_or_function(struct source *s, int i, int in_namespace)
{
    struct declaration d = read_declaration(s, i);
    struct token *const token = &s->tokens[i];
    token->dropped = 1; /* of a lambda, the declaration ends before it */
    for (int k = i + 1; k < d.end; k++)
        s->tokens[k].dropped |= is_any(&s->tokens[k], spaces);
    if (d.is_shared && d.is_extern) {
        dynamic_shared(s, &d, in_namespace);
        return;
    }
    if (d.is_shared) {
        if (d.parameters < 0)
            alignment_first(s, &d);
        /* gcc drops the section of a template's variable, and keeps the tag, which becomes part of
         * the symbol's name: merge.ld knows both. And it guards the initialisation of one whose
         * type has a constructor, even where there is nothing to do, unless it is __constinit. */
        append(&token->before,
               "%s%s%s__attribute__((section(\".portable_%sshared.%d\"), "
               "abi_tag(\"portable_shared\")))",
               d.is_static ? "" : "static ", s->options->clang ? "" : "__constinit ",
               s->options->workers ? "thread_local " : "", s->options->workers ? "local_" : "",
               ++s->sections);
        return;
    }
    if (d.parameters >= 0 && !d.is_constant) {
        const int body = body_of(s, &d);
        if (body >= 0) {
            if (s->options->contracts)
                append(&s->tokens[body].after, "%s", contract);
            find_ptx(s, body);
            d.end = body;
            find_loops(s, &d);
            find_order(s, &d);
        }
        if (d.is_host)
            return;
    }
    if (in_namespace && !s->options->relocatable && !d.is_extern && !d.is_static && !d.is_inline &&
        !d.is_template && !d.is_member)
        prepend(&s->tokens[after_attributes(s, d.begin)].before, "static ");
    else if (in_namespace == NAMED && d.parameters < 0 && d.end > i && !d.is_extern &&
             !d.is_static && !d.is_const)
        append(&token->before,
               "__attribute__((visibility(\"hidden\")))"); /* from other libraries */
    if (in_namespace && d.parameters < 0 && d.is_static && s->options->image)
        for (int k = d.begin; k < d.end; k++)
            s->tokens[k].dropped |= is(&s->tokens[k], "static");
    if (d.parameters < 0)
        alignment_first(s, &d);
    if (d.is_constant && !d.is_extern && !d.is_const)
        append(&token->before, "__attribute__((section(\".portable_constant.%d\")))",
               ++s->sections);
}

/* ---- the whole ---- */

/* (::portable_emulate_name_("&x"), cudaMalloc(&x, n)): memcheck names the array in its reports. */
static void name_allocation(struct source *s, int i)
{
    const int open = i + 1, close = s->tokens[open].match;
    int begin = i, end = open + 1;
    if (close < 0 || is(&s->tokens[i - 1], ".") || is_run(s, i - 2, "->") ||
        s->tokens[i - 1].kind == IDENTIFIER)
        return; /* a declaration, or another's name */
    if (is_run(s, i - 2, "::"))
        begin = i - 2;
    while (end < close && !is(&s->tokens[end], ","))
        end = s->tokens[end].match > end ? s->tokens[end].match + 1 : end + 1;
    char *argument = NULL, *quoted = NULL;
    append_tokens(&argument, s, open + 1, end);
    for (const char *c = argument; c && *c; c++)
        append(&quoted, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
    char *text = NULL;
    append(&text, "(::portable_emulate_name_(\"%s\"), ", quoted ? quoted : "");
    prepend(&s->tokens[begin].before, text);
    append(&s->tokens[close].after, ")");
    free(argument);
    free(quoted);
    free(text);
}

/* class ::n::c<T> {...}: g++ wants no :: at its beginning, which CUDA's compiler accepts. */
static void class_name(struct source *s, int i)
{
    const int end = after_name(s, i + 1, s->count);
    if (is(&s->tokens[end], "{") || (is(&s->tokens[end], ":") && !is_run(s, end, "::")))
        drop(s, i + 1, i + 2);
}

static void rewrite(struct source *s)
{
    static const char *const nothing[] = {"__host__", "__grid_constant__", NULL};
    static const char *const nothing_with_group[] = {"__launch_bounds__", "__cluster_dims__",
                                                     "__maxnreg__", "__block_size__", NULL};
    static const char *const classes[] = {"class", "struct", NULL};
    static const char *const allocations[] = {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync",
                                              NULL};
    /* For each open brace, the enum scope of it and all around it. */
    char *const in_namespace = (char *)grown(NULL, s->count > 0 ? (size_t)s->count : 1);
    int depth = 0;
    in_namespace[0] = NAMED;
    for (int i = 0; i < s->count - 1; i++) {
        struct token *const token = &s->tokens[i];
        if (is(token, "{")) {
            in_namespace[depth + 1] = (char)(in_namespace[depth] & opens_namespace(s, i));
            depth++;
        } else if (is(token, "}")) {
            depth -= depth > 0;
        } else if (is_launch(s, i)) {
            i = launch(s, i);
        } else if (token->kind != IDENTIFIER || token->dropped) {
            continue;
        } else if (is(token, "__global__")) {
            kernel(s, i);
        } else if (is_any(token, spaces)) {
            variable_or_function(s, i, in_namespace[depth]);
        } else if (is_any(token, classes) && is_run(s, i + 1, "::")) {
            class_name(s, i);
        } else if (is_any(token, nothing)) {
            token->dropped = 1;
        } else if (is_any(token, nothing_with_group) && is(&s->tokens[i + 1], "(") &&
                   s->tokens[i + 1].match > 0) {
            drop(s, i, s->tokens[i + 1].match);
        } else if (is(token, "__noinline__") && !is(&s->tokens[i - 1], "(") &&
                   !is(&s->tokens[i - 1], ",")) {
            append(&token->instead, "__attribute__((noinline))");
        } else if (is_any(token, allocations) && is(&s->tokens[i + 1], "(") && i > 1) {
            name_allocation(s, i);
        }
    }
    free(in_namespace);
}

/* Writes what lies between two tokens. g++ and clang know other names for #pragma unroll. */
static void write_gap(const char *at, const char *end, int clang, FILE *out)
{
    static const char unroll[] = "#pragma unroll";
    while (at < end) {
        const char *const line = line_end(at, end);
        const size_t length = sizeof unroll - 1;
        if ((size_t)(line - at) >= length && memcmp(at, unroll, length) == 0 && !clang) {
            const char *number = at + length, *digits = number;
            while (number < line && (*number == ' ' || *number == '('))
                number++;
            for (digits = number; digits < line && isdigit((unsigned char)*digits);)
                digits++;
            if (digits > number)
                fprintf(out, "#pragma GCC unroll %.*s", (int)(digits - number), number);
        } else {
            fwrite(at, 1, (size_t)(line - at), out);
        }
        if (line < end)
            putc('\n', out);
        at = line + 1;
    }
}

/* Writes a token, or its line ends, and frees what it became. */
static void write_token(struct token *token, int is_left_out, FILE *out)
{
    if (token->before && !is_left_out)
        fputs(token->before, out);
    if (token->instead && !is_left_out)
        fputs(token->instead, out);
    else if (!token->dropped && !is_left_out)
        fwrite(token->at, 1, token->length, out);
    else
        for (size_t k = 0; k < token->length; k++) /* the lines of a literal */
            if (token->at[k] == '\n')
                putc('\n', out);
    if (token->after && !is_left_out)
        fputs(token->after, out);
    free(token->before);
    free(token->instead);
    free(token->after);
}

/* The part of portable_cuda/ptx.h between its pragmas, which a file without PTX does not need. */
struct part {
    const char *begin, *end;
};
static struct part ptx_header(const struct source *s)
{
    static const char begins[] = "\n#pragma portable_ptx begin",
                      ends[] = "\n#pragma portable_ptx end";
    const char *const end = s->text + s->size;
    const char *const at = (const char *)memmem(s->text, s->size, begins, sizeof begins - 1);
    const char *const until =
        at ? (const char *)memmem(at, (size_t)(end - at), ends, sizeof ends - 1) : NULL;
    return until && s->ptx == 0 ? (struct part){at, until} : (struct part){end, end};
}

int translate(const char *text, size_t size, const struct translate_options *options, FILE *out)
{
    struct source s = {.options = options, .text = text, .size = size};
    const char *at = text;
    read_tokens(&s);
    match_brackets(&s);
    if (options->workers)
        find_volatile(&s);
    rewrite(&s);
    const struct part left_out = ptx_header(&s);
    for (int i = 0; i < s.count; i++) {
        struct token *const token = &s.tokens[i];
        const int is_left_out = token->at >= left_out.begin && token->at < left_out.end;
        for (; at < token->at && at >= left_out.begin && at < left_out.end; at++)
            if (*at == '\n')
                putc('\n', out);
        write_gap(at, token->at, options->clang, out);
        write_token(token, is_left_out, out);
        at = token->at + token->length;
    }
    free(s.tokens - MARGIN);
    return s.errors;
}
