/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Obstacles to loading a module of ours, found without trying: for `ktap doctor`, and for a run before it
 * builds anything. RULES are those of the running kernel, from module_rules_read(); a caller reads them once.
 */
#ifndef KTAP_CLI_OBSTACLES_H
#define KTAP_CLI_OBSTACLES_H

#include <stdbool.h>

#include "lib/module-rules.h"

struct obstacle {
	const char *found; /* a fact, in words; NULL: there is no obstacle */
	const char *mend;  /* command */
};

#define OBSTACLE_SIGN "ktap --sign-module=KEY,CERT SCRIPT, with a key enrolled by: mokutil --import CERT (ktap(1), SIGNED MODULES)"

/* kernel.modules_disabled; RELEASE is the running kernel. */
struct obstacle obstacle_disabled(const struct module_rules *rules, const char *release);
/* The process lacks CAP_SYS_MODULE, or has it in a container only. */
struct obstacle obstacle_privileges(const struct module_rules *rules);
/* Only signed modules are loaded. */
struct obstacle obstacle_lockdown(const struct module_rules *rules);
/* Loading a module panics the kernel (panic_on_taint). */
struct obstacle obstacle_panic(const struct module_rules *rules);

bool obstacle_is_locked_down(const struct module_rules *rules);
/* Lockdown is unknown: this process cannot read securityfs. */
bool obstacle_lockdown_hidden(const struct module_rules *rules);
/* The first line of the small file PATH below system_root(), NULL: unreadable. */
const char *system_line(const char *path);

#endif
