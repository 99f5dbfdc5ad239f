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
	const struct kt_via *way[2][CALL_NUMBERS];   /* the arguments are not in the registers in order */
	/* 32-bit programs make many calls by one number: the calls and their probes, as in kt_vias, and those numbers. */
	const struct kt_call *by_way_call[KT_VIAS];
	struct call_place *by_way[KT_VIAS];
	bool carries[CALL_NUMBERS];
	/* The number is another one at the return; a return may be one of those, or comes with no number. */
	bool renamed[2][CALL_NUMBERS], renames_to[2][CALL_NUMBERS], renames;
};

/* A number of each ABI, and two ways beside. */
enum { NODES_OF_PLACE = 4 };

static struct call_side *call_sides; /* entry, return; as call_listeners */
static struct call_place *call_places;

static struct kt_saved_calls saved_calls; /* values of the entry, and registers that were written */

static __kprobes bool is_probed(const struct call_side *side, long number, bool compat)
{
	return side->of[compat][number] || (compat && side->carries[number]);
}

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
__kprobes void kt_hit_set_word(struct kt_ctx *c, u32 position, u64 value)
{
	struct pt_regs *regs = (struct pt_regs *)c->regs;
	struct kt_hit *hit = c->instance;
	int n = kt_hit_register(hit, position);

	if (n < 0 || n >= KT_CALL_ARGUMENTS) {
		kt_errorf(c, "cannot set argument %d: the program passed it in memory", position + 1);
		return;
	}
	if (!hit->changed)
		hit->changed = keep_registers(hit, regs);
	if (hit->changed && !(hit->changed->set[0] >> n & 1)) {
		hit->changed->set[0] |= 1ull << n;
		hit->changed->slot[n] = (s64)hit->args[n];
	}
	hit->args[n] = hit->compat ? (u32)value : (unsigned long)value;
	kt_arch_set_call_argument(regs, (u32)n, value, true);
}

__kprobes void kt_hit_set_argument(struct kt_ctx *c, u32 n, u64 value)
{
	const struct kt_hit *hit = kt_hit(c);
	u32 position = kt_hit_position(hit, n);

	kt_hit_set_word(c, position, value);
	if (hit->compat && hit->call->kinds[n]->width == KT_WIDTH_w)
		kt_hit_set_word(c, position + 1, value >> 32);
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

	if (!entry->all && ((unsigned long)number >= CALL_NUMBERS || !is_probed(entry, number, in_compat_syscall())))
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

/* ---- calls whose number is another one at the return ---- */
/* Returning from a signal, the kernel forgets the number. A program that execveat() started has made the call execve(). */
enum { RENAMED_NUMBER, RENAMED_COMPAT, RENAMED_SLOTS };

static const struct kt_syscall_row renamed_row = { .probe = ~0u, .entry_slots = RENAMED_SLOTS };

static bool is_renamed(const struct kt_call *call)
{
	static const char *const names[] = { "rt_sigreturn", "sigreturn", "execveat" };

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(call->name, names[i]))
			return true;
	return false;
}

/* Keeps the number at the entry, where a probe of the return wants it. */
static __kprobes void keep_number(const struct call_side *exit, long number, bool compat)
{
	struct kt_saved *s;

	if ((unsigned long)number >= CALL_NUMBERS || !exit->renamed[compat][number])
		return;
	s = kt_saved_take(&saved_calls, &renamed_row);
	if (!s)
		return;
	s->slot[RENAMED_NUMBER] = number;
	s->slot[RENAMED_COMPAT] = compat;
}

/* The number at the entry of the call that returns with NUMBER. */
static __kprobes long number_at_entry(const struct call_side *exit, long number, bool *compat)
{
	struct kt_saved *s;

	if (!exit->renames || (number >= 0 && (number >= CALL_NUMBERS || !exit->renames_to[*compat][number])))
		return number;
	s = kt_saved_find(&saved_calls, &renamed_row);
	if (!s)
		return number;
	number = (long)s->slot[RENAMED_NUMBER];
	*compat = s->slot[RENAMED_COMPAT];
	kt_saved_release(s);
	return number;
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
		hit->function = p->row->function[hit->way];
		/* A call whose entry handler was skipped has no return handler either. */
		if (!s || !hit->at_exit || s->set[0])
			kt_handle(p->probe, regs, flags, hit);
		if (s && hit->at_exit)
			kt_saved_release(s);
	}
}

/* The call of a 32-bit program is one of several that have a number: runs the probes of that one. */
static noinline __kprobes void run_carried(struct call_side *side, const struct pt_regs *regs, u32 flags, struct kt_hit *hit)
{
	const struct kt_via *via = kt_via_of(hit);
	struct kt_hit carrier = *hit;

	if (!via || !side->by_way[via - kt_vias])
		return;
	hit->call = side->by_way_call[via - kt_vias];
	hit->way = KT_WAY_CARRIED;
	kt_hit_arrange(hit, via);
	run_places(side->by_way[via - kt_vias], regs, flags, hit);
	carrier.changed = hit->changed;
	memcpy(carrier.args, hit->args, sizeof(carrier.args));
	carrier.result = hit->result;
	*hit = carrier;
}

/* Context: process, preemption off or RCU held by the tracepoint. */
static __kprobes void call_hit(struct call_side *side, struct pt_regs *regs, long number, bool compat, u32 flags, long result)
{
	bool known = (unsigned long)number < CALL_NUMBERS;
	struct kt_hit hit;

	if (!side->all && !(known && is_probed(side, number, compat)))
		return;
	hit = (struct kt_hit){
		.number = number,
		.compat = compat,
		.way = compat ? KT_WAY_COMPAT : KT_WAY_NATIVE,
		.at_exit = flags & KT_CTX_RETURN,
		.result = result,
		.call = known ? side->call[compat][number] : NULL,
	};
	syscall_get_arguments(current, regs, hit.args);
	if (known && side->way[compat][number])
		kt_hit_arrange(&hit, side->way[compat][number]);
	if (known)
		run_places(side->of[compat][number], regs, flags, &hit);
	if (known && compat && side->carries[number])
		run_carried(side, regs, flags, &hit);
	run_places(side->all, regs, flags, &hit);
}

static __kprobes void call_entry(void *data, struct pt_regs *regs, long number)
{
	struct call_side *side = data;
	bool compat = in_compat_syscall();

	call_hit(side, regs, number, compat, KT_CTX_SYSCALL, 0);
	if (side[1].renames)
		keep_number(&side[1], number, compat);
}

/* The kernel reports the call of fork() or clone() once more when the new task begins, which made no call. Handlers see what
 * the call was given. */
static __kprobes void call_return(void *data, struct pt_regs *regs, long result)
{
	struct call_side *side = data;
	bool compat = in_compat_syscall();
	long number = number_at_entry(side, syscall_get_nr(current, regs), &compat);

	if (result || !kt_arch_makes_task(number, compat))
		call_hit(side, regs, number, compat, KT_CTX_SYSCALL | KT_CTX_RETURN, result);
	if (changes_calls)
		put_registers_back(side - 1, regs, number);
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
		if (call->native >= 0 && kt_call_way(call))
			side->way[0][call->native] = kt_call_way(call);
	}
	for (u32 i = 0; i < kt_n_vias; i++) {
		if (kt_vias[i].sub == -1)
			side->way[1][kt_vias[i].number] = &kt_vias[i];
		for (u32 j = kt_n_calls; j-- > 0;)
			if (!strcmp(kt_calls[j].name, kt_vias[i].name))
				side->by_way_call[i] = &kt_calls[j];
	}
}

/* The numbers that returns need the entry for, and those that they come with. */
static void number_renamed(struct call_side *side)
{
	for (u32 i = 0; i < kt_n_calls; i++) {
		const struct kt_call *call = &kt_calls[i];
		bool native = call->native >= 0 && is_renamed(call) && (side->all || side->of[0][call->native]);
		bool compat = call->compat >= 0 && is_renamed(call) && (side->all || side->of[1][call->compat]);

		if (call->native >= 0)
			side->renames_to[0][call->native] = native || !strcmp(call->name, "execve");
		if (call->compat >= 0)
			side->renames_to[1][call->compat] = compat || !strcmp(call->name, "execve");
		if (native)
			side->renamed[0][call->native] = true;
		if (compat)
			side->renamed[1][call->compat] = true;
		side->renames |= native || compat;
	}
}

/* A place hangs in as many lists as its call has numbers: one node each. */
static u32 add_places(const struct kt_syscall_row *row, u32 probe, struct call_side *side, struct call_place *room)
{
	const struct kt_call *call = row->call < kt_n_calls ? &kt_calls[row->call] : NULL;
	u32 n = 0;

	for (u32 i = 0; i < NODES_OF_PLACE; i++)
		room[i] = (struct call_place){ .probe = &kt_script.probes[probe], .row = row };
	side->wanted = true;
	if (!call) {
		append_place(&side->all, &room[n++]);
		return n;
	}
	if (call->native >= 0)
		append_place(&side->of[0][call->native], &room[n++]);
	if (call->compat >= 0)
		append_place(&side->of[1][call->compat], &room[n++]);
	for (u32 i = 0; i < kt_n_vias && n < NODES_OF_PLACE; i++) {
		if (side->by_way_call[i] != call || kt_vias[i].sub == -1)
			continue;
		append_place(&side->by_way[i], &room[n++]);
		side->carries[kt_vias[i].number] = true;
	}
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
		if (row[i].at_exit && (row[i].call >= kt_n_calls || is_renamed(&kt_calls[row[i].call])))
			slots = max_t(u32, slots, RENAMED_SLOTS);
	}
	return slots;
}

static int syscall_prepare(struct kt_places *all)
{
	const struct kt_syscall_row *row = kt_place_at(all, 0)->row;
	struct call_place *room;
	int err = 0;

	call_sides = kvcalloc(2, sizeof(*call_sides), GFP_KERNEL);
	room = call_places = kvcalloc(all->n, 2 * NODES_OF_PLACE * sizeof(*call_places), GFP_KERNEL);
	if (kt_saved_calls_create(&saved_calls, saved_slots(row, all->n)) || !call_sides || !call_places)
		return -ENOMEM;
	for (u32 i = 0; i < 2; i++)
		number_calls(&call_sides[i]);
	for (u32 i = 0; i < all->n; i++) {
		room += add_places(&row[i], row[i].probe, &call_sides[!!row[i].at_exit], room);
		if (row[i].entry_slots)
			room += add_places(&row[i], row[i].entry_probe, &call_sides[0], room);
	}
	number_renamed(&call_sides[1]);
	call_sides[0].wanted |= call_sides[1].renames;
	call_sides[1].wanted |= changes_calls;
	/* The return first: what an entry writes is put back there. */
	for (int i = 1; i >= 0 && !err; i--) {
		struct call_side *side = &call_sides[i];

		call_listeners[i].data = side;
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
