# SPDX-License-Identifier: BSD-3-Clause
# Programs for many ranks: docs/ranks.md. They need MPI; without it they are left out.
#
#   RANK_PROGRAMS    files with a main that use portable_ranks.h; each becomes
#                    build/CONFIGURATION/PROGRAM
#   RANK_SOURCES     other files that may define or launch kernels, linked into each of them; they
#                    and the programs may use the harness's readers of files and options
#   MPI_CFLAGS, MPI_LIBS, MPIEXEC   default: those that pkg-config or mpicc report, and mpiexec

MPIEXEC ?= mpiexec
ifneq ($(strip $(RANK_PROGRAMS)),)
# The flags of the compiler, then those of the linker; nothing without MPI.
mpi_flags := $(if $(MPI_LIBS),,$(shell for p in mpi-c ompi mpich; do \
    pkg-config --exists $$p 2>/dev/null && exec pkg-config --cflags --libs $$p; done; \
    mpicc -showme:compile 2>/dev/null && mpicc -showme:link 2>/dev/null || \
    { mpicc -compile_info && mpicc -link_info; } 2>/dev/null | cut -d' ' -f2-))
MPI_CFLAGS ?= $(filter -I% -D%,$(mpi_flags))
MPI_LIBS ?= $(filter -L% -l% -Wl%,$(mpi_flags))
endif
missing_mpi := $(if $(RANK_PROGRAMS),$(if $(strip $(MPI_LIBS)),,there is no MPI (Debian: libopenmpi-dev and openmpi-bin)))
missing_mpiexec := $(if $(RANK_PROGRAMS),$(or $(missing_mpi),$(if $(shell command -v $(firstword $(MPIEXEC))),,there is no $(firstword \
    $(MPIEXEC)) (Debian: openmpi-bin))))

RANKS_HEADER := $(PORTABLE_HOME)/host/ranks
RANKS_KERNELS := $(HARNESS)host/ranks/kernels.c
RANKS_HOST := $(filter-out $(RANKS_KERNELS),$(sort $(wildcard $(HARNESS)host/ranks/*.c)))
RANKS_READERS := $(addprefix $(HARNESS)host/,array.c io.c matrix_market.c npy.c options.c)
RANK_PROGRAMS_BUILT := $(if $(missing_mpi),,$(RANK_PROGRAMS))
RANK_KERNEL_SOURCES := $(if $(RANK_PROGRAMS_BUILT),$(RANKS_KERNELS) $(RANK_PROGRAMS) $(RANK_SOURCES))
RANK_HOST_SOURCES := $(if $(RANK_PROGRAMS_BUILT),$(RANKS_HOST) $(RANKS_READERS))

# NCCL, where the compiler of the cuda target's host files finds its header. Evaluated once, when a
# program for the GPU is linked.
HAVE_NCCL = $(eval HAVE_NCCL := $$(if $$(RANK_PROGRAMS_BUILT),$$(if $$(HAVE_NVCC),$$(call \
    has_header,nccl.h,-isystem $$(CUDA_HOME)/include))))$(HAVE_NCCL)
ranks_libraries = $(if $(filter cuda%,$(1)),$(patsubst -Wl$(comma)%,-Xlinker %,$(MPI_LIBS)) $(if $(HAVE_NCCL),-lnccl),$(MPI_LIBS))

# $(call ranks_flags,source,flag against contraction): exact sums need each product rounded
ranks_flags = $(if $(filter $(RANKS_HOST) $(RANK_KERNEL_SOURCES) $(RANK_TESTS),$(1)),-I$(RANKS_HEADER)) \
    $(if $(filter $(RANKS_HOST),$(1)),$(MPI_CFLAGS)) $(if $(filter $(RANKS_HOST) $(RANKS_KERNELS),$(1)),$(2))

# $(call rank_programs_of,C)
rank_programs_of = $(foreach p,$(RANK_PROGRAMS_BUILT),$(B)/$(1)/$(call program_name,$(p)))
