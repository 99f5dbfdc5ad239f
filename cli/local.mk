# SPDX-License-Identifier: GPL-2.0-or-later
# ktap: the command line, its commands, and the passes in their order.
bin_PROGRAMS += ktap
# The command line; some test programs read one, too.
CLI_OPTIONS = cli/options.c cli/options.h cli/options.def cli/option-checks.c cli/option-checks.h cli/option-values.c cli/option-values.h \
	cli/defines.c cli/host.c cli/host.h cli/rcfile.c cli/rcfile.h
ktap_SOURCES = $(CLI_OPTIONS) cli/main.c \
	cli/bundle.c cli/bundle.h cli/commands.c cli/command-result.c cli/commands.h cli/complete.c cli/complete.h cli/explain.c cli/doctor.c cli/doctor.h cli/examples.c cli/fmt.c cli/help.c \
	cli/prompt/interactive.c cli/prompt/interactive.h cli/prompt/commands.c cli/prompt/complete.c \
	cli/prompt/script.c \
	cli/merge.c cli/obstacles.c cli/obstacles.h \
	cli/prompt/prompt.c cli/prompt/prompt.h \
	cli/remote/remote.c cli/remote/remote.h cli/remote/merge.h cli/remote/record.h \
	cli/script.c cli/script.h cli/run.c cli/run.h \
	cli/stap.c cli/stap.h cli/symbolize.c cli/vehicle.c cli/vehicle.h
if HAVE_JSON
ktap_SOURCES += cli/remote/merge.c cli/remote/record.c
# Records of other machines are checked against the schema.
BUILT_SOURCES += cli/remote/output-schema.h
CLEANFILES += cli/remote/output-schema.h
cli/remote/record.$(OBJEXT): cli/remote/output-schema.h
cli/remote/output-schema.h: docs/ktap-output-1.schema.json
	$(AM_V_GEN)$(MKDIR_P) cli/remote && { echo 'static const char output_schema[] =' && \
		sed 's/[\\"?]/\\&/g; s/.*/"&\\n"/' $(srcdir)/docs/ktap-output-1.schema.json && echo ';'; } >$@.tmp && mv $@.tmp $@
else
ktap_SOURCES += cli/remote/merge-none.c
endif
if HAVE_LIBEDIT
ktap_SOURCES += cli/prompt/editline.c
else
ktap_SOURCES += cli/prompt/editline-none.c
endif
ktap_LDADD = liblive.a libedit-ktap.a libvm.a libmodule.a libbpf_pass.a libgen.a libsema.a libprobe.a libdebuginfo.a libsyntax.a libplatform.a libmachine.a liboutput.a libcore.a libktap.a \
	$(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LIBKMOD_LIBS) $(LZMA_LIBS) $(LIBCRYPTO_LIBS) $(JSON_LIBS) $(NCURSES_LIBS) $(LIBEDIT_LIBS)

# What `ktap explain` prints, of the sources of ktap-errors(7).
BUILT_SOURCES += cli/explain-texts.h
CLEANFILES += cli/explain-texts.h
cli/explain.$(OBJEXT): cli/explain-texts.h
cli/explain-texts.h: man/errors.pl man/Mdoc.pm man/ktap-errors.in lib/diags.def
	$(AM_V_GEN)$(MKDIR_P) cli && $(PERL) $(srcdir)/man/errors.pl $(srcdir)/lib/diags.def \
		$(srcdir)/man/ktap-errors.in --table >$@.tmp && mv $@.tmp $@

include cli/vm/local.mk
include cli/edit/local.mk
include cli/live/local.mk
include cli/report/local.mk
