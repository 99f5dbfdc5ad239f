/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The throwaway VM: an installed kernel under QEMU, with the host's root as a layer that is never written. */
#ifndef KTAP_CLI_VM_VM_H
#define KTAP_CLI_VM_VM_H

#include <stdbool.h>

#include "cli/vm/host.h"

struct vm_options {
	struct vm_host host;          /* from vm_host_find(); all NULL: vm_run() calls it */
	const char *release;          /* kernel to boot; NULL: vm_default_release() */
	const char *const *argv;      /* the command, NULL-terminated; argv[0] is searched in PATH */
	const char *root;             /* files before the host's: see cli/vm/root.h; NULL: none */
	const char *cwd;              /* NULL: the current directory */
	int memory_mb;                /* 0: 1024 */
	int cpus;                     /* 0: 2 */
	bool kaslr;                   /* the kernel is to pick its own address, also where that makes an emulated CPU slower to start */
	bool network;                 /* QEMU's user-mode network, for outgoing connections */
	int timeout;                  /* seconds for everything, 0: none */
	const char *kernel_args;      /* more of the kernel command line, "mitigations=off", or NULL */
	const char *const *qemu_args; /* more arguments of QEMU, NULL-terminated ("-icount", ...), or NULL */
	bool no_stdin;                /* the command gets an empty stdin */
	bool verbose;                 /* say what is started, show the kernel's console on stderr */
};

/* Boots, runs the command, ends the VM. stdin, stdout, stderr and SIGINT, SIGTERM, SIGHUP, SIGQUIT are passed on.
 * *ret_status: the command's exit status, 128 + signal. False: the VM did not get so far, or crashed; reported. */
bool vm_run(const struct vm_options *o, int *ret_status);

/* The kernel to boot when none is named: the running one where it is installed, else the newest installed one.
 * NULL: none is installed, not reported. */
const char *vm_default_release(void);

#endif
