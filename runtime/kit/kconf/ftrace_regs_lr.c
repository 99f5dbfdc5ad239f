/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does ftrace pass some registers of arm64 as members of struct ftrace_regs?
 * 26299b3f6ba2 "ftrace: arm64: move from REGS to ARGS", v6.2. */
#include <linux/ftrace.h>

#ifndef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#error "no arguments"
#endif

unsigned long kt_question(struct ftrace_regs *fregs)
{
	return fregs->regs[8] + fregs->lr;
}
