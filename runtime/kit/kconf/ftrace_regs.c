/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does ftrace pass the parameters' registers without saving all of them, in a struct pt_regs inside struct ftrace_regs?
 * 02a474ca266a "ftrace/x86: Allow for arguments to be passed in to ftrace_regs by default", v5.11. */
#include <linux/ftrace.h>

#ifndef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#error "no arguments"
#endif

const struct pt_regs *kt_question(struct ftrace_regs *fregs)
{
	return &fregs->regs;
}
