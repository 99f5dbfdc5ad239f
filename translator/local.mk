# SPDX-License-Identifier: GPL-2.0-or-later
# One static library a directory. A directory includes itself and those above it in this list.
include translator/machine/local.mk
include translator/platform/local.mk
include translator/syntax/local.mk
include translator/debuginfo/local.mk
include translator/probe/local.mk
include translator/sema/local.mk
include translator/bpf/local.mk
include translator/gen/local.mk
include translator/module/local.mk
