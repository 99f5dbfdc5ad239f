# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libmachine.a
libmachine_a_SOURCES = \
	translator/machine/machine.c translator/machine/machine.h \
	translator/machine/x86.c translator/machine/x86.h translator/machine/x86-instruction.c translator/machine/x86-operand.c \
	translator/machine/arm64.c translator/machine/arm64.h translator/machine/arm64-instruction.c translator/machine/arm64-operand.c \
	translator/machine/riscv64.c \
	translator/machine/location.h translator/machine/instruction.h translator/machine/operand.c translator/machine/operand.h
