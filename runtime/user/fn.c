/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions in a process: the task is this one. A function that cannot work here raises the error it would raise there. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "runtime/host.h"
#include "runtime/fn.h"
#include "runtime/user/user.h"

/* ---- the task ---- */
void kt_fn_execname(struct kt_ctx *c, char *ret, kt_u32 size)
{
	char name[17] = "";

	(void)c;
	prctl(PR_GET_NAME, name);
	kt_strcpy(ret, name, size);
}

#define IDENTITY(name, value)             \
	kt_s64 kt_fn_##name(struct kt_ctx *c) \
	{                                 \
		(void)c;                  \
		return (kt_s64)(value);   \
	}
IDENTITY(pid, getpid())
IDENTITY(tid, gettid())
IDENTITY(ppid, getppid())
IDENTITY(uid, getuid())
IDENTITY(euid, geteuid())
IDENTITY(gid, getgid())
IDENTITY(egid, getegid())
IDENTITY(cpu, sched_getcpu())
IDENTITY(target, user_current.target)

/* ---- memory: none of the kernel, none of another process ---- */
static void fault(struct kt_ctx *c, char *ret, kt_s64 address)
{
	ret[0] = 0;
	kt_faultf(c, "kernel string copy fault at 0x%x", address);
}

void kt_fn_kernel_string(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	(void)size;
	fault(c, ret, address);
}

void kt_fn_kernel_string2(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, const char *message)
{
	(void)c, (void)address;
	kt_strcpy(ret, message, size);
}

void kt_fn_kernel_string_n(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 n)
{
	(void)size, (void)n;
	fault(c, ret, address);
}

void kt_fn_user_string(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	(void)c, (void)address;
	kt_strcpy(ret, "<unknown>", size);
}

void kt_fn_user_string2(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, const char *message)
{
	(void)c, (void)address;
	kt_strcpy(ret, message, size);
}

void kt_fn_user_string_n(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 n)
{
	(void)n;
	kt_fn_user_string(c, ret, size, address);
}

/* ---- time ---- */
static kt_s64 clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

IDENTITY(gettimeofday_ns, clock_ns(CLOCK_REALTIME))
IDENTITY(gettimeofday_us, clock_ns(CLOCK_REALTIME) / 1000)
IDENTITY(gettimeofday_ms, clock_ns(CLOCK_REALTIME) / 1000000)
IDENTITY(gettimeofday_s, clock_ns(CLOCK_REALTIME) / 1000000000)
IDENTITY(ktime_get_ns, clock_ns(CLOCK_MONOTONIC))
IDENTITY(get_cycles, kt_host_cycles())

/* ---- the session ---- */
void kt_fn_warn(struct kt_ctx *c, const char *text)
{
	user_message(c, KT_REC_WARN, text);
}

void kt_fn_log(struct kt_ctx *c, const char *text)
{
	user_message(c, KT_REC_LOG, text);
}

void kt_fn_system(struct kt_ctx *c, const char *command)
{
	user_message(c, KT_REC_SYSTEM, command);
}

void kt_fn_switch_file(struct kt_ctx *c)
{
	user_message(c, KT_REC_SWITCH, "");
}

void kt_fn_raise(struct kt_ctx *c, kt_s64 number)
{
	if (number < 1 || number > SIGRTMAX)
		kt_errorf(c, "raise(%d): there is no such signal", number);
	else
		raise((int)number);
}

void kt_fn_error(struct kt_ctx *c, const char *text)
{
	kt_strpart(c->message, text, sizeof(c->message));
	kt_error(c, c->message);
}

void kt_fn_abort(struct kt_ctx *c)
{
	c->flags |= KT_CTX_ABORT;
	kt_error(c, "abort");
	user_ask_stop(&user_current, false);
}

void kt_fn_exit(struct kt_ctx *c)
{
	(void)c;
	user_ask_stop(&user_current, false);
}

void kt_fn_exit2(struct kt_ctx *c, kt_s64 status)
{
	(void)c;
	user_current.exit_code = (int)status;
	user_ask_stop(&user_current, false);
}

void kt_fn_pp(struct kt_ctx *c, char *ret, kt_u32 size)
{
	kt_strcpy(ret, c->probe->pp, size);
}

void kt_fn_pn(struct kt_ctx *c, char *ret, kt_u32 size)
{
	kt_strcpy(ret, c->probe->alias ?: c->probe->pp, size);
}

/* What stands between function(" or statement(" and the first @ or quote: nothing that exists here has it. */
void kt_fn_ppfunc(struct kt_ctx *c, char *ret, kt_u32 size)
{
	(void)c, (void)size;
	ret[0] = 0;
}
