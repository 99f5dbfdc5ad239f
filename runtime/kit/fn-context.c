/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions on the registers of the probe, and on what the kernel knows without looking at memory: clocks, names
 * of errors, the page size. Context: any.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/time.h>
#include <linux/timex.h>

#include "runtime/core/errno.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"
#include "runtime/kit/syscall.h"
#include "runtime/kit/value.h"

/* ---- registers ---- */
/* The place of the probe, however it got there: at a function's entry its start, at a system call that of the kernel's
 * function. */
__kprobes kt_s64 kt_fn_addr(struct kt_ctx *c)
{
	unsigned long ip = c->regs ? instruction_pointer((struct pt_regs *)c->regs) : 0;

	if (c->flags & KT_CTX_SYSCALL)
		return (kt_s64)kt_call_function(c);
	if (c->flags & KT_CTX_RETURN && c->regs)
		return (kt_s64)kt_graph_recover(ip, kt_arch_graph_slot(c->regs));
	return (kt_s64)(ip && c->flags & KT_CTX_FTRACE ? kt_arch_ftrace_start(ip) : ip);
}

/* A user task's registers at its entry to the kernel are at the end of its stack. */
__kprobes kt_s64 kt_fn_uaddr(struct kt_ctx *c)
{
	if (c->regs && user_mode((struct pt_regs *)c->regs))
		return (kt_s64)instruction_pointer((struct pt_regs *)c->regs);
	return current->mm ? (kt_s64)instruction_pointer(task_pt_regs(current)) : 0;
}

/* Of a system call the registers are the program's, the probe is in the kernel. */
KT_NUMBER(user_mode, c->regs && !(c->flags & KT_CTX_SYSCALL) && user_mode((struct pt_regs *)c->regs))
KT_NUMBER(is_return, !!(c->flags & KT_CTX_RETURN))
KT_NUMBER(registers_valid, !!c->regs)

static __kprobes kt_s64 register_named(struct kt_ctx *c, const char *name, bool sign)
{
	for (u32 i = 0; i < ARRAY_SIZE(kt_arch_names); i++)
		if (!strcmp(name, kt_arch_names[i].name))
			return kt_extend(kt_register(c, kt_arch_names[i].number), kt_arch_names[i].size, sign);
	kt_errorf(c, "unknown register: %s", name);
	return 0;
}

KT_NUMBER(register, register_named(c, name, true), const char *name)
KT_NUMBER(u_register, register_named(c, name, false), const char *name)

enum {
	REGISTER_ARGUMENTS = 6, /* in registers on every architecture */
	ARGUMENTS_MAX = 32,
};

static __kprobes bool is_compat(struct pt_regs *regs)
{
	return user_mode(regs) && !kt_arch_is_64bit(regs);
}

KT_NUMBER(probing_32bit_app, c->regs && is_compat((struct pt_regs *)c->regs))

/* Argument N of a program of 32 bits: WORDS words from it on, the lowest first. */
static __kprobes u64 compat_argument(struct kt_ctx *c, u32 n, u32 words)
{
	u64 value = 0;

	for (u32 i = 0; i < words; i++) {
		unsigned int word = 0;
		u64 at = kt_arch_compat_argument((struct pt_regs *)c->regs, n + i, &word);

		if (at)
			word = (u32)kt_deref_user(c, at, sizeof(word));
		value |= (u64)word << 32 * i;
	}
	return value;
}

/* How an argument of a program of 32 bits becomes a long; in one of 64 bits all are words. */
enum argument_form { ARGUMENT_UNSIGNED, ARGUMENT_SIGNED, ARGUMENT_WIDE };

/* Argument N of a system call: its fourth is not where that of a function is. */
static __kprobes kt_s64 call_argument(struct kt_ctx *c, kt_s64 n, kt_s64 form)
{
	const struct kt_hit *hit = kt_hit(c);
	bool compat = is_compat((struct pt_regs *)c->regs);

	if (n < 1 || n > KT_CALL_ARGUMENTS) {
		kt_errorf(c, "cannot access arg(%d): there is none", n);
		return 0;
	}
	if (compat && form == ARGUMENT_WIDE && n < KT_CALL_ARGUMENTS)
		return (kt_s64)((u32)kt_hit_word(hit, (u32)n - 1) | (u64)kt_hit_word(hit, (u32)n) << 32);
	return compat && form == ARGUMENT_SIGNED ? (s32)kt_hit_word(hit, (u32)n - 1) : (kt_s64)kt_hit_word(hit, (u32)n - 1);
}

__kprobes kt_s64 kt_fn_argument_word(struct kt_ctx *c, kt_s64 n, kt_s64 form)
{
	struct pt_regs *regs = (struct pt_regs *)c->regs;
	bool compat = regs && is_compat(regs);
	u64 value;

	if (regs && c->flags & KT_CTX_SYSCALL)
		return call_argument(c, n, form);
	if (!regs || n < 1 || n > ARGUMENTS_MAX || (user_mode(regs) && !compat && n > REGISTER_ARGUMENTS)) {
		kt_errorf(c, "cannot access arg(%d): %s", n, regs ? "there is none" : "this probe has no registers");
		return 0;
	}
	if (!compat)
		return (kt_s64)regs_get_kernel_argument(regs, (unsigned int)n - 1);
	value = compat_argument(c, (u32)n, form == ARGUMENT_WIDE ? 2 : 1);
	return form == ARGUMENT_SIGNED ? (s32)value : (kt_s64)value;
}

__kprobes kt_s64 kt_fn_returnval(struct kt_ctx *c)
{
	kt_s64 value = (kt_s64)kt_return_value(c);
	u32 flags = c->probe->flags, size = flags >> KT_PROBE_RETURNS_SHIFT & KT_PROBE_RETURNS_MASK;

	if (size)
		return flags & KT_PROBE_RETURNS_SIGNED ? sign_extend64(value, 8 * size - 1) : value & ((1ull << 8 * size) - 1);
	return !c->error && is_compat((struct pt_regs *)c->regs) ? (s32)value : value;
}

/* ---- names ---- */
KT_TEXT(module_name, THIS_MODULE->name)
KT_TEXT(errno_str, kt_errno_name(number) ?: "", kt_s64 number)

/* ---- numbers ---- */
/* Interrupts are off; an NMI in between makes two numbers equal at worst. */
__kprobes kt_s64 kt_fn___random(struct kt_ctx *c)
{
	u64 *state = &raw_cpu_ptr(kt_cpus)->random;

	if (!*state)
		*state = ktime_get_mono_fast_ns() ^ (unsigned long)state;
	return (kt_s64)(kt_random_next(state) >> 1);
}

KT_NUMBER(__string_size, kt_script.string_max)
KT_NUMBER(mem_page_size, PAGE_SIZE)
KT_NUMBER(jiffies, jiffies)
KT_NUMBER(HZ, HZ)
KT_NUMBER(local_clock_ns, kt_cpu_clock(raw_smp_processor_id()))

KT_NUMBER(cpu_clock_ns, cpu >= 0 && cpu < nr_cpu_ids && cpu_possible((u32)cpu) ? kt_cpu_clock((int)cpu) : 0, kt_s64 cpu)
/* Only clocks that may be read in an NMI. */
KT_NUMBER(gettimeofday_ns, ktime_get_real_fast_ns())
KT_NUMBER(gettimeofday_us, (kt_s64)ktime_get_real_fast_ns() / NSEC_PER_USEC)
KT_NUMBER(gettimeofday_ms, (kt_s64)ktime_get_real_fast_ns() / NSEC_PER_MSEC)
KT_NUMBER(gettimeofday_s, (kt_s64)ktime_get_real_fast_ns() / NSEC_PER_SEC)
KT_NUMBER(ktime_get_ns, ktime_get_mono_fast_ns())
KT_NUMBER(get_cycles, get_cycles())
KT_NUMBER(tz_gmtoff, kt_run.tz_west)
KT_TEXT(tz_name, kt_run.tz_name)
