# SPDX-License-Identifier: GPL-2.0-or-later
# The core is compiled three ways: here into a library for the loader, the user runtime and the unit tests; by the
# kit for the kernel.
KT_CORE_SOURCES = \
	runtime/core/budget.c \
	runtime/core/bytes.h \
	runtime/core/core.h \
	runtime/core/errno.h \
	runtime/core/find.c \
	runtime/core/fp.c runtime/core/fp.h runtime/core/fp-text.c \
	runtime/core/format.c runtime/core/format.h \
	runtime/core/loop.c \
	runtime/core/probes.h \
	runtime/core/map.c runtime/core/map-memory.c runtime/core/map-memory.h runtime/core/map.h \
	runtime/core/regex.c runtime/core/regex.h \
	runtime/core/sort.c runtime/core/sort.h \
	runtime/core/stat.c runtime/core/stat.h \
	runtime/core/str.c runtime/core/str.h \
	runtime/core/text.c runtime/core/text.h \
	runtime/core/timing.h \
	runtime/core/unwind.c runtime/core/unwind.h \
	runtime/core/words.c
noinst_LIBRARIES += libcore.a
libcore_a_SOURCES = $(KT_CORE_SOURCES)
