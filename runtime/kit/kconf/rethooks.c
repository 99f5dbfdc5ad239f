/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a task have a list of its hooked returns, and does a kretprobe have an instance for each and a handler that can be replaced, as
 * since f3a112c0c40d "x86,rethook,kprobes: Replace kretprobe with rethook on x86", v5.18? */
#include <linux/kprobes.h>
#include <linux/sched.h>
#if __has_include(<linux/rethook.h>) /* since v5.18; an absent header would end the compilation of all questions */
#include <linux/rethook.h>
#else
#error "no rethook.h"
#endif

bool kt_question(const struct task_struct *task, const struct kretprobe *rp, const struct kretprobe_instance *ri)
{
	return task->rethooks.first == &ri->node.llist && rp->rh->handler;
}
