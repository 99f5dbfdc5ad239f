/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that the kernel has for arguments of system calls. */
#ifndef KTAP_PROBE_SYSCALL_NAMES_H
#define KTAP_PROBE_SYSCALL_NAMES_H

#include "translator/target/target.h"

/* Position from 1 of the argument that the prototype of sys_CALL in K's headers calls NAME; 0: there is no such prototype,
 * no such argument, or there are no headers.
 */
int syscall_kernel_argument(const struct kernel *k, const char *call, const char *name);

#endif
