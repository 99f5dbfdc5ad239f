/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running kernel's rules for loading modules, read without trying to load one. ktap and ktaprun both ask. */
#ifndef KTAP_BASE_MODULE_RULES_H
#define KTAP_BASE_MODULE_RULES_H

#include <stdbool.h>

struct module_rules {
	bool disabled;     /* kernel.modules_disabled: none is loaded until the next boot */
	char *lockdown;    /* the level of lockdown; NULL: none */
	bool sig_enforce;  /* module.sig_enforce: only signed modules are loaded */
	bool in_namespace; /* this process is in a user namespace, whose capabilities do not count */
};

/* Reads the files below ROOT, "" in real life. A file that is missing sets nothing. */
void module_rules_read(struct module_rules *ret, const char *root);
void module_rules_deinit(struct module_rules *rules);

#endif
