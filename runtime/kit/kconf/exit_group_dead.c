/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the tracepoint of an exiting task say whether its group is dead? 3e816361e94a "sched/tracepoints: Move and extend the
 * sched_process_exit() tracepoint", v6.16. */
#include <trace/events/sched.h>

void kt_question(struct task_struct *task)
{
	trace_sched_process_exit(task, true);
}
