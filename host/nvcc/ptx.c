/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A statement of inline PTX becomes
 *
 *     do { namespace portable_ptx_ = ::portable_cuda::ptx;
 *          portable_ptx_::b32 portable_0_ = {}, portable_1_ = portable_ptx_::from<...>(input);
 *          { registers; instructions }
 *          portable_ptx_::to(output, portable_0_); } while (0)
 *
 * Registers are unsigned integers of their size, predicates are bool. An instruction is a call of a
 * function template, whose arguments are the modifiers and types in the order of the table.
 */
#include "host/nvcc/ptx.h"

#include "host/nvcc/text.h"

#include <ctype.h>  /* isalnum, isdigit, isspace */
#include <stdio.h>  /* snprintf */
#include <stdlib.h> /* free, strtoull, strtod */
#include <string.h> /* memcpy, strchr, strlen */

/* ---- the table ---- */

static const struct instruction {
    const char *form, *operands, *function;
} instructions[] = {
#define PORTABLE_PTX_SECTION_(title)
#define PORTABLE_PTX_CLASS_(name, words)
#define PORTABLE_PTX_(form, operands, function, meaning) {form, operands, function},
#include "host/nvcc/ptx_table.h"
#undef PORTABLE_PTX_
#undef PORTABLE_PTX_CLASS_
};
enum { INSTRUCTIONS = sizeof instructions / sizeof instructions[0] };

static const struct word_class {
    const char *name, *words;
} classes[] = {
#define PORTABLE_PTX_(form, operands, function, meaning)
#define PORTABLE_PTX_CLASS_(name, words) {name, words},
#include "host/nvcc/ptx_table.h"
#undef PORTABLE_PTX_
#undef PORTABLE_PTX_CLASS_
};
enum { CLASSES = sizeof classes / sizeof classes[0] };

static const struct special {
    const char *name, *value;
} specials[] = {
#define PORTABLE_PTX_REGISTER_(name, value) {name, value},
#include "host/nvcc/ptx_registers.h"
#undef PORTABLE_PTX_REGISTER_
};
enum { SPECIALS = sizeof specials / sizeof specials[0] };

static const struct type {
    const char *name;
    int bits;
} types[] = {{"pred", 1},  {"b8", 8},     {"u8", 8},     {"s8", 8},      {"b16", 16},
             {"u16", 16},  {"s16", 16},   {"f16", 16},   {"bf16", 16},   {"b32", 32},
             {"u32", 32},  {"s32", 32},   {"f32", 32},   {"f16x2", 32},  {"bf16x2", 32},
             {"tf32", 32}, {"u16x2", 32}, {"s16x2", 32}, {"e4m3x2", 16}, {"e5m2x2", 16},
             {"b64", 64},  {"u64", 64},   {"s64", 64},   {"f64", 64},    {"b128", 128}};
enum { TYPES = sizeof types / sizeof types[0] };

/* The bits of a type of that name, or 0. */
static int bits_of(const char *name, size_t length)
{
    for (int k = 0; k < TYPES; k++)
        if (strlen(types[k].name) == length && memcmp(types[k].name, name, length) == 0)
            return types[k].bits;
    return 0;
}

/* ---- the state of one statement ---- */

enum { MOST_WORDS = 24, MOST_DEPTH = 16, NAME = 64 };

struct ptx_register {
    char name[NAME]; /* "" once its block has ended */
    int bits, depth;
    unsigned range; /* not 0: the registers name0, name1, ... below this, none of them declared */
    int number;
};
struct label {
    char name[NAME];
    int defined, used;
};
struct statement {
    const char *at; /* in the text */
    const struct ptx_operand *operands;
    size_t operand_count;
    int number;
    struct ptx_register *registers;
    size_t register_count;
    int names; /* registers so far */
    struct label *labels;
    size_t label_count;
    char *declarations[MOST_DEPTH], *body[MOST_DEPTH];
    int depth;
    int carries; /* the carry flag is used */
    char *unknown;
};

/* One instruction as it stands in the text: its words, and what the table makes of them. */
struct word {
    const char *at;
    size_t length;
    int used;
};
struct found {
    const struct instruction *instruction;
    char *arguments; /* of the template; owned */
    char type[NAME], first_type[NAME], space[NAME];
    int vector; /* 1, or of .v4, .x2 and so on */
};

static void skip_space(struct statement *s)
{
    for (;;) {
        while (isspace((unsigned char)*s->at))
            s->at++;
        if (s->at[0] == '/' && s->at[1] == '/') {
            while (*s->at && *s->at != '\n')
                s->at++;
        } else if (s->at[0] == '/' && s->at[1] == '*') {
            const char *const end = strstr(s->at + 2, "*/");
            s->at = end ? end + 2 : s->at + strlen(s->at);
        } else {
            return;
        }
    }
}

static int accept(struct statement *s, char c)
{
    skip_space(s);
    if (*s->at != c)
        return 0;
    s->at++;
    return 1;
}

static int is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Reads a name, which may begin with %. Returns 0 if there is none, or if it is too long. */
static int read_name(struct statement *s, char name[NAME])
{
    size_t length = 0;
    skip_space(s);
    if (isdigit((unsigned char)*s->at))
        return 0;
    if (*s->at == '%')
        name[length++] = *s->at++;
    while (is_name_character(*s->at)) {
        if (length + 1 == NAME)
            return 0;
        name[length++] = *s->at++;
    }
    name[length] = '\0';
    return length > (name[0] == '%');
}

/* ---- the words of an opcode ---- */

static int is_word(const struct word *word, const char *text, size_t length)
{
    return word->length == length && memcmp(word->at, text, length) == 0;
}

/* The C++ name of a word, as an argument of a template: a type's, or a tag's. */
static void append_argument(char **arguments, const char *word, size_t length)
{
    append(arguments, "%sportable_ptx_::", *arguments ? ", " : "");
    for (size_t k = 0; k < length; k++)
        append(arguments, "%c", isalnum((unsigned char)word[k]) ? word[k] : '_');
    if (!bits_of(word, length))
        append(arguments, "_");
}

static void note_word(struct found *found, const char *word, size_t length)
{
    static const char *const spaces[] = {"global", "shared",          "shared::cta",
                                         "local",  "shared::cluster", "const",
                                         "param",  "param::entry",    NULL};
    char name[NAME];
    if (length >= sizeof name)
        return;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (bits_of(word, length)) {
        memcpy(found->type, name, sizeof name);
        if (!found->first_type[0])
            memcpy(found->first_type, name, sizeof name);
    } else if (is_one_of(name, spaces)) {
        for (char *c = name; *c; c++)
            *c = *c == ':' ? '_' : *c;
        if (!found->space[0])
            memcpy(found->space, name, sizeof name);
    } else if ((name[0] == 'v' || name[0] == 'x') && isdigit((unsigned char)name[1]) && !name[2]) {
        found->vector = name[1] - '0';
    }
}

/* Takes the first unused word that is one of the alternatives, ".a,.b" or a class. Returns it, or
 * NULL. */
static struct word *take_word(struct word *words, size_t count, const char *begin, const char *end)
{
    for (int k = 0; *begin != '.' && k < CLASSES; k++)
        if (strlen(classes[k].name) == (size_t)(end - begin) &&
            memcmp(classes[k].name, begin, (size_t)(end - begin)) == 0) {
            begin = classes[k].words;
            end = begin + strlen(begin);
        }
    for (size_t k = 0; k < count; k++) {
        for (const char *at = begin; !words[k].used && at < end;) {
            const char *next = at + 1;
            while (next < end && *next != ',')
                next++;
            if (is_word(&words[k], at + 1, (size_t)(next - at - 1))) {
                words[k].used = 1;
                return &words[k];
            }
            at = next + 1;
        }
    }
    return NULL;
}

/* Whether the words are of the form. Modifiers may come in any order, as for ptxas. */
static int fits(const char *form, struct word *words, size_t count, struct found *found)
{
    size_t name = strcspn(form, ".{<[");
    if (!is_word(&words[0], form, name))
        return 0;
    for (size_t k = 0; k < count; k++)
        words[k].used = k == 0;
    for (const char *at = form + name; *at;) {
        const char kind = *at == '.' ? '.' : *at;
        const char *const begin = kind == '.' ? at : at + 1;
        const char *end = begin + 1;
        while (*end && !strchr(kind == '.' ? ".{<[" : "}>]", *end))
            end++;
        const struct word *const word = take_word(words, count, begin, end);
        if (word)
            note_word(found, word->at, word->length);
        else if (kind == '.' || kind == '<')
            return 0;
        if (kind == '<' || kind == '{' || (word && bits_of(word->at, word->length)))
            append_argument(&found->arguments, word ? word->at : "none", word ? word->length : 4);
        at = kind == '.' ? end : end + 1;
    }
    for (size_t k = 0; k < count; k++)
        if (!words[k].used)
            return 0;
    return 1;
}

/* ---- operands ---- */

static const struct ptx_register *find_register(struct statement *s, const char *name)
{
    for (size_t k = s->register_count; k-- > 0;) {
        struct ptx_register *const one = &s->registers[k];
        const size_t length = strlen(one->name);
        if (!one->name[0])
            continue;
        if (!one->range && strcmp(one->name, name) == 0)
            return one;
        if (one->range && strncmp(one->name, name, length) == 0 &&
            isdigit((unsigned char)name[length])) {
            char *end;
            const unsigned long index = strtoul(name + length, &end, 10);
            if (*end || index >= one->range)
                continue;
            struct ptx_register copy = *one;
            snprintf(copy.name, sizeof copy.name, "%s", name);
            copy.range = 0;
            copy.number = s->names++;
            append(&s->declarations[copy.depth], "portable_ptx_::b%d portable_r%d_ = {}; ",
                   copy.bits, copy.number);
            s->registers =
                (struct ptx_register *)grown(s->registers, (s->register_count + 1) * sizeof copy);
            s->registers[s->register_count++] = copy;
            return &s->registers[s->register_count - 1];
        }
    }
    return NULL;
}

static int bits_of_constraint(char constraint)
{
    switch (constraint) {
    case 'h': return 16;
    case 'r':
    case 'f': return 32;
    case 'q': return 128;
    default: return 64;
    }
}

/* Reads a register, as an lvalue. is_read: by the instruction. Returns its bits, or 0. */
static int read_register(struct statement *s, char **text)
{
    char name[NAME];
    skip_space(s);
    if (*s->at == PTX_OPERAND) {
        char *end;
        const unsigned long index = strtoul(s->at + 1, &end, 10);
        if (end == s->at + 1 || index >= s->operand_count)
            return 0;
        s->at = end;
        append(text, "portable_%lu_", index);
        return bits_of_constraint(s->operands[index].constraint);
    }
    const char *const before = s->at;
    if (read_name(s, name)) {
        const struct ptx_register *const found = find_register(s, name);
        if (found) {
            append(text, "portable_r%d_", found->number);
            return found->bits;
        }
    }
    s->at = before;
    return 0;
}

/* Reads a number as bits of the type. */
static int read_number(struct statement *s, const char *type, unsigned long long *bits)
{
    const int is_wide = bits_of(type, strlen(type)) == 64;
    const int is_float = type[0] == 'f' && type[1] != '1';
    char *end;
    skip_space(s);
    const char *at = s->at;
    const int is_negative = *at == '-';
    at += is_negative || *at == '+';
    while (*at == ' ')
        at++;
    if (!isdigit((unsigned char)*at) && *at != '.')
        return 0;
    if (at[0] == '0' && at[1] && strchr("fFdD", at[1])) {
        const int digits = at[1] == 'f' || at[1] == 'F' ? 8 : 16;
        char copy[17] = "";
        for (int k = 0; k < digits && isxdigit((unsigned char)at[2 + k]); k++)
            copy[k] = at[2 + k];
        *bits = strtoull(copy, &end, 16);
        if (end != copy + digits)
            return 0;
        s->at = at + 2 + digits;
        if (digits == 8 && is_wide) {
            const unsigned narrow = (unsigned)*bits;
            float value;
            memcpy(&value, &narrow, sizeof value);
            const double wide = (double)value;
            memcpy(bits, &wide, sizeof wide);
        } else if (digits == 16 && !is_wide) {
            double wide;
            memcpy(&wide, bits, sizeof wide);
            const float narrow = (float)wide;
            unsigned value;
            memcpy(&value, &narrow, sizeof value);
            *bits = value;
        }
        if (is_negative)
            *bits ^= is_wide ? 1ull << 63 : 1ull << 31;
        return 1;
    }
    const size_t length = strspn(at, "0123456789");
    if (at[length] == '.' || at[length] == 'e' || at[length] == 'E') {
        double wide = strtod(at, &end);
        if (is_negative)
            wide = -wide;
        s->at = end;
        if (is_wide) {
            memcpy(bits, &wide, sizeof wide);
        } else {
            const float narrow = (float)wide;
            unsigned value;
            memcpy(&value, &narrow, sizeof value);
            *bits = value;
        }
        return 1;
    }
    if (is_float)
        return 0;
    if (at[0] == '0' && (at[1] == 'b' || at[1] == 'B'))
        *bits = strtoull(at + 2, &end, 2);
    else
        *bits = strtoull(at, &end, 0);
    s->at = end + (*end == 'U' || *end == 'u');
    if (is_negative)
        *bits = 0 - *bits;
    return 1;
}

/* Reads a special register. */
static int read_special(struct statement *s, char **text)
{
    char name[NAME];
    skip_space(s);
    const char *const before = s->at;
    if (*s->at == '%' && read_name(s, name)) {
        if (*s->at == '.' && is_name_character(s->at[1])) {
            const size_t length = strlen(name);
            size_t more = 1;
            while (is_name_character(s->at[more]))
                more++;
            if (length + more < sizeof name) {
                snprintf(name + length, sizeof name - length, "%.*s", (int)more, s->at);
                s->at += more;
            }
        }
        for (int k = 0; k < SPECIALS; k++)
            if (strcmp(specials[k].name, name + 1) == 0) {
                append(text, "%s", specials[k].value);
                return 1;
            }
    }
    s->at = before;
    return 0;
}

static int read_list(struct statement *s, const char *type, char **text, int *count, int is_read);

/* Reads a value of the type: a register, a number, a special register, registers to pack. */
static int read_value(struct statement *s, const char *type, char **text)
{
    const int bits = bits_of(type, strlen(type)), is_predicate = bits == 1;
    unsigned long long number;
    char *value = NULL;
    const int is_not = accept(s, '!');
    int ok = 0;
    skip_space(s);
    if (is_not && !is_predicate)
        return 0;
    if (*s->at == '{') {
        int count = 0;
        ok = read_list(s, "", &value, &count, 1) && count > 1 && !is_predicate;
        if (ok)
            append(text, "portable_ptx_::pack<portable_ptx_::%s>(%s)", type, value);
        free(value);
        return ok;
    }
    if (read_number(s, type, &number)) {
        append(&value, "0x%llxull", number);
        ok = 1;
    } else if (strncmp(s->at, "WARP_SZ", 7) == 0 && !is_name_character(s->at[7])) {
        append(&value, "32u");
        s->at += 7;
        ok = 1;
    } else {
        const int has = read_register(s, &value);
        ok = has ? has >= bits && (has == 1) == is_predicate : read_special(s, &value);
    }
    if (ok)
        append(text, "%sportable_ptx_::get<portable_ptx_::%s>(%s)", is_not ? "!" : "", type, value);
    free(value);
    return ok;
}

/* Reads a register that is written, or _, which is none. Returns its bits; 256 for none. */
static int read_place(struct statement *s, char **text)
{
    skip_space(s);
    if (*s->at == '_' && !is_name_character(s->at[1])) {
        s->at++;
        append(text, "portable_ptx_::nowhere");
        return 256;
    }
    return read_register(s, text);
}

/* Reads {a, b, ...}: values of the type, which may be "" for bits as they are, or places. */
static int read_list(struct statement *s, const char *type, char **text, int *count, int is_read)
{
    *count = 0;
    if (!accept(s, '{'))
        return 0;
    do {
        append(text, "%s", *count ? ", " : "");
        if (is_read && type[0] ? !read_value(s, type, text) : !read_place(s, text))
            return 0;
        ++*count;
    } while (accept(s, ','));
    return accept(s, '}');
}

/* Reads [register + number], [number], and what lies between. */
static int read_address(struct statement *s, const char *space, char **text)
{
    char *base = NULL, *offset = NULL;
    unsigned long long number = 0;
    int ok = accept(s, '[');
    if (ok && read_number(s, "u64", &number)) {
        append(&base, "0x%llxull", number);
    } else if (ok) {
        ok = read_register(s, &base) >= 32;
        skip_space(s);
        const char sign = *s->at;
        if (ok && (sign == '+' || sign == '-')) {
            s->at += sign == '+' || s->at[1] == ' ';
            if (sign == '+' && read_register(s, &offset))
                ;
            else if (read_number(s, "u64", &number))
                append(&offset, "0x%llxull",
                       sign == '-' && number < 1ull << 63 ? 0 - number : number);
            else
                ok = 0;
        }
    }
    ok = ok && accept(s, ']');
    if (ok)
        append(text, "portable_ptx_::address<portable_ptx_::%s_>(%s, %s)",
               space[0] ? space : "none", base, offset ? offset : "0");
    free(base);
    free(offset);
    return ok;
}

/* ---- one instruction ---- */

/* The type that a word of the table's operands stands for. */
static void type_of(const char *word, size_t length, const struct found *found, char type[NAME])
{
    if (length == 1 && *word == 'T')
        snprintf(type, NAME, "%s", found->type);
    else if (length == 2 && memcmp(word, "T1", 2) == 0)
        snprintf(type, NAME, "%s", found->first_type);
    else if (length == 1 && *word == 'W') /* twice as wide */
        snprintf(type, NAME, "%c%d", found->type[0], 2 * bits_of(found->type, strlen(found->type)));
    else
        snprintf(type, NAME, "%.*s", (int)length, word);
}

/* Reads the operands, by the table's words, and appends the call. */
static int read_operands(struct statement *s, const struct found *found, char **call)
{
    const char *at = found->instruction->operands;
    char *place = NULL, *arguments = NULL, *list = NULL;
    int ok = 1, bits = 0, first = 1, as_references = strchr(at, '*') || strchr(at, '|');
    while (ok && *at) {
        const size_t length = strcspn(at, " ");
        const int is_place = *at == '=', is_optional = at[length - 1] == '?';
        const int is_ignored = *at == '-';
        const char *word = at + is_place + is_ignored;
        size_t name = strcspn(word, " *|?");
        char type[NAME];
        at += length + (at[length] == ' ');
        type_of(word, name, found, type);
        if (strncmp(word, "CC", name) == 0 && name == 2) {
            append(&arguments, "%sportable_carry_", arguments ? ", " : "");
            s->carries = 1;
            continue;
        }
        if (strncmp(word, "HERE", name) == 0 && name == 4) {
            append(&arguments, "__builtin_FILE(), __builtin_LINE()");
            continue;
        }
        skip_space(s);
        if (is_optional && (!*s->at || *s->at == ';' || *s->at == '}'))
            break;
        if (!first && !accept(s, ',')) {
            ok = is_optional;
            break;
        }
        first = 0;
        if (is_place && !as_references) {
            skip_space(s);
            int count;
            if (*s->at == '{') {
                ok = read_list(s, "", &list, &count, 0) && count > 1;
                bits = 512;
            } else {
                bits = read_place(s, &place);
                ok = bits > 0 && bits >= bits_of(type, strlen(type)) &&
                     (bits == 1) == (type[0] == 'p');
            }
            continue;
        }
        if (is_ignored) {
            char *ignored = NULL;
            ok = read_value(s, type, &ignored);
            free(ignored);
            continue;
        }
        append(&arguments, "%s", arguments ? ", " : "");
        if (*word == '@') {
            const char *const space = name > 1 ? type + 1 : found->space;
            ok = read_address(s, space, &arguments);
        } else if (word[name] == '*') {
            const int wanted = word[name + 1] == 'v' ? found->vector : atoi(word + name + 1);
            int count = 1;
            skip_space(s);
            if (*s->at == '{')
                ok = read_list(s, is_place ? "" : type, &arguments, &count, !is_place);
            else
                ok = is_place ? read_place(s, &arguments) : read_value(s, type, &arguments);
            ok = ok && count == wanted;
        } else if (is_place) {
            ok = read_place(s, &arguments) > 0;
            if (ok && word[name] == '|') {
                append(&arguments, ", ");
                if (accept(s, '|'))
                    ok = read_place(s, &arguments) > 0;
                else
                    append(&arguments, "portable_ptx_::nowhere");
            }
        } else {
            ok = read_value(s, type, &arguments);
        }
    }
    char *function = NULL;
    append(&function, "portable_ptx_::%s%s%s%s(%s)", found->instruction->function,
           found->arguments ? "<" : "", found->arguments ? found->arguments : "",
           found->arguments ? ">" : "", arguments ? arguments : "");
    if (list)
        append(call, "portable_ptx_::unpack(%s, %s);", function, list);
    else if (place)
        append(call, "portable_ptx_::put(%s, %s);", place, function);
    else
        append(call, "%s;", function);
    free(function);
    free(place);
    free(list);
    free(arguments);
    return ok;
}

static struct label *label_of(struct statement *s, const char *name)
{
    for (size_t k = 0; k < s->label_count; k++)
        if (strcmp(s->labels[k].name, name) == 0)
            return &s->labels[k];
    s->labels = (struct label *)grown(s->labels, (s->label_count + 1) * sizeof *s->labels);
    struct label *const label = &s->labels[s->label_count++];
    memset(label, 0, sizeof *label);
    snprintf(label->name, sizeof label->name, "%s", name);
    return label;
}

/* bra: a jump back may be a loop that waits for another thread. */
static int branch(struct statement *s, char **call)
{
    char name[NAME];
    if (!read_name(s, name))
        return 0;
    struct label *const label = label_of(s, name);
    label->used = 1;
    append(call, "%sgoto portable_%d_label_%d_;",
           label->defined ? "::portable_cuda::polls(); " : "", s->number, (int)(label - s->labels));
    return 1;
}

/* Reads an instruction up to its end, and appends its call. */
static int instruction(struct statement *s, char **call)
{
    struct word words[MOST_WORDS];
    size_t count = 0;
    skip_space(s);
    for (const char *at = s->at; count < MOST_WORDS;) {
        const char *end = at;
        while (isalnum((unsigned char)*end) || *end == '_' || (end[0] == ':' && end[1] == ':') ||
               (end > at && end[0] == ':' && end[-1] == ':'))
            end++;
        words[count].at = at;
        words[count++].length = (size_t)(end - at);
        s->at = at = end;
        if (*at != '.')
            break;
        at++;
    }
    if (is_word(&words[0], "bra", 3))
        return branch(s, call) && (skip_space(s), *s->at == ';' || !*s->at || *s->at == '}');
    const char *const operands = s->at;
    for (int k = 0; k < INSTRUCTIONS; k++) {
        struct found found = {.instruction = &instructions[k], .vector = 1};
        char *text = NULL;
        s->at = operands;
        int ok =
            fits(instructions[k].form, words, count, &found) && read_operands(s, &found, &text);
        skip_space(s);
        ok = ok && (*s->at == ';' || !*s->at || *s->at == '}');
        if (ok)
            append(call, "%s", text);
        free(text);
        free(found.arguments);
        if (ok)
            return 1;
    }
    return 0;
}

/* ---- the whole text ---- */

/* .reg .b32 a, b<4>; */
static int declare(struct statement *s)
{
    char type[NAME];
    if (!accept(s, '.') || !read_name(s, type) || !bits_of(type, strlen(type)))
        return 0;
    do {
        struct ptx_register one = {.bits = bits_of(type, strlen(type)), .depth = s->depth};
        if (!read_name(s, one.name))
            return 0;
        if (accept(s, '<')) {
            char *end;
            skip_space(s);
            one.range = (unsigned)strtoul(s->at, &end, 10);
            if (end == s->at || one.range == 0)
                return 0;
            s->at = end;
            if (!accept(s, '>'))
                return 0;
        } else {
            one.number = s->names++;
            append(&s->declarations[s->depth], "portable_ptx_::b%d portable_r%d_ = {}; ", one.bits,
                   one.number);
        }
        s->registers =
            (struct ptx_register *)grown(s->registers, (s->register_count + 1) * sizeof one);
        s->registers[s->register_count++] = one;
    } while (accept(s, ','));
    return accept(s, ';');
}

/* The text of the instruction, for messages and as a literal in C++. */
static void append_text(char **text, const char *from, const char *to, int is_literal)
{
    int was_space = 1;
    for (; from < to; from++) {
        const int space = isspace((unsigned char)*from);
        if (!space || !was_space)
            append(text, is_literal && strchr("\"\\", *from) ? "\\%c" : "%c",
                   *from == PTX_OPERAND ? '%'
                   : space              ? ' '
                                        : *from);
        was_space = space;
    }
}

/* An instruction that is not known: fails where it is reached. */
static void refuse(struct statement *s, const char *from, char **call)
{
    const char *to = from;
    while (*to && *to != ';')
        to++;
    append(call, "::portable_cuda::unknown_ptx(\"unknown PTX: ");
    append_text(call, from, to, 1);
    append(call, "\");");
    if (!s->unknown)
        append_text(&s->unknown, from, to, 0);
    s->at = to;
}

/* The statements of a block, up to its } or the end of the text. Returns 0 if it has none. */
static int block(struct statement *s)
{
    char **const body = &s->body[s->depth];
    for (;;) {
        char name[NAME];
        skip_space(s);
        const char *const from = s->at;
        if (!*s->at || *s->at == '}')
            return 1;
        if (*s->at == ';') {
            s->at++;
            continue;
        }
        if (*s->at == '{') {
            if (s->depth + 1 == MOST_DEPTH)
                return 0;
            s->at++;
            s->depth++;
            const int ok = block(s) && accept(s, '}');
            append(body, "{ %s%s} ", s->declarations[s->depth] ? s->declarations[s->depth] : "",
                   s->body[s->depth] ? s->body[s->depth] : "");
            free(s->declarations[s->depth]);
            free(s->body[s->depth]);
            s->declarations[s->depth] = s->body[s->depth] = NULL;
            for (size_t k = 0; k < s->register_count; k++)
                if (s->registers[k].depth == s->depth)
                    s->registers[k].name[0] = '\0';
            s->depth--;
            if (!ok)
                return 0;
            continue;
        }
        if (strncmp(s->at, ".reg", 4) == 0 && !is_name_character(s->at[4])) {
            s->at += 4;
            if (!declare(s))
                return 0;
            continue;
        }
        if (strncmp(s->at, ".pragma", 7) == 0) {
            s->at += strcspn(s->at, ";");
            continue;
        }
        if (read_name(s, name) && (skip_space(s), *s->at == ':')) {
            struct label *const label = label_of(s, name);
            if (label->defined)
                return 0;
            label->defined = 1;
            s->at++;
            append(body, "portable_%d_label_%d_: __attribute__((unused)); ", s->number,
                   (int)(label - s->labels));
            continue;
        }
        s->at = from;
        char *call = NULL, *guard = NULL;
        if (accept(s, '@') && !read_value(s, "pred", &guard))
            return 0;
        skip_space(s);
        const char *const begin = s->at;
        if (!instruction(s, &call)) {
            free(call);
            call = NULL;
            refuse(s, begin, &call);
        }
        append(body, guard ? "if (%s%s%s) { %s } " : "%s%s%s%s ", guard ? guard : "", "", "", call);
        free(guard);
        free(call);
    }
}

static void append_operands(const struct statement *s, char **result)
{
    for (size_t k = 0; k < s->operand_count; k++) {
        const struct ptx_operand *const one = &s->operands[k];
        const int bits = bits_of_constraint(one->constraint);
        append(result, "[[maybe_unused]] portable_ptx_::b%d portable_%zu_ = ", bits, k);
        if (one->is_read)
            append(result, "portable_ptx_::from%s<portable_ptx_::b%d>(%s); ",
                   one->constraint == 'f' || one->constraint == 'd' ? "_real" : "", bits,
                   one->expression);
        else
            append(result, "{}; ");
    }
}

char *ptx_statement(const char *text, const struct ptx_operand *operands, size_t count, int number,
                    char **unknown)
{
    struct statement s = {
        .at = text, .operands = operands, .operand_count = count, .number = number};
    char *result = NULL;
    int ok = block(&s) && !*s.at;
    for (size_t k = 0; k < s.label_count; k++)
        ok = ok && s.labels[k].defined >= s.labels[k].used;
    if (ok) {
        append(&result, "do { namespace portable_ptx_ = ::portable_cuda::ptx; ");
        append_operands(&s, &result);
        if (s.carries)
            append(&result, "portable_ptx_::carry portable_carry_; ");
        append(&result, "{ %s%s} ", s.declarations[0] ? s.declarations[0] : "",
               s.body[0] ? s.body[0] : "");
        for (size_t k = 0; k < count; k++)
            if (operands[k].is_written)
                append(&result, "portable_ptx_::to((%s), portable_%zu_); ", operands[k].expression,
                       k);
        append(&result, "} while (0)");
    } else {
        free(s.unknown);
        s.unknown = NULL;
        append(&result, "::portable_cuda::unknown_ptx(\"unknown PTX: ");
        append_text(&result, text, text + strlen(text), 1);
        append(&result, "\")");
        append_text(&s.unknown, text, text + strlen(text), 0);
    }
    for (int k = 0; k < MOST_DEPTH; k++) {
        free(s.declarations[k]);
        free(s.body[k]);
    }
    free(s.registers);
    free(s.labels);
    *unknown = s.unknown;
    return result;
}
