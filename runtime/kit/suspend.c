/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suspend to memory or disk, while returns of functions are hooked.
 *
 * The machine comes back at the function that saved the registers, do_suspend_lowlevel() on x86, __cpu_suspend_enter() on arm64,
 * or with the memory as the image has it. The functions that were called from there never return, but the kernel keeps their hooks
 * in the task's list, where it takes the next return for theirs. So no return is hooked from the tracepoint before such a call to
 * the one after it. The kernel's graph tracer pauses there for the same reason.
 */
#include <linux/string.h>
#include <linux/suspend.h>

#include "runtime/kit/function.h"
#include "runtime/kit/services.h"

bool kt_machine_sleeps;

/* Context: interrupts off, one CPU. Suspend to idle saves nothing and is no pause. */
static void slept(void *data, const char *action, int state, bool start)
{
	if (!strcmp(action, "machine_suspend") && (!start || state != (__force int)PM_SUSPEND_TO_IDLE))
		WRITE_ONCE(kt_machine_sleeps, start);
}

static struct kt_listener sleep_listener = { .name = "suspend_resume", .hit = (void *)slept };

int kt_sleep_follow(void)
{
	int err = IS_ENABLED(CONFIG_PM_SLEEP) ? kt_listen(&sleep_listener) : 0;

	return err == -EOPNOTSUPP ? 0 : err;
}

void kt_sleep_unfollow(void)
{
	kt_listen_no_more(&sleep_listener, 1);
}
