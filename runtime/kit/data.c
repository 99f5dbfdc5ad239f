/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watchpoints on the kernel's memory: one breakpoint of the debug registers per probe, on every CPU.
 *
 * x86 raises its exception behind the access, arm64 in front of it. Either way the handler runs as in an NMI, beside an
 * ordinary one. The exception disables the breakpoints of its CPU, so what handlers do themselves is not seen, and a
 * handler that reads what it watches does not recurse.
 */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <linux/slab.h>

#include "runtime/kit/kit.h"

/* A row and its breakpoints. */
struct watch {
	struct kt_cpu_events events;
	const struct kt_probe *probe;
	bool refused;
};

static struct watch *watches;
static u32 n_watches;

/* Context: a debug exception, interrupts off. */
static __kprobes void watch_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct watch *w = event->overflow_handler_context;

	kt_handle(w->probe, regs, 0, NULL);
}

static void watch_init(struct watch *w, const struct kt_data_row *row)
{
	struct perf_event_attr *attr = &w->events.attr;

	w->probe = &kt_script.probes[row->probe];
	w->events = (struct kt_cpu_events){ .hit = watch_hit, .context = w, .probe = w->probe, .on = true };
	hw_breakpoint_init(attr);
	attr->bp_addr = row->linked ? kt_relocate(row->address) : row->address;
	attr->bp_len = row->length; /* HW_BREAKPOINT_LEN_N is N */
	attr->bp_type = row->reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
}

static int data_arm(const struct kt_family_rows *rows)
{
	const struct kt_data_row *row = rows->rows;

	watches = kvcalloc(rows->n, sizeof(*watches), GFP_KERNEL);
	if (!watches)
		return -ENOMEM;
	n_watches = rows->n;
	for (u32 i = 0; i < n_watches; i++) {
		struct watch *w = &watches[i];
		int err;

		watch_init(w, &row[i]);
		err = kt_probe_off(row[i].probe) ? 0 : kt_cpu_events_create(&w->events);
		w->refused = err;
		if (err)
			kt_run_refused(row[i].probe, err);
		else
			kt_run_armed(1);
	}
	return 0;
}

/* One that found no free register when its condition came true stays without; the next change tries again. */
static void data_update(void)
{
	for (u32 i = 0; i < n_watches; i++) {
		struct watch *w = &watches[i];
		bool on = !w->refused && !kt_probe_off(w->probe->index);

		if (on && !w->events.events)
			kt_cpu_events_create(&w->events);
		else if (!on)
			kt_cpu_events_release(&w->events);
	}
}

static void data_disarm(void)
{
	for (u32 i = 0; i < n_watches; i++)
		kt_cpu_events_release(&watches[i].events); /* waits for its handlers */
	n_watches = 0;
	kvfree(watches);
	watches = NULL;
}

const struct kt_family_ops kt_data_family = {
	.arm = data_arm,
	.disarm = data_disarm,
	.update = data_update,
};
