/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watchpoints on the kernel's memory: one breakpoint of the debug registers per probe, on every CPU.
 *
 * x86 raises its exception after the access. The handler runs as in an NMI, beside an ordinary one. The exception disables the
 * breakpoints of its CPU, so what handlers do themselves is not seen, and a handler that reads what it watches does not recurse.
 * arm64 raises it before the access: the translator refuses watchpoints there.
 */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "runtime/kit/handler.h"
#include "runtime/kit/place.h"
#include "runtime/kit/services.h"

struct watch {
	struct kt_place place;
	struct kt_cpu_events events;
};

/* Context: a debug exception, interrupts off. */
static __kprobes void watch_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct watch *w = event->overflow_handler_context;

	kt_handle(w->place.probe, regs, 0, NULL);
}

static int data_attach(struct kt_place *p)
{
	struct watch *w = container_of(p, struct watch, place);
	const struct kt_data_row *row = p->row;
	struct perf_event_attr *attr = &w->events.attr;

	w->events = (struct kt_cpu_events){ .hit = watch_hit, .context = w, .probe = p->probe, .on = true };
	hw_breakpoint_init(attr);
	attr->bp_addr = row->linked ? kt_relocate(row->address) : row->address;
	attr->bp_len = row->length; /* HW_BREAKPOINT_LEN_N is N */
	attr->bp_type = row->reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
	return kt_cpu_events_create(&w->events);
}

static int data_detach(struct kt_place *p)
{
	kt_cpu_events_release(&container_of(p, struct watch, place)->events); /* waits for its handlers */
	return 0;
}

const struct kt_family_ops kt_data_family = {
	.size = sizeof(struct watch),
	.row_size = sizeof(struct kt_data_row),
	.attach = data_attach,
	.detach = data_detach,
};
