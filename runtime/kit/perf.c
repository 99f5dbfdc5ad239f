/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes perf.* and timer.profile, counters of CPUs, and watchpoints on the kernel's memory: one event of the kernel's perf on each
 * CPU. Those of processes are in perf-task.c.
 *
 * What overflows calls us with the registers of the code it interrupted: a clock in hard interrupt context, a counter of
 * the processor in an NMI, an event of the kernel wherever it happens.
 *
 * A watchpoint is a breakpoint of the debug registers. x86 raises its exception after the access. The handler runs as in an NMI,
 * beside an ordinary one. The exception disables the breakpoints of its CPU, so what handlers do themselves is not seen, and a
 * handler that reads what it watches does not recurse. arm64 raises it before the access: the translator refuses watchpoints there.
 */
#include <linux/hw_breakpoint.h>
#include <linux/jiffies.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>

#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"

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

void kt_watch_attr(struct perf_event_attr *attr, u64 address, u32 length, bool reads)
{
	hw_breakpoint_init(attr);
	attr->bp_addr = address;
	attr->bp_len = length; /* HW_BREAKPOINT_LEN_N is N */
	attr->bp_type = reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
}

/* Is it a clock's, which comes by the interrupt of a counter or timer, not by code that runs? The kernel may have changed the type in the
 * event's own attr. */
static __kprobes bool is_clock(const struct perf_event *event, u32 type, u64 config)
{
	return (type == PERF_TYPE_SOFTWARE && config <= PERF_COUNT_SW_TASK_CLOCK) || event->pmu->task_ctx_nr == perf_hw_context;
}

__kprobes void kt_perf_hit(const struct kt_probe *probe, struct perf_event *event, u32 type, u64 config, struct pt_regs *regs)
{
	u32 flags = (is_clock(event, type, config) ? KT_CTX_CLOCK : 0) | (regs && user_mode(regs) ? KT_CTX_USER_REGS : 0);

	/* MAX_INTERRUPTS in kernel/events/core.c. */
	if (unlikely(event->hw.interrupts == ~0ull) && kt_run_state() == KT_RUNNING)
		kt_lose(probe, KT_LOSS_THROTTLE);
	kt_handle(probe, regs, flags, NULL);
}

static __kprobes void perf_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct kt_cpu_events *e = event->overflow_handler_context;

	kt_perf_hit(e->place.probe, event, e->attr.type, e->attr.config, regs);
}

/* Creates the events, which are on or off from their creation. */
static int perf_find(struct kt_place *p, const struct module *mod)
{
	struct kt_cpu_events *e = KT_PLACE_AS(struct kt_cpu_events, p);
	const struct kt_perf_row *row = p->row;
	int err;

	if (row->path)
		return KT_PLACE_LATER;
	e->attr = kt_perf_attr(row);
	e->hit = perf_hit;
	e->on = !kt_probe_off(p->probe->index);
	err = kt_cpu_events_create(e);
	if (!err && row->counter && kt_cpu_events_are_outside(e)) {
		kt_cpu_events_release(e);
		err = -EDEADLK;
	}
	return err;
}

static void perf_lose(struct kt_place *p)
{
	kt_cpu_events_release(KT_PLACE_AS(struct kt_cpu_events, p));
}

static int perf_attach(struct kt_place *p)
{
	kt_cpu_events_switch(KT_PLACE_AS(struct kt_cpu_events, p), true);
	return 0;
}

static int perf_detach(struct kt_place *p)
{
	kt_cpu_events_switch(KT_PLACE_AS(struct kt_cpu_events, p), false);
	return 0;
}

/* So that counters are found. */
static struct kt_places *perf_places;

static int perf_prepare(struct kt_places *all)
{
	WRITE_ONCE(perf_places, all);
	return 0;
}

__kprobes struct kt_cpu_events *kt_perf_cpu_counter(u32 counter)
{
	const struct kt_places *all = READ_ONCE(perf_places);

	for (u32 i = 0; all && i < all->n; i++) {
		struct kt_place *p = kt_place_at(all, i);
		const struct kt_perf_row *row = p->row;

		if (row->counter == counter && !row->path)
			return KT_PLACE_AS(struct kt_cpu_events, p);
	}
	return NULL;
}

static void perf_finish(struct kt_places *all)
{
	WRITE_ONCE(perf_places, NULL);
	kt_perf_tasks_disarm();
	/* A hit whose event was released meanwhile may still be on its way to us. */
	synchronize_rcu();
}

const struct kt_family_ops kt_perf_family = {
	.size = sizeof(struct kt_perf_place),
	.row_size = sizeof(struct kt_perf_row),
	.prepare = perf_prepare,
	.find = perf_find,
	.lose = perf_lose,
	.attach = perf_attach,
	.detach = perf_detach,
	.attach_many = kt_perf_tasks_arm,
	.finish = perf_finish,
};

/* ---- watchpoints ---- */
/* Context: a debug exception, interrupts off. */
static __kprobes void watch_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	kt_handle(((const struct kt_cpu_events *)event->overflow_handler_context)->place.probe, regs, 0, NULL);
}

static int data_attach(struct kt_place *p)
{
	struct kt_cpu_events *e = KT_PLACE_AS(struct kt_cpu_events, p);
	const struct kt_data_row *row = p->row;

	e->hit = watch_hit;
	e->on = true;
	kt_watch_attr(&e->attr, row->linked ? kt_relocate(row->address) : row->address, row->length, row->reads);
	return kt_cpu_events_create(e);
}

static int data_detach(struct kt_place *p)
{
	kt_cpu_events_release(KT_PLACE_AS(struct kt_cpu_events, p)); /* waits for its handlers */
	return 0;
}

const struct kt_family_ops kt_data_family = {
	.size = sizeof(struct kt_cpu_events),
	.row_size = sizeof(struct kt_data_row),
	.attach = data_attach,
	.detach = data_detach,
};
