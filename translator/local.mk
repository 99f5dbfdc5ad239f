# SPDX-License-Identifier: GPL-2.0-or-later
# One static library a floor, so that each folder builds by itself.
bin_PROGRAMS += ktap
ktap_SOURCES = translator/main.c translator/defines.c translator/options.c translator/options.h \
	translator/bundle.c translator/bundle.h translator/commands.c translator/command_result.c translator/commands.h translator/complete.c translator/complete.h translator/explain.c translator/doctor.c translator/doctor.h translator/examples.c translator/fmt.c translator/help.c \
	translator/interactive.c translator/interactive.h translator/interactive-commands.c translator/interactive-complete.c \
	translator/interactive-script.c \
	translator/merge.c translator/obstacles.c translator/obstacles.h \
	translator/prompt.c translator/prompt.h \
	translator/rcfile.c translator/rcfile.h \
	translator/remote.c translator/remote.h translator/remote-host.c translator/remote-host.h translator/remote-merge.h translator/remote-record.h \
	translator/script.c translator/script.h translator/run.c translator/run.h \
	translator/stap.c translator/stap.h translator/symbolize.c
if HAVE_JSON
ktap_SOURCES += translator/remote-merge.c translator/remote-record.c
# Records of other machines are checked against the schema.
BUILT_SOURCES += translator/output-schema.h
CLEANFILES += translator/output-schema.h
translator/remote-record.$(OBJEXT): translator/output-schema.h
translator/output-schema.h: docs/ktap-output-1.schema.json
	$(AM_V_GEN)$(MKDIR_P) translator && { echo 'static const char output_schema[] =' && \
		sed 's/[\\"?]/\\&/g; s/.*/"&\\n"/' $(srcdir)/docs/ktap-output-1.schema.json && echo ';'; } >$@.tmp && mv $@.tmp $@
else
ktap_SOURCES += translator/remote-merge-none.c
endif
if HAVE_LIBEDIT
ktap_SOURCES += translator/prompt-editline.c
else
ktap_SOURCES += translator/prompt-plain.c
endif
ktap_LDADD = liblive.a libedit-ktap.a libbuild.a libgen.a libsema.a libprobe.a libtarget.a libsyntax.a libjson.a libcore.a libbase.a \
	$(ELFUTILS_LIBS) $(ZYDIS_LIBS) $(LIBBPF_LIBS) $(LIBKMOD_LIBS) $(LZMA_LIBS) $(LIBCRYPTO_LIBS) $(JSON_LIBS) $(NCURSES_LIBS) $(LIBEDIT_LIBS)

# What `ktap explain` prints, of the sources of ktap-errors(7).
BUILT_SOURCES += translator/explain-texts.h
CLEANFILES += translator/explain-texts.h
translator/explain.$(OBJEXT): translator/explain-texts.h
translator/explain-texts.h: man/errors.pl man/Mdoc.pm man/ktap-errors.in translator/base/diags.def
	$(AM_V_GEN)$(MKDIR_P) translator && $(PERL) $(srcdir)/man/errors.pl $(srcdir)/translator/base/diags.def \
		$(srcdir)/man/ktap-errors.in --table >$@.tmp && mv $@.tmp $@

include translator/base/local.mk
include translator/syntax/local.mk
include translator/target/local.mk
include translator/probe/local.mk
include translator/sema/local.mk
include translator/gen/local.mk
include translator/build/local.mk
include translator/edit/local.mk
include translator/live/local.mk
include translator/report/local.mk
