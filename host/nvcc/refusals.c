/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* getline */

#include "host/nvcc/refusals.h"

#include "host/nvcc/cccl.h"

#include <limits.h> /* PATH_MAX */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* CUDA's headers that have no counterpart here, by how their names begin; the first that fits. */
static const struct {
    const char *sentence;
    const char *prefixes[7]; /* at most six, then NULL */
} refusals[] = {
    {"Thrust, CUB and libcu++ are NVIDIA's CCCL, which is not found: install a CUDA toolkit, "
     "Debian's libthrust-dev or PyPI's nvidia-cuda-cccl, or name its directory with "
     "--cccl=DIRECTORY",
     {"thrust/", "cub/", "cuda/", "nv/"}},
    {"portable-nvcc has cuFFT (cufft.h), not its FFTW interface: use FFTW's own, or build this "
     "file "
     "with nvcc",
     {"cufftw.h"}},
    {"portable-nvcc has cuSOLVER's dense calls (cusolverDn.h), not this: use those, or build this "
     "file with nvcc",
     {"cusolverMg.h", "cusolverRf.h", "cusolverSp"}},
    {"portable-nvcc has no MTGP32; use curandStatePhilox4_32_10_t or XORWOW", {"curand_mtgp32"}},
    {"portable-nvcc does not have cuDNN: use a CPU library, or build this file with nvcc",
     {"cudnn"}},
    {"portable-nvcc has NCCL's calls for the host (nccl.h), not this: use those, or build this "
     "file "
     "with nvcc",
     {"nccl_device"}},
    {"portable-nvcc does not have NPP: write the filter as a kernel, or build this file with nvcc",
     {"npp"}},
    {"portable-nvcc does not have nvJPEG: use a CPU library such as libjpeg, or build this file "
     "with nvcc",
     {"nvjpeg.h"}},
    {"portable-nvcc does not share memory with graphics: copy with cudaMemcpy, or build this file "
     "with nvcc",
     {"cudaEGL.h", "cudaGL.h", "cudaVDPAU.h", "cuda_egl_interop.h", "cuda_gl_interop.h",
      "cuda_vdpau_interop.h"}},
};

const char *refusal_of(const char *header)
{
    /* The first line is of CCCL's headers. */
    for (size_t k = cccl_directory() ? 1 : 0; k < sizeof refusals / sizeof refusals[0]; k++)
        for (const char *const *prefix = refusals[k].prefixes; *prefix; prefix++)
            if (starts_with(header, *prefix))
                return refusals[k].sentence;
    return NULL;
}

/* Whether a flag names the directory. gcc may write its path in another way. */
static int is_named(const char *directory, const struct list *flags)
{
    struct stat status, named;
    if (stat(directory, &status) != 0)
        return 0;
    for (size_t k = 0; k < flags->count; k++)
        if (stat(flags->item[k] + 2 * starts_with(flags->item[k], "-I"), &named) == 0 &&
            named.st_dev == status.st_dev && named.st_ino == status.st_ino)
            return 1;
    return 0;
}

void refuse_system_headers(FILE *preprocessed, const struct list *flags)
{
    static const char include[] = "/include/", triplet[] = "-linux-gnu";
    char name[PATH_MAX], from[PATH_MAX] = "", *line = NULL;
    size_t capacity = 0;
    int number = 0;
    while (getline(&line, &capacity, preprocessed) > 0) {
        const char *header = name;
        int next_number, markers = 0;
        if (sscanf(line, "# %d \"%4095[^\"]\" %n", &next_number, name, &markers) != 2 ||
            markers == 0) {
            number++;
            continue;
        }
        for (const char *c = strstr(name, include); c; c = strstr(c + 1, include))
            header = c + strlen(include);
        /* Debian's /usr/include/x86_64-linux-gnu */
        const size_t component = strcspn(header, "/");
        if (header > name && header[component] == '/' && component > strlen(triplet) &&
            starts_with(header + component - strlen(triplet), triplet))
            header += component + 1;
        /* 1: a file begins; 3: it is the system's, or from -isystem */
        if (starts_with(line + markers, "1 3") && header > name && refusal_of(header) &&
            !is_named(format_text("%.*s", (int)(header - name), name), flags)) {
            fprintf(stderr, "%s:%d: error: %s: %s\n", from, number, header, refusal_of(header));
            exit(EXIT_FAILURE);
        }
        number = next_number;
        memcpy(from, name, sizeof from);
    }
    free(line);
    rewind(preprocessed);
}
