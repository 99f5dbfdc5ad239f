/* SPDX-License-Identifier: GPL-2.0-or-later */
/* raise(): signals to the task that was hit. Sending takes locks that the interrupted code may hold, so it is done by
 * irq_work, as soon as interrupts are on again: before the task goes on in user mode, except on PREEMPT_RT, where a thread
 * does it.
 */
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "runtime/fn.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"

static void signal_send(struct irq_work *work)
{
	struct kt_signal *s = container_of(work, struct kt_signal, work);
	struct task_struct *task = s->task;
	int number = s->number;

	smp_store_release(&s->task, NULL);
	send_sig(number, task, 1);
	put_task_struct(task);
}

__kprobes void kt_fn_raise(struct kt_ctx *c, kt_s64 number)
{
	struct task_struct *task = kt_task(c);
	struct kt_signal *s = raw_cpu_ptr(kt_cpus)->signals;

	if (number < 1 || number > _NSIG) {
		kt_errorf(c, "raise(%d): there is no such signal", number);
		return;
	}
	if (task->flags & (PF_KTHREAD | PF_EXITING) || is_global_init(task)) {
		kt_errorf(c, "raise(%d): task %d takes no signals", number, (kt_s64)task->pid);
		return;
	}
	if (!kt_irq_work_runs()) {
		kt_errorf(c, "raise(%d): this CPU is going down or coming up", number);
		return;
	}
	/* An NMI may come between. */
	for (int i = 0; i < KT_SIGNALS_UNDER_WAY; i++, s++) {
		if (cmpxchg(&s->task, NULL, task))
			continue;
		s->number = (int)number;
		s->work.func = signal_send;
		get_task_struct(task);
		irq_work_queue(&s->work);
		return;
	}
	kt_errorf(c, "raise(%d): too many signals are under way on this CPU", number);
}
