/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a module have a range of memory for each kind of contents, since ac3b43283923 "module: replace module_layout with
 * module_memory", v6.4? */
#include <linux/module.h>

void *kt_question(const struct module *mod)
{
	return mod->mem[MOD_RODATA].base;
}
