# SPDX-License-Identifier: GPL-2.0-or-later
# files of tapset
# The aliases of system calls are made from their table, a file per letter; the rule's target stands for all of them. Files with
# many similar entries are made from the templates tapset/*/*.in, below tapset/made; make install puts them beside the others.
SYSCALL_TABLE = $(srcdir)/runtime/kit/syscalls.def
TAPSET_TEMPLATES = $(srcdir)/tapset/*/*.in
# Without the system calls, which a build in the source directory leaves beside the others.
TAPSET_FILES = $(filter-out $(srcdir)/tapset/syscalls/%,$(wildcard $(srcdir)/tapset/*/*.stp $(srcdir)/tapset/*/*.stpm))
dist_noinst_SCRIPTS += tapset/syscalls.pl tapset/expand.pl tapset/prototypes.pl
noinst_DATA += tapset/syscalls/made tapset/made/made

tapset/syscalls/made: tapset/syscalls.pl $(SYSCALL_TABLE)
	$(AM_V_GEN)rm -rf tapset/syscalls && $(MKDIR_P) tapset/syscalls && \
		$(PERL) $(srcdir)/tapset/syscalls.pl $(SYSCALL_TABLE) tapset/syscalls && touch $@

tapset/made/made: tapset/expand.pl $(TAPSET_TEMPLATES)
	$(AM_V_GEN)rm -rf tapset/made && $(MKDIR_P) tapset/made && \
		$(PERL) $(srcdir)/tapset/expand.pl tapset/made $(TAPSET_TEMPLATES) && touch $@

# C prototypes of the functions that the runtime implements for the library.
BUILT_SOURCES += runtime/fn.h
CLEANFILES += runtime/fn.h
runtime/fn.h: tapset/prototypes.pl tapset/made/made $(TAPSET_FILES)
	$(AM_V_GEN)$(MKDIR_P) runtime && \
		$(PERL) $(srcdir)/tapset/prototypes.pl $(filter %.stp,$(TAPSET_FILES)) tapset/made/*/*.stp >$@.tmp && mv $@.tmp $@

clean-local:
	rm -rf tapset/syscalls tapset/made
