/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Do modules keep their symbols, in the form that has been theirs since 1c7651f43777 "kallsyms: store type information in its
 * own array", v5.2? No: CONFIG_KALLSYMS is off. */
#include <linux/module.h>

const char *kt_question(const struct module *mod, unsigned int i)
{
	const struct mod_kallsyms *k = mod->kallsyms;

	return k->strtab + k->symtab[i].st_name + k->typetab[i] + kallsyms_symbol_value(&k->symtab[i]);
}
