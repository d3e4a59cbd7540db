/* SPDX-License-Identifier: BSD-3-Clause */
/* The cases for many ranks as one program, which mpiexec starts. */
#include "cases.h"

#include "host/options.h"

static const struct rank_case *const cases[] = {&case_jacobi, &case_cg, &case_nbody, &case_scan,
                                                &case_summa};
enum { CASES = sizeof cases / sizeof cases[0] };

static void print_usage(FILE *stream)
{
    fprintf(stream, "usage: gallery-ranks info\n"
                    "       gallery-ranks run [CASE...] [--n N] [--iterations K] [--input FILE]\n"
                    "                         [--dump DIR] [--checkpoint DIR [--every K]]\n"
                    "       gallery-ranks bench [CASE...] [--n N] [--iterations K] [--weak]\n"
                    "                           [--repeat R] [--results FILE]\n"
                    "       gallery-ranks bench pingpong [--repeat R] [--results FILE]\n"
                    "       gallery-ranks run|bench ... + [CASE...] [OPTION...] [+ ...]\n\n");
    for (int k = 0; k < CASES; k++)
        fprintf(stream, "%-10s %s\n", cases[k]->name, cases[k]->summary);
    fprintf(
        stream,
        "\ninfo: the ranks, the transport and the library\n"
        "--dump: results to DIR, as .npy; the same bits for every number of ranks\n"
        "--checkpoint: jacobi, cg and nbody save their state to DIR after every K iterations, 100\n"
        "    by default, and continue from the one that they find there, with any number of ranks\n"
        "bench: the time of an iteration of each case, without setup and checks;\n"
        "    pingpong: of messages of several sizes and of collective operations\n"
        "--iterations: in each measurement of bench, at most 10 without it\n"
        "--weak: N for one rank; more ranks get a problem with so many times the work\n"
        "--repeat: the median of R measurements, 5 without it\n"
        "--results: appends a row for each to a table in FILE, for docs/scaling/scaling.py\n"
        "+: then other cases, or the same with other options\n"
        "Exit status: 0 the results are right, 1 they are wrong or a rank failed, 2 bad "
        "input.\n");
}

static const struct rank_case *find(const char *name)
{
    for (int k = 0; k < CASES; k++)
        if (strcmp(cases[k]->name, name) == 0)
            return cases[k];
    portable_ranks_stop(2, "there is no case %s; gallery-ranks --help lists them", name);
}

static void info(const struct portable_ranks *me)
{
    if (me->rank == 0)
        printf("target:     %s\nranks:      %d, %d on this machine\ntransport:  %s\n"
               "library:    %s\n",
               PORTABLE_TARGET_NAME, me->count, me->node_count, me->transport, me->library);
}

/* Ends all ranks if the case does not take the options. which: NULL is pingpong */
static void check_options(const struct rank_case *which, const struct rank_options *options,
                          int is_bench, int is_weak)
{
    const char *const name = which ? which->name : "pingpong", *refused = NULL;

    if (options->input && !which->extension)
        refused = "--input";
    else if (options->iterations >= 0 && (!which || (!is_bench && which->iterations == 0)))
        refused = "--iterations";
    else if (options->checkpoint && !which->has_checkpoints)
        refused = "--checkpoint";
    else if (options->n >= 0 && !which)
        refused = "--n";
    else if (is_weak && !which)
        refused = "--weak";
    if (refused)
        portable_ranks_stop(2, "%s takes no %s", name, refused);
}

static void run(const struct rank_case *which, struct rank_options options)
{
    if (options.n < 0)
        options.n = which->n;
    if (options.iterations < 0)
        options.iterations = which->iterations > 0 ? which->iterations : 1;
    const double result = which->run(&options);

    if (options.me.rank != 0)
        return;
    if (options.input)
        printf("%-10s %s", which->name, options.input);
    else
        printf("%-10s n = %d", which->name, options.n);
    if (which->iterations > 0)
        printf(", %d iterations", options.iterations);
    printf(", %d rank%s by %s: %.9g\n", options.me.count, options.me.count == 1 ? "" : "s",
           options.me.transport, result);
}

/* Some cases and their options. */
struct request {
    struct rank_options options;
    struct bench_options bench;
    const struct rank_case *chosen[OPTIONS_MOST]; /* NULL is pingpong */
    int chosen_count;
};

/* Parses a command or a "+", and its arguments, up to the next "+" or the end. Returns how many
 * words these are. Ends all ranks if they are wrong. */
static int parse(struct request *request, int is_bench, int count, char **words)
{
    struct rank_options *options = &request->options;
    struct bench_options *bench = &request->bench;
    struct options_texts names;
    struct io_error error;
    const struct options_entry entries[] = {
        /* of run */
        options_text("--input FILE", &options->input, NULL),
        options_text("--dump DIR", &options->dump, NULL),
        options_text("--checkpoint DIR", &options->checkpoint, NULL),
        options_whole("--every K", &options->every, 1, 1000000000, NULL),
        /* of both, from 4 on */
        options_texts("CASE", &names, NULL),
        options_whole("--n N", &options->n, 1, is_bench ? 1 << 30 : 1 << 20, NULL),
        options_whole("--iterations K", &options->iterations, is_bench,
                      is_bench ? 1000000 : 1000000000, NULL),
        /* of bench, from 7 on */
        options_flag("--weak", &bench->is_weak, NULL),
        options_whole("--repeat R", &bench->repeats, 1, 1000, NULL),
        options_text("--results FILE", &bench->results, NULL),
    };
    int k = 1;

    memset(&names, 0, sizeof names);
    options->n = options->iterations = options->every = -1;
    bench->repeats = 5;
    while (k < count && strcmp(words[k], "+") != 0)
        k++;
    if (options_parse(k, words, entries + (is_bench ? 4 : 0), is_bench ? 6 : 7, &error) != 0)
        portable_ranks_stop(2, "%s %s", is_bench ? "bench" : "run", error.text);
    for (; request->chosen_count < names.count; request->chosen_count++) {
        const char *const name = names.texts[request->chosen_count];

        request->chosen[request->chosen_count] =
            is_bench && strcmp(name, "pingpong") == 0 ? NULL : find(name);
    }
    if (options->every >= 0 && !options->checkpoint)
        portable_ranks_stop(2, "--every needs --checkpoint DIR");
    options->every = options->every < 0 ? 100 : options->every;
    if (request->chosen_count == 0)
        for (; request->chosen_count < CASES; request->chosen_count++)
            request->chosen[request->chosen_count] = cases[request->chosen_count];
    for (int c = 0; c < request->chosen_count; c++)
        check_options(request->chosen[c], options, is_bench, bench->is_weak);
    return k;
}

int main(int count, char **arguments)
{
    struct portable_ranks me;

    if (count < 2 || strcmp(arguments[1], "--help") == 0) {
        print_usage(count < 2 ? stderr : stdout);
        return count < 2 ? 2 : 0;
    }
    PORTABLE_RANKS_CHECK(portable_ranks_begin(&me));
    const int is_info = strcmp(arguments[1], "info") == 0;
    const int is_bench = strcmp(arguments[1], "bench") == 0;
    if (!is_info && !is_bench && strcmp(arguments[1], "run") != 0)
        portable_ranks_stop(2, "unknown command %s; gallery-ranks --help lists them", arguments[1]);
    if (is_info && count > 2)
        portable_ranks_stop(2, "info takes no %s", arguments[2]);
    /* All are parsed before the first runs. */
    struct request *requests = (struct request *)case_memory((size_t)count, sizeof *requests);
    int request_count = 0;
    if (is_info)
        info(&me);
    else
        for (int k = 1; k < count;) {
            requests[request_count].options.me = me;
            k += parse(&requests[request_count++], is_bench, count - k, arguments + k);
        }
    for (int r = 0; r < request_count; r++)
        for (int k = 0; k < requests[r].chosen_count; k++)
            if (is_bench)
                case_measure(requests[r].chosen[k], requests[r].options, &requests[r].bench);
            else
                run(requests[r].chosen[k], requests[r].options);
    free(requests);
    if (fflush(stdout) != 0 || ferror(stdout))
        portable_ranks_stop(1, "stdout: cannot write");
    PORTABLE_RANKS_CHECK(portable_ranks_end());
    return 0;
}
