/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels, for the readers of this directory; target.h has the rest. */
#ifndef KTAP_DEBUGINFO_KERNEL_H
#define KTAP_DEBUGINFO_KERNEL_H

#include <stdbool.h>

struct kernel;

/* Build-id of the kernel that runs now, NULL: unknown. */
const char *kernel_running_build_id(void);
/* The version text in the boot image's header: "6.1.0-56-cloud-amd64 (user@host) #1 SMP ... Debian 6.1.192-2". It
 * costs one page and distinguishes builds of one release. NULL: unknown. */
const char *kernel_banner(const struct kernel *k);

/* Does the name say that it is no function that anyone calls? */
bool symbol_is_padding(const char *name);

#endif
