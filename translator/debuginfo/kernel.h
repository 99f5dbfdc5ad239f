/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels, for the readers of this directory; target.h has the rest. */
#ifndef KTAP_DEBUGINFO_KERNEL_H
#define KTAP_DEBUGINFO_KERNEL_H

#include <stdbool.h>

#include "lib/text.h"
#include "translator/debuginfo/target.h"

struct module_memo;
struct trace_systems;

/* Caches of a kernel, each filled on first use. */
struct kernel_kept {
	struct text config;              /* a newline and the kernel's configuration; empty: the file is missing */
	struct text map;                 /* System.map or the kernel's own table; empty: both are missing */
	struct function_table functions; /* of the map, sorted */
	struct target *base;             /* the kernel's BTF, which the BTF of modules refers to; NULL: the kernel has no BTF */
	struct module_memo *modules;     /* that were looked for */
	const char *tracing;             /* names of the modules that have tracepoints, a line each; NULL: not read yet */
	struct trace_systems *systems;   /* probe/systems.c; NULL: not read yet */
	bool config_read, map_read, functions_read, base_read;
};

/* Build-id of the kernel that runs now, NULL: unknown. */
const char *kernel_running_build_id(void);
/* The version text in the boot image's header: "6.1.0-56-cloud-amd64 (user@host) #1 SMP ... Debian 6.1.192-2". It
 * costs one page and distinguishes builds of one release. NULL: unknown. */
const char *kernel_banner(const struct kernel *k);

/* Does the name say that it is no function that anyone calls? */
bool symbol_is_padding(const char *name);

#endif
