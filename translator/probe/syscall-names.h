/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of system calls, of their arguments, and of the kernel's functions. */
#ifndef KTAP_PROBE_SYSCALL_NAMES_H
#define KTAP_PROBE_SYSCALL_NAMES_H

#include "translator/debuginfo/target.h"

/* Returns the name that the library's alias of the system call NAME has ("newstat": "stat"); NULL: there is no such call. */
const char *syscall_alias(const char *name);

/* Position from 1 of the argument that the prototype of sys_CALL in K's headers calls NAME; 0: there is no such prototype,
 * no such argument, or there are no headers.
 */
int syscall_kernel_argument(const struct kernel *k, const char *call, const char *name);

/* ---- the kernel's functions ---- */
/* Reads K's System.map. Without one, all distances are 0. */
struct call_functions *syscall_functions(const struct kernel *k, const struct machine *m);
/* Distance of the kernel's function of CALL, which has NUMBER, from _printk(), or printk() before that name; 0: it is unknown. */
int64_t syscall_function(const struct call_functions *f, const char *call, int number);
/* The same for 32-bit programs on x86. */
int64_t syscall_compat_function(const struct call_functions *f, const char *call, int number);

#endif
