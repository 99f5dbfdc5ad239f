/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a module have an array of references to its tracepoints, since 9c0be3f6b5d7 "tracepoint: Fix tracepoint array element size
 * mismatch", v4.20? No: CONFIG_TRACEPOINTS is off. */
#include <linux/module.h>
#include <linux/tracepoint.h>

struct tracepoint *kt_question(const struct module *mod)
{
	return mod->num_tracepoints ? tracepoint_ptr_deref(&mod->tracepoints_ptrs[0]) : NULL;
}
