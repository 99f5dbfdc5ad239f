/* Tapset functions on symbols of the kernel and the calls that led to the probe. Context: any: kallsyms and the unwinder
 * take no locks.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "runtime/kit/kit.h"
#include "runtime/kit/fn.h"

__kprobes void kt_fn_symname(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	scnprintf(ret, size, "%ps", (void *)(unsigned long)address);
	ret[strcspn(ret, " ")] = 0; /* the module stands behind it */
}

__kprobes void kt_fn_symdata(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	int n = scnprintf(ret, size, "%pS", (void *)(unsigned long)address);

	/* A symbol of a module has it behind it; an address without one has no offset. */
	if (strchr(ret, '+') && !strchr(ret, '['))
		scnprintf(ret + n, size - n, " [kernel]");
}

/* ---- calls ---- */
enum {
	STACK_DEPTH = 48,  /* calls that are kept */
	STACK_OURS = 20,   /* calls between the probe and the unwinder */
	STACK_NEAR = 16,   /* bytes from a probed instruction to where it goes on */
};

struct stack_calls {
	unsigned long entry[STACK_DEPTH + STACK_OURS];
	u32 first, n;
	bool exact;        /* the first one is the probed instruction, not what is behind a call */
};

/* Of this CPU: an ordinary handler's and, on top of it, one in an NMI. */
static DEFINE_PER_CPU(struct stack_calls, stack_calls[KT_LEVELS]);

static __kprobes struct stack_calls *stack_here(const struct kt_ctx *c)
{
	return &(*this_cpu_ptr(&stack_calls))[kt_level_number(c)];
}

/* The first call that is not ours: the probed instruction, where it is among them; else what is behind our own code. */
static __kprobes u32 stack_begin(const struct stack_calls *s, u32 n, unsigned long ip)
{
	u32 first = 0;

	for (u32 i = 0; ip && i < n; i++)
		if (s->entry[i] - ip < STACK_NEAR)
			return i;
	for (u32 i = 0; i < n && i < STACK_OURS; i++)
		if (within_module(s->entry[i], THIS_MODULE))
			first = i + 1;
	return first;
}

__kprobes kt_s64 kt_fn___stack_depth(struct kt_ctx *c)
{
	struct stack_calls *s = stack_here(c);
	unsigned long ip = (unsigned long)kt_fn_addr(c);
	u32 n = stack_trace_save(s->entry, ARRAY_SIZE(s->entry), 0);

	s->first = stack_begin(s, n, ip);
	s->n = min_t(u32, n - s->first, STACK_DEPTH);
	s->exact = s->n && ip && s->entry[s->first] - ip < STACK_NEAR;
	if (s->exact)
		s->entry[s->first] = ip;
	return s->n;
}

__kprobes kt_s64 kt_fn___stack_entry(struct kt_ctx *c, kt_s64 n)
{
	const struct stack_calls *s = stack_here(c);

	return n >= 0 && n < s->n ? (kt_s64)s->entry[s->first + n] : 0;
}

/* The same, inside of the call where it is one's return address. */
__kprobes kt_s64 kt_fn___stack_pc(struct kt_ctx *c, kt_s64 n)
{
	return kt_fn___stack_entry(c, n) - (n > 0 || !stack_here(c)->exact);
}

/* ---- callees ---- */
__kprobes bool kt_call_returns_to(const struct kt_kprobe_call *c, unsigned long at)
{
	return at == (c->symbol ? kt_module_symbol(c->symbol) : (unsigned long)kt_relocate(c->address));
}

/* Context: a probe's hit, before its handler. */
__kprobes bool kt_stack_matches(const struct kt_kprobe_call *c, unsigned long address)
{
	unsigned long entry[STACK_OURS + KT_CALLERS_MAX];
	u32 n = stack_trace_save(entry, ARRAY_SIZE(entry), 0), i = 0;

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
