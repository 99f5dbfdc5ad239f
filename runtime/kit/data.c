/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watchpoints on the kernel's memory: one breakpoint of the debug registers per probe, on every CPU.
 *
 * x86 raises its exception after the access. The handler runs as in an NMI, beside an ordinary one. The exception disables the
 * breakpoints of its CPU, so what handlers do themselves is not seen, and a handler that reads what it watches does not recurse.
 * arm64 raises it before the access: the translator refuses watchpoints there.
 */
#include <linux/perf_event.h>

#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"

/* Context: a debug exception, interrupts off. */
static __kprobes void watch_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	kt_handle(((const struct kt_cpu_events *)event->overflow_handler_context)->place.probe, regs, 0, NULL);
}

static int data_attach(struct kt_place *p)
{
	struct kt_cpu_events *e = container_of(p, struct kt_cpu_events, place);
	const struct kt_data_row *row = p->row;

	e->hit = watch_hit;
	e->on = true;
	kt_watch_attr(&e->attr, row->linked ? kt_relocate(row->address) : row->address, row->length, row->reads);
	return kt_cpu_events_create(e);
}

static int data_detach(struct kt_place *p)
{
	kt_cpu_events_release(container_of(p, struct kt_cpu_events, place)); /* waits for its handlers */
	return 0;
}

const struct kt_family_ops kt_data_family = {
	.size = sizeof(struct kt_cpu_events),
	.row_size = sizeof(struct kt_data_row),
	.attach = data_attach,
	.detach = data_detach,
};
