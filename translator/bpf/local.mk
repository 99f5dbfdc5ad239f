# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libbpf_pass.a
libbpf_pass_a_SOURCES = \
	translator/bpf/access.c \
	translator/bpf/array.c \
	translator/bpf/asm.c translator/bpf/asm.h \
	translator/bpf/bpf.h translator/bpf/image.c \
	translator/bpf/call.c \
	translator/bpf/code.c translator/bpf/state.h \
	translator/bpf/dump.c \
	translator/bpf/entry.c \
	translator/bpf/expr.c \
	translator/bpf/library.c translator/bpf/library.h \
	translator/bpf/location.c \
	translator/bpf/match.c \
	translator/bpf/measure.c \
	translator/bpf/print.c \
	translator/bpf/program.c translator/bpf/program.h \
	translator/bpf/sprint.c \
	translator/bpf/stat.c \
	translator/bpf/stmt.c \
	translator/bpf/task.c \
	translator/bpf/values.c
