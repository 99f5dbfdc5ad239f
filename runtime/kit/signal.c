/* raise(): signals to the task that was hit. Sending takes locks that the interrupted code may hold, so it is done by
 * irq_work, as soon as interrupts are on again: before the task goes on in user mode, except on PREEMPT_RT, where a thread
 * does it.
 */
#include <linux/irq_work.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "runtime/kit/fn.h"
#include "runtime/kit/kit.h"

enum { SIGNALS_UNDER_WAY = 4 }; /* of one CPU */

struct signal_slot {
	struct irq_work work;
	struct task_struct *task; /* NULL: free */
	int number;
};

static void signal_send(struct irq_work *work)
{
	struct signal_slot *s = container_of(work, struct signal_slot, work);
	struct task_struct *task = s->task;
	int number = s->number;

	smp_store_release(&s->task, NULL);
	send_sig(number, task, 1);
	put_task_struct(task);
}

static DEFINE_PER_CPU(struct signal_slot, signal_slots[SIGNALS_UNDER_WAY]);

/* The kernel relocates no initial values of a module's per-CPU data. */
void kt_signals_start(void)
{
	int cpu;

	for_each_possible_cpu (cpu)
		for (int i = 0; i < SIGNALS_UNDER_WAY; i++)
			init_irq_work(&per_cpu(signal_slots, cpu)[i].work, signal_send);
}

/* After all handlers have ended. */
void kt_signals_finish(void)
{
	int cpu;

	for_each_possible_cpu (cpu)
		for (int i = 0; i < SIGNALS_UNDER_WAY; i++)
			irq_work_sync(&per_cpu(signal_slots, cpu)[i].work);
}

__kprobes void kt_fn_raise(struct kt_ctx *c, kt_s64 number)
{
	struct task_struct *task = kt_task(c);
	struct signal_slot *s = *this_cpu_ptr(&signal_slots);

	if (number < 1 || number > _NSIG) {
		kt_errorf(c, "raise(%d): there is no such signal", number);
		return;
	}
	if (task->flags & (PF_KTHREAD | PF_EXITING) || is_global_init(task)) {
		kt_errorf(c, "raise(%d): task %d takes no signals", number, (kt_s64)task->pid);
		return;
	}
	/* An NMI may come between. */
	for (int i = 0; i < SIGNALS_UNDER_WAY; i++, s++) {
		if (cmpxchg(&s->task, NULL, task))
			continue;
		s->number = (int)number;
		get_task_struct(task);
		irq_work_queue(&s->work);
		return;
	}
	kt_errorf(c, "raise(%d): too many signals are under way on this CPU", number);
}
