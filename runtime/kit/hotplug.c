/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs that come and go while a session runs.
 *
 * All users of CPU hotplug share the 30 to 40 dynamic states of the kernel. A session takes none of them, for many
 * sessions may run at once: it listens to the tracepoint that reports each step of hotplug. The tracepoint's probe may
 * not sleep, and the kernel holds the locks of hotplug around it. So it only queues work. The work looks at the CPUs as
 * they are then, so that it may run late or miss a change that was undone.
 */
#include <linux/cpuhotplug.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "runtime/kit/services.h"

static void (*followers[2])(void);         /* NULL: free */

static void cpus_changed(struct work_struct *work)
{
	for (u32 i = 0; i < ARRAY_SIZE(followers); i++) {
		void (*changed)(void) = READ_ONCE(followers[i]);

		if (changed)
			changed();
	}
}

static DECLARE_WORK(cpus_work, cpus_changed);

/* Context: preemption off. In the step PERF_ONLINE the kernel allows events on a CPU, or takes them away. */
static void step_done(void *data, unsigned int cpu, int state, int step, int err)
{
	if (step == CPUHP_AP_PERF_ONLINE)
		kt_queue_unbound(&cpus_work);
}

static struct kt_listener step_listener = { .name = "cpuhp_exit", .hit = (void *)step_done };

static int follower_add(void (*changed)(void))
{
	for (u32 i = 0; i < ARRAY_SIZE(followers); i++) {
		if (!followers[i])
			WRITE_ONCE(followers[i], changed);
		if (followers[i] == changed)
			return 0;
	}
	return -ENOSPC;
}

int kt_cpus_follow(void (*changed)(void))
{
	int err;

	err = follower_add(changed);
	if (err || step_listener.on)
		return err;
	err = kt_listen(&step_listener);
	if (!err)
		kt_queue_unbound(&cpus_work); /* a CPU may have come before the tracepoint was registered */
	/* Without tracepoints the kernel reports no new CPU. Only the CPUs that are online now are probed. */
	return err == -EOPNOTSUPP ? 0 : err;
}

void kt_cpus_unfollow(void)
{
	if (!step_listener.on)
		return;
	kt_listen_no_more(&step_listener, 1);
	cancel_work_sync(&cpus_work);
	memset(followers, 0, sizeof(followers));
}
