/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of system calls and of their arguments. */
#ifndef KTAP_PROBE_SYSCALL_NAMES_H
#define KTAP_PROBE_SYSCALL_NAMES_H

#include "translator/target/target.h"

/* Returns the name that the library's alias of the system call NAME has ("newstat": "stat"); NULL: there is no such call. */
const char *syscall_alias(const char *name);

/* Position from 1 of the argument that the prototype of sys_CALL in K's headers calls NAME; 0: there is no such prototype,
 * no such argument, or there are no headers.
 */
int syscall_kernel_argument(const struct kernel *k, const char *call, const char *name);

#endif
