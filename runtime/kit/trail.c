/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks through calls of the kernel that were made before.
 *
 * The kernel's unwinder takes some 400 instructions a call, and most probes are hit through a few paths. A trail is such a path: where
 * it begins, and at which distances on the stack its return addresses lie. If the same addresses lie at the same distances, the walk
 * is the same, provided that each address alone decides how far it is to the next one. So a trail is kept only where
 *   - the stack is that of the current task, and no interrupt lies between its beginning and the program's registers at its end;
 *   - the outermost address lies right below those registers;
 *   - a walk that does not know the frame pointers finds the same. In a system call it may miss the outermost address alone, and the
 *     distance to that may vary: do_syscall_64() moves its frame by a random number of bytes (39218ff4c625, v5.13), but nothing
 *     except the entry of a system call calls it, so what lies at the end of the stack is where it returns to;
 *   - the addresses on the stack are the callers', and none was replaced by a hook;
 *   - all of them are in the kernel or in modules, and no module came or went since.
 *
 * Each CPU has its own trails. Context: a handler at the normal level.
 */
#include <linux/hash.h>
#include <linux/sched/task_stack.h>

#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"

static __kprobes unsigned long word_at(unsigned long address)
{
	return READ_ONCE_NOCHECK(*(unsigned long *)address);
}

/* Bytes between the stack pointer SP and the program's registers at the end of the current task's stack; 0: SP is elsewhere. */
static __kprobes unsigned long stack_depth(unsigned long sp)
{
	unsigned long end = (unsigned long)task_pt_regs(current);

	if (current->flags & PF_KTHREAD || sp & 7 || sp < (unsigned long)task_stack_page(current) || sp >= end)
		return 0;
	return end - sp;
}

static __kprobes unsigned long begin_of(const struct pt_regs *regs)
{
	return instruction_pointer((struct pt_regs *)regs);
}

static __kprobes bool trail_matches(const struct kt_trail *t, const struct pt_regs *regs, unsigned long depth)
{
	u32 last = t->n - 1;

	if (t->ip != begin_of(regs) || t->generation != kt_modules_generation())
		return false;
	if (t->depth != depth && (t->state == KT_TRAIL_SURE || !kt_arch_in_syscall()))
		return false;
	if (word_at(regs->sp + depth - sizeof(long)) != t->address[last])
		return false;
	for (u32 i = 0; i < last; i++)
		if (t->at[i] >= depth || word_at(regs->sp + t->at[i]) != t->address[i])
			return false;
	return true;
}

static __kprobes bool is_lasting_code(unsigned long address)
{
	return kt_arch_in_image(address) || kt_module_at(address);
}

/* What a walk that does not know the frame pointers makes of T, which was seen again. */
static __kprobes enum kt_trail_state trail_judge(const struct kt_trail *t, struct pt_regs *regs, unsigned long *ret)
{
	struct kt_arch_slots slots;
	u32 n = kt_arch_walk(regs, ret, KT_ARCH_SLOTS, &slots, true), last = t->n - 1;

	for (u32 i = 0; i < last; i++)
		if (i >= n || ret[i] != t->address[i] || slots.slot[i] != regs->sp + t->at[i])
			return KT_TRAIL_UNSURE;
	for (u32 i = 0; i <= last; i++)
		if (!is_lasting_code(t->address[i]))
			return KT_TRAIL_UNSURE;
	if (slots.whole && n == t->n && ret[last] == t->address[last] && slots.slot[last] == regs->sp + t->depth - sizeof(long))
		return KT_TRAIL_SURE;
	return n == last && kt_arch_in_syscall() ? KT_TRAIL_SYSCALL : KT_TRAIL_UNSURE;
}

static __kprobes void trail_keep(struct kt_trail *t, const struct pt_regs *regs, unsigned long depth, const unsigned long *address,
				 u32 n, const struct kt_arch_slots *slots)
{
	t->ip = 0; /* until all is known */
	if (!slots->whole || !n || n >= KT_ARCH_SLOTS || slots->slot[n - 1] != regs->sp + depth - sizeof(long))
		return;
	for (u32 i = 0; i < n; i++) {
		unsigned long at = slots->slot[i] - regs->sp;

		if (at >= depth || word_at(slots->slot[i]) != address[i])
			return;
		t->at[i] = at;
		t->address[i] = address[i];
	}
	t->n = n;
	t->depth = depth;
	t->ip = begin_of(regs);
	t->generation = kt_modules_generation();
	t->state = KT_TRAIL_SEEN;
}

/* Returns the addresses of calls that led to where REGS are, as kt_arch_walk(). */
static __kprobes u32 trail_walk(struct kt_trail *t, struct pt_regs *regs, unsigned long depth, unsigned long *ret, u32 max)
{
	struct kt_arch_slots slots;
	u32 n;

	if (trail_matches(t, regs, depth)) {
		if (t->state == KT_TRAIL_SEEN)
			t->state = trail_judge(t, regs, ret);
		if (t->state == KT_TRAIL_UNSURE)
			return kt_arch_walk(regs, ret, max, &slots, false);
		for (u32 i = 0; i < t->n; i++)
			ret[i] = t->address[i];
		return t->n;
	}
	n = kt_arch_walk(regs, ret, max, &slots, false);
	trail_keep(t, regs, depth, ret, n, &slots);
	return n;
}

__kprobes u32 kt_walk(const struct kt_ctx *c, struct pt_regs *regs, unsigned long *ret, u32 max)
{
	unsigned long depth = stack_depth(regs->sp);
	struct kt_arch_slots slots;
	u32 which;

	if (!KT_ARCH_TRAILS || !depth || max < KT_ARCH_SLOTS || kt_level_of(c)->id != KT_LEVEL_NORMAL)
		return kt_arch_walk(regs, ret, max, &slots, false);
	which = hash_long(begin_of(regs) ^ word_at(regs->sp), KT_TRAILS_LOG2);
	return trail_walk(&raw_cpu_ptr(kt_cpus)->trails[which], regs, depth, ret, max);
}
