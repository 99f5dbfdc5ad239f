# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libsema.a
libsema_a_SOURCES = \
	translator/sema/alias.c translator/sema/alias.h \
	translator/sema/autocast.c \
	translator/sema/autoprint.c translator/sema/autoprint-json.c \
	translator/sema/check.c \
	translator/sema/counters.c \
	translator/sema/dump.c \
	translator/sema/effects.c \
	translator/sema/elide.c \
	translator/sema/expand.c \
	translator/sema/fold.c \
	translator/sema/format.c \
	translator/sema/embedded.c translator/sema/embedded.h \
	translator/sema/functions.c translator/sema/functions.h \
	translator/sema/glob.c translator/sema/glob.h \
	translator/sema/infer.c \
	translator/sema/kept.c \
	translator/sema/limits.c translator/sema/limits.h \
	translator/sema/list.c translator/sema/list-places.c \
	translator/sema/once.c \
	translator/sema/optimise.c \
	translator/sema/pass.h \
	translator/sema/place-text.c translator/sema/place-text.h \
	translator/sema/plan.c translator/sema/plan.h \
	translator/sema/printed.c translator/sema/printed.h \
	translator/sema/reader-name.c \
	translator/sema/regex-parse.c translator/sema/regex-parse.h \
	translator/sema/regex.c translator/sema/regex.h \
	translator/sema/reset.c \
	translator/sema/resolve.c \
	translator/sema/sema.c translator/sema/sema.h \
	translator/sema/stat-type.c translator/sema/stat-type.h \
	translator/sema/tapset.c translator/sema/tapset.h \
	translator/sema/target.c \
	translator/sema/texts.c translator/sema/texts.h \
	translator/sema/uses.c \
	translator/sema/walk.c \
	translator/sema/words.c translator/sema/words.h
