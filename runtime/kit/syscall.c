/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes on system calls, at their entry and at their return, by number.
 *
 * All of them hang on the two tracepoints that the kernel has around every call. A hit looks its number up and runs the
 * probes of that call: what is not probed pays for the lookup only. Unlike a return probe on the function of a call, the
 * tracepoint at the return has no instances that blocked calls could use up, it has the arguments, and it covers the calls
 * of 32-bit programs, which enter by functions and numbers of their own. The kernel arms both for all tasks at once, so a
 * call that was under way is seen at its return.
 */
#include <asm/syscall.h>
#include <linux/compat.h>
#include <linux/fcntl.h>
#include <linux/futex.h>
#include <linux/mman.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "runtime/kit/handler.h"
#include "runtime/kit/place.h"
#include "runtime/kit/syscall.h"

/* ---- the table ---- */
#define KIND(name, class, width, show, table, text) \
	static const struct kt_kind kind_##name = { KT_CLASS_##class, KT_WIDTH_##width, kt_show_##show, kt_names_##table };
#define CALL(...)
#include "runtime/kit/syscalls.def"

#define KIND(...)
#define A(name, kind) &kind_##kind,
#define CALL(name, alias, x86_64, i386, arm64, result, arguments, also) \
	{ #name, KT_RESULT_##result, KT_ARCH_CALL(x86_64, i386, arm64), { arguments } },
const struct kt_call kt_calls[] = {
#include "runtime/kit/syscalls.def"
};
#undef A
const u32 kt_n_calls = ARRAY_SIZE(kt_calls);

/* Bit: command of fcntl or operation of futex, below 32. */
enum {
	FCNTL_WITHOUT = 1 << F_GETFD | 1 << F_GETFL | 1 << F_GETOWN | 1 << F_GETSIG,
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

__kprobes const struct kt_hit *kt_hit(struct kt_ctx *c)
{
	return likely(c->flags & KT_CTX_SYSCALL) ? c->instance : NULL;
}

__kprobes u64 kt_hit_argument(const struct kt_hit *hit, u32 n)
{
	const struct kt_kind *kind;

	if (!hit->call || n >= KT_CALL_ARGUMENTS || !hit->call->kinds[n])
		return 0;
	kind = hit->call->kinds[n];
	if (kind->width == KT_WIDTH_i)
		return (u64)(s64)(s32)hit->args[n];
	return kind->width == KT_WIDTH_u ? (u32)hit->args[n] : hit->args[n];
}

__kprobes bool kt_hit_passes(const struct kt_hit *hit, u32 n)
{
	const struct kt_kind *kind = hit->call->kinds[n];

	if (kind == &kind_open_mode)
		return hit->args[n - 1] & (O_CREAT | __O_TMPFILE);
	if (kind == &kind_fcntl_arg)
		return !has_bit(FCNTL_WITHOUT, hit->args[n - 1]) && hit->args[n - 1] != F_GETLEASE &&
		       hit->args[n - 1] != F_GETPIPE_SZ && hit->args[n - 1] != F_GET_SEALS;
	if (kind == &kind_remap_address)
		return hit->args[n - 1] & (MREMAP_FIXED | MREMAP_DONTUNMAP);
	if (kind == &kind_futex_time || kind == &kind_futex_time64)
		return has_bit(FUTEX_WITH_TIME, hit->args[1] & FUTEX_CMD_MASK);
	if (kind == &kind_futex_address)
		return has_bit(FUTEX_WITH_ADDRESS, hit->args[1] & FUTEX_CMD_MASK);
	if (kind == &kind_futex_value)
		return has_bit(FUTEX_WITH_VALUE, hit->args[1] & FUTEX_CMD_MASK);
	return true;
}

/* ---- places ---- */
enum { CALL_NUMBERS = 512 }; /* above all numbers of the table */

struct call_place {
	const struct kt_probe *probe;
	const struct kt_syscall_row *row;
	struct call_place *next;    /* of the same number, in the order of the script */
};

/* Those of one tracepoint. */
struct call_side {
	bool wanted;
	struct call_place *all;                     /* probes of all calls */
	struct call_place *of[2][CALL_NUMBERS];     /* by ABI (1: 32-bit) and number */
	const struct kt_call *call[2][CALL_NUMBERS]; /* the table by number */
};

static struct call_side *call_sides; /* entry, return; as call_listeners */
static struct call_place *call_places;

static struct kt_saved_calls saved_calls; /* values of the entry, and registers that were written */

/* ---- arguments that are written ---- */
/* The kernel's functions of system calls take their arguments from the program's registers, after the tracepoint: so what
 * is written there is what they get. The program relies on finding its registers as they were: they are put back at the
 * return, which comes before a call that was interrupted is made again. */
enum { CHANGED_IP = KT_CALL_ARGUMENTS, CHANGED_SP, CHANGED_SLOTS };

static const struct kt_syscall_row changed_row = { .probe = ~0u, .entry_slots = CHANGED_SLOTS };
static bool changes_calls; /* a probe may */

static __kprobes struct kt_saved *keep_registers(const struct kt_hit *hit, struct pt_regs *regs)
{
	struct kt_saved *s = changes_calls && !kt_arch_ends_task(hit->number, hit->compat) ? kt_saved_take(&saved_calls, &changed_row) : NULL;

	if (!s)
		return NULL;
	s->slot[CHANGED_IP] = (s64)instruction_pointer(regs);
	s->slot[CHANGED_SP] = (s64)user_stack_pointer(regs);
	return s;
}

/* A protection must hold: where there is no space to keep what was there, the argument is written all the same. */
__kprobes void kt_hit_set_argument(struct kt_ctx *c, u32 n, u64 value)
{
	struct pt_regs *regs = (struct pt_regs *)c->regs;
	struct kt_hit *hit = c->instance;

	if (!hit->changed)
		hit->changed = keep_registers(hit, regs);
	if (hit->changed && !(hit->changed->set[0] >> n & 1)) {
		hit->changed->set[0] |= 1ull << n;
		hit->changed->slot[n] = (s64)hit->args[n];
	}
	hit->args[n] = hit->compat ? (u32)value : (unsigned long)value;
	kt_arch_set_call_argument(regs, n, value, true);
}

__kprobes void kt_hit_set_result(struct kt_ctx *c, long value)
{
	((struct kt_hit *)c->instance)->result = value;
	syscall_set_return_value(current, (struct pt_regs *)c->regs, 0, value);
}

/* After execve() the registers are those of another program. */
static __kprobes void put_registers_back(struct call_side *entry, struct pt_regs *regs, long number)
{
	struct kt_saved *s;

	if (!entry->all && ((unsigned long)number >= CALL_NUMBERS || !entry->of[in_compat_syscall()][number]))
		return;
	s = kt_saved_find(&saved_calls, &changed_row);
	if (!s)
		return;
	if (s->slot[CHANGED_IP] == (s64)instruction_pointer(regs) && s->slot[CHANGED_SP] == (s64)user_stack_pointer(regs))
		for (u32 n = 0; n < KT_CALL_ARGUMENTS; n++)
			if (s->set[0] >> n & 1)
				kt_arch_set_call_argument(regs, n, (unsigned long)s->slot[n], false);
	kt_saved_release(s);
}

/* ---- hits ---- */
static __always_inline void run_places(const struct call_place *p, const struct pt_regs *regs, u32 flags, struct kt_hit *hit)
{
	for (; p; p = p->next) {
		struct kt_saved *s = NULL;

		if (p->row->entry_slots) {
			if (kt_arch_ends_task(hit->number, hit->compat))
				continue;
			s = hit->at_exit ? kt_saved_find(&saved_calls, p->row) : kt_saved_take(&saved_calls, p->row);
			if (!s && !hit->at_exit)
				kt_lose(p->probe, KT_LOSS_RETURN);
			if (!s)
				continue;
			hit->saved = s;
		}
		/* A call whose entry handler was skipped has no return handler either. */
		if (!s || !hit->at_exit || s->set[0])
			kt_handle(p->probe, regs, flags, hit);
		if (s && hit->at_exit)
			kt_saved_release(s);
	}
}

/* Context: process, preemption off or RCU held by the tracepoint. */
static __kprobes void call_hit(struct call_side *side, struct pt_regs *regs, long number, u32 flags, long result)
{
	bool compat = in_compat_syscall();
	const struct call_place *places = NULL;
	struct kt_hit hit;

	if ((unsigned long)number < CALL_NUMBERS)
		places = side->of[compat][number];
	if (!places && !side->all)
		return;
	hit = (struct kt_hit){
		.number = number,
		.compat = compat,
		.at_exit = flags & KT_CTX_RETURN,
		.result = result,
	};
	if ((unsigned long)number < CALL_NUMBERS)
		hit.call = side->call[compat][number];
	syscall_get_arguments(current, regs, hit.args);
	run_places(places, regs, flags, &hit);
	run_places(side->all, regs, flags, &hit);
}

static __kprobes void call_entry(void *data, struct pt_regs *regs, long number)
{
	call_hit(data, regs, number, KT_CTX_SYSCALL, 0);
}

/* The kernel reports the call of fork() or clone() once more when the new task begins, which made no call. Handlers see what
 * the call was given. */
static __kprobes void call_return(void *data, struct pt_regs *regs, long result)
{
	long number = syscall_get_nr(current, regs);

	if (result || !kt_arch_makes_task(number, in_compat_syscall()))
		call_hit(data, regs, number, KT_CTX_SYSCALL | KT_CTX_RETURN, result);
	if (changes_calls)
		put_registers_back((struct call_side *)data - 1, regs, number);
}

/* ---- arming ---- */
static struct kt_listener call_listeners[] = { { "sys_enter", (void *)call_entry }, { "sys_exit", (void *)call_return } };

static void append_place(struct call_place **list, struct call_place *p)
{
	while (*list)
		list = &(*list)->next;
	*list = p;
}

static void number_calls(struct call_side *side)
{
	for (u32 i = 0; i < kt_n_calls; i++) {
		const struct kt_call *call = &kt_calls[i];

		if (call->native >= 0)
			side->call[0][call->native] = call;
		if (call->compat >= 0)
			side->call[1][call->compat] = call;
	}
}

/* A place hangs in as many lists as its call has numbers: one node each. */
static u32 add_places(const struct kt_syscall_row *row, u32 probe, struct call_side *side, struct call_place *room)
{
	const struct kt_call *call = row->call < kt_n_calls ? &kt_calls[row->call] : NULL;
	u32 n = 0;

	room[0] = room[1] = (struct call_place){ .probe = &kt_script.probes[probe], .row = row };
	if (!call)
		append_place(&side->all, &room[n++]);
	if (call && call->native >= 0)
		append_place(&side->of[0][call->native], &room[n++]);
	if (call && call->compat >= 0)
		append_place(&side->of[1][call->compat], &room[n++]);
	side->wanted = true;
	return n;
}

static void syscall_finish(struct kt_places *all)
{
	kt_listen_no_more(call_listeners, ARRAY_SIZE(call_listeners));
	kt_saved_calls_destroy(&saved_calls);
	kvfree(call_places);
	kvfree(call_sides);
	call_places = NULL;
	call_sides = NULL;
}

/* Slots of what is kept of one call, 0: nothing is. */
static u32 saved_slots(const struct kt_syscall_row *row, u32 n_rows)
{
	u32 slots = 0;

	changes_calls = false;
	for (u32 i = 0; i < n_rows; i++) {
		changes_calls |= row[i].writes;
		slots = max_t(u32, slots, row[i].writes ? CHANGED_SLOTS : row[i].entry_slots);
	}
	return slots;
}

static int syscall_prepare(struct kt_places *all)
{
	const struct kt_syscall_row *row = kt_place_at(all, 0)->row;
	struct call_place *room;
	int err = 0;

	call_sides = kvcalloc(2, sizeof(*call_sides), GFP_KERNEL);
	room = call_places = kvcalloc(all->n, 4 * sizeof(*call_places), GFP_KERNEL);
	if (kt_saved_calls_create(&saved_calls, saved_slots(row, all->n)) || !call_sides || !call_places)
		return -ENOMEM;
	for (u32 i = 0; i < all->n; i++) {
		room += add_places(&row[i], row[i].probe, &call_sides[!!row[i].at_exit], room);
		if (row[i].entry_slots)
			room += add_places(&row[i], row[i].entry_probe, &call_sides[0], room);
	}
	call_sides[1].wanted |= changes_calls;
	/* The return first: what an entry writes is put back there. */
	for (int i = 1; i >= 0 && !err; i--) {
		struct call_side *side = &call_sides[i];

		call_listeners[i].data = side;
		number_calls(side);
		if (side->wanted)
			err = kt_listen(&call_listeners[i]);
	}
	return err;
}

/* All places hang on two tracepoints: they are attached together or not at all. */
const struct kt_family_ops kt_syscall_family = {
	.size = sizeof(struct kt_place),
	.row_size = sizeof(struct kt_syscall_row),
	.prepare = syscall_prepare,
	.finish = syscall_finish,
};
