/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions that write to the kernel's own log, wait, or end it: all but ftrace() need -g. A handler may be under
 * any of the kernel's locks, so logging is deferred through printk's irq_work. Context: any.
 */
#include <linux/delay.h>
#include <linux/nmi.h>
#include <linux/printk.h>

#include "runtime/fn.h"
#include "runtime/kit/compat.h"
#include "runtime/kit/services.h"
#include "runtime/kit/syscall.h"
#include "runtime/kit/value.h"

enum {
	DELAY_MAX_US = 1000000, /* less than any watchdog of the kernel waits for */
	DUMP_DEPTH = 32,
	COMPAT_ARGUMENTS_MAX = 32,
	LEVEL_DEFERRED = -2,    /* printk's own: store now, print later */
};

static __printf(1, 2) __kprobes void print_later(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintk_emit(0, LEVEL_DEFERRED, NULL, format, args);
	va_end(args);
}

__kprobes void kt_trace_statement(kt_u32 place)
{
	print_later(KERN_INFO "%s: %s\n", THIS_MODULE->name, kt_script.places[place]);
}

KT_ACTION(printk, print_later(KERN_SOH "%c%s\n", (char)('0' + clamp_t(kt_s64, level, 0, 7)), text),
	  kt_s64 level, const char *text)

__kprobes void kt_fn_ftrace(struct kt_ctx *c, const char *text)
{
	kt_trace_puts(text);
	kt_trace_puts("\n");
}

__kprobes void kt_fn_dump_stack(struct kt_ctx *c)
{
	unsigned long entry[DUMP_DEPTH];
	u32 n = kt_callers(c, entry, ARRAY_SIZE(entry));

	print_later(KERN_DEFAULT "CPU: %d PID: %d Comm: %s\nCall Trace:\n", raw_smp_processor_id(), current->pid, current->comm);
	for (u32 i = 0; i < n; i++)
		print_later(KERN_DEFAULT " %pS\n", (void *)entry[i]);
}

KT_ACTION(panic, panic("%s", text), const char *text)

__kprobes void kt_fn_udelay(struct kt_ctx *c, kt_s64 us)
{
	if (us < 0 || us > DELAY_MAX_US) {
		kt_errorf(c, "a delay of %d us: at most a second", us);
		return;
	}
	for (; us >= 1000; us -= 1000)
		udelay(1000);
	udelay((unsigned long)us);
	touch_nmi_watchdog();
}

__kprobes void kt_fn_mdelay(struct kt_ctx *c, kt_s64 ms)
{
	if (ms < 0 || ms > DELAY_MAX_US / 1000)
		kt_errorf(c, "a delay of %d ms: at most a second", ms);
	else
		kt_fn_udelay(c, ms * 1000);
}

/* ---- bytes ---- */
#define WRITE_FUNCTIONS(type, size, user_size)                                                   \
	KT_ACTION(set_kernel_##type, kt_store(c, (u64)address, (u64)value, size),                \
		  kt_s64 address, kt_s64 value)                                                  \
	KT_ACTION(set_user_##type, kt_store_user(c, (u64)address, (u64)value, user_size),        \
		  kt_s64 address, kt_s64 value)
WRITE_FUNCTIONS(char, 1, 1)
WRITE_FUNCTIONS(short, 2, 2)
WRITE_FUNCTIONS(int, 4, 4)
WRITE_FUNCTIONS(long, 8, (u32)kt_fn___user_word_size(c))
WRITE_FUNCTIONS(pointer, 8, (u32)kt_fn___user_word_size(c))

/* The string with its NUL, at most N bytes of it. */
static __always_inline void set_string(struct kt_ctx *c, kt_s64 address, kt_s64 n, const char *text,
				       void (*store)(struct kt_ctx *c, kt_u64 address, kt_u64 value, kt_u32 size))
{
	kt_s64 all = (kt_s64)strlen(text) + 1;

	for (kt_s64 i = 0; i < n && i < all && !c->error; i++)
		store(c, (u64)(address + i), (u8)text[i], 1);
}

#define WRITE_STRING_FUNCTIONS(memory, store)                                                    \
	KT_ACTION(set_##memory##_string_n, set_string(c, address, n, text, store),               \
		  kt_s64 address, kt_s64 n, const char *text)                                    \
	KT_ACTION(set_##memory##_string, set_string(c, address, S64_MAX, text, store),           \
		  kt_s64 address, const char *text)
WRITE_STRING_FUNCTIONS(kernel, kt_store)
WRITE_STRING_FUNCTIONS(user, kt_store_user)

__kprobes void kt_fn_set_user_string_arg(struct kt_ctx *c, kt_s64 address, const char *text)
{
	kt_fn_set_user_string(c, address, text);
	if (!c->error)
		return;
	c->error = NULL;
	kt_fn_warn(c, c->message);
}

/* ---- arguments ---- */
/* Of a system call: its fourth is not where that of a function is. */
static __kprobes void set_call_argument(struct kt_ctx *c, kt_s64 n, u64 value, u32 size)
{
	const struct kt_hit *hit = kt_hit(c);

	if (hit->at_exit || n < 1 || n > KT_CALL_ARGUMENTS) {
		kt_errorf(c, hit->at_exit ? "cannot set arg(%d): the call has returned" : "cannot set arg(%d): there is none", n);
		return;
	}
	kt_hit_set_word(c, (u32)n - 1, value);
	/* In a program of 32 bits 64 are two arguments. */
	if (hit->compat && size == sizeof(u64) && n < KT_CALL_ARGUMENTS)
		kt_hit_set_word(c, (u32)n, value >> 32);
}

/* SIZE: that of its type in a program of 32 bits. */
static __kprobes void set_argument(struct kt_ctx *c, kt_s64 n, u64 value, u32 size)
{
	unsigned int unused;
	u64 at = 0;

	if (c->regs && c->flags & KT_CTX_SYSCALL) {
		set_call_argument(c, n, value, size);
		return;
	}
	if (c->regs && n >= 1 && n <= COMPAT_ARGUMENTS_MAX && c->flags & KT_CTX_USER_REGS &&
	    !kt_arch_is_64bit((struct pt_regs *)c->regs))
		at = kt_arch_compat_argument((struct pt_regs *)c->regs, (u32)n, &unused);
	if (at)
		kt_store_user(c, at, value, size);
	else if (n < 1 || n > (kt_s64)ARRAY_SIZE(kt_arch_arguments))
		kt_errorf(c, "cannot set arg(%d): it is in no register", n);
	else
		kt_set_register(c, kt_arch_arguments[n - 1], value);
}

#define SET_ARGUMENT(name, type, compat_type)                                                    \
	KT_ACTION(set_##name##_arg, set_argument(c, n, (u64)(type)value, sizeof(compat_type)),   \
		  kt_s64 n, kt_s64 value)
SET_ARGUMENT(int, s32, s32)
SET_ARGUMENT(uint, u32, u32)
SET_ARGUMENT(long, s64, s32)
SET_ARGUMENT(ulong, u64, u32)
SET_ARGUMENT(longlong, s64, s64)
SET_ARGUMENT(ulonglong, u64, u64)
SET_ARGUMENT(pointer, u64, u32)
SET_ARGUMENT(u32, u32, u32)
SET_ARGUMENT(s64, s64, s64)
SET_ARGUMENT(u64, u64, u64)

__kprobes kt_s64 kt_fn_set_s32_arg(struct kt_ctx *c, kt_s64 n, kt_s64 value)
{
	kt_fn_set_int_arg(c, n, value);
	return (s32)value;
}
