/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that handlers defer: see deferred.h. */
#include "runtime/kit/deferred.h"

void kt_deferred_irq(struct irq_work *work)
{
	struct kt_deferred *d = container_of(work, struct kt_deferred, irq);

	if (KT_DEFERS_TO_THREAD)
		kt_queue_unbound(&d->thread);
	else
		d->run(d);
}

void kt_deferred_thread(struct work_struct *work)
{
	struct kt_deferred *d = container_of(work, struct kt_deferred, thread);

	d->run(d);
}

void kt_deferred_init(struct kt_deferred *d, void (*run)(struct kt_deferred *d))
{
	d->irq = (struct irq_work)KT_IRQ_WORK_HARD(kt_deferred_irq);
	INIT_WORK(&d->thread, kt_deferred_thread);
	d->run = run;
}

void kt_deferred_finish(struct kt_deferred *d)
{
	irq_work_sync(&d->irq);
	if (KT_DEFERS_TO_THREAD)
		flush_work(&d->thread);
}
