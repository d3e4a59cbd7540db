# SPDX-License-Identifier: BSD-3-Clause
# Without portable.h's make rules: how a Makefile uses pkg-config, target by target.
CFLAGS := -std=c11 -O2 -Wall -Wextra -Werror $(shell pkg-config --cflags portable)
CUDA_HOME ?= /usr/local/cuda

serial: main.c sums.c
	$(CC) $(CFLAGS) $^ -lm -o $@
openmp: main.c sums.c
	$(CC) $(CFLAGS) -fopenmp $^ -lm -o $@
emulate: main.c sums.c
	$(CC) $(CFLAGS) $(shell pkg-config --variable=emulate_cflags portable) $^ \
	    $(shell pkg-config --variable=emulate_sources portable) -lm -o $@
cuda: main.c sums.c
	$(CC) $(CFLAGS) -DPORTABLE_TARGET_CUDA=1 -isystem $(CUDA_HOME)/include -c main.c -o main.o
	nvcc -x cu -std=c++17 -arch=sm_75 $(shell pkg-config --cflags portable) -c sums.c -o sums.o
	nvcc -arch=sm_75 main.o sums.o -o $@
