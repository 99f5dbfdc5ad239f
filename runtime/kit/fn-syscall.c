/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions on the system call that was hit. All of them work at its entry and at its return. Context: handlers of
 * the family; elsewhere they return 0 and "". None can fail: the library relies on it.
 */
#include <linux/err.h>
#include <linux/unistd.h>

#include "runtime/core/errno.h"
#include "runtime/kit/memory.h"
#include "runtime/kit/syscall.h"
#include "runtime/kit/value.h"

/* ---- numbers ---- */
/* Argument N from 1; 0 where the call has none. N 0: what it returned. */
__kprobes kt_s64 kt_fn___syscall_number(struct kt_ctx *c, kt_s64 n)
{
	const struct kt_hit *hit = kt_hit(c);

	if (!n)
		return kt_fn___syscall_result(c);
	return hit ? (kt_s64)kt_hit_argument(hit, (u32)n - 1) : 0;
}

/* $argument = VALUE at the entry, N from 1; $return = VALUE at the return, N 0. Returns what it is then. */
__kprobes kt_s64 kt_fn___syscall_set(struct kt_ctx *c, kt_s64 n, kt_s64 value)
{
	const struct kt_hit *hit = kt_hit(c);

	if (!hit || n < 0 || n > KT_CALL_ARGUMENTS || hit->at_exit != !n || (n && (!hit->call || !hit->call->kinds[n - 1])))
		return 0;
	if (n)
		kt_hit_set_argument(c, (u32)n - 1, (u64)value);
	else
		kt_hit_set_result(c, (long)value);
	return kt_fn___syscall_number(c, n);
}

/* The number of SIZE bytes at OFFSET from the address in argument N; 0 where there is none. */
__kprobes kt_s64 kt_fn___syscall_memory(struct kt_ctx *c, kt_s64 n, kt_s64 offset, kt_s64 size)
{
	const struct kt_hit *hit = kt_hit(c);
	u64 value = 0;

	if (!hit || size < 1 || size > 8 || kt_read_user(c, &value, kt_hit_argument(hit, (u32)n - 1) + offset, (u32)size))
		return 0;
	return size == 4 ? (s32)value : (kt_s64)value;
}

static const struct kt_hit no_hit = { .number = -1 };

/* Returns the hit of the handler that runs, or no_hit in handlers of other families. */
static __kprobes const struct kt_hit *some_hit(struct kt_ctx *c)
{
	return kt_hit(c) ?: &no_hit;
}

KT_NUMBER(__syscall_result, some_hit(c)->result)
KT_NUMBER(__syscall_nr, some_hit(c)->number)
KT_NUMBER(__syscall_compat, some_hit(c)->compat)
KT_NUMBER(__syscall_carries, kt_hit_carries(some_hit(c)))

/* ---- texts ---- */
static __kprobes struct kt_show show_start(struct kt_ctx *c, char *ret, u32 size)
{
	ret[0] = 0;
	return (struct kt_show){ .to = ret, .size = size, .share = size, .c = c, .hit = kt_hit(c) };
}

__kprobes void kt_fn___syscall_name(struct kt_ctx *c, char *ret, kt_u32 size)
{
	struct kt_show s = show_start(c, ret, size);

	if (s.hit)
		kt_show_text(&s, s.hit->call ? s.hit->call->name : "unknown");
}

/* ---- calls by number and by name, of the kernel's own programs ---- */
/* System calls whose kernel name differs from the alias. */
static const struct {
	int number;
	const char *name;
} kernel_names[] = {
	{ __NR_pread64, "pread64" },
	{ __NR_pwrite64, "pwrite64" },
	{ __NR_umount2, "umount2" },
	{ __NR_getdents64, "getdents64" },
	{ __NR_newfstatat, "newfstatat" },
};

__kprobes void kt_fn_syscall_name(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 number)
{
	ret[0] = 0;
	for (u32 i = 0; i < ARRAY_SIZE(kernel_names); i++)
		if (kernel_names[i].number == number) {
			kt_strcpy(ret, kernel_names[i].name, size);
			return;
		}
	for (u32 i = 0; i < kt_n_calls; i++)
		if (kt_calls[i].native == number && number >= 0)
			kt_strcpy(ret, kt_calls[i].name, size);
}

__kprobes kt_s64 kt_fn_syscall_num(struct kt_ctx *c, const char *name)
{
	for (u32 i = 0; i < ARRAY_SIZE(kernel_names); i++)
		if (!kt_strcmp(kernel_names[i].name, name))
			return kernel_names[i].number;
	for (u32 i = 0; i < kt_n_calls; i++)
		if (!kt_strcmp(kt_calls[i].name, name))
			return kt_calls[i].native;
	return -1;
}

/* Argument N from 1 as in argstr. */
__kprobes void kt_fn___syscall_text(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 n)
{
	struct kt_show s = show_start(c, ret, size);

	if (s.hit)
		kt_show_argument(&s, (u32)n - 1);
}

/* The string that argument N points at; "" where it cannot be read. */
__kprobes void kt_fn___syscall_plain(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 n)
{
	struct kt_show s = show_start(c, ret, size);

	if (s.hit && !kt_user_string(c, ret, size, kt_hit_argument(s.hit, (u32)n - 1), U64_MAX))
		ret[0] = 0;
}

static __kprobes void show_arguments(struct kt_show *s)
{
	const struct kt_kind *const *kinds = s->hit->call->kinds;

	if (s->hit->unread) {
		kt_show_address(s, kt_hit_block(s->hit));
		return;
	}
	for (u32 i = 0; i < KT_CALL_ARGUMENTS && kinds[i] && !s->cut; i++) {
		if (kinds[i]->class == KT_CLASS_hidden || !kt_hit_passes(s->hit, i) || !kt_form_passes(s->hit, i))
			continue;
		if (i)
			kt_show_text(s, ", ");
		kt_show_argument(s, i);
	}
}

/* Where the arguments do not fit, long ones are cut, each at the same length, and none is lost. */
__kprobes void kt_fn___syscall_arguments(struct kt_ctx *c, char *ret, kt_u32 size)
{
	enum { SHARE_MIN = 4 };
	struct kt_show s = show_start(c, ret, size);

	if (!s.hit || !s.hit->call)
		return;
	for (u32 share = size; share; share /= 2) {
		s = show_start(c, ret, size);
		s.share = share;
		s.trial = share > SHARE_MIN;
		show_arguments(&s);
		if (!s.cut || !s.trial)
			break;
	}
}

/* The result of the call; an error number is followed by its name. */
__kprobes void kt_fn___syscall_result_text(struct kt_ctx *c, char *ret, kt_u32 size)
{
	struct kt_show s = show_start(c, ret, size);
	const char *name = NULL;
	long result = s.hit ? s.hit->result : 0;
	u8 format;

	if (!s.hit || !s.hit->at_exit)
		return;
	format = s.hit->call ? s.hit->call->result : KT_RESULT_d;
	if (result < 0 && result >= -MAX_ERRNO)
		name = kt_errno_name(result);
	if (name || format == KT_RESULT_d || (result < 0 && result >= -MAX_ERRNO))
		kt_show_int(&s, (u64)result, 0);
	else if (format == KT_RESULT_x)
		kt_show_hex(&s, (u64)result, 0);
	else
		kt_show_octal(&s, (u64)result, 0);
	if (name) {
		kt_show_text(&s, " (");
		kt_show_text(&s, name);
		kt_show_text(&s, ")");
	}
}

/* ---- socket addresses: PART of the one in argument N from 1 ---- */
__kprobes kt_s64 kt_fn___syscall_sockaddr(struct kt_ctx *c, kt_s64 n, kt_s64 part)
{
	const struct kt_hit *hit = kt_hit(c);
	struct {
		u16 family, port;
		u32 flowinfo;
		u8 address[16];
		u32 scope;
	} a = { 0 };

	if (!hit || !kt_hit_sockaddr(c, hit, (u32)n - 1, &a, sizeof(a)))
		return part == KT_ADDR_FAMILY ? 0 : -1;
	if (part == KT_ADDR_FAMILY)
		return a.family;
	if (a.family == 2 && part == KT_ADDR_PORT)
		return be16_to_cpu((__force __be16)a.port);
	if (a.family != 10)
		return -1;
	if (part == KT_ADDR_PORT)
		return be16_to_cpu((__force __be16)a.port);
	return part == KT_ADDR_FLOWINFO ? be32_to_cpu((__force __be32)a.flowinfo) : a.scope;
}

__kprobes void kt_fn___syscall_sockaddr_ip(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 n)
{
	struct kt_show s = show_start(c, ret, size);

	if (s.hit)
		kt_show_sockaddr_ip(&s, kt_hit_argument(s.hit, (u32)n - 1), (u32)n - 1);
}
