/* Probes perf.* and timer.profile: one event of the kernel's perf on each CPU that is online at the start. Those of
 * processes are in perf-task.c.
 *
 * What overflows calls us with the registers of the code it interrupted: a clock in hard interrupt context, a counter of
 * the processor in an NMI, an event of the kernel wherever it happens.
 */
#include <linux/cpu.h>
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
	const struct kt_perf_row *row;
	const struct kt_probe *probe;
	struct perf_event **events; /* one per CPU number, NULL where there is none */
	bool on;
};

static struct perf_place *perf_places;
static u32 n_perf_places;

static __kprobes void perf_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct perf_place *p = event->overflow_handler_context;

	kt_handle(p->probe, regs, KT_CTX_CLOCK | (regs && user_mode(regs) ? KT_CTX_USER_REGS : 0), NULL);
}

static void perf_release(struct perf_place *p)
{
	for (u32 cpu = 0; p->events && cpu < nr_cpu_ids; cpu++)
		if (p->events[cpu])
			perf_event_release_kernel(p->events[cpu]);
	kfree(p->events);
	p->events = NULL;
}

/* Creates the events of one row, all or none. Under cpus_read_lock(). */
static int perf_create(struct perf_place *p)
{
	struct perf_event_attr attr = kt_perf_attr(p->row);
	struct perf_event *event;
	int cpu;

	attr.disabled = !p->on;
	p->events = kcalloc(nr_cpu_ids, sizeof(struct perf_event *), GFP_KERNEL);
	if (!p->events)
		return -ENOMEM;
	for_each_online_cpu (cpu) {
		event = perf_event_create_kernel_counter(&attr, cpu, NULL, perf_hit, p);
		if (IS_ERR(event)) {
			perf_release(p);
			return (int)PTR_ERR(event);
		}
		p->events[cpu] = event;
	}
	return 0;
}

/* Starts and stops counting as conditions say. */
static void perf_update(void)
{
	for (u32 i = 0; i < n_perf_places; i++) {
		struct perf_place *p = &perf_places[i];
		bool on = p->row && !kt_condition_off(p->row->probe);

		for (u32 cpu = 0; p->events && p->on != on && cpu < nr_cpu_ids; cpu++) {
			if (!p->events[cpu])
				continue;
			if (on)
				perf_event_enable(p->events[cpu]);
			else
				perf_event_disable(p->events[cpu]);
		}
		p->on = on;
	}
}

static void perf_disarm(void)
{
	kt_perf_tasks_disarm();
	for (u32 i = 0; i < n_perf_places; i++)
		perf_release(&perf_places[i]);
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
	cpus_read_lock();
	for (u32 i = 0; i < n_perf_places; i++) {
		struct perf_place *p = &perf_places[i];

		if (row[i].path)
			continue;
		p->row = &row[i];
		p->probe = &kt_script.probes[row[i].probe];
		p->on = !kt_condition_off(row[i].probe);
		err = perf_create(p);
		if (err)
			kt_session_refused(row[i].probe, err);
		else
			kt_session.armed++;
	}
	cpus_read_unlock();
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
