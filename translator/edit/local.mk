# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libedit-ktap.a
libedit_ktap_a_SOURCES = \
	translator/edit/child.c translator/edit/child.h \
	translator/edit/declarations.c translator/edit/declarations.h \
	translator/edit/format.c translator/edit/format.h \
	translator/edit/outline.c translator/edit/outline.h \
	translator/edit/parsed.c translator/edit/parsed.h \
	translator/edit/pieces.c translator/edit/pieces.h \
	translator/edit/points.c translator/edit/points.h \
	translator/edit/spacing.c translator/edit/spacing.h \
	translator/edit/structure.c translator/edit/structure.h \
	translator/edit/suggest-words.h

if HAVE_JSON
libedit_ktap_a_SOURCES += \
	translator/edit/ask.c translator/edit/ask.h \
	translator/edit/diagnose.c \
	translator/edit/lookup.c translator/edit/lookup.h \
	translator/edit/server.c translator/edit/server.h \
	translator/edit/suggest.c
else
libedit_ktap_a_SOURCES += translator/edit/no-server.c translator/edit/server.h
endif

$(libedit_ktap_a_OBJECTS): translator/syntax/grammar.h
