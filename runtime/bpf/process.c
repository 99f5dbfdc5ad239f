/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the library about the process that runs cold handlers: ktaprun, as in a module's begin and end. */
#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "runtime/core/errno.h"
#include "runtime/fn.h"
#include "runtime/host.h"

#define NUMBER(name, value)                   \
	kt_s64 kt_fn_##name(struct kt_ctx *c) \
	{                                     \
		(void)c;                      \
		return (kt_s64)(value);       \
	}

static struct tm local_time(void)
{
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	return tm;
}

static kt_s64 random_number(void)
{
	kt_u64 n = 0;

	if (getrandom(&n, sizeof(n), GRND_NONBLOCK) != sizeof(n))
		n = kt_host_cycles();
	return (kt_s64)(n >> 1);
}

static kt_s64 time_used(int user)
{
	struct rusage use;
	struct timeval t;

	getrusage(RUSAGE_SELF, &use);
	t = user ? use.ru_utime : use.ru_stime;
	return t.tv_sec * 1000000000ll + t.tv_usec * 1000ll;
}

NUMBER(euid, geteuid())
NUMBER(egid, getegid())
NUMBER(ppid, getppid())
NUMBER(pgrp, getpgrp())
NUMBER(sid, getsid(0))
NUMBER(task_utime, time_used(1))
NUMBER(task_stime, time_used(0))
NUMBER(mem_page_size, sysconf(_SC_PAGESIZE))
NUMBER(get_cycles, kt_host_cycles())
NUMBER(tz_gmtoff, -local_time().tm_gmtoff)
NUMBER(__random, random_number())

void kt_fn_tz_name(struct kt_ctx *c, char *ret, kt_u32 size)
{
	(void)c;
	kt_strcpy(ret, local_time().tm_zone, size);
}

void kt_fn_errno_str(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 number)
{
	(void)c;
	kt_strcpy(ret, kt_errno_name(number) ?: "", size);
}

void kt_fn_raise(struct kt_ctx *c, kt_s64 number)
{
	if (number < 1 || number > SIGRTMAX)
		kt_errorf(c, "raise(%d): there is no such signal", number);
	else
		kill(getpid(), (int)number);
}
