# SPDX-License-Identifier: BSD-3-Clause
# make bench TARGET=cuda PEERS=1: the kernels beside routines of vendor libraries, which
# host/bench/peers/peer.h describes. The gallery's Makefile includes this after host/portable.mk.

BENCH_VARIABLES := PEERS=1
PEER_SOURCES := $(sort $(wildcard host/bench/peers/*.cu))

ifneq ($(and $(filter-out 0,$(PEERS)),$(filter bench,$(MAKECMDGOALS))),)
ifneq ($(TARGET),cuda)
$(error PEERS=1 compares with libraries for the GPU: make bench TARGET=cuda PEERS=1)
endif
PEER_LIBRARY_DIR := $(firstword $(patsubst %/libcublas.so,%,$(wildcard $(addsuffix /libcublas.so, \
    $(CUDA_HOME)/lib64 $(CUDA_HOME)/lib $(CUDA_HOME)/targets/*/lib /usr/lib/*-linux-gnu))))
PEERS_LACK := $(strip $(if $(HAVE_NVCC),,nvcc) \
    $(foreach h,cublas_v2.h cusparse.h curand.h nppi_filtering_functions.h,\
        $(if $(wildcard $(CUDA_HOME)/include/$(h)),,$(h))) \
    $(if $(wildcard $(CUDA_HOME)/include/cub/cub.cuh $(CUDA_HOME)/include/cccl/cub/cub.cuh),,cub/cub.cuh) \
    $(if $(PEER_LIBRARY_DIR),$(foreach l,libcusparse.so libcurand.so libnppif.so,\
        $(if $(wildcard $(PEER_LIBRARY_DIR)/$(l)),,$(l))),libcublas.so))
ifneq ($(PEERS_LACK),)
$(error PEERS=1 needs cuBLAS, cuSPARSE, cuRAND, CUB and NPP of the CUDA Toolkit; not found: $(PEERS_LACK))
endif

BENCHED = $(B)/$(call variant,cuda)/gallery-peers
bench-build: $(BENCHED)
$(eval $(call nvcc_rules,$(call variant,cuda),$(PEER_SOURCES)))
$(eval $(call link_rule,$(call variant,cuda),gallery-peers,$(call sources_of,host/programs/gallery.c) $(PEER_SOURCES),\
    -L$(PEER_LIBRARY_DIR) -lcublas -lcusparse -lcurand -lnppif -Xlinker -rpath$(comma)$(PEER_LIBRARY_DIR)))
endif
