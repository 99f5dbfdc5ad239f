/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of system calls, and where the arguments of a hit are.
 *
 * A program of 64 bits passes each argument in a register. One of 32 bits passes 64 bits in two, and a few of its calls pass
 * arguments in memory, in another order, or as one number for many calls: VIA() of syscalls.def. Positions count the words as
 * the program passes them, from 0; arguments are counted as in the table.
 */
#include <linux/compat.h>
#include <linux/fcntl.h>
#include <linux/futex.h>
#include <linux/mman.h>
#include <linux/string.h>

#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"
#include "runtime/kit/syscall.h"

/* ---- the table ---- */
#define KIND(name, class, width, show, table, text) \
	static const struct kt_kind kind_##name = { KT_CLASS_##class, KT_WIDTH_##width, kt_show_##show, kt_names_##table };
#define CALL(...)
#define VIA(...)
#include "runtime/kit/syscalls.def"

#define KIND(...)
#define VIA(...)
#define A(name, kind) &kind_##kind,
#define CALL(name, alias, x86_64, i386, arm64, result, arguments, also) \
	{ #name, KT_RESULT_##result, KT_ARCH_CALL(x86_64, i386, arm64), { arguments } },
const struct kt_call kt_calls[] = {
#include "runtime/kit/syscalls.def"
};
#undef A
const u32 kt_n_calls = ARRAY_SIZE(kt_calls);

#define KIND(...)
#define CALL(...)
#define VIA(name, i386, sub, from) { #name, from, i386, sub },
const struct kt_via kt_vias[] = {
#include "runtime/kit/syscalls.def"
};
const u32 kt_n_vias = KT_ARCH_HAS_NARROW ? ARRAY_SIZE(kt_vias) : 0;

__kprobes u64 kt_call_function(const struct kt_ctx *c)
{
	const struct kt_hit *hit = c->instance;

	return hit->function ? (unsigned long)kt_anchor + (u64)hit->function : 0;
}

/* ---- positions ---- */
enum { WORDS_REGISTER = 4 }; /* of * and + in VIA() */

static __kprobes bool is_in_block(const char *from)
{
	return from && from[0] == '@';
}

__kprobes const struct kt_via *kt_via_of(const struct kt_hit *hit)
{
	u32 first = (u32)hit->args[0];

	for (u32 i = 0; i < kt_n_vias; i++) {
		const struct kt_via *v = &kt_vias[i];

		if (v->number != hit->number)
			continue;
		if (v->sub == -1 || first == (u32)v->sub)
			return v;
		if (!is_in_block(v->from) && (first & 0xffff) == (v->sub & 0xffff) && first >> 16 >= (u32)v->sub >> 16)
			return v;
	}
	return NULL;
}

__kprobes u64 kt_hit_block(const struct kt_hit *hit)
{
	return (u32)hit->args[is_in_block(hit->from) ? hit->from[1] - '0' : WORDS_REGISTER];
}

/* Reads the words that HIT has in memory. Unreadable ones are 0, and argstr is the address. HIT is on the stack of the task, and the
 * handler on its own: the kernel takes a copy from user memory right to the other stack for an attack. */
static noinline __kprobes void read_words(struct kt_ctx *c, struct kt_hit *hit)
{
	const char *from = hit->from;
	u32 words[KT_CALL_ARGUMENTS] = { 0 }, n = 0;

	hit->in_memory = false;
	if (is_in_block(from))
		while (n < KT_CALL_ARGUMENTS && hit->call->kinds[n])
			n++;
	else
		n = strchr(from, '+') ? 2 : 1;
	hit->unread = kt_read_user(c, words, kt_hit_block(hit), n * (u32)sizeof(u32));
	if (!hit->unread)
		memcpy(hit->words, words, sizeof(words));
}

__kprobes const struct kt_hit *kt_hit(struct kt_ctx *c)
{
	struct kt_hit *hit = likely(c->flags & KT_CTX_SYSCALL) ? c->instance : NULL;

	if (unlikely(hit && hit->in_memory))
		read_words(c, hit);
	return hit;
}

__kprobes bool kt_hit_carries(const struct kt_hit *hit)
{
	const struct kt_via *via = hit->compat ? kt_via_of(hit) : NULL;

	return via && via->sub != -1;
}

/* arm64 has the order of i386. */
const struct kt_via *kt_call_way(const struct kt_call *call)
{
	for (u32 i = 0; IS_ENABLED(CONFIG_CLONE_BACKWARDS) && i < ARRAY_SIZE(kt_vias); i++)
		if (!strcmp(call->name, "clone") && !strcmp(kt_vias[i].name, "clone"))
			return &kt_vias[i];
	return NULL;
}

__kprobes void kt_hit_arrange(struct kt_hit *hit, const struct kt_via *via)
{
	hit->from = via->from;
	hit->in_memory = is_in_block(via->from) || strchr(via->from, '*');
}

__kprobes int kt_hit_register(const struct kt_hit *hit, u32 position)
{
	const char *from = hit->from;

	if (!from)
		return (int)position;
	if (is_in_block(from))
		return ~(int)position;
	return from[position] == '*' ? ~0 : from[position] == '+' ? ~1 : from[position] - '0';
}

__kprobes unsigned long kt_hit_word(const struct kt_hit *hit, u32 position)
{
	int where = kt_hit_register(hit, position);

	return where < 0 ? hit->words[~where] : hit->args[where];
}

/* The position of argument N. The half that 64-bit programs pass after 64 bits is in no word of its own in others. */
__kprobes u32 kt_hit_position(const struct kt_hit *hit, u32 n)
{
	const struct kt_kind *const *kinds = hit->call->kinds;
	u32 position = 0;

	if (!hit->compat)
		return n;
	for (u32 i = 0; i < n; i++) {
		if (kinds[i]->width == KT_WIDTH_w)
			position += 2;
		else if (!i || kinds[i]->class != KT_CLASS_hidden || kinds[i - 1]->width != KT_WIDTH_w)
			position++;
	}
	return position;
}

__kprobes u64 kt_hit_argument(const struct kt_hit *hit, u32 n)
{
	u64 value;
	u32 position;

	if (!hit->call || n >= KT_CALL_ARGUMENTS || !hit->call->kinds[n])
		return 0;
	position = kt_hit_position(hit, n);
	value = kt_hit_word(hit, position);
	switch ((enum kt_kind_width)hit->call->kinds[n]->width) {
	case KT_WIDTH_i:
		return (u64)(s64)(s32)value;
	case KT_WIDTH_u:
		return (u32)value;
	case KT_WIDTH_s:
		return hit->compat ? (u64)(s64)(s32)value : value;
	case KT_WIDTH_h:
		return (u16)value == (u16)-1 ? (u64)-1 : (u16)value;
	case KT_WIDTH_m:
		return (u16)value;
	case KT_WIDTH_w:
		return hit->compat ? (u32)value | (u64)kt_hit_word(hit, position + 1) << 32 : value;
	case KT_WIDTH_l:
	case KT_WIDTH_o:
		break;
	}
	return value;
}

/* ---- arguments that depend on others ---- */
/* Bit: command of fcntl or operation of futex, below 32. */
enum {
	FCNTL_WITHOUT = 1 << F_GETFD | 1 << F_GETFL | 1 << F_GETOWN | 1 << F_GETSIG,
	FUTEX_KNOWN = (1 << 14) - 1,
	FUTEX_WITH_TIME = 1 << FUTEX_WAIT | 1 << FUTEX_LOCK_PI | 1 << FUTEX_WAIT_BITSET | 1 << FUTEX_WAIT_REQUEUE_PI |
			  1 << 13 /* LOCK_PI2 */ | 1 << FUTEX_REQUEUE | 1 << FUTEX_CMP_REQUEUE | 1 << FUTEX_WAKE_OP |
			  1 << FUTEX_CMP_REQUEUE_PI,
	FUTEX_WITH_ADDRESS = 1 << FUTEX_REQUEUE | 1 << FUTEX_CMP_REQUEUE | 1 << FUTEX_WAKE_OP |
			     1 << FUTEX_WAIT_REQUEUE_PI | 1 << FUTEX_CMP_REQUEUE_PI,
	FUTEX_WITH_VALUE = 1 << FUTEX_CMP_REQUEUE | 1 << FUTEX_WAKE_OP | 1 << FUTEX_WAIT_BITSET | 1 << FUTEX_WAKE_BITSET |
			   1 << FUTEX_CMP_REQUEUE_PI,
};

static __kprobes bool has_bit(u32 set, u64 n)
{
	return n < 32 && (set >> n & 1);
}

/* Whether the operation of futex, argument 1, is in SET, or one that nobody knows. */
static __kprobes bool futex_is(const struct kt_hit *hit, u32 set)
{
	u32 op = (u32)kt_hit_argument(hit, 1) & (u32)FUTEX_CMD_MASK;

	return has_bit(set, op) || !has_bit(FUTEX_KNOWN, op);
}

static __kprobes bool fcntl_has_argument(u32 command)
{
	return !has_bit(FCNTL_WITHOUT, command) && command != F_GETLEASE && command != F_GETPIPE_SZ && command != F_GET_SEALS;
}

__kprobes bool kt_hit_passes(const struct kt_hit *hit, u32 n)
{
	const struct kt_kind *kind = hit->call->kinds[n];
	u64 before = n ? kt_hit_argument(hit, n - 1) : 0;

	if (kind == &kind_open_mode)
		return before & (O_CREAT | __O_TMPFILE);
	if (kind == &kind_fcntl_arg)
		return fcntl_has_argument((u32)before);
	if (kind == &kind_remap_address)
		return before & (MREMAP_FIXED | MREMAP_DONTUNMAP);
	if (kind == &kind_futex_time || kind == &kind_futex_time64)
		return futex_is(hit, FUTEX_WITH_TIME);
	if (kind == &kind_futex_address)
		return futex_is(hit, FUTEX_WITH_ADDRESS);
	if (kind == &kind_futex_value)
		return futex_is(hit, FUTEX_WITH_VALUE);
	if (kind == &kind_membarrier_cpu)
		return before & 1;
	if (kind == &kind_sysfs_arg1)
		return before != 3;
	if (kind == &kind_sysfs_arg2)
		return kt_hit_argument(hit, 0) != 1 && kt_hit_argument(hit, 0) != 3;
	return true;
}
