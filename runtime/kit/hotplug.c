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
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "runtime/kit/services.h"

static struct tracepoint *step_tracepoint; /* NULL: nobody follows */
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

static void step_found(struct tracepoint *tp, void *ret)
{
	if (!strcmp(tp->name, "cpuhp_exit"))
		*(struct tracepoint **)ret = tp;
}

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
	struct tracepoint *tp = NULL;
	int err;

	/* Without tracepoints the kernel reports no new CPU. Only the CPUs that are online now are probed. */
	if (!IS_ENABLED(CONFIG_TRACEPOINTS))
		return 0;
	err = follower_add(changed);
	if (err || step_tracepoint)
		return err;
	for_each_kernel_tracepoint(step_found, &tp);
	err = tp ? tracepoint_probe_register(tp, (void *)step_done, NULL) : -ENOENT;
	if (err)
		return err;
	step_tracepoint = tp;
	kt_queue_unbound(&cpus_work); /* a CPU may have come before the tracepoint was registered */
	return 0;
}

void kt_cpus_unfollow(void)
{
	if (!step_tracepoint)
		return;
	tracepoint_probe_unregister(step_tracepoint, (void *)step_done, NULL);
	tracepoint_synchronize_unregister();
	cancel_work_sync(&cpus_work);
	memset(followers, 0, sizeof(followers));
	step_tracepoint = NULL;
}
