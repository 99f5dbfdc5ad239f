# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libprobe.a
libprobe_a_SOURCES = \
	translator/probe/access.h \
	translator/probe/context.c translator/probe/context.h \
	translator/probe/cplus.c translator/probe/cplus.h \
	translator/probe/entry.c translator/probe/entry.h \
	translator/probe/data.c \
	translator/probe/function.c \
	translator/probe/families.c \
	translator/probe/enumerators.c translator/probe/enumerators.h translator/probe/enums.c translator/probe/enums.h \
	translator/probe/kprobe.c \
	translator/probe/variant.c translator/probe/variant.h \
	translator/probe/life.c \
	translator/probe/match.c \
	translator/probe/named.c translator/probe/named.h \
	translator/probe/netfilter.c \
	translator/probe/perf.c translator/probe/perf.h \
	translator/probe/pretty.c translator/probe/pretty.h \
	translator/probe/process-return.c \
	translator/probe/procfs.c \
	translator/probe/probe.c translator/probe/registers.c translator/probe/probe.h \
	translator/probe/signal.c translator/probe/statement.c translator/probe/places.c translator/probe/places.h \
	translator/probe/process.c translator/probe/process.h translator/probe/query.h \
	translator/probe/process-event.c \
	translator/probe/process-file.c \
	translator/probe/process-mark.c \
	translator/probe/python.c translator/probe/python.h \
	translator/probe/renamed.c translator/probe/renamed.def translator/probe/renamed.h \
	translator/probe/syscall.c translator/probe/syscall-functions.c \
	translator/probe/syscall-names.c translator/probe/syscall-names.h \
	translator/probe/systems.c translator/probe/systems.h \
	translator/probe/timer.c \
	translator/probe/trace.c \
	translator/probe/watch.c translator/probe/watch.h
