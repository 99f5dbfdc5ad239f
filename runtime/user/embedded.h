/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Embedded C in a process: what of the C library is like the kernel's. */
#ifndef KT_USER_EMBEDDED_H
#define KT_USER_EMBEDDED_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* A process has no registers of a probe. */
static inline void kt_embedded_registers(struct kt_ctx *c)
{
	c->kregs = c->uregs = NULL;
}

/* Memory is the process's own here, the kernel's and the user's; the kernel looks whether it is there. */
static inline int kt_memory_read(struct kt_ctx *c, char *to, kt_u64 from, kt_u64 n, int user)
{
	struct iovec local = { to, n }, remote = { (void *)from, n };

	(void)user;
	if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)n)
		return 0;
	kt_faultf(c, "read fault at 0x%x", (kt_s64)from);
	return 1;
}

static inline int kt_memory_write(struct kt_ctx *c, kt_u64 to, const char *from, kt_u64 n, int user)
{
	struct iovec local = { (void *)(unsigned long)from, n }, remote = { (void *)to, n };

	(void)user;
	if (process_vm_writev(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)n)
		return 0;
	kt_faultf(c, "write fault at 0x%x", (kt_s64)to);
	return 1;
}

#include "runtime/embedded.h"

#endif
