# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libgen.a
libgen_a_SOURCES = \
	translator/gen/access.c \
	translator/gen/array.c \
	translator/gen/assign.c \
	translator/gen/builds.c \
	translator/gen/call.c \
	translator/gen/code.c \
	translator/gen/counting.c \
	translator/gen/embed.c \
	translator/gen/expr.c \
	translator/gen/foreach.c \
	translator/gen/func.c \
	translator/gen/gen.c translator/gen/gen.h \
	translator/gen/handler.c \
	translator/gen/match.c \
	translator/gen/memory.c \
	translator/gen/names.c \
	translator/gen/order.c \
	translator/gen/parts.h \
	translator/gen/print.c \
	translator/gen/share.c translator/gen/share.h \
	translator/gen/stacks.c \
	translator/gen/stat.c \
	translator/gen/state.h \
	translator/gen/stmt.c \
	translator/gen/storage.c \
	translator/gen/tables.c \
	translator/gen/variables.c
