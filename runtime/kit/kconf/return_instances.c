/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a task have a list of its calls whose returns are probed, in the form that it has had since 97da89767d39 "uprobes: Export 'struct
 * return_instance', introduce arch_uretprobe_is_alive()", v4.3? No: CONFIG_UPROBES is off. */
#include <linux/sched.h>
#include <linux/uprobes.h>

unsigned long kt_question(const struct task_struct *task)
{
	const struct return_instance *ri = task->utask->return_instances;

	return ri->next ? ri->stack : ri->orig_ret_vaddr;
}
