# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libgen.a
libgen_a_SOURCES = \
	translator/gen/access.c \
	translator/gen/array.c \
	translator/gen/assign.c \
	translator/gen/builds.c \
	translator/gen/counting.c \
	translator/gen/embed.c \
	translator/gen/expr.c \
	translator/gen/func.c \
	translator/gen/gen.c translator/gen/gen.h \
	translator/gen/handler.c \
	translator/gen/internal.h \
	translator/gen/match.c \
	translator/gen/memory.c \
	translator/gen/print.c \
	translator/gen/regex-parse.c translator/gen/regex-parse.h \
	translator/gen/regex.c translator/gen/regex.h \
	translator/gen/share.c translator/gen/share.h \
	translator/gen/stacks.c \
	translator/gen/stat.c \
	translator/gen/stmt.c \
	translator/gen/texts.c
