# SPDX-License-Identifier: GPL-2.0-or-later
# The style sheet and the programs of `ktap report`, in the order in which they are joined.
REPORT_FILES = translator/report/page.css translator/report/dom.js translator/report/run.js translator/report/charts.js \
	translator/report/flame.js translator/report/page.js
EXTRA_DIST += translator/report/embed.pl $(REPORT_FILES)

if HAVE_JSON
ktap_SOURCES += translator/report.c
BUILT_SOURCES += translator/report-page.h
CLEANFILES += translator/report-page.h
translator/report.$(OBJEXT): translator/report-page.h
translator/report-page.h: translator/report/embed.pl $(REPORT_FILES)
	$(AM_V_GEN)$(MKDIR_P) translator && $(PERL) $(srcdir)/translator/report/embed.pl \
		$(REPORT_FILES:%=$(srcdir)/%) >$@.tmp && mv $@.tmp $@
else
ktap_SOURCES += translator/report-none.c
endif
