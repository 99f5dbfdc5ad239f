/* SPDX-License-Identifier: GPL-2.0-or-later */
/* raise(): signals to the task that was hit. Sending takes locks that the interrupted code may hold, so it is deferred
 * until interrupts are on again: before the task goes on in user mode, except on PREEMPT_RT, where a thread does it.
 */
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "runtime/fn.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"

static void signal_send(struct kt_deferred *d)
{
	struct kt_signal *s = container_of(d, struct kt_signal, deferred);
	struct task_struct *task = s->task;
	int number = s->number;

	smp_store_release(&s->task, NULL);
	send_sig(number, task, 1);
	put_task_struct(task);
}

void kt_signals_create(struct kt_cpu *k)
{
	for (int i = 0; i < KT_SIGNALS_UNDER_WAY; i++)
		kt_deferred_init(&k->signals[i].deferred, signal_send);
}

void kt_signals_finish(struct kt_cpu *k)
{
	for (int i = 0; i < KT_SIGNALS_UNDER_WAY; i++)
		kt_deferred_finish(&k->signals[i].deferred);
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
		get_task_struct(task);
		kt_defer(&s->deferred);
		return;
	}
	kt_errorf(c, "raise(%d): too many signals are under way on this CPU", number);
}
