# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libbase.a
libbase_a_SOURCES = \
	translator/base/arena.c translator/base/arena.h translator/base/clock.h \
	translator/base/diag.c translator/base/diag.h translator/base/diags.def \
	translator/base/interrupt.c translator/base/interrupt.h \
	translator/base/kernels.c translator/base/kernels.h \
	translator/base/limits.c translator/base/limits.h \
	translator/base/line_header.c translator/base/line_header.h \
	translator/base/map.c translator/base/map.h \
	translator/base/mapped.c translator/base/mapped.h \
	translator/base/machine.c translator/base/machine.h \
	translator/base/module_rules.c translator/base/module_rules.h \
	translator/base/needs.c translator/base/needs.h translator/base/packages.c translator/base/packages.h \
	translator/base/output-error.h \
	translator/base/paths.c translator/base/paths.h \
	translator/base/reader.h \
	translator/base/regular.c translator/base/regular.h \
	translator/base/rewrite.c translator/base/rewrite.h \
	translator/base/rust.c \
	translator/base/sha256.c translator/base/sha256.h \
	translator/base/settings.c translator/base/settings.h \
	translator/base/status.c translator/base/status.h \
	translator/base/trust.c translator/base/trust.h \
	translator/base/proc.c translator/base/proc.h \
	translator/base/text.c translator/base/text.h \
	translator/base/vec.h \
	runtime/outlet.c runtime/outlet.h runtime/requests.h
