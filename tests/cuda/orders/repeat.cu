// SPDX-License-Identifier: BSD-3-Clause
// repeat RUNS
//
// The main function of a program whose own has the symbol program_main (objcopy): calls it RUNS times, far more often than processes could start on a GPU in that time, and compares what it
// prints. Another run of the same may print other things rightly, if the program keeps a state.
//
// Exit status: 0, and "RUNS runs print the same"; 1 if one differs, fails or ends the process.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

extern "C" int program_main();

// What the next run prints.
static std::string printed_by_run(int file, int *status)
{
    std::string text;
    char piece[4096];
    if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0)
        *status = 1;
    *status |= program_main();
    fflush(stdout);
    lseek(file, 0, SEEK_SET);
    for (ssize_t n; (n = read(file, piece, sizeof piece)) > 0;)
        text.append(piece, (size_t)n);
    return text;
}

int main(int argc, char **argv)
{
    const int runs = argc > 1 ? atoi(argv[1]) : 100;
    FILE *const printed = tmpfile(), *const to = fdopen(dup(1), "w");
    int status = 0;
    if (runs < 1 || !printed || !to || dup2(fileno(printed), 1) < 0) {
        fprintf(stderr, "usage: repeat RUNS, with room for a temporary file\n");
        return 1;
    }
    const std::string first = printed_by_run(fileno(printed), &status);
    for (int run = 2; run <= runs && status == 0; run++)
        if (printed_by_run(fileno(printed), &status) != first)
            status = fprintf(to, "run %d prints something else\n", run) > 0;
    if (status == 0)
        fprintf(to, "%d runs print the same\n", runs);
    fclose(to);
    return status;
}
