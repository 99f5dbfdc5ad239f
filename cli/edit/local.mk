# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libedit-ktap.a
libedit_ktap_a_SOURCES = \
	cli/edit/child.c cli/edit/child.h \
	cli/edit/declarations.c cli/edit/declarations.h \
	cli/edit/format.c cli/edit/format.h \
	cli/edit/outline.c cli/edit/outline.h \
	cli/edit/parsed.c cli/edit/parsed.h \
	cli/edit/pieces.c cli/edit/pieces.h \
	cli/edit/points.c cli/edit/points.h \
	cli/edit/spacing.c cli/edit/spacing.h \
	cli/edit/structure.c cli/edit/structure.h \
	cli/edit/suggest-words.h

if HAVE_JSON
libedit_ktap_a_SOURCES += \
	cli/edit/ask.c cli/edit/ask.h \
	cli/edit/diagnose.c \
	cli/edit/lookup.c cli/edit/lookup.h \
	cli/edit/server.c cli/edit/server.h \
	cli/edit/suggest.c
else
libedit_ktap_a_SOURCES += cli/edit/server-none.c cli/edit/server.h
endif

$(libedit_ktap_a_OBJECTS): translator/syntax/grammar.h
