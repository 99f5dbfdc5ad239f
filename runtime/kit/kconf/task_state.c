/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is it __state? 2f064a59a11f "sched: Change task_struct::state", v5.14. */
#include <linux/sched.h>

unsigned int kt_question(const struct task_struct *task)
{
	return task->__state;
}
