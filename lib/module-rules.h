/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running kernel's rules for loading modules, read without trying to load one. ktap and ktaprun both ask. */
#ifndef KTAP_LIB_MODULE_RULES_H
#define KTAP_LIB_MODULE_RULES_H

#include <stdbool.h>

struct module_rules {
	bool disabled;     /* kernel.modules_disabled: none is loaded until the next boot */
	char *lockdown;    /* the level of lockdown; NULL: none */
	bool sig_enforce;  /* module.sig_enforce: only signed modules are loaded */
	bool in_namespace; /* this process is in a user namespace, whose capabilities do not count */
	bool hidden;       /* lockdown is unknown: securityfs is not mounted, and this process may not mount it */
	char *boot_lockdown;       /* the value of lockdown= on the kernel's command line; NULL: none */
	unsigned long fatal_taint; /* the flags of panic_on_taint that a module of ktap would set, or that are set: loading it panics */
};

/* Reads the files below ROOT, "" in real life. A file that is missing sets nothing. Where securityfs is not mounted, a process that may
 * mount it reads it all the same; no other process sees that. */
void module_rules_read(struct module_rules *ret, const char *root);
void module_rules_deinit(struct module_rules *rules);

/* Returns how to say that loading a module would panic, or NULL if it does not. To be freed. */
char *module_rules_panic(const struct module_rules *rules);

#endif
