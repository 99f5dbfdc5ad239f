/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are the registers that ftrace passes on arm64 behind arch_ftrace_regs()?
 * 7888af4166d4 "ftrace: Make ftrace_regs abstract from direct use", v6.13. */
#include <linux/ftrace.h>

#ifndef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#error "no arguments"
#endif

unsigned long kt_question(struct ftrace_regs *fregs)
{
	return arch_ftrace_regs(fregs)->regs[8] + arch_ftrace_regs(fregs)->lr;
}
