# SPDX-License-Identifier: GPL-2.0-or-later
# For every program and library of the tree.
noinst_LIBRARIES += libktap.a
libktap_a_SOURCES = \
	lib/arena.c lib/arena.h lib/clock.h \
	lib/bpf-rules.c lib/bpf-rules.h \
	lib/demangler.c lib/demangler.h \
	lib/diag.c lib/diag.h lib/diags.def \
	lib/interrupt.c lib/interrupt.h \
	lib/limits.c lib/limits.h \
	lib/line-header.c lib/line-header.h \
	lib/map.c lib/map.h \
	lib/mapped.c lib/mapped.h \
	lib/module-rules.c lib/module-rules.h \
	lib/packages.c lib/packages.h \
	lib/output-error.h \
	lib/paths.c lib/paths.h \
	lib/reader.h \
	lib/regular.c lib/regular.h \
	lib/rewrite.c lib/rewrite.h \
	lib/rows.c lib/rows.h \
	lib/sha256.c lib/sha256.h \
	lib/status.c lib/status.h \
	lib/trust.c lib/trust.h \
	lib/proc.c lib/proc.h \
	lib/process.c lib/process.h \
	lib/text.c lib/text.h \
	lib/vec.h \
	lib/outlet.c lib/outlet.h lib/requests.h lib/standard-files.h
if CONSTANT_STREAMS
libktap_a_SOURCES += lib/streams.c
endif
