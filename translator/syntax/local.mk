# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libsyntax.a
libsyntax_a_SOURCES = \
	translator/syntax/actions.c translator/syntax/actions.h \
	translator/syntax/ast.h \
	translator/syntax/check.c \
	translator/syntax/condition.c translator/syntax/condition.h \
	translator/syntax/declare.c \
	translator/syntax/habits.c translator/syntax/habits.h translator/syntax/habits.def \
	translator/syntax/node.c translator/syntax/nodes.def translator/syntax/ops.def \
	translator/syntax/operators.c \
	translator/syntax/parse.c translator/syntax/parse.h \
	translator/syntax/points.c \
	translator/syntax/preprocess.c \
	translator/syntax/print.c \
	translator/syntax/tokens.h
# What flex and bison write is not in the tarball: its #line directives would name the directory of another build.
nodist_libsyntax_a_SOURCES = translator/syntax/grammar.y translator/syntax/scan.l
EXTRA_DIST += $(nodist_libsyntax_a_SOURCES)
# With --disable-dependency-tracking configure makes no directories, and ylwrap needs this one.
translator/syntax/grammar.c translator/syntax/scan.c: | translator/syntax/$(am__dirstamp)

# Everything that names a token needs the header that bison writes.
BUILT_SOURCES += translator/syntax/grammar.h
$(libsyntax_a_OBJECTS): translator/syntax/grammar.h
