/* Watchpoints on the kernel's memory: one breakpoint of the debug registers per probe, on every CPU.
 *
 * x86 raises its exception behind the access, arm64 in front of it. Either way the handler runs as in an NMI, beside an
 * ordinary one. The exception disables the breakpoints of its CPU, so what handlers do themselves is not seen, and a
 * handler that reads what it watches does not recurse.
 */
#include <linux/err.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <linux/slab.h>

#include "runtime/kit/kit.h"

/* A row and its breakpoints. */
struct watch {
	struct perf_event * __percpu *events; /* NULL: not registered */
	const struct kt_probe *probe;
	const struct kt_data_row *row;
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

/* 0 or -errno: all CPUs have one, or none has. */
static int watch_register(struct watch *w)
{
	struct perf_event_attr attr;
	struct perf_event * __percpu *events;

	hw_breakpoint_init(&attr);
	attr.bp_addr = w->row->linked ? kt_relocate(w->row->address) : w->row->address;
	attr.bp_len = w->row->length; /* HW_BREAKPOINT_LEN_N is N */
	attr.bp_type = w->row->reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
	events = register_wide_hw_breakpoint(&attr, watch_hit, w);
	if (IS_ERR((void __force *)events))
		return (int)PTR_ERR((void __force *)events);
	w->events = events;
	return 0;
}

static void watch_unregister(struct watch *w)
{
	if (w->events)
		unregister_wide_hw_breakpoint(w->events);
	w->events = NULL;
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

		w->row = &row[i];
		w->probe = &kt_script.probes[row[i].probe];
		err = kt_condition_off(row[i].probe) ? 0 : watch_register(w);
		w->refused = err;
		if (err)
			kt_session_refused(row[i].probe, err);
		else
			kt_session.armed++;
	}
	return 0;
}

/* One that found no free register when its condition came true stays without; the next change tries again. */
static void data_update(void)
{
	for (u32 i = 0; i < n_watches; i++) {
		struct watch *w = &watches[i];
		bool on = !w->refused && !kt_condition_off(w->row->probe);

		if (on && !w->events)
			watch_register(w);
		else if (!on)
			watch_unregister(w);
	}
}

static void data_disarm(void)
{
	for (u32 i = 0; i < n_watches; i++)
		watch_unregister(&watches[i]); /* waits for its handlers */
	n_watches = 0;
	kvfree(watches);
	watches = NULL;
}

const struct kt_family_ops kt_data_family = {
	.arm = data_arm,
	.disarm = data_disarm,
	.update = data_update,
};
