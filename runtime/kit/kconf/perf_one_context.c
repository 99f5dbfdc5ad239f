/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are all events of a task in one context? bd2756811766 "perf: Rewrite core context handling", v6.2; before, it had one for
 * the processor's counters and one for the kernel's. */
#include <linux/perf_event.h>
#include <linux/sched.h>

struct perf_event_context *kt_question(const struct task_struct *task)
{
	return task->perf_event_ctxp;
}
