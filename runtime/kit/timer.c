/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes timer.*: one hrtimer each, on the CPU that armed it. Its handler runs in hard interrupt context. A handler that works
 * on whole arrays runs in a task, where it lets interrupts in: that takes as long as the arrays are large.
 */
#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "runtime/kit/kit.h"

/* One row that is armed. */
struct timer {
	struct hrtimer hr;
	struct work_struct work;
	const struct kt_probe *probe;
	u64 interval;
	u64 random;
	u64 seed; /* xorshift state, never 0 */
	bool running;
};

static struct timer *timers;
static u32 n_timers;

/* Uniform in [interval - random, interval + random]. The kernel's own generator may take locks. */
static u64 next_interval(struct timer *t)
{
	u64 x = t->seed;

	if (!t->random)
		return t->interval;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	t->seed = x;
	return t->interval - t->random + mul_u64_u64_shr(x, 2 * t->random + 1, 64);
}

static __kprobes enum hrtimer_restart fire(struct hrtimer *hr)
{
	struct timer *t = container_of(hr, struct timer, hr);

	if (kt_run_state() > KT_RUNNING)
		return HRTIMER_NORESTART;
	if (t->probe->flags & KT_PROBE_VISITS)
		queue_work(system_highpri_wq, &t->work);
	else
		kt_handle(t->probe, NULL, KT_CTX_CLOCK, NULL);
	hrtimer_forward_now(hr, ns_to_ktime(next_interval(t)));
	return HRTIMER_RESTART;
}

static void fire_in_task(struct work_struct *work)
{
	if (kt_run_state() == KT_RUNNING)
		kt_handle_own(container_of(work, struct timer, work)->probe, NULL);
}

/* Starts and stops timers as their conditions say; one that starts waits for a whole interval first. */
static void timer_update(void)
{
	for (u32 i = 0; i < n_timers; i++) {
		struct timer *t = &timers[i];
		bool on = !kt_probe_off(t->probe->index);

		if (on && !t->running)
			hrtimer_start(&t->hr, ns_to_ktime(next_interval(t)), HRTIMER_MODE_REL_HARD);
		else if (!on && t->running)
			hrtimer_cancel(&t->hr);
		t->running = on;
	}
}

static int timer_arm(const struct kt_family_rows *rows)
{
	const struct kt_timer_row *row = rows->rows;

	timers = kvcalloc(rows->n, sizeof(*timers), GFP_KERNEL);
	if (!timers)
		return -ENOMEM;
	for (u32 i = 0; i < rows->n; i++) {
		struct timer *t = &timers[i];

		t->probe = &kt_script.probes[row[i].probe];
		t->interval = max_t(u64, row[i].interval, 1);
		t->random = min(row[i].random, t->interval - 1);
		t->seed = get_random_u64() | 1;
		kt_hrtimer_setup(&t->hr, fire);
		INIT_WORK(&t->work, fire_in_task);
	}
	n_timers = rows->n;
	timer_update();
	kt_run_armed((int)n_timers);
	return 0;
}

static void timer_disarm(void)
{
	for (u32 i = 0; i < n_timers; i++) {
		hrtimer_cancel(&timers[i].hr);
		cancel_work_sync(&timers[i].work);
	}
	n_timers = 0;
	kvfree(timers);
	timers = NULL;
}

const struct kt_family_ops kt_timer_family = {
	.arm = timer_arm,
	.disarm = timer_disarm,
	.update = timer_update,
};
