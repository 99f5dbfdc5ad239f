/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions on symbols of the kernel and the calls that led to the probe. Context: any: kallsyms and the unwinder
 * take no locks.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

#include "runtime/core/bytes.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"
#include "runtime/kit/user-stack.h"
#include "runtime/kit/value.h"

KT_ACTION(symname, kt_name_text(ret, size, address, KT_NAME_SYMBOL),
	  char *ret, kt_u32 size, kt_s64 address)
KT_ACTION(symdata, kt_name_text(ret, size, address, KT_NAME_DATA),
	  char *ret, kt_u32 size, kt_s64 address)

/* The kernel takes a module's variable to reach up to the next symbol, over alignment and other sections, and before 6.4 up to the end of the
 * code, which lies before it. Writes the size of the variable after the slash at SLASH, if it is one. */
static __kprobes void put_variable_size(char *slash, u32 room, u64 address, u64 offset)
{
	char rest[MODULE_NAME_LEN + 4];
	const struct module *mod;
	unsigned long size;

	preempt_disable_notrace();
	mod = kt_module_at(address);
	size = mod ? kt_variable_size(mod, address - offset) : 0;
	preempt_enable_notrace();
	strscpy(rest, slash + strcspn(slash, " "), sizeof(rest));
	if (size)
		scnprintf(slash, room, "/%#lx%s", size, rest);
}

/* Corrects RET, "NAME+OFFSET/SIZE [MODULE]". */
static __kprobes void correct_size(char *ret, u32 size, u64 address)
{
	char *plus = strrchr(ret, '+'), *slash = plus ? strchr(plus, '/') : NULL;

	if (slash && strchr(slash, '['))
		put_variable_size(slash, size - (u32)(slash - ret), address, simple_strtoull(plus + 1, NULL, 16));
}

__kprobes void kt_name_text(char *ret, u32 size, u64 address, u32 kind)
{
	int n;

	if (kind == KT_NAME_SYMBOL) {
		scnprintf(ret, size, "%ps", (void *)(unsigned long)address);
		ret[strcspn(ret, " ")] = 0; /* the module follows */
		return;
	}
	n = scnprintf(ret, size, "%pS", (void *)(unsigned long)address);
	correct_size(ret, size, address);
	/* A symbol of a module has it after it; an address without one has no offset. */
	if (strchr(ret, '+') && !strchr(ret, '['))
		scnprintf(ret + n, size - n, " [kernel]");
}

/* KT_NAME_LINES: writes a pointer to the text to TO. */
static noinline __kprobes u32 name_lines(struct kt_ctx *c, char *to, u32 size, bool brief)
{
	const char *lines;
	u32 len = kt_user_stack_lines(c, brief, &lines);

	if (size < sizeof(lines))
		return 0;
	memcpy(to, &lines, sizeof(lines));
	return KT_NAME_LINES << KT_NAME_SHIFT | len;
}

/* A module may be gone, and another in its place, before the loader could ask: its names are made here. */
__kprobes kt_u32 kt_name(struct kt_ctx *c, char *to, kt_u32 size, kt_s64 address, kt_u32 kind)
{
	if (unlikely(kind == KT_NAME_LINES))
		return name_lines(c, to, size, address);
	if (!kt_arch_in_image(address) || size < sizeof(address)) {
		kt_name_text(to, size, address, kind);
		return kt_strlen(to);
	}
	memcpy(to, &address, sizeof(address));
	return kind << KT_NAME_SHIFT | sizeof(address);
}

/* ---- calls ---- */
enum { STACK_NEAR = 16 }; /* bytes from a probed instruction to where it goes on */

__kprobes u32 kt_callers(const struct kt_ctx *c, unsigned long *ret, u32 max)
{
	const struct kt_level *l = kt_level_of(c);
	struct pt_regs regs;

	/* From the probed instruction, where its registers are known, none of our own calls is on the way. */
	if (c->regs && !user_mode((struct pt_regs *)c->regs)) {
		unsigned long ip = (unsigned long)kt_fn_addr((struct kt_ctx *)c);

		enum kt_walk_from from = c->flags & KT_CTX_RETURN ? KT_FROM_RETURN
				      : c->flags & (KT_CTX_ENTRY | KT_CTX_FTRACE) ? KT_FROM_ENTRY : KT_FROM_INSIDE;

		if (kt_arch_begin_at(c->regs, ip, from, &regs)) {
			ret[0] = ip;
			return 1 + kt_walk(c, &regs, ret + 1, max - 1);
		}
	}
	if (!l->below.sp)
		return kt_stack_save(ret, max);
	kt_arch_begin_below(&l->below, &regs);
	return kt_walk(c, &regs, ret, max);
}

static __kprobes struct kt_stack_calls *stack_here(const struct kt_ctx *c)
{
	return &raw_cpu_ptr(kt_cpus)->calls[kt_level_of(c)->id];
}

/* The first call that is not ours: the probed instruction, where it is among them; else what is after our own code. */
static __kprobes u32 stack_begin(const struct kt_stack_calls *s, u32 n, unsigned long ip)
{
	u32 first = 0;

	for (u32 i = 0; ip && i < n; i++)
		if (s->entry[i] - ip < STACK_NEAR)
			return i;
	for (u32 i = 0; i < n && i < KT_STACK_OURS; i++)
		if (within_module(s->entry[i], THIS_MODULE))
			first = i + 1;
	return first;
}

/* An interrupt took a sample of a program: the calls on the kernel's stack are the interrupt's own. */
static __kprobes bool samples_program(const struct kt_ctx *c)
{
	return c->regs && user_mode((struct pt_regs *)c->regs) && (hardirq_count() || in_nmi());
}

/* A system call's probe fires beside the kernel's function of the call: puts that one, at IP, in place of the kernel's own
 * calls that led to the probe. */
static __kprobes void begin_at_call(struct kt_stack_calls *s, u32 n, unsigned long ip)
{
	static const char *const ours[] = { "__traceiter_sys_", "trace_sys_", "trace_syscall_", "syscall_", "__syscall_", "perf_syscall_" };
	u32 first = s->first;

	for (bool own = true; own && first < n;) {
		char name[64];

		own = false;
		kt_name_text(name, sizeof(name), s->entry[first], KT_NAME_SYMBOL);
		for (u32 i = 0; i < ARRAY_SIZE(ours) && !own; i++)
			own = !strncmp(name, ours[i], strlen(ours[i]));
		first += own;
	}
	/* Our own calls are always before it. */
	if (!first || first >= n)
		return;
	s->first = first - 1;
	s->entry[s->first] = ip;
}

__kprobes kt_s64 kt_fn___stack_depth(struct kt_ctx *c)
{
	struct kt_stack_calls *s = stack_here(c);
	unsigned long ip = (unsigned long)kt_fn_addr(c);
	u32 n;

	s->n = 0;
	if (samples_program(c))
		return 0;
	n = kt_callers(c, s->entry, ARRAY_SIZE(s->entry));

	s->first = stack_begin(s, n, ip);
	if (c->flags & KT_CTX_SYSCALL && ip)
		begin_at_call(s, n, ip);
	s->n = min_t(u32, n - s->first, KT_STACK_DEPTH);
	s->exact = s->n && ip && s->entry[s->first] - ip < STACK_NEAR;
	if (s->exact)
		s->entry[s->first] = ip;
	return s->n;
}

__kprobes kt_s64 kt_fn___stack_entry(struct kt_ctx *c, kt_s64 n)
{
	const struct kt_stack_calls *s = stack_here(c);

	return n >= 0 && n < s->n ? (kt_s64)s->entry[s->first + n] : 0;
}

/* The same, inside of the call where it is one's return address. */
KT_NUMBER(__stack_pc, kt_fn___stack_entry(c, n) - (n > 0 || !stack_here(c)->exact), kt_s64 n)

__kprobes void kt_fn_backtrace(struct kt_ctx *c, char *ret, kt_u32 size)
{
	u32 n = (u32)kt_fn___stack_depth(c), len = 0;
	const struct kt_stack_calls *s = stack_here(c);

	for (u32 i = 0; i < n; i++) {
		if (len + KT_ADDRESS_TEXT >= size) {
			kt_string_cut();
			break;
		}
		len += kt_put_address(ret + len, s->entry[s->first + i]);
	}
	ret[len] = 0;
}

/* ---- callees ---- */
__kprobes bool kt_call_returns_to(const struct kt_kprobe_call *c, unsigned long at)
{
	return at == (c->symbol ? kt_module_symbol(c->symbol) : (unsigned long)kt_relocate(c->address));
}

/* Context: a probe's hit, before its handler. */
__kprobes bool kt_stack_matches(const struct kt_kprobe_call *c, const struct pt_regs *regs, unsigned long address, bool at_entry)
{
	unsigned long entry[KT_STACK_OURS + KT_CALLERS_MAX];
	struct kt_arch_slots slots;
	struct pt_regs begin;
	u32 n, i = 0;

	if (kt_arch_begin_at(regs, address, at_entry ? KT_FROM_ENTRY : KT_FROM_INSIDE, &begin)) {
		entry[0] = address;
		n = 1 + kt_arch_walk(&begin, entry + 1, KT_CALLERS_MAX, &slots, false);
	} else {
		n = kt_stack_save(entry, ARRAY_SIZE(entry));
	}
	while (i < n && entry[i] - address >= STACK_NEAR)
		i++;
	for (i++; c->address || c->symbol; i++, c++) {
		bool known = false;

		for (; c->address || c->symbol; c++)
			known |= i < n && kt_call_returns_to(c, entry[i]);
		if (!known)
			return false;
	}
	return true;
}
