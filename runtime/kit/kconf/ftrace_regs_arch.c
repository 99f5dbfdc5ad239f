/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are the registers that ftrace passes in a struct of the architecture's own, behind an opaque struct ftrace_regs?
 * e4cf33ca4812 "ftrace: Consolidate ftrace_regs accessor functions for archs using pt_regs" and its successor, v6.13;
 * Debian's 6.12 has them too. */
#include <linux/ftrace.h>

#ifndef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#error "no arguments"
#endif

const struct pt_regs *kt_question(struct ftrace_regs *fregs)
{
	return &arch_ftrace_regs(fregs)->regs;
}
