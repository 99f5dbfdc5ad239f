# SPDX-License-Identifier: GPL-2.0-or-later
# files of tapset
# The aliases of system calls are made of their table, a file per letter; the rule's target stands for all of them.
SYSCALL_TABLE = $(srcdir)/runtime/kit/syscalls.def
dist_noinst_SCRIPTS += tapset/syscalls.pl
noinst_DATA += tapset/syscalls/made

tapset/syscalls/made: tapset/syscalls.pl $(SYSCALL_TABLE)
	$(AM_V_GEN)rm -rf tapset/syscalls && $(MKDIR_P) tapset/syscalls && \
		$(PERL) $(srcdir)/tapset/syscalls.pl $(SYSCALL_TABLE) tapset/syscalls && touch $@

clean-local:
	rm -rf tapset/syscalls
