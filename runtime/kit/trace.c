/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes on tracepoints of the kernel and of modules. Handlers get the arguments of the tracepoint.
 *
 * A tracepoint calls its probes with (data, ARGUMENTS). Our probe takes words instead of typed arguments. Both are the same where
 * integers and pointers are passed in registers and 8-byte stack slots, as on x86_64 and aarch64. The translator knows the word
 * and the width of each argument.
 */
#include <linux/module.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "runtime/kit/compat.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/place.h"

struct trace_place {
	struct kt_place place;
	struct tracepoint *tp; /* NULL: the kernel has none */
	void *hit;
};

/* After `data`, five arguments are in registers on x86_64 and more on aarch64. */
enum { TRACE_WORDS_SHORT = 5 };

/* Context: any; the kernel keeps preemption off or holds an SRCU lock around it. */
static __kprobes void trace_hit_short(void *data, unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3,
				      unsigned long a4)
{
	u64 words[] = { a0, a1, a2, a3, a4 };

	kt_handle(((const struct trace_place *)data)->place.probe, NULL, 0, words);
}

/* The caller's stack is read as far as the longest list of arguments goes, which is harmless where there are fewer. */
static __kprobes void trace_hit_long(void *data, unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3,
				     unsigned long a4, unsigned long a5, unsigned long a6, unsigned long a7,
				     unsigned long a8, unsigned long a9, unsigned long a10, unsigned long a11)
{
	u64 words[KT_TRACE_WORDS_MAX] = { a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11 };

	kt_handle(((const struct trace_place *)data)->place.probe, NULL, 0, words);
}

static struct trace_place *trace_of(struct kt_place *p)
{
	return container_of(p, struct trace_place, place);
}

static const char *trace_module(const struct kt_place *p)
{
	return ((const struct kt_trace_row *)p->row)->module;
}

/* Gives TP to the places that name it. */
static void trace_found(struct tracepoint *tp, void *places)
{
	const struct kt_places *all = places;

	for (u32 i = 0; i < all->n; i++) {
		struct kt_place *p = kt_place_at(all, i);
		const struct kt_trace_row *row = p->row;

		if (!row->module && !strcmp(tp->name, row->name))
			trace_of(p)->tp = tp;
	}
}

static int trace_prepare(struct kt_places *all)
{
	for_each_kernel_tracepoint(trace_found, all);
	return 0;
}

static int trace_find(struct kt_place *p, const struct module *mod)
{
	struct trace_place *t = trace_of(p);
	const struct kt_trace_row *row = p->row;

	t->hit = row->words > TRACE_WORDS_SHORT ? (void *)trace_hit_long : (void *)trace_hit_short;
	if (mod && !t->tp)
		t->tp = kt_tracepoint_of_module(mod, row->name);
	return t->tp ? 0 : -ENOENT;
}

/* A module's tracepoints go with it. */
static void trace_lose(struct kt_place *p)
{
	trace_of(p)->tp = NULL;
}

static int trace_attach(struct kt_place *p)
{
	return tracepoint_probe_register(trace_of(p)->tp, trace_of(p)->hit, p);
}

static int trace_detach(struct kt_place *p)
{
	tracepoint_probe_unregister(trace_of(p)->tp, trace_of(p)->hit, p);
	return 0;
}

/* A call that was under way when its probe went may still be in our text. */
static void trace_finish(struct kt_places *all)
{
	tracepoint_synchronize_unregister();
}

const struct kt_family_ops kt_trace_family = {
	.size = sizeof(struct trace_place),
	.row_size = sizeof(struct kt_trace_row),
	.module = trace_module,
	.tracepoints = true,
	.prepare = trace_prepare,
	.find = trace_find,
	.lose = trace_lose,
	.attach = trace_attach,
	.detach = trace_detach,
	.finish = trace_finish,
};
