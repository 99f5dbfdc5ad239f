/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes on the tracepoints of the kernel and of modules: handlers get the arguments that the tracepoint is called with.
 *
 * A tracepoint calls its probes with (data, ARGUMENTS). Ours take words instead of the typed arguments: where the
 * calling convention passes integers and pointers in registers and 8-byte stack slots, as on x86_64 and aarch64, these
 * are the same. The translator knows which word an argument is and how wide it is.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "runtime/kit/kit.h"

/* A row and the tracepoint that it names. */
struct trace_place {
	struct tracepoint *tp; /* NULL: the kernel has none, or it did not register */
	const struct kt_probe *probe;
	const struct kt_trace_row *row;
	void *hit;
	bool on;               /* registered; its condition may forbid it */
	bool waits;            /* for its module; it is in the count of refused places */
};

static struct trace_place *trace_places;
static u32 n_trace_places;
static DEFINE_MUTEX(trace_lock); /* modules come and go while places are armed */

/* After `data`, five arguments are in registers on x86_64 and more on aarch64. */
enum { TRACE_WORDS_SHORT = 5 };

/* Context: any; the kernel keeps preemption off or holds an SRCU lock around it. */
static __kprobes void trace_hit_short(void *data, unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3,
				      unsigned long a4)
{
	u64 words[] = { a0, a1, a2, a3, a4 };

	kt_handle(((const struct trace_place *)data)->probe, NULL, 0, words);
}

/* The caller's stack is read as far as the longest list of arguments goes, which is harmless where there are fewer. */
static __kprobes void trace_hit_long(void *data, unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3,
				     unsigned long a4, unsigned long a5, unsigned long a6, unsigned long a7,
				     unsigned long a8, unsigned long a9, unsigned long a10, unsigned long a11)
{
	u64 words[KT_TRACE_WORDS_MAX] = { a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11 };

	kt_handle(((const struct trace_place *)data)->probe, NULL, 0, words);
}

/* Gives TP to the places that name it. Context: arming. */
static void trace_found(struct tracepoint *tp, void *unused)
{
	for (u32 i = 0; i < n_trace_places; i++)
		if (!trace_places[i].row->module && !strcmp(tp->name, trace_places[i].row->name))
			trace_places[i].tp = tp;
}

/* Registers P, whose tracepoint is known or not, and keeps the session's account of it. Context: trace_lock is held. */
static void trace_try(struct trace_place *p)
{
	bool off = kt_probe_off(p->row->probe);
	int err = !p->tp ? -ENOENT : off ? 0 : tracepoint_probe_register(p->tp, p->hit, p);

	p->waits = !p->tp && p->row->module;
	p->on = !err && !off;
	if (!err) {
		kt_run.armed++;
		return;
	}
	kt_run_refused(p->row->probe, p->waits ? -EAGAIN : err);
	p->tp = NULL;
}

/* Context: trace_lock is held. The tracepoint's module goes. */
static void trace_release(struct trace_place *p)
{
	if (p->on)
		tracepoint_probe_unregister(p->tp, p->hit, p);
	p->on = false;
	p->tp = NULL;
	kt_run.armed--;
}

/* Tracepoints of a module that has them come and go with it; those of modules that are loaded come when this is registered. */
static int trace_module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *mod = ((const struct tp_module *)data)->mod;

	if (event != MODULE_STATE_COMING && event != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&trace_lock);
	for (u32 i = 0; i < n_trace_places; i++) {
		struct trace_place *p = &trace_places[i];

		if (!p->row->module || strcmp(p->row->module, mod->name))
			continue;
		if (event == MODULE_STATE_GOING) {
			if (p->tp)
				trace_release(p);
			continue;
		}
		for (unsigned int k = 0; k < mod->num_tracepoints && !p->tp; k++) {
			struct tracepoint *tp = tracepoint_ptr_deref(&mod->tracepoints_ptrs[k]);

			if (!strcmp(tp->name, p->row->name))
				p->tp = tp;
		}
		if (!p->tp)
			continue;
		if (p->waits) {
			kt_run.refused--;
			kt_run.probes[p->row->probe].error = 0;
		}
		trace_try(p);
	}
	mutex_unlock(&trace_lock);
	return NOTIFY_OK;
}

static struct notifier_block trace_notifier = { .notifier_call = trace_module_event };
static bool trace_has_modules; /* the notifier is registered */

/* Registers and unregisters as conditions say; what is refused counts as absent. */
static void trace_update(void)
{
	mutex_lock(&trace_lock);
	for (u32 i = 0; i < n_trace_places; i++) {
		struct trace_place *p = &trace_places[i];
		bool on = p->tp && !kt_probe_off(p->row->probe);
		int err = 0;

		if (on && !p->on)
			err = tracepoint_probe_register(p->tp, p->hit, p);
		else if (!on && p->on)
			tracepoint_probe_unregister(p->tp, p->hit, p);
		p->on = on && !err;
		cond_resched();
	}
	mutex_unlock(&trace_lock);
}

static int trace_arm(const struct kt_family_rows *rows)
{
	const struct kt_trace_row *row = rows->rows;

	trace_places = kvcalloc(rows->n, sizeof(*trace_places), GFP_KERNEL);
	if (!trace_places)
		return -ENOMEM;
	mutex_lock(&trace_lock);
	n_trace_places = rows->n;
	trace_has_modules = false;
	for (u32 i = 0; i < n_trace_places; i++) {
		struct trace_place *p = &trace_places[i];

		p->row = &row[i];
		p->probe = &kt_script.probes[row[i].probe];
		p->hit = row[i].words > TRACE_WORDS_SHORT ? (void *)trace_hit_long : (void *)trace_hit_short;
	}
	for_each_kernel_tracepoint(trace_found, NULL);
	for (u32 i = 0; i < n_trace_places && kt_run_starts(); i++) {
		trace_try(&trace_places[i]);
		trace_has_modules |= row[i].module != NULL;
		cond_resched();
	}
	mutex_unlock(&trace_lock);
	if (trace_has_modules && register_tracepoint_module_notifier(&trace_notifier))
		trace_has_modules = false;
	return 0;
}

static void trace_disarm(void)
{
	if (trace_has_modules)
		unregister_tracepoint_module_notifier(&trace_notifier);
	trace_has_modules = false;
	for (u32 i = 0; i < n_trace_places; i++)
		if (trace_places[i].on)
			tracepoint_probe_unregister(trace_places[i].tp, trace_places[i].hit, &trace_places[i]);
	/* A call that was under way when its probe went may still be in our text. */
	tracepoint_synchronize_unregister();
	n_trace_places = 0;
	kvfree(trace_places);
	trace_places = NULL;
}

const struct kt_family_ops kt_trace_family = {
	.arm = trace_arm,
	.disarm = trace_disarm,
	.update = trace_update,
};
