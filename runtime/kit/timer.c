/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes timer.*: one hrtimer each, on the CPU that armed it. Its handler runs in hard interrupt context. A handler that works
 * on whole arrays runs in a task, where it lets interrupts in: the larger the arrays, the longer it takes. One tick waits
 * meanwhile; further ticks are dropped and counted.
 */
#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/random.h>
#include <linux/workqueue.h>

#include "runtime/core/errno.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/place.h"

struct timer {
	struct kt_place place;
	struct hrtimer hr;
	struct work_struct work;
	u64 interval;
	u64 random;
	u64 state; /* of the generator */
};

/* Uniform in [interval - random, interval + random]. The kernel's own generator may take locks. */
static u64 next_interval(struct timer *t)
{
	if (!t->random)
		return t->interval;
	return t->interval - t->random + mul_u64_u64_shr(kt_random_next(&t->state), 2 * t->random + 1, 64);
}

static __kprobes enum hrtimer_restart fire(struct hrtimer *hr)
{
	struct timer *t = container_of(hr, struct timer, hr);

	if (kt_run_state() > KT_RUNNING)
		return HRTIMER_NORESTART;
	if (!(t->place.probe->flags & KT_PROBE_VISITS))
		kt_handle(t->place.probe, NULL, KT_CTX_CLOCK, NULL);
	else if (!queue_work(system_highpri_wq, &t->work))
		kt_lose(t->place.probe, KT_LOSS_TICK);
	hrtimer_forward_now(hr, ns_to_ktime(next_interval(t)));
	return HRTIMER_RESTART;
}

static void fire_in_task(struct work_struct *work)
{
	if (kt_run_state() == KT_RUNNING)
		kt_handle_own(container_of(work, struct timer, work)->place.probe, NULL);
}

static int timer_prepare(struct kt_places *all)
{
	for (u32 i = 0; i < all->n; i++) {
		struct timer *t = KT_PLACE_AS(struct timer, kt_place_at(all, i));
		const struct kt_timer_row *row = t->place.row;

		t->interval = max_t(u64, row->interval, 1);
		t->random = min(row->random, t->interval - 1);
		t->state = get_random_u64();
		kt_hrtimer_setup(&t->hr, fire);
		INIT_WORK(&t->work, fire_in_task);
	}
	return 0;
}

/* It waits for a whole interval first. */
static int timer_attach(struct kt_place *p)
{
	struct timer *t = KT_PLACE_AS(struct timer, p);

	hrtimer_start(&t->hr, ns_to_ktime(next_interval(t)), HRTIMER_MODE_REL_HARD);
	return 0;
}

static int timer_detach(struct kt_place *p)
{
	hrtimer_cancel(&KT_PLACE_AS(struct timer, p)->hr);
	return 0;
}

static void timer_finish(struct kt_places *all)
{
	for (u32 i = 0; i < all->n; i++)
		cancel_work_sync(&KT_PLACE_AS(struct timer, kt_place_at(all, i))->work);
}

const struct kt_family_ops kt_timer_family = {
	.size = sizeof(struct timer),
	.row_size = sizeof(struct kt_timer_row),
	.prepare = timer_prepare,
	.attach = timer_attach,
	.detach = timer_detach,
	.finish = timer_finish,
};
