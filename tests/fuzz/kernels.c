/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernels SEED COUNT [NODE...]: prints a CUDA program with COUNT random kernels, of the seeds from
 *     SEED on; each launch prints a hash and the first values of every array
 * kernels --nodes SEED [NODE...]: prints the numbers of the nodes of SEED's kernel
 *
 * A node is a statement or an expression. The given NODEs are left out, and the nodes inside them:
 * a statement is not printed, an expression becomes 1u. Everything else stays as it was, so leaving
 * out nodes reduces a kernel.
 *
 * Every kernel ends, has no races, and gives the same values in any order of its threads, whichever
 * nodes are left out. The rules:
 *
 * - A place in the program has a level. At BLOCK, all threads of the block that have not left are
 *   here together; at WARP, the lanes in a mask, which is a variable; at THREAD, any threads. All
 *   of them agree on the condition of a body at that level. Barriers are at BLOCK, warp operations
 *   at WARP or BLOCK.
 * - A variable has a level too, and is assigned where its threads are together.
 * - Between two barriers each cell of a shared array belongs to one thread, or is only read. The
 *   statement that writes cells has the barriers around it.
 * - Atomics are on arrays with one operation for each cell, which are read only after a barrier. A
 *   result is used only if the cell belongs to the thread, or if any order gives the same.
 * - Loops count, and the product of nested bounds is limited. Signed numbers never overflow, and
 *   floating point is rounded the same with and without fused multiply-add.
 */
#include <stdarg.h>  /* va_list */
#include <stdbool.h> /* bool */
#include <stdint.h>  /* uint64_t */
#include <stdio.h>
#include <stdlib.h> /* strtoull */
#include <string.h>

enum level { THREAD, WARP, BLOCK };

/* Where a statement or an expression is. */
struct place {
    enum level level;
    const char *mask;        /* the lanes that are here together, at WARP and BLOCK */
    bool whole;              /* they are all lanes of the warp that have not left */
    bool may_leave;          /* threads may end the kernel here */
    bool kernel;             /* the kernel's arrays have names here */
    bool no_index;           /* of a function that does not depend on the thread */
    bool readable;           /* the shared array is only read */
    bool open;               /* shared atomics are allowed */
    bool may_return;         /* a function other than a kernel */
    enum level return_level; /* of its body */
    bool at_barriers;        /* barriers are allowed: not between those of another statement */
    bool loop;             /* a loop is around this place, and `continue` stays among its threads */
    bool may_break;        /* so does `break` */
    enum level loop_level; /* of the body of the innermost loop */
    const char *loop_mask; /* its mask */
    unsigned times;        /* the product of the bounds of the loops around */
    unsigned number;       /* of the statement, for its names */
    int depth;
};

enum {
    TIMES = 40,
    COST = 200,
    DEPTH = 4,
    NAMES = 64,
    FUNCTIONS = 3,
    POOL = 1 << 25,
    OMITTED = 1 << 16
};

/* A loop's counter, and other constants that some body has. */
struct name {
    const char *text;
    enum level level;
};

enum function_kind { PURE, INDEXED, WARPS, BARRIERS, FUNCTION_KINDS };
struct function {
    enum function_kind kind;
    unsigned template_argument; /* 0 for none */
    unsigned number, cost;
};

static const char live[] = "live"; /* the mask of all lanes that have not left */
static uint64_t random_state;
static bool omitted[OMITTED], listing;
static unsigned nodes, hidden, indentation, unique;
static char pool[POOL];
static size_t pool_used;
static struct name names[NAMES];
static int name_count;
static struct function functions[FUNCTIONS];
static int function_count;

/* Of the kernel: which features it has, as a kernel with few of them goes deeper into these. */
static struct {
    bool barriers, warps, groups, leaving, atomics, functions, loops, bytes, wide, floats;
    bool volatiles; /* which keep blocks in order: docs/decisions/043-blocks-on-all-cores.md */
} has;
static unsigned local_cells; /* of the local array: a power of two */
static unsigned largest;     /* block */
static bool even;            /* blocks of an even number of threads */
static bool whole_warps;     /* all warps have 32 threads, and none leaves */
static unsigned calls;       /* of functions, so far in this one */

/* -------------------------------------------------------------------------------------------------
 * Random numbers, text and nodes
 * ---------------------------------------------------------------------------------------------- */

static uint64_t next_random(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static unsigned below(unsigned limit)
{
    return (unsigned)(next_random() >> 33) % limit;
}

static bool chance(unsigned percent)
{
    return below(100) < percent;
}

#define ONE_OF(...)                                                                                \
    ((const char *const[]){                                                                        \
        __VA_ARGS__}[below(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))])

/* The text, until the next kernel. */
__attribute__((format(printf, 1, 2))) static const char *text(const char *format, ...)
{
    char *const made = pool + pool_used;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(made, sizeof pool - pool_used, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof pool - pool_used) {
        fprintf(stderr, "kernels: a kernel has too much text\n");
        exit(1);
    }
    pool_used += (size_t)length + 1;
    return made;
}

/* Prints a line, unless it is in a node that is left out. */
__attribute__((format(printf, 1, 2))) static void line(const char *format, ...)
{
    va_list arguments;

    if (hidden > 0 || listing)
        return;
    printf("%*s", format[0] == '#' ? 0 : (int)(4 * indentation), "");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

/* A line that is a node: a declaration, which is kept while something uses it, or a last store. */
#define OPTIONAL_LINE(...)                                                                         \
    do {                                                                                           \
        const bool out_ = begin_node();                                                            \
                                                                                                   \
        line(__VA_ARGS__);                                                                         \
        end_node(out_);                                                                            \
    } while (false)

static void open_brace(const char *head)
{
    line("%s%s{", head, head[0] == '\0' ? "" : " ");
    indentation++;
}

static void close_brace(const char *tail)
{
    indentation--;
    line("}%s", tail);
}

/* Begins a node; returns whether it is left out, for `end_node`. */
static bool begin_node(void)
{
    const unsigned node = nodes++;
    const bool out = node < OMITTED && omitted[node];

    if (listing && hidden == 0 && !out)
        printf("%u\n", node);
    hidden += out;
    return out;
}

static void end_node(bool out)
{
    hidden -= out;
}

static void add_name(const char *name, enum level level)
{
    if (name_count < NAMES)
        names[name_count++] = (struct name){name, level};
}

/* -------------------------------------------------------------------------------------------------
 * Expressions: unsigned numbers
 * ---------------------------------------------------------------------------------------------- */

static const char *expression(const struct place *p, enum level level, int depth);

static const char *constant(void)
{
    switch (below(4)) {
    case 0: return text("%uu", below(8));
    case 1: return text("%uu", below(100));
    case 2: return text("0x%xu", (unsigned)next_random());
    default: return text("%uu", 1u << below(32));
    }
}

/* Something that all threads of `level` agree on. */
static const char *agreed(const struct place *p, enum level level)
{
    if (name_count > 0 && chance(30)) {
        const struct name name = names[below((unsigned)name_count)];

        if (name.level >= level)
            return text("(unsigned)%s", name.text);
    }
    if (level == THREAD && !p->no_index && chance(30))
        return ONE_OF("t", "lane", "threadIdx.x", "threadIdx.y", "threadIdx.z");
    if (level <= WARP && !p->no_index && chance(40))
        return ONE_OF("warp", "uw");
    return ONE_OF("m", "ub", "blockIdx.x", "blockIdx.y", "gridDim.x", "blockDim.x", "T", "B");
}

static const char *leaf(const struct place *p, enum level level)
{
    if (level > THREAD || chance(25))
        return chance(30) ? constant() : agreed(p, level);
    switch (below(18)) {
    case 0:
    case 1:
    case 2: return "a";
    case 3:
    case 4: return "b";
    case 5:
    case 6: return "c";
    case 7: return has.wide ? text("(unsigned)(q >> %u)", below(33)) : "a";
    case 8: return has.bytes ? "(unsigned)h" : "b";
    case 9: return has.bytes ? "(unsigned)y" : "c";
    case 10: return "(unsigned)z";
    case 11: return has.floats ? ONE_OF("(unsigned)f", "(unsigned)g", "__float_as_uint(f)") : "a";
    case 12: return ONE_OF("part.x", "(unsigned)part.h[1]", "(unsigned)part.y", "(unsigned)part.q");
    case 13: return "(unsigned)v"; /* templates take no volatile type */
    case 14: return text("l[%s & %uu]", expression(p, THREAD, 0), local_cells - 1);
    case 15:
        if (p->kernel)
            return text("in[%s & 255u]", expression(p, THREAD, 1));
        return text("table[%s & 7u]", expression(p, THREAD, 0));
    case 16:
        if (p->readable)
            return text("(unsigned)s[%s %% T]", expression(p, THREAD, 1));
        return text("table[%s & 7u]", expression(p, THREAD, 0));
    default:
        if (p->readable)
            return text("(unsigned)s[(t + %uu) %% T]", below(40));
        return p->kernel && chance(50) ? ONE_OF("(unsigned)out8[gid]", "out32[gid]") : "a";
    }
}

static const char *call(const struct place *p, enum level level)
{
    for (int k = 0; k < function_count; k++) {
        const struct function f = functions[below((unsigned)function_count)];

        if ((f.kind == PURE || (f.kind == INDEXED && level == THREAD && !p->no_index)) &&
            p->times * f.cost <= COST) {
            const char *const first = expression(p, level, 1), *const second =
                                                                   expression(p, level, 1);

            calls += p->times * f.cost;
            if (f.template_argument != 0)
                return text("function%u<%u>(%s, %s)", f.number, f.template_argument, first, second);
            return text("function%u(%s, %s)", f.number, first, second);
        }
    }
    return leaf(p, level);
}

/* A condition on which all threads of `level` agree. */
static const char *condition(const struct place *p, enum level level)
{
    const char *const x = expression(p, level, 1), *const y = expression(p, level, 1);
    const unsigned k = below(40);

    switch (below(7)) {
    case 0: return text("(%s & %uu) != 0u", x, 1u << k % 6);
    case 1: return text("%s %% %uu == %uu", x, 2 + k % 4, k % 3);
    case 2: return text("%s < %s", x, y);
    case 3: return text("(int)(%s) >= (int)(%s)", x, y);
    case 4: return text("(%s & 3u) != (%s & 3u)", x, y);
    case 5: return text("((%s & 7u) > %uu %s %s == m)", x, k % 7, k % 2 ? "&&" : "||", y);
    default:
        if (level == THREAD && !p->no_index)
            return text("%s < %uu", k % 2 ? "t" : "lane", k);
        return text("!(%s & 1u)", x);
    }
}

static const char *operation(const struct place *p, enum level level, int depth)
{
    const char *const x = expression(p, level, depth - 1);
    const char *const y = expression(p, level, depth - 1);

    switch (below(17)) {
    case 0:
    case 1: return text("(%s + %s)", x, y);
    case 2: return text("(%s - %s)", x, y);
    case 3: return text("(%s * %s)", x, y);
    case 4: return text("(%s ^ %s)", x, y);
    case 5: return text("(%s & %s)", x, y);
    case 6: return text("(%s | %s)", x, y);
    case 7: return text("(%s << (%s & 31u))", x, y);
    case 8: return text("(%s >> %u)", x, 1 + below(31));
    case 9: return text("(unsigned)((int)(%s) >> (%s & 31u))", x, y);
    case 10: return text("(%s %% (%s | 1u))", x, y);
    case 11: return text("(%s / (%s | 1u))", x, y);
    case 12: return text("(%s ? %s : %s)", condition(p, level), x, y);
    case 13:
        return text(ONE_OF("(unsigned)__popc(%s)", "(unsigned)__clz(%s)", "__brev(%s)",
                           "(unsigned)__ffs(%s)", "~%s"),
                    x);
    case 14:
        switch (below(4)) {
        case 0: return text("__byte_perm(%s, %s, 0x%xu)", x, y, below(0x10000) & 0x7777);
        case 1: return text("__funnelshift_l(%s, %s, %uu)", x, y, below(40));
        case 2: return text("(unsigned)((unsigned long long)(%s) * (%s) >> %u)", x, y, below(40));
        default: return text("%s(%s, %s)", ONE_OF("__umulhi", "min", "max"), x, y);
        }
    case 15: return text("(unsigned)(%s < %s)", x, y);
    default: return call(p, level);
    }
}

static const char *expression(const struct place *p, enum level level, int depth)
{
    const bool out = begin_node();
    const char *const made = depth <= 0 || chance(25) ? leaf(p, level) : operation(p, level, depth);

    end_node(out);
    return out ? "1u" : made;
}

/* The threads that are here agree on this one, which they may find out together. */
static const char *together(const struct place *p)
{
    const bool out = begin_node();
    const unsigned k = below(100);
    const char *made;

    if (p->level == BLOCK && p->at_barriers && has.barriers && k < 30)
        made = text(k < 10   ? "__syncthreads_or(%s)"
                    : k < 20 ? "__syncthreads_and(%s)"
                             : "__syncthreads_count(%s) > %u",
                    condition(p, THREAD), k);
    else if (p->level == WARP && has.warps && k < 40)
        made = text(k < 20 ? "__any_sync(%s, %s)" : "__all_sync(%s, %s)", p->mask,
                    condition(p, THREAD));
    else
        made = condition(p, p->level);
    end_node(out);
    return out ? "m != 0u" : made;
}

/* -------------------------------------------------------------------------------------------------
 * Lines with blanks, which are filled from left to right:
 *
 *   @v        a, b or c               @=        =, += or ^=              @+        += or ^=
 *   @x @1 @0  an expression of depth 2, 1, 0; @B one on which the block agrees, @W the warp, @L the
 *             threads that are here
 *   @c        a condition; @C one on which the threads that are here agree, @T one that they may
 *             find out together
 *   @m        the mask                @n  the statement's number   @r40.  a number below 40
 * ---------------------------------------------------------------------------------------------- */

static const char *blank(const struct place *p, char kind)
{
    switch (kind) {
    case 'v': return ONE_OF("a", "b", "c");
    case '=': return ONE_OF("=", "+=", "^=");
    case '+': return ONE_OF("+=", "^=");
    case 'x': return expression(p, THREAD, 2);
    case '1': return expression(p, THREAD, 1);
    case '0': return expression(p, THREAD, 0);
    case 'B': return expression(p, BLOCK, 1);
    case 'W': return expression(p, WARP, 2);
    case 'L': return expression(p, p->level, 1);
    case 'c': return condition(p, THREAD);
    case 'C': return condition(p, p->level);
    case 'T': return together(p);
    case 'm': return p->mask;
    case 'n': return text("%u", p->number);
    default: fprintf(stderr, "kernels: there is no blank @%c\n", kind); exit(1);
    }
}

static const char *filled(const struct place *p, const char *format)
{
    const char *made = "";

    for (const char *at; (at = strchr(format, '@')) != NULL;) {
        const char *const before = text("%s%.*s", made, (int)(at - format), format);
        char *end;

        if (at[1] == 'r') {
            made = text("%s%u", before, below((unsigned)strtoul(at + 2, &end, 10)));
            format = end + 1;
        } else {
            made = text("%s%s", before, blank(p, at[1]));
            format = at + 2;
        }
    }
    return text("%s%s", made, format);
}

static void say(const struct place *p, const char *format)
{
    line("%s", filled(p, format));
}

static void open_with(const struct place *p, const char *format)
{
    open_brace(filled(p, format));
}

/* -------------------------------------------------------------------------------------------------
 * Statements that need no other thread
 * ---------------------------------------------------------------------------------------------- */

static void body(const struct place *p, unsigned count);

static void assign(const struct place *p)
{
    say(p,
        ONE_OF("@v = @x;", "@v = @x;", "@v += @x;", "@v ^= @x;", "@v -= @x;", "@v *= @x;",
               "@v |= @x;", "q = q * 3u + (@x);", "q ^= (unsigned long long)(@x) << @r40.;",
               "h @= (unsigned short)(@x);", "y @= (unsigned char)(@x);", "z = (int)(@x);",
               "f = f * 0.5f + (float)(@x & 0xffffu);", "g = g * 0.5 + (double)(@x & 0xffffffu);",
               "v = @x;", "part.x ^= @x;", "part.h[@1 % 3u] = (unsigned short)(@x);",
               "part.y = (unsigned char)(@x);", "part = turned(part, @x);", "part.q += @x;"));
}

static void local(const struct place *p)
{
    say(p, text("l[@1 & %uu] @= @x;", local_cells - 1));
}

/* Integer operations whose order does not matter; each has its 8 cells. */
static void atomic(const struct place *p)
{
    static const char *const operations[] = {"Add", "Xor", "Or", "And", "Max", "Min"};
    const unsigned operation = below(6);
    const char *const name = operations[operation], *const array = p->open ? "s" : "g";

    if (has.floats && chance(20))
        say(p, text("atomicAdd(&%sf[@1 & 7u], (float)(@x & 3u));", array));
    else if (has.wide && chance(25))
        say(p, text("atomic%s(&%sw[%uu + (@1 & 7u)], (unsigned long long)(@x) << @r33.);", name,
                    array, 8 * operation));
    else if (operation >= 4 && chance(30)) /* signed: other cells */
        say(p, text("atomic%s((int *)&%sa[%uu + (@1 & 7u)], (int)(@x));", name, array,
                    8 * (operation + 2)));
    else if (chance(15))
        say(p, text("atomicInc(&%sa[64u + (@1 & 7u)], 1000u);", array));
    else if (operation == 0 && chance(40))
        say(p, text("atomicSub(&%sa[@1 & 7u], @x);", array));
    else
        say(p, text("atomic%s(&%sa[%uu + (@1 & 7u)], @x);", name, array, 8 * operation));
}

/* The result is used: the cell is the thread's own. */
static void own_atomic(const struct place *p)
{
    say(p, ONE_OF("@v ^= atomicAdd(&own[gid], @x);", "@v += atomicExch(&own[gid], @x);",
                  "@v ^= atomicCAS(&own[gid], @x, @x);", "@v += atomicMax(&own[gid], @x);",
                  "@v += atomicDec(&own[gid], @x);", "@v += atomicXor(&own[gid], @x);"));
}

static void own_cells(const struct place *p)
{
    say(p, ONE_OF("out8[gid] = (unsigned char)(@x);", "out16[gid] += (unsigned short)(@x);",
                  "out32[gid] ^= @x;", "out64[gid] = out64[gid] * 5u + (@x);"));
}

/* Vectors, and operations that change no value. */
static void vectors(const struct place *p)
{
    say(p, ONE_OF("uint4 u = make_uint4(a, b, c, @x); u.w += u.x; @v ^= u.w * u.y - u.z;",
                  "const ushort4 u = make_ushort4(h, y, 3, 4); @v += u.x * 3u + u.y * (@1);",
                  "for (unsigned e : l) @v = @v * 5u + e;", "__nanosleep(@1 & 15u);",
                  "__threadfence_block();", "__threadfence();"));
}

/* Over more elements than threads, or fewer. */
static void stride_loop(const struct place *p)
{
    say(p, "for (unsigned i = gid; i < @r512.u + (@B & 255u); i += G)");
    say(p, "    @v @+ in[i & 255u] * (@1);");
}

/* Variables that a function changes. */
static void by_reference(const struct place *p)
{
    say(p, ONE_OF("stir(@v, l, @x);", "stir_apart(@v, l, @x);", "part.stir(@v, @x);"));
}

static void pure_lambda(const struct place *p)
{
    say(p, ONE_OF("auto lambda@n = [=](unsigned x) { return x * @x + @x; };",
                  "auto lambda@n = [&](unsigned x) { return x * @x + @x; };"));
    say(p, "@v = lambda@n(@x) ^ lambda@n(a);");
}

/* -------------------------------------------------------------------------------------------------
 * Control flow, at any level
 * ---------------------------------------------------------------------------------------------- */

static struct place inside(const struct place *p)
{
    struct place in = *p;

    in.depth++;
    return in;
}

static void close_and_open(const char *between)
{
    indentation--;
    open_brace(text("} %s", between));
}

static void choice(const struct place *p)
{
    const struct place in = inside(p);

    open_with(p, "if (@T)");
    body(&in, 1 + below(3));
    if (chance(50)) {
        close_and_open(chance(30) ? filled(p, "else if (@T)") : "else");
        body(&in, 1 + below(3));
    }
    close_brace("");
}

static void selection(const struct place *p)
{
    struct place in = inside(p);
    const unsigned cases = 2 + below(4);

    in.may_break = false;
    open_with(p, text("switch (@L %% %uu)", cases));
    for (unsigned k = 0; k < cases; k++) {
        indentation--;
        if (k + 1 == cases && chance(50))
            line("default:;");
        else
            line("case %u:;", k);
        indentation++;
        body(&in, 1 + below(2));
        if (chance(75))
            line("break;");
    }
    close_brace("");
}

/* A loop whose threads stay together. */
static void loop(const struct place *p)
{
    struct place in = inside(p);
    const unsigned most = 1 + below(4);
    const char *const k = text("k%u", p->number);
    const char *const type =
        ONE_OF("unsigned", "int", "unsigned short", "unsigned char", "long long");
    const char *tail = "", *bound = text("%u", most);

    in.loop = in.may_break = true;
    in.loop_level = p->level;
    in.loop_mask = p->mask;
    in.times *= most;
    if (chance(60))
        bound = filled(p, text("(%s)(@L %% %uu)", type, most + 1));
    switch (below(6)) {
    case 0: open_brace(text("for (%s %s = %s; %s-- > 0;)", type, k, bound, k)); break;
    case 1:
        line("%s %s = %s;", type, k, bound);
        open_brace(text("while (%s > 0)", k));
        line("--%s;", k);
        break;
    case 2:
        line("%s %s = 0;", type, k);
        open_brace("do");
        tail = text(" while (++%s < %s);", k, bound);
        break;
    case 3:
        line("%s", ONE_OF("#pragma unroll", "#pragma unroll 1", "#pragma unroll 2"));
        open_brace(text("for (%s %s = 0; %s < %u; %s++)", type, k, k, most, k));
        break;
    case 4:
        open_brace(text("for (%s %s = 0; %s < %s && %s; ++%s)", type, k, k, bound, together(p), k));
        break;
    default:
        open_brace(text("for (%s %s = 0; %s < %s; %s += %u)", type, k, k, bound, k, 1 + below(2)));
        break;
    }
    add_name(k, p->level);
    body(&in, 1 + below(4));
    close_brace(tail);
}

static void jump(const struct place *p)
{
    say(p, "if (@T)");
    line("    %s;", p->may_break && chance(60) ? "break" : "continue");
}

static void return_early(const struct place *p)
{
    say(p, "if (@T)");
    say(p, "    return @x;");
}

/* -------------------------------------------------------------------------------------------------
 * Statements of the lanes of a mask
 * ---------------------------------------------------------------------------------------------- */

/* Each lane reads one that takes part. */
static void shuffle(const struct place *p)
{
    static const char *const kinds[] = {"_up", "_down", "_xor", ""};
    const char *const kind = kinds[below(4)];
    const char *const value =
        ONE_OF("@x", "@x", "(int)(@x)", "(unsigned long long)(@x) * 0x100000001ull",
               "(float)(@x & 0xffffffu)", "(double)(@x)");
    const unsigned width = chance(60) ? 32 : 1u << below(6);

    if (kind[0] != '\0') {
        say(p, text(chance(70) ? "unsigned k@n = @L & %uu;" : "unsigned k@n = @1 & %uu;",
                    width < 32 ? 2 * width - 1 : 31));
        if (!whole_warps || !p->whole)
            say(p, text("k@n = @m >> lane%s(lane, k@n, %uu) & 1u ? k@n : 0u;", kind, width));
    } else {
        say(p, "unsigned k@n = picked(@m, @1);");
        if (width < 32)
            say(p, text("k@n = k@n / %uu == lane / %uu ? k@n : lane;", width, width));
    }
    say(p, text("@v @= (unsigned)__shfl%s_sync(@m, %s, (int)k@n%s);", kind, value,
                width == 32 ? "" : text(", %u", width)));
}

static void vote(const struct place *p)
{
    say(p,
        ONE_OF("@v ^= __ballot_sync(@m, @c);", "@v += (unsigned)__any_sync(@m, @c);",
               "@v += (unsigned)__all_sync(@m, @c);", "@v ^= __match_any_sync(@m, @x & @r16.u);",
               "@v ^= __reduce_add_sync(@m, @x);", "@v = __reduce_max_sync(@m, @x);",
               "int all@n; @v ^= __match_all_sync(@m, @x & @r4.u, &all@n); @v += (unsigned)all@n;",
               "@v = __shfl_xor_sync(@m, a, 0) * 3u + __ballot_sync(@m, @c);", "__syncwarp(@m);"));
}

/* Lanes read what others of the mask have written. */
static void warp_exchange(const struct place *p)
{
    say(p, "ws[t] = @x;");
    say(p, "__syncwarp(@m);");
    for (unsigned k = 1 + below(2); k > 0; k--)
        say(p, "@v @+ ws[t - lane + picked(@m, @1)];");
    say(p, "__syncwarp(@m);");
}

/* Cooperative groups, of 32 threads or fewer. */
static void tile(const struct place *p)
{
    say(p, text("auto tile@n = cooperative_groups::tiled_partition<%u>("
                "cooperative_groups::this_thread_block());",
                2u << below(5)));
    say(p,
        ONE_OF("@v @= tile@n.shfl_xor(@x, 1u);", "@v @= tile@n.shfl(@x, @L % tile@n.size());",
               "@v ^= tile@n.ballot(@c);",
               "@v += tile@n.shfl_down(@x, 1u) * (unsigned)tile@n.any(@c);",
               "@v = cooperative_groups::reduce(tile@n, @x, cooperative_groups::plus<unsigned>());",
               "@v += cooperative_groups::inclusive_scan(tile@n, (unsigned)(@x));",
               "tile@n.sync(); @v += tile@n.thread_rank() ^ tile@n.meta_group_rank();"));
}

/* The lanes of the mask part; each part knows its lanes. */
static void groups(const struct place *p)
{
    struct place in = inside(p);

    in.level = WARP;
    in.whole = in.may_leave = in.at_barriers = false;
    in.mask = text("mask%u", p->number);
    say(p, "const bool first@n = @c;");
    say(p, "const unsigned ballot@n = __ballot_sync(@m, first@n);");
    open_with(p, "if (first@n)");
    say(p, "const unsigned mask@n = ballot@n;");
    body(&in, 1 + below(3));
    if (chance(60)) {
        close_and_open("else");
        say(p, "const unsigned mask@n = @m & ~ballot@n;");
        body(&in, 1 + below(3));
    }
    close_brace("");
}

/* A loop that its lanes leave one after another. */
static void group_loop(const struct place *p)
{
    struct place in = inside(p);
    const unsigned most = 2 + below(3);

    in.level = in.loop_level = WARP;
    in.whole = in.may_leave = in.at_barriers = false;
    in.loop = in.may_break = true;
    in.mask = in.loop_mask = text("mask%u", p->number);
    in.times *= most;
    say(p, "unsigned mask@n = @m;");
    open_with(p, text("for (unsigned k@n = 0; k@n < %u; k@n++)", most));
    say(p, text("const bool on@n = k@n < @x %% %uu;", most + 1));
    say(&in, "@m = __ballot_sync(@m, on@n);");
    say(p, "if (!on@n)");
    line("    break;");
    add_name(text("k%u", p->number), WARP);
    body(&in, 1 + below(3));
    close_brace("");
}

static void leave_kernel(const struct place *p)
{
    say(p, text("%s(%s)", has.warps ? "LEAVE" : "LEAVE_ALONE", ONE_OF("@c", "@C")));
}

static void warp_value(const struct place *p)
{
    if (has.warps && chance(60))
        say(p, ONE_OF("uw = __ballot_sync(@m, @c);", "uw += __shfl_sync(@m, @x, __ffs(@m) - 1);",
                      "uw ^= __reduce_xor_sync(@m, @x);"));
    else
        say(p, "uw @= @W;");
}

/* Calls a function with barriers or warp operations; returns false if there is none. */
static bool call_together(const struct place *p, enum function_kind kind)
{
    for (int k = 0; k < function_count; k++) {
        const struct function *const f = &functions[k];

        if (f->kind == kind && p->times * f->cost <= COST) {
            calls += p->times * f->cost;
            say(p, text("@v @+ function%u%s(@x, @x, @m, env);", f->number,
                        f->template_argument != 0 ? text("<%u>", f->template_argument) : ""));
            return true;
        }
    }
    return false;
}

static void warp_call(const struct place *p)
{
    if (!call_together(p, WARPS))
        vote(p);
}

/* -------------------------------------------------------------------------------------------------
 * Statements of the block
 * ---------------------------------------------------------------------------------------------- */

/* A place between two barriers, both of which all threads reach. */
static struct place between(const struct place *p)
{
    struct place in = inside(p);

    in.may_leave = in.at_barriers = in.loop = false;
    return in;
}

static void barrier(const struct place *p)
{
    if (chance(80))
        line("%s", ONE_OF("__syncthreads();", "__syncthreads();", "asm volatile(\"bar.sync 0;\");",
                          "cooperative_groups::this_thread_block().sync();", "barrier_apart();"));
    else
        say(p, ONE_OF("@v += (unsigned)__syncthreads_count(@c);",
                      "@v += (unsigned)__syncthreads_or(@c);",
                      "@v += (unsigned)__syncthreads_and(@c);"));
}

/* One cell for each thread. */
static const char *own_index(void)
{
    return ONE_OF("t", "t", "T - 1u - t", "(t + @B % T) % T");
}

static void exchange(const struct place *p)
{
    struct place in = between(p);

    say(p, text("s[%s] = CELL(@x);", own_index()));
    say(p, ONE_OF("s[T + t] = CELL(@x);", "s[T + t] = CELL(c);"));
    if (chance(30))
        body(&in, 1 + below(2));
    barrier(p);
    in.readable = true;
    if (chance(60))
        say(p, "@v @= (unsigned)s[@1 % (2u * T)];");
    else
        body(&in, 1 + below(3));
    barrier(p);
}

static void global_exchange(const struct place *p)
{
    say(p, text("scratch[B * T + %s] = @x;", own_index()));
    barrier(p);
    say(p, "@v @+ scratch[B * T + @1 % T];");
    barrier(p);
}

/* A shared array of the statement, whose elements have fields of several threads. No padding: for
 * initcheck, a copy of it is an uninitialised read. */
static void fields(const struct place *p)
{
    say(p, text("__shared__ struct { unsigned short h[2], q; unsigned char y[2]; } "
                "pair@n[%u];",
                (largest + 1) / 2));
    say(p, "pair@n[t / 2u].h[t % 2u] = (unsigned short)(@x);");
    say(p, "pair@n[t / 2u].y[t % 2u] = (unsigned char)(@x);");
    say(p, "if (t % 2u == 0u)");
    say(p, "    pair@n[t / 2u].q = (unsigned short)(@x);");
    barrier(p);
    say(p, text("const auto%s one@n = pair@n[@1 %% ((T + 1u) / 2u)];", even ? "" : " &"));
    say(p, "@v @+ one@n.h[0] + one@n.q * one@n.y[0];");
    barrier(p);
}

/* A row for each warp. */
static void rows(const struct place *p)
{
    say(p, text("__shared__ unsigned row@n[%u][33];", (largest + 31) / 32));
    say(p, "row@n[warp][lane] = @x;");
    barrier(p);
    say(p, "const unsigned k@n = @1 % T;");
    say(p, "@v @+ row@n[k@n / 32u][k@n % 32u];");
    barrier(p);
}

/* One barrier for each round: two halves of the array. */
static void double_buffer(const struct place *p)
{
    open_with(p, "for (unsigned k@n = 0; k@n < 1 + @r5.; k@n++)");
    say(p, "s[(k@n & 1u) * T + t] = CELL(@x);");
    barrier(p);
    say(p, "@v @+ (unsigned)s[(k@n & 1u) * T + @1 % T];");
    close_brace("");
    line("__syncthreads();");
}

static void scan(const struct place *p)
{
    say(p, "s[t] = CELL(@x);");
    line("__syncthreads();");
    open_with(p, "for (unsigned k@n = 1; k@n < T; k@n *= 2)");
    say(p, "const unsigned v@n = t >= k@n ? (unsigned)s[t - k@n] : 0u;");
    line("__syncthreads();");
    say(p, "s[t] = CELL((unsigned)s[t] + v@n);");
    line("__syncthreads();");
    close_brace("");
    say(p, "@v += (unsigned)s[@1 % T];");
    line("__syncthreads();");
}

/* Half of the threads at each step, as in textbooks. */
static void tree(const struct place *p)
{
    say(p, "s[t] = CELL(@x);");
    line("__syncthreads();");
    open_with(p, "for (unsigned k@n = 512; k@n > 0; k@n /= 2)");
    say(p, "if (t < k@n && t + k@n < T)");
    say(p, "    s[t] = CELL((unsigned)s[t] + (unsigned)s[t + k@n]);");
    line("__syncthreads();");
    close_brace("");
    line("%s ^= (unsigned)s[0];", ONE_OF("a", "b", "ub"));
    line("__syncthreads();");
}

static void histogram(const struct place *p)
{
    struct place in = between(p);

    line("for (unsigned i = t; i < CELLS; i += T)");
    say(p, "    sa[i] = @B;");
    line("__syncthreads();");
    in.open = true;
    in.level = chance(60) ? THREAD : p->level;
    body(&in, 1 + below(3));
    line("__syncthreads();");
    say(p, "@v ^= sa[@1 % CELLS] + (unsigned)sf[@1 & 7u] + (unsigned)sw[@1 % CELLS];");
    line("__syncthreads();");
}

/* Places in a list are taken in any order; only the sum of the list is used. */
static void tickets(const struct place *p)
{
    say(p, "const unsigned first@n = count;");
    line("__syncthreads();");
    say(p, "if (@c)");
    say(p, "    list[atomicAdd(&count, 1u) - first@n] = @x;");
    line("__syncthreads();");
    say(p, "const unsigned last@n = count - first@n;");
    say(p, "for (unsigned i = 0; i < last@n; i++)");
    say(p, "    @v += list[i];");
    line("__syncthreads();");
}

static void block_value(const struct place *p)
{
    say(p, has.barriers && chance(40) ? "ub = (unsigned)__syncthreads_count(@c);" : "ub @= @B;");
}

static void block_call(const struct place *p)
{
    if (!call_together(p, BARRIERS))
        exchange(p);
}

/* A lambda that takes everything by reference, with a barrier in it. */
static void lambda(const struct place *p)
{
    open_with(p, "auto lambda@n = [&](unsigned x) -> unsigned");
    say(p, "s[t] = CELL(x + @x);");
    line("__syncthreads();");
    say(p, "const unsigned r = (unsigned)s[@1 % T];");
    line("__syncthreads();");
    line("return r * 3u + x;");
    close_brace(";");
    say(p, "@v ^= lambda@n(@x);");
    if (chance(40))
        say(p, "@v += lambda@n(@x);");
}

/* -------------------------------------------------------------------------------------------------
 * A statement
 * ---------------------------------------------------------------------------------------------- */

typedef void statement_function(const struct place *);

static bool nests(const struct place *p)
{
    return p->depth < DEPTH;
}

static bool loops(const struct place *p)
{
    return nests(p) && has.loops && p->times < TIMES;
}

static void thread_statement(const struct place *p)
{
    struct place parted = *p;

    parted.level = THREAD;
    parted.may_leave = parted.at_barriers = false;
    switch (below(19)) {
    case 0:
    case 1: local(p); break;
    case 2:
    case 3:
    case 4: (nests(p) ? choice : assign)(&parted); break;
    case 5:
    case 6: (loops(p) ? loop : assign)(&parted); break;
    case 7: (nests(p) ? selection : assign)(&parted); break;
    case 8:
    case 9: (p->open || (p->kernel && has.atomics) ? atomic : local)(p); break;
    case 10: (p->kernel && has.atomics ? own_atomic : assign)(p); break;
    case 11: (p->kernel ? own_cells : assign)(p); break;
    case 12: (p->kernel && p->times == 1 ? stride_loop : assign)(p); break;
    case 13: (p->depth < 2 ? pure_lambda : by_reference)(p); break;
    case 14: by_reference(p); break;
    case 15: vectors(p); break;
    default: assign(p); break;
    }
}

static void warp_statement(const struct place *p)
{
    struct place in = *p; /* warps part */

    in.level = WARP;
    in.at_barriers = false;
    switch (below(13)) {
    case 0:
    case 1:
    case 2: (has.warps ? shuffle : assign)(p); break;
    case 3: (has.warps ? vote : assign)(p); break;
    case 4: (has.warps ? warp_exchange : local)(p); break;
    case 5: (has.groups && nests(p) ? groups : assign)(p); break;
    case 6: (has.groups && loops(p) ? group_loop : assign)(p); break;
    case 7: (nests(p) ? choice : assign)(&in); break;
    case 8: (loops(p) ? loop : assign)(&in); break;
    case 9: (p->whole ? warp_value : assign)(p); break;
    case 10: (has.warps ? warp_call : assign)(p); break;
    case 11: (has.warps && whole_warps && p->whole ? tile : local)(p); break;
    default:
        if (p->may_leave && has.leaving)
            leave_kernel(p);
        else
            (nests(p) ? selection : assign)(&in);
        break;
    }
}

static void block_statement(const struct place *p)
{
    static statement_function *const phases[] = {
        exchange,  exchange,  exchange, global_exchange, double_buffer, scan,   tree, lambda,
        histogram, histogram, tickets,  block_call,      block_call,    fields, rows};
    statement_function *const phase = phases[below(sizeof phases / sizeof phases[0])];
    const bool possible = phase == global_exchange           ? p->kernel
                          : phase == fields || phase == rows ? !has.leaving
                          : phase == histogram               ? p->kernel && has.atomics
                          : phase == tickets
                              ? p->kernel && has.atomics && largest <= 96 && p->times <= 2
                          : phase == scan || phase == tree ? p->times <= 4
                                                           : true;

    if (has.barriers && chance(60)) {
        (possible ? phase : exchange)(p);
        return;
    }
    switch (below(6)) {
    case 0:
    case 1: (nests(p) ? choice : block_value)(p); break;
    case 2:
    case 3: (loops(p) ? loop : block_value)(p); break;
    case 4: (nests(p) ? selection : block_value)(p); break;
    default: block_value(p); break;
    }
}

static void statement(const struct place *around)
{
    const bool out = begin_node();
    const unsigned kind = below(100);
    struct place place = *around, *const p = &place;

    place.number = unique++;
    open_brace(""); /* its variables are its own, and a jump does not cross them */
    if (p->may_return && p->level == p->return_level && p->mask == live &&
        (p->level != BLOCK || p->at_barriers) && chance(8))
        return_early(p);
    else if (p->loop && p->level == p->loop_level && p->mask == p->loop_mask && chance(12))
        jump(p);
    else if (p->level == BLOCK && p->at_barriers && kind < 55)
        block_statement(p);
    else if (p->level >= WARP && kind < 80)
        warp_statement(p);
    else
        thread_statement(p);
    close_brace("");
    end_node(out);
}

static void body(const struct place *p, unsigned count)
{
    const int names_before = name_count;

    for (unsigned k = 0; k < count; k++) {
        statement(p);
        name_count = names_before;
    }
}

/* -------------------------------------------------------------------------------------------------
 * Functions and kernels
 * ---------------------------------------------------------------------------------------------- */

/* The variables that every function has, from x and w. */
static void variables(bool index)
{
    OPTIONAL_LINE("unsigned a = x, b = x * 7u + w, c = w;");
    OPTIONAL_LINE("unsigned long long q = x * 0x10001ull + w;");
    OPTIONAL_LINE("unsigned short h = (unsigned short)(x >> 3);");
    OPTIONAL_LINE("unsigned char y = (unsigned char)w;");
    OPTIONAL_LINE("int z = (int)(x ^ w);");
    OPTIONAL_LINE("float f = (float)(x & 0xffffu);");
    OPTIONAL_LINE("double g = (double)(w & 0xffffu);");
    OPTIONAL_LINE("%sunsigned v = w;", has.volatiles ? "volatile " : "");
    OPTIONAL_LINE("struct part part = {x, {h, 2, 3}, y, q};");
    OPTIONAL_LINE("unsigned l[%u] = {x, w};", local_cells);
    OPTIONAL_LINE("const unsigned T = blockDim.x * blockDim.y * blockDim.z;");
    OPTIONAL_LINE(
        "const unsigned B = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;");
    if (index) {
        OPTIONAL_LINE("const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + "
                      "threadIdx.x;");
        OPTIONAL_LINE("const unsigned lane = t & 31u, warp = t / 32u;");
        OPTIONAL_LINE("unsigned uw = warp * 3u + 1u;");
    }
}

static const char mixed[] =
    "a ^ b * 3u ^ c * 5u ^ (unsigned)(q ^ q >> 32) ^ (h | y << 16) ^ (unsigned)z "
    "^ __float_as_uint(f) ^ (unsigned)g ^ v ^ summed(part)";

static void function(enum function_kind kind)
{
    const bool out = begin_node();
    struct function *const made = &functions[function_count];
    const enum level level = kind == BARRIERS ? BLOCK : kind == WARPS ? WARP : THREAD;
    struct place p = {.level = level,
                      .mask = live,
                      .whole = kind == BARRIERS,
                      .no_index = kind == PURE,
                      .may_return = true,
                      .return_level = level,
                      .at_barriers = kind == BARRIERS,
                      .times = 1,
                      .depth = 2};
    const char *const inlining = ONE_OF("", "__noinline__ ", "__forceinline__ ", "inline ");
    const bool recursive = kind <= INDEXED && chance(30);
    const bool own_array = kind == BARRIERS && !has.leaving && chance(30);

    *made = (struct function){kind, chance(30) ? 2 + below(4) : 0, (unsigned)function_count, 0};
    calls = kind >= WARPS ? 10 : 4;
    if (made->template_argument != 0) {
        line("template <unsigned N>");
        add_name("N", BLOCK);
    }
    open_brace(text("%s__device__ unsigned function%u(unsigned x, unsigned w%s)",
                    recursive ? "" : inlining, made->number,
                    kind >= WARPS ? ", unsigned live, const struct env env" : ""));
    line("const unsigned m = %s;", kind >= WARPS ? "env.m" : "5u");
    line("unsigned ub = m + blockIdx.x;");
    if (kind >= WARPS) {
        line("unsigned *const ws = env.ws;");
        line(own_array ? "__shared__ cell s[2 * %u];" : "cell *const s = env.s;", largest);
    }
    variables(kind != PURE);
    if (own_array) {
        line("s[t] = CELL(x);");
        line("s[T + t] = CELL(w);");
        line("__syncthreads();");
    }
    body(&p, 1 + below(4));
    if (recursive) {
        line("if ((w & 7u) > 0u)");
        line("    a += function%u%s(x * 3u + b, (w & 7u) - 1u);", made->number,
             made->template_argument != 0 ? "<N>" : "");
    }
    line("return (%s) + l[a & %uu];", mixed, local_cells - 1);
    close_brace("");
    made->cost = calls * (recursive ? 8 : 1);
    name_count = 0;
    end_node(out);
    function_count++;
}

struct shape {
    unsigned x, y, z, blocks_x, blocks_y, blocks_z;
};

static unsigned threads_of(struct shape shape)
{
    return shape.x * shape.y * shape.z;
}

static struct shape random_shape(void)
{
    struct shape shape = {1, 1, 1, 1 + below(3), 1, 1};
    const unsigned flat[] = {1, 32, 33, 64, 96, 100, 128, 192, 256};

    if (chance(50)) {
        shape.x = chance(70) ? flat[below(sizeof flat / sizeof flat[0])] : 1 + below(70);
    } else {
        shape.x = 1 + below(20);
        shape.y = 1 + below(9);
        shape.z = chance(40) ? 1 + below(4) : 1;
    }
    if (chance(4)) {
        shape.x = 257 + below(768);
        shape.y = shape.z = 1;
    }
    if (chance(30))
        shape.blocks_y = 1 + below(2);
    if (chance(15))
        shape.blocks_z = 1 + below(2);
    if (chance(40) && threads_of(shape) <= 128) /* several OS threads get some */
        shape.blocks_x = 8 + below(57);
    return shape;
}

static void launch(struct shape shape, const char *kernel, bool dynamic, uint64_t seed, int number)
{
    const unsigned blocks = shape.blocks_x * shape.blocks_y * shape.blocks_z;
    const bool out = begin_node();

    open_brace("");
    line("arrays arrays(%u, %u, %lluu);", threads_of(shape), blocks,
         (unsigned long long)(seed * 2 + (unsigned)number) & 0xffffffff);
    line("const dim3 grid(%u, %u, %u), block(%u, %u, %u);", shape.blocks_x, shape.blocks_y,
         shape.blocks_z, shape.x, shape.y, shape.z);
    line("unsigned m = %u, bytes = %u * sizeof(k%llu::cell);", 1 + below(6),
         dynamic ? 2 * threads_of(shape) : 0, (unsigned long long)seed);
    switch (below(4)) {
    case 0:
        line("void (*const kernel)(const pointers, const unsigned *, unsigned) = %s;", kernel);
        line("kernel<<<grid, block, bytes>>>(arrays.device, arrays.in, m);");
        break;
    case 1:
        line("void *arguments[] = {&arrays.device, &arrays.in, &m};");
        line("cudaLaunchKernel((const void *)%s, grid, block, arguments, bytes, 0);", kernel);
        break;
    default: line("%s<<<grid, block, bytes>>>(arrays.device, arrays.in, m);", kernel); break;
    }
    line("arrays.print(\"%llu.%d\");", (unsigned long long)seed, number);
    close_brace("");
    end_node(out);
}

static void print_kernel(uint64_t seed)
{
    const struct shape shape = random_shape(), other = random_shape();
    const unsigned first = threads_of(shape), second = threads_of(other);
    const char *const cell = ONE_OF("unsigned", "unsigned", "unsigned short", "unsigned char",
                                    "unsigned long long", "float");
    const bool dynamic = chance(40), templated = chance(25), sums = chance(40);
    struct place p = {.level = BLOCK,
                      .mask = live,
                      .whole = true,
                      .may_leave = true,
                      .kernel = true,
                      .at_barriers = true,
                      .times = 1};
    const char *kernel =
        text("k%llu::kernel%llu", (unsigned long long)seed, (unsigned long long)seed);
    bool out, cells, lanes; /* left out: with the declaration goes the first value */

    largest = first > second ? first : second;
    local_cells = 2u << below(4);
    has.barriers = chance(80);
    has.warps = chance(70);
    has.groups = has.warps && chance(70);
    has.leaving = chance(40);
    has.atomics = chance(60);
    has.functions = chance(60);
    has.loops = chance(85);
    has.bytes = chance(60);
    has.wide = chance(60);
    has.floats = chance(60);
    has.volatiles = chance(25);

    even = first % 2 == 0 && second % 2 == 0;
    whole_warps = first % 32 == 0 && second % 32 == 0 && !has.leaving;

    line("namespace k%llu", (unsigned long long)seed);
    line("{");
    line("typedef %s cell;", cell);
    line("#define CELL(x) ((k%llu::cell)((x) & %s))", (unsigned long long)seed,
         strcmp(cell, "float") == 0 ? "0xffffu" : "~0u");
    line("struct env {");
    line("    cell *s;");
    line("    unsigned *ws, m;");
    line("};");
    if (has.functions)
        for (unsigned k = 1 + below(FUNCTIONS); k > 0; k--)
            function((enum function_kind)below(FUNCTION_KINDS));

    if (templated) {
        line("template <unsigned N>");
        add_name("N", BLOCK);
        kernel = text("%s<%u>", kernel, 1 + below(5));
    }
    open_brace(text("__global__ void __launch_bounds__(%u) kernel%llu(const struct pointers out, "
                    "const unsigned *__restrict__ in, unsigned m)",
                    largest, (unsigned long long)seed));
    cells = begin_node();
    if (dynamic) {
        line("extern __shared__ cell dynamic%llu[];", (unsigned long long)seed);
        line("cell *const s = dynamic%llu;", (unsigned long long)seed);
    } else {
        line("__shared__ cell s[2 * %u];", largest);
    }
    end_node(cells);
    lanes = begin_node();
    line("__shared__ unsigned ws[%u];", largest);
    end_node(lanes);
    if (has.atomics) {
        OPTIONAL_LINE("__shared__ unsigned sa[CELLS], count, list[%u];", largest);
        OPTIONAL_LINE("__shared__ unsigned long long sw[CELLS];");
        OPTIONAL_LINE("__shared__ float sf[8];");
    }
    OPTIONAL_LINE("unsigned char *const out8 = out.bytes;");
    OPTIONAL_LINE("unsigned short *const out16 = out.shorts;");
    OPTIONAL_LINE(
        "unsigned *const out32 = out.words, *const own = out.own, *const scratch = out.scratch;");
    OPTIONAL_LINE("unsigned long long *const out64 = out.longs, *const gw = out.wide;");
    OPTIONAL_LINE("unsigned *const ga = out.narrow;");
    OPTIONAL_LINE("float *const gf = out.floats;");
    OPTIONAL_LINE("const unsigned G = gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y "
                  "* blockDim.z;");
    OPTIONAL_LINE(
        "unsigned x = in[(blockIdx.x * blockDim.x + threadIdx.x) & 255u], w = threadIdx.y + m;");
    OPTIONAL_LINE("unsigned ub = m * 3u + blockIdx.x;");
    variables(true);
    OPTIONAL_LINE("const unsigned gid = B * T + t;");
    OPTIONAL_LINE("const struct env env = {s, ws, m};");
    OPTIONAL_LINE("unsigned live = %s;", has.warps ? "__ballot_sync(~0u, 1)" : "0");
    hidden += cells;
    line("s[t] = CELL(t);");
    line("s[T + t] = CELL(m);");
    hidden -= cells;
    hidden += lanes;
    line("ws[t] = t;");
    hidden -= lanes;
    OPTIONAL_LINE("scratch[gid] = t;");
    if (has.atomics) {
        line("for (unsigned i = t; i < CELLS; i += T)");
        line("    sa[i] = sw[i] = i;");
        line("for (unsigned i = t; i < 8u; i += T)");
        line("    sf[i] = 0.0f;");
        line("if (t == 0)");
        line("    count = 0;");
    }
    line("__syncthreads();");
    body(&p, 2 + below(6));
    OPTIONAL_LINE("out32[gid] += %s;", mixed);
    OPTIONAL_LINE("out64[gid] ^= q + ub * 0x100000001ull + uw;");
    p = (struct place){.level = THREAD, .kernel = true, .times = 1, .depth = 1};
    if (chance(30) && !sums) {
        out = begin_node();
        line("if (%s)", condition(&p, THREAD));
        line("    return;");
        end_node(out);
        body(&p, 1 + below(3));
    }
    out = begin_node();
    line("for (unsigned i = 0; i < %uu; i++)", local_cells);
    line("    out32[gid] = out32[gid] * 31u + l[i];");
    end_node(out);
    OPTIONAL_LINE("out16[gid] ^= (unsigned short)(a + b);");
    OPTIONAL_LINE("out8[gid] += (unsigned char)c;");
    if (sums && !has.leaving && has.barriers)
        OPTIONAL_LINE("LAST_BLOCK(a)");
    close_brace("");
    line("#undef CELL");
    line("}");
    line("static void run%llu()", (unsigned long long)seed);
    line("{");
    indentation++;
    launch(shape, kernel, dynamic, seed, 0);
    launch(other, kernel, dynamic, seed, 1);
    indentation--;
    line("}");
    line("%s", "");
}

static const char *const prelude[] = {
    "// Made by tests/fuzz/kernels.c.",
    "#include <cooperative_groups.h>",
    "#include <cooperative_groups/reduce.h>",
    "#include <cooperative_groups/scan.h>",
    "#include <cstdio>",
    "#include <cstdlib>",
    "#include <cstring>",
    "",
    "enum { CELLS = 72 }; // of arrays that atomics work on: 8 for each operation",
    "struct pointers {",
    "    unsigned char *bytes;",
    "    unsigned short *shorts;",
    "    unsigned *words, *own, *scratch, *narrow, *sums, *done;",
    "    unsigned long long *longs, *wide;",
    "    float *floats;",
    "};",
    "struct part {",
    "    unsigned x;",
    "    unsigned short h[3];",
    "    unsigned char y;",
    "    unsigned long long q;",
    "    __device__ void stir(unsigned &a, unsigned k)",
    "    {",
    "        x += a;",
    "        a ^= h[k % 3u];",
    "    }",
    "};",
    "__device__ inline void stir(unsigned &a, unsigned *l, unsigned k)",
    "{",
    "    l[k & 1u] ^= a;",
    "    a += l[1] * 3u + k;",
    "}",
    "__device__ __noinline__ void stir_apart(unsigned &a, unsigned *l, unsigned k)",
    "{",
    "    l[k & 1u] += a;",
    "    a ^= l[0] + (k >> 3);",
    "}",
    "__device__ __noinline__ void barrier_apart()",
    "{",
    "    __syncthreads();",
    "}",
    "__constant__ unsigned table[8] = {3, 1, 4, 1, 5, 9, 0xffffffff, 0x80000000};",
    "",
    "#ifdef FUZZ_PLANTED // a mistake, for the test of the reducer",
    "template <typename T>",
    "__device__ T planted(T value)",
    "{",
    "    return value + (T)1;",
    "}",
    "#define __shfl_xor_sync(...) planted(__shfl_xor_sync(__VA_ARGS__))",
    "#endif",
    "",
    "// A lane of the mask.",
    "__device__ inline unsigned picked(unsigned mask, unsigned x)",
    "{",
    "    return mask >> (x & 31u) & 1u ? x & 31u : (unsigned)__ffs(mask) - 1u;",
    "}",
    "// The lane that a shuffle reads.",
    "__device__ inline unsigned lane_up(unsigned lane, unsigned k, unsigned width)",
    "{",
    "    return (lane & (width - 1u)) >= k ? lane - k : lane;",
    "}",
    "__device__ inline unsigned lane_down(unsigned lane, unsigned k, unsigned width)",
    "{",
    "    return (lane & (width - 1u)) + k < width ? lane + k : lane;",
    "}",
    "__device__ inline unsigned lane_xor(unsigned lane, unsigned k, unsigned width)",
    "{",
    "    return (lane ^ k) / width > lane / width ? lane : lane ^ k;",
    "}",
    "__device__ inline part turned(part p, unsigned x)",
    "{",
    "    const part q = {p.x ^ x, {p.h[1], p.h[2], (unsigned short)(p.h[0] + 1)}, (unsigned "
    "char)(p.y + x),",
    "                    p.q * 3u + x};",
    "    return q;",
    "}",
    "__device__ inline unsigned summed(const part &p)",
    "{",
    "    return p.x + p.h[0] * 3u + p.h[1] * 5u + p.h[2] * 7u + p.y * 11u + (unsigned)(p.q ^ p.q "
    ">> 32);",
    "}",
    "// Threads end here. With FUZZ_STAY none does, as synccheck reports barriers that some do not "
    "reach.",
    "#ifdef FUZZ_STAY",
    "#define LEAVE(condition) live = __ballot_sync(live, (condition) || true);",
    "#define LEAVE_ALONE(condition)",
    "#else",
    "#define LEAVE(condition) \\",
    "    const bool leaves = condition; \\",
    "    live = __ballot_sync(live, !leaves); \\",
    "    LEAVE_ALONE(leaves)",
    "#define LEAVE_ALONE(condition) \\",
    "    if (condition) { \\",
    "        out32[gid] = a ^ b + c; \\",
    "        return; \\",
    "    }",
    "#endif",
    "// The sums of the blocks are added by the block that ends last.",
    "#define LAST_BLOCK(value) \\",
    "    __shared__ unsigned sum, last; \\",
    "    if (t == 0) \\",
    "        sum = 0; \\",
    "    __syncthreads(); \\",
    "    atomicAdd(&sum, value); \\",
    "    __syncthreads(); \\",
    "    if (t == 0) { \\",
    "        out.sums[1 + B] = sum; \\",
    "        __threadfence(); \\",
    "        last = atomicAdd(out.done, 1u) == gridDim.x * gridDim.y * gridDim.z - 1u; \\",
    "    } \\",
    "    __syncthreads(); \\",
    "    if (last && t == 0) { \\",
    "        __threadfence(); \\",
    "        for (unsigned i = 0; i < gridDim.x * gridDim.y * gridDim.z; i++) \\",
    "            out.sums[0] = out.sums[0] * 3u + ((volatile unsigned *)out.sums)[1 + i]; \\",
    "    }",
    "",
    "struct arrays {",
    "    pointers device;",
    "    unsigned *in, threads, blocks, random;",
    "",
    "    template <typename T>",
    "    __attribute__((noinline)) T *array(unsigned count, bool filled)",
    "    {",
    "        T *const host = (T *)malloc(count * sizeof(T)), *made = NULL;",
    "        for (unsigned i = 0; i < count; i++)",
    "            host[i] = filled ? (T)((random = random * 1664525u + 1013904223u) >> (i & 15)) : "
    "(T)0;",
    "        cudaMalloc(&made, count * sizeof(T));",
    "        cudaMemcpy(made, host, count * sizeof(T), cudaMemcpyHostToDevice);",
    "        free(host);",
    "        return made;",
    "    }",
    "    __attribute__((noinline)) arrays(unsigned size, unsigned grid, unsigned seed) : "
    "threads(size * grid), blocks(grid), random(seed)",
    "    {",
    "        in = array<unsigned>(256, true);",
    "        device.bytes = array<unsigned char>(threads, false);",
    "        device.shorts = array<unsigned short>(threads, false);",
    "        device.words = array<unsigned>(threads, false);",
    "        device.longs = array<unsigned long long>(threads, false);",
    "        device.own = array<unsigned>(threads, true);",
    "        device.scratch = array<unsigned>(threads, false);",
    "        device.narrow = array<unsigned>(CELLS, true);",
    "        device.wide = array<unsigned long long>(CELLS, true);",
    "        device.floats = array<float>(8, false);",
    "        device.sums = array<unsigned>(1 + blocks, false);",
    "        device.done = array<unsigned>(1, false);",
    "    }",
    "    template <typename T>",
    "    __attribute__((noinline)) void show(const char *launch, const char *name, T *array, "
    "unsigned count)",
    "    {",
    "        T *const host = (T *)malloc(count * sizeof(T));",
    "        unsigned long long hash = 14695981039346656037ull;",
    "        cudaMemcpy(host, array, count * sizeof(T), cudaMemcpyDeviceToHost);",
    "        cudaFree(array);",
    "        for (unsigned i = 0; i < count; i++) {",
    "            unsigned long long bits = 0;",
    "            memcpy(&bits, &host[i], sizeof(T));",
    "            hash = (hash ^ bits) * 1099511628211ull;",
    "        }",
    "        printf(\"%s %s %016llx\", launch, name, hash);",
    "        for (unsigned i = 0; i < count && i < 4; i++)",
    "            printf(\" %.0f\", (double)host[i]);",
    "        printf(\"\\n\");",
    "        free(host);",
    "    }",
    "    __attribute__((noinline)) void print(const char *launch)",
    "    {",
    "        const cudaError_t error = cudaDeviceSynchronize();",
    "        if (error != cudaSuccess) {",
    "            printf(\"%s %s\\n\", launch, cudaGetErrorName(error));",
    "            exit(1); // a kernel that fails spoils those after it",
    "        }",
    "        show(launch, \"bytes\", device.bytes, threads);",
    "        show(launch, \"shorts\", device.shorts, threads);",
    "        show(launch, \"words\", device.words, threads);",
    "        show(launch, \"longs\", device.longs, threads);",
    "        show(launch, \"own\", device.own, threads);",
    "        show(launch, \"scratch\", device.scratch, threads);",
    "        show(launch, \"narrow\", device.narrow, CELLS);",
    "        show(launch, \"wide\", device.wide, CELLS);",
    "        show(launch, \"floats\", device.floats, 8);",
    "        show(launch, \"sums\", device.sums, 1 + blocks);",
    "        cudaFree(device.done);",
    "        cudaFree(in);",
    "        fflush(stdout);",
    "    }",
    "};",
    "",
};

int main(int count, char **arguments)
{
    const bool nodes_only = count > 1 && strcmp(arguments[1], "--nodes") == 0;
    uint64_t seed, kernels = 1;

    if (count < 3) {
        fprintf(stderr, "usage: kernels SEED COUNT [NODE...]\n"
                        "       kernels --nodes SEED [NODE...]\n");
        return 2;
    }
    seed = strtoull(arguments[nodes_only ? 2 : 1], NULL, 10);
    if (!nodes_only)
        kernels = strtoull(arguments[2], NULL, 10);
    listing = nodes_only;
    for (int k = 3; k < count; k++)
        omitted[strtoull(arguments[k], NULL, 10) % OMITTED] = true;
    for (size_t k = 0; k < sizeof prelude / sizeof prelude[0]; k++)
        line("%s", prelude[k]);
    for (uint64_t k = 0; k < kernels; k++) {
        random_state = seed + k;
        random_state = next_random(); /* else neighbours have most of their numbers in common */
        nodes = unique = 0;
        pool_used = 0;
        name_count = function_count = 0;
        print_kernel(seed + k);
    }
    line("int main()");
    line("{");
    /* nvcc does not know how deep functions call themselves. */
    line("    cudaDeviceSetLimit(cudaLimitStackSize, 32 << 10);");
    for (uint64_t k = 0; k < kernels; k++)
        line("    run%llu();", (unsigned long long)(seed + k));
    line("}");
    return 0;
}
