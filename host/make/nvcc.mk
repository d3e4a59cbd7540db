# SPDX-License-Identifier: BSD-3-Clause
# portable-nvcc, which compiles CUDA C++ for the emulate target, and what it needs: in build/nvcc,
# laid out as in an installation.
#
#   bin/portable-nvcc
#   lib/portable/portable-nvcc.conf   the compilers, their flags for each check, where the headers
#                                     are
#   lib/portable/split-14.so          a plugin for clang 14, if LLVM's headers of that version are there
#   lib/portable/module-CHECK.o       linked first into each program and library with that check
#   lib/portable/cuda/                what a Makefile expects of a CUDA toolkit: bin, include, lib64
#   lib/portable/cuda/lib64/libcudart.so.13, lib/portable/cuda/lib64/CHECK/libcudart.so.13
#                                     the runtime, one for each check; a process has one of them
#   lib/portable/cuda/lib64/libcuda.so.1
#                                     the driver API
#   lib/portable/cuda/lib64/libcurand.so.10, ...
#                                     CUDA's host libraries

NVCC_TREE := $(B)/nvcc
PORTABLE_NVCC := $(NVCC_TREE)/bin/portable-nvcc
# In the checkout, from lib/portable of the tree; make install has another.
NVCC_HOST := $(abspath $(PORTABLE_HOME))
CUDA_SOURCES := $(addprefix $(PORTABLE_HOME)/host/cudart/,errors.c allocations.c nodes.c late.c streams.c memory.c \
    copies.c texture.c device.c launch.c kernels.c graph.c blas.c blas_structured.c blas_xt.c \
    image.c tool.c linker.c load.c libraries.c)
CUDA_RUNTIME := $(patsubst $(PORTABLE_HOME)/host/cudart/%.c,$(B)/emulate-runtime/cudart/%.o,$(CUDA_SOURCES))
# $(call cxx_of,compiler): the C++ compiler that belongs to a C compiler: gcc-12 has g++-12
cxx_of = $(foreach c,$(1),$(if $(findstring /,$(c)),$(dir $(c)))$(patsubst %gcc,%g++,$(patsubst \
    %clang,%clang++,$(subst gcc-,g++-,$(subst clang-,clang++-,$(notdir $(c)))))))
HAVE_CXX := $(shell for c in $(call cxx_of,$(CC) gcc $(CLANGS)); do command -v $$c && break; done)
missing_cxx := $(if $(HAVE_CXX),,there is no C++ compiler (Debian: g++ or clang))
NVCC_CHECKS := emulate $(if $(HAVE_CHECKS),$(ALL_CHECKS))
# $(call if_check,CHECK,text), $(call if_memcheck,CHECK,text,else); emulate is without a check
if_check = $(if $(filter-out emulate,$(1)),$(2))
if_memcheck = $(if $(filter memcheck,$(1)),$(2),$(3))
nvcc_runtime_of = $(patsubst %/emulate.o,%/cudart/emulate.o,$(filter-out %/guards.o,$(call runtime_of,$(1)))) \
    $(CUDA_RUNTIME) $(REFUSE) \
    $(call if_memcheck,$(1),,$(FALLBACKS))
REFUSE := $(B)/emulate-runtime/cudart/refuse.o
FALLBACKS := $(B)/emulate-runtime/cudart/fallbacks.o

$(B)/emulate-runtime/cudart/%.o: $(PORTABLE_HOME)/host/cudart/%.c $(B)/emulate-runtime/flags
	@mkdir -p $(@D)
	$(runtime_cc) $(LINES_ALONE) $(cflags_of_$*) -MD -MP -c $< -o $@
-include $(wildcard $(B)/emulate-runtime/cudart/*.d)
# The scheduler, with several OS threads.
$(B)/emulate-runtime/cudart/emulate.o: $(PORTABLE_HOME)/host/emulate/emulate.c $(B)/emulate-runtime/flags
	@mkdir -p $(@D)
	$(runtime_cc) -DPORTABLE_WORKERS_=1 -MD -MP -c $< -o $@

# Objects of a runtime, and of what is linked into modules
runtime_cc = $(call quiet,cc    $@)$(CC) -I$(PORTABLE_HOME) $(cc_emulate-runtime)

# $(call nvcc_settings,directory of host): the lines of portable-nvcc.conf
nvcc_common := -gdwarf-4 -fno-omit-frame-pointer -fno-optimize-sibling-calls -U_FORTIFY_SOURCE
# What a GPU's compiler lets a program do: docs/cuda-cpp.md#how-device-code-is-compiled.
# With g++ -O1, -findirect-inlining lets the name of a __forceinline__ function be an argument.
nvcc_device := -fno-strict-aliasing -fno-finite-loops -ffp-contract=off
# Of a check, and of it with a compiler.
define nvcc_check_settings

module.$(1)=$(notdir $(call module_of,$(1)))
modulestep.$(1)=$(notdir $(call step_modules_of,$(1)))
endef
define nvcc_compiler_settings

compile.$(1).$(2)=$(or $(call if_check,$(1),$(CHECK_CFLAGS) $(nvcc_common) $(whole_$(1)_$(2))),-fno-omit-frame-pointer)
instrument.$(1).$(2)=$(call if_check,$(1),$(instrument_$(1)_$(2)))
host.$(1).$(2)=$(host_$(1)_$(2))
link.$(1).$(2)=$(call if_check,$(1),$(wrap_$(1)))
step.$(1).$(2)=$(step_$(1)_$(2))
linkstep.$(1).$(2)=$(wrap_step_$(1))
stores.$(1).$(2)=$(stores_$(1)_$(2))
linkstores.$(1).$(2)=$(wrap_stores_$(1))
endef
# CCCL's sources: what they would use and is not here. They bind references to null, use objects of the
# stack after their end (a copy to the host by a transform_iterator), and give one name two meanings in a
# class; and g++'s tracking of variables, for debuggers, takes most of the time.
nvcc_cccl := -DPORTABLE_CUDA_CCCL=1 -DCCCL_DISABLE_NVTX -DCUB_DISABLE_CDP
define nvcc_settings
version=$(PORTABLE_VERSION)
first=$(family)
cc.gcc=gcc
cxx.gcc=g++
cc.clang=$(CLANG)
cxx.clang=$(call cxx_of,$(CLANG))
cuda.gcc=$(nvcc_device) -findirect-inlining
cuda.clang=$(nvcc_device) -fno-strict-float-cast-overflow
split=$(SPLIT)
include=$(1)/host/cudart/include
cccl=$(1)/host/cudart/cccl
cccl.macros=$(nvcc_cccl)
cccl.gcc=-fno-sanitize=null -fstack-reuse=none -fpermissive -fno-var-tracking
cccl.clang=-fno-sanitize=null
merge=$(1)/host/nvcc/merge.ld
quiet.gcc=-Wno-attributes -Wno-unknown-pragmas -Wno-psabi
quiet.clang=-Wno-unknown-attributes -Wno-ignored-attributes -Wno-unknown-pragmas
$(foreach c,$(NVCC_CHECKS),$(call nvcc_check_settings,$(c))$(foreach f,$(COMPILER_FAMILIES),$(call nvcc_compiler_settings,$(c),$(f))))
endef
PORTABLE_VERSION = $(eval PORTABLE_VERSION := $$(shell sed -n \
    's/^$$(hash)define PORTABLE_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' $$(PORTABLE_INCLUDE)/portable.h | paste -sd.))$(PORTABLE_VERSION)
$(NVCC_TREE)/lib/portable/portable-nvcc.conf: export SETTINGS = $(call nvcc_settings,$(NVCC_HOST))
$(NVCC_TREE)/lib/portable/portable-nvcc.conf: FORCE
	@$(make_build_directory) && mkdir -p $(@D) && printf '%s\n' "$$SETTINGS" | cmp -s - $@ || printf '%s\n' "$$SETTINGS" >$@

$(NVCC_TREE)/%.o: $(PORTABLE_HOME)/host/nvcc/%.c
	@mkdir -p $(@D)
	$(call quiet,cc    $@)$(CC) -I$(PORTABLE_HOME) -std=c11 $(WARNINGS) -O2 -g $(CPPFLAGS) -MMD -MP -c $< -o $@
-include $(wildcard $(NVCC_TREE)/*.d)
$(PORTABLE_NVCC): $(patsubst $(PORTABLE_HOME)/host/nvcc/%.c,$(NVCC_TREE)/%.o,$(wildcard $(PORTABLE_HOME)/host/nvcc/*.c))
	@mkdir -p $(@D)
	$(call quiet,link  $@)$(CC) $(filter %.o,$^) $(LDFLAGS) -o $@

# A plugin of clang that splits kernels, with the headers of the same version of LLVM, 14 to 19: SPLIT
# is that version, or empty. CLANG is the clang that portable-nvcc runs: CC, if it is one, or else the
# first with such headers, or the first that is there. The directory of Debian's clang has the version;
# to start clang would take a tenth of the time of make help.
split_sources := $(wildcard $(PORTABLE_HOME)/host/nvcc/split/*.cpp)
clang_of_cc := $(if $(CC_IS_CLANG),$(firstword $(foreach w,$(CC),$(if $(findstring clang,$(notdir $(w))),$(w)))))
clangs := $(or $(clang_of_cc),$(CLANGS))
split_found := $(if $(split_sources),$(shell for c in $(clangs); do \
    version=$$(readlink -f "$$(command -v $$c)" 2>/dev/null | sed -n 's,.*/llvm-\([0-9]*\)/bin/.*,\1,p'); \
    version=$${version:-$$($$c -dumpversion 2>/dev/null | sed 's/\..*//')}; \
    test "$${version:-0}" -ge 14 -a "$${version:-0}" -le 19 2>/dev/null || continue; \
    for config in llvm-config-$$version llvm-config; do \
        test "$$($$config --version 2>/dev/null | sed 's/\..*//')" = "$$version" && \
        test -e "$$($$config --includedir)/llvm/Passes/PassPlugin.h" && echo $$c $$version $$config && exit; done; done))
CLANG := $(or $(firstword $(split_found)),$(shell for c in $(clangs); do command -v $$c >/dev/null && echo $$c && break; done),clang)
SPLIT := $(if $(HAVE_CXX),$(word 2,$(split_found)))
split_config := $(word 3,$(split_found))
missing_split := $(if $(SPLIT),,there is no clang 14 to 19 with LLVM's headers of its version (Debian: \
    llvm-$(or $(shell $(CLANG) -dumpversion 2>/dev/null | sed 's/\..*//'),14)-dev))
split_plugin := $(NVCC_TREE)/lib/portable/split-$(SPLIT).so
# All sources at once: a compiler spends most of its time on LLVM's headers.
$(split_plugin): $(split_sources) $(wildcard $(PORTABLE_HOME)/host/nvcc/split/*.h) $(PORTABLE_HOME)/host/emulate/thread_loop.h
	@mkdir -p $(@D)
	$(call quiet,c++   $@)printf '#include "%s"\n' $(patsubst $(PORTABLE_HOME)/%,%,$(filter %.cpp,$^)) | \
	    $(HAVE_CXX) -std=c++17 -O2 -fPIC -shared -fvisibility=hidden -fno-exceptions -fno-rtti -Wall -Wextra -Wshadow \
	    $(patsubst -I%,-isystem %,$(shell $(split_config) --cppflags)) -I$(PORTABLE_HOME) $(CPPFLAGS) -x c++ - $(LDFLAGS) -o $@

# By this file Meson finds the toolkit of a version; it follows no link to include.
nvcc_version_file = sed -n 's/^\#define CUDART_VERSION \([0-9]*\)0\([0-9]\)0$$/CUDA Version \1.\2/p' \
    $(PORTABLE_HOME)/host/cudart/include/cuda_runtime_api.h >$(1)/version.txt

# Meson looks for the libraries of a machine here.
nvcc_target_directory = mkdir -p $(1)/targets && ln -sfn lib64 $(1)/lib && \
    ln -sfn .. $(1)/targets/$(if $(filter aarch64-%,$(CC_MACHINE)),sbsa,x86_64)-linux

# The rest of a toolkit's tree.
$(NVCC_TREE)/lib/portable/cuda/bin/nvcc: $(PORTABLE_NVCC)
	@mkdir -p $(@D) $(@D)/../lib64
	@ln -sfn $(NVCC_HOST)/host/cudart/include $(@D)/../include
	@$(call nvcc_target_directory,$(@D)/..)
	@$(call nvcc_version_file,$(@D)/..)
	@ln -sfn ../../../../bin/portable-nvcc $@

# Fallbacks for the functions of the checks and of the installed sanitizers that instrumented code
# calls: a runtime that lacks one refuses (host/cudart/refuse.c). memcheck's runtime has them in a
# library that is searched after the sanitizers'.
CHECKS_WITH_CALLS := $(addprefix $(B)/emulate-runtime/,$(if $(HAVE_CHECKS),racecheck.o memcheck.o))
$(B)/emulate-runtime/cudart/fallbacks.list: $(CHECKS_WITH_CALLS) $(B)/emulate-runtime/flags
	@mkdir -p $(@D)
	@for cc in $(CC) gcc clang; do \
	    for name in asan.so ubsan.so clang_rt.asan-$(firstword $(subst -, ,$(CC_MACHINE))).so; do \
	        library=$$($$cc -print-file-name=lib$$name 2>/dev/null) && test -e "$$library" && \
	            nm -D --defined-only "$$library"; done; done | \
	    sed -n 's/^[0-9a-f]* \([A-Z]\) \(__\(asan\|ubsan\)_[a-z0-9_]*\)$$/\1 \2/p' | \
	    grep -v '_default_\(options\|suppressions\)$$\|_on_\(error\|report\)$$' >$@.new
	@test -z "$(CHECKS_WITH_CALLS)" || nm $(CHECKS_WITH_CALLS) | \
	    sed -n 's/^.* T \(__\(tsan\|wrap\)_[a-z0-9_]*\)$$/T \1/p; s/^.* U \(__\(asan\|ubsan\|lsan\|sanitizer\)_[a-z0-9_]*\)$$/T \1/p' >>$@.new
	@sed 's/^[BDRV] /D /; s/^[TW] /T /' $@.new | sort -u >$@ && rm $@.new
fallbacks_c = sed -n 's/^D \(.*\)/WEAK char \1[64];/p; s/^T \(.*\)/FALLBACK(\1)/p'
$(FALLBACKS:.o=.c): $(B)/emulate-runtime/cudart/fallbacks.list
	@{ echo '#include "host/cudart/fallback.h"'; $(fallbacks_c) $<; } >$@
$(FALLBACKS): %.o: %.c $(PORTABLE_HOME)/host/cudart/fallback.h $(B)/emulate-runtime/flags
	$(runtime_cc) -w -g0 -fno-builtin -c $< -o $@

NVCC_LIB64 := $(NVCC_TREE)/lib/portable/cuda/lib64
# $(call cudart_of,CHECK): the runtime; emulate: without a check
cudart_of = $(NVCC_LIB64)/$(call if_check,$(1),$(1)/)libcudart.so.13
# A check is a part of each module: its constructor, and memcheck's guards.
module_of = $(call if_check,$(1),$(NVCC_TREE)/lib/portable/module-$(1).o)
# For warps in lockstep. racecheck, initcheck and memcheck see the accesses themselves.
step_modules_of = $(addprefix $(NVCC_TREE)/lib/portable/,lockstep.o $(if $(filter emulate synccheck fpcheck,$(1)),steps.o))
MODULES := $(sort $(foreach c,$(NVCC_CHECKS),$(call module_of,$(c)) $(call step_modules_of,$(c))))
$(NVCC_TREE)/lib/portable/%.o: $(PORTABLE_HOME)/host/cudart/%.c $(B)/emulate-runtime/flags
	@mkdir -p $(@D)
	$(runtime_cc) -g0 -MD -MP -MF $(NVCC_TREE)/$*.d -c $< -o $@
$(NVCC_TREE)/lib/portable/module-%.o: $(PORTABLE_HOME)/host/cudart/module.c $(PORTABLE_HOME)/host/cudart/module.h $(PORTABLE_HOME)/host/cudart/note.h $(PORTABLE_HOME)/host/checks/guards.c $(B)/emulate-runtime/flags
	@mkdir -p $(@D)
	$(runtime_cc) -g0 -DPORTABLE_CHECK='"$*"' \
	    -DPORTABLE_MEMCHECK=$(call if_memcheck,$*,1,0) -c $< -o $@

# A runtime stays loaded: its memory and its handlers of signals do, too.
# Functions of a runtime call each other directly; its data is also the program's. memcheck's calls
# of the sanitizers must reach their library, which comes after it if both are preloaded.
# A module that another compiler linked calls the sanitizer's reports by their own names.
memcheck_reports = $(foreach w,$(patsubst -Wl$(comma)--wrap=%,%,$(wrap_memcheck)),-Wl,--defsym=$(w)=__wrap_$(w))
# Programs have the runtime API's functions by the names portable_cudaMalloc and so on; dlsym and
# ctypes ask for cudaMalloc.
CUDART_NAMES := $(B)/emulate-runtime/cudart/names.ld
$(CUDART_NAMES): $(CUDA_RUNTIME)
	@nm $(CUDA_RUNTIME) | sed -n 's/^.* T portable_\(cuda[A-Z].*\)$$/\1 = portable_\1;/p' | sort -u >$@
# $(call link_cudart,check,soname,lib64 as seen from its directory)
link_cudart = $(CC) -shared -Wl,-soname,$(2),--gc-sections,-z,nodelete $(LDFLAGS) \
    $(call if_check,$(1),$(wrap_$(1))) \
    $(call if_memcheck,$(1),$(memcheck_reports),-Wl$(comma)-Bsymbolic-functions) \
    -Wl,--disable-new-dtags,-rpath,'$$ORIGIN$(3)' $(call nvcc_runtime_of,$(1)) $(CUDART_NAMES) \
    $(foreach l,$(call fallbacks_of,$(1)),-Wl,--push-state,--no-as-needed $(l) -Wl,--pop-state) \
    -lm -lpthread -ldl
# memcheck's fallbacks, which must come after the sanitizers
fallbacks_of = $(call if_memcheck,$(1),$(NVCC_LIB64)/libportable_fallbacks.so)
$(NVCC_LIB64)/libportable_fallbacks.so: $(FALLBACKS) $(REFUSE)
	@mkdir -p $(@D)
	$(call quiet,link  $@)$(CC) -shared -Wl,-soname,$(@F) $(LDFLAGS) $^ -ldl -o $@
define cudart_rule
$(call cudart_of,$(1)): $(call nvcc_runtime_of,$(1)) $(CUDART_NAMES) $(call fallbacks_of,$(1))
	@mkdir -p $$(@D)
	$$(call quiet,link  $$@)$$(call link_cudart,$(1),libcudart.so.13,$(call if_check,$(1),/..)) -o $$@
endef
$(foreach c,$(NVCC_CHECKS),$(eval $(call cudart_rule,$(c))))

# What another compiler links with: -lcudart, or the path of a static library that is none: it has
# the linker record the runtime's absolute path, because nobody passes an -rpath for a static one.
# $(call static_cudart,directory of the link,lib64 as programs will find it)
define static_cudart
	$(call quiet,link  $(1)/libcudart_static.a)mkdir -p $(1)/stubs && rm -f $(1)/libcudart_static.a && \
	    $(call link_cudart,emulate,$(2)/libcudart.so.13,/..) -o $(1)/stubs/libcudart_static.so
	@printf '%s\n' '/* The runtime, by its absolute path. */' \
	    'INPUT($(2)/stubs/libcudart_static.so)' >$(1)/libcudart_static.a
endef
# The driver API, above whichever runtime the process has. As with CUDA, programs are linked with
# stubs/libcuda.so, which has them find the library by its absolute path.
# $(call link_cuda,soname,lib64 as seen from its directory)
DRIVER := $(addprefix $(B)/emulate-runtime/cudart/,driver.o driver_arrays.o driver_memory.o driver_modules.o)
link_cuda = $(CC) -shared -Wl,-soname,$(1),-z,nodelete $(LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN$(2)' \
    $(DRIVER) $(call cudart_of,emulate) -ldl
define static_cuda
	$(call quiet,link  $(1)/stubs/libcuda.so)mkdir -p $(1)/stubs && \
	    $(call link_cuda,$(2)/libcuda.so.1,/..) -o $(1)/stubs/libcuda.so
endef
$(NVCC_LIB64)/libcuda.so.1: $(DRIVER) $(call cudart_of,emulate)
	$(call quiet,link  $@)$(call link_cuda,libcuda.so.1) -o $@
$(NVCC_LIB64)/stubs/libcuda.so: $(NVCC_LIB64)/libcuda.so.1
	$(call static_cuda,$(<D),$(abspath $(<D)))

# $(call pkg_config,--libs,packages): empty without the packages
pkg_config = $(shell pkg-config $(1) $(2) 2>/dev/null)
libraries_of_cufft := $(call pkg_config,--libs,fftw3 fftw3f)
cflags_of_fft = $(call pkg_config,--cflags,fftw3 fftw3f)
libraries_of_cusolver := $(call pkg_config,--libs,lapacke)
# One expression calls LAPACKE's functions of all types.
cflags_of_solver = $(call pkg_config,--cflags,lapacke) -Wno-c++-compat -Wno-incompatible-pointer-types
# CUDA's host libraries, each with the suffix that CUDA's has: its objects, and the libraries that
# it is linked with. They are above whichever runtime the process has.
CUDA_LIBRARIES := $(if $(HAVE_CXX),curand.10) $(if $(libraries_of_cufft),cufft.12) \
    $(if $(libraries_of_cusolver),cusolver.12) cusparse.12 nccl.2 nvidia-ml.1 nvrtc.13 nvJitLink.13
objects_of_curand := rand.o
objects_of_cufft := fft.o
objects_of_cusolver := solver.o
objects_of_cusparse := sparse.o
objects_of_nccl := nccl.o
objects_of_nvidia-ml := nvml.o
objects_of_nvrtc := nvrtc.o
objects_of_nvJitLink := jit_link.o

cxx_emulate-runtime = $(filter-out -std=c11 -Wstrict-prototypes -Wc++-compat -Werror=implicit-%,$(cc_emulate-runtime)) \
    -std=c++17 -fno-exceptions -fno-rtti
$(B)/emulate-runtime/cudart/%.o: $(PORTABLE_HOME)/host/cudart/%.cpp $(B)/emulate-runtime/flags
	@mkdir -p $(@D)
	$(call quiet,c++   $@)$(HAVE_CXX) -I$(PORTABLE_HOME) $(cxx_emulate-runtime) $(LINES_ALONE) -MD -MP -c $< -o $@

library_objects = $(addprefix $(B)/emulate-runtime/cudart/,$(objects_of_$(basename $(1))))
library_file = $(NVCC_LIB64)/lib$(basename $(1)).so$(suffix $(1))
# $(call link_library,library,soname,lib64 as seen from its directory)
link_library = $(CC) -shared -Wl,-soname,$(2),-z,defs $(LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN$(3)' \
    $(call library_objects,$(1)) $(call cudart_of,emulate) $(libraries_of_$(basename $(1))) \
    $(patsubst -L%,-Wl$(comma)-rpath$(comma)%,$(filter -L%,$(libraries_of_$(basename $(1))))) -lm -lpthread
define library_rule
$(call library_file,$(1)): $(call library_objects,$(1)) $(call cudart_of,emulate)
	$$(call quiet,link  $$@)$$(call link_library,$(1),$$(@F)) -o $$@ && ln -sf $$(@F) $$(@D)/lib$(basename $(1)).so
endef
$(foreach l,$(CUDA_LIBRARIES),$(eval $(call library_rule,$(l))))
# As for libcudart_static.a: the library, by its absolute path.
# $(call static_libraries,directory of the link,lib64 as programs will find it)
define static_library
	$(call quiet,link  $(2)/lib$(basename $(1))_static.a)mkdir -p $(2)/stubs && \
	    $(call link_library,$(1),$(3)/lib$(basename $(1)).so$(suffix $(1)),/..) -o $(2)/stubs/lib$(basename $(1))_static.so && \
	    echo 'INPUT($(3)/stubs/lib$(basename $(1))_static.so)' >$(2)/lib$(basename $(1))_static.a

endef
static_libraries = $(foreach l,$(CUDA_LIBRARIES),$(call static_library,$(l),$(1),$(2)))
$(NVCC_LIB64)/stubs/libraries: $(foreach l,$(CUDA_LIBRARIES),$(call library_file,$(l)))
	@mkdir -p $(@D)
	$(call static_libraries,$(NVCC_LIB64),$(abspath $(NVCC_LIB64)))
	@echo $(CUDA_LIBRARIES) >$@

CUDART_LINKS := libcudart.so libcudart.so.12 libcudart.so.11.0
$(NVCC_LIB64)/libcudart_static.a: $(call cudart_of,emulate)
	$(call static_cudart,$(@D),$(abspath $(@D)))
	@rm -f $(@D)/libcudart.a && for link in $(CUDART_LINKS); do ln -sf libcudart.so.13 $(@D)/$$link; done && \
	    for empty in cudadevrt cublas cublasLt; do rm -f $(@D)/lib$$empty.a && ar rcs $(@D)/lib$$empty.a; done

NVCC_FILES := $(PORTABLE_NVCC) $(NVCC_TREE)/lib/portable/portable-nvcc.conf \
    $(if $(SPLIT),$(split_plugin)) $(NVCC_TREE)/lib/portable/cuda/bin/nvcc $(NVCC_LIB64)/libcudart_static.a \
    $(NVCC_LIB64)/libcuda.so.1 $(NVCC_LIB64)/stubs/libcuda.so $(NVCC_LIB64)/stubs/libraries $(MODULES) $(foreach c,$(NVCC_CHECKS),$(call cudart_of,$(c)))
portable-nvcc: $(if $(missing_emulate),,$(NVCC_FILES)) ## the compiler for CUDA C++ on the CPU: build/nvcc/bin/portable-nvcc
	$(or $(call refuse_target,emulate),@echo "$(PORTABLE_NVCC)")
.PHONY: portable-nvcc
