/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line, which is nvcc's, and portable-nvcc's own options. */
#ifndef PORTABLE_HOST_NVCC_OPTIONS_H
#define PORTABLE_HOST_NVCC_OPTIONS_H

#include "host/nvcc/text.h"

/* The last step for the sources. */
enum stage { LINK, COMPILE, IMAGE, PREPROCESS, DEPENDENCIES, ARCHIVE, DEVICE_LINK };

/* A string is NULL without its option. */
extern struct options {
    enum stage stage;
    const char *image; /* .ptx, .cubin or .fatbin: an image of kernels, for cuModuleLoad */
    struct list inputs;

    const char *check; /* memcheck..., or emulate for none */
    int lockstep;      /* of warps */
    /* fpcheck compares stores; and what has its effect only then. */
    int stores, contract, flush, fast_math, rough_division, rough_root;
    int relocatable;  /* -rdc=true */
    int capability;   /* the compute capability, times ten */
    int cuda_version; /* 12040 for CUDA 12.4; 0 for the newest */
    const char *cccl; /* its directory, or none */
    const char *language;
    const char *standard, *host_standard; /* -std=..., of .cu files, and of others */
    const char *level;                    /* -O2 and so on */
    int device_debug, shared, keep_warnings;

    const char *compiler, *archiver;
    struct list preprocessor; /* -I -D -U -include */
    struct list host;         /* for compiling and linking */
    struct list linker;       /* in their order, with the inputs that are objects */
    struct list archive;

    int write_dependencies;
    const char *dependencies_file;
    struct list dependencies; /* -MT and so on */

    const char *output, *output_directory, *keep_directory;
    int keep;               /* what is between the source and the object */
    int temporaries_beside; /* -objtemp */
    int verbose, dry_run;
    int preload; /* print what LD_PRELOAD must be */
    int run;
    struct list run_arguments;
} options;

/* Reads the environment and the arguments. Ends the program if one of them is wrong, or if it asks
 * for text only, such as --help. */
void parse_command_line(char **arguments);

int has_check(void);

/* CUDA's version that the program is compiled for, as CUDART_VERSION has it. */
int cuda_version(void);

/* The language of an input, as -x has it; NULL for one that goes to the linker. */
const char *language_of(const char *input);

/* The path of an output with that name, in the directory that -odir names; and the name that -o
 * gives, or else this one there. */
char *in_output_directory(const char *name);
const char *output_or(const char *name);

#endif
