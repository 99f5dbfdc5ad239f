/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions on registers, tasks and symbols in a process: there are none of the kernel's. What needs them raises
 * the error that it would raise there; clocks and names are those of the process.
 */
#include <sched.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "runtime/core/errno.h"
#include "runtime/fn.h"
#include "runtime/user/user.h"

#define NUMBER(name, value)                   \
	kt_s64 kt_fn_##name(struct kt_ctx *c) \
	{                                     \
		(void)c;                      \
		return (kt_s64)(value);       \
	}
static kt_s64 monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static struct tm local_time(void)
{
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	return tm;
}

/* Each run has separate numbers. */
static kt_s64 random_number(kt_u64 *state)
{
	if (!*state && getrandom(state, sizeof(*state), GRND_NONBLOCK) != sizeof(*state))
		*state = (kt_u64)monotonic_ns();
	return (kt_s64)(kt_random_next(state) >> 1);
}

enum { USER_HZ_OF_CLOCK = 100 };

NUMBER(addr, 0)
NUMBER(uaddr, 0)
NUMBER(__string_size, kt_script.string_max)
NUMBER(user_mode, 0)
NUMBER(is_return, 0)
NUMBER(registers_valid, 0)
NUMBER(__random, random_number(&user_current.random))
NUMBER(mem_page_size, sysconf(_SC_PAGESIZE))
NUMBER(HZ, USER_HZ_OF_CLOCK)
NUMBER(jiffies, monotonic_ns() / (1000000000 / USER_HZ_OF_CLOCK))
NUMBER(local_clock_ns, monotonic_ns())
NUMBER(tz_gmtoff, -local_time().tm_gmtoff)
NUMBER(task_current, 0)
NUMBER(pgrp, getpgrp())
NUMBER(sid, getsid(0))
NUMBER(task_utime, clock() * (1000000000ll / CLOCKS_PER_SEC))
NUMBER(task_stime, 0)
NUMBER(__stack_depth, 0)
NUMBER(__ustack_depth, 0)
NUMBER(__ustack_exact, 0)
NUMBER(__ustack_left, 0)
NUMBER(__ustack_whole, 0)
NUMBER(__user_word_size, sizeof(long))
NUMBER(returnval, kt_return_value(c))

kt_s64 kt_fn_cpu_clock_ns(struct kt_ctx *c, kt_s64 cpu)
{
	(void)c;
	return cpu >= 0 && cpu < sysconf(_SC_NPROCESSORS_CONF) ? monotonic_ns() : 0;
}

/* ---- stacks: a process has no other program's ---- */
kt_s64 kt_fn___ustack_entry(struct kt_ctx *c, kt_s64 n)
{
	(void)c;
	(void)n;
	return 0;
}

kt_s64 kt_fn___ustack_depth_from(struct kt_ctx *c, kt_s64 pc, kt_s64 sp, kt_s64 fp)
{
	(void)c;
	(void)pc;
	(void)sp;
	(void)fp;
	return 0;
}

void kt_fn___ustack_symbol(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 n, kt_s64 part)
{
	(void)c;
	(void)size;
	(void)n;
	(void)part;
	ret[0] = 0;
}

void kt_fn_ubacktrace(struct kt_ctx *c, char *ret, kt_u32 size)
{
	(void)c;
	(void)size;
	ret[0] = 0;
}

void kt_fn_sprint_ubacktrace(struct kt_ctx *c, char *ret, kt_u32 size)
{
	kt_fn_ubacktrace(c, ret, size);
}

void kt_fn___ustack_lines(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 brief)
{
	(void)brief;
	kt_fn_ubacktrace(c, ret, size);
}

void kt_fn___usymbol(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 part)
{
	enum { PART_OBJECT = 3 }; /* of runtime/kit/unwind.c; others are the address where nothing is known */

	(void)c;
	if (part == PART_OBJECT)
		kt_strcpy(ret, "<unknown>", size);
	else
		snprintf(ret, size, "0x%llx", address);
}

void kt_fn___usymbol_file(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	(void)c;
	(void)size;
	(void)address;
	ret[0] = 0;
}

void kt_fn___usymbol_build_id(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	kt_fn___usymbol_file(c, ret, size, address);
}

kt_s64 kt_fn___usymbol_offset(struct kt_ctx *c, kt_s64 address)
{
	(void)c;
	(void)address;
	return -1;
}

kt_s64 kt_fn___ustack_pc(struct kt_ctx *c, kt_s64 n)
{
	return kt_fn___ustack_entry(c, n);
}

void kt_fn___symbol_file(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	kt_fn___usymbol_file(c, ret, size, address);
}

kt_s64 kt_fn___symbol_line(struct kt_ctx *c, kt_s64 address)
{
	return kt_fn___usymbol_line(c, address);
}

kt_s64 kt_fn___usymbol_line(struct kt_ctx *c, kt_s64 address)
{
	(void)c;
	(void)address;
	return 0;
}

/* ---- registers ---- */
kt_s64 kt_fn_register(struct kt_ctx *c, const char *name)
{
	(void)name;
	return (kt_s64)kt_register(c, 0);
}

kt_s64 kt_fn_u_register(struct kt_ctx *c, const char *name)
{
	return kt_fn_register(c, name);
}

kt_s64 kt_fn_argument_word(struct kt_ctx *c, kt_s64 n, kt_s64 form)
{
	(void)form;
	kt_errorf(c, "cannot access arg(%d): %s", n, "this probe has no registers");
	return 0;
}

/* ---- names ---- */
void kt_fn_tz_name(struct kt_ctx *c, char *ret, kt_u32 size)
{
	(void)c;
	kt_strcpy(ret, local_time().tm_zone, size);
}

void kt_fn_module_name(struct kt_ctx *c, char *ret, kt_u32 size)
{
	(void)c;
	kt_strcpy(ret, "ktap", size);
}

void kt_fn_errno_str(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 number)
{
	(void)c;
	kt_strcpy(ret, kt_errno_name(number) ?: "", size);
}

void kt_fn_symdata(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	const struct kt_arg arg = { .number = address };

	(void)c;
	kt_format(ret, size, "0x%x", &arg, 1);
}

void kt_fn_symname(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	kt_fn_symdata(c, ret, size, address);
}

/* Nothing of the kernel has a name here. */
kt_u32 kt_name(struct kt_ctx *c, char *to, kt_u32 size, kt_s64 address, kt_u32 kind)
{
	(void)c;
	if (kind == KT_NAME_LINES)
		return 0;
	kt_fn_symdata(NULL, to, size, address);
	return kt_strlen(to);
}

/* ---- memory and tasks ---- */
kt_s64 kt_fn___kernel_number(struct kt_ctx *c, kt_s64 address, kt_s64 size, kt_s64 sign)
{
	(void)sign;
	return (kt_s64)kt_deref(c, (kt_u64)address, (kt_u32)size);
}

kt_s64 kt_fn___user_number(struct kt_ctx *c, kt_s64 address, kt_s64 size, kt_s64 sign)
{
	(void)sign;
	return (kt_s64)kt_deref_user(c, (kt_u64)address, (kt_u32)size);
}

#define TASK_FUNCTION(name)                                    \
	kt_s64 kt_fn_##name(struct kt_ctx *c, kt_s64 task)     \
	{                                                      \
		return (kt_s64)kt_deref(c, (kt_u64)task, 8);   \
	}
TASK_FUNCTION(task_pid)
TASK_FUNCTION(task_tid)
TASK_FUNCTION(task_parent)
TASK_FUNCTION(task_state)
TASK_FUNCTION(task_cpu)
TASK_FUNCTION(task_prio)
TASK_FUNCTION(task_nice)
TASK_FUNCTION(task_uid)
TASK_FUNCTION(task_euid)
TASK_FUNCTION(task_gid)
TASK_FUNCTION(task_egid)

kt_s64 kt_fn___task_comm(struct kt_ctx *c, kt_s64 task)
{
	(void)c;
	return task;
}

/* Nobody follows forks here: the target alone. */
kt_s64 kt_fn_target_set_pid(struct kt_ctx *c, kt_s64 pid)
{
	return pid > 0 && pid == kt_fn_target(c);
}

kt_s64 kt_fn___target_set_after(struct kt_ctx *c, kt_s64 pid)
{
	return pid < kt_fn_target(c) ? kt_fn_target(c) : 0;
}

kt_s64 kt_fn_pid2task(struct kt_ctx *c, kt_s64 pid)
{
	(void)c, (void)pid;
	return 0;
}

void kt_fn_backtrace(struct kt_ctx *c, char *ret, kt_u32 size)
{
	(void)c, (void)size;
	ret[0] = 0;
}

kt_s64 kt_fn___stack_entry(struct kt_ctx *c, kt_s64 n)
{
	(void)c, (void)n;
	return 0;
}
