/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes perf.* and timer.profile: one event of the kernel's perf on each CPU. Those of processes are in perf-task.c.
 *
 * What overflows calls us with the registers of the code it interrupted: a clock in hard interrupt context, a counter of
 * the processor in an NMI, an event of the kernel wherever it happens.
 */
#include <linux/jiffies.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/slab.h>

#include "runtime/kit/kit.h"

struct perf_event_attr kt_perf_attr(const struct kt_perf_row *row)
{
	struct perf_event_attr attr = {
		.type = row->type,
		.config = row->config,
		.size = sizeof(attr),
	};

	/* A counter is read and never overflows. */
	if (row->counter)
		return attr;
	if (row->is_rate) {
		attr.freq = 1;
		attr.sample_freq = row->sample;
	} else {
		attr.sample_period = row->sample ? row->sample : TICK_NSEC;
	}
	return attr;
}

/* A row and its events. */
struct perf_place {
	const struct kt_probe *probe;
	struct kt_cpu_events events;
};

static struct perf_place *perf_places;
static u32 n_perf_places;

static __kprobes void perf_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct perf_place *p = event->overflow_handler_context;

	kt_handle(p->probe, regs, KT_CTX_CLOCK | (regs && user_mode(regs) ? KT_CTX_USER_REGS : 0), NULL);
}

/* Starts and stops counting as conditions say. */
static void perf_update(void)
{
	for (u32 i = 0; i < n_perf_places; i++) {
		struct perf_place *p = &perf_places[i];

		if (p->probe)
			kt_cpu_events_switch(&p->events, !kt_probe_off(p->probe->index));
	}
}

static void perf_disarm(void)
{
	kt_perf_tasks_disarm();
	for (u32 i = 0; i < n_perf_places; i++)
		kt_cpu_events_release(&perf_places[i].events);
	/* A hit whose event was let go under it may still be on its way to us. */
	synchronize_rcu();
	n_perf_places = 0;
	kvfree(perf_places);
	perf_places = NULL;
}

static int perf_arm(const struct kt_family_rows *rows)
{
	const struct kt_perf_row *row = rows->rows;
	int err;

	perf_places = kvcalloc(rows->n, sizeof(*perf_places), GFP_KERNEL);
	if (!perf_places)
		return -ENOMEM;
	n_perf_places = rows->n;
	for (u32 i = 0; i < n_perf_places; i++) {
		struct perf_place *p = &perf_places[i];

		if (row[i].path)
			continue;
		p->probe = &kt_script.probes[row[i].probe];
		p->events = (struct kt_cpu_events){
			.attr = kt_perf_attr(&row[i]),
			.hit = perf_hit,
			.context = p,
			.probe = p->probe,
			.on = !kt_probe_off(row[i].probe),
		};
		err = kt_cpu_events_create(&p->events);
		if (err)
			kt_run_refused(row[i].probe, err);
		else
			kt_run_armed(1);
	}
	err = kt_perf_tasks_arm(row, rows->n);
	if (err)
		perf_disarm();
	return err;
}

const struct kt_family_ops kt_perf_family = {
	.arm = perf_arm,
	.disarm = perf_disarm,
	.update = perf_update,
};
