# SPDX-License-Identifier: BSD-3-Clause
# compile_commands.json, for clangd and other tools: docs/editors.md.
#
# It has each source with the flags of TARGET, and also OTHER_SOURCES, which the rules do not
# compile: kernels that other files include, for example. EMULATE_SOURCES have the emulate target's
# flags in each view.

OTHER_SOURCES ?= $(wildcard kernels/*.c)
# clangd is clang, so CUDA files get clang's flags in place of nvcc's: the host side, with the parts
# of CUDA 13 that clang 14 lacks. CLANG_CUDA_FLAGS are the project's additions.
clang_cuda = clang++ -xcuda --cuda-host-only --cuda-gpu-arch=sm_75 \
    $(if $(CUDA_HOME),--cuda-path=$(CUDA_HOME)) \
    -nocudalib -Wno-unknown-cuda-version -D__CLANG_CUDA_TEXTURE_INTRINSICS_H__ \
    -I$(PORTABLE_HOME)/host/project/editors -Xclang -fcuda-allow-variadic-functions \
    -Xclang -target-sdk-version=11.5 \
    $(addprefix -isystem ,$(wildcard $(CUDA_HOME)/include/cccl)) \
    -std=c++17 -Wall -Wextra $(PORTABLE_INCLUDES) $(OPTION_FLAGS) $(CLANG_CUDA_FLAGS)
seen_as_cuda = $(filter %.cu $(if $(filter cuda,$(TARGET)),$(NVCC_SOURCES) $(OTHER_SOURCES)),$(1))
compile_with = $(if $(seen_as_cuda),$(clang_cuda) $(if $(call device_launch_sources,$(1)),-D__CUDACC_RDC__),\
    $(CC) $(if $(filter $(1),$(EMULATE_SOURCES)),$(cc_emulate),$(cc_$(call variant,$(TARGET)))) $(includes_of))
define compile_command
	@$(PORTABLE_HOME)/host/project/editors/compile_command.sh $@.tmp $(1) $(call compile_with,$(1)) -c $(1)

endef
compile_commands.json: FORCE $(PAGE_CSS) ## how each source is compiled, for clangd and editors; TARGET=emulate or cuda
	$(if $(filter cuda,$(TARGET)),$(if $(CUDA_HOME),,@echo "$@ cannot be made for TARGET=cuda: there is no CUDA Toolkit (set CUDA_HOME)." >&2; exit 1))
	@rm -f $@.tmp
	$(foreach s,$(sort $(wildcard $(NVCC_SOURCES) $(CC_SOURCES) $(OTHER_SOURCES) \
	    $(EMULATE_SOURCES) $(SOURCES))),$(call compile_command,$(s)))
	@printf '\n]\n' >>$@.tmp
	@if cmp -s $@.tmp $@; then rm -f $@.tmp; else mv $@.tmp $@; fi
	@echo "$@: $$(grep -c '"file"' $@) files, $(TARGET)"
