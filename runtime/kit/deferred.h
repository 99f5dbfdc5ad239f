/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that a handler defers, since it may be in an NMI and the probed code may hold any lock. */
#ifndef KT_KIT_DEFERRED_H
#define KT_KIT_DEFERRED_H

#include <linux/irq_work.h>
#include <linux/workqueue.h>

#include "runtime/kit/compat.h"

/* Done in the next interrupt of its CPU. On PREEMPT_RT, where interrupts take no locks that sleep, that interrupt passes it on to a
 * thread which any CPU may run: the kernel's own thread for irq_work is bound to the CPU, and a real-time task that never sleeps
 * would hold it up for ever, and the end of the session with it. */
struct kt_deferred {
	struct irq_work irq;
	struct work_struct thread;
	void (*run)(struct kt_deferred *d);
};

#define KT_DEFERRED(name, fn)                                              \
	{                                                                  \
		.irq = KT_IRQ_WORK_HARD(kt_deferred_irq),                  \
		.thread = __WORK_INITIALIZER(name.thread, kt_deferred_thread), \
		.run = (fn),                                               \
	}

void kt_deferred_irq(struct irq_work *work);
void kt_deferred_thread(struct work_struct *work);
void kt_deferred_init(struct kt_deferred *d, void (*run)(struct kt_deferred *d));
/* Queues D on this CPU; false: its interrupt is pending already. Context: any in which kt_irq_work_runs() is true. */
static __always_inline bool kt_defer(struct kt_deferred *d)
{
	return irq_work_queue(&d->irq);
}
/* Waits until D, if it was queued, is done. Context: process. */
void kt_deferred_finish(struct kt_deferred *d);

#endif
