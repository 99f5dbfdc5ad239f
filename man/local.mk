# SPDX-License-Identifier: GPL-2.0-or-later
# Pages written by hand; the others are made of the facts they describe.
dist_man_MANS += man/ktap.1 man/ktaprun.8 man/ktap-language.5 man/ktap-probes.5 man/ktap-bpf.7 man/ktap-security.7
man_MANS += man/ktap-errors.7 man/ktap-functions.5 man/ktap-syscalls.5 man/ktap-tapset.5
CLEANFILES += man/ktap-errors.7 man/ktap-functions.5 man/ktap-syscalls.5 man/ktap-tapset.5

man/ktap-syscalls.5: tapset/syscalls.pl man/Mdoc.pm $(SYSCALL_TABLE)
	$(AM_V_GEN)$(MKDIR_P) man && $(PERL) $(srcdir)/tapset/syscalls.pl $(SYSCALL_TABLE) --man >$@.tmp && mv $@.tmp $@

man/ktap-errors.7: man/errors.pl man/Mdoc.pm man/ktap-errors.in lib/diags.def
	$(AM_V_GEN)$(MKDIR_P) man && $(PERL) $(srcdir)/man/errors.pl $(srcdir)/lib/diags.def \
		$(srcdir)/man/ktap-errors.in >$@.tmp && mv $@.tmp $@

TAPSET_PAGE = $(TAPSET_FILES) tapset/made/made $(srcdir)/man/functions.pl $(srcdir)/man/Tapset.pm $(srcdir)/man/Mdoc.pm

man/ktap-functions.5: $(TAPSET_PAGE) man/functions-intro.in
	$(AM_V_GEN)$(MKDIR_P) man && $(PERL) $(srcdir)/man/functions.pl functions $(TAPSET_FILES) \
		tapset/made/*/*.stp* >$@.tmp && mv $@.tmp $@

man/ktap-tapset.5: $(TAPSET_PAGE) man/tapset-intro.in
	$(AM_V_GEN)$(MKDIR_P) man && $(PERL) $(srcdir)/man/functions.pl tapset $(TAPSET_FILES) \
		tapset/made/*/*.stp* >$@.tmp && mv $@.tmp $@
