/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Embedded C in a module: the headers that SystemTap's scripts count on. */
#ifndef KT_KIT_EMBEDDED_H
#define KT_KIT_EMBEDDED_H

#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/version.h> /* scripts compare versions; we do not */
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#include "runtime/kit/old-kernel.h"

/* Features that scripts test for and every supported kernel has. */
#define STAPCONF_DPATH_PATH 1
#define STAPCONF_LINUX_UIDGID_H 1

/* Functions that scripts call and newer kernels removed. */
#define fcheck_files(files, fd) kt_old_fcheck_files(files, fd)
#define kernel_getsockopt(sock, level, name, value, len) kt_old_getsockopt(sock, level, name, value, len)

/* CONTEXT->kregs in probes of the kernel, CONTEXT->uregs in probes of programs. */
static inline void kt_embedded_registers(struct kt_ctx *c)
{
	struct pt_regs *regs = (struct pt_regs *)c->regs;
	bool user = c->flags & KT_CTX_USER_REGS;

	c->kregs = user ? NULL : regs;
	c->uregs = user ? regs : NULL;
}

/* The register with a DWARF number, of the kernel at the probe or of the program. A read that faults goes on at deref_fault. */
#define KT_REGISTER_GET(get, number)                                      \
	({                                                                \
		kt_s64 kt_register_ = (kt_s64)get(KT_CONTEXT, (number));  \
                                                                          \
		if (KT_CONTEXT->error)                                    \
			goto deref_fault;                                 \
		kt_register_;                                             \
	})
#define KT_REGISTER_SET(number, value)                                    \
	do {                                                              \
		kt_set_register(KT_CONTEXT, (number), (kt_u64)(value));   \
		if (KT_CONTEXT->error)                                    \
			goto deref_fault;                                 \
	} while (0)
#define k_fetch_register(number) KT_REGISTER_GET(kt_register, number)
#define u_fetch_register(number) KT_REGISTER_GET(kt_user_register, number)
#define k_store_register(number, value) KT_REGISTER_SET(number, value)
#define u_store_register(number, value)                                           \
	do {                                                                      \
		if (!(KT_CONTEXT->flags & KT_CTX_USER_REGS)) {                    \
			kt_error(KT_CONTEXT, "this probe is not in a program");   \
			goto deref_fault;                                         \
		}                                                                 \
		KT_REGISTER_SET(number, value);                                   \
	} while (0)

/* How many of N bytes one access takes. */
static inline kt_u32 kt_memory_step(kt_u64 n) { return n >= 8 ? 8 : n >= 4 ? 4 : n >= 2 ? 2 : 1; }

/* An error that was raised BEFORE stays when the accesses raised none. */
static inline int kt_memory_failed(struct kt_ctx *c, const char *before)
{
	if (c->error)
		return 1;
	c->error = before;
	return 0;
}

/* N bytes from FROM to TO. Not 0: one of them is not there, and an error is raised. Context: any. */
static inline int kt_memory_read(struct kt_ctx *c, char *to, kt_u64 from, kt_u64 n, int user)
{
	const char *before = c->error;
	kt_u32 size;

	for (c->error = NULL; n && !c->error; to += size, from += size, n -= size) {
		kt_u64 word;

		size = kt_memory_step(n);
		word = user ? kt_deref_user(c, from, size) : kt_deref(c, from, size);
		__builtin_memcpy(to, &word, size);
	}
	return kt_memory_failed(c, before);
}

static inline int kt_memory_write(struct kt_ctx *c, kt_u64 to, const char *from, kt_u64 n, int user)
{
	const char *before = c->error;
	kt_u32 size;

	for (c->error = NULL; n && !c->error; to += size, from += size, n -= size) {
		kt_u64 word = 0;

		size = kt_memory_step(n);
		__builtin_memcpy(&word, from, size);
		if (user)
			kt_store_user(c, to, word, size);
		else
			kt_store(c, to, word, size);
	}
	return kt_memory_failed(c, before);
}

#include "runtime/embedded.h"

#endif
