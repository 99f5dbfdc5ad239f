/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Obstacles to building and loading a module of ours, or BPF programs, found without trying: for `ktap doctor`, for --runtime=auto, and for a
 * run before it builds anything. RULES are those of the running kernel, from module_rules_read(); a caller reads them once.
 */
#ifndef KTAP_CLI_OBSTACLES_H
#define KTAP_CLI_OBSTACLES_H

#include <stdbool.h>

#include "lib/module-rules.h"

struct kernel;

struct obstacle {
	const char *found; /* a fact, in words; NULL: there is no obstacle */
	const char *mend;  /* command, or NULL */
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

/* The first of these four. FORCED: a panic does not matter; IS_SIGNED: nor does lockdown. */
struct obstacle obstacle_loading(const struct module_rules *rules, const char *release, bool forced, bool is_signed);
/* The kernel RELEASE has no build tree here. K: its files, or NULL. */
struct obstacle obstacle_headers(const char *release, const struct kernel *k);
/* The command that installs them. */
const char *obstacle_headers_command(const char *release);
/* A program that compiles a script with the compiler CC is not installed; BUILDS_KIT: or one that builds the kit. */
struct obstacle obstacle_compiler(const char *cc, bool builds_kit);
/* This process cannot load BPF programs, or attach them to functions of the kernel. */
struct obstacle obstacle_bpf(const struct module_rules *rules);

bool obstacle_is_locked_down(const struct module_rules *rules);
/* Lockdown is unknown: this process cannot read securityfs. */
bool obstacle_lockdown_hidden(const struct module_rules *rules);
/* The first line of the small file PATH below system_root(), NULL: unreadable. */
const char *system_line(const char *path);

#endif
