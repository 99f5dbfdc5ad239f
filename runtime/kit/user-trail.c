/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks through calls of a program that were made before.
 *
 * A walk takes some 700 instructions a call, and most probes are hit through a few paths. A trail is such a path, as everything that the
 * walk depended on: its first pc, the return addresses on the stack, the saved registers that led to a frame, and the mappings that
 * contain the addresses. Where all of them are the same again, so is the stack. Positions on the stack, and what points there, are kept
 * as distances from the stack pointer.
 *
 * A trail is kept only of a 64-bit program whose calls were all found by tables, down to the outermost, without a signal's frame and
 * without a return address that the kernel has replaced for a return probe. Tables of an object never change.
 *
 * Each CPU has its own trails. Context: a handler at the normal level, with the mappings of the current task held.
 */
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>

#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"
#include "runtime/kit/user-stack.h"

enum {
	SPAN_MAX = 1 << 20, /* bytes of a stack that a trail may cover */
	/* Where the value that a register had in the caller is found, besides an offset from the stack pointer. */
	IN_REGISTER = -1,   /* in the same register, when the probe is hit */
	LOST = -2,
};

static const struct kt_unwind_machine trail_machine = KT_ARCH_UNWIND;

static __kprobes u64 register_of(const struct pt_regs *regs, u32 number)
{
	return *(const unsigned long *)((const char *)regs + kt_arch_registers[number]);
}

static __kprobes bool user_word(u64 address, u64 *ret)
{
	return !copy_from_user_nofault(ret, (const void __user *)(unsigned long)address, sizeof(*ret));
}

/* The same where kt_from_program() is true: a tenth of the cost. */
static __kprobes bool user_word_at_once(u64 address, u64 *ret)
{
	const u64 __user *from = (const u64 __user *)(unsigned long)address;
	bool read = false;

	pagefault_disable();
	if (!user_access_begin(from, sizeof(*from)))
		goto out;
	unsafe_get_user(*ret, from, end);
	read = true;
end:
	user_access_end();
out:
	pagefault_enable();
	return read;
}

/* ---- which trail ---- */

/* A number for the path that leads to REGS, equal for equal paths; 0: none. */
static __kprobes u64 key_of(const struct kt_ctx *c, const struct pt_regs *regs)
{
	u64 sp = register_of(regs, trail_machine.sp), word;

	if (kt_level_of(c)->id != KT_LEVEL_NORMAL || !kt_arch_is_64bit((struct pt_regs *)regs) || kt_uprobe_returns_replaced())
		return 0;
	if (!(kt_from_program(c) ? user_word_at_once(sp, &word) : user_word(sp, &word)))
		return 0;
	return instruction_pointer((struct pt_regs *)regs) ^ word << 16 ^ sp << 44;
}

static __kprobes struct kt_user_trail *trail_at(u64 key)
{
	return &kt_user_stacks_here()->trails[hash_64(key, KT_USER_TRAILS_LOG2)];
}

/* ---- is it the same ---- */
static __kprobes bool registers_match(const struct kt_user_trail *t, const struct pt_regs *regs, u64 sp)
{
	for (u32 i = 0; i < t->n_registers; i++)
		if (register_of(regs, t->registers[i].number) - sp != t->registers[i].value)
			return false;
	return true;
}

static __kprobes bool words_match(const struct kt_user_trail *t, u64 sp)
{
	u64 word;

	for (u32 i = 0; i < t->n_returns; i++)
		if (!user_word(sp + t->return_at[i], &word) || word != t->entry[i + 1])
			return false;
	for (u32 i = 0; i < t->n_frames; i++)
		if (!user_word(sp + t->frame_at[i], &word) || word - sp != t->frame[i])
			return false;
	return true;
}

/* The same where kt_from_program() is true. Through pointers, as UBSAN would check the index of an array by calls, which are not
 * allowed between user_access_begin() and its end. */
static __kprobes bool words_match_at_once(const struct kt_user_trail *t, u64 sp)
{
	const u32 *return_at = t->return_at, *frame_at = t->frame_at;
	const u64 *to = t->entry + 1, *frame = t->frame;
	bool same = false;
	u64 word;

	pagefault_disable();
	if (!user_access_begin((const void __user *)(unsigned long)sp, t->span))
		goto out;
	for (u32 i = 0; i < t->n_returns; i++) {
		unsafe_get_user(word, (const u64 __user *)(unsigned long)(sp + return_at[i]), end);
		if (word != to[i])
			goto end;
	}
	for (u32 i = 0; i < t->n_frames; i++) {
		unsafe_get_user(word, (const u64 __user *)(unsigned long)(sp + frame_at[i]), end);
		if (word - sp != frame[i])
			goto end;
	}
	same = true;
end:
	user_access_end();
out:
	pagefault_enable();
	return same;
}

/* Where the file or the vdso that VMA maps would begin. */
static __kprobes u64 bias_of(const struct vm_area_struct *vma)
{
	return vma->vm_start - (vma->vm_file ? (u64)vma->vm_pgoff << PAGE_SHIFT : 0);
}

static __kprobes bool mappings_match(const struct kt_user_trail *t)
{
	for (u32 i = 0; i < t->n_mappings; i++) {
		const struct kt_trail_mapping *m = &t->mapping[i];
		const struct vm_area_struct *vma = kt_find_mapping(current->mm, (unsigned long)m->low);

		if (!vma || m->high >= vma->vm_end || !(vma->vm_flags & VM_EXEC) || bias_of(vma) != m->bias)
			return false;
		if (vma->vm_file ? file_inode(vma->vm_file) != m->object->inode :
				   m->object->inode || vma->vm_start != (unsigned long)current->mm->context.vdso)
			return false;
	}
	return true;
}

__kprobes struct kt_user_trail *kt_user_trail_find(const struct kt_ctx *c, struct kt_user_stack *s, const struct pt_regs *regs)
{
	u64 sp = register_of(regs, trail_machine.sp), key = key_of(c, regs);
	struct kt_user_trail *t = trail_at(key);

	if (!key || t->pc != instruction_pointer((struct pt_regs *)regs) || !registers_match(t, regs, sp))
		return NULL;
	if (!(kt_from_program(c) ? words_match_at_once(t, sp) : words_match(t, sp)) || !mappings_match(t))
		return NULL;
	for (u32 i = 0; i < t->n; i++) {
		s->entry[i] = t->entry[i];
		s->called[i] = i > 0;
	}
	s->n = s->n_exact = t->n;
	s->whole = true;
	return t;
}

/* ---- keeping one ---- */

/* A walk that is made again, by its rules alone. */
struct follow {
	struct kt_user_trail *t;
	const struct pt_regs *regs;
	u64 sp;
	u64 cfa;                      /* of the call before, which is the caller's stack pointer; less SP */
	s32 found[KT_UNWIND_REGS];    /* where each register is: bytes from SP, or as above */
	struct kt_user_place place;
};

/* Sets *RET to the value of register NUMBER, less SP. */
static __kprobes bool take_register(struct follow *f, u32 number, u64 *ret)
{
	struct kt_user_trail *t = f->t;
	s32 at = f->found[number];

	if (number == trail_machine.sp) {
		*ret = f->cfa;
		return true;
	}
	if (at == IN_REGISTER && t->n_registers < KT_TRAIL_REGISTERS && number < ARRAY_SIZE(kt_arch_registers)) {
		*ret = register_of(f->regs, number) - f->sp;
		t->registers[t->n_registers].number = number;
		t->registers[t->n_registers++].value = *ret;
		return true;
	}
	if (at < 0 || t->n_frames == KT_TRAIL_FRAMES || !user_word(f->sp + at, ret))
		return false;
	*ret -= f->sp;
	t->frame_at[t->n_frames] = at;
	t->frame[t->n_frames++] = *ret;
	t->span = max_t(u32, t->span, at + sizeof(u64));
	return true;
}

/* Notes that the return address at AT leads to TO, 0 at the end of the stack. */
static __kprobes bool take_return(struct follow *f, s32 at, u64 to)
{
	struct kt_user_trail *t = f->t;
	u64 word;

	if (t->n_returns == KT_TRAIL_CALLS || !user_word(f->sp + at, &word) || word != to)
		return false;
	t->return_at[t->n_returns++] = at;
	t->entry[t->n_returns] = to;
	t->span = max_t(u32, t->span, at + sizeof(u64));
	return true;
}

/* From the frame whose RULE it is to its caller, which goes on at TO. */
static __kprobes bool follow_rule(struct follow *f, const u32 *rule, u64 pc, u64 to)
{
	u32 kind = rule[0] & 0xff, n = rule[0] >> 16 & 0xff;
	s32 return_at = LOST;
	u64 cfa;

	if ((kind != KT_CFA_SUM && kind != KT_CFA_PLT) || rule[0] & KT_RULE_SIGNAL || !take_register(f, rule[0] >> 8 & 0xff, &cfa))
		return false;
	cfa += (u64)(s64)(s32)rule[1];
	if (kind == KT_CFA_PLT && (pc & 15) >= (rule[0] >> 25))
		cfa += sizeof(u64);
	for (u32 i = 0; i < n; i++) {
		u32 word = rule[2 + 2 * i], number = word >> 8 & 0xff;
		u64 at = cfa + (u64)(s64)(s32)rule[3 + 2 * i];
		bool saved = (word & 0xff) == KT_SAVED_AT_CFA && at < SPAN_MAX;

		if (number == trail_machine.sp)
			return false;
		if (number == trail_machine.ra)
			return_at = saved ? (s32)at : LOST;
		else
			f->found[number] = saved ? (s32)at : LOST;
	}
	f->cfa = cfa;
	return return_at >= 0 && take_return(f, return_at, to);
}

/* Notes that PC is in the mapping where the walk found it. */
static __kprobes bool take_mapping(struct follow *f, u64 pc)
{
	struct kt_user_trail *t = f->t;
	struct kt_trail_mapping *m = t->mapping;
	u64 bias;

	if (!kt_user_place_find(pc, &f->place) || f->place.place == KT_UNWIND_NONE)
		return false;
	bias = bias_of(f->place.vma);
	while (m < t->mapping + t->n_mappings &&
	       (m->object != f->place.object || m->bias != bias || m->low < f->place.vma->vm_start || m->high >= f->place.vma->vm_end))
		m++;
	if (m == t->mapping + KT_TRAIL_MAPPINGS)
		return false;
	if (m == t->mapping + t->n_mappings) {
		*m = (struct kt_trail_mapping){ .object = f->place.object, .low = pc, .high = pc, .bias = bias };
		t->n_mappings++;
	}
	m->low = min(m->low, pc);
	m->high = max(m->high, pc);
	return true;
}

/* Fills the trail with the stack S. False: the stack does not follow from what a trail holds. */
static __kprobes bool follow(struct follow *f, const struct kt_user_stack *s)
{
	for (u32 i = 0; i < s->n; i++) {
		u64 pc = s->entry[i] - s->called[i], to = i + 1 < s->n ? s->entry[i + 1] : 0;
		const u32 *rule;

		if (s->called[i] != (i > 0) || !take_mapping(f, pc))
			return false;
		rule = kt_unwind_rule(&f->place.object->table, f->place.place);
		if (rule && (rule[0] & 0xff) == KT_CFA_END)
			return i + 1 == s->n;
		if (!rule || !follow_rule(f, rule, pc, to))
			return false;
	}
	return true;
}

__kprobes struct kt_user_trail *kt_user_trail_keep(const struct kt_ctx *c, const struct kt_user_stack *s, const struct pt_regs *regs)
{
	u64 key = key_of(c, regs);
	struct kt_user_trail *t = trail_at(key);
	struct follow f = { .t = t, .regs = regs, .sp = register_of(regs, trail_machine.sp) };
	bool again = t->key == key;

	/* A path that is met once, as most samples of a profile are, is not worth it. */
	t->key = key;
	if (!key || !again || s->n > KT_TRAIL_CALLS || s->n_exact < s->n)
		return NULL;
	t->pc = 0;
	t->n_returns = t->n_frames = t->n_registers = t->n_mappings = 0;
	t->span = 0;
	t->text[0].kind = t->text[1].kind = 0;
	t->entry[0] = s->entry[0];
	for (u32 i = 0; i < KT_UNWIND_REGS; i++)
		f.found[i] = IN_REGISTER;
	if (!follow(&f, s))
		return NULL;
	t->n = s->n;
	t->pc = s->entry[0];
	return t;
}
