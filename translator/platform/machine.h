/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines that kernels are for: the one that ktap runs on, or another for which modules are only built, or run in a VM. */
#ifndef KTAP_PLATFORM_MACHINE_H
#define KTAP_PLATFORM_MACHINE_H

struct machine {
	const char *name;     /* uname's: "aarch64" */
	const char *script;   /* as scripts and users call it: "arm64" */
	const char *srcarch;  /* Kbuild's ARCH, and the name of its directory */
	const char *triplet;  /* its cross compiler is TRIPLET-gcc */
	unsigned elf;         /* e_machine */
};

/* Returns the machine that NAME is one of the two names of, or NULL. */
const struct machine *machine_find(const char *name);
/* Returns the machine whose directory of Kbuild PATH begins with, or NULL. */
const struct machine *machine_of_srcarch(const char *path);
/* Returns the machine that ktap runs on. */
const struct machine *machine_host(void);
/* Returns the machine that the script is for: the host, until another was set. */
const struct machine *machine_target(void);
void machine_set_target(const struct machine *m);
/* Returns the prefix of the programs that compile for M: "" for the host, else $CROSS_COMPILE or the usual one. */
const char *machine_compiler(const struct machine *m);

#endif
