# SPDX-License-Identifier: GPL-2.0-or-later
# The style sheet and the programs of `ktap report`, in the order in which they are joined.
REPORT_FILES = cli/report/page.css cli/report/dom.js cli/report/run.js cli/report/charts.js \
	cli/report/flame.js cli/report/page.js
EXTRA_DIST += cli/report/embed.pl $(REPORT_FILES)

if HAVE_JSON
ktap_SOURCES += cli/report/report.c
BUILT_SOURCES += cli/report/report-page.h
CLEANFILES += cli/report/report-page.h
cli/report/report.$(OBJEXT): cli/report/report-page.h
cli/report/report-page.h: cli/report/embed.pl $(REPORT_FILES)
	$(AM_V_GEN)$(MKDIR_P) cli/report && $(PERL) $(srcdir)/cli/report/embed.pl \
		$(REPORT_FILES:%=$(srcdir)/%) >$@.tmp && mv $@.tmp $@
else
ktap_SOURCES += cli/report/report-none.c
endif
