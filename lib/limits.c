/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A limit that is only soft is raised, a hard one where the process has CAP_SYS_RESOURCE. The stack of the first thread grows up to
 * the limit of that moment. Those of other threads are allocated, and count for RLIMIT_AS.
 */
#include "lib/limits.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/diag.h"

enum {
	STACK_WANTED = 8 << 20,
	STACK_NEEDED = 1 << 20, /* of a parser at its bound of nesting, and of a thread */
	END_SECONDS = 3,        /* of processor time from SIGXCPU to SIGKILL, to end in */
};

static const struct loc nowhere;

static bool stack_begin(const struct rlimit *before)
{
	struct rlimit l = *before;
	pthread_attr_t threads;

	if (l.rlim_cur < STACK_WANTED) {
		l.rlim_cur = STACK_WANTED;
		if (l.rlim_max < STACK_WANTED)
			l.rlim_max = STACK_WANTED;
		if (setrlimit(RLIMIT_STACK, &l)) {
			l.rlim_cur = l.rlim_max = before->rlim_max;
			setrlimit(RLIMIT_STACK, &l);
		}
	}
	if (l.rlim_cur < STACK_NEEDED)
		return error(nowhere, DIAG_RUN, "the limit on the stack is %llu KB, at least %d KB are needed; raise it with: ulimit -Hs %d",
			     (unsigned long long)l.rlim_cur >> 10, STACK_NEEDED >> 10, STACK_WANTED >> 10);
	if (pthread_getattr_default_np(&threads))
		return true;
	if (!pthread_attr_setstacksize(&threads, STACK_NEEDED))
		pthread_setattr_default_np(&threads);
	pthread_attr_destroy(&threads);
	return true;
}

/* At the soft limit comes SIGXCPU, which a session ends by; at the hard one SIGKILL. `ulimit -t` sets both to one value. */
static void time_begin(const struct rlimit *before)
{
	struct rlimit l = *before;

	if (l.rlim_max == RLIM_INFINITY || l.rlim_max > l.rlim_cur + END_SECONDS)
		return;
	l.rlim_max = l.rlim_cur + END_SECONDS;
	if (!setrlimit(RLIMIT_CPU, &l))
		return;
	l.rlim_max = before->rlim_max;
	if (l.rlim_cur < 2)
		return;
	l.rlim_cur = l.rlim_max > 2 * END_SECONDS ? l.rlim_max - END_SECONDS : l.rlim_max - l.rlim_max / 2;
	setrlimit(RLIMIT_CPU, &l);
}

bool limits_begin(struct limits *ret)
{
	if (getrlimit(RLIMIT_STACK, &ret->stack) || getrlimit(RLIMIT_CPU, &ret->time))
		return error(nowhere, DIAG_RUN, "cannot read the limits of this process: %s", strerror(errno));
	time_begin(&ret->time);
	return stack_begin(&ret->stack);
}

const char *limits_set(struct limits *before, int resource, const char *value)
{
	struct rlimit l;
	char *end;

	errno = 0;
	l.rlim_cur = l.rlim_max = strtoull(value, &end, 10);
	if (errno || *end || !isdigit((unsigned char)*value))
		return "it needs a number";
	if (resource == RLIMIT_STACK && l.rlim_cur < STACK_NEEDED)
		return "at least 1048576 bytes are needed";
	if (setrlimit(resource, &l))
		return strerror(errno);
	if (resource == RLIMIT_STACK)
		before->stack = l;
	if (resource == RLIMIT_CPU)
		before->time = l;
	return NULL;
}

void limits_restore(const struct limits *l)
{
	if (!l)
		return;
	setrlimit(RLIMIT_STACK, &l->stack);
	setrlimit(RLIMIT_CPU, &l->time);
}
