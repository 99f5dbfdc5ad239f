/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 5: run what pass 4 built. */
#ifndef KTAP_CLI_RUN_H
#define KTAP_CLI_RUN_H

#include "cli/options.h"

enum { COMMAND_MAX = 64 };

/* An argument vector that is built up. */
struct command {
	const char *argv[COMMAND_MAX + 1];
	int n;
};

/* Adds what ktaprun, or a program of --runtime=user, is started with for OPT, but the program and the module. */
void run_options(struct command *cmd, const struct options *opt);

/* Runs the module on this kernel or in the VM, or the program of --runtime=user. FD is the module, open: on this kernel it is
 * loaded by that, since the file at its path may be another one by now. The exit status for the shell. */
int run_module(const struct options *opt, const char *module, int fd);
/* --vm-exec: a shell command in the VM. */
int run_vm_command(const struct options *opt);
/* Sets opt->release and opt->vm, from the options, $KTAP_RELEASE and the abilities of this machine. Where the kernel cannot
 * load modules, scripts run in the VM. False: reported. */
bool run_choose_kernel(struct options *opt);
/* Checks, before anything is built, what a run needs of this machine: -o, -c, -x, and the permission to load modules. False: reported. */
bool run_check(const struct options *opt);

#endif
