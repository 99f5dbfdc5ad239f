/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory: the kit's own, the kernel's and that of programs. */
#ifndef KT_KIT_MEMORY_H
#define KT_KIT_MEMORY_H

#include <linux/types.h>

#include "runtime/kit/compat.h"
#include "runtime/script.h"

/* ---- alloc.c ---- */
/* Returns whether the kernel has SIZE bytes to spare, with a reserve for others. */
bool kt_memory_for(u64 size);
/* For each possible CPU a pointer to SIZE bytes, which begin as zeroes; NULL: no memory. Context: process, sleeps. */
void *__percpu *kt_percpu_alloc(u64 size);
void kt_percpu_free(void *__percpu *memory);

/* ---- mem.c ---- */
void kt_mem_init(void);
/* N bytes, at least one, of the kernel that may not be there; not 0: they are not, or are a device's. Context: any. */
long kt_read_kernel(void *to, u64 from, size_t n);
/* N bytes of the current process; not 0: they cannot be read. */
long kt_read_user(struct kt_ctx *c, void *to, u64 from, u32 n);
/* The string at ADDRESS, at most MAX bytes of it, into SIZE bytes; false: a byte of it is not there. */
bool kt_user_string(struct kt_ctx *c, char *to, u32 size, u64 address, u64 max);

/* The low SIZE bytes (1, 2, 4 or 8) of WORD. */
static inline kt_s64 kt_extend(u64 word, kt_s64 size, bool sign)
{
	u32 unused = 64 - 8 * (u32)size;

	return sign ? (s64)(word << unused) >> unused : (s64)(word << unused >> unused);
}

/* ---- usermem.c ---- */
/* Reads what an ordinary read of user memory could not, without waiting for a page. False: that is impossible, and
 * kt_absent_cause() says why. Context: a handler's. */
bool kt_user_bytes_absent(struct kt_ctx *c, void *to, u32 n, u64 address);
/* Reads a string up to its NUL, or ROOM bytes and adds a NUL. */
bool kt_user_string_absent(struct kt_ctx *c, char *to, u32 room, u64 address);
/* Returns the end of the message about the fault that one of the two reported last; "": the address is not mapped. */
const char *kt_absent_cause(const struct kt_ctx *c);

#endif
