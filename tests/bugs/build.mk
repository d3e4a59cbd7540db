# SPDX-License-Identifier: BSD-3-Clause
# Builds the known bugs and their twins, for tests/bugs/run.sh, which passes the list:
#
#   make -k -f tests/bugs/build.mk BUILD=dir PROGRAMS_OF_BUGS="leak.0.memcheck leak.1.memcheck" bugs
#
# leak.0.memcheck is tests/bugs/leak.c with FIXED=0 in configuration memcheck: the program of
# `make memcheck SOURCES=...`, built in dir/run but not run.

include Makefile

part = $(word $(2),$(subst ., ,$(1)))

define bug_rule
$(B)/run/$(1): private SOURCES = tests/bugs/$(call part,$(1),1).c
$(B)/run/$(1): private OWN_DEFINES = -DFIXED=$(call part,$(1),2)
$(B)/run/$(1): tests/bugs/$(call part,$(1),1).c tests/bugs/bug.h portable.h \
    $(call runtime_of,$(call part,$(1),3)) $(B)/$(call part,$(1),3)/flags
	@mkdir -p $$(@D)
	$$(call build_own,$(call part,$(1),3),$(1))

bugs: $(B)/run/$(1)
endef

$(foreach p,$(PROGRAMS_OF_BUGS),$(eval $(call bug_rule,$(p))))
.PHONY: bugs
