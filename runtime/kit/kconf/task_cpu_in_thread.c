/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is the CPU of a task in its thread_info? bcf9033e5449 "sched: move CPU field back into thread_info if THREAD_INFO_IN_TASK=y", v5.16. */
#include <linux/sched.h>

unsigned int kt_question(const struct task_struct *task)
{
	return task->thread_info.cpu;
}
