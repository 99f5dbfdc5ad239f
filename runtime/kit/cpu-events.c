/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of the kernel's perf on each CPU that is online, CPUs that come online later included.
 *
 * When a CPU goes offline, the kernel takes its events out of their context. They never count again, so they are released
 * and replaced. The creator of an event must not hold the lock of CPU hotplug: software events take it to patch a static
 * key, and a task that takes it twice deadlocks with a CPU that is going offline in between.
 */
#include <linux/cpumask.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/slab.h>

#include "runtime/kit/services.h"

static DEFINE_MUTEX(cpu_events_lock);
static struct kt_cpu_events *cpu_events; /* list of all that are created */

/* Releases a dead event of CPU, and creates one if CPU is online and has none. A CPU that is going offline is not an error.
 * Under cpu_events_lock. */
static int cpu_event_renew(struct kt_cpu_events *e, int cpu)
{
	struct perf_event *event = e->events[cpu];

	if (event && READ_ONCE(event->attach_state) & PERF_ATTACH_CONTEXT)
		return 0;
	WRITE_ONCE(e->events[cpu], NULL); /* first: kt_cpu_events_read() may be reading */
	if (event)
		perf_event_release_kernel(event);
	if (!cpu_online(cpu))
		return 0;
	e->attr.disabled = !e->on;
	event = perf_event_create_kernel_counter(&e->attr, cpu, NULL, e->hit, e);
	if (IS_ERR(event))
		return PTR_ERR(event) == -ENODEV ? 0 : (int)PTR_ERR(event);
	e->events[cpu] = event;
	return 0;
}

/* Under cpu_events_lock. */
static void cpu_events_free(struct kt_cpu_events *e)
{
	struct perf_event **events = e->events;

	WRITE_ONCE(e->events, NULL);
	for (u32 cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (events[cpu])
			perf_event_release_kernel(events[cpu]);
	synchronize_rcu(); /* kt_cpu_events_read() */
	kfree(events);
}

/* Under cpu_events_lock. */
static int cpu_events_make(struct kt_cpu_events *e)
{
	int cpu, err = 0;
	u32 n = 0;

	e->events = kcalloc(nr_cpu_ids, sizeof(struct perf_event *), GFP_KERNEL);
	if (!e->events)
		return -ENOMEM;
	for_each_online_cpu (cpu) {
		err = cpu_event_renew(e, cpu);
		if (err)
			break;
		n += e->events[cpu] != NULL;
	}
	if (!err && !n)
		err = -ENODEV;
	if (err)
		cpu_events_free(e);
	return err;
}

/* A CPU came or went. Context: process, sleeps. */
static void cpu_events_follow(void)
{
	int cpu;

	mutex_lock(&cpu_events_lock);
	for (struct kt_cpu_events *e = cpu_events; e; e = e->next) {
		for_each_possible_cpu (cpu) {
			int err = cpu_event_renew(e, cpu);

			if (err)
				kt_warn("probe %s does not fire on CPU %d, which came online (rc %d)", e->place.probe->pp, cpu, err);
		}
	}
	mutex_unlock(&cpu_events_lock);
}

int kt_cpu_events_create(struct kt_cpu_events *e)
{
	int err = kt_cpus_follow(cpu_events_follow);

	if (err)
		return err;
	mutex_lock(&cpu_events_lock);
	err = cpu_events_make(e);
	if (!err) {
		e->next = cpu_events;
		cpu_events = e;
	}
	mutex_unlock(&cpu_events_lock);
	return err;
}

bool kt_cpu_events_are_outside(struct kt_cpu_events *e)
{
	bool outside = false;

	mutex_lock(&cpu_events_lock);
	for (u32 cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (e->events[cpu])
			outside |= e->events[cpu]->pmu->task_ctx_nr == perf_invalid_context;
	mutex_unlock(&cpu_events_lock);
	return outside;
}

void kt_cpu_events_release(struct kt_cpu_events *e)
{
	struct kt_cpu_events **at = &cpu_events;

	if (!e->events)
		return;
	mutex_lock(&cpu_events_lock);
	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	cpu_events_free(e);
	mutex_unlock(&cpu_events_lock);
}

__kprobes bool kt_cpu_events_read(struct kt_cpu_events *e, kt_s64 *ret)
{
	struct perf_event **events = READ_ONCE(e->events);
	struct perf_event *event = events ? READ_ONCE(events[raw_smp_processor_id()]) : NULL;

	if (event)
		*ret = kt_perf_count(event);
	return event;
}

void kt_cpu_events_switch(struct kt_cpu_events *e, bool on)
{
	mutex_lock(&cpu_events_lock);
	for (u32 cpu = 0; e->events && e->on != on && cpu < nr_cpu_ids; cpu++) {
		if (!e->events[cpu])
			continue;
		if (on)
			perf_event_enable(e->events[cpu]);
		else
			perf_event_disable(e->events[cpu]);
	}
	e->on = on;
	mutex_unlock(&cpu_events_lock);
}
