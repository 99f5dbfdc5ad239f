/* Probes perf.* and timer.profile: one event of the kernel's perf on each CPU that is online at the start.
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
	struct perf_event_attr attr = {
		.type = p->row->type,
		.config = p->row->config,
		.size = sizeof(attr),
		.disabled = !p->on,
	};
	struct perf_event *event;
	int cpu;

	if (p->row->is_rate) {
		attr.freq = 1;
		attr.sample_freq = p->row->sample;
	} else {
		attr.sample_period = p->row->sample ? p->row->sample : TICK_NSEC;
	}
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
		bool on = !kt_condition_off(p->row->probe);

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

static int perf_arm(const struct kt_family_rows *rows)
{
	const struct kt_perf_row *row = rows->rows;

	perf_places = kvcalloc(rows->n, sizeof(*perf_places), GFP_KERNEL);
	if (!perf_places)
		return -ENOMEM;
	n_perf_places = rows->n;
	cpus_read_lock();
	for (u32 i = 0; i < n_perf_places; i++) {
		struct perf_place *p = &perf_places[i];
		int err;

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
	return 0;
}

static void perf_disarm(void)
{
	for (u32 i = 0; i < n_perf_places; i++)
		perf_release(&perf_places[i]);
	n_perf_places = 0;
	kvfree(perf_places);
	perf_places = NULL;
}

const struct kt_family_ops kt_perf_family = {
	.arm = perf_arm,
	.disarm = perf_disarm,
	.update = perf_update,
};
